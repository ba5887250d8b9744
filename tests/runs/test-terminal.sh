# SPDX-License-Identifier: MIT
# What a run shows on a terminal, and nowhere else: progress on one line, what takes long, and what was
# running when somebody typed ^C.
. tests/common.sh
small='--filter ^CAF-00[1-3]/.*/wddm2_ -j 1'
hangs="$plugins/misbehave.so,do=hang,nth=300"

# on_terminal COLUMNS UNTIL OPTION...: what is shown is in $work/out, a line for each time it was drawn.
on_terminal() {
    columns=$1
    until=$2
    shift 2
    /usr/bin/python3 -B tests/runs/terminal.py "$columns" "$until" "$work/summary" "$tool" run "$@" |
        tr '\r' '\n' | sed "s/$(printf '\033')\[K//g; s/\^C$//" | grep . >"$work/shown"
}

# Long enough that it is drawn more than once.
on_terminal 100 - --impl "$plugins/accept_all.so" --filter '^CAF-0[0-4]' -j 1 --out "$work/short"
ok "cases done of all, and failures so far" grep -Eq '^[0-9]+/[0-9]+  [0-9]+ fail' "$work/shown"
ok "the summary is not on it" grep -q '^does not conform' "$work/summary"
on_terminal 100 - -q --impl "$plugins/accept_all.so" $small --out "$work/quiet"
ok "nothing with -q" [ ! -s "$work/shown" ]
"$tool" run --impl "$plugins/accept_all.so" $small --out "$work/piped" >"$work/out" 2>"$work/err"
ok "nothing where there is no terminal" sh -c "! grep -Eq '^[0-9]+/[0-9]+ ' '$work/out' '$work/err'"

# A call that takes long.
on_terminal 100 ' for 2 s' --impl "$hangs,once=$work/hangs" --timeout 600 $small --out "$work/stopped"
running=$(sed -n 's/^[0-9]*\/[0-9]*.*  \(CAF-[^ ]*\) for 2 s.*/\1/p' "$work/shown" | head -n 1)
ok "the case that takes long" [ -n "$running" ]
ok "^C names it" grep -Fqx "wddm-cts: stopped while $running was running" "$work/shown"
ok "how to resume it" grep -q '^stopped after [0-9]* of [0-9]* cases: SIGINT; resume with wddm-cts run --resume .*/stopped$' "$work/summary"
ok "what is done is stored" [ -s "$work/stopped/journal.jsonl" ]
ok "and what was running is not" sh -c "! grep -Fq '\"$running\"' '$work/stopped/journal.jsonl'"
status 0 sh -c "'$tool' run --resume '$work/stopped' -q; [ \$? -le 1 ]"
ok "it is resumed to its end" grep -q '"end": "done"' "$work/stopped/run.json"

# In an order of its own: the same.
for order in '--budget 1h' --shuffle=4; do
    rm -rf "$work/hangs" "$work/stopped"
    on_terminal 300 ' for 2 s' --impl "$hangs,once=$work/hangs" --timeout 600 $small $order --out "$work/stopped"
    ok "$order: cases done of all" grep -Eq '^[0-9]+/[0-9]+' "$work/shown"
    running=$(sed -n 's/^[0-9]*\/[0-9]*.*  \(CAF-[^ ]*\) for 2 s.*/\1/p' "$work/shown" | head -n 1)
    ok "$order: the case that takes long" [ -n "$running" ]
    ok "$order: ^C names it" grep -Fqx "wddm-cts: stopped while $running was running" "$work/shown"
    ok "$order: how to resume it" grep -q '^stopped after [0-9]* of [0-9]* cases: SIGINT; resume' "$work/summary"
done
rm -f "$work/hangs"
hangs_first="$plugins/misbehave.so,do=hang,nth=1,once=$work/hangs"
on_terminal 300 ' for 2 s' --impl "$hangs_first" --timeout 600 $small --budget 1h --out "$work/first"
ok "^C names the first case" grep -q '^wddm-cts: stopped while CAF-.* was running' "$work/shown"
on_terminal 300 - --impl "$plugins/accept_all.so" $small --budget 1h --out "$work/short"
ok "nothing was running in a run that ends" sh -c "! grep -q 'stopped while' '$work/shown'"
on_terminal 300 - -q --impl "$plugins/accept_all.so" $small --budget 1h --out "$work/quiet"
ok "nothing with -q --budget" [ ! -s "$work/shown" ]

rm -f "$work/hangs"
on_terminal 30 '  CAF-' --impl "$hangs,once=$work/hangs" --timeout 600 $small --out "$work/narrow"
ok "a line is never longer than the terminal" \
    sh -c "! grep -E '^[0-9]+/[0-9]+' '$work/shown' | grep -Eq '^.{30}'"
summary
