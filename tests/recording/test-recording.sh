#!/bin/sh
# SPDX-License-Identifier: MIT
# What a test is judged by is all that was said in it, and nothing else: a breach that comes with a
# refusal in a sequence, and what a kernel says while it is closed. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh
talkative() {
    echo "$plugins/talkative.so,do=$1,emulator=$build/emulator.so"
}

verdict() {
    cut -f 1 "$work/$1/verdicts.txt" | sort -u | tr '\n' ' '
}
status 1 "$tool" run --impl "$(talkative breach)" --filter '^UVA/sequence/wddm2_0/1-0$' --out "$work/breach"
ok "a breach is a crash, although the call was refused" [ "$(verdict breach)" = "crash " ]
"$tool" verify "$work/breach" >"$work/verified" 2>&1
ok "and judged so again" grep -qE '^ *ok +judged again +1 of 1 verdicts' "$work/verified"
"$tool" run --impl "$(talkative last-words)" --filter '^UVA-002/effect/wddm2_0/|^UVA/sequence/wddm2_0/1-0$' \
    --out "$work/last" >"$work/out" 2>&1
ok "what is said at the end is no answer to what was asked" [ "$(verdict last)" = "skip " ]
# again NAME IMPLEMENTATION: each case of the run has a record, and the same finding from it.
again() {
    "$tool" run -q --no-backtrace --impl "$2" --suite "${SUITE:-standard}" --out "$work/again" >"$work/line" 2>&1
    "$tool" verify "$work/again" >"$work/verified" 2>&1
    count=$(wc -l <"$work/again/verdicts.txt")
    ok "$1 is judged again" grep -qE "^  ok +judged again +$count of $count verdicts" "$work/verified"
    rm -r "$work/again"
}

# A case that runs at another level only because an attempt to shrink it would be decided otherwise there.
"$tool" run -q --impl emulator,fault=UVA-002 --suite full --filter '^UVA/sequence/wddm2_3/1-3734$' \
    --out "$work/levels" >"$work/log" 2>&1
"$tool" verify "$work/levels" >"$work/verified" 2>&1
ok "what attempts to shrink decide is stored" grep -qE '^  ok +judged again +1 of 1 verdicts' "$work/verified"

again "the emulator" emulator,strict
size=$("$tool" run -q --out "$work/size" >"$work/line" 2>&1 && wc -c <"$work/size/records")
ok "the standard suite's records have $size bytes, fewer than 20 million" [ "${size:-99999999}" -lt 20000000 ]
for fault in $("$tool" faults | awk -v each="${FAULTS:-90}" \
    '/^[A-Z]/ && $2 != "none:" && ++count % each == 0 {print $1}'); do
    again "the fault $fault" "emulator,fault=$fault"
done
summary
