#!/usr/bin/env bash
# chaos.sh [ROUNDS [sdk|server]]: every test, ROUNDS times (3 by default), with Swift's jobs and the network's events delayed at
# random: often and shortly, now and then for longer, seldom and for long. It finds in minutes what a busy machine shows once in
# a hundred runs. A round that fails ends the run.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rounds=${1:-3}
case $rounds in '' | *[!0-9]*) fail "usage: Scripts/chaos.sh [ROUNDS [sdk|server]]" ;; esac
packages=(${2:-sdk server})
[ "$(uname)" = Linux ] || fail "make chaos needs Linux: it stands between the tests and epoll"

# The toolchain brings a C compiler.
compiler=$(dirname "$(readlink -f "$(command -v "${swift[0]}")")")/clang
[ -x "$compiler" ] || compiler=cc
mkdir -p "$logs"
"$compiler" -O2 -Wall -Werror -shared -fPIC -o "$logs/chaos.so" Scripts/chaos.c -ldl

for round in $(seq 1 "$rounds"); do
  case $((round % 3)) in
    1) delays=(200 5000) ;;
    2) delays=(50 50000) ;;
    *) delays=(10 300000) ;;
  esac
  say "round $round: ${delays[0]} of 1000 jobs and events, up to ${delays[1]} µs"
  for package in "${packages[@]}"; do
    CHAOS_PER_MILLE=${delays[0]} CHAOS_MICROSECONDS=${delays[1]} TESTS_PRELOAD="$logs/chaos.so" Scripts/test.sh "$package"
  done
done
