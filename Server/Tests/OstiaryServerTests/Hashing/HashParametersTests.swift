import Testing

@testable import OstiaryServer

@Suite("Hash parameters")
struct HashParametersTests {
  @Test(
    "PW-15: parameters below the floor are refused", arguments: [(47_103, 1), (19_455, 2), (12_287, 3), (8, 1), (0, 0)])
  func belowTheFloor(memory: Int, iterations: Int) {
    #expect(throws: ServerError(.hashParametersRefused, "")) {
      try HashParameters(memoryKiB: memory, iterations: iterations)
    }
  }
}
