#!/bin/sh
# SPDX-License-Identifier: MIT
# The tool from outside: exit codes, files, near misses, and plug-ins that misbehave. Run from the
# source directory; WCTS_BUILD is the build directory.
. tests/common.sh

count() {
    grep -c "^$1	" "$work/$2/verdicts.txt"
}

# ---- usage ----
status 2 "$tool"
status 2 "$tool" runn
ok "near command" grep -q 'did you mean run' "$work/err"
status 2 "$tool" run --filtr x
ok "near option" grep -q 'filter' "$work/err"
status 2 "$tool" verify --seed 5 x
ok "the option, not its value" grep -q 'verify has no option --seed' "$work/err"
mkdir "$work/mine"
echo precious >"$work/mine/verdicts.txt"
status 2 "$tool" run --suite smoke --out "$work/mine"
ok "what is no run's is not overwritten" grep -q 'has verdicts.txt, which is no run.s' "$work/err"
ok "nor lost" grep -qx precious "$work/mine/verdicts.txt"
status 2 "$tool" run --suite huge
status 2 "$tool" run --filter '('
status 2 "$tool" run --wddm 0.9
status 2 "$tool" run --shard 3/2
ok "found and expected" grep -qx 'wddm-cts: --shard 3/2: expected K/N with 1 <= K <= N, auto or auto/N' "$work/err"
status 2 "$tool" run --retries=
ok "nothing found" grep -qx "wddm-cts: --retries '': expected a number from 0 to 100" "$work/err"
status 2 "$tool" run --impl "$work/missing.so" --out "$work/missing"
# What is wrong comes first, and the list of options is only named.
while IFS='|' read -r arguments message; do
    # shellcheck disable=SC2086 # words
    status 2 "$tool" $arguments
    ok "wddm-cts $arguments: $message" [ "$(head -n 1 "$work/err")" = "wddm-cts: $message" ]
    ok "and nothing else is printed" [ ! -s "$work/out" ]
    ok "nor hidden by a list of options" [ "$(wc -l <"$work/err")" -le 3 ]
    ok "help is near" grep -q '^try: wddm-cts ' "$work/err"
done <<END
run stray|run takes no argument, found stray
run mine.so|run takes no argument; did you mean --impl mine.so?
lint mine.so|lint takes no argument, found mine.so
explain|explain needs a case, rule or statement
replay|replay needs a case
report|report needs a run directory
diff one|diff needs two runs or two specs
diff a b c|diff takes two runs or two specs, and no more
verify a b|verify takes a run directory, and no more
coverage a b|coverage takes one run directory, and no more
help nosuch|there is no command nosuch
help runn|there is no command runn; did you mean run?
run --lvel strict|run has no option --lvel; did you mean --level?
explain CAF-003 --upgrade 3.2|explain has no option --upgrade; run, list and replay have it
faults --upgrade=3.2|faults has no option --upgrade=3.2; run, list and replay have it
verify --strength 2 x|verify has no option --strength; generate has it
END
status 0 "$tool" --help
status 0 "$tool" version

# Every option of the table is in the manual.
"$tool" help | grep -o -- '--[a-z-]*' | sort -u >"$work/options"
sed 's/\\-/-/g' "$build/share/man/wddm-cts.1" >"$work/manual"
while read -r option; do
    ok "manual names $option" grep -q -- "$option" "$work/manual"
done <"$work/options"

