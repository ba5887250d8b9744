#!/bin/sh
# SPDX-License-Identifier: MIT
# Links in README.md and docs/ lead to files and headings that exist, and every document is in the
# table of contents of its folder.
# shellcheck source=tests/common.sh
. tests/common.sh
top=${WCTS_DOCUMENTS:-.}

# anchors FILE: the headings as GitHub names them.
anchors() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-'
}

# links FILE: the targets in it, one a line, without those of the web. The text of a link may be
# a picture, [![...](...)](...).
links() {
    grep -oE '\]\([^) ]*\)|(src|srcset|href)="[^"]*"' "$1" | sed -E 's/^\]\(//; s/^[a-z]*="//; s/[)"]$//' |
        grep -vE '^(https?|mailto):'
}

# leads FILE TARGET: the target is there, as seen from the file.
leads() {
    path=${2%%#*}
    [ -n "$path" ] && path=$(dirname "$1")/$path || path=$1
    [ -e "$path" ] || return 1
    case $2 in
    *'#'*) anchors "$path" | grep -qxF -e "${2#*#}" ;;
    esac
}

for file in "$top/README.md" "$top"/docs/*.md "$top"/docs/internal/*.md; do
    links "$file" >"$work/links"
    while read -r target; do
        ok "$file: link to $target" leads "$file" "$target"
    done <"$work/links"
done
ok "there are links" [ "$passed" -gt 30 ]

for folder in "$top/docs" "$top/docs/internal"; do
    for file in "$folder"/*.md; do
        name=${file##*/}
        [ "$name" = README.md ] || ok "$folder/README.md lists $name" grep -qF "($name)" "$folder/README.md"
    done
done
summary
