import Foundation
import Testing

@testable import OstiaryCore

/// Guards of the machine that a review found missing once, each with the shortest way to where it counts.
@Suite("Guards of the session's machine") struct MachineGuardTests {
  private typealias Known = KnownSession<TestProof>
  private typealias Action = SessionAction<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
  private let cookie = MachineWorld.known(2, MachineWorld.first, revision: 1)

  @Test("The refusal of an old proof does not end a newer one")
  func refusalOfOldProof() throws {
    var probe = MachineProbe()
    let renewal = try probe.renewing(old)
    probe.cookie(cookie, over: old)
    try probe.written(cookie)
    probe.step(.failed(renewal, Failure(error: OstiaryError(.invalidCredentials, "No."))))
    try probe.read(cookie)
    #expect(probe.machine.session.usable?.digest == cookie.digest)
    #expect(probe.machine.ending == nil)
  }

  @Test("A cookie that came during a renewal is used until the server refuses it, also when it is past its date")
  func lateCookieIsUsed() throws {
    let late = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10)
    for isRefused in [false, true] {
      var probe = MachineProbe()
      let renewal = try probe.renewing(old)
      probe.cookie(late, over: old)
      try probe.written(late)
      if isRefused {
        probe.step(.failed(renewal, Failure(error: OstiaryError(.invalidCredentials, "No."))))
        try probe.read(late)
      } else {
        probe.step(.notRenewable(renewal))
      }
      #expect(probe.machine.session.usable?.digest == late.digest, "the server has not refused it: \(isRefused)")
      #expect(probe.machine.ending == nil)
      probe.step(.refused(late.version, reason: "401"))
      probe.step(.needed(.ensure(.rejectedByServer, failures: 0), caller: 3, stamp: nil))
      try probe.read(late)
      #expect(probe.machine.work != .idle, "a refusal of this one counts")
    }
  }

  @Test("A session that is found after those who signed out have been told is ended at the server, too")
  func foundLate() throws {
    var probe = MachineProbe()
    probe.step(.signedOutHere(caller: 1))
    let reading = try probe.ticket()
    probe.step(.timePassed(.signOut))
    #expect(probe.actions.contains { if case .finishSignOut([1], [], _?) = $0 { true } else { false } })
    let data = MachineWorld.data(cookie)
    let content = StoreContent(entry: .session(cookie, alternatives: []), data: data)
    probe.step(.storeRead(reading, content))
    probe.step(.writeFailed(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    probe.step(.timePassed(.ending))
    probe.step(.storeRead(try probe.ticket(), content))
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.actions.contains { if case .endAtServer(let ended) = $0 { ended == [cookie] } else { false } })
    #expect(probe.machine.ending == nil)
  }

  @Test("After a long outage an ending that meets another process's write looks again at once")
  func conflictAfterOutage() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(cookie)
    probe.step(.signedOutHere(caller: 2))
    for _ in 0..<20 {
      probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
      probe.step(.timePassed(.ending))
    }
    try probe.read(cookie)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(cookie)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.machine.ending == nil)
  }

  @Test("A cookie that came while a person is asked stays when the person declines, also past its date")
  func declinedBesideCookie() throws {
    var probe = MachineProbe(source: .onRequest)
    let late = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10)
    let renewal = try probe.renewing(old)
    probe.step(.failed(renewal, Failure(error: OstiaryError(.invalidCredentials, "No."))))
    try probe.read(old)
    let question = try probe.ticket()
    probe.cookie(late, over: old)
    try probe.written(late)
    probe.step(.declined(question, OstiaryError(.interactionCancelled, "No.")))
    #expect(probe.machine.session.usable?.digest == late.digest, "the server has not refused it")
    #expect(probe.machine.ending == nil)
  }

  @Test("Invariant 5: a sign-in that waits behind another one when the user signs out signs in no more")
  func waitingSignIn() throws {
    var probe = MachineProbe()
    probe.step(.needed(.signIn(byHandler: false), caller: 1, stamp: nil))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .absent)))
    probe.step(.needed(.signIn(byHandler: false), caller: 2, stamp: nil))
    probe.step(.signedOutHere(caller: 3))
    let woken = probe.actions.compactMap { if case .wake(let caller, .failure) = $0 { caller } else { UInt64?.none } }
    #expect(Set(woken) == [1, 2])
    #expect(probe.machine.work == .idle && probe.machine.waiters.isEmpty)
  }

  @Test("Tokens that another process was given for the own ones are not written over")
  func renewedElsewhere() throws {
    let own = MachineWorld.known(1, MachineWorld.first, revision: 0, tokens: 1)
    let renewed = MachineWorld.known(2, MachineWorld.first, revision: 1, tokens: 2)
    var probe = try MachineProbe.signedInUnsaved(own)
    // The write had reached the store, though its answer was lost; another process has renewed the session since.
    probe.step(.timePassed(.writing))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(renewed)
    #expect(!probe.saves)
    #expect(probe.machine.session.usable?.digest == renewed.digest)
  }

  @Test("A sign-in that could not be stored gives way to a later one of the user alone", arguments: [5.0, 10.0, 20.0])
  func unstoredSignIn(otherIssued: Double) throws {
    func issued(_ seconds: Double) -> Moment {
      Moment(wall: Date(timeIntervalSince1970: seconds), uptime: Uptime(boot: "boot", seconds: seconds))
    }
    let own = MachineWorld.known(1, MachineWorld.first, revision: 0, issued: issued(10))
    let other = MachineWorld.known(2, MachineWorld.stranger, revision: 0, issued: issued(otherIssued))
    var probe = try MachineProbe.signedInUnsaved(own)
    probe.step(.timePassed(.writing))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(other)
    let isLater = otherIssued <= 10
    #expect(probe.machine.session.usable?.digest == (isLater ? own : other).digest)
    #expect(probe.saves == isLater)
  }

  @Test("Bug-A08: what a handler was given is made a session though the store can't be read by then")
  func grantWithoutStore() throws {
    var probe = MachineProbe()
    probe.step(.needed(.signIn(byHandler: true), caller: 1, stamp: nil))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .absent)))
    probe.step(.exchanged(try probe.ticket(), isIdentified: true))
    probe.step(.claimed(try probe.ticket()))
    // The store is given time first.
    for _ in 0..<10 where !probe.prepares {
      probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
      if probe.prepares || probe.machine.work == .idle { break }
      probe.elapsed += 20
      probe.step(.timePassed(.work))
    }
    #expect(probe.prepares && !probe.discards)
    probe.step(.prepared(try probe.ticket(), cookie))
    probe.step(.writeFailed(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    #expect(probe.machine.session.usable?.digest == cookie.digest)
  }

  @Test("A cookie's write does not go over a renewed proof that has just been stored")
  func cookieDuringLanding() throws {
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old)))
    let renewed = MachineWorld.known(3, MachineWorld.first, revision: 1, lifetime: 10)
    probe.step(.prepared(try probe.ticket(), renewed))
    let save = try probe.ticket()
    probe.cookie(MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10), over: old)
    probe.step(.written(save, MachineWorld.data(renewed), nil))
    #expect(probe.prepares && !probe.saves, "the renewed proof takes the cookie over")
  }

  @Test("A renewal does not land on another sign-in of the same user")
  func renewalOnAnotherSignIn() throws {
    var probe = MachineProbe()
    let renewal = try probe.renewing(old)
    probe.cookie(cookie, over: old)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let other = MachineWorld.known(60, MachineWorld.stranger, revision: 0)
    try probe.read(other)
    probe.step(.renewed(renewal))
    #expect(probe.discards && !probe.prepares)
    #expect(probe.machine.session.usable?.digest == other.digest)
  }

  @Test("A claim is not counted as left behind for the time of an outage")
  func claimAfterOutage() throws {
    var probe = MachineProbe(accessCanBeLost: true)
    let claim = RenewalClaim(writer: MachineWorld.lineage(8), number: 1, bound: 90)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    probe.elapsed = 20
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 2, stamp: nil))
    try probe.read(old, claim: claim)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(old, claim: claim)
    #expect(!probe.saves, "the writer is at work")
    probe.step(.timePassed(.work))
    probe.step(.claimed(try probe.ticket()))
    probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Down.")))
    probe.elapsed = 200
    probe.step(.timePassed(.work))
    try probe.read(old, claim: claim)
    #expect(!probe.saves, "when the store is back, the claim's writer is first")
    // That caller's patience is over; another one comes.
    probe.elapsed = 205
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 3, stamp: nil))
    try probe.read(old, claim: claim)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(old, claim: claim)
    #expect(!probe.saves, "the writer has had five seconds")
    probe.elapsed = 300
    probe.step(.timePassed(.work))
    probe.step(.claimed(try probe.ticket()))
    try probe.read(old, claim: claim)
    #expect(probe.saves, "a claim that was seen unchanged for longer than its bound is left behind")
  }

  @Test("A verification that brought a newer cookie is no refusal")
  func verificationThatRolls() throws {
    var probe = MachineProbe()
    let known = MachineWorld.known(1, MachineWorld.first, revision: 0)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    probe.step(.needed(.confirm(known.version), caller: 2, stamp: nil))
    let verification = try probe.ticket()
    probe.cookie(cookie, over: known)
    probe.step(.verified(verification, isValid: true, reason: ""))
    let answers = probe.actions.compactMap { if case .wake(2, .success(let known)) = $0 { known } else { Known?.none } }
    #expect(answers.map(\.digest) == [cookie.digest])
    #expect(probe.machine.session.usable?.digest == cookie.digest)
  }
}
