#!/usr/bin/env bash
# test.sh [sdk|server] [FILTER]: builds and tests a package, or both, and counts. One debug build each.
# test.sh storms: the SDK's storms alone, and the server's forms that are sent twice.
# test.sh engines: the server's suites with PostgreSQL.
# test.sh cluster: three servers on one PostgreSQL, under faults (Scripts/chaos-cluster.sh).
# test.sh pass sdk|server PASS…: passes by name: tests, servers, storms; of the SDK lives, whole; of the server browsers, postgresql, cluster.
# test.sh build sdk|server: nothing but what the tests need.
#
# OSTIARY_SEED    the first seed of the random tests (default: the commit's)
# OSTIARY_STORMS  full: the storms at full size (Scripts/storms.sh), and the 400 starts of StopTests; otherwise a part of them, from the
#                 same seed on
# OSTIARY_REHEARSAL  0: the server's transactions run once; otherwise each is run, undone and run again
# OSTIARY_PATIENT  0: the server waits for its database as long as it does for its users; otherwise for as long as a loaded machine needs
# OSTIARY_CHAOS_SECONDS  how long each scenario of the cluster takes (default: 20)
# TESTS_PRELOAD   a library that the tests are run with (Scripts/chaos.sh)
# OSTIARY_PASS_SECONDS  a pass that takes longer is ended, with the names of its tests that had begun (Scripts/watch.sh; default: 900 and more)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/watch.sh"

passed=0
failed=0
status=0
export OSTIARY_SEED=${OSTIARY_SEED:-$(seed_of_commit)}
export OSTIARY_REHEARSAL=${OSTIARY_REHEARSAL:-1}
patient=${OSTIARY_PATIENT:-1}
unset OSTIARY_PATIENT

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

# check SCRIPT: one check that is not a Swift test, counted as one. What runs beside it has the processor first: it has limits of time.
check() { tally quietly "$1" nice -n 5 "Scripts/$1.sh"; }

# tally COMMAND…: runs it and counts it as one test.
tally() {
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    status=1
  fi
}

# Suites by pass: the names, or parts of names, of suites, targets and tests. What several passes name is in the last of them: servers,
# browsers, storms.
#
# Suites that load every core. Beside others they starve them until time limits run out, so they go last, alone.
sdk_lives='MachineSearchTests|TwoMachinesTests|InterleavingTests|TwoUsers'
sdk_whole_lives='WholeLifeTests|LifeModelTests'
sdk_storms="$sdk_lives|$sdk_whole_lives|SingleFlight|LargeUploadTests|OneFlightEverywhere|KilledBetweenSteps|BoundStormTests|KilledUploadTests|KilledEventsTests|PostgreSQLNewsTests"
server_storms='GatewayDoorTests|MobileFirstSamplesTests'
# Suites that start many servers and processes, in a pass of their own, for the same reason.
sdk_servers='ExperienceSchemaTests|EventDeliveryTests|OstiaryGatewayTests|OstiaryOAuthTests|ServiceCoreTests|Salesforce|IBMMobileFirst|TestSupportTests|OstiaryTransportTests|OstiaryTestingTests'
# Attacks, the doors with a server of their own behind or before them, and mail servers.
server_servers='Attack|Gateway|Nginx|Salesforce|Primer|SMTP|SeveralServers'
# Crowds of submissions and of rotations at once, forms that are cut at each byte, in several processes too.
server_servers+='|Token|Flow|RepeatedForm'
# Processes of the command, in terminals and shells.
server_servers+='|Experience|StopTests|PrintedCommandsTests'

# Suites that start Chromium, which needs a core and more. Two at a time, with nothing beside them.
# Pages as people see them and get through them by keyboard.
server_browsers='LooksTests|PageBrowser|PageAxe|KeyboardTests|StartPageTests/looks'
# Double clicks, and a server that is killed under one.
server_browsers+='|DoubleClick|KilledServe'
# The browser's own answers beside ours.
server_browsers+='|PatternBrowser|ExperienceThreeWays'

