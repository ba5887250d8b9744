/* SPDX-License-Identifier: MIT */
/* The driver side: its life, its operations, and its way to the machine's memory. */
#include "emu_driver.h"

#include <stdlib.h>
#include <string.h>

uint32_t emu_reply_append(void *reply, uint32_t reply_room, uint32_t *reply_size, const void *data,
                          uint32_t count)
{
    const uint64_t offset = ((uint64_t)*reply_size + 7) & ~UINT64_C(7);
    if (offset > reply_room || count > reply_room - offset)
        return 0;
    memcpy((unsigned char *)reply + offset, data, count);
    *reply_size = (uint32_t)offset + count;
    return (uint32_t)offset;
}

/* Appends the private data and the name of a kind. Returns 0 without room. */
static int append_kind(void *reply, uint32_t reply_room, uint32_t *reply_size, uint32_t index,
                       struct wcts_allocation_kind *kind)
{
    const struct emu_kind_data data = {EMU_KIND_MAGIC, index};
    const char *name = emu_kinds[index].name;
    kind->pPrivateDriverData = emu_reply_append(reply, reply_room, reply_size, &data, sizeof(data));
    kind->PrivateDriverDataSize = sizeof(data);
    kind->pName = emu_reply_append(reply, reply_room, reply_size, name, (uint32_t)strlen(name) + 1);
    return kind->pPrivateDriverData != 0 && kind->pName != 0;
}

static wcts_status driver_info(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    static const char expression[] = "address + offset";
    const struct emu_driver *driver = instance;
    struct wcts_driver_info_reply *answer = reply;
    uint32_t i, end;
    (void)request, (void)request_size;
    answer->capabilities = WCTS_CAPABILITY_FRESH;
    answer->capabilities |= driver->base.any_priority ? WCTS_CAPABILITY_ANY_PRIORITY : 0;
    answer->first_interface_version = EMU_WDDM_1_0;
    answer->last_interface_version = EMU_WDDM_3_2;
    answer->patches = (uint32_t)driver->base.patches;
    answer->paging_operations =
        1u << WCTS_PAGING_TRANSFER | 1u << WCTS_PAGING_FILL |
        EMU_FAULT("SEG-004", 1u << WCTS_PAGING_MAP_APERTURE, WCTS_PAGING_MAP_APERTURE) |
        EMU_FAULT("SEG-037", 1u << WCTS_PAGING_UNMAP_APERTURE, 0u);
    if (driver->base.patches == WCTS_PATCHES_PRIVATE) {
        answer->PatchWidth = EMU_PRIVATE_WIDTH;
        answer->PrivateOffset = EMU_PRIVATE_OFFSET;
        answer->pPatchExpression =
            emu_reply_append(reply, reply_room, reply_size, expression, sizeof(expression));
        if (answer->pPatchExpression == 0)
            return WCTS_STATUS_BUFFER_TOO_SMALL;
        *reply_size = (*reply_size + 7) & ~7u;
    }
    answer->creates_contexts = (uint32_t)driver->base.contexts;
    answer->section_backed_primary = EMU_FAULT("SEG-034", 1u, 0u);
    answer->dma_buffer_segment_set = driver->base.segment_dma ? EMU_SET_OF(EMU_ID_VRAM) : 0;
    answer->KindCount = emu_kind_count;
    answer->pKinds = *reply_size;
    end = *reply_size + emu_kind_count * (uint32_t)sizeof(struct wcts_allocation_kind);
    if (end > reply_room)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    *reply_size = end;
    for (i = 0; i < emu_kind_count; i++) {
        struct wcts_allocation_kind kind = {0};
        if (!append_kind(reply, reply_room, reply_size, i, &kind))
            return WCTS_STATUS_BUFFER_TOO_SMALL;
        memcpy((unsigned char *)reply + answer->pKinds + i * sizeof(kind), &kind, sizeof(kind));
    }
    return WCTS_STATUS_SUCCESS;
}

