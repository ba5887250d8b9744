#!/bin/sh
# SPDX-License-Identifier: MIT
# wddm-cts coverage from outside: both ladders of a small spec as text and JSON (WCTS_UPDATE=1 writes
# them anew), what --require says, and the ladders of the spec itself. Run from the source directory.
. tests/common.sh
here=tests/coverage

# golden NAME: $work/out is that file.
golden() {
    [ -z "${WCTS_UPDATE:-}" ] || cp "$work/out" "$here/$1"
    ok "$1" diff "$here/$1" "$work/out"
}

says() {
    ok "says $1" grep -qF -e "$1" "$work/err"
}

cp -R tests/data/cover/cases "$work/cases"
# of DIRECTORY OPTION...: coverage of the small spec, with a record in $work/cases or without.
small() {
    set -- "$tool" coverage --spec-dir tests/data/cover/spec --cases-dir "$work/cases" "$@"
    status "$expect" "$@"
}

# ---- the suite ----
expect=0
small -v
golden suite.txt
ok "no line is longer than 100" [ "$(wc -L <"$work/out")" -le 100 ]
small --json
golden suite.json
small --filter '^COV-00[13]$' --require both-ways=100% --require ruled=100%
small --filter '^COV-002$' --require generated=100%
expect=1
small --require both-ways=100%
says 'wddm-cts: --require both-ways=100%: 4 of 6 statements are there; short are'
says '  COV-002  stopped at generated: not both ways: rule COV-002, condition "when NumAllocations'
says '  COV-005  stopped at recorded: pending'
small --filter '^COV-001$' --require killed=0%
says 'no mutation record: make mutation writes one; short are'
says '  COV-001  stopped at both ways: no record'

# ---- with a record ----
zeros=0000000000000000000000000000000000000000000000000000000000000000
printf '#digest\t%s\nCOV-001\tCOV-001\tkilled\t1\tX\tright\n' $zeros >"$work/cases/mutation.tsv"
small --filter '^COV-001$' --require killed=100%
says "stale: the mutation record has spec digest $zeros"
ok "the table says stale" grep -q '1 100% *stale$' "$work/out"
digest=$(sed -n 's/.*"spec_digest": "\([0-9a-f]*\)".*/\1/p' "$here/suite.json")
printf '#digest\t%s\nCOV-001\tCOV-001\tkilled\t1\tX\tright\nCOV-004\tCOV-004\tnone\t0\t\t\n' \
    "$digest" >"$work/cases/mutation.tsv"
expect=0
small --filter '^COV-001$' --require killed=100%
small
golden killed.txt
expect=1
small --filter '^COV-00[14]$' --require killed=50.5%
says 'COV-004  stopped at both ways: rule COV-004: either outcome is right'
expect=0
small --filter '^COV-00[14]$' --require killed=50%
printf '#digest\t%s\nCOV-001\tkilled\n' "$digest" >"$work/cases/mutation.tsv"
expect=2
small
says 'mutation.tsv:2: 2 columns, expected 6'
rm "$work/cases/mutation.tsv"

# ---- a run ----
expect=0
small $here/run
golden run.txt
small $here/run --json
golden run.json
expect=1
small $here/run --require verdict=40%
says '  COV-002  stopped at exercised: rule COV-002: twin refused'
expect=2
small "$work/no-such-run"
says 'plan.tsv: No such file or directory, expected a file of a run directory'
mkdir "$work/wrong"
printf 'COV-001/x\twitness\taccept\t1.0\t4096\tCOV-9\n' >"$work/wrong/plan.tsv"
small "$work/wrong"
says 'plan.tsv:1: COV-9, expected a statement of the spec'
printf '#id\nCOV-001/x\twitness\taccept\t0.1\t4096\tCOV-001\n' >"$work/wrong/plan.tsv"
small "$work/wrong"
says 'plan.tsv:2: 0.1, expected a version of the spec'
printf '#id\nCOV-001/x\n' >"$work/wrong/plan.tsv"
small "$work/wrong"
says 'plan.tsv:2: 1 column, expected 6'

