/// A statement of a feature, written once in its set; see `StatementSet`.
///
/// Its text is composed of literals only: no part of a request can become a part of it. SQLite and PostgreSQL 15 both
/// understand it. Parameters are written `$1`, `$2` …, in the order of their first appearance: SQLite numbers them by
/// that order, PostgreSQL by the digits. A parameter that appears twice is bound once.
struct StorageStatement: Sendable {
  /// The text as SQLite gets it.
  let text: String
  /// What keeps rows from others until the transaction ends, for PostgreSQL.
  private let lock: String?

  /// - Parameter parts: Joined by blanks.
  init(_ parts: StaticString...) {
    self.init(parts: parts)
  }

  init(parts: [StaticString]) {
    text = parts.map(\.description).joined(separator: " ")
    lock = nil
  }

  private init(text: String, lock: String) {
    self.text = text
    self.lock = lock
  }

  /// The same query for a transaction that decides by the rows read: the rows of `table` that it finds don't change until the
  /// transaction ends. SQLite has one writer at a time and needs no lock.
  ///
  /// **The order of locks.** A transaction that keeps rows of several of these locks them in this order, or it could wait for another
  /// one that waits for it, until PostgreSQL ends one of them (`40P01`, after a second):
  ///
  /// 1. submissions and flows, and then counts of guesses at mailed and typed codes,
  /// 2. the client,
  /// 3. the user,
  /// 4. sessions,
  /// 5. counts of guesses at passwords,
  /// 6. codes, and then devices,
  /// 7. grants,
  /// 8. access tokens and spent refresh tokens,
  /// 9. the counter of ends, which the engine takes last, with the COMMIT.
  ///
  /// A row is read without a lock first where it tells what comes before it, such as a code its user. A row that refers to a client or
  /// a user keeps that one, too (a foreign key), when it is written. The order of rows of one table matters only where they are not of
  /// one user, who was locked before: they are locked by their keys. Rows whose time is over are removed without an order, a few at a
  /// time: there a transaction may be run again.
  func locking(_ table: StaticString) -> StorageStatement {
    StorageStatement(text: text, lock: "FOR UPDATE OF \(table)")
  }

  /// The same query for a transaction that writes rows which refer to those read: they are not removed until it ends, and may be changed.
  /// Others may keep them at the same time.
  func keeping(_ table: StaticString) -> StorageStatement {
    StorageStatement(text: text, lock: "FOR KEY SHARE OF \(table)")
  }

  /// The text as an engine gets it.
  func text(for dialect: StorageDialect) -> String {
    switch dialect {
    case .sqlite: text
    case .postgreSQL: lock.map { "\(text) \($0)" } ?? text
    }
  }
}

/// The statements of a feature, each a stored property, in a file `…Statements.swift` of its folder. The lint refuses
/// statements elsewhere.
///
/// Every set is in the list `ServerStatements`: a test prepares all statements in it with PostgreSQL.
package protocol StatementSet: Sendable {
  init()
}

extension StatementSet {
  /// Every statement of the set, with its name.
  static var statements: [(name: String, statement: StorageStatement)] {
    Mirror(reflecting: Self()).children.compactMap { child in
      let value = child.value
      guard let statement = value as? StorageStatement ?? (value as? EndingStatement)?.statement else { return nil }
      return ("\(Self.self).\(child.label ?? "")", statement)
    }
  }
}

/// An engine's dialect of SQL.
enum StorageDialect: Sendable, CaseIterable {
  case sqlite
  case postgreSQL
}
