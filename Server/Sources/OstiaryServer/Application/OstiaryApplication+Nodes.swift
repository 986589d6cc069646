import Foundation
import Logging
import OstiaryCore

/// What a server says of itself to the others that share its database.
package struct NodeName: Sendable, Hashable {
  package var name: String
  package var version: String

  package init(name: String = "server", version: String = "") {
    self.name = name
    self.version = version
  }
}

extension OstiaryApplication {
  /// Takes part in the agreement of the servers that share the database.
  func joinNodes() {
    let node = configuration.node
    storage.serve(id: keys.node, version: node.version, since: Date()) { [logger] note in
      logger.log(level: note.logLevel, "\(note.logText)")
    } redo: { [storage, clock, logger] ends in
      Task { await EndsAgain(storage: storage, clock: clock, logger: logger).run(ends) }
    }
  }
}

/// Ends sessions and grants again that this server has heard to be ended, and disables users and clients again, where a primary that took
/// over may have lost that. Where it has not, nothing happens.
struct EndsAgain: Sendable {
  let storage: ServerStorage
  let clock: any SessionClock
  let logger: Logger

  func run(_ ends: [HeardEnd]) async {
    let sessions = ends.filter { $0.end.kind == .session }.compactMap {
      $0.end.subject.decodedBase64URL.map { Data($0) }
    }
    let grants = ends.filter { $0.end.kind == .family }.compactMap { heard in
      Int64(heard.end.subject).map { (id: $0, at: Date(timeIntervalSince1970: heard.at)) }
    }
    let users = ends.compactMap { LostUserChanges.Heard($0.end.kind, $0.end.subject) }
    // The primary may be busy, or go again.
    for _ in 0..<10 {
      do {
        // A transaction tells each of a few ends; of many it would tell that everything has ended.
        let most = StorageEnd.mostTold
        let (begun, tokens) = (
          ServerSessions(storage: storage, clock: clock),
          ServerTokens(storage: storage, clock: clock, logger: logger)
        )
        for start in stride(from: 0, to: sessions.count, by: most) {
          try await begun.endAgain(Array(sessions[start..<min(start + most, sessions.count)]))
        }
        for start in stride(from: 0, to: grants.count, by: most) {
          try await tokens.endAgain(Array(grants[start..<min(start + most, grants.count)]))
        }
        try await LostUserChanges(storage: storage, clock: clock).makeAgain(users) { ids in
          for id in ids {
            logger.warning(
              "A new password was lost with the last commits: the one before is valid again. The user's sessions are ended.",
              metadata: ["user": "\(id)"])
          }
        }
        for id in try await ServerClients(storage: storage, clock: clock).makeAgain(ends) {
          logger.warning(
            "A change of a client was lost with the last commits: it is as before. Make it again.",
            metadata: ["client": "\(id)"])
        }
        return logger.notice("What ended in the last minutes is ended in the database as it is now.")
      } catch {
        if error.code == .storageClosed { return }
        try? await clock.sleep(for: .seconds(1))
      }
    }
    logger.error("What ended in the last minutes may not be ended in the database as it is now.")
  }
}

extension LeaseNote {
  fileprivate var logLevel: Logger.Level {
    switch self {
    case .newTimeline, .counterWentBack, .deaf, .nodesUnread, .besideSilentWriter, .silentWriterGone: .warning
    case .endsMissing, .gaveUp: .notice
    }
  }

  fileprivate var logText: String {
    switch self {
    case .newTimeline(let identity):
      "The database is on timeline \(identity.timeline): what was cached is forgotten."
    case .counterWentBack(let before, let now):
      "The database has forgotten ends (\(before), now \(now)): what was cached is forgotten."
    case .endsMissing(let first, let last):
      "The ends after \(first) up to \(last) are not read one by one: what was cached is forgotten."
    case .deaf:
      """
      Notices of the database don't arrive here: every look-up asks it. Behind a pooler that lends connections by transaction, \
      --database-listen takes an address that leads around it.
      """
    case .besideSilentWriter:
      """
      Something writes to the database without announcing what it ends, such as an older server: every look-up asks the \
      database until its connections have gone.
      """
    case .silentWriterGone:
      "What has written to the database without announcing what it ends has gone: what was cached is forgotten."
    case .gaveUp(let node, let number):
      "The server \(node) did not apply end \(number) in time. Ends don't wait for it."
    case .nodesUnread(let number): "End \(number) has waited its time: the list of servers could not be read."
    }
  }
}
