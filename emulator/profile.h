/* SPDX-License-Identifier: MIT */
/*
 * Profiles: what real systems do where it differs from the five documents, or where those are
 * silent (--impl emulator,profile=NAME). A profile consists of rows. A row is one observation of a
 * system: what a request has to look like, and whether it is refused or accepted then. All that no
 * row of the profile covers is as without a profile.
 *
 *   profile=windows                 all rows of Windows
 *   profile=windows,without=W3+W24  all but these
 *   profile=windows,only=W3+W24     these alone
 *
 * Some ids name two rows, which are switched together.
 */
#ifndef EMU_PROFILE_H
#define EMU_PROFILE_H

#include "wddm-cts.h"

struct emu_kernel;
struct emu_side;

/* The rows, for EMU_ROW, EMU_ROW_HOLDS and EMU_ROW_ON; profile_rows.c has what they are. */
enum emu_row_index {
    EMU_ROW_W2,
    EMU_ROW_W3,
    EMU_ROW_W4,
    EMU_ROW_W7,
    EMU_ROW_W12,
    EMU_ROW_W13,
    EMU_ROW_W14,
    EMU_ROW_W16,
    EMU_ROW_W18,
    EMU_ROW_W23,
    EMU_ROW_W24,
    EMU_ROW_W25B,
    EMU_ROW_W25C,
    EMU_ROW_W29,
    EMU_ROW_W30,
    EMU_ROW_W36,
    EMU_ROW_S1,
    EMU_ROW_S2A,
    EMU_ROW_S2B,
    EMU_ROW_S5A,
    EMU_ROW_P5,
    EMU_ROW_M3,
    EMU_ROW_M5_SECTION,
    EMU_ROW_M5_SECTION_ALONE,
    EMU_ROW_M5_PROTECTED,
    EMU_ROW_M7A,
    EMU_ROW_M7B_MEMORY,
    EMU_ROW_M7B_NONE,
    EMU_ROW_M8,
    EMU_ROW_M10,
    EMU_ROW_M11,
    EMU_ROW_M12,
    EMU_ROW_M13,
    EMU_ROW_M16,
    EMU_ROW_M17,
    EMU_ROW_M22,
    EMU_ROW_M23,
    EMU_ROW_M28,
    EMU_ROW_G1,
    EMU_ROW_G2,
    EMU_ROW_G13,
    EMU_ROW_U1,
    EMU_ROW_U2,
    EMU_ROW_CAF_002,
    EMU_ROW_CAF_007,
    EMU_ROW_CAF_010,
    EMU_ROW_CAF_018,
    EMU_ROW_CAF_021,
    EMU_ROW_CAF_022,
    EMU_ROW_CAF_023,
    EMU_ROW_CAF_025,
    EMU_ROW_COUNT
};

/* Sets of rows. */
#define EMU_ROW(name) (UINT64_C(1) << EMU_ROW_##name)
WCTS_STATIC_ASSERT(EMU_ROW_COUNT <= 64, "a set of rows has 64 bits");

/* The systems, for sets of them. */
enum emu_system {
    EMU_SYSTEM_WINDOWS = 1 << 0,
    EMU_SYSTEM_WSL2 = 1 << 1,
    EMU_SYSTEM_WINE = 1 << 2,
};

/* A request that rows are evaluated for. */
struct emu_ask {
    const struct emu_kernel *kernel;
    const void *request; /* at least as long as its struct */
    uint32_t size;
    /* Of KERNEL_ALLOCATION_CREATE: */
    const struct wcts_D3DKMT_CREATEALLOCATION *create;
    uint32_t flags;             /* those that the version names */
    const unsigned char *infos; /* NumAllocations of any alignment; NULL: not in the message */
    int described;              /* there is a description of a standard allocation: standard */
    struct wcts_D3DKMT_CREATESTANDARDALLOCATION standard;
};

/* True if the request is one that the row is about. */
typedef int emu_row_fn(const struct emu_ask *ask);

struct emu_row {
    const char *id;
    uint32_t systems;   /* enum emu_system */
    uint32_t operation; /* WCTS_KERNEL_...; 0: of several, and holds is NULL */
    emu_row_fn *holds;  /* NULL: the row is no matter of a single request */
    /* The status of the refusal. SUCCESS: what the row is about is done, where the function that
     * does it names the row. */
    wcts_status refused;
};

struct emu_profile {
    const char *name;
    uint32_t system; /* one of enum emu_system */
};

/* A value of an option. */
struct emu_text {
    const char *text; /* NULL: the option is not given */
    size_t length;
};

/* The options profile, without and only. */
struct emu_profile_options {
    struct emu_text profile, without, only;
};

#pragma GCC visibility push(hidden)

extern const struct emu_row emu_rows[EMU_ROW_COUNT];

/* Reads an option if it is one of a profile. Returns 0 when it is another one. */
int emu_profile_option(struct emu_profile_options *options, const char *text, size_t length);

/* Switches on what the options name. Returns 0 when there is no such profile or row, and logs that.
 */
int emu_profile_select(const struct emu_profile_options *options, struct emu_side *base);

/* Finds the rows that hold for the call at hand. Returns the status of the first one that refuses
 * it, else success. */
wcts_status emu_profile_begin(struct emu_kernel *kernel, uint32_t operation, const void *request,
                              uint32_t request_size);

#pragma GCC visibility pop

/* True if a row of a single request is on, and holds for the call at hand. */
#define EMU_ROW_HOLDS(kernel, name) (((kernel)->holding & EMU_ROW(name)) != 0)

/* True if a row is on that is no matter of a single request. */
#define EMU_ROW_ON(side, name) (((side)->rows & EMU_ROW(name)) != 0)

#endif
