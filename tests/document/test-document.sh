#!/bin/sh
# SPDX-License-Identifier: MIT
# Documents that no code knows, given with --spec: one of its own (a word of eight flags in a member
# without a word, five rules, a table) is linted, listed, counted and planned; a wrong rule about a
# word that is there already turns the run red, on that rule. Run from the source directory;
# WCTS_BUILD is the build directory.
. tests/common.sh
here=tests/document
hints=$here/900-hints.xml
wrong=$here/901-wrong.xml

# number WORD FILE: the number after WORD at the beginning of a line.
number() {
    sed -n "s/^$1  *\([0-9][0-9]*\).*/\1/p" "$2"
}

# ---- linted, and counted: sums against those without the document ----
"$tool" lint >"$work/before" 2>&1
ok "the spec lints" [ $? -eq 0 ]
"$tool" lint --spec "$hints" >"$work/after" 2>&1
ok "the document lints" [ $? -eq 0 ]
for sum in documents=1 statements=7 rules=6; do
    name=${sum%=*}
    more=$(($(number "$name" "$work/after") - $(number "$name" "$work/before")))
    ok "$more more $name" [ "$more" -eq "${sum#*=}" ]
done
# By hand: Sparse needs Stream, which excludes Pinned (4 of 8 values); two free flags from 1.2 on;
# Secret is never set; 3 of the 4 rows of the table from 2.0 on.
ok "4 values at 1.0" grep -q '^HINT_FLAGS 1.0: 4 valid values of 3 defined bits$' "$work/after"
ok "4 values at 1.1" grep -q '^HINT_FLAGS 1.1: 4 valid values of 3 defined bits$' "$work/after"
ok "16 values at 1.2" grep -q '^HINT_FLAGS 1.2: 16 valid values of 6 defined bits$' "$work/after"
ok "16 values at 1.3" grep -q '^HINT_FLAGS 1.3: 16 valid values of 6 defined bits$' "$work/after"
ok "48 values at 2.0" grep -q '^HINT_FLAGS 2.0: 48 valid values of 8 defined bits$' "$work/after"
ok "48 values at 3.2" grep -q '^HINT_FLAGS 3.2: 48 valid values of 8 defined bits$' "$work/after"

# ---- listed ----
"$tool" list --statements --spec "$hints" >"$work/statements" 2>&1
"$tool" list --rules --spec "$hints" >"$work/rules" 2>&1
"$tool" list --spec "$hints" >"$work/cases" 2>&1
for id in 001 002 003 004 005 006; do
    ok "HNT-$id is listed" grep -q "HNT-$id" "$work/statements"
    ok "the rule HNT-$id is listed" grep -q "HNT-$id" "$work/rules"
done
ok "the effect HNT-007 is listed" grep -q "HNT-007" "$work/statements"

# ---- planned: each rule is broken and kept, at the versions of its flags, twins and all ----
for id in 002 003 004 005 006; do
    ok "HNT-$id is broken" grep -q "^HNT-$id/refuse/wddm3_2/" "$work/cases"
    ok "HNT-$id is kept" grep -q "^HNT-$id/accept/wddm3_2/" "$work/cases"
done
for bit in 1_0,Stream 1_0,Pinned 1_2,Mirror 1_2,Scratch 2_0,Sealed 2_0,Early; do
    ok "the bit of ${bit#*,}" grep -q "^HNT-001/accept/wddm${bit%,*}/.*\.${bit#*,}\$" "$work/cases"
done
ok "Mirror at 1.1 is a bit without a flag" grep -q "^HNT-001/refuse/wddm1_1/.*\.Mirror\$" "$work/cases"
ok "the breach of the table begins with it" grep -q "^HNT-006/refuse/wddm2_0/" "$work/cases"
ok "the rest of the plan is as without it" sh -c "
    '$tool' list | grep -v /combination/ | sort >'$work/without'
    grep -v -e '^HNT-' -e /combination/ '$work/cases' | sort | cmp - '$work/without'"
one=$(grep '^HNT-006/refuse/wddm2_0/' "$work/cases" | head -n 1)
"$tool" explain "$one" --spec "$hints" >"$work/explained" 2>&1
ok "explained" grep -q 'What is opened early is sealed' "$work/explained"

