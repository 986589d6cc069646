#!/usr/bin/env bash
# Formatting and the house rules that a text search can check.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

status=0

# complain TITLE LINES: reports findings, if there are any.
complain() {
  [ -n "$2" ] || return 0
  say "lint: $1"
  printf '%s\n' "$2" | sed 's/^/  /'
  status=1
}

IFS=$'\n' read -r -d '' -a sources < <(files '*.swift' | grep -vE '/Samples/|/VendorSamples\.swift$|^Examples/Migrations/') || true
IFS=$'\n' read -r -d '' -a library < <(printf '%s\n' "${sources[@]}" | grep -E '^(Server/)?Sources/') || true

[ ${#sources[@]} -gt 0 ] || fail "there are no sources here; lint works on a git checkout"
"${swift[@]}" format lint --strict --parallel "${sources[@]}" || status=1

complain "over 600 lines" "$(wc -l "${sources[@]}" | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines" }')"

# One concept has one file; its parts have none of their own.
complain "files of 30 lines or fewer are 15 % or more of Server/Sources" "$(
  files 'Server/Sources/*.swift' | xargs wc -l |
    awk '$2 != "total" { all++; if ($1 <= 30) small++ } END { if (small * 100 >= all * 15) print small " of " all }'
)"

# One audited place does without the compiler's checking (see its comment).
complain "unchecked concurrency" "$(
  grep -nE '^[^/]*(@unchecked Sendable|nonisolated\(unsafe\)|@preconcurrency import)' "${library[@]}" |
    grep -v '^Sources/OstiarySystem/Locking/Locked.swift:' || true
)"
# The library answers with errors; it never ends the program it is part of.
complain "traps in library code" "$(
  grep -nE '^[^/"]*\b(fatalError|preconditionFailure|precondition|assertionFailure|try!)[ (]' "${library[@]}" || true
)"
# The drop-ins are for Swift only (Bug-D07): nothing here could type-check an Objective-C face. A line that one of Apple's frameworks
# needs has its reason beside it: `// Objective-C: why`.
complain "Objective-C in Sources" "$(
  files 'Sources/*.swift' |
    xargs grep -nE '^[^"]*(@objc\b|@objcMembers\b|@nonobjc\b|#selector\b|canImport\(ObjectiveC\))' |
    grep -vE ':[0-9]+: *//|// Objective-C: [a-z]' || true
)"
complain "a drop-in's first sentence does not begin with \"Swift only\"" "$(
  grep -nE '^\*\*Coming from ' README.md | grep -vE ':\*\*Coming from [^*]*\*\* Swift only' || true
  files 'Sources/*/Documentation.docc/*.md' | grep -E '/Migrating[^/]*\.md$|^Sources/Compatibility/([^/]*)/Documentation\.docc/\1\.md$' |
    while read -r article; do sed -n 3p "$article" | grep -q '^Swift only' || say "$article"; done
)"
# A mutation follows the code that it switches off; otherwise nothing would show for a long time that a guard has no proof.
if command -v patch >/dev/null; then
  complain "a mutation that does not apply" "$(
    files '*Tests/Mutations/*.patch' | while read -r mutation; do
      patch -p1 --fuzz=0 --dry-run --silent --force <"$mutation" >/dev/null || say "$mutation"
    done
  )"
else
  say "mutations: not looked at: patch is not installed"
