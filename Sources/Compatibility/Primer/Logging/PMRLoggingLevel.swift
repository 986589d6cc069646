internal import Logging

/// How much of what happens is told in the log.
public enum PMRLoggingLevel: Int, Sendable {
  /// Nothing.
  case none = 0
  /// What keeps the SDK from working.
  case error = 1
  /// That, and what the app could do better.
  case warning = 2
  /// That, and what happens.
  case info = 3
  /// That, and its details.
  case debug = 4

  /// The least important level of a line that is told. No line of this SDK is `critical`.
  var least: Logger.Level {
    switch self {
    case .none: .critical
    case .error: .error
    case .warning: .warning
    case .info: .info
    case .debug: .debug
    }
  }
}
