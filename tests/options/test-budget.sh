#!/bin/sh
# SPDX-License-Identifier: MIT
# --max-cases and --budget: the cases that are worth most, and how far they reach. Run
# from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

ids() {
    cut -f 1 "$1/plan.tsv" | grep -v '^#'
}

# One case of each rule, and no sweep, row or sequence, comes before all else.
status 0 "$tool" run -q -j 1 --max-cases 300 --out "$work/one"
ok "it is a selection" grep -Eqx \
    'no failure in the selection: 300 of [0-9]+ cases; 300 of [0-9]+ rules once' "$work/out"
ids "$work/one" >"$work/one.ids"
ok "300 cases ran" [ "$(wc -l <"$work/one.ids")" -eq 300 ]
# A rule has at most one case of each side and expectation.
ok "no rule comes before all have come" \
    [ -z "$(sed 's,/wddm.*,,' "$work/one.ids" | sort | uniq -c | awk '$1 > 2')" ]
status 0 "$tool" run -q -j 2 --max-cases 300 --out "$work/two"
ok "any number of workers runs the same" cmp "$work/one/plan.tsv" "$work/two/plan.tsv"
ok "and ends the same" cmp "$work/one/verdicts.txt" "$work/two/verdicts.txt"
status 0 "$tool" list --impl emulator,strict --max-cases 300
ok "list names them" cmp "$work/out" "$work/one.ids"

# A longer prefix has what a shorter one has, and names the first sort that is not whole.
status 0 "$tool" run -q --max-cases 26000 --out "$work/more"
ok "the strength is stated" grep -Eqx \
    'no failure in .*; every rule once; every call at one version; [0-9]+ of [0-9]+ rows of pairs' \
    "$work/out"
ids "$work/more" | sort >"$work/more.ids"
ok "a prefix is a part of a longer one" [ -z "$(sort "$work/one.ids" | comm -23 - "$work/more.ids")" ]
sed -n '/"rules": {/,/}/p' "$work/more/run.json" | grep -o '[0-9][0-9][0-9]' >"$work/rules"
ok "run.json has it: all of them" [ "$(wc -l <"$work/rules"):$(sort -u "$work/rules" | wc -l)" = 2:1 ]
tail -n 1 "$work/out" >"$work/line"
status 0 "$tool" report "$work/more"
ok "report states it" [ "$(tail -n 1 "$work/out")" = "$(cat "$work/line")" ]
status 0 "$tool" report --level strict "$work/more"
ok "and at another level" grep -q 'every rule once; every call' "$work/out"

# Without more than that nothing is left out, but it is still no claim; verify counts the same.
status 0 "$tool" run -q --max-cases 100000 --filter '^CAF-04' --out "$work/all"
ok "all are enough" grep -q '; every rule once; every call at one version;' "$work/out"
"$tool" verify "$work/all" >"$work/out" 2>&1
ok "verify finds nothing wrong" [ -z "$(grep '^  *not ok' "$work/out")" ]

# What is not claimed is worth nothing: no case of a missing version comes before one that can run.
implementation="$build/plugins/no_sharing.so,emulator=$build/emulator.so,versions=0x5023+0x6003"
"$tool" run -q --impl "$implementation" --max-cases 300 --out "$work/old" >"$work/out" 2>&1
ok "cases ran" [ "$(wc -l <"$work/old/verdicts.txt")" -eq 300 ]
ok "what is claimed comes first" [ "$(grep -c 'this WDDM version' "$work/old/verdicts.txt")" -eq 0 ]

# --budget: a prefix too, as long as the time. Here a second is a hundred cases.
WCTS_CASES_A_SECOND=100
export WCTS_CASES_A_SECOND
status 0 "$tool" run -q -j 1 --budget 3s --out "$work/short"
ok "the time is enough for 300 cases" cmp "$work/one/plan.tsv" "$work/short/plan.tsv"
ok "which end as with --max-cases" cmp "$work/one/verdicts.txt" "$work/short/verdicts.txt"
ok "and are no claim" grep -Eqx \
    'no failure in the selection: 300 of [0-9]+ cases; 300 of [0-9]+ rules once' "$work/out"
status 0 "$tool" run -q -j 2 --budget 1m --out "$work/long"
ok "the strength is stated too" grep -Eqx \
    'no failure in the selection: 6000 of [0-9]+ cases; every rule once; [0-9]+ of [0-9]+ calls at one version' "$work/out"