uint64_t emu_record_new(struct emu_driver *driver, enum emu_handle_kind kind,
                        const struct emu_record *content)
{
    struct emu_record *record = calloc(1, sizeof(*record));
    uint32_t handle = 0;
    if (record != NULL) {
        *record = *content;
        handle = emu_handle_new(&driver->handles, kind, record);
    }
    if (handle == 0)
        free(record);
    return handle;
}

wcts_status emu_machine_read(struct emu_driver *driver, uint32_t space, uint64_t address,
                             void *data, uint32_t length)
{
    const struct wcts_machine_memory_request request = {
        .size = sizeof(request), .Space = space, .Address = address, .Length = length};
    const struct wcts_machine_memory_reply *answer;
    const void *bytes;
    struct emu_reply reply;
    wcts_status status = emu_port_call(&driver->base.port, WCTS_MACHINE_READ, &request,
                                       sizeof(request), length + 256, &reply);
    if (!wcts_succeeded(status))
        return status;
    answer = reply.data;
    bytes = wcts_message_at(reply.data, reply.size, answer->pData, length, 1);
    if (answer->Length != length || bytes == NULL)
        return WCTS_STATUS_INVALID_PARAMETER;
    memcpy(data, bytes, length);
    return WCTS_STATUS_SUCCESS;
}

wcts_status emu_machine_write(struct emu_driver *driver, uint32_t space, uint64_t address,
                              const void *data, uint32_t length)
{
    struct emu_message *message = &driver->request;
    struct wcts_machine_memory_request *request;
    uint32_t offset = 0;
    if (emu_message_begin(message, sizeof(*request)))
        offset = emu_message_append(message, data, length);
    if (offset == 0)
        return WCTS_STATUS_NO_MEMORY;
    request = (void *)message->data;
    request->Space = space;
    request->Address = address;
    request->Length = length;
    request->pData = offset;
    return emu_port_call(&driver->base.port, WCTS_MACHINE_WRITE, message->data, message->size, 0,
                         NULL);
}

#define DRIVER_FIRST WCTS_DRIVER_INFO
#define DRIVER_COUNT (WCTS_DRIVER_PRESENT - DRIVER_FIRST + 1)
#define HANDLER(operation, function)                                                               \
    [WCTS_DRIVER_##operation - DRIVER_FIRST] = {WCTS_DRIVER_##operation, function}

static const struct wcts_handler handlers[DRIVER_COUNT] = {
    HANDLER(INFO, driver_info),
    HANDLER(SEGMENTS, emu_driver_segments),
    HANDLER(ALLOCATION_CREATE, emu_driver_allocation_create),
    HANDLER(ALLOCATION_DESTROY, emu_driver_allocation_destroy),
    HANDLER(STANDARD_ALLOCATION, emu_driver_standard_allocation),
    HANDLER(RENDER, emu_driver_render),
    HANDLER(PAGING, emu_driver_paging),
    HANDLER(PATCH, emu_driver_patch),
    HANDLER(SUBMIT, emu_driver_submit),
    HANDLER(DEVICE, emu_driver_device),
    HANDLER(CONTEXT, emu_driver_context),
    HANDLER(PRESENT, emu_driver_present),
};

wcts_status emu_driver_call(void *instance, uint32_t operation, const void *request,
                            uint32_t request_size, void *reply, uint32_t reply_room,
                            uint32_t *reply_size)
{
    return emu_side_call(handlers, DRIVER_COUNT, DRIVER_FIRST, instance, operation, request,
                         request_size, reply, reply_room, reply_size);
}

void *emu_driver_open(const struct emu_side *base)
{
    struct emu_driver *driver = calloc(1, sizeof(*driver));
    if (driver != NULL)
        driver->base = *base;
    return driver;
}

void emu_driver_close(void *instance)
{
    struct emu_driver *driver = instance;
    uint32_t i;
    for (i = 0; i < driver->handles.count; i++)
        free(driver->handles.entries[i].object);
    emu_handles_release(&driver->handles);
    emu_apertures_release(driver);
    free(driver->patched);
    emu_message_release(&driver->request);
    emu_port_release(&driver->base.port);
    free(driver);
}
