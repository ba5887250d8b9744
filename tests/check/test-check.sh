#!/bin/sh
# SPDX-License-Identifier: MIT
# wddm-cts check: recordings are judged by the rules of a run, without an implementation. What is
# missing is not guessed; a run's exchanges give the same whether they are read from its directory or
# from the JSON lines that are made of them, and blame what the run blames. Run from the source
# directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
here=tests/check

last() {
    tail -n 1 "$work/out"
}

# ---- surfaces, by native calls ----
status 1 "$tool" check --level strict --side driver $here/surfaces.jsonl
ok "a primary in an aperture without the cap" grep -q '^broken SEG-034 ' "$work/out"
ok "a surface that is too small" grep -q '^broken HDR-033 .*; by the driver, in 1 of 1 places$' "$work/out"
sed '/"StandardAllocationType":1}/s/,"StandardAllocationType":1//; s/,"StandardAllocationType":4}/}/' $here/surfaces.jsonl >"$work/untyped.jsonl"
status 0 "$tool" check --verbose --level strict --side driver "$work/untyped.jsonl"
ok "of what nobody knows the type it cannot be said" grep -q '^cannot be said SEG-034 .*DRIVER_ALLOCATION_CREATE.StandardAllocationType' "$work/out"

# Two threads that create at once: of which of them the first allocation is, nothing tells; that one thread asks twice does.
sed '/"seq":4/{p; s/"seq":4/"seq":5/; s/"Width":600/"Width":8/}; s/"seq":5,"ddi":"DxgkDdiCreate/"seq":6,"ddi":"DxgkDdiCreate/' \
    $here/surfaces.jsonl >"$work/threads.jsonl"
status 0 "$tool" check --verbose --side driver "$work/threads.jsonl"
ok "whose allocation it is cannot be said" grep -q '^cannot be said HDR-033 .* in 2 of 2 places; missing: in which call' "$work/out"
sed 's/"Width":8/"Width":600/' "$work/threads.jsonl" >"$work/again.jsonl"
status 1 "$tool" check --side driver "$work/again.jsonl"
ok "one that is asked for twice is too small" grep -q '^broken HDR-033 .*; by the driver, in 2 of 2 places$' "$work/out"
sed '/"seq":4/{s/"seq":4/"seq":6/; h; d}; /"seq":5/{s/"seq":5/"seq":7/; x; G}' $here/surfaces.jsonl >"$work/lost.jsonl"
status 0 "$tool" check --verbose --side driver "$work/lost.jsonl"
ok "nor where another may be lost" grep -q '^cannot be said HDR-033 ' "$work/out"

# ---- a caller ----
status 1 "$tool" check $here/caller.jsonl
ok "CreateShared without CreateResource" grep -q '^broken CAF-003  must, inferred; by the caller, in 2 of 2 places$' "$work/out"
ok "the smallest call, where it is" grep -q '^    call:      tests/check/caller.jsonl:2: KERNEL_ALLOCATION_CREATE$' "$work/out"
ok "the member and its value" grep -q 'wrong: .*D3DKMT_CREATEALLOCATION.Flags.CreateShared is 0x1' "$work/out"
ok "the sentence" grep -q '^    original (pt): «Se você definir CreateShared' "$work/out"
ok "a base off its page" grep -q '^broken UVA-004 ' "$work/out"
ok "a kernel is blamed for what it accepted, not for what it refused" grep -q '^broken CAF-003  .*; by the kernel, in 1 of 1 ' "$work/out"
ok "where it did" grep -q 'call: *tests/check/caller.jsonl:4: ' "$work/out"
ok "the last line: $(last)" sh -c "tail -n 1 '$work/out' | grep -q '^from a recording: [0-9]* statements broken, .*; WDDM 2.6, level documented$'"
ok "nothing conforms" [ "$(grep -c conforms "$work/out")" -eq 0 ]
sed 's/0xC000000D/0x00000000/' $here/caller.jsonl >"$work/accepted.jsonl"
status 1 "$tool" check --side kernel "$work/accepted.jsonl"
ok "a kernel that accepts it is" grep -q '^broken CAF-003  .*; by the kernel, in 2 of 2 ' "$work/out"
ok "and says what it answered" grep -q 'KERNEL_ALLOCATION_CREATE answered SUCCESS (0x00000000), expected a refusal' "$work/out"
status 1 "$tool" check --side caller --side driver $here/caller.jsonl
status 0 "$tool" check --level binding --side caller $here/caller.jsonl
ok "not binding at that level" grep -q '^warn CAF-003 ' "$work/out"
sed 1d $here/caller.jsonl >"$work/headless.jsonl"
status 1 "$tool" check --wddm 2.6 "$work/headless.jsonl"
ok "with --wddm no first line is needed" grep -q "call: *$work/headless.jsonl:1: " "$work/out"
status 1 "$tool" check - <$here/caller.jsonl
ok "standard input" grep -q 'call: *-:2: ' "$work/out"

