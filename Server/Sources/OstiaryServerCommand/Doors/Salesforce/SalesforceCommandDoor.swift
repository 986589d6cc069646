internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiaryServer

/// The Salesforce door, as the command has it: what `ostiary serve` takes for it, and its chapter.
struct SalesforceCommandDoor: CommandDoor {
  static let chapter: (any DemoChapter)? = SalesforceDemo()

  static let settings = [
    FileSetting("salesforce.app", "salesforce-app", .texts), FileSetting("salesforce.apps", "salesforce-apps", .file),
    FileSetting("salesforce.org", "salesforce-org", .texts),
    FileSetting("salesforce.community", "salesforce-community", .texts),
    FileSetting("salesforce.timeout", "salesforce-timeout", .number(1...31_536_000)),
    FileSetting("salesforce.dailyRequests", "salesforce-daily-requests", .number(0...1_000_000_000)),
    FileSetting("salesforce.trust", "salesforce-trust", .texts),
    FileSetting("salesforce.insecureFlows", "salesforce-insecure-flows", .flag()),
  ]

  @Option(
    name: .customLong("salesforce-app"), parsing: .singleValue,
    help: ArgumentHelp(
      "A connected app without a secret: its consumer key and its callback URL; may be given several times. (default: "
        + "one that is made and kept)", valueName: "key=url"))
  var apps: [String] = []

  @Option(
    name: .customLong("salesforce-apps"),
    help: ArgumentHelp(
      "A file with connected apps, one a line: the consumer key, then any of "
        + SalesforceAppLine.words.joined(separator: ", ") + ". Lines that begin with # are remarks.",
      valueName: "file"), completion: .file())
  var appFile: String?

  @Option(
    name: .customLong("salesforce-org"), parsing: .singleValue,
    help: ArgumentHelp(
      "A tenant whose users are an org of their own; may be given several times. Users without a tenant are the first org's.",
      valueName: "tenant"))
  var tenants: [String] = []

  @Option(
    name: .customLong("salesforce-community"), parsing: .singleValue,
    help: ArgumentHelp(
      "The path of a community of the first org, such as customers; may be given several times.", valueName: "path"))
  var communities: [String] = []

  @Option(
    name: .customLong("salesforce-timeout"),
    help: ArgumentHelp(
      "An access token ends after so many seconds without a request. (default: 7200)", valueName: "seconds"))
  var timeout: Int?

  @Option(
    name: .customLong("salesforce-daily-requests"),
    help: ArgumentHelp(
      "Calls that an org's programs may make in 24 hours; one more is answered 403. (default: 100000)",
      valueName: "count"))
  var dailyRequests: Int?

  @Option(
    name: .customLong("salesforce-trust"), parsing: .singleValue,
    help: ArgumentHelp(
      "A numeric address from which a password needs no security token; may be given several times. (default: this "
        + "machine's)", valueName: "address"))
  var trusted: [String] = []

  @Flag(
    name: .customLong("salesforce-insecure-flows"),
    help:
      "Let apps take passwords (grant_type=password) and tokens in addresses (response_type=token), as older orgs do.")
  var allowsInsecureFlows = false

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    server.salesforce = try configuration(environment)
  }

  /// The door's configuration from these options.
  /// - Throws: ``OstiaryError`` `invalidInput` for an app or a file of apps that can't be read.
  func configuration(_ environment: CommandEnvironment) throws -> SalesforceDoorConfiguration {
    var configuration = SalesforceDoorConfiguration()
    configuration.orgs =
      [SalesforceOrg(communities: communities.map { SalesforceCommunity(path: $0) })]
      + tenants.map { SalesforceOrg(tenant: $0, name: $0) }
    configuration.apps =
      try apps.map(Self.app)
      + environment.lines(ofFile: appFile, orSay: DoorOptionMessage.noAppInFile) { line, place in
        try SalesforceAppLine.read(line, place: place, environment)
      }
    if let timeout { configuration.sessionTimeout = .seconds(timeout) }
    if let dailyRequests { configuration.dailyRequests = dailyRequests }
    if !trusted.isEmpty { configuration.trustedAddresses = trusted }
    if allowsInsecureFlows { configuration.insecureFlows = Set(SalesforceDoorConfiguration.InsecureFlow.allCases) }
    return configuration
  }

  private static func app(_ text: String) throws -> SalesforceConnectedApp {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw OstiaryError.usage(DoorOptionMessage.badApp(text))
    }
    let key = String(text[..<equals])
    return SalesforceConnectedApp(
      consumerKey: key, name: key, callbackURLs: [String(text[text.index(after: equals)...])])
  }

}
