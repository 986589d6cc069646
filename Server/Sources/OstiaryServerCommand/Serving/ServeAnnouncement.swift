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
    /// Whether the command has to be told more before it can work.
    fileprivate let isTemplate: Bool

    private enum CodingKeys: String, CodingKey { case name, title, address, signIn }
  }

  struct Upstream: Sendable, Encodable {
    let address: String
    let upstream: String
  }

  /// What apps with Primer's SDK are pointed at.
  struct Experience: Sendable, Encodable {
    /// Where it is delivered.
    let address: String
    /// What an app shows there (`X-Primer-Token`). It is no secret.
    let token: String
    /// Where the stand-in for the app's own backend is; `nil` where it is closed.
    let backend: String?
    /// Whether it is the one that comes with the server.
    let isStarter: Bool
    /// A command to paste, which goes through it; `nil` where the stand-in is closed.
    let run: String?
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
  /// The experience of apps with Primer's SDK; `nil` where that door is closed.
  let experience: Experience?
  /// What is behind the gateway.
  let upstreams: [Upstream]
  let isDevelopment: Bool
  private let hasUser: Bool

  private enum CodingKeys: String, CodingKey {
    case origin, port, data, authorityFile, doors, accounts, mailbox, experience, upstreams, isDevelopment
  }

  init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, user: String?, isDevelopment: Bool,
    authorityFile: String?
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
    hasUser = user != nil
    accounts = running.accounts
    mailbox = running.insecureMailbox
    let trust = authorityFile.map { " --ca-file \($0.shellWord)" } ?? ""
    let curlTrust = authorityFile.map { " --cacert \($0.shellWord)" } ?? ""
    experience = running.doors.lazy.compactMap { $0 as? PrimerDoor }.first.map { door in
      Experience(
        address: door.experienceAddress, token: door.token, backend: door.backendAddress, isStarter: door.isStarter,
        run: door.backendAddress.map { "ostiary experience run \($0) --token \(door.token.shellWord)\(trust)" })
    }
    upstreams = running.doors.compactMap { $0 as? GatewayDoor }.flatMap { door in
      door.junctions.map { Upstream(address: $0.address, upstream: $0.upstream) }
    }
    doors = running.doors.map { door in
      let signIn = door.signIn(as: user ?? "NAME")
      return Door(
        name: door.name, title: door.title, address: door.address,
        signIn: signIn.hasPrefix("ostiary ") ? signIn + trust : signIn + curlTrust,
        isTemplate: (door as? SalesforceDoor)?.signInTakesSecretFile ?? false)
    }
  }

  /// The announcement as people read it.
  var lines: [Line] {
    let width = doors.map(\.title.count).max() ?? 0
    var lines: [Line] = ["\("✓", .green) Listening on \(origin, .bold); Ctrl-C stops.", ""]
    for door in doors { lines.append("  \(door.title.padded(to: width), .dim)  \(door.address)") }
    for one in upstreams { lines.append("  \("Gateway to".padded(to: width), .dim)  \(one.address) → \(one.upstream)") }
    if let accounts { lines.append("  \("Accounts".padded(to: width), .dim)  \(accounts)") }
    if let mailbox { lines.append("  \("Mail, unsent".padded(to: width), .dim)  \(mailbox)") }
    if let experience {
      let name = experience.isStarter ? "Starter experience" : "Experience"
      lines.append("  \(name.padded(to: width), .dim)  \(experience.address) (X-Primer-Token: \(experience.token))")
    }
    lines.append("  \("Data".padded(to: width), .dim)  \(data ?? "in memory, gone when it stops")")
    if isDevelopment {
      lines.append("  \("Development mode: cheap hashing, any password. Not for real users.", .yellow)")
    }
    if !hasUser {
      let hint: Line =
        data.map { "ostiary user add NAME --data \($0.shellWord)" } ?? "ostiary serve --in-memory --user NAME"
      lines += ["", "There is no user yet:", "  \(hint)"]
    }
    lines += ["", "Sign in from another terminal:"]
    // The experience asks for the password that Primer's own command would have to be told.
    for door in doors where door.name != "primer" || experience?.run == nil {
      lines.append(door.isTemplate ? "  With the app's secret in FILE: \(door.signIn)" : "  \(door.signIn, .bold)")
    }
    if let run = experience?.run { lines.append("  \(run, .bold)") }
    return lines
  }
}
