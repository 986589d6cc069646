#!/usr/bin/env bash
# chaos-cluster.sh [SECONDS [SEED [OLD_BINARY]]]: three servers on one PostgreSQL with 200 clients, under faults, SECONDS a scenario (1800 by
# default). `make test` runs a part of it for 20 s each. The same seed makes the same plan: without one it is the commit's.
# OLD_BINARY is an older `ostiary`, which is then replaced node by node.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=${1:-1800} seed=${2:-$(seed_of_commit)} old=${3:-}
case $seconds$seed in *[!0-9]*) fail "usage: Scripts/chaos-cluster.sh [SECONDS [SEED [OLD_BINARY]]]" ;; esac
if [ -n "$old" ]; then
  [ -x "$old" ] || fail "there is no program $old"
  old=$(realpath "$old")
fi
mkdir -p "$logs"
rm -f "$logs/chaos-cluster.txt"
say "seed $seed; the report is in .build-logs/chaos-cluster.txt"
OSTIARY_SEED=$seed OSTIARY_CHAOS_FULL=1 OSTIARY_CHAOS_SECONDS=$seconds OSTIARY_OLD_BINARY=$old OSTIARY_CHAOS_REPORT="$logs/chaos-cluster.txt" \
  exec Scripts/test.sh cluster
