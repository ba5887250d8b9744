#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/internal/observation.md names every testable statement once and no other, operations that the header
# has, and each of these at least once; nothing that is an effect is shown by a status alone.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
tool=${WCTS_BUILD:-build/default}/wddm-cts
map=${WCTS_OBSERVATION:-docs/internal/observation.md}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Prints a heading and the lines of standard input; fails when there are any.
none() {
    cat >"$work/found"
    [ -s "$work/found" ] || return 0
    echo "$map: $1"
    sed 's/^/  /' "$work/found"
    : >"$work/bad" # not a variable: the end of a pipe is a process of its own
}

# id, form, status; one line each.
"$tool" list --statements --json >"$work/json" || exit 1
tr ',{' '\n\n' <"$work/json" | sed -n 's/^ *"\(id\|form\|status\)": *"\([^"]*\)".*/\1 \2/p' |
    awk '$1 == "id" {id = $2} $1 == "form" {form = $2} $1 == "status" {print id, form, $2}' |
    sort >"$work/statements"
grep -v ' not-testable$' "$work/statements" >"$work/testable"
[ -s "$work/testable" ] || { echo "no statement could be read"; exit 1; }
cut -d' ' -f1 "$work/testable" >"$work/wanted"

# id, operations, what is looked at; one line each, blanks only between the three.
awk -F'|' 'NF == 6 && $2 ~ /^ [A-Z]+-[0-9]+ $/ {
    gsub(/[` ]+/, ",", $3); gsub(/[ ,]+/, ",", $4); gsub(/ /, "", $2)
    gsub(/^,|,$/, "", $3); gsub(/^,|,$/, "", $4)
    print $2, $3, $4, ($5 ~ /\(in part\)/ ? "part" : "whole")
}' "$map" >"$work/rows"
cut -d' ' -f1 "$work/rows" | sort >"$work/named"

sort -u "$work/named" | comm -23 "$work/wanted" - | none "testable statements that have no row"
sort -u "$work/named" | comm -13 "$work/wanted" - | none "rows of what is no testable statement"
uniq -d "$work/named" | none "statements with several rows"

# The header's list: X(PARTY, NAME, 0x...
tr -d '\n\\' <include/wddm-cts.h | grep -o 'X([A-Z]*, *[A-Z_]*, *0x' |
    sed 's/X(\([A-Z]*\), *\([A-Z_]*\),.*/\1_\2/' | sort >"$work/operations"
[ -s "$work/operations" ] || { echo "no operation could be read"; exit 1; }
cut -d' ' -f2 "$work/rows" | tr ',' '\n' | sort -u >"$work/used"
awk -F'|' 'NF == 4 && $2 ~ /^ `[A-Z_]+` $/ && $3 ~ /[a-z]/ {gsub(/[` ]/, "", $2); print $2}' \
    "$map" | sort -u >"$work/excused"
comm -23 "$work/used" "$work/operations" | none "operations that the header does not have"
cat "$work/used" "$work/excused" | sort -u | comm -13 - "$work/operations" |
    none "operations of the header that no row names and nothing excuses"
comm -12 "$work/used" "$work/excused" | none "operations that are excused and named"
comm -23 "$work/excused" "$work/operations" | none "excused operations that the header does not have"

# What is looked at.
for word in status answer reply asked order bytes; do echo $word; done | sort >"$work/words"
cut -d' ' -f3 "$work/rows" | tr ',' '\n' | sort -u | comm -23 - "$work/words" |
    none "words for what is looked at that it does not explain"
awk '$3 == "pending" || $2 ~ /^(effect|order|lifetime|out|atomic)$/ {print $1}' \
    "$work/testable" >"$work/effects"
awk '$3 == "status" {print $1}' "$work/rows" | sort | comm -12 "$work/effects" - |
    none "effects that a status alone is to show"

# What is shown in part is explained, and nothing else.
awk '$4 == "part" {print $1}' "$work/rows" | sort >"$work/part"
awk -F'|' 'NF == 4 && $2 ~ /^ [A-Z]+-[0-9]/ {gsub(/[, ]+/, "\n", $2); print $2}' "$map" |
    grep . | sort >"$work/explained"
comm -3 "$work/part" "$work/explained" | tr -d '\t' |
    none "marked as shown in part without an explanation, or explained without a mark"

[ ! -e "$work/bad" ]
