import OstiaryCore

/// The doors of one server, in their order.
final class DoorRow: Sendable {
  private let modules: [any DoorModule]
  /// The routes of each open door, by its kind.
  private let answers = Locked<[ObjectIdentifier: OpenDoor]>([:])

  init(_ modules: [any DoorModule]) {
    self.modules = modules
  }

  /// The routes of a door; empty if it is closed.
  func routes<Module: DoorModule>(of kind: Module.Type) -> [Route] {
    answers.withLock { $0[ObjectIdentifier(kind)]?.routes } ?? []
  }

  /// Opens the doors, one after the other.
  func open(at place: DoorPlace) async throws -> [OpenDoor] {
    var open: [OpenDoor] = []
    for module in modules {
      let door = try await module.open(at: place).named(type(of: module).metricValue)
      answers.withLock { $0[ObjectIdentifier(type(of: module))] = door }
      open.append(door)
    }
    return open
  }

  /// The resources that clients use at single doors.
  var resources: [ResourceLimit] { modules.flatMap(\.resources) }

  /// The names of the doors that could not answer requests now.
  var unready: [MetricValue] {
    get async {
      var unready: [MetricValue] = []
      for module in modules where !(await module.isReady()) { unready.append(type(of: module).metricValue) }
      return unready
    }
  }

  func close() async {
    for module in modules { await module.close() }
  }
}
