#!/bin/sh
# SPDX-License-Identifier: MIT
# Declarations end to end: what "probe --xml" writes holds of the same implementation, and of one
# that claims or has less "run --declaration" names what is not there, with the line, and ends with
# 1. Wrong ones, negative/NAME.xml: lint and run report what negative/NAME.expected has and end with
# 2; WCTS_UPDATE=1 writes those. Then --upgrade: what begins to bind, kept, broken or not to be shown.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
inner=emulator=$build/emulator.so
driver=$plugins/declared.so
kernel=$plugins/profiled.so

# ---- wrong declarations ----

for file in tests/declaration/negative/*.xml; do
    said=${file%.xml}.expected
    status 2 "$tool" lint -q --declaration "$file"
    grep -v '^wddm-cts: ' "$work/err" >"$work/found"
    [ -z "${WCTS_UPDATE-}" ] || cp "$work/found" "$said"
    ok "$file" diff "$said" "$work/found"
    ok "$file names file and line" grep -q "^$file:[0-9]*: " "$said"
done
status 2 "$tool" run -q --declaration tests/declaration/negative/no-side.xml --out "$work/none"
ok 'nothing runs then' sh -c "! test -e '$work/none'"
status 2 "$tool" lint -q --declaration "$work/missing.xml"
ok 'lint names a file that is not there' grep -q 'missing.xml' "$work/err"

# ---- the round trip ----

# run IMPL OPTIONS...: of the suite that a probe runs, too.
run() {
    impl=$1
    shift
    "$tool" run --impl "$impl" --suite smoke --out "$work/run" "$@" >"$work/out" 2>"$work/err"
    got=$?
}

# expect STATUS BEGINNING
expect() {
    [ "$got" -eq "$1" ] && good || bad "status $got, expected $1: $(tail -n 1 "$work/out") $(cat "$work/err")"
    tail -n 1 "$work/out" | grep -q "^$2" && good || bad "expected \"$2\", found $(tail -n 1 "$work/out")"
}

# said TEXT: standard output has the line.
said() {
    grep -qF "$1" "$work/out" && good || bad "expected \"$1\", found $(cat "$work/out")"
}

# round NAME IMPL: its declaration is valid, and holds.
round() {
    status 0 "$tool" probe --impl "$2" --xml "$work/$1.xml"
    ok "$1 is valid" xmllint --noout --relaxng spec/declaration.rng "$work/$1.xml"
    ok "$1 is right" "$tool" lint -q --declaration "$work/$1.xml"
    status 0 "$tool" lint --declaration "$work/$1.xml"
    ok "and nothing else is told" [ "$(cat "$work/out")" = "$work/$1.xml: nothing is wrong" ]
    run "$2" --declaration "$work/$1.xml"
    expect 0 'no failure in the selection: '
}

round emulator emulator,strict
round driver "$driver,$inner"
round kernel "$kernel,$inner"
ok 'kinds are declared' grep -q '<kind name="banked"/>' "$work/driver.xml"
ok 'features, too' grep -q '<provides name="driver-patching"/>' "$work/driver.xml"
ok 'one side alone' sh -c "! grep -q '<kernel' '$work/driver.xml'"
status 0 "$tool" probe --impl "$driver,$inner" --xml -
ok 'to standard output' cmp "$work/out" "$work/driver.xml"
status 2 "$tool" probe --impl "$driver,$inner" --xml - --json

# What a part of the cases cannot show of features is not said to be missing.
"$tool" run -q --impl "$driver,$inner" --filter '^CAF-048/' --declaration "$work/driver.xml" --out "$work/run" >"$work/out"
got=$?
expect 0 'no failure in the selection: '
# A side that is left out is not compared.
run emulator,strict --role kernel --declaration "$work/emulator.xml"
expect 0 'no failure in the selection: '

# ---- what is declared and no longer there ----

# lacks OPTIONS TEXT: of the driver.
lacks() {
    run "$driver,$1,$inner" --declaration "$work/driver.xml"
    expect 1 'does not conform: .* declared thing'
    said "$2"
}

line() {
    grep -n "$1" "$work/driver.xml" | head -n 1 | cut -d: -f1
}

side="driver.xml:$(line '<driver'): declared driver:"
lacks last=0x5023 "$side WDDM 1.0 to 3.2, found WDDM 1.0 to 2.0"
lacks patches=1 "$side patches 64, found 32"
lacks paging=0x61 "$side paging fill, found transfer map-aperture unmap-aperture"
lacks kinds=2 "driver.xml:$(line '"banked"'): declared driver: kind \"banked\", found the kinds plain, preferring"
lacks kinds=0 "declared driver: kind \"plain\", found no kind"
lacks lacks=patch "driver.xml:$(line driver-patching): declared driver: feature driver-patching, found DRIVER_RENDER is not implemented"
run "$kernel,lacks=va,$inner" --declaration "$work/kernel.xml"
expect 1 'does not conform: .*declared thing'
said 'declared kernel: feature kernel-virtual-addresses, found KERNEL_VA_'
run "$kernel,$inner" --declaration "$work/driver.xml"
expect 1 'does not conform: 2 declared things are not there; '
said "driver.xml:2: declared the name declared, found profiled"
said 'declared a driver side, found no such side'
run "$build/emulator.so" --declaration "$work/emulator.xml"
said 'declared kernel: capability strict, found '

sed 's/"plain"/"pl\&#10;ain"/' "$work/driver.xml" >"$work/odd.xml"
run "$driver,$inner" --declaration "$work/odd.xml"
said 'declared driver: kind "pl ain", found the kinds plain'
# Each report has it, also when the run is read again; verify goes by it.
run "$driver,patches=1,$inner" --declaration "$work/driver.xml" --junit "$work/j.xml" --json
expected=$(sed -n '$p' "$work/out" | grep -o '"declaration": *{[^}]*}')
case $expected in *'"expected":"driver: patches 64"'*'"found":"32"'*) good ;; *) bad "JSON: $expected" ;; esac
"$tool" report "$work/run" --xml "$work/r.xml" --markdown "$work/r.md" --html "$work/r.html" >"$work/out" 2>&1
ok 'the result XML is valid' xmllint --noout --relaxng reports/results.rng "$work/r.xml"
ok 'Markdown has it' grep -q '^- driver: patches 64; found: 32 (`.*driver.xml:3`)$' "$work/r.md"
ok 'HTML has it' grep -q '<section id="declared-1"><h2>Declared, and not there</h2>.*<td>driver: patches 64</td><td>32</td>' "$work/r.html"
"$tool" report --tap "$work/run" >"$work/tap"
count=$(sed -n 's/^1\.\.//p' "$work/tap")
ok 'TAP has a point of its own' grep -q "^not ok $count - declaration$" "$work/tap"
ok 'with what is not there' grep -q "^    - '.*declared driver: patches 64, found 32'$" "$work/tap"
"$tool" run --impl "$driver,patches=1,$inner" --suite smoke --declaration "$work/driver.xml" --out "$work/again" --tap >"$work/out"
ok 'the live stream, too' cmp "$work/tap" "$work/out"
ok 'JUnit has a failure' grep -q '<failure type="fail" message="[^"]*declared driver: patches 64, found 32">' "$work/j.xml"
status 0 "$tool" report "$work/run"
said 'declared driver: patches 64, found 32'
"$tool" verify "$work/run" >"$work/out" 2>&1
ok 'verify finds that it follows' sh -c "! grep -q 'NOT ok' '$work/out'"
status 0 "$tool" report --level strict "$work/run"
said 'declared driver: patches 64, found 32'

# Parts that are merged are compared, too.
for part in 1 2; do
    "$tool" run -q --impl "$driver,kinds=2,$inner" --suite smoke --declaration "$work/driver.xml" --shard "$part/2" \
        --out "$work/part$part" >"$work/out"
    [ $? -eq 1 ] && good || bad "part $part: $(cat "$work/out")"
done
"$tool" merge --out "$work/merged" "$work/part1" "$work/part2" >"$work/out" 2>"$work/err"
got=$?
expect 1 'does not conform: .* declared things are not there'
said 'declared driver: kind "banked", found the kinds plain, preferring'

# ---- upgrades ----

# upgrade IMPL OPTIONS...
upgrade() {
    impl=$1
    shift
    "$tool" run --impl "$impl" --out "$work/up" --filter '^(CAF-031|CAF-018|CAF-038|CAF-048)/' "$@" >"$work/out" 2>"$work/err"
    got=$?
}

old=$inner,versions=0x1053+0x5023
upgrade "$kernel,$old" --upgrade 3.2
expect 0 'no failure in the selection: '
said '  upgrade     WDDM 2.0 to 3.2: '
said '              CAF-031, since 2.3: StandardAllocation comes with CreateShared.'
ok 'what binds already is left out' sh -c "! grep -q 'CAF-018' '$work/out'"
ok 'only versions behind the claim' sh -c "! grep -qE 'wddm(1_|2_0)' '$work/up/plan.tsv'"
"$tool" list --statements --impl "$kernel,$old" --upgrade 3.2 >"$work/listed" 2>"$work/err" # list --upgrade
ok 'what begins is listed' grep -q '^CAF-031	' "$work/listed"
ok 'and nothing that binds, or is of a driver' sh -c "! grep -qE '^(CAF-018|HDR-032)	' '$work/listed'"
"$tool" list --rules --impl "$driver,last=0x5023,$inner" --role driver --upgrade 3.2 >"$work/listed" 2>"$work/err"
ok 'of a driver, by rules' grep -q '^HDR-032.flags	' "$work/listed"
"$tool" list --impl "$kernel,$old" --upgrade 3.2 --filter '^(CAF-031|CAF-018)/' >"$work/listed" 2>"$work/err"
ok 'its cases' sh -c "grep -q '^CAF-031/.*/wddm2_3' '$work/listed' && ! grep -qE '^CAF-018|wddm(1_|2_0)' '$work/listed'"
"$tool" list --statements --impl "$kernel,$old" --upgrade 2.3 >"$work/listed" 2>"$work/err"
ok 'what begins at the last version, too' grep -q '^CAF-031	' "$work/listed"
upgrade "$kernel,$old" --upgrade 2.6
ok 'nor is what begins later' sh -c "! grep -q 'CAF-038' '$work/out'"
upgrade "$kernel,accept=shared,$old" --upgrade 3.2 --junit "$work/j.xml"
expect 1 'does not conform: '
ok 'it is broken' sh -c "sed -n '/  broken/,/cannot/p' '$work/out' | grep -q 'CAF-031, since 2.3'"
again=$(sed -n '/^  upgrade/,$s/.*reproduce: wddm-cts //p' "$work/out" | head -n 1)
status 1 sh -c "'$tool' $again" # replay --upgrade
case $again in *' --upgrade 3.2'*) good ;; *) bad "found $again" ;; esac
status 1 sh -c "'$tool' $again --no-fork"
ok 'JUnit has it' grep -q '<failure.*CAF-031' "$work/j.xml"
tr -d ' \n' <"$work/up/run.json" >"$work/flat"
for words in '"upgrade":{"from":"2.0","to":"3.2",' '"last_interface_version":20515,' \
    '"id":"CAF-031","state":"broken","since":"2.3",' '"id":"CAF-038","state":"kept",'; do
    ok "run.json has $words" grep -qF "$words" "$work/flat"
