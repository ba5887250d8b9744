#!/bin/sh
# SPDX-License-Identifier: MIT
# Sweeps: what is planted with tests/plugins/flag_fault.c is found, with its cause and no other, one
# call shows it again, and what is stored is small and verified. Run from the source directory;
# WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

emulator=emulator=$build/emulator.so

# sweeps OPTIONS FILTER [MORE...]: a run of the sweeps whose ids match, in $work/r. Where a death came from
# is not asked for: gdb needs as much as twenty deaths.
sweeps() {
    rm -rf "$work/r"
    planted=$1 matching=$2
    shift 2
    "$tool" run --impl "$build/plugins/flag_fault.so,$planted,$emulator" --filter "$matching" --no-backtrace \
        --out "$work/r" "$@" >"$work/said" 2>&1
    status=$?
}

# planted OPTIONS FILTER STATUS VERDICT COUNT CAUSE: so many sweeps end with the verdict and the
# cause, and all others pass; a call shows it again; the run verifies as far as a part can.
planted() {
    sweeps "$1" "$2"
    ok "$1: exit status $status, expected $3" [ "$status" -eq "$3" ]
    found=$(grep -c "^$4.*$6\$" "$work/r/verdicts.txt")
    ok "$1: $found ended with the cause, expected $5" [ "$found" -eq "$5" ]
    others=$(grep -vc "^$4.*$6\$\|^pass	" "$work/r/verdicts.txt")
    ok "$1: $others ended otherwise" [ "$others" -eq 0 ]
    entries=$(grep -c "^$4 " "$work/said")
    ok "$1: $entries entries of a cause, expected 1" [ "$entries" -eq 1 ]
    call=$(sed -n 's/^    reproduce: wddm-cts replay \([^ ]*\) .*/\1/p' "$work/said" | head -n 1)
    "$tool" replay "$call" --impl "$build/plugins/flag_fault.so,$1,$emulator" >"$work/again" 2>&1
    again=$?
    ok "$1: $call shows it again ($again)" [ "$again" -ne 0 ]
    "$tool" verify "$work/r" >"$work/verified" 2>&1
    judged=$(sed -n 's/.*judged again  *//p' "$work/verified")
    ok "$1: verify judges $judged" [ "$judged" = "$(wc -l <"$work/r/verdicts.txt") of $(wc -l <"$work/r/verdicts.txt") verdicts" ]
}

# The create call: refused although it is legal, with one flag, two to four, one that is clear, at
# one version, and of one of two sorts.
planted word=create,what=refuse,set=0x80 '^CAF.*/sweep-' 3 declined 17 'exactly when ReadOnly is set'
planted word=create,what=refuse,set=0x82,clear=0x4 '^CAF.*/sweep-' 3 declined 17 \
    'exactly when CreateShared and ReadOnly are set and NonSecure is clear'
planted word=create,what=refuse,set=0x8084,at=0xB004 '^CAF.*/sweep-' 3 declined 1 \
    'exactly when NonSecure, ReadOnly and WriteWatch are set'
planted word=create,what=refuse,set=0x280880 '^CAF.*/sweep-' 3 declined 4 \
    'exactly when ReadOnly, CrossAdapter, PhysicallyContiguous and SharedDisplayable are set'
planted word=create,what=refuse,set=0x84,or=0x8800 '^CAF.*/sweep-.*wddm[23]' 3 declined 15 \
    'exactly when NonSecure and ReadOnly are set, or when CrossAdapter and WriteWatch are set'
planted word=create,what=unsupported,set=0x44 '^CAF-001/sweep-accept' 1 fail 17 \
    'exactly when NonSecure and NtSecuritySharing are set'

# Where either outcome is right, "not supported" is no breach.
sweeps word=create,what=unsupported,set=0x100000 '^CAF-001/refuse/wddm2_0/NoKmdAccess$'
ok "an open use that is not supported is skipped" grep -q '^skip	CAF-001/refuse/wddm2_0/NoKmdAccess	.*NOT_SUPPORTED' "$work/r/verdicts.txt"

# Accepted although it breaks a rule; what all of the set have in common is not named.
planted word=create,what=accept,set=0x86,clear=0x1 '^CAF-003/sweep-' 1 fail 17 \
    'exactly when NonSecure and ReadOnly are set'
planted word=create,what=accept,set=0x1000 '^CAF-025/sweep-.*3_0' 1 fail 1 \
    'words that break CAF-025 alone'

# The driver's answers.
planted word=segment,what=refuse,set=0x404 '^SEG-0.*/sweep-' 3 declined 17 \
    'exactly when CpuVisible and DirectFlip are set'
planted word=segment,what=accept,set=0x22 '^SEG-006/sweep-' 1 fail 19 \
    'exactly when PitchAlignment is set'

