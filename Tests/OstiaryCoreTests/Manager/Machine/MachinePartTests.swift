import Foundation
import Testing

@testable import OstiaryCore

/// A part of the proof is renewed by itself, in the session's one flight.
@Suite("The machine's renewal of a part") struct MachinePartTests {
  private typealias Known = KnownSession<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 100, tokens: 1)
  private let new = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 100, tokens: 2)

  /// Part `a` is at the server.
  private func renewing(_ probe: inout MachineProbe, at elapsed: Double = 0) throws -> Ticket {
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    probe.elapsed = elapsed
    probe.step(.needed(.newer(than: old.tokens, part: "a"), caller: 2, stamp: nil))
    try probe.read(old)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(old)
    try probe.written(old)
    #expect(probe.renews?.digest == old.digest)
    return try probe.ticket()
  }

  private func land(_ probe: inout MachineProbe, _ ticket: Ticket) throws {
    probe.step(.renewed(ticket))
    probe.step(.prepared(try probe.ticket(), new))
    #expect(probe.saves && probe.woke(2) == nil)
    try probe.written(new)
    #expect(probe.woke(2) == true)
  }

  @Test("RES-3: others of the same part wait for it; who needs another part looks again when it has landed")
  func waiters() throws {
    var probe = MachineProbe()
    let ticket = try renewing(&probe)
    probe.step(.needed(.newer(than: old.tokens, part: "a"), caller: 3, stamp: nil))
    probe.step(.needed(.newer(than: old.tokens, part: "b"), caller: 4, stamp: nil))
    #expect(probe.actions.isEmpty)
    try land(&probe, ticket)
    #expect(probe.woke(3) == true && probe.woke(4) == true)
    #expect(probe.machine.session.usable?.digest == new.digest && probe.machine.access == .none)
  }

  @Test("RES-3: a failure is that of those who wait for the same part alone, and leaves the session as it is")
  func failure() throws {
    var probe = MachineProbe()
    let ticket = try renewing(&probe)
    probe.step(.needed(.newer(than: old.tokens, part: "a"), caller: 3, stamp: nil))
    probe.step(.needed(.newer(than: old.tokens, part: "b"), caller: 4, stamp: nil))
    let refusal = OstiaryError(.noProofForAddress, "No.", requestMayHaveExecuted: false)
    probe.step(.failed(ticket, Failure(error: refusal)))
    #expect(probe.woke(2) == nil, "it is written first that the renewal is over")
    try probe.written(old)
    #expect(probe.woke(2) == false && probe.woke(3) == false)
    #expect(probe.woke(4) == nil, "its own part is asked for next")
    #expect(probe.machine.session.usable?.digest == old.digest)
  }

  @Test("RES-8: a part that lands while the rest was refused leaves that refused")
  func refused() throws {
    var probe = MachineProbe()
    let ticket = try renewing(&probe)
    probe.step(.refused(old.version, reason: "401"))
    try land(&probe, ticket)
    #expect(probe.machine.session.usable == nil)
    #expect(probe.machine.session.known?.digest == new.digest, "the tokens that it brought are kept")
  }

  @Test("RES-15: a part that lands leaves the rest accepted as it was")
  func accepted() throws {
    var probe = MachineProbe()
    let ticket = try renewing(&probe)
    probe.step(.accepted(old.version))
    try land(&probe, ticket)
    #expect(probe.machine.session.usable?.isAccepted == true)
  }

  @Test("RES-3: it needs nothing of the rest, which stays past its date, also where another process has brought it")
  func stale() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    probe.elapsed = 200
    probe.step(.needed(.newer(than: old.tokens, part: "a"), caller: 2, stamp: nil))
    try probe.read(old)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(new)
    #expect(probe.woke(2) == true && probe.renews == nil)
    #expect(probe.machine.session.usable?.isFresh(at: MachineWorld.moment(200)) == false)
  }

  @Test("RES-3: a kind of server that gives no parts leaves the session's date as it is")
  func notRenewable() throws {
    var probe = MachineProbe()
    let ticket = try renewing(&probe, at: 200)
    probe.step(.notRenewable(ticket))
    #expect(probe.woke(2) == true)
    #expect(probe.machine.session.usable?.usedFor == old.usedFor)
  }
}
