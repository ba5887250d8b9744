/* SPDX-License-Identifier: MIT */
/* The kernel side: its objects, and the functions that its files give each other. */
#ifndef EMU_KERNEL_H
#define EMU_KERNEL_H

#include "emu_handles.h"
#include "emu_pages.h"
#include "emu_side.h"
#include "emu_store.h"

#define EMU_ADAPTER_COUNT 2u

/* Segments that can be named: ids 1 to 31. */
#define EMU_SEGMENT_LIMIT 31u

/* Sets of segments: bit n is the segment with id n + 1. */
struct emu_adapter {
    uint32_t hAdapter;
    uint32_t index;
    int cpu_sees;                             /* its memory, where segments are CpuVisible */
    int section_backed_primary;               /* DXGK_VIDMMCAPS.SectionBackedPrimary */
    int creates_contexts;                     /* DRIVER_INFO */
    int any_priority;                         /* DRIVER_INFO: priority levels do not matter */
    int fills;                                /* DRIVER_INFO: the driver implements FILL */
    int down;                                 /* powered down; for faults */
    int slept;                                /* was down, and up again; for faults */
    uint32_t dma_buffer_segment_set;          /* DRIVER_INFO */
    uint32_t aperture_segments;               /* Aperture or Agp */
    uint32_t pitch_segments;                  /* PitchAlignment */
    uint32_t large_page_segments;             /* Use64KBPages, where the version has it */
    uint32_t no_eviction_segments;            /* described, but not fit for an EvictionSegmentSet */
    struct emu_handle_set driver_allocations; /* live driver handles; kept in strict mode only */
    struct emu_segment *segments;             /* segment_count of them, by id from 1 on; owned */
    uint32_t segment_count;                   /* at most EMU_SEGMENT_LIMIT */
};

struct emu_process {
    uint32_t hProcess;
    int secure;
    struct emu_va_space space;
};

struct emu_submission;

struct emu_device {
    uint32_t hDevice;
    struct emu_adapter *adapter;
    struct emu_process *process;
    uint64_t driver_device;  /* by which the driver knows it */
    uint64_t driver_context; /* by which the driver knows what submits: a context or the device */
    struct emu_submission *last; /* what it submitted last, or NULL; owned */
};

struct emu_section {
    struct emu_process *process;
    uint64_t size;
    struct emu_backing backing; /* made when the first allocation needs it */
};

/* What a device has of a resource. */
struct emu_resource {
    uint32_t hResource;
    int opened; /* made by opening it; for a fault */
    int closed; /* destroyed, and kept by a fault */
    struct emu_device *device;
    struct emu_body *body;
    struct emu_allocation *first;
};

/* What a device has of an allocation. */
struct emu_allocation {
    uint32_t hAllocation;
    int doomed;     /* named by the destroy call at hand */
    uint32_t locks; /* locked so many times */
    uint64_t view;  /* where, while locks is not 0; 0 when a fault lost it */
    int viewed;     /* there was a view of it; for a fault */
    int alternate;  /* the view is of the alternate address */
    struct emu_device *device;
    struct emu_resource *resource; /* or NULL */
    struct emu_allocation *next;   /* of the resource, or of the create call at hand */
    struct emu_allocation *previous;
    struct emu_content *content;
    struct emu_allocation *next_holder; /* of the content */
};

/* A region of user memory: only a kernel without the machine party has its own. */
struct emu_region {
    uint64_t base;
    uint64_t size;
    uint32_t attributes; /* enum wcts_region_attribute */
};

/* The paging buffer, made when it is first used. */
struct emu_paging_buffer {
    uint64_t address; /* 0: not made yet */
    uint64_t private_data;
    uint32_t used;
    uint32_t private_used;
};

/* What choices remember (choice.c). */
struct emu_chosen {
    struct wcts_driver_patch_request patch;   /* held back; size 0: none */
    struct wcts_driver_submit_request submit; /* likewise, behind the patch or alone */
    uint32_t turns;
};

