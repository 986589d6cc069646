import Crypto
import Foundation

/// The names of the files that belong to one key.
///
/// Any key makes a safe name: what a person can read of it, and a digest that keeps keys apart.
struct FileStoreName: Hashable, Sendable {
  /// The name without an extension.
  let base: String

  init(_ key: SessionKey) {
    let digest = SHA256.hash(data: [UInt8](key.canonicalName.utf8)).prefix(16).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    base = Self.slug(key.canonicalName) + "-" + digest.reduce("", +)
  }

  /// The name that a session file has, if `file` is one.
  init?(sessionFile file: String) {
    guard !file.hasPrefix("."), file.hasSuffix(".session") else { return nil }
    base = String(file.dropLast(".session".count))
  }

  /// The file that holds the session.
  var session: String { base + ".session" }
  /// The file that is locked for exclusive access.
  var lock: String { base + ".lock" }
  /// A file to write before it takes the session's place.
  var temporary: String { ".\(base).\(UInt64.random(in: .min ... .max)).tmp" }
  /// Whether `name` is one of ``temporary``.
  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }
  /// Where a damaged session file is kept.
  func aside(at date: Date, attempt: Int) -> String {
    let time = date.ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted))
    return base + Self.asideMark + time + (attempt == 0 ? "" : "-\(attempt)")
  }
  private static let asideMark = ".corrupt-"
  /// Whether `name` is one of ``aside(at:attempt:)``.
  static func isAside(_ name: String) -> Bool { name.contains(asideMark) }

  /// What is safe in a file name on every system, at most 40 characters, never empty, never hidden.
  static func slug(_ text: String) -> String {
    let safe = text.unicodeScalars.prefix(40).map { scalar -> Character in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-": Character(scalar)
      case ".": "."
      default: "-"
      }
    }
    let trimmed = String(safe).trimmingPrefix { $0 == "." || $0 == "-" }
    return trimmed.isEmpty ? "session" : String(trimmed)
  }
}

extension SessionKey {
  /// The same characters for all spellings of a name that Swift takes for equal.
  package var canonicalName: String {
    name.utf8.allSatisfy { $0 < 0x80 } ? name : name.precomposedStringWithCanonicalMapping
  }
}

/// The names that a store has made, because making one costs more than reading a file.
final class FileStoreNames: Sendable {
  /// Beyond that many it forgets them all, rather than grow with every account of a server.
  private static let limit = 1_000

  private let made = Locked<[SessionKey: FileStoreName]>([:])

  /// The names of a key's files.
  subscript(key: SessionKey) -> FileStoreName {
    if let name = made.withLock({ $0[key] }) { return name }
    let name = FileStoreName(key)
    made.withLock { made in
      if made.count >= Self.limit { made = [:] }
      made[key] = name
    }
    return name
  }
}
