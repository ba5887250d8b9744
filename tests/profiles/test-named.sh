#!/bin/sh
# SPDX-License-Identifier: MIT
# An implementation that names its profile: a run without --profile is a run with that one, also when
# it is resumed, merged, verified and read again. Run from the source directory; WCTS_BUILD is the
# build directory.
. tests/common.sh
newest=$(sed -n 's/.*interface="\(0x[0-9a-f]*\)".*/\1/p' spec/versions.xml | tail -n 1)
subject=$plugins/profiled.so
whole=emulator=$build/emulator.so,versions=$newest+$newest,strict
only='^CAF-0(18|31|32|24|60)[./]'
entry='source="seen" confidence="T"'
cat >"$work/own.xml" <<END
<profile name="mine" title="Mine">
  <deviation id="A" statement="CAF-031" $entry>No CreateShared.</deviation>
  <deviation id="B" statement="CAF-032" $entry>No CrossAdapter.</deviation>
</profile>
END
sed 's/"B"/"C"/' "$work/own.xml" >"$work/other.xml"

# run NAME OPTIONS...: of the subject.
run() {
    name=$1
    options=$2
    shift 2
    "$tool" run -q --impl "$subject,$options,$whole" --filter "$only" --out "$work/$name" "$@" >"$work/out" 2>"$work/err"
    got=$?
}

# expect STATUS BEGINNING
expect() {
    [ "$got" -eq "$1" ] && good || bad "$name: status $got, expected $1: $(tail -n 1 "$work/out") $(cat "$work/err")"
    tail -n 1 "$work/out" | grep -q "^$2" && good || bad "$name: expected \"$2\", found $(tail -n 1 "$work/out")"
}

results() {
    sed 's/"\(seconds\|milliseconds\|time\)":[^,}]*//g' "$work/$1/journal.jsonl"
}

# ---- a run ----

# As run.json has it: a run that goes on gives it to the plug-in so.
named=accept=both,names=$(realpath --relative-to=. "$work/own.xml")
ok 'probe prints it' sh -c "'$tool' probe --impl '$subject,names=windows,$whole' | grep -q '^profile  *windows$'"
ok 'and as JSON' sh -c "'$tool' probe --json --impl '$subject,names=windows,$whole' | grep -q '\"profile\":  *\"windows\"\|\"profile\":\"windows\"'"
ok 'none is named by others' sh -c "! '$tool' probe --impl '$subject,$whole' | grep -q '^profile'"
run own "$named"
expect 0 'no failure in the selection under own profile mine (named by the implementation): 2 deviations, 0 restrictions; '
results own >"$work/found"
run given accept=both --profile "$work/own.xml"
expect 0 'no failure in the selection under own profile mine: 2 deviations, 0 restrictions; '
results given >"$work/wanted"
ok 'a run with the named profile is one with --profile' diff "$work/wanted" "$work/found"
run none "$named" --profile none
expect 1 'does not conform: '
run other "$named" --profile "$work/other.xml"
expect 0 'no failure in the selection under own profile mine: '
ok '--profile goes before' grep -q '"C"' "$work/other/run.json"
run old accept=both,old=yes
expect 1 'does not conform: '
run shipped "names=wsl2"
expect 1 '.*under profile wsl2 (named by the implementation): '

# ---- the documents alone ----

# As --profile none, so that who names it is no different from who names nothing; but it is said.
run nothing "names=none"
results nothing >"$work/wanted"
"$tool" run --impl "$subject,names=none,$whole" --filter "$only" --out "$work/said" >"$work/out" 2>&1
ok 'the summary has it' grep -q '^  profile     none: the implementation names the documents alone$' "$work/out"
run unnamed "lenient"
results unnamed >"$work/found"
ok 'it judges as without a name' diff "$work/wanted" "$work/found"
ok 'probe has it' sh -c "'$tool' probe --impl '$subject,names=none,$whole' | grep -q '^profile  *none: the documents alone$'"

# ---- a name that is none ----

run wrong "names=windws"
expect 2 'not run: the implementation names the profile windws: .*profiles/windws.xml: No such file or directory; did you mean windows or wine?; expected windows, wine, wsl2, none or a file'
ok 'where it was looked for' grep -q 'looked for .*profiles/windws.xml$' "$work/err"
ok 'near misses' grep -q 'there is no profile windws; did you mean windows or wine?' "$work/err"
ok 'with what helps' grep -q 'names the profile windws; --profile none judges by the documents alone' "$work/err"
ok 'in the TAP output, too' sh -c "'$tool' run --tap --impl '$subject,names=windws,$whole' --filter '$only' --out '$work/wrong' 2>'$work/log' |
    grep -q '^Bail out! the implementation names the profile windws: '"
run nofile "names=./nosuch.xml"
expect 2 "not run: the implementation names the profile ./nosuch.xml: No such file or directory, in $PWD"
run long "names=./$(printf '%0180d' 0).xml"
expect 2 'not run: the implementation names the profile \./00*: '

# ---- replay ----

one=CAF-031/refuse/wddm3_2/existing,StandardAllocation,no-CreateShared
for how in '' --no-fork; do
    "$tool" replay $one --impl "$subject,$named,$whole" $how >"$work/out" 2>&1
    ok "replay $how" grep -q 'as profile mine declares (A): ' "$work/out"
    "$tool" replay $one --impl "$subject,$named,$whole" --profile none $how >"$work/out" 2>&1
    ok "replay $how --profile none" sh -c "! grep -q 'profile mine' '$work/out'"
done

# ---- a finished run ----

"$tool" run -q --impl "$subject,$named,$whole" --suite smoke --out "$work/smoke" >"$work/out" 2>&1
"$tool" verify "$work/smoke" >"$work/out" 2>&1
got=$? name=verify
expect 0 'verified: no failure in the selection under own profile mine (named by the implementation): '
"$tool" report "$work/own" >"$work/out" 2>&1
got=$? name=report
expect 0 'no failure in the selection under own profile mine (named by the implementation): '
"$tool" report --level strict "$work/own" >"$work/out" 2>&1
got=$? name='report --level'
expect 0 'no failure in the selection under own profile mine (named by the implementation): '
"$tool" report --profile "$work/own.xml" "$work/own" >"$work/out" 2>&1
got=$? name='report --profile'
expect 0 'no failure in the selection under own profile mine: '
"$tool" report --profile none "$work/own" >"$work/out" 2>&1
got=$? name='report --profile none'
expect 0 'does not conform: '

# ---- parts, and a run that goes on ----

for part in 1 2; do
    run part$part "$named" --shard $part/2
done
"$tool" merge --out "$work/merged" "$work/part1" "$work/part2" >"$work/out" 2>"$work/err"
got=$? name=merge
expect 0 'no failure in the selection under own profile mine (named by the implementation): '
bytes=$(wc -c <"$work/own/journal.jsonl")
status 0 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/killed" 1 2 "$bytes" \
    -q --impl "$subject,$named,$whole" --filter "$only"
ok 'a run that goes on is the one that was not killed' /usr/bin/python3 -B tests/runs/same.py "$work/own" "$work/killed"
cp "$work/other.xml" "$work/own.xml"
"$tool" verify "$work/smoke" >"$work/out" 2>&1
ok 'a profile that has changed is noticed' grep -q 'profile .*here is one with' "$work/out"
summary
