#!/usr/bin/env bash
# loaded.sh ARGUMENT…: Scripts/test.sh with these arguments while other processes take every core and write to the disk, as beside other work
# on a small machine: what only holds on a quiet one is seen here. `pass server servers` is a pass, `server SeveralServersTests` a filter; see
# test.sh for the others. It is built before. A round that fails ends the run, with the line that repeats it.
#
# ROUNDS        how often (default: 1), each time with another seed
# BURNERS       processes that only compute (default: two for each core)
# OSTIARY_SEED  the seed of the first round (default: one by chance)
# OSTIARY_PASS_SECONDS  how long a pass may take (default here: 3600)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: Scripts/loaded.sh pass sdk|server PASS…, or sdk|server [FILTER]"
rounds=${ROUNDS:-1}
burners=${BURNERS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}
seed=${OSTIARY_SEED:-$((RANDOM * 32768 + RANDOM))}
case $rounds$burners$seed in *[!0-9]*) fail "ROUNDS, BURNERS and OSTIARY_SEED are numbers" ;; esac
case ${1:-} in
  pass) package=${2:-} ;;
  *) package=${1:-} ;;
esac
case $package in
  sdk | server) ;;
  *) fail "$usage" ;;
esac
export OSTIARY_PASS_SECONDS=${OSTIARY_PASS_SECONDS:-3600}

Scripts/test.sh build "$package"

place=$(mktemp -d)
children=()
end() {
  local child
  for child in ${children[@]+"${children[@]}"}; do kill "$child" 2>/dev/null || true; done
  rm -rf "$place"
}
trap end EXIT

# Each ends with this script, also when that is killed.
burn() {
  local number
  while kill -0 "$$" 2>/dev/null; do
    for ((number = 0; number < 100000; number++)); do :; done
  done
}
write() {
  while kill -0 "$$" 2>/dev/null && [ -d "$place" ]; do
    dd if=/dev/zero of="$place/written" bs=1M count=16 conv=fsync 2>/dev/null || return 0
  done
}
for ((number = 0; number < burners; number++)); do
  burn &
  children+=("$!")
done
write &
children+=("$!")

for ((round = 1; round <= rounds; round++)); do
  say "round $round of $rounds: OSTIARY_SEED=$seed, $burners processes beside it"
  if ! OSTIARY_SEED=$seed Scripts/test.sh "$@"; then
    fail "again: OSTIARY_SEED=$seed BURNERS=$burners Scripts/loaded.sh $*"
  fi
  seed=$((seed + 1))
done
