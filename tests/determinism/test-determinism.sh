#!/bin/sh
# SPDX-License-Identifier: MIT
# One plan and one list of verdicts: twice, with more workers, in two halves, against the emulator
# built in and as a shared object. Of all versions a part, WCTS_PART=K/N. At every level the emulator, strict and not, skips nothing and
# breaks nothing. Levels are a matter of reading, for which versions on both sides of 2.0 are enough, and a third of
# their cases, another with each part.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh

# run NAME OPTIONS...: a run into $work/NAME that conforms.
run() {
    run=$1
    shift
    "$tool" run --out "$work/$run" "$@" >"$work/$run.out" 2>&1
    ok "$run exits with $?: $*" [ $? -eq 0 ]
}

same() {
    for file in plan.tsv verdicts.txt; do
        ok "$file of $1 and $2" cmp "$work/$1/$file" "$work/$2/$file"
    done
}

# ---- again, with more workers: a part of all versions, and more often two versions ----
shard="--shard ${WCTS_PART:-1/1}"
run first -j 1 $shard
LC_ALL=C.UTF-8 TZ=Asia/Tokyo run eight -j 8 $shard
same first eight
"$tool" list $shard >"$work/ids"
ok "a verdict for each case" [ "$(wc -l <"$work/first/verdicts.txt")" -eq "$(wc -l <"$work/ids")" ]
ok "in the order of the list" sh -c "
    cut -f 2 '$work/first/verdicts.txt' | cmp - '$work/ids'"
some="--wddm 1.3..2.0"
run part -j 1 $some
# A seed chooses the sequences and walks, and nothing else.
run seed -j 2 --seed 7 --wddm 2.0
run seed-again -j 1 --seed 7 --wddm 2.0
run usual -j 2 --wddm 2.0
same seed seed-again
for name in usual seed; do
    grep -vE '/(sequence|walk)/' "$work/$name/verdicts.txt" >"$work/$name.rest"
    grep -cE '/(sequence|walk)/' "$work/$name/verdicts.txt" >"$work/$name.count"
done
ok "the rest does not go by the seed" cmp "$work/usual.rest" "$work/seed.rest"
ok "as many sequences" cmp "$work/usual.count" "$work/seed.count"
ok "but other ones" [ "$(sort "$work/usual/verdicts.txt" "$work/seed/verdicts.txt" |
    grep -E '/(sequence|walk)/' | uniq -d | wc -l)" -eq 0 ]

# ---- halves, by two workers ----
for half in 1 2; do
    run half$half -j 2 --shard $half/2 $some
done
sort "$work/half1/verdicts.txt" "$work/half2/verdicts.txt" >"$work/halves"
sort "$work/part/verdicts.txt" >"$work/whole"
ok "the halves make up the whole" cmp "$work/halves" "$work/whole"
ok "and have no case in common" [ "$(cut -f 2 "$work/halves" | uniq -d | wc -l)" -eq 0 ]
for half in 1 2; do
    lines=$(wc -l <"$work/half$half/verdicts.txt")
    ok "half $half has $lines" [ "$lines" -gt 0 ]
    cut -f 2 "$work/half$half/verdicts.txt" >"$work/ids"
    ok "half $half is in the order of the whole" sh -c "
        cut -f 2 '$work/part/verdicts.txt' | grep -xF -f '$work/ids' | cmp - '$work/ids'"
done

# ---- built in, and as a shared object ----
part=${WCTS_PART:-1/1}
some="$some --shard $((${part%/*} % 3 + 1))/3"
run object --impl "$build/emulator.so,strict" $some
run object-lenient --impl "$build/emulator.so" $some

# ---- at every level ----
count=$("$tool" list $some | wc -l)
for level in binding documented strict; do
    for implementation in emulator,strict emulator; do
        at=level-$level-$implementation
        run "$at" --impl "$implementation" --level "$level" $some
        # A strict kernel neither starts adapters that break advice nor creates what such answers are
        # about, so that a walk may begin with nothing; the driver cares about priority, and
        # patches eight bytes, where a call may be for narrower ones; and of the six segments to which
        # something is to be moved three are memory, and none of them is huge.
        ok "$at: all pass" [ "$(grep -v -e 'an adapter that breaks advice does not start' \
            -e 'no call of the walk was accepted' -e 'no answer of the driver came under this rule' -e 'no call came under the effect' -e 'DRIVER_INFO.patches is 0x0' \
            -e 'Flags.ExistingSysMem is 0x0, expected set' -e 'not shown: no document says' -e 'not shown: a driver may have' "$work/$at/verdicts.txt" |
            cut -f 1 | sort -u)" = pass ]
        ok "$at: all cases" [ "$(wc -l <"$work/$at/verdicts.txt")" -eq "$count" ]
    done
done
ok "verdicts of the shared object" cmp "$work/object/verdicts.txt" \
    "$work/level-documented-emulator,strict/verdicts.txt"
ok "verdicts of both, not strict" cmp "$work/object-lenient/verdicts.txt" \
    "$work/level-documented-emulator/verdicts.txt"

summary
