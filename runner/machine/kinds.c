/* SPDX-License-Identifier: MIT */
/* The kinds of allocation that a driver under test lists: their private data in requests. */
#include <string.h>

#include "session.h"

/* Appends a kind's private data to the create request that was built, for what it creates from the
 * first element up to the end. */
static void attach_kind(struct wcts_machine_session *session, const uint8_t *data, uint32_t size,
                        uint32_t first, uint32_t end)
{
    struct wcts_exchange_buffer *buffer = &session->request;
    const struct wcts_kernel_allocation_create *request = (const void *)buffer->bytes;
    uint64_t infos_at = request->Args.pAllocationInfo2;
    uint32_t count = request->Args.NumAllocations;
    struct wcts_D3DDDI_ALLOCATIONINFO2 *infos;
    size_t at;
    if (infos_at == 0 ||
        !wcts_message_at(buffer->bytes, (uint32_t)buffer->size, infos_at, count, sizeof *infos))
        return;
    at = wcts_exchange_buffer_add(buffer, size);
    if (at == 0)
        return;
    memcpy(buffer->bytes + at, data, size);
    infos = (void *)(buffer->bytes + infos_at);
    for (uint32_t i = first; i < count && i < end; i++) {
        infos[i].pPrivateDriverData = at;
        infos[i].PrivateDriverDataSize = size;
    }
}

static bool attach_kind_to(struct wcts_machine_session *session, uint32_t number, uint32_t first,
                           uint32_t end)
{
    const uint8_t *reply, *data;
    uint32_t size, count = wcts_exchange_kinds(&session->exchange, &reply, &size);
    const struct wcts_driver_info_reply *info = (const void *)reply;
    struct wcts_allocation_kind kind;
    if (count == 0)
        return false;
    memcpy(&kind, reply + info->pKinds + number % count * sizeof kind, sizeof kind);
    data = wcts_message_at(reply, size, kind.pPrivateDriverData, kind.PrivateDriverDataSize, 1);
    if (data && kind.PrivateDriverDataSize > 0)
        attach_kind(session, data, kind.PrivateDriverDataSize, first, end);
    return data || kind.PrivateDriverDataSize == 0;
}

bool wcts_machine_session_attach_kind(struct wcts_machine_session *session, uint32_t number)
{
    return attach_kind_to(session, number, 0, UINT32_MAX);
}

bool wcts_machine_session_attach_kinds(struct wcts_machine_session *session, uint32_t number)
{
    const struct wcts_kernel_allocation_create *request = (const void *)session->request.bytes;
    const uint32_t count = request->Args.NumAllocations;
    for (uint32_t i = 0; i < count; i++)
        if (!attach_kind_to(session, number + i, i, i + 1))
            return false;
    return true;
}

void wcts_machine_session_attach_kind_at_hand(struct wcts_machine_session *session)
{
    const struct wcts_kernel_allocation_create *request = (const void *)session->request.bytes;
    if (!request->Args.pStandardAllocation)
        wcts_machine_session_attach_kind(
            session, session->kind < 0     ? 0
                     : session->kind_alone ? (uint32_t)session->kind
                                           : (uint32_t)(session->kind + session->kinds_asked++));
}
