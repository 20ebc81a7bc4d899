#!/usr/bin/env bash
# Runs the command line tests: tests/cli/run.sh [FILE.test...]; the program is $BUILD/carom, build/carom by default.
#
# A test file is a list of commands with what they must print:
#
#   # a comment
#   @ case.json            the lines "| ..." that follow become this file
#   | {"law": "newton"}
#   ? law jia              what follows is for builds that have this law
#   ? terminal             ... for machines that can make a pseudo-terminal; "? always" ends both
#   $ carom solve case.json
#   > a line of standard output, exactly
#   >~ ^a line of it.*     as an extended regular expression
#   >...                   any further lines
#   ! a line of standard error (also !~ and !...)
#   = 2                    exit status; 0 when not given
#
# Pages of the guide are tests too: in their ```console blocks, "$ " begins a command, the lines below it are all that it
# prints, and "..." stands for any further lines. There the examples are at examples/ and the vectors at tests/vectors.
#
# Commands run in bash, in an empty folder, with the program as `carom` (and `literature`, `bench_laws`), $root the repository and $here this folder.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(realpath "${BUILD:-$root/build}/carom") || exit 2
export root here NO_COLOR=1 LC_ALL=C.UTF-8
[ $# -gt 0 ] || set -- "$here"/*.test "$root"/docs/guide/{case-format,command-line,dem,fit,pucks,recordings,simulation}.md
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" && ln -s "$program" "$scratch/bin/carom"
for tool in tests/literature/literature bench/bench_laws; do
    ln -s "$(dirname "$program")/$tool" "$scratch/bin"
done
export PATH="$scratch/bin:$PATH"
passed=0 failed=0

# lines_match FILE PATTERN...: every line of the file against its pattern ("=text", "~regex", ".").
lines_match() {
    local file=$1 line pattern i=0
    shift
    local -a patterns=("$@")
    while IFS= read -r line || [ -n "$line" ]; do
        pattern=${patterns[i]-}
        case $pattern in
        .) return 0 ;;
        =*) [ "$line" = "${pattern#=}" ] || return 1 ;;
        \~*) [[ $line =~ ${pattern#\~} ]] || return 1 ;;
        *) return 1 ;;
        esac
        i=$((i + 1))
    done <"$file"
    [ "${patterns[i]-.}" = . ]
}

# Run the command at hand and compare; called when the next one begins.
judge() {
    [ -n "$command" ] || return 0
    (cd "$scratch/folder" && bash -c "$command" </dev/null >"$scratch/out" 2>"$scratch/err")
    local status=$?
    [ "$wanted" != any ] || status=any
    if [ "$status" = "$wanted" ] && lines_match "$scratch/out" "${out[@]}" && lines_match "$scratch/err" "${err[@]}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s:%s: %s\n  exit status %s, expected %s\n' "$name" "$at" "$command" "$status" "$wanted"
        sed 's/^/  stdout: /' "$scratch/out" | head -40
        sed 's/^/  stderr: /' "$scratch/err" | head -20
    fi
    command=
}

run_file() {
    name=$(basename "$1")
    local number=0 line file=/dev/null skip=
    command= wanted=0 out=() err=()
    rm -rf "$scratch/folder" && mkdir "$scratch/folder"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case $line in
        '@ '*) judge; file=$scratch/folder/${line#@ }; : >"$file" ;;
        '| '*) printf '%s\n' "${line#| }" >>"$file" ;;
        '? law '*) judge; carom laws show "${line#? law }" >/dev/null 2>&1 && skip= || skip=1 ;;
        '? terminal') judge; script -qec true /dev/null </dev/null >/dev/null 2>&1 && skip= || skip=1 ;;
        '? always') judge; skip= ;;
        '$ '*) judge; [ -n "$skip" ] || command=${line#$ }; at=$number wanted=0 out=() err=() ;;
        '> '* | '>') out+=("=${line:2}") ;;
        '>~ '*) out+=("~${line:3}") ;;
        '>...') out+=(.) ;;
        '! '* | '!') err+=("=${line:2}") ;;
        '!~ '*) err+=("~${line:3}") ;;
        '!...') err+=(.) ;;
        '= '*) wanted=${line#= } ;;
        '#'* | '') ;;
        *) printf '%s:%s: cannot read this line\n' "$name" "$number" && failed=$((failed + 1)) ;;
        esac
    done <"$1"
    judge
}

# A page: standard error is shown where it comes, and exit statuses are not.
run_page() {
    name=$(basename "$1")
    local number=0 line inside=
    command= wanted=any out=() err=()
    rm -rf "$scratch/folder" && mkdir "$scratch/folder"
    ln -s "$root/examples" "$root/tests" "$root/docs" "$root/data" "$scratch/folder"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case $inside$line in
        '```console') inside=1 ;;
        '1```') judge; inside= ;;
        '1$ '*) judge; command="{ ${line#$ }; } 2>&1" at=$number out=() ;;
        '1...') out+=(.) ;;
        1*) out+=("=$line") ;;
        esac
    done <"$1"
}

for file in "$@"; do
    case $file in
    *.md) run_page "$file" ;;
    *) run_file "$file" ;;
    esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
