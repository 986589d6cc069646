/// What a server that has started tells people: what is where, and what to paste. `ostiary serve` prints it, and the start page of
/// a development server shows it.
package struct ServerAnnouncement: Sendable {
  /// The origin for clients.
  package let origin: String
  /// The doors, in their order.
  package let doors: [DoorAnnouncement]
  /// The pages for accounts; nil where there are none.
  package let accounts: String?
  /// Where a development server shows its mail.
  package let mailbox: String?
  /// The command that adds the first user; nil where there is one.
  package internal(set) var addUser: String?
}
