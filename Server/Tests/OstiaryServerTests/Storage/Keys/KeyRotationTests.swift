import Testing

@testable import OstiaryServer

@Suite("Changing the server's key: what follows from what the database says")
struct KeyRotationTests {
  private typealias Key = KeyRotation.Key
  private typealias Node = KeyRotation.Node

  private static func node(
    _ id: String, seen: Double = 1000, known: Int64? = 1, used: Int64? = 1, kept: Int64? = 1
  ) -> KeyRotation.Node {
    Node(id: id, version: "1", seenAt: seen, known: known, used: used, kept: kept)
  }

  private static func offered(_ nodes: [KeyRotation.Node], at now: Double = 1003) -> KeyRotation {
    KeyRotation(
      keys: [
        Key(number: 1, stage: .current, offeredAt: 0, usedAt: 0), Key(number: 2, stage: .offered, offeredAt: 1000),
      ], nodes: nodes, now: now)
  }

  private static func used(
    _ nodes: [KeyRotation.Node], settled: Double? = nil, resealed: Double? = nil, needed: Double? = nil,
    at now: Double = 1003
  ) -> KeyRotation {
    var key = Key(number: 2, stage: .current, offeredAt: 900, usedAt: 1000)
    (key.settledAt, key.resealedAt, key.neededUntil) = (settled, resealed, needed)
    return KeyRotation(
      keys: [Key(number: 1, stage: .former, offeredAt: 0, usedAt: 0), key], nodes: nodes, now: now)
  }

  @Test("key: without a change there is nothing to do")
  func nothing() {
    for keys in [[], [Key(number: 1, stage: .current, offeredAt: 0, usedAt: 0)]] {
      let rotation = KeyRotation(keys: keys, nodes: [Self.node("a", known: nil)], now: 1)
      #expect(rotation.step == nil && !rotation.isUnderWay && !rotation.waitsForNodes)
      #expect(rotation.resealing == nil && rotation.obstacles(early: true) == [.noFormerKey])
    }
  }

  @Test("key: a new key is used when every live server has it, and not before")
  func use() {
    #expect(Self.offered([]).step == .use(2))
    #expect(Self.offered([Self.node("a", known: 2), Self.node("b", known: 2)]).step == .use(2))
    let one = Self.offered([Self.node("a", known: 2), Self.node("b")])
    #expect(one.step == nil && one.waitedFor.map(\.id) == ["b"] && one.waitsForNodes)
    #expect(one.obstacles(early: true) == [.notUsed([Self.node("b")])])
  }

  @Test("key: a server of a version before is waited for as long as it is seen, and named")
  func old() {
    let old = Node(id: "old", version: "0", seenAt: 1000, known: nil, used: nil, kept: nil)
    var rotation = Self.offered([Self.node("a", known: 2), old])
    #expect(rotation.step == nil && rotation.waitedFor == [old])
    rotation.now = 1059
    #expect(rotation.step == nil)
    rotation.nodes[1].seenAt = 1058
    rotation.now = 1117
    #expect(rotation.step == nil)
    rotation.now = 1118
    #expect(rotation.step == .use(2))
  }

  @Test("key: a server that is not seen is waited for from the beginning of the stage on")
  func patience() {
    // An idle server wrote its row long ago.
    #expect(Self.offered([Self.node("a", seen: 1)], at: 1059.9).step == nil)
    #expect(Self.offered([Self.node("a", seen: 1)], at: 1060).step == .use(2))
    #expect(Self.used([Self.node("a", seen: 1, known: 2)], at: 1059.9).step == nil)
    #expect(Self.used([Self.node("a", seen: 1, known: 2)], at: 1060).step == .settle(2))
  }

  @Test("key: each stage lasts longer than between two looks of a server that could not register")
  func notice() {
    #expect(Duration.seconds(KeyRotation.standardNotice) >= KeyDuty.interval * 2)
    for nodes in [[], [Self.node("a", known: 2, used: 2)]] {
      #expect(Self.offered(nodes, at: 1002.9).step == nil)
      #expect(Self.offered(nodes, at: 1002.9).obstacles(early: true) == [.notUsed([])])
      #expect(Self.offered(nodes, at: 1003).step == .use(2))
      #expect(Self.used(nodes, at: 1002.9).step == nil)
      #expect(Self.used(nodes, at: 1003).step == .settle(2))
      // The clock was set back: a little, and by more.
      #expect(Self.offered(nodes, at: 999).step == nil && Self.used(nodes, at: 999).step == nil)
      #expect(Self.offered(nodes, at: 900).step == .use(2) && Self.used(nodes, at: 900).step == .settle(2))
    }
  }

