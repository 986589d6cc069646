#!/usr/bin/env bash
# interop.sh [COMMAND]: `ostiary` against servers that others wrote, by its options alone: gateways and logins with a form or a password
# (sign in, wrong password, expiry, lost answer, sign out), then OpenID servers (sign in, request, renewal, lost answer, 20 processes at one
# expiry, sign out), then APIs with a dialect (the same, and a session that the server has ended). Prints tables and fails where a claim of the command was wrong. COMMAND is a built `ostiary`, debug or release; without
# it a debug one is built first. A server that is not installed, or can't be, is skipped with a message; those of PyPI are installed into
# the build folder, once.
#
# SERVERS         some of the servers, by the beginnings of their names
# INTEROP_TABLE   a document that gets the tables, such as docs/interop.md
# INTEROP_VERBOSE 1: each case as it ends, and what the servers say
# INTEROP_PYTHON  a Python that has Django and Radicale (pip install django radicale); default: python3
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v python3 >/dev/null || fail "interop needs python3"
choose_command "${1:-}"
read -r -a names <<<"${SERVERS:-}"
INTEROP_ENVIRONMENTS=${INTEROP_ENVIRONMENTS:-$(scratch_of server)/interop}
export INTEROP_ENVIRONMENTS PYTHONDONTWRITEBYTECODE=1
status=0
for servers in interop openid_servers api_servers; do
  python3 "Scripts/interop/$servers.py" "$command" ${names[@]+"${names[@]}"} || status=1
done
exit "$status"
