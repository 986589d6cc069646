internal import ArgumentParser
internal import Foundation
internal import Logging
internal import OstiaryClientCommand
internal import OstiaryServer

/// What `ostiary serve` is told for those who watch the server.
struct OperationsOptions: ParsableArguments {
  @Option(
    help: "Where /healthz, /readyz and /metrics are answered: 127.0.0.1:9400, unix:PATH or off.",
    transform: OperationsAddress.init(option:))
  var operations = OperationsAddress.off

  @Flag(help: "Let --operations be an address that other machines reach: they see how the server is used.")
  var insecureOperationsAddress = false

  @Option(help: "How the log is written: text, or json, a line for each message.", transform: LogFormat.init(option:))
  var logFormat = LogFormat.text

  @Option(help: "The name of this server in its log and among others; the name of the machine if it is left out.")
  var node: String?

  /// OpenTelemetry's name for the address of a collector.
  static let traceVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"

  @Option(
    help: ArgumentHelp(
      "The collector that gets the spans of requests, as OTLP in JSON over HTTP: http://127.0.0.1:4318.",
      discussion: "The variable \(OperationsOptions.traceVariable) says the same.", valueName: "url"))
  var traceOTLP: String?

  @Option(help: ArgumentHelp("Of how many requests in a hundred spans are sent. (default: 100)", valueName: "n"))
  var tracePercent: Int?

  /// Where spans are sent; nil for nowhere.
  /// - Parameter isWhole: Whether these are all options; a setting that is looked at by itself names no address.
  /// - Throws: `ValidationError` for a percentage without an address.
  func tracing(_ environment: CommandEnvironment, isWhole: Bool) throws -> TraceSettings? {
    guard let endpoint = traceOTLP ?? environment.variables[Self.traceVariable], !endpoint.isEmpty else {
      if isWhole, tracePercent != nil { throw ValidationError(ServeMessage.traceNeedsAddress) }
      return nil
    }
    var settings = TraceSettings(endpoint: endpoint)
    if let tracePercent { settings.percent = tracePercent }
    settings.node = node ?? Self.machine
    return settings
  }

  /// What the server says of itself to others that share its database.
  var nodeName: NodeName { NodeName(name: node ?? Self.machine, version: CommandEnvironment.version) }

  /// The logger of a server. Lines of JSON are for programs, which also get decisions.
  func logger(_ environment: CommandEnvironment, verbose: Bool) -> Logger {
    guard logFormat == .json else { return environment.logger(verbose: verbose) }
    let (node, sink) = (node ?? Self.machine, environment.console.error)
    return Logger(label: "ostiary") { label in
      JSONLogHandler(label: label, node: node, level: verbose ? .debug : .info) { line in
        // As with every message besides the result: the server doesn't depend on it.
        try? sink.write(Data((line + "\n").utf8))
      }
    }
  }

  private static var machine: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// How a log is written.
enum LogFormat: String, Sendable {
  case text
  case json

  /// - Throws: `ValidationError` for any other word.
  init(option: String) throws {
    guard let format = LogFormat(rawValue: option) else { throw ValidationError(ServeMessage.badLogFormat(option)) }
    self = format
  }
}

extension OperationsAddress {
  /// - Throws: `ValidationError` for any other text.
  init(option: String) throws {
    guard let address = OperationsAddress(option) else { throw ValidationError(ServeMessage.badOperations(option)) }
    self = address
  }
}
