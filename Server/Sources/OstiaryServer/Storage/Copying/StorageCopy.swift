import Dispatch
internal import OstiaryCore

/// How many rows of a table were copied.
package struct TableCount: Sendable, Hashable {
  package let name: String
  package let rows: Int
}

/// Moves a database's content to another database, of any engine.
///
/// Other programs can't write to the source meanwhile: that is refused as while a database is busy. They can read it if it is
/// SQLite's. The target is counted and compared before it is committed, and the source is sealed after that.
package enum StorageCopy {
  /// - Parameters:
  ///   - target: has the tables of the same migrations and no users.
  ///   - place: what the source says of where its content is.
  /// - Returns: the tables, in the order in which they were copied.
  static func move(
    from source: ServerStorage, to target: ServerStorage, movedTo place: String, migrations: [StorageMigration]
  ) async throws(ServerError) -> [TableCount] {
    guard source.key.current.isSame(as: target.key.current) else {
      throw ServerError(
        .serverKeysDiffer, "The two places have different keys.", advice: "Give the target the key of the source first."
      )
    }
    let tables: [TableShape]
    do { tables = try TableShape.all(of: migrations) } catch { throw .storage(error) }
    let channel = RowChannel()
    let committed = Verdict()
    async let filled: Void = fill(target, tables, migrations, from: channel, committed)
    do throws(ServerError) {
      let counts = try await read(source, channel) { db in
        try db.lock(tables)
        var sink = ChannelTarget(channel: channel, tables: tables)
        do { try db.copy(tables, to: &sink) } catch {
          channel.fail(error)
          throw error
        }
        channel.close()
        try committed.wait()
        try db.seal(tables, movedTo: place)
        // Servers that still run on it believe nothing that they have cached.
        db.note([.everything])
        return sink.counts
      }
      await filled
      return counts
    } catch {
      channel.fail(error)
      await filled
      throw error
    }
  }

  /// Runs `body`, again if it was the victim of a deadlock while it locked the tables.
  private static func read(
    _ source: ServerStorage, _ channel: RowChannel,
    _ body: @escaping @Sendable (StorageConnection) throws -> [TableCount]
  ) async throws(ServerError) -> [TableCount] {
    for _ in 0..<20 {
      do throws(ServerError) {
        return try await source.writeOnce(body)
      } catch {
        guard error.code == .storageBusy, !channel.isUsed else { throw error }
      }
    }
    return try await source.writeOnce(body)
  }

  private static func fill(
    _ target: ServerStorage, _ tables: [TableShape], _ migrations: [StorageMigration], from channel: RowChannel,
    _ committed: Verdict
  ) async {
    do {
      try await target.writeOnce { db in
        try db.lock(tables)
        try db.fill(tables, migrations: migrations) {
          var sink = DatabaseTarget(db: db)
          while let item = try channel.next() {
            switch item {
            case .rows(let rows, let table): try sink.take(rows, of: tables[table])
            case .end(let table, let digest, let nextID): try sink.end(tables[table], digest, nextID: nextID)
            }
          }
        }
      }
      committed.give(nil)
    } catch {
      channel.fail(error)
      committed.give(error)
    }
  }
}

/// Tells a waiting thread, once, whether something has succeeded.
private final class Verdict: Sendable {
  private let error = Locked<(any Error)?>(nil)
  private let isGiven = DispatchSemaphore(value: 0)

  func give(_ error: (any Error)?) {
    self.error.withLock { $0 = error }
    isGiven.signal()
  }

  func wait() throws {
    isGiven.wait()
    if let error = error.withLock({ $0 }) { throw error }
  }
}

/// Hands tables over to another thread.
private struct ChannelTarget: CopyTarget {
  let channel: RowChannel
  let tables: [TableShape]
  private(set) var counts: [TableCount] = []
  private var current = 0

  init(channel: RowChannel, tables: [TableShape]) {
    (self.channel, self.tables) = (channel, tables)
  }

  mutating func take(_ rows: [[StorageValue]], of table: TableShape) throws {
    try channel.send(.rows(rows, of: current))
  }

  mutating func end(_ table: TableShape, _ digest: TableDigest, nextID: Int64?) throws {
    try channel.send(.end(of: current, digest, nextID: nextID))
    counts.append(TableCount(name: table.name, rows: digest.count))
    current += 1
  }
}
