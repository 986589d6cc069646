import Logging
import OstiaryCore

/// Keeps everything that is logged.
final class LogRecorder: Sendable {
  struct Record: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: [String: String]
  }

  private let kept = Locked<[Record]>([])
  var records: [Record] { kept.withLock { $0 } }
  var text: String { records.map { "\($0)" }.joined(separator: "\n") }
  var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

  private struct Handler: LogHandler {
    let recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }
    func log(event: LogEvent) {
      let fields = (event.metadata ?? [:]).mapValues { "\($0)" }
      recorder.kept.withLock { $0.append(Record(level: event.level, message: "\(event.message)", metadata: fields)) }
    }
  }
}
