#!/usr/bin/env bash
# check-together.sh: when both packages are built as one (common.sh): with a toolchain that can, and says so before a long text; not with
# another one afterwards, nor of a copy of the folder, nor where that is not wanted. With programs that only answer as a toolchain does.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$(uname)" = Linux ] || exit 0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/a & b/Scripts"
cp Scripts/common.sh "$place/a & b/Scripts/"
printf '%s\n' '#!/usr/bin/env bash' 'echo --multiroot-data-file' 'for line in {1..20000}; do echo "  --option-$line"; done' >"$place/able"
printf '%s\n' '#!/usr/bin/env bash' 'echo --product' >"$place/unable"
chmod +x "$place/able" "$place/unable"

# ask FOLDER TOOLCHAIN COMMANDS: `together` or `apart` afterwards.
ask() {
  env -u OSTIARY_TOGETHER -u SCRATCH SWIFT="$place/$2" bash -c \
    "source '$1/Scripts/common.sh'; $3; if is_together; then scratch_of sdk; else echo apart; fi"
}

# demand WHAT EXPECTED FOUND
demand() { [ "$3" = "$2" ] || fail "$1: $3, and not $2"; }

here="$place/a & b" copy="$place/copy"
demand "before anything was built" apart "$(ask "$here" able :)"
for _ in {1..10}; do
  rm -rf "$here/.build-together"
  demand "a toolchain that can" "$here/.build-together" "$(ask "$here" able go_together)"
done
demand "later" "$here/.build-together" "$(ask "$here" able :)"
grep -q 'absolute:.*/a &amp; b/Server"' "$here/.build-together/Ostiary.xcworkspace/contents.xcworkspacedata" || fail "the name of the folder"
demand "where it is not wanted" apart "$(ask "$here" able OSTIARY_TOGETHER=0)"
demand "another toolchain" apart "$(ask "$here" unable :)"
cp -r "$here" "$copy"
demand "a copy" apart "$(ask "$copy" able :)"
demand "a toolchain that can't" apart "$(ask "$here" unable go_together)"
demand "after it" apart "$(ask "$here" able :)"