# ---- selecting ----
first=$("$tool" list | head -n 1)
status 3 "$tool" run --filter "^${first}x\$" --out "$work/none"
ok "near misses" grep -qF "$first" "$work/err"
status 3 "$tool" run --filter "^${first}x\$" --out "$work/none" --junit "$work/none.xml"
ok "an empty report is an error" grep -q 'errors="1"' "$work/none.xml"
status 2 "$tool" explain "${first}x"
ok "near misses" grep -qF "$first" "$work/err"
status 2 "$tool" replay "${first}x"
status 0 "$tool" explain "$first"
# A statement's cases: one line for those that differ in the version alone. All are there.
"$tool" list | grep -o '/wddm[0-9]*_[0-9]*' | sort -uV >"$work/versions"
expand() {
    "$tool" explain "$1" | awk 'NR == FNR {name = $1; sub("/wddm", "", name); sub("_", ".", name)
            ids[NR] = $1; number[name] = NR; count = NR; next}
        $1 != "case" {next}
        NF == 2 {print $2; next}
        {
            match($2, "/wddm[0-9]+_[0-9]+"); head = substr($2, 1, RSTART - 1)
            tail = substr($2, RSTART + RLENGTH)
            rest = $0; sub("^.*  at (every version, )?", "", rest); parts = split(rest, part, ", ")
            for (i = 1; i <= parts; i++) {
                ends = split(part[i], end, " to ")
                for (n = number[end[1]]; n <= number[end[ends]]; n++) print head ids[n] tail
            }
        }' "$work/versions" - | sort
}
for id in CAF-003 AIN-016 SEG-025; do
    expand $id >"$work/expanded"
    "$tool" list --filter "^$id[./]" | sort >"$work/listed"
    ok "explain $id has every case once" cmp "$work/expanded" "$work/listed"
done
# Several are explained one after the other, each as it is alone; where nobody runs anything meanwhile,
# since what the latest run says of them is printed, too.
mkdir "$work/apart"
top=$PWD
(cd "$work/apart" && "$tool" run -q --filter '^SEG-0(25|42)|^CAF-001/accept/wddm1_0/' --spec-dir "$top/spec" --cases-dir "$top/cases")
for id in SEG-025 D-15 "$first"; do
    (cd "$work/apart" && "$tool" explain "$id" --spec-dir "$top/spec" --cases-dir "$top/cases")
    echo
done >"$work/each"
status 0 sh -c 'cd "$1" && shift && "$@"' sh "$work/apart" \
    "$tool" explain SEG-025 D-15 "$first" --spec-dir "$top/spec" --cases-dir "$top/cases"
ok "with what came of them" [ "$(grep -c '^In out/latest' "$work/each")" -eq 2 ]
ok "several are explained" sh -c "echo | cat '$work/out' - | cmp - '$work/each'"
status 0 "$tool" explain SEG-042 --run "$work/apart/out/latest"
ok "why nothing was seen" grep -q ': [0-9]* skip; first: not ' "$work/out"
status 2 "$tool" explain SEG-025 nothing-such D-15
ok "one that is not there hides no other" [ "$(grep -c '^SEG-025  \|^D-15  ' "$work/out")" -eq 2 ]
ok "and is named" grep -q 'there is no case, rule or statement nothing-such' "$work/err"
status 0 "$tool" explain DXGK_SEGMENTFLAGS wcts_patch_flags
ok "a word has its flags by their bits" [ "$(grep -c '^  bit ' "$work/out")" -ge 20 ]
ok "and their versions" grep -qx '  bit 7      PreservedDuringStandby, from 1.2, open at 1.0 to 1.1' "$work/out"
status 2 "$tool" explain DXGK_SEGMENTFLAGS --run "$work/apart/out/latest"
ok "no run has a word" grep -q 'DXGK_SEGMENTFLAGS is a word of flags, expected a case' "$work/err"
status 2 "$tool" explain ''
ok "no name is visible" grep -qx "wddm-cts: there is no case, rule or statement ''" "$work/err"
for command in report verify check coverage merge 'diff spec'; do
    status 2 "$tool" $command ''
    ok "$command without a name" grep -q "^wddm-cts: ${command%% *}: found '', expected a file or directory$" "$work/err"
