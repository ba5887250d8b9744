/* SPDX-License-Identifier: MIT */
#include "emu_port.h"

#include <stdlib.h>
#include <string.h>

/* Makes the room zero and at least size bytes long. Returns 0 when there is no memory. */
static int prepare_room(struct emu_port *port, uint32_t size)
{
    if (port->room_size >= size) {
        memset(port->room, 0, port->dirty);
        port->dirty = 0;
        return 1;
    }
    free(port->room);
    port->room = calloc(1, size);
    port->room_size = port->room != NULL ? size : 0;
    port->dirty = 0;
    return port->room != NULL;
}

wcts_status emu_port_call(struct emu_port *port, uint32_t operation, const void *request,
                          uint32_t request_size, uint32_t reply_room, struct emu_reply *reply)
{
    uint32_t size = 0, least = wcts_reply_least(operation);
    wcts_status status;
    if (!prepare_room(port, reply_room > WCTS_REPLY_ROOM ? reply_room : WCTS_REPLY_ROOM))
        return WCTS_STATUS_NO_MEMORY;
    port->dirty = port->room_size;
    status = port->host->call(port->host->ctx, operation, request, request_size, port->room,
                              port->room_size, &size);
    if (!wcts_succeeded(status))
        return status;
    if (size > port->room_size)
        return WCTS_STATUS_INVALID_PARAMETER;
    port->dirty = size;
    /* A reply without members carries nothing that could be missing. */
    if (least > sizeof(struct wcts_none)) {
        if (size < least || *(const uint32_t *)(const void *)port->room < least ||
            *(const uint32_t *)(const void *)port->room > size)
            return WCTS_STATUS_INVALID_PARAMETER;
    }
    if (reply != NULL) {
        reply->data = port->room;
        reply->size = size;
    }
    return status;
}

void emu_port_release(struct emu_port *port)
{
    free(port->room);
    port->room = NULL;
    port->room_size = 0;
}

void emu_log(const struct wcts_host *host, const char *text)
{
    struct emu_port port = {.host = host};
    struct emu_message message = {0};
    uint32_t length = (uint32_t)strlen(text), offset = 0;
    if (emu_message_begin(&message, sizeof(struct wcts_machine_log_request)))
        offset = emu_message_append(&message, text, length);
    if (offset != 0) {
        struct wcts_machine_log_request *request = (void *)message.data;
        request->Length = length;
        request->pText = offset;
        (void)emu_port_call(&port, WCTS_MACHINE_LOG, message.data, message.size, 0, NULL);
    }
    emu_message_release(&message);
    emu_port_release(&port);
}

/* Makes room for count more bytes. Returns 0 when there is no memory. */
static int message_reserve(struct emu_message *message, uint32_t count)
{
    uint64_t need = (uint64_t)message->size + count + 8;
    unsigned char *data;
    if (need <= message->room)
        return 1;
    need = need < 512 ? 512 : need * 2;
    if (need > UINT32_MAX)
        return 0;
    data = realloc(message->data, (size_t)need);
    if (data == NULL)
        return 0;
    message->data = data;
    message->room = (uint32_t)need;
    return 1;
}

int emu_message_begin(struct emu_message *message, uint32_t size)
{
    message->size = 0;
    if (!message_reserve(message, size))
        return 0;
    memset(message->data, 0, size);
    memcpy(message->data, &size, sizeof(size));
    message->size = size;
    return 1;
}

uint32_t emu_message_append(struct emu_message *message, const void *data, uint32_t count)
{
    uint32_t offset = message->size, padding = (8 - count % 8) % 8;
    if (!message_reserve(message, count))
        return 0;
    if (data != NULL)
        memcpy(message->data + offset, data, count);
    else
        memset(message->data + offset, 0, count);
    memset(message->data + offset + count, 0, padding);
    message->size = offset + count + padding;
    return offset;
}

void emu_message_release(struct emu_message *message)
{
    free(message->data);
    memset(message, 0, sizeof(*message));
}
