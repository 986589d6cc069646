import Foundation
import HTTPTypes
import Logging
import OstiaryCore
import OstiaryExperiences
import OstiaryTesting
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// A process that tracks events, and writes down which of them were reported as stored.
///
/// Between the events the address goes away and comes back, the token is exchanged for another, and the clock jumps.
struct EventSender {
  private let settings: TrackerSettings
  private let tracker: EventTracker
  private let clock = ShiftedClock()
  private let log: FileHandle

  init(_ settings: TrackerSettings) throws {
    self.settings = settings
    log = try FileHandle(forWritingTo: settings.log)
    let trap = try StepTrap()
    if let step = settings.fatalStep { trap.arm(StepTrap.Trap(.number(step), signal: SIGKILL)) }
    let store = SteppedStore(FileStore(folder: settings.store) { [trap] in trap.pass("file: \($0.rawValue)") }, trap)
    tracker = EventTracker(
      Self.configuration(settings, token: settings.finishes ? 1 : 0), transport: SocketTransport(connections: 2),
      store: store, clock: clock, logger: Logger(label: "sender") { _ in SwiftLogNoOpLogHandler() })
  }

  private static func configuration(_ settings: TrackerSettings, token: Int?) -> EventConfiguration {
    var configuration = EventConfiguration()
    if let token, let tokenName = HTTPField.Name(TrackerSettings.tokenField),
      let senderName = HTTPField.Name(TrackerSettings.senderField)
    {
      configuration.address = settings.server
      configuration.headerFields = [tokenName: TrackerSettings.tokens[token], senderName: settings.name]
    }
    configuration.batchCount = 4
    configuration.interval = .milliseconds(1)
    configuration.retry = RetryPolicy(base: .milliseconds(1))
    return configuration
  }

  func run() async throws {
    var generator = SplitMix64(seed: settings.seed)
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
    let subject = UserEvent.Subject(UserProfile(anonymousID: settings.name))
    var unreported: [UserEvent] = []
    for number in 0..<settings.count {
      let event = UserEvent("\(settings.name)-\(number)", date: clock.now, subject: subject)
      guard tracker.track(event).isEmpty else { throw OstiaryError(.internalError, "An event was refused.") }
      unreported.append(event)
      if chance(5) { tracker.configuration = Self.configuration(settings, token: nil) }
      if chance(4) { tracker.configuration = Self.configuration(settings, token: chance(2) ? 1 : 0) }
      if chance(6) { clock.ahead = Double.random(in: -100_000_000...100_000_000, using: &generator) }
      if chance(4) { try? await tracker.flush() }
      if chance(3) || number == settings.count - 1 { try await report(&unreported) }
    }
    guard settings.finishes else { return }
    tracker.configuration = Self.configuration(settings, token: 1)
    while true {
      do {
        try await tracker.flush()
        return try await tracker.persist()
      } catch {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// Once this has said so, the events are stored, also when this process is killed.
  private func report(_ events: inout [UserEvent]) async throws {
    try await tracker.persist()
    for event in events { try log.write(contentsOf: Data("\(event.id) \(event.name)\n".utf8)) }
    events = []
  }
}
