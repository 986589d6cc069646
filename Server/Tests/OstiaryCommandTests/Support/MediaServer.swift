import Foundation
import Logging
import OstiaryCore
import OstiaryServer

/// A real server in this process whose Newzulu door has two users of one project, `ann` and `bob`.
struct MediaServer: Sendable {
  static let password = "a long enough password"

  let application: OstiaryApplication
  let running: OstiaryApplication.Running
  let address: String
  let key: String

  /// The arguments of a sign-in.
  func login(_ user: String = "ann") -> [String] {
    [
      "login", "newzulu", "--server", address, "--user", "\(user)@example.com", "--option", "vhost=206", "--option",
      "api-key=\(key)", "--profile", user,
    ]
  }

  /// Starts a server, lets `body` use it, and stops it.
  static func run(_ body: (MediaServer) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.newzulu?.vhosts = ["1", "206"]
    configuration.newzulu?.leastFreeSpace = 0
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      for name in ["ann", "bob"] {
        try await application.identity.addUser(
          name: name, tenant: "206", email: "\(name)@example.com", password: Secret(password))
      }
      guard let door = running.doors.compactMap({ $0 as? NewzuluDoor }).first, let key = door.apiKey?.reveal() else {
        throw OstiaryError(.internalError, "There is no Newzulu door.")
      }
      try await body(MediaServer(application: application, running: running, address: door.address, key: key))
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }
}
