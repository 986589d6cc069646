package import Foundation
internal import OstiaryCore

/// Seals rows again that were sealed with another key than the current one: it looks at some after a place, and returns the place of the
/// last one; nil if there was none.
typealias KeyResealing = @Sendable (_ place: Data, _ most: Int, _ db: StorageConnection) throws -> Data?

/// Changing the server's key; see <doc:ChangingTheKey>. What is to be done is said by ``KeyRotation``.
extension ServerStorage {
  /// How long a server may seal rows again before another one takes over, in seconds.
  private static let resealingLease: Double = 10
  /// How long the row of a server stays that is not seen any more, in seconds. One that runs is seen twice in that time.
  private static let memoryOfServers: Double = 24 * 3600

  /// The database's time: of servers on several machines one may have a clock of its own.
  private static func now(_ clock: Date, in db: StorageConnection) throws -> Double {
    guard db.announcesEnds else { return clock.timeIntervalSince1970 }
    return try db.value(KeyTimeStatements.sql.now) ?? clock.timeIntervalSince1970
  }

  private func rotation(_ stored: KeyRecords, at clock: Date, in db: StorageConnection) throws -> KeyRotation {
    // Without a change under way there is nothing to be known of the servers.
    let isUnderWay = stored.rows.contains { $0.stage == .offered || $0.stage == .former }
    let keys = stored.rows.map(\.key)
    guard isUnderWay else { return KeyRotation(keys: keys, nodes: [], now: clock.timeIntervalSince1970) }
    let nodes = try db.all(KeyStatements.sql.nodes) { reader -> KeyRotation.Node in
      let (id, version): (String, String) = (reader.next(), reader.next())
      let (own, lease): (Double, Double?) = (reader.next(), reader.next())
      return KeyRotation.Node(
        id: id, version: version, seenAt: max(own, lease ?? own), known: reader.next(), used: reader.next(),
        kept: reader.next())
    }
    return KeyRotation(
      keys: keys, nodes: nodes, now: try Self.now(clock, in: db), patience: keyPatience.withLock { $0 },
      notice: keyNotice.withLock { $0 })
  }

  /// Reads what the database says, and lets this process have the same keys.
  /// - Throws: `serverKeyIsAnother` if it can't have them any more, or a storage code.
  @discardableResult
  package func followKeys(at clock: Date = Date()) async throws(ServerError) -> KeyRotation {
    let (stored, rotation, check) = try await read { [self] db -> (KeyRecords, KeyRotation, Data?) in
      let stored = try KeyRecords(in: db)
      let check = try stored.rows.isEmpty ? KeyCheck.stored(in: db) : nil
      return (stored, try self.rotation(stored, at: clock, in: db), check)
    }
    let content = key.content
    guard stored.stages != content.stages else { return rotation }
    do {
      key.set(
        try stored.rows.isEmpty
          ? Self.firstKey(check, content, key.origin)
          : stored.content(knowing: content.keys.map(\.key) + [key.origin]))
    } catch {
      let error = ServerError.storage(error)
      if error.code == .serverKeyIsAnother { key.setRetired() }
      throw error
    }
    return rotation
  }

  /// The database has lost the commits of a change, in a failover: it has its first key. What was made meanwhile opens here.
  /// - Parameter check: the value by which it knows its key.
  /// - Throws: `serverKeyIsAnother` if this process has that key no more.
  private static func firstKey(
    _ check: Data?, _ content: KeyRing.Content, _ origin: ServerKey
  ) throws(ServerError) -> KeyRing.Content {
    let known = content.keys.map(\.key) + [origin]
    let first = known.first { key in check.map { KeyCheck.isValue($0, of: key) } ?? true }
    guard let first else { throw KeyCheck.refusal(of: origin) }
    let others = content.keys.filter { $0.number > 1 && !$0.key.isSame(as: first) }
    return KeyRing.Content(keys: [KeyRing.Entry(number: 1, key: first)] + others, current: 1)
  }

