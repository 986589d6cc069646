import Foundation
import Ostiary

/// Asks a server that stands behind a gateway with a login form.
///
///     echo PASSWORD | BehindAGateway http://127.0.0.1:8080/api ann
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let server = URL(string: arguments[1]), let password = readLine() else {
      print("usage: BehindAGateway SERVER USER, with the password on standard input")
      exit(2)
    }
    do {
      try await ask(server, user: arguments[2], password: Secret(password))
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
