internal import Crypto
import Foundation
internal import OstiaryPrivateFiles

/// The end of the chain as this machine has last seen it, in a file beside the database: whoever can write to the database alone, or
/// puts an older copy in its place, can't take it back.
///
/// It is written after the commit, so it may lag behind: the chain must contain its place, and may go on after it.
struct AuditWitness: Sendable {
  /// The file's name in the data folder.
  static let fileName = "ostiary.audit"

  private let file: PrivateFile

  /// - Returns: nil for a storage in memory, which has nothing beside it.
  init?(of storage: ServerStorage) {
    guard let folder = storage.folder else { return nil }
    file = PrivateFile(url: folder.appendingPathComponent(Self.fileName))
  }

  /// What the file says.
  enum Reading: Sendable, Equatable {
    case absent
    case damaged
    case place(AuditMark.Place)
  }

  func read(key: SymmetricKey) throws -> Reading {
    guard let data = try file.read(limit: 1024) else { return .absent }
    let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let number = Int64(words[0]), let hash = words[1].decodedBase64URL,
      let seal = words[2].decodedBase64URL
    else { return .damaged }
    let place = AuditMark.Place(number: number, hash: Data(hash), seal: Data(seal))
    return AuditMark.end.isGenuine(place, key: key) ? .place(place) : .damaged
  }

  /// Keeps a place, unless a later one is kept already.
  func keep(_ place: AuditMark.Place, key: SymmetricKey) throws {
    try file.withLock {
      if case .place(let known) = try read(key: key), known.number >= place.number { return }
      try file.replace(with: Data("\(place.number) \(place.hash.base64URL) \(place.seal.base64URL)\n".utf8))
    }
  }
}
