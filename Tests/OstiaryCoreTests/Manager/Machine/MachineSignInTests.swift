import Foundation
import Testing

@testable import OstiaryCore

/// Sign-ins and renewals of the machine that meet another process's session, or another proof of their own.
@Suite("The machine's sign-ins beside other sessions") struct MachineSignInTests {
  private typealias Known = KnownSession<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
  private let late = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10)
  private let other = MachineWorld.known(60, MachineWorld.stranger, revision: 0)
  private let own = MachineWorld.known(70, MachineWorld.lineage(7), revision: 0)

  @Test(
    "A sign-in does not land on another process's that came while a cookie was written",
    arguments: [false, true])
  func landsOnNone(isPrepared: Bool) throws {
    var probe = MachineProbe()
    probe.elapsed = 20
    let exchange = try probe.exchanging(over: old)
    // The cookie's write meets another process's, and the store is read again meanwhile.
    probe.cookie(late, over: old)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let reading = try probe.ticket()
    if isPrepared {
      probe.step(.exchanged(exchange, isIdentified: true))
      probe.step(.prepared(try probe.ticket(), own))
      probe.step(.storeRead(reading, MachineProbe.content(other)))
    } else {
      probe.step(.storeRead(reading, MachineProbe.content(other)))
      probe.step(.exchanged(exchange, isIdentified: true))
    }
    #expect(probe.discards && !probe.saves && !probe.prepares)
    #expect(probe.woke(11) == false, "alreadySignedIn")
    #expect(probe.machine.session.usable?.digest == other.digest)
    #expect(probe.machine.work == .idle)
  }

  /// A machine that has asked for a credential because the server refused the renewal, and was given one.
  private func answered() throws -> MachineProbe {
    var probe = MachineProbe(source: .onRequest)
    let renewal = try probe.renewing(old)
    probe.refuse(renewal)
    try probe.read(old)
    #expect(probe.asks)
    probe.step(.credentialGiven(try probe.ticket()))
    probe.step(.claimed(try probe.ticket()))
    return probe
  }

  @Test("Another process's session that is found after the question, past its date, is renewed first")
  func renewsWhatIsFound() throws {
    let found = MachineWorld.known(60, MachineWorld.stranger, revision: 0, lifetime: 10)
    var probe = try answered()
    try probe.read(found)
    try probe.written(found)
    #expect(probe.renews?.digest == found.digest)
    // Where the server refuses that one, too, the credential is shown that was given already.
    probe.refuse(try probe.ticket())
    try probe.read(found)
    #expect(!probe.asks, "a person is asked once")
    try probe.read(found)
    #expect(probe.actions.contains { if case .exchange = $0 { true } else { false } })
  }

  @Test("After the question the credential is shown where the store has nothing better")
  func showsTheCredential() throws {
    var probe = try answered()
    try probe.read(old)
    #expect(probe.actions.contains { if case .exchange = $0 { true } else { false } })
  }

  @Test("Every question has the whole time that signing in may take")
  func patienceOfEachQuestion() throws {
    var probe = MachineProbe(source: .onRequest, signInPatience: .seconds(60))
    func hasTime() -> Bool {
      probe.actions.contains { if case .schedule(.patience, .seconds(60)) = $0 { true } else { false } }
    }
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 1, stamp: nil))
    try probe.readNothing()
    #expect(probe.asks && hasTime())
    probe.step(.credentialGiven(try probe.ticket()))
    probe.step(.claimed(try probe.ticket()))
    try probe.readNothing()
    probe.refuse(try probe.ticket())
    #expect(probe.asks && hasTime())
  }

  @Test("A refused cookie gives way to the one that another process was given, before a person is asked")
  func alternativeBeforeQuestion() throws {
    let mine = MachineWorld.known(2, MachineWorld.first, revision: 1)
    let theirs = MachineWorld.known(3, MachineWorld.first, revision: 1)
    var probe = MachineProbe(source: .onRequest)
    let first = MachineWorld.known(1, MachineWorld.first, revision: 0)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.cookie(mine, over: first)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let reading = try probe.ticket()
    probe.step(.refused(mine.version, reason: "401"))
    probe.step(.storeRead(reading, MachineProbe.content(theirs)))
    #expect(probe.machine.session.usable?.digest == theirs.digest)
    #expect(probe.saves, "other processes learn of it")
  }

  @Test("A refused renewal gives way to another process's cookie before a person is asked")
  func alternativeBeforeQuestionOfRenewal() throws {
    let theirs = MachineWorld.known(3, MachineWorld.first, revision: 1, lifetime: 10)
    var probe = MachineProbe(source: .onRequest)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    // Both cookies are kept: which of the two the server gave last can't be told.
    probe.cookie(late, over: old)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(theirs)
    #expect(probe.machine.alternatives.map(\.digest) == [theirs.digest])
    let known = try #require(probe.machine.session.usable)
    try probe.written(known)
    probe.elapsed = 20
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 2, stamp: nil))
    try probe.read(known, others: [theirs])
    probe.step(.claimed(try probe.ticket()))
    try probe.read(known, others: [theirs])
    try probe.written(known)
    probe.refuse(try probe.ticket())
    try probe.read(known, others: [theirs])
    #expect(!probe.asks)
    #expect(probe.machine.session.usable?.digest == theirs.digest)
  }
}