# Three servers and 200 clients: a pass of its own, in a network of its own.
server_cluster='ClusterChaosTests|ClusterFailoverTests|ClusterPrimaryTests|ClusterUpgradeTests|ClusterOnceTests'
# The article's commands: PostgreSQL, nginx and three servers.
server_cluster+='|FromOneMachineToThreeTests'

# What `make storms` runs of the server's, at full size: the suites whose sizes are `Rounds`. `make test` has them in the passes above.
server_repeats='DoubleClickTests|RepeatedFormTests|KilledServeTests|PageBrowserTests'

# results_of PACKAGE PASS
results_of() { echo "$logs/$1-$2.xml"; }

# As many tests at a time as keep every core busy. If all began at once, as they do without a limit, each would take as long as all of
# them together, and on a slow machine a client's time would run out.
width=(--experimental-maximum-parallelization-width $((4 * $(getconf _NPROCESSORS_ONLN))))

# execute PACKAGE PASS ARGUMENT…: one pass of the tests, whose results collect counts. Two passes may run at once.
execute() {
  local package=$1 pass=$2 scratch name="$1 $2" result=0 traits
  shift 2
  traits_of "$package"
  scratch=$(scratch_of "$package")
  local results
  results=$(results_of "$package" "$pass")
  rm -f "$results" "${results%.xml}-swift-testing.xml"
  # The build was made a moment ago, so that SwiftPM's lock protects nothing. The tests themselves run with hashes that differ
  # each time. A crash shows its thread, in seconds; every thread of a debug build with its lines takes minutes.
  # On Linux the tests are a program, which is started itself: SwiftPM would plan the build again, and hold its database meanwhile,
  # so that of two passes at once one could fail as "database is locked".
  local suite=ostiary
  [ "$package" = sdk ] || suite+=-$package
  local program=("$scratch/debug/${suite}PackageTests.xctest" --testing-library swift-testing)
  [ "$(uname)" = Linux ] || program=(
    "${swift[@]}" test --skip-build --ignore-lock ${traits[@]+"${traits[@]}"} "${debug_flags[@]}" --disable-xctest
    --scratch-path "$scratch"
  )
  watched "$name" "$(pass_seconds)" in_package "$package" ${network[@]+"${network[@]}"} env -u SWIFT_DETERMINISTIC_HASHING \
    OSTIARY_PATIENT="$patient" ${TESTS_PRELOAD:+LD_PRELOAD="$TESTS_PRELOAD"} \
    SWIFT_BACKTRACE=threads=crashed,images=none,symbolicate=fast,limit=64,registers=none,color=no,interactive=no \
    "${program[@]}" --xunit-output "$results" "$@" || result=1
  grep -aE 'Test run with .* (passed|failed) after|^cookie corpus' "$(log_of "$name")" || true
  return "$result"
}

# collect PACKAGE PASS: counts the results of a pass that has ended. One that has left none, since it was ended or crashed, is one failed
# test more than its log tells of.
collect() {
  local results file found=no good bad
  results=$(results_of "$1" "$2")
  for file in "$results" "${results%.xml}-swift-testing.xml"; do
    [ -f "$file" ] || continue
    count "$file"
    found=yes
  done
  if [ "$found" = no ]; then
    read -r good bad < <(counted "$(log_of "$1 $2")")
    say "$1 $2: ended without results; by its log $good passed and $bad failed before"
    was_ended "$1 $2" || open_tests "$(log_of "$1 $2")"
    passed=$((passed + good))
    failed=$((failed + bad))
  fi
  if [ "$found" = no ] || was_ended "$1 $2"; then
    failed=$((failed + 1))
    status=1
  fi
}

# run_tests PACKAGE PASS ARGUMENT…: one pass of the tests. Of its output the terminal gets the closing line.
run_tests() {
  execute "$@" || status=1
  collect "$1" "$2"
}

