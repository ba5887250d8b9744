/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with state that outlives an instance, as a static variable or a leak is.
 * Option what=NAME, before emulator=PATH, says which:
 *   leak      all creations but the first count=N (40) of a process are refused
 *   poison    once an allocation was created with ReadOnly, CreateShared is accepted without
 *             CreateResource
 *   cold      the first creation of a process is refused
 *   every     each count=N-th creation with ReadOnly is refused
 *   chance    one of some count=N creations is refused, counted in the file that file=PATH names,
 * so that neither a case nor those before it say which
 */
#include <stdio.h>

#include "wrap.h"

#define CREATE_RESOURCE 0x1u
#define CREATE_SHARED 0x2u
#define READ_ONLY 0x80u

/* Of the process. */
static uint32_t creations, of_read_only;
static bool poisoned;

static char what[16], count_text[16], file_name[512];

static uint32_t count_or(uint32_t otherwise)
{
    return count_text[0] ? (uint32_t)strtoul(count_text, NULL, 0) : otherwise;
}

/* Counts on over all processes; true for one of so many numbers, in no order that a case could
 * repeat. */
static bool is_drawn(uint32_t of)
{
    uint32_t number = 0;
    FILE *file = fopen(file_name, "r+");
    if (!file && !(file = fopen(file_name, "w+")))
        return false;
    if (fscanf(file, "%u", &number) != 1)
        number = 0;
    rewind(file);
    fprintf(file, "%u\n", number + 1);
    fclose(file);
    number *= 2654435761u;
    return (number >> 16) % of == 0;
}

/* True if the creation is refused because of those before it. */
static bool is_refused(uint32_t flags)
{
    creations++;
    of_read_only += (flags & READ_ONLY) != 0;
    if (strcmp(what, "leak") == 0)
        return creations > count_or(40);
    if (strcmp(what, "cold") == 0)
        return creations == 1;
    if (strcmp(what, "chance") == 0)
        return is_drawn(count_or(10));
    return strcmp(what, "every") == 0 && (flags & READ_ONLY) && of_read_only % count_or(3) == 0;
}

static wcts_status hidden_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    uint8_t copy[WCTS_REPLY_ROOM];
    struct wcts_kernel_allocation_create *in = (void *)copy;
    if (operation != WCTS_KERNEL_ALLOCATION_CREATE || request_size > sizeof copy)
        return wrap_call(instance, operation, request, request_size, reply, reply_room, reply_size);
    memcpy(copy, request, request_size);
    *reply_size = 0;
    if (is_refused(in->Args.Flags))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (poisoned && !(in->Args.Flags & CREATE_RESOURCE))
        in->Args.Flags &= ~CREATE_SHARED;
    wcts_status status =
        wrap_call(instance, operation, copy, request_size, reply, reply_room, reply_size);
    if (status == WCTS_STATUS_SUCCESS && (in->Args.Flags & READ_ONLY) &&
        strcmp(what, "poison") == 0)
        poisoned = true;
    return status;
}

static void *hidden_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct wcts_host own = *host;
    test_option(&options, "what", what, sizeof what);
    test_option(&options, "count", count_text, sizeof count_text);
    test_option(&options, "file", file_name, sizeof file_name);
    own.options = wrap_rest(host->options);
    return wrap_open(&own, side);
}

TEST_PLUGIN_OPEN("hidden-state", WCTS_SIDE_KERNEL, hidden_open, hidden_call, wrap_close)
