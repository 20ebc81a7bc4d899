#!/usr/bin/env bash
# The same bytes on other machines: the answers to all reference vectors and the first impacts of scenes, from programs that are
# cross-compiled and run under qemu-user, against build/carom. Usage: tests/machines/run.sh BUILD_FOLDER [aarch64 s390x ...]
# s390x has the other order of bytes in memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$1 failed=0
shift
[ $# -gt 0 ] || set -- aarch64 s390x
mkdir -p "$folder"
scenes="ball-eight bouncing-ball break carom coin cradle dice galperin pencil rod superball"

bytes() { # of the answers to each file, of the summary and the events of each scene; the rest is the command
    local file scene
    for file in tests/vectors/*.jsonl; do
        [ "$file" != tests/vectors/saltation.jsonl ] || continue # needs derivatives, which are C++
        printf '%s %s\n' "$(basename "$file")" "$("$@" solve --json "$file" 2>&1 | sha256sum | cut -c1-16)"
    done
    for scene in $(build/carom scenes | sed -n 's/^ *\([a-z0-9-]*\)  .*/\1/p' | grep -wF "$(tr ' ' '\n' <<<"$scenes")"); do
        "$@" sim "$scene" --impacts 30 --json --events "$folder/events.jsonl" >"$folder/summary.json" 2>&1 || true
        printf '%s %s\n' "$scene" "$(cat "$folder/summary.json" "$folder/events.jsonl" | sha256sum | cut -c1-16)"
    done
}

bytes build/carom >"$folder/here"
[ "$(wc -l <"$folder/here")" -gt 10 ] || { echo "nothing was run" >&2; exit 1; }
for machine in "$@"; do
    cmake -S tests/machines -B "$folder/$machine" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine" \
        -DCMAKE_C_COMPILER="$machine-linux-gnu-gcc" -DCMAKE_BUILD_TYPE=None >/dev/null
    cmake --build "$folder/$machine" -- --quiet
    bytes "qemu-$machine" "$folder/$machine/carom" >"$folder/$machine.bytes"
    if diff "$folder/here" "$folder/$machine.bytes" >&2; then
        echo "$machine: the same bytes in $(wc -l <"$folder/here") files and scenes"
    else
        echo "$machine: other bytes" >&2
        failed=1
    fi
done
exit $failed
