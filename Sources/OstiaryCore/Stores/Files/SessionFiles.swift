import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a ``FileStore``, changed by blocking calls. Knows how a change becomes durable, and nothing of tasks.
struct SessionFiles: Sendable {
  /// The largest session that is written or read, in bytes.
  static let sizeLimit = 4 * 1024 * 1024
  /// The file that is locked while any file in the folder is changed. It is held for the time of one write.
  private static let writeLock = ".write.lock"
  /// How long to wait for other writers, in tries of about two milliseconds.
  private static let writeLockTries = 5_000

  let path: String
  let clock: any SessionClock
  let onStep: @Sendable (FileStoreStep) -> Void

  /// What there is for a key.
  enum Reading: Equatable {
    case absent
    case present(Data)
    /// In words for a person.
    case damaged(String)

    var data: Data? { if case .present(let data) = self { data } else { nil } }
  }

  func read(_ key: SessionKey) throws(OstiaryError) -> Reading {
    guard let folder = try PrivateFolder.open(path, creating: false) else { return .absent }
    return try read(key, in: folder)
  }

  private func read(_ key: SessionKey, in folder: PrivateFolder) throws(OstiaryError) -> Reading {
    let limit = Self.sizeLimit + FileEnvelope.headerLength + key.canonicalName.utf8.count
    guard let (file, size) = try folder.file(FileStoreName(key).session, O_RDONLY) else { return .absent }
    guard size <= Int64(limit) else { return .damaged("it is too large") }
    let contents = try file.read(upTo: limit)
    guard contents.count <= limit else { return .damaged("it is too large") }
    switch FileEnvelope.open(contents, key: key) {
    case .whole(let data): return .present(data)
    case .damaged(let reason): return .damaged(reason)
    case .newer:
      throw OstiaryError(
        .storeUnavailable, "A newer version of Ostiary has written \(file.path).", advice: "Update this program.")
    }
  }

  /// The keys of all session files.
  func keys() throws(OstiaryError) -> [SessionKey] {
    guard let folder = try PrivateFolder.open(path, creating: false) else { return [] }
    var keys: [SessionKey] = []
    for name in try folder.names() where FileStoreName.isSession(name) {
      guard let (file, _) = try folder.file(name, O_RDONLY) else { continue }
      guard let key = FileEnvelope.key(in: try file.read(upTo: Self.sizeLimit)), FileStoreName(key).session == name
      else { throw OstiaryError(.storeUnavailable, "\(path)/\(name) does not say whose session it holds.") }
      keys.append(key)
    }
    return keys.sorted { $0.name < $1.name }
  }

