#!/bin/sh
# SPDX-License-Identifier: MIT
# Whoever breaks one statement is blamed for that one alone: each row runs an implementation at
# --level strict, and has the statements that fail. Run from the source directory; WCTS_BUILD is the
# build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# blames STATEMENTS IMPLEMENTATION OPTIONS...
blames() {
    expected=$1
    shift
    "$tool" run -j 1 --level strict --out "$work/out" --impl "$@" >"$work/log" 2>&1
    got=$(sed -n 's/^fail \([A-Z]*-[0-9]*\) .*/\1/p' "$work/log" | sort -u | tr '\n' ' ')
    if [ "${got% }" = "$expected" ]; then
        good
    else
        bad "$*: blamed ${got:-nothing }instead of $expected: $(tail -n 1 "$work/log")"
    fi
    rm -rf "${work:?}/out"
}

# What advice alone forbids shows nothing about the layout.
blames UVA-038 emulator,strict,fault=UVA-038.map --role kernel --wddm 2.3 --filter '^UVA'
blames UVA-038 emulator,strict,fault=UVA-038.mapprotect --role kernel --wddm 2.3 --filter '^UVA'
# Whoever evicts straight where an aperture is named keeps all else.
blames AIN-013 "$plugins/between.so,does=straight,emulator=$build/emulator.so" --role kernel --wddm 2.3 \
    --filter '^(AIN|SEG)'
# A wrong address that is written twice was processed twice.
blames PAT-015 emulator,fault=PAT-015 --role driver --wddm 2.3
blames PAT-036 emulator,fault=PAT-036 --role driver --wddm 2.3
blames PAT-036 emulator,fault=PAT-036+second --role driver --wddm 2.3
# What is lost beside another allocation, too, that never moves was lost by the paging, and is no
# question of whose record the driver found.
losing=$plugins/losing_driver.so
for when in always beside; do
    blames 'HDR-030 SEG-045' "$losing,when=$when,emulator=$build/emulator.so" --role driver --wddm 2.3
done
# What is wrong with moves or surfaces that are rare is wrong nowhere else.
wrong=$plugins/wrong_driver.so
while read -r does statement; do
    blames "$statement" "$wrong,does=$does,emulator=$build/emulator.so" --role driver --wddm 3.2
done <<END
loses-between HDR-057
loses-far HDR-057
leaves-segment HDR-091
large-buffers HDR-090
long-rows HDR-041
short-rows HDR-041
no-priority AIN-018
short-index HDR-031
END
"$tool" run -j 1 --impl "$wrong,does=forgets-others,emulator=$build/emulator.so" --role driver --wddm 3.2 \
    --filter '/kinds-when-others-went' --out "$work/out" >"$work/said" 2>&1
ok "what is forgotten is refused: $(tail -n 1 "$work/said")" grep -q '^incomplete: [1-9][0-9]* declined' "$work/said"

summary
