#!/bin/sh
# SPDX-License-Identifier: MIT
# A plug-in that dies or hangs: the operation is named, with the last messages; it is tried often
# enough to see what passes, and no more. Tries are counted, not timed.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh

# run NAME OPTIONS...: a run that does not conform.
run() {
    name=$1
    shift
    "$tool" run -q --out "$work/$name" --junit "$work/$name.xml" "$@" >"$work/log" 2>&1
    ok "$name does not conform" [ $? -eq 1 ]
}
# count NAME VERDICT: of its cases.
count() {
    grep -c "^$2	" "$work/$1/verdicts.txt"
}
not_tried() {
    grep -c 'not tried: cases like it ' "$work/$1/verdicts.txt"
}
# Each death costs a process, and a look at where it died as much as twenty of them: a part of one version
# is enough to thin out its cases, and what gdb sees has runs of its own below.
all=$("$tool" list --role kernel --wddm 2.3 --filter '^(CAF-0[0-2]|SEG|AIN)' | grep -c .)

# ---- it dies in an operation that nearly every case needs ----
run dies --impl "$plugins/misbehave.so,do=crash" --wddm 2.3 --filter '^(CAF-0[0-2]|SEG|AIN)' -j 1 --no-backtrace
ok "few are tried: $(count dies crash)" [ "$(count dies crash)" -lt $((all / 5)) ]
ok "and many of them" [ "$(count dies crash)" -gt 100 ]
ok "the rest is not tried" [ "$(not_tried dies)" -gt $((all / 2)) ]
ok "what passes is found" [ "$(count dies pass)" -gt 25 ]
ok "the operation is named" [ "$(grep -c '^crash.*killed by SIGSEGV in KERNEL_ALLOCATION_CREATE\( for 0x[0-9a-f]*\)*$' \
    "$work/dies/verdicts.txt")" -eq "$(count dies crash)" ]
ok "it is one cause" [ "$("$tool" report "$work/dies" | grep -c '^crash')" -eq 1 ]
is 'count(//error)' "$work/dies.xml" 1
is 'count(//error[contains(., "  messages:") and contains(substring-after(., "  messages:"),
    "    KERNEL_ALLOCATION_CREATE")])' "$work/dies.xml" 1
# A rule of which cases were not tried has not passed.
is 'count(//testcase[not(skipped or error)]) < 40' "$work/dies.xml" true
"$tool" verify "$work/dies" >"$work/out" 2>&1
ok "verify knows why there are no records" grep -q '^  ok  *judged again' "$work/out"

# ---- in one that few need ----
all=$("$tool" list --role kernel --wddm 2.6 | grep -c .)
run lock --impl "$plugins/misbehave.so,do=crash,at=KERNEL_LOCK" --wddm 2.6 -j 1 --no-backtrace
"$tool" run -q --impl "$plugins/accept_all.so" --wddm 2.6 -j 1 --out "$work/lives" >"$work/log" 2>&1
ok "the operation is named" grep -q '^crash.*killed by SIGSEGV in KERNEL_LOCK$' "$work/lock/verdicts.txt"
ok "few are tried: $(count lock crash)" [ "$(count lock crash)" -lt $((all / 20)) ]
ok "few are spared: $(not_tried lock)" [ "$(not_tried lock)" -lt $((all / 10)) ]
ok "what passes is found" [ $(($(count lives pass) - $(count lock pass))) -lt $((all / 10)) ]

# ---- --all-deaths tries all ----
some='^CAF-0(0[3-9]|1).*/wddm2_[01]'
run all --impl "$plugins/misbehave.so,do=crash" --filter "$some" -j 1 --no-backtrace --all-deaths
run few --impl "$plugins/misbehave.so,do=crash" --filter "$some" -j 1 --no-backtrace
ok "with --all-deaths all die" [ "$(count all crash)" -gt $(($(count few crash) * 3 / 2)) ]
ok "and none is spared" [ "$(not_tried all)" -eq 0 ]
ok "without, some are" [ "$(not_tried few)" -gt 0 ]
run sparse --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-003/(refuse|accept)' -j 1 --no-backtrace
"$tool" report "$work/sparse" | sed -n 's/^    pattern: *//p' >"$work/out"
ok "and no version of theirs passes" grep -q '^dies at WDDM 1.0.*; not all tried at [0-9., to]*' "$work/out"
# Where every case died nothing was tested.
run dead --impl "$plugins/misbehave.so,do=crash" --filter '^CAF-003/.*/wddm2_0' --all-deaths --no-backtrace
ok "every case dies" [ "$(grep -vc '^crash' "$work/dead/verdicts.txt")" -eq 0 ]
ok "its statement is in scope" grep -q '"in_scope": 1,$' "$work/dead/run.json"
ok "and not tested" sh -c "! grep -q '\"tested\": [1-9]' '$work/dead/run.json'"
# Messages that are none cost no worker.
run lies --impl "$plugins/misbehave.so,do=lie-array" --filter "$some"
ok "a lie kills nobody" [ "$(not_tried lies)" -eq 0 ]
ok "and has no backtrace" [ "$(grep -c '"backtrace":' "$work/lies/journal.jsonl")" -eq 0 ]
# A lie in the call beside the one that is to be refused is seen, too.
run apart --impl "$plugins/between.so,does=lies,emulator=$plugins/../emulator.so" --filter '^CAF-003/refuse/wddm2_[01]/'
ok "a twin's lie is no skip" [ "$(grep -c '^crash.*protocol: ' "$work/apart/verdicts.txt")" -eq \
    "$(grep -c . "$work/apart/verdicts.txt")" ]
