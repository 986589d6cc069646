#!/usr/bin/env bash
# Proves that the client half of the command needs no server: OstiaryServer, Hummingbird and GRDB are not among what its target
# depends on, in this package and in the SDK, and its sources type-check where no module of theirs can be found. Reads the debug
# build of the server's package.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

client=OstiaryClientCommand
refused='OstiaryServer|OstiaryServerCommand|Hummingbird[A-Za-z]*|GRDB[A-Za-z]*|CSodium'

# manifest PACKAGE: as JSON.
manifest() { in_package "$1" "${swift[@]}" package dump-package; }

graph=$logs/client-graph
mkdir -p "$graph"
manifest server >"$graph/server.json"
manifest sdk >"$graph/sdk.json"

# closure TARGET: the target, and every target and product that it leads to.
closure() {
  python3 - "$1" "$graph/server.json" "$graph/sdk.json" <<'PYTHON'
import json, sys

edges = {}
for path in sys.argv[2:]:
    for target in json.load(open(path))["targets"]:
        names = edges.setdefault(target["name"], set())
        for dependency in target["dependencies"]:
            # {"product": [name, package, …]}, {"target": [name, …]} or {"byName": [name, …]}
            names.update(value[0] for value in dependency.values() if isinstance(value, list))
found, open_ = set(), [sys.argv[1]]
while open_:
    name = open_.pop()
    if name in found:
        continue
    found.add(name)
    open_ += edges.get(name, ())
print("\n".join(sorted(found)))
PYTHON
}

needs=$(closure "$client")
grep -qx OstiaryCore <<<"$needs" || fail "the targets of $client were not found"
# The other half must show what is looked for, or the answer about this one means nothing.
[ "$(closure OstiaryServerCommand | grep -cxE 'OstiaryServer|Hummingbird|GRDB')" -eq 3 ] || fail "the server was not found"
if grep -xE "$refused" <<<"$needs"; then fail "$client depends on a server"; fi

# A module that another target has built can be imported by accident. So the sources are type-checked with the flags of their
# build, but beside modules that are not refused.
build=$(cd "$(in_package server "${swift[@]}" build "${debug_flags[@]}" --scratch-path "$(scratch_of server)" --show-bin-path)" && pwd -P)
modules=$graph/modules
rm -rf "$modules"
mkdir -p "$modules"
for module in "$build"/Modules/*.swiftmodule; do
  name=$(basename "$module" .swiftmodule)
  grep -qxE "$refused" <<<"$name" || ln -s "$module" "$modules/"
done
python3 - "$(dirname "$(dirname "$build")")/debug.yaml" "$client" "$modules" >"$graph/flags" <<'PYTHON'
import json, re, sys

manifest, client, modules = sys.argv[1:]
for line in open(manifest):
    if f'"-module-name","{client}",' in line and "args: " in line:
        arguments = json.loads(line.split("args: ", 1)[1])[1:]
        break
else:
    sys.exit(f"{manifest} does not build {client}")
# What says where results go is left out.
single = {"-emit-dependencies", "-emit-module", "-incremental", "-c", "-serialize-diagnostics", "-enable-batch-mode"}
double = {"-emit-module-path", "-output-file-map", "-index-store-path", "-driver-batch-size-limit"}
kept, skip = [], False
for argument in arguments:
    if skip:
        skip = False
    elif argument in double:
        skip = True
    elif argument not in single and not re.fullmatch(r"-j\d+", argument):
        kept.append(modules if argument.endswith("/Modules") else argument)
print("\n".join('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"' for argument in kept))
PYTHON
read -r -a compiler <<<"${SWIFTC:-${swift[*]}c}"
"${compiler[@]}" -typecheck "@$graph/flags"

say "$client needs no server: $(wc -l <<<"$needs") targets and products"
