#!/bin/sh
# SPDX-License-Identifier: MIT
# Implementations in other processes: the same findings as in the suite's own, each way to end told apart,
# and nothing left running. Run from the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
agent=$build/wddm-cts-agent
emulator=$build/emulator.so
peer="/usr/bin/python3 -B tests/wire/peer.py $build/wddm-cts.json"
started=
stop_all() {
    for pid in $started; do
        kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    done
    started=
}
trap 'stop_all; rm -rf "$work"' EXIT

# serve NAME COMMAND...: starts it and waits until it listens; $address is where.
serve() {
    name=$1
    shift
    rm -f "$work/$name.listen"
    "$@" >"$work/$name.listen" 2>"$work/$name.log" &
    started="$started $!"
    while ! grep -qs '^listening at ' "$work/$name.listen"; do
        kill -0 "$!" || return 1
        sleep 0.02
    done
    address=$(sed -n 's/^listening at //p' "$work/$name.listen" | head -n 1)
}
# run STATUS NAME OPTIONS...: a run in $work/NAME.
run() {
    expected=$1 name=$2
    shift 2
    status "$expected" "$tool" run -q --out "$work/$name" "$@"
}
# findings NAME: all of them, without times.
findings() {
    sed 's/"seconds":[0-9.e+-]*//' "$work/$1/journal.jsonl"
}
# same A B: two runs have the same findings.
same() {
    findings "$1" >"$work/a.findings"
    findings "$2" >"$work/b.findings"
    ok "$2 has the verdicts of $1" cmp "$work/$1/verdicts.txt" "$work/$2/verdicts.txt"
    ok "$2 has the findings of $1" cmp "$work/a.findings" "$work/b.findings"
    ok "there are some" [ -s "$work/a.findings" ]
}
# first NAME: the first case that did not pass, without its id.
first() {
    grep -Ev '^(pass|skip)' "$work/$1/verdicts.txt" | head -n 1 | cut -f 1,3
}
# running TEXT: processes with it in their command line. none_left TEXT: there is none.
running() {
    printf '%s\n' "$1" | grep -lasF -f - /proc/[0-9]*/cmdline >"$work/running"
    [ -s "$work/running" ] # some process may have ended meanwhile, for which grep fails
}
none_left() {
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        running "$1" || return 0
        sleep 0.1 # a signal needs its time
    done
    while read -r file; do
        tr "\\0" " " <"$file"
        echo "$file"
    done <"$work/running"
    return 1
}

# ---- the emulator, here and there ----
# Of all cases that need little time a part: each operation is among them, and so are sequences.
some='^(CAF-0[0-3]|UVA|PAT)'
run 0 here --suite smoke --filter "$some" --impl "$emulator,strict" -j 2
run 0 exec --suite smoke --filter "$some" --impl "exec:$agent $emulator,strict" -j 2
same here exec
some='^(CAF-00|AIN-00)'
run 0 part --suite smoke --filter "$some" --impl "$emulator,strict"
serve unix "$agent" --listen "unix:$work/socket" "$emulator"
run 0 unix --suite smoke --filter "$some" --impl "$address,strict" -j 2
same part unix
serve tcp "$agent" --listen tcp:127.0.0.1:0 --connections 1 "$emulator,strict"
run 0 tcp --suite smoke --filter "$some" --impl "$address" -j 2
same part tcp
run 0 sweep --filter '^CAF-0[01].*/sweep-refuse/wddm3_2' --impl "$emulator,strict"
run 0 swept --filter '^CAF-0[01].*/sweep-refuse/wddm3_2' --impl "exec:$agent $emulator,sweep,strict"
same sweep swept
# Words that the driver answers with, of which the agent makes many calls at a time: what is planted is found all the
# same, whether the kernel dies, asks the driver something else, or answers otherwise among many.
while read -r expected filter options; do
    options="word=segment,$options,emulator=$emulator,strict"
    run "$expected" told --filter "$filter" --no-backtrace --impl "$plugins/flag_fault.so,$options"
    run "$expected" asked --filter "$filter" --no-backtrace --impl "exec:$agent $plugins/flag_fault.so,$options"
    same told asked
