internal import Foundation

/// Turns sessions into the bytes that stores keep, and back.
enum SessionCodec {
  private struct Envelope: Codable {
    /// The format's number. Readers refuse numbers they do not know.
    var format: Int
    var session: Session
    /// Left out where it isn't known; readers that don't know it pass over it.
    var lastUsedAt: Date?
  }

  private static let format = 1

  /// - Parameter lastUsedAt: when the session was last shown to its server, as far as the writer knows.
  static func encode(_ session: Session, lastUsedAt: Date? = nil) throws -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(Envelope(format: format, session: session, lastUsedAt: lastUsedAt))
    } catch {
      throw OstiaryError(.internalError, "The session could not be encoded.", underlying: error)
    }
  }

  /// - Throws: ``OstiaryError`` `storeCorrupt` when the bytes are no session of a known format. The underlying error is
  ///   left out: it may quote what it could not read.
  static func decode(_ data: Data) throws -> Session {
    try decodeWithUse(data).session
  }

  /// The session, and when it was last used, where its writer knew.
  /// - Throws: ``OstiaryError``, as ``decode(_:)`` does.
  static func decodeWithUse(_ data: Data) throws -> (session: Session, lastUsedAt: Date?) {
    let decoder = JSONDecoder()
    if let key = Session.readAttributes, let attributes = JSONValue(json: data)?["session"]?["attributes"]?.object {
      decoder.userInfo[key] = attributes
    }
    guard let envelope = try? decoder.decode(Envelope.self, from: data), envelope.format == format else {
      throw OstiaryError(.storeCorrupt, "What the store holds is not a session that this version can read.")
    }
    return (envelope.session, envelope.lastUsedAt)
  }
}
