/* SPDX-License-Identifier: MIT */
/* A small driver that patches, writes its fence at the end of the submission (with fence-at-end: of
 * the buffer, which is not wrong), and, with option wrong=WORD, does one thing wrong. With
 * expression=TEXT it declares that it writes what the expression says, '_' for a blank, which is
 * right for "address + offset", and with width=N in as many bytes. With wrong=elsewhere it declares
 * that it writes nothing into the buffer, and does so; with wrong=elsewhere-not it does not.
 * wrong=private: it declares private data, and writes there; private-behind: behind the
 * submission's, too; private-not: into the buffer all the
 * same; private-first: always that of the first element; private-all: what is not to be processed,
 * too. wrong=old-reply: its DRIVER_INFO is that of the first header with this interface, which is
 * not wrong; old-text: that of a header without pProfile. */
#include <stdbool.h>

#include "common.h"

#define BASE UINT64_C(0x100000000)

static bool wrong(const struct test_instance *instance, const char *word)
{
    char value[32];
    return strcmp(test_option(instance, "wrong", value, sizeof value), word) == 0;
}

/* Its notes are before that. */
#define PRIVATE_OFFSET 8u

static bool is_private(const struct test_instance *instance)
{
    char value[32];
    return strncmp(test_option(instance, "wrong", value, sizeof value), "private", 7) == 0;
}

static uint64_t memory(const struct test_instance *instance, uint32_t operation, uint64_t address,
                       uint32_t length, uint64_t value)
{
    struct {
        struct wcts_machine_memory_request head;
        uint64_t value;
    } request = {{.size = sizeof request.head,
                  .Address = address,
                  .Length = length,
                  .pData = sizeof request.head},
                 value};
    struct {
        struct wcts_machine_memory_reply head;
        uint64_t value;
    } reply = {{.size = 0}, 0};
    uint32_t size;
    instance->host->call(instance->host->ctx, operation, &request, sizeof request, &reply,
                         sizeof reply, &size);
    return reply.value;
}

