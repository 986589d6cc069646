/// A kind of door. The one value that plugs it in has all that the server needs of it.
///
/// It must leave nothing behind when it is closed, and must not depend on another door: a server can be built without
/// the other's folder. It must never listen, or call another server, before it is opened.
package protocol DoorModule: Sendable {
  /// The door's configuration. One type for each kind of door.
  associatedtype Options: DoorOptions

  /// The migrations of the door's tables. Every server that contains the door has the tables, even if the door is closed.
  static var migrations: [StorageMigration] { get }

  /// The door's statements.
  static var statements: [any StatementSet.Type] { get }

  /// The door's name in metrics.
  static var metricValue: MetricValue { get }

  /// The events that each of the door's routes records. The tests check that every route of the server's doors is in the list.
  static var audit: [RouteAudit] { get }

  /// Prepares the parts that live as long as the server. The address is not known yet.
  /// - Throws: ``ServerConfigurationError`` for options that can be refused only after checking the machine.
  init(_ options: Options, in house: DoorHouse) throws

  /// Opens the door: called once, when the server's address is known and before the first request is answered.
  /// - Throws: ``ServerConfigurationError`` for options that can be refused only after reading the storage.
  func open(at place: DoorPlace) async throws -> OpenDoor

  /// Whether the door could answer requests now. It must return without delay, because supervisors ask often.
  func isReady() async -> Bool

  /// The resources of this door that clients use up.
  var resources: [ResourceLimit] { get }

  /// Releases the door's resources. No request is under way then, and the storage is closed already.
  func close() async
}

extension DoorModule {
  package static var migrations: [StorageMigration] { [] }
  package static var statements: [any StatementSet.Type] { [] }
  package static var metricValue: MetricValue { "other" }
  package static var audit: [RouteAudit] { [] }
  package func isReady() async -> Bool { true }
  package var resources: [ResourceLimit] { [] }
  package func close() async {}
}

/// The options of a door, before the server starts.
package protocol DoorOptions: Sendable {
  /// Whether the door is open where nothing is said of it.
  static var isOpenByDefault: Bool { get }

  /// The defaults.
  init()

  /// All problems of the options, one sentence each; empty if the door may be opened.
  var problems: [String] { get }
}

extension DoorOptions {
  package static var isOpenByDefault: Bool { true }
}

/// The routes of an open door.
package struct OpenDoor: Sendable {
  /// The door, for announcements; nil for routes of the server's own pages.
  package let door: (any Door)?
  /// The routes. Patterns of different doors must not collide.
  package private(set) var routes: [Route]

  /// The same with the door's name in metrics.
  func named(_ door: MetricValue) -> OpenDoor {
    var copy = self
    for index in copy.routes.indices { copy.routes[index].door = door }
    return copy
  }

  /// A door that is announced to clients.
  package init(_ door: any Door) {
    self.door = door
    routes = door.routes
  }

  /// Routes without an announced address.
  package init(routes: [Route]) {
    door = nil
    self.routes = routes
  }
}

/// Options of a door with names that the whole server must know.
protocol NamingDoorOptions: DoorOptions {
  /// The cookies that the door sets under a vendor's names. Names that begin with `prefix` are always known.
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated]

  /// Further origins at which clients reach the door.
  var servedOrigins: [String] { get }
}

extension NamingDoorOptions {
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] { [] }
  var servedOrigins: [String] { [] }
}
