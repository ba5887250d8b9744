#!/bin/sh
# SPDX-License-Identifier: MIT
# What README.md shows is what the tool prints; the commands that it names are right,
# and so are the counts of statements in docs/coverage.md.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. tests/docs/blocks.sh
readme=${WCTS_DOCUMENT:-README.md}
blocks_split "$readme" || exit 1

# The block with this info string, compared with what was printed.
shows() {
    info=$(grep -lx "$1" "$work"/blocks/*.info) || fail "$readme" 1 "has no block \"$1\""
    body=${info%.info}
    line=$(basename "$body" | sed 's/^0*//')
    block_output "$readme" "$line" "$body" ||
        fail "$readme" "$line" "is not what the tool prints (WCTS_UPDATE=1: take its numbers)"
}

# A run against the example kernel without one of its checks.
sed 's/address % kernel->host->page_size || //' examples/kernel/kernel.c >"$work/mine.c"
! cmp -s examples/kernel/kernel.c "$work/mine.c" || fail "$readme" 1 "the example lost its check"
"${CC:-gcc}" -Iinclude -fPIC -shared -o "$place/mine.so" "$work/mine.c" || exit 1
echo "wddm-cts run --impl ./mine.so || true" >"$work/run"
block_run "$work/run" "$work/whole"
sed -n '/^fail /,/^$/p' "$work/whole" | sed '/^$/d' >"$work/printed"
shows "text failure"

# The counts.
"$tool" list --statements >"$work/statements" || exit 1
all=$(grep -c . "$work/statements")
pending=$(cut -f4 "$work/statements" | grep -cx pending)
ruled=$(cut -f4 "$work/statements" | grep -cx ruled)
: >"$work/log"
tr '\n' ' ' <docs/coverage.md | grep -q "Of $all statements $((ruled + pending)) can be tested, and \
$ruled have their rules.$([ "$pending" -eq 0 ] || echo " The other $pending") " ||
    fail docs/coverage.md 1 "expected: of $all statements $ruled ruled, $pending pending"

grep -q "the $all statements of" "$readme" || fail "$readme" 1 "expected: the $all statements"

# What is shown below the picture fits on a screen or little more, and the picture is small.
[ "$(sed -n '/^!\[/,$p' "$readme" | wc -l)" -le 60 ] || fail "$readme" 1 "is longer than a screen"
[ "$(wc -c <docs/report.png)" -lt 150000 ] || fail docs/report.png 1 "is larger than 150 KB"

# The commands of "Plug in your own" run: here, with what they leave in a place of their own.
mkdir -p "$place/examples" "$place/build" "$place/include"
cp -R examples/minimal "$place/examples" && cp include/wddm-cts.h "$place/include" || exit 1
rm -f "$place"/examples/*/*.so
ln -s "$tool" "$place/build/wddm-cts"
sed -n '/^## Plug in/,/^## /s/^    \(make\|build[^ ]* run\)/\1/p' "$readme" >"$work/own"
[ "$(wc -l <"$work/own")" -eq 2 ] || fail "$readme" 1 "lacks the commands to plug in a driver"
block_run "$work/own" "$work/printed" || { cp "$work/printed" "$work/log"; fail "$readme" 1 "no driver"; }
grep -q '^conforms' "$work/printed" || fail "$readme" 1 "the example does not conform"

# Commands and options.
: >"$work/log"
"$tool" help >"$work/help" || exit 1
grep -o -e '--[a-z][a-z-]*' "$readme" | sort -u | while read -r option; do
    grep -q -e "$option " "$work/help" || echo "$option"
done >"$work/log"
[ ! -s "$work/log" ] || fail "$readme" 1 "has options that the tool does not have"
