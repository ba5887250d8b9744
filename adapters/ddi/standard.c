/* SPDX-License-Identifier: MIT */
/* DRIVER_STANDARD_ALLOCATION: DxgkDdiGetStandardAllocationDriverData, first for the sizes of the
 * private data, then for the data. */
#include "ddi.h"

#include <stdlib.h>

/* The most private data that a driver may want. */
#define DATA_MAX 8192u

union surface {
    D3DKMDT_SHAREDPRIMARYSURFACEDATA primary;
    D3DKMDT_SHADOWSURFACEDATA shadow;
    D3DKMDT_STAGINGSURFACEDATA staging;
    D3DKMDT_GDISURFACEDATA gdi;
};

/* The interface names neither refresh rate nor source: 60 Hz and source 0. Returns where the driver
 * puts the pitch, or NULL. */
static UINT *describe(const struct wcts_driver_standard_allocation_request *in, union surface *out)
{
    memset(out, 0, sizeof *out);
    switch (in->StandardAllocationType) {
    case WCTS_STANDARD_SHAREDPRIMARYSURFACE:
        out->primary = (D3DKMDT_SHAREDPRIMARYSURFACEDATA){
            .Width = in->Width, .Height = in->Height, .Format = in->Format, .RefreshRate = {60, 1}};
        return NULL;
    case WCTS_STANDARD_SHADOWSURFACE:
        out->shadow = (D3DKMDT_SHADOWSURFACEDATA){in->Width, in->Height, in->Format, 0};
        return &out->shadow.Pitch;
    case WCTS_STANDARD_STAGINGSURFACE:
        out->staging = (D3DKMDT_STAGINGSURFACEDATA){in->Width, in->Height, 0};
        return &out->staging.Pitch;
    default:
        out->gdi = (D3DKMDT_GDISURFACEDATA){
            .Width = in->Width, .Height = in->Height, .Format = in->Format, .Type = in->Type};
        return &out->gdi.Pitch;
    }
}

struct standard {
    struct ddi_instance *instance;
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args;
    union surface surface;
    UINT *pitch;
    int pitch_due; /* 1: the driver has to return it */
};

/* Surfaces that the CPU reaches. Of other GDI surfaces the documents demand no pitch. */
static int is_pitch_due(const struct wcts_driver_standard_allocation_request *in)
{
    return in->StandardAllocationType != WCTS_STANDARD_GDISURFACE ||
           in->Type == D3DKMDT_GDISURFACE_STAGING_CPUVISIBLE ||
           in->Type == D3DKMDT_GDISURFACE_EXISTINGSYSMEM ||
           in->Type == D3DKMDT_GDISURFACE_TEXTURE_CROSSADAPTER;
}

static NTSTATUS ask(struct standard *standard)
{
    struct ddi_instance *instance = standard->instance;
    if (standard->pitch != NULL)
        *standard->pitch = DDI_GARBAGE32;
    return DDI_CALL(DxgkDdiGetStandardAllocationDriverData,
                    instance->table.DxgkDdiGetStandardAllocationDriverData(
                        instance->adapters[0].device_context, standard->args));
}

/* The first pass: no buffers; only the sizes change. */
static NTSTATUS ask_sizes(struct standard *standard)
{
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args = standard->args;
    NTSTATUS status;
    args->pAllocationPrivateDriverData = NULL;
    args->AllocationPrivateDriverDataSize = 0;
    args->pResourcePrivateDriverData = NULL;
    args->ResourcePrivateDriverDataSize = 0;
    status = ask(standard);
    if (NT_SUCCESS(status) && (args->AllocationPrivateDriverDataSize > DATA_MAX ||
                               args->ResourcePrivateDriverDataSize > DATA_MAX)) {
        ddi_log("private data of a standard allocation: more than %u bytes", DATA_MAX);
        return STATUS_INVALID_PARAMETER;
    }
    return status;
}

