internal import OstiaryCore

/// The records that an org has of this device for one user: the one in use, and those that are owed: not wanted any more, and
/// not gone yet as far as the org has said.
struct DeviceRecords: Sendable, Hashable {
  /// One thing that happened to the records. Changes are noted one by one, so that what a sign-out notes leaves the records of the
  /// same user's next sign-in alone.
  enum Change: Sendable, Hashable {
    /// This record is the one in use; the one before is owed.
    case registered(String)
    /// This record is not wanted any more.
    case owed(String)
    /// The org has said that this record is gone.
    case gone(String)
  }

  /// The record in use.
  private(set) var current: String?
  /// The records that have to go, the oldest first.
  private(set) var owed: [String] = []

  init() {}

  var isEmpty: Bool { current == nil && owed.isEmpty }

  /// All of them, the one in use first.
  var all: [String] { (current.map { [$0] } ?? []) + owed }

  mutating func apply(_ change: Change) {
    switch change {
    case .registered(let id):
      if let current, current != id { owe(current) }
      owed.removeAll { $0 == id }
      current = id
    case .owed(let id): owe(id)
    case .gone(let id):
      owed.removeAll { $0 == id }
      if current == id { current = nil }
    }
  }

  private mutating func owe(_ id: String) {
    if current == id { current = nil }
    if !owed.contains(id) { owed.append(id) }
  }

  /// Takes up what is known elsewhere. A record that is in use here stays in use.
  mutating func adopt(_ other: DeviceRecords) {
    for id in other.owed where id != current { owe(id) }
    if let id = other.current, !owed.contains(id) {
      if current == nil { current = id } else if current != id { owe(id) }
    }
  }
}

// As they are stored: the identifier alone where nothing is owed.
extension DeviceRecords {
  private static let currentName = "current"
  private static let owedName = "owed"

  /// Reads what was stored; what can't be read counts as no record.
  init(stored value: JSONValue) {
    current = value.string ?? value[Self.currentName]?.string
    owed = (value[Self.owedName]?.array ?? []).compactMap(\.string)
  }

  var stored: JSONValue {
    if let current, owed.isEmpty { return .string(current) }
    var members: [String: JSONValue] = [Self.owedName: .array(owed.map { .string($0) })]
    members[Self.currentName] = current.map { .string($0) }
    return .object(members)
  }
}
