import ArgumentParser

@main
struct Ostiary: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "ostiary")
}
