#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles end to end: under the right one an implementation conforms, without it, with an entry less
# or one more it does not, and a finished run that is read with a profile gives what a run with it
# gives. Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
newest=$(sed -n 's/.*interface="\(0x[0-9a-f]*\)".*/\1/p' spec/versions.xml | tail -n 1)
subject=$plugins/profiled.so
whole=emulator=$build/emulator.so,versions=$newest+$newest,strict
# A part of the cases, but for one run: what is read again is judged again, each time.
only='^(CAF-001/sweep|CAF-0(18|31|32|24|60)[./])'
entry='source="seen" confidence="T"'

# profile FILE LINES...: writes a profile of these entries.
profile() {
    file=$1
    shift
    {
        echo '<profile name="mine" title="Mine">'
        printf '%s\n' "$@"
        echo '</profile>'
    } >"$work/$file"
}

# verdict_of WORDS: what the last line of standard output begins with.
begins() {
    tail -n 1 "$work/out" | grep -q "^$1" && good || bad "expected \"$1\", found $(tail -n 1 "$work/out")"
}

# run NAME OPTIONS...: of the subject.
run() {
    name=$1
    options=$2
    shift 2
    # shellcheck disable=SC2086 # one pattern or none
    "$tool" run -q --impl "$subject,$options,$whole" ${only:+--filter "$only"} --out "$work/$name" "$@" >"$work/out" 2>"$work/err"
    got=$?
}

# expect STATUS BEGINNING
expect() {
    [ "$got" -eq "$1" ] && good || bad "$name: status $got, expected $1: $(tail -n 1 "$work/out") $(cat "$work/err")"
    begins "$2"
}

# reread NAME PROFILE: the run as it is read with a profile.
reread() {
    name="$1 read with $2"
    "$tool" report --profile "$2" "$work/$1" >"$work/out" 2>"$work/err"
    got=$?
}

# Each case that did not pass with its reason, and the last line.
said_by() {
    "$tool" report --junit "$work/said.xml" --junit-detail case "$@" >/dev/null 2>&1
    sed 's/ time="[^"]*"//g; s/ timestamp="[^"]*"//g; /wddm-cts report/d; /"run"/d; /command/d' "$work/said.xml"
}

shared="<deviation id=\"A\" statement=\"CAF-031\" $entry>No CreateShared.</deviation>"
cross="<deviation id=\"B\" statement=\"CAF-032\" $entry>No CrossAdapter.</deviation>"
nt="<deviation id=\"C\" statement=\"CAF-018\" $entry>NtSecuritySharing alone.</deviation>"
global="<restriction id=\"G\" on=\"D3DKMT_CREATEALLOCATION\" refuse=\"Flags.CreateShared and not Flags.NtSecuritySharing\" $entry>No global handles.</restriction>"
readonly="<restriction id=\"H\" on=\"D3DKMT_CREATEALLOCATION\" refuse=\"Flags.ReadOnly\" $entry>Nothing that is only read.</restriction>"
va="<absent id=\"V\" feature=\"kernel-virtual-addresses\" $entry>No virtual addresses.</absent>"
lock="<absent id=\"L\" operation=\"KERNEL_LOCK\" $entry>No locks.</absent>"

# ---- deviations ----

