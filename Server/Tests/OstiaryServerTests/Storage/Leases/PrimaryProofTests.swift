import Testing

@testable import OstiaryServer

@Suite("Whether what was read from a database may be answered with")
struct PrimaryProofTests {
  private let here = DatabaseIdentity(system: 1, timeline: 1)
  private let there = DatabaseIdentity(system: 1, timeline: 2)
  private let terms = LeaseTerms()
  private let start = ContinuousClock.now

  /// So many milliseconds after the start.
  private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  @Test("OP-06: of many threads one asks for the proof; a commit proves for a lease, and only its own database")
  func one() {
    var proof = PrimaryProof(terms)
    #expect(proof.standing(of: here, readBy: at(0), at: at(0)) == .unproven)
    #expect(proof.standing(of: here, readBy: at(1), at: at(1)) == .asked)
    proof.answered(here, sent: at(0), at: at(2))
    #expect(proof.standing(of: here, readBy: at(999), at: at(5000)) == .primary)
    #expect(proof.standing(of: there, readBy: at(3), at: at(3)) == .unproven)
    // An older answer takes nothing back, nor does a failed question.
    proof.committed(here, sent: at(-5000))
    proof.answered(nil, sent: at(3), at: at(4))
    #expect(proof.standing(of: here, readBy: at(999), at: at(999)) == .primary)
    #expect(proof.standing(of: here, readBy: at(1000), at: at(1000)) == .unproven)
  }

  @Test(
    "OP-06: what was read before a write was sent is right however late that is committed; what was read later is not")
  func late() {
    var proof = PrimaryProof(terms)
    #expect(proof.standing(of: here, readBy: at(0), at: at(0)) == .unproven)
    #expect(proof.standing(of: here, readBy: at(500), at: at(2900)) == .asked)
    #expect(proof.standing(of: here, readBy: at(1500), at: at(2900)) == .asked)
    proof.answered(here, sent: at(0), at: at(2900))
    #expect(proof.standing(of: here, readBy: at(500), at: at(2900)) == .primary)
    #expect(proof.standing(of: here, readBy: at(1500), at: at(2900)) == .unproven)
    #expect(proof.standing(of: here, readBy: at(1600), at: at(2900)) == .asked)
    proof.answered(here, sent: at(2900), at: at(4000))
    #expect(proof.standing(of: here, readBy: at(1600), at: at(4000)) == .primary)
  }

  @Test("OP-06: a read waits for a time, and for a lease alone where the database has committed nothing in that time")
  func patience() {
    var proof = PrimaryProof(terms)
    #expect(proof.patience == terms.proof && terms.proof > terms.lease)
    #expect(proof.standing(of: here, readBy: at(0), at: at(0)) == .unproven)
    #expect(proof.standing(of: here, readBy: at(10), at: at(3009)) == .asked)
    #expect(proof.standing(of: here, readBy: at(10), at: at(3010)) == .doubtful)
    proof.answered(nil, sent: at(0), at: at(3500))
    #expect(proof.patience == terms.lease)
    #expect(proof.standing(of: here, readBy: at(4000), at: at(4000)) == .unproven)
    #expect(proof.standing(of: here, readBy: at(4000), at: at(4999)) == .asked)
    #expect(proof.standing(of: here, readBy: at(4000), at: at(5000)) == .doubtful)
    // A commit of anything is the end of that.
    proof.committed(here, sent: at(5000))
    #expect(proof.patience == terms.proof)
  }

  @Test("OP-06: after a proof that has failed there is a pause, which grows up to a limit and ends with a commit")
  func pause() {
    var proof = PrimaryProof(terms)
    var now = 0
    var pauses: [Int] = []
    for _ in 0..<70 {
      #expect(proof.standing(of: here, readBy: at(now), at: at(now)) == .unproven)
      proof.answered(nil, sent: at(now), at: at(now))
      let failed = now
      while proof.standing(of: here, readBy: at(now), at: at(now)) == .paused { now += 1 }
      pauses.append(now - failed)
      // It was asked by that.
      proof.answered(nil, sent: at(now), at: at(now))
      now += 1000
    }
    #expect(pauses.first == 20 && pauses.last == 250 && pauses == pauses.sorted())
    #expect(proof.standing(of: here, readBy: at(now), at: at(now)) == .unproven)
    proof.answered(nil, sent: at(now), at: at(now))
    #expect(proof.standing(of: here, readBy: at(now), at: at(now)) == .paused)
    proof.committed(there, sent: at(now))
    #expect(proof.standing(of: here, readBy: at(now), at: at(now)) == .unproven)
  }

  @Test("OP-06: where the database does not let itself be asked, the error says that, until it answers again")
  func denied() throws {
    struct Unused: Error {}
    let keeper = try LeaseKeeper(LeaseHabits(), connect: { throw Unused() }, other: { throw Unused() })
    #expect(keeper.denial == nil)
    keeper.noteProof(nil, denial: ServerError(.storageDenied, "No right."), sent: start)
    #expect(keeper.denial?.message == "No right.")
    keeper.noteProof(nil, denial: nil, sent: start)
    #expect(keeper.denial == nil)
    keeper.noteProof(nil, denial: ServerError(.storageDenied, "No right."), sent: start)
    keeper.noteCommit(here, sent: start)
    #expect(keeper.denial == nil)
  }
}
