#!/bin/sh
# SPDX-License-Identifier: MIT
# Baselines from outside: what a run with one exits with, says and writes, and --update-baseline.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
export WCTS_TODAY=2026-11-21

# said TEXT: standard error has a line with that text.
said() {
    ok "standard error has $1" grep -qF -e "$1" "$work/err"
}

printed() {
    ok "standard output has $1" grep -qF -e "$1" "$work/out"
}

# baseline FILE WAIVER...: writes a baseline of these elements.
baseline() {
    file=$1
    shift
    { echo '<baseline>'; printf '  %s\n' "$@"; echo '</baseline>'; } >"$file"
}

count() {
    grep -c "^$1	" "$work/$2/verdicts.txt"
}

# A kernel that accepts everything, and some cases that it fails and that it passes.
accept() {
    "$tool" run --impl "$plugins/accept_all.so" --filter '^CAF-0(12|03)/' -j 1 "$@"
}
status 1 accept --out "$work/plain"
failing=$(count fail plain)
ok "cases fail" [ "$failing" -gt 10 ]
first=$(sed -n 's/^fail	\([^	]*\)	.*/\1/p' "$work/plain/verdicts.txt" | head -n 1)
pass=$(sed -n 's/^pass	\([^	]*\)	.*/\1/p' "$work/plain/verdicts.txt" | head -n 1)
signature=$(grep -F "\"id\":\"$first\"" "$work/plain/journal.jsonl" |
    sed 's/.*"signature":"\([0-9a-f]*\)".*/\1/')
