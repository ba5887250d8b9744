/* SPDX-License-Identifier: MIT */
/* Typed handles, and a set of handles that another party chose. */
#ifndef EMU_HANDLES_H
#define EMU_HANDLES_H

#include <stdint.h>

enum emu_handle_kind {
    EMU_HANDLE_NONE, /* never given out, or dead */
    EMU_HANDLE_ADAPTER,
    EMU_HANDLE_PROCESS,
    EMU_HANDLE_DEVICE,
    EMU_HANDLE_SECTION,
    EMU_HANDLE_RESOURCE,
    EMU_HANDLE_ALLOCATION,
    EMU_HANDLE_GLOBAL_SHARE,
    EMU_HANDLE_NT_SHARE,
    EMU_HANDLE_CONTEXT,
    EMU_HANDLE_STOPPED, /* an adapter whose devices outlive it; for a fault */
};

struct emu_handle_entry {
    void *object; /* not owned */
    enum emu_handle_kind kind;
    enum emu_handle_kind was; /* before it died; for faults */
};

/* A table of handles. All zero is an empty table. A value is never given out twice. */
struct emu_handles {
    struct emu_handle_entry *entries;
    uint32_t count;
    uint32_t room;
    uint32_t first; /* the entries before it are all dead */
};

/* Handles of another party, none of them 0. All zero is an empty set. */
struct emu_handle_set {
    uint64_t *slots; /* 0: free */
    uint32_t room;   /* a power of two, or 0 */
    uint32_t count;
};

#pragma GCC visibility push(hidden)

/* Gives a new handle, or 0 when there is no memory. */
uint32_t emu_handle_new(struct emu_handles *handles, enum emu_handle_kind kind, void *object);

/* The handle that the entry of a table has. */
uint32_t emu_handle_at(uint32_t index);

/* The object of a live handle of that kind, or NULL. */
void *emu_handle_object(const struct emu_handles *handles, uint64_t handle,
                        enum emu_handle_kind kind);

/* For faults: the newest dead handle that was of the kind, or 0; and such a handle given again. */
uint32_t emu_handle_dead(const struct emu_handles *handles, enum emu_handle_kind kind);
uint32_t emu_handle_again(struct emu_handles *handles, uint32_t dead, enum emu_handle_kind kind,
                          void *object);

/* Makes a live handle one of another kind; for a fault. */
void emu_handle_change(struct emu_handles *handles, uint64_t handle, enum emu_handle_kind kind);

/* Ends a live handle. Anything else is left alone. */
void emu_handle_drop(struct emu_handles *handles, uint64_t handle);

/* Frees the table, not the objects. */
void emu_handles_release(struct emu_handles *handles);

/* Adds a handle: 1 when it is new, 0 when the set has it, -1 when there is no memory. */
int emu_handle_set_add(struct emu_handle_set *set, uint64_t handle);

void emu_handle_set_remove(struct emu_handle_set *set, uint64_t handle);

void emu_handle_set_release(struct emu_handle_set *set);

#pragma GCC visibility pop

#endif
