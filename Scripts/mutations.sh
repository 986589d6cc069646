#!/usr/bin/env bash
# mutations.sh [--together] [ROW or PATCH…]: switches off one guard after another and shows that tests fail without it. Each patch
# of Tests/Mutations (the SDK's) and Server/Tests/Mutations (the server's) says in its first lines which row of the findings it
# belongs to (Row), what it switches off (Off) and which tests must fail, one filter a line (Tests). The file `targets` beside them
# names what is built; `Target(file,folder)` takes only these sources of a test target. Everything happens in a copy of each
# package, with one build folder, so that a patch costs an incremental build. With --together the patches that are named are applied
# at once, for one build: for guards that have nothing to do with each other. A patch that does not apply or build, a filter without
# a test, and tests that all pass under their patch are failures.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

work=${SCRATCH:-$root/.build-mutations}
[ -z "${SCRATCH:-}" ] || work=$SCRATCH/mutations
limit=${MUTATION_SECONDS:-600}
# As test.sh: the server's transactions run, are undone and run again, and it waits for its database as long as a loaded machine needs.
export OSTIARY_REHEARSAL=${OSTIARY_REHEARSAL:-1}
export OSTIARY_PATIENT=${OSTIARY_PATIENT:-1}
# Scenarios of ClusterTests that are about one guard.
export OSTIARY_MUTATION=1
mkdir -p "$logs"

# choose PACKAGE: what the functions below work on. The server's copy has the SDK beside it, which its manifest names by path.
choose() {
  case $1 in
    sdk)
      package=''
      sources=(Sources Tests)
      ;;
    server)
      package=Server/
      sources=(Package.swift Sources Tests Examples Server)
      ;;
  esac
  tree=$work/tree-$1
  built=$work/build-$1
  mutations=$root/${package}Tests/Mutations
  traits_of "$1"
  mkdir -p "$tree/$package"
}

# field PATCH NAME: what its first lines say, of a repeated field every line.
field() { sed -n "s/^$2: //p;/^\$/q" "$1"; }

# copy: the tracked tree with what is not committed yet.
copy() {
  rm -rf "$tree"/{Sources,Tests} "$tree"/Server/{Sources,Tests}
  files "${sources[@]}" | { grep -vxF "${package}Package.swift" || true; } | tar -c -T - | tar -x -C "$tree"
  if [ -e "${package}Package.resolved" ]; then cp -p "${package}Package.resolved" "$tree/$package"; fi
}

# manifest: a manifest with the targets of the list alone. A name that is no target is an error.
manifest() {
  {
    cat "$root/${package}Package.swift"
    cat <<SWIFT
let needs = "$(paste -sd ' ' "$mutations/targets")".split(separator: " ").map { \$0.split(whereSeparator: { "()".contains(\$0) }).map(String.init) }
let wanted = Dictionary(needs.map { (\$0[0], \$0.dropFirst().first) }, uniquingKeysWith: { first, _ in first })
for name in wanted.keys where !package.targets.contains(where: { \$0.name == name }) {
  fatalError("There is no target \(name).")
}
package.products = []
package.targets = package.targets.filter { wanted.keys.contains(\$0.name) }
for target in package.targets {
  if let sources = wanted[target.name].flatMap({ \$0 }) {
    target.sources = sources.split(separator: ",").map(String.init)
  }
  target.dependencies = target.dependencies.filter {
    switch \$0 {
    case .targetItem(let name, _), .byNameItem(let name, _): wanted.keys.contains(name)
    default: true
    }
  }
}
SWIFT
  } >"$tree/${package}Package.swift.new"
  cmp -s "$tree/${package}Package.swift"{.new,} || cp "$tree/${package}Package.swift"{.new,}
  rm "$tree/${package}Package.swift.new"
}

# build LOG
build() {
  (cd "$tree/$package" && "${swift[@]}" build --build-tests ${traits[@]+"${traits[@]}"} "${debug_flags[@]}" --scratch-path "$built") \
    >"$1" 2>&1 </dev/null
}

# The suites that start Chromium, which reserves more addresses than the others may have, and ends without them.
browsers=$(sed -n "s/^server_browsers[+]*='\(.*\)'$/\1/p" Scripts/test.sh | tr -d '\n')
[ -n "$browsers" ] || fail "Scripts/test.sh names no suites with a browser"

# run FILTER LOG: one test after another, in bounded memory and time.
run() {
  (
    cd "$tree/$package"
    if [ "$(uname)" = Linux ] && ! [[ $1 =~ $browsers ]]; then ulimit -v 14000000; fi
    timeout -k 10 "$limit" "${swift[@]}" test --skip-build ${traits[@]+"${traits[@]}"} --disable-xctest --no-parallel \
      --scratch-path "$built" --filter "$1"
  ) >"$2" 2>&1 </dev/null
}

# failed LOG STATUS: the names of the tests that failed, or how their process ended before it could tell.
failed() {
  local names
  names=$(sed -nE 's/^✘ Test (".*"|[^ ]+\(.*\)) (with [0-9]+ test cases )?failed after.*/\1/p' "$1" | sort -u | paste -sd ' ')
  if [ -z "$names" ] && grep -q 'unexpected signal code' "$1"; then names='a crash'; fi
  if [ -z "$names" ] && [ "$2" -eq 124 ]; then names="no end within $limit s"; fi
  printf '%s' "$names"
}

