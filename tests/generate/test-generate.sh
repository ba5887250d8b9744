#!/bin/sh
# SPDX-License-Identifier: MIT
# The calls that generate prints, in each format, measured again; and combinations as cases: a kernel
# that refuses one legal combination, or takes a wrong one, is noticed. Run from the source directory;
# WCTS_BUILD is the build directory.
. tests/common.sh

# ---- what is printed ----
status 0 "$tool" generate copy
cp "$work/out" "$work/copy.csv"
ok "parameters have names" grep -q '^wddm,page-size,state,Copy.SourceAddress,Copy.DestAddress$' "$work/copy.csv"
status 0 "$tool" generate copy --measure "$work/copy.csv"
ok "it has every pair" grep -q '^covered  *\([0-9]*\) of \1$' "$work/out"
ok "and no row that breaks a rule" grep -q '^not to be sent  *0' "$work/out"
head -n 5 "$work/copy.csv" >"$work/short.csv"
status 1 "$tool" generate copy --measure "$work/short.csv"
status 1 "$tool" generate copy --strength 3 --measure "$work/copy.csv"
printf 'wddm,Copy.DestAddress\n2.0,N\n' >"$work/wrong.csv"
status 1 "$tool" generate copy --measure "$work/wrong.csv"
ok "a row that breaks a rule is counted" grep -q '^not to be sent  *1' "$work/out"
status 0 "$tool" generate copy --format json
ok "JSON" [ "$(sed -n '1p;$p' "$work/out" | tr -d '\n')" = '[]' ]
ok "an object for each row" [ "$(grep -c '^  {"wddm": "[^"]*", .*"}' "$work/out")" -eq $(($(wc -l <"$work/copy.csv") - 1)) ]
ok "and a comma behind all but one" [ "$(grep -c '}$' "$work/out")" -eq 1 ]
status 0 "$tool" generate copy --format xml
ok "XML" xmllint --noout "$work/out"
status 0 "$tool" generate copy --seed 1
ok "the same seed, the same rows" cmp -s "$work/out" "$work/copy.csv"
status 0 "$tool" generate create --effort 100000
cp "$work/out" "$work/fewer.csv"
status 0 "$tool" generate create
ok "with effort not more rows" [ "$(wc -l <"$work/fewer.csv")" -le "$(wc -l <"$work/out")" ]
status 0 "$tool" generate create --breaks CAF-003
ok "rows that break a rule" grep -q '^[23]' "$work/out"
status 0 "$tool" generate two-answers
ok "numbers of elements" grep -q '^[^,]*,[^,]*,beside-others,3,' "$work/out"
status 0 "$tool" generate create
ok "flags of the driver's segment" grep -q 'memory.Flags.CpuVisible.*D3DKMT_CREATEALLOCATION.Flags.CreateShared' "$work/out"
status 0 "$tool" generate --help
status 2 "$tool" generate create --cases-dir "$work/none"
status 2 "$tool" generate create --spec-dir "$work/none"
status 2 "$tool" generate create --spec "$work/none.xml"

# ---- what is wrong ----
status 2 "$tool" generate coppy
ok "a base that there is not" grep -q 'no base coppy; did you mean copy' "$work/err"
status 2 "$tool" generate create --breaks CAF-0033
ok "a rule that there is not" grep -q 'CAF-0033 is no rule that a call can break' "$work/err"
status 3 "$tool" generate share --breaks CAF-003
ok "a rule that no call breaks" grep -q 'no call of base share breaks CAF-003 and nothing else' "$work/err"
status 2 "$tool" generate share --strength 6
ok "more places than there are" grep -q -- '--strength 6, expected at most 4' "$work/err"
status 2 "$tool" generate share --format text
sed 's/mapped/maped/' "$work/copy.csv" >"$work/slip.csv"
status 2 "$tool" generate copy --measure "$work/slip.csv"
ok "a value with its line" grep -q 'slip.csv:[0-9]*: unknown value of Copy.[A-Za-z]* "maped.*", did you mean "mapped' "$work/err"
sed '1s/wddm/wdm/' "$work/copy.csv" >"$work/slip.csv"
status 2 "$tool" generate copy --measure "$work/slip.csv"
ok "a name with its line" grep -q 'slip.csv:1: unknown parameter "wdm", did you mean "wddm"?' "$work/err"
sed '3s/$/,1/' "$work/copy.csv" >"$work/slip.csv"
status 2 "$tool" generate copy --measure "$work/slip.csv"
ok "a row that is too long" grep -q 'slip.csv:3: 6 values, expected 5' "$work/err"
sed '1s/page-size/wddm/' "$work/copy.csv" >"$work/slip.csv"
status 2 "$tool" generate copy --measure "$work/slip.csv"
ok "a name twice" grep -q 'slip.csv:1: a second column "wddm"' "$work/err"

# ---- as cases ----
emulator="emulator=$build/emulator.so"
status 0 "$tool" run -q --filter /combination/ --out "$work/right"
ok "cases" grep -q 'no failure in the selection: [0-9]* of' "$work/out"
status 3 "$tool" run -q --filter /combination/ --impl "$plugins/refuse_some.so,what=three-flags,$emulator" --out "$work/refuses"
ok "a refused combination" grep -q 'a combination that breaks no rule refused' "$work/refuses/verdicts.txt"
status 1 "$tool" run -q --filter /combination/ --impl "$plugins/accept_all.so" --out "$work/takes"
id=$(grep '^fail.*expected a refusal' "$work/takes/verdicts.txt" | head -n 1 | cut -f 2)
status 1 "$tool" replay "$id" --impl "$plugins/accept_all.so"
status 0 "$tool" explain "$id"
ok "what is expected" grep -q 'expected: refuse' "$work/out"

# ---- stored ----
# The tool alone, with no combinations beside it, makes those that the stored ones are.
mkdir "$work/alone"
cp "$build/wddm-cts" "$work/alone/"
planned="--spec-dir spec --cases-dir cases"
documents=$planned of=
# lists_alike NAME SUITE: what it lists of the documents is what was listed of them before.
lists_alike() {
    status 0 "$work/alone/wddm-cts" list --suite "$2" $documents
    ok "$1, $2" cmp -s "$work/out" "$work/$of$2.txt"
}
for suite in standard full; do
    status 0 "$tool" list --suite $suite
    cp "$work/out" "$work/$suite.txt"
    lists_alike "without a file" $suite
done
status 0 "$work/alone/wddm-cts" generate --store "$work/again.txt" $planned
ok "the same again" cmp -s "$work/again.txt" "$build/combinations.txt"
# Files that are not as they are to be are of a small spec, which is planned at once.
documents="--spec-dir tests/data/cover/spec --cases-dir tests/data/cover/cases" of=small-
for suite in standard full; do
    status 0 "$work/alone/wddm-cts" list --suite $suite $documents
    cp "$work/out" "$work/small-$suite.txt"
done
ok "more in the full suite" [ "$(wc -l <"$work/small-full.txt")" -gt "$(wc -l <"$work/small-standard.txt")" ]
status 0 "$work/alone/wddm-cts" generate --store "$work/small.txt" $documents
# What a file says that belongs to the spec and is whole is believed: one combination less is missed.
sed -n 1p "$work/small.txt" >"$work/fewer.txt"
sed 1,2d "$work/small.txt" | head -n 2 >"$work/part.txt"
printf '2 2 %s %s\n' "$(wc -c <"$work/part.txt")" "$(/usr/bin/python3 tests/generate/checksum.py "$work/part.txt")" >>"$work/fewer.txt"
cat "$work/fewer.txt" "$work/part.txt" >"$work/alone/combinations.txt"
status 0 "$work/alone/wddm-cts" list --filter /combination/ $documents
ok "a file is read" [ "$(grep -c /combination/ "$work/out")" -eq 2 ]
lists_alike "a file without triples" full
# damaged NAME EXPRESSION: what sed makes of the file is another one, and is left aside.
damaged() {
    sed "$2" "$work/small.txt" >"$work/alone/combinations.txt"
    ok "$1 is another" [ "$(cksum <"$work/alone/combinations.txt")" != "$(cksum <"$work/small.txt")" ]
    lists_alike "$1" standard
}
damaged "a changed file" 's/^0 0 0 /0 0 1 /'
damaged "half a file" 12q
damaged "a file of another spec" '1s/ [0-9a-f]/ x/2'
damaged "a file of another strength" '2s/[0-9]*/9/'
damaged "an empty file" d
rm "$work/alone/combinations.txt"
documents=$planned of=
# The plan of the rules.
cp "$build/combinations.txt" "$work/alone/"
status 0 "$work/alone/wddm-cts" list --store "$work/plan.txt" $planned
ok "the same plan again" cmp -s "$work/plan.txt" "$build/plan.txt"
# What it says of a whole plan is believed, and what tests it has.
sed '1,/^tests 2/s/^tests 2 .*/tests 2 1000000/' "$build/plan.txt" >"$work/alone/plan.txt"
status 0 "$work/alone/wddm-cts" run -q --filter '^CAF-003/refuse' --out "$work/few" $planned
ok "of how many cases some are" grep -q ' of 1000000 cases' "$work/out"
sed '1,/^sides/d' "$build/plan.txt" | sed 1d | sed '$d' >"$work/body.txt"
read -r series tests rest <<END
$(sed -n 5p "$build/plan.txt")
END
sed -n 5p "$build/plan.txt" >"$work/part.txt"
ok "series, tests, bytes and checksum: $rest" grep -qE '^[0-9]+ [0-9]+ [0-9]+ [0-9a-f]+$' "$work/part.txt"
{
    sed 4q "$build/plan.txt"
    echo "$series $((tests - 1)) $(wc -c <"$work/body.txt") $(/usr/bin/python3 tests/generate/checksum.py "$work/body.txt")"
    cat "$work/body.txt"
} >"$work/alone/plan.txt"
status 0 "$work/alone/wddm-cts" list $planned
ok "a plan is read" [ "$(wc -l <"$work/out")" -eq "$(($(wc -l <"$work/standard.txt") - 1))" ]
status 0 "$work/alone/wddm-cts" list --filter '^CAF-002/' $planned
grep '^CAF-002/' "$work/standard.txt" >"$work/part.txt"
ok "not for a part" cmp -s "$work/out" "$work/part.txt"
# It is good with more scenarios as well, whose tests are planned; not with any other document.
mkdir "$work/bare"
cp "$build/wddm-cts" "$work/bare/"
# more NAME N: a list of more.xml has N tests less with this plan than without one.
more() {
    status 0 "$work/bare/wddm-cts" list $planned --spec "$work/more.xml"
    cp "$work/out" "$work/more.txt"
    status 0 "$work/alone/wddm-cts" list $planned --spec "$work/more.xml"
    ok "$1" [ "$(wc -l <"$work/out")" -eq "$(($(wc -l <"$work/more.txt") - $2))" ]
}
sed 's/name="sequence"/name="more"/' tests/walk/sequence.xml >"$work/more.xml"
more "more scenarios" 1
ok "they are listed" [ "$(grep -c /more "$work/more.txt")" -gt 10 ]
status 0 "$tool" list $planned --spec "$work/more.xml"
ok "more scenarios, in their places" cmp -s "$work/out" "$work/more.txt"
sed -i '/<cases>/a <adapter name="more" like="standard"/>' "$work/more.xml"
more "scenarios and an adapter" 0
sed -n '/^<cases>/p; /name="walk-apertures"/,/<\/scenario>/p; /^<\/cases>/p' cases/walks.xml |
    sed 's/"walk-apertures"/"walk-more"/' >"$work/more.xml"
more "a scenario of walks" 0
sed '$s/1$/0/' "$build/plan.txt" >"$work/alone/plan.txt"
lists_alike "a changed plan" standard
sed '1s/ [0-9a-f]/ x/2' "$build/plan.txt" >"$work/alone/plan.txt"
lists_alike "the plan of another spec" standard
head -c 50000 "$build/plan.txt" >"$work/alone/plan.txt"
lists_alike "half a plan" full
sed '4s/^/-/' "$build/plan.txt" >"$work/alone/plan.txt"
lists_alike "fewer than no series" standard
status 2 "$tool" list --store "$work/plan.txt" --filter x
ok "no part is stored" grep -q -e '--store: expected no option that selects' "$work/err"
status 3 "$tool" list --store "$work/none/none.txt"
ok "no place for a plan" grep -q 'none.txt: No such file' "$work/err"
status 3 "$tool" list --store /dev/full
ok "no room for a plan" grep -q '/dev/full: No space left' "$work/err"
# Another spec has other ones.
cp -r cases "$work/cases"
sed '$s/$/<!-- other -->/' cases/base.xml >"$work/cases/base.xml"
status 0 "$tool" list --cases-dir "$work/cases"
ok "a spec with a comment more" cmp -s "$work/out" "$work/standard.txt"
status 2 "$tool" generate
ok "neither base nor file" grep -q 'generate needs a base call' "$work/err"
status 2 "$tool" generate copy --store "$work/none.txt"
ok "a base and a file" grep -q 'expected no base' "$work/err"
status 3 "$tool" generate --store "$work/none/none.txt"
ok "no place for it" grep -q 'none.txt: No such file' "$work/err"
status 3 "$tool" generate --store /dev/full
ok "no room for it" grep -q '/dev/full: No space left' "$work/err"
summary