tail -n 1 "$work/out" >"$work/line"
ids "$work/long" >"$work/long.ids"
status 0 "$tool" list --impl emulator,strict --max-cases 6000
ok "minutes, and two workers: the same as with --max-cases" cmp "$work/out" "$work/long.ids"
status 0 "$tool" report "$work/long"
ok "report states it of a budget" [ "$(tail -n 1 "$work/out")" = "$(cat "$work/line")" ]
ok "run.json has the time" grep -q '"seconds": 60.0' "$work/long/run.json"
"$tool" verify "$work/long" >"$work/out" 2>&1
ok "each case is judged again" grep -q 'judged again  *6000 of 6000 verdicts' "$work/out"
ok "verify finds nothing wrong with a budget" [ -z "$(grep '^  *not ok' "$work/out")" ]
status 0 "$tool" run -q --budget 1h --max-cases 200 --out "$work/both"
ok "no more than --max-cases" [ "$(wc -l <"$work/both/verdicts.txt")" -eq 200 ]
status 0 "$tool" run -q --budget 1h --filter '^CAF-04' --out "$work/whole"
ok "with time for all it is no claim either" grep -q \
    '^no failure in .*; every rule once; every call at one version;' "$work/out"
"$tool" run --budget 3s --impl "$build/plugins/accept_all.so" --out "$work/wrong" >"$work/out" 2>&1
ok "a failure is a failure" [ $? -eq 1 ]
ok "with its cause" grep -q '^    reproduce: ' "$work/out"
"$tool" run --budget 3s --max-failures 1 --impl "$build/plugins/accept_all.so" --tap \
    --out "$work/wrong" >"$work/out" 2>&1
ok "the first failure ends it" [ "$(grep -c '^not ok' "$work/out")" -eq 1 ]
unset WCTS_CASES_A_SECOND
# A sweep ends with its share of the time: here it is enough for a thousand values.
WCTS_VALUES_A_SWEEP=1000 "$tool" run -q -j 1 --budget 1h --filter '^CAF-001/' --out "$work/swept" >"$work/out" 2>&1
ok "sweeps are counted that ended early" grep -Eq \
    '; every call at every version; 11 of 19 sets of legal words, 8 more in part$' "$work/out"
tail -n 1 "$work/out" >"$work/line"
ok "and state how far they came" grep -q \
    'CAF-001/sweep-accept/wddm3_2	1,024 of 24,576 legal words in the time, all with up to 3 flags, ' "$work/swept/verdicts.txt"
ok "words that break several rules do so in another order" grep -q \
    'wddm3_2	1,024 of 2,048 words that break several rules in the time, digest' "$work/swept/verdicts.txt"
ok "run.json has them" grep -q '"partly": 8' "$work/swept/run.json"
status 0 "$tool" report "$work/swept"
ok "report states it of sweeps" [ "$(tail -n 1 "$work/out")" = "$(cat "$work/line")" ]
"$tool" verify "$work/swept" >"$work/out" 2>&1
ok "and each is judged again" [ "$(grep -c '^  *not ok' "$work/out"):$(grep -c 'judged again' "$work/out")" = 0:1 ]
WCTS_VALUES_A_SWEEP=1000 "$tool" run -q -j 1 --budget 1h --filter '^CAF-001/sweep-accept/wddm3_2$' \
    --impl "$build/plugins/refuse_some.so,what=three-flags,emulator=$build/emulator.so" --out "$work/refused" >"$work/out" 2>&1
ok "what was found in the time is a finding" grep -q 'exactly when' "$work/refused/verdicts.txt"
# The clock: any time is enough for nothing or more, and never for a claim.
"$tool" run -q --budget 0.000001 --out "$work/nothing" >"$work/out" 2>&1
ok "almost no time" grep -Eq '^no (failure in the selection|case )' "$work/out"
for wrong in 0 -1s x 5x 1d 1e9h ''; do
    status 2 "$tool" run --budget "$wrong" --out "$work/wrong"
    ok "$wrong is no time" grep -q 'expected TIME\[s|m|h\]' "$work/err"
done

for wrong in 0 -1 x 5x ''; do
    status 2 "$tool" run --max-cases "$wrong" --out "$work/wrong"
    ok "$wrong is no number of cases" grep -q 'expected a number from 1 to 100000000' "$work/err"
done
# In the full suite rows of pairs come before those of triples: the first ones are those that the
# standard suite has.
"$tool" list --filter '^CAF-002/combination/' | sort >"$work/pairs"
"$tool" list --suite full --filter '^CAF-002/combination/' --max-cases "$(wc -l <"$work/pairs")" | sort >"$work/first"
ok "pairs come first" cmp "$work/pairs" "$work/first"

summary
