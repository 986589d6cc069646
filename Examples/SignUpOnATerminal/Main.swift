import Foundation
import OstiaryExperiences

/// Signs a user up on the terminal, with a document of screens and fields.
///
///     SignUpOnATerminal FILE
@main
struct Main {
  static func main() async throws {
    guard CommandLine.arguments.count == 2,
      let document = FileManager.default.contents(atPath: CommandLine.arguments[1])
    else {
      print("usage: SignUpOnATerminal FILE, which is an experience as JSON")
      exit(2)
    }
    do {
      try await signUp(with: document, on: StandardStreams())
    } catch let error as InvalidExperience {
      print("\(error)")
      exit(1)
    }
  }
}
