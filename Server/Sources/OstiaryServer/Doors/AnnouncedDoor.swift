package import OstiaryCore

/// A door with more to announce than its address and the sign-in.
package protocol AnnouncedDoor: Door {
  /// The lines and commands to announce.
  /// - Parameter trust: The option, to append to a command, that makes `ostiary` trust this server's certificate.
  func notices(trust: String) -> [DoorNotice]
  /// The preparation that the command of `signIn(as:)` needs; `nil` if it works as it is pasted.
  var signInHint: String? { get }
  /// The file of the repository that documents the door; nil if there is none.
  var documentation: String? { get }
  /// What an account that its owner has made gets here: the rest of a sentence that begins with the account. `nil` if the door
  /// makes no difference.
  var selfMadeAccounts: String? { get }
}

extension AnnouncedDoor {
  package func notices(trust: String) -> [DoorNotice] { [] }
  package var signInHint: String? { nil }
  package var documentation: String? { nil }
  package var selfMadeAccounts: String? { nil }
}

/// One announcement of `ostiary serve` about a door.
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

/// A door as `ostiary serve` and the start page announce it.
package struct DoorAnnouncement: Sendable {
  /// A command to paste into a shell.
  package struct Command: Sendable {
    package let text: String
    /// The preparation that it needs; nil if it works as it is pasted.
    package var hint: String?
  }

  package let name: String
  package let title: String
  package let address: String
  package let documentation: String?
  /// The command that signs in, whether or not it is shown.
  package let signIn: String
  /// The commands that are shown, in order.
  package let commands: [Command]
  package let notices: [DoorNotice]

  /// - Parameters:
  ///   - user: The user who signs in.
  ///   - authorityFile: The file of the certificate that clients have to trust.
  package init(_ door: any Door, user: String, authorityFile: String?) {
    let announced = door as? any AnnouncedDoor
    let trust = authorityFile.map { " --ca-file \($0.shellWord)" } ?? ""
    let plain = door.signIn(as: user)
    let signIn =
      plain + (plain.hasBytePrefix("ostiary ") ? trust : authorityFile.map { " --cacert \($0.shellWord)" } ?? "")
    let notices = announced?.notices(trust: trust) ?? []
    name = door.name
    title = door.title
    address = door.address
    documentation = announced?.documentation
    self.signIn = signIn
    self.notices = notices
    let own = notices.contains(where: \.replacesSignIn) ? [] : [Command(text: signIn, hint: announced?.signInHint)]
    commands = own + notices.flatMap(\.commands).map { Command(text: $0) }
  }
}
