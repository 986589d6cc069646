import Foundation
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

/// What goes wrong with a real store at the step at which a session can be lost: the server has used the old proof up, and
/// the new one is not stored yet.
@Suite("Faults of a store while a proof is renewed", .serialized, .timeLimit(.minutes(20)))
struct RenewalFaultTests {
  #if SQLite
    @Test("Bug-A31: while a renewed proof can't be stored, no other process gets exclusive access to the used one")
    func writeLocked() async throws {
      let place = try await StorePlace.make(.sqlite)
      let fleet = try await ProcessFleet.two(place)
      let (first, second) = (fleet[0], fleet[1])
      for round in 0..<Storm.size(2, full: 20) {
        fleet.server.server.expireAccessTokens()
        fleet.server.answersToRenewals.close()
        // It is stopped when it lets the lock go: with the used proof in the store, or with the new one.
        let trap = StepTrap.Trap(.step("unlocked", after: "/renew done"), signal: SIGSTOP)
        _ = try await first.process.tell(.arm(trap))
        let moved = Gate()
        let requests = Locked(0)
        fleet.server.onRequest.withLock { hook in
          hook = { path, number in
            guard path == "/things", number == first.number,
              requests.withLock({
                $0 += 1; return $0 == 2
              })
            else { return }
            moved.release()
          }
        }
        let stopped = Task {
          try await fleet.waitForStop()
          moved.release()
        }
        async let renewed = first.process.tell(.requests(1))
        try await fleet.server.answersToRenewals.waitForWaiting()
        let lock = try place.lockForWriting()
        fleet.server.answersToRenewals.open()
        // The new proof is used from memory, or the lock has been let go.
        try await moved.pass()
        try lock.end()
        let waited = try await second.process.tell(.requests(1))
        #expect(waited.failures == [], "round \(round)")
        try await stopped.value
        first.process.signal(SIGCONT)
        #expect(try await renewed.failures == [], "round \(round)")

        let counts = fleet.server.server.counts
        #expect(counts.renewals == round + 1 && counts.signIns == 1, "\(counts)")
        #expect(counts.repeatedRenewals == 0 && counts.reusedRenewalTokens == 0, "\(counts)")
        if counts.repeatedRenewals > 0 || counts.reusedRenewalTokens > 0 { return }
      }
    }
  #endif

  #if PostgreSQL
    @Test(
      "Bug-A32: a lock that is lost during a renewal lets no other process renew, and the new proof is saved",
      arguments: [SharedStore.postgreSQL, .sealedPostgreSQL])
    func lockLost(kind: SharedStore) async throws {
      let fleet = try await ProcessFleet.two(try await StorePlace.make(kind))
      let (first, second) = (fleet[0], fleet[1])
      for round in 0..<Storm.size(3, full: 20) {
        fleet.server.server.expireAccessTokens()
        fleet.server.answersToRenewals.close()
        async let renewed = first.process.tell(.requests(1))
        try await fleet.server.answersToRenewals.waitForWaiting()
        let ended = try await fleet.place.endHolders()
        #expect(ended == 1)

        // The other has the lock now. It looks at the store again and again, or it asks the server.
        let moved = Gate()
        fleet.server.onRequest.withLock { hook in
          hook = { path, number in if path == "/renew", number == second.number { moved.release() } }
        }
        let stopped = Task {
          try await fleet.waitForStop()
          moved.release()
        }
        _ = try await second.process.tell(.arm(StepTrap.Trap(.occurrence("load done", 4), signal: SIGSTOP)))
        async let waited = second.process.tell(.requests(1))
        try await moved.pass()
        fleet.server.answersToRenewals.open()
        #expect(try await renewed.failures == [], "round \(round)")
        second.process.signal(SIGCONT)
        #expect(try await waited.failures == [], "round \(round)")
        stopped.cancel()

        let counts = fleet.server.server.counts
        #expect(counts.renewals == round + 1 && counts.signIns == 1, "\(counts)")
        #expect(counts.repeatedRenewals == 0 && counts.reusedRenewalTokens == 0, "\(counts)")
        if counts.repeatedRenewals > 0 || counts.reusedRenewalTokens > 0 { return }
      }
    }
  #endif
}
