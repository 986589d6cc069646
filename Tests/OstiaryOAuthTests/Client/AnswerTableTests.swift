import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
import OstiaryTesting
import TestSupport
import Testing

/// The table "What an answer means" of the documentation, line by line.
@Suite("What an OAuth server's answers mean", .timeLimit(.minutes(20)))
struct OAuthAnswerTableTests {
  static func lines() throws -> [AnswerLine] {
    try AnswerLine.lines(ofArticle: "OstiaryOAuth/Documentation.docc/OstiaryOAuth.md", heading: "What an answer means")
  }

  private func meaning(_ asked: String, _ response: TransportResponse) async throws -> String {
    let stub = OAuthStub(hasUserInfo: asked == "userinfo")
    let client = try stub.client()
    let context = stub.context
    stub.answer { _ in response }
    for (method, path) in [(HTTPRequest.Method.post, "/device"), (.post, "/introspect"), (.get, "/userinfo")] {
      stub.transport.on(method, path) { _ in response }
    }
    func outcome(_ success: String, _ work: () async throws -> Void) async -> String {
      switch await failure(work)?.disposition {
      case nil: success
      case .terminal: "over"
      case .misuse: "client"
      case .transient: "unclear"
      }
    }
    switch asked {
    case "code":
      return await outcome("tokens") {
        _ = try await client.tokens(forGrant: "authorization_code", parameters: ["code": "c"], in: context)
      }
    case "refresh": return await outcome("tokens") { _ = try await client.refresh("r", in: context) }
    case "begin": return await outcome("codes") { _ = try await client.authorizeDevice(in: context) }
    case "device": return try await meaning(ofDevice: response)
    case "call":
      let request = try TransportRequest.get(OAuthStub.url("/things"))
      switch try stub.authenticator().judge(response, to: request) {
      case .accepted: return "delivered"
      case .rejected: return "over"
      case .doubtful: return "unclear"
      case .insufficient: return "stronger"
      case .obstructed: return "obstructed"
      }
    default:
      let session = Session(
        kind: .oauth, server: OAuthStub.url("/"), version: ProofVersion(),
        grant: TokenSet(accessToken: "t", refreshToken: "r").grant(for: .init(id: "ann")), issuedAt: stub.clock.now)
      var verification: Verification?
      let error = await failure { verification = try await stub.authenticator().verify(session, in: context) }
      if case .invalid = verification { return "over" }
      return await outcome("user") { if let error { throw error } }
    }
  }

  /// What comes of an answer to a device; where it asks again, by how long it waits before it does.
  private func meaning(ofDevice response: TransportResponse) async throws -> String {
    let stub = OAuthStub()
    let clock = WaitlessClock()
    stub.answer { _ in
      clock.waits.count == 1 ? response : .json(["error": "authorization_pending"], status: .badRequest)
    }
    let device = DeviceAuthorization(
      deviceCode: "d", userCode: "u", verificationURI: OAuthStub.url("/device"),
      expiresAt: clock.now.addingTimeInterval(12))
    let client = try stub.client()
    let error = await failure {
      try await client.tokens(
        for: device, in: AuthenticationContext(transport: stub.transport, clock: clock))
    }
    switch clock.waits {
    case [.seconds(5)]: return error == nil ? "tokens" : error?.disposition == .misuse ? "client" : "over"
    case [.seconds(5), .seconds(5), .seconds(5)]: return "pending"
    case [.seconds(5), .seconds(10)]: return "later"
    default: return "\(clock.waits)"
    }
  }

  @Test("Every line of the table means what it says")
  func table() async throws {
    let lines = try Self.lines()
    #expect(lines.count >= 70)
    #expect(
      Set(lines.map(\.asked)) == ["code", "refresh", "begin", "device", "call", "userinfo", "introspect"])
    for line in lines {
      #expect(try await meaning(line.asked, line.response) == line.means, "\(line)")
    }
  }

  @Test("What only looks like an ending is none: other types, empty members, pages, encodings, statuses")
  func endings() async throws {
    for line in try Self.lines() where line.means == "over" {
      var neighbours = line.disguises
      if line.body.isEmpty {
        neighbours = [
          "", "Basic realm=\"x\", error=\"invalid_token\"", "invalid_token", "Bearers error", "\"Bearer\"", "Token",
        ]
        .map { .html("<html>Sign in</html>", status: .unauthorized, challenge: $0) }
      } else if line.members == nil {
        neighbours = ["", "error=", "error=x_invalid_grant", "xerror=invalid_grant", "error=invalid_grant_", "error"]
          .map { line.response(Data($0.utf8)) }
      }
      let name = line.asked == "introspect" ? "active" : "error"
      for neighbour in try neighbours + line.changing([name]) {
        let text = String(decoding: neighbour.body, as: UTF8.self)
        #expect(try await meaning(line.asked, neighbour) != "over", "\(line): \(neighbour.head) \(text)")
      }
      for status in [302, 407, 408, 429, 500, 502, 503] {
        #expect(try await meaning(line.asked, line.response(status: status)) != "over", "\(line): \(status)")
      }
    }
  }

  @Test("Success needs its members: other types, empty ones, pages and encodings are none, and so are other statuses")
  func successes() async throws {
    let needed = [
      "code": ["access_token"], "refresh": ["access_token"], "device": ["access_token"], "userinfo": ["sub"],
      "begin": ["device_code", "user_code", "verification_uri"], "introspect": ["active"],
    ]
    let successes: Set = ["tokens", "codes", "user"]
    for line in try Self.lines() where successes.contains(line.means) {
      var neighbours = [302, 400, 401, 403, 404, 429, 500, 503].map { line.response(status: $0) }
      if line.members != nil { neighbours += line.disguises }
      for name in needed[line.asked] ?? [] {
        for neighbour in try line.changing([name]) {
          // Another text is another token, user or code, and a whole number may name a user or be a code.
          let value = JSONValue(json: neighbour.body)?[name]
          let isText = value?.string?.trimmingCharacters(in: .whitespaces).isEmpty == false
          if isText { continue }
          if case .integer = value, ["sub", "user_code"].contains(name) { continue }
          neighbours.append(neighbour)
        }
      }
      for neighbour in neighbours {
        let text = String(decoding: neighbour.body, as: UTF8.self)
        #expect(try await !successes.contains(meaning(line.asked, neighbour)), "\(line): \(neighbour.head) \(text)")
      }
    }
  }
}

extension TransportResponse {
  fileprivate static func html(_ text: String, status: HTTPResponse.Status, challenge: String) -> TransportResponse {
    var response = TransportResponse.html(text, status: status)
    response.head.headerFields[.wwwAuthenticate] = challenge
    return response
  }
}

/// A clock whose time passes while a task sleeps, at once.
private final class WaitlessClock: SessionClock {
  private let state = Locked((now: Date(timeIntervalSince1970: 1_800_000_000), waits: [Duration]()))

  var now: Date { state.withLock { $0.now } }
  var waits: [Duration] { state.withLock { $0.waits } }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(duration)
      state.now += TimeInterval(duration.components.seconds)
    }
  }
}
