#!/bin/sh
# SPDX-License-Identifier: MIT
# The JUnit report keeps the ten rules of the dialect that every consumer reads: the grammar
# (tests/data/junit.rng) what a grammar can say, and for each rule a check that can fail.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh
grammar=tests/data/junit.rng

good=$work/good.xml broken=$work/broken.xml
filter='^(CAF-0|UVA-05|SEG-0[34]|UVA/sequence/wddm2_0/1-)'
# Four versions have all that reports tell of versions.
versions="--wddm 2.0..2.3"
# Most of it is about single cases; a testcase for each rule and side comes at the end.
cases="--junit-detail case"
"$tool" run -q --role kernel $versions --filter "$filter" --out "$work/good" $cases --junit "$good" >"$work/log"
"$tool" run -q --impl "$plugins/accept_all.so" $versions --filter "$filter" --out "$work/broken" \
    $cases --junit "$broken" >"$work/log"
rm -f "$work/once"
"$tool" run -q --impl "$plugins/misbehave.so,do=crash,nth=3,once=$work/once" --filter '^CAF-00' \
    --out "$work/crash" $cases --junit "$work/crash.xml" >"$work/log"
for name in good broken crash; do
    valid "$grammar" "$work/$name.xml"
done

# changed NAME COMMAND: the broken report, edited so that it breaks a rule, is refused.
changed() {
    sed "$2" "$broken" >"$work/changed.xml"
    ok "$1 is a change" sh -c "! cmp -s '$broken' '$work/changed.xml'"
    wrong "$1 is refused" xmllint --noout --relaxng "$grammar" "$work/changed.xml"
}

# ---- 1: testsuites > testsuite, with totals on both ----
for name in tests failures errors skipped time timestamp; do
    changed "a suite without $name" "0,/<testsuite /s/\\(<testsuite .*\\) $name=\"[^\"]*\"/\\1/"
    changed "suites without $name" "s/\\(<testsuites .*\\) $name=\"[^\"]*\"/\\1/"
done
changed "suites in suites" 's/<testsuites /<testsuites_/; s/<testsuite /<testsuite name="x"><testsuite /'
for name in good broken crash; do
    file=$work/$name.xml
    for of in "/testsuites" "/testsuites/testsuite[1]" "/testsuites/testsuite[last()]"; do
        is "$of/@tests = count($of//testcase)" "$file" true
        is "$of/@failures = count($of//testcase/failure)" "$file" true
        is "$of/@errors = count($of//testcase/error)" "$file" true
        is "$of/@skipped = count($of//testcase/skipped)" "$file" true
    done
    # Each is rounded to microseconds.
    is 'sum(//testcase/@time) - /testsuites/@time < 0.001 and /testsuites/@time - sum(//testcase/@time) < 0.001' \
        "$file" true
done

# ---- 2: names are unique, the same in every run, and places are those of the rules ----
names() {
    xmllint --xpath '//testcase' "$1" | grep -o '<testcase name="[^"]*" classname="[^"]*"'
}
# twice FILE: no name occurs a second time.
once() {
    [ -z "$(names "$1" | sort | uniq -d)" ]
}
ok "names are unique" once "$broken"
awk '/<testcase .*\/>$/ && !done {print; done = 1} {print}' "$good" >"$work/changed.xml"
wrong "a name twice is found" once "$work/changed.xml"
names "$good" >"$work/names"
names "$broken" | cmp - "$work/names" >"$work/log"
ok "names are those of another run" [ $? -eq 0 ]
changed "a case without a class" '0,/ classname="[^"]*"/s///'
changed "a time with a comma" '0,/<testcase \(.*\) time="0\./s//<testcase \1 time="0,/'
xmllint --xpath '//testcase' "$broken" | sed -n 's/.*<testcase .* file="\([^"]*\)" line="\([^"]*\)".*/\1 \2/p' |
    sort -u | while read -r file line; do
        sed -n "${line}p" "$file" | grep -Eq '<(rule|effect|row)[ >/]' || echo "$file:$line"
    done >"$work/odd"
ok "places are rules: $(cat "$work/odd")" [ ! -s "$work/odd" ]
is 'count(//testcase[not(@file)])' "$broken" 0