# ---- run: the emulator knows nothing of it, so what is red is its own ----
"$tool" run --spec "$hints" --wddm 2.0 --out "$work/hints" >"$work/out" 2>&1
ok "the run of the document is red ($?)" [ $? -ne 0 ]
ok "on nothing else" sh -c "! cut -f 1,2 '$work/hints/verdicts.txt' | grep -v -e '^pass' -e '^skip' | grep -qv '	HNT-'"
ok "what only the word adds is accepted" grep -q '^pass	HNT-001/accept/wddm2_0/.*Early' \
    "$work/hints/verdicts.txt"

# ---- a wrong rule about a word that is there ----
"$tool" lint --spec "$wrong" >"$work/out" 2>&1
ok "the wrong rule lints" [ $? -eq 0 ]
"$tool" run --spec "$wrong" --wddm 2.3 --out "$work/wrong" --junit "$work/wrong.xml" >"$work/out" 2>&1
status=$?
ok "the run exits with $status" [ "$status" -eq 1 ]
ok "blamed on the rule" grep -q '^fail WRG-001 ' "$work/out"
ok "a breach fails" grep -q '^fail	WRG-001/refuse/' "$work/wrong/verdicts.txt"
ok "nothing else is red" sh -c "! grep -v -e '^pass	' -e '^skip	' '$work/wrong/verdicts.txt' | grep -qv '	WRG-001/'"
ok "in the report as well" grep -q 'WRG-001/refuse/' "$work/wrong.xml"
"$tool" run --wddm 2.3 --out "$work/right" >"$work/out" 2>&1
ok "without it the run is green" [ $? -eq 0 ]

# ---- a rule of no usual shape: planned, covered and run like any other ----
breach='refuse="Flags.Sparse and (Flags.Pinned or VidPnSourceId > 1)"'
sed "s/refuse=\"Flags.Sparse\" unless=\"Flags.Stream\"/$breach/" "$hints" \
    >"$work/odd.xml"
ok "the rule is another" grep -qF 'Flags.Sparse and (Flags.Pinned or VidPnSourceId' "$work/odd.xml"
"$tool" list --rules --spec "$work/odd.xml" >"$work/out" 2>&1
ok "it is listed" grep -q '^HNT-002	requires	' "$work/out"
"$tool" list --spec "$work/odd.xml" --filter '^HNT-002/refuse/wddm3_2/' >"$work/out" 2>&1
ok "broken by the one" grep -q 'Sparse.*Pinned\|Pinned.*Sparse' "$work/out"
ok "and by the other" grep -q 'Sparse.*VidPnSourceId-0x2' "$work/out"
"$tool" coverage -v --spec "$work/odd.xml" --filter '^HNT-002$' >"$work/out" 2>&1
ok "a limit is a condition" grep -q 'shown *VidPnSourceId above the most' "$work/out"
"$tool" run -q --spec "$work/odd.xml" --filter '^HNT-002/' --out "$work/run" >"$work/out" 2>&1
ok "nobody refuses it" grep -q 'does not conform' "$work/out"

# ---- both together ----
"$tool" lint --spec "$hints" --spec "$wrong" >"$work/both" 2>&1
ok "two documents" [ "$(number documents "$work/both")" -eq \
    $(($(number documents "$work/before") + 2)) ]

# ---- cases in the old notation, translated ----
# plain FILE: without comments, one element a line.
plain() {
    xmllint --noblanks --format "$1" | grep -v '<!--'
}
xsltproc --nonet -o "$work/translated.xml" cases/from-old.xsl tests/document/old-notation.xml
plain "$work/translated.xml" >"$work/translated"
plain tests/document/new-notation.xml >"$work/wanted"
ok "what the translation makes" diff "$work/wanted" "$work/translated"
status 2 "$tool" list --case tests/document/old-notation.xml
ok "the old notation itself" grep -q 'element <set> in <answer>, expected nothing' "$work/err"
status 0 "$tool" run -q --case "$work/translated.xml" --wddm 1.0 --out "$work/old"
ok "both of its effects" [ "$(grep -c 'scenario/wddm1_0/old' "$work/old/verdicts.txt")" -eq 2 ]

summary
