#!/bin/sh
# SPDX-License-Identifier: MIT
# Recordings that are wrong, one file each in tests/check/negative: the exact message, with its line,
# and exit status 2. WCTS_UPDATE=1 writes the messages anew. Run from the source directory.
# shellcheck source=tests/common.sh
. tests/common.sh

for wrong in tests/check/negative/*.jsonl; do
    status 2 "$tool" check "$wrong"
    [ -z "${WCTS_UPDATE:-}" ] || cp "$work/err" "${wrong%.jsonl}.expected"
    ok "$wrong" cmp "${wrong%.jsonl}.expected" "$work/err"
    ok "$wrong prints no result" [ ! -s "$work/out" ]
done
status 2 "$tool" check "$work/none.jsonl"
ok "no file" grep -q "^$work/none.jsonl: No such file or directory, expected a file of JSON lines, or a trace$" "$work/err"
status 2 "$tool" check "$work"
ok "no run" grep -q "run.json" "$work/err"
mkdir "$work/dir"
status 2 "$tool" check --export "$work/x" tests/check/driver.jsonl
ok "a file is no run" grep -q 'is no directory, expected a run' "$work/err"
status 2 "$tool" check
status 2 "$tool" check --wddm 9.9 tests/check/driver.jsonl
ok "no such version" grep -q -e '--wddm is 9.9, expected one version from 1.0 to 3.2' "$work/err"
status 2 "$tool" check --wddm 2.0..2.6 tests/check/driver.jsonl
status 2 "$tool" check --side machine tests/check/driver.jsonl
ok "no such side" grep -q 'expected caller, kernel or driver' "$work/err"

# Cut anywhere, or with any byte changed, a file is read or is wrong: nothing else.
awk 'BEGIN {while ((getline line < ARGV[1]) > 0) all = all line "\n"
    for (i = 1; i < length(all); i += 37) printf "%d\n", i}' tests/check/driver.jsonl >"$work/cuts"
while read -r cut; do
    head -c "$cut" tests/check/driver.jsonl >"$work/cut.jsonl"
    "$tool" check "$work/cut.jsonl" >"$work/out" 2>"$work/err"
    got=$?
    { [ $got -le 3 ] && { [ $got -ne 2 ] || grep -q '^.*jsonl' "$work/err"; }; } || bad "cut at $cut: $got"
    { head -c "$cut" tests/check/driver.jsonl; printf '\301'; tail -c +$((cut + 2)) tests/check/driver.jsonl; } >"$work/cut.jsonl"
    "$tool" check "$work/cut.jsonl" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -le 3 ] || bad "changed at $cut: $got"
done <"$work/cuts"
ok "there were cuts" [ "$(wc -l <"$work/cuts")" -gt 20 ]
summary
