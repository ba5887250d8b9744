#!/bin/sh
# SPDX-License-Identifier: MIT
# wddm-cts check: traces of Windows. What a driver's recording shows, and a trace made of the same
# answers, agree as far as each can say; every spelling of a trace gives the same. Damaged files are
# wrong with a message and its line. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
here=tests/etw

# trace NAME [OPTION...]: the trace of a recording.
trace() {
    name=$1
    shift
    /usr/bin/python3 -B $here/trace.py "$@" >"$work/$name.xml"
}

# results FILE: statement and result of what is decided about the driver, without places.
results() {
    sed -n 's/^\(kept\|broken\|warn\) *\([A-Z]*-[0-9]*\)  .*driver, in .*/\1 \2/p' "$1" | sort
}

# ---- a driver, from its trace ----
trace plain $here/driver.jsonl
status 1 "$tool" check --wddm 2.6 --verbose "$work/plain.xml"
cp "$work/out" "$work/plain.said"
ok "a priority of 0" grep -q '^broken AIN-018  ' "$work/out"
line=$(grep -n '<EventID>33<' "$work/plain.xml" | sed -n '2s/:.*//p')
ok "where it is" grep -q "call: *$work/plain.xml:$line, in adapter 1 at 0xffffe00000001000: DRIVER_ALLOCATION_CREATE" "$work/out"
ok "advice that is not kept" grep -q '^warn SEG-011  .*by the driver, in 1 of 2 places$' "$work/out"
ok "what is not believed is not said" grep -q '^cannot be said AIN-012 .*EvictionSegmentSet' "$work/out"
ok "nor are bits of which events tell nothing" grep -q '^cannot be said AIN-016 .*FlagsWddm2' "$work/out"
ok "the last line" grep -q '^from a recording: 1 statement broken, .*; WDDM 2.6, level documented$' "$work/out"
ok "nothing else is said" [ ! -s "$work/err" ]
status 1 "$tool" check --verbose $here/driver.jsonl
results "$work/plain.said" >"$work/trace.results"
results "$work/out" >"$work/lines.results"
ok "all of it the recording says, too" [ -z "$(comm -23 "$work/trace.results" "$work/lines.results")" ]
ok "something is decided" [ "$(wc -l <"$work/trace.results")" -ge 5 ]

# The sample that is installed is that trace.
ok "the sample" sh -c "sed '2,/-->/d' contrib/etw/sample.xml | diff '$work/plain.xml' -"

# ---- spellings ----
for style in 1 2 3 4 5 6; do
    trace other --style $style $here/driver.jsonl
    ok "style $style differs" sh -c "! cmp -s '$work/plain.xml' '$work/other.xml'"
    "$tool" check --wddm 2.6 --verbose "$work/other.xml" >"$work/out" 2>"$work/err"
    for one in plain.said out; do
        sed 's/[^ (]*\.xml:[0-9]*//' "$work/$one" >"$work/$one.bare"
    done
    ok "style $style says the same" cmp "$work/plain.said.bare" "$work/out.bare"
done
# What was there is told again at the end, and what the kernel makes for itself is nobody's answer.
trace again --rundown $here/driver.jsonl
"$tool" check --wddm 2.6 --verbose "$work/again.xml" >"$work/out" 2>"$work/err"
sed 's/[^ (]*\.xml:[0-9]*//' "$work/out" >"$work/out.bare"
ok "each allocation counts once, and those of the kernel not" cmp "$work/plain.said.bare" "$work/out.bare"
trace reused --reused $here/driver.jsonl
status 1 "$tool" check --wddm 2.6 --verbose "$work/reused.xml"
ok "an allocation that takes the pointer of one that ended counts" grep -q '^kept *AIN-026  driver, in 4 places$' "$work/out"
trace wide --utf16 $here/driver.jsonl
status 1 "$tool" check --wddm 2.6 "$work/wide.xml"
ok "UTF-16" grep -q '^broken AIN-018  ' "$work/out"
status 1 "$tool" check --wddm 2.6 - <"$work/wide.xml"
ok "standard input" grep -q 'call: *-:' "$work/out"
# Lines end as in Windows, and there is a mark before them.
{ printf '\357\273\277'; sed 's/$/\r/' "$work/plain.xml"; } >"$work/windows.xml"
status 1 "$tool" check --wddm 2.6 "$work/windows.xml"

# ---- several adapters ----
trace two --repeat 2 $here/driver.jsonl
status 1 "$tool" check --wddm 2.6 "$work/two.xml"
ok "both are judged" grep -q '^warn SEG-011  .*in 2 of 4 places$' "$work/out"
status 1 "$tool" check --wddm 2.6 --adapter 2 "$work/two.xml"
ok "one of them" grep -q '^warn SEG-011  .*in 1 of 2 places$' "$work/out"
for event in 24 25; do # starts, stops
    trace turns --repeat 2 --between $event $here/driver.jsonl
    status 1 "$tool" check --wddm 2.6 "$work/turns.xml"
    ok "one that takes the pointer of another, event $event" grep -q '^warn SEG-011  .*in 2 of 4 places$' "$work/out"
