#!/bin/sh
# SPDX-License-Identifier: MIT
# What builds elsewhere, as far as it can be tried here: the container file has the packages of "make deps", Debian's
# files have them, too, and the version of the Makefile; the steps of the GitHub action and the GitLab component
# are executed.
. tests/common.sh

# ---- packages ----
sed -n '/^PROGRAMS :=\|^LIBRARIES :=/,/[^\\]$/p' Makefile | tr ' \t' '\n\n' |
    sed -n 's/.*[:=]\([a-z][a-z0-9.+-]*\)$/\1/p' | sort -u >"$work/deps"
ok "the Makefile names packages" [ "$(wc -l <"$work/deps")" -gt 8 ]
# The packages of the first apt-get of a container file; make and the C library come with README's command and gcc.
packages() {
    sed -n '/^FROM.* AS build/,/^COPY/p' "$1" | sed -n '/apt-get install/,/[^\\]$/p' |
        sed 's/.*--no-install-recommends//' | tr ' \\' '\n\n' | grep . | grep -vxF -e make -e libc6-dev | sort -u
}
packages packaging/Containerfile >"$work/container"
ok "the container has those of make deps" diff "$work/deps" "$work/container"
sed 's/ nettle-dev / /' packaging/Containerfile >"$work/lacking"
packages "$work/lacking" >"$work/short"
ok "one that lacks a package" sh -c "! cmp -s '$work/deps' '$work/short'"

sed -n '/^Build-Depends:/,/^[A-Z].*:/p' packaging/debian/control | sed -n 's/^ \([a-z0-9.+-]*\),*$/\1/p' | sort -u >"$work/debian"
# Debian's build has the compiler, and does not run the unit tests.
grep -vxF -e gcc -e check "$work/deps" >"$work/wanted"
ok "Debian builds with those of make deps" diff "$work/wanted" "$work/debian"
version=$(sed -n 's/^VERSION := //p' Makefile)
ok "Debian's version is $version" grep -q "^wddm-cts ($version) " packaging/debian/changelog

# The libraries in the image are those that the tool is linked with.
if command -v ldd >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1; then
    ldd "$tool" | sed -n 's/.*=> \([^ ]*\) .*/\1/p' | while read -r file; do
        dpkg -S "$(readlink -f "$file")" 2>/dev/null
    done | sed 's/:.*//' | sort -u >"$work/linked"
    sed -n '/^FROM.*12$/,$p' packaging/Containerfile | tr ' \\' '\n\n' | grep '^lib' | sort -u >"$work/image"
    ok "what the image has is linked" sh -c "comm -23 '$work/image' '$work/linked' | tee '$work/idle'; [ ! -s '$work/idle' ]"
fi

# ---- steps ----
# step FILE KEY: the shell of the block behind the line that ends with it.
step() {
    awk -v key="$2" '
        index($0, key) && $0 ~ /\|$/ {match($0, /^ */); indent = RLENGTH; on = 1; next}
        on && /[^ ]/ {match($0, /^ */); if (RLENGTH <= indent) exit}
        on {print}' "$1"
}

# tried NAME STATUS IMPL: the step in a new directory, which exits so.
tried() {
    mkdir "$work/$1-$2"
    (cd "$work/$1-$2" && GITHUB_STEP_SUMMARY=summary GITHUB_OUTPUT=outputs WCTS_TOOL=$tool WCTS_IMPL=$3 \
        WCTS_OPTIONS="--suite smoke --wddm 3.2 --filter ^CAF-003/ -q" bash -e "$work/$1.sh") >"$work/told" 2>&1
    [ $? -eq "$2" ] || { cat "$work/told"; return 1; }
}

step contrib/github/action.yml 'run: ' >"$work/github.sh"
step contrib/gitlab/template.yml '- ' >"$work/gitlab.sh"
for ci in github gitlab; do
    ok "$ci has a step" grep -q 'WCTS_TOOL' "$work/$ci.sh"
    ok "$ci: a run that is right" tried $ci 0 emulator,strict
    ok "$ci: one that is not" tried $ci 1 emulator,strict,fault=CAF-003
    ok "$ci: one that cannot be" tried $ci 2 "$work/none.so"
    ok "$ci: JUnit XML" test -s "$work/$ci-0/out/junit.xml"
done
ok "the status is told" grep -qx 'status=1' "$work/github-1/outputs"
ok "the summary is on the page" grep -q 'CAF-003\|selection' "$work/github-1/summary"
for file in contrib/github/action.yml contrib/gitlab/template.yml; do
    for name in $(sed -n 's/.*inputs\.\([a-z]*\).*/\1/p' $file | sort -u); do
        ok "$file: $name is an input" grep -q "^ *$name:\$" $file
    done
    if command -v yamllint >/dev/null 2>&1; then
        ok "$file is YAML" yamllint -d '{rules: {}}' $file
    fi
done
summary
