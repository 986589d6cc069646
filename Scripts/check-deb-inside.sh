#!/usr/bin/env bash
# The part of check-deb.sh that runs in the small Debian, as its root: installs, runs, upgrades, removes and purges the package.
# It changes the system that it runs in: never to be run anywhere else.
set -euo pipefail

[ -e /first.deb ] && [ -e /newer.deb ] || { echo "this is no system of check-deb.sh" >&2; exit 1; }
server=
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true' EXIT

held() { echo "held: $*"; }
broken() {
  echo "broken: $*"
  exit 1
}
# holds WHAT COMMAND…
holds() {
  local what=$1
  shift
  "$@" || broken "$what"
  held "$what"
}
is() { [ "$2" = "$3" ] || broken "$1 is '$2', not '$3'"; held "$1"; }
# owned PATH: its mode, owner and group.
owned() { stat -c '%a %U:%G' "$1"; }
status() {
  local found
  found=$(dpkg-query -W -f '${db:Status-Status}' ostiary 2>/dev/null) || true
  echo "${found:-not-installed}"
}
install() { apt-get install -y --no-install-recommends -o APT::Keep-Downloaded-Packages=true "$@"; }

apt-get update -qq || { echo 'no mirror'; exit 1; }
# As the tests ask the server.
install curl >/dev/null

# 1. Installed, with what it depends on.
install /first.deb
is "its state" "$(status)" installed
holds "nothing is half installed" test -z "$(dpkg --audit)"
holds "every library is there" bash -c '! ldd /usr/bin/ostiary | grep "not found"'
holds "its command says its version" ostiary --version
is "the settings" "$(owned /etc/ostiary/ostiary.json)" '644 root:root'
is "the key" "$(owned /etc/ostiary/ostiary.key)" '600 root:root'
is "the home of the user" "$(getent passwd ostiary | cut -d: -f6,7)" '/var/lib/ostiary:/usr/sbin/nologin'
holds "it is enabled" test -L /etc/systemd/system/multi-user.target.wants/ostiary.service
holds "the installed files are as they were packed" dpkg --verify ostiary
key=$(sha256sum </etc/ostiary/ostiary.key)

# Its start, as systemd would: the unit's command line, as its user, with the folders and the credential that the unit names.
unit=/usr/lib/systemd/system/ostiary.service
line=$(sed -n 's/^ExecStart=//p' "$unit")
is "the unit's user" "$(sed -n 's/^User=//p' "$unit")" ostiary
is "the unit's state" "$(sed -n 's/^StateDirectory=//p' "$unit")" ostiary
is "the unit's credential" "$(sed -n 's/^LoadCredential=//p' "$unit")" ostiary.key:/etc/ostiary/ostiary.key
as_user=(setpriv --reuid=ostiary --regid=ostiary --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i
  PATH=/usr/bin STATE_DIRECTORY=/var/lib/ostiary CREDENTIALS_DIRECTORY=/run/credentials LC_ALL=C.UTF-8 HOME=/var/lib/ostiary)
start() {
  command install -d -m 700 -o ostiary -g ostiary /var/lib/ostiary /run/ostiary /run/credentials
  command install -m 400 -o ostiary -g ostiary /etc/ostiary/ostiary.key /run/credentials/ostiary.key
  local words
  read -r -a words <<<"${line//\$\{STATE_DIRECTORY\}//var/lib/ostiary}"
  "${as_user[@]}" "${words[@]}" >/tmp/server.log 2>&1 &
  server=$!
  for _ in $(seq 300); do
    kill -0 "$server" 2>/dev/null || { cat /tmp/server.log; broken "the server has ended"; }
    if ready; then return; fi
    sleep 0.1
  done
  cat /tmp/server.log
  broken "the server did not get ready"
}
operations() { curl -sS --unix-socket /run/ostiary/operations "http://localhost$1"; }
ready() { [ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket /run/ostiary/operations http://localhost/readyz)" = 200 ]; }
stop() {
  kill -TERM "$server"
  local code=0
  wait "$server" || code=$?
  server=
  is "the end of the server" "$code" 0
}
has_user() { "${as_user[@]}" ostiary user list --data /var/lib/ostiary | grep "$1" >/dev/null; }
account() { curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$1/account"; }

start
held "ready, by the unit's command line"
operations /readyz
is "the pages of the server" "$(account 8080)" 200
printf 'a long enough password\n' | "${as_user[@]}" ostiary user add ann --data /var/lib/ostiary --password-stdin
holds "metrics" bash -c 'curl -sS --unix-socket /run/ostiary/operations http://localhost/metrics | grep -q ^ostiary_ready'
stop
is "the data" "$(owned /var/lib/ostiary)" '700 ostiary:ostiary'
holds "nothing is others'" test -z "$(find /var/lib/ostiary ! -user ostiary -o -type f -perm /077)"

# 2. Upgraded: what was changed stays, and the key and the data.
sed -i 's/8080/8099/' /etc/ostiary/ostiary.json
changed=$(sha256sum </etc/ostiary/ostiary.json)
old=$(dpkg-query -W -f '${Version}' ostiary)
install /newer.deb
holds "another version" test "$old" != "$(dpkg-query -W -f '${Version}' ostiary)"
is "the changed settings" "$(sha256sum </etc/ostiary/ostiary.json)" "$changed"
is "the same key" "$(sha256sum </etc/ostiary/ostiary.key)" "$key"
start
is "the pages at the changed port" "$(account 8099)" 200
holds "its user is still there" has_user ann
stop
# What postinst does can be done twice.
holds "configured once more" dpkg-reconfigure ostiary
is "the key after that" "$(sha256sum </etc/ostiary/ostiary.key)" "$key"

# 3. Removed: settings, key and data stay.
apt-get remove -y ostiary
is "its state after a removal" "$(status)" config-files
holds "the program is gone" test ! -e /usr/bin/ostiary
holds "settings, key and data stay" test -e /etc/ostiary/ostiary.json -a -e /etc/ostiary/ostiary.key -a -e /var/lib/ostiary/ostiary.sqlite

# 4. Purged: key and data stay, and are used again by another installation.
apt-get purge -y ostiary
is "its state after a purge" "$(status)" not-installed
is "what is left of the settings" "$(ls -A /etc/ostiary)" ostiary.key
holds "the data stays" test -s /var/lib/ostiary/ostiary.sqlite
left() {
  find / -xdev \( -name proc -o -name dpkg -o -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/ostiary \) -prune -o \
    -iname '*ostiary*' -print | sort | xargs
}
is "what is left elsewhere" "$(left)" '/etc/ostiary /etc/ostiary/ostiary.key'
holds "the user stays" getent passwd ostiary
install /newer.deb
is "the key of before" "$(sha256sum </etc/ostiary/ostiary.key)" "$key"
start
holds "the user of before" has_user ann
stop

# 5. Purged, and told that the data goes.
echo 'ostiary ostiary/purge-data boolean true' | debconf-set-selections
apt-get purge -y ostiary
holds "data and key are gone" test ! -e /var/lib/ostiary -a ! -e /etc/ostiary
is "what is left in the end" "$(left)" ''
holds "debconf knows nothing of it" bash -c '! debconf-show ostiary | grep -q purge-data'
apt-get autoremove -y >/dev/null
left_libraries() { dpkg-query -W -f '${Package} ${db:Status-Status}\n' libpq5 libsodium23 libsqlite3-0 2>/dev/null | awk '$2 == "installed" { print $1 }'; }
is "libraries that only it needed" "$(left_libraries)" ''
