import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryPega
import OstiaryTesting
import TestSupport
import Testing

/// The table "What an answer means" of the documentation, line by line.
@Suite("What an answer of a Pega server means", .timeLimit(.minutes(20)))
struct AnswerTableTests {
  static func lines() throws -> [AnswerLine] {
    try AnswerLine.lines(ofArticle: "OstiaryPega/Documentation.docc/OstiaryPega.md", heading: "What an answer means")
  }

  /// What comes of an answer to a user name and a password, for the caller and for the password.
  private func meaning(ofLogin response: TransportResponse, _ method: PegaSignInMethod) async throws -> String {
    let stub = PegaStub()
    let manager = try stub.manager(method, credentials: .upFront(.password(username: "jdoe", password: "secret")))
    stub.intercept { method != .form || $0.head.method == .post ? response : nil }
    let error = await failure { try await manager.session() }
    guard let error else { return "user" }
    #expect(manager.current == nil && stub.sessionCount == 0)
    // A password that was refused is forgotten.
    let isForgotten = await failure { try await manager.session() }?.code == .interactionRequired
    switch error.code {
    case .invalidCredentials:
      #expect(isForgotten)
      return "wrong"
    case .accountLocked:
      return error.disposition == .terminal ? "locked" : "later"
    default:
      #expect(error.isTransient && !isForgotten)
      return "unclear"
    }
  }

  /// What comes of an answer to the question whether a session is good.
  private func meaning(ofQuestion response: TransportResponse) async throws -> String {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.intercept { _ in response }
    switch await manager.verify() {
    case .signedIn(let session):
      #expect(session.user.id == "jdoe")
      return "user"
    case .signedOut:
      return "over"
    case .unknown:
      #expect(manager.current?.user.id == "jdoe")
      stub.intercept(nil)
      #expect(await manager.verify().isSignedIn)
      return "unclear"
    }
  }

  /// What comes of an answer to a request of the app's.
  private func meaning(ofCall response: TransportResponse) async throws -> String {
    let stub = PegaStub()
    let manager = try stub.manager()
    try await manager.signIn(with: .password(username: "jdoe", password: "secret"))
    stub.intercept { $0.path.contains("/api/") ? response : nil }
    let error = await failure {
      try await AuthenticatedTransport(manager).get(stub.url.appending(path: "api/v1/cases"))
    }
    if manager.current == nil { return "over" }
    #expect(error == nil)
    return stub.transport.requests.filter { $0.path.contains("pzMobileApp") }.count > 1 ? "asked" : "passed"
  }