# Deaths that are not in a row thin out nothing.
rm -f "$work/once"
run once --impl "$plugins/misbehave.so,do=crash,nth=3,once=$work/once" --filter "$some" --no-backtrace
ok "one death spares none" [ "$(not_tried once)" -eq 0 ]

# ---- it hangs in each case ----
run hangs --impl "$plugins/misbehave.so,do=hang" --timeout 0.2 --wddm 2.2..2.3 --no-backtrace
ok "a few dozen hangs: $(count hangs timeout)" [ "$(count hangs timeout)" -lt 50 ]
ok "the operation is named" [ "$(grep -c '^timeout.*no answer within 0.2 s in KERNEL_ALLOCATION_CREATE$' \
    "$work/hangs/verdicts.txt")" -eq "$(count hangs timeout)" ]
ok "what passes is found" [ "$(count hangs pass)" -gt 50 ]
is 'count(//error)' "$work/hangs.xml" 1
# ---- it hangs here and there: that costs no timeout each, and what passes is found all the same ----
some() { # NAME OPTION HANGS PASS OPTIONS FILTER: fewer than so many hang, more than so many pass.
    run "$1" --impl "$plugins/hang_some.so,$2,emulator=$build/emulator.so" --timeout 0.2 --no-backtrace $5 --filter "$6"
    ok "$1: $(count "$1" timeout) hangs" [ "$(count "$1" timeout)" -lt "$3" ]
    ok "$1: more than a few" [ "$(count "$1" timeout)" -ge 12 ]
    ok "$1: what passes is found: $(count "$1" pass)" [ "$(count "$1" pass)" -gt "$4" ]
    ok "$1: the operation is named" [ "$(grep -c '^timeout.* in KERNEL_ALLOCATION_CREATE\( for 0x[0-9a-f]*\)*$' \
        "$work/$1/verdicts.txt")" -eq "$(count "$1" timeout)" ]
}
# More than the forty-odd after which a sample that only ever became smaller was none.
some sixth part=6 250 500 '--wddm 2.0..2.6' '^CAF-0[0-3]'
ok "sixth: a long row" [ "$(count sixth timeout)" -gt 45 ]
# On a busy machine a worker may wait for its memory longer than that.
few='^(CAF-0[01]|SEG)'
some one-version version=0x700A 250 1000 '--wddm 2.1..2.3 --timeout 0.4' "$few"
"$tool" run -q --impl "$plugins/hang_some.so,emulator=$build/emulator.so" --wddm 2.1..2.3 --filter "$few" \
    --out "$work/whole" >"$work/log" 2>&1
for run in whole one-version; do
    sed -n '\,/wddm2_[13],p' "$work/$run/verdicts.txt" | grep -v '	CAF-[^	]*/sequence/' | cut -f 1,2 >"$work/$run.others"
done
ok "there are others" [ -s "$work/whole.others" ]
ok "what hangs at one version is tried at the others" cmp "$work/whole.others" "$work/one-version.others"
# ---- a hang that does not come again when the case is alone is no verdict, but is not silent ----
status 0 "$tool" run --impl "$plugins/hang_some.so,calls=500,emulator=$build/emulator.so" --timeout 0.2 \
    --wddm 2.6 --role kernel --no-sweep --out "$work/unrepeated" --junit "$work/u.junit" --html "$work/u.html" \
    --markdown "$work/u.md"
n=$(sed -n 's/.*"unrepeated": *{"cases": *\([0-9]*\).*/\1/p; /"unrepeated": {/,/}/s/.*"cases": \([0-9]*\).*/\1/p' "$work/unrepeated/run.json" | head -n 1)
ok "it is counted: $n" [ "${n:-0}" -gt 2 ]
ok "in the last line" grep -q "but for $n that hung or died by SIGKILL once: " "$work/out"
ok "on standard error" grep -q "^wddm-cts: $n cases hung or died by SIGKILL, and not when run again alone: first .* in KERNEL_ALLOCATION_CREATE$" "$work/err"
ok "in the summary" grep -q "^  unrepeated  *$n cases hung" "$work/out"
is 'string(//property[@name="cases.unrepeated"]/@value) != ""' "$work/u.junit" true
ok "in HTML" grep -q '<dt>unrepeated</dt>' "$work/u.html"
ok "in Markdown" grep -q 'Cases that hung or died by SIGKILL' "$work/u.md"
status 0 "$tool" report "$work/unrepeated" --xml "$work/u.xml"
valid reports/results.rng "$work/u.xml"
status 0 "$tool" report "$work/unrepeated" --tap
ok "in TAP" grep -q "^# unrepeated: $n: " "$work/out"
# Who asks for it is told by the status.
status 1 "$tool" run -q --impl "$plugins/hang_some.so,calls=20,emulator=$build/emulator.so" --timeout 0.2 \
    --filter '^CAF-0.*/accept/wddm2_6' -j 1 --fail-on-flaky --out "$work/once"
