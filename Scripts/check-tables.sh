#!/usr/bin/env bash
# Holds the tables of the documentation to the sources: docs/session-rows.md, and the states and inputs of the session's machine in
# the article about it. Tables that scripts make of CLDR and Unicode are held to these, where they are installed.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rows=docs/session-rows.md
article=Sources/OstiaryCore/Documentation.docc/TheSessionMachine.md
machine=Sources/OstiaryCore/Manager/Machine
status=0
complain() {
  say "tables: $*"
  status=1
}

sources=$(files 'Sources/*.swift' 'Server/Sources/*.swift')
tests=$(files 'Tests/*.swift' 'Server/Tests/*.swift')

# named LIST FILE: the files of the list with that name.
named() { awk -v name="$2" '{ file = $0; sub(/.*\//, "", file); if (file == name) print }' <<<"$1"; }

# contains TEXT LIST: whether a file of the list contains the text.
contains() {
  local file
  while IFS= read -r file; do
    if [ -n "$file" ] && grep -qF -- "$1" "$file"; then return 0; fi
  done <<<"$2"
  return 1
}

# The rows of the findings, whose tests carry their ids, and those that were found since.
for row in $(seq -f 'A%02g' 1 38) $(sed -n 's/^| \(L[0-9]*\) |.*/\1/p' "$rows"); do
  line=$(grep -E "^\| $row \|" "$rows" || true)
  if [ -z "$line" ]; then
    complain "$rows has no row $row"
    continue
  fi
  IFS='|' read -r _ _ _ where _ test _ <<<"$line"
  IFS='`' read -r _ source _ symbol _ <<<"$where"
  IFS='`' read -r _ test _ <<<"$test"
  found=$(named "$sources" "$source")
  if [ -z "$found" ]; then
    complain "$row: there is no source $source"
  elif ! contains "$symbol" "$found"; then
    complain "$row: $source does not contain $symbol"
  fi
  found=$(named "$tests" "$test")
  if [ -z "$found" ]; then
    complain "$row: there is no test file $test"
  elif [[ $row == A* ]] && ! contains "\"Bug-$row:" "$found"; then
    complain "$row: $test has no test whose name begins with Bug-$row"
  fi
done

# cases FILE ENUM: the names of an enum's cases, of the enum that begins a line with that name up to the line that ends it.
cases() {
  awk -v name="$2" '
    $0 ~ "^enum " name "[<:]" { inside = 1; next }
    inside && /^}/ { inside = 0 }
    inside && /^  case \./ { next }
    inside && /^  case / {
      line = $0
      sub(/^  case /, "", line)
      sub(/ *\/\/.*/, "", line)
      while (gsub(/\([^()]*\)/, "", line)) { }
      count = split(line, names, /, */)
      for (i = 1; i <= count; i++) if (names[i] ~ /^[a-z][A-Za-z]*$/) print names[i]
    }' "$machine/$1"
}

# compare TITLE CASES: the first column of the article's table with that heading names exactly these.
compare() {
  local title=$1 wanted=$2 shown name
  shown=$(awk -v title="$title" '
    /^#/ { inside = ($0 == title) }
    inside && /^\| `/ { split($0, cells, "|"); print cells[2] }' "$article" | tr -d '` ' | tr ',' '\n' | LC_ALL=C sort -u)
  wanted=$(LC_ALL=C sort -u <<<"$wanted")
  [ -n "$wanted" ] || complain "no cases were found for \"$title\""
  while IFS= read -r name; do
    if [ -n "$name" ]; then complain "$article, \"$title\": $name is missing"; fi
  done < <(LC_ALL=C comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$shown"))
  while IFS= read -r name; do
    if [ -n "$name" ]; then complain "$article, \"$title\": there is no $name"; fi
  done < <(LC_ALL=C comm -13 <(printf '%s\n' "$wanted") <(printf '%s\n' "$shown"))
}

compare '## Session' "$(cases SessionState.swift SessionState)"
compare '## Work' "$(cases SessionWork.swift Stage)"
compare '## Writing' "$(cases SessionWriting.swift SessionWriting)"
compare '## Pause' "$(cases SessionWriting.swift SessionPause)"
compare '## Inputs' "$(cases SessionInput.swift SessionInput)"

for maker in Scripts/locales.py Scripts/unicode.py; do
  if command -v python3 >/dev/null; then python3 "$maker" --check || status=1; fi
done

exit "$status"
