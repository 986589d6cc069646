#!/usr/bin/env bash
# postgresql.sh start FOLDER: makes a cluster of PostgreSQL in FOLDER, which must not exist, and starts it. It is reached by the
#   socket in FOLDER, as the user ostiary, and nothing that it stores is meant to last. Fails with 3 where PostgreSQL is not installed.
# postgresql.sh stop FOLDER: stops it by its own process id, and removes FOLDER.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

action=${1:-} folder=${2:-}
[ -n "$folder" ] || fail "usage: Scripts/postgresql.sh start|stop FOLDER"

# The newest version that is installed; Debian has the programs outside PATH.
programs() {
  local found
  found=$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
  [ -n "$found" ] && dirname "$found"
}

# PostgreSQL refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    "$@"
  fi
}

case $action in
  start)
    bin=$(programs) || exit 3
    # Four tests a core at once, with some storages each.
    connections=$((64 * $(getconf _NPROCESSORS_ONLN)))
    [ "$connections" -ge 400 ] || connections=400
    mkdir "$folder"
    [ "$(id -u)" != 0 ] || chown 65534:65534 "$folder"
    as_owner "$bin/initdb" -D "$folder/data" -U ostiary --auth=trust -E UTF8 --locale=C -N >"$folder.log" 2>&1 ||
      fail "initdb failed: $folder.log"
    # What a crash would lose is of no use after the tests.
    as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 240 -o \
      "-k $folder -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_wal_size=256MB -c max_connections=$connections \
      -c max_locks_per_transaction=256" start \
      >>"$folder.log" 2>&1 || fail "PostgreSQL did not start: $folder/log"
    ;;
  stop)
    pid=$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null || true)
    if [ -n "$pid" ]; then
      kill -QUIT "$pid" 2>/dev/null || true
      # One that nothing waits for stays as a zombie, which kill finds.
      for _ in $(seq 200); do
        kill -0 "$pid" 2>/dev/null || break
        grep -q '^State:[[:space:]]*Z' "/proc/$pid/status" 2>/dev/null && break
        sleep 0.05
      done
    fi
    rm -rf "$folder" "$folder.log"
    ;;
  *) fail "usage: Scripts/postgresql.sh start|stop FOLDER" ;;
esac
