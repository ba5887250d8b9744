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
cat "$work/first" "$work/second" >"$work/two"
ok "any filter selects" cmp "$work/out" "$work/two"
status 0 "$tool" list $both --exclude '^CAF-018/'
ok "what is excluded is not selected" cmp "$work/out" "$work/first"
status 0 "$tool" list --filter '^CAF-0' --exclude '^CAF-00' --exclude /wddm1_
ok "all excludes count" [ "$(grep -c '^CAF-00\|/wddm1_' "$work/out")" -eq 0 ]
status 0 "$tool" coverage --filter '^CAF-003' --exclude x
status 2 "$tool" list --exclude '('
ok "which expression is wrong" grep -q -- '--exclude (: ' "$work/err"
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
status 2 "$tool" list --failed-of "$work"
ok "no run" grep -q 'no journal.jsonl, expected a run directory' "$work/err"

# ---- the record of a run tells that cases were left out ----
status 0 "$tool" run -q --out "$work/whole"
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
    PATH="$build:$PATH" bash -c '. docs/wddm-cts.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _wddm_cts
        printf "%s\n" "${COMPREPLY[@]}"' completion "$@" | sort
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
offers 'docs/rules.md' wddm-cts run --impl docs/ru
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