# What build_all has built, as `sdk:0 server:1`: the statuses.
builds=''

# build_all: builds both packages at once, as one if that can be. A build of one by itself leaves cores idle where modules wait for another.
build_all() {
  local building result=0
  go_together
  if is_together; then
    quietly "build" build_debug both --build-tests || result=$?
    builds="sdk:$result server:$result"
    return
  fi
  set -m
  quietly "server build" build_debug server --build-tests &
  building=$!
  set +m
  # It is a process group of its own, which ends with this script.
  trap 'kill -- "-$building" 2>/dev/null || true' EXIT
  quietly "sdk build" build_debug sdk --build-tests || result=$?
  builds="sdk:$result"
  result=0
  wait "$building" || result=$?
  builds+=" server:$result"
  trap - EXIT
}

# is_built PACKAGE: whether that was built here.
is_built() { [[ " $builds " == *" $1:0 "* ]]; }

# build_tests PACKAGE: builds it if that was not done. A build that fails is one failed test.
build_tests() {
  local package=$1 result=0
  if [[ " $builds " != *" $package:"* ]]; then
    quietly "$package build" build_debug "$package" --build-tests || result=$?
    builds+=" $package:$result"
  fi
  if is_built "$package"; then return 0; fi
  status=1
  failed=$((failed + 1))
  return 1
}

# What stores, or decides by what is stored, behaves alike with both engines: these suites run once more, with PostgreSQL.
server_engines=(
  Token
  Refresh
  Revocation
  CodeTests
  DeviceTests
  ClientTests
  Session
  Identity
  UserAdmin
  Tenant
  PasswordVerification
  Enumeration
  Guess
  LoginLimits
  Flow
  Admission
  Recovery
  Submission
  Repeated
  Conversation
  Mail
  Audit
  Pega
  Newzulu
  Primer
  Salesforce
  Administration
  OstiaryApplication
  Rehearsal
  ThreeNodes
  OneTimeNumbers
  Allowance
  AddressThrottle
  HeldRequests
  StorageMetrics
)
# Of those, the suites that are not run again.
server_engines_skip=(
  Browser
  Looks
  Fuzz
  SMTP
  Python
  Samples
  Storms
  Simulation
  Axe
  Keyboard
)

# either WORD…: a pattern that takes each of the words.
either() {
  local IFS='|'
  printf '%s' "$*"
}

# run_engines: the server's suites with PostgreSQL. The server for it is started here and stopped here. Its folder is in memory where there
# is room: each test makes and removes some hundred files, with which a disk's file system has as much work as PostgreSQL.
run_engines() {
  local folder result=0 place=/tmp free
  free=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1) || free=0
  if [ -w /dev/shm ] && [ "$((free))" -ge $((4 << 20)) ]; then place=/dev/shm; fi
  folder=$(mktemp -u "$place/ostiary-pg-XXXXXXXX")
  trap 'Scripts/postgresql.sh stop "'"$folder"'"' EXIT
  Scripts/postgresql.sh start "$folder" || result=$?
  if [ "$result" = 3 ]; then
    say "server postgresql: skipped, PostgreSQL is not installed"
    trap - EXIT
    return
  fi
  [ "$result" = 0 ] || fail "PostgreSQL could not be started"
  # Not rehearsed, as they are with SQLite: what is undone leaves gaps in the ids that PostgreSQL gives.
  OSTIARY_REHEARSAL=0 OSTIARY_TEST_POSTGRESQL=$folder run_tests server postgresql \
    --filter "OstiaryServerTests\.[A-Za-z]*($(either "${server_engines[@]}"))" \
    --skip "$server_storms|$(either "${server_engines_skip[@]}")" "${width[@]}"
  Scripts/postgresql.sh stop "$folder"
  trap - EXIT
}

