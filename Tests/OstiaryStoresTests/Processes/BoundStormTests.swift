import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryOAuth
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

/// What befalls a round comes from its seed, which a failure prints: `OSTIARY_SEED=<seed> OSTIARY_ROUNDS=1` runs it again.
@Suite("DPoP-19: processes that share a bound session", .serialized, .timeLimit(.minutes(20)))
struct BoundStormTests {
  private static let processes = 8
  private static let key = "shared"

  /// What befalls the process that renews.
  enum Hit: UInt64, CaseIterable {
    /// The server has acted, and its answer is lost.
    case lostAnswer
    /// It is killed when the server has acted and not answered.
    case killedBeforeAnswer
    /// It has the answer, and is killed before it writes.
    case killedBeforeWriting
    /// It has written.
    case killedAfterWriting
    /// It has not asked yet.
    case killedBeforeAsking
    /// It has the answer, and is stopped for a time.
    case stopped

    /// Whether no process has what the server gave.
    var loses: Bool {
      switch self {
      case .lostAnswer, .killedBeforeAnswer, .killedBeforeWriting: true
      case .killedAfterWriting, .killedBeforeAsking, .stopped: false
      }
    }

    var kills: Bool { self != .lostAnswer && self != .stopped }

    func trap(token: String) -> StepTrap.Trap? {
      let place: StepTrap.Trap.Place? =
        switch self {
        case .lostAnswer, .killedBeforeAnswer: nil
        case .killedBeforeWriting, .stopped: .step("save begins", after: "/token done")
        case .killedAfterWriting: .step("save done", after: "/token done")
        case .killedBeforeAsking: .step("/token begins")
        }
      return place.map { StepTrap.Trap($0, signal: kills ? SIGKILL : SIGSTOP, token: token) }
    }
  }

  private final class Fleet: Sendable {
    let place: StorePlace
    let server: ProviderServer
    let members = Locked<[(number: Int, process: WorkerProcess)]>([])
    private let started = Locked(0)

    init(_ rotation: RefreshRotation) async throws {
      place = try await StorePlace.make(.encryptedFile)
      server = try ProviderServer(rotation)
      try replaceEnded(Array(repeating: nil, count: BoundStormTests.processes))
    }

    /// Starts a process for each that has given no answer.
    func replaceEnded(_ answers: [WorkerAnswer?]) throws {
      for (index, answer) in answers.enumerated() where answer == nil {
        let number = started.withLock { number in
          number += 1
          return number
        }
        let settings = WorkerSettings(
          store: place.store, key: BoundStormTests.key, server: server.api, number: number, ahead: server.clock.ahead,
          tokenEndpoint: server.tokens)
        let process = try WorkerProcess(settings) { pid in
          Task.detached {
            try await Task.sleep(for: .milliseconds(50))
            kill(pid, SIGCONT)
          }
        }
        members.withLock { members in
          if index < members.count { members[index] = (number, process) } else { members.append((number, process)) }
        }
      }
    }

    func manager(mayAsk: Bool) throws -> SessionManager {
      try server.manager(try place.store.make(), key: BoundStormTests.key, mayAsk: mayAsk)
    }

    /// Tells all the same, and waits for what they answer; `nil` from one that has ended.
    func tellAll(_ command: WorkerCommand) async throws -> [WorkerAnswer?] {
      let processes = members.withLock { $0.map(\.process) }
      return try await withThrowingTaskGroup(of: (Int, WorkerAnswer?).self) { group in
        for (index, process) in processes.enumerated() {
          group.addTask {
            do { return (index, try await process.tell(command)) } catch is WorkerProcess.Ended { return (index, nil) }
          }
        }
        var answers = [WorkerAnswer?](repeating: nil, count: processes.count)
        for try await (index, answer) in group { answers[index] = answer }
        return answers
      }
    }
  }

