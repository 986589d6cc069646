import Testing

@testable import OstiaryServer

@Suite("Leases: beside what announces no ends", .timeLimit(.minutes(5)))
struct SilentWriterSearchTests {
  @Test(
    "OP-10, SE-04: in every order of a question's looks and a silent writer's steps nothing is believed that has ended",
    arguments: [([[1, 2]], 7), ([[], [1]], 4)])
  func complete(writers: [[Int]], last: Int) {
    let found = SilentWriterWorld.search(SilentWriterWorld(writers: writers, until: last))
    #expect(!found.isBroken && found.states > 80_000)
    // What has not ended is believed again afterwards, or the rule would say nothing.
    if writers.count == 1 { #expect(found.isBelieved) }
  }

  @Test(
    "Each step is needed: without it something that has ended is believed", arguments: SilentWriterWorld.Fault.allCases)
  func needed(fault: SilentWriterWorld.Fault) {
    #expect(SilentWriterWorld.search(SilentWriterWorld(writers: [[1, 2]], until: 6, fault: fault)).isBroken)
  }
}
