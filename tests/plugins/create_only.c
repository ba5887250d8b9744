/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, cut down to making and destroying allocations: everything else is to be
 * skipped with the reason. Option emulator=PATH says where emulator.so is; what follows "," is
 * the emulator's. */
#include <dlfcn.h>

#include "common.h"

/* What it takes to get to a device stays, too. */
static const uint32_t kept[] = {
    WCTS_KERNEL_INFO,
    WCTS_KERNEL_ADAPTER_START,
    WCTS_KERNEL_ADAPTER_STOP,
    WCTS_KERNEL_PROCESS,
    WCTS_KERNEL_DEVICE,
    WCTS_KERNEL_SETTLE,
    WCTS_KERNEL_ALLOCATION_CREATE,
    WCTS_KERNEL_ALLOCATION_DESTROY,
};

struct cut {
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

static void *cut_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    const char *rest = strchr(host->options, ',');
    struct cut *cut = calloc(1, sizeof *cut);
    char path[1024];
    if (!cut)
        return NULL;
    cut->host = *host;
    cut->host.options = rest ? rest + 1 : "";
    cut->whole = load(test_option(&options, "emulator", path, sizeof path));
    if (cut->whole)
        cut->instance = cut->whole->open(&cut->host, side);
    if (cut->instance)
        return cut;
    free(cut);
    return NULL;
}

static wcts_status cut_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    struct cut *cut = instance;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (kept[i] == operation)
            return cut->whole->call(cut->instance, operation, request, request_size, reply,
                                    reply_room, reply_size);
    *reply_size = 0;
    return WCTS_STATUS_NOT_IMPLEMENTED;
}

static void cut_close(void *instance)
{
    struct cut *cut = instance;
    cut->whole->close(cut->instance);
    free(cut);
}

const struct wcts_plugin *wcts_plugin_entry(void)
{
    static const struct wcts_plugin plugin = {
        .size = sizeof plugin,
        .abi_version = WCTS_ABI_VERSION,
        .sides = WCTS_SIDE_KERNEL,
        .name = "create-only",
        .version = "1",
        .open = cut_open,
        .call = cut_call,
        .close = cut_close,
    };
    return &plugin;
}