# Where the process dies, or hangs, the sweep goes on without the value: the smallest one is named,
# with what all have in common; all are accounted for, and a call shows it.
# died OPTIONS FILTER VERDICT VALUE CAUSE SENT DEAD SPARED: of the newest version
died() {
    options=$1 filter=$2 verdict=$3 value=$4 cause=$5 sent=$6 dead=$7 spared=$8
    sweeps "$options" "$filter" --timeout 0.5 --all-deaths
    ok "$options: exit status $status, expected 1" [ "$status" -eq 1 ]
    ok "$options: the value and the cause" grep -q "^$verdict	.* for $value, $cause\$" \
        "$work/r/verdicts.txt"
    ok "$options: $sent sent" grep -q "sent:  *$sent of " "$work/r/journal.jsonl"
    ok "$options: $dead died, $spared spared" \
        grep -q "died with:  *$dead, and $spared like those were not sent" "$work/r/journal.jsonl"
    call=$(sed -n 's/^    reproduce: wddm-cts replay \([^ ]*\) .*/\1/p' "$work/said" | head -n 1)
    ok "$options: $call has the value" [ "${call##*/}" = "$value" ]
    "$tool" replay "$call" --timeout 0.5 --impl "$build/plugins/flag_fault.so,$options,$emulator" \
        >"$work/again" 2>&1
    ok "$options: shows it again" grep -q "^$verdict: " "$work/again"
    "$tool" verify "$work/r" >"$work/verified" 2>&1
    ok "$options: verified" grep -Eq 'judged again +([0-9]+) of \1 verdicts' "$work/verified"
}
shared='exactly when CreateShared and ReadOnly are set'
died word=create,what=die,set=0x82 '^CAF-001/sweep-accept.*3_2' crash 0x83 "$shared" 16,396 12 8180
died word=create,what=hang,set=0x82 '^CAF-001/sweep-accept.*3_2' timeout 0x83 "$shared" 16,391 7 8185
died word=create,what=die,set=0x82 '^CAF-003/sweep-.*1_2' crash 0x82 'exactly when ReadOnly is set' \
    12 4 4
died word=segment,what=die,set=0x404 '^SEG-001/sweep-accept.*3_2' crash 0x404 \
    'exactly when CpuVisible and DirectFlip are set' 114,701 12 16372

# A write outside the request ends the process with the value that does it, also where the bytes
# around requests are compared after many values only. What is reported has the size of the request,
# so that there are two sorts of deaths.
for where in "behind beyond" "below below" "far-below below"; do
    died "word=create,what=${where% *},set=0x82" '^CAF-001/sweep-accept.*3_2' crash 0x83 "$shared" 16,404 20 8172
    ok "${where% *}: where it wrote" \
        grep -q "^crash	.*	went ${where#* } the request of [0-9]* bytes in KERNEL_ALLOCATION_CREATE for 0x83" \
        "$work/r/verdicts.txt"
done
died word=create,what=far-below,set=0x82 '^CAF-003/sweep-.*1_2' crash 0x82 'exactly when ReadOnly is set' \
    12 4 4
sweeps word=create,what=far-below,set=0x400000,nth=3 '^CAF-001/sweep-accept.*3_2'
ok "a write that is not repeated is found, too" \
    grep -q '^crash	.*	went below the request of [0-9]* bytes' "$work/r/verdicts.txt"

# What comes back of an accepted value is looked at, too: flags that are not those that were sent, for
# one combination of them, or a handle that should be there.
planted word=create,what=echo,set=0x8087,flips=0x8000,at=0xB004 '^CAF-001/sweep-' 1 fail 1 \
    'for [0-9,]* of [0-9,]* accepted words, exactly when CreateShared, NonSecure, ReadOnly and WriteWatch are set'
ok "a breach of another statement" grep -q '^fail CAF-028 ' "$work/said"
planted word=create,what=echo,set=0x8090,clear=0x4,flips=0x10 '^CAF-001/sweep-' 1 fail 14 \
    'accepted words, exactly when RestrictSharedAccess, ReadOnly and WriteWatch are set and NonSecure is clear'
ok "a breach of the flag's statement" grep -q '^fail CAF-008 ' "$work/said"
# What a document only implies is a warning, and does not hide what is certain.
sweeps word=create,what=echo,set=0x8880,flips=0x80 '^CAF-001/sweep-.*3_2' --level strict
ok "at strict" grep -q '^fail	.*exactly when ReadOnly, CrossAdapter and WriteWatch are set$' "$work/r/verdicts.txt"

