#!/bin/sh
# SPDX-License-Identifier: MIT
# Each fault that the emulator can show (`wddm-cts faults`), one at a time: the cases of its statement
# turn red, and the scenario that they shrink to fails again with the fault and passes without it.
# That nothing else is blamed is for `make mutation`. Run from the source directory; WCTS_BUILD is
# the build directory; ids of faults as arguments: these alone.
set -u
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
tool=$build/wddm-cts
export tool
WORK=$(mktemp -d) || exit 1
export WORK
trap 'rm -rf "$WORK"' EXIT

# One fault: its id, and the options of the emulator that it needs ("-": none). The result is a line
# in $WORK/ID.verdict.
cat >"$WORK/try.sh" <<'TRY'
id=$1
work=$WORK/$id
mkdir -p "$work"
statement=${id%%[.+]*}
good=emulator
[ "$2" = - ] || good=emulator,$2
say() { echo "$*" >"$WORK/$id.verdict"; }
run() {
    "$tool" run -q -j 1 --level strict "$@" >"$work/log" 2>&1
}
run --impl "$good,fault=$id" --filter "^$statement[./]" --out "$work/out"
status=$?
# Some show in sequences alone, which are of no one statement; the first of these will do.
if [ "$status" != 1 ]; then
    run --impl "$good,fault=$id" --filter "^${statement%-*}/sequence/[^/]*/1-[0-4]\$" --out "$work/out"
    status=$?
    grep -q "$statement" "$work/out/verdicts.txt" || status=none
fi
# Some show in cases of other statements alone, such as the one that noticed it first.
if [ "$status" != 1 ]; then
    noticed=$(awk -F '\t' -v id="$id" '$1 == id {print $5}' cases/mutation.tsv)
    # A fault may be newer than the table: then of all cases the first that fails.
    if [ -n "$noticed" ]; then
        set -- --filter "^$(printf %s "$noticed" | sed 's/[+.,]/\\&/g')\$"
    else
        set -- --fail-fast
    fi
    run --impl "$good,fault=$id" "$@" --out "$work/out"
    status=$?
fi
# A fault that refuses valid calls leaves what it keeps from being seen declined, with the call.
if [ "$status" = 3 ] && grep -q '^incomplete: [0-9]* declined' "$work/log" &&
    grep -q '^declined	.* refused: KERNEL_' "$work/out/verdicts.txt"; then
    say "ok $id"
    exit
fi
if [ "$status" != 1 ]; then
    say "FAIL $id: $statement is not red: exit $status, $(tail -n 1 "$work/log")"
    exit
fi
for shrunk in "$work"/out/scenarios/*.xml; do
    [ -e "$shrunk" ] || continue
    run --case "$shrunk" --impl "$good,fault=$id" --out "$work/again"
    # A legal operation that is refused in a sequence is declined, and so it is again.
    if [ $? -ne 1 ] && ! grep -q '^incomplete: .* declined; ' "$work/log"; then
        say "FAIL $id: $(basename "$shrunk") does not fail again: $(tail -n 3 "$work/log")"
        exit
    fi
    run --case "$shrunk" --impl "$good" --out "$work/again"
    status=$?
    # Without the fault there may be nothing left that the statement speaks of.
    if [ $status -ne 0 ] && [ $status -ne 3 ]; then
        say "FAIL $id: $(basename "$shrunk") without the fault: $(tail -n 3 "$work/log")"
        exit
    fi
    break
done
say "ok $id"
rm -rf "$work"
TRY

"$tool" faults | awk -f tests/faults/listed.awk >"$WORK/all"
if [ $# -eq 0 ]; then
    cp "$WORK/all" "$WORK/names"
else
    for id in "$@"; do
        awk -v id="$id" '$1 == id' "$WORK/all"
    done >"$WORK/names"
fi
sh tests/part.sh <"$WORK/names" >"$WORK/chosen"
mv "$WORK/chosen" "$WORK/names"
xargs -P "$(nproc)" -n 2 sh "$WORK/try.sh" <"$WORK/names"
cat "$WORK"/*.verdict >"$WORK/verdicts"
grep '^FAIL' "$WORK/verdicts"
passed=$(grep -c '^ok' "$WORK/verdicts")
failed=$(($(wc -l <"$WORK/names") - passed))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
