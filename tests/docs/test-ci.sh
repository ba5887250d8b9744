#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/ci.md: its blocks run, its YAML is well formed and has what CI needs, and the tool takes every
# command line in it.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. tests/docs/blocks.sh
document=${WCTS_DOCUMENT:-docs/ci.md}
blocks_split "$document" || exit 1

# Each tool command of a block, without what a shell does behind it; variables are 1.
commands() {
    sed -n 's/^[ -]*\(run: \)\{0,1\}wddm-cts \(.*\)/\2/p' "$1" | sed 's/ [|>].*//; s/\$[A-Z_]*/1/g'
}

yaml() { # line, body
    if command -v yamllint >/dev/null 2>&1; then
        yamllint -d '{rules: {key-duplicates: enable, indentation: enable, trailing-spaces: enable}}' \
            "$2" >"$work/log" 2>&1 || fail "$document" "$1" "is no YAML"
    else
        echo "not checked: no yamllint (make deps-ci installs it)"
    fi
    : >"$work/log"
    ! grep -n '	' "$2" >"$work/log" || fail "$document" "$1" "has tabs"
}

has() { # line, body, text
    grep -qF -- "$3" "$2" || fail "$document" "$1" "lacks: $3"
}

count=0
for info in "$work"/blocks/*.info; do
    body=${info%.info}
    line=$(basename "$body" | sed 's/^0*//')
    : >"$work/log"
    case $(cat "$info") in
    "yaml gitlab")
        yaml "$line" "$body"
        has "$line" "$body" "when: always"
        has "$line" "$body" "junit: out/junit"
        ;;
    "yaml github")
        yaml "$line" "$body"
        has "$line" "$body" "if: always()"
        has "$line" "$body" "GITHUB_STEP_SUMMARY"
        ;;
    "sh commands") ;;
    *) block_carry_out "$document" "$line" "$(cat "$info")" "$body" ;;
    esac
    commands "$body" >"$work/commands"
    while read -r words; do
        count=$((count + 1))
        # With --help behind it a command is read to its end and not carried out.
        echo "$words --help" | sed "s/'[^']*'/x/g" | xargs "$tool" >"$work/log" 2>&1 ||
            fail "$document" "$line" "the tool does not take: $words"
    done <"$work/commands"
done
[ "$count" -ge 8 ] || fail "$document" 1 "has only $count commands"
# The files that the first block makes are those of the table.
for file in report.html junit.xml cobertura.xml summary.md results.xml run; do
    [ -e "$place/out/$file" ] || fail "$document" 1 "out/$file is not made"
    grep -q "^| .out/$file. |" "$document" || fail "$document" 1 "out/$file is not told"
done
sed -n 's/[^]]*](\([^)#]*\))/\1\n/gp' "$document" | grep -E '^[A-Za-z./-]+$' | while read -r path; do
    [ -e "docs/$path" ] || echo "$path"
done >"$work/log"
[ ! -s "$work/log" ] || fail "$document" 1 "links to what is not there"
exit 0
