import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryDialect
import OstiaryTesting
import TestSupport
import Testing

/// Every shipped dialect against a server over real HTTP that is made from its document and from what its vendor publishes of answers.
@Suite("Shipped dialects, each against a server of its document", .timeLimit(.minutes(20)))
struct ConformanceTests {
  /// Who the server says that the user is: its identifier, or the name that was given where it says none.
  private static let users: Set<String> = ["4711", ConformanceServer.ann]

  @Test("DIA-C1: all dialects that the requirement names ship")
  func shipped() {
    #expect(ConformanceSubject.all.count == ShippedDialects.all.count)
    #expect(ConformanceSubject.all.count >= 18)
    #expect(!ConformanceSubject.renewable.isEmpty)
    // The answers are published ones.
    for subject in ConformanceSubject.all {
      let (document, examples) = (subject.document, subject.document.examples)
      let step = document.calls.last { $0.step == "signIn" && $0.hasPassword }?.index ?? 0
      #expect(examples.answer(to: "signIn", index: document.givingStep, means: "success") != nil, "\(subject.name)")
      #expect(examples.answer(to: "signIn", index: step, means: "wrongPassword") != nil, "\(subject.name)")
      guard document.renewsAlone else { continue }
      #expect(examples.answer(to: "renew", means: "success") != nil, "\(subject.name)")
      #expect(examples.answer(to: "renew", means: "endedForGood") != nil, "\(subject.name)")
    }
  }

