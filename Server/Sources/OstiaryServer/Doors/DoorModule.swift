/// A kind of door, as it is plugged in: one value that brings everything that the server needs of it.
///
/// It must leave nothing behind when it is closed, and must need nothing of another door: a server can be built without
/// the other's folder. It must never listen, or call another server, before it is opened.
package protocol DoorModule: Sendable {
  /// What can be said about the door before the server starts. One type for each kind of door.
  associatedtype Options: DoorOptions

  /// What makes the door's tables. They are there on every server that has the door, be it open or closed.
  static var migrations: [StorageMigration] { get }

  /// The door's statements.
  static var statements: [any StatementSet.Type] { get }

  /// What each of the door's routes tells the audit trail. The tests find none of the house's doors with a route that is missing.
  static var audit: [RouteAudit] { get }

  /// Prepares what lives as long as the server. The address is not known yet.
  /// - Throws: ``ServerConfigurationError`` for options that only a look at the machine can refuse.
  init(_ options: Options, in house: DoorHouse) throws

  /// Opens the door: called once, when the server's address is known and before anything is answered.
  /// - Throws: ``ServerConfigurationError`` for options that only the storage can refuse.
  func open(at place: DoorPlace) async throws -> OpenDoor

  /// Whether the door could do its work now. Answered without delay, as a supervisor asks often.
  func isReady() async -> Bool

  /// What clients use up at this door alone.
  var resources: [ResourceLimit] { get }

  /// Gives back what the door holds. No request is under way then, and the storage is closed already.
  func close() async
}

extension DoorModule {
  package static var migrations: [StorageMigration] { [] }
  package static var statements: [any StatementSet.Type] { [] }
  package static var audit: [RouteAudit] { [] }
  package func isReady() async -> Bool { true }
  package var resources: [ResourceLimit] { [] }
  package func close() async {}
}

/// What a door is told before the server starts.
package protocol DoorOptions: Sendable {
  /// Whether the door is open where nothing is said of it.
  static var isOpenByDefault: Bool { get }

  /// The defaults.
  init()

  /// Everything that is wrong with them, a sentence each; empty where the door may be opened.
  var problems: [String] { get }
}

extension DoorOptions {
  package static var isOpenByDefault: Bool { true }
}

/// What a door answers, once it is open.
package struct OpenDoor: Sendable {
  /// The door, where clients and people are told of it; nil for what only belongs to the server's own pages.
  package let door: (any Door)?
  /// What is answered. Patterns of different doors must not collide.
  package let routes: [Route]

  /// A door that clients are pointed at.
  package init(_ door: any Door) {
    self.door = door
    routes = door.routes
  }

  /// Routes without an entrance of their own.
  package init(routes: [Route]) {
    door = nil
    self.routes = routes
  }
}

/// Options of a door that has names of its own which the whole server must know.
protocol NamingDoorOptions: DoorOptions {
  /// The cookies that the door sets under a vendor's names. What begins with `prefix` is known anyway.
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated]

  /// Further origins at which clients reach the door.
  var servedOrigins: [String] { get }
}

extension NamingDoorOptions {
  func imitatedCookies(isSecure: Bool) -> [ServerCookieNames.Imitated] { [] }
  var servedOrigins: [String] { [] }
}
