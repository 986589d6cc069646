internal import Foundation
internal import Logging
internal import OstiaryCore
internal import OstiaryServer

/// Where a demonstration plays: a real server in this process, reached through the real network of this machine.
struct DemoStage: Sendable {
  /// The server.
  let application: OstiaryApplication
  /// Where it listens.
  let running: OstiaryApplication.Running
  /// The way to it, which can be cut.
  let cable: Cable
  /// The user who can sign in.
  let username: String
  /// Their password.
  let password: Secret
  /// Takes messages.
  let logger: Logger

  /// The address of a door.
  func address(ofDoor name: String) throws -> URL {
    guard let door = running.doors.first(where: { $0.name == name }), let url = URL(string: door.address) else {
      throw DemoStory.Unexpected(message: "expected the server to have the door “\(name)”")
    }
    return url
  }
}
