import HTTPTypes
import OstiaryCore

/// Plugs the gateway door in.
struct GatewayModule: DoorModule {
  static let metricValue: MetricValue = "gateway"
  static let migrations = [HeldSchema.migration]
  static let statements: [any StatementSet.Type] = [HeldStatements.self]

  private let parts: GatewayParts
  private let identity: IdentityService
  private let offersSignUp: Bool

  init(_ options: GatewayDoorConfiguration, in house: DoorHouse) throws {
    do {
      parts = try GatewayParts(
        options, storage: house.storage, isSecure: house.isSecure, serverCookies: house.cookieNames, clock: house.clock,
        logger: house.logger)
    } catch {
      throw ServerConfigurationError(problems: ["The gateway's file of authorities can't be used."])
    }
    identity = house.identity
    offersSignUp = house.offersSignUp
  }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(parts.door(at: place.origin, identity: identity, admitsSelfMade: offersSignUp))
  }

  var resources: [ResourceLimit] {
    let (options, held) = (parts.configuration, parts.held)
    return [
      ResourceLimit(
        "relayed_answer_bytes", "An upstream's answer of known size that the gateway holds before it sends it on",
        .bytes(GatewayUpstreams.mostWhole), standard: "32 KiB", refusal: "a longer one is sent on as it comes",
        count: nil),
      ResourceLimit(
        "held_request_bytes", "A form that is kept until its sender has signed in", .bytes(options.heldBodySize),
        standard: "64 KiB", refusal: "it is not kept, and its sender has to send it again", count: nil),
      ResourceLimit(
        "held_requests", "All forms that are kept", .bytes(options.heldTotalSize), standard: "8 MiB",
        refusal: "the oldest are forgotten", count: { held.pushedOut.total }),
      ResourceLimit(
        "held_requests_per_address", "The forms of one address that are kept", .bytes(parts.heldPerAddress),
        standard: "a sixteenth of all, or two of the longest where that is more",
        refusal: "the oldest of them are forgotten", count: { held.pushedOut.ofAddress }),
    ]
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
  /// The gateway door; nil turns it off.
  public var gateway: GatewayDoorConfiguration? {
    get { self[GatewayDoorConfiguration.self] }
    set { self[GatewayDoorConfiguration.self] = newValue }
  }
}

extension GatewayDoor: AnnouncedDoor {
  package var documentation: String? { "docs/gateway.md" }
  package var selfMadeAccounts: String? { admission.summary }

  package func notices(trust: String) -> [DoorNotice] {
    let upstreams = junctions.map { junction -> JSONValue in
      .object(["address": .string(junction.address), "upstream": .string(junction.upstream)])
    }
    let lines = junctions.map { (title: "Gateway to", text: "\($0.address) → \($0.upstream)") }
    return [DoorNotice(lines: lines, member: ("upstreams", .array(upstreams)))]
  }
}

extension GatewayModule {
  static var audit: [RouteAudit] {
    let configuration = GatewayDoorConfiguration()
    let names = GatewayNames(configuration.style, isSecure: false)
    let admission: [RouteAudit.Outcome] = [.init("the user is not on the list", .admissionRefused, .notOnTheList)]
    let resources = GatewayResource.allCases.flatMap { resource in
      resource.methods.map { "\($0.rawValue) \(configuration.resourcesPath ?? "")/\(resource.rawValue)" }
    }
    let envoy = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map {
      "\($0) /\(GatewayDoor.envoyPrefix.joined(separator: "/"))/**"
    }
    return [
      RouteAudit([
        "GET /gateway", "GET /gateway/session", "GET /gateway/continue", "GET /gateway/challenge",
        "GET \(names.loginPage)", "GET \(names.logout)",
      ]),
      RouteAudit(["DELETE /gateway/session", "POST \(names.logout)"], .signOut + .form),
      RouteAudit(["POST /gateway/continue"], .form),
      RouteAudit(["GET /gateway/auth", "GET /gateway/auth/nginx"] + envoy + resources, admission),
      RouteAudit(["POST \(names.loginForm)"], .password + .malformed + .session + .form + admission),
    ]
  }
}
