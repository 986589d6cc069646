internal import ArgumentParser

/// The Pega door, as the command has it: it takes no options.
struct PegaCommandDoor: CommandDoor {
  static let chapter: (any DemoChapter)? = PegaDemo()
}
