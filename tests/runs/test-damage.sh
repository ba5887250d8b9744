# SPDX-License-Identifier: MIT
# Run directories that were damaged: drawn bytes, lines and files. Nothing crashes or hangs, and each
# error has its place. With WCTS_DAMAGES so many of them (some 15 a second).
. tests/common.sh
some='--filter ^(CAF|UVA)-00[12]/.*/wddm2_0'
broken="--impl $plugins/accept_all.so"
# shellcheck disable=SC2086 # words
status 1 "$tool" run -q $broken $some --out "$work/whole"
for part in 1 2; do
    # shellcheck disable=SC2086 # words
    "$tool" run -q $broken $some --shard $part/2 --out "$work/part$part" >/dev/null
done
# shellcheck disable=SC2086 # words
"$tool" run -q $some --impl "$plugins/misbehave.so,do=hang,nth=60,once=$work/hangs" -j 1 --timeout 600 \
    --out "$work/unfinished" >/dev/null 2>&1 &
runner=$!
while kill -0 $runner && { [ ! -s "$work/hangs" ] || [ ! -s "$work/unfinished/batches" ]; }; do sleep 0.05; done 2>/dev/null
kill -s KILL $runner
wait $runner 2>/dev/null

mkdir "$work/here"
seed=${WCTS_PART:-1/1}
/usr/bin/python3 -B tests/runs/damage.py "$tool" "${seed%/*}" "${WCTS_DAMAGES:-60}" "$work/here" "$work/whole" \
    "$work/unfinished" "$work/part1" "$work/part2" >"$work/damages"
ok "damaged directories" sh -c "cat '$work/damages'; tail -n 1 '$work/damages' | grep -q ' 0 wrong'"
ok "most of them are refused" sh -c "awk '/ ended / {all += \$3; if (\$NF != 0) some += \$3} END {exit some * 2 < all}' '$work/damages'"
summary
