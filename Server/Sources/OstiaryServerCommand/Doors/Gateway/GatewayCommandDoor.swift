internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryServer

/// The gateway, as the command has it: what `ostiary serve` takes for it, and its chapter.
struct GatewayCommandDoor: CommandDoor {
  static let chapter: (any DemoChapter)? = GatewayDemo()

  static let discussion: String? = """
    The gateway asks for a sign-in before a client reaches another server: \
    --gateway-upstream /app=http://127.0.0.1:9000. A proxy that passes the requests on itself asks /gateway/auth instead \
    (nginx: /gateway/auth/nginx).
    """

  static let settings = [
    FileSetting("gateway.upstream", "gateway-upstream", .texts),
    FileSetting("gateway.origin", "gateway-origin", .texts), FileSetting("gateway.allow", "gateway-allow", .texts),
    FileSetting("gateway.public", "gateway-public", .texts),
    FileSetting("gateway.style", "gateway-style", .word(GatewayStyle.allCases.map(\.rawValue))),
    FileSetting(
      "gateway.challenge", "gateway-challenge", .word(GatewayDoorConfiguration.Challenge.allCases.map(\.rawValue))),
    FileSetting(
      "gateway.success", "gateway-success", .word(GatewayDoorConfiguration.Success.allCases.map(\.rawValue))),
    FileSetting("gateway.upstreamCA", "gateway-upstream-ca", .file),
  ]

  @Option(
    name: .customLong("gateway-upstream"), parsing: .singleValue,
    help: ArgumentHelp(
      "Put a server behind the gateway: a URL, or a path and a URL (/app=http://127.0.0.1:9000).",
      valueName: "[path=]url"))
  var upstreams: [String] = []

  @Option(
    name: .customLong("gateway-origin"), parsing: .singleValue,
    help: "An origin whose proxy asks /gateway/auth, if it is not the public one: https://app.example.org.")
  var origins: [String] = []

  @Option(
    name: .customLong("gateway-allow"), parsing: .singleValue,
    help: "Let only these users pass: an e-mail address, or a domain as @example.org.")
  var admitted: [String] = []

  @Option(
    name: .customLong("gateway-public"), parsing: .singleValue,
    help: "A path that needs no session: /app/health, or /app/assets/* for all below.")
  var publicPaths: [String] = []

  @Option(
    name: .customLong("gateway-style"), help: "Whose gateway it looks like: ostiary, webseal, ltpa or classic.",
    transform: GatewayStyle.init(option:))
  var style = GatewayStyle.ostiary

  @Option(
    name: .customLong("gateway-challenge"),
    help: "What a client without a session gets: negotiated, redirect, form or unauthorized-form.",
    transform: GatewayDoorConfiguration.Challenge.init(option:))
  var challenge = GatewayDoorConfiguration.Challenge.negotiated

  @Option(
    name: .customLong("gateway-success"),
    help: "What follows the right password: original-resource, page or inline.",
    transform: GatewayDoorConfiguration.Success.init(option:))
  var success = GatewayDoorConfiguration.Success.originalResource

  @Option(
    name: .customLong("gateway-upstream-ca"),
    help: "A PEM file with authorities that are trusted for https upstreams, besides the system's.", completion: .file()
  )
  var upstreamAuthority: String?

  func validate() throws {
    for upstream in upstreams { _ = try Self.junction(upstream) }
  }

  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    var configuration = GatewayDoorConfiguration()
    configuration.style = style
    configuration.challenge = challenge
    configuration.success = success
    configuration.protectedOrigins = origins
    configuration.admitted = admitted
    configuration.publicPaths = publicPaths
    configuration.junctions = try upstreams.map(Self.junction)
    configuration.upstreamAuthority = upstreamAuthority.map { environment.url(path: $0) }
    server.gateway = configuration
  }

  /// Reads `http://127.0.0.1:9000` or `/app=http://127.0.0.1:9000`.
  private static func junction(_ text: String) throws -> GatewayJunction {
    var (path, address) = ("/", text[...])
    if text.hasPrefix("/"), let equals = text.firstIndex(of: "=") {
      path = String(text[..<equals])
      address = text[text.index(after: equals)...]
    }
    guard let url = URL(string: String(address)), url.host(percentEncoded: false) != nil else {
      throw ValidationError(DoorOptionMessage.badUpstream(text))
    }
    return GatewayJunction(path: path, upstream: url)
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The case that an option names.
  fileprivate init(option: String) throws {
    guard let value = Self(rawValue: option) else {
      throw ValidationError(DoorOptionMessage.badChoice(option, known: Self.allCases.map(\.rawValue)))
    }
    self = value
  }
}
