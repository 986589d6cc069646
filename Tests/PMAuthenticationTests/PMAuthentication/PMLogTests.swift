import Foundation
import Logging
import Ostiary
import PMAuthentication
import Testing

/// The level belongs to the process.
@Suite("PMLog", .serialized)
struct PMLogTests {
  /// Keeps what is logged.
  struct Recorder: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
  }

  @Test("Bug-D03: both spellings of the instance and of its level work, and the level counts at once")
  func levels() async {
    // The level belongs to a process, so this has one of its own: a failure is a status other than success.
    await #expect(processExitsWith: .success) {
      let lines = Locked<[String]>([])
      let logger = Logger(label: "app") { _ in PMLogHandler(next: Recorder(lines: lines)) }
      func all() -> [String] {
        lines.withLock { $0 = [] }
        logger.debug("debug")
        logger.info("info")
        logger.warning("warning")
        logger.error("error")
        return lines.withLock { $0 }
      }
      try #require(PMLog.sharedInstance() === PMLog.sharedInstance)
      try #require(all() == ["info", "warning", "error"])
      PMLog.sharedInstance().setLogLevel(.debug)
      try #require(PMLog.sharedInstance.logLevel == .debug)
      try #require(all() == ["debug", "info", "warning", "error"])
      PMLog.sharedInstance.logLevel = .error
      try #require(all() == ["error"])
      PMLog.sharedInstance.logLevel = .warning
      try #require(all() == ["warning", "error"])
      PMLog.sharedInstance.setLogLevel(PMLogLevel.none)
      try #require(all() == [])
    }
  }
}
