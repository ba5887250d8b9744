# SPDX-License-Identifier: MIT
# Cases that are repeated, or run in another order, and failures that depend on what ran before.
. tests/common.sh
hidden() {
    echo "$plugins/hidden_state.so,what=$1,emulator=$build/emulator.so"
}
few='--filter ^CAF-0(03|20)[^/]*/(effect|scenario|refuse|accept)/wddm2_0/ -j 1'

# ---- what a failure depends on ----
# found WHAT STATUS TEXT: a run of a plug-in with that state says on what its failures depend, and
# the command that it prints shows one again, while the case alone ends otherwise.
found() {
    what=${1%,*}
    # shellcheck disable=SC2086 # words
    status "$2" "$tool" run --impl "$(hidden "$1")" $few --out "$work/$what" --junit "$work/$what.xml" \
        --html "$work/$what.html" --markdown "$work/$what.md"
    ok "$what: $3" grep -q -- "order: .*$3" "$work/out"
    sed -n '/order: .*'"$3"'/{n;s/.*reproduce: wddm-cts //p;}' "$work/out" | head -n 1 >"$work/command"
    ok "$what in JUnit" grep -q -- "order: .*$3" "$work/$what.xml"
    ok "$what in the page" grep -q "Depends on what ran before" "$work/$what.html"
    ok "$what in run.json" grep -q '"order": \[' "$work/$what/run.json"
    "$tool" report --tap "$work/$what" >"$work/tap"
    ok "$what in TAP" grep -q -- "^# order: .*$3" "$work/tap"
}
# replayed STATUS ALONE: what was printed ends with the one status, and the case alone with the other.
replayed() {
    set -- "$1" "$2" "$(cut -d ' ' -f 2 "$work/command")" "$(sed 's/.*--impl //' "$work/command")"
    # shellcheck disable=SC2046 # words
    status "$1" "$tool" $(cat "$work/command")
    status "$2" "$tool" replay "$3" --impl "$4"
}
found poison 1 'passes alone, fails after CAF-020[^ ]*'
replayed 1 0
ok "in Markdown" grep -q -- "order: passes alone" "$work/poison.md"
ok "as few as one" [ "$(grep -o -- --after "$work/command" | wc -l)" -eq 1 ]
# shellcheck disable=SC2046 # words
status 1 "$tool" $(cat "$work/command") --no-fork
ok "those before are named" grep -q '^before: CAF-020.*: pass' "$work/out"
found leak,count=8 3 'passes alone, fails when it is run [0-9]* times in one process'
replayed 3 0
few='--filter ^CAF-001/accept/wddm3_2 -j 1'
found cold 1 'fails alone, passes after '
replayed 1 1
few='--filter ^CAF-0(03|20)[^/]*/(effect|scenario|refuse|accept)/wddm2_0/ -j 1'
# What fails by chance depends on nothing, and is not said to.
found chance,count=8,file=$work/counter 3 'fails now and then'
ok "chance: no number of times, and no case" sh -c "! grep -q 'order: .*\(in one process\| after [A-Z]\)' '$work/out'"

# What fails whatever ran before says nothing, and so does a run without failures.
# shellcheck disable=SC2086 # words
status 1 "$tool" run --impl "$plugins/accept_all.so" --filter '^CAF-003/.*/wddm1_2' --out "$work/always"
ok "nothing depends" sh -c "! grep -q 'order:' '$work/out'"
# Behind a connection, too: each worker has one.
status 1 "$tool" run --impl "exec:$tool-agent $plugins/hidden_state.so,what=poison,emulator=$build/emulator.so" \
    --filter '^CAF-0(03|20)[^/]*/(effect|scenario)/wddm2_0/' -j 1 --out "$work/wire"
ok "through a connection" grep -q 'order: .*passes alone, fails after CAF-020' "$work/out"

# ---- --repeat ----
# shellcheck disable=SC2086 # words
status 1 "$tool" run --impl "$(hidden every)" --filter '^CAF-056/effect/' --wddm 2.0 --repeat 5 --out "$work/every" -j 1 \
    --junit "$work/every.xml" --junit-detail case --html "$work/every.html"
