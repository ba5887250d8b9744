#!/bin/sh
# SPDX-License-Identifier: MIT
# What a run writes and prints reproduces each failure alone: with a fault of the emulator, the
# smallest form of each scenario that failed (scenarios/*.xml) fails again with --case and breaks the
# same statement, and so does the first case that the command behind "reproduce:" runs. Run from the
# source directory; WCTS_BUILD is the build directory; ids of faults as arguments: these alone.
# WCTS_PART=K/N: a part of the faults, with a third of those of patching, whose statements rest on each other.
# shellcheck source=tests/common.sh
. tests/common.sh
export tool work

# One fault: its id, and the options of the emulator that it needs ("-": none). What is wrong is in
# $work/ID.bad, a line each; what is not, in $work/ID.good.
cat >"$work/try.sh" <<'TRY'
id=$1
impl=emulator,fault=$id
[ "$2" = - ] || impl=emulator,$2,fault=$id
dir=$work/$id
good=$work/$id.good bad=$work/$id.bad
mkdir "$dir"
: >"$good"
: >"$bad"
"$tool" run -j 1 --level strict --impl "$impl" --wddm "$3" --filter "^${id%%[.+]*}[./]" \
    --out "$dir/out" >"$dir/printed" 2>&1
# Of many files a few, from everywhere among them.
ls "$dir/out/scenarios" 2>/dev/null >"$dir/files"
awk -v count="$(wc -l <"$dir/files")" 'NR % (int(count / 4) + 1) == 0' "$dir/files" |
    while read -r file; do
        "$tool" run -q -j 1 --level strict --impl "$impl" --case "$dir/out/scenarios/$file" \
            --out "$dir/again" >"$dir/log" 2>&1
        status=$?
        if [ $status -eq 1 ] && grep -q "^fail	${file%%-scenario-*}/" "$dir/again/verdicts.txt"; then
            echo "$file" >>"$good"
        else
            echo "$id at $3: $file: exit $status, $(tail -n 1 "$dir/log")" >>"$bad"
        fi
    done
sed -n 's/^ *reproduce: wddm-cts //p' "$dir/printed" | head -n 1 >"$dir/command"
if [ -s "$dir/command" ]; then
    cut -f 1,2 "$dir/out/verdicts.txt" >"$dir/verdicts"
    eval "\"\$tool\" $(cat "$dir/command")" >"$dir/log" 2>&1
    status=$?
    # What was declined is declined again.
    replayed=$(awk '{for (i = 1; i < NF; i++) if ($i == "replay") print $(i + 1)}' "$dir/command")
    expected=1
    grep -qxF "declined	$replayed" "$dir/verdicts" && expected=3
    if [ $status -eq $expected ]; then
        echo command >>"$good"
    else
        echo "$id at $3: $(cat "$dir/command"): exit $status, $(tail -n 1 "$dir/log")" >>"$bad"
    fi
fi
rm -rf "$dir"
TRY

"$tool" faults | awk -f tests/faults/listed.awk >"$work/all"
if [ $# -eq 0 ]; then
    grep '^PAT-' "$work/all" | rows 3 | sed 's/$/ 1.0/' >"$work/names"
    sh tests/part.sh <"$work/all" | sed 's/$/ 1.3..2.1/' | grep -v '^PAT-' >>"$work/names"
else
    for id in "$@"; do
        awk -v id="$id" '$1 == id {print $0, "1.0..3.2"}' "$work/all"
    done >"$work/names"
fi
xargs -P "$(nproc)" -n 3 sh "$work/try.sh" <"$work/names"
cat "$work"/*.good >"$work/goods"
cat "$work"/*.bad >"$work/bads"
passed=$(wc -l <"$work/goods")
while read -r line; do
    bad "$line"
done <"$work/bads"
# Preempting shows without the eviction what is broken, but not that paging is kept (PAT-017.out), on
# which it rests: the file has both.
if [ $# -eq 0 ]; then
    "$tool" run -q -j 1 --level strict --impl emulator,fault=PAT-028.again --wddm 1.0 \
        --filter '^PAT-028.again/' --out "$work/out" >"$work/log" 2>&1
    smallest=$work/out/scenarios/PAT-028.again-scenario-wddm1_0-preempted-at-edges.xml
    ok "what is kept below is looked at" grep -q 'expect="PAT-028.again" also="PAT-017.out"' "$smallest"
    ok "what shows it is there" grep -q KERNEL_EVICT "$smallest"
fi
# Most faults show in scenarios.
[ $# -gt 0 ] ||
    ok "files were tried" [ "$(grep -c 'xml$' "$work/goods")" -ge $(($(wc -l <"$work/names") / 3)) ]
summary