  @Test("key: a server that can't register may serve where no change is under way, and not in the middle of one")
  func unregistered() {
    #expect(KeyRotation(keys: [], nodes: [], now: 0).admitsUnregistered)
    #expect(!Self.offered([]).admitsUnregistered)
    for settled in [nil, 1010.0] { #expect(!Self.used([], settled: settled).admitsUnregistered) }
    let key = Key(number: 2, stage: .current, offeredAt: 0, usedAt: 0, settledAt: 10)
    let over = [Key(number: 1, stage: .retired, offeredAt: 0, usedAt: 0), key]
    #expect(KeyRotation(keys: over, nodes: [], now: 0).admitsUnregistered)
  }

  @Test("key: rows are sealed again when every live server uses the new key, and not before")
  func settle() {
    let one = Self.used([Self.node("a", known: 2, used: 2), Self.node("b", known: 2)])
    #expect(one.step == nil && one.waitedFor.map(\.id) == ["b"] && one.resealing == nil)
    let all = Self.used([Self.node("a", known: 2, used: 2), Self.node("b", known: 2, used: 2)])
    #expect(all.step == .settle(2) && all.resealing == nil)
    let settled = Self.used([Self.node("b", known: 2)], settled: 1000)
    #expect(settled.step == nil && settled.resealing == 2 && !settled.waitsForNodes)
    #expect(Self.used([], settled: 1000, resealed: 1000).resealing == nil)
  }

  @Test("key: the former key is retired when nothing depends on it")
  func retire() {
    #expect(Self.used([Self.node("b", known: 2)]).obstacles(early: true) == [.notUsed([Self.node("b", known: 2)])])
    #expect(Self.used([], settled: 1000, needed: 2000).obstacles(early: false) == [.sealing, .needed(until: 2000)])
    #expect(Self.used([], settled: 1000, needed: 2000).obstacles(early: true) == [.sealing])
    #expect(Self.used([], settled: 1000, resealed: 1, needed: 2000).obstacles(early: false) == [.needed(until: 2000)])
    #expect(Self.used([], settled: 1000, resealed: 1, needed: 2000).obstacles(early: true) == [])
    #expect(Self.used([], settled: 1000, resealed: 1, needed: 2000, at: 2000).obstacles(early: false) == [])
    let keeping = Self.node("a", known: 2, used: 2, kept: 1)
    for early in [true, false] {
      let rotation = Self.used([keeping], settled: 1000, resealed: 1, needed: 1)
      #expect(rotation.obstacles(early: early) == [.kept([keeping])])
    }
    let moved = Self.node("a", known: 2, used: 2, kept: 2)
    #expect(Self.used([moved], settled: 1000, resealed: 1, needed: 1).obstacles(early: false) == [])
  }

  // MARK: All orders

  /// Servers that share a database, of which each step is a transaction or what follows in memory.
  private struct World {
    struct Server {
      let id: String
      let isOld: Bool
      /// Whether it serves without a row: the database took no writes when it started.
      var isUnregistered = false
      /// When it tried to register.
      var triedAt = 0.0
      /// What it has read.
      var known: Int64 = 1
      var used: Int64 = 1
      var hasRow = false
      var hasReadSince = false
      /// It answers requests, and makes what others must open.
      var serves: Bool { isOld || isUnregistered || (hasRow && hasReadSince) }
    }

    var rotation = KeyRotation(keys: [], nodes: [], now: 0)
    var servers: [Server] = []
    var count = 0
    var uses = 0

    /// Whether each server that serves can open what each makes.
    var isRight: Bool {
      let serving = servers.filter(\.serves)
      let newest = serving.map(\.used).max() ?? 1
      let oldest = rotation.keys.first { $0.stage != .retired }?.number ?? 1
      return serving.allSatisfy { $0.known >= newest && $0.used >= oldest }
    }

    mutating func begin(isOld: Bool, isUnregistered: Bool = false) {
      count += 1
      guard !isUnregistered || rotation.admitsUnregistered else { return }
      // An old version has one key: the database's, or it doesn't start.
      guard !isOld || !rotation.keys.contains(where: { $0.stage == .former }) else { return }
      var server = Server(id: "\(count)", isOld: isOld, isUnregistered: isUnregistered)
      server.known = rotation.keys.last?.number ?? 1
      server.used = rotation.current?.number ?? 1
      server.triedAt = rotation.now
      if isOld {
        guard server.used == 1 else { return }
        server.known = 1
        rotation.nodes.append(
          KeyRotation.Node(id: server.id, version: "0", seenAt: rotation.now, known: nil, used: nil, kept: nil))
      }
      servers.append(server)
    }

    mutating func act(_ index: Int) {
      guard !servers[index].isOld else { return }
      var server = servers[index]
      // It tries again after a while.
      if server.isUnregistered, !server.hasRow, server.triedAt == rotation.now { return }
      let row = KeyRotation.Node(
        id: server.id, version: "1", seenAt: rotation.now, known: server.known, used: server.used, kept: server.used)
      let place = rotation.nodes.firstIndex { $0.id == server.id }
      if !server.hasRow {
        rotation.nodes.append(row)
        server.hasRow = true
      } else if server.known != rotation.keys.last?.number ?? 1 || server.used != rotation.current?.number ?? 1
        || !server.hasReadSince
      {
        server.known = rotation.keys.last?.number ?? 1
        server.used = rotation.current?.number ?? 1
        server.hasReadSince = true
      } else if let place, rotation.nodes[place] != row {
        rotation.nodes[place] = row
      } else if let step = rotation.step {
        take(step)
      } else if let number = rotation.resealing {
        for index in rotation.keys.indices where rotation.keys[index].number == number {
          rotation.keys[index].resealedAt = rotation.now
        }
      }
      servers[index] = server
    }

    private mutating func take(_ step: KeyRotation.Step) {
      for index in rotation.keys.indices {
        switch step {
        case .use(let number):
          if rotation.keys[index].number == number {
            (rotation.keys[index].stage, rotation.keys[index].usedAt) = (.current, rotation.now)
            uses += 1
          } else if rotation.keys[index].stage == .current {
            rotation.keys[index].stage = .former
          }
        case .settle(let number):
          guard rotation.keys[index].number == number else { continue }
          (rotation.keys[index].settledAt, rotation.keys[index].neededUntil) = (rotation.now, rotation.now + 10)
        }
      }
    }

    mutating func offer() {
      guard !rotation.isUnderWay else { return }
      if rotation.keys.isEmpty { rotation.keys = [Key(number: 1, stage: .current, offeredAt: 0, usedAt: 0)] }
      let number = (rotation.keys.last?.number ?? 1) + 1
      rotation.keys.append(Key(number: number, stage: .offered, offeredAt: rotation.now))
    }

    mutating func retire() {
      guard let former = rotation.former, rotation.obstacles(early: true).isEmpty else { return }
      for index in rotation.keys.indices where rotation.keys[index].number == former.number {
        rotation.keys[index].stage = .retired
      }
    }

    /// Time passes; every server that runs is seen, and one that has no row has read the keys.
    mutating func wait() {
      rotation.now += 5
      for index in servers.indices where servers[index].isUnregistered && !servers[index].hasRow {
        servers[index].known = rotation.keys.last?.number ?? 1
        servers[index].used = rotation.current?.number ?? 1
      }
      for index in rotation.nodes.indices where servers.contains(where: { $0.id == rotation.nodes[index].id }) {
        rotation.nodes[index].seenAt = rotation.now
      }
    }
  }

  @Test(
    "key: in no order of starts, deaths and steps does a server make what another one can't open", arguments: 0..<200)
  func orders(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    var world = World()
    for _ in 0..<3 { world.begin(isOld: false) }
    for _ in 0..<400 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: world.offer()
      case 1: world.retire()
      case 2: world.wait()
      case 3 where world.servers.count < 5: world.begin(isOld: Int.random(in: 0..<4, using: &random) == 0)
      case 4 where world.servers.count < 5: world.begin(isOld: false, isUnregistered: true)
      case 5 where !world.servers.isEmpty:
        // It is killed: its row stays.
        world.servers.remove(at: Int.random(in: world.servers.indices, using: &random))
      default:
        guard !world.servers.isEmpty else { continue }
        world.act(Int.random(in: world.servers.indices, using: &random))
      }
      guard world.isRight else {
        Issue.record("\(world.servers) \(world.rotation)")
        return
      }
    }
    // In each case the change comes to its end.
    world.servers.removeAll { $0.isOld }
    world.begin(isOld: false)
    world.offer()
    for _ in 0..<60 {
      world.wait()
      for index in world.servers.indices { world.act(index) }
    }
    #expect(world.rotation.offered == nil && world.uses > 0)
    #expect(world.rotation.current?.settledAt != nil && world.rotation.resealing == nil)
  }
}