profile both.xml "$shared" "$cross"
profile one.xml "$shared"
profile three.xml "$shared" "$cross" "$nt"
only= run whole accept=both --profile "$work/both.xml"
expect 0 'conforms under own profile mine: 2 deviations, 0 restrictions; '
run plain accept=both
expect 1 'does not conform: '
run with accept=both --profile "$work/both.xml" --junit "$work/j.xml" --html "$work/h.html"
expect 0 'no failure in the selection under own profile mine: 2 deviations, 0 restrictions; '
ok 'JUnit says that it deviates' grep -q 'deviates: .*as profile mine declares (A): ' "$work/j.xml"
ok 'JUnit has no failure' sh -c "! grep -q '<failure' '$work/j.xml'"
ok 'HTML has them' grep -q 'Deviates as declared' "$work/h.html"
ok 'the journal has them' grep -q '"verdict":"deviates"' "$work/with/journal.jsonl"
ok 'run.json names profile and entries' grep -q '"state": *"shown"' "$work/with/run.json"
said_by "$work/with" >"$work/wanted"
said_by --profile "$work/both.xml" "$work/plain" >"$work/found"
ok 'a run read with a profile is a run with it' diff "$work/wanted" "$work/found"
said_by "$work/plain" >"$work/wanted"
said_by --profile none "$work/with" >"$work/found"
ok 'and the other way round' diff "$work/wanted" "$work/found"
"$tool" report --level strict --profile "$work/both.xml" "$work/plain" | tail -n 1 >"$work/wanted"
"$tool" report --level strict "$work/with" | tail -n 1 >"$work/found"
ok 'at another level, too' diff "$work/wanted" "$work/found"
only= run few accept=both --profile "$work/both.xml" --suite smoke
"$tool" verify "$work/few" >"$work/out" 2>&1
begins 'verified: no failure in the selection under own profile mine: '
"$tool" verify --profile none "$work/few" >"$work/out" 2>&1
begins 'verified: does not conform: '
ok 'coverage' "$tool" coverage --profile "$work/both.xml" "$work/with"
reread with "$work/one.xml"
expect 0 'does not conform: '
reread with "$work/three.xml"
expect 0 'does not conform: '
ok 'the message names the entry' grep -q 'got: .*profile mine, entry C: declared "NtSecuritySharing alone", found a refusal' "$work/out"
run struck accept=both --profile "$work/one.xml"
expect 1 'does not conform: '
run invented accept=both --profile "$work/three.xml"
expect 1 'does not conform: '
sed 's/No CrossAdapter/Whatever/' "$work/both.xml" >"$work/changed.xml"
cp "$work/both.xml" "$work/kept.xml"
cp "$work/changed.xml" "$work/both.xml"
"$tool" report --level strict "$work/with" >"$work/out" 2>&1
ok 'a profile that has changed is no longer that of the run' grep -q 'run.json: the profile has changed since' "$work/out"
cp "$work/kept.xml" "$work/both.xml"

one=CAF-031/refuse/wddm3_2/existing,StandardAllocation,no-CreateShared
for how in '' --no-fork; do
    "$tool" replay $one --impl "$subject,accept=both,$whole" --profile "$work/both.xml" $how >"$work/out" 2>&1
    ok "replay $how" grep -q 'as profile mine declares (A): ' "$work/out"
done

# A condition: only some requests deviate.
profile when.xml "${shared%%source=*}on=\"D3DKMT_CREATEALLOCATION\" when=\"Flags.ReadOnly\" $entry>Only what is read.</deviation>" "$cross"
reread plain "$work/when.xml"
expect 0 'does not conform: '
profile always.xml "${shared%%source=*}on=\"D3DKMT_CREATEALLOCATION\" when=\"Flags.StandardAllocation\" $entry>Any.</deviation>" "$cross"
reread plain "$work/always.xml"
expect 0 'no failure in the selection under own profile mine: '
profile some.xml "${shared%%source=*}shows=\"some\" $entry>Now and then.</deviation>" "$cross" \
    "${nt%%source=*}shows=\"some\" $entry>Now and then.</deviation>"
reread plain "$work/some.xml"
expect 0 'does not conform: the profile declares what no case shows: C; '

# ---- restrictions ----


