public import Foundation
public struct EphemeralStore: SessionStore {
  public init() {}
  public func load(_ key: SessionKey) async -> StoreReading { .absent }
  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {}
  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {}
  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result { try await body() }
}
