/// A statement of a feature, written once in its set; see `StatementSet`.
///
/// Its text is composed of literals only: no part of a request can become a part of it. SQLite and PostgreSQL 15 both
/// understand it. Parameters are written `$1`, `$2` …, in the order of their first appearance: SQLite numbers them by
/// that order, PostgreSQL by the digits. A parameter that appears twice is bound once.
struct StorageStatement: Sendable {
  /// The text as SQLite gets it.
  let text: String
  /// The table whose rows are locked against other writers until the transaction ends.
  private let lockedTable: String?

  /// - Parameter parts: Joined by blanks.
  init(_ parts: StaticString...) {
    self.init(parts: parts)
  }

  init(parts: [StaticString]) {
    text = parts.map(\.description).joined(separator: " ")
    lockedTable = nil
  }

  private init(text: String, lockedTable: String) {
    self.text = text
    self.lockedTable = lockedTable
  }

  /// The same query for a transaction that decides by the rows read: the rows of `table` that it finds don't change until the
  /// transaction ends. SQLite has one writer at a time and needs no lock.
  func locking(_ table: StaticString) -> StorageStatement {
    StorageStatement(text: text, lockedTable: table.description)
  }

  /// The text as an engine gets it.
  func text(for dialect: StorageDialect) -> String {
    switch dialect {
    case .sqlite: text
    case .postgreSQL: lockedTable.map { "\(text) FOR UPDATE OF \($0)" } ?? text
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
