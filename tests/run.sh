#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the given test programs (Check) and scripts, and sums up. A script counts as one test, or
# as many as its last line says when that is "N passed, N failed". One that exits with 77 lacks
# what it needs: it is named, and counts neither way.
passed=0
failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for test in "$@"; do
    case $test in
    *.sh) sh "$test" >"$log" 2>&1 ;;
    *) "./$test" >"$log" 2>&1 ;;
    esac
    status=$?
    check=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$log")
    script=$(tail -n 1 "$log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ -n "$check" ]; then
        good=$(echo "$check" | awk '{c += $1; b += $2 + $3} END {print c - b}')
        bad=$(echo "$check" | awk '{b += $2 + $3} END {print b}')
    elif [ -n "$script" ]; then
        good=${script% *}
        bad=${script#* }
    else
        good=$((status == 0))
        bad=0
    fi
    if [ "$status" -eq 77 ]; then
        echo "skip $test: $(tail -n 1 "$log")"
        continue
    fi
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    if [ "$bad" -ne 0 ]; then
        echo "FAIL $test"
        cat "$log"
    else
        echo "ok   $test ($good)"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
