import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

@Suite("Random answers to a dialect's calls")
struct DialectRandomAnswerTests {
  @Test("DIA-random: nothing traps, nothing planted is shown, and only marks are terminal", arguments: 0..<8)
  func random(_ seed: UInt64) async throws {
    var generator = SplitMix64(seed: 19_000 + seed)
    let api = TokenAPI()
    let asked = Locked(0)
    let questions = DialectQuestions { _ in
      asked.withLock { $0 += 1 }
      return .code("planted-code")
    }
    let authenticator = try api.authenticator(answering: questions) { dialect in
      dialect.signIn[0].reads.expiry += [.date(["/at"], .rfc3339), .claim(of: "token"), .date(["/epoch"], .epoch)]
      dialect.signIn[0].reads.values = [DialectNamedRead("v", "/v"), DialectNamedRead("h", .header("X-V"))]
      dialect.renew?.reads.userID = ["/id"]
    }
    let proof = Proof(tokens: ["token": "planted-token", "renewalToken": "planted-refresh"])
    let session = SessionGrant(user: Session.User(id: "7"), proof: proof).session(authenticator)
    var shown = ""
    for _ in 0..<60 {
      let routes = ["POST /login", "POST /2fa", "POST /terms", "POST /refresh", "GET /me", "POST /logout"]
      for route in routes { api.answer(route, Self.answer(&generator)) }
      do {
        let grant = try await authenticator.signIn(with: TokenAPI.carol, in: api.context)
        shown += "\(grant)"
        _ = try await authenticator.identify(grant, in: api.context)
      } catch let error as OstiaryError {
        shown += "\(error) \(error.underlying.map { "\($0)" } ?? "")"
      }
      do {
        _ = try await authenticator.renew(session, in: api.context)
      } catch let error as OstiaryError {
        shown += "\(error) \(error.underlying.map { "\($0)" } ?? "")"
        if error.disposition == .terminal {
          #expect([.renewalRefused, .anotherUser].contains(error.code))
        }
      }
      if let error = await failure({ try await authenticator.verify(session, in: api.context) }) { shown += "\(error)" }
      if let error = await failure({ try await authenticator.end(session, in: api.context) }) { shown += "\(error)" }
      for answer in [Self.answer(&generator), Self.answer(&generator)] {
        if case .rejected(let reason, _) = authenticator.judge(answer, to: api.things) {
          #expect(answer.status == .unauthorized)
          shown += reason
        }
      }
    }
    #expect(!shown.contains("planted"))
  }

  static func answer(_ generator: inout SplitMix64) -> TransportResponse {
    let statuses: [HTTPResponse.Status] = [
      .ok, .ok, .ok, .created, .noContent, .found, .badRequest, .unauthorized, .unauthorized, .forbidden,
      .unprocessableContent, .init(code: 423), .tooManyRequests, .internalServerError, .serviceUnavailable,
    ]
    let types = ["application/json", "application/json", "text/html", "text/plain", "nonsense"]
    let status = statuses.randomElement(using: &generator) ?? .ok
    var data = (try? JSONEncoder().encode(value(&generator, depth: 3))) ?? Data()
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: data = data.prefix(data.count / 2)
    case 1: data = Data((0..<40).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    default: break
    }
    let type = types.randomElement(using: &generator) ?? ""
    let fields: HTTPFields = [
      .contentType: type, .location: "https://evil.test/planted", .setCookie: "sid=planted; Path=/",
      .retryAfter: "5",
    ]
    return TransportResponse(HTTPResponse(status: status, headerFields: fields), body: data)
  }

  static func value(_ generator: inout SplitMix64, depth: Int) -> JSONValue {
    let names = [
      "access", "refresh", "expires_in", "mfa", "handle", "terms", "code", "id", "name", "role", "at", "epoch", "v",
      "planted-name",
    ]
    let texts = [
      "planted-value", "totp", "terms", "token_not_valid", "no_active_account", "bad_code", "7", "", "a b",
      "two\r\nlines",
      "9999-12-31T23:59:59Z", "2026-11-27T12:00:00Z", "a.b.c", String(repeating: "planted", count: 3000),
    ]
    switch Int.random(in: 0..<(depth == 3 ? 1 : 8), using: &generator) {
    case 0 where depth > 0:
      var members: [String: JSONValue] = [:]
      for name in names where Bool.random(using: &generator) {
        members[name] = value(&generator, depth: depth - 1)
      }
      return .object(members)
    case 1 where depth > 0: return .array((0..<2).map { _ in value(&generator, depth: depth - 1) })
    case 2: return .null
    case 3: return .bool(Bool.random(using: &generator))
    case 4: return .integer([-1, 0, 7, 3600, .max].randomElement(using: &generator) ?? 0)
    case 5: return .number([-0.5, 1e300, 1.5].randomElement(using: &generator) ?? 0)
    default: return .string(texts.randomElement(using: &generator) ?? "")
    }
  }
}
