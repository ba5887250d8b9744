#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever does not have an operation, or a use of it, is not blamed; whoever has it and then answers that it
# is not there has refused a valid call, and the run is incomplete. Run from the source directory;
# WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# ends NAME STATUS LINE SIDE PLUG-IN
ends() {
    "$tool" run -q --impl "$plugins/$5,emulator=$build/emulator.so,versions=0x5023+0x5023" --role "$4" \
        --out "$work/run" >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$2" ] && grep -Eq -- "$3" "$work/out"; then
        good
    else
        bad "$1: exit $got, expected $2: $3"
        cat "$work/out" "$work/err"
    fi
}

# declined NAME REGEX: a case of the last run was declined, with a reason that begins so.
declined() {
    ok "$1: $2" grep -Eq "^declined	[^	]+	$2" "$work/run/verdicts.txt"
}

ends "a power state that is not there" 0 '^conforms: .*; KERNEL_POWER not supported in [0-9]+ cases' kernel \
    faint.so,does=no-hibernation
ends "a kind that cannot be moved" 0 '^conforms: .*; kinds not shown: "pitch-aligned-evictable" in [0-9]+ cases$' driver \
    refuse_some.so,what=driver-kind-stays
unshown='not shown of the kind "pitch-aligned-evictable": DRIVER_PAGING answered NOT_SUPPORTED'
ok "each case says so" [ "$(grep -c "^pass	[^	]*	$unshown" "$work/run/verdicts.txt")" = \
    "$(sed 's/.*kinds not shown: "[^"]*" in \([0-9]*\) cases.*/\1/' "$work/out")" ]
ok "so does run.json" sh -c "grep -A 1 '\"unshown_kinds\"' '$work/run/run.json' | grep -q '\"pitch-aligned-evictable\": [0-9]'"
ok "and a reader of the run" \
    test "$("$tool" report "$work/run" | tail -n 1)" = "$(tail -n 1 "$work/out")"

taken='answered NOT_(SUPPORTED|IMPLEMENTED) \(0xC0[0-9A-F]+\), but the same was taken before'
ends "one lock for each allocation" 3 '^incomplete: [0-9]+ declined; ' kernel faint.so,does=once
declined "one lock" "valid call refused: KERNEL_LOCK \(call no\. [0-9]+\) $taken"
ends "no lock of what was evicted" 3 '^incomplete: [0-9]+ declined; ' kernel faint.so,does=until-evicted
declined "no lock" "valid call refused: KERNEL_LOCK \(call no\. [0-9]+\) $taken"
ends "one change of power" 3 '^incomplete: [0-9]+ declined; ' kernel \
    refuse_some.so,what=KERNEL_POWER,status=0xC00000BB,after=1
declined "one change" "valid call refused: KERNEL_POWER \(call no\. [0-9]+\) $taken"
ends "what came into a segment cannot leave it" 3 '^incomplete: [0-9]+ declined; ' driver faint.so,does=one-way
declined "in and not out" "valid call refused: DRIVER_PAGING $taken"
ok "verify says the same" \
    test "$("$tool" verify "$work/run" | tail -n 1)" = "verified: $(cat "$work/out")"
ends "one process" 3 '^incomplete: [0-9]+ declined; ' kernel \
    refuse_some.so,what=KERNEL_PROCESS,status=0xC0000002,after=1
declined "one process" "valid call refused: KERNEL_PROCESS \(call no\. 2\) $taken"

summary
