/// The options of each door, before the server starts, under the door's own name: ``ServerConfiguration`` looks them up here.
///
/// A door adds its name in an extension. Nil turns it off.
public struct DoorSettings: Sendable {
  private var options: [ObjectIdentifier: any Sendable] = [:]

  /// The defaults, with which those of these doors are open that are by default.
  init(opening kinds: [any DoorModule.Type]) {
    for kind in kinds { open(kind) }
  }

  /// Closes all of them.
  package mutating func closeAll() { options = [:] }

  private mutating func open<Module: DoorModule>(_ kind: Module.Type) {
    guard Module.Options.isOpenByDefault else { return }
    self[Module.Options.self] = Module.Options()
  }

  /// The options of that type; nil if the door is off.
  package subscript<Options: Sendable>(type: Options.Type) -> Options? {
    get { options[ObjectIdentifier(type)] as? Options }
    set { options[ObjectIdentifier(type)] = newValue }
  }

  /// The options of the open doors that have names which the whole server must know.
  var naming: [any NamingDoorOptions] { options.values.compactMap { $0 as? any NamingDoorOptions } }

  /// All problems of a door's options, one sentence each.
  func problems<Module: DoorModule>(of kind: Module.Type) -> [String] {
    self[Module.Options.self]?.problems ?? []
  }

  /// A door, prepared with its options; nil if it is off.
  func module<Module: DoorModule>(_ kind: Module.Type, in house: DoorHouse) throws -> (any DoorModule)? {
    try self[Module.Options.self].map { try Module($0, in: house) }
  }
}
