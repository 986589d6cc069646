import Foundation
internal import OstiaryCore

/// A user as the vendor's calls show them.
struct NewzuluUserRecord: Sendable {
  let user: User
  /// The id.
  let number: Int64
  let lastLogin: Date?
}

/// Gives numbers to the server's users.
struct NewzuluAccounts: Sendable {
  let storage: ServerStorage

  /// The account of a user who has just signed in.
  func signedIn(_ user: User, at now: Date) async throws(ServerError) -> NewzuluUserRecord {
    try await storage.write { db in
      let number = try db.newID(NewzuluStatements.sql.signIn, user.id, now)
      return NewzuluUserRecord(user: user, number: number, lastLogin: now)
    }
  }

  /// The account of a user; a user without a number gets one.
  func account(of user: User) async throws(ServerError) -> NewzuluUserRecord {
    let known = try await storage.read { db in
      try Self.find(user, in: db)
    }
    if let known { return known }
    return try await storage.write { db in
      try db.run(NewzuluStatements.sql.addAccount, user.id)
      guard let account = try Self.find(user, in: db) else {
        throw ServerError(.storageCorrupt, "The number of a user is missing.", advice: "Restore a backup.")
      }
      return account
    }
  }

  /// The user with that number, if there is one.
  func user(number: Int) async throws(ServerError) -> User? {
    try await storage.read { db in
      let id: String? = try db.value(NewzuluStatements.sql.userOfNumber, number)
      return try id.flatMap { try UserRow.find(id: $0, in: db)?.user }
    }
  }

  private static func find(_ user: User, in db: StorageConnection) throws -> NewzuluUserRecord? {
    try db.first(NewzuluStatements.sql.account, user.id) { reader in
      NewzuluUserRecord(user: user, number: reader.next(), lastLogin: reader.next())
    }
  }
}
