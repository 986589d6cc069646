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
  /// Where those who watch the server ask; `nil` if nowhere.
  let operations: String?
  /// The announcement that the start page also shows.
  private let server: ServerAnnouncement
  /// What a self-made account gets at each door, with the door's title.
  private let admissions: [(title: String, what: String)]

  var doors: [Door] {
    server.doors.map { Door(name: $0.name, title: $0.title, address: $0.address, signIn: $0.signIn) }
  }
  private var notices: [DoorNotice] { server.doors.flatMap(\.notices) }

  private enum CodingKeys: String, CodingKey {
    case origin, port, data, authorityFile, doors, accounts, mailbox, isDevelopment, offersSignUp, operations
  }

  /// A member that a door adds.
  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, keyFile: URL? = nil, user: String?,
    offersSignUp: Bool = false, isDevelopment: Bool, authorityFile: String?
  ) {
    server = ServerAnnouncement(
      running, storage: storage, keyFile: keyFile, user: user, authorityFile: authorityFile)
    port = running.port
    operations = running.operations
    data =
      switch storage {
      case .memory: nil
      case .folder(let folder): folder.path(percentEncoded: false)
      case .postgreSQL(let database): database.folder.path(percentEncoded: false)
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
    try members.encodeIfPresent(operations, forKey: .operations)
    var further = encoder.container(keyedBy: Member.self)
    for notice in notices {
      try further.encode(notice.member.value, forKey: Member(stringValue: notice.member.name))
    }
  }

  /// The announcement for people.
  var lines: [Line] {
    let width = server.doors.map(\.title.count).max() ?? 0
    func row(_ name: String, _ value: String) -> Line { "  \(name.padded(to: width), .dim)  \(value)" }
    var lines: [Line] = [ServeMessage.listening(origin: server.origin).line, ""]
    for door in server.doors { lines.append(row(door.title, door.address)) }
    if let accounts = server.accounts { lines.append(row("Accounts", accounts)) }
    if let mailbox = server.mailbox { lines.append(row(ServeDetail.unsentMail.line.plain, mailbox)) }
    for (title, text) in notices.flatMap(\.lines) { lines.append(row(title, text)) }
    lines.append(row("Data", data ?? ServeDetail.inMemory.line.plain))
    if let operations { lines.append(row("Operations", operations)) }
    if server.accounts != nil {
      lines.append(row("Sign-up", (offersSignUp ? ServeDetail.signUpOn : .signUpOff).line.plain))
    }
    if offersSignUp {
      for (title, what) in admissions {
        lines.append(row(title, ServeDetail.selfMadeAccount(what: what).line.plain))
      }
    }
    if isDevelopment { lines.append("  \(ServeMessage.developmentMode.line)") }
    if let addUser = server.addUser { lines += ["", ServeMessage.noUserYet.line, Line("  \(addUser)").unbroken] }
    lines += ["", ServeMessage.signInFromElsewhere.line]
    for command in server.doors.flatMap(\.commands) {
      let line: Line = command.hint.map { "  \($0): \(command.text)" } ?? "  \(command.text, .bold)"
      lines.append(line.unbroken)
    }
    return lines
  }
}