done
status 2 "$tool" check --wddm 2.6 --adapter 3 "$work/two.xml"
ok "there is no third" grep -q 'adapter 3 is asked for, expected one from 1 to 2$' "$work/err"
status 2 "$tool" check --wddm 2.6 --adapter 0 "$work/two.xml"
status 2 "$tool" check --adapter 1 $here/driver.jsonl
ok "JSON lines have none to choose" grep -q 'driver.jsonl: no trace, expected one: an adapter is asked for$' "$work/err"

# ---- what is missing ----
sed '/<Version>/d' "$work/plain.xml" >"$work/versionless.xml"
status 3 "$tool" check --wddm 2.6 "$work/versionless.xml"
ok "no version" grep -q 'warning: event 78: "no version" is ignored$' "$work/err"
{ printf '\n  '; sed 1d "$work/plain.xml"; } >"$work/blank.xml"
status 1 "$tool" check --wddm 2.6 "$work/blank.xml"
trace lost --lost 7 $here/driver.jsonl
status 1 "$tool" check --wddm 2.6 "$work/lost.xml"
ok "lost events" grep -q "^$work/lost.xml:[0-9]*: warning: 7 events were lost: " "$work/err"
sed 's/DxgKrnl/Kernel-Power/g; s/802ec45a/00000000/g' "$work/plain.xml" >"$work/foreign.xml"
status 3 "$tool" check --wddm 2.6 "$work/foreign.xml"
ok "no event of the provider" grep -q 'warning: no event of Microsoft-Windows-DxgKrnl' "$work/err"
sed 's/<Version>[13]</<Version>77</' "$work/plain.xml" >"$work/newer.xml"
status 3 "$tool" check --wddm 2.6 "$work/newer.xml"
ok "an unknown version" grep -q 'warning: event 78: "version 77" is ignored$' "$work/err"
sed 's/<Data Name="[^"]*">/<Data>/' "$work/plain.xml" >"$work/raw.xml"
status 3 "$tool" check --wddm 2.6 "$work/raw.xml"
ok "no manifest" grep -q 'could not be decoded, expected members: convert the trace on the machine that recorded it$' "$work/err"
# What of an event cannot be read is not said: the second allocation of plain.xml has the priority 0.
# unread NAME SED [STATUS]: nothing is broken in the trace that is changed so.
unread() {
    sed "$2" "$work/plain.xml" >"$work/unread.xml"
    ok "$1: the trace is another" sh -c "! cmp -s '$work/plain.xml' '$work/unread.xml'"
    status "${3:-0}" "$tool" check --wddm 2.6 "$work/unread.xml"
    ok "$1" sh -c "! grep -q '^broken' '$work/out'"
}
zero='<Data Name="Priority">0x0</Data>'
unread "a number too long" "s|$zero|<Data Name=\"Priority\">0x10000000000000000</Data>|"
unread "a number too long, decimal" "s|$zero|<Data Name=\"Priority\">18446744073709551616</Data>|"
unread "a number wider than the member" "s|$zero|<Data Name=\"Priority\">0x100000000</Data>|"
unread "a member twice" "s|$zero|<Data Name=\"Priority\">0x78000000</Data>$zero|"
unread "a member twice, the other way round" "s|$zero|$zero<Data Name=\"Priority\">0x78000000</Data>|"
unread "a word with a name that nobody knows" '/<EventID>33</,/<\/Event>/s|<Data Name="Flags">|&Whatever \||'
unread "an event that could not be decoded" '/<EventID>33</,/<\/Event>/s|</EventData>|&<ProcessingErrorData><ErrorCode>15003</ErrorCode></ProcessingErrorData>|'
ok "which is told" grep -q 'warning: 2 events that could not be decoded, expected members: ' "$work/err"
sed 's|</Events>|<Event><System><Provider Guid="{6a399ae0-4bc6-4de9-870b-3657f8947e7e}"/><EventID>32</EventID></System></Event>&|' \
    "$work/plain.xml" >"$work/gap.xml"
status 1 "$tool" check --wddm 2.6 "$work/gap.xml"
ok "an event that says that events were lost" grep -q 'warning: 1 or more events were lost: ' "$work/err"
# Of a segment whose place is not known, itself is judged.
sed 's/"ulSegmentId">1</"ulSegmentId">0</; s/"ulSegmentId">2</"ulSegmentId">65</' "$work/plain.xml" >"$work/nowhere.xml"
status 1 "$tool" check --wddm 2.6 "$work/nowhere.xml"
ok "segments without a place" grep -q '^warn SEG-011  .*by the driver, in 1 of 2 places$' "$work/out"

status 2 "$tool" check "$work/plain.xml"
ok "the version is not in it" grep -q "^$work/plain.xml: a trace, which does not say the version of the driver, expected --wddm with it$" "$work/err"

