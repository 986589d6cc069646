import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flows: signing up and in", .timeLimit(.minutes(20)))
struct FlowSignUpTests {
  private static let details = ["email": "new@example.com", "display_name": "New", "password": FlowWorld.newPassword]

  @Test("An address becomes an account when its code is shown, and not before")
  func whole() async throws {
    let world = try FlowWorld()
    let flow = try world.begin(.signup)
    let first = try await world.submit(.signup, flow, .signup, Self.details)
    #expect(first.summary == "200 code code.sent")
    #expect(try await world.identity.users().isEmpty)
    let code = try #require(await world.code(for: "new@example.com"))
    let outcome = try await world.submit(.signup, flow, .checkCode, ["code": code])
    #expect(outcome.summary == "200 done account.created")
    let user = try #require(outcome.signedIn)
    #expect(user.name == "new@example.com" && user.email == "new@example.com" && user.displayName == "New")
    #expect(user.tenant == nil && user.attributes.isEmpty && !user.isDisabled)
    let login = try await world.submit(
      .login, try world.begin(.login), .login, ["identifier": "NEW@example.com", "password": FlowWorld.newPassword])
    #expect(login.signedIn?.id == user.id)
  }

  @Test(
    "Bug-G17: a person who proves an address has an account, also where the address could be no user name",
    arguments: ["1דני@example.com", "dani\u{5D3}@example.com", "دا\u{640}ن@example.com", "a.1ש@example.com"])
  func addresses(address: String) async throws {
    #expect(throws: ServerError(.invalidUserName, "")) { try UserName.validated(address) }
    let world = try FlowWorld()
    let flow = try world.begin(.signup)
    let first = try await world.submit(
      .signup, flow, .signup, ["email": address, "password": FlowWorld.newPassword])
    #expect(first.summary == "200 code code.sent")
    let code = try #require(await world.code(for: address))
    let outcome = try await world.submit(.signup, flow, .checkCode, ["code": code])
    #expect(outcome.summary == "200 done account.created")
    let login = try await world.submit(
      .login, try world.begin(.login), .login, ["identifier": address, "password": FlowWorld.newPassword])
    #expect(login.signedIn?.email == address)
  }

