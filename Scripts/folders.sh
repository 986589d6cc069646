#!/usr/bin/env bash
# folders.sh: holds the arrows between the folders of each module of Sources/ and Server/Sources/ to the list in
#   Scripts/folders.txt. A folder has an arrow to another one when one of its files mentions what a file there declares
#   (Scripts/folders.awk). It fails for a circle, for an arrow that the list lacks, for one of the list that is gone, for an
#   arrow against the order in Scripts/folders-order.txt, and for a folder with too many files.
# folders.sh --write: makes the list what is there, unless there is a circle.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

list=Scripts/folders.txt
order=Scripts/folders-order.txt
[ -e "$list" ] || : >"$list"
status=0
IFS=$'\n' read -r -d '' -a sources < <(files 'Sources/*.swift') || true
IFS=$'\n' read -r -d '' -a server < <(files 'Server/Sources/*.swift') || true
[ ${#sources[@]} -gt 0 ] && [ ${#server[@]} -gt 0 ] || fail "there are no sources here; this works on a git checkout"
measure() { LC_ALL=C awk -v most=16 -f Scripts/folders.awk "$@"; }
# Each package by itself: a word is looked up among the members of all modules that are read together.
found=$({ measure "${sources[@]}" && measure "${server[@]}"; } | LC_ALL=C sort -u)

# chosen KIND: the lines of a kind, without the kind.
chosen() { sed -n "s/^$1 //p" <<<"$found"; }

# why MODULE FROM TO: the first names that make an arrow, and where.
why() {
  awk -v module="$1" -v from="$2" -v to="$3" '$1 == module && $2 == from && $3 == to && ++count <= 3 {
    text = text (text == "" ? "" : ", ") $4 " in " $5 } END { print text (count > 3 ? " and " count - 3 " more" : "") }' \
    <<<"$(chosen arrow)"
}

while read -r module circle; do
  [ -n "$module" ] || continue
  say "folders: a circle in $module: ${circle// /, }"
  status=1
  # Of each two neighbours, the arrow by fewer names is the one to turn.
  while read -r from to; do
    say "  $from -> $to: $(why "$module" "$from" "$to")"
  done < <(chosen arrow | awk -v module="$module" -v circle=" $circle " '
    $1 == module && index(circle, " " $2 " ") && index(circle, " " $3 " ") { print $2, $3 }' | sort -u)
done <<<"$(chosen circle)"

while read -r module folder count; do
  [ -n "$module" ] || continue
  say "folders: $module/$folder has $count files; at most 16 belong in one folder"
  status=1
done <<<"$(chosen crowd)"

# In order, a folder at the top of a module uses only those that are named before it.
while read -r complaint; do
  [ -n "$complaint" ] || continue
  say "folders: $complaint"
  status=1
done <<<"$(
  { grep -v '^#' "$order"; echo; chosen arrow; } | awk '
    !arrows && NF == 0 { arrows = 1; next }
    !arrows { module = $1; sub(/:$/, "", module); ordered[module] = 1; for (i = 2; i <= NF; i++) rank[module, $i] = i; next }
    !($1 in ordered) { next }
    {
      split($2, from, "/"); split($3, to, "/")
      for (i in both) delete both[i]
      both[1] = from[1]; both[2] = to[1]
      for (i = 1; i <= 2; i++) if (!(($1, both[i]) in rank) && !told[$1, both[i]]++) print $1 "/" both[i] " has no place in Scripts/folders-order.txt"
      if (rank[$1, from[1]] < rank[$1, to[1]]) print $1 ": " $2 " uses " $3 ", which is named after it, by " $4 " in " $5
    }'
)"

# As in the list: a line for each folder, `MODULE: FOLDER -> FOLDER, FOLDER`.
lines=$(chosen arrow | awk '{ print $1, $2, $3 }' | LC_ALL=C sort -u | awk '
  { here = $1 ": " $2 " ->"; if (here == last) printf ", %s", $3; else { printf "%s%s %s", (NR > 1 ? "\n" : ""), here, $3; last = here } }
  END { if (NR) print "" }')

if [ "${1:-}" = --write ]; then
  [ "$status" -eq 0 ] || exit "$status"
  {
    say "# Which folders of a module use which others. Scripts/folders.sh holds the sources to it; a new arrow is a decision."
    printf '%s\n' "$lines"
  } >"$list"
  exit 0
fi

# arrows: the list's lines, an arrow each.
arrows() { sed -n '/^#/d; s/^\([^:]*\): \(.*\) -> \(.*\)$/\1 \2 \3/p' | awk '{ for (i = 3; i <= NF; i++) { sub(/,$/, "", $i); print $1, $2, $i } }' | LC_ALL=C sort -u; }

while read -r module from to; do
  [ -n "$module" ] || continue
  say "folders: $list lacks $module: $from -> $to, by $(why "$module" "$from" "$to"). Turn the arrow, or run Scripts/folders.sh --write"
  status=1
done <<<"$(LC_ALL=C comm -13 <(arrows <"$list") <(arrows <<<"$lines"))"
while read -r module from to; do
  [ -n "$module" ] || continue
  say "folders: $module: $from -> $to is gone, but still in $list. Run Scripts/folders.sh --write"
  status=1
done <<<"$(LC_ALL=C comm -23 <(arrows <"$list") <(arrows <<<"$lines"))"

[ "$status" -eq 0 ] && say "folders: $(wc -l <<<"$(arrows <"$list")") arrows, no circle"
exit "$status"
