/* SPDX-License-Identifier: MIT */
/*
 * wddm-cts-ddi.h: a plug-in made of the memory part of a display miniport. The driver keeps its
 * DxgkDdi functions and their structures; libwddm-cts-ddi answers the DRIVER_ operations of
 * wddm-cts.h by calling them, as the port driver would. docs/drivers.md shows how.
 *
 *     static const struct wcts_ddi_driver driver = {
 *         .size = sizeof driver, .name = "mine", .version = "1", .entry = DriverEntry};
 *     WCTS_DDI_PLUGIN(driver)
 *
 * Each instance of the plug-in is a system that boots: DriverEntry, AddDevice and StartDevice, then
 * the calls of the test, then StopDevice, RemoveDevice and Unload. The second adapter of a test is
 * a second device. A driver sees the structures of the version of the run: what is behind their
 * end must stay as it is, and what a driver has to fill in holds garbage before.
 */
#ifndef WDDM_CTS_DDI_H
#define WDDM_CTS_DDI_H

#include "dispmprt.h"
#include "wddm-cts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of allocation that the user-mode half of the driver creates: the private data with which
 * it does so. */
struct wcts_ddi_kind {
    const char *name;
    const void *private_data;
    uint32_t private_data_size; /* bytes */
};

/* Bytes that a driver is given. NULL and 0: none. */
struct wcts_ddi_data {
    const void *data;
    uint32_t size; /* bytes */
};

/* The adapter (0 or 1) whose GPU runs; to be handed on to the functions below. */
struct wcts_ddi_gpu;

/* Runs the commands that the driver put into a DMA buffer, as its GPU would: called when a DMA
 * buffer is submitted, and for each piece of a paging buffer as soon as it is built. commands are
 * size bytes; nothing of them is valid after the call. A failing status is the answer to the call
 * that caused it. */
typedef NTSTATUS wcts_ddi_execute_fn(struct wcts_ddi_gpu *gpu, const void *commands, uint32_t size);

/* Work for which the user-mode half makes a command buffer. */
struct wcts_ddi_work {
    uint32_t allocation_count; /* of the allocation list that goes with the commands */
    uint32_t use_count;        /* at most 64 */
    /* What the commands are to refer to, in this order: AllocationIndex, and AllocationOffset in
     * that allocation. The other members are 0. */
    const D3DDDI_PATCHLOCATIONLIST *uses;
    /* To be filled in: the command buffer, and pPatchLocationListIn, zeroed, if there is one. */
    void *commands;
    uint32_t commands_room; /* bytes */
    uint32_t location_room; /* use_count */
    D3DDDI_PATCHLOCATIONLIST *locations;
    uint32_t location_count; /* set by the function; 0: the driver finds the places itself */
    uint32_t reserved;
};

/* Returns the length of the commands in bytes; 0: there are no commands that refer to all uses,
 * each with its offset. Then the cases are skipped. */
typedef uint32_t wcts_ddi_commands_fn(struct wcts_ddi_work *work);

/* Returns the physical address of the page to which the GPU's page table of an aperture segment
 * leads for a page of that segment, counted from 0; 0: to none. */
typedef uint64_t wcts_ddi_aperture_fn(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t page);

/* A driver as a plug-in. Static data. All that is not said to be needed may be 0. */
struct wcts_ddi_driver {
    uint32_t size;            /* sizeof of this struct; needed */
    uint32_t patches;         /* enum wcts_patches: how DxgkDdiPatch writes addresses */
    const char *name;         /* UTF-8, one line; needed */
    const char *version;      /* UTF-8, one line; needed */
    DRIVER_INITIALIZE *entry; /* calls DxgkInitialize; needed */

    /* The versions that it is tested at, by DXGKDDI_INTERFACE_VERSION. 0: the one that it claims,
     * by DXGK_DRIVERCAPS.WDDMVersion or, below 1.2, by DRIVER_INITIALIZATION_DATA.Version. */
    uint32_t first_interface_version;
    uint32_t last_interface_version;

