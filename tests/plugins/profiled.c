/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel, which deviates from the documents as a real one may. Options, before
 * emulator=PATH:
 *   accept=shared       standard allocations without CreateShared (CAF-031)
 *   accept=cross        standard allocations without CrossAdapter (CAF-032)
 *   accept=both         both
 *   refuse=global       CreateShared without NtSecuritySharing
 *   refuse=section      ExistingSection
 *   lacks=va            KERNEL_VA_* and KERNEL_QUERY_PAGES: NOT_IMPLEMENTED
 *   names=PROFILE       names that profile
 *   old=yes             answers KERNEL_INFO as an older plug-in did, without room for a profile
 */
#include <stdbool.h>

#include "take_flags.h"

#define EXISTING_SECTION (1u << 17)

struct profiled {
    struct wrapped *wrapped;
    char accept[16], refuse[16], lacks[16], names[200], old[16];
};

static bool is(const char *option, const char *value)
{
    return strcmp(option, value) == 0;
}

/* The flags with which the emulator takes what it should refuse. */
static uint32_t allowed_flags(const struct profiled *profiled, uint32_t flags)
{
    bool both = is(profiled->accept, "both");
    if (!(flags & STANDARD_ALLOCATION))
        return flags;
    if ((both || is(profiled->accept, "shared")) &&
        !(flags & (CREATE_SHARED | NT_SECURITY_SHARING)))
        flags |= CREATE_SHARED | CREATE_RESOURCE;
    if (both || is(profiled->accept, "cross"))
        flags |= CROSS_ADAPTER;
    return flags;
}

static bool is_refused(const struct profiled *profiled, uint32_t flags)
{
    if (is(profiled->refuse, "global"))
        return (flags & (CREATE_SHARED | NT_SECURITY_SHARING)) == CREATE_SHARED;
    return is(profiled->refuse, "section") && (flags & EXISTING_SECTION);
}

static wcts_status create(const struct profiled *profiled, const void *request,
                          uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct wcts_kernel_allocation_create *in = request;
    if (is_refused(profiled, in->Args.Flags))
        return WCTS_STATUS_INVALID_PARAMETER;
    return take_flags(profiled->wrapped, allowed_flags(profiled, in->Args.Flags), request,
                      request_size, reply, room, reply_size);
}

static wcts_status info(const struct profiled *profiled, const void *request, uint32_t request_size,
                        void *reply, uint32_t room, uint32_t *reply_size)
{
    struct wcts_kernel_info_reply *out = reply;
    wcts_status status = wrap_call(profiled->wrapped, WCTS_KERNEL_INFO, request, request_size,
                                   reply, room, reply_size);
    size_t length = strlen(profiled->names);
    if (!wcts_succeeded(status))
        return status;
    if (is(profiled->old, "yes"))
        *reply_size = out->size = offsetof(struct wcts_kernel_info_reply, pProfile);
    if (length > 0) {
        out->pProfile = sizeof *out;
        memcpy(out + 1, profiled->names, length + 1);
        *reply_size = (uint32_t)(sizeof *out + length + 1);
    }
    return status;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct profiled *profiled = instance;
    bool va = operation == WCTS_KERNEL_VA_RESERVE || operation == WCTS_KERNEL_VA_FREE ||
              operation == WCTS_KERNEL_VA_UPDATE || operation == WCTS_KERNEL_QUERY_PAGES;
    if (va && is(profiled->lacks, "va"))
        return WCTS_STATUS_NOT_IMPLEMENTED;
    if (operation == WCTS_KERNEL_INFO)
        return info(profiled, request, request_size, reply, room, reply_size);
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE)
        return create(profiled, request, request_size, reply, room, reply_size);
    return wrap_call(profiled->wrapped, operation, request, request_size, reply, room, reply_size);
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct profiled *profiled = calloc(1, sizeof *profiled);
    struct wcts_host inner = *host;
    if (!profiled)
        return NULL;
    test_option(&options, "accept", profiled->accept, sizeof profiled->accept);
    test_option(&options, "refuse", profiled->refuse, sizeof profiled->refuse);
    test_option(&options, "lacks", profiled->lacks, sizeof profiled->lacks);
    test_option(&options, "names", profiled->names, sizeof profiled->names);
    test_option(&options, "old", profiled->old, sizeof profiled->old);
    inner.options = wrap_rest(host->options);
    return wrap_open_in(profiled, &inner, side);
}

TEST_PLUGIN_OPEN("profiled", WCTS_SIDE_KERNEL, boot, call, wrap_close_in)
