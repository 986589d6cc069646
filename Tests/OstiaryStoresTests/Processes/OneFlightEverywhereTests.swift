import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What befalls the processes of a round comes from its seed, which a failure prints. To run one round again, as far as
/// the machine's own scheduling lets it be the same: `OSTIARY_SEED=<seed> OSTIARY_ROUNDS=1`.
///
/// Without the manager's exclusive lock, and without its second look after waiting for it, the first round fails: used
/// renewal tokens are shown again, and the server ends the session.
@Suite("Invariant 1: one flight everywhere", .serialized, .timeLimit(.minutes(20)))
struct OneFlightEverywhereTests {
  private static let processes = 8
  private static let tasks = 50

  @Test(
    """
    8 processes × 50 tasks on one expired session, in every round a random one killed or stopped: one successor per \
    generation, and nobody else fails
    """, arguments: SharedStore.allCases)
  func rounds(kind: SharedStore) async throws {
    let fleet = try ProcessFleet(Self.processes, try await StorePlace.make(kind))
    let manager = fleet.server.manager(try fleet.place.store.make(), key: ProcessFleet.key)
    try await manager.signIn(with: Worker.ann)
    // The others share all that matters here with these two.
    let seeds =
      SharedStore.mostDifferent.contains(kind)
      ? Storm.seeds(5, full: 25, variable: "OSTIARY_ROUNDS") : Storm.seeds(1, full: 3, variable: "OSTIARY_ROUNDS")
    for seed in seeds {
      try await fleet.run(RoundPlan(seed: seed, processes: Self.processes), tasks: Self.tasks)
    }
    // Here, too, and nothing was lost.
    #expect(try await AuthenticatedTransport(manager).send(fleet.server.request()).status == .ok)
    #expect(fleet.server.server.counts.signIns == 1)
    #expect(fleet.server.server.signedInUsers == ["ann"])
  }

  @Test("8 processes × 50 tasks that all may sign in cause one sign-in", arguments: SharedStore.mostDifferent)
  func signIn(kind: SharedStore) async throws {
    let fleet = try ProcessFleet(Self.processes, try await StorePlace.make(kind), hasCredential: true)
    for answer in try await fleet.tellAll(.requests(Self.tasks)) {
      #expect(answer?.failures == [] && answer?.succeeded == Self.tasks)
    }
    #expect(fleet.server.server.counts.signIns == 1)
  }

  @Test("A sign-out by one process is seen by the others before their next request", arguments: SharedStore.allCases)
  func signOut(kind: SharedStore) async throws {
    let fleet = try ProcessFleet(3, try await StorePlace.make(kind, connections: 3))
    // No process hears of it from the server.
    fleet.server.refusesSignOut.withLock { $0 = true }
    for round in 0..<Storm.size(4, full: 10) {
      let signedIn = try await fleet[round % 3].process.tell(.signIn)
      #expect(signedIn.failures == [])
      for answer in try await fleet.tellAll(.requests(2)) { #expect(answer?.failures == []) }
      let sent = fleet.server.requestsForThings
      // One of the others is stopped while it happens.
      let isStopped = round == 3
      let other = fleet[(round + 2) % 3].process
      if isStopped { other.signal(SIGSTOP) }
      #expect(try await fleet[(round + 1) % 3].process.tell(.signOut).failures == [])
      if isStopped { other.signal(SIGCONT) }
      for answer in try await fleet.tellAll(.requests(2)) {
        #expect(answer?.succeeded == 0 && answer?.user == nil, "round \(round)")
      }
      #expect(fleet.server.requestsForThings == sent, "nothing was sent in round \(round)")
    }
  }

  @Test(
    """
    A holder that is stopped for longer than the others wait: they say so, nobody is signed out, and when it goes on \
    all is well
    """, arguments: SharedStore.mostDifferent)
  func stoppedForLong(kind: SharedStore) async throws {
    // Long enough for what they do when it has gone on.
    let fleet = try ProcessFleet(3, try await StorePlace.make(kind), patienceOfOthers: 3)
    #expect(try await fleet[0].process.tell(.signIn).failures == [])
    for answer in try await fleet.tellAll(.requests(2)) { #expect(answer?.failures == []) }
    fleet.server.server.expireAccessTokens()
    // It has the new proof, and no other process does.
    _ = try await fleet[0].process.tell(.arm(StepTrap.Trap(.step("/renew done"), signal: SIGSTOP)))
    async let held = fleet[0].process.tell(.requests(2))
    try await fleet.waitForStop()
    for answer in try await fleet.tell(1..<3, .requests(5)) {
      #expect(answer?.failures.count == 5)
      let isSaid = answer?.failures.allSatisfy { $0.hasPrefix("store_unavailable") }
      #expect(isSaid == true, "\(String(describing: answer))")
    }
    fleet[0].process.signal(SIGCONT)
    #expect(try await held.failures == [])
    for answer in try await fleet.tellAll(.requests(5)) { #expect(answer?.failures == []) }
    let counts = fleet.server.server.counts
    #expect(counts.renewals == 1 && counts.reusedRenewalTokens == 0 && counts.signIns == 1, "\(counts)")
  }

  @Test(
    "A holder that is stopped after it has written costs the others the wait, and then they have what it has written",
    arguments: SharedStore.mostDifferent)
  func stoppedAfterWriting(kind: SharedStore) async throws {
    let fleet = try ProcessFleet(3, try await StorePlace.make(kind), patienceOfOthers: 0.3)
    #expect(try await fleet[0].process.tell(.signIn).failures == [])
    for answer in try await fleet.tellAll(.requests(2)) { #expect(answer?.failures == []) }
    fleet.server.server.expireAccessTokens()
    fleet.server.answersToRenewals.close()
    let trap = StepTrap.Trap(.step("save done", after: "/renew done"), signal: SIGSTOP)
    _ = try await fleet[0].process.tell(.arm(trap))
    async let held = fleet[0].process.tell(.requests(2))
    try await fleet.server.answersToRenewals.waitForWaiting()
    // The others have seen the old session and come to the lock.
    _ = try await fleet.tell(1..<3, .arm(StepTrap.Trap(.step("lock begins"), signal: SIGSTOP)))
    async let others = fleet.tell(1..<3, .requests(5))
    for _ in 1..<3 { try await fleet.waitForStop() }
    fleet.server.answersToRenewals.open()
    try await fleet.waitForStop()
    for other in 1..<3 { fleet[other].process.signal(SIGCONT) }
    for answer in try await others { #expect(answer?.failures == []) }
    fleet[0].process.signal(SIGCONT)
    #expect(try await held.failures == [])
    let counts = fleet.server.server.counts
    #expect(counts.renewals == 1 && counts.reusedRenewalTokens == 0 && counts.signIns == 1, "\(counts)")
  }
}
