# SPDX-License-Identifier: MIT
# One run of many parts: it is the undivided run, and whatever is not that is refused.
. tests/common.sh
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"

# same_as_whole NAME STATUS OPTION...: three parts, merged, are the run that was not divided.
same_as_whole() {
    name=$1
    end=$2
    shift 2
    status "$end" "$tool" run -q "$@" --out "$work/$name"
    for part in 1 2 3; do
        "$tool" run -q "$@" --shard $part/3 --out "$work/$name-$part" >"$work/out" 2>&1
    done
    status "$end" "$tool" merge "$work/$name-3" "$work/$name-1" "$work/$name-2" --out "$work/$name-merged" -q
    ok "$name: the parts are the run" /usr/bin/python3 -B tests/runs/same.py "$work/$name" "$work/$name-merged"
}
same_as_whole fails 1 --impl "$plugins/accept_all.so" --filter '^(CAF|AIN)-00[1-3]/.*/wddm2_'
same_as_whole walks 0 --filter '^UVA/(sequence|walk)/wddm2_0/'
same_as_whole dies 1 --impl "$plugins/misbehave.so,do=crash" --all-deaths --no-backtrace --filter '^CAF-00[1-3]/.*/wddm2_[0-2]'
for part in 1 2; do
    status 1 "$tool" run -q --impl "$plugins/misbehave.so,do=crash" --no-backtrace --filter '^CAF-00[1-3]/.*/wddm2_[0-2]' --shard $part/2 --out "$work/spared-$part"
done
status 1 "$tool" merge "$work/spared-1" "$work/spared-2" --out "$work/spared" -q
ok "what was not tried is counted" grep -q "merge: $(grep -c '"skip":"not tried"' "$work/spared/journal.jsonl") cases were not tried, since each part" "$work/err"
same_as_whole often 1 --impl "$plugins/accept_all.so" --retries 1 --level strict --no-records --filter '^CAF-00[1-3]/.*/wddm2_0'
same_as_whole worth 0 --max-cases 200 --seed 2
same_as_whole timed 0 --filter '^CAF-00[1-3]/.*/wddm2_' --durations "$work/fails" --shard 1/1
same_as_whole repeated 0 --filter '^CAF-00[1-3]/.*/wddm2_0' --repeat 2 --shuffle=3

# ---- like any run ----
merged=$work/fails-merged
status 3 "$tool" verify "$merged"
ok "its records give its verdicts" grep -q 'ok  *judged again' "$work/out"
ok "it is no part" grep -q 'ok  *shard  *part 1 of 1' "$work/out"
status 0 "$tool" report "$merged" --junit "$work/junit.xml" --html "$work/report.html"
ok "nor are its reports of one" sh -c "! grep -q 'shard [0-9] of' '$work/junit.xml'"
status 0 "$tool" coverage "$merged"
status 0 "$tool" diff "$work/fails" "$merged"
status 0 "$tool" explain "$(sed -n 's/^fail	\([^	]*\).*/\1/p' "$merged/verdicts.txt" | head -n 1)" --run "$merged"
ok "it says how it was made" grep -q '"merged": \[' "$merged/run.json"
status 1 "$tool" merge "$work"/fails-[123] --out "$work/again" --junit "$work/again.xml" --html "$work/again.html" \
    --markdown "$work/again.md" --junit-detail case --color never
ok "reports are written at once" sh -c "xmllint --noout '$work/again.xml' && [ -s '$work/again.html' ] && [ -s '$work/again.md' ]"
ok "and the summary" grep -q '^does not conform' "$work/out"

# ---- what is refused ----
# refused TEXT PART...: nothing is merged, and the text is the reason.
refused() {
    text=$1
    shift
    rm -rf "$work/none"
    status 2 "$tool" merge "$@" --out "$work/none"
    ok "says that $text" grep -q -- "$text" "$work/err"
    ok "nothing is written" [ ! -e "$work/none/journal.jsonl" ]
}
a=$work/fails-1
b=$work/fails-2
c=$work/fails-3
refused 'part 2 of 3 is missing' "$a" "$c"
ok "the cases that are missing are counted" grep -q 'merge: [0-9]* of [0-9]* cases are missing, the first is .*; expected all parts, or --partial' "$work/err"
refused 'part 1 of 3, as is .*/fails-1, expected each part once' "$a" "$b" "$a"
refused 'found --filter=.*, expected --filter=.*wddm2_0, as in' "$work/often-1" "$b" "$c"
refused '"shard": found one of 3 parts, expected one of 1' "$work/fails" "$b" "$c"
refused 'expected a file of a run directory' "$a" "$b" "$work/nowhere"

