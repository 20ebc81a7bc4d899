#!/usr/bin/env bash
# The gas on 1, 2 and 4 ranks: energy and ledger are constant in sum, to 1e-9, and there are impacts.
# Usage: test.sh PROGRAM SCRIPT
set -euo pipefail
for ranks in 1 2 4; do
    mpirun --allow-run-as-root --oversubscribe -n $ranks "$1" -in "$2" -log none |
        awk -v ranks=$ranks '
            $1 == "Step" { table = 1; next }
            /^Loop time/ { table = 0 }
            table && NF == 6 { if (!first) first = $6; last = $6; impacts = $4; taken = $5 }
            END {
                off = last / first - 1; if (off < 0) off = -off
                printf "%d ranks: %.0f impacts took %.6g; energy and ledger differ by %.1g\n", ranks, impacts, taken, off
                exit !(off < 1e-9 && impacts > 20)
            }'
done
