#!/bin/sh
# SPDX-License-Identifier: MIT
# Renders docs/report.png, the README's picture of the HTML report: a run against the emulator with
# one rule broken, its upper part, as Chromium shows it. Run from the source directory; WCTS_BUILD is
# the build directory. Exits with 77 where a program is missing.
set -eu
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
to=$PWD/docs/report.png
for program in chromium pngquant; do
    command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In a directory of its own, so that the paths in the report are short.
cp "$build/plugins/break_one.so" "$work/mine.so"
cp "$build/emulator.so" "$work/"
cd "$work"
"$build/wddm-cts" run -q --impl ./mine.so,emulator=./emulator.so --out run --html report.html || [ $? -eq 1 ]
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$work/profile" --window-size=1000,925 --screenshot=report.png \
    "file://$work/report.html" >log 2>&1 || { cat log; exit 1; }
pngquant --force --speed 1 --output "$to" 32 report.png
ls -l "$to"
