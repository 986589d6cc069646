import Foundation
package import OstiaryCore

/// A number in a store that several tasks and processes raise: it comes out too low unless access is exclusive.
package enum SharedCount {
  /// Adds one, `times` times, each time by reading the number and writing the next under exclusive access.
  package static func raise(_ key: SessionKey, by times: Int, in store: some SessionStore) async throws {
    for _ in 0..<times {
      try await store.withExclusiveAccess(to: key, patience: .seconds(120)) {
        var count = 0
        if case .present(let data) = await store.load(key) { count = Int(String(decoding: data, as: UTF8.self)) ?? -1 }
        try await store.save(Data("\(count + 1)".utf8), for: key, replacing: .anything)
      }
    }
  }

  /// Raises the number by twenty in each of two tasks, each with a store of its own.
  package static func raiseInTwoTasks<Store: SessionStore>(
    _ key: SessionKey, in makeStore: () throws -> Store
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let store = try makeStore()
        group.addTask { try await raise(key, by: 20, in: store) }
      }
      try await group.waitForAll()
    }
  }
}
