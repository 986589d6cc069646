import Foundation
internal import GRDB
internal import OstiaryPostgreSQL

/// A value that is bound to a statement, of a type that SQLite and PostgreSQL both have.
enum StorageValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

/// A type that can be bound to a statement.
protocol StorageBindable {
  var storageValue: StorageValue { get }
}

extension StorageValue: StorageBindable {
  var storageValue: StorageValue { self }
}

extension String: StorageBindable {
  var storageValue: StorageValue { .text(self) }
}

extension Int: StorageBindable {
  var storageValue: StorageValue { .integer(Int64(self)) }
}

extension Int64: StorageBindable {
  var storageValue: StorageValue { .integer(self) }
}

extension Double: StorageBindable {
  var storageValue: StorageValue { .real(self) }
}

/// As an integer, 0 or 1.
extension Bool: StorageBindable {
  var storageValue: StorageValue { .integer(self ? 1 : 0) }
}

extension Data: StorageBindable {
  var storageValue: StorageValue { .blob(self) }
}

/// As the seconds since 1970.
extension Date: StorageBindable {
  var storageValue: StorageValue { .real(timeIntervalSince1970) }
}

extension Optional: StorageBindable where Wrapped: StorageBindable {
  var storageValue: StorageValue { map { $0.storageValue } ?? .null }
}

extension StorageValue {
  /// The value in the form of SQLite's library.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value): value.databaseValue
    case .blob(let value): value.databaseValue
    }
  }
}

extension StorageValue {
  /// The value in the form of PostgreSQL's library.
  var postgreSQLValue: PostgreSQLValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .blob(let value): .bytes(value)
    }
  }
}
