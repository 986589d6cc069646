package import Foundation
import OstiaryCore

/// The embedding program's information about a start.
struct ToldOfStart: Sendable {
  /// The user who signs in, in commands.
  var user: String?
  /// The file with the certificate that clients have to trust.
  var authorityFile: String?
}

extension OstiaryApplication {
  /// Gives the server the information for the commands on its start page.
  /// - Parameters:
  ///   - user: The user who signs in; nil if there is no user yet.
  ///   - authorityFile: The file of the certificate that clients have to trust.
  package func announce(user: String?, authorityFile: String?) {
    told.withLock { $0 = ToldOfStart(user: user, authorityFile: authorityFile) }
  }

  /// The start page, unless another route has its path.
  func startRoutes(beside others: [Route]) -> [Route] {
    guard !others.contains(where: { $0.segments.isEmpty }) else { return [] }
    return StartRoutes(announcement: { [weak self] in try await self?.currentAnnouncement() }, recent: journal?.recent)
      .routes
  }

  private func currentAnnouncement() async throws -> ServerAnnouncement? {
    guard let running else { return nil }
    let told = told.withLock { $0 }
    var user = told?.user
    // A development server may have got its first user meanwhile.
    if user == nil, journal != nil {
      user = try await identity.users().first { !$0.isDisabled && $0.tenant == nil }?.name
    }
    var announcement = ServerAnnouncement(
      running, storage: configuration.storage, keyFile: configuration.keys.file, user: user,
      authorityFile: told?.authorityFile)
    // A program with an embedded server has its own way to add a user.
    if told == nil { announcement.addUser = nil }
    return announcement
  }
}

extension ServerAnnouncement {
  /// - Parameters:
  ///   - user: The user who signs in, in commands; nil if there is no user yet.
  ///   - keyFile: The file with the server's key that the operator has named.
  ///   - authorityFile: The file of the certificate that clients have to trust.
  package init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, keyFile: URL? = nil, user: String?,
    authorityFile: String?
  ) {
    let key = keyFile.map { " --key-file \($0.path(percentEncoded: false).shellWord)" } ?? ""
    let addUser =
      switch storage {
      case .memory: "ostiary serve --in-memory --user NAME"
      case .folder(let folder): "ostiary user add NAME --data \(folder.path(percentEncoded: false).shellWord)\(key)"
      // The address may have a password.
      case .postgreSQL: "ostiary user add NAME --database ADDRESS\(key)"
      }
    self.init(
      origin: running.origin.description,
      doors: running.doors.map { DoorAnnouncement($0, user: user ?? "NAME", authorityFile: authorityFile) },
      accounts: running.accounts, mailbox: running.insecureMailbox, addUser: user == nil ? addUser : nil)
  }
}
