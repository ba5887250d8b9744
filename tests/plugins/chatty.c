/* SPDX-License-Identifier: MIT */
/*
 * The emulator, which says more, and says it oddly. From the environment:
 *   CHATTY_MESSAGES  so many messages to the machine in each KERNEL_VA_UPDATE
 *   CHATTY_LENGTH    of the text of each
 *   CHATTY_SHIFT     pages are answered so many bytes behind where they would be
 */
#include "wrap.h"

static uint32_t setting(const char *name)
{
    const char *value = getenv(name);
    return value ? (uint32_t)strtoul(value, NULL, 0) : 0;
}

static void talk(const struct wrapped *wrapped)
{
    uint32_t length = setting("CHATTY_LENGTH"), size, ignored;
    struct wcts_machine_log_request *request;
    struct wcts_none reply = {0};
    size = (uint32_t)sizeof *request + length;
    request = calloc(1, size);
    if (!request)
        return;
    *request = (struct wcts_machine_log_request){
        .size = sizeof *request, .Length = length, .pText = sizeof *request};
    for (uint32_t left = setting("CHATTY_MESSAGES"); left > 0; left--)
        wrapped->host.call(wrapped->host.ctx, WCTS_MACHINE_LOG, request, size, &reply, sizeof reply,
                           &ignored);
    free(request);
}

static void shift(void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct wcts_kernel_query_pages_reply *out = reply;
    uint32_t by = setting("CHATTY_SHIFT");
    if (by == 0 || *reply_size < out->pPages || by > reply_room - *reply_size)
        return;
    memmove((char *)reply + out->pPages + by, (char *)reply + out->pPages,
            *reply_size - out->pPages);
    out->pPages += by;
    *reply_size += by;
}

static wcts_status chatty_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    wcts_status status;
    if (operation == WCTS_KERNEL_VA_UPDATE)
        talk(wrapped);
    status = wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (operation == WCTS_KERNEL_QUERY_PAGES && status == WCTS_STATUS_SUCCESS)
        shift(reply, reply_room, reply_size);
    return status;
}

WRAP_PLUGIN("chatty", chatty_call)
