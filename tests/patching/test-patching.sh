#!/bin/sh
# SPDX-License-Identifier: MIT
# What is said of patching, paging and submitting: a driver, or a kernel, that does one thing wrong breaks
# the statement that speaks of it, and no other; what rests on that statement is not judged. What is wrong
# is so at every version: one on each side of 2.0 is enough. Run from the source directory; WCTS_BUILD is the
# build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
level=strict
filter='^PAT'
versions=1.3..2.0

ok() {
    name=$1
    shift
    if "$@"; then
        good
    else
        bad "$name"
        tail -n 20 "$work/log"
    fi
}

# The statements whose cases end so.
statements() {
    sed -n "s/^$1	\\([A-Z]*-[0-9]*\\).*/\\1/p" "$work/out/verdicts.txt" | sort -u | tr '\n' ' '
}

# breaks SIDE IMPL STATEMENT... [: STATEMENT...]: the plug-in breaks these, by what the run says of them;
# the others are not judged, for a reason that names one of the first, and neither hides anything: the run
# fails.
breaks() {
    side=$1
    impl=$2
    what=${impl#*,}
    what=${what%%,emulator=*}
    shift 2
    wanted=${*:-}
    rm -rf "$work/out"
    "$tool" run --role "$side" --level "$level" --filter "$filter" --wddm "$versions" --impl "$impl" --out "$work/out" \
        >"$work/log" 2>&1
    status=$?
    broken=$(sed -n 's/^[a-z]* *\([A-Z]*-[0-9]*\)  .*/\1/p' "$work/log" | sort -u | tr '\n' ' ')
    unjudged=$(sed -n 's/^skip	\([A-Z]*-[0-9]*\)[^	]*	not judged: .*/\1/p' "$work/out/verdicts.txt" | sort -u |
        tr '\n' ' ')
    found=$broken${unjudged:+: $unjudged}
    found=${found% }
    ok "$side, $what: broken and not judged are ${found:-none}, expected ${wanted:-none}" \
        [ "$found" = "$wanted" ]
    # Other reasons are for what the wrong member keeps from being seen.
    sed -n 's/.*	not judged: \([A-Z]*-[0-9]*\).*/\1/p' "$work/out/verdicts.txt" | sort -u >"$work/named"
    ok "$side, $what: what is named is broken" [ -z "$(echo "$broken" | tr ' ' '\n' | sort |
        comm -13 - "$work/named")" ]
    [ -z "$wanted" ] || ok "$side, $what: the run fails" [ "$status" -eq 1 ]
}

driver() {
    word=$1
    shift
    breaks driver "$build/plugins/patching.so,wrong=$word" "$@"
}

kernel() {
    word=$1
    shift
    breaks kernel "$build/plugins/wrong_patch.so,wrong=$word,emulator=${WCTS_KERNEL:-$build/emulator.so}" "$@"
}

versions=1.0..3.2
driver nothing
versions=1.3..2.0
cat >"$work/drivers" <<END
no-fence
old-reply
refuse PAT-013 : PAT-001 PAT-015
handle PAT-013 PAT-015 : PAT-001 PAT-036
offset PAT-036
add PAT-015 PAT-019 : PAT-001 PAT-036
stray PAT-037
engine PAT-001
all PAT-034 : PAT-037
short PAT-013 : PAT-001 PAT-015 PAT-036
fence PAT-016
fence-at-end
late-fence PAT-016
END
rows 3 <"$work/drivers" >"$work/some"
while read -r word wanted; do
    # shellcheck disable=SC2086 # statements
    driver "$word" $wanted
done <"$work/some"

# What a driver declares of itself: an encoding of its own, or that it writes nothing.
declared=
declares() {
    declared=$1
    shift
    breaks driver "$build/plugins/patching.so,$declared" "$@"
}
declares "width=4,expression=address_+_offset"
declares "wrong=old-text,width=4,expression=address+offset"
declares "width=4,expression=(offset+address<<8>>8|0)&0xFFFFFFFF^~(~0)"
declares "width=4,expression=address" PAT-036
declares "width=4,expression=address+offset-base+0x1000" PAT-015 : PAT-001 PAT-036
# What it declares would be right, but for a buffer that is patched again.
declares "wrong=add,width=4,expression=address+offset+old" PAT-019
declares "width=8,expression=address+offset" PAT-015 : PAT-001 PAT-036
private="width=4,expression=address+offset"
declares "wrong=private,$private"
ok "what is in private data is judged" grep -q '^pass	PAT-015/scenario/.*/patched-at-edges' "$work/out/verdicts.txt"
for word in private-first private-not; do
    "$tool" run -q --role driver --filter '^PAT-013' --wddm "$versions" --impl "$build/plugins/patching.so,wrong=$word,$private" \
        --out "$work/out" >"$work/log" 2>&1
    ok "$word is red" grep -q '^does not conform: .* of 1 statement failed' "$work/log"
done
declares "wrong=private-all,$private" PAT-034
"$tool" run -q --role driver --level strict --filter '^HDR-053/' --wddm "$versions" \
    --impl "$build/plugins/patching.so,wrong=private-behind,$private" --out "$work/out" >"$work/log" 2>&1
ok "private data behind the submission's are judged" grep -q '^does not conform: .* of 1 statement failed' "$work/log"
declares "wrong=private,width=4,expression=address" PAT-036
declares wrong=elsewhere
declares wrong=elsewhere-not PAT-034 : PAT-037
ok "what is not written is not claimed" grep -q 'PAT-015/.*	not claimed: PATCHES in the DMA buffer' \
    "$work/out/verdicts.txt"
# Paging that is for no work.
"$tool" run -q --role driver --filter '^PAT-013/' --wddm "$versions" \
    --impl "$build/plugins/refuse_some.so,what=bare-paging,emulator=$build/emulator.so" --out "$work/out" >"$work/log" 2>&1
ok "a paging request without a context is judged" grep -q '^does not conform: .* of 1 statement failed' "$work/log"
ok "and no other" [ -z "$(sed -n 's/^fail	\(.*\)/\1/p' "$work/out/verdicts.txt" | grep -v '/emptied-by-driver	')" ]
while IFS='|' read -r options wanted; do
    "$tool" probe --role driver --impl "$build/plugins/patching.so,$options" >"$work/log" 2>&1
    ok "$options: $wanted" grep -qF "DRIVER_INFO claims $wanted" "$work/log"
done <<'END'
width=3,expression=address|PatchWidth 3, expected 1, 2, 4 or 8
width=4,expression=adress|pPatchExpression, character 1: expected a number, a name (address,
width=4,expression=(address|pPatchExpression, character 9: expected a closing parenthesis
width=4,expression=address_offset|pPatchExpression, character 9: expected an operator, or the end
width=4,expression=0x10000000000000000|pPatchExpression, character 19: expected a number of 64 bits
END

versions=1.0..3.2
kernel nothing
versions=1.3..2.0
# A kernel that does not submit shows nothing of this.
if grep -q ' pass' "$work/log"; then
    # No document speaks of the flags of a submission: the last two.
    cat >"$work/kernels" <<END
order PAT-035
no-addresses PAT-014
old-addresses PAT-014
first-handle PAT-002 PAT-020 : PAT-024 PAT-025 PAT-026
same-fence PAT-038 : PAT-007 PAT-028
no-handle PAT-002 PAT-020 PAT-022 : PAT-024 PAT-025
other-handle PAT-002 PAT-020 : PAT-024 PAT-025
paging-handle HDR-005 PAT-021
segment-0 PAT-003 PAT-004 PAT-023
segment-1 PAT-024 PAT-025
segment-other PAT-024 PAT-025
physical PAT-003 PAT-004 PAT-005 PAT-024 PAT-025
virtual PAT-026 : PAT-003 PAT-004 PAT-005 PAT-014 PAT-024 PAT-025
small PAT-027 : PAT-006
tiny PAT-027 : PAT-006
start PAT-007
start-high PAT-007 : PAT-006
end PAT-028 : PAT-024 PAT-025
private PAT-043
private-small PAT-029
private-tiny PAT-029 : PAT-008
private-start PAT-009
private-late PAT-009 : PAT-008
list-size PAT-035 PAT-040
locations-size PAT-012 PAT-041 : PAT-012
locations-wrap PAT-012
fence-0 PAT-038
flag-set PAT-039 : PAT-010 PAT-011 PAT-014 PAT-030 PAT-031 PAT-032 PAT-033
flag-clear PAT-017 : PAT-007 PAT-009 PAT-022 PAT-023 PAT-026 PAT-028 PAT-038
paging-list PAT-010
paging-list-size PAT-030
paging-locations PAT-031
paging-locations-size PAT-011
paging-first PAT-032 : PAT-012
paging-length PAT-033 : PAT-012
paging-private PAT-042
submit-flag-set
submit-flag-clear
END
    rows 3 <"$work/kernels" >"$work/some"
    while read -r word wanted; do
        # shellcheck disable=SC2086 # statements
        kernel "$word" $wanted
    done <"$work/some"
    # Where a breach of PAT-039 alone would warn, what rests on it fails on its behalf.
    level=documented
    kernel flag-set PAT-039
    level=strict
    filter='^(AIN|SEG|CAF|PAT)'
    kernel page-allocation AIN-031 HDR-035 : AIN-013 AIN-027 SEG-018 SEG-020 SEG-051 SEG-052
fi

# A segment set whose bits are read as those of other segments.
filter='^AIN'
breaks kernel emulator,fault=AIN-011 AIN-011 : AIN-004 AIN-008 AIN-009 AIN-010 AIN-042
ok "nothing else is declined for a wrong bit" [ "$(statements declined)" = "AIN-011 " ]

# What is judged again from what was recorded comes out as it was.
"$tool" run -q --role driver --level strict --impl "$build/plugins/patching.so,wrong=short" --out "$work/short" \
    >"$work/log" 2>&1
tail -n 1 "$work/log" >"$work/last"
ok "the run ends so" grep -q '^does not conform: [0-9]* cases of 1 statement failed' "$work/last"
ok "cases are not judged" grep -q '	not judged: PAT-013 is broken: ' "$work/short/verdicts.txt"
"$tool" verify "$work/short" >"$work/log" 2>&1
ok "verify: exit status 1" [ $? -eq 1 ]
ok "verify comes to the same" [ "$(tail -n 1 "$work/log")" = "verified: $(cat "$work/last")" ]

# ends NAME STATUS LAST OPTION...: without the cases that are blamed, what is not judged is missing; where these
# are waived, it is not.
ends() {
    name=$1
    expected=$2
    last=$3
    shift 3
    rm -rf "$work/out"
    "$tool" run -q --role driver --level strict --impl "$build/plugins/patching.so,wrong=short" \
        --out "$work/out" "$@" >"$work/log" 2>&1
    ok "$name: exit status" [ $? -eq "$expected" ]
    ok "$name: $(tail -n 1 "$work/log")" grep -q "^$last" "$work/log"
}

ends "nothing that fails" 3 \
    'incomplete: 391 of PAT-001 not judged, and nothing that it rests on failed; ' --filter '^PAT-0(01|34)'
ends "before it is waived" 1 'does not conform: 357 cases of 1 statement failed; ' --filter '^PAT-0(01|13)' \
    --update-baseline "$work/waivers.xml"
ends waived 0 'no failure in the selection but for 357 waived' --filter '^PAT-0(01|13)' \
    --baseline "$work/waivers.xml"

# A valid call that is refused late, where only long cases come, breaks none of the rules that they walk by.
rm -rf "$work/out"
"$tool" run -q --impl "$build/plugins/refuse_late.so,emulator=$build/emulator.so" --wddm 2.3 --out "$work/out" \
    >"$work/log" 2>&1
ok "refused in a sequence: exit status 3" [ $? -eq 3 ]
ok "refused in a sequence: incomplete" grep -q '^incomplete: [0-9]* declined; ' "$work/log"
grep -v '^pass	' "$work/out/verdicts.txt" | grep -v '^skip	' >"$work/rest"
ok "refused in a sequence: sequences are declined" grep -q '^declined	UVA/sequence/' "$work/rest"
ok "refused in a sequence: nothing else is blamed" sh -c "! grep -v \
    '^declined	[^	]*	valid call refused[^:]*: KERNEL_VA_UPDATE ' '$work/rest' >'$work/log'"

summary
