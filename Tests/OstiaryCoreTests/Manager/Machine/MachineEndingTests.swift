import Foundation
import Testing

@testable import OstiaryCore

/// Endings that meet other sessions, and what a flush waits for.
@Suite("The machine's endings") struct MachineEndingTests {
  private typealias Known = KnownSession<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10)
  private let cookie = MachineWorld.known(2, MachineWorld.first, revision: 1)
  private let own = MachineWorld.known(70, MachineWorld.lineage(7), revision: 0, lifetime: 10)

  // MARK: What a sign-out ends at the server

  @Test("A sign-out during a sign-in ends both sessions at the server")
  func signOutDuringSignIn() throws {
    var probe = MachineProbe()
    probe.elapsed = 20
    probe.step(.exchanged(try probe.exchanging(over: old), isIdentified: true))
    probe.step(.prepared(try probe.ticket(), own))
    let save = try probe.ticket()
    probe.step(.signedOutHere(caller: 12))
    probe.step(.written(save, MachineWorld.data(own), nil))
    try probe.read(own)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(Set(probe.endsAtServer.map(\.digest)) == [own.digest, old.digest])
  }

  @Test("A second sign-out ends what is still owed of the first at the server, too")
  func secondSignOut() throws {
    var probe = MachineProbe()
    probe.step(.signedOutHere(caller: 1))
    let reading = try probe.ticket()
    probe.step(.timePassed(.signOut))
    probe.step(.storeRead(reading, MachineProbe.content(old)))
    probe.fail(try probe.ticket())
    #expect(probe.endsAtServer.isEmpty, "the store comes first")
    probe.step(.exchanged(try probe.exchanging(over: nil), isIdentified: true))
    probe.step(.prepared(try probe.ticket(), own))
    let save = try probe.ticket()
    probe.step(.signedOutHere(caller: 12))
    probe.step(.written(save, MachineWorld.data(own), nil))
    try probe.read(own)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(Set(probe.endsAtServer.map(\.digest)) == [own.digest, old.digest])
  }

  /// A machine whose session the server has refused, which is in the store as ended.
  private func refused() throws -> MachineProbe {
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    try probe.read(old)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.machine.session.known == nil && probe.machine.ending == nil)
    return probe
  }

  @Test("A sign-out ends newer proof of a session that a refusal had ended here")
  func newerProofAfterRefusal() throws {
    let newer = MachineWorld.known(3, MachineWorld.first, revision: 1)
    var probe = try refused()
    probe.step(.signedOutHere(caller: 12))
    try probe.read(newer)
    probe.step(.written(try probe.ticket(), Data("ended".utf8), nil))
    #expect(probe.endsAtServer.map(\.digest) == [newer.digest])
  }

  @Test("A session that the user signed out of does not stay in the store because a later one was refused")
  func refusalAfterSignOut() throws {
    let first = MachineWorld.known(1, MachineWorld.first, revision: 0)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(first)
    probe.step(.signedOutHere(caller: 2))
    try probe.read(first)
    probe.fail(try probe.ticket())
    // The next sign-in can't be stored either, and the server refuses it.
    probe.step(.needed(.signIn(byHandler: false), caller: 11, stamp: nil))
    try probe.read(first)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(first)
    probe.step(.exchanged(try probe.ticket(), isIdentified: true))
    let new = MachineWorld.known(70, MachineWorld.lineage(7), revision: 0)
    probe.step(.prepared(try probe.ticket(), new))
    probe.fail(try probe.ticket())
    probe.step(.refused(new.version, reason: "401"))
    probe.step(.needed(.ensure(.rejectedByServer, failures: nil), caller: 12, stamp: nil))
    try probe.read(first)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(first)
    try probe.written(new)
    probe.refuse(try probe.ticket())
    try probe.read(first)
    try probe.read(first)
    let entries = probe.actions.compactMap { action -> EndedEntry? in
      if case .writeEnded(_, let entry, _) = action { entry } else { nil }
    }
    #expect(entries.map(\.lineage) == [first.lineage])
    #expect(entries.first?.refused.isEmpty == true, "it is a sign-out")
    #expect(probe.actions.contains { if case .tell(.signedOut, .requestedByApp, _, _) = $0 { false } else { true } })
  }

  @Test(
    "A sign-out ends what the store held then, and no sign-in of another process that came later",
    arguments: [(5.0, "boot"), (20, "boot"), (20, "another boot")])
  func laterSignIn(issued: Double, boot: String) throws {
    let found = MachineWorld.known(
      60, MachineWorld.stranger, revision: 0,
      issued: Moment(wall: Date(timeIntervalSince1970: issued), uptime: Uptime(boot: boot, seconds: issued)))
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.readNothing()
    probe.elapsed = 10
    probe.step(.signedOutHere(caller: 2))
    try probe.read(found)
    let isEnded = probe.actions.contains { if case .writeEnded = $0 { true } else { false } }
    #expect(isEnded == (issued < 10 || boot != "boot"), "where clocks can't tell, the sign-out counts for more")
  }

  @Test(
    "A credential given up front outlives another process's refused session, and not another process's sign-out",
    arguments: [true, false])
  func credentialAfterAnEndingElsewhere(byRefusal: Bool) throws {
    var probe = MachineProbe(source: .upFront)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    probe.step(.needed(.look, caller: 2, stamp: nil))
    let ended = EndedEntry(
      lineage: old.lineage, cause: byRefusal ? .rejectedByServer : .requestedByApp,
      date: Date(timeIntervalSince1970: 0), refused: byRefusal ? [old.digest] : [])
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .ended(ended), data: Data("ended".utf8))))
    #expect(probe.machine.session.known == nil)
    #expect(probe.machine.hasCredential == byRefusal, "after a sign-out only the app signs in again")
    #expect(probe.actions.contains(.forgetCredential) == !byRefusal)
  }

  // MARK: What is believed again

  @Test("Proof that takes a refused session up again comes with the cookies beside it")
  func restoredWithAlternatives() throws {
    let newer = MachineWorld.known(3, MachineWorld.first, revision: 1)
    let another = MachineWorld.known(4, MachineWorld.first, revision: 2)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    try probe.read(old, others: [newer, another])
    #expect(probe.machine.session.usable?.digest == newer.digest)
    #expect(probe.machine.alternatives.map(\.digest) == [another.digest])
    #expect(probe.machine.refusedDigests.contains(old.digest), "the server has refused it")
  }

  @Test("A refusal ends no session while the store can't be read, which may hold newer proof")
  func endingUnreadable() throws {
    let newer = MachineWorld.known(3, MachineWorld.first, revision: 1)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    probe.step(.storeUnavailable(try probe.ticket(), OstiaryError(.storeUnavailable, "Locked.")))
    #expect(probe.woke(2) == false)
    #expect(!probe.actions.contains { if case .tell(.signedOut, _, _, _) = $0 { true } else { false } })
    #expect(probe.machine.session.known?.digest == old.digest && probe.machine.ending == nil)
    probe.elapsed += 2_000
    probe.step(.needed(.ensure(.neededByRequest, failures: 0), caller: 3, stamp: nil))
    try probe.read(newer)
    #expect(probe.machine.session.usable?.digest == newer.digest)
  }

  @Test("What is read for an ending that is owed is known to the session that came since")
  func endingReadIsKnown() throws {
    let second = MachineWorld.known(2, MachineWorld.first, revision: 1)
    let third = MachineWorld.known(3, MachineWorld.first, revision: 2)
    var probe = MachineProbe()
    probe.refuse(try probe.renewing(old))
    try probe.read(old)
    try probe.read(old)
    probe.fail(try probe.ticket())
    // The ended entry is owed; another process has put newer proof into the store.
    probe.step(.needed(.restore, caller: 3, stamp: nil))
    try probe.read(second)
    #expect(probe.machine.session.usable?.digest == second.digest)
    probe.step(.used(second.version))
    probe.step(.timePassed(.ending))
    try probe.read(third)
    probe.step(.timePassed(.writing))
    let saved = probe.actions.compactMap { if case .save(_, let known, _, _, _) = $0 { known } else { Known?.none } }
    #expect(!saved.contains { $0.digest == second.digest }, "newer proof is not written over")
    #expect(probe.machine.session.usable?.digest == third.digest)
  }

  @Test("Older proof that another process puts back over a damaged entry does not replace the own", arguments: [0, 1])
  func damageAndOlderProof(tokens: UInt8) throws {
    // A cookie that the server has rolled, or tokens that it has renewed.
    let newer = MachineWorld.known(2, MachineWorld.first, revision: 1, tokens: tokens)
    var probe = MachineProbe()
    if tokens == 0 {
      probe.step(.needed(.restore, caller: 1, stamp: nil))
      try probe.read(old)
      probe.cookie(newer, over: old)
    } else {
      probe.step(.renewed(try probe.renewing(old)))
      probe.step(.prepared(try probe.ticket(), newer))
    }
    try probe.written(newer)
    #expect(probe.machine.writing == .clean)
    // The entry is damaged; both processes write what they know, and the other one is first.
    probe.step(.needed(.look, caller: 3, stamp: nil))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .damaged, data: Data([254]))))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    try probe.read(old)
    #expect(probe.machine.session.usable?.digest == newer.digest)
    #expect(probe.saves, "the newer proof is written again")
  }

  @Test(
    "A damaged entry may have held a claim: where access can be lost, a renewal waits as long as for a claim",
    arguments: [true, false])
  func damageHidesClaims(accessCanBeLost: Bool) throws {
    var probe = MachineProbe(accessCanBeLost: accessCanBeLost)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    probe.elapsed = 20
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 2, stamp: nil))
    probe.step(.storeRead(try probe.ticket(), StoreContent(entry: .damaged, data: Data([254]))))
    let claim = try #require(
      probe.actions.lazy.compactMap { if case .claim(let ticket) = $0 { ticket } else { nil } }.first)
    // What is known is written again at once: damage is no sign-out.
    let save = try #require(
      probe.actions.lazy.compactMap { if case .save(let ticket, _, _, _, _) = $0 { ticket } else { nil } }.first)
    probe.step(.claimed(claim))
    probe.step(.written(save, MachineWorld.data(old), nil))
    try probe.read(old)
    #expect(probe.saves == !accessCanBeLost, "the renewal begins")
    guard accessCanBeLost else { return }
    let newer = MachineWorld.known(3, MachineWorld.first, revision: 1, tokens: 1)
    probe.step(.timePassed(.work))
    probe.step(.claimed(try probe.ticket()))
    try probe.read(newer)
    #expect(probe.woke(2) == true, "the other process had been given new tokens")
  }

  @Test("A refusal of the own proof is no refusal of another process's of the same revision")
  func sameRevision() throws {
    let other = MachineWorld.known(3, MachineWorld.first, revision: cookie.version.revision)
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(cookie)
    // The entry was damaged in between, so that its writer did not know of the own one.
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(other)
    #expect(probe.machine.alternatives.map(\.digest) == [other.digest], "both are kept")
    probe.step(.refused(try #require(probe.machine.session.usable).version, reason: "its login form"))
    #expect(probe.machine.session.usable?.digest == other.digest)
    probe.step(.refused(cookie.version, reason: "its login form"))
    #expect(probe.machine.session.usable?.digest == other.digest, "the answer came to a request with the older proof")
  }

  @Test("A write beside a renewal keeps what says that the renewal has begun")
  func claimIsKept() throws {
    let known = MachineWorld.known(1, MachineWorld.first, revision: 0)
    let claim = RenewalClaim(writer: MachineWorld.lineage(8), number: 1, bound: 90)
    func claims(_ probe: MachineProbe) -> [RenewalClaim?] {
      probe.actions.compactMap { action -> RenewalClaim?? in
        if case .save(_, _, _, let claim, _) = action { .some(claim) } else { nil }
      }
    }
    // Another process's.
    var probe = MachineProbe(accessCanBeLost: true)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known, claim: claim)
    probe.step(.used(known.version))
    probe.step(.timePassed(.writing))
    #expect(claims(probe) == [claim])
    try probe.written(known)
    probe.cookie(cookie, over: known)
    #expect(claims(probe) == [claim], "after a write of the own, too")
    // The own one.
    probe = MachineProbe(accessCanBeLost: true)
    _ = try probe.renewing(old)
    let own = try #require(probe.machine.stored.claim)
    probe.cookie(cookie, over: old)
    #expect(claims(probe) == [own])
  }

  // MARK: Flushing

  @Test("A flush during a renewal waits until what the server gave is stored")
  func flushDuringRenewal() throws {
    let renewed = MachineWorld.known(3, MachineWorld.first, revision: 1)
    for fails in [false, true] {
      var probe = MachineProbe()
      let renewal = try probe.renewing(old)
      probe.step(.flush(caller: 21))
      #expect(probe.woke(21) == nil)
      probe.step(.renewed(renewal))
      #expect(probe.woke(21) == nil)
      probe.step(.prepared(try probe.ticket(), renewed))
      #expect(probe.woke(21) == nil)
      if fails { probe.fail(try probe.ticket()) } else { try probe.written(renewed) }
      #expect(probe.woke(21) == !fails, "it says that the store could not be written")
    }
  }

  @Test("A flush with nothing owed is answered at once, also while a person is asked")
  func flushOfNothing() throws {
    var probe = MachineProbe(source: .onRequest)
    probe.step(.flush(caller: 21))
    #expect(probe.woke(21) == true)
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 1, stamp: nil))
    try probe.readNothing()
    probe.step(.flush(caller: 22))
    #expect(probe.woke(22) == true)
  }
}
