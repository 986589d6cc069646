import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryServer

/// The key of three servers on one database is changed while they run.
@Suite("Changing the key of three servers", .timeLimit(.minutes(20)))
struct ThreeNodesKeyTests {
  @Test("key: the new key is used when all three have registered it, and no server has to start again")
  func stages() async throws {
    try await KeyedNodes.run { keyed in
      #expect(try await keyed.storages[0].offerKey(nil) == 2)
      #expect(keyed.used == [1, 1, 1] && keyed.known == [2, 1, 1])
      try await keyed.duties[0].turn()
      let rotation = try await keyed.duties[0].turn()
      #expect(rotation.waitedFor.map(\.id) == ["node-1", "node-2"] && keyed.used == [1, 1, 1])
      try await keyed.duties[1].turn()
      #expect(keyed.used == [1, 1, 1])
      try await keyed.duties[2].turn()
      #expect(keyed.used == [1, 1, 2])
      #expect(try await keyed.storages[2].followKeys().current?.settledAt == nil)
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
      let end = try await keyed.storages[1].followKeys()
      #expect(end.current?.settledAt != nil && end.current?.resealedAt != nil && end.offered == nil)
      // It was in the folder's file, and the new one is there now. The one before is beside it.
      #expect(end.nodes.map(\.kept) == [2, 2, 2])
      let folder = try #require(keyed.storages[0].folder)
      let old = ServerKeySources(file: folder.appending(path: "ostiary.key.1"))
      #expect(try old.given().isSame(as: keyed.storages[0].key.origin))
      #expect(try await keyed.storages[0].retireKey() == [.needed(until: try #require(end.current?.neededUntil))])
      #expect(try await keyed.storages[0].retireKey(early: true) == [])
      try await keyed.settle()
      #expect(keyed.storages.allSatisfy { $0.key.content.keys.map(\.number) == [2] })
      // Neither key is anywhere in what was logged.
      let texts = [try old.given().text, keyed.storages[0].key.text]
      for text in texts { #expect(!keyed.log.text.contains(text.reveal())) }
    }
  }

  @Test("key, RT-01: a client that refreshes through the whole change is never signed out, and its tokens live on")
  func refreshes() async throws {
    try await KeyedNodes.run { keyed in
      let clock = TestClock()
      var worlds: [TokenWorld] = []
      for storage in keyed.storages { worlds.append(try await TokenWorld(storage: storage, clock: clock)) }
      let idle = try await worlds[1].issue()
      var token = try await worlds[0].family()
      func refresh() async throws {
        for world in worlds {
          let next = try await world.rotate(token)
          // The answer was lost: another server gives it again.
          for other in worlds { #expect(try await other.rotate(token) == next) }
          token = next
        }
      }
      try await refresh()
      _ = try await keyed.storages[0].offerKey(nil)
      for duty in keyed.duties {
        try await refresh()
        try await duty.turn()
      }
      for duty in keyed.duties {
        try await refresh()
        try await duty.turn()
      }
      try await keyed.settle()
      #expect(keyed.used == [2, 2, 2])
      try await refresh()
      #expect(try await keyed.storages[2].retireKey(early: true) == [])
      try await refresh()
      try await keyed.settle()
      try await refresh()
      // So is one that did not ask meanwhile, and its tokens.
      #expect(try await worlds[2].isAlive(idle.accessToken))
      _ = try await worlds[0].rotate(idle.renewal)
      for world in worlds { #expect(world.securityEvents.isEmpty) }
    }
  }

  @Test("key, RT-06: the successors that were settled before the change are the same after it")
  func successors() async throws {
    try await KeyedNodes.run { keyed in
      let world = try await TokenWorld(storage: keyed.storages[0], clock: TestClock())
      for _ in 0..<3 { _ = try await world.family() }
      func column() async throws -> [Data] {
        try await keyed.storages[1].read { db in
          try db.test.all(Data.self, "SELECT successor_seed FROM grants ORDER BY id")
        }
      }
      let seeds = try await column()
      let salts = seeds.map { SuccessorKey.of(keyed.storages[0]).salt(of: $0) }
      #expect(seeds.allSatisfy { $0.count == 16 })
      for number in 2...3 {
        _ = try await keyed.storages[0].offerKey(nil)
        try await keyed.settle()
        #expect(try await keyed.storages[0].retireKey(early: true) == [])
        try await keyed.settle()
        let sealed = try await column()
        #expect(sealed.allSatisfy { $0.count == 64 && $0.prefix(4) == SuccessorKey.start(of: Int64(number)) })
        for storage in keyed.storages { #expect(sealed.map { SuccessorKey.of(storage).salt(of: $0) } == salts) }
        // The salt itself is in no row.
        for (sealed, salt) in zip(sealed, salts) { #expect(sealed.range(of: salt) == nil) }
      }
      let next = SuccessorSalt(SuccessorKey.of(keyed.storages[2]))
      #expect(next.seed.count == 20 && next.seed.prefix(4) == SuccessorKey.start(of: 3))
    }
  }

  @Test("key, LO-04: servers that use different keys for a moment allow no more guesses than the limit")
  func guesses() async throws {
    try await KeyedNodes.run { keyed in
      let clock = TestClock()
      let worlds = try keyed.storages.map { try IdentityWorld(storage: $0, clock: clock) }
      try await worlds[0].identity.addUser(name: "ada", password: IdentityWorld.password)
      for name in ["ada", "nobody"] { #expect(await worlds[0].verify(name, "wrong").summary == "refused") }
      try await keyed.split()
      for name in ["ada", "nobody"] {
        var answers: [String] = []
        for number in [2, 0, 2, 1, 2, 0] { answers.append(await worlds[number].verify(name, "wrong").summary) }
        #expect(answers.prefix(4).allSatisfy { $0 == "refused" } && answers.dropFirst(4).allSatisfy { $0 != "refused" })
      }
      try await keyed.settle()
      for world in worlds { #expect(await world.verify("ada", "wrong").summary.hasPrefix("wait")) }
      // A right one at a server that is behind or ahead takes its count back.
      clock.advance(by: .seconds(3600))
      #expect(await worlds[0].verify("ada", IdentityWorld.password).user != nil)
      #expect(await worlds[1].verify("ada", "wrong").summary == "refused")
    }
  }

  @Test("key, RC-01: a number that was used is used for each server, by whichever key it names it")
  func numbers() async throws {
    try await KeyedNodes.run { keyed in
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let numbers = keyed.storages.map { OneTimeNumbers($0, of: "test") }
      #expect(try await numbers[0].take("before", until: now + 60, now: now))
      let claim = try #require(try await numbers[0].claim("claimed", until: now + 60, now: now))
      try await keyed.split()
      #expect(try await numbers[2].take("new", until: now + 60, now: now))
      #expect(try await numbers[0].take("old", until: now + 60, now: now))
      for numbers in numbers {
        for name in ["before", "new", "old"] { #expect(try await !numbers.take(name, until: now + 60, now: now)) }
        #expect(try await numbers.claim("claimed", until: now + 60, now: now) == nil)
      }
      try await numbers[0].release(claim)
      #expect(try await numbers[2].claim("claimed", until: now + 60, now: now) != nil)
      #expect(try await numbers[1].claim("claimed", until: now + 60, now: now) == nil)
      // A claim that is over is taken over.
      #expect(try await numbers[0].claim("claimed", until: now + 120, now: now + 61) != nil)
    }
  }

  @Test("key, RC-01: a mailed code of before the change is right after it, and wrong ones still count")
  func codes() async throws {
    try await KeyedNodes.run { keyed in
      let worlds = try keyed.storages.map { try FlowWorld(storage: $0) }
      try await worlds[0].addJane()
      let flow = try await worlds[0].askForCode()
      let code = try #require(await worlds[0].code())
      try await keyed.split()
      #expect(try await worlds[2].submit(.recover, flow, .checkCode, ["code": "22222222"]).status != .ok)
      #expect(try await worlds[1].submit(.recover, flow, .checkCode, ["code": "33333333"]).status != .ok)
      try await keyed.settle()
      #expect(try await worlds[2].submit(.recover, flow, .checkCode, ["code": code], turn: 0).status == .ok)
      // The same form again, at a server that has the new key too: it was begun with the old one.
      #expect(try await worlds[1].submit(.recover, flow, .checkCode, ["code": code], turn: 0).status == .ok)
      let outcome = try await worlds[0].submit(.recover, flow, .setPassword, ["new_password": FlowWorld.newPassword])
      #expect(outcome.status == .ok)
      #expect(try await worlds[1].accepts(FlowWorld.newPassword))
    }
  }

  @Test("key, RC-01: a form that was sent before the change is answered alike after it, by each server")
  func repeats() async throws {
    try await KeyedNodes.run { keyed in
      let worlds = try keyed.storages.map { try FlowWorld(storage: $0) }
      try await worlds[0].addJane()
      let flow = try await worlds[0].askForCode()
      let code = try #require(await worlds[0].code())
      func send(_ world: FlowWorld) async throws -> FlowOutcome {
        try await world.submit(.recover, flow, .checkCode, ["code": code], turn: 0)
      }
      #expect(try await send(worlds[0]).status == .ok)
      try await keyed.split()
      for world in worlds { #expect(try await send(world).status == .ok) }
      try await keyed.settle()
      for world in worlds { #expect(try await send(world).status == .ok) }
    }
  }

  @Test("key, GW-07: forms that were held, pages and devices of before the change go on")
  func pages() async throws {
    try await KeyedNodes.run { keyed in
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      func held(_ storage: ServerStorage) -> HeldRequests {
        HeldRequests(storage, capacity: 10_000, addressCapacity: 10_000, seal: PageSeal(storage.key, of: "gateway"))
      }
      let request = HeldRequest(method: "POST", target: "/a", contentType: nil, body: Data("x".utf8))
      let id = try #require(try await held(keyed.storages[0]).hold(request, browser: "b", address: nil, now: now))
      let seals = keyed.storages.map { PageSeal($0.key, of: "account") }
      let before = seals[0].seal(.signIn, ["a"], until: now + 60)
      try await keyed.split()
      let texts = [
        before, seals[0].seal(.signIn, ["a"], until: now + 60), seals[2].seal(.signIn, ["a"], until: now + 60),
      ]
      #expect(Set(texts).count == 2)
      for seal in seals {
        for text in texts { #expect(seal.open(.signIn, text, at: now) == ["a"]) }
      }
      try await keyed.settle()
      for storage in keyed.storages {
        #expect(try await held(storage).holds(id, browser: "b", target: "/a", now: now))
      }
      #expect(try await keyed.storages[0].retireKey(early: true) == [])
      try await keyed.settle()
      // What was made with the old key for a time is gone with it; with the new key it is not.
      for seal in seals {
        #expect(seal.open(.signIn, before, at: now) == nil && seal.open(.signIn, texts[2], at: now) == ["a"])
      }
      #expect(try await !held(keyed.storages[1]).holds(id, browser: "b", target: "/a", now: now))
    }
  }

  @Test("key: mail that waits is sealed again, and opens with the new key alone")
  func mail() async throws {
    try await KeyedNodes.run { keyed in
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      for (number, storage) in keyed.storages.enumerated() {
        let outbox = Outbox(storage.key)
        for text in 0..<40 {
          try await storage.write { db in
            try outbox.add(
              MailMessage(to: .nobody, subject: "\(number) \(text)", text: "text"), isBlank: false, now: now,
              expiresAt: now + 600, in: db)
          }
        }
      }
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.settle()
      let alone = Outbox(KeyRing(keyed.storages[0].key.current))
      let count = try await keyed.storages[1].write { db -> Int in
        var count = 0
        while let claimed = try alone.claim(now: now, lease: .seconds(60), in: db) {
          #expect(claimed.entry != nil)
          count += 1
        }
        return count
      }
      #expect(count == 120)
    }
  }

  @Test("key: the tokens of administrators, the made token of Primer's apps and the audit trail outlive the old key")
  func remains() async throws {
    try await KeyedNodes.run { keyed in
      let clock = TestClock()
      let token = try await Administrators(keyed.storages[0], clock: clock).add("root").token
      let made = PrimerApp.madeToken(keyed.storages[0].key)
      let worlds = try keyed.storages.map { try IdentityWorld(storage: $0, clock: clock) }
      _ = await worlds[0].verify("no one", "wrong")
      try await AuditArchive(keyed.storages[0]).seal()
      for round in 2...3 {
        _ = try await keyed.storages[0].offerKey(nil)
        try await keyed.split(round)
        try await AuditArchive(keyed.storages[0]).seal()
        #expect(try await AuditArchive(keyed.storages[1]).verify().problem == nil)
        try await keyed.settle()
        _ = await worlds[1].verify("no one", "wrong")
        try await AuditArchive(keyed.storages[1]).seal()
        #expect(try await keyed.storages[2].retireKey(early: true) == [])
        try await keyed.settle()
        for storage in keyed.storages {
          #expect(PrimerApp.madeToken(storage.key) == made)
          let admission = try await Administrators(storage, clock: clock).admit(token, from: .unknown, about: nil)
          #expect(admission == .admitted(userID: nil))
          #expect(try await AuditArchive(storage).verify().problem == nil)
          var query = AuditArchive.Query()
          query.user = ("no one", nil, nil)
          #expect(try await AuditArchive(storage).records(query).reduce(0) { $0 + $1.times } >= 2)
        }
      }
    }
  }

  @Test(
    "key: the owner of a retired key can't make another audit trail of before with it, nor one that goes on with it")
  func forgedTrail() async throws {
    try await KeyedNodes.run { keyed in
      let worlds = try keyed.storages.map { try IdentityWorld(storage: $0, clock: TestClock()) }
      _ = await worlds[0].verify("no one", "wrong")
      try await AuditArchive(keyed.storages[0]).seal()
      let old = KeyRing(keyed.storages[0].key.origin)
      _ = try await keyed.storages[0].offerKey(nil)
      try await keyed.settle()
      try await AuditArchive(keyed.storages[0]).seal()
      #expect(try await keyed.storages[0].retireKey(early: true) == [])
      try await keyed.settle()
      #expect(try await AuditArchive(keyed.storages[0]).verify().problem == nil)
      // All rows again with the old key, as if it had never been changed.
      let forger = keyed.storages[1]
      try await keyed.execute("DELETE FROM audit_marks WHERE name LIKE 'key %'")
      try await keyed.execute("UPDATE audit_events SET kind = 'forged'")
      let content = forger.key.content
      forger.key.set(old.content)
      try await forger.write { db in
        var hash = AuditMark.Place.beginning.hash
        var number: Int64 = 0
        let key = old.keys(for: "audit.seals").current.key
        for row in try db.all(AuditStatements.sql.after, Int64(0), 1000, read: { AuditRecord(&$0) }) {
          number += 1
          hash = row.seal(after: hash, number: number, key: key)
          try db.run(AuditStatements.sql.seal, number, hash, row.id)
        }
        try AuditMark.end.set(AuditMark.end.place(number: number, hash: hash, key: key), in: db)
      }
      forger.key.set(content)
      #expect(try await AuditArchive(keyed.storages[2]).verify().problem != nil)
    }
  }
}
