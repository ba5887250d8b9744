/* SPDX-License-Identifier: MIT */
/*
 * wddm-cts-recorder.h: writes down what a driver is asked and what it answers, for
 * wddm-cts check (docs/recordings.md). It allocates nothing, waits for nothing, calls nothing and
 * needs no library: it may be used at any IRQL, in kernel mode, in user mode, or without a system.
 *
 * The driver gives it memory once, a ring of entries, and adds two lines to each DDI:
 *
 *     static struct wcts_recorder recorder;
 *     static struct wcts_recorder_entry ring[4096];
 *     wcts_recorder_init(&recorder, ring, 4096, 0x2600, 0xB004, 4096);
 *
 *     NTSTATUS APIENTRY MyPatch(const HANDLE hAdapter, const DXGKARG_PATCH *pPatch)
 *     {
 *         uint64_t seq = wcts_recorder_enter(&recorder);
 *         NTSTATUS status = ...;
 *         WCTS_RECORD_PATCH(&recorder, seq, status, pPatch);
 *         return status;
 *     }
 *
 * or, of any other DDI, one member after the other:
 *
 *         struct wcts_record record;
 *         wcts_record_begin(&record, "DxgkDdiCreateDevice", seq, status);
 *         wcts_record_number(&record, "in.hDevice", handle);
 *         wcts_record_number(&record, "out.hDevice", (uintptr_t)pCreateDevice->hDevice);
 *         wcts_record_end(&recorder, &record);
 *
 * What is not written down is unknown to the suite, never 0. When the ring is full the oldest
 * entries are overwritten; the decoder leaves a gap in the numbers there, and the suite knows that
 * lines are lost. The memory of the ring, with its head, is what is dumped: from a debugger, from
 * an escape, or from a crash dump. contrib/recorder/decode.py makes JSON lines of it.
 *
 * Threads: every function but wcts_recorder_init may be called on any number of them at a time.
 */
#ifndef WDDM_CTS_RECORDER_H
#define WDDM_CTS_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "wctsrec1", little endian; a new layout has another one. */
#define WCTS_RECORDER_MAGIC UINT64_C(0x3163657273746377)

/* Bytes of a record's members. A record that has more takes several entries in a row. */
#define WCTS_RECORDER_BYTES 232u
/* Entries of one record at most: what has no room is left out, and so unknown. */
#define WCTS_RECORDER_PARTS 16u

/*
 * 256 bytes. turn is the number of the entry, from 1 on; it is written last, so that one which is
 * half written when the memory is dumped is seen to be so (its turn is 0). The bytes of a record
 * are members one after the other: a zero-terminated path, then a byte with the width of the number
 * (1 to 8), then the number, little endian. The first member of a record has the name of the call
 * as its path, and the status as its number.
 */
struct wcts_recorder_entry {
    uint64_t turn;
    uint64_t seq; /* of the call, from 1 on */
    uint16_t part, parts, size, reserved;
    uint8_t bytes[WCTS_RECORDER_BYTES];
};

/* The head of the ring: what is in a dump besides the entries. */
struct wcts_recorder {
    uint64_t magic;
    uint32_t entry_size, entry_count;
    uint32_t wddm_version;      /* DXGK_WDDMVERSION that the driver claims, 0: unknown */
    uint32_t interface_version; /* DXGKDDI_INTERFACE_VERSION of its headers, 0: unknown */
    uint32_t page_size;         /* of the host in bytes, 0: unknown */
    uint32_t reserved;
    uint64_t next_seq, next_turn; /* counted with atomic additions */
    struct wcts_recorder_entry *entries;
};

/* The members of a call so far; 4 KiB on the stack of the DDI at most, see WCTS_RECORDER_PARTS. */
struct wcts_record {
    uint64_t seq;
    uint32_t used, lost; /* bytes; members that had no room */
    uint8_t bytes[WCTS_RECORDER_PARTS * WCTS_RECORDER_BYTES];
};

/* entries: the caller's, at least count of them; they and the recorder live as long as it is used.
 * count 0 records nothing. */
