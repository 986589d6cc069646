import ArgumentParser
import OstiaryClientCommand
import OstiaryServer
import Testing

@testable import OstiaryServerCommand

@Suite("Doors of the command")
struct CommandDoorTests {
  /// A list with the article's door as well.
  private struct Doors: CommandDoorList {
    @OptionGroup var gateway: GatewayCommandDoor
    @OptionGroup var whoAmI: WhoAmICommandDoor
  }

  @Test("Every door has its part in the command; the account pages and the administrators' door alone have no chapter")
  func complete() {
    #expect(CommandDoors.kinds.count == houseDoors.count)
    let silent = CommandDoors.kinds.filter { $0.chapter == nil }.map { "\($0)" }
    #expect(Set(silent) == ["AccountsCommandDoor", "AdministrationCommandDoor"])
    #expect(CommandDoors.chapters.count == houseDoors.count - silent.count)
  }

  @Test("A chapter that plays with another door's server comes after those that need none")
  func order() {
    let titles = CommandDoors.chapters.map { String($0.title.line.plain.prefix { $0.isLetter }) }
    #expect(titles == ["Pega", "Newzulu", "Salesforce", "Primer", "A"])
    #expect(Doors.chapters.map(\.needs) == [[], ["pega"]])
  }

  @Test("A further door's options reach the server by its line in the list alone")
  func furtherDoor() throws {
    let doors = try Doors.parse(["--whoami-realm", "Ostiary", "--gateway-allow", "@example.org"])
    var configuration = ServerConfiguration()
    try doors.configure(&configuration, Sandbox().environment())
    #expect(configuration.whoAmI?.realm == "Ostiary")
    #expect(configuration.gateway?.admitted == ["@example.org"])
    #expect(Doors.kinds.compactMap { $0.discussion }.count == 2)
    #expect(Doors.helpMessage().contains("--whoami-realm <whoami-realm>"))
  }

  @Test("An option of a door that is no good is refused when it is read")
  func refused() {
    #expect(throws: (any Error).self) { try CommandDoors.parse(["--gateway-upstream", "nowhere"]) }
    #expect(throws: (any Error).self) { try CommandDoors.parse(["--allow-sign-up", "--no-sign-up"]) }
    #expect(throws: Never.self) { try CommandDoors.parse(["--gateway-upstream", "/app=http://127.0.0.1:9000"]) }
  }
}
