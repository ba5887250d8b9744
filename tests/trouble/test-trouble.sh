# SPDX-License-Identifier: MIT
# The suite's own trouble - too few files, processes or bytes of memory, signals that a parent
# ignores - ends a run with status 3 or breaks cases. It is never blamed on the implementation.
. tests/common.sh
# A sanitizer looks for leaks with a process of its own.
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
# One worker whose death nobody looks at does, where it is not said how many; two versions have calls enough.
alone='-j 1 --no-backtrace'
filter='^CAF-00[0-3]/.*/wddm2_[01]'
crash="$plugins/misbehave.so,do=crash,nth=5,once=$work/once"

# blames_nobody RUN: no verdict of the run is one against the implementation.
blames_nobody() {
    ! grep -E '^(fail|crash|timeout)	' "$1/verdicts.txt"
}

# ---- files ----
status 3 sh -c "ulimit -n 50; exec '$tool' run --filter '$filter' --out '$work/files'"
ok "too few files are named" grep -q 'at most 50 files may be open, expected [0-9]* or more: see ulimit -n' \
    "$work/out" "$work/err"
status 0 sh -c "ulimit -S -n 50; exec '$tool' run -q --filter '$filter' --out '$work/soft'"
status 0 sh -c "ulimit -S -n 220; exec '$tool' run -q -j 64 --filter '^CAF-00[0-3]/' --out '$work/many'"

# ---- signals ----
status 1 sh -c "trap '' CHLD; exec '$tool' run --impl '$crash' $alone --filter '$filter' --out '$work/ignored'"
ok "how a worker ended is seen where SIGCHLD is ignored" \
    grep -q '^crash	.*	killed by SIGSEGV' "$work/ignored/verdicts.txt"

# ---- memory ----
# In kilobytes: from where not even the libraries load to plenty. A sanitizer takes more
# addresses than that.
case $build in *address*) sizes= ;; *) sizes="20000 46000 48000 50000 51000 52000 53000 54000 60000 1000000" ;; esac
for size in $sizes; do
    (
        ulimit -v $size
        exec "$tool" run -q -j 2 --filter "$filter" --out "$work/memory$size"
    ) >"$work/out" 2>"$work/err"
    got=$?
    ok "the run ends, and finds no failure, in $size KB: $got" test $got -ne 1 -a $got -lt 128
    [ ! -e "$work/memory$size/verdicts.txt" ] ||
        ok "nobody is blamed in $size KB" blames_nobody "$work/memory$size"
done

# ---- any one call that fails, in the runner or in its workers ----
# denied IN FUNCTION N...: where its N-th call fails the run stops, and blames nobody.
denied() {
    in=$1 function=$2
    shift 2
    for nth; do
        rm -rf "$work/denied" "$work/note"
        LD_PRELOAD=$work/deny.so DENY_IN=$in DENY=$function DENY_NTH=$nth DENY_NOTE=$work/note \
            "$tool" run -q -j 2 --filter '^CAF-003/' --out "$work/denied" >"$work/out" 2>"$work/err"
        got=$?
        ok "call $nth of $function was made in a $in" [ -e "$work/note" ]
        ok "where it fails the status is $got: $(tail -n 1 "$work/out")" [ $got -eq 3 -o $got -eq 0 ]
        ok "and it is no verdict" blames_nobody "$work/denied"
    done
}
case $build in
*address*) ;;
*)
    ok "a library that denies" "${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -o "$work/deny.so" tests/trouble/deny.c -ldl
    denied runner mmap 3
    denied runner socketpair 2
    denied runner fork 1
    denied runner pidfd_open 1
    denied runner signalfd 2
    denied runner recv 1
    denied runner send 2
    denied worker mmap 1
    denied worker mprotect 1
    denied worker dup2 1
    denied worker recv 1
    denied worker sendmsg 1 4
    ;;
esac

# ---- a disk that is full ----
mkdir "$work/disk"
for size in 16k 1200k; do
    unshare -rm mount -t tmpfs -o size=$size none "$work/disk" 2>/dev/null || break
    unshare -rm sh -c 'mount -t tmpfs -o "size=$1" none "$2" || exit 99
        "$3" run --filter "^CAF-0[0-3]" --out "$2/run" --junit "$2/junit.xml" >"$4/out" 2>"$4/err"
        echo $? >"$4/got"
        grep -E "^(fail|crash|timeout)	" "$2/run/verdicts.txt" >"$4/blamed"
        grep -q "conform\|no failure" "$2/junit.xml" "$2/run/run.json" 2>/dev/null && exit 1
        mount -o remount,size=64m "$2" && "$3" run -q --resume "$2/run" >"$4/resumed" 2>&1
        "$3" verify "$2/run" >"$4/verified" 2>&1
        exit 0' sh $size "$work/disk" "$tool" "$work"
    ok "no report of a disk of $size concludes" [ $? -eq 0 ]
    ok "its status is $(cat "$work/got")" [ "$(cat "$work/got")" -eq 3 ]
    ok "and nobody is blamed" [ ! -s "$work/blamed" ]
    ok "but the disk" grep -q 'No space left on device' "$work/err"