done
cp "$plugins/accept_all.so" "$work/my plug,in.so"
status 2 "$tool" run -q --impl "$work/my plug,in.so"
ok "a comma in a name" grep -q "^wddm-cts: --impl $work/my plug,in.so: expected a file without a comma in its name: options follow the first one$" "$work/err"
mv "$work/my plug,in.so" "$work/my plug.so"
status 1 "$tool" run -q --filter ^CAF-003/ --impl "$work/my plug.so" --out "$work/blank in a name"
status 2 "$tool" explain KERNEL_LOCK driver-patching
ok "what an operation is" grep -q 'KERNEL_LOCK is an operation, expected a case, rule or statement' "$work/err"
ok "and a feature" grep -q 'driver-patching is a feature, expected a case, rule or statement' "$work/err"
mkdir "$work/no-run"
status 2 "$tool" explain SEG-025 --run "$work/no-run"
ok "no run" grep -q 'no-run: no journal.jsonl, expected a run directory' "$work/err"
status 0 "$tool" explain SEG-025
ok "of every version" grep -qxF '  case       SEG-025/accept/wddm1_0/create  at every version, 1.0 to 3.2' "$work/out"
ok "from a version on" grep -qxF '  case       SEG-025/answer/wddm2_0  at 2.0 to 3.2' "$work/out"
ok "in the words of the document" grep -qxF \
    '  original   (fr) «Cet indicateur ne peut pas être utilisé en combinaison avec l’indicateur CpuVisible .»' "$work/out"
status 0 "$tool" explain AIN-016
ok "with a gap" grep -q '  at 1.0 to 1.3, 2.1 to 3.2$' "$work/out"
ok "at one version" grep -qx '  case  *AIN-016.from/refuse/wddm2_0/FlagsWddm2-0x400' "$work/out"
status 0 "$tool" explain UVA-011
ok "by which erratum a statement is read" grep -qx '  read by    D-15: not more than SizeInBytes' "$work/out"
status 0 "$tool" explain D-15
ok "an erratum has its passage" grep -q '^D-15  AllocationSizeInBytes: .*minore di Map\.SizeInBytes' "$work/out"
ok "its readings" grep -qxF '  readings   (a) less than SizeInBytes; (b) not more than SizeInBytes' "$work/out"
ok "its choice" grep -qx '  choice     b: not more than SizeInBytes' "$work/out"
ok "its reason" grep -q '^  reason     Speaking of the case' "$work/out"
ok "its place" grep -q '^  written    spec/errata\.xml:[0-9]*$' "$work/out"
ok "its statements, with their cases" [ "$(sed -n 's|^  statement  \([^,]*\), \([0-9]*\) cases: .*|\1 \2|p' "$work/out")" = \
    "$(for id in UVA-011 UVA-013 UVA-039 UVA-040; do echo "$id $("$tool" list --filter "^$id[./]" | wc -l)"; done)" ]
ok "and how many cases in all" grep -qx \
    "  cases      $("$tool" list --filter '^UVA-(011|013|039|040)[./]' | wc -l) of 4 statements" "$work/out"
status 0 "$tool" explain D-17d
ok "what it leaves open" grep -qx '  open       Map MapProtect Unmap Copy' "$work/out"
ok "that both readings are right" grep -qxF '  choice     neither: left open: (a) allowed; (b) forbidden' "$work/out"
status 2 "$tool" explain D-15 --run "$work/none"
status 0 "$tool" explain UVA-054
ok "why there are no such words" grep -q '^  unquoted   the order of the array' "$work/out"
status 0 "$tool" replay "$first"
status 0 "$tool" replay "$first" --no-fork -v
# Private data of 8 bytes is shorter than what is printed of it at most, and no breach.
status 0 "$tool" replay AIN-007/answer/wddm1_0 --impl emulator --no-fork -v
ok "short private data is shown" grep -q 'PRIVATE_DATA.First' "$work/out"
ok "and not blamed" sh -c "! grep -q 'outside the message' '$work/out'"
# The first of two is refused, as unmapped="yes" says.
status 0 "$tool" replay -v SEG-035.mapped/scenario/wddm2_0/mapping-refused
ok "the driver refuses to map" [ "$(sed -n 's/^ *DRIVER_PAGING -> \([A-Z_]*\) .*/\1/p' "$work/out" | uniq | tr '\n' ' ')" = \
    'INVALID_PARAMETER SUCCESS ' ]
