/* SPDX-License-Identifier: MIT */
/*
 * The emulator, which refuses what the header and the documents let a kernel refuse: what would
 * move an allocation that is locked, by any of its handles; preempting a device that submitted
 * nothing; an allocation of half of all that 64 bits can count. Option emulator=PATH.
 */
#include <stdbool.h>

#include "wrap.h"

#define HANDLES_MAX 256

struct pair {
    uint32_t first, second;
};

/* The last HANDLES_MAX of what was noted. */
struct pairs {
    struct pair items[HANDLES_MAX];
    uint32_t count;
};

struct refuser {
    struct wrapped *wrapped;
    struct wcts_host host; /* the suite's */
    struct pairs shared;   /* a share, and the allocation that was created with it */
    struct pairs opened;   /* a handle got by opening, and the one of the allocation's creator */
    struct pairs locked;   /* an allocation by its creator's handle, and the one that was locked */
    struct pairs bodies;   /* a resource got by opening, and its allocation */
    struct pairs worked;   /* a device of which a submission was accepted */
};

static void note(struct pairs *pairs, uint32_t first, uint32_t second)
{
    pairs->items[pairs->count++ % HANDLES_MAX] = (struct pair){first, second};
}

static struct pair *find(struct pairs *pairs, uint32_t first)
{
    for (uint32_t i = 0; i < pairs->count && i < HANDLES_MAX; i++)
        if (pairs->items[i].first == first)
            return &pairs->items[i];
    return NULL;
}

/* The handle that the creator has. */
static uint32_t own_handle(struct refuser *refuser, uint32_t allocation)
{
    const struct pair *pair = find(&refuser->opened, allocation);
    return pair ? pair->second : allocation;
}

static bool is_locked(struct refuser *refuser, uint32_t allocation)
{
    return find(&refuser->locked, own_handle(refuser, allocation)) != NULL;
}

static bool uses_locked(struct refuser *refuser, const void *request, uint32_t size)
{
    const struct wcts_kernel_submit_request *in = request;
    const uint32_t *used =
        wcts_message_at(request, size, in->pAllocations, in->AllocationCount, sizeof *used);
    for (uint32_t i = 0; used && i < in->AllocationCount; i++)
        if (is_locked(refuser, used[i]))
            return true;
    return false;
}

static bool may_be_refused(struct refuser *refuser, uint32_t operation, const void *request,
                           uint32_t size)
{
    const struct wcts_kernel_present_request *present = request;
    switch (operation) {
    case WCTS_KERNEL_PAGE_IN:
    case WCTS_KERNEL_EVICT:
        return is_locked(refuser,
                         ((const struct wcts_kernel_allocation_request *)request)->hAllocation);
    case WCTS_KERNEL_SUBMIT:
        return uses_locked(refuser, request, size);
    case WCTS_KERNEL_PRESENT:
        return is_locked(refuser, present->hSource) || is_locked(refuser, present->hDestination);
    case WCTS_KERNEL_PREEMPT:
        return !find(&refuser->worked,
                     ((const struct wcts_kernel_handle_request *)request)->Handle);
    default:
        return false;
    }
}

static void note_created(struct refuser *refuser, const void *reply, uint32_t size)
{
    const struct wcts_kernel_allocation_create *out = reply;
    const struct wcts_D3DDDI_ALLOCATIONINFO2 *first =
        wcts_message_at(reply, size, out->Args.pAllocationInfo2, 1, sizeof *first);
    if (first && out->Args.hGlobalShare != 0)
        note(&refuser->shared, out->Args.hGlobalShare, first->hAllocation);
}

static void note_opened(struct refuser *refuser, uint32_t share, const void *reply)
{
    const struct wcts_kernel_open_reply *out = reply;
    const struct pair *pair = find(&refuser->shared, share);
    note(&refuser->bodies, out->hResource, out->hAllocation);
    if (pair)
        note(&refuser->opened, out->hAllocation, pair->second);
}

