#!/usr/bin/env bash
# check-image.sh [PACKAGE]: makes the image of image.sh twice, unpacks it, checks every digest in it, and starts it with bubblewrap as a
# container would be: its root read-only, a user that is not root and has no capability, a folder for the data. Then it asks /readyz of the
# listener for operations and the pages of the server, and stops it with SIGTERM. skopeo reads the image, too, where it is installed.
# PACKAGE is as for image.sh. Skipped with a message where bubblewrap is absent or may make no namespaces. Half a minute.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/packaging.sh"

skip() {
  say "image: not looked at: $*"
  exit 0
}
[ "$(uname)" = Linux ] && [ -e /etc/debian_version ] || skip "this is no Debian"
command -v bwrap >/dev/null || skip "bubblewrap is not installed"
# A container of root's would be root for the machine's files; so root becomes a user first.
as_user=()
if [ "$(id -u)" = 0 ]; then as_user=(setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs); fi
"${as_user[@]}" bwrap --unshare-user --ro-bind / / true 2>/dev/null || skip "bubblewrap may make no namespaces here"

needs curl=curl
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work"
package=${1:-}
if [ -z "$package" ]; then package=$(Scripts/deb.sh | tail -n 1); fi
export IMAGE_CACHE=${IMAGE_CACHE:-$packages/image}
image=$(PACKAGES=$work/first Scripts/image.sh "$package" | tail -n 1)
again=$(PACKAGES=$work/second Scripts/image.sh "$package" | tail -n 1)
cmp "$image" "$again" || fail "image: two runs make other bytes"
digest=$(python3 Scripts/oci.py unpack "$image" "$work")
if command -v skopeo >/dev/null; then
  [ "$(skopeo inspect --format '{{.Digest}}' "oci-archive:$image")" = "$digest" ] || fail "image: skopeo reads another digest"
  for kind in oci docker; do
    skopeo --insecure-policy copy --quiet "$kind-archive:$image" "dir:$work/$kind" || fail "image: skopeo does not read it as $kind-archive"
  done
  [ "$(skopeo inspect --config --format '{{.Config.User}}' "docker-archive:$image")" = 10001:10001 ] ||
    fail "image: skopeo reads another user"
  say "image: skopeo reads it"
fi

# setting NAME: of the image's configuration, a line each.
setting() {
  python3 -c 'import json, sys
value = json.load(open(sys.argv[1]))["config"][sys.argv[2]]
print(value if isinstance(value, str) else "\n".join(value))' "$work/config.json" "$1"
}
[ "$(setting User)" = 10001:10001 ] || fail "image: it runs as $(setting User)"
mapfile -t run < <(setting Entrypoint; setting Cmd)
variables=()
while IFS='=' read -r name value; do variables+=(--setenv "$name" "$value"); done < <(setting Env)
for program in bin/sh bin/bash usr/bin/perl usr/bin/apt usr/bin/dpkg; do
  [ ! -e "$work/rootfs/$program" ] || fail "image: it has $program"
done
[ -z "$(find "$work/rootfs" -perm /6000)" ] || fail "image: a program has rights of its owner's"

mkdir "$work/data"
[ "$(id -u)" != 0 ] || chown 10001:10001 "$work/data"
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
clients=$(port)
operations=$(port)
# contain ARGUMENT…: as a container with a read-only root, in place of this shell.
contain() {
  exec "${as_user[@]}" bwrap --unshare-user --uid 10001 --gid 10001 --unshare-pid --unshare-ipc --unshare-uts --cap-drop ALL --die-with-parent \
    --new-session --as-pid-1 --ro-bind "$work/rootfs" / --proc /proc --dev /dev --tmpfs /tmp --tmpfs /run --bind "$work/data" /var/lib/ostiary \
    --clearenv "${variables[@]}" --info-fd 9 -- "$@" 9>"$work/info"
}
(contain "${run[@]}" --port "$clients" --operations "127.0.0.1:$operations") >"$work/server.log" 2>&1 &
server=$!
broken() {
  cat "$work/server.log" >&2
  fail "image: $*"
}
code() { curl -s -o /dev/null -w '%{http_code}' "$1" || true; }
for _ in $(seq 300); do
  kill -0 "$server" 2>/dev/null || broken "the server has ended"
  [ "$(code "http://127.0.0.1:$operations/readyz")" != 200 ] || break
  sleep 0.1
done
[ "$(code "http://127.0.0.1:$operations/readyz")" = 200 ] || broken "it does not get ready: $(curl -s "http://127.0.0.1:$operations/readyz")"
[ "$(code "http://127.0.0.1:$clients/account")" = 200 ] || broken "its pages are not there"
process=$(sed -nE 's/.*"child-pid": *([0-9]+).*/\1/p' "$work/info")
status() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$process/status"; }
[ "$(status CapEff)$(status CapPrm)$(status CapBnd)" = "$(printf '0%.0s' {1..48})" ] || broken "it has capabilities: $(status CapEff)"
[ "$(status NoNewPrivs)" = 1 ] || broken "it could get privileges"
[ "$(status Uid)" != 0 ] || broken "it is root"
grep -qE '^[0-9]+ [0-9]+ [^ ]+ [^ ]+ / ro' "/proc/$process/mountinfo" || broken "its root is not read-only"
# A command in the container, as `docker exec` runs one.
printf 'a long enough password\n' | (contain ostiary user add ann --password-stdin) >"$work/user.log" 2>&1 || {
  cat "$work/user.log" >&2
  fail "image: no user could be added"
}
[ -s "$work/data/server/ostiary.sqlite" ] || broken "its data is not in the folder"
kill -TERM "$process"
# A stop waits 10 seconds for requests, of which there are none.
for _ in $(seq 200); do
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
kill -KILL "$server" 2>/dev/null || true
result=0
wait "$server" || result=$?
server=
[ "$result" -eq 0 ] || broken "it ended with $result"
say "image: $digest, $(stat -c %s "$image") bytes, $(du -sm "$work/rootfs" | cut -f1) MiB unpacked"
