#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/concepts.md explains every term once, and what it names exists: statements, cases, a feature,
# steps and kinds. Its picture is well formed, with the same terms.
# shellcheck source=tests/common.sh
. tests/common.sh
page=${WCTS_DOCUMENT:-docs/concepts.md}

for term in statement rule effect "base call" twin witness scenario sequence sweep exchange finding \
    verdict level feature waiver signature cause side kind claim gap; do
    ok "$term is explained once" [ "$(grep -c "^| \*\*$term\*\*" "$page")" -eq 1 ]
done

"$tool" list --statements | cut -f1 >"$work/statements"
"$tool" list >"$work/cases"
grep -oE '\b[A-Z]{3}-[0-9]{3}\b' "$page" | sort -u >"$work/named"
ok "statements are named" [ -s "$work/named" ]
while read -r id; do
    ok "there is a statement $id" grep -qx "$id" "$work/statements"
done <"$work/named"
grep -oE '\b[A-Z]{3}(-[0-9]{3})?/[a-z]+/wddm[^`]*' "$page" | sort -u >"$work/ids"
ok "cases are named" [ "$(wc -l <"$work/ids")" -ge 2 ]
while read -r id; do
    ok "there is a case $id" grep -qxF "$id" "$work/cases"
done <"$work/ids"

# The sentence of the example is the statement's, and its rule is in the spec as shown.
sentence=$(sed -n 's/.*CAF-003: "\(.*\)".*/\1/p' "$page")
"$tool" explain CAF-003 >"$work/explained"
ok "the sentence" grep -qF "$sentence" "$work/explained"
ok "the rule" grep -qF "$(grep -o 'refuse="[^`]*' "$page")" spec/000-*.xml

# What the page tells of one test: a kernel that accepts all calls fails it, but warns at the level that the page names.
case=CAF-003/refuse/wddm1_0/CreateShared
ok "the test of the example" grep -qF "\`$case\`" "$page"
"$tool" run -q --impl "$plugins/accept_all.so" --filter "^$case\$" --out "$work/run" >"$work/said" 2>&1
ok "it fails" grep -q '^does not conform: 1 case of 1 statement failed' "$work/said"
level=$(tr '\n' ' ' <"$page" | sed -n 's/.* at the \*level\* `\([a-z]*\)` it gets a `warn`.*/\1/p')
ok "a level" [ -n "$level" ]
"$tool" report --level "$level" "$work/run" >"$work/said" 2>&1
ok "it warns at $level" grep -q '; 1 warning$' "$work/said"
ok "the twin is the call without the flag" sh -c "'$tool' explain $case | grep -A 1 '^  the twin, which must be accepted:' | grep -q 'nothing is changed'"
another=$(tr '\n' ' ' <"$page" | sed -n 's/.*another \*feature\*, `\([a-z-]*\)`.*/\1/p')
"$tool" list --features | cut -f 1 >"$work/features"
ok "the other feature" grep -qx "$another" "$work/features"
feature=$(sed -n 's/^| \*\*feature\*\*.* `\([a-z-]*\)`: \(.*\) |$/\1 \2/p' "$page" | tr -d ,)
ok "the feature" sh -c "'$tool' list --features | awk -F'\t' '{print \$1, \$NF}' | grep -qx '$feature'"
for kind in $(grep '^| \*\*kind\*\*' "$page" | grep -o '`[a-z-]*`' | tr -d '`'); do
    ok "the kind $kind" grep -qF "\"$kind\"" emulator/driver_kinds.c
done

picture=docs/concepts.svg
ok "the picture is well formed" xmllint --noout "$picture"
for term in statement rule test twin runner kernel driver machine exchange finding verdict report; do
    ok "the picture shows $term" grep -q ">[^<]*$term" "$picture"
done
summary
