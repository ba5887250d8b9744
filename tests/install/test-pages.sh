#!/bin/sh
# SPDX-License-Identifier: MIT
# Manual pages and completions are made from the help: all commands and options are in each, and a page that
# names another is refused. The shells read what is made for them, where they are there.
. tests/common.sh
share=$build/share

sh packaging/table.sh "$build" >"$work/table"
ok "the table that they are made from" cmp "$work/table" "$share/table"
ok "it has each command" [ "$(grep -c '^command' "$work/table")" -eq "$("$tool" help | grep -c '^  [a-z]')" ]
"$tool" help | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE '\-\-.*' | sort >"$work/options"
awk -F '\t' '$1 == "option" && $2 != "-" {print "--" $4}' "$work/table" | sort -u >"$work/tabled"
ok "it has each option" diff "$work/options" "$work/tabled"

for page in wddm-cts wddm-cts-agent; do
    sed 's/\\-/-/g; s/\\f[BIR]//g' "$share/man/$page.1" >"$work/$page"
done
while read -r option; do
    ok "the page has the heading of $option" grep -qE -A 1 -e "^(\.BI? )?(-., |.*, )?$option" "$work/wddm-cts"
    ok "zsh knows $option" grep -qF -e "'*$option[" "$share/zsh/_wddm-cts"
    ok "fish knows $option" grep -q -e "-l ${option#--} " "$share/fish/wddm-cts.fish"
done <"$work/options"
for option in listen connections version help; do
    ok "the agent's page has --$option" grep -q "^--$option" "$work/wddm-cts-agent"
done

# A page that is wrong, and one that lacks something.
sed 's/^\.OPTION level$/.OPTION lvel/' docs/wddm-cts.1 >"$work/wrong.1"
ok "an option that is none" sh -c "! awk -f packaging/man.awk '$work/table' '$work/wrong.1' >/dev/null 2>'$work/err'"
ok "is named" grep -q "wrong.1:[0-9]*: option \"lvel\", expected one that the help has" "$work/err"
sed '/^\.OPTION level$/,/^\.OPTION/{/^\.OPTION level$/d}; /^\.COMMAND probe$/d' docs/wddm-cts.1 >"$work/short.1"
ok "a page without some" awk -f packaging/man.awk "$work/table" "$work/short.1" >"$work/short"
awk -f packaging/man.awk "$work/table" "$work/short.1" >"$work/short"
ok "has the option from the help" grep -q '^binding, documented (default) or strict' "$work/short"
ok "has the command from the help" grep -q '^print what an implementation claims\.' "$work/short"

ok "bash reads its completion" bash -n "$share/bash/wddm-cts"
for shell in zsh fish; do
    command -v $shell >/dev/null 2>&1 || continue
    for file in "$share/$shell"/*; do
        ok "$shell reads $file" $shell -n "$file"
    done
done
if command -v fish >/dev/null 2>&1; then
    # What fish offers is what it read.
    offered=$(HOME=$work fish --no-config -c "source $share/fish/wddm-cts.fish
        complete -C 'wddm-cts run --suite s'" 2>/dev/null | cut -f 1 | sort | tr '\n' ' ')
    ok "fish offers $offered" [ "$offered" = "smoke standard " ]
fi
summary
