internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The last events of all profiles, across runs of the command: a file of JSON lines, and the one before it.
///
/// Several processes may append at once; a line that a killed process left half-written damages only itself. The two
/// files together never grow beyond twice ``sizeLimit``.
struct EventJournal: Sendable {
  /// The size at which a file is replaced by a new one, in bytes.
  static let sizeLimit = 256 * 1024
  /// How long an event waits for another process that is writing. After that the command continues without it.
  static let patience = Duration.seconds(2)

  private let file: PrivateFile
  private let previous: PrivateFile

  init(_ folders: Folders) {
    file = PrivateFile(url: folders.state.appending(path: "events.jsonl"))
    previous = PrivateFile(url: folders.state.appending(path: "events.1.jsonl"))
  }

  /// Adds an event.
  /// - Parameter patience: How long to wait for another process that is writing.
  func append(_ entry: JournalEntry, waiting patience: Duration = patience) throws {
    var line = try Self.encoder.encode(entry)
    line.append(UInt8(ascii: "\n"))
    try file.withLock(waiting: patience) {
      let path = file.url.path(percentEncoded: false)
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      if size > 0, size + line.count > Self.sizeLimit {
        _ = rename(path, previous.url.path(percentEncoded: false))
      } else if size > 0, !endsWithNewline(path, size) {
        line.insert(UInt8(ascii: "\n"), at: 0)
      }
      try file.append(line)
    }
  }

  /// The last events, oldest first.
  /// - Parameters:
  ///   - profile: the profile whose events are returned; all profiles' events if `nil`.
  ///   - betweenFiles: is called after the older file was read.
  func last(_ count: Int, of profile: String?, betweenFiles: () -> Void = {}) throws -> [JournalEntry] {
    // Another process may put the newer file in the older one's place after that was read: then both are read again.
    for _ in 0..<3 {
      let before = identity(of: previous)
      let entries = try read(of: profile, betweenFiles)
      if identity(of: previous) == before { return entries.suffix(max(0, count)) }
    }
    return try read(of: profile, {}).suffix(max(0, count))
  }

  /// Which file is there: its number on its disk.
  private func identity(of file: PrivateFile) -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.url.path(percentEncoded: false))
    return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
  }

  private func read(of profile: String?, _ betweenFiles: () -> Void) throws -> [JournalEntry] {
    var entries: [JournalEntry] = []
    for (index, file) in [previous, file].enumerated() {
      if index == 1 { betweenFiles() }
      guard let data = try file.read(limit: Self.sizeLimit * 2) else { continue }
      for line in data.split(separator: UInt8(ascii: "\n")) {
        guard let entry = try? Self.decoder.decode(JournalEntry.self, from: Data(line)) else { continue }
        if profile == nil || entry.profile == profile { entries.append(entry) }
      }
    }
    return entries
  }

  private func endsWithNewline(_ path: String, _ size: Int) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return true }
    defer { try? handle.close() }
    guard (try? handle.seek(toOffset: UInt64(size - 1))) != nil else { return true }
    return (try? handle.read(upToCount: 1)) == Data("\n".utf8)
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  private static var decoder: JSONDecoder { JSONDecoder() }
}

/// An event and the profile of its session.
struct JournalEntry: Sendable, Codable, Equatable {
  /// The profile's name.
  let profile: String
  /// What happened. Session events carry no secret.
  let event: SessionEvent
}
