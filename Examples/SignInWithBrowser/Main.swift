import Foundation
import Ostiary

/// Signs in to an OAuth server in the system's browser, and asks its API for something.
///
///     SignInWithBrowser https://api.example.com https://login.example.com CLIENT_ID FOLDER
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let api = URL(string: arguments[1]), let issuer = URL(string: arguments[2]) else {
      print("usage: SignInWithBrowser API ISSUER CLIENT_ID FOLDER")
      exit(2)
    }
    do {
      try await showThings(
        of: api, authorizedAt: issuer, clientID: arguments[3],
        keptIn: URL(filePath: arguments[4], directoryHint: .isDirectory))
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