# ---- 3: the child says what happened ----
# children JUNIT VERDICTS: the verdicts of the cases by the children, against verdicts.txt.
children() {
    awk -F'\t' 'BEGIN {split("fail failure crash error timeout error broken error declined error skip skipped waived skipped", pairs, " ")
            for (i = 1; i in pairs; i += 2) child[pairs[i]] = pairs[i + 1]}
        {print $2, ($1 in child) ? child[$1] : "none"}' "$2" | sort >"$work/expected"
    for kind in failure error skipped; do
        xmllint --xpath "//testcase[$kind]/@name" "$1" 2>/dev/null | sed -n "s/.*name=\"\\(.*\\)\".*/\\1 $kind/p"
    done >"$work/came"
    xmllint --xpath '//testcase[not(failure or error or skipped)]/@name' "$1" 2>/dev/null |
        sed -n 's/.*name="\(.*\)".*/\1 none/p' | sort - "$work/came" | diff "$work/expected" -
}
ok "children of good" children "$good" "$work/good/verdicts.txt"
ok "children of broken" children "$broken" "$work/broken/verdicts.txt"
ok "children of crash" children "$work/crash.xml" "$work/crash/verdicts.txt"
is 'count(//error[@type="crash"])' "$work/crash.xml" 1
sed '0,/^fail/s//pass/' "$work/broken/verdicts.txt" >"$work/other"
wrong "another verdict is found" children "$broken" "$work/other"
changed "two children" '0,/<failure /s//<skipped message="x">x<\/skipped><failure /'
changed "skipped without a reason" 's/<skipped message="[^"]*"/<skipped message=""/'
ok "it has such" grep -q '<skipped ' "$broken"

