#!/bin/sh
# SPDX-License-Identifier: MIT
# What the sources must not say and whom they must not know: facts of the documents stand in spec/
# alone, emulator and runner share the interface header alone. Run from the source directory;
# WCTS_BUILD is the build directory.
set -u
build=${WCTS_BUILD:-build/default}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# empty NAME: what was found, in $work/found, is nothing.
empty() {
    if [ -s "$work/found" ]; then
        failed=$((failed + 1))
        echo "FAIL $1:"
        head -n 40 "$work/found"
    else
        passed=$((passed + 1))
    fi
}

# some NAME FILE: the list in FILE, with which something is looked for, is not empty.
some() {
    if [ -s "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: nothing to look for"
    fi
}

documents=$(find spec -name '*.xml' ! -name interface.xml ! -name versions.xml ! -name errata.xml)

# ---- no ids and no flag names in the code ----
sed -n 's/.*<statement id="\([^"]*\)".*/\1/p' $documents | sort -u >"$work/ids"
some "statements" "$work/ids"
grep -rnwF -f "$work/ids" runner reports --include='*.[ch]' >"$work/found"
empty "statement and rule ids in the code"

# A flag of interface.xml is one of the interface's own.
sed -n 's/.*<flag name="\([^"]*\)".*/\1/p' spec/interface.xml | sort -u >"$work/own"
sed -n 's/.*<flag name="\([^"]*\)".*/\1/p' $documents | sort -u |
    grep -vxF -f "$work/own" >"$work/flags"
some "flags" "$work/flags"
grep -rnwF -f "$work/flags" runner reports --include='*.[ch]' >"$work/found"
empty "flag names in the code"

# ---- names of the interface ----
# What an operation moves, settles and shows is in spec/interface.xml. The files that name operations
# or structures all the same are in `interface`, which may only become shorter.
tr '\n' ' ' <spec/interface.xml | sed 's/<!--[^>]*-->//g; s/</\n</g' >"$work/elements"
{
    sed -n 's/^<message operation="\([^"]*\)".*/WCTS_\1\n"\1"/p' "$work/elements" | grep -v '_INFO"*$'
    sed -n 's/^<structure name="\([^"]*\)" struct="\([^"]*\)".*/"\1"\nstruct \2/p' "$work/elements"
} | grep -v '^struct wcts_\(kernel\|driver\)_info_\|ALLOCATION_KIND\|^struct wcts_allocation_kind$' | sort -u >"$work/names"
some "names of the interface" "$work/names"
grep -rlwF -f "$work/names" runner reports --include='*.[ch]' | sort >"$work/naming"
grep -v "^#\|^$" tests/house/interface | sort >"$work/listed"
comm -23 "$work/naming" "$work/listed" >"$work/found"
empty "files that name operations or structures of the interface"
comm -13 "$work/naming" "$work/listed" >"$work/found"
empty "files that tests/house/interface lists and that name none"

# ---- emulator and runner ----
objects() {
    find "$@" -name '*.o'
}
nm --defined-only $(objects "$build/emulator") | awk 'NF == 3 && $2 ~ /[A-Z]/ {print $3}' |
    sort -u >"$work/emulator-has"
nm --undefined-only $(objects "$build/emulator") | awk '$1 == "U" {print $2}' | sort -u \
    >"$work/emulator-wants"
nm --defined-only $(objects "$build/runner" "$build/reports") |
    awk 'NF == 3 && $2 ~ /[A-Z]/ {print $3}' | sort -u >"$work/runner-has"
nm --undefined-only $(objects "$build/runner" "$build/reports") | awk '$1 == "U" {print $2}' |
    sort -u >"$work/runner-wants"
some "symbols of the emulator" "$work/emulator-has"
some "symbols of the runner" "$work/runner-has"

libc=$("${CC:-gcc}" -print-file-name=libc.so.6)
nm -D --defined-only "$libc" | awk '{sub(/@.*/, "", $3); print $3}' | sort -u >"$work/libc"
some "symbols of the C library" "$work/libc"
# Sanitizers add calls of their own, and the linker its table and the ends of sections.
comm -23 "$work/emulator-wants" "$work/emulator-has" | comm -23 - "$work/libc" |
    grep -vE '^(__(asan|ubsan|lsan|sanitizer|stack_chk|gcov|llvm)_|_GLOBAL_OFFSET_TABLE_$|__(start|stop)_emu_faults$)' \
        >"$work/found"
empty "symbols that the emulator takes from elsewhere than the C library"

comm -12 "$work/emulator-wants" "$work/runner-has" | comm -23 - "$work/emulator-has" \
    >"$work/found"
empty "symbols that the emulator takes from the runner"
comm -12 "$work/runner-wants" "$work/emulator-has" | grep -vxE 'wcts_plugin_(entry|faults)' >"$work/found"
empty "symbols that the runner takes from the emulator beside the plug-in's"
comm -12 "$work/runner-wants" "$work/emulator-has" >"$work/taken"
some "the plug-in's symbol" "$work/taken"

# Headers: those of its own directory, and the interface.
for file in emulator/*.[ch]; do
    sed -n 's/^[ 	]*#[ 	]*include[ 	]*"\(.*\)".*/\1/p' "$file" | while read -r header; do
        case $header in
        wddm-cts.h | ../include/wddm-cts.h) ;;
        */*) echo "$file: $header" ;;
        *) [ -f "emulator/$header" ] || echo "$file: $header" ;;
        esac
    done
done >"$work/found"
empty "headers that the emulator includes"
grep -nE '#[ 	]*include[ 	]*"[^"]*emulator/' -r runner reports --include='*.[ch]' >"$work/found"
grep -nE '#[ 	]*include[ 	]*"(\.\./)*emu_' -r runner reports --include='*.[ch]' >>"$work/found"
empty "headers of the emulator in the code"
cat "$build"/emulator/*.d | tr ' \\' '\n\n' | grep '\.h' | sed 's/:$//' | sort -u |
    grep -v '^/' >"$work/included"
some "headers of the emulator's objects" "$work/included"
grep -vE '^(emulator/[^/]*|include/wddm-cts)\.h$' "$work/included" >"$work/found"
empty "headers that the emulator's objects were made from"

# ---- every file ----
find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o \
    \( -name '*.c' -o -name '*.h' -o -name '*.sh' \) -type f -print | sort >"$work/files"
some "files" "$work/files"
xargs awk '
    FNR == 1 {if (NR > 1 && !said) print file; file = FILENAME; said = 0}
    FNR <= 3 && /SPDX-License-Identifier: MIT/ {said = 1}
    END {if (!said) print file}' <"$work/files" >"$work/found"
empty "files without an SPDX line"

# A function's body is between a brace alone on its line and the next one in the first column.
grep '\.c$' "$work/files" | xargs awk '
    FNR == 1 {begin = 0}
    /^\{$/ {begin = FNR; functions++}
    /^\}$/ && begin {
        if (FNR - begin + 1 > 100)
            printf "%s:%d: %d lines\n", FILENAME, begin, FNR - begin + 1
        begin = 0
    }
    END {if (functions < 100) print "only " functions " functions"}' >"$work/found"
empty "functions of more than 100 lines"

# `long` lists the exceptions, which may only become fewer.
xargs wc -l <"$work/files" | awk '$1 > 700 && $2 ~ /\.[ch]$/ {sub("^\\./", "", $2); print $2}' |
    sort >"$work/long"
grep -v '^#' tests/house/long | sort >"$work/listed"
comm -23 "$work/long" "$work/listed" >"$work/found"
empty "files of more than 700 lines"
comm -13 "$work/long" "$work/listed" >"$work/found"
empty "files that tests/house/long lists and that are not so long"

# A Check program whose tests were never added has "100%" of none.
printf '#!/bin/sh\necho "100%%: Checks: 0, Failures: 0, Errors: 0"\n' >"$work/empty"
chmod +x "$work/empty"
(cd "$work" && sh "$OLDPWD/tests/run.sh" ./empty 2>&1) | grep -qx '0 passed, 1 failed' && : >"$work/found" ||
    echo "tests/run.sh passes it" >"$work/found"
empty "a program that tries nothing"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
