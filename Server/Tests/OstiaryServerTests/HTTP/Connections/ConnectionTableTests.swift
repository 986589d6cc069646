import Testing

@testable import OstiaryServer

@Suite("Connections, as a value")
struct ConnectionTableTests {
  private let mine: [UInt8] = [203, 0, 113, 9]

  private func table(_ connections: Int, perAddress: Int) -> ConnectionTable {
    var limits = HTTPLimits()
    limits.connections = connections
    limits.connectionsPerAddress = perAddress
    return ConnectionTable(
      ConnectionLimits(limits, descriptors: DescriptorLimit(most: 65_536, used: 20), memory: MemoryLimit(most: .max)))
  }

  private func expect(
    _ admission: ConnectionTable.Admission, _ expected: ConnectionTable.Admission,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(admission == expected, sourceLocation: sourceLocation)
  }

  private func address(_ number: UInt8) -> [UInt8] { [198, 51, 100, number] }

  @Test("Bug-C02: at the limit a new connection takes the place of the one that has been silent for longest")
  func displaces() {
    var table = table(3, perAddress: 3)
    for id in 1...3 { expect(table.open(UInt64(id), from: address(UInt8(id))), .admitted) }
    table.begin(1)
    table.end(1)
    table.begin(2)
    // 2 has a request under way, 1 has just had one, and 3 has never said anything.
    expect(table.open(4, from: mine), .admittedInPlace(of: 3))
    expect(table.open(5, from: mine), .admittedInPlace(of: 1))
    #expect(table.counts == .init(open: 3, displaced: 2, refused: 0, ofAll: 2))
  }

  @Test("Bug-C02: where every connection has a request under way, one more is refused and disturbs none")
  func refuses() {
    var table = table(2, perAddress: 2)
    for id in [UInt64(1), 2] {
      expect(table.open(id, from: nil), .admitted)
      table.begin(id)
    }
    expect(table.open(3, from: mine), .refused)
    table.close(1)
    expect(table.open(4, from: mine), .admitted)
    #expect(table.counts == .init(open: 2, displaced: 0, refused: 1, ofAll: 1))
  }

  @Test("Bug-C02: an address that has enough makes room among its own connections alone")
  func perAddress() {
    var table = table(100, perAddress: 2)
    expect(table.open(1, from: mine), .admitted)
    expect(table.open(10, from: address(1)), .admitted)
    expect(table.open(2, from: mine), .admitted)
    expect(table.open(3, from: mine), .admittedInPlace(of: 1))
    table.begin(2)
    table.begin(3)
    expect(table.open(4, from: mine), .refused)
    #expect(table.count(from: mine) == 2)
    // Many clients of one proxy have no limit of an address.
    for id in UInt64(20)..<40 { expect(table.open(id, from: nil), .admitted) }
  }

  @Test("What is closed twice, or was never open, changes nothing", arguments: [false, true])
  func closedTwice(isDisplaced: Bool) {
    var table = table(1, perAddress: 1)
    expect(table.open(1, from: mine), .admitted)
    if isDisplaced {
      expect(table.open(2, from: mine), .admittedInPlace(of: 1))
      table.close(2)
    }
    for _ in 0..<2 { table.close(1) }
    table.end(1)
    #expect(table.counts.open == 0)
    #expect(table.count(from: mine) == 0)
  }

  @Test(
    "Bug-C02: the limits follow from the descriptors that the process may open",
    arguments: [(65_536, 4096, 1024), (1024, 470, 117), (128, 22, 8)])
  func derived(most: Int, connections: Int, perAddress: Int) {
    let descriptors = DescriptorLimit(most: most, used: 20)
    let limits = ConnectionLimits(HTTPLimits(), descriptors: descriptors, memory: MemoryLimit(most: 64 << 30))
    #expect(descriptors.problem == nil)
    #expect(limits.connections == connections)
    #expect(limits.perAddress == perAddress)
    #expect(limits.requestsPerClient == perAddress)
  }

  @Test(
    "Bug-C02: half of the memory holds what the connections may hold, where that is fewer than descriptors allow",
    arguments: [
      // 1,081,344 bytes each.
      (64 << 30, 65_536, 4096, HTTPResource.connections), (8 << 30, 65_536, 3971, .connectionMemory),
      (512 << 20, 65_536, 248, .connectionMemory), (512 << 20, 1024, 248, .connectionMemory),
      (8 << 30, 1024, 470, .descriptors), (1 << 20, 65_536, 16, .connectionMemory),
    ] as [(Int, Int, Int, HTTPResource)])
  func held(memory: Int, descriptors: Int, connections: Int, reason: HTTPResource) {
    let limits = ConnectionLimits(
      HTTPLimits(), descriptors: DescriptorLimit(most: descriptors, used: 20), memory: MemoryLimit(most: memory))
    #expect(limits.connections == connections)
    #expect(limits.reason == reason)
    #expect(connections == 16 || connections * HTTPLimits().connectionSize <= memory / 2)
    // Smaller bodies make room for more.
    var small = HTTPLimits()
    small.bodySize = 1024
    let more = ConnectionLimits(
      small, descriptors: DescriptorLimit(most: 65_536, used: 20), memory: MemoryLimit(most: 512 << 20))
    #expect(more.connections == 4096)
    // What is set beyond the memory is not taken.
    var set = HTTPLimits()
    set.connections = 100_000
    let bound = ConnectionLimits(
      set, descriptors: DescriptorLimit(most: 65_536, used: 20), memory: MemoryLimit(most: 512 << 20))
    #expect(bound.connections == 248)
  }

  @Test("Bug-C02: at the number that the memory gives, one more connection takes the place of a silent one")
  func atTheMemory() {
    var table = ConnectionTable(
      ConnectionLimits(
        HTTPLimits(), descriptors: DescriptorLimit(most: 65_536, used: 20), memory: MemoryLimit(most: 512 << 20)))
    for id in 1...248 { expect(table.open(UInt64(id), from: nil), .admitted) }
    expect(table.open(249, from: nil), .admittedInPlace(of: 1))
    #expect(table.counts.open == 248 && table.counts.ofAll == 1)
  }

  @Test(
    "The memory of a group of processes is the least that it and those around it may have",
    arguments: [
      ("0::/a/b\n", ["/sys/fs/cgroup/a/memory.max": "1048576\n", "/sys/fs/cgroup/a/b/memory.max": "max\n"], 1_048_576),
      ("0::/a/b\n", ["/sys/fs/cgroup/a/memory.max": "9\n", "/sys/fs/cgroup/a/b/memory.max": "7\n"], 7),
      ("0::/\n", ["/sys/fs/cgroup/memory.max": "5\n"], 5),
      ("0::/../x\n", ["/sys/fs/cgroup/memory.max": "5\n"], 5),
      ("3:cpu,memory:/d\n1:name=systemd:/d\n", ["/sys/fs/cgroup/memory/d/memory.limit_in_bytes": "8\n"], 8),
      ("0::/\n", [:], nil), ("nonsense", ["/sys/fs/cgroup/memory.max": "5\n"], nil),
    ] as [(String, [String: String], Int?)])
  func groups(groups: String, files: [String: String], limit: Int?) {
    #expect(MemoryLimit.ofGroups(groups) { files[$0] } == limit)
  }

  @Test("Bug-C02: a process that may open too few files does not start, and says what to do", arguments: [0, 64, 115])
  func tooFew(most: Int) throws {
    let problem = try #require(DescriptorLimit(most: most, used: 20).problem)
    #expect(problem.contains("ulimit -n") && problem.contains("needs 116"))
  }
}
