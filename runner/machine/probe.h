/* SPDX-License-Identifier: MIT */
/* The scripted driver. */
#ifndef WCTS_PROBE_H
#define WCTS_PROBE_H

#include "../exchange/exchange.h"
#include "../oracle/world.h"
#include "machine.h"

/* A page of an aperture segment, and the system page that is mapped there. */
struct wcts_machine_aperture_page {
    uint32_t space;
    uint64_t page, system;
};

/* How many requests to patch it remembers until they are submitted. */
#define WCTS_PROBE_PATCHES 8u

/* Structures that it answers with. */
enum wcts_machine_probe_structure {
    WCTS_PROBE_INFO,
    WCTS_PROBE_SEGMENTS,
    WCTS_PROBE_SEGMENT,
    WCTS_PROBE_ALLOCATION,
    WCTS_PROBE_STANDARD,
    WCTS_PROBE_STRUCTURES
};

/* A driver whose answers are the adapter instances of a world. */
struct wcts_machine_probe {
    const struct wcts_spec *spec;
    int structures[WCTS_PROBE_STRUCTURES]; /* in the spec */
    const struct wcts_world *world;
    const struct wcts_symbols *symbols;
    int creations;      /* DRIVER_ALLOCATION_CREATE calls so far */
    const int *answers; /* adapter instances that answer the current call, NULL: in their order */
    int answer_count;
    bool unmade;   /* True if no allocation is made during the current call */
    bool unmoved;  /* True if no transfer is carried out during the current call */
    bool unmapped; /* True if nothing is mapped into apertures during the current call */
    struct wcts_machine *machine;
    struct wcts_machine_aperture_page *mapped; /* what is mapped into aperture segments */
    int mapped_count, mapped_room;
    uint64_t next_handle;
    struct wcts_exchange *exchange; /* records its own use of memory */
    struct wcts_DXGKARG_PATCH patched[WCTS_PROBE_PATCHES];
    unsigned patch_count;
    unsigned pagings;  /* DRIVER_PAGING calls so far */
    unsigned presents; /* DRIVER_PRESENT calls so far */
};

/* Once, when the spec is set. */
void wcts_machine_probe_find_structures(struct wcts_machine_probe *probe);
/* Forgets all since the last boot. */
void wcts_machine_probe_reset(struct wcts_machine_probe *probe);
void wcts_machine_probe_release(struct wcts_machine_probe *probe);
/* DRIVER_PAGING, DRIVER_RENDER and DRIVER_PRESENT (probe_paging.c). */
wcts_status wcts_machine_probe_paging(struct wcts_machine_probe *probe, const void *request,
                                      void *reply);
wcts_status wcts_machine_probe_render(struct wcts_machine_probe *probe, const void *request,
                                      uint32_t request_size, void *reply, uint32_t room,
                                      uint32_t *reply_size);
wcts_status wcts_machine_probe_present(struct wcts_machine_probe *probe, const void *request,
                                       uint32_t request_size, void *reply, uint32_t room,
                                       uint32_t *reply_size);
/* DRIVER_PATCH and DRIVER_SUBMIT of a driver that patches (patch.c). */
wcts_status wcts_machine_probe_patch(struct wcts_machine_probe *probe, const void *request,
                                     uint32_t size);
wcts_status wcts_machine_probe_submit(struct wcts_machine_probe *probe, const void *request);
/* How the adapter writes addresses: enum wcts_patches (probe_info.c). */
uint32_t wcts_machine_probe_patches(const struct wcts_machine_probe *probe);

/* MACHINE_READ and MACHINE_WRITE as the device sees memory: the machine's, and in an aperture
 * segment the system pages that the scripted driver mapped there; ctx is the probe. */
wcts_call_fn wcts_machine_probe_memory;

/* The most answers to questions of one call that are sent beforehand. */
#define WCTS_MACHINE_ANSWERS_MAX 16

/* A question that the kernel asked the scripted driver, and the answer to it. */
struct wcts_machine_answer {
    uint32_t operation;
    wcts_status status;
    uint8_t *question, *reply; /* owned */
    uint32_t question_size, reply_size;
    uint32_t at; /* of the value in the reply; WCTS_WIRE_NO_MEMBER: it is not there */
};

/* What the driver is asked during a call, noted so that it can be answered beforehand. */
struct wcts_machine_answers {
    struct wcts_machine_answer list[WCTS_MACHINE_ANSWERS_MAX];
    int count;
    bool more; /* True if something was asked that cannot be answered beforehand */
};

/* Notes a question and its answer, if that depends on nothing but the question and the world. */
void wcts_machine_answers_note(struct wcts_machine_answers *noted, uint32_t operation,
                               const void *request, uint32_t request_size, wcts_status status,
                               const void *reply, uint32_t reply_size);
void wcts_machine_answers_release(struct wcts_machine_answers *answers);

/* The driver party; ctx is the probe. */
wcts_call_fn wcts_machine_probe_call;

#endif
