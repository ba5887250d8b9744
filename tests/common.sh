# SPDX-License-Identifier: MIT
# What the scripts of the tests share; sourced from the top of the tree. Sets: build, tool, plugins,
# work. A script ends with: summary
set -u
export LC_ALL=C
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
tool=$build/wddm-cts
plugins=$build/plugins
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# A signal is a signal, also where a sanitizer would make an exit of it.
export ASAN_OPTIONS="handle_segv=0:handle_sigbus=0:handle_sigfpe=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
passed=0
failed=0

good() {
    passed=$((passed + 1))
}

# bad WHAT...
bad() {
    failed=$((failed + 1))
    echo "FAIL $*"
}

# ok NAME COMMAND...: the command succeeds.
ok() {
    label=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        good
    else
        bad "$label: $*"
        awk 'NR <= 30 {print; next} {last[NR % 10] = $0}
            NR == 41 {print "..."} END {for (i = NR > 40 ? NR - 9 : 31; i <= NR; i++) print last[i % 10]}' "$work/log"
    fi
}

# status N COMMAND...: the command exits with N. Output in $work/out and $work/err.
status() {
    expected=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$expected" ]; then
        good
    else
        bad "status of $* is $got, expected $expected: $(head -n 5 "$work/err")"
    fi
}

# rows N: of the lines of standard input an N-th, another with each commit; all of them, if all is
# tried that is tried one by one (WCTS_PART).
rows() {
    part=${WCTS_PART:-1/1}
    [ "$part" = 1/1 ] || part=$((${part%/*} % $1 + 1))/$1
    WCTS_PART=$part sh tests/part.sh
}

# The last line, and what the script exits with: nothing tested is nothing proven.
summary() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
