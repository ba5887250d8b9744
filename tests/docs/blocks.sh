# SPDX-License-Identifier: MIT
# Carries out the blocks of a document; sourced by the test-*-blocks.sh scripts. The info string
# behind the language says what becomes of a block, and a block without one is an error:
#   file=NAME  is added to that file
#   run        is run by sh -eu, where the files are; the tool is in the PATH, and pkg-config
#              knows wddm-cts
#   output     is what the last run printed, but for times and dates; with WCTS_UPDATE=1 the
#              document gets the numbers that were printed, where nothing but numbers differs
#   fragment   C: compiles behind the header, as C11 and C++17
# Needs: the current directory is the top of the tree. Sets: work, place (where blocks run).
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
place=$work/place
mkdir "$place" "$work/blocks" "$work/pkgconfig"
top=$PWD
tool=${WCTS_BUILD:-$top/build/default}/wddm-cts

sed -e "s|@PREFIX@|$work|" -e 's|@VERSION@|0|' docs/wddm-cts.pc.in \
    >"$work/pkgconfig/wddm-cts.pc"
mkdir "$work/include"
cp include/wddm-cts.h "$work/include/"

fail() {
    echo "$1:$2: $3"
    [ ! -s "$work/log" ] || sed 's/^/    /' "$work/log"
    exit 1
}

# Writes each block to blocks/LINE and its info string to blocks/LINE.info.
blocks_split() {
    awk -v to="$work/blocks" '
        /^```/ && !inside {inside = sprintf("%05d", NR)
            info = to "/" inside ".info"; body = to "/" inside; print substr($0, 4) > info
            printf "" > body; close(info); next}
        /^```/ {close(body); inside = 0; next}
        inside {print > body}
        END {if (inside) {print FILENAME ": a block has no end"; exit 1}}' "$1"
}

# C_COMPILER FILE: without a warning, in both languages; plug-ins have parameters to spare.
compiles() {
    for language in "c c11" "c++ c++17"; do
        # shellcheck disable=SC2086
        set -- "$1" ${language}
        echo 'int nothing;' | gcc -x "$2" -std="$3" -fsyntax-only - 2>/dev/null || continue
        gcc -x "$2" -std="$3" -pedantic -Wall -Wextra -Wno-unused-parameter -Werror \
            -I"$work/include" -fsyntax-only "$1" >"$work/log" 2>&1 || return 1
    done
}

block_run() { # body, where what it prints goes
    (cd "$place" && PATH="$(dirname "$tool"):$PATH" PKG_CONFIG_PATH="$work/pkgconfig" NO_COLOR=1 \
        MAKEFLAGS='' sh -eu "$1") >"$2" 2>&1
}

# What differs from run to run: times, days, and the dates in names of runs.
without_times() {
    sed -E -e 's/[0-9]+T[0-9]+Z[-0-9]*/N/g' -e 's/[0-9]+-[0-9]{2}-[0-9]{2}/N/g' \
        -e 's/[0-9]+\.[0-9]+ s$/N s/' -e 's/  */ /g' "$1"
}

without_numbers() {
    without_times "$1" | sed -E -e 's/0x[0-9A-Fa-f]+/N/g' -e 's/[0-9]+/N/g'
}

# Prints for each line of a block the number of the printed one that it is, 0 for "...", by how both
# read in the files expected and came; or what is wrong, with status 1. "..." leaves out lines.
block_align() {
    awk 'NR == FNR {came[++count] = $0; next}
         $0 == "..." {skip = 1; print 0; next}
         {while (skip && at < count && came[at + 1] != $0) at++
          skip = 0
          if (came[++at] != $0) {print "expected: " $0; print "printed:  " came[at]; exit 1}
          print at}
         END {if (!skip && at < count) {print "printed as well: " came[at + 1]; exit 1}}' \
        "$work/came" "$work/expected" >"$1"
}

# Puts the printed lines whose numbers are others into the block at this line of the document.
block_update() { # document, line, body
    without_numbers "$3" >"$work/expected"
    without_numbers "$work/printed" >"$work/came"
    block_align "$work/places" || return 1
    without_times "$3" >"$work/expected"
    without_times "$work/printed" >"$work/came"
    awk -v first="$2" '
        FILENAME ~ /places$/ {place[FNR] = $0; next}
        FILENAME ~ /expected$/ {old[FNR] = $0; next}
        FILENAME ~ /came$/ {came[FNR] = $0; next}
        FILENAME ~ /printed$/ {printed[FNR] = $0; next}
        {line = FNR - first
         print (line in place) && place[line] && old[line] != came[place[line]] ? \
             printed[place[line]] : $0}' \
        "$work/places" "$work/expected" "$work/came" "$work/printed" "$1" >"$work/document" &&
        cat "$work/document" >"$1"
}

block_output() { # document, line, body
    without_times "$3" >"$work/expected"
    without_times "$work/printed" >"$work/came"
    if block_align "$work/log"; then
        : >"$work/log"
    elif [ -z "${WCTS_UPDATE:-}" ] || ! block_update "$1" "$2" "$3"; then
        without_times "$3" >"$work/expected"
        without_times "$work/printed" >"$work/came"
        block_align "$work/places"
        grep '^[ep]' "$work/places" >"$work/log"
        return 1
    fi
}

block_carry_out() { # document, line, info string, body
    : >"$work/log"
    case $3 in
    *" file="*)
        mkdir -p "$(dirname "$place/${3##* file=}")"
        cat "$4" >>"$place/${3##* file=}"
        ;;
    "sh run")
        block_run "$4" "$work/printed" ||
            { cp "$work/printed" "$work/log"; fail "$1" "$2" "does not run"; }
        ;;
    "text output")
        block_output "$1" "$2" "$4" ||
            fail "$1" "$2" "is not what the block before it prints (WCTS_UPDATE=1: take its numbers)"
        ;;
    "c fragment")
        { echo '#include "wddm-cts.h"'; cat "$4"; } >"$work/fragment.c"
        compiles "$work/fragment.c" || fail "$1" "$2" "does not compile"
        ;;
    *) fail "$1" "$2" "\"$3\" does not say what becomes of the block" ;;
    esac
}

# Carries out all blocks of a document, and compiles the C files that they make up.
blocks_carry_out() {
    blocks_split "$1" || exit 1
    for info in "$work"/blocks/*.info; do
        [ -e "$info" ] || fail "$1" 1 "has no blocks"
        body=${info%.info}
        line=$(basename "$body" | sed 's/^0*//')
        block_carry_out "$1" "$line" "$(cat "$info")" "$body"
    done
    for file in "$place"/*.c; do
        [ -e "$file" ] || continue
        compiles "$file" || fail "$1" 1 "$(basename "$file"): does not compile"
    done
}
