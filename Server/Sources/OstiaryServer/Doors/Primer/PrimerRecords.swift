import Crypto
import Foundation
import OstiaryCore
import OstiaryExperiences

/// The door's records: events, and what events and apps report about users. All of them are bounded.
package struct PrimerRecords: Sendable {
  let storage: ServerStorage
  let configuration: PrimerDoorConfiguration

  /// The key under which the records of an app are stored.
  static func key(ofToken token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }

  // MARK: Who it is

  package struct Standing: Sendable, Equatable {
    package var isLoggedIn = false
    /// Whether a flow was begun.
    package var hasSeen = false
  }

  /// The record of an anonymous id, or of a user on any device.
  func standing(of user: String, in app: Data) async throws(ServerError) -> Standing {
    try await storage.read { db in
      let known = try db.first(PrimerStatements.sql.standing, app, user) { reader in
        Standing(isLoggedIn: reader.next(Bool?.self) ?? false, hasSeen: reader.next(Bool?.self) ?? false)
      }
      return known ?? Standing()
    }
  }

  /// Records the user of an anonymous id.
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
    _ anonymous: String, _ app: Data, now: Date, in db: StorageConnection, _ change: (inout Identity) -> Void
  ) throws {
    let known = try db.first(PrimerStatements.sql.identityForUse, app, anonymous) { reader in
      Identity(userID: reader.next(), isLoggedIn: reader.next(), hasSeen: reader.next(), properties: reader.next())
    }
    var identity = known ?? Identity()
    change(&identity)
    try db.run(
      PrimerStatements.sql.putIdentity, app, anonymous, identity.userID, identity.isLoggedIn, identity.hasSeen,
      identity.properties, now)
    guard known == nil else { return }
    let count = try db.count(PrimerStatements.sql.countIdentities)
    guard count > configuration.mostIdentities else { return }
    try db.run(PrimerStatements.sql.removeOldestIdentities, count - configuration.mostIdentities)
  }

  // MARK: Events

  /// Stores events. A repeated event, recognised by its id, counts once.
  /// - Returns: How many are new.
  func take(_ events: [PrimerEvent], from app: Data, now: Date) async throws(ServerError) -> Int {
    try await storage.writeTogether { db in
      let last = try db.first(PrimerStatements.sql.lastEvent) { reader in
        reader.next(Int64.self) + Int64(reader.next(String.self).utf8.count)
      }
      var end = last ?? 0
      var accepted = 0
      for event in events {
        let isNew = try db.changed(
          by: PrimerStatements.sql.addEvent, Data(SHA256.hash(data: app + Data(event.id.utf8))), app, event.text, end,
          now)
        guard isNew == 1 else { continue }
        end += Int64(event.text.utf8.count)
        accepted += 1
        try learn(from: event, app, now: now, in: db)
      }
      guard accepted > 0 else { return 0 }
      try db.run(
        PrimerStatements.sql.removeOldestEvents, end - Int64(configuration.mostEventBytes), configuration.mostEvents)
      return accepted
    }
  }

  /// Records what an event reports about its user.
  private func learn(from event: PrimerEvent, _ app: Data, now: Date, in db: StorageConnection) throws {
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
    let texts: [String] = try await storage.read { db in try db.values(PrimerStatements.sql.events) }
    return texts.compactMap { JSONValue(json: Data($0.utf8)) }
  }
}
