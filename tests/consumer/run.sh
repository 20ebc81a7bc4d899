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
"$tmp/cmake/shared"
"$tmp/cmake/static"

pc=$(dirname "$(find "$tmp/prefix" -name carom.pc)")
export PKG_CONFIG_PATH=$pc
libdir=$(pkg-config --define-variable=prefix="$tmp/prefix" --variable=libdir carom)
# shellcheck disable=SC2046,SC2086
$CC ${CFLAGS:-} "$here/main.c" $(pkg-config --define-variable=prefix="$tmp/prefix" --cflags --libs carom) -o "$tmp/pkg"
LD_LIBRARY_PATH=$libdir "$tmp/pkg"
echo "3 passed, 0 failed"
