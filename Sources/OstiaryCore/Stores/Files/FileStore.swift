import Dispatch
public import Foundation

/// Keeps sessions in files, one for each key, for this user alone, safe against crashes and other processes.
///
/// - **Private.** The folder gets the rights 0700 and its files 0600; rights that others have are taken away. A folder
///   or file that is a symbolic link or belongs to another user is refused.
/// - **Durable.** A save writes beside what is there, waits for the disk and only then counts, so that a crash at any
///   moment leaves the old session or the new one, whole. It is one write in place and one wait; a session's first save,
///   and one that has outgrown its file, makes a new file and costs about ten times as much.
/// - **Shared.** Comparing and saving is one step for all processes that use the folder, and
///   ``withExclusiveAccess(to:patience:_:)`` holds among them (`flock`). Every lock of a process is free when it dies.
/// - **Honest.** A file that was damaged is reported once, with its path, and kept aside as `….corrupt-<time>`.
///
/// The folder must be on a file system whose locks work: a local disk does, some network file systems don't, and then
/// exclusive access throws.
///
/// - Important: Sessions are written as they are, **not encrypted**. Any program that can read this user's files, and
///   their backups, can read them.
public final class FileStore: SessionStore {
  /// Where the files are.
  public let folder: URL

  private let files: SessionFiles
  private let line: KeyedAsyncLock
  private let locks: FileLockQueue
  private let isTidy = Locked(false)
  /// Its generation is raised with every removal.
  private let removals: String
  /// Those whose stamps have been asked for.
  private let stampedFiles = Locked<[SessionKey: StampedFile]>([:])
  /// A server with more accounts than that has the stamps of the others found by name.
  private static let mostStampedFiles = 128
  /// Writing waits for the disk, so it happens on a thread of its own, one write at a time. Reading takes
  /// microseconds and happens where it is asked for.
  private let writer = DispatchQueue(label: "ostiary.file-store")

  /// Makes a store in `folder`, which is created when something is first written.
  /// - Parameters:
  ///   - folder: a folder for nothing else.
  ///   - clock: measures patience, and dates damaged files.
  public convenience init(folder: URL, clock: any SessionClock = .system) {
    self.init(folder: folder, clock: clock, onStep: { _ in })
  }

  /// Makes a store that tells how far it has come, so that tests can stop the process there.
  package init(folder: URL, clock: any SessionClock = .system, onStep: @escaping @Sendable (FileStoreStep) -> Void) {
    self.folder = folder
    var path = folder.absoluteURL.path(percentEncoded: false)
    // With a slash at the end, the system would follow a link.
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    files = SessionFiles(path: path, clock: clock, onStep: onStep)
    removals = "\(path)/\(SessionFiles.writeLock)"
    line = KeyedAsyncLock(clock: clock)
    locks = FileLockQueue(clock: clock)
  }

  public func load(_ key: SessionKey) async -> StoreReading {
    do throws(OstiaryError) {
      try await tidyOnce()
      if let reading = try files.read(key) { return reading }
      return try await write { files throws(OstiaryError) in try files.readAlone(key) }
    } catch {
      return .unavailable(error)
    }
  }

  public func stamp(of key: SessionKey) -> StoreStamp? {
    if let file = stampedFiles.withLock({ $0[key] }) { return file.take() }
    let path = "\(files.path)/\(files.names[key].session)"
    let file = stampedFiles.withLock { stamped -> StampedFile? in
      guard stamped.count < Self.mostStampedFiles else { return nil }
      let file = StampedFile(path, removals: removals)
      stamped[key] = file
      return file
    }
    return file?.take() ?? FileStamp.take(path, removals: removals)
  }

  public func save(_ data: Data, for key: SessionKey, replacing expected: StoreExpectation) async throws {
    _ = try await saveStamped(data, for: key, replacing: expected)
  }

  public func saveStamped(
    _ data: Data, for key: SessionKey, replacing expected: StoreExpectation
  ) async throws -> StoreStamp? {
    try await tidyOnce()
    return try await write { files throws(OstiaryError) in try files.save(data, key, replacing: expected) }
  }

  public func end(_ key: SessionKey, with entry: Data, ifHolding expected: StoreExpectation) async throws {
    try await endOrRemove(key, with: entry, ifHolding: expected) {
      try await tidyOnce()
      _ = try await write { files throws(OstiaryError) in
        try files.save(entry, key, replacing: expected, isEnded: true)
      }
    }
  }

  /// A lock is free when its process dies, and not before.
  public var exclusiveAccessCanBeLost: Bool { false }

  /// Stores what `new` makes of what is stored, in one step for all processes that use the folder. It runs on the thread
  /// that writes, while others wait.
  /// - Parameters:
  ///   - isEnded: whether it is an ended entry.
  ///   - new: says what to store; `nil` leaves what is there.
  /// - Returns: `nil` when nothing has been stored.
  package func change(
    _ key: SessionKey, isEnded: Bool = false, _ new: @escaping @Sendable (Data?) throws(OstiaryError) -> Data?
  ) async throws(OstiaryError) -> SessionFiles.Saved? {
    try await tidyOnce()
    return try await write { files throws(OstiaryError) in try files.change(key, isEnded: isEnded, new) }
  }