  @Test(
    """
    8 processes × 50 tasks on one expired session, each round an answer lost or a process killed or stopped: one successor a \
    generation; at a server that repeats it nothing is lost, at a strict one what can't be saved, with that cause
    """, arguments: [RefreshRotation.repeatsSuccessor, .strict])
  func rounds(rotation: RefreshRotation) async throws {
    let fleet = try await Fleet(rotation)
    let tasks = Storm.size(10, full: 50)
    _ = try await fleet.manager(mayAsk: true).session()
    for seed in Storm.seeds(2, full: 50, variable: "OSTIARY_ROUNDS") {
      try await round(seed, fleet, tasks: tasks, isStrict: rotation == .strict)
    }
  }

  private func round(_ seed: UInt64, _ fleet: Fleet, tasks: Int, isStrict: Bool) async throws {
    let hits = Hit.allCases
    let hit = hits[Int(seed % UInt64(hits.count))]
    let words: Comment = "seed \(seed): \(hit), \(isStrict ? "strict" : "repeats the successor")"
    let (provider, before) = (fleet.server.provider, fleet.server.provider.counts)
    if seed / UInt64(hits.count) % 2 == 0 { provider.expireAccessTokens() } else { fleet.server.clock.ahead += 1000 }
    _ = try await fleet.tellAll(.setAhead(fleet.server.clock.ahead))
    _ = try await fleet.tellAll(.arm(hit.trap(token: fleet.place.folder.file("token-\(seed)").path)))
    listen(hit, fleet)
    let answers = try await fleet.tellAll(.requests(tasks))
    fleet.server.onRenewal.withLock { $0 = { _ in false } }

    let after = provider.counts
    let survivors = answers.compactMap { $0 }
    #expect(answers.count - survivors.count == (hit.kills ? 1 : 0), words)
    #expect(after.renewals - before.renewals == 1, words)
    #expect(after.signIns == before.signIns, words)
    try fleet.replaceEnded(answers)
    let quiet = try fleet.manager(mayAsk: false)
    if isStrict, hit.loses {
      // Nothing on this side can tell the used token from a fresh one; the server can, and ends the session.
      #expect(after.reusedRefreshTokens - before.reusedRefreshTokens == 1, words)
      #expect(survivors.contains { !$0.failures.isEmpty }, words)
      guard case .signedOut(.rejectedByServer) = await quiet.restore() else {
        Issue.record("\(quiet.status): \(words)")
        return
      }
      _ = try await fleet.manager(mayAsk: true).session()
      #expect(provider.counts.signIns == before.signIns + 1, words)
    } else {
      #expect(after.repeatedRenewals - before.repeatedRenewals == (hit.loses ? 1 : 0), words)
      #expect(after.reusedRefreshTokens == before.reusedRefreshTokens, words)
      #expect(survivors.allSatisfy { $0.failures.isEmpty && $0.succeeded == tasks }, "\(survivors); \(words)")
    }
    // Key and tokens are together in any case.
    let session = try await quiet.session()
    let stored = try #require(session.proof.tokens[OAuthAuthenticator.proofKey], words)
    _ = try SoftwareDPoPKeys().key(storedAs: stored)
    #expect(session.proof.tokens[OAuthAuthenticator.refreshToken] != nil, words)
    #expect(try await AuthenticatedTransport(quiet).get(fleet.server.api).status == .ok, words)
  }

  /// Lets the first renewal be hit that the server carries out.
  private func listen(_ hit: Hit, _ fleet: Fleet) {
    guard hit == .lostAnswer || hit == .killedBeforeAnswer else { return }
    let pids = Dictionary(uniqueKeysWithValues: fleet.members.withLock { $0.map { ($0.number, $0.process.pid) } })
    let isDone = Locked(false)
    fleet.server.onRenewal.withLock { hook in
      hook = { number in
        let isFirst = isDone.withLock { isDone in
          defer { isDone = true }
          return !isDone
        }
        guard isFirst else { return false }
        if hit == .killedBeforeAnswer, let pid = pids[number] { kill(pid, SIGKILL) }
        return true
      }
    }
  }
}
