import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

/// Three servers whose key is changed, of which one is of an older version, joins, ends or was away.
@Suite("Changing the key of three servers: servers that are in the way", .timeLimit(.minutes(20)))
struct ThreeNodesKeyFaultTests {
  @Test("key: a server of a version before keeps the new key from being used until it has ended, and is named")
  func oldVersion() async throws {
    try await KeyedNodes.run { keyed in
      try await keyed.execute(
        "INSERT INTO nodes (id, version, since, seen_at) VALUES ('old-one', '0.1', 0, 9000000000)")
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.settle()
      let rotation = try await keyed.storages[0].followKeys()
      #expect(rotation.waitedFor.map(\.id) == ["old-one"] && rotation.waitedFor.first?.version == "0.1")
      #expect(keyed.used == [1, 1, 1] && keyed.known == [2, 2, 2])
      #expect(try await keyed.storages[0].retireKey(early: true) == [.notUsed(rotation.waitedFor)])
      try await keyed.execute("DELETE FROM nodes")
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
    }
  }

  @Test("key: a server that joins in the middle has both keys, also if it was opened before the change began")
  func joins() async throws {
    try await KeyedNodes.run { keyed in
      let folder = try #require(keyed.storages[0].folder)
      let early = try ServerStorage.forTest(in: folder)
      KeyedNodes.haveTime(early)
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.duties[0].turn()
      let log = LogRecorder()
      let late = try ServerStorage.forTest(in: folder)
      KeyedNodes.haveTime(late)
      #expect(late.key.content.newest == 2 && late.key.content.current == 1 && early.key.content.newest == 1)
      let duties = [early, late].enumerated().map { number, storage in
        KeyDuty(storage: storage, node: "new-\(number)", version: "1", clock: TestClock(), logger: log.logger)
      }
      for duty in duties { try await duty.join() }
      #expect(early.key.content.newest == 2)
      for duty in keyed.duties.dropFirst() { try await duty.turn() }
      #expect(keyed.used.contains(2))
      try await keyed.settle()
      // Nothing is settled while one of them uses the old key.
      #expect(try await keyed.storages[0].followKeys().waitedFor.map(\.id) == ["new-0", "new-1"])
      for duty in duties { try await duty.turn() }
      #expect(try await keyed.storages[0].followKeys().current?.settledAt != nil)
      for storage in [early, late] {
        #expect(storage.key.content.current == 2)
        try await storage.close()
      }
    }
  }

