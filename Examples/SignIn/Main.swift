import Foundation
import Ostiary

/// Signs in to a Pega server, shows the user's cases and signs out.
///
///     echo PASSWORD | SignIn http://127.0.0.1:8080/prweb ann
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let server = URL(string: arguments[1]), let password = readLine() else {
      print("usage: SignIn SERVER USER, with the password on standard input")
      exit(2)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-example-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try await showCases(of: server, user: arguments[2], password: Secret(password), keptIn: folder)
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
