/* SPDX-License-Identifier: MIT */
/*
 * What the plug-ins for tests share: instances, options, and a kernel that accepts everything,
 * knows no rule and keeps no state but the last handle. A plug-in is one call function and
 * TEST_PLUGIN.
 */
#ifndef WCTS_TEST_PLUGIN_H
#define WCTS_TEST_PLUGIN_H

#include <stdlib.h>
#include <string.h>

#include "wddm-cts.h"

struct test_instance {
    const struct wcts_host *host;
    uint32_t side;
    uint32_t last_handle;
    uint64_t last_address;
};

/* The value of key in "key=value,...", copied to buffer; "" when it is not there. */
static inline const char *test_option(const struct test_instance *instance, const char *key,
                                      char *buffer, size_t room)
{
    size_t length = strlen(key);
    buffer[0] = '\0';
    for (const char *at = instance->host->options; *at != '\0';) {
        size_t size = strcspn(at, ",");
        if (size > length && at[length] == '=' && strncmp(at, key, length) == 0 &&
            size - length - 1 < room) {
            memcpy(buffer, at + length + 1, size - length - 1);
            buffer[size - length - 1] = '\0';
        }
        at += size + (at[size] == ',');
    }
    return buffer;
}

static inline void *test_open(const struct wcts_host *host, uint32_t side)
{
    struct test_instance *instance = calloc(1, sizeof *instance);
    if (instance) {
        instance->host = host;
        instance->side = side;
        instance->last_address = 0x100000000u;
    }
    return instance;
}

static inline void test_close(void *instance)
{
    free(instance);
}

/* Exports the plug-in, with an interface version that it claims to be made for and functions of its
 * own; with that of the header; one whose instances are those above. */
#define TEST_PLUGIN_ABI(plugin_name, which_sides, abi, open_function, call_function,               \
                        close_function)                                                            \
    const struct wcts_plugin *wcts_plugin_entry(void)                                              \
    {                                                                                              \
        static const struct wcts_plugin plugin = {                                                 \
            .size = sizeof plugin,                                                                 \
            .abi_version = (abi),                                                                  \
            .sides = (which_sides),                                                                \
            .name = (plugin_name),                                                                 \
            .version = "1",                                                                        \
            .open = (open_function),                                                               \
            .call = (call_function),                                                               \
            .close = (close_function),                                                             \
        };                                                                                         \
        return &plugin;                                                                            \
    }
#define TEST_PLUGIN_OPEN(plugin_name, which_sides, open_function, call_function, close_function)   \
    TEST_PLUGIN_ABI(plugin_name, which_sides, WCTS_ABI_VERSION, open_function, call_function,      \
                    close_function)
#define TEST_PLUGIN(plugin_name, which_sides, call_function)                                       \
    TEST_PLUGIN_OPEN(plugin_name, which_sides, test_open, call_function, test_close)

/* ---- a kernel that accepts everything ---- */

typedef wcts_status test_handler_fn(void *instance, const void *request, uint32_t request_size,
                                    void *reply, uint32_t reply_room, uint32_t *reply_size);

#define TEST_HANDLER(name)                                                                         \
    static inline wcts_status name(void *instance, const void *request, uint32_t request_size,     \
                                   void *reply, uint32_t reply_room, uint32_t *reply_size)
#define TEST_UNUSED()                                                                              \
    ((void)instance, (void)request, (void)request_size, (void)reply, (void)reply_room,             \
     (void)reply_size)

TEST_HANDLER(test_info)
{
    struct wcts_kernel_info_reply *out = reply;
    TEST_UNUSED();
    out->capabilities = WCTS_CAPABILITY_PROBE | WCTS_CAPABILITY_MACHINE | WCTS_CAPABILITY_FRESH;
    out->first_interface_version = 0;
    out->last_interface_version = UINT32_MAX;
    out->page_sizes = 4096 + 16384 + 65536;
    return WCTS_STATUS_SUCCESS;
}

TEST_HANDLER(test_accept)
{
    TEST_UNUSED();
    return WCTS_STATUS_SUCCESS;
}

/* Asks the driver, and does not mind what it answers. */
static inline void test_ask(struct test_instance *self, uint32_t operation)
{
    static uint64_t answer[WCTS_REPLY_ROOM / 8];
    const struct wcts_none request = {.size = sizeof request};
    uint32_t size = 0;
    memset(answer, 0, sizeof answer);
    self->host->call(self->host->ctx, operation, &request, sizeof request, answer, sizeof answer,
                     &size);
}

TEST_HANDLER(test_handle)
{
    struct test_instance *self = instance;
    struct wcts_kernel_handle_reply *out = reply;
    TEST_UNUSED();
    out->Handle = ++self->last_handle;
    return WCTS_STATUS_SUCCESS;
}

