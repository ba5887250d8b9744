#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports of run directories: what they say (golden/; WCTS_UPDATE=1 writes it anew), that it adds
# up, and what is said of directories that are no runs. Run from the source directory; WCTS_BUILD is
# the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh
here=tests/reports

# ---- fixed small runs ----
filter='^(CAF-003/(accept|refuse|effect|scenario)/(wddm(1_0|3_2)/|wddm2_0/large)|CAF-004.*/wddm(1_0|3_2)/resource-goes$|CAF-012/(accept|refuse)/wddm2_3/existing,|CAF-048/answer/wddm2_3|CAF-015.behind/.*/wddm(2_3|3_2)/.*rotated-tail$)'
"$tool" run -q -j 1 --impl "$plugins/accept_all.so" --filter "$filter" --out "$work/broken" >"$work/log"
ok "a run that breaks something" [ $? -eq 1 ]
"$tool" run -q -j 1 --filter "$filter" --out "$work/good" >"$work/log"
ok "a run that does not" [ $? -eq 0 ]
status 0 "$tool" report "$work/broken" --html "$work/broken.html" --xml "$work/broken.xml" \
    --cobertura "$work/broken.cobertura.xml" --markdown "$work/broken.md" \
    --junit "$work/broken.junit.xml"
ok "nothing beside the files" [ ! -s "$work/out" ]
ok "nor a complaint" [ ! -s "$work/err" ]
status 0 "$tool" report "$work/good"
ok "which sides were run" grep -q '^emulator 1.0 (emulator,strict), kernel and driver, level' "$work/out"
status 0 "$tool" report "$work/broken" --tap
mv "$work/out" "$work/broken.tap"
status 0 "$tool" report "$work/good" "$work/broken" --html "$work/both.html" --xml "$work/both.xml" \
    --cobertura "$work/both.cobertura.xml" --markdown "$work/both.md"
status 0 "$tool" report "$work/broken"
ok "the summary again" grep -q '^fail CAF-012' "$work/out"
ok "what a warning weighs" grep -qE '^ +[0-9]+  CAF-[0-9]+ \((must|should|meaning), .*; fails at --level strict\): ' "$work/out"
# The list at the top links what is broken by its statement's id, once for each way in which it is.
xmllint --html --xpath '//ul[@class="brief"]/li/a/text()' "$work/broken.html" 2>/dev/null | tr -d '[:blank:]' | grep . >"$work/linked"
ok "the list at the top has statements alone" [ -z "$(grep -Ev '^([A-Z]{3}-[0-9]{3}|and[0-9]+more|crash.*)$' "$work/linked")" ]
ok "there are such" [ -s "$work/linked" ]
ok "warnings in HTML are headed" grep -q '<h3 class="sub">Broken, but not binding at level documented' "$work/broken.html"
ok "no other list of theirs" sh -c "! grep -qE 'class=\"sub\">(Flaky|Could not be tested|Waived)' '$work/broken.html'"
# Below there is more to be said of this run, of as many versions as a thousand failures need.
"$tool" run -j 1 --wddm 2.4..2.7 --level strict --impl "$plugins/accept_all.so" --out "$work/many" >"$work/left.txt"
ok "the failures that are left out are named" \
    grep -qE '^\.\.\. and [1-9][0-9]* more: [A-Z]{3}-[0-9]+.*\(see --html\)$' "$work/left.txt"

# ---- grammars ----
for name in broken both; do
    valid reports/results.rng "$work/$name.xml"
    valid tests/data/cobertura.rng "$work/$name.cobertura.xml"
done

# ---- what they say ----
# Times, dates, digests, and lines of the spec differ from day to day; so do counts of all it says.
plain() {
    sed -e "s|${plugins#"$PWD/"}|@P|g; s|\(\.\./\)*${work#/}|@W|g" \
        -e 's/ seconds="[^"]*"/ seconds="S"/g; s/ time="[^"]*"/ time="S"/g' \
        -e 's/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:]*Z\{0,1\}/DATE/g' \
        -e 's/[0-9a-f]\{64\}/DIGEST/g; s/\(\.xml:\)[0-9][0-9]*/\1N/g' \
        -e 's/ line="[0-9]*"/ line="N"/g; s/^  line: [0-9]*/  line: N/' \
        -e 's/ of [0-9][0-9]* testable/ of N testable/; s/cases in [0-9.]* s/cases in S s/' \
        -e 's/\([;:] [0-9][0-9]* of \)[0-9][0-9]* cases/\1N cases/g' \
        -e 's/^\(| .* | [0-9]* of \)[0-9]* |/\1N |/'
}

