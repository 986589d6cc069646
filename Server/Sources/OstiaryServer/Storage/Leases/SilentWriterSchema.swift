/// Finds out that something writes to the database which announces no ends: a server from before servers had leases, or a person with
/// psql. While it is connected no node believes its caches; afterwards each empties them. With SQLite there is none of this.
///
/// Before the first change of a connection without the setting ``PostgreSQLTransaction/announcing``, a trigger takes a lock
/// which the connection keeps for as long as it lives, and which every question looks for. Then it waits until each lease from
/// before is over. From there on nothing is believed that the connection could end, so that its changes wait for nothing any
/// more. A sequence counts such connections, for a node that has not looked while one was there. A test visits every order.
enum SilentWriterSchema {
  static let migration = StorageMigration(
    "25: what writes without announcing ends",
    .fill { db in
      guard db.announcesEnds else { return }
      try db.execute(script: functions)
      for (table, changes) in endings { try db.execute(script: trigger(on: table, changes)) }
    })

  /// The changes that end something, or change what caches hold. Times that a use moves on are none, nor is a rotation.
  static let endings = [
    ("users", "UPDATE OR DELETE"), ("clients", "UPDATE OR DELETE"), ("client_secrets", "INSERT OR UPDATE OR DELETE"),
    ("sessions", "UPDATE OF user_id, attributes OR DELETE"),
    ("grants", "UPDATE OF client_id, user_id, user_generation, scopes, attributes OR DELETE"),
    ("access_tokens", "UPDATE OF grant_id, scopes, idle, ends_at OR DELETE"),
  ]

  private static func trigger(on table: String, _ changes: String) -> String {
    """
    CREATE TRIGGER \(table)_changed_silently BEFORE \(changes) OR TRUNCATE ON \(table) FOR EACH STATEMENT
      WHEN (coalesce(current_setting('ostiary.announces', true), '') <> 'on') EXECUTE FUNCTION note_silent_writer();
    """
  }

  /// The seconds are ``LeaseTerms/patience``. A transaction that is rolled back takes its settings back, and keeps its
  /// connection's locks: the second lock says that it has waited. Both belong to these tables, of which a database may have
  /// several in schemas.
  static let functions = """
    CREATE SEQUENCE IF NOT EXISTS silent_writers AS bigint OWNED BY ends_counter.id;

    CREATE OR REPLACE FUNCTION note_silent_writer() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      tables CONSTANT bigint := CAST(CAST(format('%I.ends_counter', TG_TABLE_SCHEMA) AS regclass) AS oid);
      is_there CONSTANT bigint := (CAST(7887 AS bigint) << 32) | tables;
      has_waited CONSTANT bigint := (CAST(7888 AS bigint) << 32) | tables;
    BEGIN
      IF current_setting('ostiary.silent', true) = CAST(tables AS text) THEN RETURN NULL; END IF;
      IF NOT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND mode = 'ShareLock' AND granted
          AND objsubid = 1 AND ((CAST(classid AS bigint) << 32) | CAST(objid AS bigint)) = has_waited)
      THEN
        PERFORM pg_advisory_lock_shared(is_there);
        PERFORM nextval(CAST(format('%I.silent_writers', TG_TABLE_SCHEMA) AS regclass));
        PERFORM pg_sleep(1.1);
        PERFORM pg_advisory_lock_shared(has_waited);
      END IF;
      PERFORM set_config('ostiary.silent', CAST(tables AS text), false);
      RETURN NULL;
    END $$;

    -- Whether one is there, and how many there have been. The number is read before and after: of one that was counted between, it is not
    -- known whether it had the lock. Two that look at the same moment are in each other's way.
    CREATE OR REPLACE FUNCTION look_for_silent_writers(OUT are_there boolean, OUT number bigint)
      LANGUAGE plpgsql AS $$
    DECLARE
      is_there CONSTANT bigint :=
        (CAST(7887 AS bigint) << 32) | CAST(CAST(CAST('ends_counter' AS regclass) AS oid) AS bigint);
    BEGIN
      FOR attempt IN 1..5 LOOP
        SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO number FROM silent_writers;
        are_there := NOT pg_try_advisory_lock(is_there);
        IF NOT are_there THEN
          PERFORM pg_advisory_unlock(is_there);
          SELECT number <> CASE WHEN is_called THEN last_value ELSE 0 END INTO are_there FROM silent_writers;
          EXIT WHEN NOT are_there;
        END IF;
        PERFORM pg_sleep(0.001);
      END LOOP;
    END $$;
    """
}
