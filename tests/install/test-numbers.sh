#!/bin/sh
# SPDX-License-Identifier: MIT
# Every constant of include/wddm-cts.h has a line in tests/install/numbers, with the number that
# Windows gives it or as one of the interface's own, and has that value.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
table=tests/install/numbers

# A program that prints each constant whose value is not that of its line in the table.
program() {
    cat <<'END'
#include "wddm-cts.h"
#include <stdio.h>

static void expect(int line, const char *name, size_t size, uint64_t value, uint64_t expected,
                   const char *meaning)
{
    if (size == 4)
        value &= UINT32_MAX;
    if (value != expected)
        printf("%d: %s is %#llx, expected %#llx (%s)\n", line, name, (unsigned long long)value,
               (unsigned long long)expected, meaning);
}

int main(void)
{
END
    awk -F ' [|] ' '
        /^#/ || /^$/ {next}
        NF != 4 {print "#error line " FNR " of the table has " NF " columns, expected 4"; next}
        $2 != "-" {
            printf "    expect(%d, \"%s\", sizeof(%s), (uint64_t)(%s), UINT64_C(%s), \"%s, %s\");\n",
                FNR, $1, $1, $1, $2, $3, $4
        }' "$table"
    echo '    return 0;'
    echo '}'
}

# check HEADER: prints what is wrong, one line each.
check() {
    sed -nE -e '/__declspec/d' -e 's/^#define (WCTS_[A-Z0-9_]+) [^"]+$/\1/p' \
        -e 's/^    (WCTS_[A-Z0-9_]+) = .*/\1/p' "$1" | sort >"$work/constants"
    grep -vE '^(#|$)' "$table" | sed 's/ .*//' | sort >"$work/listed"
    comm -23 "$work/constants" "$work/listed" | sed "s|.*|$table: & is not listed|"
    uniq -d "$work/listed" | sed "s|.*|$table: & is listed twice|"
    mkdir -p "$work/include"
    cp "$1" "$work/include/wddm-cts.h"
    program >"$work/numbers.c"
    "${CC:-cc}" -std=c11 -I"$work/include" -o "$work/numbers" "$work/numbers.c" &&
        "$work/numbers" | sed "s|^|$table:|"
}

# says HEADER LINE: that is all that is wrong with it.
says() {
    echo "$2" >"$work/expected"
    check "$1" >"$work/found" 2>&1
    diff "$work/expected" "$work/found"
}

check include/wddm-cts.h >"$work/wrong" 2>&1
ok "constants are found" [ "$(wc -l <"$work/constants")" -gt 40 ]
ok "each has its number" diff /dev/null "$work/wrong"

# ---- what it would say ----
line=$(grep -n '^WCTS_GDISURFACE' "$table" | cut -d : -f 1)
sed 's/TEXTURE_CROSSADAPTER 7u/TEXTURE_CROSSADAPTER 6u/' include/wddm-cts.h >"$work/six.h"
ok "another number" says "$work/six.h" "$table:$line: WCTS_GDISURFACE_TEXTURE_CROSSADAPTER is 0x6,\
 expected 0x7 (D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER, d3dkmdt.h)"
sed 's/^    WCTS_POWER_ON = 0,/&\n    WCTS_POWER_OFF = 4,/' include/wddm-cts.h >"$work/more.h"
ok "one that is not listed" says "$work/more.h" "$table: WCTS_POWER_OFF is not listed"
summary
