#!/bin/sh
# SPDX-License-Identifier: MIT
# What README.md shows is what the tool prints, but for numbers; its counts of statements, its links
# and the commands that it names are right.
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
    block_output "$body" || fail "$readme" "$line" "is not what the tool prints"
}

# The run that "make run" makes, and one against a kernel that accepts everything.
plugin=$(dirname "$tool")/plugins/accept_all.so
cp "$plugin" "$place/mine.so" || exit 1
echo 'wddm-cts run --junit out/junit.xml' >"$work/run"
mkdir "$place/out"
block_run "$work/run" "$work/printed" || { cp "$work/printed" "$work/log"; fail "$readme" 1 "no run"; }
shows "text summary"
echo "wddm-cts run --impl ./mine.so --filter '^CAF-012/refuse/' || true" >"$work/run"
block_run "$work/run" "$work/whole"
sed -n '/^fail /,/^$/p' "$work/whole" | sed '/^$/d' >"$work/printed"
shows "text failure"

# The counts.
"$tool" list --statements >"$work/statements" || exit 1
all=$(grep -c . "$work/statements")
pending=$(cut -f4 "$work/statements" | grep -cx pending)
ruled=$(cut -f4 "$work/statements" | grep -cx ruled)
: >"$work/log"
tr '\n' ' ' <"$readme" | grep -q "Of $all statements $((ruled + pending)) can be tested, and \
$ruled have their rules.$([ "$pending" -eq 0 ] || echo " The other $pending") " ||
    fail "$readme" 1 "expected: of $all statements $ruled ruled, $pending pending"

# Links, and the commands and options.
sed -n 's/[^]]*](\([^)#]*\))/\1\n/gp' "$readme" | grep -E '^[A-Za-z./-]+$' | while read -r path; do
    [ -e "$path" ] || echo "$path"
done >"$work/log"
[ ! -s "$work/log" ] || fail "$readme" 1 "links to what is not there"
"$tool" help >"$work/help" || exit 1
grep -o -e '--[a-z][a-z-]*' "$readme" | sort -u | while read -r option; do
    grep -q -e "$option " "$work/help" || echo "$option"
done >"$work/log"
[ ! -s "$work/log" ] || fail "$readme" 1 "has options that the tool does not have"
