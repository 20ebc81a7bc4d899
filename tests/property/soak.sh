#!/usr/bin/env bash
# Build the library and the property suite alone, and run it on all cores. Needs a C compiler and cmake.
#
#     tests/property/soak.sh FOLDER [--hours H | --impacts N] [--seed S] [--from N] [--jobs J] [--summary FILE]
#
# FOLDER receives the build and, unless --summary names another file, the summary in FOLDER/soak.txt.
set -euo pipefail
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ $# -gt 0 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 2; }
folder=$1
shift
cmake -S "$tree" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DCAROM_PROGRAMS=OFF -DBUILD_TESTING=ON >/dev/null
cmake --build "$folder" --target property --parallel "$(nproc)" >/dev/null
jobs=(--jobs "$(nproc)") summary=(--summary "$folder/soak.txt")
for word in "$@"; do
    [ "$word" != --jobs ] || jobs=()
    [ "$word" != --summary ] || summary=()
done
status=0
"$folder/tests/property/property" "${jobs[@]}" "${summary[@]}" "$@" || status=$?
[ ${#summary[@]} -eq 0 ] || cat "$folder/soak.txt"
exit $status
