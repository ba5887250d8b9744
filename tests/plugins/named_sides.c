/* SPDX-License-Identifier: MIT */
/*
 * Both sides of the emulator, each of which may name a profile. The kernel takes standard
 * allocations without CreateShared and without CrossAdapter (CAF-031, CAF-032), as Windows does.
 * Options, before emulator=PATH:
 *   kernel=PROFILE      what KERNEL_INFO names
 *   driver=PROFILE      what DRIVER_INFO names
 *   dies=yes            the driver side ends the process when it is booted
 */
#include "wrap.h"

#define CREATE_RESOURCE (1u << 0)
#define CREATE_SHARED (1u << 1)
#define NT_SECURITY_SHARING (1u << 6)
#define CROSS_ADAPTER (1u << 11)
#define STANDARD_ALLOCATION (1u << 16)

struct named_sides {
    struct wrapped *wrapped;
    char kernel[200], driver[200], dies[8];
};

static wcts_status create(const struct named_sides *named, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct wcts_kernel_allocation_create *in = request;
    struct wcts_kernel_allocation_create *copy, *out = reply;
    uint32_t flags = in->Args.Flags, allowed = flags;
    wcts_status status;
    copy = malloc(request_size);
    if (!copy)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(copy, request, request_size);
    if (flags & STANDARD_ALLOCATION)
        allowed |= CROSS_ADAPTER;
    if (flags & STANDARD_ALLOCATION && !(flags & (CREATE_SHARED | NT_SECURITY_SHARING)))
        allowed |= CREATE_SHARED | CREATE_RESOURCE;
    copy->Args.Flags = allowed;
    status = wrap_call(named->wrapped, WCTS_KERNEL_ALLOCATION_CREATE, copy, request_size, reply,
                       room, reply_size);
    free(copy);
    if (!wcts_succeeded(status) || allowed == flags)
        return status;
    out->Args.Flags = flags;
    if (!(flags & CREATE_SHARED))
        out->Args.hGlobalShare = 0;
    if (!(flags & CREATE_RESOURCE))
        out->Args.hResource = in->Args.hResource;
    return status;
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
    if (named->dies[0] && side == WCTS_SIDE_DRIVER)
        abort();
    inner.options = wrap_rest(host->options);
    return wrap_open_in(named, &inner, side);
}

TEST_PLUGIN_OPEN("named sides", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, boot, call, wrap_close_in)
