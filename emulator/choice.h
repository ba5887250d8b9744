/* SPDX-License-Identifier: MIT */
/*
 * Choices: what the documents leave open, done otherwise than the emulator does it. One is switched
 * on by name (--impl emulator,choice=NAME), and then no case may turn red: what does would hold
 * against an implementation what no document says. Which statements leave it open stands in
 * tests/faults/choices.
 *
 * Like a fault, a choice is on for one instance, while it is being called (plugin.c).
 */
#ifndef EMU_CHOICE_H
#define EMU_CHOICE_H

#include "wddm-cts.h"

struct emu_adapter;
struct emu_allocation;
struct emu_body;
struct emu_content;
struct emu_device;
struct emu_instance;
struct emu_kernel;
struct emu_mapping;
struct emu_paging_buffer;
struct emu_reply;

/* The choices, for EMU_CHOICE; choice.c has their names. */
enum emu_choice_index {
    EMU_CHOICE_OWN_SHARE_REFUSED,
    EMU_CHOICE_RESOURCE_OPENED,
    EMU_CHOICE_SIZE_ALONE_TAKEN,
    EMU_CHOICE_SECTION_KIND,
    EMU_CHOICE_WORK_BEFORE_POWER_GOES,
    EMU_CHOICE_PAGING_BUFFER_ANEW,
    EMU_CHOICE_PAGING_SUBMITTED_LATE,
    EMU_CHOICE_MOVES_ANOTHER_BESIDE,
    EMU_CHOICE_UNMAPS_BEFORE_IT_MAPS,
    EMU_CHOICE_PAGES_IN_ANOTHER,
    EMU_CHOICE_PAGE_BY_PAGE,
    EMU_CHOICE_PAGES_IN_TWICE,
    EMU_CHOICE_BANK_IN_ANY_SEGMENT,
    EMU_CHOICE_SHORT_COMMANDS_GET_MORE,
    EMU_CHOICE_WORK_WHEN_POWER_COMES,
    EMU_CHOICE_PAGES_IN_WHEN_EVICTING,
    EMU_CHOICE_FILLS_NOTHING_FIRST,
    EMU_CHOICE_RESTORES_IN_A_CONTEXT,
    EMU_CHOICE_BUFFERS_FROM_ONE_POOL,
    EMU_CHOICE_RENDERS_WITHOUT_IT,
    EMU_CHOICE_SECTIONS_UNCHECKED,
    EMU_CHOICE_SECURES_FOR_ITSELF,
    EMU_CHOICE_COPIES_ANOTHER_IN_PLACE,
    EMU_CHOICE_MOVES_INTO_ITS_APERTURE,
    EMU_CHOICE_UNMAPS_IN_MEMORY,
    EMU_CHOICE_ROUNDS_TO_64K,
    EMU_CHOICE_ROUNDS_TO_128K,
    EMU_CHOICE_NEIGHBOURS_LEAVE_TOO,
    EMU_CHOICE_COMPACTS_WHEN_POWER_GOES,
    EMU_CHOICE_SOME_POWER_WORK_IN_CONTEXTS,
    EMU_CHOICE_PLACED_TWICE,
    EMU_CHOICE_ABSENT_SEGMENTS_REFUSED,
    EMU_CHOICE_NO_SEGMENT_REFUSED,
    EMU_CHOICE_HUGE_SIZE_REFUSED,
    EMU_CHOICE_ZERO_ALIGNMENT_REFUSED,
    EMU_CHOICE_ODD_ALIGNMENT_REFUSED,
    EMU_CHOICE_UNPITCHED_IN_PITCH_REFUSED,
    EMU_CHOICE_BANKS_FROM_2_0_REFUSED,
    EMU_CHOICE_EMPTY_BANKS_REFUSED,
    EMU_CHOICE_HUGE_HANDLES,
    EMU_CHOICE_PLACED_FROM_THE_END,
    EMU_CHOICE_LAST_SEGMENTS_FIRST,
    EMU_CHOICE_NEWEST_LEAVE_FIRST,
    EMU_CHOICE_SEGMENTS_ASKED_TWICE,
    EMU_CHOICE_PAGED_IN_WHEN_CREATED,
    EMU_CHOICE_EVICTED_WHEN_LOCKED,
    EMU_CHOICE_NEVER_ZEROED_BEFORE_2_6,
    EMU_CHOICE_FENCES_DESCEND,
    EMU_CHOICE_FILLED_BEFORE_CONTENT_COMES,
    EMU_CHOICE_DESTROYED_ONE_BY_ONE,
    EMU_CHOICE_OTHER_HALF_LEAVES,
    EMU_CHOICE_PAGING_BUILT_AHEAD,
    EMU_CHOICE_HIDDEN_PRIMARY_REFUSED,
    EMU_CHOICE_PAGES_OUT_IN_OTHER_CALLS,
    EMU_CHOICE_COUNT
};

/* Sends a request to the driver's paging (kernel_paging.c). */
typedef wcts_status emu_page_fn(struct emu_kernel *kernel,
                                struct wcts_driver_paging_request *request, uint64_t context);

/* Tells the driver of the end of contents linked by next_doomed (kernel_destroy.c). */
typedef void emu_tell_fn(struct emu_kernel *kernel, const struct emu_content *first,
                         const struct emu_body *body);