# Also where other words are refused, whether a profile declares that or not.
refusing=$emulator,profile=wsl2
for profile in none wsl2; do
    "$tool" run -q --impl "$build/plugins/flag_fault.so,word=create,what=echo,set=0x8090,clear=0x4,flips=0x10,$refusing" \
        --filter '^CAF-001/sweep-accept/wddm3_2$' --profile $profile --out "$work/r" >"$work/said" 2>&1
    ok "profile $profile: a wrong reply beside refusals" \
        grep -q '^fail	.*for [0-9,]* of [0-9,]* accepted words, exactly when RestrictSharedAccess, ' "$work/r/verdicts.txt"
done
ok "the profile's restrictions are shown all the same" grep -q '"state": *"shown"' "$work/r/run.json"

# Larger host pages have sweeps of their own, at one version each.
planted word=segment,what=refuse,set=0xC,pages=65536 '^SEG-001/sweep-accept' 3 declined 1 \
    'exactly when CpuVisible and UseBanking are set'

# Some versions are swept in a state: where there are other devices.
planted word=create,what=refuse,set=0x2080,devices=2 '^CAF-001/sweep-accept' 3 declined 2 \
    'exactly when [A-Za-z]* and [A-Za-z]* are set'
ok "in that state alone" [ -z "$(cut -f 1,2 "$work/r/verdicts.txt" | grep '^declined' | grep -v '/beside-others$')" ]

# With one value alone it is named, the smallest one of two sorts, and what is refused besides is
# counted.
sweeps word=create,what=die,set=0xffffffff,once=0x87 '^CAF-001/sweep-accept.*3_2'
ok "one value" grep -q '^crash	.*killed by SIGBUS in KERNEL_ALLOCATION_CREATE for 0x87$' \
    "$work/r/verdicts.txt"
ok "all but one were answered" grep -q 'accepted:  *24575, refused 0' "$work/r/journal.jsonl"
sweeps word=create,what=die,set=0x8000,once=0x87 '^CAF-001/sweep-accept.*2_0'
ok "the smallest of two sorts" grep -q '^crash	.* in KERNEL_ALLOCATION_CREATE for 0x8000' \
    "$work/r/verdicts.txt"

# Deaths of sweeps count as those of other cases.
sweeps word=create,what=die,set=0x80 '^CAF-001/sweep-'
ok "three crash" [ "$(grep -c '^crash' "$work/r/verdicts.txt")" -ge 3 ]
ok "others are not tried" grep -q '^skip	.*not tried: cases like it died in KERNEL_ALLOCATION_CREATE' \
    "$work/r/verdicts.txt"

# What is stored does not grow with the number of calls.
sweeps word=create,what=refuse,set=0x80 '^CAF-001/sweep-accept.*3_2'
size=$(cat "$work"/r/*.* | wc -c)
ok "the run takes $size bytes" [ "$size" -lt 200000 ]
ok "how many were sent" grep -q '24,576 of 24,576 legal words, digest [0-9a-f]*' "$work/r/journal.jsonl"

# JUnit has the sweep as a testcase, with one call.
"$tool" run -q --impl "$build/plugins/flag_fault.so,word=create,what=refuse,set=0x80,$emulator" \
    --filter '^CAF-001/sweep-accept.*3_2' --junit "$work/junit.xml" --out "$work/j" >"$work/said" 2>&1
ok "junit: the cause" grep -q 'exactly when ReadOnly is set' "$work/junit.xml"
ok "junit: the call" grep -q 'CAF-001/sweep-accept/wddm3_2/0x' "$work/junit.xml"

# Without sweeps, and in the smoke suite, there are none.
ok "list --no-sweep" sh -c "! '$tool' list --no-sweep | grep -q /sweep-"
ok "list" sh -c "'$tool' list | grep -q /sweep-"
ok "list --suite smoke" sh -c "! '$tool' list --suite smoke | grep -q /sweep-"
"$tool" run -q --no-sweep --filter '^CAF-003/' --out "$work/n" >"$work/said" 2>&1
ok "run --no-sweep" sh -c "! grep -q /sweep- '$work/n/verdicts.txt'"
ok "a part is a selection" grep -q '^no failure in the selection' "$work/said"

# In the full suite, all values: also those that break several rules, or none but advice, and bits
# without a flag.
"$tool" run -q --suite full --filter '^CAF-00[127]/sweep-.*3_2' --out "$work/f" >"$work/said" 2>&1
ok "full: several" grep -q '7,888,896 of 7,888,896 words that break several rules' "$work/f/verdicts.txt"
ok "full: bits without a flag" grep -q 'pass	CAF-002/sweep-refuse/wddm3_2	45 of 45 ' "$work/f/verdicts.txt"
ok "full: advice" grep -q 'pass	CAF-007/sweep-refuse/wddm3_2	24,576 of ' "$work/f/verdicts.txt"

summary
