#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes down everything that a build says, to be compared with what another says: collect.sh TREE
# REFERENCE OUT. TREE has the tool, the emulator, spec/ and cases/. REFERENCE has what both are asked
# with: the plug-ins, the wrong specs and baselines. Everything that OUT holds is the same each time.
# WCTS_PART=K/N: of the runs, and of what is explained, the K-th of N parts.
set -u
tree=$1 out=$3
here=$(cd "$(dirname "$0")" && pwd)
reference=$(cd "$2" && pwd)
mkdir -p "$out" || exit 1
out=$(cd "$out" && pwd)
tree=$(cd "$tree" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export tool="$tree/build/default/wddm-cts" emulator="$tree/build/default/emulator.so" reference out work
# In a place of its own: "explain" shows results of the last run in out/.
mkdir "$work/tree"
ln -s "$tree/spec" "$tree/cases" "$work/tree"
cd "$work/tree" || exit 1
export WDDM_CTS_COLOR=never LC_ALL=C
jobs=$(nproc)

# keep NAME COMMAND...: what it prints, and its exit status.
cat >"$work/keep" <<'KEEP'
name=$1
shift
mkdir -p "$(dirname "$out/$name")"
"$@" >"$out/$name" 2>&1 </dev/null
echo "exit status $?" >>"$out/$name"
KEEP
keep() {
    sh "$work/keep" "$@"
}

# ---- the plan ----
for suite in smoke standard full; do
    keep "plan/$suite" "$tool" list -v --suite $suite
done
for what in rules statements features; do
    keep "plan/$what" "$tool" list --$what
    keep "plan/$what.json" "$tool" list --$what --json
done
keep plan/mustpass "$tool" list --mustpass
keep plan/lint "$tool" lint
keep plan/coverage "$tool" coverage
keep plan/faults "$tool" faults

# ---- every id in words ----
{
    "$tool" list --statements
    "$tool" list --rules
    sed -n 's/.*<erratum id="\([^"]*\)".*/\1/p' spec/errata.xml
    "$tool" list --suite full
} | cut -f 1 | sh "$here/../part.sh" | split -l 4000 - "$work/ids."
for ids in "$work"/ids.*; do
    keep "explain/${ids##*.}" xargs -a "$ids" -x -n 4000 -s 1000000 "$tool" explain
done

# ---- wrong specs and baselines ----
# The good ones are those of the reference; each fixture is laid over one of them: a file of sections,
# or, in references of before, a directory.
cat >"$work/lint" <<'LINT'
name=$(basename "$1" .txt)
mkdir -p "$work/$name/fixture/spec" "$work/$name/fixture/cases" "$work/$name/fixture/extra" "$work/$name/lint"
if [ -d "$1" ]; then
    cp -r "$1/." "$work/$name/fixture"
else
    awk -v to="$work/$name/fixture/" '
        NR == 1 {sub(/^stage: /, ""); print >(to "stage")}
        sub(/^-- /, "") {file = to $0; printf "" >file; next}
        file {print >file}' "$1"
fi
good=good
[ "$(cat "$work/$name/fixture/stage")" = plan ] && good=good-plan
cp -r "$reference/tests/negative/$good/." "$work/$name/fixture/." "$work/$name/lint"
cd "$work/$name/lint" || exit 1
set -- "$tool" lint --spec-dir spec --cases-dir cases
for extra in extra/*.xml; do
    [ -e "$extra" ] && set -- "$@" --spec "$extra"
done
sh "$work/keep" "lint/$name" "$@"
rm -rf "${work:?}/$name"
LINT
find "$reference/tests/negative" -mindepth 1 -maxdepth 1 ! -name 'good*' ! -name README.md |
    xargs -P "$jobs" -n 1 sh "$work/lint"
for baseline in "$reference"/tests/baseline/negative/*.xml; do
    cp "$baseline" "$work/baseline.xml"
    keep "baseline/${baseline##*/}" "$tool" run --impl "$reference/build/default/plugins/accept_all.so" \
        --baseline "$work/baseline.xml" --out "$work/none"
    sed -i "s,$work,WORK,g" "$out/baseline/${baseline##*/}"
done

# ---- runs: the verdict and the reason of each case, and what is made of them ----
# With one worker: which cases are spared behind a death depends on which was the first.
cat >"$work/run" <<'RUN'
name=$1 implementation=$2
shift 2
mkdir -p "$out/runs" "$work/once-$name"
at=$work/$name.run
case $implementation in emulator*) ;; *) implementation=$(printf %s "$implementation" | sed "s,@P,$reference/build/default/plugins,; s,@B,${emulator%/*},g; s,@W,$work/once-$name,g") ;; esac
sh "$work/keep" "runs/$name/last-line" "$tool" run -q -j 1 --no-backtrace --impl "$implementation" --out "$at" "$@"
[ ! -d "$at" ] || cp "$at/verdicts.txt" "$out/runs/$name/verdicts"
case $name in fault-*) what= ;; *) what=all ;; esac
if [ -d "$at" ] && [ "$what" ]; then
    sh "$work/keep" "runs/$name/report" "$tool" report "$at"
    sh "$work/keep" "runs/$name/tap" "$tool" report "$at" --tap
    sh "$work/keep" "runs/$name/verify" "$tool" verify "$at"
    [ "$name" != emulator ] || sh "$work/keep" "runs/$name/coverage" "$tool" coverage "$at"
fi
# Where it ran, when, and what follows from that.
sed -E -i "s,(\.\./)*(\.\.)?$at,RUN,g; s,(\.\./)*(\.\.)?$work,WORK,g; s,[^ (]*build/default/plugins/,PLUGINS/,g; s,[^ =(]*build/default/emulator\.so,EMULATOR,g
    s,20[0-9-]{8}T[0-9:]{8}Z,DATE,g; s,((digest|sha256) +)([0-9a-f]{12}|[0-9a-f]{64})\>,\1DIGEST,; s,^(  time) +[0-9.]+ s$,\1 SECONDS," \
    "$out/runs/$name"/*
rm -rf "$at" "$work/once-$name"
RUN
{
    sed -n '/^[^#]/s/^\([^ ]*\) *[0-9] *\(@P[^ ]*\).*/\1 \2/p' "$reference/tests/golden/runs" | grep -v '^hang \|^garbage '
    sed '/^#/d; /^$/d' "$here/runs"
} >"$work/runs"
# Of the emulator's faults, every thirtieth, and of each only the verdicts.
"$tool" faults | awk -f "$here/../faults/listed.awk" |
    awk 'NR % 30 == 1 {print "fault-" $1, "emulator,fault=" $1 ($2 == "-" ? "" : "," $2)}' >>"$work/runs"
sh "$here/../part.sh" <"$work/runs" >"$work/part"
xargs -a "$work/part" -d '\n' -P "$jobs" -I '{}' sh -c 'exec sh "$work/run" {}'
cat "$out"/runs/*/verdicts | grep -q .
