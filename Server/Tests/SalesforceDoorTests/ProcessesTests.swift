import Foundation
import GRDB
import NetworkTestSupport
import OstiaryCore
import OstiarySalesforce
import SalesforceWorkerSupport
import Testing

@testable import OstiaryServer

@Suite("Many processes with one session at the Salesforce door", .timeLimit(.minutes(20)))
struct ProcessesTests {
  private static let count = 8

  /// The server, what is between it and the processes, and the processes.
  private struct Stage {
    let org: TestOrg
    let proxy: CuttingProxy
    let folder: URL
    var workers: [WorkerProcess] = []
    var starts = 0

    mutating func start(_ index: Int) async throws {
      starts += 1
      let worker = try WorkerProcess(
        name: String(index), loginHost: "http://127.0.0.1:\(proxy.port)", consumerKey: TestOrg.rotating, folder: folder)
      if index < workers.count { workers[index] = worker } else { workers.append(worker) }
      let report = await worker.report()
      #expect(report?.user != nil, "the worker \(index) found nobody signed in")
    }
  }

  @Test(
    "Done 3: 1,000 calls of 8 processes when the token dies, one-time refresh tokens, lost answers, kill -9: one rotation each time, nobody is signed out, and no case is created twice"
  )
  func processes() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await TestOrg.run { org in
      let proxy = try await CuttingProxy(cuts: [])
      proxy.lead(to: try #require(URL(string: org.door.address)?.port))
      let account = try await org.accounts(
        by: "http://127.0.0.1:\(proxy.port)", store: FileStore(folder: folder)
      ).signIn(as: "ann@example.com")
      var stage = Stage(org: org, proxy: proxy, folder: folder)
      for index in 0..<Self.count { try await stage.start(index) }

      // A process that renews loses two answers, of which the second is its successor's or its own again.
      try await Self.round(1, reads: 100, stage, losing: 2, killing: [])
      // The first two who renew die before they hear anything.
      let killed = try await Self.round(2, reads: 10, stage, losing: 3, killing: [1, 2])
      #expect(killed.count >= 1)
      // Others take their places, with what the dead have left.
      for index in killed { try await stage.start(index) }
      try await Self.round(3, reads: 10, stage, losing: 1, killing: [])

      // One successor a round, however often it had to be asked for, and one user.
      let rotations = try await Self.rotations(org)
      #expect(rotations == [3])
      #expect(proxy.answersLost == 6)
      let subjects = try await account.query("Subject", of: "Case")
      #expect(subjects.count == Set(subjects).count, "a case was created twice")
      let expected = (1...3).flatMap { round in (0..<Self.count).map { (round, $0) } }
        .filter { round, index in round != 2 || !killed.contains(index) }
        .flatMap { round, index in Self.subjects(round, index) }
      #expect(Set(subjects).isSuperset(of: expected), "a case is missing")
      try await proxy.stop()
    }
  }

  private static func subjects(_ round: Int, _ index: Int) -> [String] {
    (0..<25).map { "round \(round) process \(index) case \($0)" }
  }

  /// Lets the session end while all have much to do.
  /// - Parameters:
  ///   - losing: how many answers to renewals are lost.
  ///   - killing: of which of these, counted from 1, the process that waits for it is killed.
  /// - Returns: who was killed.
  @discardableResult
  private static func round(
    _ number: Int, reads: Int, _ stage: Stage, losing: Int, killing: Set<Int>
  ) async throws -> Set<Int> {
    let killed = Locked<(renewals: Int, workers: Set<Int>)>((0, []))
    stage.proxy.loseAnswers(losing, to: "POST /services/oauth2/token") { [workers = stage.workers] head in
      let name = head.components(separatedBy: "worker-").dropFirst().first?.prefix(while: \.isNumber)
      guard let index = name.flatMap({ Int($0) }) else { return }
      let dies = killed.withLock { killed in
        killed.renewals += 1
        if killing.contains(killed.renewals) { killed.workers.insert(index) }
        return killed.workers.contains(index)
      }
      if dies { workers[index].kill() }
    }
    stage.org.letSessionsExpire()
    for (index, worker) in stage.workers.enumerated() {
      try worker.tell(WorkerCommand(reads: reads, subjects: subjects(number, index)))
    }
    var served = 0
    for (index, worker) in stage.workers.enumerated() {
      guard let report = await worker.report() else {
        #expect(killed.withLock { $0.workers.contains(index) }, "the worker \(index) has ended by itself")
        continue
      }
      served += 1
      #expect(report.user != nil, "round \(number): the worker \(index) was signed out")
      #expect(report.outcomes == ["200": reads, "201": 25], "round \(number), worker \(index)")
    }
    let workers = killed.withLock { $0.workers }
    #expect(served >= count - workers.count)
    return workers
  }

  /// How often the families' tokens have been rotated.
  private static func rotations(_ org: TestOrg) async throws -> [Int] {
    try await org.door.tokens.storage.read { db in
      try Int.fetchAll(db.sqlite, sql: "SELECT rotations FROM grants ORDER BY id")
    }
  }
}
