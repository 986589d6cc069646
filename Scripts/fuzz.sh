#!/usr/bin/env bash
# fuzz.sh [SECONDS]: fuzzes every parser, SECONDS in all (an hour by default), in a build of its own. What breaks one is kept in
# Fuzz/Corpus/ and makes `make test` fail until it is mended.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=${1:-3600}
case $seconds in '' | *[!0-9]*) fail "usage: Scripts/fuzz.sh [SECONDS]" ;; esac
scratch=$(scratch_of sdk fuzz)
export OSTIARY_FUZZ=1
export SWIFT_BACKTRACE=enable=no

quietly "fuzz build" "${swift[@]}" build -c release --sanitize fuzzer --product ostiary-fuzz --scratch-path "$scratch"
targets=(Fuzz/Corpus/*/)
each=$((seconds / ${#targets[@]}))
[ "$each" -gt 0 ] || each=1
status=0
for folder in "${targets[@]}"; do
  name=$(basename "$folder")
  mkdir -p "$scratch/found/$name"
  # New inputs are collected outside the repository; what breaks a parser is written into it.
  if ! OSTIARY_FUZZ_TARGET=$name quietly "fuzz $name" "$scratch/release/ostiary-fuzz" "$scratch/found/$name" "$folder" \
    -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -artifact_prefix="$folder" -print_final_stats=1; then
    status=1
  fi
  sed -n 's/^stat::number_of_executed_units: */  inputs: /p' "$logs/fuzz-$name.log"
done
exit "$status"
