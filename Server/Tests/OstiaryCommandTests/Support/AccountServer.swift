import Foundation
import Logging
import OstiaryCore
import OstiaryServer

/// A real server in this process with a Primer door, at which people make themselves accounts. Bob has one.
struct AccountServer: Sendable {
  static let password = "planted long password"
  static let bob = "bob@example.com"

  let application: OstiaryApplication
  let door: PrimerDoor

  /// The arguments of the command that runs its experience.
  var run: [String] { ["experience", "run", door.address, "--token", door.token] }

  /// Starts a server, lets `body` use it, and stops it.
  static func run(_ body: (AccountServer) async throws -> Void) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.passwordPolicy = nil
    configuration.accounts?.offersSignUp = true
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      try await application.identity.addUser(name: bob, email: bob, password: Secret(password))
      guard let door = running.doors.lazy.compactMap({ $0 as? PrimerDoor }).first else {
        throw OstiaryError(.internalError, "There is no Primer door.")
      }
      try await body(AccountServer(application: application, door: door))
    } catch {
      await application.stop()
      throw error
    }
    await application.stop()
  }

  /// The code in the last mail to an address, once the server has sent it.
  func code(for address: String) async throws -> String {
    await application.settleMail()
    guard let mail = application.insecureDevelopmentMailbox?.messages(to: address).last,
      let code = mail.text.firstMatch(of: /The code is ([0-9A-Z ]+)/)
    else { throw OstiaryError(.internalError, "There is no code for \(address).") }
    return String(code.1)
  }
}