struct emu_kernel {
    struct emu_side base;
    struct emu_handles handles; /* owns its objects */
    struct emu_adapter *adapters[EMU_ADAPTER_COUNT];
    struct emu_message request;         /* the request to the driver under construction */
    struct emu_message bytes;           /* the request to the machine under construction */
    struct emu_content *contents;       /* all of them; owned */
    struct emu_submission *submissions; /* all of them; the devices own them */
    struct emu_memory memory;
    struct emu_paging_buffer paging;
    struct emu_region *regions; /* region_count of them */
    uint32_t region_count;
    uint64_t region_next;     /* the address of the next one */
    uint64_t default_handles; /* handles given out in the place of a driver */
    uint32_t descriptions;    /* requests to the driver for descriptions of allocations */
    uint64_t epoch;           /* KERNEL_SETTLE counts it up */
    uint64_t stamp;
    uint32_t fence;       /* the SubmissionFenceId that was given out last */
    uint64_t mapped_last; /* for a fault: what an aperture was asked to map last */
    uint32_t power;       /* enum wcts_power_state, for a fault */
    uint32_t powering;    /* the state that the call at hand brings about, for a fault */
    /* For a fault: the second quadword of the command that was rendered last; 0: none. */
    uint64_t second_before;
    /* For faults: for which room is made; NULL: none. */
    const struct emu_instance *newcomer;
    /* For faults: the call at hand, and how many requests it has sent to the driver's paging. */
    uint32_t operation;
    uint32_t paging_requests;
    uint32_t started; /* 1 + the Index of the adapter that was started first; 0: none was */
    int stopping;     /* an adapter is, by a call; for a fault */
    int listed;       /* a list of allocations ends, by a call; for a fault */
    int working;      /* what work uses is paged in; for faults */
    int opening;      /* a resource is opened; for faults */
    int closed;       /* what was opened has ended; for a fault */
    /* For faults: what was mapped in the range that was freed last, and whose it was. */
    struct emu_reservation freed;
    uint32_t freed_by;
    uint64_t holding; /* rows of the profile that hold for the call at hand */
    struct emu_chosen chosen;
};

#pragma GCC visibility push(hidden)

/* Gives an object a handle that was never given out, or 0 when there is no memory. */
uint32_t emu_handle_give(struct emu_kernel *kernel, enum emu_handle_kind kind, void *object);

/* Gives an object, or NULL for none, a handle; frees it when that is impossible. Returns 0 then. */
uint32_t emu_adopt(struct emu_kernel *kernel, enum emu_handle_kind kind, void *object);

/* Document 000, the flags of a create call from user mode. */
wcts_status emu_create_flags_judge(const struct emu_kernel *kernel, uint32_t flags);

/* Document 003: reads the segments of a DRIVER_SEGMENTS reply and judges them. */
wcts_status emu_segments_judge(const struct emu_kernel *kernel,
                               const struct wcts_driver_info_reply *info,
                               const struct emu_reply *reply, struct emu_adapter *adapter);

/* Document 001: judges an answer of DRIVER_ALLOCATION_CREATE for an allocation of the type (enum
 * wcts_standard_allocation), the one at the index of its call. */
wcts_status emu_answer_judge(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                             uint32_t standard_type, uint32_t index,
                             const struct wcts_DXGK_ALLOCATIONINFO *info);

/* Document 003: makes the segments of the built-in description, for a kernel that asks no driver.
 */
wcts_status emu_segments_default(struct emu_kernel *kernel, struct emu_adapter *adapter);

void emu_segments_release(struct emu_adapter *adapter);

/* Document 000, ExistingSysMem: secures the buffer of an allocation, then queries its memory. */
wcts_status emu_buffer_secure(struct emu_kernel *kernel, struct emu_buffer *buffer);

/* Releases what emu_buffer_secure secured, if anything. */
void emu_buffer_release(struct emu_kernel *kernel, struct emu_buffer *buffer);

/* User memory: the services of the machine, or of the kernel's own regions. A view of 0 is a new
 * one. */
wcts_status emu_user_secure(struct emu_kernel *kernel, uint64_t address, uint64_t length,
                            uint64_t *handle);
wcts_status emu_user_query(struct emu_kernel *kernel, uint64_t address, uint64_t length,
                           struct emu_region *region);
void emu_user_release(struct emu_kernel *kernel, const struct emu_buffer *buffer);
wcts_status emu_user_view(struct emu_kernel *kernel, struct wcts_machine_view_request *request);
void emu_user_view_end(struct emu_kernel *kernel, uint64_t view);

/* Writes length bytes (zeros when data is NULL) to a space. */
wcts_status emu_machine_store(struct emu_kernel *kernel, uint32_t space, uint64_t address,
                              const void *data, uint32_t length);

/* The operation is not there: no refusal. */
int emu_operation_missing(wcts_status status);

