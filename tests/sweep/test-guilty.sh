#!/bin/sh
# SPDX-License-Identifier: MIT
# Without a sweep: which of a combination's facts are to blame. What is planted with
# tests/plugins/flag_fault.c is named in each row that it spoils, nothing else is, rows are grouped by
# it, and the record of further calls is judged again. Run from the source directory; WCTS_BUILD is
# the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

emulator=emulator=$build/emulator.so
one='if there is one cause'

# rows OPTIONS FILTER [MORE...]: a run of the combinations whose ids match, in $work/r; what is said
# of those that do not pass is in $work/causes, as COUNT VERDICT REASON.
rows() {
    planted=$1 matching=$2
    shift 2
    rm -rf "$work/r"
    "$tool" run --no-sweep --impl "$build/plugins/flag_fault.so,$planted,$emulator" \
        --filter "$matching" --out "$work/r" "$@" >"$work/said" 2>&1
    awk -F'\t' '$1 !~ /pass|skip/ {print $1, $3}' "$work/r/verdicts.txt" | sort | uniq -c |
        sed 's/^ *//' >"$work/causes"
}

# named OPTIONS FILTER CAUSES...: each cause is that of some rows, and no row has another.
named() {
    options=$1
    rows "$1" "$2"
    shift 2
    cp "$work/causes" "$work/others"
    for cause; do
        ok "$options: $cause" grep -q ", exactly when $cause, $one\$" "$work/causes"
        grep -v ", exactly when $cause, $one\$" "$work/others" >"$work/rest"
        mv "$work/rest" "$work/others"
    done
    ok "$options: nothing else: $(head -n 3 "$work/others")" [ ! -s "$work/others" ]
    "$tool" verify "$work/r" >"$work/verified" 2>&1
    count=$(wc -l <"$work/r/verdicts.txt")
    ok "$options: verified" grep -q "judged again  *$count of $count verdicts" "$work/verified"
}

create='/combination/.*/(create|two-answers|placement|large-pages)[^/]*$'
others='/combination/.*/(existing|section)[^/]*$'

# With one flag, several, one that is clear, and at one version. What another one implies is not
# named.
named word=create,what=refuse,set=0x80 "$create" 'ReadOnly is set'
named word=create,what=refuse,set=0x82 "$create" 'CreateShared and ReadOnly are set'
named word=create,what=refuse,set=0x82,clear=0x4 "$create" \
    'CreateShared and ReadOnly are set and NonSecure is clear'
named word=create,what=refuse,set=0x84,at=0xB004 "$create" 'NonSecure and ReadOnly are set'

# In one state of its base alone: the state is named, since the same call is right in others.
named word=create,what=refuse,set=0x80,devices=2 '/combination/.*/beside-others/(create|two-answers|large-pages)[^/]*$' \
    'ReadOnly is set in the state beside-others'

# Where the base sets flags it is named as well: they may be needed.
named word=create,what=refuse,set=0x82 "$others" 'ReadOnly is set in calls like existing' \
    'ReadOnly is set in calls like section'

# Of two causes a row names one that it has.
named word=create,what=refuse,set=0x84,or=0x8800 "$create" 'NonSecure and ReadOnly are set' \
    'CrossAdapter and WriteWatch are set'

# A breach that is accepted.
named word=create,what=accept,set=0x86,clear=0x1 '^CAF-003/combination/' \
    'NonSecure and ReadOnly are set in calls that break CAF-003 alone'

# Of a member that is no flag the values are named that are refused.
named word=map,what=refuse,set=0x2 '^UVA.*/combination/.*/map(,[^/]*)?$' \
    'Map.SizeInBytes is 0x2000, 0x3000 or 0x6000'
named word=map,what=refuse,set=0x2,clear=0x1 '^UVA.*/combination/.*/map(,[^/]*)?$' \
    'Map.SizeInBytes is 0x2000 or 0x6000'

# Rows with one cause are one entry, whatever rule they come next to.
rows word=create,what=refuse,set=0x82 "$create"
count=$(awk '/^[0-9]+ declined a combination/ {sum += $1} END {print sum}' "$work/causes")
ok "one entry for $count rows" grep -q "^declined a combination.*  $count cases of" "$work/said"
ok "not with one worker" [ "$count" -gt 10 ]
cp "$work/causes" "$work/before"
rows word=create,what=refuse,set=0x82 "$create" --jobs 1
ok "one worker says the same" cmp -s "$work/before" "$work/causes"

# What is refused whatever it is has no cause: the base call is refused too.
"$tool" run -q --no-sweep --impl "$build/plugins/refuse_all.so" --filter '^CAF.*/combination/' \
    --out "$work/all" >"$work/said" 2>&1
ok "nothing is to blame" sh -c "! grep -q 'exactly when' '$work/all/verdicts.txt'"

# One case alone.
rows word=create,what=refuse,set=0x80 "$create"
"$tool" replay "$(sed -n 's/^declined	\([^	]*\)	.*/\1/p' "$work/r/verdicts.txt" | head -n 1)" \
    --impl "$build/plugins/flag_fault.so,word=create,what=refuse,set=0x80,$emulator" \
    >"$work/again" 2>&1
ok "replay names it too" grep -q "^declined: .*exactly when ReadOnly is set, $one" "$work/again"

# Rows in a state: what is refused only beside other devices is seen in none else.
rows word=create,what=refuse,set=0x2080,devices=2 '/combination/'
ok "two flags in a state" grep -q '^declined	.*/combination/.*/beside-others/.*exactly when ReadOnly and PartialSharedCreation are set' "$work/r/verdicts.txt"
ok "in no other" sh -c "! grep -v '^pass\|^skip' '$work/r/verdicts.txt' | grep -v /beside-others/"

summary
