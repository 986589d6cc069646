#!/usr/bin/env bash
# image.sh [PACKAGE]: makes an OCI image of the server, without Docker and without root: the package that deb.sh has made (PACKAGE; made first
# if it is left out) on what it needs of Debian, as apt on this machine gives it. The image has no shell, and runs as the user 10001. It is
# one tar with an OCI layout; two runs with the same packages make the same bytes. Prints its digest, and its path last.
#
# IMAGE_CACHE  where Debian's packages are kept that were fetched (default: .build-packages/image)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/packaging.sh"

needs apt-get=apt dpkg-deb=dpkg python3=python3
package=${1:-}
if [ -z "$package" ]; then package=$(Scripts/deb.sh | tee /dev/stderr | tail -n 1); fi
[ -f "$package" ] || fail "there is no package $package"
package=$(realpath "$package")
cache=${IMAGE_CACHE:-$packages/image}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What apt would install where nothing is installed yet. It looks into no folder of the system's but its lists, so it needs no root.
roots=(base-files ca-certificates libc6 tzdata)
mkdir -p "$cache/archives/partial" "$work/debs"
: >"$work/status"
from_nothing=(-o Dir::State::status="$work/status" -o Dir::Cache="$cache" -o Dir::Cache::archives="$cache/archives" -o Debug::NoLocking=1
  -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=0 -o Dir::State::extended_states="$work/extended")
apt-get "${from_nothing[@]}" -qq -y --download-only install "$package" "${roots[@]}" >"$work/log" 2>&1 || {
  tail -n 20 "$work/log" >&2
  fail "apt could not fetch the packages that the image needs (apt-get update?)"
}
# The archive may have older ones, too.
apt-get "${from_nothing[@]}" -s install "$package" "${roots[@]}" | sed -nE 's/^Inst ([^ ]+) \(([^ ]+) .*\[([a-z0-9]+)\].*$/\1_\2_\3/p' |
  grep -v '^ostiary_' | sed 's/:/%3a/g' | while read -r name; do
  [ -f "$cache/archives/$name.deb" ] || fail "apt has not fetched $name"
  ln -s "$cache/archives/$name.deb" "$work/debs/$name.deb"
done

mkdir -p "$packages"
version=$(dpkg-deb -f "$package" Version)
image=$packages/ostiary_${version}_$(dpkg-deb -f "$package" Architecture).oci.tar
python3 Scripts/oci.py write "$image.new" --deb "$package" --debs "$work/debs" --roots "${roots[@]}" \
  --configuration Packaging/image/ostiary.json --version "${version%-*}" --revision "$(commit rev-parse HEAD 2>/dev/null || echo unknown)"
mv "$image.new" "$image"
say "$image"
