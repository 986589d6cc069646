/// The Pega door, as it is plugged in.
struct PegaModule: DoorModule {
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
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] { PegaCookies.imitated }
}

extension DoorSettings {
  /// The Pega door; nil leaves it closed.
  public var pega: PegaDoorConfiguration? {
    get { self[PegaDoorConfiguration.self] }
    set { self[PegaDoorConfiguration.self] = newValue }
  }
}

extension PegaDoor: AnnouncedDoor {
  package var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/ThePegaDoor.md" }
}
