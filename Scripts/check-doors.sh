#!/usr/bin/env bash
# A door is removed by deleting its folder and one line of the composition, in the server and in the command: type-checks the
# sources of both without the doors that are named (Newzulu and Primer, if none is), the command's beside a server that lacks
# them. Both have to have been built; nothing of them is built here.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ $# -gt 0 ] || set -- Newzulu Primer
scratch=$(scratch_of server)
[ -e "$scratch/debug/Modules/OstiaryClientCommand.swiftmodule" ] || fail "build the server first: make test-server"
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
read -r -a compiler <<<"${SWIFTC:-${swift[*]}c}"

# As SwiftPM compiles it.
flags=(-parse-as-library -swift-version 6 -package-name server
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault)
while IFS= read -r map; do flags+=(-Xcc "-fmodule-map-file=$map"); done < <(clang_maps "$scratch")
for flag in $(pkg-config --cflags-only-I libsodium libpq); do flags+=(-Xcc "$flag"); done

flags+=(-I "$scratch/debug/Modules")

# without MODULE COMPOSITION DOOR…: type-checks a module's sources without the doors' folders and without their lines of the
# composition.
without() {
  local module=$1 composition=Server/Sources/$1/$2 source sources=() door pattern removed
  shift 2
  for door in "$@"; do
    [ -d "Server/Sources/$module/Doors/$door" ] || fail "$module has no door $door"
  done
  pattern="/Doors/($(IFS='|'; printf '%s' "$*"))/"
  while IFS= read -r source; do
    [ "$source" = "$composition" ] || sources+=("$source")
  done < <(files "Server/Sources/$module/*.swift" | grep -vE "$pattern")
  while IFS= read -r source; do
    [[ $source =~ $pattern ]] || sources+=("$source")
  done < <(find "$scratch/debug/$module.build/DerivedSources" -name '*.swift' 2>/dev/null)

  local rest
  rest=$copy/$module-$(basename "$composition")
  grep -vE "\\b($(IFS='|'; printf '%s' "$*"))" "$composition" >"$rest"
  removed=$(($(wc -l <"$composition") - $(wc -l <"$rest")))
  [ "$removed" -eq $# ] || fail "$removed lines of $composition name $# doors: one each"

  # As one: a compiler for each file, the default, would read all the others as often as there are files.
  "${compiler[@]}" -whole-module-optimization -emit-module -emit-module-path "$copy/$module.swiftmodule" \
    -module-name "$module" "${flags[@]}" "${sources[@]}" "$rest"

  # It proves something only if the doors are really gone: with their lines it has to fail, for that reason.
  if "${compiler[@]}" -frontend -typecheck -module-name "$module" "${flags[@]}" -primary-file "$composition" \
    "${sources[@]}" >"$copy/answer" 2>&1 || ! grep -qE "error: cannot find (type )?'$1[A-Za-z]+' in scope" "$copy/answer"; then
    cat "$copy/answer"
    fail "the line of a door that is not there was not noticed in $composition"
  fi
  say "$module is well formed without: $*"
}

without OstiaryServer Application/HouseDoors.swift "$@"
# The command is read beside that server, and not beside the one that was built.
flags=(-I "$copy" "${flags[@]}")
without OstiaryServerCommand Composition/CommandDoors.swift "$@"
