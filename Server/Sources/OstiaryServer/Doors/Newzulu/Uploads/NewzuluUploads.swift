import Crypto
import Foundation
import NIOCore
internal import OstiaryCore

/// Uploads in parts: the parts that have arrived, in a store and in the database.
///
/// A part is stored under a unique name. It counts after three steps, in this order: it has arrived completely, the
/// store has its bytes, and the database has recorded it. Two names for the same part don't collide; the one recorded
/// last is kept. What is stored without a record belongs to no upload, and is removed. A finished upload stays in its parts,
/// which in the order of their names are its content.
struct NewzuluUploads: Sendable {
  /// A part that has arrived.
  struct Part: Sendable {
    let number: Int
    let size: Int
    let etag: String
  }

  /// The data of a new upload.
  struct Plan: Sendable {
    var vhost: String
    var user: User
    var title: String
    var message: String
    var filename: String
    var type: String
    var channel: String
    var size: Int
    var partSize: Int
  }

  /// The most parts of one file (the vendor's store has the same limit).
  static let mostParts = 10_000
  /// The number of bytes that are collected before a write to the store.
  private static let portion = 512 << 10
  /// The most uploads that are removed at a time.
  private static let batch = 20

  let storage: ServerStorage
  let store: any PartStore
  let configuration: NewzuluDoorConfiguration
  let clock: any SessionClock

  // MARK: Beginning

  /// Adds a file to the lists; its parts may be sent now.
  /// - Throws: `NewzuluFailure` `fileTooLarge`, `tooManyUploads`, `diskFull`, or a storage code.
  func begin(_ plan: Plan) async throws -> NewzuluFileRecord {
    guard plan.size <= configuration.largestFile else { throw NewzuluFailure.fileTooLarge }
    try await store.checkSpace(for: plan.size)
    try await giveUpForgotten()
    let now = clock.now
    let least = plan.size / Self.mostParts + 1
    let partSize = max(plan.partSize, configuration.leastPartSize, least)
    let most = configuration.mostUnfinishedUploads
    let file = try await storage.write { db -> NewzuluFileRecord? in
      guard try db.count(NewzuluStatements.sql.unfinished, plan.user.id) < most else { return nil }
      let id = try db.newID(
        NewzuluStatements.sql.begin, plan.vhost, plan.user.id, plan.title, plan.message, plan.filename, plan.type,
        plan.channel, plan.size, partSize, now, now)
      return try NewzuluFileRecord.find(id, in: db)
    }
    guard let file else { throw NewzuluFailure.tooManyUploads }
    return file
  }

  /// An upload with the parts that have arrived, if it belongs to that user and hasn't been removed.
  func find(_ id: Int64, of user: User, vhost: String?) async throws(ServerError) -> (NewzuluFileRecord, [Part])? {
    try await storage.read { db in
      guard let file = try NewzuluFileRecord.find(id, in: db), file.userID == user.id,
        vhost == nil || file.vhost == vhost,
        file.status != .abandoned
      else { return nil }
      return (file, try Self.parts(of: id, in: db))
    }
  }

  // MARK: Parts

  /// Reads a part from the network and writes it to the store.
  /// - Returns: its mark: the SHA-256 of its bytes.
  /// - Throws: `NewzuluFailure` `notFound` and `diskFull`, `BodyProblem`, or a storage code.
  func take(_ body: BodyStream, part: Int, ofUpload id: Int64) async throws -> String {
    let file = try await storage.read { db in try NewzuluFileRecord.find(id, in: db) }
    guard let file, file.status == .incomplete, let size = file.size(ofPart: part) else { throw NewzuluFailure.gone }
    if let announced = body.announcedSize, announced < size { throw BodyProblem.malformed }
    if let announced = body.announcedSize, announced > size { throw BodyProblem.tooLarge }
    try await store.checkSpace(for: size)
    let name = Self.fileName(ofPart: part)
    var target = try await store.begin(name, ofUpload: id, size: size)
    do {
      let etag = try await receive(body, size: size, in: &target)
      let replaced = try await record(Part(number: part, size: size, etag: etag), name: name, ofUpload: id)
      if let replaced { await store.remove(replaced, ofUpload: id) }
      return etag
    } catch let error as ServerError where error.code == .storageUnavailable {
      // The record may have been committed: then the file is the part. Otherwise it goes with the upload.
      throw error
    } catch {
      await target.discard()
      throw error
    }
  }

  private func receive(_ body: BodyStream, size: Int, in target: inout any PartWriter) async throws -> String {
    var hash = SHA256()
    var gathered = ByteBuffer()
    var received = 0
    try await body.read(upTo: size) { piece in
      received += piece.readableBytes
      piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
      var piece = piece
      gathered.writeBuffer(&piece)
      if gathered.readableBytes >= Self.portion {
        try await target.write(gathered)
        gathered.clear()
      }
    }
    guard received == size else { throw BodyProblem.malformed }
    try await target.write(gathered)
    try await target.finish()
    return hash.finalize().hexadecimal
  }

  /// Records a part in the database.
  /// - Returns: the name of the file of the part that it replaces.
  private func record(_ part: Part, name: String, ofUpload id: Int64) async throws -> String? {
    let now = clock.now
    let (isWanted, replaced) = try await storage.write { db -> (Bool, String?) in
      guard try db.changed(by: NewzuluStatements.sql.touch, now, id) > 0 else { return (false, nil) }
      let replaced: String? = try db.value(NewzuluStatements.sql.partName, id, part.number)
      try db.run(NewzuluStatements.sql.addPart, id, part.number, part.size, part.etag, name)
      return (true, replaced)
    }
    guard isWanted else { throw NewzuluFailure.gone }
    return replaced
  }

