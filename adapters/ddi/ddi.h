/* SPDX-License-Identifier: MIT */
/* What the files of libwddm-cts-ddi share. One instance is one system with up to two adapters, each
 * a device of the driver. */
#ifndef WCTS_DDI_INTERNAL_H
#define WCTS_DDI_INTERNAL_H

#include "include/wddm-cts-ddi.h"

/* What stands in a member that the driver has to write, and behind the end of a structure. */
#define DDI_GARBAGE 0xA5
#define DDI_GARBAGE32 0xA5A5A5A5u
#define DDI_GARBAGE64 UINT64_C(0xA5A5A5A5A5A5A5A5)

#define DDI_ADAPTER_COUNT 2u
#define DDI_PAGE UINT64_C(4096)

/* The structures whose size depends on the version. */
enum ddi_structure {
    DDI_QUERYADAPTERINFO,
    DDI_DRIVERCAPS,
    DDI_CREATEDEVICE,
    DDI_CREATECONTEXT,
    DDI_CREATEALLOCATION,
    DDI_STANDARD,
    DDI_OPENALLOCATION,
    DDI_RENDER,
    DDI_PRESENT,
    DDI_PATCH,
    DDI_SUBMITCOMMAND,
    DDI_PREEMPTCOMMAND,
    DDI_BUILDPAGINGBUFFER,
    DDI_STRUCTURE_COUNT,
};

/* A segment, as far as paging needs it. */
struct ddi_segment {
    uint64_t base_address;
    uint64_t size;
    uint32_t flags; /* DXGK_SEGMENTFLAGS */
    /* Of an aperture: the system address of each page with bit 0 set, or 0. NULL until one is
     * mapped. For the library's own moving of content. */
    uint64_t *pages;
};

struct ddi_adapter {
    struct ddi_instance *instance;
    uint32_t index; /* 0 or 1 */
    int started;
    PVOID device_context; /* hAdapter */
    DXGKRNL_INTERFACE interface;
    struct ddi_segment *segments;
    uint32_t segment_count;
    int segments_known;
    uint32_t asked[2];    /* mappings, and transfers, that could be in two parts */
    uint32_t paging_size; /* PagingBufferSize; 0: not said */
    uint32_t paging_private_size;
    struct ddi_device *system_device; /* NULL until it is needed */
    HANDLE system_context;
    int dpc_queued;
};

/* A device of the driver. The one that is not the kernel's is the system device. */
struct ddi_device {
    struct ddi_device *next;
    struct ddi_adapter *adapter;
    uint64_t kernel_handle; /* 0: the system device */
    HANDLE handle;          /* the driver's */
    uint32_t dma_buffer_segment_set;
    uint32_t patch_location_list_size;
};

struct ddi_context {
    struct ddi_context *next;
    struct ddi_device *device;
    HANDLE handle;
    uint32_t patch_location_list_size;
};

/* An allocation on one device. */
struct ddi_open {
    struct ddi_open *next;
    struct ddi_device *device;
    HANDLE specific; /* hDeviceSpecificAllocation */
};

/* A DMA buffer with commands of the driver's own. */
struct ddi_rendered {
    uint64_t address;
    int submitted; /* since it was rendered, or patched again */
};

/* A driver that was built before the member was there ends before it. */
#define DDI_HAS(driver, member)                                                                    \
    ((driver)->size >= offsetof(struct wcts_ddi_driver, member) + sizeof((driver)->member))

struct ddi_blob {
    void *data; /* NULL when size is 0 */
    uint32_t size;
};

struct ddi_resource {
    struct ddi_resource *next;
    uint64_t handle;      /* the driver's */
    D3DKMT_HANDLE kernel; /* the handle for callbacks */
};

/* An allocation. What the suite calls it is what the driver returned for the adapter on which it
 * was created; on the other one it is created again when something of it is to be there, as Windows
 * does with a cross-adapter resource. */
struct ddi_allocation {
    struct ddi_allocation *next;
    uint64_t handle;
    D3DKMT_HANDLE kernel;
    struct ddi_adapter *home;
    HANDLE native[DDI_ADAPTER_COUNT];
    int exists[DDI_ADAPTER_COUNT];
    struct ddi_blob data;          /* private data */
    struct ddi_blob resource_data; /* of the call that created it */
    struct ddi_resource *resource; /* or NULL */
    struct ddi_open *opens;
};

/* A copy of memory of the machine that the driver sees during one call, written back behind it. */
struct ddi_mirror {
    struct ddi_mirror *next;
    uint64_t address; /* in system memory */
    uint32_t size;
    unsigned char *data;
    unsigned char *before; /* what was there */
    void *block;
    int keep; /* 1: it stays for the next call */
};

