import Foundation

/// A folder that is gone when the test is.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ostiary-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A folder in it that does not exist yet.
  var store: URL { url.appending(path: "store") }
}

/// The files in a folder, in order.
func names(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

/// The rights of a file or folder, without its type.
func rights(of url: URL) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
}

/// The one session file in a folder.
func sessionFile(in folder: URL) throws -> URL? {
  try names(in: folder).first { $0.hasSuffix(".session") }.map { folder.appending(path: $0) }
}
