/// The statements about timelines.
struct TimelineStatements: StatementSet {
  static let sql = TimelineStatements()

  /// The number of the current timeline, as a value in another statement.
  static let current: StaticString = "(SELECT max(number) FROM timelines)"

  private static let columns: StaticString = "number, beginning, began_at, survived_until"

  let newest = StorageStatement("SELECT", columns, "FROM timelines ORDER BY number DESC LIMIT 1")
  let lastRestore = StorageStatement(
    "SELECT", columns, "FROM timelines WHERE beginning = 'restored' ORDER BY number DESC LIMIT 1")
  /// The next timeline. Where PostgreSQL stores it, a server notes later which one it is.
  let begin = StorageStatement(
    """
    INSERT INTO timelines (number, beginning, began_at, survived_until)
    SELECT max(number) + 1, $1, CAST($2 AS DOUBLE PRECISION), CAST($3 AS DOUBLE PRECISION) FROM timelines
    """)
  let setSurvived = StorageStatement("UPDATE timelines SET survived_until = $1 WHERE number = $2")
  let untold = StorageStatement("SELECT", columns, "FROM timelines WHERE told = 0 ORDER BY number")
  let takeUntold = StorageStatement(
    "UPDATE timelines SET told = 1 WHERE told = 0 AND number <= $1 RETURNING", columns)
}

/// The statements about timelines that only PostgreSQL runs.
struct PostgreSQLTimelineStatements: StatementSet {
  static let sql = PostgreSQLTimelineStatements()

  /// Begins the next timeline if the database is on another one than the last that was noted. Of servers that do so at once, one
  /// begins it. A standby refuses the statement, as it refuses every write.
  ///
  /// After a failover the time of the last commit that was replayed is the last of the timeline before. It is null where the server
  /// has been started since.
  let note = StorageStatement(
    "WITH", AnsweringDatabase.here, ",",
    """
    clock AS (
      SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision) AS now,
        CAST(extract(epoch FROM pg_last_xact_replay_timestamp()) AS double precision) AS survived),
    newest AS (SELECT number, system, timeline FROM timelines ORDER BY number DESC LIMIT 1),
    named AS (
      UPDATE timelines SET system = here.system, timeline = here.timeline, began_at = coalesce(began_at, clock.now)
      FROM here, clock, newest WHERE timelines.number = newest.number AND newest.system IS NULL)
    INSERT INTO timelines (number, beginning, system, timeline, began_at, survived_until)
    SELECT newest.number + 1, 'failover', here.system, here.timeline, clock.now, clock.survived
    FROM newest CROSS JOIN here CROSS JOIN clock
    WHERE newest.system <> here.system OR newest.timeline <> here.timeline
    ON CONFLICT (number) DO NOTHING
    """)
  /// The functions of `here` that the user may not call, and the user.
  let missingRights = StorageStatement(
    """
    SELECT name, quote_ident(current_user) FROM (VALUES
      ('pg_control_system()'), ('pg_walfile_name(pg_lsn)'), ('pg_current_wal_insert_lsn()')) AS needed (name)
    WHERE NOT coalesce(has_function_privilege(to_regprocedure(name), 'EXECUTE'), false)
    """)
  /// How many seconds ago the timeline began, if another primary was before it.
  let age = StorageStatement(
    """
    SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision) - began_at FROM timelines
    WHERE beginning = 'failover' AND number = (SELECT max(number) FROM timelines)
    """)
  /// Whether a crash, and whether a failover loses what was confirmed; and the number of standbys. Without the right to see it the state
  /// of a standby is null.
  let durability = StorageStatement(
    """
    SELECT CASE WHEN current_setting('fsync') = 'on' THEN 1 ELSE 0 END,
      CASE WHEN current_setting('synchronous_standby_names') = '' THEN 0 ELSE 1 END,
      (SELECT count(*) FROM pg_stat_replication WHERE coalesce(state, 'streaming') = 'streaming')
    """)
}
