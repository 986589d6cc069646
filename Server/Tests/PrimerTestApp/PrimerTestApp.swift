import Foundation
import Ostiary
import OstiaryCore
import OstiaryExperiences
import Primer

/// An app with Primer's SDK in a process of its own, for tests: `PrimerTestApp SERVER TOKEN FOLDER` keeps what it knows in a
/// folder. It does what it reads, a JSON array of words on each line, and writes what is on its screen then, one JSON document
/// a line. `PrimerTestApp - BACKEND FOLDER` leaves address and token to the Info.plist beside the
/// program and is told of the app's own backend alone.
@main
@MainActor
enum PrimerTestApp {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else { exit(64) }
    let isConfigured = arguments[1] == "-"
    guard let server = URL(string: arguments[isConfigured ? 2 : 1]) else { exit(64) }
    // Before any code asks where the user's files are.
    setenv("XDG_STATE_HOME", arguments[3], 1)
    let manager = UserManager(Backend(address: server))
    if !isConfigured { Primer.setServerURL(server) }
    Primer.setExperienceDelegate(manager)
    if isConfigured { Primer.start() } else { Primer.start(withToken: arguments[2]) }
    let user = Person()
    for await line in lines() {
      guard let words = JSONValue(json: Data(line.utf8))?.array?.compactMap(\.string), let verb = words.first else {
        exit(65)
      }
      let report = await user.act(verb, Array(words.dropFirst()))
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(report) + [0x0A])
    }
  }

  /// The lines of standard input. Reading blocks, so a thread does it: the main one has the SDK's work to do.
  private static func lines() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      while let line = readLine() { continuation.yield(line) }
      continuation.finish()
    }
    return stream
  }
}
