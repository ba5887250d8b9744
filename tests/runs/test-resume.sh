# SPDX-License-Identifier: MIT
# A run that was killed or stopped goes on where it was: nothing is lost, and in the end it is the run
# that nobody disturbed. What is not that run any more is refused.
. tests/common.sh
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
broken="--impl $plugins/accept_all.so"
small='--filter ^CAF-00[1-3]/.*/wddm2_'

# refused DIR TEXT OPTION...: going on is refused, with the text; and the run stays as it is.
refused() {
    directory=$1
    text=$2
    shift 2
    before=$(cat "$directory"/*.* | cksum)
    status 2 "$tool" run --resume "$directory" "$@"
    ok "says why" grep -q -- "$text" "$work/err"
    ok "the run is left as it is" [ "$(cat "$directory"/*.* | cksum)" = "$before" ]
}

# ---- killed at any moment ----
# Failures, whose findings differ by level, and their shrunk forms.
status 1 "$tool" run -q $broken --filter '^(CAF|UVA)-00[1-4]/' --out "$work/whole"
bytes=$(wc -c <"$work/whole/journal.jsonl")
seed=${WCTS_PART:-1/1}
status 1 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/killed" "${seed%/*}" 6 "$bytes" \
    -q $broken --filter '^(CAF|UVA)-00[1-4]/'
ok "the run is the one that was not killed" /usr/bin/python3 -B tests/runs/same.py "$work/whole" "$work/killed"
ok "its records give the same" sh -c "'$tool' verify '$work/killed' | grep -q 'ok  *judged again'"
ok "nothing for going on is left" [ ! -e "$work/killed/batches" ]

# Deaths in one operation: which cases are not tried any more depends on all those before.
crash="--impl $plugins/misbehave.so,do=crash -j 1 --no-backtrace"
status 1 "$tool" run -q $crash --filter '^CAF-00[0-3]/' --out "$work/dying"
bytes=$(wc -c <"$work/dying/journal.jsonl")
status 1 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/died" "${seed%/*}" 3 "$bytes" \
    -q $crash --filter '^CAF-00[0-3]/'
ok "and of one that dies" /usr/bin/python3 -B tests/runs/same.py "$work/dying" "$work/died"

# Sequences, whose steps are counted.
status 0 "$tool" run -q --filter '^UVA/sequence/wddm2_0/1-' --out "$work/walks"
bytes=$(wc -c <"$work/walks/journal.jsonl")
status 0 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/walked" "${seed%/*}" 1 "$bytes" \
    -q --filter '^UVA/sequence/wddm2_0/1-'
ok "and of sequences" /usr/bin/python3 -B tests/runs/same.py "$work/walks" "$work/walked"

# ---- stopped by a signal ----
# The plug-in hangs in its n-th call, so the signal comes when some cases are done.
hangs="$plugins/misbehave.so,do=hang,nth=300,once=$work/hangs"
for signal in TERM INT; do
    rm -rf "$work/hangs" "$work/stopped"
    "$tool" run --impl "$hangs" --timeout 600 -j 1 $small --out "$work/stopped" --junit "$work/stopped.xml" \
        --html "$work/stopped.html" --markdown "$work/stopped.md" >"$work/out" 2>"$work/err" &
    runner=$!
    while kill -0 $runner && [ ! -s "$work/hangs" ]; do sleep 0.05; done 2>/dev/null
    kill -s $signal $runner
    wait $runner
    ok "SIG$signal: status 3" [ $? -eq 3 ]
    ok "the last line says how to resume it" grep -q \
        "^stopped after [0-9]* of [0-9]* cases: SIG$signal; resume with wddm-cts run --resume .*/stopped$" "$work/out"
    for report in xml html md; do
        ok "the $report is written" grep -q "SIG$signal; resume with" "$work/stopped.$report"
    done
done
ok "some cases are done" [ -s "$work/stopped/journal.jsonl" ]
done_then=$(wc -l <"$work/stopped/journal.jsonl")
# The file says that it hung: it does no more.
status 1 "$tool" run --resume "$work/stopped"
ok "behind those that were done" grep -q "continues behind $done_then stored cases" "$work/err"
ok "it has its end" grep -q '^does not conform' "$work/out"
ok "and its reports again" sh -c "! grep -q 'not reached' '$work/stopped.xml'"
ok "of all cases" grep -q '"end": "done"' "$work/stopped/run.json"

# While it starts, before any case: as soon as it holds the signal back (bit 14 of the mask).
rm -rf "$work/early" "$work/early.xml"
"$tool" run --suite full --out "$work/early" --junit "$work/early.xml" --tap >"$work/out" 2>"$work/err" &
runner=$!
while mask=$(sed -n 's/^SigBlk:.*\(.\)...$/\1/p' /proc/$runner/status 2>/dev/null) &&
    [ -n "$mask" ] && [ "$mask" != 4 ] && [ "$mask" != 6 ]; do :; done
kill -s TERM $runner
wait $runner
ok "a signal during start-up: status 3" [ $? -eq 3 ]
ok "JUnit is written" grep -q 'stopped after 0 of [0-9]* cases: SIGTERM' "$work/early.xml"
ok "and the last line" grep -q 'stopped after 0 of [0-9]* cases: SIGTERM' "$work/out"

# ---- what was being written ----
# A run that is killed while its plug-in hangs: what was finished before is written by itself.
rm -f "$work/hangs"
"$tool" run --impl "$hangs" --timeout 600 -j 1 $small --out "$work/half" -q >/dev/null 2>&1 &
runner=$!
while kill -0 $runner && [ ! -s "$work/hangs" ]; do sleep 0.05; done 2>/dev/null
while [ ! -s "$work/half/batches" ] ||
    [ "$(tail -n 1 "$work/half/batches" | cut -d ' ' -f 1)" -ne "$(wc -l <"$work/half/journal.jsonl")" ]; do
    sleep 0.05
done
kill -s KILL $runner
wait $runner 2>/dev/null
status 1 "$tool" run --impl "$hangs" --timeout 600 -j 1 $small --out "$work/undisturbed" -q

cp -r "$work/half" "$work/torn"
printf '{"id": "CAF' >>"$work/torn/journal.jsonl"
printf 'fail' >>"$work/torn/verdicts.txt"
status 1 "$tool" run --resume "$work/torn"
ok "a torn record is recognised" grep -q '/journal.jsonl: the last 11 of [0-9]* bytes were being written' "$work/err"
ok "in each file" grep -q '/verdicts.txt: the last 4 of [0-9]* bytes were being written' "$work/err"
ok "and cut off" /usr/bin/python3 -B tests/runs/same.py "$work/undisturbed" "$work/torn"

cp -r "$work/half" "$work/line"
truncate -s -5 "$work/line/batches"
status 1 "$tool" run --resume "$work/line"
ok "a torn line of batches, too" grep -q '/batches: the last [0-9]* of [0-9]* bytes were being written\|no batch is whole' "$work/err"
ok "its cases are run again" /usr/bin/python3 -B tests/runs/same.py "$work/undisturbed" "$work/line"

cp -r "$work/half" "$work/none"
: >"$work/none/batches"
status 1 "$tool" run --resume "$work/none" -q
ok "before the first case it begins" /usr/bin/python3 -B tests/runs/same.py "$work/undisturbed" "$work/none"

# ---- what was changed ----
# refused_now NAME TEXT COMMAND: the directory is changed, and going on is refused with that text.
refused_now() {
    rm -rf "$work/now"
    cp -r "$work/half" "$work/now"
    (cd "$work/now" && eval "$3")
    refused "$work/now" "$2"
}
refused_now "without batches it is another run" '/batches: no such file, expected that of the run' 'rm batches'
refused_now "a first batch that does not fit" '/batches: a first batch whose bytes are not in the files' \
    'head -n 1 batches >one && mv one batches && sed -i "1s/pass/fail/" journal.jsonl'
refused_now "a zero byte" '/batches:[0-9]*: no line of a run, expected one, since more follows' \
    "printf '1\\0001\\n' >>batches"
refused_now "a link" '/output: Not a directory' 'mv output elsewhere && ln -s elsewhere output'
# What is torn is cut off only in the run that it is.
refused_now "a torn record of another plan" 'the run has another plan' \
    "printf '{\"id\": \"CAF' >>journal.jsonl && sed -i 3d plan.tsv"
refused_now "a torn record of other claims" 'the implementation claims another "sides" now' \
    "printf '{\"id\": \"CAF' >>journal.jsonl && sed -i 's/\"sides\": \\[/&\"none\",/' run.json"

refused_now "another option of the plug-in" '/run.json: "options" have checksum .*, expected .*: the file was changed' \
    "sed -i 's/once=/only=/' run.json"

# ---- what may be another, and what may not ----
cp -r "$work/half" "$work/again"
refused "$work/again" 'found --filter=^CAF-001/, expected --filter=^CAF-00\[1-3\]' --filter '^CAF-001/'
refused "$work/again" 'found --seed=2, expected no --seed' --seed 2
refused "$work/again" 'found --level=strict, expected no --level' --level strict
refused "$work/again" 'found --out .*/other too, expected one of the two' --out "$work/other"
refused "$work/again" 'found --impl=emulator, expected --impl=.*misbehave.so' --impl emulator
WCTS_CASES_DIR=$work/cases
cp -r cases "$WCTS_CASES_DIR"
echo '<!-- another -->' >>"$WCTS_CASES_DIR/base.xml"
export WCTS_CASES_DIR
refused "$work/again" 'the spec has digest .*, expected'
unset WCTS_CASES_DIR
sed -i 's/"tool_version": "[^"]*"/"tool_version": "0.0.9"/' "$work/again/run.json"
refused "$work/again" 'made by version 0.0.9 of the tool, expected this one'
cp "$work/half/run.json" "$work/again"
sed -i 's/"sha256": "./"sha256": "x/' "$work/again/run.json"
refused "$work/again" 'the implementation has digest .* now, expected x'
cp "$work/half/run.json" "$work/again"
sed -i '3d' "$work/again/plan.tsv"
refused "$work/again" '/plan.tsv:3: found .*, expected .*: the run has another plan'
cp "$work/half/plan.tsv" "$work/again"
status 2 "$tool" run --resume "$work/nowhere"
ok "no directory" grep -q 'nowhere: run.json: No such file' "$work/err"
status 2 "$tool" run --resume "$work"
ok "or that of no run" grep -q 'expected the directory of a run' "$work/err"

mkdir "$work/elsewhere"
status 2 sh -c "cd '$work/elsewhere' && '$tool' run --resume ../half"
ok "elsewhere its paths lead nowhere, and it is said where they do" \
    grep -q -- '--resume ../half: paths of a run are relative to the directory in which it was begun' "$work/err"

cp -r "$work/half" "$work/free"
status 1 "$tool" run --resume "$work/free" $small -j 2 --json --junit "$work/free.xml"
ok "its own options may be given again, and how it is reported" \
    [ "$(grep -c '^{"id"' "$work/out")" -eq "$(wc -l <"$work/free/verdicts.txt")" ]
ok "the stream has the cases that were run before" xmllint --noout "$work/free.xml"
status 1 "$tool" run --resume "$work/free"
ok "a run that has ended" grep -q 'the run has ended, nothing is left to run: does not conform' "$work/err"

# ---- what is there stays there ----
some="--suite smoke --filter ^CAF-00 --wddm 3.2 -q"
# shellcheck disable=SC2086 # words
status 0 "$tool" run $some --out "$work/ended" --junit "$work/ended.xml"
status 0 "$tool" run --resume "$work/ended"
ok "the report of an ended run is there" [ -s "$work/ended.xml" ]
# shellcheck disable=SC2086
status 2 "$tool" run $some --shard 1/2 --durations "$work/nowhere" --out "$work/ended"
ok "so are its results" [ -s "$work/ended/journal.jsonl" ]
# shellcheck disable=SC2086
status 2 "$tool" run $some --shard 1/1 --durations "$work/ended/journal.jsonl" --junit "$work/ended/journal.jsonl" --out "$work/other"
ok "and its journal is no report" [ -s "$work/ended/journal.jsonl" ]
# ---- a merge that was stopped ----
# shellcheck disable=SC2086 # words
{
    status 0 "$tool" run $some --shard 1/1 --out "$work/part"
    status 0 "$tool" merge -q "$work/part" --out "$work/merged"
}
sed -i 's/"end": "done"/"end": "running"/' "$work/merged/run.json"
refused "$work/merged" 'a merge that was stopped, expected a run: merge again'
# ---- a run that has ended ----
status 1 "$tool" run --resume "$work/undisturbed" --junit "$work/late.xml" --html "$work/late.html"
ok "an ended run writes reports" sh -c "xmllint --noout '$work/late.xml' && grep -q '<testcase' '$work/late.xml' && [ -s '$work/late.html' ]"
status 0 "$tool" report "$work/undisturbed" --junit "$work/report.xml"
ok "those of report" cmp "$work/late.xml" "$work/report.xml"
sed -i '1s/"verdict":"[a-z]*"/"verdict":"warn"/' "$work/undisturbed/journal.jsonl"
refused "$work/undisturbed" '/journal.jsonl: found digest .*, expected .*: the file was changed after the run'
summary