fi
# Of a hunk that is longer than it says patch takes a part, and says nothing.
complain "a mutation with a hunk of another length than it says" "$(
  files '*Tests/Mutations/*.patch' | xargs awk '
    function check() { if (inside && (left || right)) print file; inside = 0 }
    FNR == 1 { check(); file = FILENAME }
    /^@@ / {
      check()
      left = split($2, parts, ",") > 1 ? parts[2] : 1
      right = split($3, parts, ",") > 1 ? parts[2] : 1
      inside = 1
      next
    }
    !inside || /^\\/ || (!left && !right && /^(---|[+][+][+]) |^$/) { next }
    { if (!/^[+]/) left--; if (!/^-/) right-- }
    END { check() }
  '
)"
# The tests that a mutation names are there, one filter a line; otherwise nothing would show for a long time that none of them is run.
absent_tests() {
  awk '
    FNR == 1 { close_file(); head = FILENAME ~ /\.patch$/; in_server = FILENAME ~ /^Server\// }
    FILENAME ~ /\.swift$/ {
      if (match($0, /(struct|class|enum|actor|extension) +[A-Za-z0-9]+/)) {
        split(substr($0, RSTART, RLENGTH), words, / +/)
        types[words[2]]
        there[in_server, words[2]]
      }
      if (match($0, /func +`?[A-Za-z0-9_]+/)) {
        split(substr($0, RSTART, RLENGTH), words, / +`?/)
        functions[words[2]]
      }
      next
    }
    /^$/ { head = 0 }
    head && /^Tests: / {
      filter = substr($0, 8)
      test = filter
      sub(/^[A-Za-z0-9]+\./, "", test)
      slash = index(test, "/")
      found = slash ? ((in_server, substr(test, 1, slash - 1), substr(test, slash + 1)) in there) : ((in_server, test) in there)
      if (!found) print FILENAME ": " filter
    }
    function close_file(type, name) {
      for (type in types) for (name in functions) there[in_server, type, name]
      split("", types)
      split("", functions)
    }
  ' "$@"
}
complain "a mutation whose tests are not there" "$(
  { files 'Tests/*.swift' 'Server/Tests/*.swift' && files '*Tests/Mutations/*.patch'; } |
    { IFS=$'\n' read -r -d '' -a tests || true; absent_tests "${tests[@]}"; }
)"
# Only the command speaks to a terminal.
complain "print in library code" "$(
  grep -nE '^[^/"]*\b(print|debugPrint|dump)\(' "${library[@]}" | grep -vE '^Server/Sources/(ostiary|Ostiary(Client|Server)Command)/' || true
)"
# A text of the command is a case of a type of its topic, in a folder Messages, where a test reads it.
messages() { LC_ALL=C awk -f Scripts/messages.awk "$@"; }
[ -n "$(messages <<<'  console.note(["\(name) is gone, too"])')" ] || fail "Scripts/messages.awk does not find a text"
complain "a text outside of the command's messages (\"// data: why\" beside what is none)" "$(
  files 'Server/Sources/OstiaryClientCommand/*.swift' 'Server/Sources/OstiaryServerCommand/*.swift' | grep -v /Messages/ |
    { IFS=$'\n' read -r -d '' -a commands || true; messages "${commands[@]}"; }
)"
# A wait has an end (`waitUntil` in OstiaryTesting): a test that waits for ever takes all others with it. A loop of a test that yields, looks
# whether it is cancelled, or does nothing, has to look at a clock as well, unless it goes on until it is cancelled, or fills a file.
endless() {
  awk '
    FNR == 1 { open = 0 }
    /^ *\/\// { next }
    {
      match($0, /^ */)
      indent = RLENGTH
      header = $0 ~ /(^|[^A-Za-z.`])(while|repeat)[^A-Za-z]/
    }
    header && /\{.*\}( \}|\))*$/ {
      if ($0 ~ /(Task\.yield\(\)|\{ *try Task\.checkCancellation\(\)|\{) *\}/ && !bounded($0)) print FILENAME ":" FNR ":" $0
    }
    header && /\{$/ {
      open++
      at[open] = indent; line[open] = FNR; text[open] = $0; waits[open] = 0; ends[open] = bounded($0)
      next
    }
    open && indent <= at[open] && /^ *\}/ {
      ends[open] = ends[open] || ($0 ~ /while/ && bounded($0))
      if (waits[open] && !ends[open]) print FILENAME ":" line[open] ":" text[open]
      open--
    }
    open && /Task\.yield\(\)/ { waits[open] = 1 }
    open && bounded($0) { for (i = 1; i <= open; i++) ends[i] = 1 }
    function bounded(text) { return text ~ /ContinuousClock\.now|duration\(to: \.now\)|[!]Task\.isCancelled|[^A-Za-z]write\(/ }
  ' "$@"
}
endless_example='func a() {
  while !isDone { await Task.yield() }
  while try value() != text {}
  while true {
    for _ in 0..<2 { await Task.yield() }
    if isDone { break }
  }
  while !isDone, ContinuousClock.now < end { await Task.yield() }
  while !Task.isCancelled {
    await Task.yield()
  }
  while try await isThere() {
    if isIt {
      await Task.yield()
    }
  }
  repeat {
    await Task.yield()
  } while ContinuousClock.now < end
}'
[ "$(endless <<<"$endless_example" | cut -d : -f 2 | paste -sd ' ' -)" = "2 3 4 12" ] || fail "loops without an end are not found"
complain "a wait without an end (use waitUntil)" "$(
  files 'Tests/*.swift' 'Server/Tests/*.swift' 'Sources/OstiaryTesting/*.swift' |
    { IFS=$'\n' read -r -d '' -a tests || true; endless "${tests[@]}"; }
)"
# A call of a face or a kind begins in the order in which it was made, and is about the user of that moment: a start of its own
# would leave both to the scheduler. Starts have names in OstiaryCore: CallEntry and CapturedCall (calls), SharedWork (work that
# no caller's cancellation ends), OneTimer (timers), MainActorDelivery and QueueDelivery (the app's code), BlockingWork (files).
# OstiaryExperiences is not held to it yet: its runner and its events keep an order of their own.
starts='\bTask(<[^>]*>)?(\.detached|\.immediate|\.immediateDetached)? *(\(|\{)|\.async(After|AndWait)? *(\(|\{)'
starts+='|\bDispatch(Source|WorkItem)\b|\b(Timer|Thread)\.(scheduledTimer|detachNewThread)'
complain "an unstructured start in a face or a kind" "$(
  files 'Sources/*.swift' |
    grep -E '^Sources/(Compatibility|Ostiary(Dialect|Facebook|Gateway|Newzulu|OAuth|Pega|Salesforce))/' |
    xargs grep -nE "^[^\"]*($starts)" | grep -vE ':[0-9]+: *//|-> Task<[^>]*> \{' || true
)"
# The field's words (CONTRIBUTING.md): these were this project's own, and say nothing to other readers.
private_words='bury|buried|buries|disappointments?|farewells?|departures?|waitForDepartures|takeIn|Passage|WarmSession'
private_words+='|SerialLane|ExclusiveLine|ChallengeDesk|Errands|Aimed|GrantedAuthenticator'
complain "private words" "$(
  files 'Sources/*.swift' 'Sources/*.md' 'Server/Sources/*.swift' 'Server/Sources/*.md' | xargs grep -nwE "$private_words" || true
)"
# A comment names the role: the user, the client, the caller, an attacker, another process.
nameless='nobody|somebody|someone|anybody|everybody|whoever|whatever'
complain "a comment that names no role" "$(
  grep -niE "^ *(//|-- ).*\b($nameless)\b|^[^\"]*[^:\"]//.*\b($nameless)\b" "${sources[@]}" || true
  files 'Server/Sources/*.md' | xargs grep -nwiE "$nameless" || true
)"

# The state of a session changes in one place: the driver alone takes its lock, and the machine alone assigns its fields.
manager=Sources/OstiaryCore/Manager
complain "the lock of the session's state outside of the driver" "$(
  files 'Sources/OstiaryCore/*.swift' | grep -v "^$manager/SessionDriver[^/]*\.swift$" |
    xargs grep -nE '^[^/]*\b(withKept|guarded)\b' || true
)"
# `Guarded.machine` can be set in SessionDriver.swift only (the compiler sees to it), which calls `step` and nothing else.
complain "a change of the session's machine outside of it" "$(
  grep -q 'fileprivate(set) var machine' "$manager/SessionDriver.swift" || say "$manager/SessionDriver.swift: machine can be set"
  files 'Sources/OstiaryCore/*.swift' | grep -vE '/SessionMachine[^/]*\.swift$' | xargs grep -nE \
    '^[^/]*(extension SessionMachine\b|&[a-z.$0-9]*\bmachine\b|\bmachine(\.[A-Za-z]+[?!]?)* *([-+*/%&|^]|&[-+*]|<<|>>|\?\?)?=([^=]|$))' |
    grep -vE 'let machine = ' || true
  grep -nE '^[^/]*guarded\.machine\.(step|[A-Za-z]+)\(' "$manager/SessionDriver.swift" | grep -v 'machine\.step(' || true
)"
# One folder of the server imports an engine. What it is told stands in the features' sets of statements, by which a test prepares
# all of it with PostgreSQL.
server=Server/Sources/OstiaryServer
engines='GRDB[A-Za-z]*|[A-Za-z]*SQLite[0-9A-Za-z]*|[A-Za-z]*Postgre(s|SQL)[A-Za-z]*|[A-Za-z]*[Ll]ib[Pp][Qq]'
complain "an engine outside of $server/Storage" "$(
  files 'Server/Sources/*.swift' | grep -v "^$server/Storage/" |
    xargs grep -nE "^[^/\"]*\bimport +((struct|class|enum|protocol|func|typealias|let|var) +)?($engines)\b" || true
)"
complain "a statement outside of a set of statements" "$(
  files 'Server/Sources/*.swift' | grep -vE "^$server/Storage/|Statements\.swift$" |
    xargs grep -nE '\bStorage(Statement|Fragment)(\.init)?\(' || true
)"
complain "a set of statements that neither $server/Application/Migrations.swift nor a door lists" "$(
  files 'Server/Sources/*.swift' | xargs sed -nE 's/^(package )?(struct|enum|extension) ([A-Za-z]+): StatementSet\b.*/\3/p' |
    while read -r name; do grep -qw "$name\.self" "$server/Application/Migrations.swift" "$server"/Doors/*/*Module.swift || say "$name"; done
)"
# What reads a protocol reads bytes (Server/Sources/OstiaryServer/Support/ByteText.swift). A `Character` hides a separator that is followed
# by a combining mark, and `String` compares and changes case as Unicode does, where U+212A is `K`: a path left its junction by the
# first, an address passed for another by the second. On bytes, `split(separator: UInt8(...))` is what it says.
IFS=$'\n' read -r -d '' -a protocols < <(
  files 'Server/Sources/OstiaryServer/*.swift' | grep -E \
    "/(HTTP|TLS|Mail/SMTP|Doors/(Gateway|Pega|Newzulu/Calls|Salesforce/OAuth))/|/(Page(Cookies|Seal)|AccountRoutes\+JSON|NewzuluToken|NewzuluPartAddresses|SalesforceConnectedApp)\.swift$" |
    grep -vE '/(Gateway/Pages/|PegaPages\.swift$)' || true
) || true
[ ${#protocols[@]} -gt 50 ] || fail "the files that read protocols are not where they were"
unicode='\bCharacter\b|\.(hasPrefix|hasSuffix|lowercased|uppercased|components|trimmingCharacters|firstIndex|lastIndex|firstRange|range|ranges)\('
unicode+='|\.(replacing|replacingOccurrences|index)\(|\.split\((separator: [^U]|[^s])|\.split +\{|whereSeparator|\$0 *[!=]= *"'
unicode+='|\b(isWhitespace|isLetter|isNumber|isNewline|hexDigitValue)\b'
complain "text read as characters where a protocol is parsed" "$(
  grep -nE "$unicode" "${protocols[@]}" | grep -vE ':[0-9]+: *//|properties\.isWhitespace' || true
)"
# A build folder keeps the modules of targets that are gone, and goes on finding them; a clean clone does not.
complain "an import of a module that neither package has" "$(
  known=$(find Sources Server/Sources Tests Server/Tests -maxdepth 2 -type d -name 'Ostiary*' -exec basename {} \; | LC_ALL=C sort -u)
  files '*.swift' | xargs sed -nE 's/^ *(@[a-zA-Z_]+(\([^)]*\))? +)*((public|package|internal) +)?import +((struct|class|enum|protocol|func|typealias|let|var) +)?(Ostiary[A-Za-z]*).*/\7/p' |
    LC_ALL=C sort -u | LC_ALL=C comm -23 - <(printf '%s\n' "$known")
)"
Scripts/folders.sh || status=1
Scripts/names.sh || status=1
Scripts/check-tables.sh || status=1
Scripts/check-declarations.sh || status=1
Scripts/count-public.sh >/dev/null || status=1
Scripts/check-together.sh || status=1
Scripts/check-watch.sh || status=1
complain "loose ends" "$(grep -nE '\b(TODO|FIXME|XXX)\b' "${sources[@]}" || true)"

while IFS= read -r script; do
  bash -n "$script" || status=1
done < <(files 'Scripts/*.sh' .ci/run)
# What Debian's sh runs as root, and Python's scripts, where it is installed.
for script in Packaging/debian/postinst Packaging/debian/prerm Packaging/debian/postrm; do
  sh -n "$script" || status=1
done
if command -v python3 >/dev/null; then
  files 'Scripts/*.py' | python3 -c 'import ast, sys; [ast.parse(open(path).read(), path) for path in sys.stdin.read().split()]' || status=1
fi
if command -v shellcheck >/dev/null; then
  shellcheck --severity=warning --external-sources --source-path=Scripts Scripts/*.sh .ci/run || status=1
fi

[ "$status" -eq 0 ] && say "lint: ${#sources[@]} files"
exit "$status"
