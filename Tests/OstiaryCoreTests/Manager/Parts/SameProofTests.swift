import Foundation
import HTTPTypes
import OstiaryTesting
import Testing

@testable import OstiaryCore

/// A late word about what a request carried is one about the proof that is known now, where that is the same under another version.
@Suite("Since when the proof is the same") struct SameProofTests {
  private static let lineage = MachineWorld.lineage(1)

  private func version(_ revision: UInt64, _ lineage: UUID = SameProofTests.lineage) -> ProofVersion {
    ProofVersion(lineage: lineage, revision: revision)
  }

  private func prepared(
    _ version: ProofVersion, token: String = "a", since: ProofVersion? = nil, isMade: Bool = false
  ) throws -> PreparedSession {
    let server = try #require(URL(string: "https://host.example"))
    let origins = [try #require(Origin(server))]
    let session = Session(
      kind: AuthenticatorKind("test"), server: server, version: version,
      grant: SessionGrant(user: .init(id: "ann"), proof: Proof(tokens: ["a": Secret(token)])), issuedAt: .distantPast)
    return PreparedSession(
      session,
      attachment: ProofAttachment(
        origins: origins, fields: isMade ? [] : [HTTPField(name: .authorization, value: "Bearer " + token)],
        perRequest: isMade ? MadeProof() : nil),
      sameSince: since)
  }

  /// Proof that is made for each request, and shows nothing.
  private final class MadeProof: RequestProof {
    func attach(to request: inout HTTPRequest, body: Data?) {}
    func review(
      _ response: HTTPResponse, body: Data?, to request: TransportRequest, repetitions: Int?
    ) -> ProofReview { .undecided }
  }

  @Test(
    "RES-15: a version that is raised over another process's is of the same proof; one that is given to other proof is not"
  )
  func raised() throws {
    let own = try prepared(version(2), since: version(1))
    let raised = own.raised(to: version(5))
    #expect(raised.version == version(5) && raised.session.version == version(5))
    #expect(raised.isProof(shownAs: version(1)) && raised.isProof(shownAs: version(2)))
    #expect(!raised.isProof(shownAs: version(0)) && !raised.isProof(shownAs: version(2, MachineWorld.lineage(2))))
    let revised = own.revised(version(5))
    #expect(!revised.isProof(shownAs: version(2)))
  }

  @Test("RES-15: what is taken over is the same where requests get the same from it")
  func following() throws {
    let own = try prepared(version(2), since: version(1))
    #expect(try prepared(version(3)).following(own).isProof(shownAs: version(1)))
    #expect(try !prepared(version(3), token: "b").following(own).isProof(shownAs: version(2)))
    #expect(try !prepared(version(3), isMade: true).following(own).isProof(shownAs: version(2)))
    let other = version(3, MachineWorld.lineage(2))
    #expect(try !prepared(other).following(own).isProof(shownAs: version(2)))
  }

  /// Proof that says how it came to its version.
  private struct NotedProof: PreparedValue {
    let number: Int
    var version: ProofVersion
    var way: [String] = []

    private func noting(_ step: String, _ version: ProofVersion) -> NotedProof {
      NotedProof(number: number, version: version, way: way + [step])
    }
    func revised(_ version: ProofVersion) -> NotedProof { noting("revised", version) }
    func raised(to version: ProofVersion) -> NotedProof { noting("raised", version) }
    func following(_ earlier: NotedProof) -> NotedProof { noting("following \(earlier.number)", version) }
    func isProof(shownAs shown: ProofVersion) -> Bool { way == ["raised"] && version.isLater(than: shown) }
  }

  /// A machine of such proof, which is given one input after another.
  private struct Probe {
    typealias Known = KnownSession<NotedProof>
    var machine = SessionMachine<NotedProof>(settings: SessionSettings())
    var actions: [SessionAction<NotedProof>] = []

    mutating func step(_ input: SessionInput<NotedProof>) {
      actions = machine.step(input, at: Moment(wall: Date(timeIntervalSince1970: 5)), jitter: 1)
    }

    /// The ticket of an action of the last step.
    func ticket(_ of: (SessionAction<NotedProof>) -> Ticket?) -> Ticket? { actions.compactMap(of).first }

    mutating func read(_ known: Known) throws {
      let ticket = try #require(ticket { if case .read(let ticket) = $0 { ticket } else { nil } })
      step(.storeRead(ticket, StoreContent(entry: .session(known, alternatives: []), data: Data([1]))))
    }

    /// The write of the last step finds that another process was quicker, which has written this.
    mutating func conflict(_ known: Known) throws {
      let ticket = try #require(ticket { if case .save(let ticket, _, _, _, _) = $0 { ticket } else { nil } })
      step(.writeFailed(ticket, .storeConflict))
      try read(known)
    }

    var way: [String]? { machine.session.known?.prepared.way }
  }

  private func known(_ number: UInt8, _ revision: UInt64) -> Probe.Known {
    let version = version(revision)
    return Probe.Known(
      prepared: NotedProof(number: Int(number), version: version), version: version, user: .init(id: "ann"),
      digest: ProofDigest(bytes: [number]), tokens: ProofDigest(bytes: [0]),
      issued: Moment(wall: Date(timeIntervalSince1970: 0)), begun: nil, lifetime: nil, margin: 0)
  }

  /// The own cookie was given here while another process was given one.
  private func both() throws -> Probe {
    var probe = Probe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known(1, 0))
    probe.step(.changed(known(2, 1), over: known(1, 0), isProof: true, shown: known(1, 0).digest, waiter: nil))
    try probe.conflict(known(3, 1))
    return probe
  }

