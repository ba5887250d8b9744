#!/bin/sh
# SPDX-License-Identifier: MIT
# wddm-cts diff: the runs a/ and b/ and the specs tests/negative/good-plan and spec-b/ (laid over
# it) against what is written in runs.txt, specs.txt, ... (WCTS_UPDATE=1 writes them), what diff
# exits with, and what it refuses. Run from the source directory; WCTS_BUILD is the build
# directory.
# shellcheck source=tests/common.sh
. tests/common.sh
here=$(realpath "$(dirname "$0")")
top=$PWD
export WCTS_TODAY=2026-11-21

# status N ARGUMENT...: diff with these exits with N. Output in $work/out and $work/err.
status() {
    expected=$1
    shift
    (cd "$work" && "$tool" diff "$@") >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$expected" ]; then
        good
    else
        bad "diff $*: exit $got, expected $expected"
        cat "$work/out" "$work/err"
    fi
}

# same GOLDEN FILE
same() {
    [ -z "${WCTS_UPDATE:-}" ] || cp "$2" "$here/$1"
    if cmp -s "$here/$1" "$2"; then
        good
    else
        bad "$1:"
        diff "$here/$1" "$2"
    fi
}

# refused LINE ARGUMENT...: exit 2, nothing on standard output, and LINE is all that is said.
refused() {
    line=$1
    shift
    status 2 "$@"
    echo "$line" >"$work/want"
    if cmp -s "$work/want" "$work/err" && [ ! -s "$work/out" ]; then
        good
    else
        bad "diff $*: expected $line"
        cat "$work/err" "$work/out"
    fi
}

cp -r "$here/a" "$here/b" "$work"

# ---- runs ----
status 3 a b
same runs.txt "$work/out"
status 3 a b -v
same runs-all.txt "$work/out"
status 3 a b --json
same runs.json "$work/out"
status 0 a a
same runs-same.txt "$work/out"
status 3 b a
same runs-back.txt "$work/out"

# A failure in another way alone, or less of them, is no new failure.
cp -r "$work/a" "$work/c"
sed -i '/otherwise/s/222222222222/888888888888/' "$work/c/journal.jsonl"
status 0 a c
grep -q '^failing in another way  1$' "$work/out" || { failed=$((failed + 1)); cat "$work/out"; }
sed -i '/otherwise/s/"verdict":"fail"/"verdict":"pass"/' "$work/c/journal.jsonl"
status 0 a c
# A new failure in a finished run.
sed -i '1s/"verdict":"pass"/"verdict":"fail"/' "$work/c/journal.jsonl"
status 1 a c
# A run that was killed ends in half a line.
sed -i 's/"done"/"running"/' "$work/c/run.json"
printf '{"id":"X-0' >"$work/half"
{ head -n 3 "$work/a/journal.jsonl"; cat "$work/half"; } >"$work/c/journal.jsonl"
status 3 a c
grep -q ' 3 of 24 cases$' "$work/out" || { failed=$((failed + 1)); cat "$work/out"; }

# A finished run has all its entries, or somebody removed them.
sed -i 's/"running"/"done"/' "$work/c/run.json"
head -n 3 "$work/a/journal.jsonl" >"$work/c/journal.jsonl"
refused 'c/journal.jsonl:4: the journal ends here, expected 24 entries: it was cut short' a c

