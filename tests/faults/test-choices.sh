#!/bin/sh
# SPDX-License-Identifier: MIT
# What the documents leave open, done otherwise than the emulator does it (see `choices`), turns
# nothing red, and changes what the parties say to each other. Run from the source directory; WCTS_BUILD is the build directory; names as
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
# Versions on both sides of 2.0, and the newest: what is chosen depends on no other.
for versions in 1.3..2.0 3.1..3.2; do
    for options in "" ,strict; do
        "$build/wddm-cts" run -q -j 1 --impl "emulator,choice=$name$options" --level strict \
            --wddm "$versions" --out "$work/out$options-$versions" >"$work/log" 2>&1 ||
            echo "$options $versions: $(tail -n 1 "$work/log")" >>"$work/bad"
    done
done
cat "$work"/out*/verdicts.txt | awk -F '\t' '$1 != "pass" && $1 != "skip" {sub(/[.\/].*/, "", $2); print $2}' |
    sort -u >"$work/red"
changed=
for out in "$work"/out*; do
    cmp -s "$out/records" "$WORK/usual/${out##*/}/records" || changed=yes
done
hidden=$(grep -c "^$name | [^|]* | " "$here/choices")
if [ "${changed:-no}$hidden" = no0 ] || [ "${changed:-no}$hidden" = yes1 ]; then
    say "FAIL $name: shown by a case: ${changed:-no}, not as tests/faults/choices has it"
elif [ -s "$work/bad" ] || [ -s "$work/red" ]; then
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
# The emulator as it is.
for versions in 1.3..2.0 3.1..3.2; do
    for options in "" ,strict; do
        "$build/wddm-cts" run -q -j 1 --impl "emulator$options" --level strict \
            --wddm "$versions" --out "$WORK/usual/out$options-$versions" >"$WORK/log" 2>&1 ||
            cat "$WORK/log"
    done
done
# Each name that the emulator has is listed, and no other.
sed -n 's|^ *\[EMU_CHOICE_.*{\.name = "\([^"]*\)".*|\1|p' emulator/choice.c | sort >"$WORK/there"
sed -n '/^[^#]/s/ | .*//p' "$here/choices" | sort | diff - "$WORK/there" >"$WORK/log" ||
    echo "FAIL tests/faults/choices and emulator/choice.c differ: $(grep '^[<>]' "$WORK/log" | tr '\n' ' ')" >"$WORK/list.verdict"
sh tests/part.sh <"$WORK/names" >"$WORK/chosen"
mv "$WORK/chosen" "$WORK/names"
xargs -P "$(nproc)" -n 1 sh "$WORK/try.sh" <"$WORK/names"
cat "$WORK"/*.verdict >"$WORK/all"
[ -z "${WCTS_SHOW:-}" ] || grep '^ok' "$WORK/all"
grep '^FAIL' "$WORK/all"
passed=$(grep -c '^ok' "$WORK/all")
failed=$(($(wc -l <"$WORK/names") - passed + $(cat "$WORK/list.verdict" 2>/dev/null | wc -l)))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
