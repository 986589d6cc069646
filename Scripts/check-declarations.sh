#!/usr/bin/env bash
# check-declarations.sh: every declaration of a vendor's (docs/declarations/*.txt, one a line) stands in the table of an article
#   Declarations.md, and every row of these tables names a test that exists, or says "left out: " and why.
#
# A table is `| Vendor's declaration | Here | Test |`. Declarations are in backquotes, several in a cell where they belong together. A test
# is the beginning of its name, or the name of its function or file, in backquotes; a cell without any is a name as a whole.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0
articles=$(files 'Sources/*/Declarations.md')
lists=$(files 'docs/declarations/*.txt')
[ -n "$articles" ] && [ -n "$lists" ] || fail "check-declarations: there is no list or no article; have they moved?"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# rows: article, line and the three cells of each row, between unit separators. `\|` is no end of a cell.
while IFS= read -r article; do
  awk -v article="$article" '
    /^\| *Vendor.s declaration *\|/ { inside = 1; next }
    !/^\|/ { inside = 0 }
    inside && !/^\|[-: |]*$/ {
      gsub(/\\\|/, "\001")
      count = split($0, cells, "|")
      for (i = 2; i <= 4; i++) { gsub(/^ +| +$/, "", cells[i]); gsub("\001", "|", cells[i]) }
      print article "\037" FNR "\037" cells[2] "\037" cells[3] "\037" (count > 4 ? cells[4] : "")
    }' "$article"
done <<<"$articles" >"$work/rows"
[ -s "$work/rows" ] || fail "check-declarations: the articles have no tables"

# quoted: what is in backquotes, one a line.
quoted() { grep -oE '`[^`]+`' | tr -d '`' || true; }

cut -d $'\037' -f 3 "$work/rows" | quoted | LC_ALL=C sort -u >"$work/shown"
while IFS= read -r list; do
  while IFS= read -r declaration; do
    if ! grep -qxF -- "$declaration" "$work/shown"; then
      say "declarations: $list has $declaration, which no table has"
      status=1
    fi
  done < <(sed 's/[ \t]*$//' "$list" | grep -vE '^(#|$)')
done <<<"$lists"

# What a test can be called: the lines of the tests, and the names of their files.
files 'Tests/*.swift' 'Server/Tests/*.swift' >"$work/files"
xargs cat <"$work/files" >"$work/tests"
sed 's/.*\///' "$work/files" >>"$work/tests"
while IFS=$'\037' read -r article line declaration here test; do
  if [[ $here == *"left out: "* || $test == *"left out: "* ]]; then continue; fi
  names=$(quoted <<<"$test")
  [ -n "$names" ] || names=$test
  if [ -z "${names// /}" ]; then
    say "declarations: $article:$line names no test, and does not say why it is left out: $declaration"
    status=1
    continue
  fi
  while IFS= read -r name; do
    if ! grep -qF -- "$name" "$work/tests"; then
      say "declarations: $article:$line names a test that is not there: $name"
      status=1
    fi
  done <<<"$names"
done <"$work/rows"

[ "$status" -eq 0 ] && say "declarations: $(wc -l <"$work/shown") in tables"
exit "$status"