done
# What was half written is no result: with more room the run goes on behind the last whole one.
if [ -e "$work/resumed" ]; then
    ok "the last one went on" grep -q 'continues behind [0-9]* stored cases' "$work/resumed"
    ok "and each case has its record" sh -c "grep -q '^  ok .*judged again' '$work/verified' && ! grep -q '^  NOT ok' '$work/verified'"
fi

# ---- a plug-in that is not there ----
status 0 "$tool" run -q --filter '^CAF-003/refuse/wddm1_2' --out "$work/gone" --junit "$work/gone.xml"
status 2 "$tool" run -q --impl "$work/nosuch.so" --out "$work/gone" --junit "$work/gone.xml"
ok "the last line" grep -q '^not run: the implementation could not be loaded: .*nosuch.so.*No such file' "$work/out"
ok "no report of an earlier run is left" sh -c "grep -q 'could not be loaded' '$work/gone.xml' && ! grep -q 'no failure' '$work/gone.xml' '$work/gone/run.json'"

# ---- the plug-in's memory ----
eats="$plugins/misbehave.so,do=eat,nth=5,once=$work/eaten"
case $build in
*address*) ;;
*)
    status 1 "$tool" run --impl "$eats-1" $alone --memory-limit 64M --filter "$filter" --out "$work/bounded"
    ok "the command that reproduces it has the limit" grep -q 'reproduce: .* --memory-limit 64M' "$work/out"
    ok "a plug-in gets no more memory than --memory-limit" \
        grep -q '^crash	.*	killed by SIGABRT' "$work/bounded/verdicts.txt"
    "$tool" run --impl "$eats-2" $alone --memory-limit 2G --filter "$filter" --out "$work/roomy" >"$work/out"
    ok "and less does it no harm" sh -c "! grep -q '^crash' '$work/roomy/verdicts.txt'"
    ;;
esac
status 2 "$tool" run --memory-limit 64X
ok "what a limit is" grep -q 'expected SIZE\[K|M|G\], from 1M to 1024G' "$work/err"
status 1 "$tool" run --impl "$plugins/misbehave.so,do=score,nth=5,once=$work/score" $alone --filter "$filter" \
    --out "$work/scored"
ok "a worker is the first to be killed when memory is short" \
    grep -q 'oom score 1000' "$work/scored/output/worker-0.txt"

# ---- beyond the room for replies ----
status 1 "$tool" run --impl "$plugins/misbehave.so,do=write-beyond,nth=5,once=$work/beyond" $alone --filter "$filter" \
    --out "$work/behind"
grep '^crash	' "$work/behind/verdicts.txt" >"$work/crashes"
ok "one byte beyond the room costs its own case" test "$(wc -l <"$work/crashes")" -eq 1
ok "and is named with the operation" \
    grep -q '	went beyond the reply room of 16384 bytes in KERNEL_ALLOCATION_CREATE$' "$work/crashes"
status 1 "$tool" run --impl "$plugins/beyond_driver.so,emulator=$build/emulator.so" $alone \
    --filter '^PAT-00' --out "$work/driver"
ok "that of a driver, too, where a kernel asks it" \
    grep -q '^crash	.*	went beyond the reply room of [0-9]* bytes in DRIVER_ALLOCATION_CREATE$' "$work/driver/verdicts.txt"
status 1 "$tool" run --impl "$plugins/long_data.so,emulator=$build/emulator.so" $alone \
    --filter '^CAF-048' --out "$work/long"
ok "a length that no array has is one, too" grep -q '^crash	.*	protocol: DRIVER_STANDARD_ALLOCATION: .*[.]pAllocationPrivateDriverData leads out of the message: offset 0x18, AllocationPrivateDriverDataSize 48, 1 bytes each, in 48 bytes$' "$work/long/verdicts.txt"
"$tool" run --impl "$plugins/misbehave.so,do=read-data" $alone --filter "$filter" --out "$work/read" >"$work/out" 2>&1
ok "an offset in a request to read is nobody's" test "$(grep -c '^crash' "$work/read/verdicts.txt")" -eq 0

# ---- around the request ----
for where in "behind-request beyond" "below-request below" "far-below-request below"; do
    status 1 "$tool" run --impl "$plugins/misbehave.so,do=${where% *},nth=5,once=$work/${where% *}" $alone \
        --filter "$filter" --out "$work/around"
    grep '^crash	' "$work/around/verdicts.txt" >"$work/crashes"
    ok "one byte ${where#* } the request costs its own case" test "$(wc -l <"$work/crashes")" -eq 1
    ok "and is named with the operation" \
        grep -q "	went ${where#* } the request of [0-9]* bytes in KERNEL_ALLOCATION_CREATE\$" "$work/crashes"
