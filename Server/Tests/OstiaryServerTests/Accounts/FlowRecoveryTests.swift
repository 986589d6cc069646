import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Flows: recovery", .timeLimit(.minutes(20)))
struct FlowRecoveryTests {
  @Test("RC-01: of 50 parallel submissions of one right code exactly one succeeds")
  func singleUse() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 {
        group.addTask { try await world.submit(.recover, flow, .checkCode, ["code": code]).status.code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1)
    #expect(statuses.count { $0 == 409 } == 49)
    // Nor does it work a second time, nor the step after it.
    _ = try await world.submit(.recover, flow, .setPassword, ["new_password": FlowWorld.newPassword])
    for call in [FlowCall.checkCode, .setPassword] {
      let again = try await world.submit(
        .recover, flow, call, call == .checkCode ? ["code": code] : ["new_password": "yet another long passphrase"])
      #expect(again.problem == .flowFinished)
    }
    #expect(try await world.accepts(FlowWorld.newPassword))
  }

  @Test("RC-01: of 20 parallel new passwords exactly one is set")
  func onePassword() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    _ = try await world.submit(.recover, flow, .checkCode, ["code": try #require(await world.code())])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await world.submit(
            .recover, flow, .setPassword, ["new_password": "a fine long password \(number)"]
          ).status.code
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1)
    #expect(statuses.count { $0 == 409 } == 19)
  }

  @Test("RC-02: a code is good for ten minutes and refused a second later, and so is the step after it")
  func lifetime() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    for (seconds, isGood) in [(599, true), (600, false), (601, false)] {
      let flow = try await world.askForCode()
      let code = try #require(await world.code())
      world.clock.advance(by: .seconds(seconds))
      let outcome = try await world.submit(.recover, flow, .checkCode, ["code": code])
      #expect(outcome.summary == (isGood ? "200 password " : "422 code code:code.expired"), "\(seconds)")
      world.clock.advance(by: .seconds(3000))
    }
    let flow = try await world.askForCode()
    _ = try await world.submit(.recover, flow, .checkCode, ["code": try #require(await world.code())])
    world.clock.advance(by: .seconds(601))
    let late = try await world.submit(.recover, flow, .setPassword, ["new_password": FlowWorld.newPassword])
    #expect(late.summary == "410 address flow.expired")
    #expect(try await world.accepts(FlowWorld.password))
  }

  @Test("RC-03, Bug-C01: codes are eight of 32 letters, each as likely as another, and five of them are looked at")
  func codes() async throws {
    var counts: [Character: Int] = [:]
    var seen: Set<String> = []
    let (key, now) = (ServerKey.temporary().key(for: "flows.code"), Date(timeIntervalSince1970: 1_800_000_000))
    for number in 0..<2000 {
      let text = FlowCode.make(flow: Data("f\(number % 40)".utf8), until: now + Double(number / 40), key: key)
        .secret.reveal()
      #expect(text.utf8.count == 8)
      seen.insert(text)
      for letter in text { counts[letter, default: 0] += 1 }
    }
    #expect(seen.count == 2000 && counts.count == 32)
    // 16,000 letters: 500 each, give or take 22; ten times that is no chance.
    #expect(counts.values.allSatisfy { (280...720).contains($0) }, "\(counts)")
    // What is typed for another letter is read as that letter.
    #expect(FlowCode(typed: "oO0iIlL1")?.secret.reveal() == "00011111")
    #expect(FlowCode(typed: "abcd-efgh")?.secret.reveal() == "ABCDEFGH")
    for text in ["ABCDEFG", "ABCDEFGHJ", "ABCDEFGU", "ABCDEFG\u{E9}", "", String(repeating: " ", count: 65)] {
      #expect(FlowCode(typed: text) == nil, "\(text)")
    }

    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    let wrong = code == "12345678" ? "12345679" : "12345678"
    for left in [4, 3, 2, 1] {
      let outcome = try await world.submit(.recover, flow, .checkCode, ["code": wrong])
      #expect(outcome.summary == "422 code code:code.wrong")
      #expect(outcome.document.attemptsLeft == left)
    }
    #expect(
      try await world.submit(.recover, flow, .checkCode, ["code": wrong]).summary == "422 code code:code.exhausted")
    #expect(
      try await world.submit(.recover, flow, .checkCode, ["code": code]).summary == "422 code code:code.exhausted")
  }

  @Test("RC-03: parallel wrong codes are never more than the limit")
  func parallelGuesses() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<40 {
        let guess = String((10_000_000 + number)).description
        group.addTask {
          try await world.submit(.recover, flow, .checkCode, ["code": guess == code ? "99999999" : guess]).summary
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == "422 code code:code.wrong" } == 4)
    #expect(outcomes.count { $0 == "422 code code:code.exhausted" } == 36)
  }

  @Test("RC-04: a code of one flow is wrong in another, of the same client too")
  func bound() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    try await world.identity.addUser(name: "bob", email: "bob@example.com", password: Secret(FlowWorld.password))
    let flow = try await world.askForCode()
    let other = try await world.askForCode("bob@example.com")
    let code = try #require(await world.code())
    #expect(try await world.submit(.recover, other, .checkCode, ["code": code]).summary == "422 code code:code.wrong")
    let signUp = try world.begin(.signup)
    _ = try await world.submit(
      .signup, signUp, .signup, ["email": "new@example.com", "password": FlowWorld.newPassword])
    #expect(try await world.submit(.signup, signUp, .checkCode, ["code": code]).summary == "422 code code:code.wrong")
    #expect(try await world.submit(.recover, flow, .checkCode, ["code": code]).status == .ok)
  }

  @Test(
    "RC-05, Bug-C01: a code that is good is mailed again, the next ends it, and asking for one changes nothing else")
  func newest() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let session = try await world.base.sessions.begin(for: jane)
    let flow = try await world.askForCode()
    let first = try #require(await world.code())
    #expect(try await world.submit(.recover, flow, .resend).summary == "422 code code.resend_too_soon")
    world.clock.advance(by: .seconds(60))
    #expect(try await world.submit(.recover, flow, .resend).status == .ok)
    #expect(await world.mails().count == 2)
    #expect(await world.code() == first)
    // Another flow of the same account has a code of its own.
    let other = try await world.askForCode()
    let third = try #require(await world.code())
    #expect(third != first)
    world.clock.advance(by: .seconds(600))
    #expect(try await world.submit(.recover, flow, .resend).status == .ok)
    let second = try #require(await world.code())
    #expect(second != first)
    #expect(try await world.submit(.recover, flow, .checkCode, ["code": first]).summary == "422 code code:code.wrong")
    #expect(try await world.accepts(FlowWorld.password))
    #expect(try await world.base.sessions.find(session.id) != nil)
    #expect(try await world.submit(.recover, other, .checkCode, ["code": third]).problem == .codeExpired)
    #expect(try await world.submit(.recover, flow, .checkCode, ["code": second]).status == .ok)
    #expect(try await world.base.sessions.find(session.id) != nil)
  }

  @Test("RC-05: five codes are sent in a flow and no more, and five mails an hour to an address")
  func bounds() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    for _ in 0..<4 {
      world.clock.advance(by: .seconds(60))
      #expect(try await world.submit(.recover, flow, .resend).status == .ok)
    }
    world.clock.advance(by: .seconds(60))
    #expect(try await world.submit(.recover, flow, .resend).summary == "422 code code.resend_exhausted")
    #expect(await world.mails().count == 5)
    // LO-14: the answer is the same, the mail is not.
    let other = try world.begin(.recover)
    #expect(
      try await world.submit(.recover, other, .sendCode, ["email": FlowWorld.address]).summary == "200 code code.sent")
    #expect(await world.mails().count == 5)
    world.clock.advance(by: .seconds(3600))
    _ = try await world.askForCode()
    #expect(await world.mails().count == 6)
  }

  @Test("RC-06: a new password signs nobody in, so that whatever signing in asks for is asked")
  func noShortcut() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    let proven = try await world.submit(.recover, flow, .checkCode, ["code": try #require(await world.code())])
    let outcome = try await world.submit(.recover, flow, .setPassword, ["new_password": FlowWorld.newPassword])
    #expect(proven.signedIn == nil && outcome.signedIn == nil)
    #expect(outcome.document.next == .login)
    #expect(try await world.base.sessions.count() == 0)
  }

  @Test("RC-07: a new password ends every session and every other recovery, and is told by mail")
  func endsEverything() async throws {
    let world = try FlowWorld()
    let jane = try await world.addJane()
    let session = try await world.base.sessions.begin(for: jane)
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    // A person who has proven another code already.
    let other = try await world.askForCode()
    _ = try await world.submit(.recover, other, .checkCode, ["code": try #require(await world.code())])
    try await world.identity.setPassword(Secret("set by somebody at a desk"), forUserNamed: "jane")
    #expect(try await world.base.sessions.find(session.id) == nil)
    #expect(try await world.submit(.recover, flow, .checkCode, ["code": code]).problem == .codeWrong)
    let late = try await world.submit(.recover, other, .setPassword, ["new_password": FlowWorld.newPassword])
    #expect(late.status == .conflict)
    #expect(try await world.accepts("set by somebody at a desk"))

    let again = try await world.base.sessions.begin(for: try #require(await world.identity.user(named: "jane")))
    let last = try await world.askForCode()
    _ = try await world.submit(.recover, last, .checkCode, ["code": try #require(await world.code())])
    let done = try await world.submit(.recover, last, .setPassword, ["new_password": FlowWorld.newPassword])
    #expect(done.summary == "200 done password.changed")
    #expect(try await world.base.sessions.find(again.id) == nil)
    #expect(await world.mails().last?.subject == "Your password at Acme was changed")
  }

  @Test(
    "RC-12: codes are in the database as keyed hashes only, in mail under way too, and in no log",
    TestDatabase.forSQLite)
  func atRest() async throws {
    let folder = TemporaryFolder()
    let storage = try ServerStorage.forTest(in: folder.url)
    let world = try FlowWorld(storage: storage)
    try await world.addJane()
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    _ = try await world.submit(.recover, flow, .checkCode, ["code": "00000000"])
    _ = try await world.submit(.recover, flow, .checkCode, ["code": code])
    // One that no mail server has taken yet: what it says can't be read.
    let address = try #require(MailAddress("x@example.com"))
    let now = world.clock.now
    try await storage.write { [outbox = world.service.outbox] db in
      try outbox.add(
        MailMessage(to: address, subject: "s", text: "CANARY-IN-A-MAIL"), isBlank: false, now: now,
        expiresAt: now.addingTimeInterval(60), in: db)
    }
    try await storage.close()
    let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    var sawDatabase = false
    for file in files where file.lastPathComponent.hasPrefix(ServerStorage.fileName) {
      let bytes = try Data(contentsOf: file)
      sawDatabase = sawDatabase || bytes.count > 1000
      for secret in [code, "\(code.prefix(4)) \(code.suffix(4))", "CANARY-IN-A-MAIL"] {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
      }
    }
    #expect(sawDatabase)
    #expect(!world.base.log.text.contains(code))
    // The key is beside the database and has no other readers.
    let key = folder.url.appendingPathComponent(ServerKey.fileName)
    let mode = try FileManager.default.attributesOfItem(atPath: key.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    // Another key makes another hash of the same code for the same flow.
    let typed = try #require(FlowCode(typed: code))
    let (one, two) = (ServerKey.temporary().key(for: "flows.code"), ServerKey.temporary().key(for: "flows.code"))
    #expect(typed.hash(flow: Data("f".utf8), key: one) != typed.hash(flow: Data("f".utf8), key: two))
  }

  @Test("A code may be typed with blanks and hyphens, and a disabled user is sent none")
  func details() async throws {
    let world = try FlowWorld()
    try await world.addJane()
    let flow = try await world.askForCode()
    let code = try #require(await world.code())
    let typed = " \(code.prefix(4))-\(code.suffix(4)) "
    #expect(try await world.submit(.recover, flow, .checkCode, ["code": typed]).status == .ok)
    try await world.identity.disableUser(named: "jane")
    let before = await world.mails().count
    _ = try await world.askForCode()
    #expect(await world.mails().count == before)
  }
}
