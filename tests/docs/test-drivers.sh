#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/drivers.md: the plug-in that it shows compiles without a warning, and makes one of the example's
# DriverEntry; the statements that it calls advice are warnings by default and failures at strict.
# shellcheck source=tests/common.sh
. tests/common.sh

sed -n '/^```c fragment/,/^```$/p' docs/drivers.md | grep -v '^```' >"$work/plugin.c"
ok "there is a plug-in" grep -q WCTS_DDI_PLUGIN "$work/plugin.c"
sed -n 's/^    gcc \(-std=c11 .*\)$/\1/p' docs/drivers.md | sed 's/\$(pkg-config[^)]*)//; s/ -c .*//' >"$work/flags"
ok "there are flags" grep -q -e -fshort-wchar "$work/flags"
# shellcheck disable=SC2046
ok "it links" gcc $(cat "$work/flags") -Wall -Wextra -Werror -Iinclude -Iadapters/ddi/include -Iexamples/ddi -shared \
    -UDXGKDDI_INTERFACE_VERSION -o "$work/mine.so" "$work/plugin.c" examples/ddi/driver.c "$build/libwddm-cts-ddi.a"
status 0 "$tool" probe --impl "$work/mine.so"
ok "it is the plug-in" grep -q '^name *mine$' "$work/out"
ok "it is for the version that it claims" grep -q '^WDDM *1.2 ' "$work/out"

sed -n '/^## Advice/,/^## /s/^| \([A-Z]*-[0-9]*\) .*/\1/p' docs/drivers.md >"$work/advice"
ok "there is advice" [ "$(wc -l <"$work/advice")" -eq 4 ]
while read -r statement; do
    "$tool" explain "$statement" >"$work/said" 2>&1
    ok "$statement is advice" grep -Eq 'should' "$work/said"
done <"$work/advice"
summary
