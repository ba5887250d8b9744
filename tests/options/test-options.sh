#!/bin/sh
# SPDX-License-Identifier: MIT
# What selects cases, and where options stand. Run from the source directory; WCTS_BUILD is the
# build directory.
. tests/common.sh

# ---- several expressions ----
both='--filter ^CAF-003/ --filter ^CAF-018/'
"$tool" list --filter '^CAF-003/' >"$work/first"
"$tool" list --filter '^CAF-018/' >"$work/second"
status 0 "$tool" list $both
# Sweeps are behind all other cases.
sort "$work/first" "$work/second" >"$work/two"
sort "$work/out" >"$work/sorted"
ok "any filter selects" cmp "$work/sorted" "$work/two"
status 0 "$tool" list $both --exclude '^CAF-018/'
ok "what is excluded is not selected" cmp "$work/out" "$work/first"
status 0 "$tool" list --filter '^CAF-0' --exclude '^CAF-00' --exclude /wddm1_
ok "all excludes count" [ "$(grep -c '^CAF-00\|/wddm1_' "$work/out")" -eq 0 ]
status 0 "$tool" coverage --filter '^UVA-010' --exclude x
status 2 "$tool" list --exclude '('
ok "which expression is wrong" grep -q -- '--exclude (: ' "$work/err"
status 2 "$tool" list --filter ''
ok "no expression selects what no expression would" grep -q -- "--filter '': expected an expression" "$work/err"
status 2 "$tool" list --exclude ''
ok "what is left of an unset variable excludes nothing" \
    grep -q 'expected an expression: an empty one excludes every case' "$work/err"
status 2 "$tool" list --exclude '(-|[A-Z0-9]+)+[[:space:]]'
ok "an expression without an end lists nothing" [ ! -s "$work/out" ]
status 3 "$tool" list --filter '^CAF-003/' --exclude CAF
ok "how many are excluded" grep -q 'no case is selected: --exclude takes all [1-9][0-9]* that were left' "$work/err"
ok "no near misses of what matched" [ "$(wc -l <"$work/err")" -eq 1 ]
# Near misses are of the role.
"$tool" list --role driver | sed 's/[.\/].*//' | sort -u >"$work/driver"
status 3 "$tool" run --role driver --filter CAF-0031 --out "$work/none"
ok "ids of the driver's are near" grep -q '^  CAF-048$' "$work/err"
ok "and none of the kernel's" [ -z "$(sed -n 's/^  \([A-Z]*-[0-9]*\).*/\1/p' "$work/err" | grep -vxFf "$work/driver")" ]
status 3 "$tool" list --role driver --filter '^CAF-003'
ok "what is there has no near misses" grep -qx 'wddm-cts: --filter CAF-003: other options leave out its cases' "$work/err"
status 3 "$tool" list --filter '^NOSUCH'
ok "which filter selects nothing" grep -qx 'wddm-cts: no case is selected by --filter ^NOSUCH and the other options' "$work/err"
status 2 "$tool" run --fail-fast=3
ok "a value where none is taken" grep -qx 'wddm-cts: --fail-fast takes no value, found 3' "$work/err"
status 2 "$tool" run --seed -1
ok "how far seeds go" grep -q -- '--seed -1: expected a number from 0 to 18446744073709551615' "$work/err"
status 2 "$tool" list --wddm ..
ok "a version without a name" grep -q "there is no version ''; there are 1.0" "$work/err"
status 2 "$tool" list --wddm 2.0-2.4
ok "how a range is written" grep -q 'no version 2.0-2.4; there are 1.0 .* 3.2, and V..W from' "$work/err"
status 3 "$tool" list --filter '^CAF-003/' --exclude wddm2 --shard 500/500
ok "a shard may be empty" grep -qx 'wddm-cts: no case is selected: shard 500 of 500 has none of [1-9][0-9]*' "$work/err"
status 3 "$tool" list --filter '^CAF-003x$' --filter '^CAF-018x$'
ok "near misses of the first" grep -q 'CAF-003' "$work/err"
ok "and of the second" grep -q 'CAF-018' "$work/err"

