import Foundation
import GRDB
import OstiaryPostgreSQL

@testable import OstiaryServer

/// Statements of a test's own, which no request could bring about. Parameters are written `?`.
struct TestSQL {
  fileprivate let connection: StorageConnection

  /// Runs statements, or one with values.
  func execute(_ sql: String, _ values: any StorageBindable...) throws {
    guard let transaction = try? connection.postgreSQL else {
      return try connection.sqlite.execute(sql: sql, arguments: StorageConnection.arguments(values))
    }
    guard values.isEmpty else {
      _ = try run(sql, values, transaction)
      return
    }
    // Bytes are written in another way there.
    try transaction.run(script: sql.replacingOccurrences(of: " x'", with: " '\\x"))
  }

  /// The first column of the first row.
  func first<Value: StorageColumn>(_: Value.Type, _ sql: String, _ values: any StorageBindable...) throws -> Value? {
    guard let transaction = try? connection.postgreSQL else {
      return try Row.fetchOne(connection.sqlite, sql: sql, arguments: StorageConnection.arguments(values)).flatMap {
        Value?.read($0, at: 0)
      }
    }
    let rows = try run(sql, values, transaction)
    return rows.count == 0 ? nil : Value.read(rows, 0, at: 0)
  }

  /// The first column of each row.
  func all<Value: StorageColumn>(_: Value.Type, _ sql: String) throws -> [Value] {
    guard let transaction = try? connection.postgreSQL else {
      return try Row.fetchAll(connection.sqlite, sql: sql).map { Value.read($0, at: 0) }
    }
    let rows = try run(sql, [], transaction)
    return (0..<rows.count).compactMap { Value.read(rows, $0, at: 0) }
  }

  /// The cells of each row, as bytes.
  func rows(_ sql: String) throws -> [[Data]] {
    guard let transaction = try? connection.postgreSQL else {
      return try Row.fetchAll(connection.sqlite, sql: sql).map { row in
        row.databaseValues.map { value in
          Data.fromDatabaseValue(value) ?? Data(String.fromDatabaseValue(value)?.utf8 ?? "\(value)".utf8)
        }
      }
    }
    let rows = try run(sql, [], transaction)
    return (0..<rows.count).map { row in
      (0..<rows.columnCount).map { rows.bytes(row, $0) ?? Data((rows.text(row, $0) ?? "").utf8) }
    }
  }

  private func run(
    _ sql: String, _ values: [any StorageBindable], _ transaction: PostgreSQLTransaction
  ) throws -> PostgreSQLRows {
    var text = ""
    var count = 0
    for character in sql {
      if character == "?" {
        count += 1
        text += "$\(count)"
      } else {
        text.append(character)
      }
    }
    return try transaction.run(text, values.map { $0.storageValue.postgreSQLValue }, keepsPrepared: false)
  }
}

extension StorageConnection {
  /// Statements of a test's own.
  var test: TestSQL { TestSQL(connection: self) }
}