done <<'END'
0 ^SEG-0(01|25)/sweep.*3_2 what=none
3 ^SEG-001/sweep-accept.*3_2 what=refuse,set=0x404
1 ^SEG-006/sweep-refuse.*3_2 what=accept,set=0x10000
1 ^SEG-006/sweep-refuse.*3_2 what=die,set=0x64
3 ^SEG-001/sweep-accept.*3_2 what=ask,set=0x4000
0 ^SEG-001/sweep-accept.*3_2 what=refuse,set=0x10,after=300
END
stop_all

# ---- a driver in Python, and the same in C ----
cc -std=c11 -Iinclude -fPIC -shared -o "$work/minimal.so" examples/minimal/minimal.c
python="exec:/usr/bin/python3 -B examples/python/driver.py $build/wddm-cts.json"
run 0 c --wddm 2.3 --impl "$work/minimal.so"
run 0 python --wddm 2.3 --impl "$python" -j 2
same c python
ok "it is short" [ "$(wc -l <examples/python/driver.py)" -lt 150 ]
ok "it needs nothing but its library" sh -c \
    "! grep -E '^(import|from)' examples/python/driver.py | grep -Evx 'import (json|struct|sys)'"

# ---- the session of the document ----
awk '/^```c file=kernel.c/ {on = 1; next} /^```/ {on = 0} on' docs/plugin.md >"$work/kernel.c"
cc -std=c11 -Iinclude -fPIC -shared -o "$work/kernel.so" "$work/kernel.c"
ok "the bytes of docs/protocol.md" /usr/bin/python3 -B tests/wire/session.py docs/protocol.md "$agent" "$work/kernel.so"
sed 's/^  08 00 00 00 01 00 00 00$/  08 00 00 00 02 00 00 00/' docs/protocol.md >"$work/changed.md"
ok "other bytes are found" sh -c \
    "! /usr/bin/python3 -B tests/wire/session.py '$work/changed.md' '$agent' '$work/kernel.so'"

# ---- each other command ----
status 0 "$tool" probe --impl "$python"
ok "probe shows it" grep -q '^name *minimal$' "$work/out"
status 0 "$tool" replay CAF-048/answer/wddm2_3 --impl "$python"
run 0 reproduced --wddm 2.3 --filter '^CAF-048/' --impl "$python"
status 0 "$tool" explain CAF-048/answer/wddm2_3 --run "$work/reproduced"
ok "explain reads its run" grep -q 'exec:/usr/bin/python3 -B examples/python/driver.py' "$work/out"
status 2 "$tool" replay CAF-048/answer/wddm2_3 --no-fork --impl "$python"
ok "a debugger belongs to the other process" grep -q 'a debugger sees it where it runs' "$work/err"
status 2 "$tool" replay CAF-048/answer/wddm2_3 --gdb --impl "$python"
ok "and is not started" grep -q '^wddm-cts: --impl .*a debugger sees it where it runs' "$work/err"
status 2 "$tool" faults --impl "$python"
ok "faults are of a plug-in" grep -q 'expected a shared object' "$work/err"
status 3 "$tool" verify "$work/reproduced" --impl "$python"
ok "its record is judged again" grep -q '^  ok  *judged again' "$work/out"
ok "there is nothing to compare" grep -q 'is no file' "$work/out"

# ---- as in process, a plug-in dies in its own way ----
some='^CAF-003/(refuse|accept)/'
for misdeed in abort lie-large write-beyond; do
    run 1 dies --wddm 2.3 --filter "$some" -j 1 --no-backtrace --impl "$plugins/misbehave.so,do=$misdeed"
    run 1 died --wddm 2.3 --filter "$some" -j 1 --impl "exec:$agent $plugins/misbehave.so,do=$misdeed"
    same dies died
    rm -rf "$work/dies" "$work/died"
done
serve dying "$agent" --listen "unix:$work/socket" "$plugins/misbehave.so"
run 1 dies --wddm 2.3 --filter "$some" -j 1 --no-backtrace --impl "$plugins/misbehave.so,do=crash"
run 1 died --wddm 2.3 --filter "$some" -j 1 --impl "$address,do=crash"
same dies died
stop_all

# ---- ways to end, of a peer that is no plug-in ----
while IFS='|' read -r misdeed text; do
    rm -rf "$work/ends"
    run 1 ends --wddm 2.3 --filter '^AIN-007/' --impl "exec:$peer '$misdeed'"
    ok "$misdeed: $(first ends)" [ "$(first ends)" = "crash	$text in DRIVER_ALLOCATION_CREATE" ]