# Of several data one behind the other each ends with its own size.
status 0 "$tool" replay -v PAT-015/scenario/wddm1_0/patched
ok "data of three allocations" [ "$(grep -c 'PRIVATE_DATA.First' "$work/out")" -ge 3 ]
ok "nothing behind their 8 bytes" sh -c "! grep -q 'PRIVATE_DATA.Second' '$work/out'"
ok "memory is shown, with its offsets" [ "$(grep -A 3 'Address 0x7f0000000140$' "$work/out" | sed -n '4s/^ *//p')" = \
    '0x00  00 80 f9 00 04 00 00 00' ]
ok "long memory is cut" [ "$(grep -A 3 '^      0x20  ' "$work/out" | sed -n '3s/^ *//p')" = '... 4096 bytes' ]
# A case that fails shows its messages once.
for how in "" "-v" "-v --no-fork"; do
    # shellcheck disable=SC2086 # options
    status 1 "$tool" replay CAF-012/refuse/wddm2_3/existing,pSystemMem-buffer.0x1 --impl "$plugins/accept_all.so" $how
    ok "replay $how: messages once" [ "$(grep -c 'KERNEL_ALLOCATION_CREATE ->' "$work/out")" -eq 1 ]
done
status 0 "$tool" list --rules --json
status 0 "$tool" list --statements
status 0 "$tool" probe

# ---- runs are alike: of whole ones tests/determinism says so ----
status 0 "$tool" run -j 1 --wddm 2.3 --out "$work/one" --junit "$work/one.xml"
status 0 "$tool" run -j 3 --wddm 2.3 --out "$work/three"
ok "verdicts" cmp "$work/one/verdicts.txt" "$work/three/verdicts.txt"
ok "plan" cmp "$work/one/plan.tsv" "$work/three/plan.tsv"
ok "junit" xmllint --noout "$work/one.xml"
for shard in 1 2 3; do
    status 0 "$tool" run -j 1 --wddm 2.3 --shard $shard/3 --out "$work/shard$shard"
done
sort "$work"/shard?/verdicts.txt >"$work/shards"
sort "$work/one/verdicts.txt" >"$work/whole"
ok "shards make up the whole" cmp "$work/shards" "$work/whole"
"$tool" run -j 1 --wddm 2.3 --out "$work/json" --json >"$work/lines"
ok "a line a case, and one" [ "$(wc -l <"$work/lines")" -eq $(($(wc -l <"$work/whole") + 1)) ]
status 0 "$tool" run --impl "$build/emulator.so,strict" -j 1 --wddm 2.3 --out "$work/shared"
ok "emulator.so is the emulator" cmp "$work/one/verdicts.txt" "$work/shared/verdicts.txt"

# ---- implementations of every kind; of whole runs tests/golden has them ----
status 3 "$tool" run --impl "$plugins/refuse_all.so" -j 1 --wddm 2.3 --out "$work/refuse"
ok "nothing passes" [ "$(count pass refuse)" -eq 0 ]
status 3 "$tool" run --impl "$plugins/not_supported.so" -j 1 --wddm 2.3 --out "$work/unsupported"
ok "all is skipped" [ "$(grep -cv '^skip	' "$work/unsupported/verdicts.txt")" -eq 0 ]
status 3 "$tool" run --filter '^no such case$' --out "$work/none" --junit "$work/none.xml"
ok "what was not loaded has no name" grep -qx 'emulator,strict, not loaded, level documented' "$work/out"
ok "nothing selected is an error in JUnit" grep -q '<testsuites .* errors="1"' "$work/none.xml"
status 1 "$tool" run --impl "$plugins/accept_all.so" -j 1 --wddm 2.3 --out "$work/accept" --junit "$work/a.xml"
ok "junit" xmllint --noout "$work/a.xml"
status 0 "$tool" explain CAF-012 --run "$work/accept"
counted=$(for verdict in fail pass; do echo "$(grep -c "^$verdict	CAF-012/" "$work/accept/verdicts.txt") $verdict"; done |
    paste -sd , | sed 's/,/, /')
