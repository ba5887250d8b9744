#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/slurm on a cluster of this machine alone, with a key, ports and folders of its own: arrays with
# other first indices, steps and gaps, an element that is requeued while it runs, one that is killed, one
# that reaches its time limit. Each time the merged run is the undivided one.
# Called by tests/extra.sh in the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
top=$PWD
export PATH="$build:$PATH" SLURM_CONF="$work/slurm.conf"
host=$(uname -n | cut -d . -f 1)
user=$(id -un)
# shellcheck disable=SC2046 # two ports that nobody has
set -- $(/usr/bin/python3 -c 'import socket
both = [socket.socket(), socket.socket()]
for one in both:
    one.bind(("127.0.0.1", 0))
    print(one.getsockname()[1])')
mkdir "$work/state" "$work/spool" "$work/here"
cat >"$SLURM_CONF" <<END
ClusterName=wcts
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
KillWait=20
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
# What slurmd would find out from systemd. It makes no group: it follows processes by their parents.
[ ! -d /sys/fs/cgroup/cpuset ] || printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$work/cgroup.conf"

# ---- the cluster ----
started=
stop_all() {
    for pid in $started; do
        kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
    done
}
cleanup() {
    scancel --user="$user" 2>/dev/null
    stop_all
    rm -rf "$work"
}
trap cleanup EXIT
trap "exit 1" INT TERM
# poll SECONDS COMMAND...: until the command succeeds.
poll() {
    tries=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.2
    done
}
dd if=/dev/urandom of="$work/key" bs=128 count=1 2>/dev/null
chmod 600 "$work/key"
# By force: its socket is in a folder that nobody else can enter.
munged --foreground --force --socket="$work/munge" --key-file="$work/key" --log-file="$work/munged.log" \
    --pid-file="$work/munged.pid" --seed-file="$work/seed" 2>"$work/munged.err" &
started=$!
ok "munge" poll 10 test -S "$work/munge"
slurmctld -D >"$work/slurmctld.log" 2>&1 &
started="$! $started"
slurmd -D >"$work/slurmd.log" 2>&1 &
started="$! $started"
if ! poll 30 sh -c 'sinfo -h -o %T | grep -q idle'; then
    bad "no cluster: $(tail -n 3 "$work/slurmd.log" "$work/slurmctld.log")"
    summary
    exit
fi
slurmd -V

# ---- jobs ----
cd "$work/here" || exit 1
# The first element that makes the 20th call hangs in it, and no other: the file says so.
impl=$plugins/misbehave.so,do=hang,nth=20,once=hung
filter='^CAF-00[1-3]/.*/wddm2_'
echo >hung
status 1 "$tool" run -q -j 1 --timeout 600 --impl "$impl" --filter "$filter" --out whole
rm hung
array() {
    submitted=$(sbatch --parsable --output="$work/here/%A-%a.txt" "$@" "$top/contrib/slurm/run.sbatch" "$impl" \
        -j 1 --timeout 600 --filter "$filter")
}
# merge DEPENDENCY: the job that merges the array; $merging.
merge() {
    merging=$(sbatch --parsable --output="$work/here/merge-%j.txt" --dependency="$1:$submitted" \
        "$top/contrib/slurm/merge.sbatch" "out/$submitted" -q)
}
ended() {
    running=$(squeue -h -j "$1") && [ -z "$running" ]
}
# exit_of JOB: what scontrol has as its exit status and signal.
exit_of() {
    scontrol -o show job "$1" | sed -n 's/.* ExitCode=\([0-9:]*\).*/\1/p'
}
# All elements but one have ended; $element is the index of the one that hangs.
one_is_left() {
    element=$(squeue -h -r -j "$submitted" -o %K)
    [ -s hung ] && [ -n "$element" ] && [ "$(echo "$element" | wc -l)" -eq 1 ]
}
# has FILE TEXT: the text is in the file, which is shown otherwise.
has() {
    grep -q -- "$2" "$1" || { cat "$1" && false; }
}
# Whoever came first has resumed the element: Slurm, which had it queued again, or the merge, which may start
# while the element waits.
resumed() {
    grep -c 'continues behind' "$submitted-$element.txt" "merge-$merging.txt" >counted
    sed -n 's/^\(.*\):1$/resumed in \1/p' counted >&3
    ok "$1: it was resumed, once" [ "$(grep -c ':1$' counted)" -eq 1 ]
}
exec 3>&1
# merge_ended STATUS: what the merge has written is shown if it has ended otherwise.
merge_ended() {
    [ "$(exit_of "$merging")" = "$1" ] || { exit_of "$merging" && cat "merge-$merging.txt" && false; }
}
# same NAME: what was merged is the undivided run.
same() {
    ok "$1: merged in the end" poll 60 ended "$merging"
    ok "$1: the merge has the status of the run" merge_ended 1:0
    ok "$1: it is the undivided run" /usr/bin/python3 -B "$top/tests/runs/same.py" whole "out/$submitted/run"
    ok "$1: its reports" test -s "out/$submitted/report.html"
    rm -f hung
}

# Requeued while it runs, as by preemption. Slurm has it wait two minutes, unless it is told otherwise.
array --array=5-9:2
merge afterany
ok "requeued: one hangs" poll 60 one_is_left
echo "the element is $element"
scontrol requeue "${submitted}_$element"
ok "requeued: it is queued again" poll 60 sh -c "squeue -h -r -j $submitted -o '%K %T' | grep -q '^$element PENDING'"
ok "requeued: it was stopped in order" has "$submitted-$element.txt" "^stopped after .*SIGTERM"
ok "requeued: the merge waits" [ "$(squeue -h -j "$merging" -o %T)" = PENDING ]
scontrol update jobid="${submitted}_$element" starttime=now
same requeued
resumed requeued
ok "requeued: its part" has "$submitted-$element.txt" \
    "SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_ID=$element"

# Killed, as for want of memory, and requeued by hand. Two at a time.
array --array=0-3%2
ok "killed: one hangs" poll 60 one_is_left
scancel --batch --signal=KILL "${submitted}_$element"
ok "killed: it has ended" poll 60 ended "$submitted"
ok "killed: by the signal" [ "$(exit_of "${submitted}_$element")" = 0:9 ]
merge afterok
ok "killed: nothing is merged of what has failed" [ "$(squeue -h -j "$merging" -o %T)" = PENDING ]
scancel "$merging"
echo "the element is $element"
scontrol requeue "${submitted}_$element"
scontrol update jobid="${submitted}_$element" starttime=now
merge afterany
same killed
resumed killed

# Stopped as by its time limit: nobody queues it again, so that the merge resumes it.
array --array=1-2
merge afterany
ok "stopped: one hangs" poll 60 one_is_left
scancel --batch --signal=TERM "${submitted}_$element"
ok "stopped: it has ended" poll 60 ended "$submitted"
ok "stopped: incomplete" [ "$(exit_of "${submitted}_$element")" = 3:0 ]
same stopped
ok "stopped: the merge resumed it" has "merge-$merging.txt" 'continues behind'

# An array with a gap is none that can be merged: each element refuses it.
array --array=1,2,4
ok "a gap: ended" poll 60 ended "$submitted"
for element in 1 2 4; do
    ok "a gap: element $element refuses" [ "$(exit_of "${submitted}_$element")" = 2:0 ]
done
ok "a gap: it says why" has "$submitted-4.txt" 'an array without gaps'
cd "$top" || exit 1
summary