  /// The meaning, for each way in which a line can be asked.
  private func meanings(_ line: AnswerLine, _ response: TransportResponse) async throws -> Set<String> {
    switch line.asked {
    case "session": [try await meaning(ofQuestion: response)]
    case "call": [try await meaning(ofCall: response)]
    case "login": [try await meaning(ofLogin: response, .basic), try await meaning(ofLogin: response, .query)]
    default: [try await meaning(ofLogin: response, try #require(PegaSignInMethod(rawValue: line.asked)))]
    }
  }

  @Test("Every line of the table means what it says")
  func table() async throws {
    let lines = try Self.lines()
    #expect(lines.count >= 45)
    #expect(
      Set(lines.map(\.means)) == ["user", "wrong", "locked", "later", "over", "unclear", "asked", "passed"])
    for line in lines { #expect(try await meanings(line, line.response) == [line.means], "\(line)") }
  }

  @Test("Bug-F17: a sign-in takes its members: other types, empty ones, frames and statuses are none")
  func signIns() async throws {
    for line in try Self.lines() where line.means == "user" {
      var neighbours = Neighbours.frames(of: line.body)
      neighbours += try Neighbours.changes(of: line.body, at: ["accessGroup"])
      neighbours += try Neighbours.changes(
        of: line.body, at: ["baseURL"], to: Neighbours.values + ["/prweb", "ftp://h/x", "prweb", "http://"])
      neighbours += try Neighbours.changes(
        of: line.body, at: ["errors"], to: [.array([.object(["ID": "x"])]), "x", .object(["ID": "x"]), .bool(true)]
      ).dropLast()
      if line.asked == "session" { neighbours += try Neighbours.changes(of: line.body, at: ["operator"]) }
      for body in neighbours {
        let text = String(decoding: body, as: UTF8.self)
        let found = try await meanings(line, line.response(body))
        #expect(found.isSubset(of: ["unclear"]), "\(line.asked) \(text)")
      }
      for status in [201, 203, 204, 206, 302, 400, 403, 404, 500] {
        let found = try await meanings(line, line.response(Data(line.body.utf8), status: status))
        #expect(found == ["unclear"], "\(line.asked) \(status)")
      }
    }
  }

  @Test("What only looks like a refusal is none: other marks, types, frames, encodings and statuses")
  func refusals() async throws {
    for line in try Self.lines() where ["wrong", "over", "locked"].contains(line.means) {
      for neighbour in try neighbours(of: line) {
        let found = try await meanings(line, neighbour)
        #expect(
          found.isSubset(of: ["unclear", "asked", "passed"]),
          "\(line.asked) \(neighbour.head) \(String(decoding: neighbour.body, as: UTF8.self)) means \(found)")
      }
    }
  }

  /// Answers beside a refusal that have lost its mark.
  private func neighbours(of line: AnswerLine) throws -> [TransportResponse] {
    let body = Data(line.body.utf8)
    var responses: [TransportResponse] = []
    if let challenge = line.fields[.wwwAuthenticate] {
      var others = ["Bearer realm=\"host\"", "Digest realm=\"host\"", "realm=\"Pega 7\"", "", "Basically realm=\"x\""]
      // To a Basic field, any Basic challenge is an answer.
      if !["login", "basic"].contains(line.asked) { others += ["Basic realm=\"host\"", "Basic realm=\"\"", "Basic"] }
      responses = others.map { line.response(body, fields: [.wwwAuthenticate: $0]) }
      responses.append(line.response(Data(challenge.utf8), fields: [:]))
    } else if line.fields[.setCookie] != nil {
      responses = ["pega-rules=H1", "XPega-RULES=H1", "Pega-RULES", "Pega-RULESX=H1", "JSESSIONID=1"]
        .map { line.response(body, fields: [.setCookie: $0]) }
    } else if line.body.hasPrefix("<") {
      let marks = [("AccountLocked", "Locked"), ("credentialsForm", "other"), ("UserIdentifier", "user")]
      let unmarked = marks.reduce(line.body) { $0.replacing($1.0, with: $1.1) }
      let texts = ["", unmarked, "<!-- \(line.body) -->", "<script>'\(line.body)'</script>", "{\"page\":0}"]
      responses = texts.map { line.response(Data($0.utf8)) }
      responses.append(line.response(try #require(line.body.data(using: .utf16LittleEndian))))
      for type in ["text/plain", "application/json", "application/octet-stream"] {
        responses.append(line.response(body, fields: [.contentType: type]))
      }
    } else if let error = JSONValue(json: body)?["errors"]?.array?.first {
      responses = Neighbours.frames(of: line.body).map { line.response($0) }
      let lists: [JSONValue] = [.array([.object([:])]), error, .array([.array([error])]), .array(["Unauthorized"])]
      let names = Neighbours.values.map { JSONValue.array([.object(["ID": $0])]) }
      for changed in try Neighbours.changes(of: line.body, at: ["errors"], to: Neighbours.values + lists + names) {
        responses.append(line.response(changed))
      }
    } else {
      // The mark is who the answer is about.
      return []
    }
    for status in [400, 403, 404, 500, 502] where line.means != "locked" {
      responses.append(line.response(body, status: status))
    }
    return responses
  }
}
