#!/bin/sh
# SPDX-License-Identifier: MIT
# What `profile derive` proposes: of the emulator as each shipped profile with an implementation has it,
# a profile under which that run has no failure, and the entries of the shipped one; of plug-ins that do
# one thing otherwise, an entry of each kind that there is. Run from the source directory; WCTS_BUILD is
# the build directory.
. tests/common.sh
shows='^(CAF-001/sweep|CAF-0(02|03|05|18|19|20|3[0-9]|41|5[2346]|60)[./])'
emulator=$build/emulator.so

# derive NAME OPTIONS...: runs it, proposes a profile, lints it, and reads the run with it.
derive() {
    name=$1
    shift
    "$tool" run -q --out "$work/$name" "$@" >"$work/out" 2>&1
    tail -n 1 "$work/out" | grep -qE '^(does not conform|incomplete|no failure)' && good || bad "$name: $(cat "$work/out")"
    "$tool" profile derive "$work/$name" >"$work/$name.xml" 2>"$work/err" && good || bad "$name: $(cat "$work/err")"
    ok "$name: everything refused is explained" test ! -s "$work/err"
    ok "$name: it lints" "$tool" lint -q --profile "$work/$name.xml"
    "$tool" report --profile "$work/$name.xml" "$work/$name" >"$work/out" 2>&1
    tail -n 1 "$work/out" | grep -q '^no failure in the selection under own profile derived: ' && good ||
        bad "$name: $(tail -n 1 "$work/out"): $(cat "$work/$name.xml")"
}

# proposed NAME WORDS: a line of the profile has them, and a case that shows it, which there is.
proposed() {
    entry=$(grep -F -- "$2" "$work/$1.xml" | head -n 1)
    [ -n "$entry" ] && good || bad "$1: no entry has $2: $(cat "$work/$1.xml")"
    shown=$(echo "$entry" | sed -n 's/.* source="\([^"]*\)".*/\1/p')
    ok "$1: $2: a case of the run shows it" grep -qF "	$shown	" "$work/$1/verdicts.txt"
}

# entries NAME COUNT
entries() {
    found=$(grep -c '^  <' "$work/$1.xml")
    [ "$found" -eq "$2" ] && good || bad "$1: $found entries, expected $2: $(cat "$work/$1.xml")"
}

# ---- the shipped profiles ----

# Windows: both of its entries. The condition is shorter than theirs: no case of these statements makes
# another allocation in a resource over existing memory.
derive windows --impl "$emulator,profile=windows" --wddm 3.2 --filter "$shows"
proposed windows 'statement="CAF-031" rule="CAF-031" on="D3DKMT_CREATEALLOCATION" when="Flags.ExistingSysMem"'
proposed windows 'statement="CAF-032" rule="CAF-032" on="D3DKMT_CREATEALLOCATION" when="Flags.ExistingSysMem"'
entries windows 2
# WSL2: M10 and M5, and of M22 that nothing is shared: no case shares what has private data and is not
# refused for M10 before.
derive wsl2 --impl "$emulator,profile=wsl2" --wddm 3.2 --filter "$shows"
proposed wsl2 'on="D3DKMT_CREATEALLOCATION" refuse="Flags.CreateShared and not Flags.NtSecuritySharing"'
proposed wsl2 'on="D3DKMT_CREATEALLOCATION" refuse="Flags.ExistingSection"'
proposed wsl2 'on="KERNEL_SHARE" refuse="'
entries wsl2 3

# ---- an entry of each kind ----

some='^(CAF-00[1-5]|CAF-05|UVA-00[1-6]|AIN-003|HDR-021)'
while IFS='|' read -r name what words; do
    derive "$name" --impl "$plugins/$what,emulator=$emulator" --role kernel --wddm 3.2 --filter "$some"
    proposed "$name" "$words"
    entries "$name" 1
done <<'END'
flags|refuse_some.so,what=three-flags|on="D3DKMT_CREATEALLOCATION" refuse="Flags.CreateShared and Flags.NonSecure"
number|refuse_some.so,what=several|on="D3DKMT_CREATEALLOCATION" refuse="NumAllocations >= 2"
page|refuse_some.so,what=one-page-size|on="D3DKMT_CREATEALLOCATION" refuse="page = 65536"
operation|refuse_some.so,what=write-lock|on="KERNEL_LOCK" refuse="Write != 0"
behind|refuse_some.so,what=several-updates|on="D3DKMT_UPDATEGPUVIRTUALADDRESS" refuse="NumOperations >= 2"
absent|profiled.so,lacks=va|<absent id="A1" feature="kernel-virtual-addresses"
END
derive version --impl "$plugins/refuse_some.so,what=one-version,emulator=$emulator" --role kernel --filter '^CAF-00[35]/'
grep -q 'since="[0-9.]*" until="[0-9.]*" side="kernel"' "$work/version.xml" && good || bad "no version: $(cat "$work/version.xml")"

# ---- several runs ----

