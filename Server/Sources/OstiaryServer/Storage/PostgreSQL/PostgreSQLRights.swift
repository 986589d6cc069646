/// The rights that the database's user needs besides those on its tables: to ask which database answers. Without them servers can't number
/// what ends, so that nothing could be ended, and would not notice a failover.
///
/// PostgreSQL gives them to all users; an administrator may have taken them away.
enum PostgreSQLRights {
  /// A function that the user may not call, or that is not there.
  private struct Missing {
    let function: String
    /// As it is written in a statement.
    let user: String

    init(_ reader: inout ColumnReader) { (function, user) = (reader.next(), reader.next()) }
  }

  /// - Throws: `storageDenied`, with the statement that gives the rights.
  static func demand(in db: StorageConnection) throws {
    let missing = try db.all(PostgreSQLTimelineStatements.sql.missingRights) { Missing(&$0) }
    guard let user = missing.first?.user else { return }
    let functions = missing.map(\.function).joined(separator: ", ")
    throw ServerError(
      .storageDenied,
      "The user of the database lacks a right: GRANT EXECUTE ON FUNCTION \(functions) TO \(user);",
      advice: "Run that in this database, as a superuser.", retryAfter: .seconds(5))
  }
}