/* The bytes from start to end, by offset. */
struct ddi_part {
    uint32_t start;
    uint32_t end;
};

struct ddi_mdl {
    struct ddi_mdl *next;
    uint64_t address;
    MDL mdl; /* the page frame numbers follow */
};

/* What was patched last, for the members of the submission that the interface does not repeat. */
struct ddi_patched {
    uint64_t physical_address;
    uint64_t address;
    uint64_t private_data;
    uint32_t private_size;
    uint32_t private_start;
    uint32_t private_end;
    uint32_t segment;
    int known;
};

/* Private data for a resource that GetStandardAllocationDriverData returned, by type. */
#define DDI_STANDARD_TYPES 5u

struct ddi_instance {
    const struct wcts_host *host;
    const struct wcts_ddi_driver *driver;
    DRIVER_INITIALIZATION_DATA table;
    int initialized;
    struct ddi_adapter adapters[DDI_ADAPTER_COUNT];
    DXGK_DRIVERCAPS caps; /* what the version does not have is 0 */
    int caps_known;
    struct ddi_device *devices;
    struct ddi_context *contexts;
    struct ddi_allocation *allocations;
    struct ddi_resource *resources;
    struct ddi_blob standard[DDI_STANDARD_TYPES];
    /* 1: the driver has no other private data of the type, and the reply repeats that of the
     * resource: a request has to have some. */
    unsigned char standard_of_resource[DDI_STANDARD_TYPES];
    struct ddi_mirror *mirrors;
    struct ddi_mdl *mdls;
    struct ddi_patched patched;
    struct ddi_rendered *rendered; /* DMA buffers whose commands are the driver's */
    uint32_t rendered_count;
    uint32_t own_fence;
    /* The last fence that was submitted: of the kernel's, and of the library's own. */
    UINT submitted[2];
    D3DKMT_HANDLE last_kernel_handle;
};

/* The instance that is being called. The callbacks of Windows name none. */
extern struct ddi_instance *ddi_current;

struct wcts_ddi_gpu {
    struct ddi_adapter *adapter;
};

/* ---- plugin.c ---- */

/* True when the interface version of the run is this one or later. */
static inline int ddi_since(const struct ddi_instance *instance, uint32_t version)
{
    return instance->host->interface_version >= version;
}

/* Starts the adapter when it has not been. */
NTSTATUS ddi_adapter_start(struct ddi_instance *instance, uint32_t index,
                           struct ddi_adapter **adapter);

/* ---- arguments.c: structures of the version of the run ---- */

/* The bytes of the structure at the version of the run. */
uint32_t ddi_size(const struct ddi_instance *instance, enum ddi_structure structure);
/* Memory for one, full of garbage; ends the process without memory. */
void *ddi_arguments(enum ddi_structure structure);
/* Frees it; ends the process when the driver wrote behind the end that it has at this version. */
void ddi_arguments_end(const struct ddi_instance *instance, enum ddi_structure structure,
                       void *arguments);
/* Never returns NULL. Zeroed. */
void *ddi_new(size_t size);
/* True if nobody wrote there since it was filled with DDI_GARBAGE. */
int ddi_is_garbage(const void *bytes, size_t count);

/* ---- log.c ---- */

