# SPDX-License-Identifier: MIT
# Parts of a run: disjoint, complete, balanced, the same everywhere; and which part an engine says it is.
. tests/common.sh
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
for name in $(env | sed -n 's/^\(TEST_SHARD[A-Z_]*\|TEST_TOTAL_SHARDS\|SLURM_[A-Z_]*\|PARALLEL_[A-Z]*\|JOB_COMPLETION_INDEX\|CI_NODE_[A-Z]*\|SYSTEM_[A-Z]*INPHASE\|BUILDKITE[A-Z_]*\|CIRCLE[A-Z_]*\|GITLAB_CI\|TF_BUILD\|BAZEL_TEST\)=.*/\1/p'); do
    unset "$name"
done
some='--filter ^CAF-00'
"$tool" list $some >"$work/all"
sort "$work/all" >"$work/sorted"

# parts N OPTION...: each case is in exactly one of the parts, which are in plan order.
parts() {
    count=$1
    shift
    rm -f "$work"/part.*
    for part in $(seq "$count"); do
        "$tool" list $some --shard "$part/$count" "$@" >"$work/part.$part"
    done
    sort "$work"/part.* | cmp - "$work/sorted" || return 1
    for part in $(seq "$count"); do
        grep -nxFf "$work/part.$part" "$work/all" | cut -d: -f2- | cmp - "$work/part.$part" || return 1
    done
}
ok "three parts" parts 3
ok "none is larger by more than a case" sh -c "wc -l $work/part.* | awk '\$2 != \"total\" {if (!n || \$1 < n) n = \$1; if (\$1 > m) m = \$1} END {exit m - n > 1}'"
ok "seven" parts 7
"$tool" list $some --shard 8/10 >"$work/eight"
# Numbers that a script fills up with zeros are decimal all the same.
ok "part 08 of 010" sh -c "'$tool' list $some --shard 08/010 | cmp - '$work/eight'"

# By duration: one case takes as long as all others together.
awk 'NR == 1 {printf "{\"id\": \"%s\", \"verdict\": \"pass\", \"reason\": \"\", \"seconds\": 10}\n", $0; next}
     NR < 1001 {printf "{\"id\": \"%s\", \"verdict\": \"pass\", \"reason\": \"\", \"seconds\": 0.01}\n", $0}' \
    "$work/all" >"$work/times.jsonl"
ok "by duration" parts 2 --durations "$work/times.jsonl"
ok "the case that takes long is alone with few others" \
    [ "$(wc -l <"$work/part.1")" -gt "$(($(wc -l <"$work/all") / 4))" ]
head -n 1 "$work/all" >"$work/long"
ok "as many seconds in both" sh -c "grep -qxFf '$work/long' '$work/part.1' && [ \$(wc -l <'$work/part.1') -lt \$(wc -l <'$work/part.2') ]"
status 2 "$tool" list $some --shard 1/2 --durations "$work/nowhere"
ok "no durations" grep -q -- '--durations .*/nowhere: ' "$work/err"
echo x >"$work/wrong.jsonl"
status 2 "$tool" list $some --shard 1/2 --durations "$work/wrong.jsonl"

# The part is one of the cases of --max-cases, not so many of a part.
"$tool" list --max-cases 600 | sort >"$work/worth"
for part in 1 2; do "$tool" list --max-cases 600 --shard $part/2; done | sort >"$work/worths"
ok "of the cases that are worth most" cmp "$work/worth" "$work/worths"

# ---- engines: variables, and the part, or what is wrong ----
while IFS='|' read -r option variables expected; do
    # shellcheck disable=SC2086 # words
    env $variables "$tool" list --filter '^CAF-001/' $option >"$work/out" 2>"$work/err"
    ok "$option with $variables: $expected" grep -q -- "$expected" "$work/err"
