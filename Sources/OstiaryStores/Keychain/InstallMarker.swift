package import Foundation
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
///
/// Items that several apps and extensions share outlive each of them, so their marker is in a folder that they share too.
package struct InstallMarker: Sendable {
  let url: URL
  /// A folder that an earlier version has used without a marker. Its locks tell of that.
  private let earlier: URL?

  private init(_ url: URL, earlier: URL?) {
    self.url = url
    self.earlier = earlier
  }

  /// The marker of one app's own items.
  package init(_ url: URL) {
    self.init(url, earlier: nil)
  }

  /// The marker for the items of an access group: in the folder that its apps share, or none.
  package init?(_ url: URL, accessGroup: String?, sharedFolder: URL?) {
    guard accessGroup != nil else {
      self.init(url, earlier: nil)
      return
    }
    guard let sharedFolder else { return nil }
    self.init(sharedFolder.appending(path: "installed"), earlier: sharedFolder)
  }

  private var path: String { url.path(percentEncoded: false) }

  func isPresent() throws(OstiaryError) -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT else { throw .file(errno, cannot: "examine", path) }
    guard let earlier else { return false }
    let names = try? FileManager.default.contentsOfDirectory(atPath: earlier.path(percentEncoded: false))
    return names?.contains { $0.hasSuffix(".lock") && !$0.hasPrefix(".") } ?? false
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