# apply PATCH
apply() {
  local name log
  name=$(basename "$1" .patch)
  log=$logs/mutations-$name.log
  (cd "$tree" && patch --batch --forward --fuzz=0 --no-backup-if-mismatch --reject-file=- -p1 <"$1") >"$log" 2>&1 && return 0
  say "$name  $(field "$1" Off)  DOES NOT APPLY"
  return 1
}

# is_absent FILTER: whether it is a scenario of several servers, whose programs are not installed here.
is_absent() {
  case $1 in
    ClusterPrimary* | ClusterFailover*) ! command -v patroni >/dev/null || ! command -v etcd >/dev/null ;;
    *) return 1 ;;
  esac
}

# search PATCH: runs its tests, each of which must fail. Sets `result`.
search() {
  local patch=$1 name filter log found status=0
  name=$(basename "$patch" .patch)
  result=''
  while IFS= read -r filter; do
    log=$logs/mutations-$name-${filter//[^A-Za-z0-9]/-}.log
    found=''
    if is_absent "$filter"; then
      result+="not looked for by $filter "
      continue
    fi
    run "$filter" "$log" || found=$(failed "$log" $?)
    if [ -z "$found" ]; then
      result+="MISSED by $filter "
      status=1
    else
      result+="found by $found "
    fi
  done < <(field "$patch" Tests)
  return "$status"
}

# mutate PATCH…: they are applied together and taken back, and each one's tests fail between. Counts in `missed`.
mutate() {
  local patch log began=$SECONDS result applied=()
  log=$logs/mutations-build-$(basename "$1" .patch).log
  for patch in "$@"; do
    if apply "$patch"; then
      applied=("$patch" ${applied[@]+"${applied[@]}"})
    else
      missed=$((missed + 1))
    fi
  done
  if [ ${#applied[@]} -eq 0 ]; then
    :
  elif build "$log"; then
    for patch in "$@"; do
      [[ " ${applied[*]} " == *" $patch "* ]] || continue
      search "$patch" || missed=$((missed + 1))
      say "$(basename "$patch" .patch)  $(field "$patch" Off)  → $result($((SECONDS - began)) s)"
    done
  else
    grep -E 'error:' "$log" | head -n 5
    say "$(basename -s .patch "$@" | paste -sd ' ')  DOES NOT BUILD"
    missed=$((missed + ${#applied[@]}))
  fi
  for patch in ${applied[@]+"${applied[@]}"}; do
    (cd "$tree" && patch --batch --reverse --fuzz=0 -p1 <"$patch") >/dev/null || fail "$patch can't be taken back"
  done
  # A patch that did not apply may have changed a part.
  if [ ${#applied[@]} -lt $# ]; then copy; fi
}

# mutations_of PACKAGE: the patches that are wanted, after their tests passed without them.
mutations_of() {
  local patch row name filter log began=$SECONDS passed patches=()
  choose "$1"
  for patch in "$mutations"/*.patch; do
    row=$(field "$patch" Row)
    name=$(basename "$patch" .patch)
    [ -n "$row" ] || fail "$patch names no row"
    [ -n "$(field "$patch" Tests)" ] || fail "$patch names no tests"
    if [ "$wanted" = '  ' ] || [[ $wanted == *" $row "* || $wanted == *" $name "* ]]; then patches+=("$patch"); fi
  done
  [ ${#patches[@]} -gt 0 ] || return 0
  count=$((count + ${#patches[@]}))
  copy
  manifest
  log=$logs/mutations-unmutated.log
  build "$log" || { tail -n 40 "$log"; fail "the tests do not build unmutated"; }
  say "unmutated: built in $((SECONDS - began)) s"
  while IFS= read -r filter; do
    began=$SECONDS
    if is_absent "$filter"; then
      say "unmutated: $filter: skipped, patroni or etcd is not installed"
      continue
    fi
    run "$filter" "$log" || { grep -E '✘' "$log" | head; fail "the tests fail unmutated: $filter"; }
    passed=$(grep -cE '^✔ Test (".*"|[^ ]+\(.*\)) (with [0-9]+ test cases )?passed' "$log" || true)
    [ "$passed" -gt 0 ] || fail "no test of this system matches $filter"
    say "unmutated: $filter: $passed tests pass ($((SECONDS - began)) s)"
  done < <(for patch in "${patches[@]}"; do field "$patch" Tests; done | sort -u)
  if [ "$together" = yes ]; then
    mutate "${patches[@]}"
  else
    for patch in "${patches[@]}"; do mutate "$patch"; done
  fi
}

together=no
if [ "${1:-}" = --together ]; then
  together=yes
  shift
fi
wanted=" ${*:-} "
count=0
missed=0
mutations_of sdk
mutations_of server
[ "$count" -gt 0 ] || fail "no patch belongs to$wanted"
[ "$missed" -eq 0 ] || fail "$missed of $count mutations were missed"
say "all $count mutations were found"
