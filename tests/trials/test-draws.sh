#!/bin/sh
# SPDX-License-Identifier: MIT
# A thousand faults of a kernel, drawn with a seed that is the commit's (tests/plugins/drawn_fault.c): at least 99 of
# 100 are red, that is, a statement fails at --level strict, where what a document implies is demanded like what
# it says. A call that must be accepted and is refused is declined, and the call is named: of a fault
# that refuses that is red, of any other it is not. Each is tried at one version that has it. Run from the
# source directory; WCTS_BUILD is the build directory. WCTS_PART=K/N: a part of them, of which another
# fifth is tried; WCTS_PART=1/1: all, which takes half an hour of processor time. WCTS_SEED: another seed.
# shellcheck source=tests/common.sh
. tests/common.sh

seed=${WCTS_SEED:-$(git rev-parse HEAD 2>/dev/null || echo none)}
plugin=$plugins/drawn_fault.so
"$tool" probe --impl "$plugin,draw=list,seed=$seed,to=$work/all,emulator=$build/emulator.so" >/dev/null 2>&1
ok "a thousand are drawn" [ "$(wc -l <"$work/all")" -eq 1000 ]
part=${WCTS_PART:-1/1}
[ "$part" = 1/1 ] || part=${part%/*}/$((${part#*/} * 5))
WCTS_PART=$part sh tests/part.sh <"$work/all" >"$work/drawn"

# try NUMBER VERSION FAULT: a line with what came of it.
try() {
    sweep=
    case $3 in act=*) sweep=--no-sweep ;; esac
    rm -rf "$work/run"
    # shellcheck disable=SC2086 # no option is no word
    "$tool" run -q --role kernel --level strict --wddm "$2..$2" $sweep --fail-fast --no-backtrace --no-records \
        --out "$work/run" --impl "$plugin,draw=$1,seed=$seed,emulator=$build/emulator.so" </dev/null >"$work/said" 2>&1
    case $?$3 in
    1*) came=red ;;
    # What is reserved as the wrong kind shows in what is refused there, and nowhere else.
    3*wrong=refuse* | 3act=reserve_zero*) came=refused ;;
    3*) came=declined ;;
    0*) came=green ;;
    *) came=broken ;;
    esac
    [ "$came" != refused ] || grep -q '^declined	' "$work/run/verdicts.txt" || came=unnamed
    echo "$came $*"
}

while read -r number version fault; do
    try "$number" "$version" "$fault"
done <"$work/drawn" >"$work/came"

tried=$(wc -l <"$work/came")
missed=$(grep -cv -e '^red ' -e '^refused ' "$work/came")
echo "$tried of seed $seed: $(cut -d ' ' -f 1 "$work/came" | sort | uniq -c | tr '\n' ' ')"
grep -v -e '^red ' -e '^refused ' "$work/came"
# Of a few, two may be missed: one of a hundred is, and what is drawn changes with each commit.
allowed=$(((tried + 99) / 100))
[ "$tried" -ge 100 ] || allowed=2
ok "$missed of $tried are not red, expected $allowed at most" [ "$missed" -le "$allowed" ]
ok "some were tried" [ "$tried" -gt 0 ]
ok "none is broken" [ "$(grep -c '^broken ' "$work/came")" -eq 0 ]
summary
