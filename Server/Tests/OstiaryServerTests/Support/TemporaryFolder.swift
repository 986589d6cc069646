import Foundation

/// A folder of one's own that goes with the value.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Every byte of every file in the folder.
  func contents() throws -> [UInt8] {
    try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil).reduce(into: []) {
      $0 += try Data(contentsOf: $1)
    }
  }

  func mode(of name: String? = nil) throws -> Int? {
    let file = name.map { url.appendingPathComponent($0) } ?? url
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

extension Sequence<UInt8> {
  func contains(text: String) -> Bool {
    Data(self).range(of: Data(text.utf8)) != nil
  }
}