failed_first=$(sed -n 's/^fail	\(CAF-012[^	]*\).*/\1/p' "$work/accept/verdicts.txt" | head -n 1)
ok "what came of a statement's cases" grep -q "^In $work/accept, of .*accept_all.so: $counted; first: $failed_first\$" "$work/out"
status 0 "$tool" explain AIN-016.from --run "$work/shared"
ok "of a rule's, by a plug-in with options" grep -q "^In $work/shared, of .*emulator.so,strict: [0-9]* pass\$" "$work/out"
status 0 "$tool" explain "$failed_first" --run "$work/accept"
ok "of a case" grep -q "^In $work/accept, of .*accept_all.so: fail: " "$work/out"
status 2 "$tool" explain CAF-012 --run "$work/nothing"
status 2 "$tool" explain D-15 --run "$work/accept"
ok "an erratum has none" grep -q 'D-15 is an erratum, expected a case, rule or statement' "$work/err"
status 0 "$tool" run --impl "$plugins/create_only.so,emulator=$build/emulator.so,strict,placement=off,pages=off" \
    -j 1 --wddm 2.3 --out "$work/create"
# One that claims no version is not taken for one that has nothing to see.
for versions in 0x9000+0x5000 0+0; do
    nobody="$plugins/refuse_some.so,what=nothing,emulator=$build/emulator.so,versions=$versions"
    status 2 "$tool" probe --impl "$nobody" --role kernel
    ok "probe says what is claimed" grep -q 'KERNEL_INFO claims interface versions 0x.*, expected some of 0x1053 to ' "$work/err"
    status 2 "$tool" run --impl "$nobody" --role kernel --wddm 2.3 --out "$work/nobody"
done
# Nor is a claim taken that the header does not know.
while IFS='|' read -r role option message; do
    nonsense="$plugins/refuse_some.so,what=nothing,$option,emulator=$build/emulator.so"
    for command in probe "run --wddm 2.3 --out $work/nonsense"; do
        # shellcheck disable=SC2086 # options
        status 2 "$tool" $command --impl "$nonsense" --role "$role"
        ok "$command with $option: $message" grep -q "$message" "$work/err" "$work/out"
    done
done <<END
kernel|pages=4097|KERNEL_INFO claims page_sizes 4097, expected a sum of 4096, 16384 and 65536
kernel|pages=0|KERNEL_INFO claims page_sizes 0, expected a sum of
kernel|advice=0x60|KERNEL_INFO claims both STRICT and LENIENT, expected one of them at most
driver|patches=77|DRIVER_INFO claims patches 77, expected 0 to 7
END
# A plug-in of this folder needs no slash; a report removes nothing but reports; a reader that goes
# away does not take the report with it.
cp "$plugins/accept_all.so" "$work/here.so"
here=$(realpath "$tool")
(cd "$work" && exec "$here" run --impl here.so --wddm 2.3 --out here -q) >"$work/log" 2>&1
ok "a plug-in without a slash is loaded" [ -s "$work/here/verdicts.txt" ]
echo precious >"$work/r-2.xml"
status 0 "$tool" run --filter '^CAF-003/' --junit "$work/r.xml" --out "$work/r"
ok "a file that is no report stays" grep -q precious "$work/r-2.xml"
"$tool" run --json --junit "$work/pipe.xml" --out "$work/pipe" 2>/dev/null | head -n 1 >/dev/null
ok "a report without a reader" grep -q 'type="aborted"' "$work/pipe.xml"
status 2 "$tool" run --impl "$plugins/exit_in_constructor.so" --out "$work/exit" \
    --junit "$work/exit.xml"
ok "said why" grep -q 'called exit(5) while it was loaded' "$work/out"
ok "and in junit" grep -q 'type="aborted"' "$work/exit.xml"
status 2 "$tool" run --impl "$plugins/wrong_abi.so" --out "$work/abi"
ok "said why" grep -q 'ABI version' "$work/out"