/* For faults: the first device of all that live, of which there must be one. */
const struct emu_device *emu_device_first(const struct emu_kernel *kernel);

/* Makes a content that the allocation holds, or NULL without memory. */
struct emu_content *emu_content_new(struct emu_kernel *kernel, struct emu_allocation *allocation);

/* Makes the backing store of a content, once its size is known. section may be NULL. */
wcts_status emu_content_back(struct emu_kernel *kernel, struct emu_content *content,
                             struct emu_section *section);

/* True when the kernel served it with pages of its own that are zero. */
int emu_content_zeroed(const struct emu_content *content);

/* Makes the allocation hold a content that is there. */
void emu_content_hold(struct emu_content *content, struct emu_allocation *allocation);

/* Ends the allocation's hold. Returns nonzero when it was the last one. */
int emu_content_let_go(struct emu_allocation *allocation);

/* Takes an unheld content out of its segments; nothing happens when it is in none. */
void emu_content_unplace(struct emu_kernel *kernel, struct emu_content *content, uint64_t context);

/* Takes an unheld content out of its segments, submissions and resource. */
void emu_content_leave(struct emu_kernel *kernel, struct emu_content *content, uint64_t context);

/* Frees a content that left, and its memory. */
void emu_content_free(struct emu_kernel *kernel, struct emu_content *content);

/* Makes another instance the current one, so that it can be written while submitted work uses the
 * one that was: document 001, MaximumRenamingListLength. */
wcts_status emu_content_rename(struct emu_kernel *kernel, struct emu_content *content);

int emu_content_in_use(const struct emu_kernel *kernel, const struct emu_content *content);

/* Adds a content to the end of a resource. */
void emu_body_add(struct emu_body *body, struct emu_content *content);

/* Ends one hold of a resource, and with the last one the resource. */
void emu_body_let_go(struct emu_kernel *kernel, struct emu_body *body);

/* True when the segment has memory of its own. */
int emu_segment_has_memory(const struct emu_segment *segment);

/* True when the CPU sees the memory of the segment. */
int emu_segment_cpu_visible(const struct emu_segment *segment);

/* The segment with the id, or NULL. */
struct emu_segment *emu_segment_find(const struct emu_adapter *adapter, uint32_t id);

/* Takes a part of a segment for a DMA buffer, evicting what is in the way. */
wcts_status emu_block_take(struct emu_kernel *kernel, struct emu_segment *segment, uint64_t size,
                           uint64_t context, struct emu_block *block);

/* Gives a part of a segment back. A block in no segment is left alone. */
void emu_block_give(struct emu_block *block);

/* Segments that the allocation may be paged into: for writing, and for reading. */
uint32_t emu_content_segments(const struct emu_kernel *kernel, const struct emu_content *content,
                              int write);

/* True when the content of the instance is in a memory segment, not in its backing store. */
int emu_instance_in_memory(const struct emu_instance *instance);

/* Pages an instance into a segment of the adapter for the work of a context. */
wcts_status emu_page_in(struct emu_kernel *kernel, const struct emu_adapter *adapter,
                        struct emu_instance *instance, int write, uint64_t context);

/* How content leaves a segment. */
enum emu_eviction {
    EMU_EVICT_ANY,      /* through an aperture of its EvictionSegmentSet when there is one */
    EMU_EVICT_STRAIGHT, /* to system memory */
    EMU_EVICT_ANYWHERE, /* through any aperture, for a fault */
};

/* Evicts an instance from where it is. One that is nowhere stays there. */
wcts_status emu_evict(struct emu_kernel *kernel, struct emu_instance *instance,
                      enum emu_eviction eviction, uint64_t context);

/* Makes the backing store of an instance one range, also where it is mapped into an aperture. */
wcts_status emu_instance_join(struct emu_kernel *kernel, struct emu_instance *instance,
                              uint64_t context);

/* Has the driver patch a part of the paging buffer, and submits it. */
void emu_paging_send(struct emu_kernel *kernel, const struct wcts_driver_patch_request *patch,
                     const struct wcts_driver_submit_request *submit);

/* Has the driver move the content of an instance between its backing store and the block. Content
 * that nobody has written is not read from there: the block is filled with zeros. */
wcts_status emu_paging_fetch(struct emu_kernel *kernel, struct emu_instance *instance,
                             uint64_t context);
wcts_status emu_paging_flush(struct emu_kernel *kernel, struct emu_instance *instance,
                             uint64_t context);

