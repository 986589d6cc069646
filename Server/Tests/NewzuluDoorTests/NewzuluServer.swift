import Foundation
import Ostiary
import OstiaryCore
import OstiaryNewzulu
import OstiaryServer
import OstiaryTesting

/// A running server with a Newzulu door of two tenants, `jane@example.com` in each of them, and its time in the test's
/// hands.
struct NewzuluServer: Sendable {
  let application: OstiaryApplication
  let running: OstiaryApplication.Running
  let clock: ManualClock

  static let key: Secret = "0123456789abcdef0123456789abcdef"
  static let developerKey: Secret = "11111111111111111111111111111111"
  static let address = "jane@example.com"
  static let password: Secret = "a fine long password"
  static let otherPassword: Secret = "another fine long password"

  var url: URL {
    get throws {
      guard let url = URL(string: running.origin.description) else { throw URLError(.badURL) }
      return url
    }
  }

  /// How many requests have been answered.
  var requests: Int { application.journal?.total ?? 0 }

  /// Starts a server, lets `body` use it, and stops it, also after an error.
  static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, addsUsers: Bool = true,
    body: (NewzuluServer) async throws -> Value
  ) async throws -> Value {
    let clock = ManualClock()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    configuration.newzulu?.vhosts = ["1281", "206"]
    configuration.newzulu?.keys = [
      NewzuluKey(key), NewzuluKey(developerKey, permissions: [.registerUsers, .readUsers]),
    ]
    configuration.newzulu?.leastFreeSpace = 0
    configuration.newzulu?.leastPartSize = 64 << 10
    configure(&configuration)
    let application = try OstiaryApplication(configuration)
    let running = try await application.start()
    let outcome: Result<Value, any Error>
    do {
      if addsUsers {
        for (tenant, password) in [("1281", password), ("206", otherPassword)] {
          try await application.identity.addUser(
            name: "jane", tenant: tenant, email: address, password: password, attributes: ["firstname": "Jane"])
        }
      }
      outcome = .success(
        try await body(NewzuluServer(application: application, running: running, clock: clock)))
    } catch {
      outcome = .failure(error)
    }
    await application.stop()
    return try outcome.get()
  }

  func client(
    at url: URL? = nil, vhost: String = "1281", key: Secret = key, retries: RetryPolicy = .none,
    _ change: (inout NewzuluConfiguration) -> Void = { _ in }
  ) throws -> NewzuluClient {
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = 64 << 10
    change(&configuration)
    var sessions = SessionConfiguration()
    sessions.retry = retries
    return try NewzuluClient(
      server: try url ?? self.url, apiKey: key, vhost: vhost, transport: PlatformTransport(),
      configuration: configuration, sessions: sessions)
  }

  /// A client that knows who jane is.
  func janesClient() throws -> NewzuluClient {
    let client = try client()
    client.setCredentials(email: Self.address, password: Self.password)
    return client
  }

  /// What the server has on its disk of a file.
  func content(of file: NewzuluFile) async throws -> Data {
    guard let id = Int64(file.id) else { throw URLError(.cannotDecodeRawData) }
    let files = try await application.door(NewzuluDoor.self)?.content(ofFile: id) ?? []
    return try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
  }
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
