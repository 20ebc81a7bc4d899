#!/usr/bin/env bash
# Opens the replay page of every scene in headless Chromium: it must start, play and list the events, and the energies of
# its summary must add up. Needs chromium and a program
# with the page (./run test-replay). tests/replay/run.sh [FOLDER]: screenshots of every scene go there.
set -uo pipefail
cd "$(dirname "$0")/../.."
carom=${BUILD:-build}/carom shots=${1:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

browse() { # ARGUMENTS...
    timeout 120 chromium --headless --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic \
        --no-first-run --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$scratch/profile" --window-size=1280,800 --virtual-time-budget=3000 "$@" 2>/dev/null
}

# The energies of the summary as the page shows them, with six digits: before and all causes make after.
ledger() { # DOM
    grep -o '<section class="summary">.*' "$1" | sed 's/<\/section>.*//; s/<\/tr>/\n/g; s/<[^>]*>/ /g' |
        awk '$1 == "energy" { x = $3 < 0 ? -$3 : $3; if (x > most) most = x; rows++
                 if ($2 == "after") after = $3; else if ($2 != "residual") sum += $3 }
             END { off = sum - after; if (off < 0) off = -off; exit !(rows >= 9 && off <= 3e-5 * most) }'
}

for file in scenes/*.json; do
    name=$(basename "$file" .json) page=$scratch/page.html dom=$scratch/dom.html
    "$carom" sim "$file" --html "$page" --events "$scratch/events.jsonl" >/dev/null || { echo "$name: no page" >&2; failed=$((failed + 1)); continue; }
    browse --dump-dom "file://$page" >"$dom"
    events=$(wc -l <"$scratch/events.jsonl")
    rows=$(grep -o '<li><button' "$dom" | wc -l)
    clock=$(sed -n 's/.*id="clock">\([0-9.]*\) s.*/\1/p' "$dom")
    if grep -q 'data-ready="true"' "$dom" && [ "$clock" != 0.000 ] && { [ "$rows" -ge "$events" ] || [ "$rows" -ge 2000 ]; }; then
        passed=$((passed + 1))
    else
        echo "$name: clock at '$clock', $rows rows for $events events; $(grep -o 'data-failed="[^"]*"' "$dom")" >&2
        failed=$((failed + 1))
    fi
    ledger "$dom" || { echo "$name: the energies of the page do not add up" >&2; failed=$((failed + 1)); }
    [ -z "$shots" ] || browse --screenshot="$shots/$name.png" "file://$page#t=${TIME:-0.5}" >/dev/null
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
