import Foundation
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What could go wrong because files stay open.
@Suite(.timeLimit(.minutes(20))) struct OpenFilesTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let key = SessionKey("app")
  private let data = Data("a session".utf8)

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.store
  }

  // MARK: Locks

  private func isLocked(for other: FileStore) async -> Bool {
    do {
      try await other.withExclusiveAccess(to: key, patience: .zero) {}
      return false
    } catch {
      return true
    }
  }

  @Test(
    "A lock file, or its folder, that is removed or replaced between two uses is locked anew, for everybody",
    arguments: ["file", "folder", "replaced"])
  func removedLock(what: String) async throws {
    let (one, other) = (FileStore(folder: folder), FileStore(folder: folder))
    for store in [one, other] { try await store.withExclusiveAccess(to: key, patience: .zero) {} }
    let lock = try #require(try names(in: folder).first { $0.hasSuffix(".lock") && !$0.hasPrefix(".") })
    switch what {
    case "folder": try FileManager.default.removeItem(at: folder)
    default: try FileManager.default.removeItem(at: folder.appending(path: lock))
    }
    if what == "replaced" { try Data().write(to: folder.appending(path: lock)) }
    for (holder, stranger) in [(one, other), (other, one)] {
      try await holder.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await isLocked(for: stranger))
        #expect(await isLocked(for: FileStore(folder: folder)))
      }
      #expect(await !isLocked(for: stranger))
    }
  }

  @Test("A lock that was held when its file was removed keeps out only those who saw that file")
  func removedWhileHeld() async throws {
    let (one, other) = (FileStore(folder: folder), FileStore(folder: folder))
    for store in [one, other] { try await store.withExclusiveAccess(to: key, patience: .zero) {} }
    try await one.withExclusiveAccess(to: key, patience: .zero) {
      try FileManager.default.removeItem(at: folder)
      // The other has that file open too, and must not take it for the lock.
      try await other.withExclusiveAccess(to: key, patience: .zero) {
        #expect(await isLocked(for: FileStore(folder: folder)))
      }
    }
    try await one.withExclusiveAccess(to: key, patience: .zero) { #expect(await isLocked(for: other)) }
  }

  @Test("The lock for writing is found again, too")
  func removedWriteLock() async throws {
    let store = FileStore(folder: folder)
    for round in 0..<3 {
      try await store.save(data + [UInt8(round)], for: key, replacing: .anything)
      try FileManager.default.removeItem(at: folder.appending(path: ".write.lock"))
    }
    try await store.save(data, for: key, replacing: .anything)
    #expect(try names(in: folder).contains(".write.lock"))
    #expect(await FileStore(folder: folder).load(key) == .present(data))
  }

  @Test("A forked process doesn't use the files that its parent has locked")
  func forked() throws {
    let process = Locked<pid_t>(100)
    let locks = OpenLocks { process.withLock { $0 } }
    let parents = try #require(try PrivateFolder.open(folder.path, creating: true)?.file("a", O_RDWR | O_CREAT)).0
    #expect(try parents.tryLock())
    try locks.keep(parents, as: "a")
    #expect(locks["a"]?.file === parents)
    process.withLock { $0 = 101 }
    #expect(locks["a"]?.file == nil)
    let childs = try #require(try PrivateFolder.open(folder.path, creating: true)?.file("a", O_RDWR)).0
    #expect(try !childs.tryLock())
    try locks.keep(childs, as: "a")
    #expect(locks["a"]?.file === childs)
    locks.forget("a")
    #expect(locks["a"]?.file == nil)
    // Forgetting closes nothing that is in use.
    #expect(try !childs.tryLock())
    parents.unlock()
    #expect(try childs.tryLock())
  }

  #if os(Linux)
    @Test("However many accounts a store has, it keeps few files open")
    func bounded() async throws {
      func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let store = FileStore(folder: folder)
      let before = try openFiles()
      for number in 0..<400 {
        let key = SessionKey("account \(number)")
        try await store.withExclusiveAccess(to: key, patience: .zero) {}
        _ = store.stamp(of: key)
      }
      for number in 0..<200 {
        try await store.save(data, for: SessionKey("account \(number)"), replacing: .nothing)
        #expect(store.stamp(of: SessionKey("account \(number)")) != StoreStamp(0))
      }
      // Other tests open files meanwhile.
      #expect(try openFiles() - before < 350)
    }
  #endif

  // MARK: Stamps

  /// A file as it is looked at so many seconds later, when what has just been done to it was long ago.
  private func watched(_ url: URL, later seconds: Locked<Int64> = Locked(60)) -> StampedFile {
    StampedFile(url.path) { FileStamp.now + seconds.withLock { $0 } * 1_000_000_000 }
  }

  @Test(
    "The stamp of a file changes with whatever happens to it, and stays the same otherwise",
    arguments: ["written", "removed", "replaced", "moved", "moved and made anew"])
  func stamps(what: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (file, aside) = (folder.appending(path: "file"), folder.appending(path: "aside"))
    let stamped = watched(file)
    let never = try #require(stamped.take())
    try data.write(to: file)
    let before = try #require(stamped.take())
    #expect(before != never)
    #expect(before == FileStamp.take(file.path, at: .max))
    for _ in 0..<3 { #expect(stamped.take() == before) }
    switch what {
    case "written":
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: data + data)
      try handle.close()
    case "removed": try FileManager.default.removeItem(at: file)
    case "replaced":
      try data.write(to: aside)
      #expect(rename(aside.path, file.path) == 0)
    default: #expect(rename(file.path, aside.path) == 0)
    }
    #expect(stamped.take() != before)
    #expect(stamped.take() == FileStamp.take(file.path, at: .max))
    if what == "moved and made anew" {
      let between = stamped.take()
      try data.write(to: file)
      #expect(stamped.take() != between)
      #expect(stamped.take() == FileStamp.take(file.path, at: .max))
    }
  }

  @Test("What has come and gone is no absence that was there before")
  func cameAndWent() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stamped = watched(folder.appending(path: "file"))
    let before = try #require(stamped.take())
    #expect(stamped.take() == before)
    try waitForLaterFileTime(than: folder)
    try data.write(to: folder.appending(path: "file"))
    try FileManager.default.removeItem(at: folder.appending(path: "file"))
    let after = try #require(stamped.take())
    #expect(after != before)
    #expect(stamped.take() == after)
    // What a folder held that is gone itself can't be told.
    try FileManager.default.removeItem(at: folder)
    #expect(try #require(stamped.take()) != #require(stamped.take()))
  }

  /// The clock of file times ticks coarsely.
  private func waitForLaterFileTime(than url: URL) throws {
    func changed(_ url: URL) throws -> Int64 {
      var status = stat()
      try #require(lstat(url.path, &status) == 0)
      return FileStamp(status).changed
    }
    let (probe, time) = (temporary.url.appending(path: "probe"), try changed(url))
    repeat { try data.write(to: probe) } while try changed(probe) <= time
  }

  @Test("A file that has just been changed has no stamp that equals another")
  func unsettled() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "file")
    try data.write(to: file)
    let ticks = Locked(FileStamp.now)
    let stamped = StampedFile(file.path) {
      ticks.withLock { now in
        now += 1
        return now
      }
    }
    #expect(stamped.take() != stamped.take())
    ticks.withLock { $0 += 60_000_000_000 }
    #expect(stamped.take() == stamped.take())
  }

  @Test("Another folder in the place of a file's is seen within a second")
  func movedFolder() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: folder.appending(path: "file"))
    let seconds = Locked<Int64>(60)
    let stamped = watched(folder.appending(path: "file"), later: seconds)
    let before = try #require(stamped.take())
    try FileManager.default.moveItem(at: folder, to: temporary.url.appending(path: "elsewhere"))
    seconds.withLock { $0 += 1 }
    let between = try #require(stamped.take())
    #expect(between != before)
    try FileManager.default.moveItem(at: temporary.url.appending(path: "elsewhere"), to: folder)
    seconds.withLock { $0 += 1 }
    #expect(stamped.take() == before)
  }

  @Test("What is stored for one key leaves the stamps of others alone")
  func keysApart() async throws {
    let store = EphemeralStore()
    try await store.save(data, for: key, replacing: .nothing)
    let before = store.stamp(of: key)
    try await store.save(data, for: SessionKey("other"), replacing: .nothing)
    #expect(store.stamp(of: key) == before)
    try await store.save(data + data, for: key, replacing: .anything)
    #expect(store.stamp(of: key) != before)
    try await store.remove(key, ifHolding: .anything)
    #expect(store.stamp(of: key) == store.stamp(of: SessionKey("never stored")))
    try await store.save(data, for: key, replacing: .nothing)
    #expect(store.stamp(of: key) != before)
  }
}
