#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the whole suite against each plug-in of `runs` and compares exit code and every verdict.
here=$(dirname "$0")
# A signal is a signal, also where a sanitizer would make an exit of it.
export ASAN_OPTIONS="handle_segv=0:handle_abort=0:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
build=${WCTS_BUILD:-build/default}
tool=$build/wddm-cts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

while read -r name code plugin; do
    [ -n "$name" ] || continue
    plugin=$(echo "$plugin" | sed "s|@P|$build/plugins|g; s|@B|$build|g; s|@W|$work|g")
    "$tool" run --impl "$plugin" --timeout $(case $name in hang) echo 4;; *) echo 60;; esac) -j 1 --out "$work/$name" -q >"$work/log" 2>&1
    got=$?
    have=$work/$name/verdicts.txt
    [ -f "$have" ] || : >"$have"
    want=$here/$name.verdicts
    case $plugin in
    */misbehave.so,*) # a kernel that accepts everything: what differs from accept-all says all
        diff "$here/accept-all.verdicts" "$have" >"$work/diff"
        have=$work/diff
        want=$here/$name.diff
        ;;
    esac
    [ -z "$WCTS_UPDATE" ] || cp "$have" "$want"
    if [ "$got" -eq "$code" ] && cmp -s "$have" "$want"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit $got, expected $code"
        tail -n 5 "$work/log"
        diff "$want" "$have" | head -n 20
    fi
done <"$here/runs"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
