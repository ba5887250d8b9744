#!/bin/sh
# SPDX-License-Identifier: MIT
# What users read is written in plain words. The words of the tool are those of the documents: exit statuses in docs/ci.md, the manual page,
# --help and reports/headline.c; verdicts and reasons of skips in docs/plugin.md. Run from the
# source directory; WCTS_BUILD is the build directory.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
build=${WCTS_BUILD:-build/default}
case $build in /*) ;; *) build=$PWD/$build ;; esac
tool=$build/wddm-cts
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# same NAME EXPECTED GOT: two files are equal, and not empty.
same() {
    if [ ! -s "$2" ]; then
        echo "FAIL $1: nothing to compare"
        failed=1
    elif ! diff -u "$2" "$3" >"$work/diff"; then
        echo "FAIL $1:"
        cat "$work/diff"
        failed=1
    fi
}

# ---- exit statuses: a line each, STATUS WORDS, in order ----
sed -n '/^## Exit status/,/^The last line/s/^| \([0-9]\) | `\([^`]*\)`.*/\1 \2/p' docs/ci.md |
    sed -e 's/ N / /' -e 's/ after \.\.\.$//' >"$work/table"
tr '\n' ' ' <docs/wddm-cts.1 | sed 's/\.SH EXIT STATUS/\n&/; s/\.SH ENVIRONMENT/\n&/' |
    grep '^\.SH EXIT STATUS' | sed -e 's/\.B \([0-9]\) /\n\1\n/g' -e 's/\\(lq/\n"/g' -e 's/\\(rq/"\n/g' |
    awk '/^[0-9]$/ {status = $0} /^".*"$/ {print status " " substr($0, 2, length($0) - 2)}' \
        >"$work/manual"
same "the manual page" "$work/table" "$work/manual"
"$tool" --help | sed -n '/^Exit status/,$p' | awk '
    {n = split($0, part, "\"")
     for (i = 2; i <= n; i += 2) print $1 " " part[i]}' >"$work/help"
same "--help" "$work/table" "$work/help"
# The table in C has names of exits; each conclusion begins with its words, or with those of its
# function.
awk '/^static void put_/ {name = $3; sub(/\(.*/, "", name)}
     /(fp(uts|rintf)|add_item)\(/ && name != "" {
         text = $0; sub(/^[^"]*"/, "", text); sub(/".*/, "", text); sub(/^%d /, "", text)
         if (text ~ /^[a-z]/ && !(name in words)) words[name] = text
     }
     /^    \{"[a-z-]*", WCTS_EXIT_/ {row = ""}
     {row = row $0}
     /put_[a-z_]*\}/ {
         status = row ~ /EXIT_USAGE/ ? 2 : row ~ /EXIT_NOTHING/ ? 3 : row ~ /EXIT_FAIL/ ? 1 : 0
         split(row, part, "\"")
         match(row, /put_[a-z_]*\}/)
         print status " " (part[4] != "" ? part[4] : words[substr(row, RSTART, RLENGTH - 1)])
         row = ""
     }' reports/headline.c | sed -e 's/[,:%].*//' -e 's/ after .*//' -e 's/ *$//' >"$work/code"
same "reports/headline.c" "$work/table" "$work/code"

# ---- verdicts ----
"$tool" run -q --filter '^CAF-003/' --out "$work/run" >"$work/out" 2>&1
"$tool" report "$work/run" --xml "$work/run.xml" >"$work/out" 2>&1
sed -n 's/.*<verdict name="\([a-z]*\)".*/\1/p' "$work/run.xml" | sort >"$work/verdicts"
sed -n '/^| verdict | meaning/,/^$/s/^| \([a-z]*\) |.*/\1/p' docs/plugin.md | grep -v '^verdict$' |
    sort >"$work/told"
same "verdicts in docs/plugin.md" "$work/verdicts" "$work/told"

# ---- reasons: each that a run gives has its line ----
for impl in "emulator,probe=off" "$build/plugins/driver_alone.so,emulator=$build/emulator.so" \
    "$build/plugins/refuse_all.so" "$build/plugins/accept_all.so"; do
    "$tool" run -q --impl "$impl" --suite smoke --out "$work/run" >"$work/out" 2>&1
    awk -F '\t' '$1 == "skip" || $1 == "declined" {print $3}' "$work/run/verdicts.txt"
done | sed -e 's/:.*//' -e 's/^KERNEL.* \(expected .*\)/\1/' | sort -u >"$work/reasons"
[ "$(wc -l <"$work/reasons")" -ge 4 ] || {
    echo "FAIL reasons: only $(wc -l <"$work/reasons")"
    failed=1
}
while read -r reason; do
    grep -Eq "^\| .*\`(\.\.\. )?$reason(: .*)?\`" docs/plugin.md || {
        echo "FAIL docs/plugin.md has no line for: $reason"
        failed=1
    }
done <"$work/reasons"
# And each in the table is one of the tool's.
sed -n '/^| reason | m/,/^$/s/^| `\(not [a-z]*\): .*/\1/p' docs/plugin.md | sort -u >"$work/told"
sed -n 's/.*\[WCTS_SKIP_NOT_[A-Z]*\] = "\(.*\)",/\1/p' runner/*/*.c | sort >"$work/skips"
same "reasons of skips in docs/plugin.md" "$work/skips" "$work/told"

# ---- plain words ----
# Not in what users read: a usual verb says the same, such as "got", "is in", "reports", "checks".
{
    cat <<'END'
\bwhat came\b|\bcame (to|of)\b|\bcomes to\b|\bhas come\b|\bhave come\b
\bstands? (in|on|at|under) (the|a|out|its|that|there)\b|\bhas it ready\b
\b(is|are|was|were|be) told\b|\btells (flaky|what|which)\b|\bsays (what|how|so|in words)\b
\b(is|are|be) held against\b|\bbest refused\b|\bmeanwhile\b|\bput to the test\b|\bgoes on\b
END
} >"$work/riddles"
"$tool" --help >"$work/help.txt"
if grep -niE -f "$work/riddles" README.md docs/*.md docs/wddm-cts.1 include/wddm-cts.h "$work/help.txt"; then
    echo "FAIL say it with the usual verb"
    failed=1
fi

exit "$failed"
