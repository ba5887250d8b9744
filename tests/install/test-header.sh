#!/bin/sh
# SPDX-License-Identifier: MIT
# include/wddm-cts.h compiles alone, twice over, as C11 and C++17, without a warning, with each
# compiler that is there.
set -u
cd "$(dirname "$0")/../.." || exit 1
header=${WCTS_HEADER:-include/wddm-cts.h}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
good=0
bad=0

# What a plug-in does with it, in both languages: every helper is used.
cat >"$work/use.c" <<'EOF'
#include "wddm-cts.h"
#include "wddm-cts.h"

static wcts_status info(void *instance, const void *request, uint32_t request_size, void *reply,
                        uint32_t reply_room, uint32_t *reply_size)
{
    (void)instance;
    (void)reply_room;
    (void)reply_size;
    (void)reply;
    return wcts_message_at(request, request_size, 8, 1, 8) ? WCTS_STATUS_SUCCESS
                                                           : WCTS_STATUS_NOT_SUPPORTED;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    static const struct wcts_handler handlers[] = {{WCTS_KERNEL_INFO, info}};
    if (operation == WCTS_KERNEL_SWEEP)
        return wcts_sweep(call, instance, request, request_size, reply, reply_room, reply_size);
    return wcts_dispatch(handlers, 1, instance, operation, request, request_size, reply,
                         reply_room, reply_size);
}

int main(void)
{
    static const struct wcts_handler handlers[] = {{WCTS_KERNEL_INFO, info}};
    static uint64_t swept[WCTS_SWEEP_ROOM / 8];
    static const struct wcts_kernel_sweep_request sweep = {sizeof sweep, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static uint64_t request[2], reply[WCTS_REPLY_ROOM / 8];
    uint32_t size = 0;
    wcts_status status = wcts_dispatch(handlers, 1, NULL, WCTS_KERNEL_INFO, request,
                                       sizeof request, reply, sizeof reply, &size);
    return wcts_succeeded(status) && size == wcts_reply_size(WCTS_KERNEL_INFO) &&
                   wcts_request_size(WCTS_KERNEL_INFO) == 8 &&
                   wcts_operation_name(WCTS_KERNEL_INFO)[0] == 'K' &&
                   call(NULL, WCTS_KERNEL_SWEEP, &sweep, sizeof sweep, swept, sizeof swept,
                        &size) == WCTS_STATUS_NOT_SUPPORTED
               ? 0
               : 1;
}
EOF
echo '#include "wddm-cts.h"' >"$work/alone.c"
echo 'int nothing;' >"$work/nothing.c"
cp "$header" "$work/wddm-cts.h" # alone: no other header of the project is near

# COMPILER LANGUAGE STANDARD: one that cannot compile the language at all is passed over.
check() {
    "$1" -x "$2" -std="$3" -fsyntax-only "$work/nothing.c" >/dev/null 2>&1 || return 0
    for file in alone use; do
        if "$1" -x "$2" -std="$3" -pedantic -Wall -Wextra -Werror -I"$work" -c \
            -o "$work/$file.o" "$work/$file.c" >"$work/log" 2>&1; then
            good=$((good + 1))
        else
            echo "$header: $1 -x $2 -std=$3 ($file.c):"
            cat "$work/log"
            bad=1
        fi
    done
    if ! "$1" -o "$work/use" "$work/use.o" 2>"$work/log" || ! "$work/use"; then
        echo "$1 -std=$3: a program that uses the header does not run"
        cat "$work/log"
        bad=1
    fi
}

for compiler in gcc clang; do
    check "$compiler" c c11
    check "$compiler" c++ c++17
done
[ "$good" -gt 0 ] || echo "no compiler is there"
[ "$good" -gt 0 ] && [ "$bad" -eq 0 ]
