internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// What a server says when it has started: what listens where, and how to sign in.
struct ServeAnnouncement: Sendable, Encodable {
  struct Door: Sendable, Encodable {
    let name: String
    let title: String
    let address: String
    /// A command to paste.
    let signIn: String
    /// What has to be done before the command can work; `nil` where it works as it is pasted.
    fileprivate let hint: String?
    /// Whether the door has a command to paste that does more.
    fileprivate let isReplaced: Bool

    private enum CodingKeys: String, CodingKey { case name, title, address, signIn }
  }

  let origin: String
  let port: Int
  /// The data folder; `nil` in memory.
  let data: String?
  /// The certificate that clients have to trust, for a development authority.
  let authorityFile: String?
  let doors: [Door]
  /// The pages for accounts; `nil` where there are none.
  let accounts: String?
  /// Where a development server shows its mail.
  let mailbox: String?
  /// What else the doors have to say.
  private let notices: [DoorNotice]
  let isDevelopment: Bool
  /// Whether people may make themselves an account.
  let offersSignUp: Bool
  /// What such an account gets at a door, with the door's title.
  private let admissions: [(title: String, what: String)]
  private let hasUser: Bool

  private enum CodingKeys: String, CodingKey {
    case origin, port, data, authorityFile, doors, accounts, mailbox, isDevelopment, offersSignUp
  }

  /// A member that a door brings.
  private struct Member: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, user: String?,
    offersSignUp: Bool = false,
    isDevelopment: Bool, authorityFile: String?
  ) {
    origin = running.origin.description
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
    hasUser = user != nil
    accounts = running.accounts
    mailbox = running.insecureMailbox
    let trust = authorityFile.map { " --ca-file \($0.shellWord)" } ?? ""
    let curlTrust = authorityFile.map { " --cacert \($0.shellWord)" } ?? ""
    let told = running.doors.map { door in (door, (door as? any AnnouncedDoor)?.notices(trust: trust) ?? []) }
    notices = told.flatMap(\.1)
    doors = told.map { door, notices in
      let signIn = door.signIn(as: user ?? "NAME")
      return Door(
        name: door.name, title: door.title, address: door.address,
        signIn: signIn + (signIn.hasPrefix("ostiary ") ? trust : curlTrust),
        hint: (door as? any AnnouncedDoor)?.signInHint, isReplaced: notices.contains(where: \.replacesSignIn))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(origin, forKey: .origin)
    try members.encode(port, forKey: .port)
    try members.encodeIfPresent(data, forKey: .data)
    try members.encodeIfPresent(authorityFile, forKey: .authorityFile)
    try members.encode(doors, forKey: .doors)
    try members.encodeIfPresent(accounts, forKey: .accounts)
    try members.encodeIfPresent(mailbox, forKey: .mailbox)
    try members.encode(isDevelopment, forKey: .isDevelopment)
    try members.encode(offersSignUp, forKey: .offersSignUp)
    var further = encoder.container(keyedBy: Member.self)
    for notice in notices {
      try further.encode(notice.member.value, forKey: Member(stringValue: notice.member.name))
    }
  }

  /// The announcement as people read it.
  var lines: [Line] {
    let width = doors.map(\.title.count).max() ?? 0
    var lines: [Line] = ["\("✓", .green) Listening on \(origin, .bold); Ctrl-C stops.", ""]
    for door in doors { lines.append("  \(door.title.padded(to: width), .dim)  \(door.address)") }
    if let accounts { lines.append("  \("Accounts".padded(to: width), .dim)  \(accounts)") }
    if let mailbox { lines.append("  \("Mail, unsent".padded(to: width), .dim)  \(mailbox)") }
    for (title, text) in notices.flatMap(\.lines) { lines.append("  \(title.padded(to: width), .dim)  \(text)") }
    lines.append("  \("Data".padded(to: width), .dim)  \(data ?? "in memory, gone when it stops")")
    if accounts != nil {
      let signUp = offersSignUp ? "on: people make themselves accounts" : "off; --allow-sign-up switches it on"
      lines.append("  \("Sign-up".padded(to: width), .dim)  \(signUp)")
    }
    if offersSignUp {
      for (title, what) in admissions { lines.append("  \(title.padded(to: width), .dim)  such an account \(what)") }
    }
    if isDevelopment {
      lines.append("  \("Development mode: cheap hashing, any password. Not for real users.", .yellow)")
    }
    if !hasUser {
      let hint: Line =
        data.map { "ostiary user add NAME --data \($0.shellWord)" } ?? "ostiary serve --in-memory --user NAME"
      lines += ["", "There is no user yet:", "  \(hint)"]
    }
    lines += ["", "Sign in from another terminal:"]
    for door in doors where !door.isReplaced {
      lines.append(door.hint.map { "  \($0): \(door.signIn)" } ?? "  \(door.signIn, .bold)")
    }
    lines += notices.flatMap(\.commands).map { "  \($0, .bold)" }
    return lines
  }
}
