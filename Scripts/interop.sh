#!/usr/bin/env bash
# interop.sh [COMMAND]: `ostiary` against servers that others wrote, by its options alone: sign in, wrong password, expiry, lost
# answer, sign out. Prints a table and fails where a claim of the command was wrong. COMMAND is a built
# `ostiary`, debug or release; without it a debug one is built first. A server that is not installed is skipped with a message.
#
# SERVERS         some of the servers, by the beginnings of their names
# INTEROP_PYTHON  a Python that has Django and Radicale (pip install django radicale); default: python3
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v python3 >/dev/null || fail "interop needs python3"
choose_command "${1:-}"
read -r -a names <<<"${SERVERS:-}"
PYTHONDONTWRITEBYTECODE=1 exec python3 Scripts/interop/interop.py "$command" ${names[@]+"${names[@]}"}