ok "it is flaky" grep -q 'CAF-056/effect/[^:]*: pass [34] times, declined [12] times\{0,1\} of 5: ' "$work/out"
ok "and says so last" grep -q '^[0-9]* cases\{0,1\} \(is\|are\) flaky: ' "$work/out"
ok "JUnit has how often" grep -q '<flakyFailure message="[12] times\{0,1\}: ' "$work/every.xml"
ok "the journal, too" grep -q '"times":[12][,}]' "$work/every/journal.jsonl"
ok "and the page" grep -q ' [12] times: ' "$work/every.html"
status 0 "$tool" explain "$(sed -n 's/^flaky	\([^	]*\).*/\1/p' "$work/every/verdicts.txt" | head -n 1)" --run "$work/every"
ok "explain, too" grep -q 'repeated [12] times\{0,1\} declined' "$work/out"
status 3 "$tool" verify "$work/every"
ok "its records give the same" grep -q 'ok  *judged again' "$work/out"
status 1 "$tool" run -q --impl "$plugins/accept_all.so" --filter '^CAF-003/refuse/' --repeat 3 --out "$work/fails"
ok "what always fails is not flaky" sh -c "grep -q '^fail' '$work/fails/verdicts.txt' && ! grep -q '^flaky' '$work/fails/verdicts.txt'"
status 1 "$tool" run -q --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-003/accept/wddm1_0' --repeat 3 --no-backtrace --out "$work/dies"
ok "nor what always dies" grep -q '^crash' "$work/dies/verdicts.txt"
# shellcheck disable=SC2086 # words
"$tool" run -q $few --out "$work/once" >"$work/log" 2>&1
# shellcheck disable=SC2086 # words
"$tool" run -q $few --out "$work/thrice" --repeat 3 >"$work/log" 2>&1
ok "what never differs is as it was" cmp "$work/once/verdicts.txt" "$work/thrice/verdicts.txt"
status 3 "$tool" replay "$(sed -n 's/^flaky	\([^	]*\).*/\1/p' "$work/every/verdicts.txt" | head -n 1)" --repeat 3 --impl "$(hidden every)"
ok "replay has a line for each" [ "$(grep -c '^run [12]: ' "$work/out")" -eq 2 ]
ok "nor do its records take more" [ "$(wc -c <"$work/thrice/records")" -le $(($(wc -c <"$work/once/records") * 11 / 10)) ]
# A repeated run goes on behind what was stored.
bytes=$(wc -c <"$work/thrice/journal.jsonl")
status 0 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/killed" 7 2 "$bytes" -q $few --repeat 3
ok "after a kill it is the same" /usr/bin/python3 -B tests/runs/same.py "$work/thrice" "$work/killed"

# ---- --shuffle ----
# shellcheck disable=SC2086 # words
status 0 "$tool" run $few --out "$work/drawn" --shuffle
seed=$(sed -n 's/^wddm-cts: the cases run in the order of --shuffle=\([0-9]*\)$/\1/p' "$work/err")
ok "it prints the order" [ -n "$seed" ]
ok "and the summary" grep -q -- "--shuffle=$seed" "$work/out"
ok "reports keep theirs" cmp "$work/once/verdicts.txt" "$work/drawn/verdicts.txt"
ok "run.json has it" grep -q "\"--shuffle=$seed\"" "$work/drawn/run.json"
# The poison does not always come first.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    # shellcheck disable=SC2086 # words
    "$tool" run -q --impl "$(hidden poison)" $few --out "$work/mixed" --shuffle=$seed >"$work/out" 2>"$work/err"
    grep -c '^fail' "$work/mixed/verdicts.txt"
done >"$work/counts"
ok "orders differ" [ "$(sort -u "$work/counts" | wc -l)" -gt 1 ]
# shellcheck disable=SC2086 # words
"$tool" run -q --impl "$(hidden poison)" $few --out "$work/mixed-again" --shuffle=$seed >"$work/out" 2>"$work/err"
ok "one can be had again" cmp "$work/mixed/verdicts.txt" "$work/mixed-again/verdicts.txt"
# What was reached is stored in the order in which it ran, and again in plan order at the end: a kill
# at either loses nothing, and a run that is stopped says how many there are.
for order in --shuffle=8 '--shuffle=8 --repeat 2' '--budget 1h'; do
    # shellcheck disable=SC2086 # words
    "$tool" run -q $few --out "$work/whole" $order >"$work/out" 2>"$work/err"
    rm -rf "$work/shot"
    # shellcheck disable=SC2086 # words
    status 0 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/shot" 5 3 $((bytes * 2)) -q $few $order
    ok "$order: after kills it is the same" /usr/bin/python3 -B tests/runs/same.py "$work/whole" "$work/shot"
    ok "$order: nothing else is left" [ ! -e "$work/shot/reached" ]
    "$tool" verify "$work/shot" >"$work/out" 2>&1
    ok "$order: each has its record" sh -c "grep -q '^  ok .*judged again' '$work/out' && ! grep -q '^  NOT ok' '$work/out'"
done
hangs="$plugins/misbehave.so,do=hang"
status 3 "$tool" run -q --impl "$hangs" --timeout 60 --budget 0.2s --filter '^CAF-003/accept/wddm1_0' --out "$work/late"
ok "a time that is too short" [ "$(cat "$work/out")" = 'no case was reached in time' ]
"$tool" run -q --impl "$hangs" --timeout 60 --shuffle=1 --filter '^CAF-003/' --out "$work/stopped" >"$work/out" 2>&1 &
process=$!
until [ -s "$work/stopped/reached/run.json" ]; do sleep 0.02; done
kill "$process"
wait "$process"
ok "a run that is stopped" [ $? -eq 3 ]
ok "and how it goes on" grep -q "^stopped after 0 of [1-9][0-9]* cases: SIGTERM; resume with .*/stopped$" "$work/out"

# ---- what makes no sense ----
while IFS='|' read -r options text; do
    # shellcheck disable=SC2086 # words
    status 2 "$tool" run $options
    ok "run $options: $text" grep -q -- "$text" "$work/err"
done <<'END'
--repeat 0|expected a number from 1 to 10000
--repeat 10001|expected a number from 1 to 10000
--shuffle=x|expected a number
--repeat 2 --retries 1|found --repeat and --retries
--shuffle --budget 1s|found --shuffle and --budget
--shuffle --fail-fast|found --shuffle and --max-failures
--shuffle --shard 1/2|expected --shuffle=SEED
END
status 2 "$tool" replay CAF-003/refuse/wddm1_0/CreateShared --after CAF-003/refuse/wddm1_0/None
ok "no such case before" grep -q 'there is no case' "$work/err"
summary