  @Test("DIA-C2: a sign-in gives a user and a proof that the server takes", arguments: ConformanceSubject.all)
  func signIn(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    let session = try await manager.signIn(with: world.credential)
    #expect(Self.users.contains(session.user.id))
    let http = AuthenticatedTransport(manager)
    for _ in 0..<3 { #expect(try await http.send(world.server.request()).status == .ok) }
    let counts = world.server.counts
    #expect(counts.signIns == 1 && counts.executed == 3 && counts.refused == 0 && counts.renewals == 0, "\(counts)")
    world.check([manager])
  }

  @Test(
    "DIA-C3: a wrong password is the server's word, and nothing else of it stays", arguments: ConformanceSubject.all)
  func wrongPassword(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    let error = try #require(await failure { try await manager.signIn(with: world.wrongCredential) })
    #expect(error.code == .invalidCredentials, "\(error.message)")
    #expect(error.disposition == .terminal)
    #expect(manager.current == nil)
    #expect(world.server.counts.signIns == 0 && world.server.counts.refusedSignIns == 1)
    // The right one is not hindered by it.
    try await manager.signIn(with: world.credential)
    #expect(world.server.counts.signIns == 1)
    world.check([manager], [error])
  }

  @Test("DIA-C4: 50 tasks that need a session cause one sign-in", arguments: ConformanceSubject.all)
  func oneSignIn(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager()
    #expect(try await world.succeeded(50, manager) == 50)
    #expect(world.server.counts.signIns == 1)
    #expect(world.server.counts.executed == 50)
    world.check([manager])
  }

  @Test(
    "DIA-C5: 50 tasks with a token that is no longer good cause one renewal, or one sign-in where there is none",
    arguments: ConformanceSubject.all)
  func oneRenewal(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager()
    _ = try await manager.session()
    for round in 1...2 {
      world.server.expireTokens()
      let succeeded = try await world.succeeded(50, manager)
      let counts = world.server.counts
      guard world.canBeRefused else {
        // A status alone ends nothing, and nothing can be asked: the app gets the answer.
        #expect(succeeded == 0 && counts.signIns == 1 && manager.current != nil, "\(counts)")
        return world.check([manager])
      }
      #expect(succeeded == 50, "round \(round): \(manager.history.map(\.description))")
      if subject.document.renewsAlone {
        #expect(counts.renewals == round && counts.signIns == 1 && counts.reusedTokens == 0, "\(counts)")
      } else {
        #expect(counts.renewals == 0 && counts.signIns == 1 + round, "\(counts)")
      }
    }
    world.check([manager])
  }

  @Test("DIA-C6: a session that the document says the end of is renewed before that", arguments: ConformanceSubject.all)
  func expiry(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager()
    let session = try await manager.session()
    guard subject.document.hasExpiry else {
      #expect(session.expiresAt == nil)
      return
    }
    let lifetime = try #require(session.expiresAt).timeIntervalSince(session.issuedAt)
    #expect(abs(lifetime - world.server.lifetime) < 30, "\(lifetime) seconds")
    world.server.clock.ahead += world.server.lifetime + 60
    #expect(try await AuthenticatedTransport(manager).send(world.server.request()).status == .ok)
    let counts = world.server.counts
    if subject.document.renewsAlone {
      #expect(counts.renewals == 1 && counts.signIns == 1 && counts.refused == 0, "\(counts)")
    } else {
      #expect(counts.signIns == 2, "\(counts)")
    }
    #expect(manager.current?.expiresAt.map { $0 > world.server.clock.now } == true)
    world.check([manager])
  }

  @Test(
    "DIA-C7: what the server says of the session's end ends it, with its cause; a status alone does not",
    arguments: ConformanceSubject.all)
  func terminalRefusal(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    world.server.dropLogins()
    let http = AuthenticatedTransport(manager)
    let error = await failure { try await http.send(world.server.request()) }
    guard world.canBeRefused else {
      #expect(error == nil && manager.current != nil)
      return world.check([manager])
    }
    #expect(error?.code == .interactionRequired, "\(String(describing: error?.message))")
    guard case .signedOut(.rejectedByServer) = manager.status else {
      Issue.record("\(manager.status): \(manager.history.map(\.description))")
      return
    }
    #expect(world.server.counts.signIns == 1 && world.server.counts.reusedTokens == 0)
    // Another process learns of it from the store.
    let other = try world.manager(.manual)
    guard case .signedOut = await other.restore() else {
      Issue.record("\(other.status)")
      return
    }
    world.check([manager, other], [error].compactMap { $0 })
  }

  @Test(
    "DIA-C8: a sign-out ends the session here, and at the server where it has a call for it",
    arguments: ConformanceSubject.all)
  func signOut(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    try await manager.signIn(with: world.credential)
    let before = world.server.requestCount
    let report = await manager.signOut()
    #expect(report.isComplete, "\(String(describing: report.serverError?.message))")
    #expect(manager.current == nil)
    if subject.document.call("end") != nil {
      #expect(world.server.counts.ends == 1 && world.server.logins == 0)
    } else {
      #expect(world.server.requestCount == before, "a server without such a call is told nothing")
    }
    let error = await failure { try await AuthenticatedTransport(manager).send(world.server.request()) }
    #expect(error?.code == .interactionRequired)
    world.check([manager], [error].compactMap { $0 })
  }

  @Test("DIA-C9: a program that starts anew goes on with the stored session", arguments: ConformanceSubject.all)
  func restart(_ subject: ConformanceSubject) async throws {
    let folder = try TemporaryFolder()
    let world = try ConformanceWorld(subject, store: FileStore(folder: folder.store))
    let first = try world.manager(.manual)
    let session = try await first.signIn(with: world.credential)
    try await first.flush()
    let second = try world.manager(.manual, store: FileStore(folder: folder.store))
    #expect(try await AuthenticatedTransport(second).send(world.server.request()).status == .ok)
    #expect(second.current?.user.id == session.user.id)
    #expect(world.server.counts.signIns == 1)
    // What only the first knew is enough to renew.
    guard subject.document.renewsAlone, world.canBeRefused else { return }
    world.server.expireTokens()
    #expect(try await AuthenticatedTransport(second).send(world.server.request()).status == .ok)
    #expect(world.server.counts.renewals == 1 && world.server.counts.signIns == 1)
    world.check([first, second])
  }

  @Test("DIA-C10: what a dialect can't do is told, and nothing is sent for it", arguments: ConformanceSubject.all)
  func cannot(_ subject: ConformanceSubject) async throws {
    let world = try ConformanceWorld(subject)
    let manager = try world.manager(.manual)
    let session = try await manager.signIn(with: world.credential)
    let authenticator = try world.authenticator()
    let context = AuthenticationContext(transport: SocketTransport(connections: 1))
    let before = world.server.requestCount
    // Using the session is what renews one of cookies that slide.
    if !subject.document.renewsAlone, subject.document.renewedBy != "cookies" {
      guard case .needsCredential = try await authenticator.renew(session, in: context) else {
        Issue.record("renewed by nothing")
        return
      }
      #expect(world.server.requestCount == before)
    }
    if !subject.document.canAsk {
      let error = await failure { try await authenticator.verify(session, in: context) }
      #expect(error.map { $0.disposition != .terminal } == true, "a session that can't be asked about is not over")
      #expect(world.server.requestCount == before)
    } else {
      guard case .valid = try await authenticator.verify(session, in: context) else {
        Issue.record("not valid")
        return
      }
      #expect(world.server.requestCount > before)
    }
    world.check([manager])
  }
}

extension ConformanceWorld {
  /// How many of so many requests at once were carried out.
  func succeeded(_ count: Int, _ manager: SessionManager) async throws -> Int {
    let http = AuthenticatedTransport(manager)
    let request = try server.request()
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<count { group.addTask { try await http.send(request).status == .ok } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  /// Whether the server can say that a proof is not good: by a mark, or because it can be asked.
  var canBeRefused: Bool { document.canAsk || document.hasMark(["expired", "endedForGood"]) }
}
