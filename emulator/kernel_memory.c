/* SPDX-License-Identifier: MIT */
/* The kernel's own system memory. What is freed is given out again first and as it was left, so
 * that whoever forgets to make it zero is seen to. */
#include "emu_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of one message that carries memory, and of one that makes memory zero. */
#define CHUNK 8192u
#define ZERO_CHUNK 0x10000u
/* What is larger is taken from fresh memory only and not given out again: nobody would wait until
 * it is zero. */
#define REUSE_LIMIT UINT64_C(0x100000)

/* Cuts size bytes off a free extent. Returns 0 when none is that large. */
static int reuse(struct emu_memory *memory, uint64_t size, struct emu_extent *taken)
{
    uint32_t i = memory->count;
    while (i-- > 0) {
        struct emu_extent *extent = &memory->extents[i];
        if (extent->size < size)
            continue;
        *taken = (struct emu_extent){extent->address, size, extent->dirty};
        extent->address += size;
        extent->size -= size;
        if (extent->size == 0)
            memmove(extent, extent + 1, (--memory->count - i) * sizeof(*extent));
        return 1;
    }
    return 0;
}

int emu_memory_take(struct emu_kernel *kernel, uint64_t size, struct emu_extent *taken)
{
    const uint64_t page = kernel->base.host->page_size;
    struct emu_memory *memory = &kernel->memory;
    if (size == 0 || size > WCTS_KERNEL_MEMORY_END - WCTS_KERNEL_MEMORY)
        return 0;
    size = (size + page - 1) & ~(page - 1);
    if (size <= REUSE_LIMIT && reuse(memory, size, taken))
        return 1;
    if (memory->next == 0)
        memory->next = WCTS_KERNEL_MEMORY;
    if (memory->next > WCTS_KERNEL_MEMORY_END || size > WCTS_KERNEL_MEMORY_END - memory->next)
        return 0;
    *taken = (struct emu_extent){memory->next, size, 0};
    /* A page between: what was not taken together does not follow each other. */
    memory->next += size + page;
    return 1;
}

void emu_memory_give(struct emu_kernel *kernel, const struct emu_extent *extent)
{
    struct emu_memory *memory = &kernel->memory;
    if (extent->size == 0 || extent->size > REUSE_LIMIT)
        return;
    if (memory->count == memory->room) {
        const uint32_t room = memory->room ? memory->room * 2 : 8;
        void *grown = realloc(memory->extents, room * sizeof(*memory->extents));
        if (grown == NULL)
            return; /* it is never given out again */
        memory->extents = grown;
        memory->room = room;
    }
    memory->extents[memory->count++] = *extent;
}

wcts_status emu_machine_store(struct emu_kernel *kernel, uint32_t space, uint64_t address,
                              const void *data, uint32_t length)
{
    struct emu_message *message = &kernel->bytes;
    struct wcts_machine_memory_request *request;
    uint32_t offset = 0;
    if (!kernel->base.machine)
        return WCTS_STATUS_SUCCESS;
    if (emu_message_begin(message, sizeof(*request)))
        offset = emu_message_append(message, data, length);
    if (offset == 0)
        return WCTS_STATUS_NO_MEMORY;
    request = (void *)message->data;
    request->Space = space;
    request->Address = address;
    request->Length = length;
    request->pData = offset;
    return emu_port_call(&kernel->base.port, WCTS_MACHINE_WRITE, message->data, message->size, 0,
                         NULL);
}

wcts_status emu_memory_zero(struct emu_kernel *kernel, uint64_t address, uint64_t size)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint64_t done;
    for (done = 0; done < size && wcts_succeeded(status); done += ZERO_CHUNK)
        status = emu_machine_store(kernel, 0, address + done, NULL,
                                   size - done < ZERO_CHUNK ? (uint32_t)(size - done) : ZERO_CHUNK);
    return status;
}

wcts_status emu_memory_copy(struct emu_kernel *kernel, uint32_t to_space, uint64_t to,
                            uint64_t from, uint64_t size)
{
    struct wcts_machine_memory_request request = {.size = sizeof(request)};
    unsigned char bytes[CHUNK];
    uint64_t done;
    for (done = 0; kernel->base.machine && done < size; done += request.Length) {
        const struct wcts_machine_memory_reply *answer;
        struct emu_reply reply;
        const void *data;
        wcts_status status;
        request.Address = from + done;
        request.Length = size - done < CHUNK ? size - done : CHUNK;
        status = emu_port_call(&kernel->base.port, WCTS_MACHINE_READ, &request, sizeof(request), 0,
                               &reply);
        if (!wcts_succeeded(status))
            return status;
        answer = reply.data;
        data = wcts_message_at(reply.data, reply.size, answer->pData, request.Length, 1);
        if (data == NULL)
            return WCTS_STATUS_INVALID_PARAMETER;
        memcpy(bytes, data, (size_t)request.Length);
        status = emu_machine_store(kernel, to_space, to + done, bytes, (uint32_t)request.Length);
        if (!wcts_succeeded(status))
            return status;
    }
    return WCTS_STATUS_SUCCESS;
}
