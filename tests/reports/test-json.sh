#!/bin/sh
# SPDX-License-Identifier: MIT
# JSON lines: an object a case, as the journal has them, and the run as the last; no key that
# docs/ci.md does not name.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh

status 1 "$tool" run --json --impl "$plugins/accept_all.so" --filter '^CAF-0' --out "$work/run"
mv "$work/out" "$work/lines"
sed '$d' "$work/lines" >"$work/cases"
ok "cases are those of the journal" cmp "$work/cases" "$work/run/journal.jsonl"
ok "a line for each case" [ "$(grep -c '^{"id":"' "$work/cases")" -eq "$(grep -vc '^#' "$work/run/plan.tsv")" ]
rm -f "$work/once"
"$tool" run --json --impl "$plugins/misbehave.so,do=noise,nth=1" --filter '^CAF-003/' --out "$work/noise" \
    2>"$work/log" | sed '$d' >>"$work/cases"
"$tool" run --json --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-003/refuse/wddm3_2/' \
    --out "$work/crash" 2>"$work/log" | sed '$d' >>"$work/cases"

# The keys: what is left of an object when its texts are gone.
sed -E 's/:"([^"\\]|\\.)*"/:S/g' "$work/cases" | grep -o '"[a-z_]*":' | tr -d '":' | sort -u >"$work/keys"
ok "it has keys: $(tr '\n' ' ' <"$work/keys")" [ "$(grep -c . "$work/keys")" -ge 5 ]
sed -n '/^| key | |$/,/^$/p' docs/ci.md | sed 's/^\(| [^|]*|\).*/\1/' | grep -o '`[a-z_]*`' | tr -d '`' |
    sort -u >"$work/told"
comm -23 "$work/keys" "$work/told" >"$work/odd"
ok "each is told: $(cat "$work/odd")" [ ! -s "$work/odd" ]
printf '%s\n' rule waiver was attempts found levels fails walk | cat - "$work/keys" | sort -u | comm -13 - "$work/told" >"$work/odd"
ok "and what is told is there: $(cat "$work/odd")" [ ! -s "$work/odd" ]

# The last line is run.json.
tail -n 1 "$work/lines" | tr -d ' \n' >"$work/a"
tr -d ' \n' <"$work/run/run.json" >"$work/b"
ok "the last line is run.json" cmp "$work/a" "$work/b"
summary
