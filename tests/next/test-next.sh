#!/bin/sh
# SPDX-License-Identifier: MIT
# What to implement next is what the implementation with it shows: the emulator's kernel without an
# operation says how many cases and statements that is worth, and the whole kernel runs so many
# more. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh

run() { # name, options...
    name=$1
    shift
    "$tool" run --out "$work/$name.run" "$@" >"$work/$name" 2>"$work/err"
}

# What an operation is worth at two versions is counted as at all; what comes of it in reports, and what
# is listed with it, is shown by one.
emulator="emulator=$build/emulator.so,versions=0x5023+0x6003"

without() { # name, operations as numbers, options...
    name=$1 lacks=$2
    shift 2
    run "$name" --impl "$build/plugins/lacks_some.so,lacks=$lacks,$emulator" "$@"
}

# Cases that were skipped, and statements that were tested.
skipped() {
    sed -n 's/^  cases .* \([0-9][0-9]*\) skip.*/\1/p' "$work/$1" | grep . || echo 0
}
tested() {
    sed -n '$s/.*; \([0-9][0-9]*\) of [0-9]* statements[;,].*/\1/p' "$work/$1"
}

# Cases that only the whole kernel runs.
worth() {
    echo $(($(skipped part) - $(skipped whole)))
}

# The list, as it is printed.
list() {
    sed -n '/^  to implement next/,/^  [a-z]/s/^              //p' "$work/$1"
}

predicts() { # run, what is predicted first
    list "$1" | sed 1q | grep -Fqx "$2" || {
        echo "expected: $2"
        list "$1"
        false
    }
}

run whole --impl "$build/plugins/between.so,does=nothing,$emulator" --role kernel
ok "nothing is missing in the emulator" [ -z "$(list whole)" ]
is_worth() { # operations as numbers, their names
    without part "$1"
    cases=$(worth)
    statements=$(($(tested whole) - $(tested part)))
    ok "$2 is worth something" [ "$cases" -gt 25 ]
    ok "$2" predicts part "$2: +$cases cases, $statements statements"
}
is_worth 0x10B KERNEL_OPEN_GLOBAL

# ---- walks call what needs it, too: what is seen of that is no promise, so it is worth at least as much ----
without part 0x10F
ok "KERNEL_VA_RESERVE" [ "$(list part | sed 1q | cut -d : -f 1)" = KERNEL_VA_RESERVE ]
sum=$(list part | awk '/^KERNEL_VA_RESERVE/ {sub(/.*: [+]/, ""); sum += $1} END {print sum + 0}')
ok "KERNEL_VA_RESERVE: $sum of $(worth)" [ "$sum" -le "$(worth)" ]
ok "KERNEL_VA_RESERVE: $sum are many" [ "$sum" -gt 1000 ]
ok "nothing is declined without it" [ "$(grep -c '^declined' "$work/part.run/verdicts.txt")" -eq 0 ]

# ---- at one version ----
emulator="emulator=$build/emulator.so,versions=0x5023+0x5023"
run whole --impl "$build/plugins/between.so,does=nothing,$emulator" --role kernel
is_worth 0x10D+0x10E 'KERNEL_LOCK + KERNEL_UNLOCK'
without part 0x10D
statements=$(($(tested whole) - $(tested part)))
ok "KERNEL_LOCK" predicts part "KERNEL_LOCK: +$(worth) cases, $statements statements"
ok "the list has nothing else" [ "$(list part | wc -l)" -eq 1 ]

# ---- the same in all reports ----
"$tool" report "$work/part.run" --markdown "$work/page.md" --html "$work/page.html" >"$work/again"
"$tool" report "$work/part.run" >"$work/again"
ok "report" predicts again "$(list part)"
count=$(worth)
ok "run.json" grep -Eq "\"implement\": ?\"KERNEL_LOCK\"" "$work/part.run/run.json"
ok "Markdown" grep -Fqx -- "- KERNEL\\_LOCK: +$count cases, $statements statements" "$work/page.md"
ok "HTML" grep -Fq "<b>KERNEL_LOCK</b>: +$count cases, $statements statements" "$work/page.html"

# ---- who conforms with part of a feature is told so in the last line ----
without part 0x113+0x116
ok "memory without two of its operations" grep -q '^conforms: .*; memory without KERNEL_EVICT, KERNEL_POWER;' "$work/part"

# ---- capabilities, and the driver's ----
run part --impl "$build/plugins/between.so,does=nothing,$emulator,pages=off" --role kernel
ok "PAGES" predicts part "PAGES: +$(worth) cases, $(($(tested whole) - $(tested part))) statements"
# With PATCHES that driver patches: what is left out for want of it alone is what it makes runnable.
run whole --impl "$build/plugins/driver_alone.so,$emulator"
run part --impl "$build/plugins/driver_alone.so,$emulator,patches=none"
count=$(grep -c '^skip.*not claimed: PATCHES,' "$work/part.run/verdicts.txt")
ok "many cases want PATCHES" [ "$count" -gt 100 ]
# Three statements more are not counted: where a driver returns no patch locations it is said that it has none, not
# that PATCHES is missing.
ok "PATCHES" predicts part "PATCHES: +$count cases, $(($(tested whole) - $(tested part) - 3)) statements"
# A driver that creates nothing has nothing to patch: what opens its core comes first.
run part --impl "$build/plugins/bare_driver.so,emulator=$build/emulator.so,patches=none"
# Paging is missing as well, though it is listed, so that both together are worth more than the core alone.
ok "all needs the core" [ "$(list part | grep -c '^DRIVER_ALLOCATION_CREATE')" -eq "$(list part | wc -l)" ]
list part | awk '
    {name = $0; sub(/: [+].*/, "", name); sub(/.*: [+]/, ""); cases[name] = $1; statements[name] = $3}
    NR == 1 {first = name}
    END {
        core = "DRIVER_ALLOCATION_CREATE"
        both = core " + DRIVER_PAGING"
        exit !(first == both && cases[core] > 300 && statements[core] >= 10 &&
               cases[both] > cases[core] && statements[both] > statements[core])
    }'
ok "the core first, with paging: $(list part | sed 1q)" [ $? -eq 0 ]
ok "PATCHES with it" grep -Fq ' DRIVER_ALLOCATION_CREATE + PATCHES: ' "$work/part"
# SEG-004, of another feature, is between those of the core in the documents; the header's are last.
run part --impl "$build/drivers/carveout.so"
ok "a feature is named once" grep -q '^  not tested .*: driver core AIN-[^;]* SEG-039[^;]*; paging SEG-004 [^;]*$' "$work/part"

# ---- a part says nothing of the rest ----
without part 0x10D --filter '^CAF-015'
ok "something is skipped" [ "$(skipped part)" -gt 0 ]
ok "a narrowed run has no list" [ -z "$(list part)" ]

summary
