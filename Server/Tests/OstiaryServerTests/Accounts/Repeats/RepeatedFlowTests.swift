import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Bug-G02: flows whose forms are sent again", .timeLimit(.minutes(20)))
struct RepeatedFlowTests {
  /// A form, and what has to be done before it can be sent.
  enum Form: String, CaseIterable, Sendable {
    case login, signup, signupCode, address, code, resend, password, save, changePassword

    var kind: FlowKind {
      switch self {
      case .login: .login
      case .signup, .signupCode: .signup
      case .address, .code, .resend, .password: .recover
      case .save, .changePassword: .profile
      }
    }
  }

  /// A form that is ready to be sent.
  struct Ready: Sendable {
    let kind: FlowKind
    let flow: String
    let call: FlowCall
    let fields: [String: String]
    let client: FlowClient
    let turn: Int
  }

  private static func prepare(_ form: Form, in world: FlowWorld) async throws -> Ready {
    let jane = try #require(try await world.identity.user(named: "jane"))
    let client = world.visitor(user: form.kind == .profile ? jane : nil)
    let flow = try world.begin(form.kind, client)
    func ready(_ call: FlowCall, _ fields: [String: String], turn: Int) -> Ready {
      Ready(kind: form.kind, flow: flow, call: call, fields: fields, client: client, turn: turn)
    }
    func go(_ call: FlowCall, _ fields: [String: String], turn: Int) async throws {
      _ = try await world.submit(form.kind, flow, call, fields, client, turn: turn)
    }
    let details = ["email": "new@example.com", "display_name": "New", "password": FlowWorld.newPassword]
    let address = ["email": FlowWorld.address]
    switch form {
    case .login: return ready(.login, ["identifier": "jane", "password": FlowWorld.password], turn: 0)
    case .signup: return ready(.signup, details, turn: 0)
    case .signupCode:
      try await go(.signup, details, turn: 0)
      return ready(.checkCode, ["code": try #require(await world.code(for: "new@example.com"))], turn: 1)
    case .address: return ready(.sendCode, address, turn: 0)
    case .resend:
      try await go(.sendCode, address, turn: 0)
      world.clock.advance(by: .seconds(61))
      return ready(.resend, [:], turn: 1)
    case .code, .password:
      try await go(.sendCode, address, turn: 0)
      let code = ["code": try #require(await world.code())]
      if form == .code { return ready(.checkCode, code, turn: 1) }
      try await go(.checkCode, code, turn: 1)
      return ready(.setPassword, ["new_password": FlowWorld.newPassword], turn: 2)
    case .save: return ready(.save, ["display_name": "Jane D."], turn: 0)
    case .changePassword:
      return ready(
        .changePassword, ["current_password": FlowWorld.password, "new_password": FlowWorld.newPassword], turn: 0)
    }
  }

  private static func send(_ ready: Ready, to world: FlowWorld) async throws -> FlowOutcome {
    // Each process has sessions of its own.
    var client = ready.client
    client.sessions = world.visitor().sessions
    // The user as they are.
    if client.user != nil { client.user = try await world.identity.user(named: "jane") }
    return try await world.submit(ready.kind, ready.flow, ready.call, ready.fields, client, turn: ready.turn)
  }

  /// All of an answer.
  private static func text(_ outcome: FlowOutcome) throws -> String {
    let document = String(decoding: try DoorResponse.json(outcome.document.json()).body, as: UTF8.self)
    return "\(outcome.status.code) \(outcome.problem?.rawValue ?? "-") \(outcome.returnTo ?? "-") "
      + "\(outcome.signedIn?.id ?? "-") \(outcome.session?.proof.reveal() ?? "-") \(document)"
  }

  /// What has been done.
  private static func effects(_ world: FlowWorld) async throws -> [String: Int] {
    var effects = try await world.rows()
    for kind in [
      AuditKind.sessionBegun, .passwordChanged, .accountMade, .accountChanged, .codeAsked, .codeAccepted, .codeRefused,
      .passwordRefused,
    ] { effects["event \(kind)"] = try await world.events(kind) }
    effects["mails"] = world.mailbox.messages.count
    return effects
  }

  @Test("Bug-G02: each form, sent again, has the first one's answer and does nothing", arguments: Form.allCases)
  func again(form: Form) async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let ready = try await Self.prepare(form, in: world)
    let first = try Self.text(try await Self.send(ready, to: world))
    #expect(first.hasPrefix("200 - "), "\(first)")
    let before = try await Self.effects(world)
    for _ in 0..<3 { #expect(try Self.text(try await Self.send(ready, to: world)) == first) }
    #expect(try await Self.effects(world) == before)
  }

  @Test("Bug-G02: each form, sent twenty times at once to two processes, acts once", arguments: Form.allCases)
  func atOnce(form: Form) async throws {
    let folder = TemporaryFolder()
    let worlds = [
      try FlowWorld(storage: try ServerStorage.forTest(in: folder.url)),
      try FlowWorld(storage: try ServerStorage.forTest(in: folder.url)),
    ]
    let world = worlds[0]
    try await world.addJane()
    let ready = try await Self.prepare(form, in: world)
    let moved = world.clock.now.timeIntervalSince(worlds[1].clock.now)
    worlds[1].clock.advance(by: .seconds(Int(moved)))
    let before = try await Self.effects(world)
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<20 {
        group.addTask { try Self.text(try await Self.send(ready, to: worlds[number % 2])) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(answers).count == 1 && answers[0].hasPrefix("200 - "), "\(Set(answers))")
    var done = try await Self.effects(world).merging(before) { $0 - $1 }
    // Each mail is sent by one process or the other, and wide counts of guesses stay, with nothing in them.
    for name in ["mails", "outbox", "guesses"] { done[name] = nil }
    #expect(done.values.allSatisfy { (0...1).contains($0) }, "\(done)")
    for world in worlds {
      await world.dispatcher.stop()
      try await world.storage.close()
    }
  }

  @Test("Bug-G02: a wrong password and a wrong code, sent again or at once, are one guess", arguments: [false, true])
  func guesses(atOnce: Bool) async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let (visitor, user) = (world.visitor(), world.visitor(user: jane))
    let recovery = try await world.askForCode(FlowWorld.address, visitor)
    let code = try #require(await world.code())
    let wrong = code == "00000000" ? "00000001" : "00000000"
    func send(
      _ kind: FlowKind, _ flow: String, _ call: FlowCall, _ fields: [String: String], _ client: FlowClient, turn: Int
    ) async throws -> Set<String> {
      guard atOnce else {
        var texts: Set<String> = []
        for _ in 0..<8 {
          texts.insert(try Self.text(try await world.submit(kind, flow, call, fields, client, turn: turn)))
        }
        return texts
      }
      return try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask { try Self.text(try await world.submit(kind, flow, call, fields, client, turn: turn)) }
        }
        return try await group.reduce(into: []) { $0.insert($1) }
      }
    }
    for turn in 0..<4 {
      let texts = try await send(.recover, recovery, .checkCode, ["code": wrong], visitor, turn: turn)
      let text = try #require(texts.first)
      #expect(texts.count == 1 && text.contains("422 code.wrong") && text.contains("\"attempts_left\":\(4 - turn)"))
    }
    #expect(try await world.events(.codeRefused) == 4)
    let flow = try world.begin(.login, visitor)
    for turn in 0..<2 {
      let texts = try await send(
        .login, flow, .login, ["identifier": "jane", "password": "wrong \(turn)"], visitor, turn: turn)
      #expect(texts.count == 1 && texts.first?.hasPrefix("422 credentials.wrong") == true, "\(texts)")
    }
    let profile = try world.begin(.profile, user)
    for turn in 0..<2 {
      let texts = try await send(
        .profile, profile, .changePassword,
        ["current_password": "wrong \(turn)", "new_password": FlowWorld.newPassword], user, turn: turn)
      #expect(texts.count == 1 && texts.first?.hasPrefix("422 password.wrong") == true, "\(texts)")
    }
    #expect(try await world.events(.passwordRefused) == 4)
    // Four of five guesses: the fifth is looked at.
    let last = try await world.submit(
      .login, flow, .login, ["identifier": "jane", "password": FlowWorld.password], visitor, turn: 2)
    #expect(last.session != nil, "\(last.summary)")
  }

  @Test("Bug-G02: another content of a form that was accepted is told so, with the flow as it is and what was typed")
  func otherContent() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let client = world.visitor(user: jane)
    let profile = try world.begin(.profile, client)
    _ = try await world.submit(.profile, profile, .save, ["display_name": "One"], client, turn: 0)
    let other = try await world.submit(.profile, profile, .save, ["display_name": "Two"], client, turn: 0)
    #expect(other.summary == "409 settings form.sent")
    #expect(other.document.fields.first?.value == "Two" && other.document.turn == 1)
    #expect(!other.document.buttons.isEmpty)
    #expect(try await world.identity.user(named: "jane")?.displayName == "One")
    let again = try await world.submit(
      .profile, profile, .save, ["display_name": "Two"], client, turn: other.document.turn)
    #expect(again.summary == "200 settings profile.saved")

    let recovery = try world.begin(.recover, world.visitor())
    let address = ["email": FlowWorld.address]
    _ = try await world.submit(.recover, recovery, .sendCode, address, world.visitor(), turn: 0)
    let wrong = try await world.submit(
      .recover, recovery, .sendCode, ["email": "other@example.com"], world.visitor(), turn: 0)
    // The code that was sent can be typed, or another flow begun.
    #expect(wrong.summary == "409 code form.sent")
    #expect(wrong.document.buttons.contains { $0.target == .flow(.recover) })
    #expect(wrong.document.buttons.contains { $0.target == .call(.checkCode) })

    let login = try world.begin(.login, world.visitor())
    let right = ["identifier": "jane", "password": FlowWorld.password]
    #expect(
      try await world.submit(.login, login, .login, right, world.visitor(), turn: 0).signedIn?.id == jane.id)
    let guess = try await world.submit(
      .login, login, .login, ["identifier": "jane", "password": "a guess"], world.visitor(), turn: 0)
    #expect(guess.summary == "409 done form.sent" && guess.session == nil && guess.signedIn == nil)
    #expect(guess.document.buttons.contains { $0.target == .flow(.login) })
  }

  @Test("Bug-G02: a page that was left open is no place to try passwords")
  func noOracle() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let ready = try await Self.prepare(.login, in: world)
    #expect(try await Self.send(ready, to: world).session != nil)
    let guesses = (0..<20).map { "guess \($0)" } + [FlowWorld.password]
    for guess in guesses {
      let outcome = try await world.submit(
        .login, ready.flow, .login, ["identifier": "jane", "password": guess], ready.client, turn: 0)
      #expect(outcome.summary == "409 done form.sent" && outcome.session == nil, "\(guess)")
    }
  }

  @Test("Bug-G02: a repeat after the session's end is told that it has ended, and begins none", arguments: [0, 1, 2])
  func ended(way: Int) async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let ready = try await Self.prepare(.login, in: world)
    let session = try #require(try await Self.send(ready, to: world).session)
    #expect(try await Self.send(ready, to: world).session?.proof == session.proof)
    switch way {
    case 0: _ = try await world.base.sessions.end(PageCookies.sessionID(of: session.proof, for: "test."))
    case 1: try await world.identity.setPassword(Secret(FlowWorld.newPassword), forUserNamed: "jane")
    default: try await world.identity.disableUser(named: "jane")
    }
    let late = try await Self.send(ready, to: world)
    #expect(late.summary == "409 credentials session.ended" && late.session == nil && late.signedIn == nil)
    #expect(late.document.id != ready.flow && !late.document.fields.isEmpty)
    #expect(try await world.base.sessions.count() == 0)
    #expect(try await world.events(.sessionBegun) == 1)
  }

  @Test("Bug-G02: a repeat has to be the flow's client's, and the same to the letter")
  func bound() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let ready = try await Self.prepare(.login, in: world)
    #expect(try await Self.send(ready, to: world).session != nil)
    func send(_ client: FlowClient, _ fields: [String: String], turn: Int? = 0) async throws -> FlowOutcome {
      try await world.submit(.login, ready.flow, .login, fields, client, turn: turn)
    }
    #expect(try await send(world.visitor("other"), ready.fields).problem == .flowUnknown)
    var near = ready.fields
    near["password"]? += " "
    #expect(try await send(ready.client, near).session == nil)
    #expect(try await send(ready.client, ready.fields, turn: 1).problem == .flowFinished)
    #expect(try await send(ready.client, ready.fields, turn: nil).problem == .flowFinished)
    world.clock.advance(by: .seconds(3600))
    #expect(try await send(ready.client, ready.fields).problem == .flowExpired)
  }

  @Test("Bug-G02: a changed password that is sent again with the session that it ended has the new one")
  func withEndedSession() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let ready = try await Self.prepare(.changePassword, in: world)
    let session = try #require(try await Self.send(ready, to: world).session)
    func late(_ fields: [String: String]) async throws -> FlowOutcome? {
      try await world.service.repeated(
        FlowSubmission(
          flow: ready.flow, action: ready.call.rawValue,
          fields: fields.sorted { $0.key < $1.key }.map { FormFields.Field(name: $0.key, value: $0.value) }, turn: 0),
        to: .profile, for: world.visitor())
    }
    #expect(try await late(ready.fields)?.session?.proof == session.proof)
    #expect(try await late(["current_password": "x", "new_password": FlowWorld.newPassword]) == nil)
    _ = try await world.base.sessions.end(PageCookies.sessionID(of: session.proof, for: "test."))
    #expect(try await late(ready.fields) == nil)
  }

  @Test("Bug-G02: no session begins for a user who has changed since the password was verified")
  func changedMeanwhile() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    try await world.identity.setPassword(Secret(FlowWorld.newPassword), forUserNamed: "jane")
    // The session of the user as they were.
    let trail = AuditTrail(of: world.storage, at: world.clock.now)
    await #expect(throws: ServerError.self) {
      try await world.storage.write { [sessions = world.base.sessions] db in
        _ = try sessions.begin(
          for: jane, derivedID: Secret(String(repeating: "a", count: 43)), trail, in: db)
      }
    }
    #expect(try await world.base.sessions.count() == 0)
  }
}
