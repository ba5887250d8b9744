#!/bin/sh
# SPDX-License-Identifier: MIT
# The agent, the emulator and an example, compiled for Windows with mingw-w64: warnings are errors. Under
# Wine they give the same findings and the same records as here, and each way to die is told apart.
# Called by tests/extra.sh in the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
mingw=${MINGW:-x86_64-w64-mingw32-gcc}
# needs PROGRAM PACKAGE: the test ends here without it, and says so.
needs() {
    command -v "$1" >/dev/null && return
    echo "$1 is not installed: apt-get install $2"
    summary
    exit
}
needs "$mingw" gcc-mingw-w64-x86-64
status 0 make WERROR=1 windows
windows=build/windows
status 0 "$mingw" -std=gnu11 -Wall -Iinclude -static -shared -o "$work/dies.dll" tests/extra/dies.c
needs wine wine
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=d" DISPLAY=
# What Wine starts for all of its programs is there before, so that no run leaves it behind.
server=/usr/lib/wine/wineserver64
mkdir "$WINEPREFIX"
"$server" -p
trap '"$server" -k -w; stop_all; rm -rf "$work"' EXIT
wine cmd /c ver >/dev/null 2>&1
agent="wine $windows/wddm-cts-agent.exe"
started=
stop_all() {
    for pid in $started; do
        kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    done
}

# run STATUS NAME OPTIONS...: a run in $work/NAME.
run() {
    expected=$1 name=$2
    shift 2
    rm -rf "${work:?}/$name"
    status "$expected" "$tool" run -q --timeout 60 --out "$work/$name" "$@"
}
# same A B: two runs have the same verdicts, the same findings but for times, and the same records.
same() {
    ok "$2 has the verdicts of $1" cmp "$work/$1/verdicts.txt" "$work/$2/verdicts.txt"
    for one in "$1" "$2"; do
        sed 's/"seconds":[0-9.e+-]*//' "$work/$one/journal.jsonl" >"$work/$one.findings"
    done
    ok "$2 has the findings of $1" cmp "$work/$1.findings" "$work/$2.findings"
    ok "there are some" [ -s "$work/$1.findings" ]
    ok "$2 has the records of $1" diff -r "$work/$1/records" "$work/$2/records"
    ok "there are records" [ -n "$(ls "$work/$1/records")" ]
}
# listen PLUG-IN: starts an agent for it; $address is where.
listen() {
    rm -f "$work/listen"
    # shellcheck disable=SC2086 # words
    $agent --listen tcp:127.0.0.1:0 --connections 2 "$1" >"$work/listen" 2>"$work/listen.log" &
    started="$started $!"
    while ! grep -qs '^listening at ' "$work/listen"; do
        kill -0 "$!" || return 1
        sleep 0.05
    done
    address=$(sed -n 's/^listening at //p' "$work/listen")
}

# ---- the emulator and an example, here and there ----
part=$(echo 1 2 3 4 5 6 7 8 | tr ' ' '\n' | sh tests/part.sh | head -n 1)
some="^(CAF-0${part:-1}|UVA-00|PAT-00|SEG-01)"
run 0 here --suite smoke --filter "$some" --impl "$build/emulator.so,strict" -j 1
run 0 exec --suite smoke --filter "$some" --impl "exec:$agent $windows/emulator.dll,strict" -j 1
same here exec
listen "$windows/emulator.dll"
run 0 tcp --suite smoke --filter "$some" --impl "$address,strict" -j 1
same here tcp
run 0 twice --suite smoke --filter "$some" --impl "$address,strict" -j 2
ok "two connections" cmp "$work/here/verdicts.txt" "$work/twice/verdicts.txt"
cc -std=c11 -Iinclude -fPIC -shared -o "$work/minimal.so" examples/minimal/minimal.c
run 0 c --wddm 2.3 --impl "$work/minimal.so" -j 1
run 0 windows --wddm 2.3 --impl "exec:$agent $windows/minimal.dll" -j 1
same c windows

# ---- ways to die ----
while IFS='|' read -r misdeed text; do
    run 1 dies --wddm 2.3 --filter '^AIN-007/' --impl "exec:$agent $work/dies.dll,do=$misdeed"
    first=$(grep -Ev '^(pass|skip)' "$work/dies/verdicts.txt" | head -n 1 | cut -f 1,3)
    ok "$misdeed: $first" [ "$first" = "crash	$text in DRIVER_ALLOCATION_CREATE" ]
done <<END
crash|killed by EXCEPTION_ACCESS_VIOLATION
exit|called exit(7)
abort|called exit(3)
beyond|went beyond the reply room of 16384 bytes
END
run 1 hangs --wddm 2.3 --filter '^AIN-007/' --timeout 3 --impl "exec:$agent $work/dies.dll,do=hang"
ok "a hang" grep -q 'no answer within 3 s in DRIVER_ALLOCATION_CREATE' "$work/hangs/verdicts.txt"
sleep 2
printf '%s' "$work/dies.dll,do=hang" >"$work/pattern"
ok "nothing that hung is left" sh -c "! grep -lasF -f '$work/pattern' /proc/[0-9]*/cmdline"

# ---- what the process that serves is lent ----
# Of a program the two pipes, NUL, standard error and the memory that is shared; of a connection the last
# three, also beside another connection, whose memory the agent could lend, too.
run 1 lent --wddm 2.3 --filter '^AIN-007/' --impl "exec:$agent $work/dies.dll,do=handles"
ok "five handles of a program" grep -q 'called exit(5) in' "$work/lent/verdicts.txt"
listen "$work/dies.dll,do=handles"
/usr/bin/python3 -c 'import socket, sys, time
other = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
print("connected", flush=True)
time.sleep(1000)' "${address##*:}" >"$work/other" &
started="$started $!"
until [ -s "$work/other" ]; do sleep 0.05; done
run 1 lent --wddm 2.3 --filter '^AIN-007/' -j 1 --impl "$address"
ok "three of a connection" grep -q 'called exit(3) in' "$work/lent/verdicts.txt"

# ---- its own words ----
status 2 sh -c "$agent $work/nothing.dll"
ok "it says what it cannot load" grep -q 'nothing.dll: ' "$work/err"
status 2 sh -c "$agent --listen unix:/tmp/x $windows/minimal.dll"
ok "it says where it can listen" grep -q 'unix:/tmp/x: expected tcp:HOST:PORT' "$work/err"
status 0 sh -c "$agent --version"
ok "it has a version" grep -q 'protocol 1, ABI 2' "$work/out"
summary