done
ok 'run.json has the command' grep -q '"reproduce":"wddm-ctsreplayCAF-031/[^"]*--upgrade3.2' "$work/flat"
status 0 "$tool" report "$work/up"
said 'CAF-031, since 2.3'
status 0 "$tool" report --level strict "$work/up"
said 'CAF-031, since 2.3'
status 3 "$tool" verify "$work/up"
ok 'it is judged again' grep -qE 'ok +judged again +([0-9]+) of \1 verdicts$' "$work/out"
status 0 "$tool" coverage "$work/up"
ok 'coverage is about what begins to bind' grep -q ', what begins to bind from WDDM 2.0 to 3.2$' "$work/out"
count=$("$tool" list --impl "$kernel,accept=shared,$old" --upgrade 3.2 2>"$work/err" | sed 's/[./].*//' | sort -u | wc -l)
ok "$count statements begin" [ "$count" -gt 20 ]
ok 'and nothing else' grep -qE "^ all statements +$count +" "$work/out"
status 1 "$tool" check "$work/up"
ok 'as a recording it breaks the same' grep -q '^broken CAF-031 ' "$work/out"
status 0 "$tool" report "$work/up" --xml "$work/r.xml" --markdown "$work/r.md" --html "$work/r.html"
ok 'the result XML is valid' xmllint --noout --relaxng reports/results.rng "$work/r.xml"
ok 'Markdown has what is kept' grep -q '^Kept already: CAF-038, CAF-048\.$' "$work/r.md"
ok 'and what is broken' grep -q '^- CAF-031, since 2\.3: \*\*broken\*\*: ' "$work/r.md"
ok 'HTML has it' grep -q '<section id="upgrade-1"><h2>What begins to bind from WDDM 2.0 to 3.2' "$work/r.html"
status 0 "$tool" report --tap "$work/up"
ok 'TAP has it' grep -q '^# upgrade: CAF-031, since 2\.3: broken: .*; wddm-cts replay CAF-031/' "$work/out"
for part in 1 2; do
    "$tool" run -q --impl "$kernel,accept=shared,$old" --upgrade 3.2 --filter '^(CAF-031|CAF-018|CAF-038|CAF-048)/' \
        --shard "$part/2" --out "$work/up$part" >"$work/out" 2>&1
