#!/usr/bin/env bash
# Type-checks, where there is no Apple SDK, the files that need Apple's Security, LocalAuthentication and
# AuthenticationServices, against stubs of these modules (AppleStubs/), and what rests on them. The SDK has to have been
# built; nothing of it is built here. On a Mac the build does it.
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

for module in Security LocalAuthentication AuthenticationServices; do
  "${compiler[@]}" -emit-module -module-name "$module" -parse-as-library -swift-version 6 \
    -emit-module-path "$stubs/$module.swiftmodule" "AppleStubs/Sources/$module"/*.swift
done

# What each module is compiled with. As SwiftPM calls the package, by its folder: what is `package` in the core is visible
# only so.
flags=(-parse-as-library -swift-version 6 -warnings-as-errors
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
  -package-name "$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)"
  -I "$stubs" -I "$modules")
# The modules that are C are found by their maps.
while IFS= read -r map; do
  flags+=(-Xcc "-fmodule-map-file=$map")
done < <(
  find "$scratch/debug/" -name module.modulemap -path '*.build/*' 2>/dev/null
  find "$scratch/checkouts" -name module.modulemap -path '*/Sources/*/include/*' 2>/dev/null
)

# check MODULE FOLDER [THIN CALL]…: everything that is portable, and the thin files. The traits are off, so the other stores are
# empty. What the module looks like on Apple's platforms is then there for the modules above it.
check() {
  local module=$1 folder=$2 thin call source sources=() others=()
  shift 2
  while IFS= read -r source; do sources+=("$source"); done < <(files "$folder/*.swift")
  "${compiler[@]}" "${flags[@]}" -module-name "$module" -typecheck "${sources[@]}"
  "${compiler[@]}" "${flags[@]}" -module-name "$module" -emit-module -emit-module-path "$stubs/$module.swiftmodule" \
    "${sources[@]}"

  # It proves something only if the thin files were looked at: with a call that is not there it has to fail, for that reason.
  # Of the others, no more is looked at than that file needs.
  while [ $# -gt 0 ]; do
    thin=$1 call=$2 others=()
    shift 2
    sed "s/$call/${call}Broken/" "$folder/$thin" >"$stubs/Broken.swift"
    if cmp -s "$folder/$thin" "$stubs/Broken.swift"; then fail "$thin does not call $call any more"; fi
    for source in "${sources[@]}"; do
      case $source in */"$thin") ;; *) others+=("$source") ;; esac
    done
    if "${compiler[@]}" -frontend -typecheck "${flags[@]}" -module-name "$module" -primary-file "$stubs/Broken.swift" \
      "${others[@]}" >"$stubs/answer" 2>&1 || ! grep -q "error: .*${call##*.}Broken" "$stubs/answer"; then
      cat "$stubs/answer"
      fail "a mistake in $thin of $module was not noticed: was it left out?"
    fi
  done
}

check OstiaryStores Sources/OstiaryStores Keychain/KeychainAccess+Apple.swift SecItemDelete
check NewzuluCore Sources/Compatibility/NewzuluCore KeychainStore+Apple.swift OstiaryStores.KeychainStore
check OstiaryOAuth Sources/OstiaryOAuth UserAgent/WebAuthenticationUserAgent+Apple.swift presentationContextProvider
# Rests on OstiaryOAuth, and has to be the same for whoever sees both.
check OstiarySalesforce Sources/OstiarySalesforce
check SalesforceSDKCore Sources/Compatibility/SalesforceSDKCore \
  Manager/SFEnvironment+Apple.swift OstiaryStores.KeychainStore \
  Manager/SFUserAccountManager+Apple.swift WebAuthenticationUserAgent
check ServiceCore Sources/Compatibility/ServiceCore
say "the files for Apple's Security, AuthenticationServices and LocalAuthentication are well formed"