done <<'END'
--shard auto|TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=3|shard 1 of 3: Bazel: TEST_TOTAL_SHARDS=3 TEST_SHARD_INDEX=0
--shard auto|TEST_SHARD_INDEX=2 TEST_TOTAL_SHARDS=3|shard 3 of 3: Bazel
--shard auto|TEST_SHARD_INDEX=3 TEST_TOTAL_SHARDS=3|TEST_SHARD_INDEX=3, expected one of 3 from 0
--shard auto|TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=0|TEST_TOTAL_SHARDS=0, expected a number from 1
--shard auto|TEST_SHARD_INDEX=0|TEST_TOTAL_SHARDS is not set, expected a number
--shard auto|TEST_SHARD_INDEX=-1 TEST_TOTAL_SHARDS=3|TEST_SHARD_INDEX=-1, expected a number
--shard auto|TEST_SHARD_INDEX=1x TEST_TOTAL_SHARDS=3|TEST_SHARD_INDEX=1x, expected a number
--shard auto|TEST_SHARD_INDEX=99999999999999999999 TEST_TOTAL_SHARDS=3|TEST_SHARD_INDEX=9*, expected a number
--shard auto|TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=2000000|TEST_TOTAL_SHARDS=2000000, expected a number from 1 to 1000000
--shard auto|BAZEL_TEST=1|shard 1 of 1: Bazel: TEST_SHARD_INDEX is not set
--shard auto|SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3|shard 2 of 3: Slurm
--shard auto|SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3|shard 3 of 3: Slurm
--shard auto|SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=4|shard 3 of 4: Slurm
--shard auto|SLURM_ARRAY_TASK_ID=6 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_ID=6, expected one of those from 5 to 9 in steps of 2
--shard auto|SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_ID=4, expected 5 or more
--shard auto|SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_COUNT=3, expected 7, those from 1 to 7 in steps of 1: an array
--shard auto|SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=0 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_STEP=0, expected 1 or more
--shard auto|SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_MAX=3, expected the last index
--shard auto|SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3|SLURM_ARRAY_TASK_MIN is not set, expected a number
--shard auto|PARALLEL_SEQ=3|PARALLEL_SEQ=3, expected --shard auto/N: GNU parallel has no variable for the number of parts
--shard auto/4|PARALLEL_SEQ=3|shard 3 of 4: GNU parallel: PARALLEL_SEQ=3
--shard auto/4|PARALLEL_SEQ=0|PARALLEL_SEQ=0, expected 1 or more
--shard auto/2|PARALLEL_SEQ=3|PARALLEL_SEQ=3, expected one of 2 from 1
--shard auto|JOB_COMPLETION_INDEX=3|expected --shard auto/N: Kubernetes has no variable
--shard auto/4|JOB_COMPLETION_INDEX=3|shard 4 of 4: Kubernetes: JOB_COMPLETION_INDEX=3
--shard auto|CI_NODE_INDEX=2 CI_NODE_TOTAL=4|shard 2 of 4: GitLab
--shard auto|CI_NODE_INDEX=0 CI_NODE_TOTAL=4|CI_NODE_INDEX=0, expected 1 or more
--shard auto|CI_NODE_TOTAL=1 GITLAB_CI=true|shard 1 of 1: GitLab: CI_NODE_INDEX is not set
--shard auto|CI_NODE_TOTAL=4 GITLAB_CI=true|CI_NODE_INDEX is not set, expected a number, as CI_NODE_TOTAL is 4
--shard auto|SYSTEM_JOBPOSITIONINPHASE=1 SYSTEM_TOTALJOBSINPHASE=2|shard 1 of 2: Azure Pipelines
--shard auto|BUILDKITE_PARALLEL_JOB=1 BUILDKITE_PARALLEL_JOB_COUNT=2|shard 2 of 2: Buildkite
--shard auto|CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=2|shard 1 of 2: CircleCI
--shard auto/3|CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=2|CIRCLE_NODE_TOTAL=2, expected 3 as in --shard auto/3
--shard auto|CI_NODE_INDEX=2 CI_NODE_TOTAL=4 TEST_SHARD_INDEX=2 TEST_TOTAL_SHARDS=4|(Bazel) is part 3 of 4, and .*(GitLab) is part 2 of 4, expected one of them
--shard auto|CI_NODE_INDEX=2 CI_NODE_TOTAL=4 TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=4|shard 2 of 4: Bazel
--shard auto|CI_NODE_INDEX=|no engine has said which part this is, expected one of the variables TEST_SHARD_INDEX (Bazel)
--shard auto/0|CI_NODE_INDEX=1|--shard auto/0: expected K/N with 1 <= K <= N, auto or auto/N
--shard auto/|CI_NODE_INDEX=1|expected K/N with 1 <= K <= N, auto or auto/N
--shard auto/4|GITLAB_CI=true|CI_NODE_INDEX is not set, expected a number, as --shard auto/N was given
--shard auto/4|CI_NODE_TOTAL=4|no engine has said which part this is
--shard auto --shard 1/2|CI_NODE_INDEX=1 CI_NODE_TOTAL=2|--shard 1/2: expected one --shard, auto or K/N
--shard 1/2 --shard auto|CI_NODE_INDEX=1 CI_NODE_TOTAL=2|--shard auto: expected one --shard, auto or K/N
--shard-env NUMBER/5|NUMBER=4|shard 5 of 5: NUMBER=4
--shard-env NUMBER:1/5|NUMBER=4|shard 4 of 5: NUMBER=4
--shard-env NUMBER:1/COUNT|NUMBER=4 COUNT=6|shard 4 of 6: COUNT=6 NUMBER=4
--shard-env NUMBER:1/COUNT|NUMBER=4|COUNT is not set, expected a number
--shard-env NUMBER:1/5|NUMBER=6|NUMBER=6, expected one of 5 from 1
--shard-env NUMBER:7/5|NUMBER=6|NUMBER=6, expected 7 or more
--shard-env NUMBER/0|NUMBER=0|--shard-env NUMBER/0: expected NAME\[:BASE\]/TOTAL with a TOTAL from 1 to 1000000
--shard-env NUMBER|NUMBER=0|--shard-env NUMBER: expected NAME\[:BASE\]/TOTAL
--shard-env NUMBER:/3|NUMBER=0|expected NAME\[:BASE\]/TOTAL
--shard-env NUMBER/3x|NUMBER=0|expected NAME\[:BASE\]/TOTAL
--shard-env NUMBER/3 --shard 1/3|NUMBER=0|found --shard-env and --shard, expected one of them
--shard-env NUMBER/3 --shard 1/1|NUMBER=0|found --shard-env and --shard, expected one of them
--durations x||--durations balances parts, expected --shard or --shard-env, too
END