  /// Offers a key to follow the current one, unless one is offered already.
  /// - Parameter new: nil for any.
  /// - Returns: the number of the offered key.
  /// - Throws: `keyChangeUnderWay` while the key of before is not retired, or another one is offered; or a storage code.
  package func offerKey(_ new: ServerKeySources?, at clock: Date = Date()) async throws(ServerError) -> Int64 {
    let given: ServerKey? = if let new { try new.given() } else { nil }
    try await followKeys(at: clock)
    let ring = key
    let number = try await write { db -> Int64 in
      let stored = try KeyRecords(isForUse: true, in: db)
      let content = ring.content
      if !stored.rows.isEmpty, stored.stages != content.stages { throw ServerError.serverKeyChanges }
      if let last = stored.rows.last, last.stage == .offered {
        guard given.map({ ConstantTime.isEqual($0.checkValue, last.check) }) ?? true else {
          throw ServerError(
            .keyChangeUnderWay, "Another key is offered already.",
            advice: "Wait until it is used and the key before it is retired; `ostiary key status` tells.")
        }
        return last.number
      }
      guard !stored.rows.contains(where: { $0.stage == .former }) else {
        throw ServerError(
          .keyChangeUnderWay, "The key before the current one is not retired yet.",
          advice: "Retire it with `ostiary key retire --server`; `ostiary key status --server` tells what keeps it.")
      }
      let offered = given ?? ServerKey.made()
      guard !content.keys.contains(where: { $0.key.isSame(as: offered) }) else {
        throw ServerError(
          .keyChangeUnderWay, "The key of \(offered.place) is the one that is used.", advice: "Name another file.")
      }
      guard !stored.rows.contains(where: { ConstantTime.isEqual($0.check, offered.checkValue) }) else {
        throw ServerError(
          .keyChangeUnderWay, "The key of \(offered.place) was used before, and was retired.",
          advice: "Name another file.")
      }
      try stored.offer(offered, after: content, at: try Self.now(clock, in: db), in: db)
      return (stored.rows.last?.number ?? content.current) + 1
    }
    try await followKeys(at: clock)
    return number
  }

  /// Takes the step that is due, if there is one.
  /// - Parameter needed: until when what the former key has made counts, in seconds since 1970.
  /// - Returns: the step.
  func takeKeyStep(
    at clock: Date = Date(), needed: @escaping @Sendable (StorageConnection) throws -> Double
  ) async throws(ServerError) -> KeyRotation.Step? {
    let step = try await write { [self] db -> KeyRotation.Step? in
      let stored = try KeyRecords(isForUse: true, in: db)
      let rotation = try self.rotation(stored, at: clock, in: db)
      let sql = KeyStatements.sql
      switch rotation.step {
      case .use(let number):
        try db.run(sql.follow, number)
        try db.run(sql.use, rotation.now, number)
        try db.run(sql.check, number)
      case .settle(let number):
        try db.run(sql.settle, rotation.now, try needed(db), number)
        try db.run(sql.removeUnseen, rotation.now - keyPatience.withLock { $0 })
      case nil: break
      }
      return rotation.step
    }
    if step != nil { try await followKeys(at: clock) }
    return step
  }

  // MARK: Servers

  /// What a server says of its keys.
  struct KeyRegistration: Sendable, Hashable {
    let known: Int64
    let used: Int64
    let kept: Int64
  }

  /// What this process says of its keys. It reads the file that has the key.
  var keyRegistration: KeyRegistration {
    let content = key.content
    return KeyRegistration(known: content.newest, used: content.current, kept: key.kept)
  }

  /// - Parameter tidies: whether the rows go of servers that are not seen any more.
  func registerKeys(
    _ registration: KeyRegistration, of node: String, version: String, tidies: Bool = false, at clock: Date = Date()
  ) async throws(ServerError) {
    try await write { db -> Void in
      let now = try Self.now(clock, in: db)
      if tidies { try db.run(KeyStatements.sql.removeUnseen, now - Self.memoryOfServers) }
      try db.run(
        KeyStatements.sql.register, node, version, now, registration.known, registration.used, registration.kept)
    }
  }

