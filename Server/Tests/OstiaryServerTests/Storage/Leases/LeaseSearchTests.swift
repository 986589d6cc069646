import Foundation
import Testing

@testable import OstiaryServer

/// The machines of leases and of ends, in every order of what can happen around them, to the last state.
@Suite("Leases: complete search", .timeLimit(.minutes(20)))
struct LeaseSearchTests {
  typealias Scenario = LeaseWorld.Scenario

  private static let isFull = ProcessInfo.processInfo.environment["OSTIARY_STORMS"] == "full"

  @Test(
    "SE-04: no cache is believed that lacks an end whose call has returned",
    arguments: Scenario.small + (isFull ? Scenario.large : []))
  func complete(scenario: Scenario) {
    let (states, broken) = LeaseWorld.search(scenario)
    #expect(broken == nil)
    #expect(states == scenario.states)
  }

  @Test(
    "From every state all nodes come to believe their caches again, and all calls return, once nothing fails",
    arguments: Scenario.small.filter { $0.states < 20_000 })
  func goesOn(scenario: Scenario) {
    #expect(LeaseWorld.search(scenario, goesOn: true).broken == nil)
  }

  /// The machines are not enough.
  @Test("SE-04: a statement that does not do its part is found", arguments: Scenario.faulty)
  func faulty(scenario: Scenario) {
    #expect(LeaseWorld.search(scenario).broken != nil)
  }

  @Test("The fingerprint of a state knows every stored property of the machines")
  func fingerprint() {
    let world = LeaseWorld(Scenario.small[0])
    #expect(Mirror(reflecting: world.nodes[0].machine).children.count == LeaseWorld.knownFields.machine)
    let wait = EndWait(1, of: world.database.identity, committed: LeaseWorld.start, age: .zero)
    #expect(Mirror(reflecting: wait).children.count == LeaseWorld.knownFields.wait)
  }
}
