/// The statements by which several nodes agree on what has ended. Only PostgreSQL runs them: they ask the server for its timeline. Each
/// runs under READ COMMITTED; all but `end`, `knows` and `isFollowed` are transactions of their own.
///
/// Those that read or write numbers say of which database these are, in the same statement: a connection that was opened a moment ago
/// may be with another server than the last one. On a standby each of these fails.
struct LeaseStatements: StatementSet {
  static let sql = LeaseStatements()

  /// The channel on which ends are announced: one for each set of tables, of which a database may have several in schemas.
  let channel = StorageStatement("SELECT 'ostiary_ends_' || CAST(CAST('ends_counter' AS regclass) AS oid)")
  /// For new tables: no node can have a lease yet that an end would have to wait for.
  let beginCounting = StorageStatement(
    "WITH", here,
    """
    UPDATE ends_counter SET system = here.system, timeline = here.timeline, since = 0 FROM here WHERE id = 1
    """)
  let announce = StorageStatement("SELECT pg_notify($1, $2)")
  /// Takes the place of a transaction among the ends, for one that would conflict with them. Others have locked rows before they wait
  /// for the counter: this one does not wait for theirs for long.
  static let lockEnds = [
    "SET LOCAL lock_timeout = '300ms'", "LOCK TABLE ends_counter IN SHARE ROW EXCLUSIVE MODE",
  ]

  private static let here = AnsweringDatabase.here

  /// The question: writes what the node has applied, and the newest end. Without `written` the node is not on the list.
  ///
  /// The counter is read as it was when the statement began; the row is written as it is when its turn has come. So numbers that a
  /// later question has written stay, and a question that has found another listing of its node counts for none. The last columns are the
  /// database's time, and what writes there without announcing ends (``SilentWriterSchema``).
  let question = StorageStatement(
    "WITH", here, ",",
    """
    counted AS (SELECT number FROM ends_counter WHERE id = 1),
    silent AS (SELECT are_there, number FROM look_for_silent_writers()),
    found AS (SELECT id, listing FROM nodes WHERE id = $1 AND shown IS NOT NULL),
    written AS (
      UPDATE nodes SET
        shown = greatest(counted.number, CASE WHEN nodes.system = here.system AND nodes.timeline = here.timeline
          THEN nodes.shown ELSE 0 END),
        applied = greatest(
          CASE WHEN here.system = $2 AND here.timeline = $3 THEN CAST($4 AS bigint) ELSE 0 END,
          CASE WHEN nodes.system = here.system AND nodes.timeline = here.timeline THEN nodes.applied ELSE 0 END),
        system = here.system, timeline = here.timeline,
        seen_at = CAST(extract(epoch FROM clock_timestamp()) AS double precision)
      FROM here, counted, found
      WHERE nodes.id = found.id AND nodes.listing = found.listing AND nodes.shown IS NOT NULL
      RETURNING nodes.shown)
    SELECT here.system, here.timeline, coalesce(written.shown, counted.number), written.shown IS NOT NULL,
      CAST(extract(epoch FROM clock_timestamp()) AS double precision), silent.are_there, silent.number
    FROM here CROSS JOIN counted CROSS JOIN silent LEFT JOIN written ON true
    """)
  /// Puts a node on the list.
  let register = StorageStatement(
    """
    INSERT INTO nodes (id, version, since, seen_at, shown, applied) VALUES ($1, $2, $3, $4, 0, 0)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, listing = nodes.listing + 1,
      shown = 0, applied = 0, system = NULL, timeline = NULL
      WHERE nodes.shown IS NULL
    """)
  /// Records a node that asks for no leases.
  let see = StorageStatement(
    """
    INSERT INTO nodes (id, version, since, seen_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
    RETURNING CAST(extract(epoch FROM clock_timestamp()) AS double precision)
    """)
  /// The same, and a write that is committed in any case: the row may be locked by a transaction that waits for its commit.
  ///
  /// One of a node's at a time: PostgreSQL goes on waiting for a standby where the client has hung up, and each such commit keeps one of its
  /// connections. A statement that waits for the lock instead ends with its time.
  let prove = StorageStatement(
    """
    WITH free AS (SELECT id FROM nodes WHERE id = $1 FOR UPDATE SKIP LOCKED),
    seen AS (UPDATE nodes SET seen_at = $4 FROM free WHERE nodes.id = free.id),
    made AS (
      INSERT INTO nodes (id, version, since, seen_at)
      SELECT $1, $2, CAST($3 AS double precision), CAST($4 AS double precision)
      WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE id = $1)
      ON CONFLICT (id) DO NOTHING)
    SELECT pg_advisory_xact_lock(788716322, hashtext($1)), pg_logical_emit_message(true, 'ostiary', CAST('' AS text))
    """)
  let writeApplied = StorageStatement(
    "UPDATE nodes SET applied = $1 WHERE id = $2 AND system = $3 AND timeline = $4 AND applied < $1")
  /// The nodes that ends wait for. A row without an id says that there is none.
  let list = StorageStatement(
    "WITH", here,
    """
    SELECT here.system, here.timeline, nodes.id, nodes.system, nodes.timeline, nodes.shown, nodes.applied
    FROM here LEFT JOIN nodes ON nodes.shown IS NOT NULL
    """)
  /// Takes a node off the list, unless it was shown that number.
  let takeOff = StorageStatement(
    "WITH", here,
    """
    UPDATE nodes SET shown = NULL, applied = NULL, system = NULL, timeline = NULL
    FROM here WHERE nodes.id = $1 AND here.system = $2 AND here.timeline = $3 AND nodes.shown IS NOT NULL
      AND (nodes.system IS NULL OR nodes.system <> $2 OR nodes.timeline <> $3 OR nodes.shown < $4)
    """)
  let leave = StorageStatement("DELETE FROM nodes WHERE id = $1")
  let removeUnseen = StorageStatement("DELETE FROM nodes WHERE seen_at < $1 AND shown IS NULL")
  let all = StorageStatement("SELECT id, version, since, seen_at, shown, applied FROM nodes ORDER BY since, id")