# ---- a driver, by its native calls ----
status 1 "$tool" check $here/driver.jsonl
ok "an eviction segment that is no aperture" grep -q '^broken AIN-012  must, stated; by the driver' "$work/out"
ok "a kernel's paging request" grep -q '^broken PAT-010  must, stated; by the kernel' "$work/out"
ok "its pointer" grep -q 'DXGKARG_PATCH.pAllocationList is 0xffff9001, expected zero' "$work/out"
status 1 "$tool" check --verbose $here/driver.jsonl
ok "what is missing is named" grep -q '^cannot be said AIN-010  driver, in 1 of 1 places; missing: DXGK_ALLOCATIONINFO.PreferredSegment in the answer' "$work/out"
ok "so are calls that are not recorded" grep -q '^cannot be said PAT-042 .*missing: that every DRIVER_PAGING is in the recording$' "$work/out"
ok "and what no recording shows" grep -q '^not judged  *CAF-001  no recording shows it: ' "$work/out"
sed 's/"Records":\[[^]]*\],*//; s/,}/}/' $here/driver.jsonl >"$work/some.jsonl"
status 1 "$tool" check --verbose "$work/some.jsonl"
ok "another answer may have been the last one" grep -q '^cannot be said AIN-012 ' "$work/out"
sed 's/"seq":2,/"seq":3,/; s/"seq":3,"ddi":"DxgkDdiC/"seq":5,"ddi":"DxgkDdiC/; s/"seq":4,/"seq":6,/' $here/driver.jsonl >"$work/lost.jsonl"
status 1 "$tool" check --verbose "$work/lost.jsonl"
ok "lines are lost: the segments may have been others" grep -q '^cannot be said AIN-012 ' "$work/out"
ok "a breach in one line is one all the same" grep -q '^broken PAT-010 ' "$work/out"
sed 's/"WDDMVersion":"0x2600"/"WDDMVersion":"1.3","InterfaceVersion":"0xB004"/' $here/driver.jsonl >"$work/two.jsonl"
"$tool" check -v "$work/two.jsonl" >"$work/out" 2>"$work/err"
ok "two versions: only what both have" grep -q 'WDDM 1.3 to 2.6, level' "$work/out"
ok "a rule of one of them is not asked" [ "$(grep -c ' AIN-038 ' "$work/out")" -eq 0 ]
ok "nor what ends before the last one" sh -c "! grep -q '^[a-z ]* HDR-032 ' '$work/out'"
ok "nor which bits are reserved, which both say otherwise" sh -c "! grep -q '^[a-z ]* SEG-002 ' '$work/out'"
"$tool" check -v $here/driver.jsonl >"$work/last" 2>"$work/err"
statements() {
    sed -n 's/^\(kept in part\|kept\|broken\|warn\|cannot be said\) *\([A-Z]*-[0-9]*\) .*/\2/p' "$1" | sort -u
}
statements "$work/out" >"$work/both.statements"
statements "$work/last" >"$work/last.statements"
ok "all that is asked the last one has" [ -z "$(comm -23 "$work/both.statements" "$work/last.statements")" ]

