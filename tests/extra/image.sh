#!/bin/sh
# SPDX-License-Identifier: MIT
# The container file: its image is built from what is committed, and runs. buildah does it in a chroot, as root,
# with neither a daemon nor a registry: the image that the file begins with is a Debian 12 of mmdebstrap's.
# Called by tests/extra.sh in the source directory.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
set -e
image() {
    buildah --root "$work/root" --runroot "$work/run" "$@"
}
mmdebstrap --variant=minbase bookworm "$work/debian.tar"
mkdir "$work/tree"
git archive HEAD | tar -x -C "$work/tree"
base=$(image from scratch)
image add "$base" "$work/debian.tar" /
image commit "$base" "$(sed -n 's/^FROM \([^ ]*\) AS build$/\1/p' packaging/Containerfile)"
image rm "$base"
image bud --pull-never -t wddm-cts-test -f packaging/Containerfile "$work/tree"
made=$(image from --pull-never localhost/wddm-cts-test)
image run "$made" -- wddm-cts run -q --suite smoke --filter '^CAF-003/'
image run "$made" -- wddm-cts-agent --version
