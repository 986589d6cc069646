#!/usr/bin/env bash
# tsan.sh [FILTER]: the tests under ThreadSanitizer, in a build of their own. A data race ends the run with an error.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

filter=${1:-}
status=0
# As test.sh: what is slow here is the sanitizer.
export OSTIARY_PATIENT=${OSTIARY_PATIENT:-1}
# A report ends the process; the suppressions name what is outside this repository.
export TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"

for package in sdk server; do
  traits_of "$package"
  arguments=(${traits[@]+"${traits[@]}"} --sanitize=thread --disable-xctest --scratch-path "$(scratch_of "$package" tsan)")
  [ -n "$filter" ] && arguments+=(--filter "$filter")
  quietly "$package tsan" in_package "$package" "${swift[@]}" test "${arguments[@]}" || status=1
  grep -E 'Test run with .* (passed|failed) after|WARNING: ThreadSanitizer' "$logs/$package-tsan.log" | head -n 5 || true
done
exit "$status"
