# SPDX-License-Identifier: MIT
# The files of contrib/ that spread a run over machines: each is run as far as it can be without its
# engine, and GNU parallel's with it where it is installed.
. tests/common.sh
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
export PATH="$build:$PATH"
top=$PWD
some='--filter ^CAF-00[1-3]/.*/wddm2_'
mkdir "$work/here"
cd "$work/here" || exit 1
plugin=$plugins/accept_all.so
# shellcheck disable=SC2086 # words
"$tool" run -q --impl "$plugin" $some --out whole >/dev/null
same="/usr/bin/python3 -B $top/tests/runs/same.py whole"

# ---- Slurm: an array 5-9:2, one task of which is stopped and queued again ----
for task in 5 7 9; do
    export SLURM_ARRAY_JOB_ID=77 SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 \
        SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3
    # shellcheck disable=SC2086 # words
    status 1 sh "$top/contrib/slurm/run.sbatch" "$plugin" -q $some
done
status 1 sh "$top/contrib/slurm/run.sbatch" "$plugin"
ok "Slurm: a task that is started again has nothing left to do" grep -q 'nothing is left to run' "$work/err"
unset SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP \
    SLURM_ARRAY_TASK_COUNT
status 1 sh "$top/contrib/slurm/merge.sbatch" out/77 -q
# shellcheck disable=SC2086 # words
ok "Slurm: the tasks are the run" $same out/77/run
ok "Slurm: its reports" test -s out/77/report.html

# ---- GNU parallel: its jobs, and parallel itself ----
for job in 1 2 3; do
    # shellcheck disable=SC2086 # words
    PARALLEL_SEQ=$job status 0 sh "$top/contrib/parallel/run.sh" --part 3 jobs "$plugin" $some
done
status 1 "$tool" merge jobs/part-1 jobs/part-2 jobs/part-3 --out jobs/run -q
# shellcheck disable=SC2086 # words
ok "GNU parallel: the jobs are the run" $same jobs/run
if parallel --version 2>/dev/null | grep -q GNU; then
    # shellcheck disable=SC2086 # words
    status 1 sh "$top/contrib/parallel/run.sh" 3 parallel "$plugin" $some
    # shellcheck disable=SC2086 # words
    ok "GNU parallel itself" $same parallel/run
    # shellcheck disable=SC2086 # words
    status 1 sh "$top/contrib/parallel/run.sh" 3 parallel "$plugin" $some
else
    echo "GNU parallel is not installed: its jobs were run one by one"
fi

# ---- Kubernetes: the command of each pod ----
sed -n '/^            - |$/,/^          volumeMounts:/p' "$top/contrib/k8s/job.yaml" |
    sed -e '1d;$d' -e 's/^ *//' -e "s#/results#results#g" -e "s#/plugin/mine.so#$plugin#; s#auto/8#auto/2 $some#" >pod.sh
ok "Kubernetes: the pod has a command" grep -q 'run --resume' pod.sh
mkdir results
for pod in 0 1; do
    JOB_COMPLETION_INDEX=$pod status 1 sh pod.sh
done
JOB_COMPLETION_INDEX=1 status 1 sh pod.sh
ok "Kubernetes: a pod that is started again" grep -q 'nothing is left to run' "$work/err"
status 1 "$tool" merge results/part-0 results/part-1 --out results/run -q
# shellcheck disable=SC2086 # words
ok "Kubernetes: the pods are the run" $same results/run
ok "Kubernetes: as many parts as completions" sh -c \
    "grep -q \"auto/\$(sed -n 's/^  completions: //p' '$top/contrib/k8s/job.yaml') \" '$top/contrib/k8s/job.yaml'"

# ---- Bazel: its language is a part of Python's ----
ok "Bazel: the rule is well formed" /usr/bin/python3 -B -c \
    "import ast, sys; ast.parse(open(sys.argv[1]).read())" "$top/contrib/bazel/wddm_cts.bzl"
cd "$top" || exit 1
summary
