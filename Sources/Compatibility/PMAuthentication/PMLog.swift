package import Logging
internal import Ostiary

/// How much this SDK says in the app's log, as the vendor's object of this name.
///
/// Only `sharedInstance`, `setLogLevel:` and the level `debug` are known; whether the vendor's header has a method or a property for the
/// instance is not. Both spellings work here.
public final class PMLog: Sendable {
  /// The process's log.
  public static let sharedInstance = PMLog()

  private let level = Locked(PMLogLevel.info)

  private init() {}

  /// The log itself, for the spelling `PMLog.sharedInstance()`.
  public func callAsFunction() -> PMLog { self }

  /// How much is said. It counts at once, for every object.
  public var logLevel: PMLogLevel {
    get { level.withLock { $0 } }
    set { level.withLock { $0 = newValue } }
  }

  /// Sets how much is said.
  public func setLogLevel(_ level: PMLogLevel) { logLevel = level }

  /// The logger of the SDK's messages. They hold no secret.
  package static var logger: Logger {
    // The app decides with swift-log where messages go.
    var logger = Logger(label: "PMAuthentication")
    logger.logLevel = .trace
    return Logger(label: "PMAuthentication") { [handler = logger.handler] _ in PMLogHandler(next: handler) }
  }
}

/// How much is said in the log. Only `debug` is known to be the vendor's.
public enum PMLogLevel: Int, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case none
  /// What went wrong.
  case error
  /// What may go wrong, too.
  case warning
  /// What happens, too.
  case info
  /// How it happens, too.
  case debug
}

/// Lets through what the level of ``PMLog`` allows.
package struct PMLogHandler: LogHandler {
  private var next: any LogHandler

  /// Passes messages on to a handler.
  package init(next: any LogHandler) { self.next = next }

  package var metadata: Logger.Metadata {
    get { next.metadata }
    set { next.metadata = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { next[metadataKey: key] }
    set { next[metadataKey: key] = newValue }
  }

  /// The level of ``PMLog``.
  package var logLevel: Logger.Level {
    get {
      switch PMLog.sharedInstance.logLevel {
      case .none, .error: .error
      case .warning: .warning
      case .info: .info
      case .debug: .debug
      }
    }
    set {}
  }

  package func log(event: LogEvent) {
    if PMLog.sharedInstance.logLevel != .none { next.log(event: event) }
  }
}
