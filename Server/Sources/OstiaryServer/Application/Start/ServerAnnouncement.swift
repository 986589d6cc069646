/// The announcement of a started server: the addresses, and the commands to paste. `ostiary serve` prints it, and the start page
/// of a development server shows it.
package struct ServerAnnouncement: Sendable {
  /// The origin for clients.
  package let origin: String
  /// The doors, in their order.
  package let doors: [DoorAnnouncement]
  /// The pages for accounts; nil if there are none.
  package let accounts: String?
  /// The page on which a development server shows its mail.
  package let mailbox: String?
  /// The command that adds the first user; nil if there is one.
  package internal(set) var addUser: String?
}
