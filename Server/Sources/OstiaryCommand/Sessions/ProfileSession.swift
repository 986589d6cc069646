internal import Foundation
internal import Logging
internal import OstiaryCore

/// A profile at work: its session manager, with the profile's store, certificates and journal.
struct ProfileSession: Sendable {
  let profile: Profile
  let kind: any ServerKind
  let manager: SessionManager
  private let transport: CommandTransport

  /// Assembles it. Nothing is read or sent.
  init(
    _ profile: Profile, folders: Folders, environment: CommandEnvironment, logger: Logger,
    credentials: CredentialSource = .manual
  ) throws {
    self.profile = profile
    kind = try ServerKinds.kind(named: profile.kind.rawValue)
    transport = try CommandTransport(trusting: profile.certificateFile)
    var configuration = SessionConfiguration()
    // Files are there or they are not; nobody is about to unlock them.
    configuration.storePatience = .zero
    manager = SessionManager(
      authenticator: try kind.authenticator(for: profile), transport: kind.transport(over: transport),
      credentials: credentials,
      store: folders.sessions, key: profile.sessionKey, configuration: configuration, clock: environment.clock,
      logger: logger)
    let journal = EventJournal(folders)
    let hasWarned = Locked(false)
    manager.onEvent { event in
      // Every run of the command finds the session where the last one left it. That is no news.
      guard event.kind != .restored else { return }
      do {
        try journal.append(JournalEntry(profile: profile.name, event: event))
      } catch {
        // Losing the story must not lose the session.
        let isFirst = hasWarned.withLock { warned in
          defer { warned = true }
          return !warned
        }
        if isFirst { environment.console.warn("`ostiary why` will not know of this: \(FailureReport.words(error))") }
      }
    }
  }

  /// Closes the connections.
  func close() async {
    await transport.close()
  }
}
