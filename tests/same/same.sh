#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares what this build says with what that of another commit says: same.sh COMMIT [DIFFERENCES]. The
# other is built once, in build/same/. What differs has to be listed in DIFFERENCES (by default the
# file beside this one), with a reason; what is listed there and does not differ is an error, too. All of it takes
# an hour of a processor; WCTS_PART=K/N: of the runs and of what is explained, the K-th of N parts.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
[ $# -ge 1 ] || { echo "same.sh: expected a commit: make same REF=COMMIT" >&2; exit 2; }
commit=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "same.sh: there is no commit $1" >&2; exit 2; }
differences=${2:-$here/differences}
reference=build/same/$commit
jobs=$(nproc)

if [ ! -e "$reference/built" ]; then
    rm -rf "$reference"
    mkdir -p "$reference"
    git archive "$commit" | tar -x -C "$reference" || exit 1
    plugins=$(cd "$reference" && ls tests/plugins/*.c | sed 's,^tests,build/default,; s,c$,so,')
    # shellcheck disable=SC2086 # several
    make -s -C "$reference" -j"$jobs" all $plugins >"$reference/log" 2>&1 || { tail "$reference/log"; exit 1; }
    touch "$reference/built"
fi
rm -rf build/same/there build/same/here
sh "$here/collect.sh" "$reference" "$reference" build/same/there || { echo "same.sh: nothing came of $1"; exit 1; }
sh "$here/collect.sh" . "$reference" build/same/here || { echo "same.sh: nothing came of this build"; exit 1; }

# is_listed FILE: notes which line lists it.
is_listed() {
    while IFS='	' read -r pattern reason; do
        case $pattern in '#'* | '') continue ;; esac
        # shellcheck disable=SC2254 # a pattern it is
        case $1 in $pattern)
            echo "$pattern" >>build/same/used
            [ -n "$reason" ]
            return
            ;;
        esac
    done <"$differences"
    return 1
}

: >build/same/used
passed=0
failed=0
(cd build/same && find here there -type f | sed 's,^[^/]*/,,' | sort -u) >build/same/files
while read -r file; do
    if cmp -s "build/same/there/$file" "build/same/here/$file" || is_listed "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $file differs:"
        diff -N "build/same/there/$file" "build/same/here/$file" | cut -c 1-200 | head -n 10
    fi
done <build/same/files
sed '/^#/d; /^$/d; s/	.*//' "$differences" >build/same/patterns
while read -r pattern; do
    if ! grep -qxF -e "$pattern" build/same/used; then
        failed=$((failed + 1))
        echo "FAIL $differences lists $pattern, which does not differ"
    fi
done <build/same/patterns
echo "$passed passed, $failed failed"
least=500
[ "${WCTS_PART:-1/1}" = 1/1 ] || least=400
[ "$failed" -eq 0 ] && [ "$passed" -gt $least ]
