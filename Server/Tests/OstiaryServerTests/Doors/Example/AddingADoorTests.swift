import Foundation
import OstiaryCore
import Testing

@testable import OstiaryServer

@Suite("Adding a door")
struct AddingADoorTests {
  /// Starts a server that has the example's door as well.
  private func run(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (OstiaryApplication) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configure(&configuration)
    let application = try OstiaryApplication(
      configuration, logger: LogCollector().logger, doors: houseDoors + [WhoAmIModule.self], furtherRoutes: [])
    try await application.start()
    do {
      try await body(application)
      await application.stop()
    } catch {
      await application.stop()
      throw error
    }
  }

  @Test("The article's door is open beside the others, and answers who one is")
  func answers() async throws {
    try await run({ $0.whoAmI = WhoAmIOptions() }) { application in
      let running = try #require(application.running)
      #expect(running.doors.map(\.name) == ["pega", "newzulu", "gateway", "salesforce", "primer", "whoami"])
      let door = try #require(application.door(WhoAmIDoor.self))
      try await application.identity.addUser(name: "jdoe", displayName: "Jane Doe", password: "a:fine password")
      #expect(door.signIn(as: "jdoe") == "curl --user 'jdoe' \(running.origin)/whoami")
      let client = Client(origin: running.origin.description)
      let answer = try await client.get("/whoami", headers: basic("jdoe:a:fine password"))
      #expect(answer.status == 200 && answer.body == #"{"displayName":"Jane Doe","name":"jdoe"}"#)
      let refused = try await client.get("/whoami", headers: basic("jdoe:another"))
      #expect(refused.status == 401)
      #expect(refused.header("WWW-Authenticate") == #"Basic realm="Who am I", charset="UTF-8""#)
      #expect(try await client.get("/whoami").status == 401)
    }
  }

  @Test("A door that the configuration leaves out is closed")
  func closed() async throws {
    try await run({ $0.whoAmI = nil }) { application in
      #expect(application.door(WhoAmIDoor.self) == nil)
      let running = try #require(application.running)
      let answer = try await Client(origin: running.origin.description).get("/whoami")
      #expect(answer.status == 404)
    }
  }

  @Test("A door's problems keep the server from starting, with all others")
  func problems() async throws {
    let error = await #expect(throws: ServerConfigurationError.self) {
      try await run({
        $0.whoAmI = WhoAmIOptions(realm: "")
        $0.newzulu?.vhosts = []
      }) { _ in }
    }
    #expect(error?.problems.count == 2 && error?.problems.last?.contains("who am I") == true)
  }

  private func basic(_ text: String) -> [String: String] {
    ["Authorization": "Basic " + Data(text.utf8).base64EncodedString()]
  }
}
