#!/bin/sh
# SPDX-License-Identifier: MIT
# A kernel that does one thing wrong, of many that no rule's own fault does: each of tests/trials/drawn
# is noticed, by a statement that fails. Run from the source directory; WCTS_BUILD is the build
# directory. WCTS_PART=K/N: a part of them.
# shellcheck source=tests/common.sh
. tests/common.sh

for act in $(sed '/^#/d' tests/trials/drawn | sh tests/part.sh); do
    rm -rf "$work/run" "$work/told"
    "$tool" run -q --role kernel --no-sweep --wddm 2.0..2.0 --no-backtrace --out "$work/run" \
        --impl "$plugins/drawn_fault.so,act=$act,when=always,told=$work/told,emulator=$build/emulator.so" \
        >"$work/said" 2>&1
    got=$?
    ok "$act shows" [ -e "$work/told" ]
    ok "$act: exit status $got, expected 1" [ "$got" -eq 1 ]
    ok "$act is blamed on a statement" grep -q '^fail	' "$work/run/verdicts.txt"
done

# What is unknown is refused, so that no row above is tried in vain.
"$tool" run -q --role kernel --wddm 2.0..2.0 --out "$work/run" \
    --impl "$plugins/drawn_fault.so,act=nothing,when=always,emulator=$build/emulator.so" >"$work/said" 2>&1
got=$?
ok "an unknown act: exit status $got, expected 2" [ "$got" -eq 2 ]
summary
