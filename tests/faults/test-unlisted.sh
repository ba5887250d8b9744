#!/bin/sh
# SPDX-License-Identifier: MIT
# The faults that the emulator has and does not list are those of docs/internal/unnoticed.md, no more and no less; each
# can be switched on. Whatever is listed has a site, or the reason why there can be none. Run from the source directory; WCTS_BUILD is the build directory. WCTS_PART=K/N: a
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
# Names at their sites: in EMU_FAULT and EMU_FAULT_DO the first argument, in EMU_FAULT_SITE and in the rows of narrow.h
# the second.
cat emulator/*.[ch] | tr '\n' ' ' |
    grep -oE '(EMU_FAULT(_DO)?\(|(EMU_FAULT_SITE|X)\([a-z0-9_]+,) *"[A-Z]+-[0-9]+[^"]*"' |
    grep -oE '"[^"]+"' | tr -d '"' | sort >"$work/sites"
ok "one site each: $(uniq -d "$work/sites" | head -n 3)" [ -z "$(uniq -d "$work/sites")" ]
# One line each; those of a kind of their own are the rules that can have no fault.
"$tool" faults --json | grep -oE '"id":"[^"]*","kind":"[^"]*"' | grep -v '"kind":"none"' |
    sed 's/"id":"\([^"]*\)".*/\1/' | sort >"$work/entries"
sort "$work/entries" "$work/unlisted" >"$work/known"
ok "sites that are nowhere listed: $(comm -23 "$work/sites" "$work/known" | tr '\n' ' ')" \
    [ -z "$(comm -23 "$work/sites" "$work/known")" ]
ok "faults without a site: $(comm -13 "$work/sites" "$work/known" | tr '\n' ' ')" \
    [ -z "$(comm -13 "$work/sites" "$work/known")" ]
sh tests/part.sh <"$work/unlisted" >"$work/some"
while read -r id; do
    "$tool" probe --impl "emulator,fault=$id" >"$work/out" 2>&1 || bad "emulator,fault=$id does not open"
    passed=$((passed + 1))
done <"$work/some"
status 2 "$tool" run -q --filter '^CAF-003/' --out "$work/run" --impl emulator,fault=CAF-003+nowhere
summary
