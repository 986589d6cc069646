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

  func file(_ name: String) -> URL { url.appending(path: name) }

  /// The files in it, in order.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

/// The rights of a file or folder, without its type.
func rights(of url: URL) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
}
