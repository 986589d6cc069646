import OstiaryCore

/// The Primer door, as it is plugged in.
struct PrimerModule: DoorModule {
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
  /// The Primer door; nil leaves it closed.
  public var primer: PrimerDoorConfiguration? {
    get { self[PrimerDoorConfiguration.self] }
    set { self[PrimerDoorConfiguration.self] = newValue }
  }
}

extension PrimerDoor: AnnouncedDoor {
  package var selfMadeAccounts: String? { hasBackend ? "is made at \(address)/signup, its address not proven" : nil }

  package func notices(trust: String) -> [DoorNotice] {
    // Where no one may sign up, the command begins with what works.
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
        // It asks for the password that the door's own command would have to be told.
        replacesSignIn: run != nil, member: ("experience", .object(member)))
    ]
  }
}
