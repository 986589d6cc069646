#!/usr/bin/env bash
# Proves that an app with `traits: []` downloads swift-http-types, swift-log, swift-crypto and what that brings
# (swift-asn1), whichever of the SDK's products it uses; and that a trait brings what it needs and nothing else.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/consumer.sh"

read -r -a products <<<"$(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' "$root/Package.swift" | xargs)"
[ "${#products[@]}" -gt 0 ] || fail "no product was found in Package.swift"

# expect TRAITS IDENTITY…: what is resolved with these traits, in order.
expect() {
  local traits=$1 folder resolved
  shift
  folder=$(TRAITS=$traits make_consumer dependencies "${products[@]}")
  rm -f "$folder/package/Package.resolved"
  "${swift[@]}" package --package-path "$folder/package" --scratch-path "$folder/build" resolve
  resolved=$(sed -n 's/.*"identity" : "\([^"]*\)".*/\1/p' "$folder/package/Package.resolved" | sort | xargs)
  say "traits: [$traits] resolves $resolved"
  [ "$resolved" = "$*" ] || fail "an app with traits: [$traits] should resolve: $*"
}

least=(swift-asn1 swift-crypto swift-http-types swift-log)
expect '' "${least[@]}"
expect '"SQLite"' grdb.swift "${least[@]}"
# libpq and libsecret are the system's.
expect '"PostgreSQL", "SecretService"' "${least[@]}"

# Without their traits, the stores compile where none of these libraries is installed: no package's description can be
# found here, and a header that was wanted all the same would be missed. Beside what check-linkage.sh has built.
folder=$(make_consumer linkage OstiaryCore OstiaryStores)
mkdir -p "$folder/nothing"
log=$folder/build.log
PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$folder/nothing \
  "${swift[@]}" build "${debug_flags[@]}" --package-path "$folder/package" --scratch-path "$folder/build" 2>&1 | tee "$log"
if grep -E 'libpq|libsecret|CPQ|CLibSecret|CSecretService' "$log"; then
  fail "a store whose trait is off is built or looked for"
fi