/* A choice. What it does at places where several choices do something stands here, for
 * EMU_CHOICE_AT; 0 or NULL: nothing. */
struct emu_choice {
    const char *name;
    uint32_t paging_buffer; /* bytes of it; each request gets a new one */
    uint32_t private_data;  /* bytes of the paging buffer's private data */
    uint32_t least_room;    /* bytes that a request needs of the paging buffer */
    uint64_t run;           /* bytes that one request transfers or maps at most */
    uint64_t rounding;      /* what sizes are rounded up to */
    /* Before any call, and before KERNEL_EVICT, KERNEL_PAGE_IN and KERNEL_POWER. */
    void (*calling)(struct emu_kernel *kernel, uint32_t operation);
    void (*evicting)(struct emu_kernel *kernel, const struct emu_allocation *allocation);
    void (*paging_in)(struct emu_kernel *kernel, const struct emu_allocation *allocation,
                      int write);
    void (*power)(struct emu_kernel *kernel, uint32_t state);
    /* Before an aperture's pages are mapped, and before content moves. */
    void (*mapping)(struct emu_kernel *kernel, const struct emu_mapping *mapping, uint64_t context,
                    emu_page_fn *page);
    void (*transfer)(struct emu_kernel *kernel, const struct emu_instance *instance,
                     uint64_t context, emu_page_fn *page);
    /* Behind the last request for what is moved or mapped. */
    void (*built)(struct emu_kernel *kernel);
    /* True when the driver's answer is refused. */
    int (*refuses)(const struct emu_kernel *kernel, const struct emu_adapter *adapter,
                   const struct wcts_DXGK_ALLOCATIONINFO *info);
    int (*refuses_segment)(const struct emu_kernel *kernel, const struct emu_reply *reply,
                           const struct wcts_DXGK_SEGMENTDESCRIPTOR *segment);
};

#pragma GCC visibility push(hidden)

extern const struct emu_choice emu_choices[EMU_CHOICE_COUNT];
extern const struct emu_choice *emu_choice; /* that is on; NULL: none */

/* The choice with this name, or NULL. */
const struct emu_choice *emu_choice_find(const char *name, size_t length);

#pragma GCC visibility pop

/* usual, or other while the choice is on. Both have one type and may have side effects. */
#define EMU_CHOICE(name, usual, other)                                                             \
    (__builtin_expect(emu_choice == &emu_choices[EMU_CHOICE_##name], 0) ? (other) : (usual))

/* The same for all choices that have the member. other may use emu_choice->member. */
#define EMU_CHOICE_AT(member, usual, other)                                                        \
    (__builtin_expect(emu_choice != NULL && emu_choice->member, 0) ? (other) : (usual))

/* ---- what they do, beyond an expression (choice.c) ---- */

#pragma GCC visibility push(hidden)

/* True when the device has opened what it is to open. */
int emu_choice_opened(const struct emu_device *device, const struct emu_body *body);

/* The body of a resource of the device's own, or of one whose sharing is restricted; or NULL. */
struct emu_body *emu_choice_body(const struct emu_kernel *kernel, const struct emu_device *device,
                                 uint64_t handle);

/* Submits what was held back, and holds this back until the next request was patched, or until
 * there is none for what is moved or mapped: each that was answered is submitted. */
wcts_status emu_choice_submit_late(struct emu_kernel *kernel,
                                   const struct wcts_driver_submit_request *submit);

/* Holds back a part of the paging buffer until the next one is built, or until there is none. */
void emu_choice_hold(struct emu_kernel *kernel, const struct wcts_driver_patch_request *patch,
                     const struct wcts_driver_submit_request *submit);

/* Begins the paging buffer again, and returns 1. */
int emu_choice_begin(struct emu_paging_buffer *buffer);

/* Gives back the memory of a paging buffer that is in use. */
void emu_choice_give_buffer(struct emu_kernel *kernel, uint64_t buffer, uint64_t private_data);

/* The length of a run, cut to the choice's. */
uint64_t emu_choice_run(uint64_t length);

/* Takes the only allocation out of a submission. Returns 0 when it is not the only one. */
int emu_choice_leave_out(const struct wcts_kernel_submit_request *asked);

/* Remembers where existing memory is, and secures what was remembered last, if anything. */
void emu_choice_remember(uint64_t address);
void emu_choice_secure(struct emu_kernel *kernel);

/* The context, or none, in turns. */
uint64_t emu_choice_context(struct emu_kernel *kernel, const struct emu_instance *instance);

/* Pages in an allocation that was elsewhere, twice, in two places. */
wcts_status emu_choice_place_twice(struct emu_kernel *kernel,
                                   const struct emu_allocation *allocation, int write);

/* Asks for the segments once more, unless the status is a failure. */
wcts_status emu_choice_ask_again(struct emu_kernel *kernel, wcts_status status,
                                 struct emu_reply *reply);

/* Pages in what was created: a chain linked by next. */
void emu_choice_page_in_all(struct emu_kernel *kernel, const struct emu_allocation *first);

/* Tells the driver of the end of all but the last, one by one. Returns the last. */
const struct emu_content *emu_choice_tell_each(struct emu_kernel *kernel,
                                               const struct emu_content *first, emu_tell_fn *tell);

#pragma GCC visibility pop

#endif
