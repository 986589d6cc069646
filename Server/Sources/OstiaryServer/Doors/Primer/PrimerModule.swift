import OstiaryCore

/// Plugs the Primer door in.
struct PrimerModule: DoorModule {
  static let metricValue: MetricValue = "primer"
  static let migrations = [PrimerSchema.migration]
  static let statements: [any StatementSet.Type] = [PrimerStatements.self]

  private let options: PrimerDoorConfiguration
  private let house: DoorHouse

  init(_ options: PrimerDoorConfiguration, in house: DoorHouse) {
    self.options = options
    self.house = house
  }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(
      PrimerDoor(
        configuration: options, origin: place.origin, identity: house.identity, flows: place.flows,
        offersSignUp: house.offersSignUp,
        isForThisMachineOnly: house.isForThisMachineOnly))
  }
}

extension PrimerDoorConfiguration: DoorOptions {}

extension DoorSettings {
  /// The Primer door; nil turns it off.
  public var primer: PrimerDoorConfiguration? {
    get { self[PrimerDoorConfiguration.self] }
    set { self[PrimerDoorConfiguration.self] = newValue }
  }
}

extension PrimerDoor: AnnouncedDoor {
  package var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/ThePrimerDoor.md" }
  package var selfMadeAccounts: String? { hasBackend ? "is made at \(address)/signup, its address not proven" : nil }

  package func notices(trust: String) -> [DoorNotice] {
    // Without sign-up, the command begins with the log-in.
    let type = offersSignUp ? "" : " --type login"
    let run = backendAddress.map { "ostiary experience run \($0) --token \(token.shellWord)\(type)\(trust)" }
    let name = isStarter ? "Starter experience" : "Experience"
    var member: [String: JSONValue] = [
      "address": .string(experienceAddress), "token": .string(token), "isStarter": .bool(isStarter),
    ]
    member["backend"] = backendAddress.map(JSONValue.string)
    member["run"] = run.map(JSONValue.string)
    return [
      DoorNotice(
        lines: [(name, "\(experienceAddress) (X-Primer-Token: \(token))")], commands: run.map { [$0] } ?? [],
        // This command asks for the password itself; the door's own command would need an option for it.
        replacesSignIn: run != nil, member: ("experience", .object(member)))
    ]
  }
}

extension PrimerModule {
  static var audit: [RouteAudit] {
    let path = PrimerDoor.path
    let app: [RouteAudit.Outcome] = [.init("the app's token is unknown", .clientRefused, .unknown)]
    let flood: [RouteAudit.Outcome] = [.init("too many were asked for", .accountRefused, .tooManyAttempts)]
    return [
      RouteAudit(["GET \(path)/v1/experience"], app),
      RouteAudit(["POST \(path)/v1/events", "POST \(path)/v1/users/:anonymous/identify"], app + .form),
      RouteAudit(["POST \(path)/login"], .password + .form),
      RouteAudit(
        ["POST \(path)/signup"],
        [
          .init("the account is made", .accountMade, .requestedByApp),
          .init("the address has an account", .accountRefused, .alreadyTaken),
        ] + flood + .form),
      RouteAudit(["POST \(path)/validate"], flood + .form),
      RouteAudit(
        ["POST \(path)/recover"],
        .code + [.init("the password is replaced", .passwordChanged, .requestedByApp)] + .form),
    ]
  }
}
