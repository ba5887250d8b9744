#!/bin/sh
# SPDX-License-Identifier: MIT
# An implementation that refuses valid calls, or lacks what everything builds on, never conforms:
# tests/plugins/refuse_some.c refuses one thing a row, and each run ends as the row has it. Run from
# the source directory; WCTS_BUILD is the build directory.
set -u
build=${WCTS_BUILD:-build/default}
tool=$build/wddm-cts
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME STATUS LAST COMMAND...: the command's exit status, and how its last line begins.
check() {
    name=$1
    status=$2
    last=$3
    shift 3
    "$@" >"$work/log" 2>&1
    got=$?
    if [ "$got" -eq "$status" ] && tail -n 1 "$work/log" | grep -q "^$last"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit status $got, expected $status: $(tail -n 1 "$work/log")"
    fi
}

# ends WHAT STATUS VERSIONS LAST: how the run ends, and what verify makes of it; a run at one version
# is no claim that could be verified.
ends() {
    check "$1" "$2" "$4" "$tool" run -q ${3:+--wddm "$3"} \
        --impl "$build/plugins/refuse_some.so,what=$1,emulator=$build/emulator.so" --out "$work/$1"
    [ -n "$3" ] || check "verify of $1" "$2" "verified: $4" "$tool" verify "$work/$1"
    rm -rf "${work:?}/$1"
}

while read -r what status versions; do
    case $status in
    1) ends "$what" 1 "$versions" 'does not conform: ' ;;
    3) ends "$what" 3 "$versions" 'incomplete: ' ;;
    esac
done <<END
three-flags 3 2.3..2.3
one-flag 1 2.3..2.3
one-version 3
one-segment-flag 3 2.3..2.3
no-create 3
one-page-size 3 2.3..2.3
second-adapter 3 2.3..2.3
lock 3 2.3..2.3
several-updates 3 2.3..2.3
evict 3 2.3..2.3
open-global 1 2.3..2.3
driver-create 3 2.3..2.3
driver-info-and-segments 3
driver-last-kind 3 2.3..2.3
driver-one-version 3 2.3..2.3
driver-submit 3 2.3..2.3
driver-device 3 2.3..2.3
driver-patch 1 2.3..2.3
END
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
