#!/bin/sh
# SPDX-License-Identifier: MIT
# What spec/ quotes is in the plug-in header and in the documents, letter by letter. The documents are
# not part of the project: they are looked for beside the checkout, or in WCTS_SOURCES.
# shellcheck source=tests/common.sh
. tests/common.sh
# compare SOURCES SPEC...
compare() {
    /usr/bin/python3 -B tests/loading/quotes.py "$@"
}

ok "every quote of the header is in it" compare include spec/005-header.xml
sed 's/not given out again/not given out twice/' spec/005-header.xml >"$work/005.xml"
ok "a word that is another is seen" \
    sh -c '! /usr/bin/python3 -B tests/loading/quotes.py include "$1" >"$2"' - "$work/005.xml" "$work/out"
ok "with its line" grep -q "^$work/005.xml:[0-9]*: wddm-cts.h has no such passage: A handle" "$work/out"

sources=${WCTS_SOURCES:-../shared/sources}
if [ ! -d "$sources" ]; then
    echo "no $sources, where the five documents are: quotes cannot be compared with them"
    summary
    exit
fi

ok "every quote is in its document" compare "$sources" spec/00[0-4]*.xml
ok "quotes of all five are compared" [ "$(compare "$sources" spec/00[0-4]*.xml | tail -n 1)" -gt 256 ]

# One letter more, in the first quote that has the word.
sed '0,/<quote>Il valore/s/Il valore/Il  valoree/' spec/002-*.xml >"$work/002.xml"
line=$(grep -n 'valoree' "$work/002.xml" | cut -d: -f1)
compare "$sources" "$work/002.xml" >"$work/out" 2>&1
ok "one letter more is seen, with its line" \
    grep -q "^$work/002.xml:$line: 002_44b6a6a1f22a7e3f.txt has no such passage: Il valoree" "$work/out"
ok "and nothing else" [ "$(wc -l <"$work/out")" -eq 2 ]
summary
