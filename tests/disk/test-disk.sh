#!/bin/sh
# SPDX-License-Identifier: MIT
# The run directory and everything else that is written: who may write where, what a full disk, a
# closed descriptor, a second run or a kill leaves.
# Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
small=--filter=^CAF-012/

said() {
    ok "standard error has $1" grep -qF -e "$1" "$work/err"
}

printed() {
    ok "standard output has $1" grep -qF -e "$1" "$work/out"
}

not() {
    ! "$@"
}

# hang OPTION...: starts a run that hangs, $hanging, and waits until it has begun.
hang() {
    "$tool" run --impl "$plugins/misbehave.so,do=hang" --timeout 600 "$@" \
        >"$work/hang.out" 2>"$work/hang.err" &
    hanging=$!
    tries=0
    while ! grep -q running "$2/run.json" 2>/dev/null && [ $tries -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# ---- --out takes a new or empty directory, or that of a run ----
mkdir "$work/mine" "$work/empty"
echo precious >"$work/mine/notes.txt"
status 2 "$tool" run $small --out "$work/mine"
said "wddm-cts: $work/mine: has notes.txt, which is no run's, expected a new or empty directory or that of a run"
ok "nothing is lost, nothing is added" [ "$(ls -A "$work/mine")" = notes.txt ]
for name in plan.tsv verdicts.txt run.json records journal.jsonl; do
    rm -rf "$work/mine"
    mkdir "$work/mine"
    echo precious >"$work/mine/$name"
    status 2 "$tool" run $small --out "$work/mine"
    said "has $name, which is no run's"
    ok "$name is as it was" [ "$(cat "$work/mine/$name")" = precious ]
done
for directory in empty new new/below; do
    status 0 "$tool" run $small --out "$work/$directory"
done
echo precious >"$work/new/notes.txt"
status 0 "$tool" run $small --out "$work/new"
ok "what lies beside a run stays" [ "$(cat "$work/new/notes.txt")" = precious ]
# A run that was killed before it had written anything.
mkdir -p "$work/begun/output"
: >"$work/begun/journal.jsonl"
status 0 "$tool" run $small --out "$work/begun"
status 2 "$tool" run $small --out "$tool"
status 2 "$tool" run $small --out /proc/none/here
status 2 "$tool" run $small --out /dev/null

# Links in the directory are replaced, or refused, never followed.
echo precious >"$work/precious"
mkdir "$work/elsewhere"
echo precious >"$work/elsewhere/file"
for name in journal.jsonl verdicts.txt plan.tsv records run.json.new; do
    ln -sf "$work/precious" "$work/new/$name"
done
status 0 "$tool" run $small --out "$work/new"
ok "what links point at is as it was" [ "$(cat "$work/precious")" = precious ]
ln "$work/new/journal.jsonl" "$work/copy"
cp "$work/copy" "$work/expected"
status 0 "$tool" run --filter ^CAF-003/ --out "$work/new"
ok "a hard link to an old journal keeps it" cmp "$work/copy" "$work/expected"
for name in scenarios output; do
    rm -rf "${work:?}/new/$name"
    ln -s "$work/elsewhere" "$work/new/$name"
    status 2 "$tool" run $small --out "$work/new"
    said "$work/new/$name: "
    ok "nothing is lost behind $name" [ -e "$work/elsewhere/file" ]
    rm "$work/new/$name"
done
rm "$work/new/journal.jsonl"
mkfifo "$work/new/journal.jsonl"
status 0 timeout 60 "$tool" run $small --out "$work/new"

# ---- one run at a time ----
hang --out "$work/locked"
status 2 "$tool" run $small --out "$work/locked"
said "wddm-cts: $work/locked: another run writes to this directory, expected one of its own"
ok "the first is as it was" grep -q running "$work/locked/run.json"
kill -9 $hanging
wait $hanging 2>/dev/null
status 0 "$tool" run $small --out "$work/locked"

# ---- files are opened before the run, and put in their place when they are whole ----
status 2 "$tool" run $small --out "$work/early" --junit "$work/none/junit.xml"
said "wddm-cts: $work/none/junit.xml: No such file or directory"
ok "no run" [ ! -e "$work/early" ]
status 2 "$tool" run $small --out "$work/early" --junit "$work/empty"
said "wddm-cts: $work/empty: Is a directory"
status 2 "$tool" run $small --out "$work/early" --update-baseline "$work/none/b.xml"
said "wddm-cts: $work/none/b.xml: No such file or directory"
status 2 "$tool" run $small --out "$work/empty" --junit "$work/none/junit.xml"
ok "an earlier run is as it was" grep -q '"end": "done"' "$work/empty/run.json"
for option in junit html markdown cobertura xml; do
    status 2 "$tool" report "$work/empty" --$option "$work/none/file"
    said "wddm-cts: $work/none/file: No such file or directory"
done
ln -s real.xml "$work/link.xml"
echo old >"$work/real.xml"
status 0 "$tool" run $small --out "$work/empty" --junit "$work/link.xml"
ok "a link stays one" [ -L "$work/link.xml" ]
ok "what it points at is the report" xmllint --noout "$work/real.xml"
ok "nothing is left beside it" [ -z "$(find "$work" -maxdepth 1 -name 'real.xml?*')" ]
ok "with the usual permissions" [ "$(stat -c %a "$work/real.xml")" = "$(stat -c %a "$work/empty/run.json")" ]

# A run that is killed leaves no report, neither an old one nor half of one.
mkdir "$work/kill"
echo old >"$work/kill/junit.xml"
hang --out "$work/kill/run" --junit "$work/kill/junit.xml"
kill -9 $hanging
wait $hanging 2>/dev/null
ok "nothing but the run is left" [ "$(ls -A "$work/kill")" = run ]
status 0 "$tool" report "$work/kill/run"
said "the run has not ended"

# Devices, pipes and the standard streams are written to as they are.
status 0 "$tool" run $small --out "$work/empty" --junit /dev/null
ok "a device stays one" [ -c /dev/null ]
status 0 "$tool" run $small --out "$work/empty" --junit /dev/stdout -q
ok "a report and the conclusion" [ "$(grep -c -e '</testsuites>' -e '^conforms' -e '^no failure' "$work/out")" -eq 2 ]
"$tool" run $small --out "$work/empty" --junit /dev/stdout -q | cat >"$work/out"
ok "through a pipe" [ "$(grep -c -e '</testsuites>' -e '^conforms' -e '^no failure' "$work/out")" -eq 2 ]
status 0 "$tool" report "$work/empty" --xml /dev/stderr
ok "to standard error" xmllint --noout "$work/err"
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/from-pipe" &
status 0 "$tool" run $small --out "$work/empty" --junit "$work/pipe"
wait $!
ok "a pipe" xmllint --noout "$work/from-pipe"
ok "stays one" [ -p "$work/pipe" ]
if [ -w /dev/full ]; then
    status 3 "$tool" run $small --out "$work/empty" --junit /dev/full
    printed "the results could not be written"
    ok "does not conform" not grep -q -e '^conforms' -e '^no failure' "$work/out"
    ok "nor says run.json so" grep -q '"exit_code": 3' "$work/empty/run.json"
    status 3 "$tool" report "$work/empty" --junit /dev/full
    for format in html markdown xml; do
        status 3 "$tool" report "$work/empty" --$format /dev/full
        ok "$format: one line says so" [ "$(cat "$work/err")" = "wddm-cts: /dev/full: No space left on device" ]
    done
fi

# ---- a disk that is full ----
limited() {
    (ulimit -f "$1" && shift && exec "$tool" "$@") >"$work/out" 2>"$work/err"
    got=$?
    ok "with room for $1 blocks: $got" [ $got -eq 3 ]
    ok "no conclusion" not grep -q -e '^conforms' -e '^no failure' "$work/out"
}
rm -rf "$work/limited"
for blocks in 8 64 512; do
    limited $blocks run --suite smoke --out "$work/limited" --junit "$work/limited.xml"
    ok "no report, or one of a run that was stopped" sh -c \
        "[ ! -e '$work/limited.xml' ] || grep -q 'stopped after' '$work/limited.xml'"
done

rm -rf "$work/limited"
limited 64 run --suite smoke --out "$work/limited"
ok "half a plan is not left behind" [ ! -e "$work/limited/plan.tsv.new" ]
# As a run leaves it that is killed while it writes the plan.
mkdir -p "$work/half"
: >"$work/half/journal.jsonl"
: >"$work/half/plan.tsv.new"
status 0 "$tool" run -q $small --out "$work/half"
mkdir -p "$work/half/reached"
: >"$work/half/reached/plan.tsv.new"
status 0 "$tool" run -q $small --out "$work/half"
ok "nor in what cases had reached" [ ! -e "$work/half/reached" ]

# ---- a file of the run that something else removed ----
hang --out "$work/cut" --timeout 2 --filter '^CAF-003/accept/wddm1_0/create$'
rm "$work/cut/journal.jsonl"
wait $hanging
ok "exit status 3" [ $? -eq 3 ]
ok "said so" grep -q "$work/cut/journal.jsonl: has 0 bytes, expected the [1-9][0-9]* that were written" \
    "$work/hang.err"
ok "and in the end" grep -q 'stopped after .*: the results could not be written' "$work/hang.out"

# ---- a run directory in which nothing can be written any more; its reports are elsewhere ----
hang --out "$work/barred" --timeout 1 --filter '^CAF-003/accept/wddm1_0/create$' --junit "$work/barred.xml"
mkdir "$work/barred/run.json.new"
wait $hanging
ok "exit status 3" [ $? -eq 3 ]
ok "the reports are written" grep -q 'value="stopped after 1 of 1 cases: the results could not be written"' "$work/barred.xml"

# ---- descriptors that are closed ----
status 0 sh -c "exec '$tool' run $small --out '$work/closed' <&-"
(exec "$tool" run $small --out "$work/closed" >&- 2>"$work/err")
ok "without standard output" [ $? -eq 0 ]
(exec "$tool" run $small --out "$work/closed" >"$work/out" 2>&-)
ok "without standard error" [ $? -eq 0 ]
(exec "$tool" run $small --out "$work/closed" <&- >&- 2>&-)
ok "without any" [ $? -eq 0 ]
status 3 "$tool" verify "$work/closed"
ok "no file has what was for the screen" not grep -rlq 'statements .* proven of' "$work/closed"

# ---- standard output that cannot be written ----
full() {
    "$tool" "$@" >/dev/full 2>"$work/err"
    got=$?
    ok "$1 to a full device is $got" [ $got -eq 3 ]
    said "wddm-cts: standard output cannot be written"
}
full run $small --out "$work/full"
full run $small --out "$work/full" -q
full run $small --out "$work/full" --json
full run $small --out "$work/full" --tap
full --help
full help run
full --version
full list $small
full list --rules
full list --statements --json
full explain CAF-012
full lint
full probe
full probe --json
full coverage --filter '^UVA-010'
full coverage "$work/closed"
full coverage --filter '^UVA-010' --json
full report "$work/closed"
full report "$work/closed" --tap
full verify "$work/closed"
full verify "$work/closed" --json
full diff "$work/closed" "$work/closed"
full diff "$work/closed" "$work/closed" --json
full diff spec spec
full faults
summary