# A breach of one call alone is one, whatever the calls around it were.
cat >"$work/patch.jsonl" <<EOF
{"wddm":"ddi","version":1,"WDDMVersion":"0x1300","PageSize":4096,"Records":"all"}
{"seq":1,"ddi":"DxgkDdiPatch","status":"0x00000000","in":{"DmaBufferSubmissionStartOffset":"0x800","DmaBufferSubmissionEndOffset":"0x100"}}
{"seq":2,"ddi":"DxgkDdiPatch","status":"0x00000000","in":{"PatchLocationListSize":4,"PatchLocationListSubmissionStart":0,"PatchLocationListSubmissionLength":255}}
{"seq":3,"ddi":"DxgkDdiPatch","status":"0x00000000","in":{"Flags":{"Paging":0},"DmaBufferSubmissionStartOffset":0,"SubmissionFenceId":7}}
EOF
status 1 "$tool" check --verbose --level strict "$work/patch.jsonl"
ok "a start behind the end" grep -q '^broken PAT-006  .*by the kernel, in 1 of ' "$work/out"
ok "more elements than the list has" grep -q '^broken PAT-012  .*by the kernel, in 1 of ' "$work/out"
ok "what the end of the recording would show" grep -q ' PAT-007  .*missing: every DRIVER_SUBMIT of the instance: the recording has no "Complete"' "$work/out"

# What the caps of a driver and its banks say has native names.
status 1 "$tool" check --verbose --level strict $here/native.jsonl
ok "a bit of a number of DRIVERCAPS" grep -q 'wrong: .*DRIVER_INFO.section_backed_primary is 0x0' "$work/out"
ok "operations that are noted with them" grep -q '^broken SEG-037  must, stated; by the driver, in 1 of 1 places$' "$work/out"
ok "one that is there" grep -q '^kept  *SEG-004  driver, in 1 places$' "$work/out"
ok "banks" grep -q '^kept  *SEG-010  driver, in 1 places$' "$work/out"
sed 's/"MemoryManagementCaps":"0x10"/"MemoryManagementCaps":{"SectionBackedPrimary":1}/' $here/native.jsonl >"$work/backed.jsonl"
status 1 "$tool" check --verbose --level strict "$work/backed.jsonl"
ok "a member of an object" grep -q '^kept  *SEG-034  driver, in 1 places$' "$work/out"

# Recordings, right ones and ones with a breach; tests/unit/test_strikes.c strikes out what each of them has.
for file in $here/corpus/*.jsonl; do
    got=$("$tool" check --level strict "$file" 2>/dev/null | sed -n 's/^broken \([^ ]*\) .*/\1/p' | sort -u | tr '\n' ' ')
    printf '%s:%s\n' "$(basename "$file" .jsonl)" "${got:+ ${got% }}"
done >"$work/broken.txt"
ok "what each breaks" diff $here/broken.txt "$work/broken.txt"
# said FILE STATEMENT RESULT: what is said of a recording of the corpus.
said() {
    "$tool" check --verbose --level strict "$here/corpus/$1.jsonl" >"$work/out" 2>&1
    ok "$1: $2 is $3: $(grep " $2 " "$work/out")" grep -q "^$3 *$2 " "$work/out"
    ok "$1: $2 is nothing else" [ "$(grep -c " $2 " "$work/out")" -eq 1 ]
}
# The older structure of a creation, and a misspelt member in the arm of an operation's union.
sed 's/CreateAllocation2/CreateAllocation/; s/pAllocationInfo2/pAllocationInfo/g' $here/corpus/kernel-operations.jsonl >"$work/older.jsonl"
for one in $here/corpus/kernel-operations.jsonl "$work/older.jsonl"; do
    "$tool" check --verbose "$one" 2>"$work/err" | sed 's/[^ (]*\.jsonl//g' >"$work/$(basename "$one").out"
    ok "all of it is read: $(cat "$work/err")" [ ! -s "$work/err" ]
done
ok "pAllocationInfo is pAllocationInfo2" diff "$work/kernel-operations.jsonl.out" "$work/older.jsonl.out"
sed 's/SizeInBytes/SizeInByte/' $here/corpus/kernel-operations.jsonl >"$work/arm.jsonl"
"$tool" check "$work/arm.jsonl" >"$work/out" 2>"$work/err"
ok "a misspelt member of an arm" grep -q '"SizeInByte" is ignored, did you mean "SizeInBytes"' "$work/err"

