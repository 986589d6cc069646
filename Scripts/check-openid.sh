#!/usr/bin/env bash
# check-openid.sh [COMMAND]: `ostiary login oidc` by its options alone against two OpenID servers that others wrote, Glewlwyd of Debian and
# django-oauth-toolkit of PyPI, side by side: sign in, request, renewal, lost answer, 20 processes at one expiry, sign-out. COMMAND is a built
# `ostiary`; without it a debug one is built first. A server that is not installed, or can't be, is skipped with a message. Two minutes, most of them waits.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v python3 >/dev/null || {
  say "skipped: python3 is not installed here"
  exit 0
}
choose_command "${1:-}"
INTEROP_ENVIRONMENTS=${INTEROP_ENVIRONMENTS:-$(scratch_of server)/interop}
export INTEROP_ENVIRONMENTS INTEROP_QUICK=1 INTEROP_LIFETIME=${INTEROP_LIFETIME:-6}
PYTHONDONTWRITEBYTECODE=1 exec python3 Scripts/interop/openid_servers.py "$command" glewlwyd django-oauth-toolkit