# ---- 4: the body begins with the message, which is short ----
same() {
    [ "$(xpath 'count(//testcase/*[(self::failure or self::error or self::skipped) and not(starts-with(., @message))])' "$1")" = 0 ]
}
short() {
    [ "$(xpath 'count(//*[(self::failure or self::error) and string-length(@message) > 199])' "$1")" = 0 ]
}
# What a failure is told by, one line each.
told() {
    for line in 'source:    ' 'case:      ' 'got:       ' 'reproduce: wddm-cts replay '; do
        [ "$(xpath "count(//*[(self::failure or self::error) and not(contains(., '
$line'))])" "$1")" = 0 ] || return 1
    done
}
for name in good broken crash; do
    ok "message and body of $name" same "$work/$name.xml"
    ok "messages of $name are short" short "$work/$name.xml"
    ok "failures of $name are told" told "$work/$name.xml"
done
is 'count(//failure[not(starts-with(@message, concat(substring-after(../@classname, "."), ": ")))][not(contains(., "made for: "))])' "$broken" 0
sed '0,/<failure type="fail" message="/s//&x/' "$broken" >"$work/changed.xml"
wrong "a difference is found" same "$work/changed.xml"

# ---- 5: retries ----
attempt() { # the case and its children: a report
    cat <<XML
<testsuites name="a" tests="1" failures="1" errors="0" skipped="0" time="0" timestamp="2026-01-01T00:00:00">
<testsuite name="a" tests="1" failures="1" errors="0" skipped="0" time="0" timestamp="2026-01-01T00:00:00">
<properties><property name="a" value="b"/></properties>
<testcase name="a" classname="a" time="0">$1</testcase></testsuite></testsuites>
XML
}
told='type="fail" message="m"'
attempt "<flakyFailure $told><stackTrace>s</stackTrace></flakyFailure>" >"$work/r.xml"
valid "$grammar" "$work/r.xml"
attempt "<failure $told>m</failure><rerunFailure $told><stackTrace>s</stackTrace></rerunFailure>" \
    >"$work/r.xml"
valid "$grammar" "$work/r.xml"
for children in "<flakyFailure $told/>" "<flakyFailure type=\"fail\"><stackTrace>s</stackTrace></flakyFailure>" \
    "<rerunFailure $told><stackTrace>s</stackTrace></rerunFailure>" \
    "<flakyError $told><stackTrace>s</stackTrace></flakyError>" \
    "<failure $told>m</failure><flakyFailure $told><stackTrace>s</stackTrace></flakyFailure>"; do
    attempt "$children" >"$work/r.xml"
    wrong "$children is refused" xmllint --noout --relaxng "$grammar" "$work/r.xml"
done

# ---- 6: what was run ----
described() {
    for name in tool.version spec.digest seed wddm.first wddm.last implementation.name \
        implementation.version level; do
        [ "$(xpath "count(//testsuite[not(properties/property[@name='$name' and @value != ''])])" "$1")" = 0 ] ||
            return 1
    done
}
ok "properties" described "$broken"
sed 's/<property name="seed".*//' "$broken" >"$work/changed.xml"
wrong "a missing property is found" described "$work/changed.xml"
is 'string(//testsuite[1]/properties/property[@name="implementation.name"]/@value)' "$broken" accept-all

# ---- 7: characters that XML forbids ----
rm -f "$work/once"
"$tool" run -q --impl "$plugins/misbehave.so,do=noise,nth=1" --filter '^CAF-003/' \
    --out "$work/noise" $cases --junit "$work/noise.xml" >"$work/log"
valid "$grammar" "$work/noise.xml"
ok "the plug-in wrote such" grep -q "$(printf '\001')" "$work"/noise/output/worker-*.txt
ok "the report has none" sh -c "! grep -q '$(printf '\001')' '$work/noise.xml'"
ok "they are replaced" grep -q 'too much, line [0-9]* ??' "$work/noise.xml"
ok "it is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$work/noise.xml"

# ---- 8: one entry a case, and shards make up the whole ----
cut -f1 "$work/broken/plan.tsv" | grep -v '^#' | sort >"$work/planned"
names "$broken" | sed 's/<testcase name="\([^"]*\)".*/\1/' | sort >"$work/reported"
ok "each case of the plan once" cmp "$work/planned" "$work/reported"
for shard in 1 2 3; do
    "$tool" run -q --impl "$plugins/accept_all.so" $versions --filter "$filter" --shard $shard/3 \
        --out "$work/shard$shard" $cases --junit "$work/shard$shard.xml" >"$work/log"
    names "$work/shard$shard.xml"
done | sed 's/<testcase name="\([^"]*\)".*/\1/' | sort >"$work/reported"
ok "and once in all shards together" cmp "$work/planned" "$work/reported"
status 0 "$tool" report "$work/broken" $cases --junit "$work/again.xml"
sed 's/ time="[^"]*"//g' "$broken" >"$work/a"
sed 's/ time="[^"]*"//g' "$work/again.xml" >"$work/b"
ok "a report made again is the same" cmp "$work/a" "$work/b"

# ---- 9: it is written whatever happens ----
"$tool" run -q --impl "$plugins/misbehave.so,do=hang" --timeout 60 --filter '^CAF-00' \
    --out "$work/stopped" $cases --junit "$work/stopped.xml" >"$work/log" 2>&1 &
runner=$!
while ! ls "$work"/stopped/output/worker-* >/dev/null 2>&1; do sleep 0.1; done
sleep 0.5
kill -TERM $runner
wait $runner
valid "$grammar" "$work/stopped.xml"
is 'count(//testcase[@classname="wddm-cts.run"]/error[@type="aborted"])' "$work/stopped.xml" 1
planned=$(grep -vc '^#' "$work/stopped/plan.tsv")
reached=$(grep -c . "$work/stopped/verdicts.txt")
is 'count(//testcase)' "$work/stopped.xml" $((planned + 1))
is 'count(//testcase/skipped[@message="not reached: the run was aborted"])' "$work/stopped.xml" \
    $((planned - reached))
"$tool" run -q --impl "$plugins/wrong_abi.so" --filter '^CAF-00' --out "$work/never" \
    $cases --junit "$work/never.xml" >"$work/log" 2>&1
valid "$grammar" "$work/never.xml"
is 'count(//testcase/skipped) + 1 = count(//testcase)' "$work/never.xml" true
"$tool" run -q --filter '^nothing$' --out "$work/none" $cases --junit "$work/none.xml" >"$work/log" 2>&1
valid "$grammar" "$work/none.xml"
is 'string(/testsuites/@errors)' "$work/none.xml" 1

# ---- 10: what the plug-in wrote, and no more than consumers take ----
# Only cases that did not pass carry it; noise is all that this one wrote.
is 'count(//testcase[system-out and not(failure or error or skipped) and
    not(starts-with(system-out, "warn: "))])' "$work/noise.xml" 0
is 'count(//testcase[failure and system-out]) > 0' "$work/noise.xml" true
is 'count(//system-out[string-length(.) > 65536 + 16384])' "$work/noise.xml" 0
is 'count(//system-out[string-length(.) > 60000]) > 0' "$work/noise.xml" true
is 'count(//failure[string-length(.) > 16384])' "$broken" 0
ok "the last line is kept" grep -q 'line 99999 ' "$work/noise.xml"
# Above 25 MB it is split: tests/unit/test_junit.c, with a smaller number.

# ---- a testcase for each rule and side ----
rules() { # run, report, options
    status 0 "$tool" report "$work/$1" --junit "$work/$2" "--junit-detail=rule"
    valid "$grammar" "$work/$2"
    ok "names in $2 are unique" once "$work/$2"
    ok "message and body in $2" same "$work/$2"
    ok "messages in $2 are short" short "$work/$2"
    ok "failures in $2 are told" told "$work/$2"
}
"$tool" run -q --impl "$plugins/misbehave.so,do=crash" $versions --filter "$filter" --no-backtrace --out "$work/dies" \
    --junit "$work/dies.xml" >"$work/log"
status 0 "$tool" report "$work/dies" --junit "$work/again.xml"
ok "it is the default, of run as of report" cmp "$work/dies.xml" "$work/again.xml"
status 2 "$tool" report "$work/dies" --junit "$work/again.xml" --junit-detail all
for name in good broken crash dies; do
    rules $name $name.rules.xml
    names "$work/$name.rules.xml" | cmp - "$work/rules" >"$work/log" 2>&1 ||
        [ ! -e "$work/rules" ] || [ $name = crash ]
    ok "names of $name are those of another run" [ $? -eq 0 ]
    [ $name != good ] || names "$work/good.rules.xml" >"$work/rules"
done
# One for each rule that has cases, on each side, and all the time that was spent.
"$tool" list --rules | cut -f1 >"$work/known"
cut -f1 "$work/broken/plan.tsv" | grep -v '^#' | sed 's|/.*||' | sort -u >"$work/heads"
is "count(//testcase) >= $(grep -vc sequence "$work/heads") - 1" "$work/broken.rules.xml" true
is 'count(//testcase[substring-after(@name, " ") != "(kernel)" and substring-after(@name, " ") != "(driver)"])' \
    "$work/broken.rules.xml" 0
is 'sum(//testcase/@time) - /testsuites/@time < 0.001 and /testsuites/@time - sum(//testcase/@time) < 0.001' \
    "$work/broken.rules.xml" true
is "round(/testsuites/@time * 1000) = $(xpath 'round(/testsuites/@time * 1000)' "$broken")" \
    "$work/broken.rules.xml" true
# A rule is red when one of its cases is, and the smallest of them is shown.
blamed() { # JUNIT CASES: the statements with failures in both
    for file in "$1" "$2"; do
        xmllint --xpath '//failure/@message' "$file" | sed 's/.*message="\([^:]*\):.*/\1/' | sort -u >"$file.blamed"
    done
    cmp "$1.blamed" "$2.blamed"
}
ok "the same statements fail" blamed "$work/broken.rules.xml" "$broken"
broke=$(grep -c '^fail	CAF-003/' "$work/broken/verdicts.txt")
# One failure for each reason, each with its cases.
all=$(grep -c '	CAF-003/' "$work/broken/verdicts.txt")
ok "all failing cases are counted" [ "$broke" -eq "$(xmllint --xpath "//testcase[@name='CAF-003 (kernel)']/failure" \
    "$work/broken.rules.xml" | sed -n "s/^\([0-9]*\) of $all cases\(; in all .*\)*\$/\1/p" | awk '{sum += $1} END {print sum}')" ]
is 'count(//failure[starts-with(substring-after(., "messages:"), "
    KERNEL_")]) > 0' "$work/broken.rules.xml" true
# What was expected is behind what was got, also where it is said again (docs/ci.md).
is 'count(//failure[not(contains(@message, ", expected "))])' "$work/broken.rules.xml" 0
is 'count(//failure[not(contains(substring-after(., "got:  "), substring-after(@message, ": ")))])' \
    "$work/broken.rules.xml" 0
is 'count(//error[contains(@message, "expected")])' "$work/dies.rules.xml" 0
is 'count(//error[contains(@message, ": crash: killed by SIGSEGV in KERNEL_")])' "$work/dies.rules.xml" 1
# What dies everywhere is one error; what could not be seen for it is skipped, and says where to look.
is 'count(//error)' "$work/dies.rules.xml" 1
is 'count(//failure)' "$work/dies.rules.xml" 0
is 'count(//skipped[contains(., "killed by SIGSEGV") and contains(., "; reported at CAF-001 (kernel)")]) > 20' \
    "$work/dies.rules.xml" true
is 'count(//testcase[not(error or skipped) and @classname = "D3DKMT_CREATEALLOCATIONFLAGS.CAF-003"])' \
    "$work/dies.rules.xml" 0
# Shards have cases of the same rules: their names stay apart.
for shard in 1 2; do
    "$tool" run -q $versions --filter "$filter" --shard $shard/2 --out "$work/half$shard" \
        --junit "$work/half$shard.xml" >"$work/log"
    names "$work/half$shard.xml"
done | sort | uniq -d >"$work/twice"
ok "names of shards are unique" [ ! -s "$work/twice" ]
is 'count(//testcase[contains(@name, ", shard 2 of 2)")]) = count(//testcase)' "$work/half2.xml" true
# Stopped: nothing that was not reached passes.
status 0 "$tool" report "$work/stopped" --junit "$work/stopped.rules.xml"
valid "$grammar" "$work/stopped.rules.xml"
is 'count(//testcase[not(skipped or error)])' "$work/stopped.rules.xml" 0
summary
