/// Plugs the Salesforce door in.
struct SalesforceModule: DoorModule {
  static let metricValue: MetricValue = "salesforce"
  static let migrations = [SalesforceSchema.migration, SalesforceSchema.queries]
  static let statements: [any StatementSet.Type] = [SalesforceStatements.self, SOQLStatements.self]

  private let parts: SalesforceParts
  private let identity: IdentityService

  init(_ options: SalesforceDoorConfiguration, in house: DoorHouse) {
    parts = SalesforceParts(options, storage: house.storage, clock: house.clock, logger: house.logger)
    identity = house.identity
  }

  var resources: [ResourceLimit] { SOQLLimits.resources(parts.queries) + ServerTokens.deviceResources }

  func open(at place: DoorPlace) async throws -> OpenDoor {
    OpenDoor(try await parts.door(at: place.origin, identity: identity))
  }
}

extension SalesforceDoorConfiguration: DoorOptions {}

extension DoorSettings {
  /// The Salesforce door; nil turns it off.
  public var salesforce: SalesforceDoorConfiguration? {
    get { self[SalesforceDoorConfiguration.self] }
    set { self[SalesforceDoorConfiguration.self] = newValue }
  }
}

extension SalesforceDoor: AnnouncedDoor {
  package var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/TheSalesforceDoor.md" }
  package var selfMadeAccounts: String? { "sees its own records alone until an administrator admits it" }
  package var signInHint: String? { signInTakesSecretFile ? "With the app's secret in FILE" : nil }
}
