internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// The announcement of a started server: its addresses, and how to sign in.
struct ServeAnnouncement: Sendable, Encodable {
  struct Door: Encodable {
    let name: String
    let title: String
    let address: String
    /// A command to paste.
    let signIn: String
  }

  let port: Int
  /// The data folder; `nil` in memory.
  let data: String?
  /// The certificate that clients have to trust, for a development authority.
  let authorityFile: String?
  let isDevelopment: Bool
  /// Whether people may make themselves an account.
  let offersSignUp: Bool
  /// The announcement that the start page also shows.
  private let server: ServerAnnouncement
  /// What a self-made account gets at each door, with the door's title.
  private let admissions: [(title: String, what: String)]

  var doors: [Door] {
    server.doors.map { Door(name: $0.name, title: $0.title, address: $0.address, signIn: $0.signIn) }
  }
  private var notices: [DoorNotice] { server.doors.flatMap(\.notices) }

  private enum CodingKeys: String, CodingKey {
    case origin, port, data, authorityFile, doors, accounts, mailbox, isDevelopment, offersSignUp
  }

  /// A member that a door adds.
  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, user: String?,
    offersSignUp: Bool = false, isDevelopment: Bool, authorityFile: String?
  ) {
    server = ServerAnnouncement(running, storage: storage, user: user, authorityFile: authorityFile)
    port = running.port
    data =
      switch storage {
      case .memory: nil
      case .folder(let folder): folder.path(percentEncoded: false)
      }
    self.authorityFile = authorityFile
    self.isDevelopment = isDevelopment
    self.offersSignUp = offersSignUp
    admissions = running.doors.compactMap { door in
      (door as? any AnnouncedDoor)?.selfMadeAccounts.map { (door.title, $0) }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(server.origin, forKey: .origin)
    try members.encode(port, forKey: .port)
    try members.encodeIfPresent(data, forKey: .data)
    try members.encodeIfPresent(authorityFile, forKey: .authorityFile)
    try members.encode(doors, forKey: .doors)
    try members.encodeIfPresent(server.accounts, forKey: .accounts)
    try members.encodeIfPresent(server.mailbox, forKey: .mailbox)
    try members.encode(isDevelopment, forKey: .isDevelopment)
    try members.encode(offersSignUp, forKey: .offersSignUp)
    var further = encoder.container(keyedBy: Member.self)
    for notice in notices {
      try further.encode(notice.member.value, forKey: Member(stringValue: notice.member.name))
    }
  }

  /// The announcement for people.
  var lines: [Line] {
    let width = server.doors.map(\.title.count).max() ?? 0
    var lines: [Line] = ["\("✓", .green) Listening on \(server.origin, .bold); Ctrl-C stops.", ""]
    for door in server.doors { lines.append("  \(door.title.padded(to: width), .dim)  \(door.address)") }
    if let accounts = server.accounts { lines.append("  \("Accounts".padded(to: width), .dim)  \(accounts)") }
    if let mailbox = server.mailbox { lines.append("  \("Mail, unsent".padded(to: width), .dim)  \(mailbox)") }
    for (title, text) in notices.flatMap(\.lines) { lines.append("  \(title.padded(to: width), .dim)  \(text)") }
    lines.append("  \("Data".padded(to: width), .dim)  \(data ?? "in memory, gone when it stops")")
    if server.accounts != nil {
      let signUp = offersSignUp ? "on: people make themselves accounts" : "off; --allow-sign-up switches it on"
      lines.append("  \("Sign-up".padded(to: width), .dim)  \(signUp)")
    }
    if offersSignUp {
      for (title, what) in admissions { lines.append("  \(title.padded(to: width), .dim)  such an account \(what)") }
    }
    if isDevelopment {
      lines.append("  \("Development mode: cheap hashing, any password. Not for real users.", .yellow)")
    }
    if let addUser = server.addUser { lines += ["", "There is no user yet:", "  \(addUser)"] }
    lines += ["", "Sign in from another terminal:"]
    for command in server.doors.flatMap(\.commands) {
      lines.append(command.hint.map { "  \($0): \(command.text)" } ?? "  \(command.text, .bold)")
    }
    return lines
  }
}
