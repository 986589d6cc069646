package import OstiaryCore

/// A door of which people are told more than where it is and how to sign in.
package protocol AnnouncedDoor: Door {
  /// What there is to say.
  /// - Parameter trust: What makes an `ostiary` command trust this server's certificate, to put after it.
  func notices(trust: String) -> [DoorNotice]
  /// What has to be done before the command of `signIn(as:)` can work; `nil` where it works as it is pasted.
  var signInHint: String? { get }
  /// The file of the repository that documents the door; nil where there is none.
  var documentation: String? { get }
  /// What an account that its owner has made gets here; the rest of a sentence that begins with the account. `nil` where doors know of no
  /// difference.
  var selfMadeAccounts: String? { get }
}

extension AnnouncedDoor {
  package func notices(trust: String) -> [DoorNotice] { [] }
  package var signInHint: String? { nil }
  package var documentation: String? { nil }
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

/// A door as people are told of it, by `ostiary serve` and by the start page.
package struct DoorAnnouncement: Sendable {
  /// Something to paste into a shell.
  package struct Command: Sendable {
    package let text: String
    /// What has to be done before it can work; nil where it works as it is pasted.
    package var hint: String?
  }

  package let name: String
  package let title: String
  package let address: String
  package let documentation: String?
  /// The command that signs in, whether or not it is shown.
  package let signIn: String
  /// What is shown, in order.
  package let commands: [Command]
  package let notices: [DoorNotice]

  /// - Parameters:
  ///   - user: Who signs in.
  ///   - authorityFile: Where the certificate is that clients have to trust.
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
