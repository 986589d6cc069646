import Foundation
import Ostiary

/// Uploads a video to a Newzulu platform. Run it again after an interruption: it goes on where it stopped.
///
///     echo PASSWORD | UploadVideo http://127.0.0.1:8080 206 KEY ann@example.com video.mp4
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let server = URL(string: arguments[1]), let password = readLine() else {
      print("usage: UploadVideo SERVER TENANT KEY EMAIL FILE, with the password on standard input")
      exit(2)
    }
    do {
      try await upload(
        URL(filePath: arguments[5]), to: server, tenant: arguments[2], key: Secret(arguments[3]), email: arguments[4],
        password: Secret(password))
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