done <<END
exit:0|called exit(0)
exit:3|called exit(3)
signal:SIGSEGV|killed by SIGSEGV
half|called exit(0)
bye:the board is on fire|the board is on fire
garbage:text|sent garbage: a message begins with 0x63617254 ("Trac"), expected 0x53544357 ("WCTS"), behind a reply of DRIVER_DEVICE of 32 bytes
garbage:outside|sent garbage: a call of MACHINE_LOG within no call, expected within the one that waits
garbage:twice|sent garbage: a call of MACHINE_LOG with the id of the call before
garbage:own|sent garbage: a call of OPEN for an open instance, expected an operation of another party for an open instance
END
status 2 "$tool" run -q --impl exec:cat --out "$work/echo"
ok "a program that sends back what it is sent: $(tail -n 1 "$work/out")" grep -q \
    'sent garbage: the call of HELLO that it was sent, expected an answer to it: it sends back what it is sent' "$work/out"
run 1 longer --wddm 2.3 --filter '^AIN-007/' --timeout 0.3 --impl "exec:$peer longer:8"
ok "a length that is too large is named" [ "$(first longer)" = \
    "timeout	no answer within 0.3 s, received 40 of 48 bytes of a message in DRIVER_ALLOCATION_CREATE" ]
run 1 silent --wddm 2.3 --filter '^AIN-007/' --timeout 0.3 --impl "exec:$peer silent"
ok "silence is a hang" [ "$(first silent)" = "timeout	no answer within 0.3 s in DRIVER_ALLOCATION_CREATE" ]
# More connections than a signed number holds.
run 0 many --wddm 2.3 --filter '^SEG-00' -j 4 --impl "exec:$peer hello:connections=0x80000000"
status 3 "$tool" replay -v AIN-007/answer/wddm2_3 --impl "exec:$peer 'reason:no such thing'"
ok "a reason is shown" grep -q 'DRIVER_ALLOCATION_CREATE: no such thing' "$work/out"
serve closing $peer close --at 1000 --listen "unix:$work/socket"
run 0 lives --wddm 2.3 --filter '^AIN-0' --impl "$address"
stop_all

# ---- HELLO ----
while IFS='|' read -r misdeed text; do
    status 2 "$tool" probe --impl "exec:$peer $misdeed"
    ok "$misdeed: $(cat "$work/err")" grep -qF ": $text" "$work/err"
done <<END
hello:abi_version=1|the reply to HELLO: abi_version is 1, expected 2
hello:pName=0xffffffff|the reply to HELLO: pName leads out of the message: offset 0xffffffff, 7 bytes, in 64
END

status 2 "$tool" probe --timeout 0.3 --impl "exec:sleep 100"
ok "who is silent in HELLO: $(cat "$work/err")" grep -q 'no answer within 0.3 s, in HELLO$' "$work/err"

# ---- addresses that lead nowhere ----
while IFS='|' read -r where text; do
    status 2 "$tool" probe --impl "$where"
    ok "$where: $(cat "$work/err")" grep -qF "$text" "$work/err"
done <<END
exec:|expected exec:COMMAND
exec:'a|a ' without its end, expected another one
exec:no-such-program|no-such-program: No such file or directory
exec:false|called exit(1)
exec:echo hello to all of you whoever you may be today|sent garbage: a message begins with 0x6C6C6568 ("hell")
tcp:nowhere|expected tcp:HOST:PORT
tcp:127.0.0.1:1|cannot be reached: Connection refused
unix:$work/nothing|cannot be reached: No such file or directory
END
# A reply to HELLO whose length is 96 and that ends after 32 bytes.
cat >"$work/part.sh" <<'END'
printf 'WCTS\001\000\002\000\140\000\000\000\001\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
sleep 60
END
status 2 "$tool" probe --timeout 0.3 --impl "exec:sh $work/part.sh"
ok "part of HELLO: $(cat "$work/err")" grep -q \
    'no answer within 0.3 s, received 32 of 96 bytes of a message, in HELLO' "$work/err"
status 2 "$tool" run --impl "exec:'a" --out "$work/wrong"
ok "a run finds it before it begins" [ ! -e "$work/wrong" ]

