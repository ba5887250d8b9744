/* SPDX-License-Identifier: MIT */
/*
 * The driver of examples/minimal, which in DRIVER_ALLOCATION_CREATE does what its option says:
 * do=crash, exit, abort, beyond (writes behind the room of the reply), hang, or handles: exits with
 * the number of handles that it could lend to a process of its own, which are those that were lent
 * to it. Compiled for Windows.
 */
#define wcts_plugin_entry minimal_entry
#include "../../examples/minimal/minimal.c"
#undef wcts_plugin_entry

#include <stdlib.h>
#include <windows.h>

WCTS_EXPORT const struct wcts_plugin *wcts_plugin_entry(void);

static char misdeed[32];

static void *boot_dying(const struct wcts_host *host, uint32_t side)
{
    const char *is = strstr(host->options, "do=");
    if (is)
        strncpy(misdeed, is + 3, sizeof misdeed - 1);
    return minimal_entry()->open(host, side);
}

/* Handles are multiples of four, and the first ones are used first. */
static int count_inherited(void)
{
    int count = 0;
    for (uintptr_t handle = 4; handle < 0x4000; handle += 4) {
        DWORD flags = 0;
        count += GetHandleInformation((HANDLE)handle, &flags) && (flags & HANDLE_FLAG_INHERIT);
    }
    return count;
}

static void misbehave(void *reply, uint32_t room)
{
    if (strcmp(misdeed, "crash") == 0)
        *(volatile int *)(uintptr_t)64 = 1;
    if (strcmp(misdeed, "exit") == 0)
        exit(7);
    if (strcmp(misdeed, "handles") == 0)
        exit(count_inherited());
    if (strcmp(misdeed, "abort") == 0)
        abort();
    if (strcmp(misdeed, "beyond") == 0)
        ((volatile char *)reply)[room + 64] = 1;
    while (strcmp(misdeed, "hang") == 0)
        Sleep(1000);
}

static wcts_status answer_dying(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE)
        misbehave(reply, reply_room);
    return minimal_entry()->call(instance, operation, request, request_size, reply, reply_room,
                                 reply_size);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static struct wcts_plugin plugin;
    plugin = *minimal_entry();
    plugin.open = boot_dying;
    plugin.call = answer_dying;
    return &plugin;
}
