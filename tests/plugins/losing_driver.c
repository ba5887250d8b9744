/* SPDX-License-Identifier: MIT */
/*
 * The emulator's driver, whose transfers to system memory lose a byte 0x1000 bytes behind their
 * beginning. Option when=NAME, before emulator=PATH: of which.
 *   always
 *   beside   of those that are made while it has more than one allocation
 */
#include <stdbool.h>

#include "wrap.h"

#define LOST 0x1000u

struct losing {
    struct wrapped *wrapped;
    bool beside;
    uint32_t made, ended; /* allocations */
};

static bool loses(const struct losing *losing, const struct wcts_driver_paging_request *in)
{
    return in->Operation == WCTS_PAGING_TRANSFER && in->SourceSegmentId != 0 &&
           in->DestinationSegmentId == 0 && in->TransferSize > LOST &&
           (!losing->beside || losing->made - losing->ended > 1);
}

static void lose(const struct wcts_host *host, uint64_t address)
{
    struct {
        struct wcts_machine_memory_request head;
        uint8_t byte[8];
    } request = {.head = {.size = sizeof request.head,
                          .Address = address + LOST,
                          .Length = 1,
                          .pData = sizeof request.head}};
    struct wcts_none none = {0};
    uint32_t size = 0;
    host->call(host->ctx, WCTS_MACHINE_WRITE, &request, sizeof request.head + 1, &none, sizeof none,
               &size);
}

static wcts_status losing_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct losing *losing = instance;
    const struct wcts_driver_paging_request *in = request;
    wcts_status status =
        wrap_call(losing->wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (operation == WCTS_DRIVER_ALLOCATION_CREATE && wcts_succeeded(status))
        losing->made +=
            ((const struct wcts_driver_allocation_create_request *)request)->NumAllocations;
    if (operation == WCTS_DRIVER_ALLOCATION_DESTROY)
        losing->ended +=
            ((const struct wcts_driver_allocation_destroy_request *)request)->NumAllocations;
    if (operation == WCTS_DRIVER_PAGING && wcts_succeeded(status) && loses(losing, in))
        lose(&losing->wrapped->host, in->DestinationAddress);
    return status;
}

static void *losing_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct losing *losing = calloc(1, sizeof *losing);
    struct wcts_host own = *host;
    char when[16];
    if (!losing)
        return NULL;
    losing->beside = strcmp(test_option(&options, "when", when, sizeof when), "beside") == 0;
    own.options = wrap_rest(host->options);
    return wrap_open_in(losing, &own, side);
}

TEST_PLUGIN_OPEN("losing_driver", WCTS_SIDE_DRIVER, losing_open, losing_call, wrap_close_in)
