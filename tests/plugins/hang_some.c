/* SPDX-License-Identifier: MIT */
/* The emulator's kernel, which hangs in some calls of KERNEL_ALLOCATION_CREATE: option version=N,
 * those at this interface version; part=N, one of N, by what is asked; calls=N, each N-th of a
 * process. With crash=1 it crashes there. Option emulator=PATH behind it. */
#include <signal.h>
#include <unistd.h>

#include "wrap.h"

static unsigned long option(const struct wcts_host *host, const char *name)
{
    const struct test_instance options = {.host = host};
    char text[64];
    return strtoul(test_option(&options, name, text, sizeof text), NULL, 0);
}

static unsigned long hash_of(const struct wcts_host *host, const void *request, uint32_t size)
{
    uint32_t hash = host->interface_version;
    for (uint32_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)request)[i]) * 16777619u;
    return hash >> 8;
}

struct hanging {
    struct wrapped *wrapped;
    struct wcts_host host; /* the suite's */
};

static void *hanging_open(const struct wcts_host *host, uint32_t side)
{
    struct hanging *hanging = calloc(1, sizeof *hanging);
    struct wcts_host inner = *host;
    if (!hanging)
        return NULL;
    hanging->host = *host;
    inner.options = wrap_rest(host->options);
    return wrap_open_in(hanging, &inner, side);
}

static wcts_status hanging_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    static unsigned long calls;
    const struct hanging *hanging = instance;
    const struct wcts_host *host = &hanging->host;
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE) {
        unsigned long part = option(host, "part"), nth = option(host, "calls");
        calls++;
        while (option(host, "version") == host->interface_version ||
               (part != 0 && hash_of(host, request, request_size) % part == 0) ||
               (nth != 0 && calls % nth == 0)) {
            if (option(host, "crash"))
                raise(SIGSEGV);
            pause();
        }
    }
    return wrap_call(hanging->wrapped, operation, request, request_size, reply, reply_room,
                     reply_size);
}

TEST_PLUGIN_OPEN("hang-some", WCTS_SIDE_KERNEL, hanging_open, hanging_call, wrap_close_in)
