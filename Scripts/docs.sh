#!/usr/bin/env bash
# docs.sh check: the links of the Markdown files lead somewhere, the README shows the code of the examples as it is, the Swift that
#   the vendors' articles show compiles and their commands run, the table of sizes is what its figures make, and the documentation of
#   every public module builds without a warning and misses no public symbol.
# docs.sh build: the same documentation as a static site in .build-docs/.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0
out="$root/.build-docs"
# OstiarySystem is documented as part of OstiaryCore, which re-exports it.
modules=(OstiaryCore OstiarySealing OstiaryHTML OstiaryURLSession OstiaryAsyncHTTPClient OstiaryPostgreSQL OstiaryStores OstiaryJOSE OstiaryTesting
  OstiaryDialect OstiaryPega OstiaryNewzulu OstiaryGateway
  OstiaryOAuth
  OstiarySalesforce OstiaryExperiences OstiaryFacebook
  PMAuthentication PMBase NewzuluCore NewzuluPlatform
  IBMMobileFirstPlatformFoundation SalesforceSDKCore ServiceCore Primer Ostiary)
# Of the server's package.
server_modules=(OstiaryServer)

# Relative links in Markdown, and paths in code spans that name a file or a folder of this repository.
check_links() {
  local file target base
  while IFS= read -r file; do
    base=$(dirname "$file")
    while IFS= read -r target; do
      target=${target%%#*}
      case $target in '' | *://* | mailto:* | doc:*) continue ;; esac
      if [ ! -e "$base/$target" ] && [ ! -e "$target" ]; then
        say "docs: $file points to $target, which is not there"
        status=1
      fi
    done < <(
      grep -oE '\]\([^) ]+\)' "$file" | sed 's/^](//; s/)$//'
      grep -oE '`(Sources|Server|Tests|Scripts|Examples|Benchmarks|Fuzz|docs)/[A-Za-z0-9_./-]*`' "$file" | tr -d '`'
    )
  done < <(files '*.md')
}

# An example that is shown in a document is marked in its source by `// begin NAME` and `// end NAME`; the document has a
# comment `<!-- example: FILE NAME -->` before the code block, which must then be the same text.
check_examples() {
  local document line file name shown real
  while IFS=: read -r document line _; do
    read -r file name < <(sed -n "${line}s/.*example: \([^ ]*\) \([^ ]*\) -->.*/\1 \2/p" "$document")
    shown=$(awk -v line="$line" 'NR <= line { next } /^```swift/ { inside = 1; next } /^```/ { exit } inside' "$document")
    real=$(awk -v name="$name" '$1 == "//" && $2 == "end" && $3 == name { exit }
      inside { print } $1 == "//" && $2 == "begin" && $3 == name { inside = 1 }' "$file")
    if [ -z "$real" ] || [ "$shown" != "$real" ]; then
      say "docs: $document:$line does not show the part '$name' of $file as it is:"
      diff <(printf '%s\n' "$real") <(printf '%s\n' "$shown") || true
      status=1
    fi
  done < <(git -c safe.directory="$root" grep --untracked -n '<!-- example: ' -- '*.md' || true)
}

# Every block of Swift in the articles on moves from a vendor's SDK and on settings is a part of an example (above), or compiles behind
# the comment `<!-- given: IMPORT; …; FUNCTION -->` before it: the imports, and the head of a function whose body it is. One that is no
# program says so: `<!-- untried: WHY -->`.
check_articles() {
  local article line mark given folder="$out/articles" count=0 arguments=(-typecheck -swift-version 5)
  while IFS= read -r map; do arguments+=(-Xcc "-fmodule-map-file=$map"); done < <(clang_maps "$(scratch_of sdk)")
  arguments+=(-I "$(scratch_of sdk)/debug/Modules")
  read -r -a compiler <<<"${SWIFTC:-${swift[*]}c}"
  mkdir -p "$folder"
  while IFS=: read -r article line _; do
    mark=$(awk -v line="$line" 'NR >= line { exit } NF { last = $0 } END { print last }' "$article")
    case $mark in
      *'<!-- example: '*) continue ;;
      *'<!-- untried: '*)
        say "docs: $article:$line is untried: $(sed -n 's/.*<!-- untried: \(.*\) -->.*/\1/p' <<<"$mark")"
        continue
        ;;
      *'<!-- given: '*) ;;
      *)
        say "docs: $article:$line shows Swift without saying how it is compiled"
        status=1
        continue
        ;;
    esac
    given=$(sed -n 's/.*<!-- given: \(.*\) -->.*/\1/p' <<<"$mark")
    {
      sed 's/; */\n/g;s/$/ {/' <<<"$given"
      awk -v line="$line" 'NR <= line { next } /^ *```/ { exit } { print }' "$article"
      say '}'
    } >"$folder/shown.swift"
    if ! "${compiler[@]}" "${arguments[@]}" "$folder/shown.swift" >"$logs/docs-article.log" 2>&1; then
      say "docs: the Swift of $article:$line does not compile:"
      grep -E 'error: ' "$logs/docs-article.log" || tail -n 5 "$logs/docs-article.log"
      status=1
    fi
    count=$((count + 1))
  done < <(git -c safe.directory="$root" grep --untracked -n '^ *```swift' -- 'Sources/*/Migrating*.md' 'Sources/*/Settings*.md')
  [ "$count" -gt 0 ] || fail "docs: no article shows Swift; have they moved?"
}

