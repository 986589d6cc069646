import Foundation
import Testing

@testable import OstiaryCore

/// What a machine says of its own renewals, and what it believes of tokens that they have used up.
@Suite("The machine's claims and used tokens") struct MachineClaimTests {
  private typealias Known = KnownSession<TestProof>

  private let old = MachineWorld.known(1, MachineWorld.first, revision: 0, lifetime: 10, tokens: 1)

  /// The claim in what the last step saves.
  private func claim(_ probe: MachineProbe) -> RenewalClaim?? {
    probe.actions.lazy.compactMap { action -> RenewalClaim?? in
      if case .save(_, _, _, let claim, _) = action { .some(claim) } else { nil }
    }.first
  }

  @Test("L27: a renewal that could not be written leaves no claim behind once it is")
  func claimAfterLanding() throws {
    var probe = MachineProbe(accessCanBeLost: true)
    probe.step(.renewed(try probe.renewing(old)))
    let new = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 100, tokens: 2)
    probe.step(.prepared(try probe.ticket(), new))
    probe.fail(try probe.ticket())
    probe.step(.timePassed(.writing))
    #expect(claim(probe) == .some(nil))
  }

  @Test("L27: a renewal that comes to nothing takes its claim out of the store", arguments: 0..<3)
  func claimAfterNothing(kind: Int) throws {
    var probe = MachineProbe(accessCanBeLost: true)
    let renewal = try probe.renewing(old)
    #expect(probe.machine.stored.claim != nil)
    switch kind {
    case 0: probe.step(.notRenewable(renewal))
    case 1: probe.step(.failed(renewal, Failure(error: OstiaryError(.serverUnavailable, "Later."), mayRepeat: false)))
    default:
      probe.step(.failed(renewal, Failure(error: OstiaryError(.invalidCredentials, "Below."), isLowerLayer: true)))
    }
    #expect(claim(probe) == .some(nil))
    probe.step(.written(try probe.ticket(), Data("again".utf8), nil))
    #expect(probe.machine.stored.claim == nil && probe.machine.writing == .clean)
  }

  @Test("L27: a write that began during the renewal and ends after it is followed by one without the claim")
  func claimInWriteUnderWay() throws {
    var probe = MachineProbe(accessCanBeLost: true)
    let renewal = try probe.renewing(old)
    let cookie = MachineWorld.known(3, MachineWorld.first, revision: 1, lifetime: 10, tokens: 1)
    probe.cookie(cookie, over: old)
    #expect(claim(probe).map { $0 != nil } == true, "the renewal is at the server")
    let save = try probe.ticket()
    probe.step(.notRenewable(renewal))
    probe.step(.written(save, MachineWorld.data(cookie), nil))
    #expect(claim(probe) == .some(nil))
  }

  @Test("L27: another process's claim is carried through")
  func claimOfAnother() throws {
    let other = RenewalClaim(writer: MachineWorld.lineage(200), process: nil, number: 1, bound: 90)
    var probe = MachineProbe(accessCanBeLost: true)
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old, claim: other)
    probe.cookie(MachineWorld.known(3, MachineWorld.first, revision: 1, lifetime: 10, tokens: 1), over: old)
    #expect(claim(probe) == .some(other))
  }

  /// A machine that has renewed twice, from tokens 1 to 2 to 3.
  private func renewedTwice() throws -> (MachineProbe, Known) {
    var probe = MachineProbe()
    probe.step(.renewed(try probe.renewing(old)))
    let second = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10, tokens: 2)
    probe.step(.prepared(try probe.ticket(), second))
    try probe.written(second)
    probe.elapsed += 20
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 3, stamp: nil))
    try probe.read(second)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(second)
    try probe.written(second)
    probe.step(.renewed(try probe.ticket()))
    let third = MachineWorld.known(
      3, MachineWorld.first, revision: 2, lifetime: 1_000,
      issued: Moment(wall: Date(timeIntervalSince1970: probe.elapsed)), tokens: 3)
    probe.step(.prepared(try probe.ticket(), third))
    try probe.written(third)
    return (probe, third)
  }

  @Test(
    "L28: tokens that renewals have used up are not gone on with, whatever puts them back, and also with newer cookies",
    arguments: [(UInt64(0), 1), (9, 1), (9, 50)], [true, false])
  func usedTokens(found: (revision: UInt64, number: Int), isRefused: Bool) throws {
    var (probe, own) = try renewedTwice()
    // A 401 is about the token that expires; the one that renews is good.
    if isRefused { probe.step(.refused(own.version, reason: "401")) }
    probe.step(.needed(.look, caller: 4, stamp: nil))
    try probe.read(
      MachineWorld.known(found.number, MachineWorld.first, revision: found.revision, lifetime: 10, tokens: 1))
    #expect(probe.machine.session.known?.digest == own.digest)
    #expect(probe.saves, "the own tokens are written back")
  }

  @Test("L28: what another process's renewal has used up isn't gone on with either")
  func usedElsewhere() throws {
    var probe = MachineProbe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(old)
    let newer = MachineWorld.known(2, MachineWorld.first, revision: 1, lifetime: 10, tokens: 2)
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(newer)
    #expect(probe.machine.session.known?.digest == newer.digest)
    probe.step(.needed(.look, caller: 3, stamp: nil))
    try probe.read(old)
    #expect(probe.machine.session.known?.digest == newer.digest)
  }

  @Test("L28: a cookie of two renewals ago, put back over a damaged entry, does not take the newer one's place")
  func usedCookie() throws {
    var probe = MachineProbe()
    func renewal(_ number: Int, _ revision: UInt64) -> Known {
      MachineWorld.known(number, MachineWorld.first, revision: revision, lifetime: 10)
    }
    let first = renewal(1, 0)
    probe.step(.renewed(try probe.renewing(first)))
    var last = renewal(2, 1)
    probe.step(.prepared(try probe.ticket(), last))
    try probe.written(last)
    probe.elapsed += 20
    probe.step(.needed(.ensure(.neededByRequest, failures: nil), caller: 3, stamp: nil))
    try probe.read(last)
    probe.step(.claimed(try probe.ticket()))
    try probe.read(last)
    try probe.written(last)
    probe.step(.renewed(try probe.ticket()))
    last = renewal(3, 2)
    probe.step(.prepared(try probe.ticket(), last))
    try probe.written(last)
    probe.step(.needed(.look, caller: 4, stamp: nil))
    try probe.read(first.revised(ProofVersion(lineage: MachineWorld.first, revision: 7)))
    #expect(probe.machine.session.known?.digest == last.digest)
    #expect(probe.saves)
  }

  @Test("L29: another process's refusal of what is being renewed does not end the renewal")
  func refusedElsewhereMeanwhile() throws {
    var probe = MachineProbe()
    let renewal = try probe.renewing(old)
    let cookie = MachineWorld.known(3, MachineWorld.first, revision: 1, lifetime: 10, tokens: 1)
    probe.cookie(cookie, over: old)
    probe.step(.writeFailed(try probe.ticket(), .storeConflict))
    let entry = EndedEntry(
      lineage: old.lineage, cause: .rejectedByServer, date: Date(timeIntervalSince1970: 0),
      refused: [old.digest, cookie.digest])
    let content = StoreContent<TestProof>(entry: .ended(entry), data: Data("refused".utf8))
    probe.step(.storeRead(try probe.ticket(), content))
    #expect(!probe.discards)
    probe.step(.renewed(renewal))
    let new = MachineWorld.known(4, MachineWorld.first, revision: 2, lifetime: 100, tokens: 2)
    probe.step(.prepared(try probe.ticket(), new))
    try probe.written(new)
    #expect(probe.machine.session.usable?.digest == new.digest)
    #expect(probe.woke(2) == true)
  }
}
