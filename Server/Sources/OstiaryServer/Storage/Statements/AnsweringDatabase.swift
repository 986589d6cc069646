/// The database that answers a statement, of those that a connection may lead to: only PostgreSQL has several.
enum AnsweringDatabase {
  /// A part of `WITH` for statements of PostgreSQL: a row `here` with the system identifier and the timeline.
  ///
  /// It stands in the statement that reads or writes what depends on it: the next statement may be answered by another server.
  static let here: StaticString =
    """
    here AS (
      SELECT system_identifier AS system,
        CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS bit(32)) AS bigint) AS timeline
      FROM pg_control_system())
    """
}
