#!/usr/bin/env bash
# deps.sh [demo|test|attack|cluster|interop|bench|bench-server|bench-database|deb|packages]: checks for what Ostiary needs besides Swift for that (default: test), and installs
# it where that is possible: Debian packages through apt, as root or with sudo. Elsewhere it says what to install.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

purpose=${1:-test}

# Compiled against by every build: zlib by the HTTP transports, SQLite by the server and by the store of that name. Git
# fetches the packages, over HTTPS.
packages=(libsqlite3-dev zlib1g-dev pkg-config git ca-certificates)
# What the tests do without where the distribution has no such package.
optional=()
libraries=(sqlite3 zlib)
mac_libraries=()

# The server hashes passwords with libsodium and speaks to PostgreSQL through libpq.
with_server() {
  packages+=(libsodium-dev libpq-dev)
  libraries+=(libsodium libpq)
  mac_libraries+=(libsodium libpq)
}

case $purpose in
  demo) with_server ;;
  # SQLite of the two stores is measured; libpq and libsecret are behind traits that the benchmarks leave off.
  bench) packages+=(curl valgrind gcc) ;;
  attack)
    with_server
    # A C compiler makes the library that moves a server's clock.
    packages+=(python3 gcc libc6-dev)
    ;;
  cluster)
    with_server
    # A network namespace is made with util-linux and iproute2, packets are lost with nftables; Patroni fails over on etcd.
    packages+=(postgresql util-linux iproute2 nftables patroni etcd-server)
    ;;
  interop)
    with_server
    # What else is there is tried; what is not is skipped with a message.
    packages+=(python3)
    ;;
  deb)
    with_server
    packages+=(dpkg-dev binutils python3)
    ;;
  packages)
    with_server
    # lintian and skopeo look at the results; without them the rest is looked at.
    packages+=(dpkg-dev binutils python3 debootstrap bubblewrap util-linux curl lintian skopeo)
    ;;
  bench-server)
    with_server
    packages+=(python3 wrk nginx-light)
    ;;
  bench-database)
    with_server
    packages+=(python3 wrk postgresql pgbouncer)
    ;;
  test)
    with_server
    # libsecret is compiled against by the store of that name, libpq by PostgreSQLStore as well. The tests start a PostgreSQL and a keyring
    # (gnome-keyring on a D-Bus) of their own, and an nginx and an Apache httpd to stand before and behind ours, with curl
    # to ask them. Chromium, with a font that has Arabic letters, looks at pages. Clients in Python that others wrote, and the package
    # that carries axe-core, are installed into the build folder, once, where a package registry can be reached. publicsuffix is the list of domains
    # that no cookie may be set for; without it the server-independent rules still hold. prometheus has promtool, too. A network namespace is
    # made with iproute2, and packets are lost in it with nftables. glewlwyd is an OpenID server that others wrote, whose keys openssl makes.
    packages+=(libsecret-1-dev publicsuffix postgresql dbus-bin dbus-daemon gnome-keyring util-linux iproute2 nftables
      pgbouncer nginx-light apache2-bin curl python3-venv chromium fonts-dejavu-core prometheus openssl)
    optional+=(glewlwyd)
    libraries+=(libsecret-1)
    ;;
  *) fail "usage: Scripts/deps.sh [demo|test|attack|cluster|interop|bench|bench-server|bench-database|deb|packages]" ;;
esac

check_swift() {
  command -v "${swift[0]}" >/dev/null || fail "there is no ${swift[0]}. Install Swift 6.3: https://www.swift.org/install"
  local version
  version=$("${swift[@]}" --version 2>&1 |
    awk 'match($0, /Swift version [0-9]+\.[0-9]+/) && !found++ { print substr($0, RSTART + 14, RLENGTH - 14) }')
  local major=${version%%.*} minor=${version##*.}
  if [ -z "$version" ]; then fail "'${swift[*]} --version' names no version"; fi
  if [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
    fail "Swift $version is too old. Ostiary needs 6.2 and is tested with 6.3: https://www.swift.org/install"
  fi
}

# without_services [SUDO]: keeps what is installed from starting its system services: the tests start their own. Where the
# machine has a policy on that already, the policy stays as it is.
without_services() {
  local policy=/usr/sbin/policy-rc.d
  [ -e "$policy" ] && return 0
  printf '#!/bin/sh\nexit 101\n' | "$@" tee "$policy" >/dev/null
  "$@" chmod 755 "$policy"
  undo=("$@" rm -f "$policy")
  trap '"${undo[@]}"' EXIT
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# optional_ones: those that are not installed, and that the package lists have.
optional_ones() {
  local package
  for package in ${optional[@]+"${optional[@]}"}; do
    if ! is_installed "$package" && apt-cache show "$package" >/dev/null 2>&1; then printf '%s\n' "$package"; fi
  done
}

# install PACKAGE…: as root, from the package lists that there are.
install() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$logs/apt.log" 2>&1
}

check_debian() {
  local missing=() wanted=() package line
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  while IFS= read -r package; do wanted+=("$package"); done < <(optional_ones)
  [ $((${#missing[@]} + ${#wanted[@]})) -eq 0 ] && return 0
  line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      [ ${#missing[@]} -eq 0 ] && return 0
      fail "packages are missing. Run as root: $line"
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]} ${wanted[*]}"
  without_services ${as_root[@]+"${as_root[@]}"}
  # Array expansion of an empty array under `set -u` needs bash 4.4 or this spelling.
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get update -qq >"$logs/apt.log" 2>&1 ||
    say "apt-get update failed; trying with the package lists that are there"
  if [ ${#missing[@]} -gt 0 ]; then
    install "${missing[@]}" || {
      tail -n 20 "$logs/apt.log"
      fail "the packages could not be installed. Run as root: $line"
    }
  fi
  # Where there were no lists before, what they have. What can't be installed is done without.
  for package in $(optional_ones); do
    install "$package" || say "$package could not be installed; what needs it is skipped"
  done
}

check_mac() {
  [ ${#mac_libraries[@]} -eq 0 ] && return 0
  command -v pkg-config >/dev/null && pkg-config --exists "${mac_libraries[@]}" && return 0
  fail "one of ${mac_libraries[*]}, or pkg-config, is missing. Run: brew install ${mac_libraries[*]} pkg-config, and add libpq, if it is one of them, to PKG_CONFIG_PATH"
}

check_other() {
  command -v pkg-config >/dev/null || fail "pkg-config is missing. Install it, and the development files of ${libraries[*]}."
  local library
  for library in "${libraries[@]}"; do
    pkg-config --exists "$library" || fail "the development files of $library are missing"
  done
}

mkdir -p "$logs"
check_swift
if [ "$(uname)" = Darwin ]; then
  check_mac
elif is_debian; then
  check_debian
else
  check_other
fi
