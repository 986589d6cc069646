import Foundation
import Testing

@testable import OstiaryCore

/// What became of a renewal that failed is written before its callers are told: their program may end then.
@Suite("The machine's trail of renewals") struct MachineTrailTests {
  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10, tokens: 1)

  private func saved(_ probe: MachineProbe) -> KnownSession<TestProof>? {
    probe.actions.lazy.compactMap { if case .save(_, let known, _, _, _) = $0 { known } else { nil } }.first
  }

  private var lost: Failure { Failure(error: OstiaryError(.connectionLost, "Lost."), mayRepeat: false) }

  @Test("LOST-4: what is written before a renewal says that it begins, and after it that its answer was lost")
  func noted() throws {
    var probe = MachineProbe()
    probe.step(.failed(try probe.renewing(old), lost))
    let writer = probe.machine.settings.writer
    #expect(probe.woke(2) == nil && probe.machine.access == .held)
    let trail = try #require(saved(probe)?.trail)
    #expect(trail.begun == nil && trail.lost?.isSeen == true)
    try probe.written(old)
    #expect(probe.woke(2) == false && probe.machine.access == .none && probe.machine.writing == .clean)
    #expect(probe.machine.stored.trail == trail)

    var next = MachineProbe()
    var stored = old
    stored.trail = trail
    next.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 1, stamp: nil))
    next.elapsed = 20
    try next.read(stored)
    next.step(.claimed(try next.ticket()))
    try next.read(stored)
    #expect(saved(next)?.trail?.begun?.writer == writer && saved(next)?.trail?.lost == trail.lost)
  }

  @Test("LOST-4: a store that can't be written keeps no caller waiting; what is known here is written later")
  func unwritable() throws {
    var probe = MachineProbe()
    probe.step(.failed(try probe.renewing(old), lost))
    probe.fail(try probe.ticket())
    #expect(probe.woke(2) == false)
    #expect(!probe.machine.writing.owesProof && !probe.machine.writing.owesContent)
    // What the store says meanwhile is older.
    probe.step(.needed(.look, caller: 3, stamp: nil))
    try probe.read(old)
    probe.step(.timePassed(.writing))
    #expect(saved(probe)?.trail?.lost?.isSeen == true)
  }

  @Test("LOST-4: a sign-out while it is written is one")
  func signedOut() throws {
    var probe = MachineProbe()
    probe.step(.failed(try probe.renewing(old), lost))
    let save = try probe.ticket()
    probe.step(.signedOutHere(caller: 5))
    #expect(probe.woke(2) == false && probe.machine.work == .idle)
    probe.step(.written(save, MachineWorld.data(old), nil))
    try probe.read(old)
    #expect(probe.endedEntry?.refused.isEmpty == true)
  }

  @Test("LOST-4: another process's sign-out that is found while it is written ends the session")
  func signedOutElsewhere() throws {
    var probe = MachineProbe()
    probe.step(.failed(try probe.renewing(old), lost))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    probe.step(.storeRead(try probe.ticket(), MachineProbe.ended(old.lineage)))
    #expect(probe.woke(2) == false && probe.machine.session.known == nil)
    #expect(!probe.saves && probe.machine.work == .idle)
  }

  @Test("LOST-4: what another process wrote of its own renewals is taken over")
  func takenOver() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    var stored = old
    stored.trail = RenewalTrail()
    stored.trail?.refuse(at: Date(timeIntervalSince1970: 1))
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(stored)
    #expect(probe.machine.session.known?.trail == stored.trail)
    // A use is written with it.
    probe.step(.used(old.version))
    probe.step(.timePassed(.writing))
    #expect(saved(probe)?.trail == stored.trail)
  }

  @Test("LOST-4: a cookie that carries no session leaves it")
  func cookie() throws {
    var probe = MachineProbe()
    probe.step(.failed(try probe.renewing(old), lost))
    let trail = saved(probe)?.trail
    try probe.written(old)
    let same = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10, tokens: 1)
    let known = try #require(probe.machine.session.known)
    probe.step(.changed(same, over: known, isProof: false, shown: nil, waiter: nil))
    probe.step(.timePassed(.writing))
    #expect(trail != nil && saved(probe)?.trail == trail)
  }

  @Test("LOST-5: newer proof that another process has stored meanwhile keeps the user from being asked")
  func newerMeanwhile() throws {
    let unclear = Failure(error: OstiaryError(.unclearRefusal, "400."), mayRepeat: false)
    var probe = MachineProbe(source: .onRequest)
    probe.step(.failed(try probe.renewing(old), unclear))
    try probe.written(old)
    #expect(probe.woke(2) == false && !probe.asks)
    probe.elapsed += 1_000
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 3, stamp: nil))
    try probe.read(old)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(old)
    try probe.written(old)
    probe.step(.failed(try probe.ticket(), unclear))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    #expect(!probe.asks && probe.woke(3) == nil)
    try probe.read(
      MachineWorld.known(
        2, MachineWorld.first, revision: 1, lifetime: 10_000, issued: MachineWorld.moment(1_000), tokens: 2))
    #expect(!probe.asks && probe.woke(3) == true)
  }
}
