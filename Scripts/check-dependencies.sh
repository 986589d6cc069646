#!/usr/bin/env bash
# Proves that an app with `traits: []` downloads swift-http-types, swift-log, swift-crypto and what that brings
# (swift-asn1), whichever of the SDK's products it uses.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/consumer.sh"

read -r -a products <<<"$(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' "$root/Package.swift" | xargs)"
[ "${#products[@]}" -gt 0 ] || fail "no product was found in Package.swift"
folder=$(make_consumer dependencies "${products[@]}")
rm -f "$folder/package/Package.resolved"
"${swift[@]}" package --package-path "$folder/package" --scratch-path "$folder/build" resolve

expected='swift-asn1 swift-crypto swift-http-types swift-log'
resolved=$(sed -n 's/.*"identity" : "\([^"]*\)".*/\1/p' "$folder/package/Package.resolved" | sort | xargs)
say "resolved: $resolved"
[ "$resolved" = "$expected" ] || fail "an app with traits: [] should resolve: $expected"