# own_network: sets the array `network` to what runs a command in a network namespace that holds nothing but a loopback of its own, in
# which packets can be lost. Where the machine allows none it is empty.
own_network() {
  local enter=(unshare --net)
  network=()
  command -v unshare >/dev/null && command -v ip >/dev/null && command -v nft >/dev/null || return 0
  export OSTIARY_CHAOS_NETWORK=own
  if [ "$(id -u)" != 0 ]; then
    enter+=(--map-root-user)
    OSTIARY_CHAOS_NETWORK=mapped
  fi
  # shellcheck disable=SC2016
  enter+=(bash -c 'ip link set lo up && exec "$@"' bash)
  # What Server/Tests/ClusterTests/Processes/OwnNetwork.swift does, and undoes.
  local rules='add table inet ostiary
add chain inet ostiary input { type filter hook input priority 0; }
add rule inet ostiary input tcp dport 1 numgen random mod 1000 < 1 drop
delete table inet ostiary'
  if "${enter[@]}" nft -f - <<<"$rules" 2>/dev/null; then
    network=("${enter[@]}")
  else
    unset OSTIARY_CHAOS_NETWORK
  fi
}

# Process groups that end with this script, by their first processes.
groups=()

end_groups() {
  local group
  for group in ${groups[@]+"${groups[@]}"}; do kill -- "-$group" 2>/dev/null || true; done
}

# beside_cluster COMMAND…: runs it beside three servers on a PostgreSQL of their own, under faults, which wait most of the time. Of their
# output the terminal gets what the run was.
beside_cluster() {
  local network=() cluster
  own_network
  [ ${#network[@]} -gt 0 ] || say "server cluster: without a network namespace no packets are lost; links are still cut, silent and slow"
  # They are a process group of their own, which ends with this script.
  set -m
  patient=0 execute server cluster --filter "$server_cluster" --no-parallel &
  cluster=$!
  set +m
  groups+=("$cluster")
  trap end_groups EXIT
  network=()
  "$@"
  wait "$cluster" || status=1
  groups=()
  trap - EXIT
  collect server cluster
  grep -a '^chaos: ' "$logs/server-cluster.log" || true
}

# run_storms PACKAGE
run_storms() {
  if [ "$1" != sdk ]; then
    run_pass "$1" storms
    return
  fi
  say "sdk storms: ${OSTIARY_STORMS:-a part} (all of them: make storms SEED=$OSTIARY_SEED)"
  # Random lives need one core and no other process, so they are lived beside the storms of processes, and when those are
  # over the whole lives take their core.
  # They are a process group of their own, which ends with this script.
  set -m
  execute sdk lives --filter "$sdk_lives" --no-parallel &
  lives=$!
  set +m
  trap 'kill -- "-$lives" 2>/dev/null || true' EXIT
  run_pass sdk storms
  run_pass sdk whole
  wait "$lives" || status=1
  trap - EXIT
  collect sdk lives
}

# run_pass PACKAGE PASS: one pass, by its name. What each is stands above.
run_pass() {
  local package=$1 storms="$1_storms" servers="$1_servers" browsers=''
  [ "$package" = sdk ] || browsers="$server_browsers|$server_cluster"
  case $package-$2 in
    *-tests) run_tests "$package" tests --skip "${!storms}|${!servers}${browsers:+|$browsers}" "${width[@]}" ;;
    *-servers) run_tests "$package" servers --filter "${!servers}" --skip "${!storms}${browsers:+|$browsers}" "${width[@]}" ;;
    sdk-lives) run_tests sdk lives --filter "$sdk_lives" --no-parallel ;;
    sdk-whole) run_tests sdk whole --filter "$sdk_whole_lives" --no-parallel ;;
    sdk-storms) run_tests sdk storms --filter "$sdk_storms" --skip "$sdk_lives|$sdk_whole_lives" --no-parallel ;;
    server-storms) run_tests server storms --filter "$server_storms" --no-parallel ;;
    server-browsers) run_tests server browsers --filter "$server_browsers" --experimental-maximum-parallelization-width 2 ;;
    server-postgresql) run_engines ;;
    server-cluster) beside_cluster true ;;
    *) fail "$package has no pass $2" ;;
  esac
}

