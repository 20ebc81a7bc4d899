#!/usr/bin/env bash
# Five scenes have the same bits when clang builds the simulator with -O1 and as this build does: about 20 s of processor time, for
# the sources that they need. tests/bytes/run.sh takes every scene, compiler and level. Skipped where there is no clang.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v clang >/dev/null || { echo "skipped: no clang"; exit 77; }
folder=$BUILD/bytes-five
mkdir -p "$folder"
rm -f "$folder"/*.o
export OPTIONS="-std=c17 -O1 -w -ffp-contract=off -fno-math-errno -fno-trapping-math -Iinclude -Isrc -Itests -I$BUILD/generated"
compile() { # shellcheck disable=SC2086
    clang $OPTIONS -c "$2" -o "$1/${2//\//_}.o"
}
export -f compile
inside=$(grep -o 'laws/[a-z_]*\.c' "$BUILD/generated/engine/laws_with_loops.inc") # of engine/road.c
find src/core src/contact src/laws src/engine src/mechanism src/geometry src/sim tests/bytes/five.c -name '*.c' | grep -vF -e "$inside" | grep -v src/engine/gpu/ |
    xargs -P "$(nproc)" -I{} bash -c 'compile "$@"' - "$folder" {}
clang "$folder"/*.o -o "$folder/five" -lcmocka -lm -pthread
diff <("$BUILD/tests/bytes_five") <("$folder/five") || { echo "other bits" >&2; exit 1; }
"$BUILD/tests/bytes_five"
