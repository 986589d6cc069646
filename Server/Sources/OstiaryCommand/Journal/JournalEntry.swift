internal import OstiaryCore

/// An event with whose session it was.
struct JournalEntry: Sendable, Codable, Equatable {
  /// The profile's name.
  let profile: String
  /// What happened. Session events carry no secret.
  let event: SessionEvent
}