  /// Writes a session in four durable steps: a temporary file, its synchronisation, a new name, the folder's.
  func save(_ data: Data, _ key: SessionKey, replacing expected: StoreExpectation) throws(OstiaryError) {
    guard data.count <= Self.sizeLimit else {
      throw OstiaryError(
        .storeUnavailable, "A session of \(data.count) bytes is larger than the store's limit of \(Self.sizeLimit).",
        advice: "Keep less in the session's attributes.", disposition: .misuse)
    }
    guard let folder = try PrivateFolder.open(path, creating: true) else {
      throw .file(ENOENT, cannot: "open", path)
    }
    let lock = try lockForWriting(folder)
    defer { lock.unlock() }
    onStep(.locked)
    guard expected.matches(try readKeepingDamagedAside(key, in: folder).data) else { throw .storeConflict }

    let name = FileStoreName(key)
    let temporary = name.temporary
    guard let (file, _) = try folder.file(temporary, O_WRONLY | O_CREAT | O_EXCL) else {
      throw .file(ENOENT, cannot: "create", temporary)
    }
    do throws(OstiaryError) {
      onStep(.temporaryCreated)
      try file.write(FileEnvelope.header(for: data, key: key))
      onStep(.temporaryPartlyWritten)
      try file.write(data)
      onStep(.temporaryWritten)
      try file.synchronize()
      onStep(.temporarySynced)
      try folder.rename(temporary, to: name.session)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    onStep(.renamed)
    try folder.synchronize()
    onStep(.folderSynced)
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) throws(OstiaryError) {
    guard let folder = try PrivateFolder.open(path, creating: false) else { return }
    let lock = try lockForWriting(folder)
    defer { lock.unlock() }
    onStep(.locked)
    guard let data = try readKeepingDamagedAside(key, in: folder).data else { return }
    guard expected.matches(data) else { throw .storeConflict }
    try folder.remove(FileStoreName(key).session)
    onStep(.renamed)
    try folder.synchronize()
    onStep(.folderSynced)
  }

  /// Reads again, alone, what looked damaged, and keeps it aside if it is.
  func readAfterDamage(_ key: SessionKey) throws(OstiaryError) -> StoreReading {
    guard let folder = try PrivateFolder.open(path, creating: false) else { return .absent }
    let lock: FileDescriptor
    do {
      lock = try lockForWriting(folder)
    } catch {
      return .unavailable(corrupt(FileStoreName(key).session, "it can't be moved aside", nil))
    }
    defer { lock.unlock() }
    switch try read(key, in: folder) {
    case .absent: return .absent
    case .present(let data): return .present(data)
    case .damaged(let reason): return .unavailable(keepAside(key, reason, in: folder))
    }
  }

  private func readKeepingDamagedAside(_ key: SessionKey, in folder: PrivateFolder) throws(OstiaryError) -> Reading {
    let reading = try read(key, in: folder)
    guard case .damaged(let reason) = reading else { return reading }
    let error = keepAside(key, reason, in: folder)
    guard !folder.contains(FileStoreName(key).session) else { throw error }
    return .absent
  }

  /// Gives a damaged file another name and says where it is.
  private func keepAside(_ key: SessionKey, _ reason: String, in folder: PrivateFolder) -> OstiaryError {
    let name = FileStoreName(key)
    let now = clock.now
    let free = (0..<1000).lazy.map { name.aside(at: now, attempt: $0) }.first { !folder.contains($0) }
    do throws(OstiaryError) {
      let aside = free ?? name.aside(at: now, attempt: 0)
      try folder.rename(name.session, to: aside)
      try folder.synchronize()
      return corrupt(name.session, reason, aside)
    } catch {
      return corrupt(name.session, reason, nil, underlying: error)
    }
  }

  private func corrupt(
    _ name: String, _ reason: String, _ aside: String?, underlying: OstiaryError? = nil
  ) -> OstiaryError {
    let kept = aside.map { "It has been kept as \(path)/\($0)." } ?? "It could not be moved aside."
    return OstiaryError(
      .storeCorrupt, "The session file \(path)/\(name) is damaged: \(reason). \(kept)", underlying: underlying)
  }

  // MARK: Locks

  /// Removes what writers that died have left, unless somebody writes now.
  func tidy() throws(OstiaryError) {
    guard let folder = try PrivateFolder.open(path, creating: false),
      let (lock, _) = try folder.file(Self.writeLock, O_RDWR | O_CREAT), try lock.tryLock()
    else { return }
    defer { lock.unlock() }
    // Temporary files are made under this lock only: all that are here now are leftovers.
    for name in try folder.names() where FileStoreName.isTemporary(name) { try folder.remove(name) }
  }

  /// Waits until nobody else changes a file in the folder.
  private func lockForWriting(_ folder: PrivateFolder) throws(OstiaryError) -> FileDescriptor {
    for _ in 0..<Self.writeLockTries {
      if let lock = try tryLock(Self.writeLock, in: folder) { return lock }
      usleep(UInt32.random(in: 500...3_500))
    }
    throw .storeBusy
  }

  private func tryLock(_ name: String, in folder: PrivateFolder) throws(OstiaryError) -> FileDescriptor? {
    guard let (lock, _) = try folder.file(name, O_RDWR | O_CREAT), try lock.tryLock() else { return nil }
    // Somebody may have removed the file meanwhile; a lock on a nameless file keeps nobody out.
    return try folder.holds(lock, as: name) ? lock : nil
  }

  /// Takes the lock for exclusive access, if nobody has it.
  func tryLock(_ key: SessionKey) throws(OstiaryError) -> FileDescriptor? {
    guard let folder = try PrivateFolder.open(path, creating: true) else { return nil }
    return try tryLock(FileStoreName(key).lock, in: folder)
  }

  /// Takes the lock for exclusive access, blocking the thread until nobody else has it.
  func lock(_ key: SessionKey) throws(OstiaryError) -> FileDescriptor {
    let name = FileStoreName(key).lock
    while true {
      guard let folder = try PrivateFolder.open(path, creating: true),
        let (lock, _) = try folder.file(name, O_RDWR | O_CREAT)
      else { throw .file(ENOENT, cannot: "open", path) }
      try lock.lock()
      if try folder.holds(lock, as: name) { return lock }
    }
  }
}
