import Foundation
import OstiaryTesting
import TestSupport
import Testing

@testable import OstiaryCore
@testable import OstiarySealing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

@Suite(.timeLimit(.minutes(20))) struct KeyFileTests {
  private let temporary: TemporaryFolder
  private let url: URL
  private let file: KeyFile

  init() throws {
    temporary = try TemporaryFolder()
    url = temporary.url.appending(path: "keys/session.key")
    file = KeyFile(url)
  }

  private func expectRefusal(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    let error = await #expect(throws: OstiaryError.self, sourceLocation: sourceLocation) { try await file.keys() }
    #expect(error?.code == .storeUnavailable, sourceLocation: sourceLocation)
    #expect(error?.isTransient == true, sourceLocation: sourceLocation)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  }

  @Test("Store-T4: a key file is made on first use, for this user alone, and not by reading")
  func creation() async throws {
    #expect(try await file.keys() == nil)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let keys = try await file.makeKey(after: nil)
    #expect(try await file.keys() == keys)
    #expect(try await KeyFile(url).keys() == keys)
    #expect(try rights(of: url) == 0o600)
    #expect(try rights(of: url.deletingLastPathComponent()) == 0o700)
    #expect(keys.older.isEmpty)
  }

  @Test("Those who make the first key at once all get the same")
  func race() async throws {
    let keys = try await withThrowingTaskGroup(of: SealingKeys.self) { group in
      for _ in 0..<20 { group.addTask { [url] in try await KeyFile(url).makeKey(after: nil) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(keys.map(\.current)).count == 1)
    #expect(keys.allSatisfy { $0.older.isEmpty })
    #expect(try names(in: url.deletingLastPathComponent()) == ["session.key", "session.key.lock"])
  }

  @Test("A new key goes in front, once for all who know of the same keys; older ones stay")
  func rotation() async throws {
    let first = try await file.makeKey(after: nil)
    let second = try await file.makeKey(after: first)
    #expect(second.current != first.current)
    #expect(second.older == [first.current])
    #expect(try await file.makeKey(after: first) == second)
    #expect(try await file.keys() == second)
    #expect(try rights(of: url) == 0o600)
  }

  @Test("Store-T4: a key that others may read is refused, not mended", arguments: [0o640, 0o604, 0o610, 0o602])
  func rightsOfOthers(rights: Int) async throws {
    let keys = try await file.makeKey(after: nil)
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: url.path)
    await expectRefusal("others may read it")
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await file.makeKey(after: keys) }
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
    #expect(try await file.keys() == keys)
  }

  @Test(
    "What was read before is forgotten when the file changes",
    arguments: ["rotated", "written", "rights", "removed", "link"])
  func remembered(change: String) async throws {
    // A file that has just been changed is read every time; this is a minute later.
    let file = KeyFile(SecretFile(url)) { FileStamp.now + 60_000_000_000 }
    func expectRefusal(_ reason: String) async {
      let error = await #expect(throws: OstiaryError.self) { try await file.keys() }
      #expect(error?.message.contains(reason) == true)
    }
    let keys = try await file.makeKey(after: nil)
    for _ in 0..<3 { #expect(try await file.keys() == keys) }
    let new = SealingKeys(current: .random())
    switch change {
    case "rotated":
      let rotated = try await KeyFile(url).makeKey(after: keys)
      #expect(rotated.older == [keys.current])
      #expect(try await file.keys() == rotated)
    case "written":
      let handle = try FileHandle(forWritingTo: url)
      try handle.write(contentsOf: new.revealText())
      try handle.close()
      #expect(try await file.keys() == new)
    case "rights":
      #expect(chmod(url.path, 0o644) == 0)
      await expectRefusal("others may read it")
    case "removed":
      try FileManager.default.removeItem(at: url)
      #expect(try await file.keys() == nil)
    default:
      let elsewhere = temporary.url.appending(path: "elsewhere")
      try FileManager.default.moveItem(at: url, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: elsewhere)
      await expectRefusal("symbolic link")
    }
  }

  @Test("A link, a pipe or a folder in the key's place is refused at once", arguments: ["link", "pipe", "folder"])
  func inTheWay(what: String) async throws {
    _ = try await file.makeKey(after: nil)
    let elsewhere = temporary.url.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: url, to: elsewhere)
    switch what {
    case "link": try FileManager.default.createSymbolicLink(at: url, withDestinationURL: elsewhere)
    case "pipe": #expect(mkfifo(url.path, 0o600) == 0)
    default: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    await expectRefusal(what == "link" ? "symbolic link" : "not an ordinary file")
  }

  @Test("A key of another user is refused", .enabled(if: geteuid() == 0, "Giving files away takes root."))
  func foreign() async throws {
    _ = try await file.makeKey(after: nil)
    #expect(chown(url.path, 65534, 65534) == 0)
    await expectRefusal("belongs to another user")
  }

  @Test("A file made by hand is read, with remarks, blank lines and line ends of any kind")
  func byHand() async throws {
    let (one, two) = (Data(1...32), Data(2...33))
    try write("# mine\r\n\r\n \(one.base64EncodedString())\r\n\n\(two.base64EncodedString())")
    let keys = try #require(try await file.keys())
    #expect(keys.current == (try SealingKey(bytes: one)))
    #expect(keys.older == [try SealingKey(bytes: two)])
    #expect(keys[keys.older[0].id] == keys.older[0])
  }

  @Test(
    "Invariant 14: a file that holds no key is unavailable, says so, and is never replaced",
    arguments: [
      "", "\n\n", "# nothing", "hello", "AAAA", Data(1...31).base64EncodedString(), Data(1...33).base64EncodedString(),
      String(repeating: "A", count: 300_000), Data(1...32).base64EncodedString() + "\nsecret-rest",
    ])
  func damaged(text: String) async throws {
    try write(text)
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await file.makeKey(after: nil) }
    let error = await #expect(throws: OstiaryError.self) { try await file.keys() }
    #expect(error.map { !"\($0)".contains("secret-rest") } == true)
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]))
    try Data(text.utf8).write(to: url)
    #expect(chmod(url.path, 0o600) == 0)
  }

  @Test("A systemd credential is a key file that is never written; without it sessions are unavailable")
  func systemd() async throws {
    let keys = try await file.makeKey(after: nil)
    let folder = url.deletingLastPathComponent().path
    let credential = SystemdCredential("session.key", environment: ["CREDENTIALS_DIRECTORY": folder])
    #expect(try await credential.keys() == keys)
    #expect(chmod(url.path, 0o440) == 0)
    #expect(try await credential.keys() == keys)
    #expect(chmod(url.path, 0o444) == 0)
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await credential.keys() }
    #expect(chmod(url.path, 0o400) == 0)
    await #expect(throws: OstiaryError(.sealingKeyFixed, "")) { try await credential.makeKey(after: keys) }
    for (name, environment) in [
      ("session.key", [:]), ("session.key", ["CREDENTIALS_DIRECTORY": ""]),
      ("other", ["CREDENTIALS_DIRECTORY": folder]), ("../keys/session.key", ["CREDENTIALS_DIRECTORY": folder]),
      ("..", ["CREDENTIALS_DIRECTORY": folder]), ("", ["CREDENTIALS_DIRECTORY": folder]),
    ] {
      await #expect(throws: OstiaryError(.storeUnavailable, "")) {
        try await SystemdCredential(name, environment: environment).keys()
      }
    }
  }

  @Test("Keys can rest in another store, and a locked one makes them unavailable, never new")
  func stored() async throws {
    let keychain = FaultyStore()
    let source = StoredKeys(in: keychain)
    #expect(try await source.keys() == nil)
    let keys = try await withThrowingTaskGroup(of: SealingKeys.self) { group in
      for _ in 0..<20 { group.addTask { try await StoredKeys(in: keychain).makeKey(after: nil) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(keys.map(\.current)).count == 1)
    let rotated = try await source.makeKey(after: keys[0])
    #expect(rotated.older == [keys[0].current])
    #expect(try await source.makeKey(after: keys[0]) == rotated)
    keychain.lock()
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await source.keys() }
    await #expect(throws: OstiaryError(.storeUnavailable, "")) { try await source.makeKey(after: rotated) }
    keychain.unlock()
    #expect(try await source.keys() == rotated)
  }
}
