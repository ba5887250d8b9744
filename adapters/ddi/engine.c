/* SPDX-License-Identifier: MIT */
/* The GPU: the driver's own, or, for a driver that comes without one, moving what a paging
 * operation names. Apertures are known here as the requests map them. */
#include "ddi.h"

#include <stdlib.h>

#define MAPPED UINT64_C(1)
#define APERTURE_OR_AGP 3u

/* A piece of a range that lies in one page. */
struct piece {
    uint32_t space;
    uint64_t address;
    uint32_t length;
};

static struct ddi_segment *segment_of(struct ddi_adapter *adapter, uint32_t space)
{
    const uint32_t id = space & 0xFFFF;
    return id != 0 && id <= adapter->segment_count ? &adapter->segments[id - 1] : NULL;
}

/* Finds where the beginning of [address, address + length) is. Returns 0 for an unmapped page. */
static int resolve(struct ddi_adapter *adapter, uint32_t space, uint64_t address, uint64_t length,
                   struct piece *out)
{
    const struct ddi_segment *segment = segment_of(adapter, space);
    const uint64_t within = address % DDI_PAGE;
    *out = (struct piece){space, address, (uint32_t)(DDI_PAGE - within)};
    if (out->length > length)
        out->length = (uint32_t)length;
    if (segment == NULL || !(segment->flags & APERTURE_OR_AGP))
        return 1;
    if (segment->pages == NULL || address >= segment->size ||
        !(segment->pages[address / DDI_PAGE] & MAPPED))
        return 0;
    out->space = 0;
    out->address = (segment->pages[address / DDI_PAGE] & ~MAPPED) + within;
    return 1;
}

static NTSTATUS transfer(struct ddi_adapter *adapter,
                         const struct wcts_driver_paging_request *request)
{
    unsigned char bytes[DDI_PAGE];
    NTSTATUS status = STATUS_SUCCESS;
    uint64_t done = 0;
    while (done < request->TransferSize && NT_SUCCESS(status)) {
        struct piece from, to;
        const uint64_t left = request->TransferSize - done;
        if (!resolve(adapter, request->SourceSegmentId, request->SourceAddress + done, left,
                     &from) ||
            !resolve(adapter, request->DestinationSegmentId, request->DestinationAddress + done,
                     from.length, &to))
            return STATUS_INVALID_PARAMETER;
        status = ddi_read(adapter->instance, from.space, from.address, bytes, to.length);
        if (NT_SUCCESS(status))
            status = ddi_write(adapter->instance, to.space, to.address, bytes, to.length);
        done += to.length;
    }
    return status;
}

static NTSTATUS fill(struct ddi_adapter *adapter, const struct wcts_driver_paging_request *request)
{
    unsigned char bytes[DDI_PAGE];
    NTSTATUS status = STATUS_SUCCESS;
    uint64_t done = 0;
    uint32_t i;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(request->FillPattern >> 8 * (i % 4));
    while (done < request->TransferSize && NT_SUCCESS(status)) {
        struct piece to;
        if (!resolve(adapter, request->DestinationSegmentId, request->DestinationAddress + done,
                     request->TransferSize - done, &to))
            return STATUS_INVALID_PARAMETER;
        status = ddi_write(adapter->instance, to.space, to.address, bytes, to.length);
        done += to.length;
    }
    return status;
}

NTSTATUS ddi_move(struct ddi_adapter *adapter, const struct wcts_driver_paging_request *request)
{
    if (request->Operation == WCTS_PAGING_TRANSFER)
        return transfer(adapter, request);
    return request->Operation == WCTS_PAGING_FILL ? fill(adapter, request) : STATUS_SUCCESS;
}

/* True if a page of an aperture segment leads where it is to lead: to the one that is mapped there
 * now, or, unmapped (0), away from the one that was before, if any. */
static int leads_right(struct ddi_adapter *adapter, uint32_t segment, uint64_t page, uint64_t now,
                       uint64_t before)
{
    struct wcts_ddi_gpu gpu = {.adapter = adapter};
    const uint64_t found =
        wcts_ddi_machine_address(adapter->instance->driver->aperture(&gpu, segment, page));
    if (now != 0 ? found == (now & ~MAPPED) : before == 0 || found != (before & ~MAPPED))
        return 1;
    ddi_log(now != 0 ? "page 0x%llx of aperture segment %u does not lead to the page that is mapped"
                     : "page 0x%llx of aperture segment %u still leads to what was mapped there",
            (unsigned long long)page, segment);
    return 0;
}

