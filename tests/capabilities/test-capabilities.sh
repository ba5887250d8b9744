#!/bin/sh
# SPDX-License-Identifier: MIT
# What the emulator does not claim is skipped with that reason, and nothing else changes: its
# capabilities are switched off one by one. Run from the source directory; WCTS_BUILD is the build
# directory.
# shellcheck source=tests/common.sh
. tests/common.sh

check() {
    if [ "$2" -eq 0 ]; then
        good
    else
        bad "$1"
        [ ! -s "$work/wrong" ] || head -n 10 "$work/wrong"
    fi
}

# verdicts ROLE OPTIONS FILE
verdicts() {
    rm -rf "$work/out"
    "$tool" run -q --role "$1" --impl "emulator,strict$2" --level strict --wddm 1.3..2.1 --out "$work/out" \
        >"$work/log" 2>&1 || {
        echo "FAIL run with $2" && tail -n 20 "$work/log"
        failed=$((failed + 1))
    }
    sort -t "$(printf '\t')" -k 2,2 "$work/out/verdicts.txt" >"$3"
}

# without ROLE OPTION REASON: each case is as it was, or skipped for the reason; some are. What a driver
# of the suite answers is known without asking, what the kernel's own does is not: that may be open.
without() {
    # What the role shows with all of them is the same for each that is switched off.
    [ -e "$work/all-$1" ] || verdicts "$1" "" "$work/all-$1"
    cp "$work/all-$1" "$work/all"
    verdicts "$1" ",$2" "$work/fewer"
    check "$2: the same cases" "$([ "$(cut -f 2 "$work/all")" = "$(cut -f 2 "$work/fewer")" ]; echo $?)"
    paste "$work/all" "$work/fewer" | awk -F '\t' -v reason="$3" '
        !($1 == $4 && $3 == $6) &&
        !($4 == "skip" && ($6 ~ "^" reason || $6 ~ /^not shown: no document says to which multiple/))' >"$work/wrong"
    check "$2: every case is as it was, or skipped for $3" "$([ ! -s "$work/wrong" ]; echo $?)"
    check "$2: something is skipped" "$(grep -q '^skip' "$work/fewer"; echo $?)"
    check "$2: something is not" "$(grep -q '^pass' "$work/fewer"; echo $?)"
}

# Nothing else is: only adapters that break advice, which the strict emulator refuses, are not seen
# there. The lenient one shows them.
for options in "" ,strict; do
    rm -rf "$work/out"
    # tests/coverage has a run of the lenient one at all versions, in which every case passes; of the
    # strict one a part of all versions is run, another with each commit.
    versions="--shard ${WCTS_PART:-1/1}"
    [ -n "$options" ] || versions="--wddm 1.3..2.1"
    # shellcheck disable=SC2086 # two words
    "$tool" run -q --impl "emulator$options" --level strict $versions --out "$work/out" >"$work/log" 2>&1
    check "emulator$options conforms" $?
    # Its driver patches eight bytes, has kinds of several priorities, and primaries that lie where the advice is;
    # of the six segments to which something is to be moved three are memory, and none of them is huge.
    grep -v -e '^pass' -e 'no answer of the driver came under this rule' -e 'DRIVER_INFO.patches is 0x0' \
        -e 'Flags.ExistingSysMem is 0x0, expected set' -e 'not shown: no document says' -e 'not shown: a driver may have' -e 'no call came under the effect' "$work/out/verdicts.txt" >"$work/wrong"
    [ -z "$options" ] || sed -i '/not applicable: an adapter/d; /no call of the walk was accepted/d' "$work/wrong"
    check "emulator$options: nothing is skipped and nothing warns" "$([ ! -s "$work/wrong" ]; echo $?)"
done
without kernel probe=off "not claimed: PROBE,"
without kernel machine=off "not claimed: MACHINE,"
without kernel pages=off "not claimed: PAGES,"
without kernel placement=off "not claimed: PLACEMENT,"
# Nor has it patch locations, of which more is demanded.
without driver patches=none "(not claimed: (PATCHES,|DRIVER_PATCH answered NOT_SUPPORTED )|not applicable: .*no call came under the effect)"
summary