# ---- a target that starts again between two cases, and one that stays broken ----
for how in said unsaid; do
    serve reboots $peer "reboot:$how" --listen "unix:$work/socket"
    rm -rf "$work/reboots"
    run 0 reboots --wddm 2.3 --filter '^SEG-0(0|1)' --impl "$address" -j 2
    ok "every case is as ever: $how" sh -c "cut -f 1 '$work/reboots/verdicts.txt' | sort -u | tr '\n' ' ' |
        grep -x 'pass skip '"
    stop_all
done
serve poisoned $peer close --at 11 --listen "unix:$work/socket"
run 3 poisoned --wddm 2.3 --impl "$address"
ok "the run stops: $(cat "$work/err" "$work/out")" grep -q \
    'stopped after .*deaths in a row the implementation does not pass .* any more' "$work/out"
stop_all
serve gone $peer exit:1 --at 12 --listen "unix:$work/socket"
run 3 gone --wddm 2.3 --timeout 0.2 --impl "$address"
ok "it cannot be reached any more: $(cat "$work/out")" grep -q 'cannot be reached: Connection refused, for 1.2 s' "$work/out"
stop_all

# ---- nothing is left ----
mark=wire-mark-$$
ok "nothing is left of all that" none_left "$work"
for command in "$peer silent $mark" "sh -c '$peer silent $mark; true'"; do
    "$tool" run -q --wddm 2.3 --filter '^AIN-007/' --out "$work/killed" --impl "exec:$command" >"$work/log" 2>&1 &
    runner=$!
    while ! grep -q '^silent' "$work/killed/output/"* 2>/dev/null; do
        kill -0 "$runner" || break
        sleep 0.02
    done
    ok "it was running: $command" running "$mark"
    kill -KILL "$runner"
    wait "$runner" 2>/dev/null
    ok "nothing is left after SIGKILL: $command" none_left "$mark"
    rm -rf "$work/killed"
done

# ---- the agent's own words ----
status 0 "$agent" --help
ok "it has help" grep -q '^usage: wddm-cts-agent' "$work/out"
status 0 "$agent" --version
ok "it has a version" grep -q 'protocol 1, ABI 2$' "$work/out"
for words in "" "--lissten x a.so" "a.so b.so" "--connections 0 a.so" "--connections 4 a.so"; do
    # shellcheck disable=SC2086 # words
    status 2 "$agent" $words
done
status 2 "$agent" "$work/nothing.so"
ok "it says what it cannot load" grep -q 'nothing.so' "$work/err"
# What is wrong with a shared object, in the words that the tool has for it: another machine's, and one cut short.
{ cat "$emulator" && echo; } >"$work/other.so"
printf '\363\000' | dd of="$work/other.so" bs=1 seek=18 conv=notrunc 2>/dev/null
status 2 "$agent" "$work/other.so"
ok "it is for another machine: $(cat "$work/err")" \
    grep -q 'other.so: a shared object for 64-bit RISC-V, expected one for ' "$work/err"
head -c 3000 "$emulator" >"$work/cut.so"
status 2 "$agent" "$work/cut.so"
ok "it was cut short: $(cat "$work/err")" grep -q 'cut.so: ends after 3000 bytes, within the shared object' "$work/err"
status 2 "$agent" --listen here:1 "$emulator"
ok "it says where it can listen" grep -q 'expected tcp:HOST:PORT or unix:PATH' "$work/err"
# Of what is where it is to listen a socket that was left behind is replaced, and nothing else.
echo kept >"$work/kept"
status 2 "$agent" --listen "unix:$work/kept" "$emulator"
ok "a file is kept, and said so: $(cat "$work/err")" \
    sh -c "grep -qx kept '$work/kept' && grep -q 'kept: Address already in use' '$work/err'"
serve left "$agent" --listen "unix:$work/left" "$emulator"
kill -s KILL "$!"
wait "$!" 2>/dev/null
ok "a socket is left" [ -S "$work/left" ]
serve again "$agent" --listen "unix:$work/left" "$emulator"
ok "and replaced" [ "$address" = "unix:$work/left" ]
stop_all
printf 'GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n' >"$work/http"
status 1 sh -c "'$agent' '$emulator' <'$work/http'"
ok "it says what came: $(cat "$work/err")" grep -q 'begins with 0x20544547 ("GET "), expected' "$work/err"
summary
