#!/bin/sh
# SPDX-License-Identifier: MIT
# An implementation that claims one version is asked at it what one that claims all is asked at
# others: the tests for which one version is drawn, and scenarios of a few versions. Run from the
# source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh

# claims VERSION [,OPTION...]: the emulator, which claims this interface version alone.
claims() {
    echo "$plugins/one_version.so,emulator=$build/emulator.so,versions=$1+$1,strict${2:-}"
}
early=$(claims 0x5023) late=$(claims 0xB004)

# ---- what is performed ----

"$tool" list >"$work/planned"
"$tool" list --impl emulator >"$work/all"
ok "who claims all versions has the plan" cmp "$work/planned" "$work/all"
"$tool" list --impl "$early" >"$work/early"
ok "there are as many" [ "$(wc -l <"$work/early")" -eq "$(wc -l <"$work/planned")" ]
ok "each once" [ -z "$(sort "$work/early" | uniq -d)" ]
more=$(($(grep -c /wddm2_0 "$work/early") - $(grep -c /wddm2_0 "$work/planned")))
ok "12,000 more of them are at 2.0: $more" [ "$more" -gt 12000 ]

# at WHAT FILE: how many cases at 2.0 have this behind the version.
at() {
    grep -c "/wddm2_0/$1" "$2"
}
for state in evicted locked beside-others on-second-adapter after-sleep as-secure-process; do
    ok "three times as many in state $state" \
        [ "$(at "$state/" "$work/early")" -gt $((3 * $(at "$state/" "$work/planned"))) ]
done
ok "all rows that are rows at 2.0" \
    [ "$(grep -c /combination/wddm2_0/ "$work/early")" -gt $((9 * $(grep -c /combination/wddm2_0/ "$work/planned"))) ]
ok "all walks" [ "$(grep -c /walk/wddm2_0/ "$work/early")" -eq "$(grep -c /walk/ "$work/planned")" ]
ok "all sequences" \
    [ "$(grep -c /sequence/wddm2_0/ "$work/early")" -eq "$(grep -c /sequence/ "$work/planned")" ]

# A scenario that is at 2.0 and 3.2, at the version between.
scenario=$(sed -n 's/^\(.*\)wddm2_0\(.*\)$/\1wddm3_2\2/p' "$work/planned" | grep /scenario/ |
    grep -Fxf - "$work/planned" | sed 's/wddm3_2/wddm2_6/' | grep -Fxvf "$work/planned" | head -n 1)
"$tool" list --impl "$late" >"$work/late"
ok "a scenario before and behind 2.6 is at 2.6: $scenario" grep -Fxq "$scenario" "$work/late"
ok "... and at 2.0 of who claims that" [ "$(grep -Fxc "$scenario" "$work/early")" -eq 0 ]

# ---- of two versions ----

# What a filter selects is what the whole has, whichever rules are planned for it.
two=$plugins/one_version.so,emulator=$build/emulator.so,versions=0x8001+0xB004,strict
"$tool" list --impl "$two" >"$work/two"
for rule in HDR-001 PAT-025 SEG-003; do
    "$tool" list --filter "^$rule" --impl "$two" | sort >"$work/part"
    ok "$rule alone is as in the whole" [ -z "$(grep "^$rule" "$work/two" | sort | comm -3 - "$work/part")" ]
done

# ---- the run ----

status 0 "$tool" run -q --level strict --out "$work/run" --impl "$early"
ok "it conforms, as it does at all versions" grep -q '^conforms: .*; WDDM 2.0; level strict' "$work/out"
"$tool" list --impl "$early" >"$work/again"
cut -f 1 "$work/run/plan.tsv" | grep -v '^#' | grep -v '^id$' >"$work/ids"
ok "it has what is listed" cmp "$work/ids" "$work/again"
status 0 "$tool" verify "$work/run"
status 0 "$tool" report --junit "$work/junit.xml" "$work/run"
id=$(grep '/accept/wddm2_0/evicted/' "$work/early" | grep -Fxvf "$work/planned" | head -n 1)
ok "there is a moved case" [ -n "$id" ]

