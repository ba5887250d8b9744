/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel without the operations of option lacks=0x10D+0x10E and nothing else, so
 * that it is known what its skipped cases need. Option emulator=PATH as in wrap.h.
 */
#include <stdbool.h>

#include "wrap.h"

struct lacking {
    struct wrapped *wrapped;
    char lacks[128];
};

static void *lacking_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct lacking *lacking = calloc(1, sizeof *lacking);
    struct wcts_host changed = *host;
    if (!lacking)
        return NULL;
    test_option(&options, "lacks", lacking->lacks, sizeof lacking->lacks);
    changed.options = wrap_rest(host->options);
    return wrap_open_in(lacking, &changed, side);
}

static bool lacks(const struct lacking *lacking, uint32_t operation)
{
    const char *at = lacking->lacks;
    while (*at != '\0') {
        char *end;
        if (strtoul(at, &end, 0) == operation)
            return true;
        at = *end == '+' ? end + 1 : "";
    }
    return false;
}

static wcts_status lacking_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct lacking *lacking = instance;
    struct wrapped *wrapped = lacking->wrapped;
    if (lacks(lacking, operation))
        return WCTS_STATUS_NOT_IMPLEMENTED;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

TEST_PLUGIN_OPEN("lacks-some", WCTS_SIDE_KERNEL, lacking_open, lacking_call, wrap_close_in)
