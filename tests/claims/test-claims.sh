#!/bin/sh
# SPDX-License-Identifier: MIT
# What a vendor hands in: a run is verified as it is, and everything that is changed in its directory
# is noticed, also when the digests are made to fit. Run from the source directory; WCTS_BUILD is the
# build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
tab=$(printf '\t')
# A driver alone claims its side, with a twentieth of the cases; whatever is no matter of the side is
# tested with it.
# It claims two versions, which show what all do.
emulator=emulator=$build/emulator.so,versions=0x5023+0x6003
alone=$build/plugins/driver_alone.so,$emulator
claimed=2.0..2.1

# status NAME N COMMAND...: exits with N. Output in $work/out, messages in $work/err.
status() {
    name=$1
    expected=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$expected" ]; then good; else
        bad "$name: exit $got, expected $expected: $*"
        tail -n 25 "$work/out" "$work/err"
    fi
}

# says EXPRESSION...: each is in the output, or among the messages.
says() {
    for expression in "$@"; do
        if cat "$work/out" "$work/err" | grep -Eq -- "$expression"; then good; else
            bad "$name: not said: $expression"
            cat "$work/out" "$work/err"
        fi
    done
}

# redigest DIR: run.json names the digests that the files have now.
redigest() {
    for file in plan.tsv journal.jsonl verdicts.txt records; do
        digest=$(sha256sum "$1/$file" | cut -c1-64)
        sed -i "s/\"$file\": \"[0-9a-f]*\"/\"$file\": \"$digest\"/" "$1/run.json"
    done
}

# tampered NAME: a copy of the small run, to be changed.
tampered() {
    rm -rf "$work/tampered"
    cp -R "$work/small" "$work/tampered"
    name=$1
}

# noticed EXPRESSION...: verify says so, and that is not ok.
noticed() {
    status "$name" 1 "$tool" verify "$work/tampered"
    says "$@" '^not verified: '
}

# ---- the list of what a claim needs ----
version=$(sed -n 's/.*<versions spec="\([^"]*\)".*/\1/p' spec/versions.xml)
list=cases/mustpass-$version.txt
status "list" 0 "$tool" list --mustpass
if cmp -s "$work/out" "$list"; then good; else
    bad "$list is not the plan's: change the spec's version, or restore what is gone"
    diff "$list" "$work/out" | head -n 10
fi
cp "$work/out" "$work/list"
status "list of another seed" 0 "$tool" list --mustpass --seed 7
if cmp -s "$work/out" "$work/list"; then good; else bad "the list depends on the seed"; fi
status "list of a part" 2 "$tool" list --mustpass --filter x
status "list of another suite" 2 "$tool" list --mustpass --suite full

