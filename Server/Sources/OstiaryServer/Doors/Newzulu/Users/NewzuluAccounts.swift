import Foundation
internal import GRDB
internal import OstiaryCore

/// A user as the vendor's calls know them.
struct NewzuluAccount: Sendable {
  let user: User
  /// The id.
  let number: Int64
  let lastLogin: Date?
}

/// Gives the server's users their numbers.
struct NewzuluAccounts: Sendable {
  let storage: ServerStorage

  /// The account of a user who has just signed in.
  func signedIn(_ user: User, at now: Date) async throws(ServerError) -> NewzuluAccount {
    try await storage.write { db in
      let number = try Int64.fetchOne(
        db.cachedStatement(
          sql: """
            INSERT INTO newzulu_accounts (user_id, last_login) VALUES (?, ?)
            ON CONFLICT (user_id) DO UPDATE SET last_login = excluded.last_login RETURNING number
            """),
        arguments: [user.id, now.timeIntervalSince1970])
      return NewzuluAccount(user: user, number: try Self.existing(number), lastLogin: now)
    }
  }

  /// The account of a user; a number is given to who has none yet.
  func account(of user: User) async throws(ServerError) -> NewzuluAccount {
    let known = try await storage.read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT number, last_login FROM newzulu_accounts WHERE user_id = ?"),
        arguments: [user.id]
      ).map { try Self.account(of: user, $0) }
    }
    if let known { return known }
    return try await storage.write { db in
      try db.execute(
        sql: "INSERT INTO newzulu_accounts (user_id) VALUES (?) ON CONFLICT DO NOTHING", arguments: [user.id])
      let row = try Row.fetchOne(
        db, sql: "SELECT number, last_login FROM newzulu_accounts WHERE user_id = ?", arguments: [user.id])
      return try Self.account(of: user, try Self.existing(row))
    }
  }

  /// The user with that number, if there is one.
  func user(number: Int) async throws(ServerError) -> User? {
    try await storage.read { db in
      let id = try String.fetchOne(
        db, sql: "SELECT user_id FROM newzulu_accounts WHERE number = ?", arguments: [number])
      return try id.flatMap { try UserRow.find(id: $0, in: db)?.user }
    }
  }

  private static func account(of user: User, _ row: Row) throws -> NewzuluAccount {
    let seconds: Double? = row["last_login"]
    return NewzuluAccount(
      user: user, number: row["number"], lastLogin: seconds.map { Date(timeIntervalSince1970: $0) })
  }

  private static func existing<Value>(_ value: Value?) throws(ServerError) -> Value {
    guard let value else {
      throw ServerError(.storageCorrupt, "The number of a user is missing.", advice: "Restore a backup.")
    }
    return value
  }
}