  @Test("FL-03: 100 parallel sign-ups with one e-mail make one account")
  func oneAccount() async throws {
    let world = try FlowWorld()
    // A client each, and time enough for twenty mails an hour would be none: the limit of mails is asked separately.
    let flows = try (0..<100).map { try world.begin(.signup, FlowWorld.browser("b\($0)")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, flow) in flows.enumerated() {
        group.addTask {
          let outcome = try await world.submit(
            .signup, flow, .signup, Self.details, FlowWorld.browser("b\(number)"))
          #expect(outcome.summary == "200 code code.sent")
        }
      }
      try await group.waitForAll()
    }
    // Every flow whose code was sent shows it, twenty times at once.
    var codes: [String: String] = [:]
    for mail in await world.mails(to: "new@example.com") {
      let flow = try #require(mail.links.first?.split(separator: "flow=").last).description
      codes[flow] = mail.code
    }
    #expect(codes.count == MailLimits.most)
    let outcomes = try await withThrowingTaskGroup(of: FlowOutcome.self) { group in
      for (number, flow) in flows.enumerated() {
        guard let code = codes[flow] else { continue }
        for _ in 0..<20 {
          group.addTask {
            try await world.submit(.signup, flow, .checkCode, ["code": code], FlowWorld.browser("b\(number)"))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0.signedIn != nil } == 1)
    #expect(outcomes.count { $0.document.issues.first?.code == .accountExists } == MailLimits.most - 1)
    #expect(outcomes.count { $0.status == .conflict } == MailLimits.most * 19)
    #expect(try await world.identity.users().count == 1)
  }

  @Test("FL-03: one flow submitted 50 times at once is one sign-up and one mail")
  func oneFlow() async throws {
    let world = try FlowWorld()
    let flow = try world.begin(.signup)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await world.submit(.signup, flow, .signup, Self.details).status.code } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 409 } == 49)
    #expect(await world.mails(to: "new@example.com").count == 1)
  }

  @Test(
    "FL-04: a field that isn't asked for is refused, whatever it would set",
    arguments: ["role", "verified", "id", "tenant", "attributes", "name", "generation", "disabled", "email_key"])
  func unknownFields(name: String) async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    var fields = Self.details
    fields[name] = "admin"
    let flow = try world.begin(.signup)
    #expect(try await world.submit(.signup, flow, .signup, fields).summary == "422 details field.unknown")
    #expect(try await world.rows()["flows"] == 0)
    let client = FlowWorld.browser("b", user: jane)
    let profile = try world.begin(.profile, client)
    let outcome = try await world.submit(.profile, profile, .save, ["display_name": "X", name: "admin"], client)
    #expect(outcome.summary == "422 settings field.unknown")
    #expect(try await world.identity.user(named: "jane")?.displayName == "Jane")
  }

  @Test("FL-04: a field of another call, and one that comes twice, are refused")
  func foreignFields() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let client = FlowWorld.browser("b", user: jane)
    let profile = try world.begin(.profile, client)
    #expect(
      try await world.submit(
        .profile, profile, .save, ["display_name": "X", "new_password": FlowWorld.newPassword], client
      ).summary == "422 settings field.unknown")
    let twice = FlowSubmission(
      flow: profile, action: "save",
      fields: [.init(name: "display_name", value: "A"), .init(name: "display_name", value: "B")])
    #expect(
      try await world.service.submit(twice, to: .profile, for: client).summary
        == "422 settings display_name:field.repeated")
  }

  @Test(
    "Flow-F3, FL-05: everything that is wrong is told at once, each on its field, as a code with parameters",
    arguments: [
      (["email": "", "password": ""], "email:field.required password:field.required"),
      (["email": "x", "password": "short"], "email:email.invalid password:password.too_short"),
      (["email": "a@b@c", "password": "aaaaaaaaaaaaaaaaaaaaaaa"], "email:email.invalid password:password.too_common"),
      (
        ["email": "new@example.com", "display_name": "a\u{7}b", "password": FlowWorld.newPassword],
        "display_name:field.characters"
      ),
      (
        ["email": "n@e", "display_name": String(repeating: "x", count: 257), "password": FlowWorld.newPassword],
        "display_name:field.too_long"
      ),
      (["email": "n@e", "password": String(repeating: "x", count: 1025)], "password:password.too_long"),
    ])
  func allAtOnce(fields: [String: String], expected: String) async throws {
    let world = try FlowWorld()
    let outcome = try await world.submit(.signup, try world.begin(.signup), .signup, fields)
    #expect(outcome.summary == "422 details \(expected)")
    for issue in outcome.document.fields.flatMap(\.issues) {
      if issue.code == .passwordTooShort { #expect(issue.parameters == ["min_length": 15]) }
      if issue.code == .passwordTooLong { #expect(issue.parameters == ["max_length": 1024]) }
    }
    #expect(
      try await world.rows() == ["users": 0, "sessions": 0, "guesses": 0, "flows": 0, "outbox": 0, "mail_counts": 0])
  }

  @Test("FL-05: codes are frozen: one is added, none is changed")
  func codes() {
    let known = """
      account.created account.exists action.unknown code.exhausted code.expired code.resend_exhausted \
      code.resend_too_soon code.sent code.wrong credentials.wrong email.invalid email.taken field.characters \
      field.repeated field.required field.too_long field.unknown flow.disabled flow.expired flow.finished \
      flow.out_of_order flow.unknown form.sent limits.overloaded limits.wait password.changed password.too_common \
      password.too_long password.too_short password.wrong profile.saved request.forged request.malformed \
      request.media_type server.unavailable session.ended session.required session.started
      """
    #expect(FlowIssue.Code.allCases.map(\.rawValue).sorted().joined(separator: " ") == known)
    for code in FlowIssue.Code.allCases { #expect(!FlowIssue(code).text.isEmpty) }
  }

  @Test("Flow-F5, FL-05: a flow is used up by success, also where two succeed at once")
  func usedUp() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try world.begin(.login)
    let fields = ["identifier": "jane", "password": FlowWorld.password]
    let outcomes = try await withThrowingTaskGroup(of: FlowOutcome.self) { group in
      for _ in 0..<5 { group.addTask { try await world.submit(.login, flow, .login, fields) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0.signedIn != nil } == 1)
    #expect(outcomes.count { $0.problem == .flowFinished } == 4)
  }

  @Test("LO-06: wrong passwords of the flow count with all others, and waiting tells when to come back")
  func limits() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try world.begin(.login)
    for _ in 0..<3 { #expect(await world.base.verify("jane", "wrong", from: "192.0.2.1").summary == "refused") }
    for _ in 0..<2 {
      let outcome = try await world.submit(
        .login, flow, .login, ["identifier": "JANE", "password": "wrong"])
      #expect(outcome.summary == "422 credentials credentials.wrong")
    }
    let outcome = try await world.submit(
      .login, flow, .login, ["identifier": "jane", "password": FlowWorld.password])
    #expect(outcome.summary == "429 credentials limits.wait")
    #expect(outcome.retryAfter == .seconds(30))
    #expect(outcome.document.retryAt == world.clock.now.addingTimeInterval(30))
  }

  @Test("PW-12: a new password takes the current one, and a wrong one counts")
  func change() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let client = FlowWorld.browser("b", user: jane)
    let session = try await world.base.sessions.begin(for: jane)
    let flow = try world.begin(.profile, client)
    let none = try await world.submit(.profile, flow, .changePassword, ["new_password": FlowWorld.newPassword], client)
    #expect(none.summary == "422 settings current_password:field.required")
    for _ in 0..<5 {
      let outcome = try await world.submit(
        .profile, flow, .changePassword, ["current_password": "wrong", "new_password": FlowWorld.newPassword], client)
      #expect(outcome.summary == "422 settings current_password:password.wrong")
    }
    let right = ["current_password": FlowWorld.password, "new_password": FlowWorld.newPassword]
    #expect(try await world.submit(.profile, flow, .changePassword, right, client).status == .tooManyRequests)
    // Every other way in from there has to wait as well.
    #expect(await world.base.verify("jane", Secret(FlowWorld.password), from: "192.0.2.1").summary.hasPrefix("wait"))
    #expect(try await world.base.sessions.find(session.id) != nil)
    world.clock.advance(by: .seconds(30))
    let done = try await world.submit(.profile, flow, .changePassword, right, client)
    #expect(done.summary == "200 done password.changed")
    #expect(done.signedIn?.id == jane.id)
    #expect(try await world.base.sessions.find(session.id) == nil)
    #expect(try await world.accepts(FlowWorld.newPassword))
    #expect(await world.mails().last?.subject == "Your password at Acme was changed")
  }

  @Test("A profile flow is one user's")
  func ownProfile() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let bob = try await world.identity.addUser(name: "bob", password: Secret(FlowWorld.password))
    let flow = try world.begin(.profile, FlowWorld.browser("b", user: jane))
    let stolen = try await world.submit(
      .profile, flow, .save, ["display_name": "X"], FlowWorld.browser("b", user: bob))
    #expect(stolen.summary == "403 settings flow.unknown")
    let saved = try await world.submit(
      .profile, flow, .save, ["display_name": "J. Doe"], FlowWorld.browser("b", user: jane))
    #expect(saved.summary == "200 settings profile.saved")
    #expect(try await world.identity.user(named: "jane")?.displayName == "J. Doe")
  }
}
