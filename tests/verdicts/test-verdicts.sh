#!/bin/sh
# SPDX-License-Identifier: MIT
# An implementation that refuses valid calls, or lacks what everything builds on, never conforms:
# tests/plugins/refuse_some.c refuses one thing a row, and each run ends as the row has it. Run from
# the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# check NAME STATUS LAST COMMAND...: the command's exit status, and how its last line begins.
check() {
    name=$1
    status=$2
    last=$3
    shift 3
    "$@" >"$work/log" 2>&1
    got=$?
    if [ "$got" -eq "$status" ] && tail -n 1 "$work/log" | grep -q "^$last"; then
        good
    else
        bad "$name: exit status $got, expected $status: $(tail -n 1 "$work/log")"
    fi
}

# ends WHAT STATUS OPTIONS LAST: how the run ends, and what verify makes of it; a run of a part, with
# options, is no claim that could be verified.
ends() {
    # shellcheck disable=SC2086 # two words
    check "$1" "$2" "$4" "$tool" run -q -j 1 $3 \
        --impl "$build/plugins/refuse_some.so,what=$1,emulator=$build/emulator.so" --out "$work/$1"
    [ -n "$3" ] || check "verify of $1" "$2" "verified: $4" "$tool" verify "$work/$1"
    rm -rf "${work:?}/$1"
}

cat >"$work/refusals" <<END
three-flags 3 --wddm 2.3..2.3
one-flag 1 --wddm 2.3..2.3
several 3 --wddm 2.3..2.3
one-version 3 --wddm 2.2..2.3
start-at-one-version 3 --wddm 2.3..2.3
one-segment-flag 3 --wddm 2.3..2.3
no-create 3
one-page-size 3 --wddm 2.3..2.3
second-adapter 3 --wddm 2.3..2.3
write-lock 1 --wddm 2.3..2.3
several-updates 3 --wddm 2.3..2.3
driver-info-and-segments 3 --role driver
driver-refuses-all 3 --wddm 2.3..2.3
driver-last-kind 3 --wddm 2.3..2.3
driver-kind-refused 3 --wddm 2.3..2.3
driver-one-version 3 --wddm 2.3..2.3
END
rows 3 <"$work/refusals" >"$work/some"
while read -r what status options; do
    case $status in
    1) ends "$what" 1 "$options" 'does not conform: ' ;;
    3) ends "$what" 3 "$options" 'incomplete: ' ;;
    esac
done <"$work/some"

# denied OPERATION OPTIONS STATUS [VERSION]: a run against who denies the operation is not green, and
# some case that is neither passed nor skipped names it, of those that are no sweeps.
denied() {
    case $1 in
    KERNEL_*) role=kernel ;;
    *) role=driver ;;
    esac
    version=${4:-2.6}
    "$tool" run -q -j 1 --no-sweep --wddm "$version" --role $role --out "$work/denied" \
        --impl "$build/plugins/refuse_some.so,what=$1,$2,emulator=$build/emulator.so" >"$work/log" 2>&1
    got=$?
    grep -v '^pass\|^skip' "$work/denied/verdicts.txt" >"$work/named" 2>/dev/null
    tail -n 1 "$work/log" >>"$work/named"
    if [ $got -ne 0 ] && grep -qE "$1( \(call no\. [0-9]+\))? answered $3" "$work/named"; then
        good
    else
        bad "$1,$2 at $version: exit status $got, expected a case that names it: $(tail -n 1 "$work/log")"
    fi
    rm -rf "${work:?}/denied"
}

# Every operation of the header at every version at which something calls it.
cat >"$work/since" <<'END'
KERNEL_SHARE 1.2
KERNEL_OPEN_NT 1.2
KERNEL_VA_RESERVE 2.0
KERNEL_VA_FREE 2.0
KERNEL_VA_UPDATE 2.0
KERNEL_QUERY_PAGES 2.0
KERNEL_REGION 2.3
KERNEL_SECTION 2.3
END
sed -n 's/^    X(\(KERNEL\|DRIVER\), \([A-Z_]*\),.*/\1_\2/p' include/wddm-cts.h |
    grep -vx KERNEL_SWEEP >"$work/operations" # sent to who claims it, and made good by single calls
sed -n 's/.*<version name="\([^"]*\)".*/\1/p' spec/versions.xml >"$work/versions"
while read -r version; do
    sed "s/\$/ $version/" "$work/operations"
done <"$work/versions" | sh tests/part.sh >"$work/pairs"
while read -r operation version; do
    if awk -v operation="$operation" -v version="$version" \
        '$1 == operation && version + 0 < $2 + 0 {early = 1} END {exit !early}' "$work/since"; then
        check "nothing asks for $operation at $version" 0 'no failure in the selection: ' "$tool" run -q -j 1 \
            --wddm "$version" --role kernel --out "$work/early" \
            --impl "$build/plugins/refuse_some.so,what=$operation,status=0xC000000D,emulator=$build/emulator.so"
        rm -rf "${work:?}/early"
    else
        denied "$operation" status=0xC000000D INVALID_PARAMETER "$version"
    fi