static wcts_status answer_info(const struct test_instance *instance, void *reply,
                               uint32_t *reply_size)
{
    struct wcts_driver_info_reply *out = reply;
    char text[512], word[32];
    out->capabilities = WCTS_CAPABILITY_FRESH;
    out->last_interface_version = UINT32_MAX;
    out->patches = WCTS_PATCHES_32;
    test_option(instance, "wrong", word, sizeof word);
    if (strcmp(word, "old-reply") == 0)
        *reply_size = out->size = offsetof(struct wcts_driver_info_reply, PatchWidth);
    if (strncmp(word, "elsewhere", 9) == 0)
        out->patches = WCTS_PATCHES_ELSEWHERE;
    if (test_option(instance, "expression", text, sizeof text)[0] == '\0')
        return WCTS_STATUS_SUCCESS;
    out->patches = WCTS_PATCHES_EXPRESSION;
    if (is_private(instance)) {
        out->patches = WCTS_PATCHES_PRIVATE;
        out->PrivateOffset = PRIVATE_OFFSET;
    }
    out->PatchWidth = (uint32_t)strtoul(test_option(instance, "width", word, sizeof word), NULL, 0);
    if (wrong(instance, "old-text"))
        *reply_size = out->size = offsetof(struct wcts_driver_info_reply, pProfile);
    out->pPatchExpression = out->size;
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    memcpy((uint8_t *)out + out->pPatchExpression, text, strlen(text) + 1);
    *reply_size += (uint32_t)strlen(text) + 1;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status answer_segments(uint8_t *reply, uint32_t *reply_size)
{
    struct wcts_driver_segments_reply *out = (void *)reply;
    struct wcts_DXGK_SEGMENTDESCRIPTOR *segment = (void *)(out + 1);
    out->Count = 1;
    out->Stride = sizeof *segment;
    out->pSegments = sizeof *out;
    segment->BaseAddress = BASE;
    segment->Size = segment->CommitLimit = 0x1000000;
    *reply_size = sizeof *out + sizeof *segment;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status answer_create(const void *request, uint8_t *reply, uint32_t *reply_size)
{
    static uint64_t next = 0x1000;
    const struct wcts_driver_allocation_create_request *in = request;
    struct wcts_driver_allocation_create_reply *out = (void *)reply;
    struct wcts_DXGK_ALLOCATIONINFO *info = (void *)(out + 1);
    out->NumAllocations = in->NumAllocations;
    out->pAllocationInfo = sizeof *out;
    for (uint32_t i = 0; i < in->NumAllocations; i++) {
        info[i].Alignment = 0x1000;
        info[i].Size = 0x10000;
        info[i].SupportedReadSegmentSet = info[i].SupportedWriteSegmentSet = 1;
        info[i].hAllocation = next++;
        info[i].AllocationPriority = 0x78000000;
    }
    *reply_size = (uint32_t)(sizeof *out + in->NumAllocations * sizeof *info);
    return WCTS_STATUS_SUCCESS;
}

static void patch_one(const struct test_instance *instance, const struct wcts_DXGKARG_PATCH *patch,
                      uint32_t index, const struct wcts_D3DDDI_PATCHLOCATIONLIST *location,
                      const struct wcts_DXGK_ALLOCATIONLIST *list)
{
    uint64_t address = wrong(instance, "handle")
                           ? list[location->AllocationIndex].hDeviceSpecificAllocation
                           : list[location->AllocationIndex].PhysicalAddress;
    uint64_t at = patch->pDmaBuffer + location->PatchOffset;
    if (is_private(instance) && !wrong(instance, "private-not"))
        at = patch->pDmaBufferPrivateData + patch->DmaBufferPrivateDataSubmissionStartOffset +
             PRIVATE_OFFSET + (wrong(instance, "private-first") ? 0 : 4 * index);
    if (!wrong(instance, "offset"))
        address += location->AllocationOffset;
    if (wrong(instance, "add"))
        address += memory(instance, WCTS_MACHINE_READ, at, 4, 0);
    memory(instance, WCTS_MACHINE_WRITE, at, wrong(instance, "width") ? 8 : 4, address);
}

static wcts_status answer_patch(struct test_instance *instance, const uint8_t *request)
{
    const struct wcts_DXGKARG_PATCH *patch =
        &((const struct wcts_driver_patch_request *)(const void *)request)->Patch;
    const struct wcts_D3DDDI_PATCHLOCATIONLIST *locations =
        (const void *)(request + patch->pPatchLocationList);
    const struct wcts_DXGK_ALLOCATIONLIST *list = (const void *)(request + patch->pAllocationList);
    uint32_t first = patch->PatchLocationListSubmissionStart;
    uint32_t end = first + patch->PatchLocationListSubmissionLength;
    uint32_t fence = patch->SubmissionFenceId;
    bool late = wrong(instance, "fence-at-end") || wrong(instance, "late-fence");
    if (wrong(instance, "refuse"))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (wrong(instance, "all") || wrong(instance, "private-all")) {
        first = 0;
        end = patch->PatchLocationListSize;
    }
    if (wrong(instance, "short") && end > first)
        end--;
    if (wrong(instance, "elsewhere"))
        end = first;
    /* As one that takes the word behind Flags for the flags: this is paging, with nothing to patch.
     */
    if (wrong(instance, "engine") && patch->EngineOrdinal & 1)
        end = first;
    if (wrong(instance, "stray"))
        memory(instance, WCTS_MACHINE_WRITE, patch->pDmaBuffer + 0x300, 1, 0);
    for (uint32_t i = first; i < end; i++)
        patch_one(instance, patch, i, &locations[i], list);
    if (wrong(instance, "private-behind"))
        memory(instance, WCTS_MACHINE_WRITE,
               patch->pDmaBufferPrivateData + patch->DmaBufferPrivateDataSubmissionEndOffset, 4, 0);
    if (!wrong(instance, "no-fence"))
        memory(instance, WCTS_MACHINE_WRITE,
               patch->pDmaBuffer +
                   (late ? patch->DmaBufferSize : patch->DmaBufferSubmissionEndOffset) - 4,
               4,
               wrong(instance, "fence") || wrong(instance, "late-fence") ? instance->last_handle
                                                                         : fence);
    instance->last_handle = fence;
    return WCTS_STATUS_SUCCESS;
}

static wcts_status patching_call(void *instance, uint32_t operation, const void *request,
                                 uint32_t request_size, void *reply, uint32_t reply_room,
                                 uint32_t *reply_size)
{
    *reply_size = wcts_reply_size(operation);
    if (request_size < wcts_request_size(operation) || *reply_size == 0 || reply_room < *reply_size)
        return WCTS_STATUS_INVALID_PARAMETER;
    *(uint32_t *)reply = *reply_size;
    switch (operation) {
    case WCTS_DRIVER_INFO:
        return answer_info(instance, reply, reply_size);
    case WCTS_DRIVER_SEGMENTS:
        return answer_segments(reply, reply_size);
    case WCTS_DRIVER_ALLOCATION_CREATE:
        return answer_create(request, reply, reply_size);
    case WCTS_DRIVER_PATCH:
        return answer_patch(instance, request);
    default:
        *reply_size = 0;
        return WCTS_STATUS_NOT_IMPLEMENTED;
    }
}

TEST_PLUGIN("patching", WCTS_SIDE_DRIVER, patching_call)
