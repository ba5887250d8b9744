#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/internal/worlds.md has every member of the messages of the header once and no other; what it names is in cases/ or spec/; what is not
# varied has a reason, and how much that is, is pinned here: it may become less.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
table=${WCTS_WORLDS:-docs/internal/worlds.md}
header=${WCTS_HEADER:-include/wddm-cts.h}
not_varied=51 # members
empty=4       # cells of the table of states
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Prints a heading and the lines of standard input; fails when there are any.
none() {
    cat >"$work/found"
    [ -s "$work/found" ] || return 0
    echo "$table: $1"
    sed 's/^/  /' "$work/found"
    : >"$work/bad" # not a variable: the end of a pipe is a process of its own
}

# count WHAT GOT PINNED
count() {
    [ "$2" -eq "$3" ] && return 0
    echo "$table: $2 $1, pinned are $3"
    : >"$work/bad"
}

# "structure member" of all that is in a message, before the two tables of functions.
awk '/^\/\* ---- The two tables/ {exit}
     /^struct wcts_[A-Za-z0-9_]+ \{/ {name = substr($2, 6); depth = 1; next}
     name == "" {next}
     /\{$/ {depth++; next}
     /^ *\}/ {if (--depth == 0) name = ""; else if ($2 != "") print name, $2; next}
     {sub(/\/\*.*/, ""); sub(/\[.*\]/, ""); if (sub(/;.*/, "")) print name, $NF}' "$header" |
    sed 's/;$//' | grep -vE ' (size|reserved|Pad[0-9]|Reserved[01]?|\})$' | sort -u >"$work/members"
[ "$(grep -c . "$work/members")" -gt 300 ] || { echo "the members could not be read"; exit 1; }

# structure, members, how, where.
awk -F'|' 'NF == 6 && $2 !~ /structure|---/ {
    for (i = 2; i <= 5; i++) gsub(/^ +| +$/, "", $i)
    n = split($3, each, " ")
    for (i = 1; i <= n; i++) print $2 " " each[i] "\t" $4 "\t" $5
}' "$table" >"$work/rows"
cut -f1 "$work/rows" | sort >"$work/named"
sort -u "$work/named" | comm -23 "$work/members" - | none "members that are in no row"
sort -u "$work/named" | comm -13 "$work/members" - | none "rows of what is no member"
uniq -d "$work/named" | none "members in several rows"

# What a row names is there, or it has a reason in words.
cut -f2 "$work/rows" | sort -u | grep -vE '^(varied|looked at|follows|not varied)$' |
    none "words that it does not explain"
{
    sed -n 's/.*<[a-z]* name="\([^"]*\)".*/\1/p' cases/*.xml
    sed -n 's/.*<domain of="\([^"]*\)".*/\1/p' cases/*.xml
} | sort -u >"$work/cases"
sed -n 's/.*<statement id="\([^"]*\)".*/\1/p' spec/*.xml | sort -u >"$work/statements"
names() {
    # shellcheck disable=SC2016
    grep -o '`[^`]*`' | tr -d '`' | sort -u
}
awk -F'\t' '$2 == "varied" {print $3}' "$work/rows" | names | comm -23 - "$work/cases" |
    none "scenarios, adapters, steps or domains that are not in cases/"
awk -F'\t' '$2 == "looked at" {print $3}' "$work/rows" | names | comm -23 - "$work/statements" |
    none "statements that are not in spec/"
awk -F'\t' '($2 == "looked at" && $3 !~ /`/) || $3 !~ /[A-Za-z]/ {print $1}' "$work/rows" |
    none "rows that neither name anything nor have a reason"
count "members are not varied" "$(grep -c '	not varied	' "$work/rows")" "$not_varied"

# The states.
awk -F'|' 'NF == 10 && $2 !~ /state|---/ {for (i = 3; i <= 9; i++) {gsub(/ /, "", $i); print $i}}' \
    "$table" >"$work/cells"
names <"$work/cells" | comm -23 - "$work/cases" | none "scenarios of states that are not in cases/"
count "cells of the states are empty" "$(grep -cx -e - "$work/cells")" "$empty"

[ ! -e "$work/bad" ]
