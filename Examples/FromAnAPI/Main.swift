import Foundation
import Ostiary

/// Asks an API for something, knowing nothing but its address.
///
///     FromAnAPI https://api.example.com/orders FOLDER
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let api = URL(string: arguments[1]), let host = api.host() else {
      print("usage: FromAnAPI API FOLDER")
      exit(2)
    }
    do {
      // For this user alone: a registration may have secrets. And for this API alone: what another one's server gave is not for it.
      let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        .appending(path: "\(api.scheme ?? "")-\(host)-\(api.port ?? 0)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try await show(api, keptIn: folder)
    } catch let error as OstiaryError {
      print("\(error)")
      exit(1)
    }
  }
}
