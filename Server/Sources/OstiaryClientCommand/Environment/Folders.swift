package import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiarySealing

/// Where the command keeps its files.
///
/// `OSTIARY_HOME` holds all of them when it is set; a relative path starts from the working folder, as those on the command
/// line do. Otherwise the platform decides: the XDG base directories (XDG Base
/// Directory Specification 0.8) or, on Apple platforms, `~/Library/Application Support/ostiary`.
package struct Folders: Sendable {
  /// What the user chose: profiles.
  let configuration: URL
  /// What the command remembers: sessions, events.
  package let state: URL
  /// What `ostiary serve` keeps, unless `--data` says otherwise.
  package let serverData: URL

  /// Finds the folders of a command; none is created.
  /// - Throws: ``OstiaryError`` `fileFailed` when there is no home folder.
  package init(_ environment: CommandEnvironment) throws {
    let variables = environment.variables
    // Never ignored: the user's own sessions are what it was set to keep out of.
    if let path = variables["OSTIARY_HOME"], !path.isEmpty {
      let home = environment.url(path: path, isFolder: true)
      configuration = home
      state = home.appending(path: "state", directoryHint: .isDirectory)
      serverData = home.appending(path: "server", directoryHint: .isDirectory)
      return
    }
    guard let home = Self.absolute(variables["HOME"]) else {
      throw OstiaryError.file("There is no home folder.", advice: "Set HOME to an absolute path, or OSTIARY_HOME.")
    }
    #if canImport(Darwin)
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

  /// Where sessions rest: sealed, with the key in the other folder, so that a copy of what the command remembers gives
  /// nothing away.
  var sessions: EncryptedFileStore {
    EncryptedFileStore(
      in: state.appending(path: "sessions", directoryHint: .isDirectory),
      key: .keyFile(configuration.appending(path: "session.key")))
  }

  /// The XDG specification has relative paths ignored.
  private static func absolute(_ path: String?) -> URL? {
    guard let path, path.hasPrefix("/") else { return nil }
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
