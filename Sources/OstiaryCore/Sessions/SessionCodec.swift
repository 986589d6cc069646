internal import Foundation

/// Turns sessions into the bytes that stores keep, and back.
enum SessionCodec {
  private struct Envelope: Codable {
    /// The format's number. Readers refuse numbers they do not know.
    var format: Int
    var session: Session
  }

  private static let format = 1

  static func encode(_ session: Session) throws -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(Envelope(format: format, session: session))
    } catch {
      throw OstiaryError(.internalError, "The session could not be encoded.", underlying: error)
    }
  }

  /// - Throws: ``OstiaryError`` `storeCorrupt` when the bytes are no session of a known format. The underlying error is
  ///   left out: it may quote what it could not read.
  static func decode(_ data: Data) throws -> Session {
    let decoder = JSONDecoder()
    if let key = Session.readAttributes, let attributes = JSONValue(json: data)?["session"]?["attributes"]?.object {
      decoder.userInfo[key] = attributes
    }
    guard let envelope = try? decoder.decode(Envelope.self, from: data), envelope.format == format else {
      throw OstiaryError(.storeCorrupt, "What the store holds is not a session that this version can read.")
    }
    return envelope.session
  }
}