# Every command of ours in these articles. A sign-in is run against a port on which no server listens: exit status 5 says so, and 2 that
# the command line is wrong. What starts a server is not run (`make demo` does); its options have to be in the help.
check_commands() {
  local article shown words option home="$out/home" command ended count=0
  command=$(scratch_of server)/debug/ostiary
  rm -rf "$home"
  mkdir -p "$home"
  while IFS=: read -r article shown; do
    shown=${shown//\`/}
    read -r -a words <<<"${shown% …}"
    case $shown in
      'ostiary login '*' --config '*)
        option=${shown#* --config }
        printf '{"server": "http://127.0.0.1:1"%s}\n' \
          "$([ "${words[2]}" = newzulu ] && printf ', "apiKey": "k", "vhost": 1')" >"$home/${option%% *}"
        ended=0
        (cd "$home" && HOME=$home "$command" "${words[@]:1}" --password-stdin <<<'secret') >"$logs/docs-command.log" 2>&1 || ended=$?
        if [ "$ended" -ne 5 ]; then
          say "docs: $article shows a command that ends with $ended: $shown"
          tail -n 3 "$logs/docs-command.log"
          status=1
        fi
        ;;
      'ostiary serve'*)
        for option in "${words[@]:2}"; do
          "$command" serve --help | grep -cF -- "$option" >/dev/null || {
            say "docs: $article shows an option that there is not: $shown"
            status=1
          }
        done
        say "docs: $article: untried, as it starts a server: $shown"
        ;;
      *)
        say "docs: $article shows a command that is not run: $shown"
        status=1
        ;;
    esac
    count=$((count + 1))
  done < <(git -c safe.directory="$root" grep --untracked -oE '`ostiary [^`]*`' -- 'Sources/*/Migrating*.md' 'Sources/*/Settings*.md')
  [ "$count" -gt 0 ] || fail "docs: no article shows a command; have they moved?"
}

# The sizes of machines in an article are those that follow from the figures and assumptions in the script.
check_sizes() {
  if ! command -v python3 >/dev/null; then
    say "docs: the table of sizes is not checked, python3 is not installed"
  elif ! python3 Scripts/sizes.py --check; then
    status=1
  fi
}

