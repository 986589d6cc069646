internal import OstiaryCore

extension EndConfirmation {
  /// What was seen of a session's end at its server, for a person.
  var line: Line {
    isConfirmed ? "Confirmed: \(words)." : "\("On this machine only:", .yellow) \(words)."
  }
}
