import Foundation
import Testing

@testable import OstiaryCore

@Suite("The process that has written a claim") struct ProcessIdentityTests {
  @Test("A process that runs has not ended; one that was killed has")
  func killed() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sleep")
    process.arguments = ["600"]
    try process.run()
    let identity = try #require(ProcessIdentity(process.processIdentifier))
    #expect(!identity.hasEnded)
    #expect(try JSONDecoder().decode(ProcessIdentity.self, from: JSONEncoder().encode(identity)) == identity)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(identity.hasEnded)
  }

  @Test(
    "A number that was given to a later process names one that has ended",
    .enabled(if: own?.start.isEmpty == false, "This system does not tell when a process began."))
  func reused() throws {
    let own = try #require(Self.own)
    #expect(ProcessIdentity(boot: own.boot, space: own.space, id: own.id, start: own.start + "0").hasEnded)
  }

  @Test("Of a process of another machine, another start or another container nothing is said")
  func elsewhere() throws {
    let own = try #require(Self.own)
    #expect(!own.hasEnded)
    #expect(!ProcessIdentity(boot: "another", space: own.space, id: 0x3FFF_FFFF, start: "").hasEnded)
    #expect(!ProcessIdentity(boot: own.boot, space: "another", id: 0x3FFF_FFFF, start: "").hasEnded)
  }

  private static let own = ProcessIdentity.own
}