status 0 env NUMBER=1 "$tool" list --shard-env NUMBER/2 --filter '^CAF-001/refuse/'
ok "a part of the list" [ -s "$work/out" ]

# ---- Bazel's files ----
mkdir "$work/outputs"
bazel="TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2 XML_OUTPUT_FILE=$work/test.xml TEST_UNDECLARED_OUTPUTS_DIR=$work/outputs
    TEST_SHARD_STATUS_FILE=$work/status TEST_PREMATURE_EXIT_FILE=$work/premature TESTBRIDGE_TEST_ONLY=^CAF-001/
    TEST_INFRASTRUCTURE_FAILURE_FILE=$work/infrastructure"
# shellcheck disable=SC2086 # words
status 0 env $bazel "$tool" run --shard auto -q
ok "it knows parts" [ -f "$work/status" ]
ok "JUnit is where Bazel looks" grep -q 'shard 2 of 2' "$work/test.xml"
ok "and nothing else than the filter says" sh -c "! grep -q 'CAF-002' '$work/test.xml'"
ok "the run directory, too" [ -s "$work/outputs/run/journal.jsonl" ]
ok "it has ended" [ ! -e "$work/premature" ]
ok "and was no trouble" [ ! -e "$work/infrastructure" ]
ok "the filter is an option of the run" grep -q '"--filter=^CAF-001/"' "$work/outputs/run/run.json"
# shellcheck disable=SC2086 # words
status 0 env $bazel TEST_SHARD_INDEX=0 "$tool" run --shard auto -q --out "$work/bazel-1"
# shellcheck disable=SC2086 # words
status 0 env $bazel TEST_SHARD_INDEX=0 TESTBRIDGE_TEST_ONLY= "$tool" run --shard auto -q --filter '^CAF-001/refuse' --out "$work/bazel-other"
status 0 "$tool" merge "$work/bazel-1" "$work/outputs/run" -q --out "$work/bazel"
status 2 "$tool" merge "$work/bazel-other" "$work/outputs/run" -q --out "$work/bazel-wrong"
ok "which all parts have" grep -q 'found --filter=^CAF-001/, expected --filter=^CAF-001/refuse' "$work/err"
# shellcheck disable=SC2046 # 65 filters
status 2 env TESTBRIDGE_TEST_ONLY=x TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=1 "$tool" run --shard auto -q $(seq -f '--filter=%g' 64)
ok "one filter too many" grep -q 'TESTBRIDGE_TEST_ONLY=x: expected at most 64 filters' "$work/err"
# shellcheck disable=SC2086 # words
status 2 env $bazel "$tool" run --shard auto -q --impl "$plugins/wrong_abi.so"
ok "what cannot be loaded is said in two lines" [ "$(wc -l <"$work/infrastructure")" -eq 2 ]
status 0 env PART=2 "$tool" run --filter '^CAF-001/' --shard-env PART/3 -q --out "$work/third"
ok "the run has the part" grep -q '"--shard=3/3"' "$work/third/run.json"
status 0 "$tool" run --filter '^CAF-001/' --shard 1/2 --durations "$work/third" -q --out "$work/half"
status 0 "$tool" run --filter '^CAF-001/' --shard 2/2 --durations "$work/third/journal.jsonl" -q --out "$work/half-2"
status 0 "$tool" merge "$work/half" "$work/half-2" -q --out "$work/halves"
status 3 "$tool" verify "$work/half"
ok "a part may have more than its share by number" grep -q 'ok  *shard  *part 1 of 2' "$work/out"
"$tool" faults --shard-env PART/1 >"$work/out" 2>"$work/err"
ok "faults, too" grep -q 'PART is not set' "$work/err"
summary
