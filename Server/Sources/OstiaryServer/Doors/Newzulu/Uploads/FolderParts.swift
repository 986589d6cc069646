import Foundation
import NIOCore
import OstiaryCore

/// Parts as files: a folder for each upload.
struct FolderParts: PartStore {
  /// The number of bytes that are read at a time.
  private static let portion = 512 << 10

  let folder: URL
  /// The bytes that stay free on the disk.
  let leastFreeSpace: Int
  /// Whether the files are removed when the server ends, like all data of a storage in memory.
  let isTemporary: Bool

  var place: PartPlace {
    let path = folder.path(percentEncoded: false)
    return PartPlace(text: path, mustBeShared: true, members: ["folder": .string(path), "must_be_shared": true])
  }

  var tidiesAtEnd: Bool { false }

  func open() async throws {}

  func checkSpace(for size: Int) async throws {
    let free = try await PartFile.freeSpace(at: folder)
    guard free >= leastFreeSpace, free - leastFreeSpace >= size else { throw NewzuluFailure.diskFull }
  }

  func begin(_ name: String, ofUpload id: Int64, size: Int) async throws -> any PartWriter {
    try await PartFile.create(at: url(name, ofUpload: id))
  }

  func read(_ name: String, ofUpload id: Int64, _ take: (ByteBuffer) async throws -> Void) async throws {
    let file = url(name, ofUpload: id)
    var offset: UInt64 = 0
    while true {
      let bytes = try await PartFile.onDisk { [offset] in
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: offset)
        return try handle.read(upToCount: Self.portion) ?? Data()
      }
      guard !bytes.isEmpty else { return }
      offset += UInt64(bytes.count)
      try await take(ByteBuffer(bytes: bytes))
    }
  }

  func remove(_ name: String, ofUpload id: Int64) async {
    await PartFile.remove(url(name, ofUpload: id))
  }

  func names(ofUpload id: Int64) async -> [String] {
    let folder = folder.appendingPathComponent(String(id), isDirectory: true)
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    if files.isEmpty { await PartFile.removeFolder(folder) }
    return files.filter { !PartFile.isInUse($0) }.map(\.lastPathComponent)
  }

  func uploads() async -> [Int64] {
    let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return entries.compactMap { Int64($0.lastPathComponent) }
  }

  func close() async {
    if isTemporary { try? FileManager.default.removeItem(at: folder) }
  }

  /// The file of a part.
  func url(_ name: String, ofUpload id: Int64) -> URL {
    folder.appendingPathComponent(String(id), isDirectory: true).appendingPathComponent(name)
  }
}

extension PartFile: PartWriter {
  func finish() async throws { try await synchronize() }
}
