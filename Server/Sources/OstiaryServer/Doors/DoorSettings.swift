/// What each door is told before the server starts, under the door's own name: ``ServerConfiguration`` looks them up here.
///
/// A door adds its name in an extension. Nil leaves it closed.
public struct DoorSettings: Sendable {
  private var options: [ObjectIdentifier: any Sendable] = [:]

  /// The defaults, with which those of these doors are open that are by default.
  init(opening kinds: [any DoorModule.Type]) {
    for kind in kinds { open(kind) }
  }

  private mutating func open<Module: DoorModule>(_ kind: Module.Type) {
    guard Module.Options.isOpenByDefault else { return }
    self[Module.Options.self] = Module.Options()
  }

  /// The options of that type; nil where the door is closed.
  package subscript<Options: Sendable>(type: Options.Type) -> Options? {
    get { options[ObjectIdentifier(type)] as? Options }
    set { options[ObjectIdentifier(type)] = newValue }
  }

  /// The options of the open doors that have names which the whole server must know.
  var naming: [any NamingDoorOptions] { options.values.compactMap { $0 as? any NamingDoorOptions } }

  /// Everything that is wrong with a door's options, a sentence each.
  func problems<Module: DoorModule>(of kind: Module.Type) -> [String] {
    self[Module.Options.self]?.problems ?? []
  }

  /// A door, prepared as it is wanted; nil where it is closed.
  func module<Module: DoorModule>(_ kind: Module.Type, in house: DoorHouse) throws -> (any DoorModule)? {
    try self[Module.Options.self].map { try Module($0, in: house) }
  }
}