  /// Numbers an end and announces it, last in its transaction: the counter stays locked until the commit. So ends queue for it, and
  /// their numbers are in the order of their commits. The last column is for how many seconds ends have been numbered on this timeline.
  let end = StorageStatement(
    "WITH", here, ",",
    """
    counted AS (
      UPDATE ends_counter SET number = number + 1, system = here.system, timeline = here.timeline,
        since = CASE WHEN ends_counter.system = here.system AND ends_counter.timeline = here.timeline
          THEN since ELSE CAST(extract(epoch FROM clock_timestamp()) AS double precision) END
      FROM here WHERE id = 1
      RETURNING number, ends_counter.system, ends_counter.timeline, since),
    told AS (
      INSERT INTO ends (number, kind, subject, at)
      SELECT number, CAST($1 AS text), CAST($2 AS text), CAST(extract(epoch FROM clock_timestamp()) AS double precision)
      FROM counted RETURNING number, kind, subject)
    SELECT counted.number, counted.system, counted.timeline,
      CAST(extract(epoch FROM clock_timestamp()) AS double precision) - counted.since,
      pg_notify('ostiary_ends_' || CAST(CAST('ends_counter' AS regclass) AS oid), told.number || ' ' || told.kind || ' ' || told.subject)
    FROM counted JOIN told ON told.number = counted.number
    """)
  /// The ends after one, up to another. A row without a number says that there is none.
  let endsBetween = StorageStatement(
    "WITH", here,
    """
    SELECT here.system, here.timeline, ends.number, ends.kind, ends.subject
    FROM here LEFT JOIN ends ON ends.number > $1 AND ends.number <= $2 ORDER BY ends.number
    """)
  /// Whether the database has an end of before.
  let knows = StorageStatement("SELECT 1 FROM ends WHERE number = $1 AND kind = $2 AND subject = $3")
  /// Whether a client was disabled or enabled by an end from a number on.
  let isFollowed = StorageStatement(
    "SELECT 1 FROM ends WHERE kind IN ('client-disabled', 'client-enabled') AND subject = $1 AND number >= $2 LIMIT 1")
  let removeEnds = StorageStatement("DELETE FROM ends WHERE at < $1")
  let identity = StorageStatement("WITH", here, "SELECT here.system, here.timeline FROM here")
}
