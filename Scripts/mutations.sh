#!/usr/bin/env bash
# mutations.sh [ROW…]: switches off one guard after another and shows that a test fails without it. Each patch of
# Tests/Mutations says in its first lines which row of the findings it belongs to, what it switches off, which tests must fail
# and which targets they need; `Target(file,folder)` takes only these sources of a test target, so that little is built.
# Everything happens in a copy, with one build folder, so that a patch costs an incremental build.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

work=${SCRATCH:-$root/.build-mutations}
[ -z "${SCRATCH:-}" ] || work=$SCRATCH/mutations
tree=$work/tree
limit=${MUTATION_SECONDS:-600}
mkdir -p "$tree" "$logs"

field() { sed -n "s/^$2: //p;/^\$/q" "$1"; }

# copy: the tracked tree with what is not committed yet.
copy() {
  rm -rf "$tree/Sources" "$tree/Tests"
  files Sources Tests | tar -c -T - | tar -x -C "$tree"
  if [ -e Package.resolved ]; then cp -p Package.resolved "$tree/"; fi
}

# manifest NEEDS: a manifest with these targets alone.
manifest() {
  {
    cat "$root/Package.swift"
    cat <<SWIFT
let needs = "$1".split(separator: " ").map { \$0.split(whereSeparator: { "()".contains(\$0) }).map(String.init) }
let wanted = Dictionary(needs.map { (\$0[0], \$0.dropFirst().first) }, uniquingKeysWith: { first, _ in first })
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

# run FILTER LOG
run() {
  (cd "$tree" && timeout -k 10 "$limit" "${swift[@]}" test --skip-build "${sdk_traits[@]}" --disable-xctest --no-parallel \
    --scratch-path "$work/build" --filter "$1") >"$2" 2>&1 </dev/null
}

wanted=" ${*:-} "
patches=()
for patch in "$root"/Tests/Mutations/*.patch; do
  row=$(field "$patch" Row)
  [ -n "$row" ] || fail "$patch names no row"
  if [ $# -eq 0 ] || [[ $wanted == *" $row "* ]]; then patches+=("$patch"); fi
done
[ ${#patches[@]} -gt 0 ] || fail "no patch belongs to$wanted"

copy
missed=0
while IFS= read -r needs; do
  own=()
  filters=()
  for patch in "${patches[@]}"; do
    [ "$(field "$patch" Needs)" = "$needs" ] || continue
    own+=("$patch")
    filters+=("$(field "$patch" Tests)")
  done
  manifest "$needs"
  log=$logs/mutations-none.log
  build "$log" || { tail -n 40 "$log"; fail "the tests do not build unmutated"; }
  filter=$(printf '%s\n' "${filters[@]}" | sort -u | paste -sd '|')
  run "$filter" "$log" || { grep -E '✘' "$log" | head; fail "the tests fail unmutated: $filter"; }
  grep -qE '✔ Test run with [1-9]' "$log" || fail "no test matches $filter"
  say "unmutated: $(grep -cE '^✔ Test [^r]' "$log") tests pass ($filter)"

  for patch in "${own[@]}"; do
    name=$(basename "$patch" .patch)
    log=$logs/mutations-$name.log
    began=$SECONDS
    (cd "$tree" && patch --batch --forward --fuzz=0 --no-backup-if-mismatch --reject-file=- -p1 <"$patch") >"$log" 2>&1 ||
      { cat "$log"; fail "$name does not apply"; }
    if ! build "$log"; then
      grep -E 'error:' "$log" | head -n 5
      fail "$name does not build"
    fi
    if run "$(field "$patch" Tests)" "$log" || ! grep -qE '^✘ Test ' "$log"; then
      missed=$((missed + 1))
      say "$name  $(field "$patch" Off)  MISSED"
    else
      found=$(sed -nE 's/^✘ Test (".*"|[^ ]+\(.*\)) (with [0-9]+ test cases )?failed after.*/\1/p' "$log" | sort -u | paste -sd ' ')
      say "$name  $(field "$patch" Off)  found by: $found ($((SECONDS - began)) s)"
    fi
    (cd "$tree" && patch --batch --reverse --fuzz=0 -p1 <"$patch") >/dev/null || fail "$name can't be taken back"
  done
done < <(for patch in "${patches[@]}"; do field "$patch" Needs; done | sort -u)
[ "$missed" -eq 0 ] || fail "$missed mutations were missed"
