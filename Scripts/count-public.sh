#!/usr/bin/env bash
# count-public.sh: counts the public declarations of OstiaryCore and the targets split from it, and those of OstiaryServer, and
#   fails when they are more than agreed. `public` is what an app needs; the rest is `package` or internal.
#
# A declaration is `public` or `open` where it begins, after any attributes, on the same line or on lines before. Imports and
# extensions declare nothing. What has no `public` of its own is not counted: cases of enumerations and requirements of
# protocols. `public extension` would hide the members' own, so there must be none.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"


# declarations MODULE: each on a line, with its file and the number of the line.
declarations() {
  files "$1/*.swift" | while IFS= read -r file; do
    awk -v file="$file" '
      inLong { if (/"""/) inLong = 0; next }
      /^[ \t]*\/\// { next }
      /"""/ { if (gsub(/"""/, "&") % 2) inLong = 1 }
      {
        line = $0
        gsub(/"[^"]*"/, "", line)
        sub(/[ \t]*\/\/.*$/, "", line)
        while (gsub(/\([^()]*\)/, "", line)) continue
        sub(/^[ \t]*(\}[ \t]*)?/, "", line)
        # Attributes. Those that end on a later line leave ")" in front of the declaration.
        sub(/^\)[ \t]*/, "", line)
        while (line ~ /^@[A-Za-z_]+/) {
          sub(/^@[A-Za-z_]+[ \t]*/, "", line)
        }
        # Other modifiers may come first: `final public class`.
        while (line ~ /^(final|static|class|override|required|convenience|mutating|nonisolated|indirect|lazy|weak)[ \t]/ &&
          line ~ /[ \t](public|open)[ \t]/) sub(/^[a-z]+[ \t]+/, "", line)
        # Several on a line, such as members of a type that is on one line, count each.
        # `open` is the name of functions, too.
        count = gsub(/(^|[{;][ \t]*)(public|open[ \t]+(class|func|var|subscript|override))[ \t]/, "&", line)
        if (line ~ /^(public|open)[ \t]+(@[A-Za-z_]+[ \t]+)*import[ \t]/) next
        for (; count > 0; count--) print file ":" NR ": " line
      }' "$file"
  done
}

# count MOST FOLDER…: counts the declarations of modules that have a limit together.
count() {
  local most=$1 total=0 folder found hiding count
  shift
  for folder in "$@"; do
    found=$(declarations "$folder")
    [ -n "$found" ] || fail "count-public: $folder declares nothing public; has it moved?"
    hiding=$(grep -E ': (public|open) +extension ' <<<"$found" || true)
    [ -z "$hiding" ] || fail "count-public: write public at each member, not at its extension: $hiding"
    count=$(wc -l <<<"$found")
    total=$((total + count))
    say "count-public: $(basename "$folder") has $count"
  done
  say "count-public: $total of at most $most"
  [ "$total" -le "$most" ] ||
    fail "count-public: make package or internal what no app needs, or agree on another number in Scripts/count-public.sh"
}

count 581 Sources/OstiaryCore Sources/OstiarySystem Sources/OstiaryHTML Sources/OstiarySealing
count 182 Server/Sources/OstiaryServer
