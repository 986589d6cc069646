import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import OstiaryCore

@testable import OstiaryServer

/// A running server with cheap hashing, on a free port, and its time in the test's hands.
struct TestServer: Sendable {
  let application: OstiaryApplication
  let running: OstiaryApplication.Running
  let clock: AdjustableClock
  let logs: LogCollector

  var origin: String { running.origin.description }
  var identity: IdentityService { application.identity }

  /// A client without memory.
  func client() -> Client { Client(origin: origin) }

  /// Starts a server, lets `body` use it, and stops it, also after an error.
  static func run<Value: Sendable>(
    _ configure: (inout ServerConfiguration) -> Void = { _ in }, furtherRoutes: [Route] = [],
    body: (TestServer) async throws -> Value
  ) async throws -> Value {
    let clock = AdjustableClock()
    let logs = LogCollector()
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.development = .insecureForTests
    configuration.development?.clock = clock
    configure(&configuration)
    configuration.storage = try TestDatabase.place(configuration.storage)
    defer { TestDatabase.remove(configuration.storage) }
    let application = try OstiaryApplication(configuration, logger: logs.logger, furtherRoutes: furtherRoutes)
    let running = try await application.start()
    let server = TestServer(application: application, running: running, clock: clock, logs: logs)
    do {
      let value = try await body(server)
      await application.stop()
      return value
    } catch {
      await application.stop()
      throw error
    }
  }

  /// As ``run(_:body:)``, with Jane Doe, whose name is `jdoe`.
  static func runWithJane<Value: Sendable>(
    password: String = janesPassword, _ configure: (inout ServerConfiguration) -> Void = { _ in },
    body: (TestServer) async throws -> Value
  ) async throws -> Value {
    try await run(configure) { server in
      try await server.identity.addUser(name: "jdoe", displayName: "Jane Doe", password: Secret(password))
      return try await body(server)
    }
  }

  static let janesPassword = "a fine long password"
}

/// A clock that stands still until it is moved.
final class AdjustableClock: SessionClock {
  private let time: Locked<Date>

  init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) { time = Locked(start) }

  var now: Date { time.withLock { $0 } }

  func advance(by seconds: TimeInterval) {
    time.withLock { $0 = $0.addingTimeInterval(seconds) }
  }

  func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}

/// Keeps everything that is logged, at every level.
final class LogCollector: Sendable {
  private let lines = Locked<[String]>([])

  var text: String { lines.withLock { $0.joined(separator: "\n") } }

  var logger: Logger {
    var logger = Logger(label: "test") { _ in Handler(collector: self) }
    logger.logLevel = .trace
    return logger
  }

  private struct Handler: LogHandler {
    let collector: LogCollector
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      collector.lines.withLock { lines in
        lines.append("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
      }
    }
  }
}