# Each misdeed costs one case, whatever the verdict, and no other. A part of one version is
# enough for whoever misbehaves once; where it died is not looked at.
status 1 "$tool" run --impl "$plugins/accept_all.so" -j 1 --wddm 2.3 --filter '^CAF-0[0-3]' --out "$work/behaves"
ok "enough cases" [ "$(grep -c . "$work/behaves/verdicts.txt")" -gt 200 ]
for what in crash hang exit abort garbage noise thread scribble close fork lie-large lie-huge \
    lie-small lie-offset write-beyond; do
    rm -f "$work/once"
    status 1 "$tool" run --timeout 1 -j 1 --no-backtrace --wddm 2.3 --filter '^CAF-0[0-3]' --out "$work/bad" \
        --impl "$plugins/misbehave.so,do=$what,nth=3,once=$work/once"
    differ=$(diff "$work/behaves/verdicts.txt" "$work/bad/verdicts.txt" | grep -c '^>')
    ok "$what costs $differ cases" [ "$differ" -le 1 ]
done

# ---- stopped: at once, however long a plug-in that hangs may yet be waited for ----
# stopped SIGNAL CONDITION COMMAND...: sends the signal as soon as the condition holds.
stopped() {
    number=$1 begun=$2
    shift 2
    "$@" --timeout 6000 >"$work/out" 2>"$work/err" &
    runner=$!
    # A busy machine takes its time until there is something to stop.
    for _ in $(seq 600); do
        ! eval "$begun" || break
        sleep 0.1
    done
    workers=$(cat /proc/$runner/task/$runner/children)
    kill -"$number" $runner
    (sleep 120 && kill -KILL $runner) 2>/dev/null &
    limit=$!
    wait $runner
    got=$?
    kill $limit 2>/dev/null
    ok "SIG$number stops $2 with $got" [ $got -eq 3 ]
    for pid in $workers; do
        ok "and its worker" sh -c "! kill -0 $pid"
    done
}
has_worker='[ -n "$(cat /proc/$runner/task/$runner/children)" ]'
hangs="$plugins/misbehave.so,do=hang,once=$work/hangs"
for signal in TERM INT HUP; do
    rm -f "$work/hangs"
    stopped $signal '[ -s "$work/hangs" ]' "$tool" run --impl "$hangs,nth=9" -j 2 --out "$work/stop" --junit "$work/stop.xml"
    ok "its last line" grep -qx "stopped after [0-9]* of [0-9]* cases: SIG$signal; resume with wddm-cts run --resume .*/stop" "$work/out"
    ok "the run has an end" grep -q '"end": "stopped"' "$work/stop/run.json"
    # As many as were done by then: none, where nothing was told before the signal.
    reached=$(sed -n 's/^stopped after \([0-9]*\) .*/\1/p' "$work/out")
    ok "and a result on each line" [ "$(grep -c '^{.*}$' "$work/stop/journal.jsonl")" -eq "$reached" ]
    ok "and nothing else" [ "$(wc -l <"$work/stop/journal.jsonl")" -eq "$reached" ]
    ok "junit of a stopped run" xmllint --noout "$work/stop.xml"
    ok "has the rest as skipped" grep -q 'not reached' "$work/stop.xml"
done
rm "$work/hangs"
stopped TERM '[ -s "$work/hangs" ]' "$tool" replay CAF-003/refuse/wddm1_0/CreateShared --impl "$hangs"
export FAULTY_OPEN=hang
for command in "run --out $work/stop" probe "faults --try"; do
    # shellcheck disable=SC2086 # words
    stopped TERM "$has_worker" "$tool" $command --impl "$plugins/faulty.so"
done
unset FAULTY_OPEN
# While no worker is there: between the one that was asked for claims and the others, and while
# faults are traced.
for wait in 0 0.01 0.02 0.03; do
    rm -rf "$work/stop"
    stopped TERM "[ -s '$work/stop/run.json' ] && sleep $wait" "$tool" run --out "$work/stop"
done
stopped TERM "$has_worker && sleep 1" "$tool" faults --try

summary
