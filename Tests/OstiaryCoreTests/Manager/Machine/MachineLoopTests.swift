import Foundation
import Testing

@testable import OstiaryCore

/// The machine stops for a while when a server refuses what it gives, and for nothing else.
@Suite("Invariant 9: new sessions that are refused in a row") struct MachineLoopTests {
  private typealias Known = KnownSession<TestProof>

  private static func sessionOfAnother(_ number: Int) -> Known {
    MachineWorld.known(number, MachineWorld.lineage(UInt8(number)), revision: 0, tokens: UInt8(number))
  }

  @Test("DPoP-19: sessions that other processes were given count for nothing: the last one is renewed like the first")
  func givenToOthers() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    for number in 1...6 {
      let known = Self.sessionOfAnother(number)
      if number > 1 { probe.step(.needed(.look, caller: UInt64(10 + number), stamp: nil)) }
      try probe.read(known)
      #expect(probe.machine.session.usable?.digest == known.digest)
      probe.step(.refused(known.version, reason: "401"))
      #expect(probe.machine.pause == .none, "session \(number)")
    }
    let known = Self.sessionOfAnother(6)
    probe.step(.needed(.ensure(.rejectedByServer, failures: 0), caller: 30, stamp: nil))
    try probe.read(known)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(known)
    try probe.written(known)
    #expect(probe.renews?.digest == known.digest)
  }

  @Test("What renewals give counts: the third that is refused unused makes callers wait", arguments: [false, true])
  func givenHere(isAccepted: Bool) throws {
    var probe = MachineProbe()
    var known = Self.sessionOfAnother(1)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known)
    for number in 2...4 {
      probe.step(.refused(known.version, reason: "401"))
      #expect(probe.machine.pause == .none, "session \(number)")
      probe.step(.needed(.ensure(.rejectedByServer, failures: 0), caller: UInt64(number), stamp: nil))
      try probe.read(known)
      probe.step(.claimed(try probe.ticket()))
      try probe.read(known)
      try probe.written(known)
      probe.step(.renewed(try probe.ticket()))
      known = MachineWorld.known(
        number, MachineWorld.lineage(1), revision: UInt64(2 * number), tokens: UInt8(number))
      probe.step(.prepared(try probe.ticket(), known))
      try probe.written(known)
      #expect(probe.machine.session.usable?.digest == known.digest)
      if isAccepted { probe.step(.accepted(known.version)) }
    }
    probe.step(.refused(known.version, reason: "401"))
    #expect((probe.machine.pause == .none) == isAccepted)
    // A session of another process ends no pause of that kind, or processes that sign in by turns would go on for ever.
    probe.step(.needed(.look, caller: 40, stamp: nil))
    try probe.read(Self.sessionOfAnother(9))
    #expect(probe.machine.session.usable?.digest == Self.sessionOfAnother(9).digest)
    #expect((probe.machine.pause == .none) == isAccepted)
  }
}
