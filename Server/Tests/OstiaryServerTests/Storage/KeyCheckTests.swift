import Crypto
import Foundation
import GRDB
import OstiaryPrivateFiles
import Testing

@testable import OstiaryServer

@Suite("The database's check of the server's key", .timeLimit(.minutes(10)))
struct KeyCheckTests {
  private static let (one, two) = (ServerKey.newText(), ServerKey.newText())

  private static func keys(_ text: String) -> ServerKeySources {
    ServerKeySources(variables: [ServerKeySources.variable: text])
  }

  /// What the table has.
  private static func stored(_ folder: TemporaryFolder) throws -> [Data] {
    let path = folder.url.appending(path: ServerStorage.fileName).path(percentEncoded: false)
    let database = try DatabaseQueue(path: path)
    defer { try? database.close() }
    return try database.read { try Data.fetchAll($0, sql: "SELECT check_value FROM key_check") }
  }

  @Test("key: a database that was used with one key does not open with another, and says what to do")
  func another() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
    let before = try Self.stored(folder)
    let error = #expect(throws: ServerError.self) { try ServerStorage(folder: folder.url, keys: Self.keys(Self.two)) }
    #expect(error?.code == .serverKeyIsAnother && error?.isStorageFault == false)
    #expect(error?.message.contains(ServerKeySources.variable) == true)
    #expect(error?.advice.contains("--key-file") == true && error?.advice.contains("ostiary key accept") == true)
    for text in [Self.one, Self.two] { #expect(error?.errorDescription?.contains(text) == false) }
    #expect(try Self.stored(folder) == before && before.count == 1)
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
  }

  @Test("key: a whole server with another key does not start")
  func server() async throws {
    let folder = TemporaryFolder()
    try await TestServer.run { configuration in
      configuration.storage = .folder(folder.url)
      configuration.keys = Self.keys(Self.one)
    } body: { _ in
    }
    let error = await #expect(throws: ServerError.self) {
      try await TestServer.run { configuration in
        configuration.storage = .folder(folder.url)
        configuration.keys = Self.keys(Self.two)
      } body: { _ in
      }
    }
    #expect(error?.code == .serverKeyIsAnother)
  }

  @Test("key: a folder whose key file was lost does not go on with a new one unnoticed")
  func lost() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url).close()
    try FileManager.default.removeItem(at: folder.url.appending(path: ServerKey.fileName))
    let error = #expect(throws: ServerError.self) { try ServerStorage(folder: folder.url) }
    #expect(error?.code == .serverKeyIsAnother)
    // No key was left there that would be in the way of the right one.
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: ServerKey.fileName).path))
  }

  @Test("key: an attempt without the key leaves nothing that keeps the next start with it from working")
  func attempt() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
    #expect(throws: ServerError(.serverKeyIsAnother, "")) { try ServerStorage(folder: folder.url) }
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
  }

  @Test("key: opening a database that knows the key needs no writer, so another program may be writing")
  func readOnly() async throws {
    let folder = TemporaryFolder()
    let other = try ServerStorage(folder: folder.url)
    let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let writing: Void = other.writeOnce { _ in
      begun.signal()
      _ = go.wait(timeout: .now() + 60)
    }
    #expect(await Task.detached { begun.wait(timeout: .now() + 60) == .success }.value)
    let second = Result { try ServerStorage(folder: folder.url, busyTimeout: 0.01) }
    go.signal()
    try await writing
    try await second.get().close()
  }

  @Test("key: a database of before takes the key that it is opened with first")
  func earlier() async throws {
    let folder = TemporaryFolder()
    let migrations = Migrations.all(of: houseDoors).filter { $0.name != KeyCheck.migration.name }
    try await ServerStorage(folder: folder.url, migrations: migrations, keys: Self.keys(Self.one)).close()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.two)).close()
    #expect(throws: ServerError(.serverKeyIsAnother, "")) {
      try ServerStorage(folder: folder.url, keys: Self.keys(Self.one))
    }
  }

  @Test("key: a database takes another key if it is told to, and then no longer the first")
  func replaced() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
    var keys = Self.keys(Self.two)
    keys.replacesKeyOfDatabase = true
    try await ServerStorage(folder: folder.url, keys: keys).close()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.two)).close()
    #expect(throws: ServerError(.serverKeyIsAnother, "")) {
      try ServerStorage(folder: folder.url, keys: Self.keys(Self.one))
    }
  }

  @Test("key: what the database knows is not the key, and of a purpose of its own")
  func value() async throws {
    let folder = TemporaryFolder()
    try await ServerStorage(folder: folder.url, keys: Self.keys(Self.one)).close()
    let key = try #require(ServerKey(text: Self.one, place: ""))
    let value = try #require(try Self.stored(folder).first)
    #expect(value == key.key(for: "key.check").withUnsafeBytes { Data($0) })
    #expect(value != (Self.one.decodedBase64URL.map { Data($0) }))
    #expect(try !folder.contents().contains(text: Self.one))
  }

  @Test("key: of many that open a new database at once with two keys, those of one key go on")
  func atOnce() async throws {
    let folder = TemporaryFolder()
    let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<8 {
        group.addTask {
          let storage = try? ServerStorage(folder: folder.url, keys: Self.keys(number % 2 == 0 ? Self.one : Self.two))
          try? await storage?.close()
          return (number % 2, storage != nil)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let winners = Set(outcomes.filter(\.1).map(\.0))
    #expect(winners.count == 1)
    #expect(outcomes.filter { winners.contains($0.0) }.count == 4)
    #expect(try Self.stored(folder).count == 1)
  }
}
