#!/bin/bash
# SPDX-License-Identifier: MIT
# The README's two commands, as a new user runs them: in a Debian 12 that holds nothing (mmdebstrap,
# variant minbase), with a clean clone of what is committed. Exits with 77, and says why, where such
# a root can't be made. FRESH_ROOT=DIR keeps the empty root there and uses it again.
set -u
work=$(mktemp -d) || exit 1
keep=${FRESH_ROOT:-}
mounted=

clean() {
    for one in $mounted; do
        umount -l "$one" 2>/dev/null
    done
    rm -rf --one-file-system "$work"
}
trap clean EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

say() {
    echo "[$((SECONDS / 60)) min $((SECONDS % 60)) s] $*"
}

[ "$(id -u)" = 0 ] || skip "only root can enter a root directory of its own"
command -v git >/dev/null 2>&1 || skip "git is not there, which makes the clean clone"
git rev-parse HEAD >/dev/null 2>&1 || skip "this is no git checkout"

base=${keep:-$work/base}
if [ ! -e "$base/usr/bin/apt-get" ]; then
    command -v mmdebstrap >/dev/null 2>&1 || skip "mmdebstrap is not there (apt-get install mmdebstrap)"
    say "making a minimal Debian 12"
    mmdebstrap --quiet --variant=minbase bookworm "$base" >"$work/log" 2>&1 || {
        tail -n 3 "$work/log"
        skip "mmdebstrap could not make the root"
    }
fi
root=$work/root
cp -a "$base" "$root" || skip "no room for the root"
for one in proc dev; do
    mount --rbind "/$one" "$root/$one" 2>/dev/null || skip "/$one can't be mounted in the root"
    mount --make-rslave "$root/$one" 2>/dev/null
    mounted="$root/$one $mounted"
done
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
git clone -q . "$root/wddm-cts" || exit 1
[ -z "$(git status --porcelain)" ] || say "what is not committed is not in the clone"

# inside COMMAND: carried out in the clone, with an environment that holds nothing of ours.
inside() {
    say "$1"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
        chroot "$root" sh -c "cd /wddm-cts && $1"
}

inside 'apt-get update -qq' || skip "the root reaches no package registry"
# What the README says, and nothing else.
first=$(sed -n 's/^    \(apt-get install.*make run\)$/\1/p' README.md)
second=$(sed -n 's/^    \(make test\)$/\1/p' README.md)
[ -n "$first" ] && [ -n "$second" ] || {
    echo "README.md: the two commands are not found"
    exit 1
}
bad=0
for command in "$first" "$second"; do
    if inside "$command" >"$work/log" 2>&1; then
        say "passed: $command"
    else
        say "failed: $command"
        bad=$((bad + 1))
        grep -A 30 '^FAIL' "$work/log"
    fi
    tail -n 4 "$work/log"
done
echo "$((2 - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
