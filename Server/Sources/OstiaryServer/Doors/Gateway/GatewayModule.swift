import OstiaryCore

/// The gateway door, as it is plugged in.
struct GatewayModule: DoorModule {
  private let parts: GatewayParts
  private let identity: IdentityService

  init(_ options: GatewayDoorConfiguration, in house: DoorHouse) throws {
    do {
      parts = try GatewayParts(
        options, storage: house.storage, isSecure: house.isSecure, serverCookies: house.cookieNames, clock: house.clock,
        logger: house.logger)
    } catch {
      throw ServerConfigurationError(problems: ["The gateway's file of authorities can't be used."])
    }
    identity = house.identity
  }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(parts.door(at: place.origin, identity: identity))
  }

  func close() async { await parts.close() }
}

extension GatewayDoorConfiguration: NamingDoorOptions {
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] {
    GatewayNames(style, isSecure: isSecure).imitated
  }

  var servedOrigins: [String] { protectedOrigins }
}

extension DoorSettings {
  /// The gateway door; nil leaves it closed.
  public var gateway: GatewayDoorConfiguration? {
    get { self[GatewayDoorConfiguration.self] }
    set { self[GatewayDoorConfiguration.self] = newValue }
  }
}

extension GatewayDoor: AnnouncedDoor {
  package var documentation: String? { "docs/gateway.md" }

  package func notices(trust: String) -> [DoorNotice] {
    let upstreams = junctions.map { junction -> JSONValue in
      .object(["address": .string(junction.address), "upstream": .string(junction.upstream)])
    }
    let lines = junctions.map { (title: "Gateway to", text: "\($0.address) → \($0.upstream)") }
    return [DoorNotice(lines: lines, member: ("upstreams", .array(upstreams)))]
  }
}
