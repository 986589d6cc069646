import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

/// Takes everything, keeps nothing, and lets every caller in.
private struct ForgetfulStore: SessionStore {
  func load(_ key: SessionKey) async -> StoreReading { .absent }
  func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {}
  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {}
  func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? { StoreStamp(0) }
  func stamp(of key: SessionKey) -> StoreStamp? { StoreStamp(0) }
  func accounts() async throws -> [SessionKey] { [] }
  func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await body() }
}

/// The contract, for the stores of the core.
@Suite(.timeLimit(.minutes(20))) struct StoreConformanceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A store in memory keeps the contract", arguments: StoreConformance.checks)
  func ephemeral(check: StoreCheck) async throws {
    let store = EphemeralStore()
    try await check.run { store }
  }

  @Test("Store-T6: a store of files keeps the contract", arguments: StoreConformance.checks)
  func file(check: StoreCheck) async throws {
    try await check.run { [folder] in FileStore(folder: folder.store) }
    #expect(try names(in: folder.url).allSatisfy { $0 == "store" })
  }

  @Test("A store that breaks its promises is found out")
  func liar() async throws {
    let broken = try await withThrowingTaskGroup(of: String?.self) { group in
      for check in StoreConformance.checks {
        group.addTask {
          do {
            try await check.run { ForgetfulStore() }
            return nil
          } catch {
            return "\(check): \(error)"
          }
        }
      }
      return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    // Two are passed over without a way to make it unavailable and another process.
    #expect(broken.count >= StoreConformance.checks.count - 6, "\(broken)")
  }

  @Test("A faulty store without faults keeps the contract", arguments: StoreConformance.checks)
  func faulty(check: StoreCheck) async throws {
    let store = FaultyStore()
    try await check.run { store }
  }
}