/* Ends one view by that handle; whole: all of them. */
static void note_unlocked(struct refuser *refuser, uint32_t allocation, bool whole)
{
    for (uint32_t i = 0; i < refuser->locked.count && i < HANDLES_MAX; i++)
        if (refuser->locked.items[i].second == allocation) {
            refuser->locked.items[i] = (struct pair){0, 0};
            if (!whole)
                return;
        }
}

static void note_destroyed(struct refuser *refuser, const void *request)
{
    const struct wcts_kernel_allocation_destroy_request *in = request;
    const struct pair *body = find(&refuser->bodies, in->Args.hResource);
    if (in->Args.hResource != 0 && body)
        note_unlocked(refuser, body->second, true);
}

/* What an accepted call makes or ends. */
static void note_call(struct refuser *refuser, uint32_t operation, const void *request,
                      const void *reply, uint32_t size)
{
    const struct wcts_kernel_open_global_request *open = request;
    const struct wcts_kernel_lock_request *lock = request;
    const struct wcts_kernel_allocation_request *unlock = request;
    switch (operation) {
    case WCTS_KERNEL_ALLOCATION_CREATE:
        note_created(refuser, reply, size);
        break;
    case WCTS_KERNEL_OPEN_GLOBAL:
        note_opened(refuser, open->hGlobalShare, reply);
        break;
    case WCTS_KERNEL_ALLOCATION_DESTROY:
        note_destroyed(refuser, request);
        break;
    case WCTS_KERNEL_LOCK:
        note(&refuser->locked, own_handle(refuser, lock->hAllocation), lock->hAllocation);
        break;
    case WCTS_KERNEL_UNLOCK:
        note_unlocked(refuser, unlock->hAllocation, false);
        break;
    case WCTS_KERNEL_SUBMIT:
    case WCTS_KERNEL_PRESENT:
        note(&refuser->worked, ((const struct wcts_kernel_submit_request *)request)->hDevice, 0);
        break;
    default:
        break;
    }
}

/* What the kernel asks of others: a driver's answer that no kernel has room for is a refusal. */
static wcts_status asked(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                         void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct refuser *refuser = ctx;
    const struct wcts_driver_allocation_create_reply *out = reply;
    const struct wcts_DXGK_ALLOCATIONINFO *infos;
    wcts_status status = refuser->host.call(refuser->host.ctx, operation, request, request_size,
                                            reply, reply_room, reply_size);
    if (operation != WCTS_DRIVER_ALLOCATION_CREATE || status != WCTS_STATUS_SUCCESS)
        return status;
    infos = wcts_message_at(reply, *reply_size, out->pAllocationInfo, out->NumAllocations,
                            sizeof *infos);
    for (uint32_t i = 0; infos && i < out->NumAllocations; i++)
        if ((infos[i].Size | infos[i].PitchAlignedSize) >> 63)
            return WCTS_STATUS_INVALID_PARAMETER;
    return status;
}

static wcts_status refuser_call(void *instance, uint32_t operation, const void *request,
                                uint32_t request_size, void *reply, uint32_t reply_room,
                                uint32_t *reply_size)
{
    struct refuser *refuser = instance;
    wcts_status status;
    *reply_size = 0;
    if (may_be_refused(refuser, operation, request, request_size))
        return WCTS_STATUS_INVALID_PARAMETER;
    status = wrap_call(refuser->wrapped, operation, request, request_size, reply, reply_room,
                       reply_size);
    if (wcts_succeeded(status))
        note_call(refuser, operation, request, reply, *reply_size);
    return status;
}

static void *refuser_open(const struct wcts_host *host, uint32_t side)
{
    struct refuser *refuser = calloc(1, sizeof *refuser);
    struct wcts_host own = *host;
    if (!refuser)
        return NULL;
    refuser->host = *host;
    own.ctx = refuser;
    own.call = asked;
    return wrap_open_in(refuser, &own, side);
}

TEST_PLUGIN_OPEN("refuse-open", WCTS_SIDE_KERNEL, refuser_open, refuser_call, wrap_close_in)