void wcts_recorder_init(struct wcts_recorder *recorder, struct wcts_recorder_entry *entries,
                        uint32_t count, uint32_t wddm_version, uint32_t interface_version,
                        uint32_t page_size);

/* At the entry of a DDI: its number. Calls are in the order of these. */
uint64_t wcts_recorder_enter(struct wcts_recorder *recorder);

/* ddi: the name of the call, such as "DxgkDdiPatch". status: what it returns. */
void wcts_record_begin(struct wcts_record *record, const char *ddi, uint64_t seq, int32_t status);
/* path: "in." or "out." and the member's name; "in.pAllocationList[2].PhysicalAddress" for an
 * element of an array, "in.Transfer.Source.SegmentId" for what is inside. A pointer is recorded as
 * its address: 0 is none. */
void wcts_record_number(struct wcts_record *record, const char *path, uint64_t number);
/* The same of element index of an array: wcts_record_element(&record, "in.pAllocationList", 2,
 * "PhysicalAddress", address). member NULL: the element itself is the number. */
void wcts_record_element(struct wcts_record *record, const char *array, uint32_t index,
                         const char *member, uint64_t number);
/* At the return of the DDI. */
void wcts_record_end(struct wcts_recorder *recorder, const struct wcts_record *record);

/* A member of a structure under its own name. */
#define WCTS_RECORD_IN(record, structure, member)                                                  \
    wcts_record_number(record, "in." #member, (uint64_t)(structure)->member)
#define WCTS_RECORD_OUT(record, structure, member)                                                 \
    wcts_record_number(record, "out." #member, (uint64_t)(structure)->member)

/* DxgkDdiPatch, whole; with the headers of the kit. */
#define WCTS_RECORD_PATCH(recorder, seq, status, patch)                                            \
    do {                                                                                           \
        struct wcts_record wcts_one;                                                               \
        wcts_record_begin(&wcts_one, "DxgkDdiPatch", seq, status);                                 \
        wcts_record_number(&wcts_one, "in.hContext", (uintptr_t)(patch)->hContext);                \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferSegmentId);                                      \
        wcts_record_number(&wcts_one, "in.DmaBufferPhysicalAddress",                               \
                           (uint64_t)(patch)->DmaBufferPhysicalAddress.QuadPart);                  \
        wcts_record_number(&wcts_one, "in.pDmaBuffer", (uintptr_t)(patch)->pDmaBuffer);            \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferSize);                                           \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferSubmissionStartOffset);                          \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferSubmissionEndOffset);                            \
        wcts_record_number(&wcts_one, "in.pDmaBufferPrivateData",                                  \
                           (uintptr_t)(patch)->pDmaBufferPrivateData);                             \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferPrivateDataSize);                                \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferPrivateDataSubmissionStartOffset);               \
        WCTS_RECORD_IN(&wcts_one, patch, DmaBufferPrivateDataSubmissionEndOffset);                 \
        wcts_record_number(&wcts_one, "in.pAllocationList", (uintptr_t)(patch)->pAllocationList);  \
        WCTS_RECORD_IN(&wcts_one, patch, AllocationListSize);                                      \
        wcts_record_number(&wcts_one, "in.pPatchLocationList",                                     \
                           (uintptr_t)(patch)->pPatchLocationList);                                \
        WCTS_RECORD_IN(&wcts_one, patch, PatchLocationListSize);                                   \
        WCTS_RECORD_IN(&wcts_one, patch, PatchLocationListSubmissionStart);                        \
        WCTS_RECORD_IN(&wcts_one, patch, PatchLocationListSubmissionLength);                       \
        WCTS_RECORD_IN(&wcts_one, patch, SubmissionFenceId);                                       \
        wcts_record_number(&wcts_one, "in.Flags", (patch)->Flags.Value);                           \
        WCTS_RECORD_IN(&wcts_one, patch, EngineOrdinal);                                           \
        wcts_record_end(recorder, &wcts_one);                                                      \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
