#!/usr/bin/env bash
# fuzz.sh [SECONDS [sdk|server]]: fuzzes every parser, SECONDS in all (an hour by default), in builds of their own: the SDK's, and what
# reads the server's self-service flows. What breaks one is kept in Fuzz/Corpus/ or Server/Fuzz/Corpus/ and makes `make test` fail until it
# is mended.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seconds=${1:-3600}
case $seconds in '' | *[!0-9]*) fail "usage: Scripts/fuzz.sh [SECONDS [sdk|server]]" ;; esac
export OSTIARY_FUZZ=1
export SWIFT_BACKTRACE=enable=no
case ${2:-} in
  '') all=(Fuzz/Corpus/*/ Server/Fuzz/Corpus/*/) ;;
  sdk) all=(Fuzz/Corpus/*/) ;;
  server) all=(Server/Fuzz/Corpus/*/) ;;
  *) fail "usage: Scripts/fuzz.sh [SECONDS [sdk|server]]" ;;
esac
each=$((seconds / ${#all[@]}))
[ "$each" -gt 0 ] || each=1
status=0

# fuzz PACKAGE PROGRAM CORPUS [FLAG…]: builds a program and lets it look for what breaks the parsers of a corpus.
fuzz() {
  local package=$1 program=$2 corpus=$3 scratch folder name
  shift 3
  scratch=$(scratch_of "$package" fuzz)
  quietly "$package fuzz build" in_package "$package" \
    "${swift[@]}" build -c release --sanitize fuzzer --product "$program" --scratch-path "$scratch" "$@"
  for folder in "$corpus"/*/; do
    name=$(basename "$folder")
    mkdir -p "$scratch/found/$name"
    # New inputs are collected outside the repository; what breaks a parser is written into it.
    if ! OSTIARY_FUZZ_TARGET=$name quietly "fuzz $name" "$scratch/release/$program" "$scratch/found/$name" "$folder" \
      -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 -max_len=8192 -artifact_prefix="$folder" -print_final_stats=1; then
      status=1
    fi
    sed -n 's/^stat::number_of_executed_units: */  inputs: /p' "$logs/fuzz-$name.log"
  done
}

[ "${2:-}" = server ] || fuzz sdk ostiary-fuzz Fuzz/Corpus
[ "${2:-}" = sdk ] || fuzz server ostiary-server-fuzz Server/Fuzz/Corpus -Xswiftc -enable-testing
exit "$status"