said caps-untold SEG-004 'kept in part'
said caps-untold SEG-037 'cannot be said'
ok "what the call was is missing" grep -q '^cannot be said SEG-037 .*; missing: of which kind, or of which adapter, the call at .*caps-untold.jsonl:2 was$' "$work/out"
said segments-untold AIN-012 'cannot be said'
said caps-refused SEG-004 'cannot be said'
ok "an answer is" grep -q '^cannot be said SEG-037 .*; missing: an answer to DRIVER_INFO that was accepted$' "$work/out"
said caps-refused-once SEG-004 kept
said caps-never-asked SEG-004 'kept in part'
said caps-never-asked SEG-037 'cannot be said'
sed 's/"Type": "DRIVERCAPS"/"Type": "DXGKQAITYPE_DRIVERCAPS"/' $here/corpus/two-alive.jsonl >"$work/prefixed.jsonl"
"$tool" check --verbose --level strict "$work/prefixed.jsonl" >"$work/out" 2>&1
ok "the name of a native type as Windows has it" grep -q '^kept  *SEG-004 ' "$work/out"
sed 's/"Type": "DRIVERCAPS"/"Type": "DRIVERCAP"/' $here/corpus/two-alive.jsonl >"$work/prefixed.jsonl"
"$tool" check --verbose --level strict "$work/prefixed.jsonl" >"$work/out" 2>&1
ok "a misspelt one is not known" grep -q '^cannot be said SEG-004 ' "$work/out"
sed 's/"Type": "DRIVERCAPS"/"Type": "QUERYSEGMENT5"/' $here/corpus/two-alive.jsonl >"$work/other.jsonl"
"$tool" check --verbose --level strict "$work/other.jsonl" >"$work/out" 2>&1
ok "another one says nothing of segments" grep -q '^kept  *SEG-002 ' "$work/out"
# Where some calls have an adapter, the others may be of any.
sed '3s/"seq": 2,/"seq": 2, "adapter": 0,/' $here/corpus/ain012.jsonl >"$work/adapter.jsonl"
status 3 "$tool" check --verbose "$work/adapter.jsonl"
ok "it is not known whose it is" grep -q '^cannot be said AIN-012 .*of which adapter' "$work/out"
# A caller's calls and a driver's: without "within" a driver's may have been made in any before it.
grep -v DRIVER_ALLOCATION_CREATE $here/corpus/kernel-uva008.jsonl >"$work/asked.jsonl"
ok "a kernel that never asks" sh -c "'$tool' check '$work/asked.jsonl' | grep -q '^broken'"
sed 's/"within":[0-9]*,//' $here/corpus/kernel-right.jsonl >"$work/stray.jsonl"
status 0 "$tool" check --verbose "$work/stray.jsonl"
ok "it is said" grep -q '; missing: in which call .* was made, "within" (' "$work/out"

# Misspelt keys, also of native calls.
sed 's/"EvictionSegmentSet"/"EvictionSegmentset"/; s/"out":{"NbSegment":2}/"ouut":{"NbSegment":2}/; s/"Records":\["DxgkDdiQ/"PageSise":1,"Records":["DxgkDdiPatc","DxgkDdiQ/' \
    $here/driver.jsonl >"$work/typo.jsonl"
"$tool" check "$work/typo.jsonl" >"$work/out" 2>"$work/err"
ok "a member" grep -q ':4: warning: DXGK_ALLOCATIONINFO: "EvictionSegmentset" is ignored, did you mean "EvictionSegmentSet"?$' "$work/err"
ok "a key of the line" grep -q ':2: warning: the line: "ouut" is ignored, did you mean "out"?$' "$work/err"
ok "one of the first line" grep -q ':1: warning: the first line: "PageSise" is ignored, did you mean "PageSize"?$' "$work/err"
ok "a call of Records" grep -q ':1: warning: Records: "DxgkDdiPatc" is ignored, did you mean "DxgkDdiPatch"?$' "$work/err"
ok "nothing else" [ "$(grep -c warning "$work/err")" -eq 4 ]

