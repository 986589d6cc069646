package import OstiaryCore

/// A door of which `ostiary serve` says more than where it is and how to sign in.
package protocol AnnouncedDoor: Door {
  /// What there is to say.
  /// - Parameter trust: What makes an `ostiary` command trust this server's certificate, to put after it.
  func notices(trust: String) -> [DoorNotice]
}

/// Something that `ostiary serve` says of a door.
package struct DoorNotice: Sendable {
  /// Lines for people: a title of a few words, and an address or the like.
  package var lines: [(title: String, text: String)] = []
  /// Commands that work as they are pasted.
  package var commands: [String] = []
  /// A member of the report as JSON.
  package var member: (name: String, value: JSONValue)
}
