import Foundation
import Testing

@testable import OstiaryCore

/// What a renewal gave may be written before it is judged: no caller and no other process uses it until then.
@Suite("The machine's judgement of what it has written") struct MachineJudgementTests {
  private typealias Known = KnownSession<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10, tokens: 1)
  private let unjudged = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: -1000, tokens: 2)
  private let judged = MachineWorld.known(3, MachineWorld.first, revision: 2, lifetime: 100, tokens: 3)

  private func told(_ probe: MachineProbe) -> [SessionEvent.Kind] {
    probe.actions.compactMap { if case .tell(let kind, _, _, _) = $0 { kind } else { nil } }
  }

  /// The renewal has been written and is at its judgement.
  private func judging(_ probe: inout MachineProbe) throws -> Ticket {
    probe.step(.renewed(try probe.renewing(old), isUnjudged: true))
    #expect(probe.prepares)
    probe.step(.prepared(try probe.ticket(), unjudged))
    #expect(probe.saves && probe.woke(2) == nil)
    try probe.written(unjudged)
    #expect(probe.renews?.digest == unjudged.digest)
    return try probe.ticket()
  }

  @Test("OpenID-3: what is not judged is shown to no caller and told in no event", arguments: [true, false])
  func wholeWay(accessCanBeLost: Bool) throws {
    var probe = MachineProbe(accessCanBeLost: accessCanBeLost)
    let ticket = try judging(&probe)
    #expect(probe.woke(2) == nil)
    #expect(told(probe).isEmpty)
    #expect(probe.machine.access == .held, "no other process begins meanwhile")
    #expect(probe.machine.work.mayHaveGiven, "a flush waits for it")
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 3, stamp: nil))
    #expect(probe.woke(3) == nil)
    probe.step(.renewed(ticket, droppedPart: "a part"))
    #expect(told(probe).isEmpty, "it may not land")
    probe.step(.prepared(try probe.ticket(), judged))
    try probe.written(judged)
    #expect(probe.woke(2) == true && probe.woke(3) == true)
    #expect(told(probe) == [.partDropped, .renewed])
    #expect(probe.machine.session.usable?.digest == judged.digest)
    #expect(probe.machine.access == .none)
  }

  @Test("OpenID-3: a judgement that can't be had now fails the callers, uses nothing, and is tried again as such")
  func later() throws {
    var probe = MachineProbe()
    let ticket = try judging(&probe)
    let down = OstiaryError(.serverUnavailable, "No keys.")
    probe.step(.failed(ticket, Failure(error: down, mayRepeat: false)))
    #expect(probe.woke(2) == false)
    #expect(probe.machine.session.usable?.digest == unjudged.digest, "nothing is lost")
    probe.elapsed += 1000
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 4, stamp: nil))
    try probe.read(unjudged)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(unjudged)
    try probe.written(unjudged)
    #expect(probe.renews?.digest == unjudged.digest)
  }

  @Test("OpenID-3: another process that finds it does not use it, and judges it when its turn comes")
  func anotherProcess() throws {
    var probe = MachineProbe()
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 1, stamp: nil))
    try probe.read(unjudged)
    #expect(probe.woke(1) == nil)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(judged)
    #expect(probe.woke(1) == true, "the first process has judged it")
    #expect(probe.machine.session.usable?.digest == judged.digest)
  }

  @Test("OpenID-3: a judgement that is the server's definite word ends the session")
  func another() throws {
    var probe = MachineProbe()
    probe.refuse(try judging(&probe))
    try probe.read(unjudged)
    #expect(probe.machine.session.usable == nil)
  }

  @Test("OpenID-3: what could not be written is judged all the same, and access is kept until it is written")
  func unsaved() throws {
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old), isUnjudged: true))
    probe.step(.prepared(try probe.ticket(), unjudged))
    probe.fail(try probe.ticket())
    #expect(probe.renews?.digest == unjudged.digest)
    #expect(probe.woke(2) == nil)
    probe.step(.renewed(try probe.ticket()))
    probe.step(.prepared(try probe.ticket(), judged))
    probe.fail(try probe.ticket())
    #expect(probe.woke(2) == true)
    #expect(probe.machine.access == .held && probe.machine.writing.debt?.holds == true)
  }

  @Test("OpenID-3: a judgement that wants another one does not go on for ever")
  func bounded() throws {
    var probe = MachineProbe()
    let ticket = try judging(&probe)
    probe.step(.renewed(ticket, isUnjudged: true))
    probe.step(.prepared(try probe.ticket(), judged))
    try probe.written(judged)
    #expect(probe.woke(2) == true && probe.renews == nil)
  }

  @Test(
    "OpenID-3: a judgement lands on nothing that another process was given since, and ends none of it at the server")
  func overtaken() throws {
    // This one was stopped meanwhile. The other has judged the same, and renewed it: what is judged here is used up.
    let newer = MachineWorld.known(4, MachineWorld.first, revision: 3, lifetime: 1000, tokens: 4)
    var probe = MachineProbe(accessCanBeLost: true)
    probe.step(.renewed(try judging(&probe)))
    probe.step(.prepared(try probe.ticket(), judged))
    probe.step(.writeFailed(try probe.ticket(), OstiaryError(.storeConflict, "Another process.")))
    try probe.read(newer)
    #expect(!probe.prepares && !probe.saves && !probe.discards && probe.endsAtServer.isEmpty)
    #expect(probe.woke(2) == true)
    #expect(probe.machine.session.usable?.digest == newer.digest)
  }

  @Test("OpenID-3: what another process was given since and is past its date is renewed, and that is judged, too")
  func overtakenLate() throws {
    let newer = MachineWorld.known(4, MachineWorld.first, revision: 3, lifetime: 5, tokens: 4)
    let next = MachineWorld.known(5, MachineWorld.first, revision: 4, lifetime: -1000, tokens: 5)
    var probe = MachineProbe(accessCanBeLost: true)
    probe.step(.renewed(try judging(&probe)))
    probe.step(.prepared(try probe.ticket(), judged))
    probe.step(.writeFailed(try probe.ticket(), OstiaryError(.storeConflict, "Another process.")))
    try probe.read(newer)
    #expect(!probe.prepares && probe.woke(2) == nil)
    try probe.read(newer)
    try probe.written(newer)
    #expect(probe.renews?.digest == newer.digest)
    probe.step(.renewed(try probe.ticket(), isUnjudged: true))
    probe.step(.prepared(try probe.ticket(), next))
    try probe.written(next)
    #expect(probe.woke(2) == nil && told(probe).isEmpty, "it is not judged yet")
    #expect(probe.renews?.digest == next.digest)
  }

  @Test("OpenID-3: what is judged when its time is up is renewed before a caller sees it, once")
  func tooLate() throws {
    var probe = MachineProbe()
    let ticket = try judging(&probe)
    let over = MachineWorld.known(4, MachineWorld.first, revision: 2, lifetime: 1, tokens: 4)
    probe.step(.renewed(ticket))
    probe.step(.prepared(try probe.ticket(), over))
    try probe.written(over)
    #expect(probe.woke(2) == nil)
    try probe.read(over)
    try probe.written(over)
    #expect(probe.renews?.digest == over.digest)
    let fresh = MachineWorld.known(5, MachineWorld.first, revision: 3, lifetime: 1000, tokens: 5)
    probe.step(.renewed(try probe.ticket()))
    probe.step(.prepared(try probe.ticket(), fresh))
    try probe.written(fresh)
    #expect(probe.woke(2) == true)
  }

  @Test("OpenID-3: what a process found and judges does not take the place of what another has renewed since")
  func foundAndOvertaken() throws {
    var probe = MachineProbe(accessCanBeLost: true)
    let ticket = try probe.renewing(unjudged)
    probe.step(.renewed(ticket, isJudged: true))
    probe.step(.prepared(try probe.ticket(), judged))
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let newer = MachineWorld.known(6, MachineWorld.first, revision: 4, lifetime: 1000, tokens: 6)
    try probe.read(newer)
    #expect(!probe.saves && !probe.prepares)
    #expect(probe.woke(2) == true)
    #expect(probe.machine.session.usable?.digest == newer.digest)
  }

  @Test("OpenID-3: a sign-out during the judgement ends what is being judged at the server")
  func signOut() throws {
    var probe = MachineProbe()
    let ticket = try judging(&probe)
    probe.step(.signedOutHere(caller: 9))
    #expect(probe.machine.session.usable == nil)
    probe.step(.renewed(ticket))
    #expect(!probe.prepares)
  }
}
