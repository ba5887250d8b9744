#!/bin/sh
# SPDX-License-Identifier: MIT
# A folder uses only the folders that its row of `layers` names, and within a folder no files use
# each other in a circle. Exceptions to the rows are in `exceptions`, a file and what it uses a line, which may
# only become shorter. Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
here=tests/house

# ---- includes: FILE FOLDER USED-FOLDER WHAT LINE ----
grep -n '^#include "' runner/*/*.[ch] reports/*.[ch] | awk -F '[:"]' '
    function folder(path) { sub("/[^/]*$", "", path); sub("^runner/", "", path); return path }
    $4 ~ /include\/wddm-cts\.h$/ {next}
    $4 ~ /^\.\.\// || $4 !~ /\// {
        directory = $1; sub("/[^/]*$", "", directory)
        path = directory "/" $4
        while (sub("[^/]+/\\.\\./", "", path));
        print $1, folder($1), folder(path), path, $2
    }' >"$work/uses"
ok "there are includes" [ "$(wc -l <"$work/uses")" -gt 200 ]

# ---- public names: who has them, who uses them ----
# Of all objects at once: to start nm for one takes longer than to read it.
objects() {
    for file in runner/*/*.c reports/*.c; do
        echo "$build/${file%c}o"
    done >"$work/objects"
    xargs nm -A -g "$1" <"$work/objects" | awk -v build="$build/" '{
        file = substr($0, length(build) + 1)
        sub(/\.o:.*/, ".c", file)
        print $NF, file
    }'
}
objects --defined-only >"$work/defined"
objects --undefined-only >"$work/undefined"
awk 'function folder(path) { sub("/[^/]*$", "", path); sub("^runner/", "", path); return path }
    $1 !~ /^wcts_/ {next}
    NR == FNR {has[$1] = $2; next}
    ($1 in has) {print $2, folder($2), folder(has[$1]), $1, 0}' "$work/defined" "$work/undefined" >>"$work/uses"

# ---- against the table ----
awk 'NR == FNR {if ($1 !~ /^#/) for (i = 1; i <= NF; i++) may[$1, $i]; next}
    !(($2, $3) in may) {print $1, $4, $5}' "$here/layers" "$work/uses" |
    sort -u >"$work/breaches"
sed '/^#/d' "$here/exceptions" | sort -u >"$work/listed"
cut -d ' ' -f 1,2 "$work/breaches" | sort -u >"$work/found"
comm -23 "$work/found" "$work/listed" | while read -r file what; do
    line=$(grep -nwF -m 1 -e "$what" -e "${what##*/}" "$file" | cut -d : -f 1)
    echo "$file:${line:-1}: uses $what, which its folder may not"
done >"$work/unlisted"
ok "every use goes the way of the table" sh -c "cat '$work/unlisted'; [ ! -s '$work/unlisted' ]"
comm -13 "$work/found" "$work/listed" >"$work/gone"
ok "no exception that is none" sh -c "cat '$work/gone'; [ ! -s '$work/gone' ]"
ok "the exceptions become fewer" [ "$(wc -l <"$work/listed")" -le 0 ]

# ---- circles: files of a folder that use each other's public names, two of them or a ring of more ----
# rings DEFINED UNDEFINED: each use that is part of a ring, or between two. What uses none of the files that
# are left, or is used by none of them, is in no ring: it is taken away until nothing changes.
rings() {
    awk 'function folder(path) { sub("/[^/]*$", "", path); return path }
        NR == FNR {has[$1] = $2; next}
        ($1 in has) && has[$1] != $2 && folder(has[$1]) == folder($2) {uses[$2, has[$1]] = uses[$2, has[$1]] " " $1}
        END {
            do {
                split("", from)
                split("", to)
                for (use in uses) {
                    split(use, file, SUBSEP)
                    from[file[1]]
                    to[file[2]]
                }
                changed = 0
                for (use in uses) {
                    split(use, file, SUBSEP)
                    if (!(file[1] in to) || !(file[2] in from)) {
                        delete uses[use]
                        changed = 1
                    }
                }
            } while (changed)
            for (use in uses) {
                split(use, file, SUBSEP)
                print file[1] " uses " file[2] ", in a circle:" uses[use]
            }
        }' "$1" "$2" | sort
}
rings "$work/defined" "$work/undefined" >"$work/circles"
ok "no files of a folder use each other in a circle" sh -c "cat '$work/circles'; [ ! -s '$work/circles' ]"
# A ring of three is found; who only uses it, or is only used by it, is not named.
printf 'wcts_%s d/%s.c\n' a a b b c c leaf leaf >"$work/three"
printf 'wcts_%s d/%s.c\n' b a c b a c leaf c a user >"$work/their-uses"
ok "a circle of three" [ "$(rings "$work/three" "$work/their-uses" | cut -d , -f 1 | tr '\n' ' ')" = \
    "d/a.c uses d/b.c d/b.c uses d/c.c d/c.c uses d/a.c " ]

# ---- what is public for nobody ----
# A function that no other file uses is static; `public` has those that are not, and why.
cut -d ' ' -f 1 "$work/undefined" | sort -u >"$work/wanted"
cat tests/*/*.[ch] agent/*.[ch] agent/*/*.[ch] emulator/*.[ch] | grep -oE '\<wcts_[a-z0-9_]+' | sort -u >>"$work/wanted"
awk 'NR == FNR {wanted[$1]; next} $1 ~ /^wcts_/ && !($1 in wanted) {print $1}' "$work/wanted" "$work/defined" |
    sort >"$work/found"
grep -v '^#' tests/house/public | sort >"$work/listed"
comm -23 "$work/found" "$work/listed" | while read -r name; do
    grep "^$name " "$work/defined" | sed 's/\([^ ]*\) \(.*\)/\2: \1 is used in no other file/'
done >"$work/unlisted"
ok "what is public is used elsewhere" sh -c "cat '$work/unlisted'; [ ! -s '$work/unlisted' ]"
comm -13 "$work/found" "$work/listed" >"$work/gone"
ok "no listed name that is used elsewhere" sh -c "cat '$work/gone'; [ ! -s '$work/gone' ]"

find runner -mindepth 1 -maxdepth 1 -type d | sed 's,^runner/,,' | sort >"$work/folders"
sed '/^#/d; s/ .*//; /^reports$/d' "$here/layers" | sort >"$work/rows"
ok "every folder has a row" cmp "$work/folders" "$work/rows"

# ---- a folder's README.md: what it owns, and at its end its row ----
for readme in runner/*/README.md reports/README.md; do
    folder=$(basename "${readme%/README.md}")
    sed -n "s/^$folder  */May use: /p" "$here/layers" | sed 's/ -$/ nothing/' >"$work/row"
    tail -n 1 "$readme" | cmp -s - "$work/row" || echo "$readme: expected at its end: $(cat "$work/row")"
done >"$work/differ"
ok "every README.md of a folder ends with its row" sh -c "cat '$work/differ'; [ ! -s '$work/differ' ]"
for readme in runner/*/README.md reports/README.md; do
    grep -oE '`[a-z_]+\.[ch]`' "$readme" | tr -d '`' | while read -r file; do
        [ -e "${readme%/README.md}/$file" ] || echo "$readme: there is no $file"
    done
done >"$work/lost"
ok "the files that a README.md names are there" sh -c "cat '$work/lost'; [ ! -s '$work/lost' ]"
ok "READMEs become more" [ "$(find runner -name README.md | wc -l)" -ge 13 ]
summary
