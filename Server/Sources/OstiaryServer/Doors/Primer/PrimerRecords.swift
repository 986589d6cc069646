import Crypto
import Foundation
internal import GRDB
import OstiaryCore
import OstiaryExperiences

/// What the door keeps: events, and what they and apps say of whoever has an app. All of it within bounds.
struct PrimerRecords: Sendable {
  let storage: ServerStorage
  let configuration: PrimerDoorConfiguration

  /// What the records of an app are kept under.
  static func key(ofToken token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

  // MARK: Who it is

  struct Standing: Sendable, Equatable {
    var isLoggedIn = false
    /// Whether a flow was begun.
    var hasSeen = false
  }

  /// What is known of an anonymous id, or of a user on any device.
  func standing(of user: String, in app: Data) async throws(ServerError) -> Standing {
    try await storage.read { db in
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT max(is_logged_in) AS is_logged_in, max(has_seen) AS has_seen FROM (
              SELECT is_logged_in, has_seen FROM primer_identities WHERE app = :app AND anonymous_id = :user
              UNION ALL
              SELECT is_logged_in, has_seen FROM primer_identities WHERE app = :app AND user_id = :user)
            """), arguments: ["app": app, "user": user])
      return Standing(isLoggedIn: row?["is_logged_in"] ?? false, hasSeen: row?["has_seen"] ?? false)
    }
  }

  /// Notes whose an anonymous id is.
  /// - Parameter properties: JSON.
  func identify(
    _ anonymous: String, as user: String, properties: String, in app: Data, now: Date
  ) async throws(ServerError) {
    try await storage.writeTogether { db in
      try learn(anonymous, app, now: now, in: db) { identity in
        identity.userID = user
        identity.isLoggedIn = true
        identity.properties = properties
      }
    }
  }

  private struct Identity {
    var userID: String?
    var isLoggedIn = false
    var hasSeen = false
    var properties = "{}"
  }

  private func learn(
    _ anonymous: String, _ app: Data, now: Date, in db: GRDB.Database, _ change: (inout Identity) -> Void
  ) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT user_id, is_logged_in, has_seen, properties FROM primer_identities WHERE app = ? AND anonymous_id = ?
          """), arguments: [app, anonymous])
    var identity =
      row.map { row in
        Identity(
          userID: row["user_id"], isLoggedIn: row["is_logged_in"], hasSeen: row["has_seen"],
          properties: row["properties"])
      } ?? Identity()
    change(&identity)
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO primer_identities
          (app, anonymous_id, user_id, is_logged_in, has_seen, properties, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      app, anonymous, identity.userID, identity.isLoggedIn, identity.hasSeen, identity.properties,
      now.timeIntervalSince1970,
    ])
    guard row == nil else { return }
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM primer_identities")) ?? 0
    guard count > configuration.mostIdentities else { return }
    try db.cachedStatement(
      sql: """
        DELETE FROM primer_identities WHERE (app, anonymous_id) IN (
          SELECT app, anonymous_id FROM primer_identities ORDER BY updated_at LIMIT ?)
        """
    ).execute(arguments: [count - configuration.mostIdentities])
  }

  // MARK: Events

  /// Keeps events. One that has come before, known by its id, counts once.
  /// - Returns: How many are new.
  func take(_ events: [PrimerEvent], from app: Data, now: Date) async throws(ServerError) -> Int {
    try await storage.writeTogether { db in
      let last = try Int64.fetchOne(
        db.cachedStatement(
          sql: "SELECT begins_at + length(CAST(event AS BLOB)) FROM primer_events ORDER BY number DESC LIMIT 1"))
      var end = last ?? 0
      var accepted = 0
      for event in events {
        try db.cachedStatement(
          sql: """
            INSERT OR IGNORE INTO primer_events (id_hash, app, event, begins_at, received_at) VALUES (?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          Data(SHA256.hash(data: app + Data(event.id.utf8))), app, event.text, end, now.timeIntervalSince1970,
        ])
        guard db.changesCount == 1 else { continue }
        end += Int64(event.text.utf8.count)
        accepted += 1
        try learn(from: event, app, now: now, in: db)
      }
      guard accepted > 0 else { return 0 }
      try db.cachedStatement(
        sql: """
          DELETE FROM primer_events WHERE begins_at < ? OR number <= (SELECT max(number) FROM primer_events) - ?
          """
      ).execute(arguments: [end - Int64(configuration.mostEventBytes), configuration.mostEvents])
      return accepted
    }
  }

  /// What an event says of whoever it happened to.
  private func learn(from event: PrimerEvent, _ app: Data, now: Date, in db: GRDB.Database) throws {
    switch event.name {
    case UserEvent.Name.signUp, UserEvent.Name.login, UserEvent.Name.providerLogin:
      try learn(event.anonymousID, app, now: now, in: db) { identity in
        identity.userID = event.userID ?? identity.userID
        identity.isLoggedIn = true
      }
    case UserEvent.Name.logout:
      try learn(event.anonymousID, app, now: now, in: db) { identity in
        identity.userID = nil
        identity.isLoggedIn = false
        identity.properties = "{}"
      }
    case ExperienceEvent.Name.flowStarted.rawValue:
      try learn(event.anonymousID, app, now: now, in: db) { $0.hasSeen = true }
    default: break
    }
  }

  /// The events that are kept, oldest first.
  func events() async throws(ServerError) -> [JSONValue] {
    let texts = try await storage.read { db in
      try String.fetchAll(db, sql: "SELECT event FROM primer_events ORDER BY number")
    }
    return texts.compactMap { JSONValue(json: Data($0.utf8)) }
  }
}
