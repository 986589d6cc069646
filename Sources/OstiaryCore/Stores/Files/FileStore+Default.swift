package import Foundation

extension FileStore {
  /// A store in the platform's place for an application's own data.
  ///
  /// On Linux `$XDG_STATE_HOME/<application>/sessions`, by default `~/.local/state/<application>/sessions` (XDG Base
  /// Directory Specification 0.8); on Apple platforms `Application Support/<application>/Sessions`.
  /// - Parameter application: a name; characters that have no place in a file name become hyphens.
  public static func `default`(application: String) -> FileStore {
    #if canImport(Darwin)
      let folder = URL.applicationSupportDirectory
        .appending(path: FileStoreName.slug(application))
        .appending(path: "Sessions")
      return FileStore(folder: folder)
    #else
      return FileStore(
        folder: stateFolder(
          application: application, environment: ProcessInfo.processInfo.environment,
          home: FileManager.default.homeDirectoryForCurrentUser))
    #endif
  }

  /// Where XDG wants an application's state. A relative `XDG_STATE_HOME` is ignored, as the specification demands.
  package static func stateFolder(application: String, environment: [String: String], home: URL) -> URL {
    let stated = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    return (stated ?? home.appending(path: ".local/state"))
      .appending(path: FileStoreName.slug(application))
      .appending(path: "sessions")
  }
}
