import Foundation
import Testing

@testable import OstiaryCore

@Suite("What is kept of renewals that brought nothing") struct RenewalTrailTests {
  private let own = MachineWorld.lineage(1)
  private let other = MachineWorld.lineage(2)

  private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test("LOST-4: a renewal that another writer began and wrote nothing more of is lost; one's own is not")
  func begun() {
    var trail = RenewalTrail()
    trail.begin(by: own, at: date(1))
    trail.begin(by: own, at: date(2))
    #expect(trail.lost == nil && trail.explanation == nil)
    trail.begin(by: other, at: date(3))
    #expect(trail.lost == RenewalTrail.Lost(date: date(2), isSeen: false))
    trail.end()
    trail.begin(by: own, at: date(4))
    #expect(trail.lost == RenewalTrail.Lost(date: date(2), isSeen: false), "the first one counts")
    trail.lose(at: date(5))
    #expect(trail.lost == RenewalTrail.Lost(date: date(4), isSeen: true) && trail.begun == nil)
    #expect(trail.explanation?.contains("1970-01-01T00:00:04Z") == true)
  }

  @Test("LOST-5: refusals count from the first, in number and time")
  func refused() {
    var trail = RenewalTrail()
    trail.refuse(at: date(100))
    #expect(trail.repetition == nil)
    trail.refuse(at: date(200))
    #expect(!trail.isRefusedForGood(at: date(1_000)), "twice is not often")
    trail.refuse(at: date(120))
    #expect(trail.repetition == "It has done so 3 times since 1970-01-01T00:01:40Z.")
    #expect(!trail.isRefusedForGood(at: date(159)) && trail.isRefusedForGood(at: date(160)))
    trail.refuse(at: date(50))
    #expect(trail.refused?.since == date(50) && !trail.isRefusedForGood(at: date(109)))
    trail.end()
    #expect(trail.refused?.count == 4)
  }

  @Test("LOST-4: it is stored beside the session, and takes no room where there is none")
  func stored() throws {
    let session = Session(
      kind: AuthenticatorKind("test"), server: ScriptedServerAddress.url, version: ProofVersion(),
      grant: SessionGrant(user: .init(id: "ann"), proof: Proof()), issuedAt: date(0))
    var trail = RenewalTrail()
    trail.begin(by: own, at: date(1))
    trail.begin(by: other, at: date(2))
    trail.refuse(at: date(3))
    let data = try SessionCodec.encode(StoredEntry(session: session, trail: trail))
    #expect(try SessionCodec.decodeEntry(data).trail == trail)
    let none = try SessionCodec.encode(StoredEntry(session: session))
    #expect(try SessionCodec.decodeEntry(none).trail == nil)
    #expect(!String(decoding: none, as: UTF8.self).contains("trail"))
  }
}

private enum ScriptedServerAddress {
  static let url = URL(string: "https://host.example") ?? URL(filePath: "/")
}
