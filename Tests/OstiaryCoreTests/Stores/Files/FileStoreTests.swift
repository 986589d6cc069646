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

@Suite(.timeLimit(.minutes(20))) struct FileStoreTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let store: FileStore
  private let key = SessionKey("https://pega.example/prweb")
  private let data = Data("a session with a secret-token".utf8)

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.store
    store = FileStore(folder: folder)
  }

  /// What the store can't do for the given reason, whichever way it is asked.
  private func expectRefusal(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    var messages: [String] = []
    if case .unavailable(let error) = await store.load(key) {
      #expect(error.code == .storeUnavailable, sourceLocation: sourceLocation)
      messages.append(error.description)
    } else {
      Issue.record("loading was not refused", sourceLocation: sourceLocation)
    }
    for change in [
      { try await store.save(data, for: key, replacing: .anything) },
      { try await store.remove(key, ifHolding: .anything) },
    ] {
      let error = await #expect(throws: OstiaryError.self, sourceLocation: sourceLocation) { try await change() }
      #expect(error?.code == .storeUnavailable, sourceLocation: sourceLocation)
      messages.append(error?.description ?? "")
    }
    for message in messages {
      #expect(message.contains(reason), sourceLocation: sourceLocation)
      #expect(!message.contains("secret-token"), sourceLocation: sourceLocation)
    }
  }

  @Test("A session outlives its store, in a file with a readable name")
  func survives() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    #expect(await FileStore(folder: folder).load(key) == .present(data))
    let file = try #require(try sessionFile(in: folder))
    #expect(file.lastPathComponent.hasPrefix("https---pega.example-prweb-"))
  }

  @Test("Reading creates nothing; writing creates every folder that is missing")
  func creation() async throws {
    #expect(await store.load(key) == .absent)
    try await store.remove(key, ifHolding: .anything)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    let deep = FileStore(folder: folder.appending(path: "a/b/c"))
    try await deep.save(data, for: key, replacing: .nothing)
    #expect(await deep.load(key) == .present(data))
  }

  @Test("Store-T4: folder and files are for the user alone, and rights that others have are taken away")
  func privacy() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
    #expect(try rights(of: folder) == 0o700)
    #expect(try names(in: folder).count == 3)
    for name in try names(in: folder) { #expect(try rights(of: folder.appending(path: name)) == 0o600, "\(name)") }
    let file = try #require(try sessionFile(in: folder))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
    #expect(await store.load(key) == .present(data))
    #expect(try rights(of: folder) == 0o700)
    #expect(try rights(of: file) == 0o600)
  }

  @Test("A folder that is a symbolic link is refused, with or without a slash")
  func linkedFolder() async throws {
    let real = temporary.url.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: real)
    await expectRefusal("symbolic link")
    let slashed = FileStore(folder: URL(filePath: folder.path + "/", directoryHint: .isDirectory))
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await slashed.save(data, for: key, replacing: .anything)
    }
    #expect(try names(in: real).isEmpty)
  }

  @Test("A session file that is a symbolic link is refused, and what it points to is left alone")
  func linkedFile() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let file = try #require(try sessionFile(in: folder))
    let target = temporary.url.appending(path: "target")
    try FileManager.default.moveItem(at: file, to: target)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    let before = try Data(contentsOf: target)
    await expectRefusal("symbolic link")
    #expect(try Data(contentsOf: target) == before)
  }

  @Test("A lock file that is a symbolic link is refused: nobody can make us create or lock other files")
  func linkedLock() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
    let target = temporary.url.appending(path: "target")
    for name in try names(in: folder) where name.hasSuffix(".lock") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
      try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: target)
    }
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.withExclusiveAccess(to: key, patience: .seconds(1)) {}
    }
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.save(data, for: key, replacing: .anything)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path))
    #expect(await store.load(key) == .present(data))
  }

  @Test(
    "Invariant 14: a pipe, a folder or a file in the way is refused at once", arguments: ["pipe", "folder", "parent"])
  func inTheWay(what: String) async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let file = try #require(try sessionFile(in: folder))
    switch what {
    case "pipe":
      try FileManager.default.removeItem(at: file)
      #expect(mkfifo(file.path, 0o600) == 0)
      await expectRefusal("ordinary file")
    case "folder":
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      await expectRefusal("ordinary file")
    default:
      try FileManager.default.removeItem(at: folder)
      try data.write(to: folder)
      await expectRefusal("not a folder")
    }
  }

  @Test("A folder or file of another user is refused", .enabled(if: geteuid() == 0, "Giving files away takes root."))
  func foreign() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let file = try #require(try sessionFile(in: folder))
    #expect(chown(file.path, 65534, 65534) == 0)
    await expectRefusal("belongs to another user")
    #expect(chown(file.path, 0, 0) == 0)
    #expect(await store.load(key) == .present(data))
    #expect(chown(folder.path, 65534, 65534) == 0)
    await expectRefusal("belongs to another user")
  }

  @Test("A path with a zero byte is refused, not cut")
  func zeroByte() async throws {
    let store = FileStore(folder: temporary.url.appending(path: "a\0b"))
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await store.save(data, for: key, replacing: .anything)
    }
    #expect(try names(in: temporary.url).isEmpty)
  }

  @Test("A folder that is removed while the store is used is created again")
  func removedFolder() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    try FileManager.default.removeItem(at: folder)
    #expect(await store.load(key) == .absent)
    try await store.withExclusiveAccess(to: key, patience: .zero) {}
    try await store.save(data, for: key, replacing: .nothing)
    #expect(await store.load(key) == .present(data))
  }

  @Test("A session that is too large is refused and leaves the old one")
  func tooLarge() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let error = await #expect(throws: OstiaryError.self) {
      try await store.save(Data(count: 4 * 1024 * 1024 + 1), for: key, replacing: .anything)
    }
    #expect(error?.disposition == .misuse)
    #expect(await store.load(key) == .present(data))
    let long = await #expect(throws: OstiaryError.self) {
      try await store.save(data, for: SessionKey(String(repeating: "x", count: 65_537)), replacing: .anything)
    }
    #expect(long?.disposition == .misuse)
    let longest = SessionKey(String(repeating: "x", count: 65_536))
    try await store.save(data, for: longest, replacing: .nothing)
    #expect(try await store.accounts() == [key, longest])
    let largest = Data(repeating: 1, count: 4 * 1024 * 1024)
    try await store.save(largest, for: key, replacing: .anything)
    #expect(await store.load(key) == .present(largest))
  }

  @Test("What crashed writers left is removed at the first use; other files are left alone")
  func leftovers() async throws {
    try await store.save(data, for: key, replacing: .nothing)
    let leftover = folder.appending(path: ".something.123.tmp")
    let other = folder.appending(path: "notes.txt")
    for file in [leftover, other] { try data.write(to: file) }
    #expect(await FileStore(folder: folder).load(key) == .present(data))
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
    #expect(FileManager.default.fileExists(atPath: other.path))
  }

  @Test("Store-T8: removing everything removes sessions, what was kept aside, and what dead writers left")
  func removingEverything() async throws {
    for name in ["a", "b"] { try await store.save(data, for: SessionKey(name), replacing: .nothing) }
    try Data("damage".utf8).write(to: try #require(try sessionFile(in: folder)))
    try await store.save(data, for: SessionKey("a"), replacing: .anything)
    try data.write(to: folder.appending(path: ".something.123.tmp"))
    try data.write(to: folder.appending(path: "notes.txt"))
    #expect(try names(in: folder).count == 6)
    try await store.removeAll()
    #expect(try names(in: folder) == [".write.lock", "notes.txt"])
    #expect(try await store.accounts().isEmpty)
    try await FileStore(folder: temporary.url.appending(path: "nowhere")).removeAll()
  }

  @Test("Two stores on one folder exclude each other; who gives up leaves nothing locked")
  func twoStores() async throws {
    let clock = ManualClock()
    let (holding, waiting) = (FileStore(folder: folder), FileStore(folder: folder, clock: clock))
    let gate = Gate()
    let holder = Task { [key] in
      try await holding.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    // Out of patience, then cancelled, then out of patience again: all of them share one waiting thread.
    for isCancelled in [false, true, false] {
      let waiter = Task { [key] in try await waiting.withExclusiveAccess(to: key, patience: .seconds(5)) {} }
      try await clock.waitForSleepers()
      if isCancelled {
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
      } else {
        clock.advance(by: .seconds(5))
        await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await waiter.value }
      }
    }
    // This one takes the thread over and gets in.
    let last = Task { [key] in try await waiting.withExclusiveAccess(to: key, patience: .seconds(5)) { true } }
    try await clock.waitForSleepers()
    gate.open()
    try await holder.value
    #expect(try await last.value)
    #expect(try await holding.withExclusiveAccess(to: key, patience: .seconds(30)) { true })
  }

  @Test("A lock that comes too late is given back at once")
  func lateLock() async throws {
    let clock = ManualClock()
    let (holding, waiting) = (FileStore(folder: folder), FileStore(folder: folder, clock: clock))
    let gate = Gate()
    let holder = Task { [key] in
      try await holding.withExclusiveAccess(to: key, patience: .zero) { try await gate.pass() }
    }
    try await gate.waitForWaiting()
    let waiter = Task { [key] in try await waiting.withExclusiveAccess(to: key, patience: .seconds(5)) {} }
    try await clock.waitForSleepers()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    gate.open()
    try await holder.value
    #expect(try await FileStore(folder: folder).withExclusiveAccess(to: key, patience: .seconds(30)) { true })
  }

  @Test("A lock file that is removed while somebody waits for it does not let two in")
  func removedLock() async throws {
    let clock = ManualClock()
    let (holding, waiting) = (FileStore(folder: folder), FileStore(folder: folder, clock: clock))
    let (first, second) = (Gate(), Gate())
    let holder = Task { [key] in
      try await holding.withExclusiveAccess(to: key, patience: .zero) { try await first.pass() }
    }
    try await first.waitForWaiting()
    let waiter = Task { [key] in
      try await waiting.withExclusiveAccess(to: key, patience: .seconds(5)) { try await second.pass() }
    }
    try await clock.waitForSleepers()
    for name in try names(in: folder) { try FileManager.default.removeItem(at: folder.appending(path: name)) }
    first.open()
    try await holder.value
    try await second.waitForWaiting()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) {
      try await FileStore(folder: folder).withExclusiveAccess(to: key, patience: .zero) {}
    }
    second.open()
    try await waiter.value
  }

  @Test("The default place on Linux follows XDG")
  func defaultPlace() {
    let home = URL(filePath: "/home/ann")
    let path: (String, [String: String]) -> String = { application, environment in
      FileStore.stateFolder(application: application, environment: environment, home: home).path
    }
    #expect(path("mail", [:]) == "/home/ann/.local/state/mail/sessions")
    #expect(path("mail", ["XDG_STATE_HOME": "/state"]) == "/state/mail/sessions")
    #expect(path("mail", ["XDG_STATE_HOME": "relative"]) == "/home/ann/.local/state/mail/sessions")
    #expect(path("mail", ["XDG_STATE_HOME": ""]) == "/home/ann/.local/state/mail/sessions")
    #expect(path("../../etc", [:]) == "/home/ann/.local/state/etc/sessions")
    #expect(path("", [:]) == "/home/ann/.local/state/session/sessions")
  }

  @Test("Call sites read well")
  func conveniences() async throws {
    func use(_ store: some SessionStore) async throws {
      try await store.save(data, for: key, replacing: .nothing)
      #expect(await store.load(key) == .present(data))
    }
    try await use(.ephemeral)
    try await use(FileStore(folder: folder))
  }
}
