import Foundation
import Ostiary
import OstiaryExperiences

/// The terminal that the program was started on, or the pipes in its place.
struct StandardStreams: ExperienceTerminal {
  func show(_ text: String) throws {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  func ask(_ prompt: TerminalPrompt) throws -> Secret? {
    try show(prompt.text)
    var before = termios()
    guard prompt.isSecret, tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine().map { Secret($0) } }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      try? show("\n")
    }
    return readLine().map { Secret($0) }
  }
}
