import OstiaryCore

/// The doors of one server, in their order.
final class DoorRow: Sendable {
  private let modules: [any DoorModule]
  /// What each answers, by its kind, once they are open.
  private let answers = Locked<[ObjectIdentifier: OpenDoor]>([:])

  init(_ modules: [any DoorModule]) {
    self.modules = modules
  }

  /// What a door answers; nothing where it is closed.
  func routes<Module: DoorModule>(of kind: Module.Type) -> [Route] {
    answers.withLock { $0[ObjectIdentifier(kind)]?.routes } ?? []
  }

  /// Opens one after the other.
  func open(at place: DoorPlace) async throws -> [OpenDoor] {
    var open: [OpenDoor] = []
    for module in modules {
      let door = try await module.open(at: place)
      answers.withLock { $0[ObjectIdentifier(type(of: module))] = door }
      open.append(door)
    }
    return open
  }

  /// What clients use up at single doors.
  var resources: [ResourceLimit] { modules.flatMap(\.resources) }

  /// Whether each could do its work now.
  var areReady: Bool {
    get async {
      for module in modules where !(await module.isReady()) { return false }
      return true
    }
  }

  func close() async {
    for module in modules { await module.close() }
  }
}
