import Foundation
import OstiaryCore

/// What the program around a server knows of its start.
struct ToldOfStart: Sendable {
  /// Who signs in, in commands.
  var user: String?
  /// Where it has put the certificate that clients have to trust.
  var authorityFile: String?
}

extension OstiaryApplication {
  /// Tells the server what the commands on its start page need to know.
  /// - Parameters:
  ///   - user: Who signs in; nil where there is no user yet.
  ///   - authorityFile: Where the certificate is that clients have to trust.
  package func announce(user: String?, authorityFile: String?) {
    told.withLock { $0 = ToldOfStart(user: user, authorityFile: authorityFile) }
  }

  /// The start page, unless another route wants its path.
  func startRoutes(beside others: [Route]) -> [Route] {
    guard !others.contains(where: { $0.segments.isEmpty }) else { return [] }
    return StartRoutes(announcement: { [weak self] in try await self?.currentAnnouncement() }, recent: journal?.recent)
      .routes
  }

  private func currentAnnouncement() async throws -> ServerAnnouncement? {
    guard let running else { return nil }
    let told = told.withLock { $0 }
    var user = told?.user
    // A server in development may have got its first user meanwhile.
    if user == nil, journal != nil {
      user = try await identity.users().first { !$0.isDisabled && $0.tenant == nil }?.name
    }
    var announcement = ServerAnnouncement(
      running, storage: configuration.storage, user: user, authorityFile: told?.authorityFile)
    // A program with a server inside has its own way to add one.
    if told == nil { announcement.addUser = nil }
    return announcement
  }
}

extension ServerAnnouncement {
  /// - Parameters:
  ///   - user: Who signs in, in commands; nil where there is no user yet.
  ///   - authorityFile: Where the certificate is that clients have to trust.
  package init(
    _ running: OstiaryApplication.Running, storage: ServerConfiguration.Storage, user: String?, authorityFile: String?
  ) {
    let addUser =
      switch storage {
      case .memory: "ostiary serve --in-memory --user NAME"
      case .folder(let folder): "ostiary user add NAME --data \(folder.path(percentEncoded: false).shellWord)"
      }
    self.init(
      origin: running.origin.description,
      doors: running.doors.map { DoorAnnouncement($0, user: user ?? "NAME", authorityFile: authorityFile) },
      accounts: running.accounts, mailbox: running.insecureMailbox, addUser: user == nil ? addUser : nil)
  }
}
