extension SessionStore {
  /// Who is signed in where: all that is stored, by the name of its key. What can't be read is listed as such; an entry that
  /// says how a session ended is not.
  ///
  /// It is read from the sessions themselves, so it is never out of step with them.
  /// - Throws: what ``accounts()`` throws.
  public func sessions() async throws -> [StoredSession] {
    var sessions: [StoredSession] = []
    for key in try await accounts() {
      switch await load(key) {
      // Removed since it was listed.
      case .absent: break
      case .unavailable(let error): sessions.append(StoredSession(key: key, content: .unreadable(error)))
      case .present(let data):
        do {
          let entry = try SessionCodec.decodeEntry(data)
          // A store whose list has ended entries, too.
          guard let session = entry.session else { break }
          let summary = SessionSummary(session, lastUsedAt: entry.lastUsedAt)
          sessions.append(StoredSession(key: key, content: .session(summary)))
        } catch let error as OstiaryError {
          sessions.append(StoredSession(key: key, content: .unreadable(error)))
        }
      }
    }
    return sessions
  }
}