rule=CAF-003
line=$(grep "^$rule " "$work/list" | head -n 1)
cp -R cases "$work/cases"
copy=$work/cases/mustpass-$version.txt
status "lint" 0 "$tool" lint -q --cases-dir "$work/cases"
grep -v "^$rule " "$work/list" >"$copy"
status "lint, a rule is not in the list" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:1: 1 planned but not in the list: $rule at ${line#* }; change the spec's version"
first=$(sed -n 's/.*<version name="\([^"]*\)".*/\1/p' spec/versions.xml | head -n 1)
last=$(sed -n 's/.*<version name="\([^"]*\)".*/\1/p' spec/versions.xml | tail -n 1)
sed "s/^$rule .*/$rule $last/" "$work/list" >"$copy"
status "lint, a rule at fewer versions" 2 "$tool" lint -q --cases-dir "$work/cases"
says "1 planned but not in the list: $rule at $first"
(cat "$work/list" && echo "ZZZ-001.all $first..$last") >"$copy"
status "lint, a rule is gone" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:1: 1 of the list not planned any more: ZZZ-001.all at $first..$last; restore the cases"
status "a run without a rule of the list" 3 "$tool" run --impl "$alone" --cases-dir "$work/cases" \
    --out "$work/lacks" -q
says "^incomplete: 1 of the [0-9]* rules that spec .* needs did not pass: ZZZ-001.all at $claimed; "
grep -A3 '"missing"' "$work/lacks/run.json" >"$work/out"
says "\"ZZZ-001.all at $claimed\""
status "verify of it" 3 "$tool" verify "$work/lacks" --cases-dir "$work/cases"
says "^verified: incomplete: 1 of the [0-9]* rules "
status "a part of it" 0 "$tool" run --cases-dir "$work/cases" --out "$work/lacks" -q --suite smoke
says '^no failure in the selection: [0-9]* of [0-9]* cases; suite smoke$'
(cat "$work/list" && tail -n 1 "$work/list") >"$copy"
status "a rule twice" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:[0-9]*: .* after .*, expected rules in the order of their bytes"
status "a run with a wrong list" 2 "$tool" run --cases-dir "$work/cases" --out "$work/lacks" -q
(echo first && cat "$work/list") >"$copy"
status "a rule without a role" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:1: first comes before any role, expected # role kernel or # role driver first"
(cat "$work/list" && echo "ZZZ-001") >"$copy"
status "a rule without a version" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:[0-9]*: ZZZ-001 has no version, expected some"
(cat "$work/list" && echo "ZZZ-001 $last..$first") >"$copy"
status "a wrong version" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:[0-9]*: ZZZ-001: \"$last..$first\", expected a version or FIRST..LAST"
rm "$copy"
status "no list" 2 "$tool" lint -q --cases-dir "$work/cases"
says "^$copy:1: is not there, expected the list of spec $version"

# ---- a run as it is ----
both=$build/plugins/refuse_some.so
status "a run of both sides" 0 "$tool" run --impl "$both,what=nothing,$emulator,strict" --out "$work/both" -q
size=$(wc -c <"$work/both/records")
# All versions have a sixth more, 12 MB, since most cases are made once, at whatever is claimed; 20 MB are what a vendor may have to send.
if [ "$size" -lt 10800000 ]; then good; else bad "the standard suite's records have $size bytes, expected fewer"; fi
status "verify" 0 "$tool" verify "$work/both" --impl "$both"
count=$(grep -c . "$work/both/verdicts.txt")
says '^refuse-some 1$' "^  sha256      $(sha256sum "$both" | cut -c1-64)\$" \
    "ok  *judged again *$count of $count verdicts$" "ok  *plan  *the $count cases" 'ok  *implementation *is ' '^verified: conforms: kernel core, ' \
    'ok  *headline *as the run states it' '[0-9]  not applicable: an adapter that breaks'
if [ "$(wc -l <"$work/out")" -lt 60 ]; then good; else bad "more than a page"; fi
status "a run" 0 "$tool" run --impl "$alone" --out "$work/whole" -q
count=$(grep -c . "$work/whole/verdicts.txt")
status "verify --json" 0 "$tool" verify "$work/whole" --json
says '"conclusion": "verified: conforms: ' '"exit_code": 0'
status "another implementation" 1 "$tool" verify "$work/whole" --impl "$build/plugins/refuse_all.so"
says 'NOT ok  *implementation *is not .*refuse_all.so' '^not verified: 1 check is not ok: implementation: is not .*refuse_all.so, which has digest [0-9a-f]*$'

# A complete forgery of a shorter run: what is left out is missed.
cp -R "$work/whole" "$work/shorter"
some=$(sed -n 's/^pass.\([^\t]*\)\t.*/\1/p' "$work/whole/verdicts.txt" | sed -n 10p)
for file in plan.tsv journal.jsonl verdicts.txt; do
    grep -vF "$some" "$work/whole/$file" >"$work/shorter/$file"
done
pass=$(grep -c '^pass' "$work/shorter/verdicts.txt")
sed -i "s/\"pass\": [0-9]*/\"pass\": $pass/" "$work/shorter/run.json"
redigest "$work/shorter"
status "a case is left out" 1 "$tool" verify "$work/shorter"
says 'lacking  *plan *[0-9]* of the [0-9]* cases' \
    'NOT ok  *records *[0-9]* of [0-9]* belong to no case'

# ---- what is no claim ----
status "a small run" 0 "$tool" run --filter '^SEG-01[0-4]' --out "$work/small" -q
status "a part is no claim" 3 "$tool" verify "$work/small"
says '^not verified: incomplete: plan: [0-9]* of the [0-9]* cases that are planned here$' 'lacking  *plan' 'ok  *judged again'
status "a filter that selects every case" 0 "$tool" run --filter . --suite smoke --out "$work/small" -q
status "leaves nothing out" 0 "$tool" verify "$work/small"
says '^verified: no failure in the selection: '
status "no records" 0 "$tool" run --filter '^SEG-01' --out "$work/without" -q --no-records
if [ -e "$work/without/records" ]; then bad "there are records"; else good; fi
status "no records" 3 "$tool" verify "$work/without"
says 'lacking  *judged again *no verdict: there are no records'
status "nothing judged" 3 "$tool" run --impl "$build/plugins/refuse_all.so" --filter '^SEG-01' \
    --out "$work/nothing" -q
status "nothing judged" 3 "$tool" verify "$work/nothing"
says 'lacking  *verdicts *no case reached one'
status "no directory" 2 "$tool" verify "$work/missing"
says 'missing/run.json: .*, expected the description of a run'
mkdir "$work/garbage"
echo '{"suite": "standard",' >"$work/garbage/run.json"
status "no run.json" 2 "$tool" verify "$work/garbage"
says "^$work/garbage/run.json:[0-9]*: .*, expected the description of a run"
echo '{"suite": "huge"}' >"$work/garbage/run.json"
status "another suite" 2 "$tool" verify "$work/garbage"
says "^$work/garbage/run.json:1: suite is \"huge\""
status "two directories" 2 "$tool" verify a b

# ---- a side that was not asked ----
status "one side" 0 "$tool" run -q --role driver --out "$work/side" \
    --impl "$build/plugins/refuse_some.so,what=nothing,$emulator"
status "one side" 0 "$tool" verify "$work/side"
says 'ok  *claims  .*the plug-in has another side' '^verified: conforms: driver core, paging, patching; '

# ---- failures ----
plugins=$build/plugins
# Of two versions, so that it is no claim; how a claim ends that fails the fault below shows.
kernel=$("$tool" list --role kernel --wddm $claimed | grep -c .)
status "a run that fails, and crashes once" 1 "$tool" run --out "$work/crash" -q --wddm $claimed --no-backtrace \
    --impl "$plugins/misbehave.so,do=crash,at=KERNEL_VA_UPDATE,nth=3,once=$work/once"
status "a run that fails, and crashes once" 3 "$tool" verify "$work/crash"
says '^failed$' "ok  *judged again *$((kernel - 1)) of $kernel verdicts$" \
    "lacking  *plan  *$kernel of the" '^not judged again$' '^ *1  the implementation ended or hung'
status "a fault" 1 "$tool" run --impl "$alone,fault=PAT-015" --out "$work/fault" -q
status "a fault" 1 "$tool" verify "$work/fault"
says "ok  *judged again *$count of $count verdicts$" '^verified: does not conform: '

# ---- what is changed ----
case=$(sed -n 's/^pass\t\([^\t]*\)\t.*/\1/p' "$work/small/verdicts.txt" | sed -n 20p)
last=$(tail -n 1 "$work/small/verdicts.txt" | cut -f2)

tampered "a verdict in the journal"
sed -i "s|\"id\":\"$case\",\"verdict\":\"pass\"|\"id\":\"$case\",\"verdict\":\"skip\"|" \
    "$work/tampered/journal.jsonl"
noticed 'NOT ok  *journal.jsonl *has digest' 'NOT ok  *verdicts *line 20 of verdicts.txt' \
    'NOT ok  *totals' 'NOT ok  *judged again' "^  $case$" 'has skip, the record gives pass'

tampered "a verdict everywhere, failing to pass"
grep '^fail' "$work/fault/verdicts.txt" | cut -f2 >"$work/failing"
rm -rf "$work/tampered"
cp -R "$work/fault" "$work/tampered"
sed -i 's/^fail\t\([^\t]*\)\t.*/pass\t\1\t/' "$work/tampered/verdicts.txt"
sed -i 's/"verdict":"fail","reason":.*"seconds"/"verdict":"pass","reason":"","seconds"/' \
    "$work/tampered/journal.jsonl"
sed -i "s/\"fail\": [0-9]*/\"fail\": 0/; s/\"pass\": [0-9]*/\"pass\": $(grep -c ^pass "$work/tampered/verdicts.txt")/" \
    "$work/tampered/run.json"
redigest "$work/tampered"
noticed "NOT ok  *judged again *$count of $count verdicts, $(grep -c . "$work/failing") differ" \
    "^  $(head -n 1 "$work/failing")\$" 'has pass, the record gives fail'

tampered "evidence"
rm -rf "$work/tampered"
cp -R "$work/fault" "$work/tampered"
sed -i '/"verdict":"fail"/s/expected/wanted/' "$work/tampered/journal.jsonl"
redigest "$work/tampered"
noticed 'NOT ok  *judged again'

tampered "a line of the journal"
sed -i 20d "$work/tampered/journal.jsonl"
redigest "$work/tampered"
noticed 'NOT ok  *journal *line 20 of journal.jsonl is not the entry of the next'

tampered "half a line of the journal"
size=$(wc -c <"$work/small/journal.jsonl")
head -c $((size - 20)) "$work/small/journal.jsonl" >"$work/tampered/journal.jsonl"
redigest "$work/tampered"
noticed 'NOT ok  *journal *line [0-9]* of journal.jsonl'

tampered "the journal's end"
head -n 30 "$work/small/journal.jsonl" >"$work/tampered/journal.jsonl"
noticed 'NOT ok  *journal.jsonl *has digest' 'lacking  *journal *30 of the [0-9]* planned'

tampered "the plan"
sed -i "20s/\t4096\t/\t16384\t/" "$work/tampered/plan.tsv"
redigest "$work/tampered"
noticed 'NOT ok  *plan *line 20 of plan.tsv is not one of the plan'

tampered "the spec's digest"
sed -i 's/\("spec_digest": "\)..../\10000/' "$work/tampered/run.json"
noticed 'NOT ok  *spec *of version .* with digest 0000' 'no verdict: the records are of another spec'

tampered "the totals"
sed -i 's/"skip": [0-9]*/"skip": 1000/' "$work/tampered/run.json"
noticed 'NOT ok  *totals *the run names 1000 of verdict skip'

tampered "what is claimed"
sed -i 's/"last_interface_version": [0-9]*/"last_interface_version": 65540/' "$work/tampered/run.json"
noticed 'NOT ok  *claims *the run names other claims'

# at FILE ID: where the record of the case begins.
at() {
    echo $(($(grep -abo -- "$2" "$1" | head -n 1 | cut -d: -f1) - 16))
}

tampered "a byte of a record"
from=$(($(at "$work/small/records" "$last") + 16 + ${#last} + 3))
printf '\377\376' | dd of="$work/tampered/records" bs=1 seek=$from conv=notrunc 2>/dev/null
noticed 'NOT ok  *records *has digest' 'NOT ok  *judged again .*1 differ' "^  $last$" \
    "^not verified: 2 checks are not ok: records: has digest .*; judged again: .* 1 differ, first that of $last$"
redigest "$work/tampered"
noticed 'NOT ok  *judged again .*1 differ' "^  $last$"

tampered "the last record"
head -c "$(at "$work/small/records" "$last")" "$work/small/records" >"$work/tampered/records"
redigest "$work/tampered"
noticed "NOT ok  *records *1 cases have none, first $last, although" 'there is no record of it'

tampered "half a record"
size=$(wc -c <"$work/small/records")
head -c $((size - 3)) "$work/small/records" >"$work/tampered/records"
redigest "$work/tampered"
noticed 'NOT ok  *records *[0-9]* of [0-9]* bytes cannot be read'

tampered "no file of records"
echo "something else" >"$work/tampered/records"
redigest "$work/tampered"
noticed 'NOT ok  *records *does not begin as a file of records'

tampered "records of an older format"
printf 'wctsrec1' | dd of="$work/tampered/records" bs=1 conv=notrunc 2>/dev/null
redigest "$work/tampered"
noticed 'NOT ok  *records *are of format wctsrec1, expected wctsrec4: verify the run with the tool that made it'

tampered "the records of another implementation"
"$tool" run --impl emulator --filter '^SEG-0[12]' --out "$work/lenient" -q >"$work/log" 2>&1
cp "$work/lenient/records" "$work/tampered/records"
redigest "$work/tampered"
noticed 'NOT ok  *claims *the run names other claims'

tampered "the record of another case"
# Of two that come behind each other, and have names of one length: records are looked for nearby.
cut -f 2 "$work/small/verdicts.txt" | awk -F / 'length($0) == length(last) && $2 != kind {print last; print $0; exit}
    {last = $0; kind = $2}' >"$work/twins"
one=$(head -n 1 "$work/twins") twin=$(tail -n 1 "$work/twins")
sed -i "s|$one|#twin#|; s|$twin|$one|; s|#twin#|$twin|" "$work/tampered/records"
redigest "$work/tampered"
noticed 'NOT ok  *judged again .*differ'

# ---- waivers ----
rm -rf "$work/waived"
faulty=$alone,fault=PAT-015
WCTS_TODAY=2026-01-01 "$tool" run -q --impl "$faulty" --out "$work/waived" \
    --update-baseline "$work/baseline.xml" >/dev/null 2>&1
status "run with a baseline" 0 env WCTS_TODAY=2026-01-01 "$tool" run -q --impl "$faulty" \
    --out "$work/waived" --baseline "$work/baseline.xml"
status "waived" 0 "$tool" verify "$work/waived"
says '^waived$' '^  PAT-015/' '^verified: conforms but for [0-9]+ waived: driver core, '
cp -R "$work/waived" "$work/forged"
sed -i 's/"was":"fail"/"was":"crash"/' "$work/forged/journal.jsonl"
redigest "$work/forged"
status "waived, but it was something else" 1 "$tool" verify "$work/forged"
says 'judged again .* differ' '^not verified: '

# empty FILE ID: the last record, of the case, becomes that of a worker that ended.
empty() {
    from=$(at "$1" "$2")
    head -c "$from" "$1" >"$work/emptied"
    printf "\\$(printf %o ${#2})\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0%s" "$2" >>"$work/emptied"
    mv "$work/emptied" "$1"
}
WCTS_TODAY=2026-01-01 "$tool" run -q --impl "$faulty" --filter '^PAT-015/.*middle' --wddm 2.0..2.1 --out "$work/waived" \
    --baseline "$work/baseline.xml" >/dev/null 2>&1
last=$(tail -n 1 "$work/waived/verdicts.txt" | cut -f 2)
case $(tail -n 1 "$work/waived/verdicts.txt") in waived*) good ;; *) bad "the last case is not waived" ;; esac
empty "$work/waived/records" "$last"
redigest "$work/waived"
status "waived, and nothing is stored of it" 1 "$tool" verify "$work/waived"
says 'NOT ok  *records *1 cases have none' 'there is no record of it'

# ---- a kernel that refuses what is valid breaks no rule, and claims nothing ----
# Of a whole run tests/verdicts has verify, too.
refuses=$build/plugins/no_allocation.so,$emulator
status "run of a kernel that refuses" 3 "$tool" run -q --impl "$refuses" --out "$work/refuses"
says '^incomplete: core not shown at WDDM 2.0 to 2.1 .KERNEL_ALLOCATION_CREATE was never accepted.; [0-9]+ declined; '
status "at one version" 3 "$tool" run -q --impl "$refuses" --wddm 2.1 --out "$work/refuses"
status "verify of it" 3 "$tool" verify "$work/refuses"
says 'ok  *judged again' '^not verified: incomplete: plan: [0-9]* of the [0-9]* cases that are planned here$'
sed -i 's/"verdict":"declined"/"verdict":"skip"/' "$work/refuses/journal.jsonl"
redigest "$work/refuses"
status "verify, the refusals left out" 1 "$tool" verify "$work/refuses"
says 'NOT ok'

summary
