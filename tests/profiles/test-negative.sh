#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong profiles, negative/NAME.xml: lint reports what negative/NAME.expected has, with the line, and
# ends with 2. WCTS_UPDATE=1 writes those. Run from the source directory; WCTS_BUILD is the build
# directory.
. tests/common.sh
for file in tests/profiles/negative/*.xml; do
    said=${file%.xml}.expected
    status 2 "$tool" lint -q --profile "$file"
    grep -v '^wddm-cts: ' "$work/err" >"$work/found"
    [ -z "${WCTS_UPDATE-}" ] || cp "$work/found" "$said"
    ok "$file" diff "$said" "$work/found"
    ok "$file names file and line" grep -q "^$file:[0-9]*: " "$said"
done
summary
