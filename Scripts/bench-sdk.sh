#!/usr/bin/env bash
# Times, instructions and allocations of the SDK's core operations, of its stores and of uploads, each beside the raw way of doing
# the same.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scratch=${BENCH_SCRATCH:-$(scratch_of bench)}
quietly "benchmark build" in_package bench "${swift[@]}" build -c release --scratch-path "$scratch"
bench=$scratch/release/ostiary-bench

status=0
# section COMMAND…: a bar that was missed does not keep the sections after it from being measured.
section() {
  "$@" || status=1
  echo
}

section "$bench"
section "$bench" stores
if command -v curl >/dev/null; then
  section "$scratch/release/ostiary-bench-upload"
else
  echo "Uploads: skipped (needs curl)"
  echo
fi
section "$bench" gateway
section "$bench" experiences
if command -v size >/dev/null; then
  texts=("$scratch/release")
  if [ -d "$(scratch_of server release)/release" ]; then texts+=("$(scratch_of server release)/release"); fi
  section python3 Scripts/bench-texts.py "${texts[@]}"
else
  echo "Texts: skipped (needs size)"
  echo
fi
section "$scratch/release/ostiary-bench-tokens"
if command -v strip >/dev/null; then
  section python3 Scripts/bench-start.py "$scratch/release"
else
  echo "Start and size: skipped (needs strip)"
  echo
fi
if ! command -v valgrind >/dev/null || ! command -v cc >/dev/null; then
  echo "Instructions and allocations: skipped (needs valgrind and cc)"
  exit "$status"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -shared -fPIC -o "$work/malloc-count.so" Benchmarks/Support/malloc-count.c -ldl
strip -o "$work/ostiary-bench" "$bench"

# Both counts are taken at two loop lengths; the difference leaves out start-up.
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/ostiary-bench" loop "$1" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
allocations() {
  LD_PRELOAD="$work/malloc-count.so" "$work/ostiary-bench" loop "$1" "$2" 2>&1 | sed -n 's/^allocations: //p'
}
per_run() {
  local low high
  low=$("$1" "$2" 100)
  high=$("$1" "$2" 10100)
  [[ -n $low && -n $high ]] || { echo "counting $1 of $2 failed" >&2; return 1; }
  echo $(((high - low + 5000) / 10000))
}

echo "Instructions and heap allocations a run"
declare -A count allocated
for name in url-copy url-set url-attach http-copy http-set http-attach http-attach-cookie attach-file attach-sqlite \
  url-attach-dialect http-attach-dialect cookie-match-10 cookie-match-100 cookie-match-1000; do
  count[$name]=$(per_run instructions "$name")
  allocated[$name]=$(per_run allocations "$name")
  printf '%-32s %12d instructions %6d allocations\n' "$name" "${count[$name]}" "${allocated[$name]}"
done

verdict() { # what, figure, bar
  if (($2 <= $3)); then echo "met:    $1: $2 (bar $3)"; else
    echo "MISSED: $1: $2 (bar $3)"
    status=1
  fi
}
echo
verdict "instructions to attach to a URLRequest" "${count[url-attach]}" 15000
verdict "allocations to attach to a URLRequest, beyond the copy" \
  $((allocated[url-attach] - allocated[url-copy])) 2
verdict "instructions to attach a dialect's proof to a URLRequest" "${count[url-attach-dialect]}" 15000
verdict "allocations to attach a dialect's proof to a URLRequest, beyond the copy" \
  $((allocated[url-attach-dialect] - allocated[url-copy])) 2
verdict "allocations to attach a dialect's proof to an HTTPRequest, beyond the copy" \
  $((allocated[http-attach-dialect] - allocated[http-copy])) 2
verdict "allocations to attach to an HTTPRequest, beyond the copy" \
  $((allocated[http-attach] - allocated[http-copy])) 2
exit "$status"
