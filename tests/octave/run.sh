#!/usr/bin/env bash
# tests/octave/run.sh BUILD: build the MEX file against the static libraries and run the tests of bindings/octave.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cp bindings/octave/*.m bindings/octave/carom_mex.c "$room"
cp examples/cases/ball.json "$room"
root=$PWD
cd "$room"
mkoctfile --mex -I"$root/include" carom_mex.c "$build/src/io/libcarom-io.a" "$build/libcarom.a" $(pkg-config --libs cairo) -lm -lpthread -ldl -o carom_mex.mex
octave-cli --norc --quiet test_carom.m | tee output
expected=$("$build/carom" solve --json ball.json | tr -d ' \n' | sed 's/.*"p":\[\([^]]*\)\].*/\1/; s/,/ /g')
for k in 1 2 3; do # the same numbers as the program, to the last digit
    awk -v a="$(head -1 output | cut -d' ' -f$k)" -v b="$(echo "$expected" | cut -d' ' -f$k)" 'BEGIN { exit !(a + 0 == b + 0) }'
done
