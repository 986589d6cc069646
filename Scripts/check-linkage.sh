#!/usr/bin/env bash
# Proves that OstiaryCore links no network library, neither NIO nor libcurl (which FoundationNetworking brings), and nothing
# that only sealing needs. PRODUCT=… looks at another product instead; OstiaryURLSession fails, as it must.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$root/Scripts/consumer.sh"

product=${PRODUCT:-OstiaryCore}
products=(OstiaryCore)
[ "$product" = OstiaryCore ] || products+=("$product")
folder=$(make_consumer linkage "${products[@]}")
build=("${swift[@]}" build "${debug_flags[@]}" --package-path "$folder/package" --scratch-path "$folder/build")
"${build[@]}"
binary=$("${build[@]}" --show-bin-path)/consumer
"$binary" >/dev/null

if command -v ldd >/dev/null; then
  libraries=$(ldd "$binary")
else
  libraries=$(otool -L "$binary")
fi
if grep -E -i 'curl|FoundationNetworking' <<<"$libraries"; then fail "$product links a network library"; fi
grep -q Foundation <<<"$libraries" || fail "the list of linked libraries is not what was expected: $libraries"

# NIO would be linked statically, so look at the symbols. Those of the core must be there for the answer to mean anything.
symbols=$(nm "$binary")
grep -q 11OstiaryCore <<<"$symbols" || fail "the symbols of OstiaryCore were not found"
if grep -E -m 1 '7NIOCore|8NIOPosix|15AsyncHTTPClient|c_nio_' <<<"$symbols"; then fail "$product links NIO"; fi
# What seals sessions, and the C library's scrypt with it, is for programs that import OstiarySealing.
if [ "$product" = OstiaryCore ] && grep -E -m 1 '14OstiarySealing|12CryptoExtras|11OstiaryHTML' <<<"$symbols"; then
  fail "$product links what only other modules need"
fi
say "$product links no network library"
