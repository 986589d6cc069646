/// Plugs the Pega door in.
struct PegaModule: DoorModule {
  static let metricValue: MetricValue = "pega"
  private let options: PegaDoorConfiguration
  private let identity: IdentityService
  private let sessions: ServerSessions

  init(_ options: PegaDoorConfiguration, in house: DoorHouse) {
    self.options = options
    identity = house.identity
    sessions = ServerSessions(
      storage: house.storage, limits: options.sessionLimits, clock: house.clock, purpose: "pega")
  }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(PegaDoor(configuration: options, origin: place.origin, identity: identity, sessions: sessions))
  }
}

extension PegaDoorConfiguration: NamingDoorOptions {
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] { PegaCookies.imitated(names) }
}

extension DoorSettings {
  /// The Pega door; nil turns it off.
  public var pega: PegaDoorConfiguration? {
    get { self[PegaDoorConfiguration.self] }
    set { self[PegaDoorConfiguration.self] = newValue }
  }
}

extension PegaDoor: AnnouncedDoor {
  package var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/ThePegaDoor.md" }
}

extension PegaModule {
  static var audit: [RouteAudit] {
    let context = PegaDoorConfiguration().contextPath
    let servlets =
      [context] + PegaServlet.patterns.flatMap { [context + $0, context + $0 + "/:hash/:thread"] }
    return [
      RouteAudit(
        servlets.flatMap { ["GET \($0)", "POST \($0)"] },
        .password + .malformed + .session + .signOut + .form),
      RouteAudit(["GET \(context)/api/v1/authenticate", "GET \(context)/api/v1/cases"], .password + .malformed),
      RouteAudit(["POST \(context)/api/v1/cases"], .password + .malformed + .form),
    ]
  }
}