    /* 1: the priority of an allocation does not matter to it (WCTS_CAPABILITY_ANY_PRIORITY). */
    uint32_t any_priority;

    /* Bit n: DxgkDdiBuildPagingBuffer implements DXGK_OPERATION n; of those the suite uses
     * TRANSFER, FILL, MAP_ and UNMAP_APERTURE_SEGMENT. 0: all of these, if there is the function. A
     * driver with GpuMmuSupported is given VIRTUAL_TRANSFER and VIRTUAL_FILL for the first two. */
    uint32_t paging_operations;

    uint32_t kind_count;
    const struct wcts_ddi_kind *kinds;

    /* Its GPU. NULL: nothing runs the commands; what an operation of DxgkDdiBuildPagingBuffer is
     * to move is moved by the library once the driver has built it, so that a run does not say
     * whether the commands are right; its last line says that they were not run. */
    wcts_ddi_execute_fn *execute;

    /* Takes the options of --impl FILE,OPTIONS before DriverEntry ("" for none). Returns 0 for an
     * unknown one. NULL: there are none. */
    int (*options)(const char *options);

    /* With WCTS_PATCHES_EXPRESSION and PRIVATE: how wide what DxgkDdiPatch writes is, in bytes, and
     * what it is, in the language that wddm-cts.h describes at DRIVER_INFO. A driver whose size
     * ends before them has none. */
    uint32_t patch_width;
    const char *patch_expression;
    uint32_t private_offset; /* with WCTS_PATCHES_PRIVATE: PrivateOffset there */
    uint32_t reserved;

    /* What a call that creates allocations of a kind has besides, as pPrivateDriverData of
     * DXGKARG_CREATEALLOCATION: kind_count elements. NULL: no kind has any. */
    const struct wcts_ddi_data *resource_data;

    /* For a driver whose DxgkDdiRender takes nothing but its own commands: makes them. The
     * locations that DxgkDdiRender returns begin with one for each of the uses, in their order.
     * NULL: it is given the bytes of the suite, and may refuse them. */
    wcts_ddi_commands_fn *commands;

    /* With .execute: where apertures lead. Looked at after each MAP_ and UNMAP_APERTURE_SEGMENT has
     * run: what is mapped leads to its page, what was unmapped no longer to the one that it had.
     * NULL: only transfers show where an aperture leads. */
    wcts_ddi_aperture_fn *aperture;

    /* The profile by which it is to be judged where --profile names none: as --profile takes it, at
     * most WCTS_PROFILE_MAX bytes. NULL: the documents alone. */
    const char *profile;
};

/* The plug-in of a driver, which has to stay valid. There is one for each shared object. */
const struct wcts_plugin *wcts_ddi_plugin(const struct wcts_ddi_driver *driver);

#define WCTS_DDI_PLUGIN(driver)                                                                    \
    const struct wcts_plugin *wcts_plugin_entry(void)                                              \
    {                                                                                              \
        return wcts_ddi_plugin(&(driver));                                                         \
    }

/* ---- for wcts_ddi_execute_fn ---- */

/* Reads or writes the memory of a segment, from its offset 0, or, for segment 0, system memory by
 * physical address; that an aperture segment has mapped is for the caller to translate. Any length.
 * The status is that of the machine: there is no memory behind the end of a segment. */
NTSTATUS wcts_ddi_gpu_read(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t address, void *data,
                           uint32_t length);
NTSTATUS wcts_ddi_gpu_write(struct wcts_ddi_gpu *gpu, uint32_t segment, uint64_t address,
                            const void *data, uint32_t length);
/* What AddDevice returned for the adapter. */
PVOID wcts_ddi_gpu_device(struct wcts_ddi_gpu *gpu);
/* 0 or 1. */
uint32_t wcts_ddi_gpu_adapter(const struct wcts_ddi_gpu *gpu);

/* ---- for drivers of tests ---- */

/* The host of the instance that is being called: its version, its options, its way to the machine.
 * NULL outside of a call. */
const struct wcts_host *wcts_ddi_host(void);

/* Where the machine has the system memory of an address that is in a page list. */
uint64_t wcts_ddi_machine_address(uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
