#!/bin/sh
# SPDX-License-Identifier: MIT
# What the documents leave open, taken otherwise than the emulator takes it (see `choices`), turns
# nothing red. Run from the source directory; WCTS_BUILD is the build directory; names as
# arguments: these alone.
set -u
here=$(dirname "$0")
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
export build here
WORK=$(mktemp -d) || exit 1
export WORK
trap 'rm -rf "$WORK"' EXIT

# One of them; the result is a line in $WORK/NAME.verdict.
cat >"$WORK/try.sh" <<'TRY'
name=$1
work=$WORK/$name
mkdir -p "$work"
say() { echo "$*" >"$WORK/$name.verdict"; }
WCTS_BUILD=$build sh "$here/plant.sh" "$name" "$work/choice.so" 2>"$work/log" || {
    say "FAIL $name cannot be built: $(head -n 3 "$work/log")"
    exit
}
# Versions on both sides of 2.0, and the newest: what is chosen depends on no other.
for versions in 1.3..2.0 3.1..3.2; do
    for options in "" ,strict; do
        "$build/wddm-cts" run -q -j 1 --impl "$work/choice.so$options" --level strict \
            --wddm "$versions" --out "$work/out$options-$versions" >"$work/log" 2>&1 ||
            echo "$options $versions: $(tail -n 1 "$work/log")" >>"$work/bad"
    done
done
cat "$work"/out*/verdicts.txt | awk -F '\t' '$1 != "pass" && $1 != "skip" {sub(/[.\/].*/, "", $2); print $2}' |
    sort -u >"$work/red"
if [ -s "$work/bad" ] || [ -s "$work/red" ]; then
    say "FAIL $name: red are: $(tr '\n' ' ' <"$work/red")$(head -n 1 "$work/bad" 2>/dev/null)"
else
    say "ok $name"
fi
TRY

if [ $# -eq 0 ]; then
    sed -n '/^[^#]/s/ | .*//p' "$here/choices" >"$WORK/names"
else
    printf '%s\n' "$@" >"$WORK/names"
fi
sh tests/part.sh <"$WORK/names" >"$WORK/chosen"
mv "$WORK/chosen" "$WORK/names"
xargs -P "$(nproc)" -n 1 sh "$WORK/try.sh" <"$WORK/names"
cat "$WORK"/*.verdict >"$WORK/all"
[ -z "${WCTS_SHOW:-}" ] || grep '^ok' "$WORK/all"
grep '^FAIL' "$WORK/all"
passed=$(grep -c '^ok' "$WORK/all")
failed=$(($(wc -l <"$WORK/names") - passed))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
