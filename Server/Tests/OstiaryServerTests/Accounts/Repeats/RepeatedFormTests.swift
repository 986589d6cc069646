import Foundation
import NetworkTestSupport
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bug-G02: account forms that are sent twice, over HTTP", .timeLimit(.minutes(20)))
struct RepeatedFormTests {
  private static let forms = AccountForm.allCases.filter { $0 != .logout }

  /// What a person is told: where they are led, whether they are signed in, and the page without what differs in every answer.
  private static func told(_ answer: Answer) -> String {
    let cookie = answer.cookie("ostiary-account") ?? "-"
    return "\(answer.status) \(answer.header("Location") ?? "-") \(cookie) \(answer.body)"
  }

  private static let changes: [AuditKind] = [
    .sessionBegun, .passwordChanged, .accountMade, .accountChanged, .codeAsked, .codeAccepted, .codeRefused,
    .passwordRefused, .formRefused, .mailRefused,
  ]

  @Test("Bug-G02: two at once, and a third, have one answer and one effect", arguments: forms)
  func twice(form: AccountForm) async throws {
    try await TestServer.runForForms { server in
      for round in 0..<5 {
        server.clock.advance(by: 3601)
        let person = try await AccountPerson(
          server, "p\(round)", hasAccount: form != .signup && form != .signupCode)
        let ready = try await person.ready(form)
        let before = try await Self.changes.asyncMap { try await server.events($0) }
        async let one = person.send(ready)
        async let other = person.send(ready)
        let answers = [try await one, try await other, try await person.send(ready)]
        #expect(Set(answers.map(Self.told)).count == 1, "\(answers.map(Self.told))")
        #expect(answers[0].status == 303 || answers[0].status == 200)
        #expect(answers[0].body.isEmpty == (answers[0].status == 303))
        #expect((answers[0].cookie("ostiary-account") != nil) == form.signsIn)
        if form.signsIn { #expect(try await person.isSignedIn()) }
        let after = try await Self.changes.asyncMap { try await server.events($0) }
        for (number, kind) in Self.changes.enumerated() {
          #expect((0...1).contains(after[number] - before[number]), "\(kind): \(after[number] - before[number])")
        }
      }
    }
  }

  @Test("Bug-G02: programs have one answer, too", arguments: [FlowKind.login, .signup])
  func programs(kind: FlowKind) async throws {
    try await TestServer.runForForms { server in
      let person = try await AccountPerson(server, "jane", hasAccount: kind == .login)
      let client = person.client
      func body(_ flow: JSONValue?, _ action: String, _ fields: [String: String]) throws -> String {
        let value: JSONValue = .object([
          "flow": flow?["id"] ?? .null, "turn": flow?["turn"] ?? .null, "action": .string(action),
          "fields": .object(fields.mapValues { .string($0) }),
        ])
        return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
      }
      @Sendable func send(_ body: String) async throws -> Answer {
        try await client.send(
          "POST", "/flows/\(kind.rawValue)", headers: ["Content-Type": "application/json"], body: body)
      }
      let begun = try await client.get("/flows/\(kind.rawValue)")
      #expect(begun.json["flow"]?["turn"] == 0)
      var last: String
      if kind == .login {
        last = try body(
          begun.json["flow"], "login", ["identifier": "jane", "password": TestServer.janesPassword])
      } else {
        let first = try body(
          begun.json["flow"], "signup", ["email": person.address, "password": TestServer.janesPassword])
        async let one = send(first)
        async let other = send(first)
        let (sent, again) = (try await one, try await other)
        #expect(sent.status == 200 && sent.body == again.body && sent.json["flow"]?["turn"] == 1)
        last = try body(sent.json["flow"], "check_code", ["code": try await person.code()])
      }
      async let one = send(last)
      async let other = send(last)
      let (made, again) = (try await one, try await other)
      #expect(made.status == 200 && made.body == again.body, "\(made.body) \(again.body)")
      let token = try #require(made.json["next"]?["token"]?.string)
      let bearer = ["Authorization": "Bearer \(token)"]
      #expect(try await client.get("/flows/session", headers: bearer).status == 200)
      #expect(try await server.events(.sessionBegun) == 1)
      #expect(try await client.send("DELETE", "/flows/session", headers: bearer).status == 204)
      let late = try await send(last)
      #expect(late.status == 409 && late.json["code"] == "session.ended" && late.json["next"] == nil)
      #expect(late.json["document"]?["flow"]?["kind"] == "login")
      #expect(try await client.get("/flows/session", headers: bearer).status == 401)
    }
  }

  @Test(
    "Bug-G02: a turn that is no number is malformed in JSON",
    arguments: ["\"0\"", "-1", "0.5", "null", "[]", "99999999999999999999"])
  func malformedTurn(turn: String) async throws {
    try await TestServer.runForForms { server in
      let answer = try await server.client().send(
        "POST", "/flows/login", headers: ["Content-Type": "application/json"],
        body: "{\"flow\": \"x\", \"action\": \"login\", \"turn\": \(turn)}")
      #expect(answer.status == 400 && answer.json["code"] == "request.malformed")
    }
  }

  /// Sends a form over a connection that is cut when some bytes of the answer have come, or at once.
  private static func sendAndCut(
    _ ready: AccountPerson.Ready, _ person: AccountPerson, after bytes: Int
  ) async throws -> Int {
    let cookies = await person.client.cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    let body = ready.body
    let request =
      "POST \(ready.path) HTTP/1.1\r\nHost: 127.0.0.1:\(person.server.running.port)\r\n"
      + "Cookie: \(cookies.joined(separator: "; "))\r\nContent-Type: application/x-www-form-urlencoded\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    let connection = try await RawConnection(port: person.server.running.port)
    if bytes == 0 {
      try await connection.sendAndHangUp(request)
      return 0
    }
    return try await connection.exchange(request) { $0.utf8.count >= bytes }.utf8.count
  }

  /// At how many places the answers are cut: at each byte in the storms.
  private static let places = Rounds.count(40, full: .max)

  @Test("Bug-G02: a connection that is cut at any byte of the answer loses nothing", arguments: forms)
  func cut(form: AccountForm) async throws {
    try await TestServer.runForForms { server in
      let whole = try await AccountPerson(server, "whole", hasAccount: form != .signup && form != .signupCode)
      let length = try await Self.sendAndCut(try await whole.ready(form), whole, after: .max)
      #expect(length > 100)
      let step = max(1, length / Self.places)
      for bytes in stride(from: 0, to: length, by: step) {
        // So much mail from one address would have to wait.
        server.clock.advance(by: 3601)
        let person = try await AccountPerson(
          server, "p\(bytes)", hasAccount: form != .signup && form != .signupCode)
        let ready = try await person.ready(form)
        let before = try await server.events(.sessionBegun)
        _ = try await Self.sendAndCut(ready, person, after: bytes)
        let answer = try await person.send(ready)
        #expect(answer.status == 303 || answer.status == 200, "cut at \(bytes): \(answer.status)")
        #expect((answer.cookie("ostiary-account") != nil) == form.signsIn, "cut at \(bytes)")
        guard form.signsIn else { continue }
        #expect(try await person.isSignedIn(), "cut at \(bytes)")
        #expect(try await server.events(.sessionBegun) == before + 1, "cut at \(bytes)")
      }
    }
  }
}

extension Sequence where Element: Sendable {
  /// The results of an asynchronous function, one after the other.
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
