#!/bin/sh
# SPDX-License-Identifier: MIT
# One C file for analyze.sh, which sets work and FLAGS: its findings, each once, as
# "TOOL FILE:LINE:COLUMN: ... [CHECK]", go to a file of $work.
set -u
file=$1
out=$work/$(echo "$file" | tr / .)
# As the Makefile compiles these.
case $file in
tests/emulator/*) FLAGS="$FLAGS -Iemulator" ;;
tests/ddi/*) FLAGS="$FLAGS -Iadapters/ddi/include -Iemulator" ;;
tests/drivers/* | examples/ddi/*) FLAGS="$FLAGS -Iadapters/ddi/include" ;;
esac
# shellcheck disable=SC2086 # several flags
{
    gcc $FLAGS -O0 -fanalyzer -c -o /dev/null "$file" 2>&1 | sed 's/^/gcc /'
    clang-tidy --quiet "$file" -- $FLAGS 2>/dev/null | sed "s,^$PWD/,," | sed 's/^/clang-tidy /'
    cppcheck -q --std=c11 --enable=warning,performance,portability --library=posix \
        --template='{file}:{line}:{column}: {severity}: {message} [{id}]' -Iinclude -Ibuild -I. -Iadapters/ddi/include \
        '-Djson_array_foreach(a, i, v)=while (next_of(a, &i, &v))' \
        '-Djson_object_foreach(o, k, v)=while (next_of(o, &k, &v))' \
        -D_GNU_SOURCE -DANALYZED_BY_CPPCHECK "$file" 2>&1 | sed 's/^/cppcheck /'
} | grep -E '^[^ ]+ [^ :]+:[0-9]+:[0-9]+: .*(error|\[[^]]*\]$)' | grep -v ' note: ' | sort -u >"$out.found"
