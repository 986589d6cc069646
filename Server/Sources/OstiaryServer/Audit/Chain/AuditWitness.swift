internal import Crypto
import Foundation
internal import OstiaryPrivateFiles

/// The end of the chain as this machine last saw it, in a file beside the database. A writer who can reach the database alone, or
/// replaces it by an older copy, can't set this end back.
///
/// It is written after the commit and may therefore be behind: the chain must contain its place, and may be longer.
struct AuditWitness: Sendable {
  /// The file's name in the data folder.
  static let fileName = "ostiary.audit"

  private let file: PrivateFile

  /// - Returns: nil for a storage in memory, which has no file.
  init?(of storage: ServerStorage) {
    guard let folder = storage.folder else { return nil }
    file = PrivateFile(url: folder.appendingPathComponent(Self.fileName))
  }

  /// The content of the file.
  enum Reading: Sendable, Equatable {
    case absent
    case damaged
    case place(AuditMark.Place)
  }

  /// - Parameter keys: those with which the chain has been sealed; a machine may not have written the file for long.
  func read(keys: PurposeKeys) throws -> Reading {
    guard let data = try file.read(limit: 1024) else { return .absent }
    let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let number = Int64(words[0]), let hash = words[1].decodedBase64URL,
      let seal = words[2].decodedBase64URL
    else { return .damaged }
    let place = AuditMark.Place(number: number, hash: Data(hash), seal: Data(seal))
    return keys.all.contains { AuditMark.end.isGenuine(place, key: $0.key) } ? .place(place) : .damaged
  }

  /// Stores a place, unless a later one is stored already.
  func keep(_ place: AuditMark.Place, keys: PurposeKeys) throws {
    try file.withLock {
      if case .place(let known) = try read(keys: keys), known.number >= place.number { return }
      try file.replace(with: Data("\(place.number) \(place.hash.base64URL) \(place.seal.base64URL)\n".utf8))
    }
  }
}
