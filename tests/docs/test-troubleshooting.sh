#!/bin/sh
# SPDX-License-Identifier: MIT
# Every message that heads a section of docs/troubleshooting.md is one that the tool prints, but for
# numbers: each is produced here with a plug-in that misbehaves, called mine.so as in the document.
# shellcheck source=tests/common.sh
. tests/common.sh
page=$PWD/${WCTS_DOCUMENT:-docs/troubleshooting.md}
top=$PWD
cd "$work" || exit 1
cp "$build/emulator.so" .
: >printed

# messages COMMAND...: what it prints is kept. Its exit status is for others to test.
messages() {
    NO_COLOR=1 "$@" >>printed 2>&1
}

# of PLUGIN OPTIONS ARGUMENTS...: a run against one of the tests' plug-ins. RUN: the directory.
of() {
    cp "$plugins/$1.so" mine.so
    options=$2
    shift 2
    messages "$tool" run --impl "./mine.so$options" --out "${RUN:-run}" "$@"
    [ ! -f "${RUN:-run}/verdicts.txt" ] || cut -f 3 "${RUN:-run}/verdicts.txt" >>printed
}
one='--filter ^CAF-003/refuse/'
emulator=emulator=./emulator.so

# shellcheck disable=SC2086
{
    messages "$tool" run --impl ./mine.so
    echo 'int nothing;' | "${CC:-gcc}" -shared -fPIC -x c -o mine.so -
    messages "$tool" run --impl ./mine.so
    printf '\267\000' | dd of=mine.so bs=1 seek=18 conv=notrunc 2>/dev/null # the machine
    messages "$tool" run --impl ./mine.so
    echo 'int missing(void); int uses(void) { return missing(); }' |
        "${CC:-gcc}" -shared -fPIC -x c -o mine.so -
    messages "$tool" run --impl ./mine.so
    messages "$tool" run --impl tcp:127.0.0.1:1
    messages "$tool" run --impl 'exec:echo hello to all of you whoever you may be today'
    of wrong_abi ''
    of flag_fault ",word=create,what=unsupported,set=0x80,$emulator" --no-sweep --filter '^CAF-0.*/accept/wddm1_2'
    of hidden_state ",what=poison,$emulator" --filter '^CAF-0(03|20)[^/]*/(effect|scenario)/wddm2_0/' -j 1
    of exit_in_constructor ''
    of opening ,refuse=all
    mkdir full
    : >full/x
    RUN=full of accept_all '' $one
    messages "$tool" run --filter nothing-has-this-id
    of not_supported '' --suite smoke
    of refuse_some ",what=one-version,$emulator" --filter '^CAF-00[34]' --wddm 2.3
    of refuse_some ",what=one-version,$emulator" --wddm 2.3
    of refuse_some ",what=three-flags,$emulator" --suite smoke
    of create_only ",$emulator" --suite smoke
    messages sh -c "ulimit -n 50; exec '$tool' run $one --out few"
    for what in write-beyond lie-large exit fork crash; do
        of misbehave ,do=$what $one
    done
    mkdir empty
    messages env PATH=empty "$tool" run --impl ./mine.so,do=crash $one --out run
    of misbehave ,do=hang $one --timeout 0.3
    of misbehave ,do=spin --filter '^CAF-003/refuse/wddm3_2/' --max-failures 1 --timeout 0.1
    of misbehave ,do=hang,once=./once $one --timeout 0.5
    of misbehave ,do=crash,at=KERNEL_ADAPTER_START,nth=4,once=./twice --retries 1 -j 1 \
        --filter '^SEG-001/.*accept' --no-sweep
    of patching ,wrong=short
    # A kernel that conforms, at the version that it claims: a run at all takes eight seconds.
    sed 's/_interface_version = WDDM_[13]_.;/_interface_version = WDDM_2_0;/' "$top/examples/kernel/kernel.c" |
        "${CC:-gcc}" -I"$top/include" -fPIC -shared -x c -o mine.so -
    messages "$tool" run --impl ./mine.so --out run
    messages "$tool" run $one --out run
    # What happens to the directory of a run.
    of refuse_all '' --filter '^CAF-003/'
    cp -R "$top/spec" .
    sed -i 's/Setting CreateShared obliges/CreateShared obliges/' spec/000*.xml
    messages "$tool" report run --spec-dir spec
    messages "$tool" verify run
    head -c 5000 run/journal.jsonl >cut
    mv cut run/journal.jsonl
    messages "$tool" report run
    rm run/run.json
    messages "$tool" report run
}
# One that is stopped while it waits.
cp "$plugins/misbehave.so" mine.so
"$tool" run --impl ./mine.so,do=hang --timeout 600 -j 1 --out stopped >>printed 2>&1 &
until [ -e stopped/plan.tsv ]; do sleep 0.05; done
kill -TERM $!
wait $!

# Digests, numbers and runs of blanks are not compared.
alike() {
    sed -E -e 's/\b[0-9a-f]{16}\b/N/g' -e 's/0x[0-9A-Fa-f]+/N/g' -e 's/[0-9]+/N/g' -e 's/  */ /g' "$1"
}
sed -n 's/^### `\(.*\)`$/\1/p' "$page" >headings
ok "the headings are messages" [ "$(wc -l <headings)" -ge "$(grep -c '^### `' "$page")" ]
ok "there are messages" [ "$(wc -l <headings)" -gt 30 ]
alike printed | sort -u >lines
alike headings >wanted
# The pieces of a heading, between its "...", are in this order in some line.
awk 'NR == FNR {line[NR] = $0; lines = NR; next}
     {
         count = split($0, piece, / ?\.\.\. ?/)
         for (i = 1; i <= lines; i++) {
             rest = line[i]
             for (j = 1; j <= count; j++) {
                 at = index(rest, piece[j])
                 if (!at)
                     break
                 rest = substr(rest, at + length(piece[j]))
             }
             if (j > count)
                 next
         }
         print
     }' lines wanted >missing
while read -r message; do
    ok "the tool prints: $message" false
done <missing
summary
