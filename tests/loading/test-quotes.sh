#!/bin/sh
# SPDX-License-Identifier: MIT
# What spec/ quotes is in the documents, letter by letter. They are not part of the project: they are
# looked for beside the checkout, or in WCTS_SOURCES.
# shellcheck source=tests/common.sh
. tests/common.sh
sources=${WCTS_SOURCES:-../shared/sources}
if [ ! -d "$sources" ]; then
    echo "no $sources, where the five documents are: quotes cannot be compared with them"
    exit 77
fi

# compare SPEC...
compare() {
    /usr/bin/python3 -B tests/loading/quotes.py "$sources" "$@"
}

ok "every quote is in its document" compare spec/00*.xml
ok "quotes of all five are compared" [ "$(compare spec/00*.xml | tail -n 1)" -gt 256 ]

# One letter more, in the first quote that has the word.
sed '0,/<quote>Il valore/s/Il valore/Il  valoree/' spec/002-*.xml >"$work/002.xml"
line=$(grep -n 'valoree' "$work/002.xml" | cut -d: -f1)
compare "$work/002.xml" >"$work/out" 2>&1
ok "one letter more is seen, with its line" \
    grep -q "^$work/002.xml:$line: 002_44b6a6a1f22a7e3f.txt has no such passage: Il valoree" "$work/out"
ok "and nothing else" [ "$(wc -l <"$work/out")" -eq 2 ]
summary
