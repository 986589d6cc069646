# What the other scripts share. To be sourced; does nothing by itself.
#
# SWIFT    the toolchain's driver (default: swift)
# SCRATCH  a folder for everything that is built (default: .build beside each manifest, .build-together for both at once)
# OSTIARY_TOGETHER  0: each package is built by itself, always
# DEBUG_INFO  dwarf: debug builds with what a debugger needs (default: none, which builds faster; a crash names its functions)
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
read -r -a swift <<<"${SWIFT:-swift}"

# SwiftPM gives the compiler the names of enabled traits in the order of a hashed set. Unless that is the same every time, every
# build finds its flags changed and compiles all targets anew that have traits: our targets, and some of Hummingbird's.
export SWIFT_DETERMINISTIC_HASHING=1

logs="$root/.build-logs"
case ${SCRATCH:-} in
  '' | /*) ;;
  *) SCRATCH=$root/$SCRATCH ;;
esac

say() { printf '%s\n' "$*"; }

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# folder_of PACKAGE: where its manifest is.
folder_of() {
  case $1 in
    sdk) printf '%s' "$root" ;;
    server) printf '%s' "$root/Server" ;;
    bench) printf '%s' "$root/Benchmarks" ;;
    *) fail "there is no package $1" ;;
  esac
}

# Both packages as one graph, in which what they share is compiled once: 3 minutes of 13. SwiftPM can do that for Xcode's workspaces, and
# does not promise to do it for ever. Where it can't, each package is built by itself.
scratch_of_both=${SCRATCH:+$SCRATCH/together}
scratch_of_both=${scratch_of_both:-$root/.build-together}
workspace_of_both=$scratch_of_both/Ostiary.xcworkspace

# who_builds: the sources and the toolchain.
who_builds() {
  local driver
  driver=$(command -v "${swift[0]}") || driver=${swift[0]}
  printf '%s\n' "$root" "$driver ${swift[*]:1}"
}

# is_together: whether the packages are built as one. Once they were, what is built later is built there: of the same sources and by the
# same toolchain, since a folder may have been copied, and another toolchain may not be able to.
is_together() {
  [ "${OSTIARY_TOGETHER:-}" != 0 ] && [ -e "$scratch_of_both/builder" ] && [ "$(<"$scratch_of_both/builder")" = "$(who_builds)" ]
}

# can_go_together: whether the toolchain takes a workspace. All that it says is read: a reader that ends early ends it, too.
can_go_together() {
  local options
  [ "$(uname)" = Linux ] && options=$("${swift[@]}" build --help-hidden 2>/dev/null) && [[ $options == *--multiroot-data-file* ]]
}

# go_together: from here on the packages are built as one, if that can be.
go_together() {
  local place
  [ "${OSTIARY_TOGETHER:-}" != 0 ] || return 0
  if ! can_go_together; then
    rm -f "$scratch_of_both/builder"
    return 0
  fi
  place=$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/"/\&quot;/g' <<<"$root")
  mkdir -p "$workspace_of_both/xcshareddata/swiftpm"
  printf '%s\n' '<?xml version="1.0" encoding="UTF-8"?>' '<Workspace version="1.0">' \
    "<FileRef location=\"absolute:$place\"></FileRef>" "<FileRef location=\"absolute:$place/Server\"></FileRef>" '</Workspace>' \
    >"$workspace_of_both/contents.xcworkspacedata"
  who_builds >"$scratch_of_both/builder"
}

# scratch_of PACKAGE [VARIANT]: where it is built. Each set of flags has a folder of its own: sharing one would rebuild
# everything on every change of flags.
scratch_of() {
  local variant=${2:+-$2}
  if [ -z "$variant" ] && [ "$1" != bench ] && is_together; then
    printf '%s' "$scratch_of_both"
  elif [ -n "${SCRATCH:-}" ]; then
    printf '%s' "$SCRATCH/$1$variant"
  else
    printf '%s' "$(folder_of "$1")/.build$variant"
  fi
}

# The SDK's traits that are built and tested here: all that this system has libraries for. Every build of the SDK in one
# scratch folder has to have the same, or each would build anew.
if [ "$(uname)" = Darwin ]; then
  sdk_traits=(--traits SQLite,PostgreSQL)
else
  sdk_traits=(--enable-all-traits)
fi

# traits_of PACKAGE: sets the array `traits` to the flags for SwiftPM.
traits_of() {
  traits=()
  if [ "$1" = sdk ]; then traits=("${sdk_traits[@]}"); fi
}

# seed_of_commit: the number that random tests begin with, another for each commit and the same for each run of it.
seed_of_commit() {
  local commit
  commit=$(git -c safe.directory="$root" rev-parse --short=8 HEAD 2>/dev/null) || commit=0
  printf '%d' "$((16#$commit))"
}

# in_package PACKAGE COMMAND…: runs it in the package's folder.
in_package() {
  local folder
  folder=$(folder_of "$1")
  shift
  (cd "$folder" && "$@")
}

# What every debug build has in common. The compiler's index is for editors, which make their own, and for tests of XCTest, which are none
# (Tests/XCTMain.swift). A process of the compiler takes up to 100 files of a module, not 25: each reads the whole module, and all that
# it imports.
debug_flags=(-debug-info-format "${DEBUG_INFO:-none}" --disable-index-store -Xswiftc -driver-batch-size-limit -Xswiftc 100)

# build_debug PACKAGE ARGUMENT…: the one debug build of a package. What runs it, documents it and tests it gives the compiler
# the same flags in the same folder, so that nothing is built twice.
build_debug() {
  local package=$1 traits
  shift
  if is_together; then
    # Whatever is asked for: both packages' targets have the traits that the SDK's tests need.
    (cd "$root" && "${swift[@]}" build --multiroot-data-file "$workspace_of_both" "${sdk_traits[@]}" "${debug_flags[@]}" \
      --scratch-path "$scratch_of_both" "$@")
    return
  fi
  traits_of "$package"
  in_package "$package" "${swift[@]}" build ${traits[@]+"${traits[@]}"} "${debug_flags[@]}" \
    --scratch-path "$(scratch_of "$package")" "$@"
}

# clang_maps SCRATCH: the maps by which Clang modules of the packages (BoringSSL's) and of the system's libraries (SQLite's, libpq's) are
# found.
clang_maps() {
  find "$1/debug/" -name module.modulemap -path '*.build/*' -not -path '*-tool.build/*' 2>/dev/null
  find "$1/checkouts" -name module.modulemap -path '*/Sources/*/include/*' 2>/dev/null
  find "$1/checkouts" -name module.modulemap -path '*/Sources/*SQLite/*' 2>/dev/null
  find "$root/Sources/CPQ" "$root/Server/Sources" -name module.modulemap
}

# interrupted NAME LOG STATUS: says what was going on when a signal has ended all, and ends.
interrupted() {
  say "ended by a signal in the middle of: $1"
  if declare -F open_tests >/dev/null; then open_tests "$2" || true; fi
  exit "$3"
}

# quietly NAME COMMAND…: runs it with its output in a log, which is shown when it fails.
quietly() {
  local name=$1 began=$SECONDS status=0
  local log="$logs/${name//[^a-z0-9]/-}.log"
  shift
  mkdir -p "$logs"
  # A signal is answered when the command has ended; one that is sent to a whole group, as `timeout` and a terminal do, ends that, too.
  # shellcheck disable=SC2064
  trap "interrupted $(printf '%q %q' "$name" "$log") 143" TERM
  # shellcheck disable=SC2064
  trap "interrupted $(printf '%q %q' "$name" "$log") 130" INT
  # shellcheck disable=SC2064
  trap "interrupted $(printf '%q %q' "$name" "$log") 129" HUP
  # In a shell of its own, so that what the traps say does not end up in the log. What this shell has to say of a signal is said below.
  { ("$@") >"$log" 2>&1 </dev/null || status=$?; } 2>/dev/null
  trap - TERM INT HUP
  if [ "$status" -ne 0 ]; then
    say "$name: failed after $((SECONDS - began)) s$([ "$status" -le 128 ] || say ", by signal $((status - 128))")"
    grep -E '(error|warning): |^✘|recorded an issue' "$log" | awk '!seen[$0]++' | head -n 40 | cut -b 1-2000 || true
    say "--- the end of ${log#"$root"/}"
    # Some tests write a mebibyte in a line.
    tail -n 40 "$log" | cut -b 1-2000
    return "$status"
  fi
  say "$name: $((SECONDS - began)) s"
}

# files PATTERN…: the repository's files, those not committed yet as well.
files() {
  git -c safe.directory="$root" ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
    if [ -e "$file" ]; then printf '%s\n' "$file"; fi
  done
}

is_debian() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

# choose_command [COMMAND]: sets `command` to a built `ostiary`: the one that is named, or a debug one, which is built first.
choose_command() {
  command=${1:-}
  if [ -z "$command" ]; then
    quietly "server build" build_debug server --product ostiary
    command=$(scratch_of server)/debug/ostiary
  fi
  [ -x "$command" ] || fail "there is no program $command"
}
