#!/usr/bin/env bash
# names.sh: no module of the server's package declares a type at the top level whose name another one of its modules, or one of the
# SDK's, has declared: a file that imports both could not tell them apart. Private ones don't count, nor does
# Sources/Compatibility, whose names are the vendors'.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

twice=$(
  files 'Sources/*.swift' 'Server/Sources/*.swift' | grep -v '^Sources/Compatibility/' | xargs awk '
    FNR == 1 { split(FILENAME, parts, "/"); module = parts[1] == "Server" ? parts[3] : parts[2]; inText = 0 }
    { if (gsub(/"""/, "&") % 2) inText = !inText; if (inText) next }
    match($0, /^(@[A-Za-z_]+(\([^)]*\))? )*((public|package|internal|open|final|indirect|nonisolated) )*(struct|class|enum|protocol|actor|typealias) [A-Za-z_0-9]+/) {
      name = substr($0, RSTART, RLENGTH)
      sub(/^.* /, "", name)
      if (!((name, module) in seen)) { seen[name, module] = 1; count[name]++; if (parts[1] == "Server") ours[name] = 1; where[name] = where[name] " " module }
    }
    END { for (name in count) if (count[name] > 1 && name in ours) print name ":" where[name] }' | LC_ALL=C sort
)
if [ -n "$twice" ]; then
  say "names: declared in more than one module"
  printf '%s\n' "$twice" | sed 's/^/  /'
  exit 1
fi
