#!/bin/sh
# SPDX-License-Identifier: MIT
# What is said of patching: a driver, or a kernel, that does one thing wrong breaks the statements that
# speak of it, and no others. What is wrong is so at every version: one on each side of 2.0 is enough.
# Run from the source directory; WCTS_BUILD is the build directory.
set -u
build=${WCTS_BUILD:-build/default}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# breaks SIDE IMPL WORD STATEMENT...: the plug-in with wrong=WORD breaks these, PAT-001 apart.
breaks() {
    side=$1
    impl=$build/plugins/$2,wrong=$3
    word=$3
    versions="--wddm 1.3..2.0"
    [ "$word" != nothing ] || versions=
    shift 3
    "$build/wddm-cts" run --role "$side" --level strict --out "$work/$word" $versions \
        --filter '^PAT.*scenario' --impl "$impl" >"$work/log" 2>&1
    found=$(sed -n 's/^[a-z]* *\(PAT-[0-9]*\)  .*/\1/p' "$work/log" | sort -u | tr '\n' ' ')
    passed=$((passed + 1))
    [ "$found" = "${*:+$* }" ] && return
    failed=$((failed + 1))
    echo "FAIL $side, wrong=$word: broken are ${found:-none}, expected ${*:-none}"
    cat "$work/log"
}

driver() {
    breaks driver patching.so "$@"
}

kernel() {
    breaks kernel "wrong_patch.so,emulator=${WCTS_KERNEL:-$build/emulator.so}" "$@"
}

driver nothing
driver no-fence
driver refuse PAT-013 PAT-015
driver handle PAT-015 PAT-036
driver offset PAT-036
driver add PAT-015 PAT-019 PAT-036
driver width PAT-037
driver all PAT-034 PAT-037
driver short PAT-013 PAT-015 PAT-036
driver fence PAT-016
driver fence-at-end
driver late-fence PAT-016

kernel nothing
# A kernel that does not submit shows nothing of this.
if grep -q ' pass' "$work/log"; then
    kernel order PAT-035
    kernel no-addresses PAT-014
    kernel old-addresses PAT-014
    kernel first-handle PAT-002 PAT-020 PAT-026
    kernel same-fence PAT-038
    kernel no-handle PAT-002 PAT-020 PAT-022
    kernel other-handle PAT-002 PAT-020
    kernel paging-handle PAT-021
    kernel segment-0 PAT-003 PAT-004 PAT-023
    kernel segment-1 PAT-005 PAT-024 PAT-025
    kernel segment-other PAT-005 PAT-024 PAT-025
    kernel physical PAT-003 PAT-004 PAT-005 PAT-024 PAT-025
    kernel virtual PAT-003 PAT-004 PAT-005 PAT-024 PAT-025 PAT-026
    kernel small PAT-006 PAT-027
    kernel tiny PAT-006 PAT-027
    kernel start PAT-007
    kernel start-high PAT-006 PAT-007
    kernel end PAT-005 PAT-024 PAT-025 PAT-028
    kernel private PAT-043
    kernel private-small PAT-029
    kernel private-tiny PAT-008 PAT-029
    kernel private-start PAT-009
    kernel private-late PAT-008 PAT-009
    kernel list-size PAT-040
    kernel locations-size PAT-012 PAT-041
    kernel locations-wrap PAT-012
    kernel fence-0 PAT-038
    kernel flag-set PAT-010 PAT-011 PAT-030 PAT-031 PAT-032 PAT-033 PAT-039
    kernel flag-clear PAT-009 PAT-017 PAT-022 PAT-023 PAT-026 PAT-038
    kernel paging-list PAT-010
    kernel paging-list-size PAT-030
    kernel paging-locations PAT-031
    kernel paging-locations-size PAT-011
    kernel paging-first PAT-012 PAT-032
    kernel paging-length PAT-012 PAT-033
    kernel paging-private PAT-042
fi
echo "patching: $((passed - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
