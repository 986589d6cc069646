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

/// Several processes that share a session, and its server.
final class ProcessFleet: Sendable {
  static let key = "shared"

  let server: ProcessServer
  let place: StorePlace
  private let settings: WorkerSettings
  /// A process and the number that its requests carry.
  struct Member: Sendable {
    let number: Int
    let process: WorkerProcess
  }

  private let members = Locked<[Member]>([])
  /// How long a stopped process is left so, in milliseconds; `nil` until another process lets it go on.
  private let pause = Locked<Int?>(nil)
  private let stops = Locked(0)
  /// Lets one through for each process that was stopped and stays so.
  private let stopped = Gate()
  private let started = Locked(0)

  /// How long all but the first wait for another process, in seconds.
  private let patienceOfOthers: Double

  /// Starts the processes.
  /// - Parameter patienceOfOthers: how long all but the first wait for another process, in seconds. The first has time for
  ///   what must succeed, however loaded the machine is.
  init(_ count: Int, _ place: StorePlace, patienceOfOthers: Double = 60, hasCredential: Bool = false) throws {
    self.place = place
    self.patienceOfOthers = patienceOfOthers
    server = try ProcessServer()
    settings = WorkerSettings(
      store: place.store, key: Self.key, server: server.url, number: 0, hasCredential: hasCredential)
    for _ in 0..<count {
      let member = try start()
      members.withLock { $0.append(member) }
    }
  }

  /// Starts two processes that both have a session.
  static func two(_ place: StorePlace) async throws -> ProcessFleet {
    let fleet = try ProcessFleet(2, place)
    #expect(try await fleet[0].process.tell(.signIn).failures == [])
    for answer in try await fleet.tellAll(.requests(2)) { #expect(answer?.failures == []) }
    return fleet
  }

  /// One of the processes. Another takes its place when it has died.
  subscript(_ index: Int) -> Member { members.withLock { $0[index] } }
  var count: Int { members.withLock { $0.count } }

  private func start() throws -> Member {
    var settings = settings
    settings.ahead = server.clock.ahead
    settings.number = started.withLock { number in
      number += 1
      return number
    }
    if settings.number > 1 { settings.patience = patienceOfOthers }
    let process = try WorkerProcess(settings) { [pause, stops, stopped] pid in
      stops.withLock { $0 += 1 }
      guard let pause = pause.withLock({ $0 }) else { return stopped.release() }
      Task.detached {
        try await Task.sleep(for: .milliseconds(pause))
        kill(pid, SIGCONT)
      }
    }
    return Member(number: settings.number, process: process)
  }

  /// A round did not end as it must.
  struct Broken: Error {
    let plan: RoundPlan
  }

  /// Waits until one more process has been stopped.
  func waitForStop() async throws {
    try await stopped.pass()
  }

  /// Tells all the same, and waits for what they answer; `nil` from one that has ended.
  func tellAll(_ command: WorkerCommand) async throws -> [WorkerAnswer?] {
    try await tell(0..<count, command)
  }

  /// Tells some the same, and waits for what they answer; `nil` from one that has ended.
  func tell(_ indices: Range<Int>, _ command: WorkerCommand) async throws -> [WorkerAnswer?] {
    try await withThrowingTaskGroup(of: (Int, WorkerAnswer?).self) { group in
      for index in indices {
        group.addTask { [process = self[index].process] in
          do { return (index, try await process.tell(command)) } catch is WorkerProcess.Ended { return (index, nil) }
        }
      }
      var answers = [WorkerAnswer?](repeating: nil, count: indices.count)
      for try await (index, answer) in group { answers[index - indices.lowerBound] = answer }
      return answers
    }
  }

  /// Starts a process for each that has ended.
  /// - Returns: how many.
  func replaceEnded() async throws -> Int {
    let ended = try await tellAll(.arm(nil)).enumerated().filter { $0.element == nil }.map(\.offset)
    for index in ended {
      let member = try start()
      members.withLock { $0[index] = member }
    }
    return ended.count
  }

  /// Ends the present proof, lets every process send requests with it, and one of them be hit.
  func run(_ plan: RoundPlan, tasks: Int) async throws {
    let before = server.server.counts
    let stopsBefore = stops.withLock { $0 }
    pause.withLock { $0 = plan.pause }
    if plan.isPastItsDate { server.clock.ahead += 1000 } else { server.server.expireAccessTokens() }
    _ = try await tellAll(.setAhead(server.clock.ahead))
    _ = try await tellAll(.arm(plan.trap(token: place.folder.file("token-\(plan.seed)").path)))
    if case .beforeAnswer = plan.moment {
      let pids = Dictionary(
        uniqueKeysWithValues: members.withLock { $0 }.map { ($0.number, $0.process.pid) })
      let isDone = Locked(false)
      server.onRequest.withLock { hook in
        hook = { path, number in
          guard path == "/renew" else { return }
          let isFirst = isDone.withLock { isDone in
            defer { isDone = true }
            return !isDone
          }
          if isFirst, let pid = pids[number] { kill(pid, plan.signal) }
        }
      }
    }
    async let answers = tellAll(.requests(tasks))
    if case .later(let delay, let victim) = plan.moment {
      try await Task.sleep(for: .milliseconds(delay))
      self[victim].process.signal(plan.signal)
    }
    let results = try await answers
    pause.withLock { $0 = nil }
    server.onRequest.withLock { $0 = { _, _ in } }
    let ended = try await replaceEnded()
    let stopped = stops.withLock { $0 } - stopsBefore

    let after = server.server.counts
    let repeated = after.repeatedRenewals - before.repeatedRenewals
    let complaints = results.compactMap { $0 }.flatMap(\.failures)
    let renewals = after.renewals - before.renewals
    let hit = (ended, stopped) == (plan.kills ? (1, 0) : (0, 1))
    #expect(renewals == 1, "one successor per generation; \(plan)")
    #expect(repeated <= (plan.kills ? 1 : 0), "a killed holder may cost one call more; \(plan)")
    #expect(complaints.isEmpty, "nobody else fails; \(plan)")
    #expect(results.compactMap { $0 }.allSatisfy { $0.succeeded == tasks }, "\(plan)")
    #expect(after.reusedRenewalTokens == 0 && after.refusedRenewals == 0 && after.signIns == 1, "\(after); \(plan)")
    #expect(hit, "one is hit: \(ended) killed, \(stopped) stopped; \(plan)")
    // What follows would only say the same again.
    if renewals != 1 || !complaints.isEmpty { throw Broken(plan: plan) }
  }
}
