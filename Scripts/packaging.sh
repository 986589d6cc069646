# What the scripts share that make packages and images. To be sourced after common.sh; does nothing by itself.
#
# PACKAGES           where packages are put (default: .build-packages)
# SOURCE_DATE_EPOCH  the time of everything in them (default: the commit's)
# shellcheck shell=bash

packages=${PACKAGES:-$root/.build-packages}
case $packages in /*) ;; *) packages=$root/$packages ;; esac

commit() { git -c safe.directory="$root" "$@"; }

# Two runs of one commit make the same bytes: nothing in a package is younger than its commit.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(commit log -1 --format=%ct 2>/dev/null) || fail "there is no commit here: set SOURCE_DATE_EPOCH"
fi
export SOURCE_DATE_EPOCH
export LC_ALL=C TZ=UTC
umask 022

# needs PROGRAM=PACKAGE…: says what to install.
needs() {
  local need missing=()
  for need in "$@"; do
    command -v "${need%%=*}" >/dev/null || missing+=("${need#*=}")
  done
  [ ${#missing[@]} -eq 0 ] || fail "programs are missing. Run as root: apt-get install ${missing[*]}"
}

# release_command [COMMAND]: sets `command` to a release build of `ostiary` that needs no library of Swift's: the one that is named, or one
# that is built first.
release_command() {
  local libraries scratch
  command=${1:-}
  if [ -z "$command" ]; then
    scratch=$(scratch_of server packages)
    # Debian has no package of Swift's runtime, so it is linked into the program.
    quietly "server release build" in_package server "${swift[@]}" build -c release --product ostiary --static-swift-stdlib \
      --scratch-path "$scratch" -Xlinker -s -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
    command=$scratch/release/ostiary
  fi
  [ -x "$command" ] || fail "there is no program $command"
  libraries=$(objdump -p "$command" | awk '$1 == "NEEDED" { print $2 }')
  grep -q '^libc\.so' <<<"$libraries" || fail "the libraries of $command were not found"
  if grep -E '^lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime)' <<<"$libraries"; then
    fail "$command needs Swift's libraries, which Debian does not have"
  fi
}

# source_version: the version of the command; between two releases with the commit, so that every commit's follows the one before.
source_version() {
  local version
  version=$(sed -nE 's/^ *package static let version = "([^"]+)"$/\1/p' \
    Server/Sources/OstiaryClientCommand/Environment/CommandEnvironment.swift)
  [ -n "$version" ] || fail "the version of the command was not found"
  if [ "$(commit rev-parse -q --verify "refs/tags/$version^{commit}" 2>/dev/null)" != "$(commit rev-parse HEAD 2>/dev/null)" ]; then
    version+="+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)"
    version+=".$(commit rev-parse --short=8 HEAD 2>/dev/null || echo unknown)"
  fi
  printf '%s' "$version"
}

# debian_version: the same as Debian writes it. What precedes a release is before it in Debian's order by a tilde only.
debian_version() { printf '%s-1' "$(source_version | sed -E 's/^([0-9.]+)-/\1~/')"; }
