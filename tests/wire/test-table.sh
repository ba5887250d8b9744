#!/bin/sh
# SPDX-License-Identifier: MIT
# wddm-cts.json has what the headers have: every struct, member, enum and operation, as libclang finds
# them, and every constant, as the compiler has it. Run from the source directory; WCTS_BUILD is the
# build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
table=$build/wddm-cts.json
headers="include/wddm-cts.h runner/wire/protocol.h"

# compare TABLE: what differs.
compare() {
    # shellcheck disable=SC2086 # words
    /usr/bin/python3 -B tests/wire/table.py "$1" spec/interface.xml $headers >"$work/out" 2>&1 || return 1
    ! grep -v '^[0-9]* structs, [0-9]* values, [0-9]* operations$' "$work/out"
}
ok "the table is that of the headers" compare "$table"
ok "they have many" [ "$(sed 's/ structs.*//' "$work/out")" -gt 80 ]

# What is wrong in it is found.
while IFS='|' read -r what change; do
    sed "$change" "$table" >"$work/changed.json"
    ok "it is changed: $what" sh -c "! cmp -s '$table' '$work/changed.json'"
    ok "it is found: $what" sh -c "! /usr/bin/python3 -B tests/wire/table.py '$work/changed.json' spec/interface.xml $headers |
        tee '$work/out' | grep -qx '[0-9]* structs.*' || [ \$(wc -l <'$work/out') -gt 1 ]"
done <<'END'
an offset|s/"DmaSize": {"offset": [0-9]*/"DmaSize": {"offset": 3/
a size|s/"none": {"size": 8/"none": {"size": 16/
a value|s/"WCTS_PATCHES_64": 2/"WCTS_PATCHES_64": 3/
an operation|s/"KERNEL_LOCK": {"number": [0-9]*/"KERNEL_LOCK": {"number": 1/
what a pointer leads to|s/"to": "allocation_kind"/"to": "page"/
no struct|s/"to": "sweep_range"/"to": "sweep"/
how many|s/"number": "AllocationListSize"/"number": "PatchLocationListSize"/
no member|s/"number": "RangeCount"/"number": "Ranges"/
a member that is missing|/"PatchOffset"/d
END

# ---- constants ----
{
    for header in $headers; do
        echo "#include \"$header\""
    done
    sed -n '/"constants": {/,/}/s/^ *"\([A-Z0-9_]*\)": \(-*[0-9]*\),*$/_Static_assert((\1) == (\2), "\1");/p' "$table"
} >"$work/constants.c"
ok "constants have the compiler's values" gcc -std=c11 -Wall -I. -fsyntax-only "$work/constants.c"
sed -n 's/^#define \(WCTS_[A-Z0-9_]*\) [^"]*$/\1/p' $headers | grep -v '^WCTS_EXPORT$' | sort >"$work/defined"
sed -n 's/^_Static_assert((\([A-Z0-9_]*\)).*/\1/p' "$work/constants.c" | sort >"$work/known"
ok "every constant is there" cmp "$work/defined" "$work/known"
ok "there are some" [ "$(wc -l <"$work/known")" -gt 20 ]
ok "it is JSON for others, too" sh -c "/usr/bin/python3 -m json.tool <'$table'"
summary
