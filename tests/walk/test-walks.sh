#!/bin/sh
# SPDX-License-Identifier: MIT
# Walks over all operations, alone: the emulator conforms, whatever the seed; faults planted in it are
# found and held against their own rules; each is shrunk to a few calls, kept as a scenario, which
# fails again and not on the emulator as it is; and replay repeats the walk. Run from the source
# directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# walks AT OPTIONS...: those at versions that match, by one worker unless the options ask for more.
walks() {
    rm -rf "$work/run"
    at=$1
    shift
    "$tool" run --level strict --filter "/walk/$at" -j 1 --out "$work/run" "$@" >"$work/said" 2>&1
}

for plugin in "$build/emulator.so,strict" "$build/emulator.so"; do
    for seed in 1 2; do
        walks "" --impl "$plugin" --seed $seed
        got=$?
        ok "$plugin, seed $seed: exit status $got" [ $got -eq 0 ]
        # A strict kernel creates nothing by an answer that breaks advice: so some walks begin.
        ok "nearly all walks pass" [ "$(grep -c '^pass' "$work/run/verdicts.txt")" -gt 930 ]
        ok "the others do nothing" [ "$(grep '^pass\|no call of the walk was accepted$' "$work/run/verdicts.txt" |
            wc -l)" -eq 1000 ]
    done
done

# ---- All operations of the kernel occur, but for what is asked before, and what gives memory to it ----
# Of the last run.
ok "no operation is left out: $(tail -n 3 "$work/said")" /usr/bin/python3 - "$work/run/journal.jsonl" <<'EOF'
import json, re, sys
seen = 0
for line in open(sys.argv[1]):
    seen |= json.loads(line).get("answered", [0, 0])[1]
text = open("include/wddm-cts.h").read()
operations = {name: int(number, 0) for name, number in
              re.findall(r"^    X\(KERNEL, ([A-Z_]+), (\w+)", text, re.M)}
left = [name for name, number in operations.items() if not seen >> (number & 31) & 1]
assert len(operations) > 20 and set(left) <= {"INFO", "REGION", "STANDARD_ALLOCATION", "SWEEP"}, left
EOF

# What several workers find is what one finds.
few='wddm(2_5|2_7|3_[12])/'
walks "$few" --impl "$build/emulator.so,fault=AIN-021"
cut -f 1,2,4 "$work/run/verdicts.txt" | sort >"$work/one"
ok "something is found" grep -q '^fail' "$work/one"
walks "$few" --impl "$build/emulator.so,fault=AIN-021" -j 3
cut -f 1,2,4 "$work/run/verdicts.txt" | sort >"$work/three"
ok "three workers find the same" cmp "$work/one" "$work/three"

# ---- Faults: of the fault ID the rule that is to be blamed, and how many calls may be left ----
# Four versions have walks enough to find each.
while read -r fault rule most; do
    walks "$few" --impl "$build/emulator.so,strict,fault=$fault"
    ok "$fault: not found, or not held against $rule" grep -q "^fail $rule  " "$work/said"
    ok "$fault: another rule is blamed" \
        [ "$(grep -E '^(fail|crash|hang) ' "$work/said" | grep -vc "^fail $rule  ")" -eq 0 ]
    set -- "$work/run/scenarios"/*.xml
    if [ ! -f "$1" ]; then
        bad "$fault: no scenario is kept"
        continue
    fi
    calls=$(grep -cE '<(call|write|read) ' "$1")
    ok "$fault: $calls calls are left" [ "$calls" -le "${most:-8}" ]
    "$tool" run --case "$1" --impl "$build/emulator.so,strict,fault=$fault" --level strict -j 1 --out "$work/again" >"$work/log" 2>&1
    got=$?
    ok "$fault: the scenario ends with $got" [ $got -eq 1 ]
    "$tool" run --case "$1" --impl "$build/emulator.so,strict" --level strict -j 1 --out "$work/again" >"$work/log" 2>&1
    got=$?
    ok "$fault: on the emulator it ends with $got" [ $got -ne 1 ]
    case=$(sed -n 's/^fail	\([^	]*\)	.*/\1/p' "$work/run/verdicts.txt" | head -n 1)
    "$tool" replay "$case" --impl "$build/emulator.so,strict,fault=$fault" --level strict >"$work/replayed" 2>&1
    got=$?
    ok "$fault: replay $case ends with $got" [ $got -eq 1 ]
    ok "$fault: replay shows no messages" grep -q '^  messages:' "$work/replayed"
