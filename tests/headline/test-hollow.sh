#!/bin/sh
# SPDX-License-Identifier: MIT
# Implementations that deserve no "conforms" and try to get it: by what they say is not there, at which
# version, in which state, with which status. Each ends as it should. Run from the source directory;
# WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

# Runs are verified of a third of them, of others with each part (WCTS_PART=K/N).
part=${WCTS_PART:-1/1}
row=0

# side exit status, plug-in and option, the beginning of the last line; all at one version or two
while read -r side expected plugin versions line; do
    case $side in '#'*|'') continue ;; esac
    "$tool" run -q --impl "$plugins/$plugin,emulator=$build/emulator.so,versions=$versions" --role "$side" \
        --out "$work/run" >"$work/out" 2>"$work/err"
    got=$?
    if [ "$got" -eq "$expected" ] && grep -Eq -- "^$line" "$work/out"; then
        good
    else
        bad "$side $plugin: exit $got, expected $expected: $line"
        cat "$work/out" "$work/err"
    fi
    row=$((row + 1))
    [ "$part" = 1/1 ] || [ $((row % 3)) -eq $((${part%/*} % 3)) ] || continue
    ok "$plugin: verify says the same" \
        test "$("$tool" verify "$work/run" | tail -n 1)" = "verified: $(cat "$work/out")"
done <<'END'
# claims operations of paging, and none of what it lists can be moved, or none through an aperture
driver 3 faint.so,does=stuck 0x5023+0x5023 incomplete: the paging operation transfer is claimed, but not there;
driver 3 faint.so,does=apertureless 0x5023+0x5023 incomplete: the paging operation map-aperture is claimed, but not there;
# claims to patch, and patches nothing, or nothing of paging
driver 3 faint.so,does=patchless 0x5023+0x5023 incomplete: [0-9]+ declined; .*; patching without DRIVER_PATCH$
driver 3 faint.so,does=pages-unpatched 0x5023+0x5023 incomplete: [0-9]+ declined;
# says of all that it refuses that it is not there, or that memory is short
kernel 1 faint.so,does=mute 0x5023+0x5023 does not conform: [0-9]+ cases of [0-9]+ statements failed;
kernel 3 faint.so,does=poor 0x5023+0x5023 incomplete: [0-9]+ broken;
# claims to answer where allocations are, and has them nowhere
kernel 1 faint.so,does=nowhere 0x5023+0x5023 does not conform: [0-9]+ cases of [0-9]+ statements failed;
# settles once, and starts at every second version
kernel 3 faint.so,does=restless 0x5023+0x5023 incomplete: [0-9]+ declined;
kernel 3 faint.so,does=half-started 0x5023+0x6003 incomplete: core not shown at WDDM 2\.1
# takes two updates, and then none
kernel 1 refuse_some.so,what=KERNEL_VA_UPDATE,status=0xC0000002,after=2 0x5023+0x5023 does not conform:
END

summary