# changed PART SED FILE: a copy of a part that says something else.
changed() {
    rm -rf "$work/changed"
    cp -r "$1" "$work/changed"
    sed -i "$2" "$work/changed/$3"
}
changed "$b" 's/"number": 2/"number": 1/' run.json
refused 'part 1 of 3, as is' "$a" "$work/changed" "$c"
changed "$a" 's/"number": 1/"number": 2/' run.json
refused 'found case .*, which .*/fails-1 has, too' "$a" "$work/changed" "$c"
changed "$b" 's/"sha256": "./"sha256": "x/' run.json
refused '"sha256": found x.*, expected .*, as in' "$a" "$work/changed" "$c"
changed "$b" 's/"tool_version": "/"tool_version": "9/' run.json
refused '"tool_version": found 9' "$a" "$work/changed" "$c"
changed "$b" 's/"spec_digest": "./"spec_digest": "x/' run.json
refused '"spec_digest": found x' "$a" "$work/changed" "$c"
changed "$b" 's/"patches": "[^"]*"/"patches": "32"/' run.json
refused 'claims another "patches"' "$a" "$work/changed" "$c"
changed "$b" '/"options": \[/a "--seed=7",' run.json
refused 'found --seed=7, expected no --seed, as in' "$a" "$work/changed" "$c"
changed "$b" '$d' journal.jsonl
refused 'changed/journal.jsonl: found digest .*, expected' "$a" "$work/changed" "$c"
changed "$b" '$d' plan.tsv
refused 'changed/plan.tsv: found digest .*, expected' "$a" "$work/changed" "$c"
changed "$b" 's/"verdict":"fail"/"verdict":"pass"/' journal.jsonl
refused 'changed/journal.jsonl: found digest' "$a" "$work/changed" "$c"
rm -rf "$work/changed"
cp -r "$b" "$work/changed"
truncate -s -1 "$work/changed/records"
refused 'changed/records: found digest' "$a" "$work/changed" "$c"
status 2 "$tool" merge "$a" "$b" "$c" --out "$b"
ok "no part is overwritten" grep -q 'a part, expected another directory' "$work/err"
ok "and is as it was" grep -q '"number": 2' "$b/run.json"

# ---- parts that are not there ----
status 1 "$tool" merge "$a" "$c" --partial --out "$work/two" -q
ok "what is missing is said" grep -q 'part 2 of 3 is missing' "$work/err"
ok "of how many it is" grep -q 'cases are missing, the first is [^;]*$' "$work/err"
ok "and it has the rest" [ "$(wc -l <"$work/two/journal.jsonl")" -eq "$(cat "$a/journal.jsonl" "$c/journal.jsonl" | wc -l)" ]
ok "and by its last line" grep -q "; $(sed -n 's/.*merge: \([0-9]*\) of .*/\1/p' "$work/err") cases of parts that were not merged; " "$work/out"
status 3 "$tool" merge "$work/walks-1" "$work/walks-2" --partial --out "$work/green" -q --junit "$work/green.xml" --html "$work/green.html"
ok "it is incomplete" grep -q '^incomplete: [0-9]* cases of parts that were not merged; ' "$work/out"
ok "in each report" sh -c "grep -q 'incomplete: [0-9]* cases of parts' '$work/green.xml' && grep -q 'incomplete: [0-9]* cases of parts' '$work/green.html'"
status 0 "$tool" report "$work/green"
ok "which is read again" grep -q '^incomplete: [0-9]* cases of parts' "$work/out"

# A part that was killed has what it has, and the rest when it was resumed.
bytes=$(wc -c <"$b/journal.jsonl")
rm -rf "$work/cut"
"$tool" run -q --impl "$plugins/accept_all.so" --filter '^(CAF|AIN)-00[1-3]/.*/wddm2_' --shard 2/3 --out "$work/cut" >/dev/null 2>&1 &
runner=$!
while kill -0 $runner 2>/dev/null && [ "$(wc -c 2>/dev/null <"$work/cut/journal.jsonl" || echo 0)" -lt $((bytes / 3)) ]; do :; done
kill -s KILL $runner 2>/dev/null
wait $runner 2>/dev/null
refused 'part 2 of 3, .*/cut, has [0-9]* of its [0-9]* cases; wddm-cts run --resume .*/cut runs the others' "$a" "$work/cut" "$c"
status 1 "$tool" merge "$a" "$work/cut" "$c" --partial --out "$work/most" -q
# Who merges need not be able to write to it: a user, or root without the right to override that.
if [ "$(id -u)" -eq 0 ]; then plain='setpriv --bounding-set -dac_override,-dac_read_search'; else plain=; fi
chmod -R a-w "$work/cut"
# shellcheck disable=SC2086 # words
status 1 $plain "$tool" merge "$a" "$work/cut" "$c" --partial --out "$work/most-read" -q
ok "a part may be only read" /usr/bin/python3 -B tests/runs/same.py "$work/most" "$work/most-read"
chmod -R u+w "$work/cut"
status 1 "$tool" run --resume "$work/cut"
status 1 "$tool" merge "$a" "$work/cut" "$c" --out "$work/all" -q
ok "resumed, it is whole" /usr/bin/python3 -B tests/runs/same.py "$work/fails" "$work/all"
status 0 "$tool" merge --help
ok "help names it" grep -q -- --partial "$work/out"
# ---- under a profile ----
under="--impl $build/emulator.so,profile=windows --profile windows --suite smoke --filter ^CAF-03[12]/ --wddm 3.2 -q"
# shellcheck disable=SC2086 # words
{
    status 0 "$tool" run $under --out "$work/profiled"
    status 0 "$tool" run $under --shard 1/2 --out "$work/profiled.1"
    status 0 "$tool" run $under --shard 2/2 --out "$work/profiled.2"
}
status 0 "$tool" merge -q "$work/profiled.1" "$work/profiled.2" --out "$work/profiled.all"
ok "the merged run has the profile" cmp "$work/profiled/verdicts.txt" "$work/profiled.all/verdicts.txt"
ok "deviations are in it" grep -q '^deviates' "$work/profiled.all/verdicts.txt"
cp spec/profiles/windows.xml "$work/mine.xml"
# shellcheck disable=SC2086
status 0 "$tool" run ${under%% --profile*} --profile "$work/mine.xml" ${under#*--profile windows } --shard 1/2 --out "$work/own.1"
sed -i 's/confidence="T U"/confidence="T"/' "$work/mine.xml"
# shellcheck disable=SC2086
status 0 "$tool" run ${under%% --profile*} --profile "$work/mine.xml" ${under#*--profile windows } --shard 2/2 --out "$work/own.2"
status 2 "$tool" merge -q "$work/own.1" "$work/own.2" --out "$work/own"
summary