# A directory that somebody damaged is no run: what is missing would pass for not reached.
damaged() {
    rm -rf "$work/wrong"
    cp -R $here/run "$work/wrong"
    sed -i "$2" "$work/wrong/$1"
    small "$work/wrong"
}
cases=$(grep -vc '^#' $here/run/plan.tsv)
lines=$(grep -c . $here/run/journal.jsonl)
damaged run.json 's/"stopped"/"done"/'
says "wrong/journal.jsonl:$((lines + 1)): the journal ends here, expected $cases entries: it was cut short"
damaged run.json "1s/{/[/"
says "wrong/run.json:1: "
says ', expected the description of a run'
damaged journal.jsonl '3s/"verdict": *"/&un/'
says 'wrong/journal.jsonl:3: no entry, expected an object with id and verdict'
damaged journal.jsonl '3p'
says 'wrong/journal.jsonl:4: a second entry for case COV-'
damaged journal.jsonl '3s/"id": *"/&X/'
says 'wrong/journal.jsonl:3: case XCOV-'
rm "$work/wrong/run.json"
small "$work/wrong"
says "wrong/run.json"

# ---- what is required is named ----
small --require 90%
says 'wddm-cts: --require 90%: expected STEP=N%: the step is named, as in killed=100% of the suite'
for wrong in killed=101% killed=-1% killed=x% killed=5 killed= killed; do
    small --require "$wrong"
    says "wddm-cts: --require $wrong: expected"
done
small --require verdict=90%
says 'the suite has no step verdict, expected recorded, ruled, generated, both ways or killed; those of a run: coverage DIR'
small $here/run --require killed=90%
says 'the run has no step killed, expected selected, executed, exercised, observed or verdict; those of the suite'
small one two
small --filter '('
expect=3
small --filter '^NONE'
small --filter '^COV-006$'
says 'no testable statement is selected'

# ---- selecting ----
expect=0
small --wddm 1.0 --json
ok "COV-003 begins later" sh -c "! grep -q COV-003 '$work/out'"
small --role kernel --json
ok "callers are the kernel's matter" grep -q COV-001 "$work/out"
expect=3
small --role driver

# ---- effects ----
status 0 "$tool" coverage --spec $here/always.xml --filter '^ALW' -v
ok "a condition that is never false" \
    grep -q 'ALW-001 *generated *not both ways: rule ALW-001, condition "when NumOperations' "$work/out"
ok "an effect that never comes" grep -q 'ALW-002 *generated *effect ALW-002 did not come' "$work/out"
ok "one with a pair" sh -c "! grep -q 'ALW-003 *generated' '$work/out'"

# ---- the spec itself ----
status 0 "$tool" coverage --require recorded=100% --require ruled=100% --require generated=100% \
    --require both-ways=93% -v
ok "no line is longer than 100" [ "$(sed '/^conditions$/,$d' "$work/out" | wc -L)" -le 100 ]
# conditions FILE EXPRESSION: those of the rules whose ids match.
conditions() {
    sed '1,/^conditions$/d' "$1" | awk -v ids="$2" '/^  [A-Z]/ {is = $1 ~ ids} is'
}
# Whether all are asked or these alone: a layout that answers show, and no call; an effect, a rule with both.
cp "$work/out" "$work/all"
for some in AIN-001 'UVA-001|CAF-014|AIN-011'; do
    conditions "$work/all" "^($some)([.]|\$)" >"$work/among"
    status 0 "$tool" coverage --filter "^($some)\$" -v
    conditions "$work/out" . >"$work/alone"
    ok "what is covered alone" [ "$(wc -l <"$work/alone")" -gt 30 ]
    ok "is covered as among all" cmp "$work/among" "$work/alone"
done
# All of the suite conforms in CI (tests/bench.sh); its worthiest cases show each statement.
status 0 "$tool" run -q --impl emulator --level strict --max-cases 4000 --out "$work/run"
status 0 "$tool" coverage "$work/run" --require verdict=100%
status 0 "$tool" run -q --wddm 2.0 --filter '^UVA-0' --out "$work/part"
status 1 "$tool" coverage "$work/part" --filter '^CAF' --require selected=1%
ok "nothing of another document is selected" grep -q 'no case of rule CAF-001 is in the run' "$work/out"

# ---- a run of one side ----
status 3 "$tool" run -q --impl "$plugins/bare_driver.so,emulator=$build/emulator.so" \
    --out "$work/driver"
status 0 "$tool" coverage "$work/driver"
ok "what the kernel does is left out" sh -c "! grep -q ' CAF-003 ' '$work/out'"
ok "which is said" grep -qE '^left out: [1-9][0-9]* statements without a case of its side ' "$work/out"
ok "what the driver does is there" grep -qE '^ driver +[1-9]' "$work/out"
ok "and nothing else" sh -c "! grep -qE '^ (caller|kernel) |no case of rule' '$work/out'"
status 0 "$tool" coverage "$work/driver" --role both
ok "unless asked for" grep -q '^  CAF-003   nothing ' "$work/out"
ok "nothing is left out then" sh -c "! grep -q '^left out' '$work/out'"

summary
