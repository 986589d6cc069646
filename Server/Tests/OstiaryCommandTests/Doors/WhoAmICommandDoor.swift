import ArgumentParser
import Foundation
import HTTPTypes
import OstiaryClientCommand
import OstiaryCore
import OstiaryServer

@testable import OstiaryServerCommand

// The door of the article AddingADoor, as the command has it. The server's part is in the server's tests.

struct WhoAmIOptions: DoorOptions {
  var realm = "Who am I"
  var problems: [String] { [] }
}

extension DoorSettings {
  var whoAmI: WhoAmIOptions? {
    get { self[WhoAmIOptions.self] }
    set { self[WhoAmIOptions.self] = newValue }
  }
}

// begin door
/// The door that says who one is, as the command has it.
struct WhoAmICommandDoor: CommandDoor {
  static let discussion: String? = "It says at /whoami whose name and password those of a request are."
  static let chapter: (any DemoChapter)? = WhoAmIDemo()

  @Option(help: "The realm that programs show to people who are asked for a password.")
  var whoamiRealm = WhoAmIOptions().realm

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) {
    server.whoAmI = WhoAmIOptions(realm: whoamiRealm)
  }
}
// end door

// begin chapter
/// What the chapter says.
enum WhoAmIStory: CommandMessage {
  case title
  case asked(user: String)

  var line: Line {
    switch self {
    case .title: "Who am I: a name, for a name and a password"
    case .asked(let user): "Asked as \(user): the server knows who that is"
    }
  }

  static let isSentences = false
  static let examples: [WhoAmIStory] = [.title, .asked(user: "alice")]
}

/// Asks the server who one is.
struct WhoAmIDemo: DemoChapter {
  let title = WhoAmIStory.title

  func tell(_ story: DemoStory, on stage: DemoStage) async throws {
    let address = try stage.address(ofDoor: "whoami")
    try await story.step(WhoAmIStory.asked(user: stage.username)) {
      var request = try TransportRequest.get(address)
      let proof = Data("\(stage.username):\(stage.password.reveal())".utf8).base64EncodedString()
      request.head.headerFields[.authorization] = "Basic \(proof)"
      let response = try await stage.cable.send(request)
      try story.expect(response.status == .ok, DemoExpectation.status("200", not: "\(response.status)"))
    }
  }
}
// end chapter
