#!/bin/sh
# SPDX-License-Identifier: MIT
# --max-cases: the cases that are worth most, the same in every run, and how far they reach. Run
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
status 0 "$tool" run -q --max-cases 3600 --out "$work/more"
ok "the strength is stated" grep -Eqx \
    'no failure in .*; every rule once; every call at one version; [0-9]+ of [0-9]+ rows of pairs' \
    "$work/out"
ids "$work/more" | sort >"$work/more.ids"
ok "a prefix is a part of a longer one" [ -z "$(sort "$work/one.ids" | comm -23 - "$work/more.ids")" ]
ok "run.json has it" [ "$(sed -n '/"rules": {/,/}/p' "$work/more/run.json" | grep -c ': 4[0-9]*,*$')" -eq 2 ]
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

for wrong in 0 -1 x 5x ''; do
    status 2 "$tool" run --max-cases "$wrong" --out "$work/wrong"
    ok "$wrong is no number of cases" grep -q 'expected a number from 1 to 100000000' "$work/err"
done
summary