# ---- what failed in a run ----
status 1 "$tool" run --impl "$plugins/accept_all.so" $both --out "$work/red"
grep '^fail	' "$work/red/verdicts.txt" | cut -f 2 >"$work/failed"
ok "there is something to run again" [ -s "$work/failed" ]
status 0 "$tool" list --failed-of "$work/red"
ok "what failed" sh -c "cut -f 1 '$work/out' | cmp - '$work/failed'"
status 0 "$tool" run --failed-of "$work/red" --out "$work/again"
ok "each of them, and no other" sh -c "cut -f 2 '$work/again/verdicts.txt' | cmp - '$work/failed'"
status 3 "$tool" list --failed-of "$work/again"
ok "nothing failed" grep -q 'no case failed or was declined in that run' "$work/err"
# What cannot be read of the run would be left out, and the rest be green.
cp -R "$work/red" "$work/damaged"
truncate -s "$(($(wc -c <"$work/red/journal.jsonl") / 2))" "$work/damaged/journal.jsonl"
status 2 "$tool" run --failed-of "$work/damaged" --out "$work/some"
ok "the journal was cut" grep -q 'damaged/journal.jsonl:[0-9]*: the journal ends here, expected [0-9]* entries: it was cut short' "$work/err"
sed '1s/.*/{}/' "$work/red/journal.jsonl" >"$work/damaged/journal.jsonl"
status 2 "$tool" run --failed-of "$work/damaged" --out "$work/some"
ok "the journal was changed" grep -q 'damaged/journal.jsonl:1: no entry, expected an object with id and verdict' "$work/err"
status 2 "$tool" explain --run "$work/damaged" "$(tail -n 1 "$work/failed")"
ok "a case may be behind it" grep -q 'damaged: journal.jsonl has a line that is no entry' "$work/err"
status 2 env TMPDIR="$work/nosuch" "$tool" report --level strict "$work/red"
ok "where temporary files go" grep -q 'No such file or directory, expected a directory for temporary files, which TMPDIR names' "$work/err"
status 2 "$tool" list --failed-of "$work"
ok "no run" grep -q 'no journal.jsonl, expected a run directory' "$work/err"

# ---- the record of a run names options that leave cases out ----
# Of all that it claims, which is a driver's side at two versions.
status 0 "$tool" run -q --out "$work/whole" \
    --impl "$plugins/driver_alone.so,emulator=$build/emulator.so,versions=0x5023+0x6003"
ok "a whole run" grep -q '"narrowed": false' "$work/whole/run.json"
ok "a narrowed run" grep -q '"narrowed": true' "$work/again/run.json"
ok "what narrowed it" grep -q '"\^CAF-018/"' "$work/red/run.json"

# ---- documents of a run, without a second command ----
status 0 "$tool" run $both --out "$work/made" --html "$work/run.html" --markdown "$work/run.md"
ok "the summary names them" grep -qx '  html        .*/run.html' "$work/out"
status 0 "$tool" report "$work/made" --html "$work/report.html" --markdown "$work/report.md"
ok "run and report write the same page" cmp "$work/run.html" "$work/report.html"
ok "and the same summary" cmp "$work/run.md" "$work/report.md"
status 1 "$tool" run --impl "$plugins/accept_all.so" $both --out "$work/red" --markdown "$work/red.md"
ok "of a run that fails" grep -q CAF-018 "$work/red.md"
cat >"$work/own.xsl" <<'END'
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:template match="/">own <xsl:value-of select="count(//run)"/></xsl:template>
</xsl:stylesheet>
END
status 0 "$tool" run $both --out "$work/made" --xsl "$work/own.xsl"
ok "a stylesheet of one's own has standard output" grep -qx 'own 1' "$work/out"
ok "alone" [ "$(grep -c . "$work/out")" -eq 1 ]
status 0 "$tool" report "$work/made" "$work/again" --xsl "$work/own.xsl"
ok "of two runs" grep -qx 'own 2' "$work/out"
status 2 "$tool" report "$work/made" --xsl "$work/own.html"
ok "none" grep -q -- '--xsl .*own.html: No such file or directory' "$work/err"
echo '<not-a-stylesheet/' >"$work/bad.xsl"
status 2 "$tool" run --out "$work/none" --xsl "$work/bad.xsl"
ok "before anything runs" [ ! -e "$work/none" ]
status 2 "$tool" run --xsl "$work/own.xsl" --json

# ---- nothing is written over something else ----
apart() { # what is wrong, option...
    what=$1
    shift
    status 2 "$tool" "$@"
    ok "$*: $what" grep -qF -e "$what, expected a file of its own" "$work/err"
}
run="run $both --out $work/made"
cp "$work/made/run.json" "$work/kept"
apart 'is that of --junit, too' $run --junit "$work/one" --html "$work/../$(basename "$work")/one"
: >"$work/one"
ln -sf one "$work/other"
apart 'is that of --html, too' $run --html "$work/one" --markdown "$work/other"
apart "is a run's own" $run --junit "$work/made/run.json"
apart "is a run's own" report "$work/red" "$work/made" --html "$work/made/journal.jsonl"
apart "is a run's own" run $both --out "$work/else" --html "$work/made/journal.jsonl"
apart 'is what --xsl reads' $run --xsl "$work/own.xsl" --html "$work/own.xsl"
cp "$plugins/accept_all.so" "$work/mine.so"
apart 'is what --impl reads' $run --impl "$work/mine.so" --junit "$work/mine.so"
apart 'is what --impl reads' probe --impl "$work/mine.so" --xml "$work/mine.so"
ok "nothing ran" cmp "$work/made/run.json" "$work/kept"
ok "and what was to be read is there" test -s "$work/own.xsl" -a -s "$work/mine.so" -a -s "$work/made/journal.jsonl"
status 0 "$tool" $run --junit "$work/made/junit.xml" --html /dev/null --markdown /dev/null
ok "a file beside the run's own" test -s "$work/made/junit.xml"

