#!/usr/bin/env bash
# release.sh VERSION [--dry-run]: makes a release of the commit that is checked out. It writes the version where the command has it, gives
# the unreleased changes of CHANGELOG.md a heading of their own, lets every manifest line that the documentation shows ask for
# the version, commits and tags that, and packs the tree into .build-release/ostiary-VERSION.tar.gz with its SHA-256 beside it.
# Nothing is pushed. With --dry-run all of this happens in a copy, whose changes are shown, and this tree stays as it is.
#
# RELEASE_DATE  the day of the release, YYYY-MM-DD (default: today, UTC)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

version=${1:-}
mode=${2:-}
day=${RELEASE_DATE:-$(date -u +%Y-%m-%d)}
number='(0|[1-9][0-9]*)'
[[ $version =~ ^$number\.$number\.$number(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$ ]] ||
  fail "'$version' is no version. Say for example: make release VERSION=0.2.0 (Semantic Versioning 2.0.0; build metadata is not used)"
case $mode in '' | --dry-run) ;; *) fail "usage: Scripts/release.sh VERSION [--dry-run]" ;; esac
[[ $day =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || fail "RELEASE_DATE is '$day', which is no day like 2026-01-31"

version_file=Server/Sources/OstiaryClientCommand/Environment/CommandEnvironment.swift
version_line='^  package static let version = ".*"$'
# What a manifest line asks for: the branch until there is a release, then the newest one.
requirement='(branch: "main"|from: "[0-9][^"]*")'
manifest_line="\.package\(url: \"[^\"]*/ostiary\", $requirement"

git() { command git -c safe.directory="$root" "$@"; }

# key VERSION: a text whose order is the precedence of versions (Semantic Versioning 2.0.0, section 11). A release comes after its
# pre-releases, a word after a number, and `rc.10` after `rc.9`.
key() {
  local core=${1%%-*} words part
  printf '%09d.%09d.%09d' $(tr . ' ' <<<"$core")
  if [[ $1 != *-* ]]; then
    printf '~'
    return
  fi
  IFS=. read -r -a words <<<"${1#*-}"
  for part in "${words[@]}"; do
    if [[ $part =~ ^[0-9]+$ ]]; then printf '.0%09d' "$((10#$part))"; else printf '.1%s' "$part"; fi
  done
}

# edit FILE SED-EXPRESSION TEXT: changes it, or fails if it does not hold the text then.
edit() {
  sed -E "$2" "$1" >"$1.new"
  cat "$1.new" >"$1"
  rm "$1.new"
  grep -qF -- "$3" "$1" || fail "$1 has no line that a release can change; look in Scripts/release.sh for what it should be like"
}

[ -z "$(git status --porcelain)" ] || [ "$mode" = --dry-run ] ||
  fail "there are changes that are not committed; commit them or put them aside (git stash), so that the release is what was tested"
if git rev-parse -q --verify "refs/tags/$version" >/dev/null; then fail "there is a tag $version already"; fi
export LC_ALL=C
for tag in $(git tag --list '[0-9]*.[0-9]*.[0-9]*'); do
  [[ $(key "$tag") < $(key "$version") ]] || fail "$version does not follow $tag, which was released before"
done
changes=$(awk '/^## \[/ { inside = /^## \[Unreleased\]/; next } inside && NF' CHANGELOG.md)
[ -n "$changes" ] || fail "CHANGELOG.md has nothing under [Unreleased]; say there what is new"

output=$root/.build-release
mkdir -p "$output"
if [ "$mode" = --dry-run ]; then
  copy=$output/dry-run
  rm -rf "$copy"
  git clone --quiet --no-hardlinks "$root" "$copy"
  cd "$copy"
  [ -z "$(git -C "$root" status --porcelain)" ] || say "what is not committed is left out"
fi

edit "$version_file" "s/$version_line/  package static let version = \"$version\"/" "version = \"$version\""
edit CHANGELOG.md "s/^## \[Unreleased\]\$/## [Unreleased]\\
\\
## [$version] - $day/" "## [$version] - $day"
pages=$(git grep -lE "$manifest_line" -- '*.md') || fail "no page shows a manifest line"
while IFS= read -r page; do
  edit "$page" "s/(\.package\(url: \"[^\"]*\/ostiary\", )$requirement/\1from: \"$version\"/" "/ostiary\", from: \"$version\""
done <<<"$pages"

git add -u
git -c commit.gpgsign="$(git config --default false commit.gpgsign)" commit --quiet -m "Release $version"
git tag -a "$version" -m "Ostiary $version"
archive=$output/ostiary-$version.tar.gz
git archive --format=tar --prefix="ostiary-$version/" "$version" | gzip -n >"$archive"
if command -v sha256sum >/dev/null; then sum=$(sha256sum "$archive"); else sum=$(shasum -a 256 "$archive"); fi
printf '%s  %s\n' "${sum%% *}" "ostiary-$version.tar.gz" >"$archive.sha256"

if [ "$mode" = --dry-run ]; then
  git --no-pager show --stat --format='%s' HEAD
  git --no-pager diff --unified=0 HEAD~1 HEAD
  cd "$root"
  rm -rf "$copy"
  say "dry run: this tree is as it was; the archive is $archive"
else
  say "made the commit and the tag $version; the archive is $archive"
  say "next: git push origin HEAD $version"
fi
