internal import Foundation
internal import Logging
internal import OstiaryCore
internal import OstiaryServer

/// The place of a demonstration: a real server in this process, reached through the real network of this machine.
struct DemoStage: Sendable {
  /// The server.
  let application: OstiaryApplication
  /// The server's addresses.
  let running: OstiaryApplication.Running
  /// The connection to it, which can be interrupted.
  let cable: Cable
  /// The user who can sign in.
  let username: String
  /// Their password.
  let password: Secret
  /// The logger.
  let logger: Logger

  /// What a server of a demonstration is told: in memory, on a free port of this machine, with every door open.
  static var configuration: ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.storage = .memory
    configuration.development = .insecureForTests
    return configuration
  }

  /// A random password.
  static func password() -> Secret {
    let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789")
    return Secret(String((0..<24).compactMap { _ in characters.randomElement() }))
  }

  /// The address of a door.
  func address(ofDoor name: String) throws -> URL {
    guard let door = running.doors.first(where: { $0.name == name }), let url = URL(string: door.address) else {
      throw DemoStory.Unexpected(DemoExpectation.door(name))
    }
    return url
  }
}

/// The machine's clock, which a demonstration can move forward.
final class DemoClock: SessionClock {
  private let lead = Locked<TimeInterval>(0)

  var now: Date { Date().addingTimeInterval(lead.withLock { $0 }) }

  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

  /// Moves it forward.
  func advance(by seconds: TimeInterval) { lead.withLock { $0 += seconds } }
}