# test_package PACKAGE [FILTER]
test_package() {
  local package=$1 filter=${2:-}
  build_tests "$package" || return 0
  if [ -n "$filter" ]; then
    run_tests "$package" tests --filter "$filter" --no-parallel
  else
    run_pass "$package" tests
    run_pass "$package" servers
    if [ "$package" = server ]; then
      run_pass server browsers
      run_pass server postgresql
    fi
    run_storms "$package"
  fi
}

# after_cluster: waits until the cluster that this runs beside has ended, for what takes a core for long. A look at its process, as it
# may be that of another shell.
after_cluster() {
  [ -n "${cluster:-}" ] || return 0
  while kill -0 "$cluster" 2>/dev/null; do sleep 1; done
}

# sdk_checks, server_checks: what is no Swift test. That others take longer than all of these (check-openid) leaves the time to begin with
# what costs the cluster least.
sdk_checks() {
  check check-dependencies
  check check-release
  check check-linkage
  after_cluster
  check check-apple
}

server_checks() {
  local others
  # Its time is waits for the ends of tokens. It belongs to the process group of this shell.
  set +m
  quietly check-openid nice -n 5 Scripts/check-openid.sh &
  others=$!
  check check-unit
  check check-rules
  check check-client
  after_cluster
  check check-doors
  check check-pooler
  tally wait "$others"
  # Which of the servers there was none of.
  grep -a '^skipped: ' "$logs/check-openid.log" || true
}

# all_checks: both at once. Most of them are one thread.
all_checks() {
  local counts server good=0 bad=1 result=1 others=(${groups[@]+"${groups[@]}"})
  counts=$(mktemp)
  # They are a process group of their own, which ends with this script.
  set -m
  (
    passed=0 failed=0 status=0
    server_checks
    echo "$passed $failed $status" >"$counts"
  ) &
  server=$!
  set +m
  groups+=("$server")
  trap end_groups EXIT
  sdk_checks
  wait "$server" || true
  groups=(${others[@]+"${others[@]}"})
  # Nothing is in there if they were ended.
  if [ -s "$counts" ]; then read -r good bad result <"$counts"; fi
  rm -f "$counts"
  passed=$((passed + good))
  failed=$((failed + bad))
  if [ "$result" != 0 ]; then status=1; fi
}

case ${1:-all} in
  all)
    build_all
    test_package sdk
    test_package server
    if is_built server; then beside_cluster all_checks; else all_checks; fi
    ;;
  sdk) test_package sdk "${2:-}" ;;
  server)
    test_package server "${2:-}"
    if [ -z "${2:-}" ]; then
      if is_built server; then beside_cluster server_checks; else server_checks; fi
    fi
    ;;
  engines)
    if build_tests server; then run_engines; fi
    ;;
  cluster)
    if build_tests server; then beside_cluster true; fi
    ;;
  build) build_tests "${2:-server}" || true ;;
  pass)
    [ $# -gt 2 ] || fail "usage: Scripts/test.sh pass sdk|server PASS…"
    if build_tests "$2"; then
      for pass in "${@:3}"; do run_pass "$2" "$pass"; done
    fi
    ;;
  storms)
    if build_tests sdk; then run_storms sdk; fi
    if build_tests server; then run_tests server storms --filter "$server_repeats" --no-parallel; fi
    ;;
  *) fail "usage: Scripts/test.sh [sdk|server] [FILTER], or pass sdk|server PASS…, storms, engines, cluster or build" ;;
esac

if [ "$failed" -gt 0 ]; then status=1; fi
say "$passed passed, $failed failed"
exit "$status"
