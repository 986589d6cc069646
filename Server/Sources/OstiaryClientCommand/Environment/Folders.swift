package import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiarySealing

/// The folders of the command's files.
///
/// `OSTIARY_HOME` contains all of them if it is set; a relative path starts at the working folder, like paths on the
/// command line. Otherwise the platform decides: the XDG base directories (XDG Base Directory Specification 0.8) or, on
/// Apple platforms, `~/Library/Application Support/ostiary`.
package struct Folders: Sendable {
  /// The user's settings: profiles.
  let configuration: URL
  /// The command's state: sessions, events.
  package let state: URL
  /// The data of `ostiary serve`, unless `--data` names another folder.
  package let serverData: URL

  /// Finds the folders of a command; none is created.
  /// - Throws: ``OstiaryError`` `fileFailed` if there is no home folder.
  package init(_ environment: CommandEnvironment) throws {
    let variables = environment.variables
    // Never ignored: it was set to keep the command away from the user's own sessions.
    if let path = variables["OSTIARY_HOME"], !path.isEmpty {
      let home = environment.url(path: path, isFolder: true)
      configuration = home
      state = home.appending(path: "state", directoryHint: .isDirectory)
      serverData = home.appending(path: "server", directoryHint: .isDirectory)
      return
    }
    guard let home = Self.absolute(variables["HOME"]) else {
      throw OstiaryError.file(FileMessage.noHomeFolder)
    }
    #if canImport(Darwin)
      // data: a path
      let support = home.appending(path: "Library/Application Support/ostiary", directoryHint: .isDirectory)
      configuration = support
      state = support.appending(path: "state", directoryHint: .isDirectory)
      serverData = support.appending(path: "server", directoryHint: .isDirectory)
    #else
      func folder(_ variable: String, _ fallback: String) -> URL {
        let base = Self.absolute(variables[variable]) ?? home.appending(path: fallback, directoryHint: .isDirectory)
        return base.appending(path: "ostiary", directoryHint: .isDirectory)
      }
      configuration = folder("XDG_CONFIG_HOME", ".config")
      state = folder("XDG_STATE_HOME", ".local/state")
      serverData = folder("XDG_DATA_HOME", ".local/share").appending(path: "server", directoryHint: .isDirectory)
    #endif
  }

  /// The store of sessions: sealed, with the key in the other folder. A copy of the state alone discloses nothing.
  var sessions: EncryptedFileStore {
    EncryptedFileStore(
      in: state.appending(path: "sessions", directoryHint: .isDirectory),
      key: .keyFile(configuration.appending(path: "session.key")))
  }

  /// The XDG specification requires that relative paths are ignored.
  private static func absolute(_ path: String?) -> URL? {
    guard let path, path.hasPrefix("/") else { return nil }
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
