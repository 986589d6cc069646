#!/usr/bin/env bash
# test.sh [sdk|server] [FILTER]: builds and tests a package, or both, and counts. One debug build each.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

passed=0
failed=0
status=0

# count FILE: adds up a results file of `swift test --xunit-output`. A test that failed in several ways failed once.
count() {
  local tests failures
  read -r tests failures < <(
    awk '/<testcase/ { tests++; counted = 0 }
         /<failure|<error/ { if (!counted) failures++; counted = 1 }
         END { print tests + 0, failures + 0 }' "$1"
  )
  failed=$((failed + failures))
  passed=$((passed + tests - failures))
}

# check SCRIPT: one check that is not a Swift test, counted as one.
check() {
  if quietly "$1" "Scripts/$1.sh"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    status=1
  fi
}

# test_package PACKAGE [FILTER]: of the tests' output the terminal gets the closing lines.
test_package() {
  local package=$1 filter=${2:-}
  local scratch results
  scratch=$(scratch_of "$package")
  results="$logs/$package.xml"
  rm -f "$logs/$package".xml "$logs/$package"-swift-testing.xml
  quietly "$package build" in_package "$package" \
    "${swift[@]}" build --build-tests --scratch-path "$scratch" || { status=1; failed=$((failed + 1)); return 0; }
  # `swift test` looks at the build again, which takes a second; skipping that would miss a stale one.
  local arguments=(--disable-xctest --scratch-path "$scratch" --xunit-output "$results")
  # The server's tests start servers and child processes that wait for one another: side by side on a few threads they
  # starve. One after the other they take half a minute.
  [ "$package" = server ] && arguments+=(--no-parallel)
  [ -n "$filter" ] && arguments+=(--filter "$filter")
  quietly "$package tests" in_package "$package" "${swift[@]}" test "${arguments[@]}" || status=1
  grep -E 'Test run with .* (passed|failed) after|^cookie corpus' "$logs/$package-tests.log" || true
  local file found=no
  for file in "$results" "${results%.xml}-swift-testing.xml"; do
    [ -f "$file" ] || continue
    count "$file"
    found=yes
  done
  if [ "$found" = no ]; then
    say "$package: the tests ended without results"
    failed=$((failed + 1))
    status=1
  fi
}

case ${1:-all} in
  all)
    test_package sdk
    check check-linkage
    check check-dependencies
    test_package server
    ;;
  sdk | server) test_package "$1" "${2:-}" ;;
  *) fail "usage: Scripts/test.sh [sdk|server] [FILTER]" ;;
esac

say "$passed passed, $failed failed"
exit "$status"
