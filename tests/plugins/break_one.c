/* SPDX-License-Identifier: MIT */
/* The emulator with one rule broken: CreateShared is accepted without CreateResource (bits 1 and 0
 * of the create flags). Option emulator=PATH says where emulator.so is; what follows "," is the
 * emulator's. */
#include <dlfcn.h>

#include "common.h"

struct wrapped {
    const struct wcts_plugin *whole;
    void *instance;
    struct wcts_host host;
};

static const struct wcts_plugin *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    wcts_plugin_entry_fn *entry = NULL;
    if (library)
        *(void **)&entry = dlsym(library, WCTS_PLUGIN_SYMBOL);
    return entry ? entry() : NULL;
}

static void *wrap_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    const char *rest = strchr(host->options, ',');
    struct wrapped *wrapped = calloc(1, sizeof *wrapped);
    char path[1024];
    if (!wrapped)
        return NULL;
    wrapped->host = *host;
    wrapped->host.options = rest ? rest + 1 : "";
    wrapped->whole = load(test_option(&options, "emulator", path, sizeof path));
    if (wrapped->whole)
        wrapped->instance = wrapped->whole->open(&wrapped->host, side);
    if (wrapped->instance)
        return wrapped;
    free(wrapped);
    return NULL;
}

static wcts_status wrap_call(void *instance, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    struct wcts_kernel_allocation_create *mended;
    wcts_status status;
    if (operation != WCTS_KERNEL_ALLOCATION_CREATE || request_size < sizeof *mended)
        return wrapped->whole->call(wrapped->instance, operation, request, request_size, reply,
                                    reply_room, reply_size);
    mended = malloc(request_size);
    if (!mended)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(mended, request, request_size);
    if (mended->Args.Flags & 2u)
        mended->Args.Flags |= 1u;
    status = wrapped->whole->call(wrapped->instance, operation, mended, request_size, reply,
                                  reply_room, reply_size);
    free(mended);
    return status;
}

static void wrap_close(void *instance)
{
    struct wrapped *wrapped = instance;
    wrapped->whole->close(wrapped->instance);
    free(wrapped);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {.size = sizeof plugin,
                                              .abi_version = WCTS_ABI_VERSION,
                                              .sides = WCTS_SIDE_KERNEL,
                                              .name = "break-one",
                                              .version = "1",
                                              .open = wrap_open,
                                              .call = wrap_call,
                                              .close = wrap_close};
    return &plugin;
}
