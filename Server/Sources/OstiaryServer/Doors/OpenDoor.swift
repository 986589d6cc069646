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
