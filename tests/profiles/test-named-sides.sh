#!/bin/sh
# SPDX-License-Identifier: MIT
# The profile that one side of an implementation names is the profile of both, also where a run or a
# replay has cases of one side alone. Run from the source directory; WCTS_BUILD is the build directory.
. tests/common.sh
newest=$(sed -n 's/.*interface="\(0x[0-9a-f]*\)".*/\1/p' spec/versions.xml | tail -n 1)
whole=emulator=$build/emulator.so,versions=$newest+$newest
kernel_case=CAF-031/refuse/wddm3_2/existing,StandardAllocation,no-CreateShared
driver_case=$("$tool" list --role driver --filter '/wddm3_2/' | head -n 1)

subject() {
    echo "$plugins/named_sides.so,$1,$whole"
}

# run NAME NAMES OPTIONS...
run() {
    name=$1
    impl=$(subject "$2")
    shift 2
    "$tool" run -q --impl "$impl" --suite smoke --out "$work/$name" "$@" >"$work/out" 2>"$work/err"
    got=$?
}

# expect STATUS PATTERN: the status, and the last line.
expect() {
    [ "$got" -eq "$1" ] && good || bad "$name: status $got, expected $1: $(tail -n 1 "$work/out") $(cat "$work/err")"
    tail -n 1 "$work/out" | grep -q "$2" && good || bad "$name: expected \"$2\", found $(tail -n 1 "$work/out")"
}

verified() {
    "$tool" verify "$work/$1" >"$work/out" 2>"$work/err"
    got=$? name="verify $1"
    expect 0 '^verified: .*under profile windows (named by the implementation)'
}

# ---- the side that is not asked ----

named='under profile windows (named by the implementation)'
for names in kernel driver; do
    for role in kernel driver both; do
        run $names-$role $names=windows --role $role
        expect 0 "$named"
        verified $names-$role
    done
    "$tool" replay $kernel_case --impl "$(subject $names=windows)" >"$work/out" 2>&1
    ok "replay: named by the $names" grep -q 'as profile windows declares' "$work/out"
    "$tool" replay $kernel_case --impl "$(subject $names=windows)" --no-fork >"$work/out" 2>&1
    ok "replay --no-fork: named by the $names" grep -q 'as profile windows declares' "$work/out"
    ok "probe --role prints what the $names names" \
        sh -c "'$tool' probe --role kernel --impl '$(subject $names=windows)' | grep -q '^profile  *windows$'"
done
run given driver=windows --role kernel --profile none
expect 1 '^does not conform: '
run resumed driver=windows --role kernel
"$tool" run --resume "$work/resumed" >"$work/out" 2>"$work/err"
ok 'a run of one side that has ended' grep -q 'nothing is left to run: .*named by the impl' "$work/err"
bytes=$(wc -c <"$work/resumed/journal.jsonl")
status 0 /usr/bin/python3 -B tests/runs/kill.py "$tool" "$work/killed" 1 2 "$bytes" \
    -q --impl "$(subject driver=windows)" --suite smoke --role kernel
ok 'a run of one side that goes on' /usr/bin/python3 -B tests/runs/same.py "$work/resumed" "$work/killed"

# A side that cannot be booted names nothing, and keeps the other from nothing.
run dead dies=yes,kernel=windows --role kernel
expect 0 "$named"
ok 'which is reported' grep -q 'the driver side, which is not tested here, does not start: .*SIGABRT' "$work/err"
run absent none=kernel,driver=windows --role driver
expect 0 "$named"
ok 'a kernel that is not there' grep -q ': the kernel side, which is not tested here, does not start: .*open() returned NULL' "$work/err"
ok 'what is done about it' grep -q '^ *The driver is tested all the same: the kernel was only asked if it names a profile\.' "$work/err"
ok 'and by the plug-in' grep -q 'without a kernel leaves WCTS_SIDE_KERNEL out of its sides; with --profile none nobody is asked\.$' "$work/err"
run unasked none=kernel --role driver --profile none
ok 'nobody is asked' [ ! -s "$work/err" ]

# ---- shards ----

run part1 driver=windows --role kernel --shard 1/2
run part2 driver=windows --role driver --shard 2/2
status 2 "$tool" merge --out "$work/merged" "$work/part1" "$work/part2"
ok 'merge names the role' grep -q 'part2/run.json: found --role=driver, expected --role=kernel, as in' "$work/err"
run part2 driver=wsl2 --shard 2/2
run part1 driver=windows --shard 1/2
sed -i 's/driver=wsl2/driver=windows/' "$work/part2/run.json"
status 2 "$tool" merge --out "$work/merged" "$work/part1" "$work/part2"
ok 'merge names the profiles' grep -q '"profile": found wsl2, expected windows, as in' "$work/err"

# ---- two names ----

for how in '' '--role kernel' '--role driver'; do
    run "two $how" kernel=windows,driver=wsl2 $how
    expect 2 'KERNEL_INFO names the profile windows, DRIVER_INFO the profile wsl2, expected the same or one alone$'
done
run same kernel=windows,driver=windows
expect 0 "$named"
status 2 "$tool" probe --impl "$(subject kernel=windows,driver=wsl2)"
ok 'probe names both' grep -q 'KERNEL_INFO names the profile windows, DRIVER_INFO the profile wsl2' "$work/err"
for how in '' --no-fork "--after $driver_case" "--no-fork --after $driver_case"; do
    status 2 "$tool" replay $kernel_case --impl "$(subject kernel=windows,driver=wsl2)" $how
    ok "replay $how names both" grep -q 'KERNEL_INFO names the profile windows, DRIVER_INFO the profile wsl2' "$work/err"
    status 0 "$tool" replay $kernel_case --impl "$(subject kernel=windows,driver=windows)" $how
    status 2 "$tool" replay $kernel_case --impl "$(subject kernel=windws)" $how
    ok "replay $how: there is no such profile" grep -q 'there is no profile windws; did you mean windows or wine?' "$work/err"
    ok 'and nothing was run' test ! -s "$work/out"
done

# ---- bytes that a terminal obeys ----

# has_controls FILE: C1 control characters, by themselves or in UTF-8, or DEL.
has_controls() {
    /usr/bin/python3 -B - "$1" <<'END'
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8", "surrogateescape")
sys.exit(not any(0xDC80 <= ord(c) <= 0xDC9F or (unicodedata.category(c) == "Cc" and c not in "\n\t") for c in text))
END
}
for bytes in '\2332J' '\302\2332J' '\033[2J' '\177'; do
    odd=$(printf "w${bytes}in")
    "$tool" probe --impl "$(subject "driver=$odd")" >"$work/out" 2>"$work/err"
    ok "probe shows the name $bytes" grep -q '^profile  *w' "$work/out"
    has_controls "$work/out" && bad "probe shows the bytes of $bytes" || good
    # The option itself is part of the command line, which is not the plug-in's.
    "$tool" run -q --impl "$(subject "driver=$odd")" --suite smoke --out "$work/odd" >"$work/out" 2>"$work/err"
    ok "run refuses $bytes" grep -q 'there is no profile w' "$work/err"
    grep 'there is no profile' "$work/err" >"$work/shown"
    has_controls "$work/shown" && bad "run shows the bytes of $bytes" || good
    tail -n 1 "$work/out" >"$work/shown"
    has_controls "$work/shown" && bad "the last line shows the bytes of $bytes" || good
done
"$tool" probe --impl "$(subject driver=f€nàme)" >"$work/out"
ok 'letters stay' grep -q '^profile  *f€nàme$' "$work/out"
summary