# Two halves are the run.
for part in 1 2; do
    "$tool" run -q --level strict --shard $part/2 --out "$work/half$part" --impl "$early" >"$work/log" 2>&1
done
status 0 "$tool" merge -q --out "$work/merged" "$work/half1" "$work/half2"
ok "two halves are the run" cmp "$work/run/verdicts.txt" "$work/merged/verdicts.txt"

# A plan of other versions is not the run's.
sed -n '/wddm2_0.evicted/{p;q;}' "$work/run/plan.tsv" | grep -q . || bad "no case in a state"
cp -R "$work/run" "$work/edited"
sed -i 's/"last_interface_version": 20515/"last_interface_version": 45060/' "$work/edited/run.json"
status 1 "$tool" verify "$work/edited"

# ---- ids ----

status 0 "$tool" explain "$id"
ok "explain takes its id" grep -q '^  state: evicted' "$work/out"
status 0 "$tool" replay "$id" --impl "$early"
status 0 "$tool" replay "$id"
status 0 "$tool" replay "$id" --after "$(grep /combination/wddm2_0 "$work/early" | tail -n 1)" --impl "$early"
for kind in walk sequence combination; do
    status 0 "$tool" replay "$(grep "/$kind/wddm2_0" "$work/early" | tail -n 1)" --impl "$early"
done
status 0 "$tool" replay "$scenario" --impl "$late"
status 0 "$tool" run -q --filter "^$id\$" --out "$work/one" --impl "$early"
ok "a filter selects it" grep -q ': 1 of ' "$work/out"
# So it does where more than the version is another: the number of a walk, what is expected.
turned=$(paste "$work/planned" "$work/early" | awk -F '[\t/]' '$2 == "refuse" && /\taccept|\t[^\t]*\/accept\// {sub(/.*\t/, ""); print; exit}')
for id in "$(grep /walk/wddm2_0 "$work/early" | tail -n 1)" "$turned"; do
    status 0 "$tool" list --filter "^$id\$" --impl "$early"
    ok "a filter selects $id" grep -Fxq "$id" "$work/out"
    status 3 "$tool" list --filter "^$id\$" --impl emulator
done
id=$(grep '/accept/wddm2_0/evicted/' "$work/early" | grep -Fxvf "$work/planned" | head -n 1)
status 3 "$tool" list --filter "^$id\$"
ok "it is not of who claims all" grep -q 'is planned at another version' "$work/err"

# ---- what is left open ----

# Done otherwise it turns nothing red in what is at 2.6 of who claims that alone.
status 0 "$tool" run -q --level strict --filter opened-often --out "$work/open" \
    --impl "$(claims 0xB004 ,choice=own-share-refused)"
status 0 "$tool" run -q --level strict --filter ^AIN/walk/ --out "$work/open" \
    --impl "$(claims 0xB004 ,choice=hidden-primary-refused)"
status 0 "$tool" run -q --level strict --filter ^CAF-05 --out "$work/open" \
    --impl "$(claims 0xB004 ,choice=secures-for-itself)"

# ---- faults ----

# Of faults of the emulator that show at 2.6, after what the plan has at 1.3, 2.0 or 3.2 alone, or in states.
for fault in CAF-015.opened HDR-016+second-adapter CAF-053.own+again PAT-025+again AIN-013.asked+far; do
    echo "$fault"
done | rows 3 >"$work/faults"
while read -r fault; do
    rule=${fault%%[.+]*}
    status 1 "$tool" run -q --level strict --filter "^$rule" --max-failures 1 --no-records --out "$work/fault" \
        --impl "$(claims 0xB004 ",fault=$fault")"
done <"$work/faults"
summary
