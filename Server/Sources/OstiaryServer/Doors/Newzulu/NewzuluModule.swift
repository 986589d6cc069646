import Foundation
import OstiaryCore

/// Plugs the Newzulu door in.
struct NewzuluModule: DoorModule {
  static let metricValue: MetricValue = "newzulu"
  static let migrations = [NewzuluSchema.migration]
  static let statements: [any StatementSet.Type] = [NewzuluStatements.self, NewzuluMediaStatements.self]

  private let parts: NewzuluParts
  private let identity: IdentityService

  init(_ options: NewzuluDoorConfiguration, in house: DoorHouse) {
    parts = NewzuluParts(
      options, storage: house.storage, folder: house.folder, clock: house.clock, logger: house.logger)
    identity = house.identity
  }

  func open(at place: DoorPlace) async throws -> OpenDoor {
    OpenDoor(try await parts.door(at: place.origin, identity: identity))
  }

  func close() async { await parts.close() }
}

extension NewzuluDoorConfiguration: DoorOptions {}

extension DoorSettings {
  /// The Newzulu door; nil turns it off.
  public var newzulu: NewzuluDoorConfiguration? {
    get { self[NewzuluDoorConfiguration.self] }
    set { self[NewzuluDoorConfiguration.self] = newValue }
  }
}

extension NewzuluDoor: AnnouncedDoor {
  package var documentation: String? { "Server/Sources/OstiaryServer/Documentation.docc/TheNewzuluDoor.md" }

  /// Where uploads are, and what several servers on one database can't do with files that each has for itself.
  package func notices(trust: String) -> [DoorNotice] {
    let place = uploads.store.place
    guard identity.storage.isShared || !place.mustBeShared else { return [] }
    let text =
      place.mustBeShared
      ? place.text + ", which several servers on this database have to share, unless --newzulu-s3 names a bucket"
      : place.text
    return [
      DoorNotice(lines: [(title: "Uploads", text: text)], member: ("uploads", .object(place.members)))
    ]
  }
}

extension NewzuluModule {
  static var audit: [RouteAudit] {
    [
      RouteAudit(
        ["POST /services/json"],
        .password + [
          .init("a session begins", .sessionBegun),
          .init("the key is unknown", .clientRefused, .unknown),
          .init("the key or the user may not", .permissionRefused),
          .init("an account is made", .accountMade),
          .init("its name or address is taken", .accountRefused, .alreadyTaken),
          .init("it is made for later", .accountDisabled, .administrator),
        ]),
      // The address itself is the permission, for a limited time.
      RouteAudit(["PUT " + NewzuluPartAddresses.pattern]),
    ]
  }
}
