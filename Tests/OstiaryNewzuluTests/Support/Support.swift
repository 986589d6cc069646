import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport

let services = RequestMatch.post("/services/json")

extension NewzuluStub {
  /// A client whose failures are not tried again unless the test says so.
  func client(
    _ configuration: NewzuluConfiguration = NewzuluConfiguration(), vhost: String = "206",
    key: Secret = NewzuluStub.key,
    retry: RetryPolicy = .none, over transport: (any Transport)? = nil, clock: any SessionClock = .system
  ) throws -> NewzuluClient {
    var sessions = SessionConfiguration()
    sessions.retry = retry
    return try NewzuluClient(
      server: url, apiKey: key, vhost: vhost, transport: transport ?? self.transport, configuration: configuration,
      sessions: sessions, clock: clock)
  }

  /// A client with Ann's credentials.
  func ann(
    _ configuration: NewzuluConfiguration = NewzuluConfiguration(), retry: RetryPolicy = .none,
    store: any SessionStore = EphemeralStore(), over transport: (any Transport)? = nil,
    clock: any SessionClock = .system
  ) throws -> NewzuluClient {
    let client = try client(configuration, retry: retry, over: transport, clock: clock)
    client.setCredentials(email: "ann@example.com", password: "apple", store: store)
    return client
  }

  func authenticator(_ configuration: NewzuluConfiguration = NewzuluConfiguration()) throws -> NewzuluAuthenticator {
    try NewzuluAuthenticator(server: url, apiKey: NewzuluStub.key, vhost: "206", configuration: configuration)
  }

  var context: AuthenticationContext { AuthenticationContext(transport: transport) }

  /// Signs Ann in without a manager.
  func signIn(_ configuration: NewzuluConfiguration = NewzuluConfiguration()) async throws -> SessionGrant {
    try await authenticator(configuration).signIn(
      with: .password(username: "ann@example.com", password: "apple"), in: context)
  }
}

extension SessionGrant {
  /// The grant as a session, for calls that want one.
  func session(at server: URL) -> Session {
    Session(kind: .newzulu, server: server, version: ProofVersion(), grant: self, issuedAt: Date())
  }

  var token: Secret? { proof.tokens[NewzuluAuthenticator.sessionToken] }
}

extension NewzuluConfiguration {
  /// Small parts, so that small files have many.
  static func parts(of size: Int64, parallel: Int = 2, attempts: Int = 5) -> NewzuluConfiguration {
    var configuration = NewzuluConfiguration()
    configuration.uploads.partSize = size
    configuration.uploads.parallelParts = parallel
    configuration.uploads.attempts = attempts
    return configuration
  }
}

/// A response with this body.
func response(_ body: String, _ type: String = "application/json", status: HTTPResponse.Status = .ok)
  -> TransportResponse
{
  TransportResponse(HTTPResponse(status: status, headerFields: [.contentType: type]), body: Data(body.utf8))
}

/// Bytes that repeat nowhere, so that mixed-up parts are found.
func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
  var generator = SplitMix64(seed: seed)
  var data = Data(capacity: count + 8)
  while data.count < count {
    withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) }
  }
  return data.prefix(count)
}

/// Answers that are none, for calls that expect a result.
let nonsense: [(String, TransportResponse)] = [
  ("a page", response("<html>Hotel</html>", "text/html")),
  ("truncated JSON", response("{\"status\":true,\"resu")),
  ("a JSON array", response("[1,2,3]")),
  ("a JSON string", response("\"hello\"")),
  ("an empty body", response("")),
  ("an empty object", response("{}")),
  ("success without a result", response("{\"status\":true}")),
  ("bytes that are no text", TransportResponse(HTTPResponse(status: .ok), body: Data([0xFF, 0xFE, 0x00]))),
  ("deep nesting", response(String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000))),
  ("deep objects", response(String(repeating: "{\"a\":", count: 20_000))),
  ("a redirect", response("", status: .found)),
  ("404 with a page", response("<h1>no</h1>", "text/html", status: .notFound)),
]

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByFloatLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(floatLiteral value: Double) { self = .number(value) }
}
