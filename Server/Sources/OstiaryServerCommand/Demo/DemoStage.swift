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

  /// The address of a door.
  func address(ofDoor name: String) throws -> URL {
    guard let door = running.doors.first(where: { $0.name == name }), let url = URL(string: door.address) else {
      throw DemoStory.Unexpected(message: "expected the server to have the door “\(name)”")
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

/// One part of `ostiary demo`, about one kind of server.
///
/// It must check every step that it reports, through the public API only; it must never report a step that did not happen.
protocol DemoChapter: Sendable {
  /// The heading.
  var title: String { get }

  /// Runs the chapter against a running server.
  func tell(_ story: DemoStory, on stage: DemoStage) async throws
}

/// The chapters, in order. A new kind of server adds its own here.
enum DemoChapters {
  static let all: [any DemoChapter] = [PegaDemo(), NewzuluDemo(), SalesforceDemo(), PrimerDemo(), GatewayDemo()]
}
