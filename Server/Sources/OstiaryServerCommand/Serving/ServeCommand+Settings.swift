internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// Where `ostiary serve` has its settings from, besides its options.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JSON file that says what options say: {\"port\": 8443, \"gateway\": {\"upstream\": […]}}. An option counts before it.",
      valueName: "file"), completion: .file())
  var configuration: String?

  @Flag(help: "Print the JSON Schema of that file, and start nothing.")
  var printConfigurationSchema = false
}

extension ServeCommand {
  /// What a configuration file may say, door for door.
  static let table = ConfigurationTable(settings: settings + CommandDoors.kinds.flatMap { $0.settings })

  private static let settings =
    [
      FileSetting("data", "data", .file, yieldsTo: ["in-memory"]),
      FileSetting(
        "inMemory", "in-memory", .flag(), yieldsTo: ["data", "database"], variable: DatabaseOptions.variable),
      FileSetting(
        "database.address", "database", .text, yieldsTo: ["in-memory"], variable: DatabaseOptions.variable),
      FileSetting("database.passwordFile", "database-password-file", .file, yieldsTo: ["in-memory"]),
      FileSetting("database.connections", "database-connections", .number(1...1000), yieldsTo: ["in-memory"]),
      FileSetting("database.pooler", "database-pooler", .word(["session", "transaction"]), yieldsTo: ["in-memory"]),
      FileSetting(
        "database.listen", "database-listen", .text, yieldsTo: ["in-memory"], variable: DatabaseOptions.listenVariable),
      FileSetting("keyFile", "key-file", .file, yieldsTo: ["in-memory"]),
      FileSetting("auditDays", "audit-days", .number(1...Int64(mostAuditDays))),
      FileSetting("host", "host", .text), FileSetting("port", "port", .number(0...65_535)),
      FileSetting("publicURL", "public-url", .text), FileSetting("trustProxy", "trust-proxy", .texts),
      FileSetting("tls.cert", "tls-cert", .file, yieldsTo: ["dev-tls"]),
      FileSetting("tls.key", "tls-key", .file, yieldsTo: ["dev-tls"]),
      FileSetting("devTLS", "dev-tls", .flag(), yieldsTo: ["tls-cert", "tls-key"]),
      FileSetting("dev", "dev", .flag()), FileSetting("user", "user", .text),
      FileSetting("passwordStdin", "password-stdin", .flag()),
      FileSetting("serviceName", "service-name", .text),
      FileSetting("operations.address", "operations", .text),
      FileSetting("operations.insecureAddress", "insecure-operations-address", .flag(), yieldsTo: ["operations"]),
      FileSetting("trace.otlp", "trace-otlp", .text, variable: OperationsOptions.traceVariable),
      FileSetting("trace.percent", "trace-percent", .number(1...100)),
      FileSetting("log.format", "log-format", .word(["text", "json"])), FileSetting("log.node", "node", .text),
      FileSetting("json", "json", .flag()), FileSetting("verbose", "verbose", .flag()),
    ] + MailOptions.settings

  /// The schema of the file, with the words of the options' help.
  static func configurationSchema() throws -> JSONValue {
    table.schema(title: configuration.commandName.map { "ostiary \($0)" } ?? "", descriptions: try descriptions())
  }

  /// What the help says of each option, by its name. The parser shows it as data.
  private static func descriptions() throws -> [String: String] {
    let help = try JSONDecoder().decode(JSONValue.self, from: Data(_dumpHelp().utf8))
    var descriptions: [String: String] = [:]
    for option in help["command"]?["arguments"]?.array ?? [] {
      for name in option["names"]?.array ?? [] {
        if let name = name["name"]?.string { descriptions[name] = option["abstract"]?.string }
      }
    }
    return descriptions
  }

  /// The names of all long options.
  static func optionNames() throws -> Set<String> { Set(try descriptions().keys.filter { $0.count > 1 }) }
}

extension ServeCommand {
  static let mostAuditDays = 36_500

  /// Options that do not go together, or say nothing; all of them.
  var contradictions: [ServeMessage] {
    var found: [ServeMessage] = []
    if inMemory, data.data != nil { found.append(.dataTwice) }
    if inMemory, data.database.isGiven { found.append(.databaseTwice) }
    if inMemory, data.key.keyFile != nil { found.append(.keyNeedsFolder) }
    if (tlsCert == nil) != (tlsKey == nil) { found.append(.certificateWithoutKey) }
    if devTLS, tlsCert != nil { found.append(.certificateTwice) }
    if !(1...Self.mostAuditDays).contains(auditDays) { found.append(.badAuditDays(most: Self.mostAuditDays)) }
    if operations.insecureOperationsAddress, operations.operations == .off { found.append(.operationsNeedAddress) }
    if let percent = operations.tracePercent, !(1...100).contains(percent) { found.append(.badTracePercent) }
    if passwordStdin, user == nil { found.append(.passwordWithoutUser) }
    return found
  }
}
