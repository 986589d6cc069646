package import OstiaryCore

/// A door of which `ostiary serve` says more than where it is and how to sign in.
package protocol AnnouncedDoor: Door {
  /// What there is to say.
  /// - Parameter trust: What makes an `ostiary` command trust this server's certificate, to put after it.
  func notices(trust: String) -> [DoorNotice]
  /// What has to be done before the command of ``Door/signIn(as:)`` can work; `nil` where it works as it is pasted.
  var signInHint: String? { get }
  /// What an account that its owner has made gets here; the rest of a sentence that begins with the account. `nil` where doors know of no
  /// difference.
  var selfMadeAccounts: String? { get }
}

extension AnnouncedDoor {
  package func notices(trust: String) -> [DoorNotice] { [] }
  package var signInHint: String? { nil }
  package var selfMadeAccounts: String? { nil }
}

/// Something that `ostiary serve` says of a door.
package struct DoorNotice: Sendable {
  /// Lines for people: a title of a few words, and an address or the like.
  package var lines: [(title: String, text: String)] = []
  /// Commands that work as they are pasted.
  package var commands: [String] = []
  /// Whether these are shown instead of the command that signs in.
  package var replacesSignIn = false
  /// A member of the report as JSON.
  package var member: (name: String, value: JSONValue)
}
