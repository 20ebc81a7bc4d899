#!/usr/bin/env bash
# Instructions of one call of every law, and of 16 rows of its batch where it has vector loops, counted by callgrind, against
# tests/instructions/record.csv. Prints what has changed by more than 5 %, and fails only when a law has grown by more than 60 %:
# the count is a report, and a guard against accidents. `tests/instructions/run.sh update` writes the record. Counts are of a Release build by the compiler named in the record; anywhere
# else there is nothing to compare (exit status 77: skipped).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
record=$here/record.csv
program=${BUILD:-build}/tests/count_instructions
CONTACTS=64 GROWTH=60 WORTH_SAYING=5

skip() { echo "skipped: $1"; exit 77; }
command -v valgrind >/dev/null || skip "no valgrind"
[ -x "$program" ] || skip "no $program: the build found no valgrind headers"
case ${CFLAGS:-} in *sanitize* | *coverage* | *-O[01]*) skip "an instrumented or unoptimised build" ;; esac
grep -q '^CMAKE_BUILD_TYPE:STRING=Release' "${BUILD:-build}/CMakeCache.txt" || skip "not a Release build"
! grep -q '^CAROM_ISA_VARIANTS:BOOL=OFF' "${BUILD:-build}/CMakeCache.txt" || skip "a build without vector loops for AVX2"
grep -qw avx2 /proc/cpuinfo 2>/dev/null || skip "the record is of a machine with AVX2"
CC=${CC:-cc}
compiler="$("$CC" --version | grep -qi clang && echo clang || echo gcc) $("$CC" -dumpversion), $(uname -m)"
if [ "${1:-}" != update ] && [ "$(sed -n 's/^# //p' "$record")" != "$compiler" ]; then
    skip "the record is of $(sed -n 's/^# //p' "$record"), this is $compiler"
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
valgrind --tool=callgrind --collect-atstart=no --callgrind-out-file="$tmp/out" "$program" >/dev/null 2>"$tmp/log" ||
    { cat "$tmp/log" >&2; exit 1; }
for file in "$tmp"/out.*; do
    awk -v n=$CONTACTS '/^desc: Trigger: Client Request:/ { name = $NF } /^(totals|summary):/ { count = $2 }
        END { if (name && count) printf "%s,%.0f\n", name, count / n }' "$file"
done | sort >"$tmp/counts"

if [ "${1:-}" = update ]; then
    { echo "# $compiler"; echo "law,contacts,instructions"; cat "$tmp/counts"; } >"$record"
    echo "$(wc -l <"$tmp/counts") counts recorded"
    exit 0
fi

passed=0 failed=0
while IFS=, read -r law contacts now; do
    was=$(sed -n "s/^$law,$contacts,//p" "$record")
    if [ -z "$was" ]; then
        echo "$law ($contacts): $now instructions, not in the record; tests/instructions/run.sh update"
        passed=$((passed + 1))
        continue
    fi
    growth=$(((100 * now - 100 * was) / was))
    [ ${growth#-} -le $WORTH_SAYING ] ||
        printf '%-20s %-8s %7d instructions, recorded %7d: %+d %%\n' "$law" "$contacts" "$now" "$was" "$growth"
    if [ $growth -gt $GROWTH ]; then
        echo "$law ($contacts): grown by more than $GROWTH %" >&2
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done <"$tmp/counts"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