# ---- reports ----
status 1 "$tool" check --wddm 2.6 --html "$work/page.html" --junit "$work/junit.xml" "$work/plain.xml"
ok "one page" grep -q '<p class="headline">from a recording: 1 statement broken' "$work/page.html"
ok "it is whole" xmllint --noout "$work/page.html"
ok "with what is missing" grep -q 'SupportedWriteSegmentSet' "$work/page.html"
status 1 "$tool" check --wddm 2.6 --out "$work/reports" "$work/plain.xml"
ok "the page of --out" cmp "$work/page.html" "$work/reports/report.html"
ok "its JUnit XML" cmp "$work/junit.xml" "$work/reports/junit.xml"
ok "its text" cmp "$work/plain.said" "$work/reports/check.txt"
ok "its JSON" /usr/bin/python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["status"] == 1' "$work/reports/check.json"
status 1 "$tool" check --wddm 2.6 --out "$work/reports" "$work/plain.xml"
status 1 "$tool" check --html - $here/driver.jsonl
ok "a page on standard output, alone" xmllint --noout "$work/out"
status 2 "$tool" check --html - --json $here/driver.jsonl
status 2 "$tool" check --html "$work/same" --junit "$work/same" $here/driver.jsonl
status 2 "$tool" check --out $here/driver.jsonl $here/driver.jsonl
ok "--out is no file" grep -q 'expected a directory for the reports$' "$work/err"
status 3 "$tool" check --html "$work/none/page.html" $here/driver.jsonl

# ---- wrong files ----
for wrong in $here/negative/*.xml; do
    status 2 "$tool" check --wddm 2.6 "$wrong"
    [ -z "${WCTS_UPDATE:-}" ] || cp "$work/err" "${wrong%.xml}.expected"
    ok "$wrong" cmp "${wrong%.xml}.expected" "$work/err"
    ok "$wrong prints no result" [ ! -s "$work/out" ]
done
size=$(wc -c <"$work/plain.xml")
for part in 1 2 3 4 5 6 7 8 9; do
    head -c $((size * part / 10)) "$work/plain.xml" >"$work/cut.xml"
    status 2 "$tool" check --wddm 2.6 "$work/cut.xml"
    ok "cut at $part tenths" grep -q "^$work/cut.xml:[0-9]*: .*, expected the whole XML that tracerpt writes$" "$work/err"
done

# ---- what events mean ----
ok "it is valid" xmllint --noout --relaxng spec/trace.rng spec/traces/dxgkrnl.xml
cp -R spec "$work/spec"
# wrong LINE-TEXT SED MESSAGE: lint says what is wrong.
wrong() {
    sed "$1" spec/traces/dxgkrnl.xml >"$work/spec/traces/dxgkrnl.xml"
    status 2 "$tool" lint -q --spec-dir "$work/spec"
    ok "$2" grep -q "/traces/dxgkrnl.xml:[0-9]*: .*$2" "$work/err"
}
wrong 's/member="AllocationPriority"/member="AllocationPriorit"/' 'unknown member "AllocationPriorit" of DXGK_ALLOCATIONINFO, did you mean "AllocationPriority"'
wrong '0,/names="AllocationFlags"/s//names="AllocationFlag"/' 'unknown word "AllocationFlag", did you mean "AllocationFlags"'
wrong 's/id="35" versions="1 2 3 4"/id="33" versions="4 5"/' '<event> 33 has version 4, which the one in line [0-9]* has'
wrong 's/structure="DXGK_SEGMENTDESCRIPTOR"/structure="DXGK_ALLOCATIONINFO"/' 'expected an array of them in the answer of a driver'
wrong 's/id="24" versions="0"/& structure="DXGK_ALLOCATIONINFO"/' 'expected all of them or none'
wrong 's/member="Alignment" open="[^"]*"/member="Alignment" confirmed="22631"/' 'is confirmed and not open'
# A build that has confirmed a member lets it be read.
sed 's/open="one bit a segment, or ids"/& confirmed="22631"/' spec/traces/dxgkrnl.xml >"$work/spec/traces/dxgkrnl.xml"
status 1 "$tool" check --wddm 2.6 --spec-dir "$work/spec" "$work/plain.xml"
ok "what is confirmed is read" grep -q '^broken AIN-012  .*by the driver, in 1 of ' "$work/out"
sed 's/"ProviderVersion">22631/"ProviderVersion">10240/' "$work/plain.xml" >"$work/older.xml"
status 1 "$tool" check --wddm 2.6 --spec-dir "$work/spec" --verbose "$work/older.xml"
ok "of that build alone" grep -q '^cannot be said AIN-012 ' "$work/out"
# Of a size an event tells whether it is 0, and no more: the kernel rounds it.
sed 's|<feed data="allocSize".*|&<feed data="UsageVersion" member="PitchAlignedSize"/>|' spec/traces/dxgkrnl.xml >"$work/spec/traces/dxgkrnl.xml"
sed 's/"UsageVersion">0</"UsageVersion">4096</' "$work/plain.xml" >"$work/pitch.xml"
status 1 "$tool" check --wddm 2.6 --spec-dir "$work/spec" --verbose "$work/pitch.xml"
ok "a size that is rounded is not known" grep -q '^cannot be said AIN-007 .*DXGK_ALLOCATIONINFO.Size' "$work/out"
summary