# A line is written when its call returns: lines may stand in any order.
{ head -n 1 $here/driver.jsonl; tail -n +2 $here/driver.jsonl | sort -r; } >"$work/turned.jsonl"
for one in "$here/driver.jsonl" "$work/turned.jsonl"; do
    "$tool" check -v "$one" 2>&1 | sed 's/[^ (]*\.jsonl:[0-9]*//' >"$work/$(basename "$one").said"
done
ok "lines in another order" cmp "$work/driver.jsonl.said" "$work/turned.jsonl.said"
# Two threads: the call of one goes on during that of the other.
cat >"$work/threads.jsonl" <<'EOF'
{"wddm":"ddi","version":1,"WDDMVersion":"2.7","PageSize":4096,"Complete":true}
{"seq":1,"call":"KERNEL_SETTLE","status":0}
{"seq":2,"call":"KERNEL_ALLOCATION_CREATE","status":0,"in":{"Flags":"0x0","NumAllocations":1,"pStandardAllocation":"0x0","pAllocationInfo2":[{}]}}
{"seq":4,"call":"DRIVER_ALLOCATION_CREATE","within":2,"status":0,"in":{"NumAllocations":1},"out":{"pAllocationInfo":[{"PreferredSegment":0}]}}
{"seq":3,"call":"DRIVER_ALLOCATION_CREATE","within":1,"status":0,"in":{"NumAllocations":3},"out":{"pAllocationInfo":[{"PreferredSegment":0}]}}
EOF
"$tool" check -v "$work/threads.jsonl" >"$work/out" 2>&1
ok "a call has the messages that were sent in it" grep -q '^kept  *CAF-058  kernel, in 1 places$' "$work/out"
sed 's/"within":2/"within":9/; s/"within":1/"within":2/; s/"within":9/"within":1/' "$work/threads.jsonl" >"$work/crossed.jsonl"
status 1 "$tool" check "$work/crossed.jsonl"
ok "and no others" grep -q "^broken HDR-002 " "$work/out"

# ---- what is ignored is said ----
cat >"$work/typo.jsonl" <<'EOF'
{"wddm":"ddi","version":1,"WDDMVersion":"2.6"}
{"seq":1,"call":"KERNEL_ALLOCATION_CREAT","in":{}}
{"seq":2,"call":"KERNEL_ALLOCATION_CREATE","in":{"Flag":1,"Flags":{"CreateShard":1}}}
EOF
status 3 "$tool" check "$work/typo.jsonl"
ok "nothing is decided" grep -q '^from a recording: nothing decided' "$work/out"
ok "an unknown call" grep -q "$work/typo.jsonl:2: warning: a call: \"KERNEL_ALLOCATION_CREAT\" is ignored, did you mean \"KERNEL_ALLOCATION_CREATE\"?" "$work/err"
ok "an unknown member" grep -q ':3: warning: D3DKMT_CREATEALLOCATION: "Flag" is ignored, did you mean "Flags"?' "$work/err"
ok "an unknown flag" grep -q ':3: warning: D3DKMT_CREATEALLOCATIONFLAGS: "CreateShard" is ignored, did you mean "CreateShared"?' "$work/err"

# Calls that Windows has and nothing is judged of are none that are misspelt: one line tells them.
cat >"$work/others.jsonl" <<'EOF'
{"wddm":"ddi","version":1,"WDDMVersion":"2.6","Records":["D3DKMTLock2"]}
{"seq":1,"ddi":"D3DKMTLock2"}
{"seq":2,"ddi":"D3DKMTLock"}
{"seq":3,"ddi":"DxgkDdiCloseAllocation"}
{"seq":4,"ddi":"DxgkDdiCloseAllocation"}
{"seq":5,"ddi":"DxgkDdiDestroyContextt"}
EOF
status 3 "$tool" check "$work/others.jsonl"
ok "calls that are known: $(cat "$work/err")" grep -q "others.jsonl: warning: not judged: 4 calls of 3 functions that no document is about: D3DKMTLock2 D3DKMTLock DxgkDdiCloseAllocation$" "$work/err"
ok "another name" grep -q ':6: warning: a call: "DxgkDdiDestroyContextt" is ignored$' "$work/err"
ok "and nothing else" [ "$(grep -c warning "$work/err")" -eq 2 ]

