package import Foundation

/// A folder that exists as long as this object does.
package final class TemporaryFolder: Sendable {
  /// Its address.
  package let url: URL

  /// Makes an empty folder below the system's folder for temporary files.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ostiary-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The address of a folder in it that does not exist yet.
  package var store: URL { file("store") }

  /// The address of a file in it.
  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// The names of the files in it, in order.
  package func names() throws -> [String] { try TestSupport.names(in: url) }
}

/// Runs `body` with a new folder, and removes the folder afterwards.
package func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return try await body(folder.url)
}

/// The names of the files in a folder, in order.
package func names(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

/// The rights of a file or folder, without its type.
package func rights(of url: URL) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
}

/// The one session file in a folder.
package func sessionFile(in folder: URL) throws -> URL? {
  try names(in: folder).first { $0.hasSuffix(".session") }.map { folder.appending(path: $0) }
}
