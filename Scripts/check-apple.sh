#!/usr/bin/env bash
# Type-checks, where there is no Apple SDK, what only Apple's platforms have, against stubs (AppleStubs/): every file behind
# canImport(UIKit), WebKit, SwiftUI, Security, LocalAuthentication, AuthenticationServices or CryptoKit, and URLSession's transport with Apple's
# Foundation. It prints what it has checked. The SDK has to have been built; nothing of it is built here. On a Mac the build does it.
#
# What it can't check: that the stubs say what Apple's modules say, whether a declaration is there in the oldest version that the package is
# for, which of a protocol's optional methods Apple's runtime finds, other platforms than iOS (os(tvOS) and the like are false here),
# the system calls behind canImport(Darwin), and anything that happens at run time.
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

# stub MODULE [FOLDER]: makes the stub of one of Apple's modules.
stub() {
  local folder=${2:-$stubs}
  mkdir -p "$folder"
  "${compiler[@]}" -emit-module -module-name "$1" -parse-as-library -swift-version 6 -I "$stubs" \
    -emit-module-path "$folder/$1.swiftmodule" "AppleStubs/Sources/$1"/*.swift
}
# Each uses only those before it. Darwin is apart: only modules that call nothing of the system may see it.
for module in AppleFoundation Security LocalAuthentication AuthenticationServices CryptoKit UIKit WebKit SwiftUI; do stub "$module"; done
stub Darwin "$stubs/darwin"

# What each module is compiled with. As SwiftPM calls the package, by its folder: what is `package` in the core is visible
# only so.
flags=(-parse-as-library -swift-version 6 -warnings-as-errors
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
  -package-name "$(basename "$root" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9\n' _)"
  -I "$stubs" -I "$modules")
while IFS= read -r map; do flags+=(-Xcc "-fmodule-map-file=$map"); done < <(clang_maps "$scratch")

broken=()

# as_on_apple FILE: a copy that reads the stub of Apple's Foundation and finds no FoundationNetworking, line by line the same.
as_on_apple() {
  local copy=$stubs/sources/$1
  mkdir -p "$(dirname "$copy")"
  sed -E 's/(^ *([a-z@]+ )?import )Foundation$/\1AppleFoundation/; s/canImport\(FoundationNetworking\)/canImport(AbsentModule)/g' \
    "$1" >"$copy"
  printf '%s\n' "$copy"
}

# check [--darwin] FOLDER [THIN CALL]…: everything that is portable, and the thin files. The traits are off, so the other stores are
# empty. What the module looks like on Apple's platforms is then there for the modules above it.
check() {
  local darwin=() folder module thin call source sources=() others
  if [ "$1" = --darwin ]; then
    darwin=(-I "$stubs/darwin")
    shift
  fi
  folder=$1 module=$(basename "$1")
  shift
  while IFS= read -r source; do sources+=("$(as_on_apple "$source")"); done < <(files "$folder/*.swift")
  "${compiler[@]}" "${flags[@]}" ${darwin[@]+"${darwin[@]}"} -module-name "$module" -emit-module -wmo \
    -emit-module-path "$stubs/$module.swiftmodule" "${sources[@]}"
  say "$module: ${#sources[@]} files as on Apple's platforms"

  # It proves something only if the thin files were looked at: with a call that is not there it has to fail, for that reason.
  # Of the others, no more is looked at than that file needs.
  while [ $# -gt 0 ]; do
    thin=$1 call=$2 others=()
    shift 2
    sed "s/$call/${call}Broken/" "$stubs/sources/$folder/$thin" >"$stubs/Broken.swift"
    if cmp -s "$stubs/sources/$folder/$thin" "$stubs/Broken.swift"; then fail "$thin does not call $call any more"; fi
    for source in "${sources[@]}"; do
      case $source in */"$thin") ;; *) others+=("$source") ;; esac
    done
    if "${compiler[@]}" -frontend -typecheck "${flags[@]}" ${darwin[@]+"${darwin[@]}"} -module-name "$module" \
      -primary-file "$stubs/Broken.swift" "${others[@]}" >"$stubs/answer" 2>&1 ||
      ! grep -q "error: .*${call##*.}Broken" "$stubs/answer"; then
      cat "$stubs/answer"
      fail "a mistake in $thin of $module was not noticed: was it left out?"
    fi
    broken+=("$folder/$thin")
    say "  $thin: $call, broken on purpose, was noticed"
  done
}

faces=Sources/Compatibility
check --darwin Sources/OstiaryURLSession URLSessionTransport.swift waitsForConnectivity \
  URLSessionTransportDelegate.swift CachedURLResponse URLSessionExchange.swift task.suspend
check Sources/OstiaryStores Keychain/KeychainAccess+Apple.swift SecItemDelete \
  Keychain/KeychainStore+Apple.swift SystemKeychain Keychain/KeychainImporter+Apple.swift SystemKeychain
check Sources/OstiaryJOSE
check Sources/OstiaryOAuth UserAgent/WebAuthenticationUserAgent+Apple.swift presentationContextProvider \
  DPoP/SecureEnclaveDPoPKeys+Apple.swift SecureEnclave.isAvailable
check --darwin Sources/Ostiary PlatformTransport.swift URLSessionTransport
check Sources/OstiaryExperiences Views/ExperienceView+Apple.swift accessibilityAddTraits \
  Views/FieldControlView+Apple.swift DatePicker Views/TextInput+Apple.swift textContentType \
  Views/ExperienceTheme+Apple.swift scrollContentBackground
# They rest on modules above, and have to be the same for a module that sees both.
check Sources/OstiarySalesforce
check Sources/OstiaryFacebook
check $faces/NewzuluCore KeychainStore+Apple.swift OstiaryStores.KeychainStore
check $faces/SalesforceSDKCore Manager/SFEnvironment+Apple.swift OstiaryStores.KeychainStore \
  Manager/SFUserAccountManager+Apple.swift WebAuthenticationUserAgent
check $faces/ServiceCore
check $faces/PMAuthentication
check $faces/PMBase PMSnapStartViewController+Apple.swift evaluateJavaScript
check $faces/Primer Service/PrimerService+Apple.swift presentingViewController \
  Service/PrimerService+Loading+Apple.swift connectedScenes Service/PrimerService.swift openOutside \
  Service/PrimerService+Experience.swift presentOnTop Experience/PMRExperienceController.swift UIViewController \
  Experience/PMRExperienceSettings.swift UIViewController
check $faces/IBMMobileFirstPlatformFoundation Requests/DelegateListener+Apple.swift delegate.urlSession

# A file that is only for Apple's platforms and is not named above would be looked at, but not known to be.
unknown=$(
  files 'Sources/*.swift' |
    xargs grep -lE '^ *#(if|elseif) (.*[^!(]|.*[^!]\()?canImport\((UIKit|WebKit|SwiftUI|Security|LocalAuthentication|AuthenticationServices|CryptoKit|ObjectiveC|AppKit)\)' |
    grep -vxF -f <(printf '%s\n' "${broken[@]}") || true
)
[ -z "$unknown" ] || fail "break these files on purpose, too: $unknown"
say "${#broken[@]} files for Apple's platforms are well formed"
