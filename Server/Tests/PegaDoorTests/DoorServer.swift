import Foundation
import Ostiary
import OstiaryPega
import OstiaryServer
import OstiaryTesting

/// A running server with a Pega door, cheap hashing, a user, and its time in the test's hands.
struct DoorServer: Sendable {
  let application: OstiaryApplication
  let clock: ManualClock
  let url: URL

  static let password: Secret = "a fine long password"

  /// Starts a server with the user `jdoe`, lets `body` use it, and stops it, also after an error.
  static func run<Value: Sendable>(
    user: String = "jdoe", password: Secret = password, _ configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (DoorServer) async throws -> Value
  ) async throws -> Value {
    let clock = ManualClock()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    configure(&configuration)
    let application = try OstiaryApplication(configuration)
    let running = try await application.start()
    let outcome: Result<Value, any Error>
    do {
      guard let url = URL(string: running.origin.description + "/prweb") else { throw URLError(.badURL) }
      try await application.identity.addUser(name: user, displayName: "Jane Doe", password: password)
      outcome = .success(try await body(DoorServer(application: application, clock: clock, url: url)))
    } catch {
      outcome = .failure(error)
    }
    await application.stop()
    return try outcome.get()
  }

  func authenticator(
    _ method: PegaSignInMethod = .basic, _ activity: PegaLoginActivity = .mobileAppConfiguration,
    configuration: PegaConfiguration = PegaConfiguration()
  ) throws -> PegaAuthenticator {
    try PegaAuthenticator(server: url, method: method, loginActivity: activity, configuration: configuration)
  }

  func manager(
    _ method: PegaSignInMethod = .basic, credentials: CredentialSource = .manual
  ) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return SessionManager(
      authenticator: try authenticator(method), transport: PlatformTransport(), credentials: credentials,
      configuration: configuration)
  }

  func request(_ path: String) throws -> TransportRequest {
    guard let url = URL(string: url.absoluteString + path) else { throw URLError(.badURL) }
    return try .get(url)
  }
}

extension Credential {
  static var jane: Credential { .password(username: "jdoe", password: DoorServer.password) }
}

/// The error that `work` throws, as ours.
func failure(_ work: () async throws -> some Sendable) async -> OstiaryError? {
  do {
    _ = try await work()
    return nil
  } catch {
    return error as? OstiaryError
  }
}
