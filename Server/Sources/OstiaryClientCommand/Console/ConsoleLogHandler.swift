internal import Foundation
internal import Logging

/// Shows a log message on standard error in the style of the command's other output: one short line.
struct ConsoleLogHandler: LogHandler {
  private let console: Console
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(_ console: Console, level: Logger.Level) {
    self.console = console
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let style: Line.Style =
      switch event.level {
      case .trace, .debug, .info, .notice: .dim
      case .warning: .yellow
      case .error, .critical: .failure
      }
    let details = metadata.merging(event.metadata ?? [:]) { $1 }
      .sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }
      .joined(separator: " ")
    let more: Line = details.isEmpty ? "" : " \(details, .dim)"
    console.note(["\("\(event.level):", style) \(event.message)\(more)"])
  }
}