profile global.xml "$global"
profile more.xml "$global" "$readonly"
only='^CAF-001/(accept|sweep)' run narrow refuse=global
[ "$got" -ne 0 ] && good || bad "it conforms without a profile"
reread narrow "$work/global.xml"
expect 0 'no failure in the selection under own profile mine: 0 deviations, 1 restriction; '
ok 'what needs such a call is not in the profile' grep -q 'not in profile: G: ' "$work/out"
reread narrow "$work/more.xml"
expect 0 'does not conform: '
ok 'the message names the restriction' grep -q 'entry H: declared "Nothing that is only read", found that such a call is accepted' "$work/out"
run narrower refuse=global --profile "$work/more.xml"
expect 1 'does not conform: '
reread narrow "$work/one.xml"
ok 'what no entry is about stays declined' sh -c "grep -q '^declined ' '$work/out' && ! grep -q 'not in profile' '$work/out'"
# Of a part of the cases the last line counts entries that these do not show; one that no case of the
# whole plan can show is wrong in any part.
profile rare.xml "$global" \
    "<restriction id=\"R\" on=\"D3DKMT_CREATEALLOCATION\" refuse=\"Flags.WriteWatch and NumAllocations = 77\" $entry>Rarely.</restriction>"
reread narrow "$work/rare.xml"
expect 0 "incomplete: the profile's entry that no case can show: R; .*: 0 deviations, 2 restrictions, 1 of these not shown"
only= run smoke refuse=global --suite smoke --profile "$work/rare.xml"
expect 3 "incomplete: the profile's entry that no case can show: R; .*; suite smoke; "
profile aside.xml "$global" "$lock"
reread narrow "$work/aside.xml"
expect 0 'no failure in the selection under own profile mine: 0 deviations, 1 restriction, 1 absent, 1 of these not shown; '
# Of several tries the crash counts, although the others accept what is declared to be refused.
"$tool" run -q --no-backtrace --impl "$plugins/misbehave.so,do=crash,once=$work/once" --profile "$work/more.xml" --repeat 2 \
    --filter '^CAF-010/refuse/wddm3_2/section,ExistingSysMem,ReadOnly,ExistingSection$' --out "$work/died" >"$work/out" 2>&1
ok 'a crash is no contradiction' grep -q '^crash	' "$work/died/verdicts.txt"

# ---- what is absent ----

profile absent.xml "$va"
profile locks.xml "$va" "$lock"
only= run lacking lacks=va --profile "$work/absent.xml" --filter '^(UVA-004|CAF-00[35])'
expect 0 'no failure in the selection under own profile mine: 0 deviations, 0 restrictions, 1 absent; '
reread lacking "$work/locks.xml"
expect 0 'does not conform: '
ok 'the message names the operation' grep -q 'entry L: declared "No locks", found KERNEL_LOCK implemented' "$work/out"

# ---- what runs propose ----

for name in plain narrow; do
    "$tool" profile derive "$work/$name" >"$work/derived.xml"
    ok "what $name proposes lints" "$tool" lint -q --profile "$work/derived.xml"
    reread "$name" "$work/derived.xml"
    expect 0 '.* under own profile derived: '
done
status 2 "$tool" profile derive "$work/with"
status 2 "$tool" profile derive
cp -r "$work/plain" "$work/unfinished"
sed -i 's/"end": "done"/"end": "running"/' "$work/unfinished/run.json"
status 2 "$tool" profile derive "$work/unfinished"
ok 'an unfinished run proposes nothing' grep -q 'unfinished: the run has not ended, expected a finished one' "$work/err"

# ---- what reading a run leaves ----

