internal import Foundation
internal import OstiaryCore

/// Where a value rests: a key of a store.
struct ValueRest<Value: StoredContent>: Sendable {
  /// What a format's number stands before.
  private struct Envelope: Codable {
    var format: Int
    var content: Value
  }

  let store: any SessionStore
  let key: SessionKey
  let clock: any SessionClock
  let retry: RetryPolicy

  private static var format: Int { 1 }

  /// What rests there. A store that can't tell is asked again until it can.
  /// - Throws: `CancellationError`.
  func load() async throws -> StoredReading<Value> {
    var failures = 0
    while true {
      if let reading = try? await read() { return reading }
      failures += 1
      try await clock.sleep(for: retry.delay(afterFailures: failures))
    }
  }

  /// What rests there.
  /// - Throws: ``OstiaryError`` when the store can't tell now.
  func read() async throws -> StoredReading<Value> {
    switch await store.load(key) {
    case .absent: return StoredReading(data: nil, value: nil)
    case .present(let data):
      let envelope = try? JSONDecoder().decode(Envelope.self, from: data)
      return StoredReading(data: data, value: envelope?.format == Self.format ? envelope?.content : nil)
    // Kept aside by the store, which holds nothing now.
    case .unavailable(let error) where error.code == .storeCorrupt: return StoredReading(data: nil, value: nil)
    case .unavailable(let error): throw error
    }
  }

  func encoded(_ value: Value) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return try encoder.encode(Envelope(format: Self.format, content: value))
    } catch {
      throw OstiaryError(.internalError, "What is known of the user could not be encoded.", underlying: error)
    }
  }

  func save(_ data: Data, replacing expected: StoreExpectation) async throws {
    try await store.save(data, for: key, replacing: expected)
  }
}

/// What a store holds.
struct StoredReading<Value: StoredContent>: Sendable {
  /// The bytes; `nil` for nothing.
  let data: Data?
  /// What they say, if it is anything that can be used.
  let value: Value?

  var expectation: StoreExpectation { data.map { .exactly($0) } ?? .nothing }
}
