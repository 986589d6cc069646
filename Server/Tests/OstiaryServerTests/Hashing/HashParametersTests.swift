import Logging
import Testing

@testable import OstiaryServer

@Suite("Hash parameters")
struct HashParametersTests {
  @Test(
    "PW-15: parameters below the floor, or beyond the ceiling, are refused",
    arguments: [
      (47_103, 1), (19_455, 2), (12_287, 3), (8, 1), (0, 0), (-1, -1), (1 << 21, 1), (47_104, 65), (Int.max, Int.max),
    ])
  func refused(memory: Int, iterations: Int) {
    #expect(throws: ServerError(.hashParametersRefused, "")) {
      try HashParameters(memoryKiB: memory, iterations: iterations)
    }
  }

  @Test("PW-15: the floor is accepted", arguments: [(47_104, 1), (19_456, 2), (12_288, 3), (65_536, 3)])
  func accepted(memory: Int, iterations: Int) throws {
    #expect(try HashParameters(memoryKiB: memory, iterations: iterations).isInsecure == false)
  }

  @Test("PW-15: what a server uses by itself is at the floor")
  func standard() throws {
    #expect(IdentityConfiguration.standard.hashParameters == (try HashParameters(memoryKiB: 47_104, iterations: 1)))
    #expect(HashParameters.insecureCheapForDevelopmentOnly.isInsecure)
  }

  @Test("PW-15: weak parameters are loud in the log")
  func warning() throws {
    let weak = try IdentityWorld()
    #expect(weak.log.records.contains { $0.level == .warning && $0.message.contains("development alone") })
    let strong = try IdentityWorld(parameters: .standard)
    #expect(strong.log.records.isEmpty)
  }

  @Test(
    "Padding costs what is asked in no more memory than the limit",
    arguments: [8, 100, 46_000, 47_104, 47_105, 900_001])
  func padding(work: Int) throws {
    let padding = try #require(HashParameters(padding: work, within: .standard))
    #expect(padding.memoryKiB <= HashParameters.standard.memoryKiB)
    #expect(padding.work <= work && Double(padding.work) > Double(work) * 0.999 - 1)
  }

  @Test("Less than any hash costs is no padding", arguments: [7, 0, -5])
  func noPadding(work: Int) {
    #expect(HashParameters(padding: work, within: .standard) == nil)
  }
}