/* A line for the recorded exchange. */
void ddi_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Something that Windows would not survive: ends the process with the line. */
void ddi_breach(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- level.c: the IRQL of the driver's functions ---- */

void ddi_level_begin(KIRQL level);
/* Ends the process when the driver returned at another level. */
NTSTATUS ddi_level_end(KIRQL level, const char *function, NTSTATUS status);
void ddi_dpcs(void);

#define DDI_CALL_AT(level, name, call) (ddi_level_begin(level), ddi_level_end(level, #name, (call)))
#define DDI_CALL(name, call) DDI_CALL_AT(PASSIVE_LEVEL, name, call)

/* ---- memory.c ---- */

NTSTATUS ddi_read(const struct ddi_instance *instance, uint32_t space, uint64_t address, void *data,
                  uint32_t length);
NTSTATUS ddi_write(const struct ddi_instance *instance, uint32_t space, uint64_t address,
                   const void *data, uint32_t length);
/* The bytes of system memory for the driver. NULL without any, or where there is no memory. */
void *ddi_mirror(struct ddi_instance *instance, uint64_t address, uint32_t size);
/* The same, when nobody needs to know more than a part of what is there: the rest is garbage, of
 * which nothing is written back but what the driver writes. */
void *ddi_mirror_part(struct ddi_instance *instance, uint64_t address, uint32_t size,
                      struct ddi_part part);
/* The same, of memory that nobody but the driver writes: it is read once for all calls. */
void *ddi_mirror_kept(struct ddi_instance *instance, uint64_t address, uint32_t size);
/* All these bytes are to be written back, also where they are what was there. */
void ddi_mirror_written(struct ddi_instance *instance, const void *data, uint32_t length);
/* Writes back what the driver changed, and ends MDLs and the mirrors that are not kept. */
void ddi_mirrors_end(struct ddi_instance *instance);
/* Ends them all, at the end of the system. */
void ddi_memory_end(struct ddi_instance *instance);
/* An MDL of the pages of system memory. */
PMDL ddi_mdl_new(struct ddi_instance *instance, uint64_t address, uint64_t size);

/* ---- reply.c ---- */

/* Appends count bytes to a reply, aligned to 8. Returns their offset, or 0 without room. */
uint32_t ddi_append(void *reply, uint32_t room, uint32_t *size, const void *data, uint32_t count);

/* ---- caps.c, segments.c, device.c, allocation.c, open.c ---- */

/* DXGK_DRIVERCAPS, once for each instance. */
NTSTATUS ddi_caps(struct ddi_instance *instance);
/* Bit n: the driver is taken to implement the wcts_paging_operation n. */
uint32_t ddi_paging_operations(const struct ddi_instance *instance);
NTSTATUS ddi_segments(struct ddi_adapter *adapter);
/* The device that is not the kernel's, for allocations and paging of the system. */
NTSTATUS ddi_system_device(struct ddi_adapter *adapter, struct ddi_device **device);
/* DmaBufferSegmentSet of a device or context like those that will be created. */
/* Which of an instance's two series of fences one belongs to. */
int ddi_is_own_fence(UINT fence);
uint32_t ddi_dma_buffer_segment_set(struct ddi_instance *instance);
struct ddi_device *ddi_device_of_kernel(struct ddi_instance *instance, uint64_t kernel_handle);
/* By the handle that the kernel gives to Render, Patch and SubmitCommand. context may be NULL. */
struct ddi_device *ddi_origin(struct ddi_instance *instance, uint64_t handle,
                              struct ddi_context **context);
void ddi_devices_end(struct ddi_instance *instance);

struct ddi_allocation *ddi_allocation_of(struct ddi_instance *instance, uint64_t handle);
/* What the driver calls it on the adapter. */
NTSTATUS ddi_allocation_on(struct ddi_allocation *allocation, struct ddi_adapter *adapter,
                           HANDLE *native);
/* Closes and destroys all that is left. */
void ddi_allocations_end(struct ddi_instance *instance);

/* Opens count allocations of one call on a device. create: it is the device that created them. */
NTSTATUS ddi_open(struct ddi_device *device, struct ddi_allocation *const *allocations,
                  uint32_t count, const struct ddi_blob *resource_data, int create);
/* What it is called on the device, opened there when it is not. */
NTSTATUS ddi_specific(struct ddi_allocation *allocation, struct ddi_device *device,
                      HANDLE *specific);
void ddi_close(struct ddi_allocation *allocation);

/* ---- submit.c, engine.c, callbacks.c ---- */

/* Notes that the commands of a DMA buffer are the driver's. */
void ddi_rendered(struct ddi_instance *instance, uint64_t address);
/* A piece of a paging buffer on its way: patched and submitted by the library itself. */
NTSTATUS ddi_submit_piece(struct ddi_adapter *adapter, const void *commands, uint32_t length,
                          uint32_t size);
/* Runs commands on the driver's GPU; nothing when there is none. */
NTSTATUS ddi_execute(struct ddi_adapter *adapter, const void *commands, uint32_t length);
/* Carries out a paging operation in place of the driver's GPU. */
NTSTATUS ddi_move(struct ddi_adapter *adapter, const struct wcts_driver_paging_request *request);
/* Keeps what apertures have mapped. */
NTSTATUS ddi_remap(struct ddi_adapter *adapter, const struct wcts_driver_paging_request *request);

void ddi_interface(struct ddi_adapter *adapter);

/* ---- the operations ---- */

wcts_handler_fn ddi_info;
wcts_handler_fn ddi_driver_segments;
wcts_handler_fn ddi_device_create;
wcts_handler_fn ddi_context_create;
wcts_handler_fn ddi_allocation_create;
wcts_handler_fn ddi_allocation_destroy;
wcts_handler_fn ddi_standard_allocation;
wcts_handler_fn ddi_render;
wcts_handler_fn ddi_present;
wcts_handler_fn ddi_paging;
wcts_handler_fn ddi_patch;
wcts_handler_fn ddi_submit;

#endif
