# What watches over passes of tests (test.sh): one that takes too long is ended, with the names of its tests that had begun and not ended.
# To be sourced after common.sh.
#
# OSTIARY_PASS_SECONDS  how long a pass may take (0: as long as it does). Default: a quarter of an hour; an hour with jobs delayed at
#                       random (TESTS_PRELOAD); more with a longer OSTIARY_CHAOS_SECONDS; no limit for storms and chaos at full size
# shellcheck shell=bash

# pass_seconds: the limit of a pass.
pass_seconds() {
  if [ -n "${OSTIARY_PASS_SECONDS:-}" ]; then
    say "$OSTIARY_PASS_SECONDS"
  elif [ "${OSTIARY_STORMS:-}" = full ] || [ -n "${OSTIARY_CHAOS_FULL:-}" ]; then
    say 0
  elif [ -n "${TESTS_PRELOAD:-}" ]; then
    say 3600
  else
    say $((900 + 10 * ${OSTIARY_CHAOS_SECONDS:-0}))
  fi
}

# said LOG: the lines of it that tell of tests, of long ones the end: some tests write a mebibyte without an end of line.
said() {
  LC_ALL=C grep -aE ' started\.$| (passed|failed) after | skipped| cancelled' "$1" |
    LC_ALL=C awk '{ print (length($0) > 4000 ? substr($0, length($0) - 3999) : $0) }' || true
}

# open_tests LOG: the tests that had begun and not ended, with their last argument where they have several. Where there is none, the suites.
# What a test prints without an end of line stands before such a line, and an argument may have several lines.
open_tests() {
  [ -e "$1" ] || return 0
  # The signs of a begin and an end are not the same on each system, but none of them is ASCII.
  said "$1" | LC_ALL=C awk '
    function last(text, part,  place, found) {
      for (found = 0; (place = index(substr(text, found + 1), part)) > 0; ) found += place
      return found
    }
    / started\.$/ {
      line = substr($0, 1, length($0) - 9)
      named = line ~ /"$/ ? last(line, " to \"") : last(line, " to ")
      for (kind = 1; kind <= 2; kind++) {
        sign = kind == 1 ? "Test " : "Suite "
        if (match(line, "[^ -~]+ +" sign) == 0) continue
        while (match(line, "[^ -~]+ +" sign)) line = substr(line, RSTART + RLENGTH)
        if (kind == 1 && line ~ /^(run$|case passing )/) continue
        id = sign line
        if (!(id in begun)) order[++count] = id
        begun[id]++
        next
      }
      if (named > 0) {
        argument = substr($0, 1, named - 1)
        sub(/^.*Test case passing /, "", argument)
        named = substr($0, named + 4, length($0) - 9 - named - 3)
        cases["Test " named]++
        latest["Test " named] = argument
      }
      next
    }
    /[^ -~]+ +(Test|Suite) .* (passed|failed) after [0-9.]+ seconds|[^ -~]+ +(Test|Suite) .* (skipped|cancelled)/ {
      line = $0
      while (match(line, /[^ -~]+ +(Test|Suite) /)) {
        found = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
      }
      if (!sub(/ (passed|failed) after [0-9.]+ seconds.*$/, "", line)) sub(/( was)? (skipped|cancelled).*$/, "", line)
      sub(/ with [0-9]+ test cases?$/, "", line)
      ended[(found ~ /Suite/ ? "Suite " : "Test ") line]++
    }
    function show(sign,  i, id, shown) {
      for (i = 1; i <= count; i++) {
        id = order[i]
        if (index(id, sign) != 1 || ended[id] >= begun[id]) continue
        if (++shown > 20) continue
        print "  " id (cases[id] ? ", " cases[id] " of its cases begun, the last with " substr(latest[id], 1, 120) : "")
      }
      if (shown > 20) print "  and " shown - 20 " more"
      return shown
    }
    END { if (!show("Test ")) show("Suite ") }
  '
}