done

# ---- processes that a plug-in leaves behind ----
status 1 "$tool" run -q --impl "$plugins/misbehave.so,do=daemons,nth=5,once=$work/daemons" $alone --filter "$filter" \
    --out "$work/left" --junit "$work/left.xml" --html "$work/left.html" --markdown "$work/left.md"
ok "two generations are named, once" test "$(grep -c 'left 2 processes behind: wddm-cts, wddm-cts; ended$' "$work/err")" -eq 1
ok "in JUnit" grep -q '<property name="processes.left" value="2: wddm-cts, wddm-cts"/>' "$work/left.xml"
ok "in HTML" grep -q '<b>2 processes</b>' "$work/left.html"
ok "in Markdown" grep -q 'Processes left behind, ended with the run: 2: wddm-cts, wddm-cts' "$work/left.md"
ok "in run.json" grep -q '"names": "wddm-cts, wddm-cts"' "$work/left/run.json"
"$tool" report "$work/left" --xml "$work/left.results" >"$work/out"
ok "in the result XML, which is valid" xmllint --noout --relaxng reports/results.rng "$work/left.results"
"$tool" report "$work/left" >"$work/out"
ok "in the summary" grep -qx '  left behind      2 processes, ended with the run: wddm-cts, wddm-cts' "$work/out"
"$tool" report "$work/left" --tap >"$work/out"
ok "in TAP" grep -qx '# left behind: 2: wddm-cts, wddm-cts' "$work/out"
pids=$(sed -n 's/^left \([0-9]*\)\.$/\1/p' "$work/left/output/worker-0.txt")
ok "both said who they are" test "$(echo "$pids" | wc -w)" -eq 2
for pid in $pids; do
    ok "none is left" sh -c "! kill -0 $pid"
done

# ---- a worker that somebody ends is no verdict, one that ends again is ----
# The plug-in accepts all, so there are other failures.
for jobs in 1 2; do
    status 1 "$tool" run --impl "$plugins/misbehave.so,do=kill,nth=5,once=$work/killed$jobs" -j $jobs --no-backtrace \
        --filter "$filter" --out "$work/killed"
    ok "SIGKILL once is no crash" test "$(grep -c '^crash' "$work/killed/verdicts.txt")" -eq 0
done
status 1 "$tool" run --impl "$plugins/misbehave.so,do=kill" $alone --filter "$filter" --out "$work/killed"
ok "SIGKILL each time is one" grep -q '^crash.*killed by SIGKILL in KERNEL_ALLOCATION_CREATE$' "$work/killed/verdicts.txt"

# ---- enough failures ----
for jobs in 1 2; do
    status 1 "$tool" run --impl "$plugins/accept_all.so" -j $jobs --max-failures 3 --filter '^CAF' \
        --out "$work/three$jobs" --junit "$work/three$jobs.xml"
    ok "the run stops at 3 failures" test "$(grep -c '^fail' "$work/three$jobs/verdicts.txt")" -eq 3
    ok "and says why" grep -q 'cases: --max-failures 3$' "$work/out"
done
ok "at the same case with any number of workers" cmp "$work/three1/verdicts.txt" "$work/three2/verdicts.txt"
status 0 "$tool" report "$work/three1" --junit "$work/again.xml" --html "$work/again.html"
ok "--max-failures is in JUnit" grep -q 'cases: --max-failures 3' "$work/three1.xml" "$work/again.xml"
ok "a run that was cut short is read again with its status" grep -q '"exit_code": 1' "$work/three1/run.json"
status 1 "$tool" run --impl "$plugins/accept_all.so" -q --fail-fast --filter '^CAF' --out "$work/one"
ok "--fail-fast is one failure" test "$(grep -c '^fail' "$work/one/verdicts.txt")" -eq 1
status 0 "$tool" run -q --fail-fast --filter "$filter" --out "$work/none"

# ---- processes: root has no limit, so this is somebody else ----
if [ "$(id -u)" -eq 0 ]; then
    chmod 777 "$work"
    status 3 setpriv --reuid 65534 --regid 65534 --clear-groups \
        prlimit --nproc=1 "$tool" run --filter "$filter" --out "$work/processes"
    ok "it is said what cannot be started" \
        grep -q 'cannot start a worker: Resource temporarily unavailable' "$work/out" "$work/err"
    mkdir -m 777 "$work/reach"
    status 1 setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$tool" run --impl "$plugins/misbehave.so,do=reach,nth=5" $alone --filter "$filter" --out "$work/reach/run"
    ok "a plug-in cannot reach into the runner" \
        grep -q 'memory of the runner: denied' "$work/reach/run/output/worker-0.txt"
fi
summary
