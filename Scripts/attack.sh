#!/usr/bin/env bash
# attack.sh [COMMAND]: attacks a real server at full size (Scripts/attack/attack.py says with what) and prints what held. COMMAND is a
# built `ostiary`, debug or release; without it a debug one is built first.
#
# ATTACKS    some of the attacks, by their names
# SELF_TEST  1: each attack on a server that is broken in one way, which it has to notice
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$(uname)" = Linux ] || fail "make attack needs Linux: it looks at processes in /proc, and mounts a small disk"
command -v python3 >/dev/null || fail "the attacks need python3"
choose_command "${1:-}"
read -r -a names <<<"${ATTACKS:-}"
if [ "${SELF_TEST:-}" = 1 ]; then names=(--self-test ${names[@]+"${names[@]}"}); fi
PYTHONDONTWRITEBYTECODE=1 exec python3 Scripts/attack/attack.py "$command" ${names[@]+"${names[@]}"}
