import Foundation
import OstiaryCore
import OstiaryTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// What holds between processes: each exit test is a process of its own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct FileStoreProcessTests {
  private static let key = SessionKey("app")
  private static let old = Data("the old session".utf8)
  private static let new = Data("the new and longer session".utf8)

  private let temporary: TemporaryFolder
  private let folder: URL
  private let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.store
    store = FileStore(folder: folder)
  }

  /// Makes the store of a process that dies when it comes to `step`.
  private static func doomedStore(_ folder: String, _ step: String) -> FileStore {
    FileStore(folder: URL(filePath: folder)) { if $0.rawValue == step { kill(getpid(), SIGKILL) } }
  }

  /// Expects that a process has died without harm: no leftovers, no locks.
  private func expectUsable() async throws {
    let store = FileStore(folder: folder)
    _ = await store.load(Self.key)
    #expect(try names(in: folder).allSatisfy { !$0.hasSuffix(".tmp") })
    try await store.withExclusiveAccess(to: Self.key, patience: .zero) {
      try await store.save(Data("next".utf8), for: Self.key, replacing: .anything)
    }
    #expect(await store.load(Self.key) == .present(Data("next".utf8)))
  }

  // MARK: kill -9

  @Test(
    "Store-T3, invariant 4: kill -9 at any step of a write in place leaves the old session or the new one",
    arguments: FileStoreStep.writingInPlace)
  func killedWhileSaving(step: FileStoreStep) async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, step = step.rawValue as String] in
      let store = FileStoreProcessTests.doomedStore(path, step)
      try await store.withExclusiveAccess(to: FileStoreProcessTests.key, patience: .seconds(30)) {
        try await store.save(
          FileStoreProcessTests.new, for: FileStoreProcessTests.key, replacing: .exactly(FileStoreProcessTests.old))
      }
    }
    for _ in 0..<2 {
      #expect(await store.load(Self.key) == .present(step == .locked ? Self.old : Self.new))
    }
    try await expectUsable()
  }

  @Test(
    "Store-T3, invariant 4: kill -9 at any step of a write that needs a larger file leaves the old session or the new",
    arguments: FileStoreStep.making)
  func killedWhileGrowing(step: FileStoreStep) async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, step = step.rawValue as String] in
      let store = FileStoreProcessTests.doomedStore(path, step)
      try await store.save(
        Data(count: 50_000), for: FileStoreProcessTests.key, replacing: .exactly(FileStoreProcessTests.old))
    }
    let isNew = [.renamed, .folderSynced].contains(step)
    #expect(await store.load(Self.key) == .present(isNew ? Data(count: 50_000) : Self.old))
    try await expectUsable()
  }

  @Test(
    "Store-T3, invariant 4: kill -9 at any step of the first write leaves nothing or the session",
    arguments: FileStoreStep.making)
  func killedWhileSavingFirst(step: FileStoreStep) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, step = step.rawValue as String] in
      let store = FileStoreProcessTests.doomedStore(path, step)
      try await store.save(FileStoreProcessTests.new, for: FileStoreProcessTests.key, replacing: .nothing)
    }
    let isNew = [.renamed, .folderSynced].contains(step)
    #expect(await store.load(Self.key) == (isNew ? .present(Self.new) : .absent))
    try await expectUsable()
  }

  @Test("Store-T3, invariant 4: a process that saves without end and is killed, forty times, loses nothing it was told")
  func killedAgainAndAgain() async throws {
    for round in 0..<40 {
      let promised = temporary.url.appending(path: "promised")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = folder.path as String, promised = promised.path as String, delay = round * 137 % 4_000 as Int] in
        // A thread of its own kills it, wherever it happens to be.
        Thread.detachNewThread {
          usleep(20_000 + UInt32(delay))
          kill(getpid(), SIGKILL)
        }
        let store = FileStore(folder: URL(filePath: path))
        let told = open(promised, O_WRONLY | O_CREAT, 0o600)
        while true {
          var number = 0
          if case .present(let data) = await store.load(FileStoreProcessTests.key) {
            number = try #require(Int(String(decoding: data.prefix(12), as: UTF8.self)))
          }
          // Now and then it needs a larger file.
          let text = String(number + 1)
          let next = Data((String(repeating: "0", count: 12 - text.count) + text).utf8)
          let size = (number + 1) % 50 == 0 ? 30_000 : 2_000
          try await store.save(next + Data(count: size), for: FileStoreProcessTests.key, replacing: .anything)
          _ = next.withUnsafeBytes { pwrite(told, $0.baseAddress, $0.count, 0) }
        }
      }
      // A process that died early has promised nothing yet.
      let promise = (try? Data(contentsOf: promised)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let told = promise.isEmpty ? "0" : promise
      let reading = await FileStore(folder: folder).load(Self.key)
      guard case .present(let data) = reading else {
        #expect(reading == .absent && told == "0")
        continue
      }
      let stored = String(decoding: data.prefix(12), as: UTF8.self)
      #expect(try #require(Int(stored)) >= #require(Int(told)), "round \(round)")
      #expect(data.dropFirst(12).allSatisfy { $0 == 0 })
    }
    #expect(try names(in: folder).allSatisfy { !$0.contains(".corrupt-") })
  }

  @Test(
    "kill -9 while removing leaves the session or nothing",
    arguments: [FileStoreStep.locked, .renamed, .folderSynced])
  func killedWhileRemoving(step: FileStoreStep) async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.path as String, step = step.rawValue as String] in
      let store = FileStoreProcessTests.doomedStore(path, step)
      try await store.remove(FileStoreProcessTests.key, ifHolding: .anything)
    }
    #expect(await store.load(Self.key) == (step == .locked ? .present(Self.old) : .absent))
    try await expectUsable()
  }

  // MARK: Exclusion

  // The parent takes no part: waiting for several exit tests at once blocks the threads that its tasks would need.
  @Test(
    "Store-T6, invariant 1: processes and tasks that count under exclusive access lose no count, though one is killed inside"
  )
  func counting() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { [folder] in
          await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try await SharedCount.raiseInTwoTasks(FileStoreProcessTests.key) { FileStore(folder: URL(filePath: path)) }
          }
        }
      }
      group.addTask { [folder] in
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
          let store = FileStore(folder: URL(filePath: path))
          try await SharedCount.raise(FileStoreProcessTests.key, by: 5, in: store)
          try await store.withExclusiveAccess(to: FileStoreProcessTests.key, patience: .seconds(120)) {
            _ = kill(getpid(), SIGKILL)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await store.load(Self.key) == .present(Data("125".utf8)))
    try await expectUsable()
  }

  // MARK: Disks that refuse

  @Test("Invariant 7: a file that may not grow leaves the old session, whole, and says why")
  func fileSizeLimit() async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 200, rlim_max: 200)
      #if canImport(Glibc)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      #else
        #expect(setrlimit(RLIMIT_FSIZE, &limit) == 0)
      #endif
      let store = FileStore(folder: URL(filePath: path))
      let error = await #expect(throws: OstiaryError.self) {
        try await store.save(Data(count: 5000), for: FileStoreProcessTests.key, replacing: .anything)
      }
      #expect(error?.code == .storeUnavailable)
      #expect(error?.message.contains("may not grow") == true)
      #expect(await store.load(FileStoreProcessTests.key) == .present(FileStoreProcessTests.old))
    }
    #expect(await store.load(Self.key) == .present(Self.old))
    try await expectUsable()
  }

  #if os(Linux)
    @Test("Invariant 7: a full disk leaves the old session, whole, and says why")
    func fullDisk() async throws {
      guard let disk = try SmallDisk(at: temporary.file("disk"), size: "64k") else {
        try Test.cancel("A small disk can't be mounted here.")
      }
      let folder = disk.url.appending(path: "store")
      let store = FileStore(folder: folder)
      try await store.save(Self.old, for: Self.key, replacing: .nothing)
      let error = await #expect(throws: OstiaryError.self) {
        try await store.save(Data(count: 100_000), for: Self.key, replacing: .exactly(Self.old))
      }
      #expect(error?.code == .storeUnavailable)
      #expect(error?.isTransient == true)
      #expect(error?.message.contains("the disk is full") == true)
      #expect(await store.load(Self.key) == .present(Self.old))
      #expect(try names(in: folder).allSatisfy { !$0.hasSuffix(".tmp") })
      try await store.save(Self.new, for: Self.key, replacing: .exactly(Self.old))
      #expect(await store.load(Self.key) == .present(Self.new))
    }

    @Test("Invariant 7: a read-only file system can be read, and says why it can't be written")
    func readOnlyDisk() async throws {
      guard let disk = try SmallDisk(at: temporary.file("disk"), size: "64k") else {
        try Test.cancel("A disk can't be mounted here.")
      }
      let folder = disk.url.appending(path: "store")
      try await FileStore(folder: folder).save(Self.old, for: Self.key, replacing: .nothing)
      // A process that another test starts has our files open until it becomes another program, and a disk stays writable as
      // long as any process writes to it.
      var isReadOnly = false
      for _ in 0..<3000 where !isReadOnly {
        isReadOnly = disk.makeReadOnly()
        if !isReadOnly { try await Task.sleep(for: .milliseconds(10)) }
      }
      try #require(isReadOnly)
      let store = FileStore(folder: folder)
      #expect(await store.load(Self.key) == .present(Self.old))
      for change in [
        { try await store.save(Self.new, for: Self.key, replacing: .anything) },
        { try await store.remove(Self.key, ifHolding: .anything) },
        { try await store.withExclusiveAccess(to: Self.key, patience: .zero) {} },
      ] {
        let error = await #expect(throws: OstiaryError.self) { try await change() }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("read-only") == true)
      }
    }
  #endif

  @Test(
    "Invariant 7: a folder without the right to write can be read, and says why no file can be made or removed in it")
  func readOnlyFolder() async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try OrdinaryUser.become(owning: path, and: [(path as NSString).deletingLastPathComponent])
      try #require(chmod(path, 0o500) == 0)
      let key = FileStoreProcessTests.key
      let store = FileStore(folder: URL(filePath: path))
      #expect(await store.load(key) == .present(FileStoreProcessTests.old))
      for change in [
        { try await store.save(Data(count: 50_000), for: key, replacing: .anything) },
        { try await store.save(FileStoreProcessTests.new, for: SessionKey("new"), replacing: .anything) },
        { try await store.remove(key, ifHolding: .anything) },
        { try await store.withExclusiveAccess(to: SessionKey("new"), patience: .zero) {} },
      ] {
        let error = await #expect(throws: OstiaryError.self) { try await change() }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("permission is denied") == true)
      }
      #expect(await store.load(key) == .present(FileStoreProcessTests.old))
      // A damaged file that can't be moved aside is reported every time.
      let file = try #require(try sessionFile(in: URL(filePath: path)))
      try #require(truncate(file.path, 3) == 0)
      for _ in 0..<2 { #expect(await store.load(key) == .unavailable(OstiaryError(.storeCorrupt, ""))) }
      try #require(chmod(path, 0o700) == 0)
    }
  }

  @Test(
    "Store-T2, invariant 7: an unreadable file or folder is unavailable, never absent",
    arguments: ["file", "folder", "parent"])
  func unreadable(what: String) async throws {
    try await store.save(Self.old, for: Self.key, replacing: .nothing)
    await #expect(processExitsWith: .success) { [path = folder.path as String, what = what as String] in
      try OrdinaryUser.become(owning: path, and: [(path as NSString).deletingLastPathComponent])
      let folder = URL(filePath: path)
      let target =
        switch what {
        case "file": try #require(try sessionFile(in: folder)).path
        case "folder": path
        default: folder.deletingLastPathComponent().path
        }
      try #require(chmod(target, 0) == 0)
      let store = FileStore(folder: folder)
      guard case .unavailable(let error) = await store.load(FileStoreProcessTests.key) else {
        Issue.record("not unavailable")
        return
      }
      #expect(error.code == .storeUnavailable)
      #expect(error.message.contains("permission is denied"))
      try #require(chmod(target, 0o700) == 0)
      #expect(await store.load(FileStoreProcessTests.key) == .present(FileStoreProcessTests.old))
    }
  }
}
