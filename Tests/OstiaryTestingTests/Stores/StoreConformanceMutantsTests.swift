import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

/// Something that a store may do wrong.
private enum Mutation: String, CaseIterable, CustomTestStringConvertible {
  case staleReading, staleAbsence, skipsSaveWhenCancelled, savesAndThrowsWhenCancelled, skipsRemovalWhenCancelled
  case patienceOverrun, hangingLoad, hangingSave, absentDuringOutage, listsEndedEntries, endsWithoutComparing
  case endsWithoutEntry, endLeavesStamp

  var testDescription: String { rawValue }

  /// The words of the check that finds it.
  var check: String {
    switch self {
    case .staleReading, .staleAbsence: "A handle that has read"
    case .skipsSaveWhenCancelled, .savesAndThrowsWhenCancelled, .skipsRemovalWhenCancelled:
      "in a task that has been cancelled"
    case .patienceOverrun: "Patience is bounded"
    case .hangingLoad: "What was never saved"
    case .hangingSave: "What was saved is present"
    case .absentDuringOutage: "A store that is unavailable"
    case .listsEndedEntries, .endsWithoutEntry: "An ended entry is read"
    case .endsWithoutComparing: "Ending compares"
    case .endLeavesStamp: "An ended entry is seen at once"
    }
  }

  /// What the failure says.
  var finding: String {
    switch self {
    case .patienceOverrun: "has not run out"
    case .hangingLoad, .hangingSave: "has not answered"
    default: ""
    }
  }
}

/// A handle on a store that breaks one promise.
private final class Mutant: SessionStore {
  let inner: EphemeralStore
  let mutation: Mutation?
  let isOut: Locked<Bool>
  private let last = Locked<[SessionKey: StoreReading]>([:])
  private let frozen = Locked<[SessionKey: StoreStamp]>([:])
  private let never = Gate()

  init(_ inner: EphemeralStore, _ mutation: Mutation?, _ isOut: Locked<Bool>) {
    (self.inner, self.mutation, self.isOut) = (inner, mutation, isOut)
  }

  private func checkOutage() throws {
    if isOut.withLock({ $0 }) { throw OstiaryError(.storeUnavailable, "It is locked.") }
  }

  func load(_ key: SessionKey) async -> StoreReading {
    if isOut.withLock({ $0 }) {
      return mutation == .absentDuringOutage
        ? .absent : .unavailable(OstiaryError(.storeUnavailable, "It is locked."))
    }
    if mutation == .hangingLoad { await Task { try? await never.pass() }.value }
    let known = last.withLock { $0[key] }
    if mutation == .staleReading, case .present = known, let known { return known }
    if mutation == .staleAbsence, known == .absent { return .absent }
    let reading = await inner.load(key)
    last.withLock { $0[key] = reading }
    return reading
  }

  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    try checkOutage()
    if mutation == .hangingSave { await Task { try? await never.pass() }.value }
    if mutation == .skipsSaveWhenCancelled, Task.isCancelled { return }
    try await inner.save(data, for: key, replacing: expected)
    last.withLock { $0[key] = nil }
    if mutation == .savesAndThrowsWhenCancelled { try Task.checkCancellation() }
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try checkOutage()
    if mutation == .skipsRemovalWhenCancelled, Task.isCancelled { return }
    try await inner.remove(key, ifHolding: expected)
    last.withLock { $0[key] = nil }
  }

  func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try checkOutage()
    switch mutation {
    case .listsEndedEntries: try await inner.save(entry, for: key, replacing: expected)
    case .endsWithoutComparing: try await inner.end(key, with: entry, ifHolding: .anything)
    case .endsWithoutEntry: try await inner.remove(key, ifHolding: expected)
    case .endLeavesStamp:
      let stamp = stamp(of: key)
      try await inner.end(key, with: entry, ifHolding: expected)
      frozen.withLock { $0[key] = stamp }
    default: try await inner.end(key, with: entry, ifHolding: expected)
    }
    last.withLock { $0[key] = nil }
  }

  func stamp(of key: SessionKey) -> StoreStamp? { frozen.withLock { $0[key] } ?? inner.stamp(of: key) }

  func accounts() async throws -> [SessionKey] {
    try checkOutage()
    return try await inner.accounts()
  }

  func removeAll() async throws { try await inner.removeAll() }

  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let longer = mutation == .patienceOverrun && patience > .zero ? patience + .seconds(3600) : patience
    return try await inner.withExclusiveAccess(to: key, patience: longer, body)
  }
}

/// The conformance suite finds what is wrong, in bounded time.
@Suite(.timeLimit(.minutes(20))) struct StoreConformanceMutantsTests {
  private func run(_ check: StoreCheck, _ mutation: Mutation?, within limit: Duration) async throws {
    let (inner, isOut) = (EphemeralStore(), Locked(false))
    let outage = StoreOutage(
      begin: { isOut.withLock { $0 = true } }, end: { isOut.withLock { $0 = false } })
    // Handles share a stamp only as far as the mutant lets them.
    let shared = mutation == .endLeavesStamp ? Mutant(inner, mutation, isOut) : nil
    try await check.run(within: limit, outage: outage) { shared ?? Mutant(inner, mutation, isOut) }
  }

  @Test(
    "Bug-A37: a store that breaks a promise is found out by the check of that promise", arguments: Mutation.allCases)
  private func mutant(mutation: Mutation) async throws {
    let check = try #require(StoreConformance.checks.first { $0.name.contains(mutation.check) })
    let isHanging = !mutation.finding.isEmpty
    let failure = await #expect(throws: StoreCheckFailure.self, "\(check)") {
      try await run(check, mutation, within: isHanging ? .seconds(30) : .seconds(300))
    }
    #expect(failure?.description.contains(mutation.finding) != false || !isHanging, "\(String(describing: failure))")
  }

  @Test("Bug-A37: a store that breaks none passes every check", arguments: StoreConformance.checks)
  func sound(check: StoreCheck) async throws {
    try await run(check, nil, within: .seconds(300))
  }
}