# Calls of sweeps are counted in each reading: what is refused after one, in another run, has its entry
# whichever run is named first.
two=$plugins/refuse_some.so,what=unmap,also=three-flags,emulator=$emulator
"$tool" run -q --out "$work/flags1" --impl "$two" --role kernel --wddm 3.2 --filter '^CAF-00[1-5]' >"$work/out"
"$tool" run -q --out "$work/unmap2" --impl "$two" --role kernel --wddm 3.2 --filter '^UVA-00[1-6]' >"$work/out"
for runs in "$work/flags1 $work/unmap2" "$work/unmap2 $work/flags1"; do
    # shellcheck disable=SC2086 # two arguments
    "$tool" profile derive $runs >"$work/several.xml" 2>"$work/err"
    ok "several runs: everything is explained" test ! -s "$work/err"
    entries several 2
    for run in $runs; do
        "$tool" report --profile "$work/several.xml" "$run" >"$work/out" 2>&1
        tail -n 1 "$work/out" | grep -q '^no failure ' && good || bad "$runs: $(tail -n 1 "$work/out")"
    done
done

# ---- runs that cannot be taken ----

# refused WORDS RUN...: exit status 2, no profile, and a message.
refused() {
    words=$1
    shift
    status 2 "$tool" profile derive "$@"
    ok "derive $*: it says why" grep -qE "$words" "$work/err"
    ok "derive $*: no profile is proposed" test ! -s "$work/out"
}

# Without records nothing can be proposed, also where nothing was refused.
"$tool" run -q --out "$work/no-records" --filter '^CAF-00[12]/' --no-records >"$work/out"
refused 'no-records/records: No such file or directory, expected the records' "$work/no-records"
cp -R "$work/flags1" "$work/cut"
truncate -s -300 "$work/cut/records"
refused 'cut/records: found records up to CAF-0.*, expected digest .* are lost, from CAF-0' "$work/cut"
# What only one of two implementations does is no profile of either.
"$tool" run -q --out "$work/other" --impl "$emulator" --role kernel --wddm 3.2 --filter '^UVA-00[1-6]' >"$work/out"
refused 'other/run.json: the run is of an implementation with name "emulator", expected "refuse-some"' "$work/flags1" "$work/other"
"$tool" run -q --out "$work/options" --impl "$plugins/refuse_some.so,what=unmap,emulator=$emulator" --role kernel --wddm 3.2 \
    --filter '^UVA-00[1-6]' >"$work/out"
refused 'options/run.json: .* with options "what=unmap,emulator.*expected "what=unmap,also' "$work/flags1" "$work/options"
# A kernel and a driver may come from different ones.
"$tool" run -q --out "$work/driver" --impl "$emulator" --role driver --wddm 3.2 --filter '^AIN-012/' >"$work/out"
ok "the kernel of one, the driver of another" "$tool" profile derive "$work/flags1" "$work/driver"

# ---- what a restriction does not excuse ----

# In a scenario a restricted call is refused; what the kernel does wrong besides remains a failure.
locks=$plugins/refuse_some.so,what=write-lock,emulator=$emulator
there='^HDR-035.*/scenario/wddm3_2/closed-while-in-aperture'
"$tool" run -q --impl "$locks" --role kernel --wddm 3.2 --filter '^UVA-00[1-6]|^HDR-035' --out "$work/locks" >"$work/out" 2>&1
"$tool" profile derive "$work/locks" >"$work/locks.xml" 2>"$work/err"
proposed locks 'on="KERNEL_LOCK" refuse="Write != 0"'
"$tool" run -q --impl "$locks" --role kernel --wddm 3.2 --filter "$there" --profile "$work/locks.xml" --out "$work/right" >"$work/out" 2>&1
grep -q '^fail' "$work/right/verdicts.txt" && bad "locks: $(cat "$work/right/verdicts.txt")" || good
"$tool" run -q --impl "$locks,fault=HDR-037.submitted" --role kernel --wddm 3.2 --filter "$there" --profile "$work/locks.xml" \
    --out "$work/wrong" >"$work/out" 2>&1
grep -q '^fail	.*the driver was asked DRIVER_PAGING, but never as expected' "$work/wrong/verdicts.txt" && good ||
    bad "locks: a restriction hides a breach: $(cat "$work/wrong/verdicts.txt")"

# ---- nothing ran ----

"$tool" run -q --impl "$plugins/wrong_abi.so" --suite smoke --out "$work/nothing" >"$work/out" 2>&1
status 3 "$tool" profile derive "$work/nothing"
ok "nothing is proposed from nothing" grep -q 'nothing/run.json: no case was run, expected .*: not run: the implementation could not be loaded' "$work/err"
ok "not even an empty profile" test ! -s "$work/out"

# ---- levels ----

# What is looked for again at one level alone is in the record, too: it is read with a profile, and
# one is proposed from it, whatever else was refused.
"$tool" run -q --impl "$plugins/flag_fault.so,what=echo,word=create,set=0x4,flips=0x10000000,emulator=$emulator" --role kernel \
    --wddm 3.2 --filter '^CAF-002/combination/wddm3_2/p16k/' --out "$work/levels" >"$work/out" 2>&1
ok "a case that fails at another level is read with a profile" "$tool" report --profile windows "$work/levels"

# ---- what shows a restriction ----

# A call that breaks something else is refused for that: it shows nothing.
cat >"$work/unshown.xml" <<'END'
<profile name="mine" title="Mine">
  <restriction id="P" on="D3DKMT_CREATEALLOCATION" refuse="Flags.StandardAllocation and not Flags.CreateShared" source="seen" confidence="T">Never.</restriction>
</profile>
END
"$tool" run -q --impl "$emulator,strict" --wddm 3.2 --filter '^CAF-031/refuse' --profile "$work/unshown.xml" --out "$work/unshown" >"$work/out" 2>&1
grep -q '"state": *"not shown"' "$work/unshown/run.json" && good || bad "a breach shows a restriction: $(tail -n 1 "$work/out")"
summary
