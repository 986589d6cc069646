import Foundation
import OstiaryCore
import OstiaryPrivateFiles
import OstiaryServer
import Testing

@testable import OstiaryClientCommand

@Suite("Folders")
struct FoldersTests {
  /// The folders of a command that is started in `/work` with these variables and no others.
  private func folders(_ variables: [String: String]) throws -> Folders {
    let console = Console(output: BufferSink(), error: BufferSink(), variables: [:])
    return try Folders(
      CommandEnvironment(
        variables: variables, workingFolder: URL(filePath: "/site", directoryHint: .isDirectory), console: console,
        terminal: ScriptedTerminal(nil), input: StandardInput { _ in Data() }, answers: ScriptedAnswers(""),
        clock: .system, browser: { _ in throw Sandbox.noBrowser }))
  }

  @Test(
    "Bug-A36: a relative OSTIARY_HOME starts from the working folder, and is never ignored",
    arguments: [
      ("./scratch", "/site/scratch"), ("scratch", "/site/scratch"), ("../scratch/", "/scratch"), (".", "/site"),
      ("/x/./y", "/x/y"),
    ])
  func relative(path: String, expected: String) throws {
    let folders = try folders(["OSTIARY_HOME": path, "HOME": "/h"])
    #expect(folders.configuration.standardizedFileURL.path == expected)
    #expect(folders.state.standardizedFileURL.path == expected + "/state")
    #expect(folders.serverData.standardizedFileURL.path == expected + "/server")
  }

  @Test("OSTIARY_HOME holds everything")
  func home() throws {
    let folders = try folders(["OSTIARY_HOME": "/x", "HOME": "/h", "XDG_CONFIG_HOME": "/c"])
    #expect(folders.configuration.path == "/x")
    #expect(folders.state.path == "/x/state")
    #expect(folders.serverData.path == "/x/server")
  }

  #if !canImport(Darwin)
    @Test("The XDG folders are used where they are set, and ignored where they are relative")
    func xdg() throws {
      let folders = try folders(
        ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative", "OSTIARY_HOME": ""])
      #expect(folders.configuration.path == "/c/ostiary")
      #expect(folders.state.path == "/h/.local/state/ostiary")
      #expect(folders.serverData.path == "/h/.local/share/ostiary/server")
    }
  #endif

  @Test("Without a home there is an error that says what to set", arguments: [[:], ["HOME": "relative"]])
  func none(variables: [String: String]) {
    #expect(throws: OstiaryError(.fileFailed, "")) { try folders(variables) }
  }
}