  @Test("RES-15: the own proof beside another process's is raised, and a late refusal of it counts")
  func keptBeside() throws {
    var probe = try both()
    #expect(probe.machine.session.usable?.version == version(2) && probe.way == ["raised"])
    probe.step(.refused(version(1), reason: "401"))
    // The other process's takes its place, and nothing that was shown was that one.
    #expect(probe.machine.session.usable?.digest == known(3, 1).digest)
    #expect(probe.way == ["revised"])
  }

  @Test("RES-15: so does the server's word that it was asked for, about a version of before")
  func asked() throws {
    var probe = try both()
    probe.step(.needed(.confirm(version(1)), caller: 2, stamp: nil))
    let ticket = try #require(probe.ticket { if case .verify(let ticket, _) = $0 { ticket } else { nil } })
    probe.step(.verified(ticket, isValid: false, reason: "over"))
    #expect(probe.machine.session.usable?.digest == known(3, 1).digest)
  }

  @Test("RES-15: what was stored in the place of a refused proof gets a version of its own")
  func adopted() throws {
    var probe = Probe()
    probe.step(.needed(.restore, caller: 1, stamp: nil))
    try probe.read(known(1, 1))
    probe.step(.refused(version(1), reason: "401"))
    probe.step(.needed(.look, caller: 2, stamp: nil))
    try probe.read(known(2, 1))
    #expect(probe.machine.session.usable?.version == version(2))
    #expect(probe.way == ["revised", "following 1"])
  }

  @Test(
    "RES-15: the acceptance of what was shown before a part came is the present proof's, and stays with the next part")
  func accepted() async throws {
    let world = PartWorld()
    let manager = try await world.signedIn()
    let gate = Gate()
    world.transport.inject(.holdResponse(gate), into: .get("/things"), at: .nth(1))
    let late = Task { try await world.get(manager, "/things") }
    try await gate.waitForArrivals()
    #expect(try await world.get(manager, "/part/list") == .ok)
    #expect(manager.driver.snapshot.usable?.isAccepted == false)
    gate.open()
    #expect(try await late.value == .ok)
    #expect(manager.driver.snapshot.usable?.isAccepted == true)
    world.state.withLock { $0.part = "" }
    #expect(try await world.get(manager, "/part/list") == .ok)
    #expect(world.transport.count(.post, "/renew-part") == 2)
    #expect(manager.driver.snapshot.usable?.isAccepted == true)
  }
}
