import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files of a ``FileStore``, changed by blocking calls. Knows how a change becomes durable, and nothing of tasks.
package struct SessionFiles: Sendable {
  /// The largest session that is written or read, in bytes.
  static let sizeLimit = 4 * 1024 * 1024
  /// The longest name of a key, in bytes: listing has to read it.
  private static let nameLimit = 64 * 1024
  /// The file that is locked while any file in the folder is changed. It is held for the time of one write.
  static let writeLock = ".write.lock"

  let path: String
  let clock: any SessionClock
  let names = FileStoreNames()
  private let locks = SessionFileLocks()
  private let recent = RecentFiles()
  private let home = FolderHome()
  let onStep: @Sendable (FileStoreStep) -> Void

  /// What there is for a key.
  private enum Reading {
    case absent
    case whole(SessionFile, FileDescriptor)
    /// In words for a person.
    case damaged(String)
  }

  /// The folder.
  /// - Returns: `nil` when there is none and it is not to be created.
  private func open(creating: Bool) throws(OstiaryError) -> PrivateFolder? {
    if let folder = try PrivateFolder.open(path, creating: false) {
      guard home.isUnknown(or: folder.device) || folder.contains(Self.writeLock) else { throw .unmountedFolder(path) }
      return folder
    }
    guard home.isStillMounted(path) else { throw .unmountedFolder(path) }
    return creating ? try PrivateFolder.open(path, creating: true) : nil
  }

  // MARK: Reading

  /// Reads without a lock.
  /// - Returns: `nil` when only ``readAlone(_:)`` can tell: a writer is at work, has died while writing, or there is
  ///   damage.
  func read(_ key: SessionKey) throws(OstiaryError) -> StoreReading? {
    guard let folder = try open(creating: false) else { return .absent }
    switch try read(key, in: folder, O_RDONLY) {
    case .absent: return .absent
    case .whole(let file, _) where file.isSettled: return .present(file.payload)
    case .whole, .damaged: return nil
    }
  }

  /// Reads while no process writes, settles what is not, and keeps damage aside.
  func readAlone(_ key: SessionKey) throws(OstiaryError) -> StoreReading {
    guard let folder = try open(creating: false) else { return .absent }
    let lock: FileDescriptor
    do {
      lock = try locks.lockForWriting(in: folder)
    } catch {
      guard case .damaged(let reason) = try read(key, in: folder, O_RDONLY) else { throw error }
      return .unavailable(corrupt(names[key].session, reason, nil, underlying: error))
    }
    defer { lock.unlock() }
    switch try readSettling(key, in: folder) {
    case .absent: return .absent
    case .whole(let file, _): return .present(file.payload)
    case .damaged(let reason): return .unavailable(keepAside(names[key], reason, in: folder))
    }
  }

  /// The keys of all session files.
  /// - Returns: `nil` when only ``keysAlone()`` can tell.
  func keys() throws(OstiaryError) -> [SessionKey]? {
    guard let folder = try open(creating: false) else { return [] }
    return try keys(in: folder, isAlone: false) { _ in false }
  }

  /// Lists the keys while no process writes, and keeps files aside that do not say whose they are.
  func keysAlone() throws(OstiaryError) -> [SessionKey] {
    guard let folder = try open(creating: false) else { return [] }
    let lock = try locks.lockForWriting(in: folder)
    defer { lock.unlock() }
    var damage: OstiaryError?
    let keys = try keys(in: folder, isAlone: true) { name in
      damage = keepAside(name, "it does not say whose session it holds", in: folder)
      return true
    }
    if let damage { throw damage }
    return keys ?? []
  }

  private func keys(
    in folder: PrivateFolder, isAlone: Bool, ignoring isIgnored: (FileStoreName) -> Bool
  ) throws(OstiaryError) -> [SessionKey]? {
    var keys: [SessionKey] = []
    for name in try folder.names().compactMap(FileStoreName.init(sessionFile:)) {
      // Removed since.
      guard let (file, _) = try folder.file(name.session, O_RDONLY) else { continue }
      let beginning = try file.read(upTo: 2 * Self.nameLimit)
      if let key = SessionFile.key(in: beginning), FileStoreName(key) == name {
        var isEnded = SessionFile.isEnded(in: beginning)
        if isEnded == nil { isEnded = try self.isEnded(key, in: folder, isAlone: isAlone) }
        guard let isEnded else { return nil }
        if !isEnded { keys.append(key) }
      } else if !isIgnored(name) {
        return nil
      }
    }
    return keys.sorted { $0.name < $1.name }
  }

  /// Whether a file holds an ended entry; `nil` when only a reader who keeps writers out can tell.
  private func isEnded(_ key: SessionKey, in folder: PrivateFolder, isAlone: Bool) throws(OstiaryError) -> Bool? {
    switch isAlone ? try readSettling(key, in: folder) : try read(key, in: folder, O_RDONLY) {
    case .absent: true
    // Reading it says so.
    case .damaged: false
    case .whole(let file, _): isAlone || file.isSettled ? file.isEnded : nil
    }
  }

  private func read(_ key: SessionKey, in folder: PrivateFolder, _ flags: CInt) throws(OstiaryError) -> Reading {
    let limit = SessionFile.limit(Self.sizeLimit, key: key)
    guard let (file, size) = try folder.file(names[key].session, flags) else {
      recent[key] = nil
      return .absent
    }
    guard size <= Int64(limit) else { return .damaged("it is too large") }
    let known = recent[key]
    let content = try file.read(size: Int(size), upTo: limit) { bytes in
      bytes.count > limit ? .damaged("it is too large") : SessionFile.open(bytes, key: key, known: known)
    }
    switch content {
    case .whole(let contents):
      if contents.isSettled { recent[key] = contents }
      home.note(folder.device)
      return .whole(contents, file)
    case .damaged(let reason):
      recent[key] = nil
      return .damaged(reason)
    case .newer:
      throw OstiaryError(
        .storeUnavailable, "A newer version of Ostiary has written \(file.path).", advice: "Update this program.")
    }
  }

  /// Reads under the lock for writing. A record whose writer has died before the disk had it is settled first, so that
  /// no reader sees what may not be there tomorrow.
  private func readSettling(_ key: SessionKey, in folder: PrivateFolder) throws(OstiaryError) -> Reading {
    let reading = try read(key, in: folder, O_RDWR)
    if case .whole(let contents, let file) = reading, !contents.isSettled { try settle(contents.number, in: file) }
    return reading
  }

  private func settle(_ number: UInt64, in file: FileDescriptor) throws(OstiaryError) {
    try file.synchronizeData()
    onStep(.slotSynced)
    let change = SessionFile.settling(number)
    try file.write(change.data, at: change.offset)
    onStep(.settled)
  }

  // MARK: Writing

  /// What a change that has been made left.
  package struct Saved: Sendable {
    /// The stamp of what is stored now; `nil` where the file system can't tell changes apart.
    package let stamp: StoreStamp?
  }

  /// Writes a session, or the entry of one that has ended, if what is stored is what was expected.
  /// - Returns: the stamp of what is stored now.
  func save(
    _ data: Data, _ key: SessionKey, replacing expected: StoreExpectation, isEnded: Bool = false
  ) throws(OstiaryError) -> StoreStamp? {
    try checkSize(data)
    let saved = try change(key, isEnded: isEnded) { stored throws(OstiaryError) in
      guard expected.matches(stored) else { throw .storeConflict }
      return data
    }
    return saved?.stamp
  }

  /// Writes what `new` makes of what is stored, excluding other writers: in place where there is room, which takes one
  /// wait for the disk, or else as a new file.
  /// - Parameters:
  ///   - isEnded: whether it is an ended entry.
  ///   - new: says what to store; `nil` leaves what is there.
  /// - Returns: `nil` when nothing has been stored.
  func change(
    _ key: SessionKey, isEnded: Bool = false, _ new: (Data?) throws(OstiaryError) -> Data?
  ) throws(OstiaryError) -> Saved? {
    guard key.canonicalName.utf8.count <= Self.nameLimit else {
      throw OstiaryError(
        .storeUnavailable, "A session's key must not have more than \(Self.nameLimit) bytes.",
        advice: "Name sessions by server and account.", disposition: .misuse)
    }
    guard let folder = try open(creating: true) else {
      throw .file(ENOENT, cannot: "open", path)
    }
    let lock = try locks.lockForWriting(in: folder)
    defer { lock.unlock() }
    onStep(.locked)
    let stored = try readKeepingDamagedAside(key, in: folder)
    guard let data = try new(stored?.contents.payload) else { return nil }
    try checkSize(data)
    home.note(folder.device)
    let last = try stored.map { stored throws(OstiaryError) in try stored.file.generation() }
    if let (contents, file) = stored, let change = contents.next(data, isEnded: isEnded), let last {
      try write(change, after: contents, in: file)
      recent[key] = contents.after(change, data, isEnded: isEnded)
      return Saved(stamp: file.raiseGeneration(beyond: last) ? file.stamp : nil)
    }
    let generation = max(try lock.generation(), last ?? .min)
    return try make(
      SessionFile.made(of: data, key: key, isEnded: isEnded), names[key], in: folder, beyond: generation)
  }

  private func checkSize(_ data: Data) throws(OstiaryError) {
    guard data.count <= Self.sizeLimit else {
      throw OstiaryError(
        .storeUnavailable, "A session of \(data.count) bytes is larger than the store's limit of \(Self.sizeLimit).",
        advice: "Keep less in the session's attributes.", disposition: .misuse)
    }
  }

  /// Writes a record in place.
  private func write(
    _ change: SessionFile.Change, after contents: SessionFile, in file: FileDescriptor
  ) throws(OstiaryError) {
    do throws(OstiaryError) {
      try file.write(change.data, at: change.offset)
      onStep(.slotWritten)
      try settle(contents.number + 1, in: file)
    } catch {
      // A failed write must not become visible to readers.
      let undo = contents.withoutNext
      try? file.write(undo.data, at: undo.offset)
      throw error
    }
  }

  /// Writes a file in four durable steps: a temporary file, its synchronisation, a new name, the folder's.
  /// - Parameter generation: of what it replaces.
  private func make(
    _ contents: Data, _ name: FileStoreName, in folder: PrivateFolder, beyond generation: Int64
  ) throws(OstiaryError) -> Saved {
    let temporary = name.temporary
    guard let (file, _) = try folder.file(temporary, O_WRONLY | O_CREAT | O_EXCL) else {
      throw .file(ENOENT, cannot: "create", temporary)
    }
    let isRaised: Bool
    do throws(OstiaryError) {
      onStep(.temporaryCreated)
      try file.write(contents)
      onStep(.temporaryWritten)
      try file.synchronize()
      onStep(.temporarySynced)
      isRaised = file.raiseGeneration(beyond: generation)
      try folder.rename(temporary, to: name.session)
    } catch {
      try? folder.remove(temporary)
      throw error
    }
    onStep(.renamed)
    try folder.synchronize()
    onStep(.folderSynced)
    return Saved(stamp: isRaised ? file.stamp : nil)
  }

  func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) throws(OstiaryError) {
    guard let folder = try open(creating: false) else { return }
    let lock = try locks.lockForWriting(in: folder)
    defer { lock.unlock() }
    onStep(.locked)
    guard let (contents, file) = try readKeepingDamagedAside(key, in: folder) else { return }
    guard expected.matches(contents.payload) else { throw .storeConflict }
    // Absence shows the generation of the lock's file. Before the removal, so that no absence is seen with the old one.
    _ = lock.raiseGeneration(beyond: max(try lock.generation(), try file.generation()))
    try folder.remove(names[key].session)
    recent[key] = nil
    onStep(.renamed)
    try folder.synchronize()
    onStep(.folderSynced)
  }

  /// Removes every session, what was kept aside, and what dead writers left.
  func removeAll() throws(OstiaryError) {
    guard let folder = try open(creating: false) else { return }
    let lock = try locks.lockForWriting(in: folder)
    defer { lock.unlock() }
    recent.removeAll()
    _ = lock.raiseGeneration(beyond: try lock.generation())
    for name in try folder.names()
    where FileStoreName(sessionFile: name) != nil || FileStoreName.isAside(name) || FileStoreName.isTemporary(name) {
      try folder.remove(name)
    }
    try folder.synchronize()
  }

  private func readKeepingDamagedAside(
    _ key: SessionKey, in folder: PrivateFolder
  ) throws(OstiaryError) -> (contents: SessionFile, file: FileDescriptor)? {
    switch try readSettling(key, in: folder) {
    case .absent: return nil
    case .whole(let contents, let file): return (contents, file)
    case .damaged(let reason):
      let error = keepAside(names[key], reason, in: folder)
      guard !folder.contains(names[key].session) else { throw error }
      return nil
    }
  }

  /// Gives a damaged file another name and says where it is.
  private func keepAside(_ name: FileStoreName, _ reason: String, in folder: PrivateFolder) -> OstiaryError {
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

  /// Removes what writers that died have left, unless a process writes now.
  func tidy() throws(OstiaryError) {
    guard let folder = try open(creating: false),
      let (lock, _) = try folder.file(Self.writeLock, O_RDWR | O_CREAT), try lock.tryLock()
    else { return }
    defer { lock.unlock() }
    // Temporary files are made under this lock only: all that are here now are leftovers.
    for name in try folder.names() where FileStoreName.isTemporary(name) { try folder.remove(name) }
  }

  /// Takes the lock for exclusive access, if it is free. For each key, one task at a time may ask.
  func tryLock(_ key: SessionKey) throws(OstiaryError) -> FileDescriptor? {
    try locks.tryLock(names[key].lock) { () throws(OstiaryError) in try open(creating: true) }
  }

  /// Takes the lock for exclusive access, blocking the thread until it is free.
  func lock(_ key: SessionKey) throws(OstiaryError) -> FileDescriptor {
    let name = names[key].lock
    while true {
      guard let folder = try open(creating: true),
        let (lock, _) = try folder.file(name, O_RDWR | O_CREAT)
      else { throw .file(ENOENT, cannot: "open", path) }
      try lock.lock()
      if try folder.holds(lock, as: name) { return lock }
    }
  }
}