# counted LOG: how many tests have passed and failed, by the log of a pass that has left no results.
counted() {
  [ -e "$1" ] || { say 0 0; return; }
  said "$1" | LC_ALL=C awk '
    /[^ -~]+ +Test .* (passed|failed) after [0-9.]+ seconds/ && !/[^ -~]+ +Test run with / {
      if (/ passed after [0-9.]+ seconds[^"]*$/) passed++; else failed++
    }
    END { print passed + 0, failed + 0 }
  '
}

# processes: each process of this system: its id, its parent, its group and its state.
processes() {
  if [ -e /proc/self/stat ]; then
    # The name of a program may hold anything; what follows its last bracket does not.
    cat /proc/[0-9]*/stat 2>/dev/null | awk '{ id = $1; sub(/^.*\) /, ""); print id, $2, $3, $1 }' || true
  else
    ps -A -o pid= -o ppid= -o pgid= -o state=
  fi
}

# tree_of PROCESS MARK: the processes of a pass, the first one first: what it has started, the groups of those, and what has the mark in
# its environment. None that has ended and waits for its parent, and nothing of the watch.
tree_of() {
  local marked='' self
  # This shell, and not one of the pipe below: it is there before the processes are listed.
  # shellcheck disable=SC2016
  self=$(sh -c 'echo "$PPID"')
  if [ -e /proc/self/environ ]; then
    marked=$(grep -lF "TESTS_PASS=$2" /proc/[0-9]*/environ 2>/dev/null | tr -cd '0-9\n' | tr '\n' ' ') || true
  fi
  processes | awk -v root="$1" -v self="$self" -v marked="$marked" '
    { parent[$1] = $2; group[$1] = $3; state[$1] = $4 }
    END {
      if (!(self in group)) exit 1
      # The script that watches is in the group of the first one, as long as that one is there. None of those that it stems from is taken.
      outside = group[self]
      for (id = self; id in parent && id + 0 > 1; id = parent[id]) above[id]
      tree[root]
      count = split(marked, ids, " ")
      for (i = 1; i <= count; i++) if ((ids[i] in parent) && !(ids[i] in above)) tree[ids[i]]
      do {
        grown = 0
        for (id in tree) if (id in group && group[id] != outside) groups[group[id]]
        for (id in parent) {
          if ((id in tree) || (id in above) || id + 0 <= 1) continue
          if ((parent[id] in tree) || (group[id] in groups)) { tree[id]; grown = 1 }
        }
      } while (grown)
      if (root in state && state[root] !~ /^Z/) print root
      for (id in tree) if (id != root && id in state && state[id] !~ /^Z/) print id
    }'
}

# command_of PROCESS: its command, in one line.
command_of() {
  if [ -e "/proc/$1/cmdline" ]; then
    tr '\0\n' '  ' <"/proc/$1/cmdline" 2>/dev/null || true
  else
    ps -p "$1" -o command= || true
  fi
}

# stacks_of PROCESS: what its threads do, as far as a program that shows it is there.
stacks_of() {
  local found=''
  if command -v gdb >/dev/null; then
    found=$(timeout 60 gdb -p "$1" -nx -batch -iex 'set debuginfod enabled off' -iex 'set width 0' -ex 'thread apply all bt 16' 2>/dev/null) ||
      true
  elif command -v eu-stack >/dev/null; then
    found=$(timeout 60 eu-stack -n 16 -p "$1" 2>/dev/null) || true
  elif command -v sample >/dev/null; then
    found=$(sample "$1" 1 -mayDie 2>/dev/null) || true
  fi
  if [[ $found == *'#'* || $found == *Call\ graph* ]]; then
    grep -E '^(Thread|TID|#)|^ +[+0-9]' <<<"$found" | sed -E 's/0x[0-9a-f]+ in //; s/\([a-z_]+=.*\) at /at /' |
      { if command -v swift-demangle >/dev/null; then swift-demangle --compact --simplified; else cat; fi } || true
    return
  fi
  local task
  for task in /proc/"$1"/task/*; do
    [ -e "$task/stat" ] || continue
    say "$(cat "$task/comm" 2>/dev/null): $(sed 's/^.*) //; s/ .*//' "$task/stat" 2>/dev/null) $(cat "$task/wchan" 2>/dev/null)"
  done
}

# report_of NAME SECONDS LOG PROCESS MARK: what is known of a pass that does not end.
report_of() {
  local name=$1 log=$3 tests tree id command program=$4 others=()
  tests=$(open_tests "$log") || true
  say "$name: no end after $2 s, so it is ended here. Tests that had begun and not ended:"
  say "${tests:-  none}"
  tree=$(tree_of "$4" "$5") || true
  for id in $tree; do
    command=$(command_of "$id")
    case $command in
      *--testing-library* | *PackageTests*) program=$id ;;
      ?*) if [ "$id" != "$4" ]; then others+=("  $id ${command:0:150}"); fi ;;
    esac
  done
  if [ ${#others[@]} -gt 0 ]; then
    say "$name: its other processes:"
    printf '%s\n' "${others[@]:0:12}"
  fi
  stacks_of "$program" >"${log%.log}-stacks.txt" || true
  say "$name: its threads (all of it: ${log%.log}-stacks.txt):"
  head -n 60 "${log%.log}-stacks.txt" | cut -c 1-200 | sed 's/^/  /' || true
}

# end_tree PROCESS MARK: ends the processes of a pass. They are stopped first, so that none starts another meanwhile.
end_tree() {
  local tree before=''
  for _ in 1 2 3 4 5; do
    tree=$(tree_of "$1" "$2" | sort) || true
    [ "$tree" != "$before" ] || break
    # shellcheck disable=SC2086
    kill -STOP $tree 2>/dev/null || true
    before=$tree
  done
  for _ in 1 2 3 4 5; do
    [ -n "$tree" ] || break
    # shellcheck disable=SC2086
    kill -KILL $tree 2>/dev/null || true
    tree=$(tree_of "$1" "$2") || true
  done
}

# watch_over NAME SECONDS LOG MARK: ends the pass whose process is in a file beside the log, once its time is over. To be run beside it; USR1
# ends it. When the pass is gone and that has not come, a signal has ended all: then it ends what the pass has left, and itself.
watch_over() {
  local nap='' process='' began=$SECONDS
  trap '' TERM INT HUP
  trap 'kill -KILL "$nap" 2>/dev/null; exit 0' USR1
  while [ $((SECONDS - began)) -lt "$2" ]; do
    sleep 1 &
    nap=$!
    wait "$nap" || true
    if [ -s "$3.process" ]; then
      process=$(<"$3.process")
      if ! kill -0 "$process" 2>/dev/null; then
        end_tree "$process" "$4"
        return 0
      fi
    fi
  done
  [ -n "$process" ] || return 0
  # From here on it is not ended before it has ended all.
  trap '' USR1
  report_of "$1" "$2" "$3" "$process" "$4" >"$3.ending" 2>&1 &
  nap=$!
  # What is known is waited for, but not without end.
  for _ in {1..450}; do
    kill -0 "$nap" 2>/dev/null || break
    sleep 0.2
  done
  end_tree "$nap" none
  mv "$3.ending" "$3.ended"
  end_tree "$process" "$4"
}

# marked FILE MARK COMMAND…: runs it in this process, whose id is written to the file, and with the mark in its environment.
marked() {
  # shellcheck disable=SC2016
  sh -c 'echo "$PPID"' >"$1"
  export TESTS_PASS=$2
  shift 2
  "$@"
}

# log_of NAME: where `quietly` has the output of what is called that.
log_of() { printf '%s' "$logs/${1//[^a-z0-9]/-}.log"; }

# was_ended NAME: whether it was ended for its time.
was_ended() { [ -e "$(log_of "$1").ended" ]; }

# watched NAME SECONDS COMMAND…: quietly, and ended with all that it has started when it takes longer (0: never).
watched() {
  local name=$1 limit=$2 log watcher='' mark result=0
  shift 2
  log=$(log_of "$name")
  mark="$$-$RANDOM$RANDOM."
  mkdir -p "$logs"
  rm -f "$log".{process,ending,ended}
  if [ "$limit" -gt 0 ]; then
    watch_over "$name" "$limit" "$log" "$mark" &
    watcher=$!
  fi
  quietly "$name" marked "$log.process" "$mark" "$@" || result=$?
  if [ -n "$watcher" ]; then
    kill -USR1 "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
  fi
  rm -f "$log.process"
  # What ended well at the last moment is let be.
  if [ "$result" = 0 ]; then rm -f "$log.ended"; fi
  if [ -e "$log.ended" ]; then cat "$log.ended"; fi
  return "$result"
}
