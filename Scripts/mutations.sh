#!/usr/bin/env bash
# mutations.sh [ROW or PATCH…]: switches off one guard after another and shows that tests fail without it. Each patch of
# Tests/Mutations says in its first lines which row of the findings it belongs to (Row), what it switches off (Off) and which tests
# must fail, one filter a line (Tests). Tests/Mutations/targets names what is built; `Target(file,folder)` takes only these sources
# of a test target. Everything happens in a copy, with one build folder, so that a patch costs an incremental build. A patch that
# does not apply or build, a filter without a test, and tests that all pass under their patch are failures.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

work=${SCRATCH:-$root/.build-mutations}
[ -z "${SCRATCH:-}" ] || work=$SCRATCH/mutations
tree=$work/tree
limit=${MUTATION_SECONDS:-600}
mutations=$root/Tests/Mutations
mkdir -p "$tree" "$logs"

# field PATCH NAME: what its first lines say, of a repeated field every line.
field() { sed -n "s/^$2: //p;/^\$/q" "$1"; }

# copy: the tracked tree with what is not committed yet.
copy() {
  rm -rf "$tree/Sources" "$tree/Tests"
  files Sources Tests | tar -c -T - | tar -x -C "$tree"
  if [ -e Package.resolved ]; then cp -p Package.resolved "$tree/"; fi
}

# manifest: a manifest with the targets of the list alone. A name that is no target is an error.
manifest() {
  {
    cat "$root/Package.swift"
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
  } >"$tree/Package.swift.new"
  cmp -s "$tree/Package.swift.new" "$tree/Package.swift" || cp "$tree/Package.swift.new" "$tree/Package.swift"
  rm "$tree/Package.swift.new"
}

# build LOG
build() {
  (cd "$tree" && "${swift[@]}" build --build-tests "${sdk_traits[@]}" "${debug_flags[@]}" --scratch-path "$work/build") \
    >"$1" 2>&1 </dev/null
}

# run FILTER LOG: one test after another, in bounded memory and time.
run() {
  (
    cd "$tree"
    if [ "$(uname)" = Linux ]; then ulimit -v 14000000; fi
    timeout -k 10 "$limit" "${swift[@]}" test --skip-build "${sdk_traits[@]}" --disable-xctest --no-parallel \
      --scratch-path "$work/build" --filter "$1"
  ) >"$2" 2>&1 </dev/null
}

# failed LOG: the names of the tests that failed.
failed() {
  sed -nE 's/^✘ Test (".*"|[^ ]+\(.*\)) (with [0-9]+ test cases )?failed after.*/\1/p' "$1" | sort -u | paste -sd ' '
}

# mutate PATCH: the patch is applied and taken back, and each of its tests fails between.
mutate() {
  local patch=$1 name log began=$SECONDS filter found all='' status=0 result
  name=$(basename "$patch" .patch)
  log=$logs/mutations-$name.log
  (cd "$tree" && patch --batch --forward --fuzz=0 --no-backup-if-mismatch --reject-file=- -p1 <"$patch") >"$log" 2>&1 || {
    say "$name  $(field "$patch" Off)  DOES NOT APPLY"
    # What a part of it has changed is taken back.
    copy
    return 1
  }
  if build "$log"; then
    while IFS= read -r filter; do
      result=$logs/mutations-$name-${filter//[^A-Za-z0-9]/-}.log
      found=''
      run "$filter" "$result" || found=$(failed "$result")
      if [ -z "$found" ]; then
        all+="MISSED by $filter "
        status=1
      else
        all+="found by $found "
      fi
    done < <(field "$patch" Tests)
  else
    grep -E 'error:' "$log" | head -n 5
    all='DOES NOT BUILD '
    status=1
  fi
  say "$name  $(field "$patch" Off)  → $all($((SECONDS - began)) s)"
  (cd "$tree" && patch --batch --reverse --fuzz=0 -p1 <"$patch") >/dev/null || fail "$name can't be taken back"
  return "$status"
}

wanted=" ${*:-} "
patches=()
for patch in "$mutations"/*.patch; do
  row=$(field "$patch" Row)
  name=$(basename "$patch" .patch)
  [ -n "$row" ] || fail "$patch names no row"
  [ -n "$(field "$patch" Tests)" ] || fail "$patch names no tests"
  if [ $# -eq 0 ] || [[ $wanted == *" $row "* || $wanted == *" $name "* ]]; then patches+=("$patch"); fi
done
[ ${#patches[@]} -gt 0 ] || fail "no patch belongs to$wanted"

began=$SECONDS
copy
manifest
log=$logs/mutations-unmutated.log
build "$log" || { tail -n 40 "$log"; fail "the tests do not build unmutated"; }
say "unmutated: built in $((SECONDS - began)) s"
while IFS= read -r filter; do
  began=$SECONDS
  run "$filter" "$log" || { grep -E '✘' "$log" | head; fail "the tests fail unmutated: $filter"; }
  passed=$(grep -cE '^✔ Test (".*"|[^ ]+\(.*\)) (with [0-9]+ test cases )?passed' "$log" || true)
  [ "$passed" -gt 0 ] || fail "no test of this system matches $filter"
  say "unmutated: $filter: $passed tests pass ($((SECONDS - began)) s)"
done < <(for patch in "${patches[@]}"; do field "$patch" Tests; done | sort -u)

missed=0
for patch in "${patches[@]}"; do mutate "$patch" || missed=$((missed + 1)); done
[ "$missed" -eq 0 ] || fail "$missed of ${#patches[@]} mutations were missed"
say "all ${#patches[@]} mutations were found"
