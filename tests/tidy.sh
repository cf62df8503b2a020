#!/usr/bin/env bash
# clang-tidy over the C++ sources, or those named; after a build, which leaves compile_commands.json. Too slow for CI.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tests/setup.sh
if [ ! -f "$GDALGPU_BUILD/compile_commands.json" ]; then
    echo "No $GDALGPU_BUILD/compile_commands.json: build first (bash tests/run.sh), or set GDALGPU_BUILD" >&2
    exit 1
fi
if [ $# -gt 0 ]; then
    printf '%s\0' "$@"
else
    git ls-files -z '*.cpp'
fi | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$GDALGPU_BUILD" --quiet --warnings-as-errors='*'