  // MARK: Ending

  /// Finishes an upload whose parts have all arrived. A second call changes nothing and has the same answer.
  /// - Parameter marks: the mark of each part as the client knows it; nil accepts the parts that have arrived.
  /// - Throws: `NewzuluFailure` `notFound` and `partsMissing`, or a storage code.
  func complete(_ id: Int64, of user: User, vhost: String?, marks: [Int: String]?) async throws -> NewzuluFileRecord {
    let now = clock.now
    let isPublic = configuration.publishesUploads
    let (file, missing) = try await storage.write { db -> (NewzuluFileRecord?, [Int]) in
      guard let file = try NewzuluFileRecord.find(id, in: db), file.userID == user.id,
        vhost == nil || file.vhost == vhost,
        file.status != .abandoned
      else { return (nil, []) }
      guard file.status == .incomplete else { return (file, []) }
      let arrived = Dictionary(
        try Self.parts(of: id, in: db).map { ($0.number, $0.etag) }, uniquingKeysWith: { first, _ in first })
      let missing = (1...file.partCount).filter { part in
        guard let etag = arrived[part] else { return true }
        return marks.map { $0[part] != etag } ?? false
      }
      guard missing.isEmpty else { return (nil, missing) }
      try db.run(NewzuluStatements.sql.complete, isPublic, now, id)
      return (try NewzuluFileRecord.find(id, in: db), [])
    }
    guard missing.isEmpty else { throw NewzuluFailure.partsMissing(missing) }
    guard let file else { throw NewzuluFailure.notFound }
    if store.tidiesAtEnd { await removeLeftOvers(ofUpload: id) }
    return file
  }

  /// Cancels an upload and deletes its parts. A second call changes nothing.
  /// - Throws: `NewzuluFailure` `notFound`, or a storage code.
  func abort(_ id: Int64, of user: User, vhost: String?) async throws {
    let isFound = try await storage.write { db -> Bool in
      guard let file = try NewzuluFileRecord.find(id, in: db), file.userID == user.id,
        vhost == nil || file.vhost == vhost,
        file.status == .incomplete || file.status == .abandoned
      else { return false }
      try Self.giveUp([id], in: db)
      return true
    }
    guard isFound else { throw NewzuluFailure.notFound }
    await removeLeftOvers(ofUpload: id)
  }

  /// The files that contain a finished upload, in order; empty where the store has none.
  func content(of id: Int64) async throws(ServerError) -> [URL] {
    guard let folder = store as? FolderParts else { return [] }
    return try await names(of: id).map { folder.url($0, ofUpload: id) }
  }

  /// Reads a finished upload, a piece after another.
  func read(_ id: Int64, _ take: (ByteBuffer) async throws -> Void) async throws {
    for name in try await names(of: id) { try await store.read(name, ofUpload: id, take) }
  }

  private func names(of id: Int64) async throws(ServerError) -> [String] {
    try await storage.read { db in try db.values(NewzuluStatements.sql.partNames, id) }
  }

  // MARK: Tidying up

  /// Removes what a killed server has left: parts without a record, and cancelled uploads. Parts that another
  /// process is writing stay.
  func sweep() async throws {
    try await giveUpForgotten()
    for id in await store.uploads() { await removeLeftOvers(ofUpload: id) }
  }

  /// Cancels the uploads without activity for a long time.
  private func giveUpForgotten() async throws {
    let limit = clock.now.addingTimeInterval(-configuration.unfinishedLifetime.timeInterval)
    let forgotten = try await storage.write { db in
      let ids: [Int64] = try db.values(NewzuluStatements.sql.forgotten, limit, Self.batch)
      try Self.giveUp(ids, in: db)
      try db.run(NewzuluStatements.sql.removeGivenUp, limit)
      return ids
    }
    for id in forgotten { await removeLeftOvers(ofUpload: id) }
  }

  private static func giveUp(_ ids: [Int64], in db: StorageConnection) throws {
    for id in ids {
      try db.run(NewzuluStatements.sql.giveUp, id)
      try db.run(NewzuluStatements.sql.removeParts, id)
    }
  }

  /// Removes what is stored of an upload and not recorded as its parts.
  private func removeLeftOvers(ofUpload id: Int64) async {
    // Of its own: an upload ends once, so that nothing would lead to the rest if the request were cancelled on the way.
    await Task {
      let stored = await store.names(ofUpload: id)
      // Read after no server was writing them: each is recorded by now, or never will be. Without an answer from the database all stay.
      guard !stored.isEmpty, let recorded = try? await names(of: id) else { return }
      let parts = Set(recorded)
      for name in stored where !parts.contains(name) { await store.remove(name, ofUpload: id) }
    }.value
  }

  /// In the order of the parts, and unique.
  private static func fileName(ofPart part: Int) -> String {
    let number = String(part)
    return String(repeating: "0", count: max(0, 5 - number.count)) + number + "-" + RandomBytes.make(8).hexadecimal
  }

  private static func parts(of id: Int64, in db: StorageConnection) throws -> [Part] {
    try db.all(NewzuluStatements.sql.parts, id) { Part(number: $0.next(), size: $0.next(), etag: $0.next()) }
  }
}