ok "a signature" [ ${#signature} -eq 12 ]
ok "no baseline, no word of it" sh -c "! grep -q baseline '$work/plain/run.json' '$work/out'"

# ---- the signature is where a user looks for it, and the same again ----
status 1 accept --out "$work/again" -v
said "; signature $signature"
ok "the same in every run" grep -qF "\"id\":\"$first\",\"verdict\":\"fail\"" "$work/again/journal.jsonl"
sed 's/,"seconds":[0-9.e-]*//' "$work/plain/journal.jsonl" >"$work/one"
sed 's/,"seconds":[0-9.e-]*//' "$work/again/journal.jsonl" >"$work/two"
ok "journals are alike" cmp "$work/one" "$work/two"
status 0 "$tool" explain "$first" --run "$work/plain"
printed "signature $signature"

# ---- a new baseline ----
status 1 accept --out "$work/new" --update-baseline "$work/b.xml"
groups=$(sed -n 's/.*"verdict":"fail".*"signature":"\([0-9a-f]*\)".*/\1/p' "$work/new/journal.jsonl" |
    sort -u | grep -c .)
said "$work/b.xml: $groups waivers, $groups new, 0 left out"
ok "one for each signature, not for each case" [ "$groups" -lt "$failing" ]
ok "valid" xmllint --noout --relaxng spec/baseline.rng "$work/b.xml"
ok "expires in 90 days" [ "$(grep -c 'expires="2027-02-19"' "$work/b.xml")" -eq "$groups" ]
sed -n 's/^fail	\([^	]*\)	.*/\1/p' "$work/new/verdicts.txt" >"$work/wanted"
ok "of all cases of the rule" grep -q 'match="CAF-012/\.\*" signature="'"$signature\|match=\"CAF-003/" "$work/b.xml"
status 0 accept --out "$work/waived" --baseline "$work/b.xml" --junit-detail case --junit "$work/waived.xml"
ok "all are waived" [ "$(count waived waived)" -eq "$failing" ]
printed "no failure in the selection but for "
said 'reason is "new: to be explained"'
ok "skipped in JUnit" [ "$(grep -c '<skipped message="waived until 2027-02-19: new' \
    "$work/waived.xml")" -eq "$failing" ]
ok "no failure in JUnit" sh -c "! grep -q '<failure' '$work/waived.xml'"
ok "the waiver is in the journal" grep -q '"verdict":"waived".*"signature":"'"$signature"'".*"was":"fail","waiver":{"file":"[^"]*b.xml","line":3,"reason":"new: to be explained","expires":"2027-02-19"}' \
    "$work/waived/journal.jsonl"
# run.json is one object; what it holds of the baseline, a member a line.
tr -d ' \n' <"$work/waived/run.json" | sed 's/.*"baseline":{\([^}]*\)}.*/\1/' | tr ',' '\n' \
    >"$work/of-baseline"
for member in "waivers:$groups" "used:$groups" "fixed:0" "unexplained:$groups" \
    "digest:\"$(sha256sum "$work/b.xml" | cut -d' ' -f1)\""; do
    ok "and in run.json: $member" grep -qxF "\"${member%%:*}\":${member#*:}" "$work/of-baseline"
done
ok "nothing waived is proven" [ "$(sed -n 's/^  statements *\([0-9]*\) proven.*/\1/p' "$work/out")" \
    -eq "$(accept --out "$work/proven" | sed -n 's/^  statements *\([0-9]*\) proven.*/\1/p')" ]
status 0 "$tool" explain "$first" --run "$work/waived"
printed "/b.xml:3, until 2027-02-19: new: to be explained"

# No report takes what is waived for a pass.
status 0 "$tool" coverage "$work/waived"
printed "verdict waived"
status 0 accept --out "$work/tap" --baseline "$work/b.xml" --tap
ok "to do, in TAP" [ "$(grep -c '^not ok .* # TODO waived: ' "$work/out")" -eq "$failing" ]
status 0 "$tool" report "$work/waived" --junit-detail case --junit "$work/again.xml"
ok "skipped in a JUnit report that is made again" [ "$(grep -c \
    '<skipped message="waived until 2027-02-19: new' "$work/again.xml")" -eq "$failing" ]

# ---- fixed ----
emulator() {
    "$tool" run --filter '^CAF-0(12|03)/' -j 1 "$@"
}
{
    printf '<?xml version="1.0"?>\n<baseline>\n'
    sed -n 's/^{"id":"\([^"]*\)","verdict":"fail".*"signature":"\([0-9a-f]*\)".*/<waiver case="\1" signature="\2" reason="known" expires="2027-01-31"\/>/p' \
        "$work/plain/journal.jsonl"
    echo '</baseline>'
} >"$work/any.xml"
status 0 emulator --out "$work/other" --baseline "$work/b.xml"
ok "a waiver for another implementation is idle" [ "$(count fixed other)" -eq 0 ]
printed "$groups idle"
status 0 emulator --out "$work/fixed" --baseline "$work/any.xml" --junit-detail case --junit "$work/fixed.xml"
ok "fixed" [ "$(count fixed fixed)" -eq "$failing" ]
said "/any.xml:3: fixed: $first passes, expected it to fail"
ok "text in JUnit" grep -q "fixed: passes, although .*any.xml:3 says that it fails" "$work/fixed.xml"
ok "no failure in JUnit" sh -c "! grep -q '<failure' '$work/fixed.xml'"
status 1 emulator --out "$work/fixed" --baseline "$work/any.xml" --strict-baseline \
    --junit-detail case --junit "$work/fixed.xml"
printed "waivers are fixed, the baseline is out of date"
ok "failures in TAP" [ "$(emulator --out "$work/tap" --baseline "$work/any.xml" \
    --strict-baseline --tap 2>"$work/err" | grep -c '^not ok ')" -eq "$failing" ]
ok "failures in JUnit" [ "$(grep -c '<failure type="fixed"' "$work/fixed.xml")" -eq "$failing" ]
status 0 emulator --out "$work/fixed" --strict-baseline
baseline "$work/pattern.xml" \
    '<waiver match="CAF-012/refuse/.*" reason="known" expires="2027-01-31"/>'
status 0 emulator --out "$work/p" --baseline "$work/pattern.xml" --junit-detail case --junit "$work/p.xml"
ok "a pattern is no verdict" [ "$(count fixed p)" -eq 0 ]
said ":2: fixed: none of the"
status 1 emulator --out "$work/p" --baseline "$work/pattern.xml" --junit-detail case --junit "$work/p.xml" \
    --strict-baseline
ok "a failure of the baseline" [ "$(grep -c '<failure type="fixed"' "$work/p.xml")" -eq 1 ]
ok "at its file" grep -q 'classname="wddm-cts.baseline".*file="[^"]*pattern.xml"' "$work/p.xml"
status 0 emulator --out "$work/p" --baseline "$work/pattern.xml" --strict-baseline --shard 1/2

# ---- another failure, expired, orphaned, over-broad ----
baseline "$work/odd.xml" \
    "<waiver case=\"$first\" signature=\"000000000000\" reason=\"known\" expires=\"2027-01-31\"/>" \
    "<waiver case=\"${first}x\" reason=\"known\" expires=\"2027-01-31\"/>" \
    '<waiver match=".*" reason="all" link="https://example.org/1" expires="2027-01-31"/>'
status 0 accept --out "$work/odd" --baseline "$work/odd.xml" --junit-detail case --junit "$work/odd.xml.junit"
said "odd.xml:2: differs: $first fails with signature $signature, expected 000000000000"
said "odd.xml:3: orphaned: there is no case ${first}x; did you mean $first"
said "odd.xml:4: over-broad: of the "
printed "until 2027-01-31: all (https://example.org/1)"
ok "named in JUnit" grep -q "over-broad: of the" "$work/odd.xml.junit"
ok "the link in JUnit" grep -q 'waived until 2027-01-31: all (https://example.org/1); fail: ' \
    "$work/odd.xml.junit"
WCTS_TODAY=2027-01-31 status 0 accept --out "$work/odd" --baseline "$work/odd.xml"
WCTS_TODAY=2027-02-01 status 1 accept --out "$work/odd" --baseline "$work/odd.xml"
said "odd.xml:4: expired 2027-01-31, $failing cases fail again"
baseline "$work/small.xml" \
    "<waiver case=\"$first\" signature=\"$signature\" reason=\"known\" expires=\"2027-01-31\"/>"
status 1 accept --out "$work/small" --baseline "$work/small.xml"
ok "one is waived" [ "$(count waived small)" -eq 1 ]
ok "the others fail" [ "$(count fail small)" -eq $((failing - 1)) ]

# A case of another suite, or one that is not selected, is no orphan.
status 0 "$tool" run --suite smoke --out "$work/smoke" --baseline "$work/b.xml"
ok "no orphans" sh -c "! grep -q orphaned '$work/err'"

# ---- wrong ones ----
for wrong in tests/baseline/negative/*.xml; do
    status 2 accept --out "$work/wrong" --baseline "$wrong"
    said "in the baseline"
    sed '$d' "$work/err" >"$work/got"
    ok "$wrong" cmp "${wrong%.xml}.expected" "$work/got"
done
status 2 accept --out "$work/wrong" --baseline "$work/missing.xml"
said "$work/missing.xml: cannot be read: No such file or directory"
WCTS_TODAY=2027-02-30 status 2 accept --out "$work/wrong" --baseline "$work/b.xml"
said 'WCTS_TODAY: is "2027-02-30", expected a date such as 2027-01-31'
ok "nothing ran" [ ! -e "$work/wrong" ]

# ---- updating ----
second=$(sed -n 2p "$work/wanted")
third=$(sed -n 3p "$work/wanted")
baseline "$work/u.xml" \
    "<waiver case=\"$pass\" reason=\"fixed by now\" expires=\"2027-01-31\"/>" \
    "<waiver case=\"$third\" reason=\"a &lt; b &amp; &quot;c&quot; &#x27;d&#x27; &#xe9;\" link=\"https://example.org/2\" expires=\"2028-01-31\"/>" \
    "<waiver case=\"$first\" signature=\"000000000000\" reason=\"another failure\" expires=\"2028-01-31\"/>" \
    "<waiver case=\"$second\" signature=\"$signature\" reason=\"over\" expires=\"2026-01-31\"/>" \
    '<waiver case="SEG-025/refuse/none" reason="orphaned" expires="2027-01-31"/>' \
    '<waiver match="UVA-.*" reason="not run" expires="2027-01-31"/>'
status 1 accept --out "$work/u" --update-baseline "$work/u.xml"
said "$work/u.xml: $((groups + 4)) waivers, $groups new, 2 left out"
ok "valid" xmllint --noout --relaxng spec/baseline.rng "$work/u.xml"
ok "what passes is gone" sh -c "! grep -qF '\"$pass\"' '$work/u.xml'"
ok "another failure is new" grep -qF "signature=\"$signature\" implementation=\"accept-all\" reason=\"new: to be explained\"" "$work/u.xml"
ok "a reason stays, whatever it is" [ "$(xmllint --xpath "string(//waiver[@case='$third']/@reason)" \
    "$work/u.xml")" = "a < b & \"c\" 'd' é" ]
ok "so does its day" grep -qF 'link="https://example.org/2" expires="2028-01-31"' "$work/u.xml"
ok "what has expired stays so" [ "$(grep -F "\"$second\"" "$work/u.xml" |
    grep -c 'reason="over" expires="2026-01-31"')" -eq 1 ]
ok "what did not run stays" grep -q 'match="UVA-.*"' "$work/u.xml"
ok "orphans stay, at the end" [ "$(tail -n 2 "$work/u.xml" | head -n 1 | grep -c SEG-025)" -eq 1 ]
cp "$work/u.xml" "$work/before"
status 1 accept --out "$work/u" --update-baseline "$work/u.xml"
ok "a second time changes nothing" cmp "$work/before" "$work/u.xml"
ok "no file is left over" [ "$(ls "$work" | grep -c 'u.xml')" -eq 1 ]

# A signature of version 1, which did not name the operation of a crash: the waiver has no effect, and
# is renewed.
dies() {
    "$tool" run -q --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-003/refuse/wddm3_2/' \
        --no-records --out "$work/dies" "$@"
}
status 1 dies
signed=$(sed -n 's/.*"verdict":"crash".*"signature":"2-\([0-9a-f]\{12\}\)".*/2-\1/p;T;q' "$work/dies/journal.jsonl")
dying=$(sed -n 's/^{"id":"\([^"]*\)","verdict":"crash".*/\1/p;T;q' "$work/dies/journal.jsonl")
first_version=$(printf 'crash\0%s\0killed by SIGSEGV\0' "${dying%%/*}" | sha256sum | cut -c1-12)
baseline "$work/v1.xml" \
    "<waiver match=\"CAF-003/.*\" signature=\"$first_version\" reason=\"known for long\" expires=\"2027-01-31\"/>"
status 1 dies --baseline "$work/v1.xml"
said "v1.xml:2: differs: signature $first_version is of version 1, which did not name the operation of a crash or timeout: $dying has $signed now, expected that"
status 1 dies --update-baseline "$work/v1.xml"
said "$work/v1.xml: 1 waiver, 0 new, 0 left out"
ok "renewed, with its reason" grep -qF "signature=\"$signed\" reason=\"known for long\" expires=\"2027-01-31\"" "$work/v1.xml"
status 0 dies --baseline "$work/v1.xml"

# A run without a verdict writes none.
cp "$work/u.xml" "$work/kept.xml"
status 3 "$tool" run --impl "$plugins/refuse_all.so" --filter '^CAF-003/' --out "$work/none" \
    --update-baseline "$work/kept.xml"
said "$work/kept.xml is left as it is: the run reached no verdict"
ok "it is as it was" cmp "$work/u.xml" "$work/kept.xml"
status 2 "$tool" run --impl "$plugins/exit_in_constructor.so" --out "$work/none" \
    --update-baseline "$work/kept.xml"
ok "it is as it was" cmp "$work/u.xml" "$work/kept.xml"
status 3 "$tool" run --impl "$plugins/refuse_all.so" --filter '^CAF-003/' --out "$work/none" \
    --update-baseline "$work/never.xml"
ok "nor a new one" [ ! -e "$work/never.xml" ]
"$tool" run --impl "$plugins/accept_all.so" --json --out "$work/stopped" \
    --update-baseline "$work/kept.xml" 2>"$work/err" | head -n 1 >"$work/out"
said "$work/kept.xml is left as it is"
ok "nor one that was stopped" cmp "$work/u.xml" "$work/kept.xml"
status 2 accept --out "$work/u" --update-baseline "$work/nowhere/b.xml"
ok "one message, in our own words" [ "$(cat "$work/err")" = "wddm-cts: $work/nowhere/b.xml: No such file or directory" ]

# ---- retries ----
unsteady() {
    rm -f "$work/once"
    "$tool" run --filter '^SEG-001/.*accept' --no-sweep -j 1 --out "$work/flaky" --timeout 2 "$@" \
        --impl "$plugins/misbehave.so,do=crash,at=KERNEL_ADAPTER_START,nth=4,once=$work/once"
}
status 1 unsteady
ok "a crash" [ "$(count crash flaky)" -eq 1 ]
status 0 unsteady --retries 1 --junit-detail case --junit "$work/flaky.xml"
ok "is flaky" [ "$(count flaky flaky)" -eq 1 ]
ok "costs no other" [ "$(count pass flaky)" -gt 1 ]
printed "pass at attempt 2, but first crash: killed by SIGSEGV"
ok "flakyFailure" grep -q '<flakyFailure message="killed by SIGSEGV in KERNEL_ADAPTER_START" type="crash">' "$work/flaky.xml"
ok "no failure" sh -c "! grep -qE '<(failure|error)' '$work/flaky.xml'"
ok "attempts in the journal" grep -q '"attempts":\[{"verdict":"crash","reason":"killed by SIGSEGV in KERNEL_ADAPTER_START",' \
    "$work/flaky/journal.jsonl"
status 0 "$tool" explain "$(sed -n 's/^flaky	\([^	]*\)	.*/\1/p' \
    "$work/flaky/verdicts.txt")" --run "$work/flaky"
printed "  attempt 1 crash: killed by SIGSEGV"
status 1 unsteady --retries 1 --fail-on-flaky
printed "1 case is flaky: "
# Each attempt has a worker of its own: one version has enough of them.
status 1 accept --wddm 3.2 --retries 2 --out "$work/firm" --junit-detail case --junit "$work/firm.xml"
failing=$(grep -c '^fail	[^	]*/wddm3_2' "$work/plain/verdicts.txt")
ok "what fails still fails" [ "$(count fail firm)" -eq "$failing" ]
# What a case shows of another rule is no reason to run it again.
ok "twice more" [ "$(grep -c '<rerunFailure ' "$work/firm.xml")" -eq \
    $((2 * (failing - $(grep -c '^made for: ' "$work/firm.xml")))) ]
status 0 accept --wddm 3.2 --retries 1 --out "$work/firm" --baseline "$work/b.xml" -q

# ---- every report counts what it has ----
for report in waived.xml fixed.xml p.xml odd.xml.junit flaky.xml firm.xml; do
    for what in tests=testcase failures=failure skipped=skipped errors=error; do
        ok "$report: $what" [ "$(xmllint --xpath \
            "sum(//testsuite/@${what%=*}) - count(//${what#*=})" "$work/$report")" = 0 ]
    done
    ok "$report: no testcase twice" [ -z "$(xmllint --xpath '//testcase/@name' "$work/$report" |
        sort | uniq -d)" ]
done

summary
