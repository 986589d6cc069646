import Foundation
import Testing

@testable import OstiaryCore

@Suite("Tokens have an order") struct OlderTokensTests {
  private static func known(_ number: UInt8, tokens: UInt8, _ lineage: UUID, revision: UInt64) -> KnownSession<
    TestProof
  > {
    let version = ProofVersion(lineage: lineage, revision: revision)
    return KnownSession(
      prepared: TestProof(number: Int(number), version: version), version: version, user: .init(id: "ann"),
      digest: ProofDigest(bytes: [number]), tokens: ProofDigest(bytes: [tokens]),
      issued: Moment(wall: Date(timeIntervalSince1970: 0)), begun: nil, lifetime: nil, margin: 0)
  }

  private static func content(_ known: KnownSession<TestProof>) -> StoreContent<TestProof> {
    StoreContent(
      entry: .session(known, alternatives: []), data: Data([UInt8(truncatingIfNeeded: known.prepared.number)]))
  }

  @Test("A cookie given with used tokens is not written over the tokens that another process renewed")
  func cookieOverRenewal() throws {
    let now = Moment(wall: Date(timeIntervalSince1970: 1))
    let lineage = UUID()
    var machine = SessionMachine<TestProof>(settings: SessionSettings())
    func ticket(_ actions: [SessionAction<TestProof>]) -> Ticket? {
      for action in actions {
        switch action {
        case .read(let ticket), .save(let ticket, _, _, _, _): return ticket
        default: break
        }
      }
      return nil
    }
    let old = Self.known(1, tokens: 1, lineage, revision: 0)
    let reading = machine.step(.needed(.restore, caller: 1, stamp: nil), at: now, jitter: 1)
    _ = machine.step(.storeRead(try #require(ticket(reading)), Self.content(old)), at: now, jitter: 1)
    // Two answers bring newer cookies, so that the own revision is the higher one.
    let newer = Self.known(2, tokens: 1, lineage, revision: 5)
    let saving = machine.step(
      .changed(newer, over: try #require(machine.session.known), isProof: true, shown: old.digest, waiter: nil),
      at: now, jitter: 1)
    let rereading = machine.step(.writeFailed(try #require(ticket(saving)), .storeConflict), at: now, jitter: 1)
    // Another process has renewed the session meanwhile.
    let renewed = Self.known(3, tokens: 2, lineage, revision: 1)
    let after = machine.step(
      .storeRead(try #require(ticket(rereading)), Self.content(renewed)), at: now, jitter: 1)
    #expect(machine.session.known?.digest == renewed.digest)
    #expect(ticket(after) == nil, "the used tokens are written again")
  }
}
