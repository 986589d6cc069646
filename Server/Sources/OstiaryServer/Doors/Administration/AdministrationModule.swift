import OstiaryCore

/// What the administrators' door is told: nothing yet. It is closed until it is switched on.
package struct AdministrationOptions: DoorOptions {
  package static let isOpenByDefault = false
  package var problems: [String] { [] }

  package init() {}
}

extension DoorSettings {
  /// The administrators' door; nil, the default, leaves it closed.
  package var administration: AdministrationOptions? {
    get { self[AdministrationOptions.self] }
    set { self[AdministrationOptions.self] = newValue }
  }
}

/// The administrators' door, as it is plugged in.
struct AdministrationModule: DoorModule {
  static let metricValue: MetricValue = "administration"
  static let migrations = [AdministratorSchema.migration]
  static let statements: [any StatementSet.Type] = [AdministratorStatements.self]

  static var audit: [RouteAudit] {
    [
      RouteAudit(
        ["GET \(AdministrationDoor.why)"],
        [
          .init("the question is answered", .trailRead),
          .init("the token is missing or unknown", .administratorRefused, .unknown),
          .init("the token has expired", .administratorRefused, .expired),
          .init("there were too many wrong ones", .administratorRefused, .tooManyAttempts),
          .init("it comes over plain HTTP", .administratorRefused, .notEncrypted),
        ])
    ]
  }

  private let house: DoorHouse

  init(_ options: AdministrationOptions, in house: DoorHouse) { self.house = house }

  func open(at place: DoorPlace) -> OpenDoor {
    OpenDoor(
      AdministrationDoor(
        origin: place.origin, speaksTLS: house.speaksTLS, administrators: house.identity.administrators,
        identity: house.identity))
  }
}

extension AdministrationDoor: AnnouncedDoor {
  var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/Administration.md" }

  func notices(trust: String) -> [DoorNotice] {
    // Its command needs a file that only an administrator has.
    [DoorNotice(replacesSignIn: true, member: ("administration", .string(address)))]
  }
}
