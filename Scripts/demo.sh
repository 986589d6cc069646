#!/usr/bin/env bash
# Builds the `ostiary` command and runs its demonstration, whose server has sign-up switched on. Arguments go to `ostiary demo`.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# By itself, where the README says that the command is.
OSTIARY_TOGETHER=0

scratch=$(scratch_of server)
[ -d "$scratch/checkouts" ] || say "building the server (once; around ten minutes on two cores)"
quietly "demo build" build_debug server --product ostiary
exec "$scratch/debug/ostiary" demo "$@"