  func unregisterKeys(of node: String) async throws(ServerError) {
    try await write { db -> Void in try db.run(KeyStatements.sql.leave, node) }
  }

  // MARK: What was made with the former key

  /// Seals some rows again, unless another server does.
  /// - Parameters:
  ///   - parts: one after the other. Databases store how many are done: none ever changes its place.
  ///   - most: how many rows to look at.
  /// - Returns: whether there is more to do for this server.
  func resealRows(
    with number: Int64, as node: String, _ parts: [KeyResealing], most: Int, at clock: Date = Date()
  ) async throws(ServerError) -> Bool {
    guard key.content.current == number else { return false }
    let isDue = try await read { db in
      try db.exists(KeyStatements.sql.isResealing, number, node, try Self.now(clock, in: db))
    }
    guard isDue else { return false }
    return try await write { db -> Bool in
      let now = try Self.now(clock, in: db)
      let sql = KeyStatements.sql
      let claimed = try db.first(sql.reseal, node, now + Self.resealingLease, number, now) { reader -> (Int, Data?) in
        (reader.next(), reader.next())
      }
      guard let (part, place) = claimed else { return false }
      guard part < parts.count else {
        try db.run(sql.resealedAll, now, number)
        return false
      }
      if let last = try parts[part](place ?? Data(), most, db) {
        try db.run(sql.resealed, part, last, number)
      } else {
        try db.run(sql.resealed, part + 1, nil as Data?, number)
      }
      return true
    }
  }

  /// Retires the former key, unless something keeps it.
  /// - Parameter early: whether what was made with it for a time may be lost.
  /// - Returns: what keeps it; none if it is retired now.
  package func retireKey(
    early: Bool = false, at clock: Date = Date()
  ) async throws(ServerError) -> [KeyRotation.Obstacle] {
    try await followKeys(at: clock)
    let ring = key
    let obstacles = try await write { [self] db -> [KeyRotation.Obstacle] in
      let stored = try KeyRecords(isForUse: true, in: db)
      let rotation = try self.rotation(stored, at: clock, in: db)
      let obstacles = rotation.obstacles(early: early)
      guard obstacles.isEmpty, let former = rotation.former else { return obstacles }
      let content = ring.content
      guard stored.stages == content.stages else { throw ServerError.serverKeyChanges }
      try stored.retire(former.number, content: content, in: db)
      return []
    }
    if obstacles.isEmpty { try await followKeys(at: clock) }
    return obstacles
  }

  // MARK: Where the key is kept

  /// Whether the key is in the file of the data folder, which this process may replace.
  package var keepsKeyItself: Bool {
    guard let folder, let file = key.origin.file else { return false }
    return file.path == folder.appendingPathComponent(ServerKey.fileName).path
  }

  /// Puts the current key into the data folder's file, where it has an earlier one.
  /// - Returns: whether it was replaced.
  @discardableResult
  package func keepCurrentKey() throws -> Bool {
    guard keepsKeyItself, let file = key.origin.file else { return false }
    let content = key.content
    guard let current = content[content.current] else { return false }
    for entry in content.keys where entry.number < content.current {
      let kept = URL(filePath: "\(file.path).\(entry.number)")
      if try current.replace(entry.key, in: file, keeping: kept) { return true }
    }
    return false
  }

  /// Makes a file with the newest key (mode 0600).
  /// - Returns: whether it was made, or has that key. A file with other content stays as it is.
  package func writeNewestKey(to url: URL) throws -> Bool {
    let content = key.content
    guard let newest = content[content.newest] else { return false }
    if try newest.store(at: url) { return true }
    return try ServerKeySources(file: url).given().isSame(as: newest)
  }
}

extension ServerError.Code {
  /// The server's key can't be changed now.
  package static let keyChangeUnderWay = Self("key_change_under_way")
}
