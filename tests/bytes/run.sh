#!/usr/bin/env bash
# The same bytes whatever the compiler and the optimisation level: scenes, up to 3,000 impacts, are run by programs that gcc and clang
# have built at several levels, and by the program of build/; summaries and event files are compared. Programs stay in FOLDER, and
# only what has changed is built again.
# Usage: tests/bytes/run.sh FOLDER [gcc-O0 clang-O3 ...]    SCENES="box dice" takes these scenes, not all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$1 failed=0 jobs=$(nproc)
shift
[ $# -gt 0 ] || set -- gcc-O0 gcc-O1 gcc-O3 clang-O0 clang-O1 clang-O3
scenes=${SCENES:-$(basename -s .json scenes/*.json)}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# Summary and all events of one scene as one number. Paths, which the summary names, are the same for all programs.
hash_scene() {
    local program=$1 out=$2 scene=$3 events
    events=$(mktemp "$out.XXXXXX")
    printf '%s %s\n' "$scene" "$({ "$program" sim "scenes/$scene.json" --impacts 3000 --json --events "$events" 2>&1 || true
        cat "$events"; } | sha256sum | cut -c1-16)"
    rm -f "$events"
}
export -f hash_scene

hashes() { # of all scenes, one after the other finished; a line tells how far it has come
    local program=$1 name=$2 total done=0 line
    total=$(wc -w <<<"$scenes")
    xargs -n 1 -P "$jobs" bash -c 'hash_scene "$@"' - "$program" "$folder/$name" <<<"$scenes" | while read -r line; do
        done=$((done + 1))
        echo "$line"
        if [ -t 2 ]; then printf '\r%s: %d of %d scenes' "$name" "$done" "$total" >&2; fi
    done | sort >"$folder/$name.hashes"
    if [ -t 2 ]; then printf '\n' >&2; fi
    [ "$(wc -l <"$folder/$name.hashes")" -eq "$total" ] || { echo "$name: not every scene was run" >&2; exit 1; }
}

build() { # the program of one compiler at one level
    local compiler=${1%%-*} level=-${1#*-} cxx
    cxx=${compiler/gcc/g++}
    cmake -S . -B "$folder/$1" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER="${cxx/clang/clang++}" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS="$level -w" -DCMAKE_CXX_FLAGS="$level -w" -DBUILD_TESTING=OFF >/dev/null
    cmake --build "$folder/$1" --target carom_program -- --quiet
}

echo "build: $(wc -w <<<"$scenes") scenes" >&2
hashes "${BUILD:-build}/carom" release
for name in "$@"; do
    echo "$name: building" >&2
    build "$name"
    hashes "$folder/$name/carom" "$name"
    if diff "$folder/release.hashes" "$folder/$name.hashes" >&2; then
        echo "$name: the same bytes in $(wc -l <"$folder/release.hashes") scenes"
    else
        echo "$name: other bytes" >&2
        failed=1
    fi
done
exit $failed