mkdir "$work/temporary"
TMPDIR=$work/temporary "$tool" report --profile "$work/both.xml" --color never --html "$work/read.html" "$work/plain"
"$tool" report --profile "$work/both.xml" --color never "$work/plain" >"$work/out"
ok 'the run is the one that was read' grep -q '^  run  *[^ ]*/plain$' "$work/out"
ok 'in the page, too' sh -c "! grep -q '/wddm-cts-[A-Za-z0-9]\{6\}' '$work/read.html'"
# Ended by force while its copy is there: it writes more to a pipe than fits, and nobody reads.
mkfifo "$work/pipe"
exec 9<>"$work/pipe"
TMPDIR=$work/temporary "$tool" report --profile "$work/both.xml" --xml - "$work/plain" >&9 2>/dev/null &
reader=$!
tries=0
while [ -z "$(ls "$work/temporary")" ] && [ $tries -lt 500 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
ok 'there is a copy' [ -n "$(ls "$work/temporary")" ]
kill -s KILL $reader
wait $reader 2>/dev/null
exec 9>&-
tries=0
while [ -n "$(ls "$work/temporary")" ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
ok 'nothing is left of it' [ -z "$(ls "$work/temporary")" ]
cp -r "$work/plain" "$work/short"
truncate -s "$(($(wc -c <"$work/plain/records") / 2))" "$work/short/records"
status 2 "$tool" report --profile "$work/both.xml" "$work/short"
ok 'records that were cut show nothing' grep -q '/records' "$work/err"
cp "$work/both.xml" "$work/kept.xml"
status 2 "$tool" profile "$work/both.xml" --html "$work/both.xml"
ok 'a page is no profile' grep -q -- '--html .*both.xml: is the profile that is read, expected a file of its own' "$work/err"
ok 'which stays' cmp "$work/both.xml" "$work/kept.xml"
status 2 "$tool" profile none
ok 'none is no profile' grep -q 'profile none: is no profile, but the documents alone' "$work/err"

# ---- recordings ----

"$tool" check --export - "$work/with" 2>/dev/null | head -n 400 >"$work/a.jsonl"
"$tool" check --profile "$work/both.xml" "$work/a.jsonl" >"$work/out" 2>&1
# An entry with a condition counts where the recording shows that it holds.
made() { # SED RESULT: of a call that Windows takes, changed
    sed "$1" >"$work/call.jsonl" <<'EOF'
{"wddm":"ddi","version":1,"WDDMVersion":"2.6","Records":"all","Complete":true,"PageSize":4096,"Judge":"kernel"}
{"call":"KERNEL_ALLOCATION_CREATE","seq":1,"status":0,"in":{"hResource":0,"Flags":{"CreateResource":1,"CreateShared":0,"NtSecuritySharing":0,"StandardAllocation":1,"CrossAdapter":1,"ExistingSysMem":1}}}
EOF
    "$tool" check --profile windows --verbose "$work/call.jsonl" >"$work/said" 2>&1
    ok "check: $1: $2" grep -q "^$2" "$work/said"
}
made '' 'deviates CAF-031 '
made 's/"hResource":0/"hResource":5/' 'broken CAF-031 '
made 's/"hResource":0,//' 'cannot be said CAF-031 .*missing: whether entry W3 of profile windows is about it'
ok 'check names the profile' sh -c "tail -n 1 '$work/out' | grep -q '^from a recording: .*, profile mine'"

# ---- as text and as a page ----

"$tool" profile >"$work/out"
ok 'shipped ones are listed' sh -c "cut -d ' ' -f 1 '$work/out' | diff - tests/profiles/shipped"
for name in $(cat tests/profiles/shipped); do
    "$tool" profile "$name" >"$work/out"
    ids=$(sed -n 's/.*<\(deviation\|restriction\|absent\) id="\([^"]*\)".*/\2/p' "spec/profiles/$name.xml")
    for id in $ids; do
        grep -q "^$id  " "$work/out" || bad "profile $name does not print $id"
    done
    ok "$name is valid" xmllint --noout --relaxng spec/profile.rng "spec/profiles/$name.xml"
done
ok 'a page' "$tool" profile --html "$work/p.html"
ok 'the page is well-formed' xmllint --html --noout "$work/p.html"
for words in 'id="windows-W3"' 'id="wsl2-M10"' 'Wine' 'replay -v CAF-031/refuse/'; do
    ok "the page has $words" grep -q "$words" "$work/p.html"
done
status 2 "$tool" run --profile windws
ok 'near misses' grep -q 'there is no profile windws; did you mean windows or wine?' "$work/err"
summary
