#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/bazel in a workspace that has nothing but the rule and an installed tool, without network: parts
# side by side, what a test and Bazel leave for each other, a filter, and one run of the parts.
# Called by tests/extra.sh in the source directory; WCTS_BUILD is the build directory.
cd "$(dirname "$0")/../.." || exit 1
. tests/common.sh
top=$PWD
workspace=$work/workspace
mkdir -p "$workspace/contrib/bazel" "$workspace/third_party" "$work/coverage"
status 0 make -s install DESTDIR="$workspace/third_party" PREFIX=/wddm_cts
cp contrib/bazel/wddm_cts.bzl "$workspace/contrib/bazel/"
cp "$plugins/accept_all.so" "$plugins/wrong_abi.so" "$plugins/misbehave.so" "$workspace/"
# The package of the tool, as the README has it.
sed -n '/^# third_party/,/^```/{/^```/d;p}' contrib/bazel/README.md >"$workspace/third_party/wddm_cts/BUILD"
: >"$workspace/WORKSPACE" >"$workspace/contrib/bazel/BUILD" >"$work/coverage/WORKSPACE"
# What Bazel fetches for each test, though nothing measures coverage.
for name in coverage_report_generator lcov_merger Main; do
    echo "filegroup(name = \"$name\", visibility = [\"//visibility:public\"])"
done >"$work/coverage/BUILD"
# target NAME PLUGIN WORD...: a test in BUILD, in three parts.
target() {
    name=$1 plugin=$2
    shift 2
    cat <<END
wddm_cts_test(
    name = "$name",
    tool = "//third_party/wddm_cts:bin/wddm-cts",
    plugin = "${plugin%%,*}",
    options = "${plugin#"${plugin%%,*}"}",
    words = [$(printf '"%s", ' "$@")],
    data = ["//third_party/wddm_cts:data"],
    shard_count = 3,
)
END
}
some='^CAF-00[1-3]/.*/wddm2_'
{
    echo 'load("//contrib/bazel:wddm_cts.bzl", "wddm_cts_test")'
    target broken accept_all.so --filter "$some"
    target lenient accept_all.so --filter "$some" --level binding
    target unloadable wrong_abi.so --filter "$some"
    target hangs misbehave.so,do=hang --filter "$some" -j 1 --timeout 600
    target good third_party/wddm_cts/lib/wddm-cts/emulator.so --filter "$some" | sed 's|"third_party/wddm_cts/|"//third_party/wddm_cts:|'
} >"$workspace/BUILD"

cd "$workspace" || exit 1
cleanup() {
    bazel --output_user_root="$work/root" shutdown >/dev/null 2>&1
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap cleanup EXIT
trap "exit 1" INT TERM
# test_of STATUS TARGET OPTION...
test_of() {
    expected=$1 name=$2
    shift 2
    status "$expected" bazel --output_user_root="$work/root" --max_idle_secs=120 test --spawn_strategy=local \
        --override_repository=remote_coverage_tools="$work/coverage" --experimental_repository_disable_download \
        --java_runtime_version=local_jdk --color=no --curses=no --jobs=3 "$@" "//:$name"
    logs=bazel-testlogs/$name
}
# parts FILE: each of the three has it.
parts() {
    [ -e "$logs/shard_1_of_3/$1" ] && [ -e "$logs/shard_2_of_3/$1" ] && [ -e "$logs/shard_3_of_3/$1" ]
}
# merged NAME OPTION...: the parts are the undivided run with the options.
merged() {
    name=$1
    shift
    "$tool" run -q --impl ./accept_all.so "$@" --out "$work/$name-whole" >/dev/null
    status 1 "$tool" merge "$logs"/shard_*_of_3/test.outputs/run -q --out "$work/$name"
    ok "$name: the parts are the run" /usr/bin/python3 -B "$top/tests/runs/same.py" "$work/$name-whole" "$work/$name"
}

# 3: it was built, and tests have failed.
test_of 3 broken
bazel --output_user_root="$work/root" version 2>/dev/null | grep '^Build label'
ok "parts are known" parts test.shard
ok "the test's log" grep -q '^does not conform' "$logs/shard_1_of_3/test.log"
for part in 1 2 3; do
    ok "JUnit of part $part" grep -q "shard $part of 3" "$logs/shard_${part}_of_3/test.xml"
    ok "it is well formed" xmllint --noout "$logs/shard_${part}_of_3/test.xml"
done
ok "they ended in order" sh -c "! ls $logs/*/test.exited_prematurely"
ok "nothing was wrong with the machine" sh -c "! ls $logs/*/test.infrastructure_failure"
merged undivided --filter "$some"

test_of 3 broken --test_filter='^CAF-012/.*/wddm2_3/'
ok "a filter beside the rule's" grep -q CAF-012 $logs/shard_1_of_3/test.outputs/run/verdicts.txt
merged filtered --filter "$some" --filter '^CAF-012/.*/wddm2_3/'

test_of 0 good
ok "three parts have passed" sh -c "cat '$work/out' '$work/err' | grep -q 'good .*PASSED'"
test_of 0 good
ok "a test that has passed is not run again" sh -c "cat '$work/out' '$work/err' | grep -q 'good .*(cached) PASSED'"
test_of 0 good --spawn_strategy=sandboxed --nocache_test_results --sandbox_default_allow_network=false
ok "in a sandbox, too" sh -c "cat '$work/out' '$work/err' | grep -q 'good .*PASSED'"

test_of 3 unloadable
ok "an implementation that cannot be loaded" grep -q '^wddm-cts$' "$logs/shard_1_of_3/test.infrastructure_failure"
test_of 3 lenient
ok "warnings" grep -q '^warn CAF-[0-9]*: CAF-' "$logs/shard_1_of_3/test.warnings"

# Its time is over: it is stopped in order, and its reports are there.
test_of 3 hangs --test_timeout=10 &
waiting=$!
tries=300
until [ -e bazel-testlogs/hangs/shard_1_of_3/test.exited_prematurely ] || [ "$((tries -= 1))" -le 0 ]; do
    sleep 0.1
done
ok "while it runs Bazel knows that it has not ended" [ "$tries" -gt 0 ]
wait "$waiting"
logs=bazel-testlogs/hangs
ok "it was stopped" grep -q 'stopped after .*SIGTERM' "$logs/shard_1_of_3/test.xml"
ok "in order" sh -c "! ls $logs/*/test.exited_prematurely"
cd "$top" || exit 1
summary
