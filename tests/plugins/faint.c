/* SPDX-License-Identifier: MIT */
/*
 * The emulator, which has an operation only as long as that does not expose it, and answers
 * otherwise that it is not there. Option does=NAME, before emulator=PATH, says when.
 */
#include <stdbool.h>

#include "wrap.h"

#define HANDLES_MAX 256
#define ANY UINT32_MAX

struct faint;

/* When an operation is lost. */
struct faint_way {
    const char *name;
    uint32_t operation;
    bool (*loses)(const struct faint *faint, const void *request); /* NULL: what it refuses */
    wcts_status status;
};

struct faint {
    struct wrapped *wrapped;
    const struct faint_way *way;
    uint32_t version;
    uint32_t locked[HANDLES_MAX], evicted[HANDLES_MAX]; /* allocations, whenever that was */
    int locked_count, evicted_count;
    bool settled;
};

static bool is_among(const uint32_t *handles, int count, uint32_t handle)
{
    for (int i = 0; i < count; i++)
        if (handles[i] == handle)
            return true;
    return false;
}

static void note(uint32_t *handles, int *count, uint32_t handle)
{
    if (*count < HANDLES_MAX)
        handles[(*count)++] = handle;
}

/* ---- when ---- */

static bool is_newer(const struct faint *faint, const void *request)
{
    (void)request;
    return faint->version != 0x5023; /* WDDM 2.0 */
}

static bool was_locked(const struct faint *faint, const void *request)
{
    const struct wcts_kernel_lock_request *in = request;
    return is_among(faint->locked, faint->locked_count, in->hAllocation);
}

static bool was_evicted(const struct faint *faint, const void *request)
{
    const struct wcts_kernel_lock_request *in = request;
    return is_among(faint->evicted, faint->evicted_count, in->hAllocation);
}

static bool was_settled(const struct faint *faint, const void *request)
{
    (void)request;
    return faint->settled;
}

static bool is_moved_out(const struct faint *faint, const void *request)
{
    const struct wcts_driver_paging_request *in = request;
    (void)faint;
    return in->Operation == WCTS_PAGING_TRANSFER && in->SourceSegmentId != 0;
}

static bool always(const struct faint *faint, const void *request)
{
    (void)faint, (void)request;
    return true;
}

static bool is_paging(const struct faint *faint, const void *request)
{
    (void)faint;
    return ((const struct wcts_driver_patch_request *)request)->Patch.Flags & 1; /* Paging */
}

static bool is_aperture(const struct faint *faint, const void *request)
{
    const struct wcts_driver_paging_request *in = request;
    (void)faint;
    return in->Operation == WCTS_PAGING_MAP_APERTURE || in->Operation == WCTS_PAGING_UNMAP_APERTURE;
}

static bool is_hibernation(const struct faint *faint, const void *request)
{
    const struct wcts_kernel_power_request *in = request;
    (void)faint;
    return in->State == WCTS_POWER_HIBERNATE;
}

/* The first ones are what a side may lack, the others what it has and loses. */
static const struct faint_way ways[] = {
    {"half", WCTS_KERNEL_LOCK, is_newer, WCTS_STATUS_NOT_IMPLEMENTED},
    {"no-hibernation", WCTS_KERNEL_POWER, is_hibernation, WCTS_STATUS_NOT_SUPPORTED},
    {"once", WCTS_KERNEL_LOCK, was_locked, WCTS_STATUS_NOT_SUPPORTED},
    {"until-evicted", WCTS_KERNEL_LOCK, was_evicted, WCTS_STATUS_NOT_IMPLEMENTED},
    {"mute", ANY, NULL, WCTS_STATUS_NOT_SUPPORTED},
    {"poor", ANY, NULL, WCTS_STATUS_NO_MEMORY},
    {"patchless", WCTS_DRIVER_PATCH, always, WCTS_STATUS_NOT_IMPLEMENTED},
    {"pages-unpatched", WCTS_DRIVER_PATCH, is_paging, WCTS_STATUS_NOT_SUPPORTED},
    {"stuck", WCTS_DRIVER_PAGING, always, WCTS_STATUS_NOT_SUPPORTED},
    {"apertureless", WCTS_DRIVER_PAGING, is_aperture, WCTS_STATUS_NOT_SUPPORTED},
    {"submitless", WCTS_DRIVER_SUBMIT, always, WCTS_STATUS_NOT_SUPPORTED},
    {"restless", WCTS_KERNEL_SETTLE, was_settled, WCTS_STATUS_NOT_IMPLEMENTED},
    {"half-started", WCTS_KERNEL_ADAPTER_START, is_newer, WCTS_STATUS_NOT_SUPPORTED},
    {"nowhere", WCTS_KERNEL_QUERY_ALLOCATION, NULL, 0},
    {"one-way", WCTS_DRIVER_PAGING, is_moved_out, WCTS_STATUS_NOT_SUPPORTED},
};

/* ---- the plug-in ---- */

static wcts_status faint_call(void *instance, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    struct faint *faint = instance;
    const struct faint_way *way = faint->way;
    wcts_status status;
    if (operation == way->operation && way->loses && way->loses(faint, request))
        return way->status;
    status =
        wrap_call(faint->wrapped, operation, request, request_size, reply, reply_room, reply_size);
    if (wcts_succeeded(status) && operation == WCTS_KERNEL_LOCK)
        note(faint->locked, &faint->locked_count,
             ((const struct wcts_kernel_lock_request *)request)->hAllocation);
    faint->settled = faint->settled || operation == WCTS_KERNEL_SETTLE;
    if (wcts_succeeded(status) && operation == WCTS_KERNEL_EVICT)
        note(faint->evicted, &faint->evicted_count,
             ((const struct wcts_kernel_allocation_request *)request)->hAllocation);
    if (way->operation == ANY && !wcts_succeeded(status))
        return way->status;
    if (way->operation == operation && !way->loses && wcts_succeeded(status)) {
        ((struct wcts_kernel_query_allocation_reply *)reply)->SegmentId = 0;
        ((struct wcts_kernel_query_allocation_reply *)reply)->PageSize = 0;
    }
    return status;
}

static void *faint_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct faint *faint = calloc(1, sizeof *faint);
    struct wcts_host own = *host;
    char name[32];
    if (!faint)
        return NULL;
    test_option(&options, "does", name, sizeof name);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, name) == 0)
            faint->way = &ways[i];
    faint->version = host->interface_version;
    own.options = wrap_rest(host->options);
    if (faint->way)
        return wrap_open_in(faint, &own, side);
    free(faint);
    return NULL;
}

TEST_PLUGIN_OPEN("faint", WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER, faint_open, faint_call,
                 wrap_close_in)
