#!/usr/bin/env bash
# check-pooler.sh [COMMAND]: two servers on one PostgreSQL behind pgbouncer, which lends connections by transaction (fewer than the servers
# have): sign up, log in, refresh on either, races, revocation, commands, and a pgbouncer that is started again; then the same once more with
# an address around the pooler (--database-listen). COMMAND is a built `ostiary`; without it a debug one is built first. Skipped with a message
# where pgbouncer or PostgreSQL is not installed. Ten seconds.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v pgbouncer >/dev/null || {
  say "pooler: not tried: pgbouncer is not installed"
  exit 0
}
command -v python3 >/dev/null || fail "the check needs python3"
choose_command "${1:-}"
folder=$(mktemp -u /tmp/ostiary-pool-XXXXXXXX)
trap 'Scripts/postgresql.sh stop "$folder"' EXIT
result=0
Scripts/postgresql.sh start "$folder" || result=$?
if [ "$result" = 3 ]; then
  trap - EXIT
  say "pooler: not tried: PostgreSQL is not installed"
  exit 0
fi
[ "$result" = 0 ] || fail "PostgreSQL could not be started"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=Scripts/attack python3 Scripts/check-pooler.py "$command" "$folder"
