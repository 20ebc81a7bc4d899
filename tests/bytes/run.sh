#!/usr/bin/env bash
# The same bytes whatever the compiler and the optimisation level: every shipped scene, up to 3,000 impacts, is run by programs that gcc and
# clang have built at several levels, and by the release; summaries and event files are compared. Usage: tests/bytes/run.sh BUILD_FOLDER [gcc-O0 clang-O3 ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$1 failed=0
shift
[ $# -gt 0 ] || set -- gcc-O0 gcc-O1 gcc-O3 clang-O0 clang-O1 clang-O3
mkdir -p "$folder"

hashes() { # of each scene: the summary and all events
    local program=$1 scene
    for scene in $("$program" scenes | tail -n +2 | sed -n 's/^ *\([a-z0-9-]*\)  .*/\1/p'); do
        "$program" sim "$scene" --impacts 3000 --json --events "$folder/events.jsonl" >"$folder/summary.json" || true
        printf '%s %s\n' "$scene" "$(cat "$folder/summary.json" "$folder/events.jsonl" | sha256sum | cut -c1-16)"
    done
}

hashes build/carom >"$folder/release"
[ "$(wc -l <"$folder/release")" -gt 20 ] || { echo "no scenes were run" >&2; exit 1; }
for name in "$@"; do
    compiler=${name%%-*} level=-${name#*-}
    cmake -S . -B "$folder/$name" -G Ninja -DCMAKE_C_COMPILER=$compiler -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=$level \
        -DCMAKE_CXX_FLAGS=$level -DBUILD_TESTING=OFF >/dev/null
    cmake --build "$folder/$name" --target carom_program -- --quiet
    hashes "$folder/$name/carom" >"$folder/$name.hashes"
    if diff "$folder/release" "$folder/$name.hashes" >&2; then
        echo "$name: the same bytes in $(wc -l <"$folder/release") scenes"
    else
        echo "$name: other bytes" >&2
        failed=1
    fi
done
exit $failed