# ---- specs ----
cp -r "$top/tests/negative/good-plan" "$work/one"
cp -r "$work/one" "$work/two"
cp -r "$here/spec-b/spec" "$work/two"
status 0 one two
same specs.txt "$work/out"
status 0 one two --json
same specs.json "$work/out"
status 0 one/spec two/spec
sed -e 's|one/spec|one|; s|two/spec|two|' "$work/out" >"$work/outer"
same specs.txt "$work/outer"
status 0 one one
same specs-same.txt "$work/out"
status 0 "$top" "$top"
cp -r "$work/one" "$work/three"
echo '<!-- a comment -->' >>"$work/three/spec/errata.xml"
status 0 one three
tail -n 1 "$work/out" >"$work/last"
echo 'no statement, rule or case is different, but something else in the files is' >"$work/want"
cmp -s "$work/want" "$work/last" || { failed=$((failed + 1)); cat "$work/out"; }
first=$(sed -n 's/^    \(FST-4.*\)/\1/p' "$here/specs.txt" | head -n 1)
cat >"$work/b.xml" <<END
<baseline>
  <waiver case="$first" reason="goes" expires="2027-01-31"/>
  <waiver match="FST-4/.*" reason="goes, too" expires="2027-01-31"/>
  <waiver match="FST-1/.*" reason="stays" expires="2027-01-31"/>
  <waiver case="FST-0/none" reason="was none before" expires="2027-01-31"/>
</baseline>
END
status 1 one two --baseline b.xml
sed -n '/^waivers orphaned/,$p' "$work/out" >"$work/orphaned"
same orphaned.txt "$work/orphaned"
status 0 two one --baseline b.xml
status 0 one one --baseline b.xml

# ---- what is refused ----
either='expected a run (with run.json) or a spec (with spec/ and cases/)'
refused "wddm-cts: a/run.json is a file, $either" a/run.json b
refused "wddm-cts: a/run.json/.: Not a directory, $either" a a/run.json/.
refused "wddm-cts: none: No such file or directory, $either" a none
refused "wddm-cts: one/cases is neither, $either" one one/cases
refused "wddm-cts: a is a run and one a spec, expected two of a kind" a one
refused "wddm-cts: one is a spec and a a run, expected two of a kind" one a
refused "wddm-cts: --baseline with two runs, expected two specs" a b --baseline b.xml
status 2 a
status 2 a b c

# broken NAME FILE TEXT LINE: a run whose FILE is TEXT.
broken() {
    rm -rf "${work:?}/$1"
    cp -r "$work/a" "$work/$1"
    printf "$3" >"$work/$1/$2"
    refused "$4" a "$1"
}
broken run run.json '{"implementation": 1' \
    "run/run.json:1: '}' expected near end of file, expected the description of a run"
broken run run.json '[]' 'run/run.json:1: no object, expected the description of a run'
broken run run.json '{}' 'run/run.json:1: no implementation, expected the description of a run'
broken plan plan.tsv 'id\tkind\n' \
    'plan/plan.tsv:1: no plan, expected columns id and statement'
broken plan plan.tsv '#id\tstatement\nX-001/same\n' \
    'plan/plan.tsv:2: 1 column, expected 2'
broken journal journal.jsonl '{"id":"X-001/same","verdict":"pass"}\n{"id":' \
    'journal/journal.jsonl:2: the journal ends here, expected 24 entries: it was cut short'
broken journal journal.jsonl '{"id":"X-001/same"}\n' \
    'journal/journal.jsonl:1: no entry, expected an object with id and verdict'
broken journal journal.jsonl '{"id":"X-001/same","verdict":"good"}\n' \
    'journal/journal.jsonl:1: no entry, expected an object with id and verdict'
broken journal journal.jsonl '{"id":"X-9","verdict":"pass"}\n' \
    'journal/journal.jsonl:1: case X-9, expected X-001/same'
broken journal journal.jsonl \
    '{"id":"X-001/same","verdict":"pass"}\n{"id":"X-001/same","verdict":"pass"}\n' \
    'journal/journal.jsonl:2: a second entry for case X-001/same, expected X-001/fails'
rm "$work/journal/journal.jsonl"
refused 'journal/journal.jsonl: No such file or directory, expected a file of a run directory' a journal
cp -r "$work/one" "$work/wrong"
echo '<spec/>' >"$work/wrong/spec/100-first.xml"
status 2 one wrong
grep -q '^wrong/spec/100-first.xml:1: <spec> has no attribute' "$work/err" ||
    { failed=$((failed + 1)); cat "$work/err"; }

summary
