#!/usr/bin/env bash
# check-deb.sh [COMMAND]: installs the package that deb.sh makes into a Debian of its own (debootstrap), as apt does it, with what it
# depends on; runs the server there as the unit does, asks it, stops it; upgrades it with a changed configuration, removes it, purges it,
# and looks at what is left, which has to be what README.Debian says. COMMAND is as for deb.sh. Needs root (for chroot and mounts) and a
# mirror of Debian: skipped with a message where one of them is absent. A minute; two more the first time.
#
# DEBIAN_CACHE  where the small Debian and the packages that were fetched are kept (default: .build-packages/debian)
# LINTIAN       no: not run, also where it is installed
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/packaging.sh"
source "$root/Scripts/debian.sh"

skip() {
  say "package: not looked at: $*"
  exit 0
}
[ "$(uname)" = Linux ] && [ -e /etc/debian_version ] || skip "this is no Debian"
[ "$(id -u)" = 0 ] || skip "it takes root, for a chroot"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine gives no namespaces"

cache=${DEBIAN_CACHE:-$packages/debian}
base_system "$cache" || skip "no Debian could be made; $cache/debootstrap.log says why"
release_command "${1:-}"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
checks=0
# holds WHAT COMMAND…: it succeeds.
holds() {
  local what=$1
  shift
  "$@" >"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail "package: $what: did not hold"
  }
  checks=$((checks + 1))
}

# Two runs make the same bytes; another version of the same program is what it is upgraded to.
first=$(PACKAGES=$work/first Scripts/deb.sh "$command" | tail -n 1)
second=$(PACKAGES=$work/second Scripts/deb.sh "$command" | tail -n 1)
holds "two runs make the same bytes" cmp "$first" "$second"
version=$(dpkg-deb -f "$first" Version)
newer=$(PACKAGES=$work/newer DEB_COMPRESSION=1 DEB_VERSION="${version%-*}+1-1" Scripts/deb.sh "$command" | tail -n 1)
mkdir "$work/unit"
dpkg-deb --fsys-tarfile "$first" | tar -x -C "$work/unit" ./usr/lib/systemd/system/ostiary.service
holds "the unit of the package" env UNIT="$work/unit/usr/lib/systemd/system/ostiary.service" Scripts/check-unit.sh
say "package: $(tail -n 1 "$work/log")"
if command -v lintian >/dev/null && [ "${LINTIAN:-}" != no ]; then
  holds "lintian" lintian --fail-on error,warning --allow-root "$first"
fi

system=$work/system
mkdir -p "$system" "$cache/archives/partial"
tar -C "$system" -xf "$base"
cp "$first" "$system/first.deb"
cp "$newer" "$system/newer.deb"
cp Scripts/check-deb-inside.sh "$system/inside.sh"
cp /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true
cp /etc/hosts "$system/etc/hosts" 2>/dev/null || true
apt-config dump | grep -E '^Acquire::https?::Proxy ' >"$system/etc/apt/apt.conf.d/90proxy" || true
# What it mounts ends with it.
unshare --mount --pid --fork --kill-child bash -c '
  mount --bind "$2" "$1/var/cache/apt/archives" && mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/run" &&
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$1" bash /inside.sh
' - "$system" "$cache/archives" >"$work/inside.log" 2>&1 || {
  tail -n 40 "$work/inside.log" >&2
  if grep -q '^no mirror$' "$work/inside.log"; then skip "the mirror of Debian can't be reached"; fi
  fail "package: the log above ends with what did not hold"
}
checks=$((checks + $(grep -c '^held: ' "$work/inside.log")))
say "package: $checks checks, $(stat -c %s "$first") bytes, $(dpkg-deb -f "$first" Depends)"
