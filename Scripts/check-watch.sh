#!/usr/bin/env bash
# check-watch.sh: a pass of the tests that does not end is ended (watch.sh), beside others and alone: the tests that had begun are named,
# those that have passed are counted, and no process is left. With a program that only says what tests say.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source Scripts/watch.sh

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place"/{Scripts,programs,.build/debug,Server/.build/debug}
cp Scripts/{common,watch,test}.sh "$place/Scripts/"
printf '%s\n' '#!/usr/bin/env bash' >"$place/swift"
# It hangs where the pattern says so: with a child, one in a group of its own, and one whose parent has gone.
cat >"$place/tests" <<'TESTS'
#!/usr/bin/env bash
printf '%s\n' '◇ Test run started.' '↳ Testing Library Version: 6' '◇ Suite "Waits" started.' '◇ Test "The first" started.' \
  '◇ Test second() started.' '◇ Test case passing 1 argument text → "a' 'b" to "The third" started.' '✔ Test "The first" passed after 0.1 seconds.'
printf 'without an end of line: %s\n' '◇ Test "The third" started.' '◇ Test "To "fail" started" started.' '◇ Test "What is skipped was cancelled" started.' \
  '✔ Test "What is skipped was cancelled" passed after 0.1 seconds.'
printf '%s\n' '✘ Test "To "fail" started" recorded an issue at A.swift:1:1: Expectation failed: passed after all' \
  '✘ Test "To "fail" started" with 2 test cases failed after 0.1 seconds with 1 issue.' '➜ Test "Never" skipped: "passed after 1 seconds"'
printf '◇ Test case passing 1 argument language → "%s" to "The third" started.\n' de en
if [[ " $* " =~ $HANGS ]]; then
  sleep 300 & echo "$!" >>"$CHILDREN"
  set -m
  bash -c 'sleep 300 & echo "$!" >>"$CHILDREN"; sleep 300 & echo "$!" >>"$CHILDREN"; wait' & echo "$!" >>"$CHILDREN"
  (bash -c 'sleep 300 & echo "$!" >>"$CHILDREN"' &)
  set +m
  echo "$$" >>"$CHILDREN"
  wait
fi
printf '%s\n' '✔ Test second() passed after 0.2 seconds.' '✔ Test "The third" with 2 test cases passed after 0.2 seconds.' \
  '✔ Suite "Waits" passed after 0.3 seconds.' '✔ Test run with 4 tests in 1 suite passed after 0.3 seconds.'
while [ $# -gt 1 ] && [ "$1" != --xunit-output ]; do shift; done
printf '%s\n' '<testcase name="a" />' '<testcase name="b" />' '<testcase name="c" />' >"$2"
TESTS
# A real one takes seconds.
printf '%s\n' '#!/usr/bin/env bash' 'echo "Reading symbols"; echo "#0  0x00005555 in waits_for_ever (for=1) at a.c:1"' >"$place/programs/gdb"
chmod +x "$place/swift" "$place/tests" "$place/programs/gdb"
cp "$place/tests" "$place/.build/debug/ostiaryPackageTests.xctest"
cp "$place/tests" "$place/Server/.build/debug/ostiary-serverPackageTests.xctest"
unset SCRATCH OSTIARY_STORMS OSTIARY_CHAOS_FULL TESTS_PRELOAD
export SWIFT=$place/swift CHILDREN=$place/children HANGS='^$' PATH=$place/programs:$PATH OSTIARY_PASS_SECONDS=60

# demand WHAT PATTERN: that the output has a line of that.
demand() { grep -qE -- "$2" "$place/output" || { cat "$place/output"; fail "$1: no line '$2'"; }; }

# no_child_is_left: of those that the program has started, nor any watch.
no_child_is_left() {
  local id left
  for _ in {1..50}; do
    left=''
    while read -r id; do
      left+=$(processes | awk -v id="$id" '$1 == id && $4 !~ /^Z/ { printf " %s", id }')
    done <"$place/children"
    [ -n "$left" ] || return 0
    sleep 0.1
  done
  fail "$1 has left processes:$left"
}

# Nothing hangs: nothing is said.
began=$SECONDS
OSTIARY_PASS_SECONDS=240 "$place/Scripts/test.sh" storms >"$place/output" 2>&1 || { cat "$place/output"; fail "a run that nothing is wrong with"; }
demand "a run that nothing is wrong with" '^12 passed, 0 failed$'
! grep -q 'had begun' "$place/output" || fail "a run that nothing is wrong with is told of"
[ $((SECONDS - began)) -lt 200 ] || fail "a watch takes time"

# The lives hang, which go beside others, and the server's pass, which goes alone.
: >"$place/children"
HANGS='--filter [^ ]*TwoUsers --no|--filter DoubleClick' OSTIARY_PASS_SECONDS=5 "$place/Scripts/test.sh" storms >"$place/output" 2>&1 && fail "it has not failed"
for pass in 'sdk lives' 'server storms'; do
  demand "$pass" "^$pass: no end after 5 s, so it is ended here"
  demand "$pass" "^$pass: ended without results; by its log 2 passed and 1 failed before"
  demand "$pass" "^$pass: its threads"
  demand "$pass" '^  #0  waits_for_ever at a.c:1$'
done
demand "the test" '^  Test second\(\)$'
demand "the test with cases" '^  Test "The third", 3 of its cases begun, the last with 1 argument language → "en"$'
demand "its processes" '^  [0-9]+ sleep 300'
! grep -qE '^  (Test "(The first|To|What|Never)|Suite)' "$place/output" || fail "a test is named that has ended"
# Two passes of three tests each, and twice two that have passed, one that has failed, and the end itself.
demand "the sum" '^10 passed, 4 failed$'
no_child_is_left "a pass that was ended"

# A signal ends all of it. It goes to the whole group, as that of `timeout` does.
: >"$place/children"
set -m
HANGS=. "$place/Scripts/test.sh" sdk Waits >"$place/output" 2>&1 &
whole=$!
set +m
for _ in {1..100}; do
  [ "$(wc -l <"$place/children")" -lt 6 ] || break
  sleep 0.1
done
kill -TERM -- "-$whole"
result=0
wait "$whole" || result=$?
[ "$result" = 143 ] || fail "a signal: the status is $result"
demand "a signal" '^ended by a signal in the middle of: sdk tests$'
demand "a signal" '^  Test second\(\)$'
[ "$(uname)" != Linux ] || no_child_is_left "a signal"