/* Others than those of the request are to lead where they led. */
static NTSTATUS look_at_aperture(struct ddi_adapter *adapter,
                                 const struct wcts_driver_paging_request *request,
                                 const uint64_t *before)
{
    const struct ddi_segment *segment = segment_of(adapter, request->SegmentId);
    const struct ddi_instance *instance = adapter->instance;
    uint64_t page;
    if (segment == NULL || !DDI_HAS(instance->driver, aperture) ||
        instance->driver->aperture == NULL || instance->driver->execute == NULL)
        return STATUS_SUCCESS;
    for (page = 0; page < segment->size / DDI_PAGE; page++) {
        const uint64_t within = page - request->OffsetInPages;
        const int named = within < request->NumberOfPages;
        if ((named || segment->pages[page] != 0) &&
            !leads_right(adapter, request->SegmentId & 0xFFFF, page, segment->pages[page],
                         named ? before[within] : 0))
            return STATUS_UNSUCCESSFUL;
    }
    return STATUS_SUCCESS;
}

NTSTATUS ddi_remap(struct ddi_adapter *adapter, const struct wcts_driver_paging_request *request)
{
    struct ddi_segment *segment = segment_of(adapter, request->SegmentId);
    uint64_t i, pages, *before;
    NTSTATUS status;
    if (request->Operation != WCTS_PAGING_MAP_APERTURE &&
        request->Operation != WCTS_PAGING_UNMAP_APERTURE)
        return STATUS_SUCCESS;
    if (segment == NULL)
        return STATUS_INVALID_PARAMETER;
    pages = segment->size / DDI_PAGE;
    if (request->OffsetInPages > pages || request->NumberOfPages > pages - request->OffsetInPages)
        return STATUS_INVALID_PARAMETER;
    if (segment->pages == NULL)
        segment->pages = ddi_new(pages * sizeof *segment->pages);
    before = ddi_new((request->NumberOfPages + 1) * sizeof *before);
    for (i = 0; i < request->NumberOfPages; i++) {
        before[i] = segment->pages[request->OffsetInPages + i];
        segment->pages[request->OffsetInPages + i] =
            request->Operation == WCTS_PAGING_MAP_APERTURE
                ? (request->SystemAddress + i * DDI_PAGE) | MAPPED
                : 0;
    }
    status = look_at_aperture(adapter, request, before);
    free(before);
    return status;
}

NTSTATUS ddi_execute(struct ddi_adapter *adapter, const void *commands, uint32_t length)
{
    struct wcts_ddi_gpu gpu = {.adapter = adapter};
    if (adapter->instance->driver->execute == NULL || length == 0)
        return STATUS_SUCCESS;
    return adapter->instance->driver->execute(&gpu, commands, length);
}

static uint32_t space_of(const struct wcts_ddi_gpu *gpu, uint32_t segment)
{
    return segment != 0 ? WCTS_SPACE(gpu->adapter->index, segment) : 0;
}

/* System memory page by page, since a driver has addresses of pages that lie elsewhere. */
static NTSTATUS gpu_access(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t address,
                           unsigned char *data, uint32_t length, int writes)
{
    const struct ddi_instance *instance = gpu->adapter->instance;
    const uint32_t space = space_of(gpu, segment);
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t done, part;
    for (done = 0; done < length && NT_SUCCESS(status); done += part) {
        const uint64_t at =
            segment != 0 ? address + done : wcts_ddi_machine_address(address + done);
        part = length - done;
        if (segment == 0 && part > DDI_PAGE - at % DDI_PAGE)
            part = (uint32_t)(DDI_PAGE - at % DDI_PAGE);
        status = writes ? ddi_write(instance, space, at, data + done, part)
                        : ddi_read(instance, space, at, data + done, part);
    }
    return status;
}

NTSTATUS wcts_ddi_gpu_read(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t address, void *data,
                           uint32_t length)
{
    return gpu_access(gpu, segment, address, data, length, 0);
}

NTSTATUS wcts_ddi_gpu_write(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t address,
                            const void *data, uint32_t length)
{
    return gpu_access(gpu, segment, address, (unsigned char *)(uintptr_t)data, length, 1);
}

PVOID wcts_ddi_gpu_device(struct wcts_ddi_gpu *gpu)
{
    return gpu->adapter->device_context;
}

uint32_t wcts_ddi_gpu_adapter(const struct wcts_ddi_gpu *gpu)
{
    return gpu->adapter->index;
}
