internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// Options of a command, each an option group of a door.
protocol CommandDoorList: ParsableArguments {}

extension CommandDoorList {
  /// The kinds of the doors that are named here, in order.
  static var kinds: [any CommandDoor.Type] { Self().doorGroups.map { type(of: $0).kind } }

  /// The chapters of `ostiary demo`, in the order in which they are told.
  static var chapters: [any DemoChapter] {
    let chapters = kinds.compactMap { $0.chapter }
    return chapters.filter(\.needs.isEmpty) + chapters.filter { !$0.needs.isEmpty }
  }

  /// Tells a server what the options say of each door.
  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {
    if let failure = failures(configuring: &server, environment).first { throw failure }
  }

  /// Tells a server what the options say of each door, and goes on after a door whose options can't be right.
  /// - Returns: What was wrong.
  func failures(configuring server: inout ServerConfiguration, _ environment: CommandEnvironment) -> [any Error] {
    var failures: [any Error] = []
    for group in doorGroups {
      do { try group.door.configure(&server, environment) } catch { failures.append(error) }
    }
    return failures
  }

  /// Found by reflection, as the argument parser finds them, so that a door is named in one line.
  private var doorGroups: [any CommandDoorGroup] {
    Mirror(reflecting: self).children.compactMap { $0.value as? any CommandDoorGroup }
  }
}

/// The options of a door among those of a command.
private protocol CommandDoorGroup {
  static var kind: any CommandDoor.Type { get }
  /// The options as they were given; there are none before the command line has been read.
  var door: any CommandDoor { get }
}

extension OptionGroup: CommandDoorGroup where Value: CommandDoor {
  fileprivate static var kind: any CommandDoor.Type { Value.self }
  fileprivate var door: any CommandDoor { wrappedValue }
}
