#!/bin/sh
# SPDX-License-Identifier: MIT
# The faults that the emulator has and does not list are those of docs/internal/unnoticed.md; each
# can be switched on. Run from the source directory; WCTS_BUILD is the build directory. WCTS_PART=K/N: a
# part of them is switched on.
# shellcheck source=tests/common.sh
. tests/common.sh

sed -n '/^## Faults of the emulator/,$p' docs/internal/unnoticed.md | grep -o '`[A-Z]*-[0-9]*[^` ]*`' |
    tr -d '`' | sort >"$work/unlisted"
ok "there are some" [ -s "$work/unlisted" ]
ok "each once" [ -z "$(uniq -d "$work/unlisted")" ]
"$tool" faults | grep -oE '[A-Z]{3}-[0-9]{3}[^ ]*' | sort -u >"$work/listed"
ok "none is listed: $(comm -12 "$work/unlisted" "$work/listed" | head -n 3)" \
    [ -z "$(comm -12 "$work/unlisted" "$work/listed")" ]
sh tests/part.sh <"$work/unlisted" >"$work/some"
while read -r id; do
    "$tool" probe --impl "emulator,fault=$id" >"$work/out" 2>&1 || bad "emulator,fault=$id does not open"
    passed=$((passed + 1))
done <"$work/some"
status 2 "$tool" run -q --filter '^CAF-003/' --out "$work/run" --impl emulator,fault=CAF-003+nowhere
summary
