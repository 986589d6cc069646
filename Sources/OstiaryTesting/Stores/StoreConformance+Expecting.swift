import OstiaryCore

/// What checks are made of.
extension StoreConformance {
  static func require(_ condition: Bool, _ failure: @autoclosure () -> String) throws {
    guard condition else { throw StoreCheckFailure(failure()) }
  }

  static func expect(_ store: any SessionStore, _ key: SessionKey, _ expected: StoreReading) async throws {
    let reading = await store.load(key)
    let name = key.name.count > 40 ? key.name.prefix(40) + "…" : key.name
    try require(reading == expected, "Reading \"\(name)\" gave \(words(reading)) instead of \(words(expected)).")
  }

  static func expectConflict(_ change: () async throws -> Void) async throws {
    do {
      try await change()
    } catch let error as OstiaryError where error.code == .storeConflict {
      return
    }
    throw StoreCheckFailure("A change went through that expected something else to be stored.")
  }

  static func expectCancelled(_ task: Task<Void, any Error>) async throws {
    do {
      try await task.value
    } catch is CancellationError {
      return
    }
    throw StoreCheckFailure("A task that was cancelled went on.")
  }

  /// Not the bytes: they may be a mebibyte.
  private static func words(_ reading: StoreReading) -> String {
    switch reading {
    case .present(let data): "\(data.count) bytes, \(data.prefix(8).map { String($0, radix: 16) }) …"
    case .absent: "nothing"
    case .unavailable(let error): "“\(error.message)”"
    }
  }
}
