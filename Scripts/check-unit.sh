#!/usr/bin/env bash
# Holds Packaging/ostiary.service to what systemd itself says of it: no complaint of `systemd-analyze verify`, and an exposure of 2.0 at
# most (`systemd-analyze security`, which knows no service that needs the network below that by much). Takes a second; skipped where
# systemd-analyze is not installed, or is older than what the unit needs. UNIT=… looks at another file.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

unit=${UNIT:-Packaging/ostiary.service}
most=20 # in tenths

if ! command -v systemd-analyze >/dev/null; then
  say "$unit: not looked at: systemd-analyze is not installed"
  exit 0
fi
version=$(systemd-analyze --version | awk 'NR == 1 { print $2 + 0 }')
if [ "$version" -lt 252 ]; then
  say "$unit: not looked at: systemd-analyze is of version $version, and 252 is needed"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The program need not be installed here; its place is all that is changed.
grep -q '^ExecStart=/usr/bin/ostiary serve ' "$unit" || fail "$unit does not start /usr/bin/ostiary serve"
sed "s|^ExecStart=/usr/bin/ostiary |ExecStart=$(command -v true) |" "$unit" >"$work/ostiary.service"

status=0
# Complaints about other units of this machine are not ours.
complaints=$(systemd-analyze verify --recursive-errors=no "$work/ostiary.service" 2>&1 || true)
if [ -n "$complaints" ]; then
  say "$unit: systemd-analyze verify:"
  printf '%s\n' "$complaints" | sed 's/^/  /'
  status=1
fi
if ! report=$(systemd-analyze security --offline=true --no-pager --threshold="$most" "$work/ostiary.service" 2>&1); then
  say "$unit: systemd-analyze security:"
  printf '%s\n' "$report" | grep -vE '^✓' | sed 's/^/  /'
  status=1
fi
[ "$status" -eq 0 ] && say "$unit: $(printf '%s\n' "$report" | sed -n 's/.*Overall exposure level for [^:]*: \([0-9.]*\).*/exposure \1/p')"
exit "$status"