TEST_HANDLER(test_adapter)
{
    test_ask(instance, WCTS_DRIVER_INFO);
    test_ask(instance, WCTS_DRIVER_SEGMENTS);
    return test_handle(instance, request, request_size, reply, reply_room, reply_size);
}

TEST_HANDLER(test_wide_handle)
{
    struct test_instance *self = instance;
    struct wcts_kernel_section_reply *out = reply; /* as that of KERNEL_SHARE */
    TEST_UNUSED();
    out->hSection = ++self->last_handle;
    return WCTS_STATUS_SUCCESS;
}

TEST_HANDLER(test_open_resource)
{
    struct test_instance *self = instance;
    struct wcts_kernel_open_reply *out = reply;
    TEST_UNUSED();
    out->hResource = ++self->last_handle;
    out->hAllocation = ++self->last_handle;
    return WCTS_STATUS_SUCCESS;
}

TEST_HANDLER(test_lock)
{
    struct wcts_kernel_lock_reply *out = reply;
    TEST_UNUSED();
    out->Address = 0x10000;
    return WCTS_STATUS_SUCCESS;
}

TEST_HANDLER(test_reserve)
{
    struct test_instance *self = instance;
    const struct wcts_kernel_va_reserve *in = request;
    struct wcts_kernel_va_reserve *out = reply;
    TEST_UNUSED();
    out->Args = in->Args;
    out->Args.VirtualAddress = in->Args.BaseAddress ? in->Args.BaseAddress : self->last_address;
    self->last_address = (out->Args.VirtualAddress + in->Args.Size + 0xFFFF) & ~0xFFFFull;
    return WCTS_STATUS_SUCCESS;
}

/* Repeats the arguments, with a handle for the resource and for each allocation. */
TEST_HANDLER(test_create)
{
    struct test_instance *self = instance;
    const struct wcts_kernel_allocation_create *in = request;
    struct wcts_kernel_allocation_create *out = reply;
    const uint32_t each = sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2);
    uint32_t count = in->Args.NumAllocations, flags = in->Args.Flags;
    const void *given =
        wcts_message_at(request, request_size, in->Args.pAllocationInfo2, count, each);

    out->Args = in->Args;
    out->Args.hResource = flags & 0x01 ? ++self->last_handle : 0;              /* CreateResource */
    out->Args.hGlobalShare = (flags & 0x42) == 0x02 ? ++self->last_handle : 0; /* CreateShared */
    out->Args.pAllocationInfo2 = 0;
    if (!given || count == 0 || count > (reply_room - sizeof *out) / each)
        return WCTS_STATUS_SUCCESS;
    struct wcts_D3DDDI_ALLOCATIONINFO2 *infos = (void *)(out + 1);
    memcpy(infos, given, (size_t)count * each);
    for (uint32_t i = 0; i < count; i++)
        infos[i].hAllocation = ++self->last_handle;
    out->Args.pAllocationInfo2 = sizeof *out;
    *reply_size = (uint32_t)sizeof *out + count * each;
    return WCTS_STATUS_SUCCESS;
}

static const struct wcts_handler test_kernel[] = {
    {WCTS_KERNEL_INFO, test_info},
    {WCTS_KERNEL_ADAPTER_START, test_adapter},
    {WCTS_KERNEL_ADAPTER_STOP, test_accept},
    {WCTS_KERNEL_PROCESS, test_handle},
    {WCTS_KERNEL_DEVICE, test_handle},
    {WCTS_KERNEL_SECTION, test_wide_handle},
    {WCTS_KERNEL_ALLOCATION_CREATE, test_create},
    {WCTS_KERNEL_ALLOCATION_DESTROY, test_accept},
    {WCTS_KERNEL_SHARE, test_wide_handle},
    {WCTS_KERNEL_OPEN_GLOBAL, test_open_resource},
    {WCTS_KERNEL_OPEN_NT, test_open_resource},
    {WCTS_KERNEL_LOCK, test_lock},
    {WCTS_KERNEL_UNLOCK, test_accept},
    {WCTS_KERNEL_VA_RESERVE, test_reserve},
    {WCTS_KERNEL_VA_FREE, test_accept},
    {WCTS_KERNEL_VA_UPDATE, test_accept},
    {WCTS_KERNEL_PAGE_IN, test_accept},
    {WCTS_KERNEL_EVICT, test_accept},
    {WCTS_KERNEL_SUBMIT, test_accept},
    {WCTS_KERNEL_PREEMPT, test_accept},
    {WCTS_KERNEL_POWER, test_accept},
    {WCTS_KERNEL_SETTLE, test_accept},
};

static inline wcts_status test_accept_all(void *instance, uint32_t operation, const void *request,
                                          uint32_t request_size, void *reply, uint32_t reply_room,
                                          uint32_t *reply_size)
{
    return wcts_dispatch(test_kernel, sizeof test_kernel / sizeof test_kernel[0], instance,
                         operation, request, request_size, reply, reply_room, reply_size);
}

#endif
