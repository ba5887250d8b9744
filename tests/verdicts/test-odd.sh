#!/bin/sh
# SPDX-License-Identifier: MIT
# Nobody is wronged: kernels that do otherwise what is left to them (tests/plugins/odd_kernel.c, where
# the table of ways is) pass at --level strict, below 2.0 and at the newest version, and no claim is
# missing. Run from the source directory; WCTS_BUILD is the build directory; names as arguments:
# these alone.
# shellcheck source=tests/common.sh
. tests/common.sh

sed -n 's/^    {"\([a-z-]*\)", {.*/\1/p' tests/plugins/odd_kernel.c >"$work/names"
[ $# -eq 0 ] || printf '%s\n' "$@" >"$work/names"
rows 6 <"$work/names" >"$work/some"
while read -r name; do
    for version in 1.3 3.2; do
        "$tool" run -q --level strict --role kernel --wddm $version --out "$work/out" \
            --impl "$plugins/odd_kernel.so,does=$name,emulator=$build/emulator.so" >"$work/log" 2>&1
        if [ $? -eq 0 ] && tail -n 1 "$work/log" | grep -q '^no failure in the selection' &&
            ! grep -v '^pass\|^skip' "$work/out/verdicts.txt" >"$work/red"; then
            good
        else
            bad "$name at $version: $(tail -n 1 "$work/log") $(head -n 1 "$work/red")"
        fi
        rm -rf "${work:?}/out"
    done
done <"$work/some"

summary
