import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryNewzulu
import OstiaryTesting
import TestSupport
import Testing

/// The table "What an answer means" of the documentation, line by line.
@Suite("What an answer of a Newzulu platform means", .timeLimit(.minutes(20)))
struct AnswerTableTests {
  static func lines() throws -> [AnswerLine] {
    try AnswerLine.lines(
      ofArticle: "OstiaryNewzulu/Documentation.docc/OstiaryNewzulu.md", heading: "What an answer means")
  }

  private func manager(_ stub: NewzuluStub, _ credentials: CredentialSource) throws -> SessionManager {
    var configuration = SessionConfiguration()
    configuration.retry = .none
    return SessionManager(
      authenticator: try stub.authenticator(), transport: stub.transport, credentials: credentials,
      configuration: configuration)
  }

  private func refusedOrUnclear(_ error: OstiaryError) -> String {
    error.code == .newzuluRefused ? "refused" : "unclear"
  }

  /// What comes of an answer to an e-mail address and a password, for the caller and for the password.
  private func meaning(ofLogin response: TransportResponse) async throws -> String {
    let stub = NewzuluStub()
    let manager = try manager(stub, .upFront(.password(username: "ann@example.com", password: "apple")))
    stub.intercept { _ in response }
    let error = await failure { try await manager.session() }
    guard let error else { return "user" }
    #expect(manager.current == nil)
    // A password that was refused is forgotten.
    let isForgotten = await failure { try await manager.session() }?.code == .interactionRequired
    #expect(isForgotten == (error.code == .invalidCredentials))
    return isForgotten ? "wrong" : refusedOrUnclear(error)
  }

  /// What comes of an answer to the question whose a session is.
  private func meaning(ofQuestion response: TransportResponse) async throws -> String {
    let stub = NewzuluStub()
    let manager = try manager(stub, .manual)
    try await manager.signIn(with: .password(username: "ann@example.com", password: "apple"))
    stub.intercept { _ in response }
    switch await manager.verify() {
    case .signedIn(let session):
      #expect(session.user.id == "11")
      return "user"
    case .signedOut:
      return "over"
    case .unknown(let error):
      #expect(manager.current?.user.id == "11")
      stub.intercept(nil)
      #expect(await manager.verify().isSignedIn)
      return refusedOrUnclear(error)
    }
  }

  /// What comes of an answer to a call in the user's name.
  private func meaning(ofCall response: TransportResponse) async throws -> String {
    let stub = NewzuluStub()
    let client = try stub.ann()
    let session = try await client.authenticate()
    let isFirst = Locked(true)
    stub.intercept { request in
      guard String(decoding: request.body ?? Data(), as: UTF8.self).contains("media.getFiles") else { return nil }
      return isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? response : nil
      }
    }
    let error = await failure { try await client.call("media.getFiles") }
    if stub.logins > 1 {
      #expect(error == nil)
      return "over"
    }
    #expect(client.currentSession?.version == session.version)
    return error.map(refusedOrUnclear) ?? "done"
  }

  private func meaning(_ line: AnswerLine, _ response: TransportResponse) async throws -> String {
    switch line.asked {
    case "login": try await meaning(ofLogin: response)
    case "session": try await meaning(ofQuestion: response)
    default: try await meaning(ofCall: response)
    }
  }

  @Test("Every line of the table means what it says")
  func table() async throws {
    let lines = try Self.lines()
    #expect(lines.count >= 35)
    #expect(Set(lines.map(\.asked)) == ["login", "session", "call"])
    #expect(Set(lines.map(\.means)) == ["user", "wrong", "over", "refused", "unclear", "done"])
    for line in lines { #expect(try await meaning(line, line.response) == line.means, "\(line)") }
  }

  @Test("A user takes the members that say it: other types, empty ones, frames and statuses are none")
  func users() async throws {
    // A whole number is an identifier, too.
    let noText = Neighbours.values.filter { ![.integer(0), .integer(5)].contains($0) }
    for line in try Self.lines() where line.means == "user" {
      var neighbours = Neighbours.frames(of: line.body)
      neighbours += try Neighbours.changes(
        of: line.body, at: ["status"], to: Neighbours.values.filter { $0 != .bool(true) } + ["yes", "ok"])
      neighbours += try Neighbours.changes(
        of: line.body, at: ["result"], to: Neighbours.values.filter { $0 != .bool(false) })
      for member in ["id", "user"] {
        neighbours += try Neighbours.changes(of: line.body, at: ["result", member], to: noText)
      }
      if line.asked == "login" {
        neighbours += try Neighbours.changes(
          of: line.body, at: ["result", "sessiontoken"], to: Neighbours.values + ["a b", "a\r\nb", "é"])
      }
      for body in neighbours {
        let found = try await meaning(line, line.response(body))
        #expect(["unclear", "refused"].contains(found), "\(line.asked) \(String(decoding: body, as: UTF8.self))")
      }
      for status in [201, 203, 204, 206, 302, 400, 401, 403, 404, 500] {
        let found = try await meaning(line, line.response(Data(line.body.utf8), status: status))
        #expect(found == "unclear", "\(line.asked) \(status)")
      }
    }
  }

  @Test("What only looks like an ending or a wrong password is none: other types, members, frames and statuses")
  func endings() async throws {
    for line in try Self.lines() where ["wrong", "over"].contains(line.means) {
      let members = try #require(JSONValue(json: Data(line.body.utf8))?.object)
      // The mark is whose session it is.
      if members["result"]?.object != nil { continue }
      var neighbours = Neighbours.frames(of: line.body)
      let documented: Set<JSONValue> = line.means == "wrong" ? [.bool(true)] : [.bool(false), .integer(0)]
      neighbours += try Neighbours.changes(
        of: line.body, at: ["status"],
        to: Neighbours.values.filter { !documented.contains($0) && (members["result"] != false || $0 != .bool(true)) })
      if members["result"] == false {
        let others: [JSONValue] = ["false", "0", .array([false]), .object(["x": false]), .number(0.5)]
        neighbours += try Neighbours.changes(
          of: line.body, at: ["result"], to: others + Neighbours.values.filter { $0 != false })
      } else if members["code"] != nil {
        neighbours += try Neighbours.changes(
          of: line.body, at: ["code"], to: Neighbours.values + [.integer(101), "102x", .number(102.5), .array([102])])
      } else {
        let name = members["message"] != nil ? "message" : "result"
        neighbours += try Neighbours.changes(
          of: line.body, at: [name], to: Neighbours.values + [.array([members[name] ?? .null]), "Session"])
        neighbours += try Neighbours.changes(
          of: line.body, at: ["code"], to: [.integer(101), "x", .array([]), .object([:]), .bool(true)]
        ).dropLast()
      }
      for body in neighbours {
        let found = try await meaning(line, line.response(body))
        #expect(
          ["unclear", "refused", "done", "user"].contains(found),
          "\(line.asked) \(String(decoding: body, as: UTF8.self)) means \(found)")
      }
      for status in [201, 204, 302, 404, 418, 429, 500, 503] {
        let found = try await meaning(line, line.response(Data(line.body.utf8), status: status))
        #expect(found == "unclear", "\(line.asked) \(status)")
      }
    }
  }
}
