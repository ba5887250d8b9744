#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing. Arguments: program:package, /file:package, and
# pkg-config-module=package.
# Calls apt only when something is missing; where there is no apt, names the packages and stops.
set -u

missing=
libraries=
for need in "$@"; do
    package=${need#*[:=]}
    case $need in
    /*:*)
        [ -e "${need%%:*}" ] || missing="$missing $package"
        ;;
    *:*)
        command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing $package"
        ;;
    *=*)
        libraries=1
        command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${need%%=*}" ||
            missing="$missing $package"
        ;;
    esac
done
# A compiler without a C library is of no use.
if [ -n "$libraries" ] && [ ! -e /usr/include/stdio.h ] && command -v apt-get >/dev/null 2>&1; then
    missing="$missing libc6-dev"
fi
[ -z "$missing" ] && exit 0

stop() {
    echo "missing:$missing" >&2
    echo "$1" >&2
    exit 1
}

command -v apt-get >/dev/null 2>&1 || stop "install these packages (Debian's names) and try again"
if [ "$(id -u)" = 0 ]; then
    as_root=env
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n env"
else
    stop "install these packages as root and try again: apt-get install$missing"
fi

echo "installing:$missing"
apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq"
# shellcheck disable=SC2086
$apt -o Dpkg::Use-Pty=0 install -y --no-install-recommends $missing >/dev/null 2>&1 ||
    { $apt update && $apt -o Dpkg::Use-Pty=0 install -y --no-install-recommends $missing \
        >/dev/null; } || stop "apt-get could not install them"
