#!/bin/sh
# SPDX-License-Identifier: MIT
# Effects are evaluated in the cases of other rules: a breach fails the first of each version, for the
# rule that is broken, and no more; what is unobserved is not looked at; a waiver of the rule waives
# it; verify sees who is blamed. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

faulty=emulator,fault=CAF-014
elsewhere='^CAF-0(01|12)/accept/'
run() {
    rm -rf "$work/run"
    "$tool" run --no-sweep --wddm 2.3..2.4 --filter "$elsewhere" --out "$work/run" "$@" >"$work/said" 2>&1
}
failing() {
    grep -c '^fail	' "$work/run/verdicts.txt"
}

run --impl emulator
ok "without a fault nothing is broken: $?" [ "$(failing)" -eq 0 ]
run --impl "$faulty"
got=$?
ok "exit status $got, expected 1" [ "$got" -eq 1 ]
ok "one case of each version fails: $(failing)" [ "$(failing)" -eq 2 ]
ok "the others pass" [ "$(grep -c '^pass	CAF-012/' "$work/run/verdicts.txt")" -gt 2 ]
ok "the broken rule is blamed" grep -q '^fail CAF-014  ' "$work/said"
ok "nobody else is" [ "$(grep -c '^fail ' "$work/said")" -eq 1 ]
ok "it says what the case was made for" grep -q '^    made for:  CAF-001$' "$work/said"
case=$(sed -n 's/^fail	\([^	]*\)	.*/\1/p' "$work/run/verdicts.txt" | head -n 1)
status 1 "$tool" replay "$case" --impl "$faulty"
ok "replay names the broken rule" grep -q '^  broken: CAF-014, ' "$work/out"
status 0 "$tool" replay "$case" --impl emulator

status 3 "$tool" verify "$work/run"
ok "judged again" grep -Eq '^  ok  *judged again  *([0-9]+) of \1 verdicts$' "$work/out"
sed 's/"rule":"CAF-014"/"rule":"CAF-045"/' "$work/run/journal.jsonl" >"$work/journal"
ok "the journal names the rule" [ "$(cmp "$work/journal" "$work/run/journal.jsonl" | wc -l)" -eq 1 ]
cp "$work/journal" "$work/run/journal.jsonl"
digest=$(sha256sum "$work/journal" | cut -d ' ' -f 1)
sed -i "s/\(\"journal.jsonl\": *\"\)[0-9a-f]*/\1$digest/" "$work/run/run.json"
status 1 "$tool" verify "$work/run"
ok "another rule than the record's is noticed" \
    grep -q 'the journal blames CAF-045, the record CAF-014' "$work/out"

# With the same cases in more workers, the same verdicts.
run --impl "$faulty" -j 4
cp "$work/run/verdicts.txt" "$work/four"
run --impl "$faulty" -j 1
ok "the same with one worker and with four" cmp "$work/four" "$work/run/verdicts.txt"

cat >"$work/known.xml" <<'EOF'
<baseline>
  <waiver match="CAF-014/observed" reason="a known one" expires="2026-12-31"/>
</baseline>
EOF
export WCTS_TODAY=2026-12-01
run --impl "$faulty" --baseline "$work/known.xml"
got=$?
ok "waived: exit status $got, expected 0" [ "$got" -eq 0 ]
ok "both are waived" [ "$(grep -c '^waived	' "$work/run/verdicts.txt")" -eq 2 ]
ok "the waiver is used" grep -q '1 waiver in .*, 1 used' "$work/said"
run --impl emulator --baseline "$work/known.xml"
ok "it is no orphan where nothing is broken" grep -q '1 waiver in .*, 1 idle' "$work/said"
sed -i 's/observed/refuse/' "$work/known.xml"
run --impl "$faulty" --baseline "$work/known.xml"
ok "a waiver of other cases does not waive it" [ "$(failing)" -eq 2 ]

# What is marked is not looked at.
cp -R spec cases "$work"
sed -i '/<statement id="CAF-014"/,/<\/statement>/s/<effect /<effect unobserved="for a test" /' \
    "$work/spec/000-createallocationflags.xml"
run --impl "$faulty" --spec-dir "$work/spec" --cases-dir "$work/cases"
ok "unobserved: not looked at: $(failing)" [ "$(failing)" -eq 0 ]

# A handle that names nothing is seen in the case of another rule.
nameless=$plugins/wrong_patch.so,wrong=page-allocation,emulator=$build/emulator.so
crowd() {
    rm -rf "$work/run"
    "$tool" run --level strict --wddm 1.3..2.0 --filter "$1" --spec-dir "$specs" --out "$work/run" --impl "$nameless" >"$work/said" 2>&1
}
specs=spec
crowd '^PAT-014[.]addresses/scenario/wddm[12]_[03]/plural$'
ok "what is seen of AIN-031 is blamed, and it alone" [ "$(sed -n 's/^fail  *\([A-Z]*-[0-9]*\)  .*/\1/p' "$work/said" |
    sort -u)" = AIN-031 ]

# A scenario looks at AIN-027, which rests on AIN-031, which only its own cases are to show: the breach of
# the latter explains that of the former, also where its cases are not among those that are run.
specs=$work/spec
rm -rf "$specs"
cp -r spec "$specs"
sed -i 's/holds="given(hAllocation)"/& unobserved="for a test"/' "$specs/001-allocationinfo.xml"
crowd '^PAT-014[.]addresses/scenario/wddm[12]_[03]/plural$'
got=$?
ok "what is broken below is not blamed on what rests on it: exit status $got" [ "$got" -eq 0 ]
ok "the case still passes for its own rule" [ "$(grep -c '^pass	PAT-014' "$work/run/verdicts.txt")" -eq 2 ]
"$tool" verify "$work/run" --spec-dir "$specs" >"$work/out" 2>&1
ok "judged again from what was recorded" grep -Eq '^  ok  *judged again  *([0-9]+) of \1 verdicts$' "$work/out"
crowd '^(PAT-014[.]addresses|AIN-0(13|27|31))[./]'
ok "the rule below is blamed alone" [ "$(sed -n 's/^fail  *\([A-Z]*-[0-9]*\)  .*/\1/p' "$work/said" |
    sort -u)" = AIN-031 ]
cp "$work/run/verdicts.txt" "$work/many"
"$tool" run -q -j 1 --level strict --wddm 1.3..2.0 --filter '^(PAT-014[.]addresses|AIN-0(13|27|31))[./]' \
    --spec-dir "$specs" --out "$work/alone" --impl "$nameless" >"$work/said" 2>&1
ok "the same with what one worker remembers" cmp "$work/many" "$work/alone/verdicts.txt"

# ---- no room ----
# A kernel that takes 128 KiB for each allocation has none in a segment of 64 KiB. Where it may refuse, that is
# no trouble of the suite's.
rm -rf "$work/run"
"$tool" run -q --level strict --wddm 2.0 --filter '/power-of-pages$' --out "$work/run" \
    --impl "emulator,choice=rounds-to-128k" >"$work/said" 2>&1
ok "no room where a call may be refused shows nothing: $(cat "$work/said")" [ "$(grep -c '^skip	.*INSUFFICIENT_RESOURCES .*, as it may be$' "$work/run/verdicts.txt")" -eq 2 ]

summary
