import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Waits in memory")
struct GuessGateTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  private func remember(_ key: UInt8, _ seconds: Int, in gate: GuessGate, after: TimeInterval = 0) {
    gate.remember(.seconds(seconds), Data([key]), now: start.addingTimeInterval(after))
  }

  @Test(
    "Waits beyond the limit are counted and not remembered; one that is over makes room, one that is known is kept up to date"
  )
  func limit() {
    let gate = GuessGate(mostWaits: 2)
    for key in 1...4 as ClosedRange<UInt8> { remember(key, 10, in: gate) }
    #expect(gate.unrememberedWaits == 2)
    #expect(gate.wait(Data([2]), now: start) == .seconds(10) && gate.wait(Data([3]), now: start) == nil)
    remember(2, 60, in: gate)
    #expect(gate.unrememberedWaits == 2 && gate.wait(Data([2]), now: start) == .seconds(60))
    remember(3, 10, in: gate, after: 20)
    let later = start.addingTimeInterval(20)
    #expect(gate.unrememberedWaits == 2 && gate.wait(Data([3]), now: later) == .seconds(10))
    #expect(gate.wait(Data([1]), now: later) == nil)
    gate.forgetAll()
    #expect(gate.wait(Data([3]), now: later) == nil)
  }

  @Test("The limit is among the server's resources, with the count of the storage that it is of")
  func resource() throws {
    let identity = try IdentityWorld().identity
    let limit = try #require(identity.resources.first { $0.name == "guess_waits" })
    let gate = GuessGate.of(identity.storage)
    #expect(limit.most == .count(10_000) && limit.timesReached == 0)
    for number in 0..<10_001 { gate.remember(.seconds(10), Data("\(number)".utf8), now: start) }
    #expect(limit.timesReached == 1)
  }
}
