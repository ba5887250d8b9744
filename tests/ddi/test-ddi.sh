#!/bin/sh
# SPDX-License-Identifier: MIT
# The adapter for native drivers. The emulator's driver behind it (front.c) gets the verdicts and reasons
# that it gets without, at a version that the commit draws, as it is and with faults; the example conforms
# at its versions. Run from the source directory; WCTS_BUILD is the build directory.
# shellcheck source=tests/common.sh
. tests/common.sh
front=$build/drivers/front.so
direct=$build/emulator.so

# verdicts IMPL OUT ARGUMENT...: of a run of the driver side, a line each, in order.
verdicts() {
    impl=$1
    out=$work/$2
    shift 2
    rm -rf "$out"
    "$tool" run -q --no-backtrace --role driver --impl "$impl" --out "$out" "$@" >"$work/said" 2>&1
    sort "$out/verdicts.txt"
}

# same NAME OPTIONS ARGUMENT...: the same verdicts and reasons both ways.
same() {
    name=$1
    options=$2
    shift 2
    verdicts "$direct$options" direct "$@" >"$work/one"
    verdicts "$front$options" behind "$@" >"$work/other"
    ok "$name: there are verdicts" [ -s "$work/one" ]
    ok "$name: the same behind the adapter" diff "$work/one" "$work/other"
}

versions='1.0 1.1 1.2 1.3 2.0 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3.0 3.1 3.2'
for version in $(printf '%s\n' $versions | rows 17); do
    same "WDDM $version" "" --wddm "$version"
done

# Faults whose answer a native driver can give, a third of them with each commit.
while read -r fault version; do
    same "fault $fault at $version" ",fault=$fault" --wddm "$version" --filter "^${fault%%[.]*}"
    # What is a "warn" by default counts, too.
    ok "fault $fault is found" grep -Eq '^(fail|warn)' "$work/other"
done <<END
$(rows 3 <<'ROWS'
AIN-007 1.2
AIN-012 2.0
HDR-030 2.0
AIN-018 3.0
AIN-026 2.0
AIN-030.nonnull 2.4
AIN-038 2.0
CAF-048 2.3
HDR-018.length 2.0
HDR-020.device 1.3
PAT-015 1.2
PAT-034 2.0
PAT-036 2.7
PAT-037 1.0
SEG-004 1.3
SEG-010 1.2
SEG-011 2.1
SEG-014 2.6
SEG-015 2.0
SEG-024 2.2
SEG-025 2.0
SEG-034 1.2
ROWS
)
END

# The example, at all versions that it claims.
status 0 "$tool" run --role driver --impl "$build/drivers/example.so" --out "$work/example"
ok "its plug-in has 25 to 60 lines" sh -c "lines=\$(sed '/^ *\(\/\*.*\| \*.*\)\{0,1\}$/d' examples/ddi/plugin.c | wc -l); [ \$lines -ge 25 ] && [ \$lines -le 60 ]"
ok "the example conforms" grep -q '^conforms: driver core, paging, patching; .* WDDM 1.2 to 3.2; level documented; patching without DRIVER_PRESENT$' "$work/out"
summary
