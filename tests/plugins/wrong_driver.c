/* SPDX-License-Identifier: MIT */
/*
 * The emulator's driver with one thing wrong. Option does=NAME, before emulator=PATH:
 *   loses-between  of what it moves from one segment to another a byte is lost on its way
 *   large-buffers  a surface over an existing buffer is described with four times its size
 */
#include <stdbool.h>

#include "wrap.h"

#define LOST 0x900u

struct wrong {
    struct wrapped *wrapped;
    bool between, buffers;
    bool over_buffer; /* True if the surface that was asked for last lies over a buffer */
};

static void spoil(const struct wcts_host *host, uint32_t space, uint64_t address)
{
    struct {
        struct wcts_machine_memory_request head;
        uint8_t byte[8];
    } request = {.head = {.size = sizeof request.head,
                          .Space = space,
                          .Address = address,
                          .Length = 1,
                          .pData = sizeof request.head}};
    struct wcts_none none = {0};
    uint32_t size = 0;
    host->call(host->ctx, WCTS_MACHINE_WRITE, &request, sizeof request.head + 1, &none, sizeof none,
               &size);
}

static void page(const struct wrong *wrong, const struct wcts_driver_paging_request *in)
{
    if (wrong->between && in->Operation == WCTS_PAGING_TRANSFER && in->SourceSegmentId != 0 &&
        in->DestinationSegmentId != 0 && in->TransferSize > LOST)
        spoil(&wrong->wrapped->host, in->DestinationSegmentId, in->DestinationAddress + LOST);
}

static void ask(struct wrong *wrong, const struct wcts_driver_standard_allocation_request *in)
{
    wrong->over_buffer = in->StandardAllocationType == WCTS_STANDARD_GDISURFACE &&
                         in->Type == WCTS_GDISURFACE_TEXTURE_CROSSADAPTER &&
                         in->Format == WCTS_D3DDDIFMT_UNKNOWN;
}

static void describe(const struct wrong *wrong, void *reply)
{
    const struct wcts_driver_allocation_create_reply *out = reply;
    struct wcts_DXGK_ALLOCATIONINFO *infos = (void *)((char *)reply + out->pAllocationInfo);
    if (wrong->buffers && wrong->over_buffer)
        infos[0].Size *= 4;
}

static wcts_status wrong_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct wrong *wrong = instance;
    wcts_status status =
        wrap_call(wrong->wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (!wcts_succeeded(status))
        return status;
    if (operation == WCTS_DRIVER_PAGING)
        page(wrong, request);
    if (operation == WCTS_DRIVER_STANDARD_ALLOCATION)
        ask(wrong, request);
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE)
        describe(wrong, reply);
    return status;
}

static void *wrong_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct wrong *wrong = calloc(1, sizeof *wrong);
    struct wcts_host own = *host;
    char does[32];
    if (!wrong)
        return NULL;
    test_option(&options, "does", does, sizeof does);
    wrong->between = strcmp(does, "loses-between") == 0;
    wrong->buffers = strcmp(does, "large-buffers") == 0;
    own.options = wrap_rest(host->options);
    return wrap_open_in(wrong, &own, side);
}

TEST_PLUGIN_OPEN("wrong_driver", WCTS_SIDE_DRIVER, wrong_open, wrong_call, wrap_close_in)