  public func remove(_ key: SessionKey, ifHolding expected: StoreExpectation) async throws {
    try await tidyOnce()
    try await write { files throws(OstiaryError) in try files.remove(key, ifHolding: expected) }
  }

  public func accounts() async throws -> [SessionKey] {
    try await tidyOnce()
    if let keys = try files.keys() { return keys }
    return try await write { files throws(OstiaryError) in try files.keysAlone() }
  }

  public func removeAll() async throws {
    try await write { files throws(OstiaryError) in try files.removeAll() }
  }

  public func withExclusiveAccess<Result: Sendable>(
    to key: SessionKey, patience: Duration, _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let start = clock.now
    // First among the tasks that use this store, so that only one at a time has to wait for other processes.
    try await line.enter(key, patience: patience)
    defer { line.leave(key) }
    let lock: FileDescriptor
    if let free = try files.tryLock(key) {
      lock = free
    } else {
      lock = try await wait(for: key, patience: patience - .seconds(max(0, clock.now.timeIntervalSince(start))))
    }
    defer { lock.unlock() }
    return try await body()
  }

  private func wait(for key: SessionKey, patience: Duration) async throws -> FileDescriptor {
    guard patience > .zero else { throw OstiaryError.storeBusy }
    return try await locks.wait(for: files.names[key].lock, patience: patience) { [files] in try files.lock(key) }
  }

  private var clock: any SessionClock { files.clock }

  private func write<Value: Sendable>(
    _ change: @escaping @Sendable (SessionFiles) throws(OstiaryError) -> Value
  ) async throws(OstiaryError) -> Value {
    let result = await withCheckedContinuation { continuation in
      writer.async { [files] in
        continuation.resume(returning: Swift.Result { () throws(OstiaryError) in try change(files) })
      }
    }
    return try result.get()
  }

  /// Removes, the first time, what crashed writers left.
  private func tidyOnce() async throws(OstiaryError) {
    let isFirst = isTidy.withLock { isTidy in
      defer { isTidy = true }
      return !isTidy
    }
    guard isFirst else { return }
    // Tidying is a courtesy: a folder that can't be written can still be read.
    try await write { files throws(OstiaryError) in try? files.tidy() }
  }
}

extension SessionStore where Self == FileStore {
  /// A store of files in the platform's place for an application's own data.
  ///
  /// On Linux `$XDG_STATE_HOME/<application>/sessions`, by default `~/.local/state/<application>/sessions` (XDG Base
  /// Directory Specification 0.8); on Apple platforms `Application Support/<application>/Sessions`.
  /// - Parameter application: a name; characters that have no place in a file name become hyphens.
  public static func file(application: String) -> FileStore { FileStore.default(application: application) }
}

extension FileStore {
  /// A store in the platform's place for an application's own data.
  ///
  /// On Linux `$XDG_STATE_HOME/<application>/sessions`, by default `~/.local/state/<application>/sessions` (XDG Base
  /// Directory Specification 0.8); on Apple platforms `Application Support/<application>/Sessions`.
  /// - Parameter application: a name; characters that have no place in a file name become hyphens.
  package static func `default`(application: String) -> FileStore {
    #if canImport(Darwin)
      let folder = URL.applicationSupportDirectory
        .appending(path: FileStoreName.slug(application))
        .appending(path: "Sessions")
      return FileStore(folder: folder)
    #else
      return FileStore(
        folder: stateFolder(
          application: application, environment: ProcessInfo.processInfo.environment,
          home: FileManager.default.homeDirectoryForCurrentUser))
    #endif
  }

  /// Where XDG wants an application's state. A relative `XDG_STATE_HOME` is ignored, as the specification demands.
  package static func stateFolder(application: String, environment: [String: String], home: URL) -> URL {
    let stated = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    return (stated ?? home.appending(path: ".local/state"))
      .appending(path: FileStoreName.slug(application))
      .appending(path: "sessions")
  }
}

/// The places in a change of the stored files at which a process may die. Tests kill it there.
package enum FileStoreStep: String, CaseIterable, Sendable {
  /// Nothing has been done, but the folder is there and locked for writing.
  case locked
  /// An empty temporary file is there.
  case temporaryCreated
  /// Everything has been written.
  case temporaryWritten
  /// The temporary file is on the disk.
  case temporarySynced
  /// It has taken the place of the session file.
  case renamed
  /// The change is on the disk.
  case folderSynced

  /// The next record is in its slot.
  case slotWritten
  /// It is on the disk.
  case slotSynced
  /// It is known to be on the disk.
  case settled

  /// What is passed when a file is made, or made anew because it is too small.
  package static let making: [Self] = [
    .locked, .temporaryCreated, .temporaryWritten, .temporarySynced, .renamed, .folderSynced,
  ]
  /// What is passed when a file is written in place.
  package static let writingInPlace: [Self] = [.locked, .slotWritten, .slotSynced, .settled]
}
