#!/usr/bin/env bash
# Type-checks, where there is no Apple SDK, the files that need Apple's Security and LocalAuthentication, against stubs of
# these modules (AppleStubs/). The SDK has to have been built; nothing of it is built here. On a Mac the build does it.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [ "$(uname)" = Darwin ]; then
  say "Apple's own modules are here: the build has checked it"
  exit 0
fi

scratch=$(scratch_of sdk)
modules=$scratch/debug/Modules
[ -e "$modules/OstiaryCore.swiftmodule" ] || fail "build the SDK first: make test-sdk"
stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
read -r -a compiler <<<"${SWIFTC:-${swift[*]}c}"

for module in Security LocalAuthentication; do
  "${compiler[@]}" -emit-module -module-name "$module" -parse-as-library -swift-version 6 \
    -emit-module-path "$stubs/$module.swiftmodule" "AppleStubs/Sources/$module"/*.swift
done

arguments=(-typecheck -parse-as-library -swift-version 6 -warnings-as-errors -module-name OstiaryStores
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
  # As SwiftPM calls the package: by its folder. What is `package` in the core is visible only so.
  -package-name "$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)"
  -I "$stubs" -I "$modules")
# The modules that are C are found by their maps.
while IFS= read -r map; do
  arguments+=(-Xcc "-fmodule-map-file=$map")
done < <(
  find "$scratch/debug/" -name module.modulemap -path '*.build/*' 2>/dev/null
  find "$scratch/checkouts" -name module.modulemap -path '*/Sources/*/include/*' 2>/dev/null
)

# Everything that is portable, and the thin files. The traits are off, so the other stores are empty.
IFS=$'\n' read -r -d '' -a sources < <(files 'Sources/OstiaryStores/*.swift') || true
"${compiler[@]}" "${arguments[@]}" "${sources[@]}"

# It proves something only if the thin files were looked at: with a call that is not there it has to fail.
broken=$stubs/Broken.swift
sed 's/SecItemDelete(/SecItemDestroy(/' Sources/OstiaryStores/Keychain/KeychainAccess+Apple.swift >"$broken"
rest=()
for source in "${sources[@]}"; do
  case $source in *KeychainAccess+Apple.swift) rest+=("$broken") ;; *) rest+=("$source") ;; esac
done
if "${compiler[@]}" "${arguments[@]}" "${rest[@]}" >/dev/null 2>&1; then
  fail "a mistake in the thin files was not noticed: were they left out?"
fi
say "the files for Apple's Security and LocalAuthentication are well formed"
