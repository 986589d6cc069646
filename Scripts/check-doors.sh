#!/usr/bin/env bash
# A door is removed by deleting its folder and one line of the composition: type-checks the server's sources without the doors
# that are named (Newzulu and Primer, if none is). The server has to have been built; nothing of it is built here.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -gt 0 ] || set -- Newzulu Primer
module=Server/Sources/OstiaryServer
composition=$module/Application/HouseDoors.swift
scratch=$(scratch_of server)
[ -e "$scratch/debug/Modules/OstiaryCore.swiftmodule" ] || fail "build the server first: make test-server"
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
read -r -a compiler <<<"${SWIFTC:-${swift[*]}c}"

# As SwiftPM compiles it.
flags=(-module-name OstiaryServer -parse-as-library -swift-version 6 -package-name server
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -I "$scratch/debug/Modules")
# The modules that are C are found by their maps.
while IFS= read -r map; do
  flags+=(-Xcc "-fmodule-map-file=$map")
done < <(
  find "$scratch/debug/" -name module.modulemap -path '*.build/*' -not -path '*-tool.build/*' 2>/dev/null
  find "$scratch/checkouts" -name module.modulemap -path '*/Sources/*/include/*' 2>/dev/null
  find "$scratch/checkouts" -name module.modulemap -path '*/Sources/*SQLite/*' 2>/dev/null
  find "$root/Server/Sources" -name module.modulemap
)
for flag in $(pkg-config --cflags-only-I libsodium); do flags+=(-Xcc "$flag"); done

pattern="/Doors/($(IFS='|'; printf '%s' "$*"))/"
for door in "$@"; do
  [ -d "$module/Doors/$door" ] || fail "there is no door $door"
done
sources=()
while IFS= read -r source; do
  [ "$source" = "$composition" ] || sources+=("$source")
done < <(files "$module/*.swift" | grep -vE "$pattern")
while IFS= read -r source; do
  [[ $source =~ $pattern ]] || sources+=("$source")
done < <(find "$scratch/debug/OstiaryServer.build/DerivedSources" -name '*.swift' 2>/dev/null)

names="\\b($(IFS='|'; printf '%s' "$*"))"
grep -vE "$names" "$composition" >"$copy/HouseDoors.swift"
removed=$(($(wc -l <"$composition") - $(wc -l <"$copy/HouseDoors.swift")))
[ "$removed" -eq $# ] || fail "$removed lines of $composition name $# doors: one each"

"${compiler[@]}" -typecheck "${flags[@]}" "${sources[@]}" "$copy/HouseDoors.swift"

# It proves something only if the doors are really gone: with their lines it has to fail, for that reason.
if "${compiler[@]}" -frontend -typecheck "${flags[@]}" -primary-file "$composition" "${sources[@]}" \
  >"$copy/answer" 2>&1 || ! grep -q "error: cannot find '$1Module' in scope" "$copy/answer"; then
  cat "$copy/answer"
  fail "the line of a door that is not there was not noticed"
fi
say "the server is well formed without: $*"
