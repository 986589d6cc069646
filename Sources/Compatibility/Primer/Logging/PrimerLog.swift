internal import Logging
internal import Ostiary
internal import OstiaryExperiences

/// The log of this module, whose level an app can change while it runs. Names and codes are told, never what a user has entered.
final class PrimerLog: Sendable {
  private let gate: LogGate
  /// What writes to it.
  let logger: Logger

  init(_ makeHandler: (@Sendable (String) -> any LogHandler)? = nil) {
    let label = "primer"
    var inner = makeHandler.map { Logger(label: label, factory: $0) } ?? Logger(label: label)
    // The gate decides.
    inner.logLevel = .trace
    let gate = LogGate()
    self.gate = gate
    logger = Logger(label: label) { [inner] _ in GatedLogHandler(inner: inner, gate: gate) }
  }

  /// How much is told.
  var level: PMRLoggingLevel {
    get { gate.level.withLock { $0 } }
    set { gate.level.withLock { $0 = newValue } }
  }

  /// Tells which values of the app can't be used. Their names are the app's own; one that tells who a person is is not shown.
  func refused(_ names: [String], _ what: String) {
    guard !names.isEmpty else { return }
    logger.warning(
      "Some \(what) are neither texts, numbers of 64 bits, booleans, dates nor lists of these, and were left out.",
      metadata: ["names": "\(names.map(PersonalData.shown).joined(separator: ", "))"])
  }

  /// Tells that something did not work.
  func failed(_ what: String, _ error: any Error) {
    logger.error("\(what).", metadata: ["error": "\(error)"])
  }
}

/// Which lines pass.
private final class LogGate: Sendable {
  let level = Locked(PMRLoggingLevel.warning)
}

/// Passes lines on. A logger asks it first for the least level at that moment.
private struct GatedLogHandler: LogHandler {
  let inner: Logger
  let gate: LogGate

  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(inner: Logger, gate: LogGate) {
    self.inner = inner
    self.gate = gate
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  var logLevel: Logger.Level {
    get { gate.level.withLock { $0.least } }
    // The app sets it for all loggers of this module.
    set {}
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    inner.log(
      level: event.level, event.message, metadata: all, source: event.source, file: event.file,
      function: event.function, line: event.line)
  }
}
