/* SPDX-License-Identifier: MIT */
/*
 * A plug-in of both sides whose instances are in trouble, by options:
 *   refuse=NUMBER    logs why, and opens nothing at that interface version
 *   refuse=all       ... at any
 *   of=driver        ... only the driver side (default: both)
 *   above=NUMBER     logs why, and aborts in open(), at any later interface version
 *   claim=NUMBER     the last interface version that it claims (default: all)
 *   abort=close      logs why, and aborts in close()
 *   lack=info        the driver does not implement DRIVER_INFO
 */
#include <stdbool.h>
#include <stdio.h>

#include "common.h"

static void log_line(const struct wcts_host *host, const char *text)
{
    struct {
        struct wcts_machine_log_request head;
        char text[64];
    } message = {.head = {.size = sizeof message.head, .pText = sizeof message.head}};
    uint32_t reply[2], size;
    message.head.Length = (uint32_t)snprintf(message.text, sizeof message.text, "%s", text);
    host->call(host->ctx, WCTS_MACHINE_LOG, &message, sizeof message, reply, sizeof reply, &size);
}

static bool is(const struct test_instance *instance, const char *key, const char *value)
{
    char text[32];
    return strcmp(test_option(instance, key, text, sizeof text), value) == 0;
}

static uint32_t number(const struct test_instance *instance, const char *key, uint32_t otherwise)
{
    char text[32];
    test_option(instance, key, text, sizeof text);
    return text[0] ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static void *open_one(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance asked = {.host = host};
    char text[32];
    uint32_t above = number(&asked, "above", UINT32_MAX);
    bool other = is(&asked, "of", "driver") && side != WCTS_SIDE_DRIVER;
    if (!other && host->interface_version > above) {
        log_line(host, "a version that I was not built for");
        abort();
    }
    test_option(&asked, "refuse", text, sizeof text);
    if (!other && (strcmp(text, "all") == 0 || strtoul(text, NULL, 0) == host->interface_version)) {
        log_line(host, "no such version here");
        return NULL;
    }
    return test_open(host, side);
}

static void close_one(void *instance)
{
    const struct test_instance *test = instance;
    if (is(test, "abort", "close")) {
        log_line(test->host, "two handles leaked");
        abort();
    }
    test_close(instance);
}

static wcts_status driver_info(uint32_t last, void *reply, uint32_t *reply_size)
{
    struct wcts_driver_info_reply *out = reply;
    out->size = *reply_size = sizeof *out;
    out->last_interface_version = last;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status call(void *instance, uint32_t operation, const void *request,
                        uint32_t request_size, void *reply, uint32_t reply_room,
                        uint32_t *reply_size)
{
    const struct test_instance *test = instance;
    uint32_t last = number(test, "claim", UINT32_MAX);
    if (test->side == WCTS_SIDE_KERNEL) {
        wcts_status status = test_accept_all(instance, operation, request, request_size, reply,
                                             reply_room, reply_size);
        if (operation == WCTS_KERNEL_INFO)
            ((struct wcts_kernel_info_reply *)reply)->last_interface_version = last;
        return status;
    }
    *reply_size = 0;
    return operation == WCTS_DRIVER_INFO && !is(test, "lack", "info")
               ? driver_info(last, reply, reply_size)
               : WCTS_STATUS_NOT_IMPLEMENTED;
}

TEST_PLUGIN_OPEN("opening", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, open_one, call, close_one)
