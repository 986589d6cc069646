internal import ArgumentParser
internal import OstiaryClientCommand
internal import OstiaryServer

/// What the command has of one of the server's doors: the options that `ostiary serve` takes for it, what the help says of it, and its
/// chapter of `ostiary demo`. The value is the options as they were given.
///
/// It must need nothing of another door, as the door itself.
protocol CommandDoor: ParsableArguments {
  /// The paragraph of the door in the help of `ostiary serve`; nil for none.
  static var discussion: String? { get }

  /// The door's part of `ostiary demo`; nil for none.
  static var chapter: (any DemoChapter)? { get }

  /// What a configuration file may say of the door; every option has its setting.
  static var settings: [FileSetting] { get }

  /// Tells a server what the options say of its door.
  /// - Throws: `ValidationError` or ``OstiaryError`` `invalidInput` for what can't be read.
  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws
}

extension CommandDoor {
  static var discussion: String? { nil }
  static var chapter: (any DemoChapter)? { nil }
  static var settings: [FileSetting] { [] }
  func configure(_ server: inout ServerConfiguration, _ environment: CommandEnvironment) throws {}
}

/// One part of `ostiary demo`: what Ostiary does with one kind of server.
///
/// It must check every step it tells of, through the public API alone; it must never tell of a step that did not happen.
protocol DemoChapter: Sendable {
  /// What it says: the heading, the steps, and what they expect.
  associatedtype Story: CommandMessage

  /// The heading.
  var title: Story { get }

  /// The names of further doors that the chapter plays with. It is told after the chapters that need none, on a server that has
  /// them.
  var needs: [String] { get }

  /// Tells the demonstration's server, before it starts, what the chapter expects of the door.
  func prepare(_ server: inout ServerConfiguration)

  /// Plays the chapter on a server that is running.
  func tell(_ story: DemoStory, on stage: DemoStage) async throws
}

extension DemoChapter {
  var needs: [String] { [] }
  var messages: any CommandMessage.Type { Story.self }
  func prepare(_ server: inout ServerConfiguration) {}
}
