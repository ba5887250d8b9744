#!/bin/sh
# SPDX-License-Identifier: MIT
# The HTML report in headless Chromium: console, requests, widths, colour schemes, filters, without
# script. WCTS_SHOTS: where screenshots go. Exit 77 where there is no Chromium: that is no success.
# Run from the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
build=${WCTS_BUILD:-build/default}
tool=$build/wddm-cts
python=/usr/bin/python3

for program in chromium chromedriver "$python"; do
    command -v "$program" >/dev/null 2>&1 || {
        echo "skipped: no $program (make deps-ci installs it)"
        exit 77
    }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Three statements broken, as a first reader meets them; many, at all versions; none, where two are claimed;
# several runs.
"$tool" run -q --impl "$build/plugins/accept_all.so" --filter 'CAF-003|CAF-004|CAF-012|CAF-058|AIN-0[34]' \
    --out "$work/run-three" >"$work/log"
"$tool" run -q --impl "$build/plugins/accept_all.so" --max-cases 8000 --out "$work/run-many" >"$work/log"
"$tool" run -q --impl "$build/plugins/refuse_some.so,what=nothing,emulator=$build/emulator.so,versions=0x5023+0x6003" \
    --out "$work/run-good" >"$work/log"
"$tool" report "$work/run-three" --html "$work/three.html" &&
    "$tool" report "$work/run-many" --html "$work/many.html" &&
    "$tool" report "$work/run-good" --html "$work/good.html" &&
    "$tool" report "$work/run-good" "$work/run-three" "$work/run-many" --html "$work/several.html" ||
    exit 1
HOME=$work XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work PYTHONDONTWRITEBYTECODE=1 \
    "$python" tests/browser/check_report.py "$(command -v chromedriver)" "$(command -v chromium)" \
    "${WCTS_SHOTS:-$work/shots}" "$work/three.html" "$work/many.html" "$work/good.html" \
    "$work/several.html"