  @Test("key: a server that was killed in the middle is waited for, and not for ever")
  func killed() async throws {
    try await KeyedNodes.run { keyed in
      _ = try await keyed.storages[0].offerKey(nil)
      for _ in 0..<3 {
        for duty in keyed.duties.dropLast() { try await duty.turn() }
      }
      #expect(keyed.used == [1, 1, 1])
      // A long time later.
      for statement in [
        "UPDATE key_nodes SET seen_at = 1 WHERE id = 'node-2'", "UPDATE server_keys SET offered_at = 1",
      ] {
        try await keyed.execute(statement)
      }
      try await keyed.duties[0].turn()
      #expect(keyed.used == [2, 1, 1])
      try await keyed.duties[1].turn()
      #expect(try await keyed.storages[0].followKeys().waitedFor.map(\.id) == ["node-2"])
      try await keyed.execute("UPDATE server_keys SET used_at = 1")
      try await keyed.duties[1].turn()
      #expect(try await keyed.storages[0].followKeys().current?.settledAt != nil)
      // It was only stopped, and goes on: nothing that it makes is lost.
      let outbox = Outbox(keyed.storages[2].key)
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      await #expect(throws: ServerError(.storageBusy, "")) {
        try await keyed.storages[2].write { db in
          try outbox.add(
            MailMessage(to: .nobody, subject: "a", text: "b"), isBlank: false, now: now, expiresAt: now + 1, in: db)
        }
      }
      try await keyed.duties[2].turn()
      #expect(keyed.used == [2, 2, 2])
    }
  }

  @Test("key: the rows of servers that were killed go when another one starts; those of servers that run stay")
  func unseen() async throws {
    try await KeyedNodes.run { keyed in
      // One is seen where it asks for leases alone.
      try await keyed.execute("UPDATE key_nodes SET seen_at = 1 WHERE id <> 'node-2'")
      try await keyed.execute(
        "INSERT INTO nodes (id, version, since, seen_at) VALUES ('node-1', '1', 0, 9000000000)")
      let duty = KeyDuty(
        storage: keyed.storages[2], node: "node-3", version: "1", clock: TestClock(), logger: keyed.log.logger)
      try await duty.join()
      #expect(try await KeyedNodes.servers(keyed.storages[0]) == ["node-1", "node-2", "node-3"])
      // One that was only stopped, for that long, is on the list again when the key is changed.
      _ = try await keyed.storages[1].offerKey(nil)
      try await keyed.duties[0].turn()
      #expect(try await KeyedNodes.servers(keyed.storages[0]) == ["node-0", "node-1", "node-2", "node-3"])
    }
  }

  @Test("key: of three servers one seals rows again; when it is killed another one goes on where it was")
  func resealing() async throws {
    try await KeyedNodes.run { keyed in
      let world = try await TokenWorld(storage: keyed.storages[0], clock: TestClock())
      for _ in 0..<6 { _ = try await world.family() }
      try await keyed.split()
      for storage in keyed.storages { try await storage.followKeys() }
      for (number, storage) in keyed.storages.enumerated() {
        try await storage.registerKeys(storage.keyRegistration, of: "node-\(number)", version: "1")
      }
      #expect(try await keyed.storages[0].takeKeyStep { _ in 0 } == .settle(2))
      let seen = Locked<[Data]>([])
      let part: KeyResealing = { place, most, db in
        seen.withLock { $0.append(place) }
        return try SuccessorKey.of(keyed.storages[0]).reseal(after: place, most: most, in: db)
      }
      func turn(_ node: Int) async throws -> Bool {
        try await keyed.storages[node].resealRows(
          with: 2, as: "node-\(node)", [part], most: 1, at: Date(timeIntervalSince1970: 1_000))
      }
      #expect(try await turn(0))
      #expect(try await turn(0))
      let count = seen.withLock { $0.count }
      #expect(try await !turn(1) && seen.withLock { $0.count } == count, "another one does it")
      try await keyed.execute("UPDATE server_keys SET resealer_until = 1")
      #expect(try await turn(1))
      #expect(try await !turn(0))
      var rounds = 0
      while try await turn(1), rounds < 20 { rounds += 1 }
      #expect(rounds < 10)
      #expect(try await keyed.storages[2].followKeys().current?.resealedAt != nil)
      let seeds = try await keyed.storages[2].read { db in
        try db.test.all(Data.self, "SELECT successor_seed FROM grants")
      }
      #expect(seeds.count == 6 && seeds.allSatisfy { $0.count == 64 })
      #expect(try await !turn(2))
    }
  }

  @Test("key: servers follow a database that has lost a step of the change, or all of it")
  func lostCommits() async throws {
    try await KeyedNodes.run { keyed in
      try await keyed.split()
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
      for statement in [
        "UPDATE server_keys SET stage = 'offered', used_at = NULL, settled_at = NULL, resealed_at = NULL WHERE number = 2",
        "UPDATE server_keys SET stage = 'current' WHERE number = 1",
      ] {
        try await keyed.execute(statement)
      }
      for storage in keyed.storages { try await storage.followKeys() }
      #expect(keyed.used == [1, 1, 1] && keyed.known == [2, 2, 2])
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let text = PageSeal(keyed.storages[0].key, of: "account").seal(.signIn, ["a"], until: now + 60)
      try await keyed.execute("DELETE FROM server_keys")
      for storage in keyed.storages { try await storage.followKeys() }
      #expect(keyed.used == [1, 1, 1])
      for storage in keyed.storages {
        #expect(PageSeal(storage.key, of: "account").open(.signIn, text, at: now) == ["a"])
      }
    }
  }

  @Test("key: one that is opened has the database's keys, with their numbers, at each stage")
  func opened() async throws {
    try await KeyedNodes.run { keyed in
      let folder = try #require(keyed.storages[0].folder)
      func numbers() async throws -> [Int64] {
        let storage = try ServerStorage.forTest(in: folder)
        let content = storage.key.content
        try await storage.close()
        return [content.current] + content.keys.map(\.number)
      }
      #expect(try await numbers() == [1, 1])
      _ = try await keyed.storages[0].offerKey(nil)
      #expect(try await numbers() == [1, 1, 2])
      try await keyed.settle()
      #expect(try await numbers() == [2, 1, 2])
      #expect(try await keyed.storages[0].retireKey(early: true) == [])
      #expect(try await numbers() == [2, 2])
    }
  }

  @Test("key: servers follow a database that has lost a whole change, up to the end of the old key")
  func lostRetirement() async throws {
    try await KeyedNodes.run { keyed in
      let old = keyed.storages[0].key.origin
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.settle()
      #expect(try await keyed.storages[0].retireKey(early: true) == [])
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
      try await keyed.execute("DELETE FROM server_keys")
      try await keyed.storages[0].write { db in try KeyCheck.replace(with: old, in: db) }
      for storage in keyed.storages {
        try await storage.followKeys()
        #expect(storage.key.current.isSame(as: old) && storage.key.content.keys.map(\.number) == [1, 2])
      }
      // One that has it no more does not go on with another one.
      try await keyed.storages[0].write { db in try KeyCheck.replace(with: .temporary(), in: db) }
      let stages = ["of before"]
      var content = keyed.storages[0].key.content
      content.stages = stages
      keyed.storages[0].key.set(content)
      await #expect(throws: ServerError(.serverKeyIsAnother, "")) { try await keyed.storages[0].followKeys() }
      #expect(keyed.storages[0].key.problem != nil)
    }
  }

  @Test("key: a key that is offered where another offer was lost is told from that one, though it has the same number")
  func lostOffer() async throws {
    try await KeyedNodes.run { keyed in
      _ = try await keyed.storages[0].offerKey(nil)
      for storage in keyed.storages { try await storage.followKeys() }
      let lost = try #require(keyed.storages[1].key.content[2])
      try await keyed.execute("DELETE FROM server_keys")
      try await keyed.storages[0].followKeys()
      #expect(try await keyed.storages[0].offerKey(nil) == 2)
      let new = try #require(keyed.storages[0].key.content[2])
      for storage in keyed.storages {
        try await storage.followKeys()
        #expect(storage.key.content[2]?.isSame(as: new) == true && !new.isSame(as: lost))
      }
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
    }
  }

  @Test("key: a server that has not heard of the new key gives no mail up that is sealed with it")
  func unknownMail() async throws {
    try await KeyedNodes.run { keyed in
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let before = keyed.storages[0].key.content
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.settle()
      let outbox = Outbox(keyed.storages[2].key)
      try await keyed.storages[2].write { db in
        try outbox.add(
          MailMessage(to: .nobody, subject: "a", text: "b"), isBlank: false, now: now, expiresAt: now + 60, in: db)
      }
      // It was stopped for all that time.
      keyed.storages[0].key.set(before)
      let behind = Outbox(keyed.storages[0].key)
      await #expect(throws: ServerError(.storageBusy, "")) {
        try await keyed.storages[0].write { db in _ = try behind.claim(now: now, lease: .seconds(60), in: db) }
      }
      let claimed = try await keyed.storages[2].write { db in
        try outbox.claim(now: now, lease: .seconds(60), in: db)
      }
      #expect(claimed?.entry?.message.subject == "a")
    }
  }
}