/* What the driver wrote into a buffer is taken up to the size that it names in the second pass. */
static void check_size(uint32_t first, uint32_t second, const char *member)
{
    if (second > first)
        ddi_breach("%s was %u in the first pass and %u in the second, which has room for %u",
                   member, first, second, first);
    if (second < first)
        ddi_log("%s was %u in the first pass and %u in the second", member, first, second);
}

/* The second pass. A buffer of size 0 leaves its pointer null. */
static NTSTATUS ask_data(struct standard *standard)
{
    DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA *args = standard->args;
    const uint32_t size = args->AllocationPrivateDriverDataSize;
    const uint32_t resource_size = args->ResourcePrivateDriverDataSize;
    NTSTATUS status;
    if (size != 0)
        args->pAllocationPrivateDriverData = memset(ddi_new(size), DDI_GARBAGE, size);
    if (resource_size != 0)
        args->pResourcePrivateDriverData =
            memset(ddi_new(resource_size), DDI_GARBAGE, resource_size);
    status = ask(standard);
    if (!NT_SUCCESS(status))
        return status;
    check_size(size, args->AllocationPrivateDriverDataSize, "AllocationPrivateDriverDataSize");
    check_size(resource_size, args->ResourcePrivateDriverDataSize, "ResourcePrivateDriverDataSize");
    if (standard->pitch != NULL && (standard->pitch_due || *standard->pitch != DDI_GARBAGE32))
        ddi_log(*standard->pitch == DDI_GARBAGE32 ? "Pitch was not written" : "Pitch 0x%X",
                *standard->pitch);
    return status;
}

wcts_status ddi_standard_allocation(void *ctx, const void *request, uint32_t request_size,
                                    void *reply, uint32_t room, uint32_t *size)
{
    const struct wcts_driver_standard_allocation_request *in = request;
    struct wcts_driver_standard_allocation_reply *out = reply;
    struct standard standard = {.instance = ctx};
    struct ddi_blob *kept;
    NTSTATUS status;
    (void)request_size;
    if (standard.instance->table.DxgkDdiGetStandardAllocationDriverData == NULL)
        return STATUS_NOT_IMPLEMENTED;
    if (in->StandardAllocationType == 0 || in->StandardAllocationType >= DDI_STANDARD_TYPES)
        return STATUS_NOT_SUPPORTED;
    standard.pitch = describe(in, &standard.surface);
    standard.pitch_due = is_pitch_due(in);
    standard.args = ddi_arguments(DDI_STANDARD);
    standard.args->StandardAllocationType = in->StandardAllocationType;
    standard.args->pCreateSharedPrimarySurfaceData = &standard.surface.primary;
    standard.args->PhysicalAdapterIndex = 0;
    status = ask_sizes(&standard);
    if (NT_SUCCESS(status))
        status = ask_data(&standard);
    if (NT_SUCCESS(status)) {
        const int of_resource = standard.args->AllocationPrivateDriverDataSize == 0;
        standard.instance->standard_of_resource[in->StandardAllocationType] =
            (unsigned char)of_resource;
        out->AllocationPrivateDriverDataSize = of_resource
                                                   ? standard.args->ResourcePrivateDriverDataSize
                                                   : standard.args->AllocationPrivateDriverDataSize;
        if (out->AllocationPrivateDriverDataSize != 0)
            out->pAllocationPrivateDriverData =
                ddi_append(reply, room, size,
                           of_resource ? standard.args->pResourcePrivateDriverData
                                       : standard.args->pAllocationPrivateDriverData,
                           out->AllocationPrivateDriverDataSize);
        else
            ddi_log("a standard allocation has no private data at all");
        if (standard.pitch != NULL && (standard.pitch_due || *standard.pitch != DDI_GARBAGE32))
            out->Pitch = *standard.pitch;
        kept = &standard.instance->standard[in->StandardAllocationType];
        free(kept->data);
        kept->data = standard.args->pResourcePrivateDriverData;
        kept->size = standard.args->ResourcePrivateDriverDataSize;
        free(standard.args->pAllocationPrivateDriverData);
    }
    ddi_arguments_end(ctx, DDI_STANDARD, standard.args);
    return status;
}
