import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClientCommand

@Suite("Profiles")
struct ProfileStoreTests {
  private func profile(_ name: String, server: String = "https://host/prweb") throws -> Profile {
    Profile(
      name: name, kind: AuthenticatorKind("pega"), server: try #require(URL(string: server)), user: "alice",
      method: "basic", certificateFile: nil)
  }

  @Test("Profiles survive, for this user alone, and the last one made is the current one")
  func roundTrip() throws {
    let sandbox = try Sandbox()
    let store = ProfileStore(try sandbox.folders)
    try store.change { $0.put(try profile("one")) }
    try store.change { $0.put(try profile("two")) }
    let book = try store.load()
    #expect(book.profiles.map(\.name) == ["one", "two"])
    #expect(book.current == "two")
    #expect(try sandbox.permissions("profiles.json") == 0o600)
  }

  @Test("Fifty changes at once are all kept")
  func concurrent() async throws {
    let sandbox = try Sandbox()
    let store = ProfileStore(try sandbox.folders)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<50 {
        group.addTask { try store.change { $0.put(try profile("p\(index)")) } }
      }
      try await group.waitForAll()
    }
    #expect(try store.load().profiles.count == 50)
  }

  @Test(
    "A file that can't be understood is an error that names it, and stays as it is",
    arguments: ["", "{", "[]", #"{"format":2,"book":{"profiles":[]}}"#, "\u{0}\u{0}"])
  func damaged(text: String) throws {
    let sandbox = try Sandbox()
    let file = sandbox.folder.appending(path: "profiles.json")
    try Data(text.utf8).write(to: file)
    let store = ProfileStore(try sandbox.folders)
    let error = #expect(throws: OstiaryError.self) { try store.change { $0.put(try profile("one")) } }
    #expect(error?.message.contains("profiles.json") == true)
    #expect(try Data(contentsOf: file) == Data(text.utf8))
  }

  @Test("Choosing and removing")
  func book() throws {
    var book = ProfileBook()
    #expect(throws: OstiaryError(.unknownProfile, "")) { try book.profile(named: nil) }
    book.put(try profile("one"))
    book.put(try profile("two"))
    try book.use("one")
    #expect(try book.profile(named: nil).name == "one")
    #expect(try book.profile(named: "two").name == "two")
    try book.remove("one")
    #expect(throws: OstiaryError(.unknownProfile, "")) { try book.profile(named: nil) }
    let error = #expect(throws: OstiaryError.self) { try book.use("one") }
    #expect(error?.advice.contains("two") == true)
  }

  @Test("A profile's session is its own: another server, user or name is another session")
  func keys() throws {
    let one = try profile("one")
    #expect(try one.sessionKey != profile("two").sessionKey)
    #expect(try one.sessionKey != profile("one", server: "https://other/prweb").sessionKey)
    #expect(try one.sessionKey == profile("one").sessionKey)
  }

  @Test("Names that can't be shown or typed are refused", arguments: ["", " a", "a\n", "\u{1B}[1m", "x\u{202E}"])
  func names(name: String) {
    #expect(!Profile.isValid(name: name))
  }

  @Test("Bug-B12: a symbolic link to the profiles stays one")
  func linked() throws {
    let sandbox = try Sandbox()
    let files = FileManager.default
    let kept = sandbox.folder.appending(path: "kept/profiles.json")
    try files.createDirectory(at: kept.deletingLastPathComponent(), withIntermediateDirectories: true)
    let first = ProfileStore(try sandbox.folders)
    try first.change { $0.put(try profile("one")) }
    let link = sandbox.folder.appending(path: "profiles.json")
    try files.moveItem(at: link, to: kept)
    try files.createSymbolicLink(at: link, withDestinationURL: kept)
    try ProfileStore(try sandbox.folders).change { $0.put(try profile("two")) }
    #expect(try files.destinationOfSymbolicLink(atPath: link.path) == kept.path)
    #expect(try ProfileStore(try sandbox.folders).load().profiles.map(\.name) == ["one", "two"])
    #expect(try sandbox.permissions("kept/profiles.json") == 0o600)
  }
}
