#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults planted in the effects of the emulator, one at a time (see `faults`): each turns its statement
# red, and none that does not depend on it. What the documents leave open, taken otherwise (see
# `choices`), turns none red. Run from the source directory; WCTS_BUILD is the build directory; names
# as arguments: these alone.
set -u
here=$(dirname "$0")
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
export build here
WORK=$(mktemp -d) || exit 1
export WORK
trap 'rm -rf "$WORK"' EXIT

# One fault; the result is a line in $WORK/NAME.verdict.
cat >"$WORK/try.sh" <<'TRY'
name=$1
work=$WORK/$name
mkdir -p "$work"
statements=$(cat "$here/faults" "$here/choices" | grep "^$name | " | cut -d '|' -f 3 | sed 's/^ *//; s/ *$//')
say() { echo "$*" >"$WORK/$name.verdict"; }
WCTS_BUILD=$build sh "$here/plant.sh" "$name" "$work/fault.so" 2>"$work/log" || {
    say "FAIL $name cannot be built: $(head -n 3 "$work/log")"
    exit
}
for options in "" ,strict; do
    "$build/wddm-cts" run -q -j 1 --impl "$work/fault.so$options" --level strict \
        --out "$work/out$options" >"$work/log" 2>&1 || echo "$options" >>"$work/bad"
done
cat "$work"/out*/verdicts.txt | awk -F '\t' '$1 != "pass" && $1 != "skip" {sub(/[.\/].*/, "", $2); print $2}' |
    sort -u >"$work/red"
if grep -q "^$name | " "$here/choices"; then
    if [ -s "$work/bad" ]; then
        say "FAIL $name: a choice, and red are: $(tr '\n' ' ' <"$work/red")"
    else
        say "ok $name: a choice"
    fi
    exit
fi
own=${statements%% *}
if ! grep -qx "$own" "$work/red"; then
    say "FAIL $name: $own is not red; red are: $(tr '\n' ' ' <"$work/red")"
    exit
fi
# What was shrunk fails in the same way, and not on the emulator as it is.
for options in "" ,strict; do
    for shrunk in "$work/out$options/scenarios/$own"[.-]*.xml; do
        [ -e "$shrunk" ] || continue
        "$build/wddm-cts" run -q -j 1 --case "$shrunk" --impl "$work/fault.so$options" --level strict \
            --out "$work/again" >"$work/log" 2>&1
        if [ $? -ne 1 ]; then
            say "FAIL $name: $(basename "$shrunk") does not fail: $(tail -n 3 "$work/log")"
            exit
        fi
        "$build/wddm-cts" run -q -j 1 --case "$shrunk" --impl "emulator$options" --level strict \
            --out "$work/again" >"$work/log" 2>&1 || {
            say "FAIL $name: $(basename "$shrunk") on the emulator: $(tail -n 3 "$work/log")"
            exit
        }
        break
    done
done
echo "$statements" | tr ' ' '\n' | sort -u >"$work/allowed"
more=$(comm -23 "$work/red" "$work/allowed" | tr '\n' ' ')
if [ -n "$more" ]; then
    say "FAIL $name: red beside $own: $more"
else
    say "ok $name: $(tr '\n' ' ' <"$work/red")"
fi
TRY

if [ $# -eq 0 ]; then
    cat "$here/faults" "$here/choices" | grep -v '^#' | sed 's/ | .*//' >"$WORK/names"
else
    printf '%s\n' "$@" >"$WORK/names"
fi
xargs -P "$(nproc)" -n 1 sh "$WORK/try.sh" <"$WORK/names"
cat "$WORK"/*.verdict >"$WORK/all"
[ -z "${WCTS_SHOW:-}" ] || grep '^ok' "$WORK/all"
grep '^FAIL' "$WORK/all"
passed=$(grep -c '^ok' "$WORK/all")
failed=$(($(wc -l <"$WORK/names") - passed))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
