/* SPDX-License-Identifier: MIT */
/*
 * The emulator's driver, which claims and has less than it. Options, before emulator=PATH:
 *   last=N       its last interface version
 *   opens=N      no instance at a newer one
 *   patches=N    how it says that it patches
 *   paging=N     its paging operations
 *   kinds=N      only so many of its kinds
 *   lacks=patch  DRIVER_RENDER, PRESENT, PATCH and SUBMIT: NOT_IMPLEMENTED
 */
#include <stdbool.h>

#include "wrap.h"

struct declared {
    struct wrapped *wrapped;
    uint32_t last, patches, paging, kinds; /* UINT32_MAX: the emulator's */
    bool lacks;
};

static void replace(uint32_t *member, uint32_t value)
{
    if (value != UINT32_MAX)
        *member = value;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t room, uint32_t *reply_size)
{
    const struct declared *declared = instance;
    struct wcts_driver_info_reply *info = reply;
    bool patches = operation == WCTS_DRIVER_RENDER || operation == WCTS_DRIVER_PRESENT ||
                   operation == WCTS_DRIVER_PATCH || operation == WCTS_DRIVER_SUBMIT;
    wcts_status status;
    if (patches && declared->lacks)
        return WCTS_STATUS_NOT_IMPLEMENTED;
    status =
        wrap_call(declared->wrapped, operation, request, request_size, reply, room, reply_size);
    if (operation == WCTS_DRIVER_INFO && wcts_succeeded(status)) {
        replace(&info->last_interface_version, declared->last);
        replace(&info->patches, declared->patches);
        replace(&info->paging_operations, declared->paging);
        replace(&info->KindCount, declared->kinds);
    }
    return status;
}

static uint32_t number(const struct test_instance *options, const char *name)
{
    char text[32] = "";
    test_option(options, name, text, sizeof text);
    return text[0] ? (uint32_t)strtoul(text, NULL, 0) : UINT32_MAX;
}

static void *boot(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct declared *declared;
    struct wcts_host inner = *host;
    char lacks[16] = "";
    if (host->interface_version > number(&options, "opens"))
        return NULL;
    declared = calloc(1, sizeof *declared);
    if (!declared)
        return NULL;
    declared->last = number(&options, "last");
    declared->patches = number(&options, "patches");
    declared->paging = number(&options, "paging");
    declared->kinds = number(&options, "kinds");
    test_option(&options, "lacks", lacks, sizeof lacks);
    declared->lacks = strcmp(lacks, "patch") == 0;
    inner.options = wrap_rest(host->options);
    return wrap_open_in(declared, &inner, side);
}

TEST_PLUGIN_OPEN("declared", WCTS_SIDE_DRIVER, boot, call, wrap_close_in)
