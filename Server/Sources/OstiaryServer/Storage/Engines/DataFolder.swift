import Foundation

/// The server's folder: its key, uploads, and SQLite's files.
enum DataFolder {
  /// Makes the folder with the mode 0700, or checks that no other user may write to one that exists.
  /// - Throws: `storageDenied`.
  static func prepare(_ folder: URL) throws(ServerError) {
    let files = FileManager.default
    var isFolder = ObjCBool(false)
    if files.fileExists(atPath: folder.path, isDirectory: &isFolder) {
      guard isFolder.boolValue else { throw denied("\(folder.path) is not a folder.") }
      let mode = (try? files.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
      guard mode & 0o022 == 0 else {
        throw denied("Others may write to the folder \(folder.path).", advice: "Run chmod 700 on it.")
      }
    } else {
      do {
        try files.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: NSNumber(value: 0o700)])
      } catch {
        throw denied("The folder \(folder.path) can't be made.", underlying: error)
      }
    }
  }

  static func denied(
    _ message: String, advice: String = "Check who owns it.", underlying: (any Error)? = nil
  ) -> ServerError {
    ServerError(.storageDenied, message, advice: advice, underlying: underlying)
  }
}
