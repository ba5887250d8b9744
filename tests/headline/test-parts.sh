#!/bin/sh
# SPDX-License-Identifier: MIT
# One rule that passes does not prove its statement: where another one that applies was not shown, the last
# line, the summary and every report count the statement as shown in part, and coverage names the rule and
# why. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# A kernel without KERNEL_LOCK, at one version: what a statement says of locks is not seen.
kernel="$build/plugins/refuse_some.so,what=KERNEL_LOCK,status=0xC0000002,emulator=$build/emulator.so"
"$tool" run --impl "$kernel,versions=0x5023+0x5023" --role kernel --out "$work/run" --html "$work/page.html" \
    --markdown "$work/page.md" --junit "$work/junit.xml" >"$work/out" 2>"$work/err"
ok "it conforms all the same" test $? -eq 0
number=$(sed -n 's/^conforms: .*; [0-9]* of [0-9]* statements, \([0-9]*\) in part; .*/\1/p' "$work/out")
ok "the last line counts what is shown in part" test "${number:-0}" -gt 5
ok "so does the summary" grep -Eq "^  statements +[0-9]+ proven and $number in part of [0-9]+ testable" "$work/out"
ok "which names them" grep -Eq "^  in part +$number of [0-9]+ statements in scope: .*CAF-0" "$work/out"
# The feature is claimed by its other operations, so what needs this one is in scope, and was not tested.
ok "what needs the operation is in scope" grep -Eq '^  not tested +[0-9]+ of [0-9]+ statements in scope: memory .* SEG-009' "$work/out"
ok "the last line counts it" sh -c 'grep "^conforms" "$1" | grep -Eqv "; ([0-9]+) of \1 statements"' sh "$work/out"
ok "Markdown" grep -q ", $number of these in part;" "$work/page.md"
ok "HTML" grep -q ", $number of these in part" "$work/page.html"
ok "HTML, a badge" grep -q 'class="badge v-in-part">in part<' "$work/page.html"
ok "JUnit" grep -q "name=\"statements.in-part\" value=\"$number\"" "$work/junit.xml"
ok "what is in part is not proven" /usr/bin/python3 - "$work/run/run.json" "$number" <<'END'
import json, sys
scope = json.load(open(sys.argv[1]))["scope"]
parts = {part["statement"] for part in scope["parts"]}
assert scope["in_part"] == len(parts) == int(sys.argv[2]), scope
assert scope["proven"] + scope["in_part"] <= scope["tested"], scope
for part in scope["parts"]:
    assert part["side"] == "kernel" and part["versions"] == "2.0", part
    assert part["reason"].startswith("not claimed: KERNEL_"), part
END
"$tool" coverage "$work/run" >"$work/coverage"
statement=$(sed -n 's/^  in part .* in scope:.* \([A-Z]*-[0-9]*\)\( and .*\)*$/\1/p' "$work/out")
sed -n '/^shown in part/,/^$/p' "$work/coverage" >"$work/parts"
ok "coverage lists as many" test "$(grep -Ec '^  [A-Z]+-[0-9]+$' "$work/parts")" -eq "$number"
ok "with the rule and the reason" \
    grep -Eq "^ +${statement:-none}(\.[a-z-]+)? \(kernel, WDDM 2\.0\): not claimed: KERNEL_" "$work/parts"
"$tool" coverage --json "$work/run" >"$work/coverage.json"
ok "coverage --json" /usr/bin/python3 - "$work/coverage.json" "$statement" <<'END'
import json, sys
one = [s for s in json.load(open(sys.argv[1]))["statements"] if s["id"] == sys.argv[2]]
assert len(one) == 1 and "(kernel, WDDM 2.0): not claimed" in one[0]["hidden"], one
END
"$tool" report "$work/run" --xml "$work/results.xml"
"$tool" report "$work/run" >"$work/again"
ok "report says the same" test "$(tail -n 1 "$work/again")" = "$(tail -n 1 "$work/out")"
ok "results.xml has its grammar" xmllint --noout --relaxng reports/results.rng "$work/results.xml"
ok "verify says the same" \
    test "$("$tool" verify "$work/run" | tail -n 1)" = "verified: $(tail -n 1 "$work/out")"

# It is told by versions: what is lost at the second of two counts, though it was shown at the first.
"$tool" run -q --impl "$build/plugins/faint.so,does=half,emulator=$build/emulator.so,versions=0x5023+0x6003" \
    --role kernel --out "$work/run" >"$work/out" 2>"$work/err"
ok "an operation that is there at one version alone" \
    grep -Eq '^conforms: .* statements, [0-9]{2} in part; WDDM 2\.0 to 2\.1' "$work/out"
ok "of which the other one is named" /usr/bin/python3 - "$work/run/run.json" <<'END'
import json, sys
parts = json.load(open(sys.argv[1]))["scope"]["parts"]
assert parts and all(part["versions"] == "2.1" for part in parts), parts
END

# A rule that was left out is not shown, either; and a walk, which is drawn for no rule, shows none.
"$tool" run --impl emulator --wddm 2.0 --exclude '^SEG-009.seen' --filter '^SEG-009' --out "$work/run" >"$work/out"
ok "a rule that is left out" grep -Eq '^  statements +0 proven and 1 in part of' "$work/out"
# A filter plans a part: the numbers come from the whole plan all the same, on the console as in reports.
for filter in '^SEG-009.hidden/' '^CAF-003/'; do
    "$tool" run --impl emulator --filter "$filter" --out "$work/run" >"$work/out"
    "$tool" report "$work/run" >"$work/again"
    ok "$filter leaves out a rule" grep -Eq '^  statements +0 proven and 1 in part of' "$work/out"
    ok "$filter: report counts alike" test \
        "$(grep -E '^  (statements|rules)' "$work/out")" = "$(grep -E '^  (statements|rules)' "$work/again")"
done
"$tool" run --impl emulator --wddm 2.0 --filter '^UVA/sequence/' --max-cases 20 --out "$work/run" >"$work/out"
ok "a sequence proves no statement" grep -Eq '^  statements +0 proven of' "$work/out"

summary