golden() { # name, file with what came
    plain <"$2" >"$work/came"
    [ -z "${WCTS_UPDATE:-}" ] || cp "$work/came" "$here/golden/$1"
    ok "$1" diff "$here/golden/$1" "$work/came"
}

# first_of MARK [END]: standard input; of the cases whose first line has MARK, which ends with the
# statement, only the first of each statement is whole, of the others there is that line. A line that
# has END belongs to no case.
first_of() {
    awk -v mark="$1" -v end="${2:-^$}" '
        $0 ~ end {again = 0}
        match($0, mark) {
            statement = substr($0, RSTART, RLENGTH)
            sub(/.*[ "]/, "", statement)
            again = seen[statement]++
            print
            next
        }
        !again'
}

golden broken.md "$work/broken.md"
golden both.md "$work/both.md"
first_of '^(not )?ok [0-9]+ - [A-Z]+-[0-9]+' <"$work/broken.tap" >"$work/part"
golden broken.tap "$work/part"
xmllint --xpath '/results/verdicts | /results/run/total | /results/run/skipped | /results/run/statement[@count > 0]' \
    "$work/broken.xml" | first_of '<case id="[A-Z]+-[0-9]+' '</(rule|statement)>' >"$work/part"
golden results.xml "$work/part"
xmllint --xpath '//method[line-rate > 0 or @name = "CAF-003" or @name = "CAF-004" or @name = "CAF-012"]' \
    "$work/both.cobertura.xml" | sed 's/ number="[0-9]\{2,\}"/ number="N"/' >"$work/part"
golden cobertura.xml "$work/part"
xmllint --html --noent --xpath '//header | //section[@id="broken-1"]' "$work/broken.html" 2>/dev/null |
    sed 's/<dt>/\n&/g; s/<\/summary>/&\n/g; s/<small>[^<]* s<\/small>//g; s/[0-9.]* s<\/span>/S s<\/span>/g' |
    awk '/<ul class="cases">/ {print; inside = 1; next} /<\/ul>/ {inside = 0} !inside' >"$work/part"
golden broken.html.txt "$work/part"

# ---- the numbers add up ----
is 'count(/results/run)' "$work/both.xml" 2
is 'sum(/results/run[2]/statement/@count) = /results/run[2]/@reached' "$work/both.xml" true
is 'sum(/results/run[2]/statement/rule/tally/@count) = /results/run[2]/@reached' "$work/both.xml" true
for verdict in pass fail warn skip; do
    is "sum(/results/run[2]/statement/tally/@$verdict)" "$work/both.xml" \
        "$(grep -c "^$verdict	" "$work/broken/verdicts.txt")"
done
is 'count(/results/run[2]//case) = /results/run[2]/@reached - /results/run[2]/total/@pass' \
    "$work/both.xml" true
is 'count(/results/run[1]/statement[@proven])' "$work/both.xml" \
    "$(xpath 'count(/results/run[1]/statement[@pass and not(hidden) and not(@fail or @warn or @broken or @crash or @timeout)])' "$work/both.xml")"
is 'string(/results/run[2]/statement[@ref="CAF-003"]/tally[@asks="refuse"]/@fail)' "$work/both.xml" 5
is 'string(/results/run[2]/statement[@ref="CAF-003"]/tally[@asks="accept"]/@pass)' "$work/both.xml" \
    "$(grep -c "^pass	CAF-003/accept/" "$work/broken/verdicts.txt")"
# The one pair that is wrong: a flag that must not stand alone.
is 'count(/results/run/pairs/pair[@wrong > 0])' "$work/broken.xml" 1
is 'string(/results/run/pairs/pair[@wrong > 0]/@spec)' "$work/broken.xml" refused
is 'count(//pair[@a > @b])' "$work/broken.xml" 0

# How far a statement got: to the end, and not even selected.
is 'count(/results/run[1]/statement[@ref="CAF-012"]/ladder[@reached])' "$work/both.xml" 5
is 'count(/results/run[1]/statement[@ref="CAF-010"]/ladder[@reached])' "$work/both.xml" 0

cobertura=$work/both.cobertura.xml
is 'count(//class/lines/line) = /coverage/@lines-valid' "$cobertura" true
is 'count(//class/lines/line[@hits > 0]) = /coverage/@lines-covered' "$cobertura" true
is 'count(//class/lines/line) = count(//method/lines/line)' "$cobertura" true
is 'count(//class/lines/line)' "$cobertura" "$("$tool" list --rules | grep -c .)"
is 'count(//class/lines/line[@branch="true"]/conditions/condition) * 2 = /coverage/@branches-valid' \
    "$cobertura" true
is '(count(//class/lines//condition[@coverage="100%"]) * 2 + count(//class/lines//condition[@coverage="50%"])) = /coverage/@branches-covered' \
    "$cobertura" true
is '(/coverage/@lines-covered div /coverage/@lines-valid - /coverage/@line-rate) * (/coverage/@lines-covered div /coverage/@lines-valid - /coverage/@line-rate) < 0.00006 * 0.00006' \
    "$cobertura" true
is '(/coverage/@branches-covered div /coverage/@branches-valid - /coverage/@branch-rate) * (/coverage/@branches-covered div /coverage/@branches-valid - /coverage/@branch-rate) < 0.00006 * 0.00006' \
    "$cobertura" true
# Two rules of a class never share a line, and each line is that of a rule.
xmllint --xpath '//class/@filename' "$cobertura" | tr -d ' ' | sed 's/filename="\(.*\)"/\1/' |
    while read -r file; do
        xmllint --xpath "//class[@filename='$file']/lines/line/@number" "$cobertura" |
            tr -dc '0-9\n' | grep . | sort >"$work/numbers"
        uniq -d "$work/numbers" | sed "s|^|twice: $file:|"
        awk 'NR == FNR {numbers[$1]; next}
            FNR in numbers {delete numbers[FNR]; if (!/<(rule|effect|row)[ >\/]/) print "no rule: " FILENAME ":" FNR}
            END {for (number in numbers) print "no line: " FILENAME ":" number}' "$work/numbers" "$file"
    done >"$work/odd"
ok "lines are those of rules: $(cat "$work/odd")" [ ! -s "$work/odd" ]
is 'string(/coverage/sources/source)' "$cobertura" .

# ---- the document's own words, in whatever language ----
"$tool" run --impl emulator,fault=AIN-021 --wddm 2.0 --filter '^AIN-021/' --out "$work/words" \
    --junit "$work/words.junit" >"$work/words.text"
status 0 "$tool" report "$work/words" --html "$work/words.html" --markdown "$work/words.md" \
    --xml "$work/words.xml"
"$tool" report "$work/words" --tap >"$work/words.tap"
"$tool" list --statements --json >"$work/words.json"
valid reports/results.rng "$work/words.xml"
cat >"$work/words.py" <<'END'
import json, sys
directory = sys.argv[1]
one = [s for s in json.load(open(directory + "/words.json", encoding="utf-8")) if s["id"] == "AIN-021"][0]
quote = one["quote"]
assert one["language"] == "ja" and one["title"] == "DXGK_ALLOCATIONINFO" and one["unquoted"] is None, one
assert quote.startswith("WDDM v2 では、") and quote.endswith("のみを使用します。"), quote
bare = lambda text: "".join(text.replace("\\", "").split())
for name, wanted in [("text", "original (ja): «%s»"), ("junit", "original (ja): «%s»"),
                     ("md", "- original (ja): «%s»"), ("html", '<blockquote lang="ja">«%s»</blockquote>'),
                     ("tap", "  original: '%s'\n  language: 'ja'\n")]:
    text = open(directory + "/words." + name, encoding="utf-8").read()
    if bare(wanted % quote) not in bare(text):
        print(name, "lacks the words")
reading = "D-9: each preferred segment is in both sets"
for name, wanted in [("text", "\n    read by " + reading + "\n"), ("junit", "\nread by " + reading + "\n"),
                     ("md", "\n- read by " + reading + "\n"), ("html", ">read by " + reading + "</small>"),
                     ("tap", "  read-by: '" + reading + "'\n"),
                     ("xml", "<read-by>" + reading + "</read-by>")]:
    if wanted not in open(directory + "/words." + name, encoding="utf-8").read():
        print(name, "lacks the erratum")
run = json.load(open(directory + "/words/run.json", encoding="utf-8"))
assert run["causes"][0]["read-by"] == [reading], run["causes"]
END
/usr/bin/python3 -B "$work/words.py" "$work" >"$work/lacking" 2>&1
ok "what a failure quotes is whole everywhere" sh -c "cat '$work/lacking'; [ ! -s '$work/lacking' ]"
is 'string-length(//failure/@message) < 200' "$work/words.junit" true
is 'contains(//failure/@message, "WDDM v2")' "$work/words.junit" false

# ---- sequences: what they break is another rule's, and says so ----
"$tool" run -q --impl emulator,strict,fault=UVA-048 --filter '^UVA/sequence' --out "$work/sequence" \
    >"$work/log"
ok "sequences fail" [ $? -eq 1 ]
status 0 "$tool" report "$work/sequence" --xml "$work/x" --html "$work/sequence.html"
valid reports/results.rng "$work/x"
first=$(grep -m 1 '"verdict":"fail"' "$work/sequence/journal.jsonl" | sed -n 's/.*"rule":"\([^"]*\)".*/\1/p')
ok "the journal names the rule" [ -n "$first" ]
is "count(//case[@kind='sequence' and @rule='$first']) > 0" "$work/x" true
is "count(//case[@kind='sequence'][not(starts-with(@rule, ../@ref))])" "$work/x" 0
is "count(//case[@kind='sequence' and @verdict='fail'][not(shrunk) or not(contains(replay, ' --seed 1'))])" "$work/x" 0
is "string(//statement[case]/rule[@ref='$first']/tally/@fail) > 0" "$work/x" true

# ---- the first failure ----
# A fault in a Map is walked into by sequences, too, which blame what they see of it.
"$tool" run -q --impl emulator,fault=UVA-048 --filter '^(UVA-048/effect/wddm2_0|UVA/sequence)/' \
    --out "$work/walked" >"$work/log"
"$tool" report "$work/walked" --html "$work/walked.html" --markdown "$work/walked.md"
"$tool" report "$work/walked" >"$work/walked.txt"
ok "sequences break more" [ "$(grep -c '^fail' "$work/walked.txt")" -gt 1 ]
ok "the summary begins with the cause" \
    sh -c "grep '^fail' '$work/walked.txt' | head -n 1 | grep -q UVA-048"
ok "so does Markdown" sh -c "grep '^[*][*]' '$work/walked.md' | head -n 1 | grep -q UVA-048"
ok "and the list at the top of HTML" \
    sh -c "grep -o 'href=\"#f1-[^\"]*' '$work/walked.html' | head -n 1 | grep -q UVA-048"
ok "and its failures" \
    sh -c "grep -o 'class=\"failure [^>]*' '$work/walked.html' | head -n 1 | grep -q UVA-048"
ok "HTML says that the others may follow" \
    grep -q 'random sequences alone: may follow from what is above' "$work/walked.html"
ok "pages are told as the steps tell them" grep -q 'the page at W+0x' "$work/walked.txt"

# ---- one cause, one entry ----
# A kernel that dies in one operation: whatever the cases are about.
"$tool" run -q --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-0[01]' --wddm 2.3 -j 1 --no-backtrace --out "$work/dies" >"$work/log"
status 0 "$tool" report "$work/dies" --xml "$work/x" --html "$work/dies.html" --markdown "$work/dies.md"
valid reports/results.rng "$work/x"
crashed=$(grep -c '^crash' "$work/dies/verdicts.txt")
is 'count(/results/run/cause)' "$work/x" 1
is 'string(/results/run/cause/@cases)' "$work/x" "$crashed"
is 'count(//case[@cause = 1])' "$work/x" "$crashed"
is 'string(/results/run/cause/@statements) = count(/results/run/statement[@crash])' "$work/x" true
is 'count(/results/run/statement[@crash]) > 9' "$work/x" true
ok "Markdown has one entry" [ "$(grep -c '^[*][*]' "$work/dies.md")" -eq 1 ]
ok "HTML has one entry" [ "$(grep -c 'class="failure ' "$work/dies.html")" -eq 1 ]
status 0 "$tool" report "$work/dies"
ok "so has the summary" [ "$(grep -c '^crash' "$work/out")" -eq 1 ]
ok "which counts cases and statements" grep -q "^crash .* $crashed cases of [0-9]* statements$" "$work/out"
# A statement that breaks in two ways has two entries, and numbers do not make a third.
sed 's/answered SUCCESS (0x00000000), expected a refusal/answered SUCCESS (0x00000000), expected #/' \
    "$work/broken/journal.jsonl" >"$work/ways"
cp -R "$work/broken" "$work/two"
awk '/CAF-012/ && ++count == 1 {sub(/expected #/, "expected a hexagon")}
    /CAF-012/ {sub(/expected #/, "expected " 7 * count " of them")} {print}' "$work/ways" >"$work/two/journal.jsonl"
status 0 "$tool" report "$work/two" --xml "$work/x" --html "$work/two.html"
is 'count(/results/run/cause[@statement="CAF-012"])' "$work/x" 2
is 'sum(/results/run/cause[@statement="CAF-012"]/@cases) = /results/run/statement[@ref="CAF-012"]/@fail' "$work/x" true
ok "with anchors of their own" grep -q 'id="f1-CAF-012-2"' "$work/two.html"

# What the failing cases share: here all versions but one, and that a refusal was expected.
cp -R "$work/broken" "$work/pattern"
sed '/"CAF-003\/refuse\/wddm1_0\//s/"verdict":"fail"/"verdict":"pass"/' "$work/broken/journal.jsonl" \
    >"$work/pattern/journal.jsonl"
status 0 "$tool" report "$work/pattern"
sed -n '/^fail CAF-003/,/^$/s/^    pattern:   //p' "$work/out" >"$work/shared"
ok "by the version" grep -qx 'fails at WDDM 3\.2, 3 of 3; passes at 1\.0, 2 of 2' "$work/shared"
ok "by what was expected" \
    grep -qx 'fails in cases that expect refuse, 3 of 5; passes in those that expect accept, [0-9]* of [0-9]*' "$work/shared"
ok "and not by what makes no difference" sh -c "! grep -q 'pages' '$work/shared'"
# Two versions that follow each other are no range in a list.
"$tool" run -q --impl "$plugins/accept_all.so" --filter '^CAF-003/refuse/' --no-sweep --out "$work/listed" >"$work/log"
sed -i -E '/"CAF-003\/refuse\/wddm(2_[0-8]|3_1)\//s/"verdict":"fail"/"verdict":"pass"/' "$work/listed/journal.jsonl"
status 0 "$tool" report "$work/listed"
ok "a list" grep -q 'pattern:   fails at WDDM 1\.0 to 1\.3, 2\.9, 3\.0 and 3\.2, ' "$work/out"
# It is the same in every report.
status 0 "$tool" report "$work/pattern" --junit "$work/p.junit" --markdown "$work/p.md" --html "$work/p.html" --xml "$work/p.xml"
valid reports/results.rng "$work/p.xml"
while IFS= read -r line; do
    ok "in JUnit: $line" grep -qF "pattern:   $line" "$work/p.junit"
    ok "in Markdown: $line" grep -qF -e "- pattern: $line" "$work/p.md"
    ok "in HTML: $line" grep -qF ">$line<" "$work/p.html"
done <"$work/shared"

# Why a call had to be refused: the member with its place, and whose statement it breaks beside the
# layout's own; what its accepted twin has, too, is not wrong. Of a sweep it is the word that was
# misjudged, here not the smallest one.
"$tool" run -q --impl "$plugins/accept_all.so" --out "$work/wrong" \
    --filter '^(AIN-011|CAF-003)/[a-z]*/wddm3_2/|^UVA-001.map/[a-z]*/wddm3_2/.*SizeInBytes-|^CAF-001/sweep-refuse/wddm1_1/beside-others$' >"$work/log"
sed -i 's#\(call: *CAF-001/sweep-refuse/wddm1_1/beside-others\)/0xa#\1/0x28#' "$work/wrong/journal.jsonl"
status 0 "$tool" report "$work/wrong" --junit "$work/w.junit" --markdown "$work/w.md" --html "$work/w.html" --xml "$work/w.xml"
valid reports/results.rng "$work/w.xml"
sed 's/\\//g' "$work/w.md" >"$work/wm" # without the escapes of Markdown
status 0 "$tool" report "$work/wrong"
for line in '    wrong:     Map.SizeInBytes is 0x4001 (bytes 16 to 23 of Map)' \
    '               UVA-005: Map.SizeInBytes is in whole pages of 4 KiB.' \
    '    wrong:     D3DKMT_CREATEALLOCATION.Flags is 0x28 (bytes 56 to 59 of D3DKMT_CREATEALLOCATION)' \
    '    wrong:     D3DKMT_CREATEALLOCATION.Flags.CreateShared is 0x1 (bit 1 of bytes 56 to 59 of D3DKMT_CREATEALLOCATION)'; do
    ok "$line" grep -qxF "$line" "$work/out"
    ok "in JUnit: $line" grep -qxF "${line#    }" "$work/w.junit"
    line=${line#*wrong: }
    ok "in HTML: $line" grep -qF "${line#"${line%%[! ]*}"}" "$work/w.html"
    ok "in Markdown: $line" grep -qF -e "- wrong: ${line#"${line%%[! ]*}"}" "$work/wm"
done
ok "what its twin lacks" sh -c "sed -n '/^fail AIN-011/,/^$/p' '$work/out' | grep -q 'wrong:.*SupportedWriteSegmentSet is 0x2'"
ok "not what its twin has" sh -c "! sed -n '/^fail AIN-011/,/^$/p' '$work/out' | grep -q 'wrong:.*PreferredSegment'"
status 1 "$tool" replay UVA-001.map/refuse/wddm3_2/SizeInBytes-0x4001 --impl "$plugins/accept_all.so"
ok "replay names it" grep -qx '    UVA-005: Map.SizeInBytes is in whole pages of 4 KiB.' "$work/out"

# ---- the command that shows it again ----
# With blanks and quotes in its path, from where the run was made, and as each report has it.
odd="$work/it's \"odd\" & new"
mkdir "$odd"
cp "$plugins/accept_all.so" "$odd/my own.so"
mkdir "$odd/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(realpath "$tool")" >"$odd/bin/wddm-cts"
chmod +x "$odd/bin/wddm-cts"
again() { # report, file with the command
    command=$(cat "$2")
    (cd "$odd" && PATH="$odd/bin:$PATH" sh -c "$command") >"$work/again" 2>&1
    ok "$1: the command fails as the case did" [ $? -eq 1 ]
    ok "$1: and says so" grep -q '^fail: KERNEL_ALLOCATION_CREATE answered SUCCESS' "$work/again"
}
(cd "$odd" && PATH="$odd/bin:$PATH" && wddm-cts run --impl './my own.so' --filter '^CAF-012/refuse/wddm2_3/' --out r &&
    exit; wddm-cts report r --html r.html --markdown r.md --junit r.xml --xml r.results) >"$work/odd" 2>&1
sed -n 's/^    reproduce: //p' "$work/odd" >"$work/command"
again summary "$work/command"
sed -n 's/^  wddm-cts/wddm-cts/p' "$odd/r.md" | head -n 1 >"$work/command"
again Markdown "$work/command"
xmllint --xpath 'string(//case/replay)' "$odd/r.results" >"$work/command"
again XML "$work/command"
xmllint --html --xpath 'string(//dd/descendant::code[starts-with(., "wddm-cts replay")])' "$odd/r.html" \
    2>"$work/log" >"$work/command"
again HTML "$work/command"
ok "HTML says where" grep -q 'in which the run was made' "$odd/r.html"

# ---- known failures, and cases that come out differently ----
cat >"$work/known.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<baseline>
  <waiver match="CAF-012/refuse/.*" reason="nobody looks at the start" expires="2099-12-31"/>
</baseline>
XML
"$tool" run -q --impl "$plugins/accept_all.so" --filter '^CAF-012/refuse/wddm2_3/' \
    --baseline "$work/known.xml" --out "$work/waived" >"$work/log"
ok "a run whose failures are known" [ $? -eq 0 ]
status 0 "$tool" report "$work/waived" --xml "$work/x" --html "$work/waived.html" --markdown "$work/waived.md"
valid reports/results.rng "$work/x"
is "count(//case[@verdict='waived'][waiver[@was='fail'] = 'nobody looks at the start']) > 0" "$work/x" true
ok "the page says so" grep -q '<em>no failure in the selection but for [0-9]* waived</em>' "$work/waived.html"
ok "and why" grep -q 'nobody looks at the start' "$work/waived.html"
ok "and Markdown" grep -q '^## .* no failure in the selection but for [0-9]* waived$' "$work/waived.md"
status 0 "$tool" report "$work/waived" --tap
ok "TAP has it to do" grep -q '^not ok 1 - .* # TODO ' "$work/out"
"$tool" run -q --impl "$plugins/misbehave.so,do=crash,nth=3,once=$work/flaky-once" --filter '^CAF-00' \
    --wddm 2.3 -j 1 --no-backtrace --level binding --retries 1 --out "$work/flaky" >"$work/log"
ok "a case had different results" grep -q '^flaky' "$work/flaky/verdicts.txt"
status 0 "$tool" report "$work/flaky" --xml "$work/x" --html "$work/flaky.html"
valid reports/results.rng "$work/x"
is "count(//case[@verdict='flaky'][attempt/@verdict='crash'])" "$work/x" 1
ok "the page tells the attempts" grep -q 'Attempts before' "$work/flaky.html"

# ---- HTML: one file, and nothing from elsewhere ----
for html in "$work/broken.html" "$work/both.html"; do
    ok "no address" sh -c "! grep -Eio '(src|href|action|url)[ ]*[=(][ \"]*(https?:)?//[^\" >]*' '$html'"
    ok "no other file" sh -c "! grep -Eo '<(img|iframe|object|embed|video|audio|source|base)[ >]|@import' '$html'"
    ok "it forbids them as well" grep -q "default-src 'none'" "$html"
    ok "well formed" sh -c "! xmllint --html --noout '$html' 2>&1 | grep error | grep -v 'Tag .* invalid'"
    grep -o ' id="[^"]*"' "$html" | sort | uniq -d >"$work/twice"
    ok "ids are unique: $(cat "$work/twice")" [ ! -s "$work/twice" ]
    grep -o ' href="#[^"]*"' "$html" | sed 's/ href="#/ id="/' | sort -u >"$work/links"
    grep -o ' id="[^"]*"' "$html" | sort -u | comm -23 "$work/links" - >"$work/nowhere"
    ok "links lead somewhere: $(cat "$work/nowhere")" [ ! -s "$work/nowhere" ]
done
# A statement of the spec, the reason of a case, what a plug-in prints: all of it is text.
cp -R "$work/broken" "$work/evil"
sed 's|expected a refusal"|expected <script>alert(1)</script> \& ]]> `x` *y*"|' "$work/broken/journal.jsonl" \
    >"$work/evil/journal.jsonl"
status 0 "$tool" report "$work/evil" --html "$work/evil.html" --markdown "$work/evil.md"
ok "markup is text in HTML" sh -c "grep -q '&lt;script&gt;alert' '$work/evil.html' && ! grep -q '<script>alert' '$work/evil.html'"
ok "and in Markdown" sh -c "grep -qF '&lt;script\\>' '$work/evil.md' && ! grep -q '<script>' '$work/evil.md' && grep -qF '\\\`x\\\` \\*y\\*' '$work/evil.md'"

# ---- a run with a thousand failures stays readable ----
status 0 "$tool" report "$work/many" --html "$work/many.html" --markdown "$work/many.md"
ok "a thousand cases failed" [ "$(grep -c '^fail' "$work/many/verdicts.txt")" -gt 1000 ]
ok "HTML is below 4 MB" [ "$(wc -c <"$work/many.html")" -lt 4000000 ]
ok "it says what it leaves out" grep -q 'more are left out' "$work/many.html"
ok "the Markdown is below what GitHub takes" [ "$(wc -c <"$work/many.md")" -lt 100000 ]
ok "it says what it leaves out" grep -q '^\.\.\. and [0-9]* more' "$work/many.md"

# ---- contrast: WCAG AA, in both palettes ----
# Text is 4.5 to 1 on both grounds; what is only drawn is 3 to 1.
cat >"$work/contrast.awk" <<'AWK'
function part(text, at,    value) {
    value = (index("0123456789abcdef", substr(text, at, 1)) - 1) * 16
    value = (value + index("0123456789abcdef", substr(text, at + 1, 1)) - 1) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ^ 2.4
}
function light(text) {
    return 0.2126 * part(text, 2) + 0.7152 * part(text, 4) + 0.0722 * part(text, 6)
}
function contrast(a, b,    x, y) {
    x = light(a); y = light(b)
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05)
}
function check(palette, a, b, least,    ratio) {
    checked++
    if (!((palette, a) in colour) || !((palette, b) in colour)) {
        print palette ": no colour " a " or " b; bad = 1; return
    }
    ratio = contrast(colour[palette, a], colour[palette, b])
    if (ratio < least) {
        printf "%s: %s on %s is %.2f, expected %.1f\n", palette, a, b, ratio, least; bad = 1
    }
}
/^:root/ {palette = "light"}
/^@media screen and \(prefers-color-scheme: dark\)/ {palette = "dark"}
/^@media print/ {palette = "print"}
/^\.|^\*/ {palette = ""}
palette && match($0, /--[a-z-]+: #[0-9a-f]+/) {
    split($0, fields, ";")
    for (i in fields) if (match(fields[i], /--[a-z-]+: #[0-9a-f]+/)) {
        split(substr(fields[i], RSTART + 2, RLENGTH - 2), pair, ": ")
        colour[palette, pair[1]] = pair[2]
    }
}
END {
    count = split("text muted link fail crash timeout broken flaky warn pass fixed skip waived", texts, " ")
    drawn_count = split("not-run not-testable refused pass fail", drawn, " ")
    for (p = 1; p <= 2; p++) {
        which = p == 1 ? "light" : "dark"
        for (i = 1; i <= count; i++) {
            check(which, texts[i], "ground", 4.5)
            check(which, texts[i], "raised", 4.5)
        }
        for (i = 1; i <= drawn_count; i++) check(which, drawn[i], "ground", 3)
        check(which, "mark", "fail", 3)
        check(which, "mark", "refused", 3)
        check(which, "mark", "warn", 3)
    }
    check("print", "text", "ground", 4.5)
    check("print", "muted", "ground", 4.5)
    if (checked < 60) {print "only " checked " pairs"; bad = 1}
    exit bad
}
AWK
ok "contrasts" awk -f "$work/contrast.awk" reports/report.css
sed 's/--muted: #55606b/--muted: #98a1ab/' reports/report.css >"$work/pale.css"
wrong "a pale grey is found" awk -f "$work/contrast.awk" "$work/pale.css"
# Every verdict has its colours.
xmllint --xpath '/results/verdicts/verdict/@name' "$work/broken.xml" | sed 's/.*="\(.*\)"/\1/' |
    while read -r verdict; do
        for class in v f k; do
            grep -q "\.$class-$verdict " reports/report.css || echo "$class-$verdict"
        done
        grep -q "<v id=\"$verdict\">" reports/html.xsl || echo "$verdict is not explained"
    done >"$work/odd"
ok "verdicts have colours: $(cat "$work/odd")" [ ! -s "$work/odd" ]

# ---- what is no run directory ----
status 2 "$tool" report
status 2 "$tool" report "$work/nothing" --xml "$work/x"
says "$work/nothing/run.json: No such file or directory, expected a file of a run directory"
for file in plan.tsv journal.jsonl run.json; do
    rm -rf "$work/lacks"
    cp -R "$work/good" "$work/lacks"
    rm "$work/lacks/$file"
    status 2 "$tool" report "$work/good" "$work/lacks" --xml "$work/x"
    says "$work/lacks/$file: No such file"
done
changed() { # file, sed command: good, with that file changed
    rm -rf "$work/changed"
    cp -R "$work/good" "$work/changed"
    sed "$2" "$work/good/$1" >"$work/changed/$1"
}
lines=$(wc -l <"$work/good/journal.jsonl")
changed run.json 's/"spec_digest": "..../"spec_digest": "0000/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/run.json: the run has the spec with digest 0000"
changed run.json 's/^{/[/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/run.json:2: "
changed run.json 's/"level": .*/"level": "high",/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/run.json: \"level\" is missing or wrong"
changed run.json '/"claims": {/,/^  },/d'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/run.json: \"claims\" is missing or wrong"
changed journal.jsonl '$d'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/journal.jsonl:$lines: the journal ends here, expected $lines entries: it was cut short"
head -c -20 "$work/good/journal.jsonl" >"$work/changed/journal.jsonl"
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/journal.jsonl:$lines: the journal ends here"
changed journal.jsonl '3s/.*/{"id":"x"}/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/journal.jsonl:3: no entry, expected an object with id and verdict"
changed journal.jsonl '3s/"id":"[^"]*"/"id":"other"/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/journal.jsonl:3: case other, expected CAF-003/"
changed plan.tsv '4s/^[^	]*/CAF-003\/never/'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "$work/changed/plan.tsv:4: case CAF-003/never, expected the next one of the plan"
changed plan.tsv '$d'
status 2 "$tool" report "$work/changed" --xml "$work/x"
says "expected no more than the $((lines - 1)) of plan.tsv"
status 2 "$tool" report "$work/good" "$work/broken" --junit "$work/x"
says "--junit: 2 run directories, expected one"
status 2 "$tool" report "$work/good" "$work/broken" --tap
says "--tap: 2 run directories, expected one"
status 2 "$tool" run --json --tap
says "--json, --tap, --xsl and files named -"
status 2 "$tool" report "$work/good" --html "$work/no/such.html"
says "$work/no/such.html: No such file or directory"

# An unfinished run is reported up to its last result.
changed run.json 's/"end": "done"/"end": "running"/'
head -n 5 "$work/good/journal.jsonl" >"$work/changed/journal.jsonl"
printf '{"id":"CAF' >>"$work/changed/journal.jsonl"
status 0 "$tool" report "$work/changed" --xml "$work/x" --html "$work/running.html"
says "$work/changed: the run has not ended: it is running or was killed; 5 of $lines cases so far"
is 'string(/results/run/@end)' "$work/x" running
ok "said at the top" grep -q '<em>has not ended</em>' "$work/running.html"
valid reports/results.rng "$work/x"

# A run that never began, and one of which nothing was selected.
"$tool" run -q --impl "$plugins/wrong_abi.so" --out "$work/never" >"$work/log" 2>&1
status 0 "$tool" report "$work/never" --xml "$work/x" --html "$work/never.html" --markdown "$work/never.md"
valid reports/results.rng "$work/x"
ok "said at the top" grep -q '<em>not run</em>' "$work/never.html"
ok "and in Markdown" grep -q '^## .* not run$' "$work/never.md"

summary