ok "they count as flaky" grep -q '^[0-9]* cases\{0,1\} hung or died by SIGKILL once: ' "$work/out"
# ---- where it died, as gdb sees it ----
# Once for each cause; the same in every report, and without a directory of the machine.
backtraces() { # NAME
    grep -c '"backtrace":' "$work/$1/journal.jsonl"
}
one='^CAF-003/(refuse|accept)/wddm3_2/'
if command -v gdb >/dev/null; then
    for death in crash:crash exit:leave abort:give_up; do
        run "gdb-$death" --impl "$plugins/misbehave.so,do=${death%:*}" --filter "$one" -j 2
        ok "$death: one for the cause" [ "$(backtraces "gdb-$death")" -eq 1 ]
        ok "$death: the first case has it" grep -q '"backtrace"' <<X
$(grep -m 1 '"verdict":"crash"' "$work/gdb-$death/journal.jsonl")
X
        ok "$death: the frame" grep -q "^#[0-9]*  *${death#*:} at misbehave.c:[1-9][0-9]*$" <<X
$(sed -n 's/.*"backtrace":"\([^"]*\)".*/\1/p' "$work/gdb-$death/journal.jsonl" | sed 's/\\n/\n/g')
X
    done
    run hung --impl "$plugins/misbehave.so,do=hang" --filter '^CAF-003/refuse/wddm3_2/' --timeout 0.3
    ok "a hang" grep -q 'backtrace":"#0 .* hang at misbehave.c:[1-9]' "$work/hung/journal.jsonl"
    status 0 "$tool" report "$work/gdb-crash:crash" --xml "$work/b.xml" --html "$work/b.html" \
        --markdown "$work/b.md" --junit "$work/b.junit"
    frame='#0  crash at misbehave\.c:[1-9]'
    valid reports/results.rng "$work/b.xml"
    ok "in JUnit" grep -q "^backtrace: $frame" "$work/b.junit"
    ok "in HTML" grep -q "<pre>$frame" "$work/b.html"
    ok "in Markdown" grep -q "^  $frame" "$work/b.md"
    status 0 "$tool" report "$work/gdb-crash:crash"
    ok "in the summary" grep -q "^    backtrace: $frame" "$work/out"
    ok "nothing of what called it" sh -c "! grep -q 'worker_main\|wcts_session' '$work/out'"
    ok "nor where it is" sh -c "! sed -n '/backtrace:/,/reproduce/p' '$work/out' | grep ' /'"
    status 0 "$tool" report "$work/gdb-crash:crash" --tap
    ok "in TAP" grep -q "^    - '$frame" "$work/out"
    is 'count(//cause)' "$work/b.xml" 1
else
    echo "left out: gdb is not installed, so there is no backtrace to look at"
fi
# It may be missing or unable to trace; that is one line, and changes nothing else.
mkdir "$work/bin"
printf '#!/bin/sh\necho "ptrace: Operation not permitted." >&2\nexit 1\n' >"$work/bin/gdb"
chmod +x "$work/bin/gdb"
for program in none denied never; do
    (
        case $program in
        none) PATH=$work/nowhere ;;
        *) PATH=$work/bin:$PATH ;;
        esac
        export PATH
        exec "$tool" run -q --impl "$plugins/misbehave.so,do=crash" --filter "$one" --out "$work/$program" \
            --all-deaths $([ $program != never ] || echo --no-backtrace)
    ) >"$work/log" 2>&1
    ok "gdb $program: does not conform" [ $? -eq 1 ]
done
ok "not installed" grep -qF '"backtrace":"none: gdb is not installed\n"' "$work/none/journal.jsonl"
ok "may not trace" grep -qF '"backtrace":"none: gdb cannot trace the worker: Operation not permitted.\n"' \
    "$work/denied/journal.jsonl"
ok "once in a run" [ "$(backtraces none) $(backtraces denied)" = "1 1" ]
ok "--no-backtrace" [ "$(backtraces never)" -eq 0 ]
ok "the verdicts are the same" cmp "$work/none/verdicts.txt" "$work/denied/verdicts.txt"
ok "with or without" cmp "$work/none/verdicts.txt" "$work/never/verdicts.txt"

summary
