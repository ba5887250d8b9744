#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the emulator with one of `choices` made: plant.sh NAME FILE.so. Run from the source
# directory; WCTS_BUILD is the build directory. What is wrong goes to the standard error.
set -u
name=$1
out=$2
build=${WCTS_BUILD:-build/default}
work=$out.sources
line=$(grep "^$name | " "$(dirname "$0")/choices")
rest=${line#* | }
file=${rest%% | *}
rest=${rest#* | }
command=${rest#* | }
mkdir -p "$work"
cp emulator/*.h "$work"
sed -e "$command" "emulator/$file" >"$work/$file"
if cmp -s "emulator/$file" "$work/$file"; then
    echo "the command changes nothing in $file" >&2
    exit 1
fi
# shellcheck disable=SC2046
"${CC:-gcc}" -std=gnu11 -O1 -w -D_GNU_SOURCE -Iinclude -fPIC -c -o "$work/fault.o" "$work/$file" &&
    "${CC:-gcc}" -shared -o "$out" "$work/fault.o" \
        $(find "$build/emulator" -name '*.o' ! -name "${file%.c}.o") || exit 1
rm -rf "$work"
