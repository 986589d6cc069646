internal import Foundation

/// One entry of a store: a session, or what is left of one that has ended.
struct StoredEntry: Sendable {
  /// The session; `nil` when it has ended.
  var session: Session?
  /// What is left of a session that has ended.
  var ended: EndedEntry?
  /// When the session was last used, where its writer knew.
  var lastUsedAt: Date?
  /// The time since boot when the proof was given, where its writer knew.
  var issuedUptime: Uptime?
  /// When the sign-in was made, where its writer knew.
  var begun: Moment?
  /// Other jars of the same sign-in, where two processes were given different cookies. At most ``maximumAlternatives``.
  var alternatives: [CookieJar] = []
  /// The renewal that a process has begun.
  var claim: RenewalClaim?
  /// What became of renewals that have brought nothing.
  var trail: RenewalTrail?

  /// How many jars an entry keeps besides the first.
  static var maximumAlternatives: Int { 7 }
}

/// Turns sessions into the bytes that stores keep, and back.
enum SessionCodec {
  private struct Envelope: Codable {
    /// The format's number. Readers refuse numbers they do not know.
    var format: Int
    var session: Session?
    var ended: EndedEntry?
    // What follows is left out where it isn't known; readers of the version before pass over it.
    var lastUsedAt: Date?
    var issuedUptime: Uptime?
    var begun: Moment?
    var alternatives: [CookieJar]?
    var claim: RenewalClaim?
    var trail: RenewalTrail?
  }

  private static let format = 1

  static func encode(_ entry: StoredEntry) throws -> Data {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encode(
        Envelope(
          format: format, session: entry.session, ended: entry.ended, lastUsedAt: entry.lastUsedAt,
          issuedUptime: entry.issuedUptime, begun: entry.begun,
          alternatives: entry.alternatives.isEmpty ? nil : entry.alternatives,
          claim: entry.claim, trail: entry.trail))
    } catch {
      throw OstiaryError(.internalError, "The session could not be encoded.", underlying: error)
    }
  }

  /// - Parameter lastUsedAt: when the session was last shown to its server, as far as the writer knows.
  static func encode(_ session: Session, lastUsedAt: Date? = nil) throws -> Data {
    try encode(StoredEntry(session: session, lastUsedAt: lastUsedAt))
  }

  /// - Throws: ``OstiaryError`` `storeCorrupt` when the bytes are no entry of a known format. The underlying error is
  ///   left out: it may quote what it could not read.
  static func decodeEntry(_ data: Data) throws -> StoredEntry {
    // As deep as `JSONDecoder` reads, which read entries before: attributes are nested as their authenticator likes.
    var parser = JSONParser(data, maximumDepth: 512)
    guard let envelope = try? parser.parse()?.decode(Envelope.self), envelope.format == format,
      (envelope.session == nil) != (envelope.ended == nil),
      envelope.alternatives?.count ?? 0 <= StoredEntry.maximumAlternatives
    else { throw unreadable }
    return StoredEntry(
      session: envelope.session, ended: envelope.ended, lastUsedAt: envelope.lastUsedAt,
      issuedUptime: envelope.issuedUptime, begun: envelope.begun, alternatives: envelope.alternatives ?? [],
      claim: envelope.claim, trail: envelope.trail)
  }

  /// The session of an entry.
  /// - Throws: ``OstiaryError`` `storeCorrupt` also for what is left of one that has ended.
  static func decode(_ data: Data) throws -> Session {
    try decodeWithUse(data).session
  }

  /// The session, and when it was last used, where its writer knew.
  /// - Throws: ``OstiaryError``, as ``decode(_:)`` does.
  static func decodeWithUse(_ data: Data) throws -> (session: Session, lastUsedAt: Date?) {
    let entry = try decodeEntry(data)
    guard let session = entry.session else { throw unreadable }
    return (session, entry.lastUsedAt)
  }

  private static var unreadable: OstiaryError {
    OstiaryError(.storeCorrupt, "What the store holds is not a session that this version can read.")
  }
}
