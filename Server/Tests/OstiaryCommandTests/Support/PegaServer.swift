import Foundation
import Logging
import OstiaryCore
import OstiaryServer

/// A real server in this process, with one user.
struct PegaServer: Sendable {
  static let user = "alice"
  /// Characters that every layer on the way has its own opinion of.
  static let password = #"p%+&=:é日本 "'\ word"#

  let application: OstiaryApplication
  let running: OstiaryApplication.Running

  var url: String { running.origin.description + "/prweb" }
  var cases: String { url + "/api/v1/cases" }
  var profile: String { "\(Self.user)@\(running.origin.authority)" }

  /// The arguments of a sign-in.
  var login: [String] { ["login", "pega", "--server", url, "--user", Self.user] }

  /// How often the login activity has accepted a user.
  var signIns: Int {
    (application.journal?.entries ?? []).count { $0.path == "/prweb/PRServlet" && $0.status == 200 }
  }

  /// How often the login activity was asked, and has said either word.
  var attempts: Int { (application.journal?.entries ?? []).count { $0.path == "/prweb/PRServlet" } }

  /// Starts a server, lets `body` use it, and stops it.
  @discardableResult
  static func run<Value: Sendable>(_ body: (PegaServer) async throws -> Value) async throws -> Value {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    let application = try OstiaryApplication(
      configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    let running = try await application.start()
    do {
      try await application.identity.addUser(
        name: user, password: Secret(password), attributes: ["accessGroup": "Uplus:Testers"])
      let value = try await body(PegaServer(application: application, running: running))
      await application.stop()
      return value
    } catch {
      await application.stop()
      throw error
    }
  }
}
