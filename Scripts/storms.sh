#!/usr/bin/env bash
# storms.sh [SEED]: the SDK's long random tests, and the server's forms that are sent twice, at full size. Without a seed it is the
# commit's. `make test` runs a part of them, which begins with the same seed: what fails there fails here.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OSTIARY_SEED=${1:-$(seed_of_commit)} OSTIARY_STORMS=full exec Scripts/test.sh storms
