#!/usr/bin/env bash
# Install Carom into an empty prefix and build a tiny consumer against it: find_package and pkg-config, shared and static.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cmake --install "$BUILD" --prefix "$tmp/prefix" >/dev/null
cmake -S "$here" -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$tmp/prefix" -DCMAKE_C_COMPILER="$CC" \
      -DCMAKE_C_FLAGS="${CFLAGS:-}" >/dev/null
cmake --build "$tmp/cmake" >/dev/null
for program in shared static io io_static; do "$tmp/cmake/$program"; done

export PKG_CONFIG_PATH=$(dirname "$(find "$tmp/prefix" -name carom.pc)")
libdir=$(pkg-config --variable=libdir carom)
# shellcheck disable=SC2046,SC2086
$CC ${CFLAGS:-} "$here/main.c" $(pkg-config --cflags --libs carom) -o "$tmp/pkg"
LD_LIBRARY_PATH=$libdir "$tmp/pkg"
case " $(pkg-config --libs carom) " in *' -lm '*) ;; *) echo "pkg-config --libs carom lacks -lm"; exit 1 ;; esac
# shellcheck disable=SC2046,SC2086
$CC ${CFLAGS:-} "$here/io.c" $(pkg-config --cflags --libs carom-io) -o "$tmp/pkg-io"
LD_LIBRARY_PATH=$libdir "$tmp/pkg-io"
mkdir "$tmp/alone" && cp "$libdir/libcarom.a" "$tmp/alone"
# shellcheck disable=SC2046,SC2086
$CC ${CFLAGS:-} "$here/main.c" $(pkg-config --cflags carom) -L"$tmp/alone" $(pkg-config --static --libs-only-l carom) \
    -o "$tmp/pkg-static"
"$tmp/pkg-static"

# A program compiled with an older header, which lacks the last coefficient, option and status, runs with this library.
mkdir "$tmp/old" && cp -r "$tmp/prefix/include/carom" "$tmp/old/carom"
for list in coeffs:COEFF options:OPTION status:STATUS; do
    def=$tmp/old/carom/${list%%:*}.def last=$(grep -n "^CAROM_${list##*:}(" "$tmp/old/carom/${list%%:*}.def" | tail -n 1 | cut -d: -f1)
    sed -i "${last}d" "$def"
done
# shellcheck disable=SC2086
$CC ${CFLAGS:-} "$here/main.c" -I"$tmp/old" -L"$libdir" -lcarom -lm -o "$tmp/old-header"
LD_LIBRARY_PATH=$libdir "$tmp/old-header"
for file in share/man/man1/carom.1 share/man/man1/carom-solve.1 share/bash-completion/completions/carom share/zsh/site-functions/_carom \
            share/fish/vendor_completions.d/carom.fish share/carom/examples/hello.c share/carom/examples/cases/ball.json; do
    [ -s "$tmp/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
echo "9 passed, 0 failed"
