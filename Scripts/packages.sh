#!/usr/bin/env bash
# packages.sh [COMMAND]: makes the Debian package and the image, and tries both (check-deb.sh, check-image.sh). COMMAND is as for deb.sh;
# without it a release build is made first. It is for before a release: too slow for every run of the tests. Some minutes, and ten more for
# the build.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/packaging.sh"

release_command "${1:-}"
package=$(Scripts/deb.sh "$command" | tail -n 1)
image=$(Scripts/image.sh "$package" | tail -n 1)
Scripts/check-deb.sh "$command"
Scripts/check-image.sh "$package"
(cd "$packages" && sha256sum "$(basename "$package")" "$(basename "$image")") | tee "$packages/SHA256SUMS"