# ---- forms ----
status 1 "$tool" check --json --junit "$work/junit.xml" $here/caller.jsonl
ok "JSON" /usr/bin/python3 -c 'import json, sys
page = json.load(open(sys.argv[1]))
assert page["status"] == 1 and page["headline"].startswith("from a recording: ")
assert any(s["id"] == "CAF-003" and s["result"] == "broken" and s["place"].endswith(":2") for s in page["statements"])
' "$work/out"
ok "JUnit" xmllint --noout "$work/junit.xml"
ok "its failure" grep -q '<failure message="D3DKMT_CREATEALLOCATION' "$work/junit.xml"
ok "and what cannot be said" grep -q '<skipped message="cannot be said in ' "$work/junit.xml"
status 3 "$tool" check --junit "$work/none/junit.xml" $here/caller.jsonl
status 0 "$tool" check --help
status 2 "$tool" check --spec-dir "$work/none" $here/caller.jsonl
status 2 "$tool" check --cases-dir "$work/none" $here/caller.jsonl
status 2 "$tool" check --spec "$work/none.xml" $here/caller.jsonl

# ---- runs ----
# both FAULT FILTER: the same from the directory and from the lines; the statements in $work/broken.
both() {
    rm -rf "$work/run"
    "$tool" run -q --no-sweep --impl "emulator,$1" --filter "$2" --out "$work/run" >"$work/said" 2>&1
    "$tool" check --verbose "$work/run" >"$work/directory" 2>&1
    status 0 "$tool" check --export "$work/run.jsonl" "$work/run"
    "$tool" check --verbose "$work/run.jsonl" >"$work/lines" 2>"$work/err"
    ok "$1: every key is known: $(cat "$work/err")" [ ! -s "$work/err" ]
    for one in directory lines; do
        sed 's/call: .*: /call: /; s/ ([^()]*)$//' "$work/$one" >"$work/$one.plain"
    done
    ok "$1: the same from both" cmp "$work/directory.plain" "$work/lines.plain"
    sed -n 's/^\(broken\|warn\) \([^ ]*\) .*/\2/p' "$work/lines" | sort >"$work/broken"
}
both strict '^((CAF-0(01|03|16|37)|PAT-038).*/wddm2_7/|SEG-02[56].*/wddm2_0/)'
ok "the emulator breaks nothing: $(cat "$work/broken")" [ ! -s "$work/broken" ]
ok "much is decided" [ "$(grep -c '^kept ' "$work/lines")" -gt 40 ]

# Faults of the emulator, each with the case that notices it first: the statement is broken where a
# recording can show it, and no other than those that the run blames, or that a call breaks by itself.
while read -r fault case statements; do
    both "fault=$fault" "^$case\$"
    got=$(tr '\n' ' ' <"$work/broken")
    ok "$fault: broken is $got" [ "$got" = "$statements${statements:+ }" ]
    sed -n 's/^fail \([^ ]*\) .*/\1/p' "$work/said" | sort -u >"$work/blamed"
done <$here/faults.txt
ok "a dozen faults" [ "$(wc -l <$here/faults.txt)" -ge 12 ]

# ---- what it costs: that of some times what verify takes for the same run ----
# The processor time of a command, in hundredths of a second: the least of three, of what it and
# its children take.
spent() {
    for _ in 1 2 3; do
        bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' spent "$@" 2>&1
    done | awk '{print int(($1 + $2) * 100)}' | sort -n | head -n 1
}
status 0 "$tool" run -q --suite smoke --no-sweep --max-cases 1000 --out "$work/smoke"
judged=$(spent "$tool" check "$work/smoke")
verified=$(spent "$tool" verify "$work/smoke")
ok "check takes $judged, verify $verified: expected less than 4 times that" [ "$judged" -lt $((4 * verified)) ]
summary
