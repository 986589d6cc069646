import Foundation
import OstiaryCore
import OstiaryServer
import Testing

@testable import OstiaryCommand

@Suite("Folders")
struct FoldersTests {
  @Test("OSTIARY_HOME holds everything")
  func home() throws {
    let folders = try Folders(variables: ["OSTIARY_HOME": "/x", "HOME": "/h", "XDG_CONFIG_HOME": "/c"])
    #expect(folders.configuration.path == "/x")
    #expect(folders.state.path == "/x/state")
    #expect(folders.serverData.path == "/x/server")
  }

  #if !canImport(Darwin)
    @Test("The XDG folders are used where they are set, and ignored where they are relative")
    func xdg() throws {
      let folders = try Folders(
        variables: ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "relative", "OSTIARY_HOME": ""])
      #expect(folders.configuration.path == "/c/ostiary")
      #expect(folders.state.path == "/h/.local/state/ostiary")
      #expect(folders.serverData.path == "/h/.local/share/ostiary/server")
    }
  #endif

  @Test("Without a home there is an error that says what to set", arguments: [[:], ["HOME": "relative"]])
  func none(variables: [String: String]) {
    #expect(throws: OstiaryError(.fileFailed, "")) { try Folders(variables: variables) }
  }
}
