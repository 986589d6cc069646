public import Foundation
internal import OstiaryCore

/// Keeps documents in files of a folder, so that they are there at the next start, network or not.
///
/// A file is replaced as a whole. One that was damaged counts as none. There are 64 files at most: the oldest give way.
public struct FileExperienceCache: ExperienceCache {
  private static let maximumCount = 64
  private let folder: URL

  /// Makes a cache in a folder, which is created when it is needed.
  public init(folder: URL) {
    self.folder = folder
  }

  private struct Record: Codable {
    var key: String
    var tag: String?
    var json: Data
  }

  public func document(for key: String) async throws -> CachedExperience? {
    let file = file(for: key)
    guard let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int,
      size <= 64 * 1024 * 1024, let data = try? Data(contentsOf: file),
      let record = try? PropertyListDecoder().decode(Record.self, from: data), record.key == key
    else { return nil }
    return CachedExperience(json: record.json, tag: record.tag)
  }

  public func keep(_ document: CachedExperience, for key: String) async throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let data = try encoder.encode(Record(key: key, tag: document.tag, json: document.json))
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let file = file(for: key)
      let isNew = !FileManager.default.fileExists(atPath: file.path)
      try data.write(to: file, options: .atomic)
      if isNew { makeRoom() }
    } catch {
      throw OstiaryError(
        .storeUnavailable, "An experience can't be kept in \(folder.path).", advice: "Check the folder's rights.",
        requestMayHaveExecuted: false, underlying: error)
    }
  }

  /// Removes the files that were written before the newest ones.
  private func makeRoom() {
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let dated = files.filter { $0.lastPathComponent.hasPrefix("experience-") }.map { file in
      let date = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
      return (date ?? .distantPast, file)
    }
    for (_, file) in dated.sorted(by: { $0.0 > $1.0 }).dropFirst(Self.maximumCount) {
      try? FileManager.default.removeItem(at: file)
    }
  }

  /// Two keys may share a file (FNV-1a, 64 bits); the key inside tells whose it is.
  private func file(for key: String) -> URL {
    let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return folder.appending(path: "experience-\(String(hash, radix: 16)).plist")
  }
}
