# A small Debian in a folder, for checks of the package. To be sourced after packaging.sh; does nothing by itself.
#
# The mirror and its keys are those that apt on this machine has.
# shellcheck shell=bash

# mirrors: a line for each of Debian's archives that apt here knows: address, suite and component.
mirrors() {
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" && $4 == "main" && !seen[$0]++ { print $2, $3, $4 }'
}

# base_system FOLDER: sets `base` to an archive with Debian's smallest system, which is made once. Fails with 1 where it can't be.
base_system() {
  local first suite address
  first=$(mirrors | head -n 1)
  [ -n "$first" ] || return 1
  read -r address suite _ <<<"$first"
  base=$1/base-$suite-$(dpkg --print-architecture).tar
  [ ! -e "$base" ] || return 0
  mkdir -p "$1"
  local root=$1/making log=$1/debootstrap.log
  rm -rf "$root"
  if ! http_proxy=$(apt-config shell proxy Acquire::http::Proxy | sed -n "s/^proxy='\(.*\)'$/\1/p") \
    debootstrap --variant=minbase "$suite" "$root" "$address" >"$log" 2>&1; then
    rm -rf "$root"
    return 1
  fi
  mirrors | sed 's/^/deb /' >"$root/etc/apt/sources.list"
  # Nothing is started by an installation here.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  tar -C "$root" -cf "$base.new" .
  mv "$base.new" "$base"
  rm -rf "$root"
}
