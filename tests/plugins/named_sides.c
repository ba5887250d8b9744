/* SPDX-License-Identifier: MIT */
/*
 * Both sides of the emulator, each of which may name a profile. The kernel takes standard
 * allocations without CreateShared and without CrossAdapter (CAF-031, CAF-032), as Windows does.
 * Options, before emulator=PATH:
 *   kernel=PROFILE      what KERNEL_INFO names
 *   driver=PROFILE      what DRIVER_INFO names
 *   dies=yes            the driver side ends the process when it is booted
 *   none=kernel|driver  that side is not booted, although the plug-in has it
 */
#include "take_flags.h"

struct named_sides {
    struct wrapped *wrapped;
    char kernel[200], driver[200], dies[8], none[8];
};

static wcts_status create(const struct named_sides *named, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct wcts_kernel_allocation_create *in = request;
    uint32_t allowed = in->Args.Flags;
    if (in->Args.Flags & STANDARD_ALLOCATION)
        allowed |= CROSS_ADAPTER;
    if (in->Args.Flags & STANDARD_ALLOCATION &&
        !(in->Args.Flags & (CREATE_SHARED | NT_SECURITY_SHARING)))
        allowed |= CREATE_SHARED | CREATE_RESOURCE;
    return take_flags(named->wrapped, allowed, request, request_size, reply, room, reply_size);
}

static void add_name(void *reply, size_t member, const char *name, uint32_t *reply_size)
{
    uint64_t at = *reply_size;
    if (name[0] == '\0')
        return;
    memcpy((uint8_t *)reply + member, &at, sizeof at);
    memcpy((uint8_t *)reply + at, name, strlen(name) + 1);
    *reply_size += (uint32_t)strlen(name) + 1;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct named_sides *named = instance;
    wcts_status status;
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE)
        return create(named, request, request_size, reply, room, reply_size);
    status = wrap_call(named->wrapped, operation, request, request_size, reply, room, reply_size);
    if (!wcts_succeeded(status))
        return status;
    if (operation == WCTS_KERNEL_INFO)
        add_name(reply, offsetof(struct wcts_kernel_info_reply, pProfile), named->kernel,
                 reply_size);
    if (operation == WCTS_DRIVER_INFO)
        add_name(reply, offsetof(struct wcts_driver_info_reply, pProfile), named->driver,
                 reply_size);
    return status;
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct named_sides *named = calloc(1, sizeof *named);
    struct wcts_host inner = *host;
    if (!named)
        return NULL;
    test_option(&options, "kernel", named->kernel, sizeof named->kernel);
    test_option(&options, "driver", named->driver, sizeof named->driver);
    test_option(&options, "dies", named->dies, sizeof named->dies);
    test_option(&options, "none", named->none, sizeof named->none);
    if (strcmp(named->none, side == WCTS_SIDE_DRIVER ? "driver" : "kernel") == 0) {
        free(named);
        return NULL;
    }
    if (named->dies[0] && side == WCTS_SIDE_DRIVER)
        abort();
    inner.options = wrap_rest(host->options);
    return wrap_open_in(named, &inner, side);
}

TEST_PLUGIN_OPEN("named sides", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, boot, call, wrap_close_in)
