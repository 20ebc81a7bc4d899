#!/usr/bin/env bash
# Sweeps under mpirun: the same file for 1, 2 and 7 ranks and for threads, the same statistics, a killed rank, a refused
# restart. Usage: ranks.sh PROGRAM CASE
set -euo pipefail
program=$1 case=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
passed=0 failed=0
check() { # what, command...
    local what=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $what"; fi
}
ranks() { local n=$1; shift; mpirun --allow-run-as-root --oversubscribe -n "$n" "$program" sweep "$case" "$@"; }
vary=(--law routh-stronge --random mu=uniform:0:1 --random e=uniform:0.2:0.9 --seed 3)

"$program" sweep "$case" "${vary[@]}" --count 20000 --threads 1 -o one.h5
"$program" sweep "$case" "${vary[@]}" --count 20000 --threads 3 -o threads.h5
check "threads change nothing" cmp one.h5 threads.h5
for n in 1 2 7; do
    ranks $n "${vary[@]}" --count 20000 -o ranks$n.h5
    check "$n ranks write the same file" cmp one.h5 ranks$n.h5
done

"$program" sweep "$case" "${vary[@]}" --count 20000 --statistics p_n,energy_change >one.txt
ranks 3 "${vary[@]}" --count 20000 --statistics p_n,energy_change >three.txt
check "3 ranks give the same statistics" cmp one.txt three.txt

# A rank is killed in the middle; the shares that were done are kept, and the restarted file is the same.
"$program" sweep "$case" "${vary[@]}" --count 300000 -o whole.h5
ranks 2 "${vary[@]}" --count 300000 -o killed.h5 >/dev/null 2>&1 &
mpirun=$!
for _ in $(seq 200); do
    sleep 0.1
    if [ -f killed.h5.shares ] && [ "$(tail -c +129 killed.h5.shares | tr -d '\000' | wc -c)" -ge 20 ]; then break; fi
done
kill -9 "$(pgrep -P "$mpirun" | tail -1)"
wait "$mpirun" || true
done_before=$(tail -c +129 killed.h5.shares | tr -d '\000' | wc -c)
check "shares were done before the kill" test "$done_before" -ge 20
check "there is no file that looks complete" test ! -e killed.h5
check "another seed is refused" bash -c "! '$program' sweep '$case' ${vary[*]} --seed 4 --count 300000 -o killed.h5 --resume 2>said"
check "and says why" grep -q 'of a sweep with another case, other values or another seed' said
ranks 2 "${vary[@]}" --count 300000 -o killed.h5 --resume
check "the restarted file is the same" cmp whole.h5 killed.h5
check "the record is gone" test ! -e killed.h5.shares
check "rows of text are refused" bash -c "! mpirun --allow-run-as-root -n 2 '$program' sweep '$case' --vary mu=0:1:3 2>said"
check "in one line" test "$(grep -c '^carom: sweep: under mpirun' said)" = 1

# Ensembles of a scene: the same machinery, runs in place of impacts.
runs=(ensemble bouncing-ball --law newton --time 0.8 --random e=normal:0.8:0.02 --random bodies.ball.position.2=uniform:1:1.2
      --count 3000 --record bodies.ball.position.2,impacts)
"$program" "${runs[@]}" --threads 1 -o runs1.h5
"$program" "${runs[@]}" --threads 3 -o runs3.h5
check "ensembles: threads change nothing" cmp runs1.h5 runs3.h5
for n in 2 7; do
    mpirun --allow-run-as-root --oversubscribe -n $n "$program" "${runs[@]}" -o runs.h5
    check "ensembles: $n ranks write the same file" cmp runs1.h5 runs.h5
done
"$program" "${runs[@]}" --statistics bodies.ball.position.2 >runs1.txt
mpirun --allow-run-as-root --oversubscribe -n 3 "$program" "${runs[@]}" --statistics bodies.ball.position.2 >runs3.txt
check "ensembles: 3 ranks give the same statistics" cmp runs1.txt runs3.txt
mpirun --allow-run-as-root --oversubscribe -n 2 "$program" "${runs[@]}" --count 40000 -o killed_runs.h5 >/dev/null 2>&1 &
mpirun=$!
for _ in $(seq 200); do
    sleep 0.05
    if [ -f killed_runs.h5.shares ] && [ "$(tail -c +129 killed_runs.h5.shares | tr -d '\000' | wc -c)" -ge 20 ]; then break; fi
done
kill -9 "$(pgrep -P "$mpirun" | tail -1)"
wait "$mpirun" || true
"$program" "${runs[@]}" --count 40000 -o killed_runs.h5 --resume
"$program" "${runs[@]}" --count 40000 -o whole_runs.h5
check "ensembles: the restarted file is the same" cmp whole_runs.h5 killed_runs.h5
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
