#!/usr/bin/env bash
# deb.sh [COMMAND]: makes the Debian package `ostiary` with Debian's own tools (dpkg-dev): the command, a unit of systemd, a configuration
# file, completions and a manual. COMMAND is a release build of `ostiary` that has Swift's runtime in it; without it one is built first,
# which takes ten minutes. Needs no root. Two runs with one program make the same bytes. Prints the package's path last.
#
# DEB_VERSION                 Debian's version (default: the command's; between releases with the commit's time)
# DEB_COMPRESSION             for dpkg-deb -z (default: 6)
# DEBFULLNAME, DEBEMAIL       who made it (default: the commit's author)
# CHECKOUTS                   where the packages are that it is built with, for their licences (default: a build folder's)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/packaging.sh"

needs dpkg-deb=dpkg dpkg-shlibdeps=dpkg-dev dpkg-gencontrol=dpkg-dev objdump=binutils python3=python3
release_command "${1:-}"
command=$(realpath "$command")
version=${DEB_VERSION:-$(debian_version)}
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-$(commit log -1 --format=%an)} <${DEBEMAIL:-$(commit log -1 --format=%ae)}>"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/debian/ostiary
from=Packaging/debian
mkdir -p "$tree/DEBIAN"

# put MODE FILE PLACE: PLACE is a folder if it ends with a slash.
put() { install -D -m "$1" "$2" "$tree$3$(if [[ $3 == */ ]]; then basename "$2"; fi)"; }
# shrink FILE: as Debian wants documents.
shrink() { gzip -9 -n "$tree$1"; }

put 755 "$command" /usr/bin/ostiary
put 644 "$from/ostiary.json" /etc/ostiary/

# The package's user is a lasting one, so that an administrator's commands can be it, too; the rest of the unit is the one that is tested.
unit=$tree/usr/lib/systemd/system/ostiary.service
mkdir -p "$(dirname "$unit")"
grep -q '^DynamicUser=yes$' Packaging/ostiary.service || fail "Packaging/ostiary.service has no line DynamicUser=yes"
{ cat "$from/unit-header"; sed -e '/^\[Unit\]$/,$!d' -e '/^DynamicUser=yes$/d' Packaging/ostiary.service; } >"$unit"
chmod 644 "$unit"

completions() { HOME=$work OSTIARY_HOME=$work/home "$command" --generate-completion-script "$1"; }
mkdir -p "$tree/usr/share/bash-completion/completions" "$tree/usr/share/zsh/vendor-completions" \
  "$tree/usr/share/fish/vendor_completions.d" "$tree/usr/share/man/man1" "$tree/usr/share/doc/ostiary"
completions bash | sed '1{/^#!/d}' >"$tree/usr/share/bash-completion/completions/ostiary"
completions zsh >"$tree/usr/share/zsh/vendor-completions/_ostiary"
completions fish >"$tree/usr/share/fish/vendor_completions.d/ostiary.fish"
HOME=$work OSTIARY_HOME=$work/home "$command" --experimental-dump-help |
  python3 Scripts/manual.py "$version" >"$tree/usr/share/man/man1/ostiary.1"
shrink /usr/share/man/man1/ostiary.1

documents=/usr/share/doc/ostiary
put 644 CHANGELOG.md "$documents/changelog"
shrink "$documents/changelog"
put 644 Packaging/ostiary.json "$documents/examples/"
put 644 "$from/README.Debian" "$documents/"
put 644 "$from/lintian-overrides" /usr/share/lintian/overrides/ostiary
checkouts=${CHECKOUTS:-}
for folder in "$(scratch_of server packages)" "$(scratch_of server)"; do
  [ -n "$checkouts" ] || [ ! -d "$folder/checkouts" ] || checkouts=$folder/checkouts
done
[ -d "$checkouts" ] || fail "the packages that ostiary is built with were not found; name their folder with CHECKOUTS"
{ cat "$from/copyright"; python3 Scripts/licences.py NOTICE "$checkouts"; } >"$tree$documents/copyright"
mkdir -p "$work/debian"
cat >"$work/debian/changelog" <<END
ostiary ($version) unstable; urgency=medium

  * Version $(source_version).
  * $documents/changelog.gz says what is new.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
put 644 "$work/debian/changelog" "$documents/changelog.Debian"
shrink "$documents/changelog.Debian"

for script in postinst prerm postrm; do put 755 "$from/$script" /DEBIAN/; done
put 644 "$from/templates" /DEBIAN/
printf '/etc/ostiary/ostiary.json\n' >"$tree/DEBIAN/conffiles"
# Nothing of this machine's umask, and of the folder's own time.
find "$tree" -type d -exec chmod 755 {} +
(cd "$tree" && find . -path ./DEBIAN -prune -o -type f ! -path './etc/*' -print | sed 's|^\./||' | sort | xargs md5sum) \
  >"$tree/DEBIAN/md5sums"

# Debian's own tools say what the program needs, and how large it is.
sed "s|@MAINTAINER@|$maintainer|" "$from/control" >"$work/debian/control"
(
  cd "$work"
  dpkg-shlibdeps -O "debian/ostiary/usr/bin/ostiary" >debian/substvars
  dpkg-gencontrol -postiary -Pdebian/ostiary -Tdebian/substvars -v"$version" >/dev/null
)

mkdir -p "$packages"
package=$packages/ostiary_${version}_$architecture.deb
# One thread: with more, xz divides what it packs by their number.
dpkg-deb --root-owner-group --threads-max=1 -Zxz "-z${DEB_COMPRESSION:-6}" --build "$tree" "$package.new" >/dev/null
mv "$package.new" "$package"
say "$package"
