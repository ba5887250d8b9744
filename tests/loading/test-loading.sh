#!/bin/sh
# SPDX-License-Identifier: MIT
# The questions to a plug-in before the first case, and the plan for it. Run from the source
# directory; WCTS_BUILD is the build directory.
. tests/common.sh
opening=$plugins/opening.so

# ---- only the sides that it has ----
status 0 "$tool" list --role kernel
cp "$work/out" "$work/kernel"
status 0 "$tool" list --role driver
cp "$work/out" "$work/driver"
status 0 "$tool" list --impl "$plugins/accept_all.so"
ok "a kernel's list" cmp "$work/out" "$work/kernel"
status 1 "$tool" run -q --impl "$plugins/accept_all.so" --wddm 2.3 --out "$work/accept"
"$tool" list --role kernel --wddm 2.3 | cut -f 1 >"$work/ids"
ok "a kernel is not asked for a driver" sh -c "grep -v '^#' '$work/accept/plan.tsv' | cut -f 1 | cmp - '$work/ids'"
ok "nor is there a verdict about one" [ "$(wc -l <"$work/accept/verdicts.txt")" -eq "$(wc -l <"$work/ids")" ]
ok "nor a reason" sh -c "! grep -q 'has no driver side' '$work/accept/verdicts.txt'"
first=$(head -n 1 "$work/driver" | cut -f 1)
status 3 "$tool" run --impl "$plugins/accept_all.so" --filter "^$first\$" --out "$work/none"
ok "none is left, and of which side it is" grep -qx \
    'wddm-cts: no case is selected of a side that the plug-in has: it has the kernel side, the selection is of the driver side' "$work/err"
status 3 "$tool" list --impl "$plugins/accept_all.so" --filter "^$first\$"
status 0 "$tool" run -q --filter "^$first\$" --out "$work/both"
ok "the emulator has both" grep -q "$first" "$work/both/plan.tsv"
status 2 "$tool" run -q --role driver --impl "$plugins/accept_all.so" --out "$work/none"
ok "what was asked for" grep -q 'the plug-in has no driver side' "$work/out"
for how in "" --no-fork; do
    # shellcheck disable=SC2086 # none or one
    status 2 "$tool" replay "$first" --impl "$plugins/accept_all.so" $how
    ok "replay $how says it, too" grep -q 'the plug-in has no driver side' "$work/err"
    ok "and nothing else" [ ! -s "$work/out" ]
done

# ---- versions ----
status 0 "$tool" probe --impl "$opening"
ok "no remark" sh -c "! grep -q remarks '$work/out'"
status 0 "$tool" probe --impl "$opening,refuse=0x11007,of=driver"
ok "why it does not open" grep -qx \
    'remarks       driver side, WDDM 3.2: open() returned NULL, having logged: no such version here' "$work/out"
status 0 "$tool" probe --json --impl "$opening,refuse=0x11007"
ok "both sides" grep -q 'kernel side, WDDM 3.2.*driver side, WDDM 3.2' "$work/out"
status 1 "$tool" run --filter '^CAF-003/' --impl "$opening,refuse=0x11007" --out "$work/refuse"
ok "a run says it" grep -q '  kernel side, WDDM 3.2: open() returned NULL, having logged' "$work/out"
"$tool" run --filter '^CAF-003/' --wddm 3.2 --impl "$opening,refuse=0x11007" --out "$work/refuse" >"$work/log"
ok "so does each case of the version" sh -c \
    "cut -f 1,3 '$work/refuse/verdicts.txt' | sort -u | grep -qx \
     'broken	WDDM 3.2: open() returned NULL, having logged: no such version here'"

# It aborts in open() at versions that it does not claim: only claimed versions are opened.
status 0 "$tool" probe --impl "$opening,above=0x10004,claim=0x10004"
ok "no remark on what it does not claim" sh -c "! grep -q remarks '$work/out'"
status 0 "$tool" probe --impl "$opening,refuse=0x11007,claim=0x10004"
ok "nor where open() returned NULL" sh -c "! grep -q remarks '$work/out'"
status 0 "$tool" probe --impl "$opening,above=0xF003,claim=0x10004,of=driver"
ok "one on what it claims" grep -qx 'remarks       driver side, WDDM 3.1: killed by SIGABRT in open(), having logged: a version that I was not built for' "$work/out"
status 1 "$tool" run --filter '^CAF-003/' --impl "$opening,above=0x10004,claim=0x10004" --out "$work/above"
ok "its cases are run" [ "$(grep -c '^\(pass\|fail\)	' "$work/above/verdicts.txt")" -gt 9 ]
ok "none dies" sh -c "! grep '^\(crash\|broken\)' '$work/above/verdicts.txt'"
status 3 "$tool" verify "$work/above"
ok "the records say the same" grep -q '^  ok  *claims' "$work/out"
ok "also of the cases" grep -q '^  ok  *judged again' "$work/out"

# A version that neither the plug-in nor the reference kernel knows.
cp -R spec cases "$work"
sed -i 's,</versions>,<version name="3.3" id="wddm3_3" interface="0x12001"/></versions>,' \
    "$work/spec/versions.xml"