# symbols_of MODULE SCRATCH: extracts what a built module offers to its users.
symbols_of() {
  local module=$1 scratch=$2 folder="$out/symbols/$1" target arguments=()
  mkdir -p "$folder"
  # Nothing in this script may end a pipe early (with head, say): the writer's SIGPIPE would be taken for a failure, now and then.
  target=$("${swift[@]}" -print-target-info | awk -F '"' '/"unversionedTriple"/ && !found++ { print $4 }')
  arguments=(-module-name "$module" -I "$scratch/debug/Modules" -minimum-access-level public
    -skip-synthesized-members -output-dir "$folder")
  [ "$module" = OstiaryCore ] && arguments+=(-experimental-allowed-reexported-modules=OstiarySystem)
  if [ "$(uname)" = Darwin ]; then
    arguments+=(-target "${target/macosx/macosx13.0}" -sdk "$(xcrun --show-sdk-path)")
  else
    arguments+=(-target "$target")
  fi
  while IFS= read -r map; do arguments+=(-Xcc "-fmodule-map-file=$map"); done < <(clang_maps "$scratch")
  for flag in $(pkg-config --cflags-only-I libpq libsodium); do arguments+=(-Xcc "$flag"); done
  "${swift[@]}" symbolgraph-extract "${arguments[@]}"
}

# build_module MODULE SCRATCH
build_module() {
  local module=$1 scratch=$2 catalogue docc=(docc) others=() archive findings failed=no
  catalogue=$(find Sources Server/Sources -type d -path "*/$module/Documentation.docc" -prune)
  [ "$(uname)" = Darwin ] && docc=(xcrun docc)
  symbols_of "$module" "$scratch" >"$logs/docs-$module.log" 2>&1 || {
    tail -n 20 "$logs/docs-$module.log"
    return 1
  }
  # Modules before this one in the list can be linked to as ``/Module/Symbol``.
  for archive in "$out"/*.doccarchive; do
    [ -d "$archive" ] && others+=(--dependency "$archive")
  done
  "${docc[@]}" convert ${catalogue:+"$catalogue"} ${others[@]+"${others[@]}"} \
    --enable-experimental-external-link-support --additional-symbol-graph-dir "$out/symbols/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" --output-path "$out/$module.doccarchive" \
    >"$logs/docs-$module.log" 2>&1 || failed=yes
  # Only parameters that need words get them: DocC would have all of them or none.
  findings=$(awk '/^(warning|error): / { keep = !/Parameter .* is missing documentation$/; if (keep) print }
    /^ *-->/ && keep { print; keep = 0 }' "$logs/docs-$module.log")
  if [ -n "$findings" ] || [ "$failed" = yes ]; then
    say "docs: $module"
    [ -n "$findings" ] && printf '%s\n' "$findings" || tail -n 10 "$logs/docs-$module.log"
    return 1
  fi
}

# Every public symbol has a comment, its own or that of the requirement it meets.
check_symbols() {
  local missing
  if ! missing=$("${swift[@]}" Scripts/undocumented.swift "$out"/symbols/*/*.symbols.json); then
    say "docs: public symbols without a comment"
    printf '%s\n' "$missing" | sed 's/^/  /'
    status=1
  fi
}

build_all() {
  local module
  # As the tests build it, so that nothing is built twice.
  go_together
  if is_together; then
    quietly "docs build" build_debug both --build-tests
  else
    quietly "docs build" build_debug sdk --build-tests
    quietly "docs build of the server" build_debug server --build-tests
  fi
  rm -rf "$out"
  mkdir -p "$out" "$logs"
  for module in "${modules[@]}"; do
    build_module "$module" "$(scratch_of sdk)" || status=1
  done
  for module in "${server_modules[@]}"; do
    build_module "$module" "$(scratch_of server)" || status=1
  done
}

case ${1:-check} in
  check)
    check_links
    check_examples
    check_sizes
    if command -v python3 >/dev/null; then python3 Scripts/conformance.py --check || status=1; fi
    if command -v python3 >/dev/null; then python3 Scripts/dialects.py --check || status=1; fi
    build_all
    check_articles
    check_commands
    check_symbols
    [ "$status" -eq 0 ] && say "docs: $((${#modules[@]} + ${#server_modules[@]})) modules, links and examples"
    ;;
  build)
    build_all
    docc=(docc)
    [ "$(uname)" = Darwin ] && docc=(xcrun docc)
    "${docc[@]}" merge "$out"/*.doccarchive --synthesized-landing-page-name Ostiary --output-path "$out/site"
    say "docs: a static site in .build-docs/site"
    ;;
  *) fail "usage: Scripts/docs.sh check|build" ;;
esac
exit "$status"
