import Foundation
import OstiaryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that goes with the app: an item of the keychain outlives the app that wrote it, a file in its container does
/// not. Where the file is missing, the app has been installed anew.
struct InstallMarker: Sendable {
  let url: URL

  private var path: String { url.path(percentEncoded: false) }

  func isPresent() throws(OstiaryError) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw .file(errno, cannot: "examine", path) }
    return false
  }

  func create() throws(OstiaryError) {
    let parent = url.deletingLastPathComponent().path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    } catch {
      throw OstiaryError(.storeUnavailable, "Cannot create \(parent).", underlying: error)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(errno, cannot: "create", path) }
    close(descriptor)
  }
}
