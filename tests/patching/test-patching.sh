#!/bin/sh
# SPDX-License-Identifier: MIT
# What is said of patching: a driver that does one thing wrong breaks the statements that speak of it,
# and no others. Run from the source directory; WCTS_BUILD is the build directory.
set -u
build=${WCTS_BUILD:-build/default}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# breaks WORD STATEMENT...: the driver with wrong=WORD breaks these, PAT-001 apart.
breaks() {
    word=$1
    shift
    "$build/wddm-cts" run --role driver --level strict --out "$work/$word" --filter '^PAT.*scenario' \
        --impl "$build/plugins/patching.so,wrong=$word" >"$work/log" 2>&1
    found=$(sed -n 's/^fail \(PAT-[0-9]*\).*/\1/p' "$work/log" | tr '\n' ' ')
    [ "$found" = "${*:+$* }" ] && return
    failed=$((failed + 1))
    echo "FAIL wrong=$word: broken are ${found:-none}, expected ${*:-none}"
    cat "$work/log"
}

breaks nothing
breaks no-fence
breaks refuse PAT-013 PAT-015
breaks handle PAT-015 PAT-036
breaks offset PAT-036
breaks add PAT-015 PAT-019 PAT-036
breaks width PAT-037
breaks all PAT-034 PAT-037
breaks short PAT-013 PAT-015 PAT-036
breaks fence PAT-016
[ "$failed" -eq 0 ] && echo "patching: 10 passed"
exit $((failed != 0))