done <"$work/pairs"
# Those that nothing builds on, and the driver's, for want of memory: a third of them.
for operation in KERNEL_ADAPTER_STOP KERNEL_UNLOCK KERNEL_POWER KERNEL_SHARE KERNEL_SETTLE KERNEL_QUERY_PAGES \
    DRIVER_SEGMENTS DRIVER_ALLOCATION_DESTROY DRIVER_STANDARD_ALLOCATION DRIVER_RENDER DRIVER_PAGING \
    DRIVER_PATCH DRIVER_SUBMIT DRIVER_DEVICE DRIVER_CONTEXT; do
    echo $operation
done >"$work/no-memory"
rows 3 <"$work/no-memory" >"$work/some"
while read -r operation; do
    denied "$operation" status=0xC0000017 NO_MEMORY
done <"$work/some"

# Refused but for the first time.
for operation in KERNEL_POWER KERNEL_UNLOCK KERNEL_PAGE_IN KERNEL_ADAPTER_START DRIVER_PAGING; do
    denied $operation status=0xC0000022,after=1 ACCESS_DENIED
done

# lacks OPERATION ROLE [STATUS LINE]: who has no such operation is not hindered by it, nor by what needs
# it; a skipped case names it. Nothing fails, whatever the conclusion.
lacks() {
    check "without $1" "${3:-0}" "${4:-no failure in the selection}" "$tool" run -q -j 1 --wddm 2.6 --role "$2" \
        --impl "$build/plugins/refuse_some.so,what=$1,status=0xC0000002,emulator=$build/emulator.so" \
        --out "$work/lacks"
    if grep -q "^skip.*not claimed: $1 answered NOT_IMPLEMENTED" "$work/lacks/verdicts.txt"; then
        good
    else
        bad "without $1: no case is skipped for want of it"
    fi
    if grep -qE '^(fail|warn|crash|broken|timeout|declined)' "$work/lacks/verdicts.txt"; then
        bad "without $1: $(grep -E '^(fail|warn|crash|broken|timeout|declined)' "$work/lacks/verdicts.txt" | head -n 2)"
    else
        good
    fi
    rm -rf "${work:?}/lacks"
}
# KERNEL_UNLOCK of what nothing could lock is refused, and rightly so.
lacks KERNEL_LOCK kernel
lacks KERNEL_SECTION kernel
# But for its core.
check "without DRIVER_ALLOCATION_CREATE" 3 'incomplete: core not shown at WDDM 2.6' "$tool" run -q -j 1 --wddm 2.6 \
    --role driver --out "$work/lacks" \
    --impl "$build/plugins/refuse_some.so,what=DRIVER_ALLOCATION_CREATE,status=0xC0000002,emulator=$build/emulator.so"
rm -rf "${work:?}/lacks"
# Without paging the driver still lists operations of it, each of which is then missing: the run is incomplete.
lacks DRIVER_PAGING driver 3 'incomplete: the paging operation transfer is claimed, but not there;'

# A valid answer of the driver that the kernel refuses breaks no sentence, but is not silent, either.
"$tool" run -q -j 1 --wddm 2.3 --filter '^SEG-001' --out "$work/answer" \
    --impl "$build/plugins/refuse_some.so,what=one-segment-flag,emulator=$build/emulator.so" >"$work/log" 2>&1
if grep -q "^declined.*the driver's valid answer refused: KERNEL_ADAPTER_START" "$work/answer/verdicts.txt" &&
    ! grep -q '^fail' "$work/answer/verdicts.txt"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL a valid answer refused: $(grep -v '^pass' "$work/answer/verdicts.txt" | head -n 2)"
fi

# A range that was free is reserved, or that is refused.
"$tool" run -q -j 1 --role kernel --filter '/sequence/wddm2_6/' --out "$work/elsewhere" \
    --impl "$build/plugins/between.so,does=elsewhere,emulator=$build/emulator.so" >"$work/log" 2>&1
if [ $? -eq 3 ] && grep -q '^declined.*KERNEL_VA_RESERVE reserved 0x.*, which was free' "$work/elsewhere/verdicts.txt" &&
    ! grep -q '^skip' "$work/elsewhere/verdicts.txt"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL a range elsewhere: $(grep -v '^pass' "$work/elsewhere/verdicts.txt" | head -n 1)"
fi

# The machine is the suite's: what it has no memory for was given by the kernel.
"$tool" run -q -j 1 --impl "$build/plugins/accept_all.so" --role kernel --out "$work/all" \
    --filter '^CAF-015.view/scenario/wddm2_3/view-of-video' >"$work/log" 2>&1
if grep -q '^declined.*KERNEL_LOCK answered with an address' "$work/all/verdicts.txt" &&
    ! grep -q MACHINE "$work/all/verdicts.txt"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL a view that is none: $(head -n 1 "$work/all/verdicts.txt")"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 30 ]