newer="--spec-dir $work/spec --cases-dir $work/cases"
status 0 "$tool" probe $newer
ok "the emulator as before" grep -q '^WDDM          1.0 to 3.2 ' "$work/out"
"$tool" run -q $newer --wddm 3.2..3.3 --out "$work/newer" >"$work/log" 2>&1
"$tool" run -q --wddm 3.2 --out "$work/older" >"$work/log" 2>&1
for run in newer older; do
    awk -F '\t' '{ print $2 "\t" $1 }' "$work/$run/verdicts.txt" | sort >"$work/$run.txt"
done
join -t '	' "$work/newer.txt" "$work/older.txt" >"$work/joined"
ok "the newest version that it knows is run" [ "$(grep -c '	pass	' "$work/joined")" -gt 3000 ]
ok "with the same verdicts" awk -F '\t' '$2 != $3 { exit 1 }' "$work/joined"
ok "nothing of the new version is red" sh -c \
    "! grep wddm3_3 '$work/newer/verdicts.txt' | grep -v '^skip	'"

# ---- built with hidden symbols ----
for side in minimal/minimal kernel/kernel; do
    ok "build $side" cc -std=c11 -fvisibility=hidden -fPIC -shared -Iinclude -o "$work/hidden.so" "examples/$side.c"
    status 0 "$tool" probe --impl "$work/hidden.so"
done

# ---- what cannot be loaded is 2, whatever the reason ----
echo text >"$work/text.so"
cannot() {
    what=$1
    for command in probe "run --out $work/cannot" "replay $(head -n 1 "$work/ids")"; do
        # shellcheck disable=SC2086
        status 2 "$tool" $command --impl "$2"
        ok "$command says why" grep -q "$what" "$work/err" "$work/out"
    done
}
cannot 'No such file' "$work/missing.so"
cannot 'text.so: file too short: it is not a shared object' "$work/text.so"
yes | head -c 4096 >"$work/text.so"
cannot 'text.so: invalid ELF header: it is not a shared object' "$work/text.so"
# A plug-in that gives no reason may not know its options.
echo '#include "wddm-cts.h"
static void *open_none(const struct wcts_host *host, uint32_t side) { return 0; }
static wcts_status call(void *i, uint32_t o, const void *q, uint32_t n, void *r, uint32_t m, uint32_t *s) { return 0; }
static void close_none(void *instance) {}
static const struct wcts_plugin table = {sizeof table, WCTS_ABI_VERSION, 3, 0, "silent", "0", open_none, call, close_none};
const struct wcts_plugin *wcts_plugin_entry(void) { return &table; }' >"$work/silent.c"
ok "build silent" "${CC:-gcc}" -Iinclude -fPIC -shared -o "$work/silent.so" "$work/silent.c"
cannot 'open() returned NULL; options: bogus=1$' "$work/silent.so,bogus=1"
cannot 'open() returned NULL$' "$work/silent.so"
# Another machine's: the two bytes behind the type in the ELF header.
cp "$work/silent.so" "$work/other.so"
printf '\363\000' | dd of="$work/other.so" bs=1 seek=18 conv=notrunc 2>/dev/null
cannot 'other.so: a shared object for 64-bit RISC-V, expected one for ' "$work/other.so"
head -c 3000 "$work/silent.so" >"$work/cut.so"
cannot 'cut.so: ends after 3000 bytes, within the shared object: it was cut short' "$work/cut.so"
cannot 'ABI version' "$plugins/wrong_abi.so"
cannot 'emulater: cannot open shared object file: No such file or directory; did you mean emulator?$' emulater
# exit() looks for leaks under the sanitizers, in a process that is in the midst of its work: what only mapped
# memory points to would be one.
unleaked=$ASAN_OPTIONS
export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
cannot 'called exit(5) while it was loaded' "$plugins/exit_in_constructor.so"
export ASAN_OPTIONS="$unleaked"
status 2 "$tool" run -q --impl "exec:sh -c 'echo no board >&2; echo no firmware >&2; exit 3'" --out "$work/cannot"
ok "the last that it printed" grep -q 'called exit(3), having printed: no firmware$' "$work/out"
status 2 "$tool" run -q --impl exec:true --out "$work/cannot"
ok "which program it is" grep -qx \
    'not run: the implementation could not be loaded: exec:true: called exit(0)' "$work/out"
cannot 'cannot be opened: kernel side, WDDM 1.0 to 3.2: open() returned NULL, having logged: no such version here' \
    "$opening,refuse=all"
cannot 'killed by SIGABRT while it was loaded, in close, having logged: two handles leaked' \
    "$opening,abort=close"
cannot 'killed by SIGABRT while it was loaded, in open, having logged: a version that I was not built for' \
    "$opening,above=0"
cannot() {
    what=$1
    for command in probe "run --out $work/cannot"; do
        # shellcheck disable=SC2086
        status 2 "$tool" $command --impl "$2"
        ok "$command says why" grep -q "$what" "$work/err" "$work/out"
    done
}
cannot 'opening: DRIVER_INFO answered NOT_IMPLEMENTED (0xC0000002), expected' "$opening,lack=info"
cannot 'cannot be opened: driver side, WDDM 1.0 to 3.2' "$opening,refuse=all,of=driver"
status 0 "$tool" probe --role kernel --impl "$opening,lack=info"

summary
