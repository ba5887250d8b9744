#!/bin/sh
# SPDX-License-Identifier: MIT
# gcc -fanalyzer, clang-tidy (.clang-tidy) and cppcheck over C files: analyze.sh FILE..., with the
# compiler's flags in FLAGS. What they find and `known` does not list, with a reason, fails; so does
# what is listed of these files and not found. WCTS_PART=K/N: of the files, the K-th of N
# parts. Run from the source directory.
set -u
here=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export work
export FLAGS="${FLAGS:-}"

for file; do
    echo "$file"
done >"$work/all"
sh tests/part.sh <"$work/all" >"$work/files"
xargs -a "$work/files" -P "$(nproc)" -n 1 sh "$here/one.sh" || { echo "analyze.sh: not all files were analysed"; exit 1; }
cat "$work"/*.found >"$work/findings"

# known: "TOOL CHECK FILE reason".
awk -v known="$here/known" '
    BEGIN {
        while ((getline line <known) > 0) {
            split(line, word, " ")
            if (line !~ /^#/ && line != "")
                lists[word[1], word[2], word[3]] = 1
        }
    }
    {
        check = $NF
        gsub(/^\[-?|\]$|,.*/, "", check)
        sub(/^W/, "", check)
        file = $2
        sub(/:.*/, "", file)
        if (($1, check, file) in lists || ($1, check, "*") in lists)
            used[$1 " " check " " (($1, check, file) in lists ? file : "*")] = 1
        else
            print
    }
    END {
        for (one in used)
            print one >"'"$work"'/used"
    }' "$work/findings" >"$work/new"
touch "$work/used"
cut -d ' ' -f 2- "$work/new" | sed 's/:.*//' | sort -u >"$work/wrong"
cat "$work/new"
failed=$(wc -l <"$work/wrong")
passed=$(($(wc -l <"$work/files") - failed))
# What is listed and was not found, of the files that were analysed; of all files, when these are many.
sed -n '/^[^#]/s/^\([^ ]* [^ ]* [^ ]*\) .*/\1/p' "$here/known" | grep -vxF -f "$work/used" |
    awk 'NR == FNR {analysed[$1]; count++; next} $3 in analysed || ($3 == "*" && count > 100)' "$work/files" - >"$work/idle"
sed 's/^/not found, but listed in known: /' "$work/idle"
failed=$((failed + $(wc -l <"$work/idle")))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
