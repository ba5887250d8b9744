/* SPDX-License-Identifier: MIT */
/*
 * The emulator, with a fault of its own at one version alone: version=0x5023 is its interface
 * version, fault=ID the fault. Other options are the emulator's, as in wrap.h.
 */
#include <stdbool.h>
#include <stdio.h>

#include "wrap.h"

struct at_version {
    struct wrapped *wrapped;
    char *options; /* with the fault, or without */
};

/* The emulator's options, with the fault in front of them at its version. */
static char *options_at(const struct wcts_host *host)
{
    const struct test_instance options = {.host = host};
    char emulator[1024], fault[64], version[32], *text = NULL;
    const char *rest = strstr(host->options, ",strict");
    test_option(&options, "emulator", emulator, sizeof emulator);
    test_option(&options, "fault", fault, sizeof fault);
    test_option(&options, "version", version, sizeof version);
    bool faulty = strtoul(version, NULL, 0) == host->interface_version;
    if (asprintf(&text, "emulator=%s%s%s%s", emulator, faulty ? ",fault=" : "", faulty ? fault : "",
                 rest ? rest : "") < 0)
        return NULL;
    return text;
}

static void *at_open(const struct wcts_host *host, uint32_t side)
{
    struct at_version *at = calloc(1, sizeof *at);
    struct wcts_host changed = *host;
    if (!at)
        return NULL;
    changed.options = at->options = options_at(host);
    at->wrapped = at->options ? wrap_open(&changed, side) : NULL;
    if (at->wrapped)
        return at;
    free(at->options);
    free(at);
    return NULL;
}

static wcts_status at_call(void *instance, uint32_t operation, const void *request,
                           uint32_t request_size, void *reply, uint32_t reply_room,
                           uint32_t *reply_size)
{
    struct wrapped *wrapped = ((struct at_version *)instance)->wrapped;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

static void at_close(void *instance)
{
    struct at_version *at = instance;
    wrap_close(at->wrapped);
    free(at->options);
    free(at);
}

TEST_PLUGIN_OPEN("at-version", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, at_open, at_call, at_close)