# ---- "-" is standard output, for one of them ----
status 0 "$tool" $run --junit -
ok "JUnit alone" xmllint --noout "$work/out"
status 0 "$tool" report "$work/made" --markdown -
ok "Markdown" grep -q '^## ' "$work/out"
ok "no file of that name" [ ! -e ./- ]
for pair in "--junit - --html -" "--json --html -" "--tap --xsl $work/own.xsl"; do
    # shellcheck disable=SC2086 # words
    status 2 "$tool" $run $pair
    ok "one only: $(cat "$work/err")" grep -q 'found more than one of .*, expected one' "$work/err"
done
status 2 "$tool" report "$work/made" --tap --html -

# ---- a run that is cut short ----
status 1 "$tool" run --impl "$plugins/accept_all.so" $both --fail-fast --out "$work/cut" --update-baseline "$work/new.xml"
ok "is no baseline" grep -q 'new.xml is left as it is: the run was cut short' "$work/err"
status 1 "$tool" run --impl "$plugins/accept_all.so" --filter '^CAF-003/' --fail-fast --shard 2/2 --retries 1 --out "$work/cut"
ok "of a shard" grep -q 'stopped after [0-9]* of [0-9]* cases: --max-failures 1$' "$work/out"
status 1 "$tool" run --impl "$plugins/accept_all.so" --failed-of "$work/cut" --out "$work/cut"
ok "its own failures again, in its place" grep -q '; 1 of [0-9]* cases$' "$work/out"

# ---- colour ----
escape=$(printf '\033')
status 0 "$tool" report "$work/made"
ok "none in a file" sh -c "! grep -q '$escape' '$work/out'"
status 0 env NO_COLOR=1 "$tool" report "$work/made" --color always
ok "always" grep -q "$escape" "$work/out"
status 0 "$tool" run $both --out "$work/made" --color never
ok "never" sh -c "! grep -q '$escape' '$work/out'"
status 2 "$tool" run --color sometimes

# ---- options before the command ----
status 2 "$tool" --impl x.so run --filter y
ok "where options stand" grep -qx 'wddm-cts: --impl: options come after the command' "$work/err"
ok "how it was meant" grep -qx 'try: wddm-cts run --impl x.so --filter y' "$work/err"
status 2 "$tool" --json list
ok "the command that was meant" grep -qx 'try: wddm-cts list --json' "$work/err"
status 2 "$tool" -j 4
ok "without a command" grep -qx 'try: wddm-cts run -j 4' "$work/err"

# ---- completion ----
# completed WORD...: what bash offers for the last word, a line each, sorted.
completed() {
    PATH="$build:$PATH" bash -c '. "$0/share/bash/wddm-cts"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _wddm_cts
        printf "%s\n" "${COMPREPLY[@]}"' "$build" "$@" | sort
}

# offers EXPECTED WORD...: it offers just these words.
offers() {
    expected=$(echo "$1" | tr ' ' '\n' | sort)
    shift
    got=$(completed "$@")
    ok "completion of $*: $got" [ "$got" = "$expected" ]
}
commands=$("$tool" --help | awk '/^  [a-z]/ {print $1}' | tr '\n' ' ' | sed 's/ $//')
offers "$commands" wddm-cts ''
offers "$commands" wddm-cts help ''
for command in $commands; do
    all=$("$tool" "$command" --help | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE '\-\-.*' | tr '\n' ' ' | sed 's/ $//')
    case $command in
    help | version) all=--help ;;
    esac
    offers "$all" wddm-cts "$command" --
done
offers 'report replay' wddm-cts re
offers '--filter --fail-fast --fail-on-flaky --failed-of' wddm-cts run --f
offers 'smoke standard' wddm-cts run --suite s
offers 'always auto' wddm-cts report out --color a
offers '' wddm-cts run --filter ''
offers '' wddm-cts run -j ''
offers 'docs/rules.md' wddm-cts run --impl docs/rul
offers 'docs' wddm-cts run --out doc
offers 'docs' wddm-cts verify doc
offers '--out' wddm-cts run --fail-fast --ou
# Words that an option takes are those that it accepts, and no others.
for option in role suite level color junit-detail; do
    for word in $(completed wddm-cts run --$option ''); do
        status 0 "$tool" run --$option "$word" --help
    done
    status 2 "$tool" run --$option nonsense --help
    listed=$(sed 's/.*expected //; s/,/ /g; s/ or / /; s/  */ /g' "$work/err")
    offers "$listed" wddm-cts run --$option ''
done

summary
