#!/usr/bin/env bash
# The law files as PTX, by clang and LLVM (cmake/gpu.cmake runs this in the root of the project):
#
#     ptx.sh support OUT                                           everything that kernels may call, as bitcode: OUT/support.bc
#     ptx.sh law OUT SYMBOL HAS_ROWS HAS_PATHS REGISTERS LEVEL ENDING    the kernels of one law, as in gpu_laws.def: OUT/SYMBOL.ptx
#
# CLANG, LINK, OPT and LLC are the tools, LAUNCHER a compiler cache or nothing. Floating-point flags are those of the library; no flag lets
# a product and a sum become one operation.
set -euo pipefail
out=$2
mkdir -p "$out/bc"
target=sm_70 isa=ptx60 # the oldest with independent threads and shuffles among some of them
flags=(--target=nvptx64-nvidia-cuda -march=$target -Xclang -target-feature -Xclang +$isa -std=c17 -O2
    -ffp-contract=off -fno-math-errno -fno-trapping-math -Xclang -fconvergent-functions -ffreestanding -DNDEBUG -DWITHOUT_PATCHES
    "-Dinline=inline __attribute__((always_inline))" -nostdinc -isystem "$("$CLANG" -print-resource-dir)/include"
    -Isrc/engine/gpu/device -Iinclude -Isrc
    -Wall -Wno-unknown-pragmas -Wno-pass-failed -Wno-bitwise-instead-of-logical -Wno-bitwise-conditional-parentheses
    -Wno-unused-function)

case $1 in
support)
    objects=()
    for file in src/engine/gpu/device/*.c src/core/*.c src/contact/impact.c src/contact/problem.c src/laws/*.c \
        src/laws/coulomb/*.c src/laws/springs/*.c; do
        object=$out/bc/$(basename "$file" .c).bc
        $LAUNCHER "$CLANG" "${flags[@]}" -emit-llvm -c "$file" -o "$object"
        objects+=("$object")
    done
    "$LINK" "${objects[@]}" -o "$out/support.bc"
    ;;
law)
    law=$3
    [ "$8" = none ] || flags+=(-DENDING="$8")
    $LAUNCHER "$CLANG" "${flags[@]}" -DLAW="$law" "-DLAW_FILE=\"laws/$law.c\"" -DHAS_ROWS="$4" -DHAS_PATHS="$5" -emit-llvm \
        -c src/engine/gpu/gpu_kernels.c -o "$out/bc/kernels_$law.bc"
    "$LINK" -only-needed "$out/bc/kernels_$law.bc" "$out/support.bc" -o "$out/$law.bc"
    # code-model=large: opt makes no tables of offsets between words, which llc cannot write
    "$OPT" -code-model=large -passes="internalize,default<$7>" \
        -internalize-public-api-list="${law}_rows,${law}_paths,${law}_pack,${law}_unpack" -S "$out/$law.bc" -o "$out/$law.ll"
    # C has no word for a kernel: the calling convention makes one of a function
    sed -i -E "s/^define (dso_local |hidden )*void @(${law}_(rows|paths|pack|unpack)\\()/define ptx_kernel void @\\2/" "$out/$law.ll"
    "$LLC" -march=nvptx64 -mcpu=$target -mattr=+$isa -O3 -fp-contract=off -nvptx-fma-level=0 "$out/$law.ll" -o "$out/$law.ptx"
    [ "$6" = 0 ] || sed -i -E "/\.entry ${law}_paths\(/,/^\{/ s/^\{/.maxnreg $6\n{/" "$out/$law.ptx"
    rm "$out/$law.bc" "$out/$law.ll"
    if grep '\.extern \.func' "$out/$law.ptx" >&2; then # no driver would load it
        echo "ptx.sh: the kernels of $law call a function that is not among their sources" >&2
        rm "$out/$law.ptx"
        exit 1
    fi
    ;;
esac
