#!/usr/bin/env bash
# bench-server.sh [COMMAND]: measures the server: time to the first response, memory, logins a second beside what the hash alone
# allows, and an authenticated request's latency while logins flood it; then its gateway: the forward-authentication check, and
# what passes through, beside nginx and the HTTP framework by itself (these need wrk and nginx); then durable refreshes and
# authenticated calls a second, and flows begun and submitted (these need wrk); then, in the debug build of the tests, whether the
# clock tells known names from unknown ones, and what a flood of logins does to requests that need none. With ROTATIONS it rotates
# that many refresh tokens instead, and prints what the tables hold; with TOKENS it moves a database of so many tokens between
# SQLite and PostgreSQL, by copies and by back-ups, measures nodes on PostgreSQL, and ends with a table of all that; FIGURES names the
# file of those figures, BEFORE an older command for SQLite's. COMMAND is a release build of `ostiary` with BareServer beside
# it; without it both are built first, as the packages have them: Swift's runtime is linked into them. That takes a quarter of an hour from nothing.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Its debug build is that of the server by itself.
OSTIARY_TOGETHER=0

command -v python3 >/dev/null || fail "the load generator needs python3"
command=${1:-}
if [ -z "$command" ]; then
  scratch=$(scratch_of server release)
  for product in ostiary BareServer; do
    quietly "server release build of $product" in_package server \
      "${swift[@]}" build -c release --product "$product" --static-swift-stdlib --scratch-path "$scratch" -Xlinker -s
  done
  command=$scratch/release/ostiary
fi
if [ -n "${ROTATIONS:-}" ]; then exec python3 Scripts/bench-tokens.py "$command" "$ROTATIONS"; fi
status=0
if [ -n "${TOKENS:-}" ]; then
  if [ -z "${FIGURES:-}" ]; then
    export FIGURES=$logs/figures.json
    rm -f "$FIGURES"
  fi
  python3 Scripts/bench-nodes.py "$command" || status=$?
  python3 Scripts/bench-database.py "$command" "$TOKENS" || status=$?
  if [ -e "$FIGURES" ]; then python3 Scripts/bench/figures.py "$FIGURES"; fi
  exit "$status"
fi
python3 Scripts/bench-server.py "$command" || status=$?
python3 Scripts/bench-gateway.py "$command" || status=$?
python3 Scripts/bench-tokens.py "$command" || status=$?
python3 Scripts/bench-flows.py "$command" || status=$?

# One after the other and beside nothing else. The tests count the work; only here a clock has a say.
quietly "server build" build_debug server --build-tests
in_package server env -u SWIFT_DETERMINISTIC_HASHING OSTIARY_SLOW_TESTS=1 "${swift[@]}" test --skip-build "${debug_flags[@]}" \
  --disable-xctest --scratch-path "$(scratch_of server)" --no-parallel \
  --filter 'EnumerationClockTests|LoginFloodTests' || status=$?
exit "$status"