done <<EOF
AIN-021 AIN-021
AIN-034 AIN-034
AIN-025 AIN-025
AIN-027.transfer+source AIN-027 14
CAF-005.back CAF-005
SEG-003 SEG-003 11
CAF-042.none CAF-042
CAF-058 CAF-058
PAT-006.end PAT-006
PAT-014.addresses PAT-014
PAT-030 PAT-030
PAT-032 PAT-032
SEG-023.small SEG-023
EOF

# ---- A kernel that does not show where allocations are walks as well, and what it breaks is found ----
hides() {
    "$tool" run -q --impl "$plugins/between.so,does=nothing,emulator=$build/emulator.so,$1" \
        --filter '^AIN/walk/wddm(1_3|2_0)/' --level strict --out "$work/run" >"$work/hidden" 2>&1
}
hides placement=off,pages=off
ok "without placement: exit $?" grep -q '^no failure in the selection: ' "$work/hidden"
ok "none is skipped" [ "$(grep -c '^pass' "$work/run/verdicts.txt")" -eq "$(wc -l <"$work/run/verdicts.txt")" ]
"$tool" verify "$work/run" >"$work/verified" 2>&1
ok "they are judged so again" grep -qE "ok +judged again +$(wc -l <"$work/run/verdicts.txt") of" "$work/verified"
hides placement=off,fault=PAT-014.addresses
ok "a wrong address is found without placement" grep -q '^fail.*/walk/' "$work/run/verdicts.txt"

# ---- A kernel that refuses what it may: no case of its own run is declined, and it is complete ----
# Two versions, all that it claims, show it.
for advice in "" ,strict; do
    "$tool" run -q --impl "$plugins/refuse_open.so,emulator=$build/emulator.so,versions=0x5023+0x6003$advice" -j 1 --level strict \
        --out "$work/run" >"$work/hidden" 2>&1
    ok "what may be refused is refused${advice}: exit $?, $(tail -n 1 "$work/hidden")" grep -q '^conforms: ' "$work/hidden"
done

# ---- A walk in words, and in the list ----
"$tool" explain "AIN/walk/wddm2_6/1-3" >"$work/log"
ok "explain shows the calls" [ "$(grep -cE '^    [A-Z_]+' "$work/log")" -ge 20 ]
ok "smoke has none" [ "$("$tool" list --suite smoke --filter '/walk/' 2>/dev/null | wc -l)" -eq 0 ]
ok "standard has 1,000" [ "$("$tool" list --filter '/walk/' | wc -l)" -eq 1000 ]
ok "full has 50,000" [ "$("$tool" list --suite full --filter '/walk/' | wc -l)" -eq 50000 ]

# ---- what the interface says is refused ----
# The driver does not know of it, so a kernel need not present it; of what it knows it has to.
cat >"$work/presented.xml" <<'EOF'
<cases>
  <scenario name="unheard-presented" since="2.7" adapter="patching" needs="device" expect="CAF-037.created">
    <call like="create" as="quiet" Flags.NoKmdAccess="1"/>
    <call operation="KERNEL_PRESENT" hDevice="device" hSource="quiet" hDestination="quiet"/>
  </scenario>
  <scenario name="heard-presented" since="2.7" adapter="patching" needs="device" expect="CAF-037.created">
    <call like="create" as="quiet" Flags.NoKmdAccess="1"/>
    <do make="heard"/>
    <call operation="KERNEL_PRESENT" hDevice="device" hSource="heard" hDestination="heard"/>
  </scenario>
</cases>
EOF
"$tool" run -q --case "$work/presented.xml" --wddm 2.9 --out "$work/run" \
    --impl "$build/plugins/refuse_some.so,what=KERNEL_PRESENT,status=0xC000000D,emulator=$build/emulator.so" >"$work/log" 2>&1
ok "a kernel need not present what the driver does not know" grep -q '^pass	.*/unheard-presented	' "$work/run/verdicts.txt"
ok "it has to present the rest" grep -q '^declined	.*/heard-presented	' "$work/run/verdicts.txt"
summary