/* Has the driver move the content from the instance's block to another one, of an aperture. */
wcts_status emu_paging_through(struct emu_kernel *kernel, struct emu_instance *instance,
                               const struct emu_block *aperture, uint64_t context);

/* A part of a backing store that is mapped into a block of an aperture. */
struct emu_mapping {
    uint64_t hAllocation; /* the driver's */
    const struct emu_block *block;
    const struct emu_backing *backing;
    uint64_t offset; /* bytes */
    uint64_t length;
};

/* Has the driver transfer no byte of a content that it does not know, for faults. */
void emu_paging_disturb(struct emu_kernel *kernel, const struct emu_content *content,
                        uint64_t context);

/* Has the driver map or unmap pages. A failed map leaves nothing mapped. */
wcts_status emu_paging_map(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                           uint64_t context);
wcts_status emu_paging_unmap(struct emu_kernel *kernel, const struct emu_mapping *mapping,
                             uint64_t context);

/* Points the CPU views of an instance at where its content is now. */
void emu_views_follow(struct emu_kernel *kernel, const struct emu_instance *instance);

/* True when a CPU view shows the instance. */
int emu_instance_locked(const struct emu_instance *instance);

/* The allocation with the handle when it is one of the device's, or NULL. */
struct emu_allocation *emu_allocation_of(const struct emu_kernel *kernel, uint32_t hDevice,
                                         uint32_t hAllocation);

/* Ends the view of an allocation. */
void emu_view_end(struct emu_kernel *kernel, struct emu_allocation *allocation);

/* For faults: ends the view of an allocation that stays locked. */
void emu_view_lose(struct emu_kernel *kernel, struct emu_allocation *allocation);

/* The next SubmissionFenceId. */
uint32_t emu_fence_next(struct emu_kernel *kernel);

/* Forgets what a device submitted last; with instance (or NULL) only if it uses that. */
void emu_submission_forget(struct emu_kernel *kernel, struct emu_device *device,
                           const struct emu_instance *instance);

/* Frees a submission, and tells nobody. */
void emu_submission_free(struct emu_submission *submission);

/* Ends allocations: the chain that begins at first, linked by next, all of one adapter and in no
 * list of a resource that stays; and with resource (or NULL) the driver's resource too. Tells the
 * driver, and frees the allocations. */
void emu_allocations_end(struct emu_kernel *kernel, struct emu_allocation *first,
                         const struct emu_resource *resource);

/* Ends a resource with all its allocations. */
void emu_resource_end(struct emu_kernel *kernel, struct emu_resource *resource);

/* For faults: true if the resource, or NULL, was closed, and the call at hand does not take its
 * handles all the same. */
int emu_resource_closed(const struct emu_kernel *kernel, const struct emu_resource *resource);

/* Ends resources of the adapter that NT handles alone keep, with all their contents. */
void emu_kept_end(struct emu_kernel *kernel, const struct emu_adapter *adapter);

/* Ends everything that stands on the adapter, and the adapter. */
void emu_adapter_end(struct emu_kernel *kernel, struct emu_adapter *adapter);

/* Handlers. */
wcts_handler_fn emu_kernel_device;
wcts_handler_fn emu_kernel_region;
wcts_handler_fn emu_kernel_section;
wcts_handler_fn emu_kernel_open_global;
wcts_handler_fn emu_kernel_open_nt;
wcts_handler_fn emu_kernel_lock;
wcts_handler_fn emu_kernel_unlock;
wcts_handler_fn emu_kernel_page_in;
wcts_handler_fn emu_kernel_evict;
wcts_handler_fn emu_kernel_query_allocation;
wcts_handler_fn emu_kernel_submit;
wcts_handler_fn emu_kernel_present;
wcts_handler_fn emu_kernel_preempt;
wcts_handler_fn emu_kernel_power;
wcts_handler_fn emu_kernel_adapter_start;
wcts_handler_fn emu_kernel_adapter_stop;
wcts_handler_fn emu_kernel_allocation_create;
wcts_handler_fn emu_kernel_allocation_destroy;
wcts_handler_fn emu_kernel_shared_primary;
wcts_handler_fn emu_kernel_standard_allocation;
wcts_handler_fn emu_kernel_share;
wcts_handler_fn emu_kernel_va_reserve;
wcts_handler_fn emu_kernel_va_free;
wcts_handler_fn emu_kernel_va_update;
wcts_handler_fn emu_kernel_query_pages;

#pragma GCC visibility pop

#endif
