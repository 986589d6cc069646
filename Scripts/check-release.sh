#!/usr/bin/env bash
# check-release.sh: makes releases of a copy of this tree, as release.sh would of the tree itself, and looks at what came of it: the
# changelog, the version of the command, the manifest lines of the pages, the archive; and that what can't be released is refused.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$root/.build-release/check
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT
copy=$folder/copy
command git -c safe.directory='*' clone --quiet --no-tags "$root" "$copy"
# What is not committed yet is released, too.
cp -p Scripts/release.sh Scripts/common.sh "$copy/Scripts/"
cp -p README.md CHANGELOG.md "$copy/"
cd "$copy"
git config user.name Test
git config user.email test@localhost
git config commit.gpgsign false
git config tag.gpgsign false
git add -A
git commit --quiet --allow-empty -m 'What is not committed'

export RELEASE_DATE=2031-02-03
checks=0
# holds FILE TEXT
holds() {
  grep -qF -- "$2" "$1" || fail "$1 does not hold: $2"
  checks=$((checks + 1))
}
# refuses TEXT ARGUMENT…
refuses() {
  local text=$1 before after
  shift
  before=$(git rev-parse HEAD; git tag; git status --porcelain)
  if Scripts/release.sh "$@" >"$folder/log" 2>&1; then fail "released, though: $text"; fi
  holds "$folder/log" "$text"
  after=$(git rev-parse HEAD; git tag; git status --porcelain)
  [ "$before" = "$after" ] || fail "changed something before it refused: $text"
}

for wrong in '' 1 1.2 v1.2.3 01.2.3 1.2.3+4 '1.2.3 4' '1.2.3-' '1.2.3/../x'; do refuses 'is no version' "$wrong"; done
refuses 'usage' 9.0.0 --dry
RELEASE_DATE=tomorrow refuses 'is no day' 9.0.0
echo ' ' >>README.md
refuses 'not committed' 9.0.0
git checkout --quiet README.md

# A dry run shows all and changes nothing.
before=$(git rev-parse HEAD; git tag; git status --porcelain)
Scripts/release.sh 9.0.0 --dry-run >"$folder/log" || fail "the dry run failed: $(tail -n 3 "$folder/log")"
[ "$before" = "$(git rev-parse HEAD; git tag; git status --porcelain)" ] || fail "a dry run changed the tree"
holds "$folder/log" '+## [9.0.0] - 2031-02-03'
holds "$folder/log" 'from: "9.0.0"'
[ ! -e .build-release/dry-run ] || fail "a dry run left its copy"

Scripts/release.sh 9.0.0 >"$folder/log" || fail "the release failed: $(tail -n 3 "$folder/log")"
holds CHANGELOG.md '## [9.0.0] - 2031-02-03'
[ "$(grep -n '^## \[' CHANGELOG.md | head -n 2 | cut -d: -f2 | xargs)" = '## [Unreleased] ## [9.0.0] - 2031-02-03' ] ||
  fail "the changelog's headings are not in order"
[ "$(git log -1 --format=%s)" = 'Release 9.0.0' ] || fail "the last commit is no release"
[ "$(git rev-parse '9.0.0^{commit}')" = "$(git rev-parse HEAD)" ] || fail "the tag is not at the release"
[ -z "$(git status --porcelain)" ] || fail "the release left something that is not committed"
if git grep -n '/ostiary", branch: "main"' -- '*.md'; then fail "a page still asks for the main branch"; fi
refuses 'a tag 9.0.0 already' 9.0.0
refuses 'nothing under [Unreleased]' 9.0.1
mkdir "$folder/unpacked"
tar -xzf .build-release/ostiary-9.0.0.tar.gz -C "$folder/unpacked"
(cd .build-release && if command -v sha256sum >/dev/null; then sha256sum -c --quiet ostiary-9.0.0.tar.gz.sha256; else shasum -a 256 -c ostiary-9.0.0.tar.gz.sha256; fi) ||
  fail "the archive has another SHA-256"
holds "$folder/unpacked/ostiary-9.0.0/README.md" 'from: "9.0.0"'
holds "$folder/unpacked/ostiary-9.0.0/Server/Sources/OstiaryClientCommand/Environment/CommandEnvironment.swift" '"9.0.0"'
[ -z "$(diff -rq "$folder/unpacked/ostiary-9.0.0" . | grep -vE ': \.(git|build-release)$' || true)" ] ||
  fail "the archive differs from the tree"

# The next one: the manifest lines ask for a version now, and order is Semantic Versioning's.
change() {
  sed 's/^## \[Unreleased\]$/&\n\n- Something new./' CHANGELOG.md >CHANGELOG.new
  mv CHANGELOG.new CHANGELOG.md
  git commit --quiet -am 'Something new'
}
change
for older in 8.9.9 9.0.0-rc.1 0.1.0; do refuses 'does not follow 9.0.0' "$older"; done
Scripts/release.sh 9.10.0-beta.2 >"$folder/log" || fail "the pre-release failed: $(tail -n 3 "$folder/log")"
change
for older in 9.9.0 9.10.0-beta.1 9.10.0-beta 9.10.0-alpha.30 9.10.0-7; do refuses 'does not follow 9.10.0-beta.2' "$older"; done
Scripts/release.sh 9.10.0-beta.10 >"$folder/log" || fail "the next pre-release failed: $(tail -n 3 "$folder/log")"
change
Scripts/release.sh 9.10.0 >"$folder/log" || fail "the release after a pre-release failed: $(tail -n 3 "$folder/log")"
holds README.md 'from: "9.10.0"'
say "releases: $checks texts, 4 releases"