done
"$tool" merge --out "$work/upped" "$work/up1" "$work/up2" >"$work/out" 2>"$work/err"
got=$?
expect 1 'does not conform: '
said 'CAF-031, since 2.3'
# A whole one is verified as what it is.
"$tool" run -q --impl "$kernel,accept=shared,$old" --upgrade 3.2 --suite smoke --out "$work/up" >"$work/out" 2>&1
last=$(tail -n 1 "$work/out")
status 1 "$tool" verify "$work/up"
ok "verified: $last" [ "$(tail -n 1 "$work/out")" = "verified: $last" ]
# What the profile declares is broken, and not kept by its other cases.
upgrade "$kernel,$old,profile=windows" --upgrade 3.2 --profile windows
expect 0 'no failure in the selection under profile windows'
ok 'it deviates' sh -c "sed -n '/ broken as the profile declares/,/cannot/p' '$work/out' | grep -q 'CAF-031, since 2.3'"
# Nor is it kept where a valid call was refused.
upgrade "$kernel,refuse=global,$old" --upgrade 3.2 --filter '^(CAF-011|CAF-049)/'
ok 'nor is it where it is in doubt' sh -c "sed -n '/ cannot be shown/,\$p' '$work/out' | grep -A1 'CAF-031, since 2.3' | grep -q 'reason:    .*refus'"
ok 'although other cases keep it' sh -c "sed -n '/ cannot be shown/,\$p' '$work/out' | grep -q 'CAF-011, since 2.3'"
ok 'advice that is not kept is broken' sh -c "sed -n '/  broken/,/cannot/p' '$work/out' | grep -q 'CAF-049, since 2.3'"
upgrade "$driver,last=0x5023,opens=0x5023,$inner" --upgrade 3.2
expect 3 'incomplete: '
said '       2  cannot be shown'
said 'reason:    WDDM 2.3: open() returned NULL'
upgrade "$driver,$inner" --upgrade 3.2
[ "$got" -eq 3 ] && good || bad "status $got, expected 3"
ok 'nothing begins' grep -q 'the implementation claims WDDM 3.2 already' "$work/err"
status 2 "$tool" run --upgrade 9.9 --out "$work/up"
ok 'no such version' grep -q 'there is no version 9.9; there are 1.0 ' "$work/err"
summary
