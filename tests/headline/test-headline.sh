#!/bin/sh
# SPDX-License-Identifier: MIT
# The last line and the exit status of implementations that lack something: an honest one conforms,
# in its scope, and one that lacks a core operation never does. Run from the source directory;
# WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# headline NAME STATUS EXPRESSION IMPLEMENTATION [OPTION...]: the run exits so, and its last line is
# that, also in run.json, of report and of verify.
headline() {
    name=$1 expected=$2 line=$3 implementation=$4
    shift 4
    rm -rf "$work/run"
    "$tool" run -q -j 1 --impl "$implementation" --out "$work/run" "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$expected" ] && grep -Eqx -- "$line" "$work/out"; then
        good
    else
        bad "$name: exit $got, expected $expected: $line"
        tail -n 3 "$work/out" "$work/err"
    fi
    "$tool" report "$work/run" >"$work/report" 2>>"$work/err"
    if [ "$(tail -n 1 "$work/report")" = "$(tail -n 1 "$work/out")" ]; then
        good
    else
        bad "$name: report says: $(tail -n 1 "$work/report")"
    fi
}

# third COMMAND...: of the commands that begin so a third, another with each commit; all of them, if all is
# tried that is tried one by one (WCTS_PART): a row is a run of every case of a version or two.
asked=0
chosen=${WCTS_PART:-1/1}
third() {
    asked=$((asked + 1))
    [ "$chosen" != 1/1 ] && [ $((asked % 3)) -ne $((${chosen%/*} % 3)) ] || "$@"
}

# says NAME LINE COMMAND...: the last line that the command prints.
says() {
    name=$1 line=$2
    shift 2
    got=$("$@" 2>"$work/err" | tail -n 1)
    if [ "$got" = "$line" ]; then
        good
    else
        bad "$name: $got, expected $line"
    fi
}

# What is the same at each version is shown by one or two, all that these claim. A run at no others ends as
# one at all, of which two are enough: one that conforms, and one that lacks its core.
two="emulator=$build/emulator.so,versions=0x5023+0x6003"
emulator=$two

wrapped() {
    echo "$build/plugins/$1.so,$emulator"
}

between() {
    echo "$build/plugins/between.so,does=$1,$emulator"
}

refusing() {
    echo "$build/plugins/refuse_some.so,what=$1,$emulator"
}

kernel='kernel core, sharing, memory, virtual addresses, submission, answers of a scripted driver'
scope='WDDM 2\.0 to 2\.1; level documented'
all='([0-9]+) of [0-9]+ statements(, [0-9]+ in part)?'

# ---- honest, none incomplete ----
third headline "a driver alone" 0 "conforms: driver core, paging, patching; $all; $scope" \
    "$(wrapped driver_alone)"
emulator="emulator=$build/emulator.so,versions=0x5023+0x5023"
claimed="--wddm 2.0"
scope='WDDM 2\.0; level documented'
third headline "a kernel without sharing" 0 \
    "conforms: kernel core, memory, virtual addresses, submission, answers of a scripted driver; $all; $scope" \
    "$(wrapped no_sharing)" $claimed
for lacks in pages placement machine; do
    third headline "a kernel without $lacks" 0 \
        "conforms: $kernel; $all; $scope; [0-9]+ out of scope for want of $lacks" \
        "$(between nothing),$lacks=off" --role kernel $claimed
done
third headline "a kernel without probe" 0 \
    "conforms: kernel core, sharing, memory, virtual addresses; $all; $scope; [0-9]+ out of scope for want of probe" \
    "$(between nothing),probe=off" --role kernel $claimed
third headline "a kernel whose placement cannot be forced" 0 \
    "conforms: $kernel; $all; $scope; [0-9]+ warnings" "$(between own-place)" $claimed
third headline "a kernel that makes one standard allocation at a time" 0 "conforms: $kernel; $all; $scope" \
    "$(refusing several-standard)" --role kernel $claimed
third headline "a driver without an aperture" 0 "conforms: driver core, paging; $all; WDDM 2\.0 to 2\.1; .*" \
    "$build/plugins/no_aperture.so"
third headline "a kernel of large pages alone" 0 \
    'conforms: kernel core, .*; level documented; [0-9]+ out of scope for want of pages of 4 KiB, pages of 16 KiB' \
    "$(refusing nothing,pages=65536)" --role kernel $claimed
third headline "a kernel that does not hibernate" 0 \
    "conforms: $kernel; $all; $scope; KERNEL_POWER not supported in [0-9]+ cases" \
    "$build/plugins/faint.so,does=no-hibernation,$emulator" --role kernel $claimed
# Unless the spec leaves it the choice, what it does not show is missing.
cp -r spec "$work/spec"
sed -i 's/ elective="[^"]*"//' "$work/spec/001-allocationinfo.xml"
says "one that does not show what it has to" 'did not pass: AIN-008 at' sh -c \
    '"$1" run -q -j 1 --impl "$2" --role kernel --spec-dir "$3/spec" --out "$3/own" | grep -o "did not pass: AIN-008 at"' \
    sh "$tool" "$(between own-place | sed 's/versions=.*/versions=0x1053+0x1053/')" "$work"
third headline "a driver of which one kind cannot be paged" 0 \
    "conforms: driver core, paging, patching; $all; $scope; DRIVER_PAGING not supported in [0-9]+ cases; kinds not shown: \"[^\"]+\" in [0-9]+ cases" \
    "$(refusing driver-kind-stays)" --role driver $claimed
third headline "a driver that makes nothing but the kinds that it lists" 0 \
    "conforms: driver core, paging, patching; $all; $scope" \
    "$(refusing driver-kinds-only)" --role driver $claimed

emulator=$two
claimed="--wddm 2.0..2.1"
# ---- what shows nothing of what every kernel has to show ----
third headline "a kernel that never has its paging patched" 1 \
    'does not conform: [0-9]+ cases of 1 statement failed; .*' \
    "$(between unpatched)" $claimed

# ---- what lacks a core ----
third headline "a kernel without create" 3 \
    'incomplete: core not shown at WDDM 2\.0 to 2\.1 .KERNEL_ALLOCATION_CREATE was never accepted.; .*' \
    "$(wrapped lacks_create)"
third headline "a driver with INFO and SEGMENTS alone" 3 \
    'incomplete: core not shown at WDDM 2\.0 to 2\.1 .DRIVER_ALLOCATION_CREATE was never accepted.; .*' \
    "$(wrapped bare_driver)" $claimed

third headline "a kernel of which a part of a feature makes nothing runnable" 3 \
    'incomplete: no statement of virtual addresses tested; .*' \
    "$(refusing KERNEL_VA_RESERVE,status=0xC0000002)" \
    --role kernel --wddm 2.1
third headline "a kernel that claims what it lacks" 3 \
    'incomplete: placement is claimed, but KERNEL_QUERY_ALLOCATION is not there; .*' \
    "$(refusing KERNEL_QUERY_ALLOCATION,status=0xC0000002)" \
    --role kernel --wddm 2.1
third headline "a kernel that claims to answer of pages" 3 \
    'incomplete: pages is claimed, but KERNEL_QUERY_PAGES is not there; .*' \
    "$(refusing KERNEL_QUERY_PAGES,status=0xC0000002)" \
    --role kernel --wddm 2.1
third headline "a kernel without create, at one version" 3 \
    'incomplete: core not shown at WDDM 2\.1 .KERNEL_ALLOCATION_CREATE was never accepted.; .*' \
    "$(wrapped lacks_create)" --wddm 2.1
third headline "a driver with INFO and SEGMENTS alone, at one version" 3 \
    'incomplete: core not shown at WDDM 2\.1 .DRIVER_ALLOCATION_CREATE was never accepted.; .*' \
    "$(wrapped bare_driver)" --wddm 2.1
third headline "a part of a version asks for no core" 0 'no failure in the selection: [0-9]+ of [0-9]+ cases' \
    "$(wrapped bare_driver)" --wddm 2.1 --filter '^SEG-002'

# ---- a part is no claim ----
headline "a filter" 0 'no failure in the selection: [0-9]+ of [0-9]+ cases' emulator \
    --filter '^CAF-003/'
headline "a shard" 0 'no failure in the selection: [0-9]+ of [0-9]+ cases; shard 1/99' emulator \
    --shard 1/99
headline "a version" 0 'no failure in the selection: [0-9]+ of [0-9]+ cases' emulator --wddm 2.1
headline "all versions that it claims" 0 \
    "conforms: $kernel, driver core, paging, patching; $all; WDDM 2\.0 to 2\.1; level documented" \
    "$(refusing nothing)" \
    --wddm 2.0..2.1
says "verify of it" "verified: $(tail -n 1 "$work/out")" "$tool" verify "$work/run"
planned=$("$tool" list | wc -l)
headline "the smoke suite" 0 "no failure in the selection: [0-9]+ of $planned cases; suite smoke" \
    emulator --suite smoke
says "verify of it" "verified: $(tail -n 1 "$work/out")" "$tool" verify "$work/run"
both="$(refusing nothing)"
headline "the smoke suite at the newest version that is claimed" 0 \
    "no failure in the selection: [1-5][0-9]{3} of $planned cases; suite smoke" "$both" --suite smoke
says "verify of it" "verified: $(tail -n 1 "$work/out")" "$tool" verify "$work/run"
headline "a fault there" 1 'does not conform: [0-9]+ cases of 1 statement failed; .*; suite smoke' \
    "$both,fault=CAF-003" --suite smoke
headline "a part that fails" 1 \
    'does not conform: [0-9]+ cases of 1 statement failed; [0-9]+ of [0-9]+ cases' \
    emulator,fault=CAF-003 --filter '^CAF-003/'

# ---- counts are of the sides that the implementation has ----
"$tool" run --impl "$(wrapped driver_alone)" --out "$work/run" --filter '^AIN-01' \
    --markdown "$work/page.md" --html "$work/page.html" >"$work/out" 2>"$work/err"
of=$("$tool" list --features | awk -F '\t' '/^driver/ {sum += $3} END {print sum}')
for page in out page.md page.html; do
    if grep -Eq "of $of testable" "$work/$page"; then
        good
    else
        bad "$page: not of $of testable statements"
    fi
done

# Console, Markdown, HTML, JSON and JUnit give the same numbers: of a kernel, which has cases of
# statements about drivers, that claims no more than two versions.
"$tool" run --impl "$(refusing KERNEL_OPEN_GLOBAL,status=0xC0000002),strict" \
    --role kernel $claimed -j 1 --out "$work/run" --markdown "$work/page.md" --html "$work/page.html" \
    --junit "$work/page.xml" >"$work/out" 2>"$work/err"
scope_of() {
    /usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["scope"][sys.argv[2]])' \
        "$work/run/run.json" "$1"
}
testable=$(scope_of testable)
proven=$(scope_of proven)
tested=$(scope_of tested)
within=$(scope_of statements)
expect() {
    if grep -Eq -- "$2" "$work/$1"; then
        good
    else
        bad "$1: no line $2"
    fi
}
in_part=$(scope_of in_part)
expect out " $proven proven and $in_part in part of $testable testable"
expect out "; $tested of $within statements, $in_part in part; WDDM 2\.0 to 2\.1;"
expect out "^  not tested +$((within - tested)) of $within statements in scope: .* (CAF|AIN|UVA|SEG|PAT)-[0-9]+"
expect page.md "^$proven of $testable testable statements are proven, $tested of $within in scope tested, $in_part of these in part; .* WDDM 2\.0 to 2\.1,"
expect page.html "$tested of $within in scope were tested"
expect page.xml "\"statements.proven\" value=\"$proven\""
expect page.xml "\"statements.testable\" value=\"$testable\""
expect page.xml "\"statements.tested\" value=\"$tested\""
expect page.xml "\"statements.in-part\" value=\"$in_part\""
expect page.xml "\"statements.in-scope\" value=\"$within\""
expect page.xml "\"wddm.last\" value=\"2\.1\""
if awk -F '|' '$3 ~ / of / {split($3, n, " of "); if (n[1] + 0 > n[2] + 0) bad = 1} END {exit bad}' \
    "$work/page.md"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL page.md: more is proven than can be"
fi
"$tool" run --impl emulator,probe=off --role kernel --out "$work/run" --filter '^AIN-00' \
    --html "$work/page.html" >"$work/out" 2>"$work/err"
if grep -q '<span[^>]*>0 of ' "$work/page.html" || ! grep -q 'class="none"' "$work/page.html"; then
    failed=$((failed + 1))
    echo "FAIL skips are counted as if they were failures"
else
    passed=$((passed + 1))
fi

# ---- warnings are listed by name, with what shows them again, and counted ----
# CAF-015 has failures as well, which do not hide its warnings.
accept_all=$build/plugins/accept_all.so
"$tool" run --impl "$accept_all" --filter '^CAF-(015|053)' --out "$work/run" \
    --markdown "$work/page.md" --html "$work/page.html" --tap >"$work/tap" 2>"$work/err"
"$tool" report "$work/run" >"$work/out" 2>>"$work/err"
case053=CAF-053.own/scenario/wddm1_2/read-only
for page in out page.md; do
    expect "$page" 'CAF-053.*: .* ReadOnly .* is refused\.$'
    expect "$page" '^ +(- )?source: +D3DKMT.*, Membros, ReadOnly$'
    expect "$page" '^ +(- )?got: +KERNEL\\?_LOCK answered SUCCESS .*, expected a refusal$'
    expect "$page" "^ +(- )?reproduce: \`?wddm-cts replay $case053 --impl .*accept_all\.so"
    expect "$page" '(  |- )CAF-015( \([^)]+\))?: '
done
expect out "^ +case: +$case053$"
expect page.html 'class="failure b-warn" id="f1-CAF-053-warn"'
expect page.html 'class="failure b-warn" id="f1-CAF-015-warn"'
expect page.html '1 statement that does not bind at this level was broken\.'
warned=$(sed -n 's/^  cases .* \([0-9]*\) warn.*/\1/p' "$work/out")
expect tap "^# does not conform: .* cases; $warned warnings$"
headline "warnings" 0 "no failure in the selection: [0-9]+ of $planned cases; suite smoke; [2-9] warnings" \
    "$(between own-place)" --suite smoke
says "verify of them" "verified: $(tail -n 1 "$work/out")" "$tool" verify "$work/run"
headline "what binds at the level" 1 'does not conform: 1 case of 1 statement failed; 1 of [0-9]+ cases' \
    "$accept_all" --filter "^$case053$" --level strict

summary
