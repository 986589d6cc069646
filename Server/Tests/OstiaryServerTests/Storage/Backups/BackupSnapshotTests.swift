import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("A back-up while servers write", .timeLimit(.minutes(5)))
struct BackupSnapshotTests {
  @Test("OP-10: what is read for a back-up is of one moment", arguments: DatabasePlace.Engine.present)
  func oneMoment(engine: DatabasePlace.Engine) async throws {
    let source = try await DatabasePlace(engine)
    let storage = try ServerStorage(source.storage)
    _ = try await storage.fill(1)
    let users = try #require(try TableShape.all(of: Migrations.all(of: houseDoors)).first { $0.name == "users" })
    let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let place = source.place
    async let read = onThread {
      try StoredDatabase(place).read { db in
        let first = try db.digest(of: users)
        reached.signal()
        _ = go.wait(timeout: .now() + 60)
        return (first, try db.digest(of: users))
      }
    }
    #expect(await Task.detached { reached.wait(timeout: .now() + 60) == .success }.value)
    // The writer does not wait for the back-up.
    let added = await Task { try await IdentityWorld(storage: storage).identity.addUser(name: "later") }.result
    go.signal()
    _ = try added.get()
    let (first, second) = try await read
    #expect(first == second)
    #expect(try await storage.digests()["users"]?.count == first.count + 1)
  }

  @Test(
    "OP-06: three clients refresh throughout back-ups, and none gets an error; each back-up is whole",
    arguments: DatabasePlace.Engine.present)
  func refreshing(engine: DatabasePlace.Engine) async throws {
    let source = try await DatabasePlace(engine)
    let storage = try ServerStorage(source.storage)
    let (tokens, clock) = try await storage.fill(3)
    let world = try await TokenWorld(storage: storage, clock: clock)
    let isDone = Locked(false)
    let clients = tokens.prefix(3).map { first in
      Task {
        var (token, count) = (first, 0)
        while !isDone.withLock({ $0 }) {
          token = try await world.rotate(token)
          count += 1
        }
        return (token, count)
      }
    }
    var files: [URL] = []
    for number in 0..<4 {
      let file = source.file("\(number).backup")
      // As a server on the same place would be, beside the one that the clients use.
      _ = try await source.storage.backUp(to: file, replacing: false, keys: nil)
      files.append(file)
    }
    isDone.withLock { $0 = true }
    for client in clients {
      let (token, count) = try await client.value
      #expect(count > 0)
      _ = try await world.rotate(token)
    }
    // References between tables hold: a restore would fail otherwise.
    for file in files {
      let target = try await DatabasePlace(.sqlite)
      _ = try await target.storage.restore(file, keys: storage.keys)
      let check = try await target.storage.check(keys: storage.keys)
      #expect(check.isGood, "\(check.findings)")
    }
  }
}
