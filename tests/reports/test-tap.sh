#!/bin/sh
# SPDX-License-Identifier: MIT
# TAP: a reader of its own lines, and Perl's where there is one. The live stream of a run and the one
# made of its directory say the same.
cd "$(dirname "$0")/../.." || exit 1
. tests/reports/common.sh

# Reads TAP: the plan first, numbers without a gap, YAML blocks that end, nothing else. Prints how
# many points are ok, not ok and skipped.
cat >"$work/read.awk" <<'AWK'
function wrong(text) {print FNR ": " text ": " $0; bad = 1}
FNR == 1 {if ($0 != "TAP version 13") wrong("no version"); next}
FNR == 2 {
    if ($0 !~ /^1\.\.[0-9]+/) wrong("no plan")
    planned = substr($1, 4) + 0
    next
}
$0 == "  ..." && yaml {yaml = 0; next}
/^# / && !yaml && point == planned {next} # the conclusion
yaml && /^  / {next}
yaml {wrong("not in the block")}
$0 == "  ---" {if (!point || opened) wrong("a block of nothing"); yaml = opened = 1; next}
/^(not )?ok [0-9]+ - [A-Za-z0-9._\/,-]+( # (SKIP|TODO) .+)?$/ {
    point++
    opened = 0
    if (($1 == "ok" ? $2 : $3) + 0 != point) wrong("number")
    if ($0 ~ / # (SKIP|TODO) /) skipped++
    else if ($1 == "ok") good++
    else broken++
    next
}
/^Bail out! / {bailed = 1; next}
{wrong("unknown")}
END {
    if (yaml) wrong("no end of a block")
    if (point != planned && !bailed) wrong(point " of " planned)
    printf "%d %d %d%s\n", good, broken, skipped, bailed ? " bailed out" : ""
    exit bad
}
AWK

counts() { # run directory: ok, not ok, skipped by its verdicts
    awk -F'\t' '$1 == "skip" || $1 == "waived" {skipped++; next}
        $1 ~ /^(fail|crash|timeout|broken|declined)$/ {broken++; next} {good++}
        END {printf "%d %d %d\n", good, broken, skipped}' "$1/verdicts.txt"
}

reads() { # name, stream, expected counts
    ok "$1 is TAP" awk -f "$work/read.awk" "$2"
    ok "$1 counts $(tail -n 1 "$work/log"), expected $3" [ "$(tail -n 1 "$work/log")" = "$3" ]
}

status 1 "$tool" run --tap --impl "$plugins/accept_all.so" --filter '^CAF-0[0-5]' --out "$work/broken"
mv "$work/out" "$work/broken.tap"
reads "a run that breaks something" "$work/broken.tap" "$(counts "$work/broken")"
status 0 "$tool" report --tap "$work/broken"
ok "the same of its directory" cmp "$work/broken.tap" "$work/out"
status 0 "$tool" run --tap --wddm 1.3..2.1 --filter '^(UVA-0|UVA/seq|SEG-034|AIN-0)' --out "$work/good"
mv "$work/out" "$work/good.tap"
reads "a run that does not" "$work/good.tap" "$(counts "$work/good")"
status 2 "$tool" run --tap --impl "$plugins/wrong_abi.so" --filter '^CAF-003' --out "$work/never"
mv "$work/out" "$work/never.tap"
ok "one that never began bails out" grep -q '^Bail out! not loaded: .*ABI version' "$work/never.tap"
ok "and is said to" grep -q 'ABI version' "$work/err"
# What a plug-in prints stays in its block.
status 1 "$tool" run --tap --impl "$plugins/misbehave.so,do=noise,nth=1" --filter '^CAF-003/' \
    --out "$work/noise"
mv "$work/out" "$work/noise.tap"
ok "what is printed stays in its block" awk -f "$work/read.awk" "$work/noise.tap"
ok "XML's rules hold here, too" sh -c "! grep -q '$(printf '\001')' '$work/noise.tap'"

# The reader can fail.
sed '3,$s/^ok 2 /ok 3 /' "$work/good.tap" >"$work/wrong.tap"
wrong "a gap is found" awk -f "$work/read.awk" "$work/wrong.tap"
sed '/^# /d; $d' "$work/good.tap" | sed '$d' >"$work/wrong.tap"
wrong "a missing point is found" awk -f "$work/read.awk" "$work/wrong.tap"

# Perl's reader.
if command -v prove >/dev/null 2>&1 && perl -MTAP::Parser -e 1 2>/dev/null; then
    for name in broken good; do
        ok "Perl reads it" perl -e 'use TAP::Parser; open my $in, "<", $ARGV[0]; local $/;
            my $parser = TAP::Parser->new({tap => scalar <$in>}); $parser->run;
            my $skipped = $parser->skipped;
            printf "%d %d %d\n", $parser->actual_passed - $skipped, scalar($parser->actual_failed),
                $skipped;
            print "$_\n" for $parser->parse_errors; exit($parser->parse_errors ? 1 : 0)' \
            "$work/$name.tap"
        ok "and counts $(head -n 1 "$work/log")" \
            [ "$(head -n 1 "$work/log")" = "$(counts "$work/$name")" ]
    done
else
    echo "skipped: no perl with TAP::Parser (make deps-ci installs it)"
fi
summary
