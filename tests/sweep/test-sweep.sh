#!/bin/sh
# SPDX-License-Identifier: MIT
# The sweep over all values of both flag words finds no difference between emulator and spec; with
# a spec in which one thing is wrong it finds some, and names the rule. Run from the source
# directory; WCTS_BUILD is the build directory.
. tests/common.sh
sweep=$build/tests/sweep

"$sweep" >"$work/out" 2>&1
ok "the sweep exits with $?" [ $? -eq 0 ]
cat "$work/out"
ok "no value differs" grep -q '^[1-9][0-9]* values compared, 0 differ' "$work/out"

# wrong VERSION FILE SED WHAT: at the version a copy of the spec with FILE edited differs, and WHAT is
# said of it.
wrong() {
    version=$1
    shift
    rm -rf "$work/spec"
    cp -r spec "$work/spec"
    sed "$2" "spec/$1" >"$work/spec/$1"
    ok "$2 changes $1" sh -c "! cmp -s 'spec/$1' '$work/spec/$1'"
    WCTS_PART=1/1 WCTS_QUICK=1 WCTS_WDDM=$version "$sweep" "$work/spec" cases >"$work/out" 2>&1
    status=$?
    ok "$2 makes a difference ($status)" [ "$status" -eq 1 ]
    ok "$2: $3" grep -q "$3" "$work/out"
}

flags=000-createallocationflags.xml
segments=003-segmentflags.xml
wrong 3.2 $flags 's/"Flags.CreateShared" unless="Flags.CreateResource"/"Flags.CreateShared" unless="Flags.ReadOnly"/' \
    'the spec says refuse: breaks CAF-003'
wrong 1.3 $flags 's/name="WriteWatch" bit="15" since="1.3"/name="WriteWatch" bit="15" since="2.0"/' \
    'DIFFERS at 1.3: .*bits 0x8000 without a flag'
wrong 3.2 $flags 's/refuse="Flags.OpenCrossAdapter"/refuse="NumAllocations = 0"/' \
    'the spec says accept: no rule is broken'
wrong 3.2 $segments 's/when="Flags.SupportsCpuHostAperture" either="Flags.CpuVisible"/when="Flags.SupportsCpuHostAperture" either="Flags.ApplicationTarget"/' \
    'breaks SEG-025'
wrong 1.2 $segments 's/name="DirectFlip" bit="10" since="1.2"/name="DirectFlip" bit="10" since="1.3"/' \
    'breaks SEG-002'
wrong 3.2 $segments 's/values="0 0 1" valid="no"/values="1 0 1" valid="no"/' 'DIFFERS'

summary
