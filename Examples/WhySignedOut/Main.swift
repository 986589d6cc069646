import Foundation
import Ostiary

/// Loses a session to the server and asks why.
///
///     echo PASSWORD | WhySignedOut http://127.0.0.1:8080/prweb ann
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let server = URL(string: arguments[1]), let password = readLine() else {
      print("usage: WhySignedOut SERVER USER, with the password on standard input")
      exit(2)
    }
    do {
      try await explain(server: server, user: arguments[2], password: Secret(password))
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
