/* SPDX-License-Identifier: MIT */
/* A driver that records itself with contrib/recorder: creates, patches, and dumps its ring. */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../contrib/recorder/wddm-cts-recorder.h"

#define WATCHED_PAGE 65536 /* a multiple of every page size */

/* As the kit has it, as far as it is recorded. */
typedef struct {
    void *hContext;
    uint32_t DmaBufferSegmentId;
    struct {
        int64_t QuadPart;
    } DmaBufferPhysicalAddress;
    void *pDmaBuffer;
    uint32_t DmaBufferSize, DmaBufferSubmissionStartOffset, DmaBufferSubmissionEndOffset;
    void *pDmaBufferPrivateData;
    uint32_t DmaBufferPrivateDataSize, DmaBufferPrivateDataSubmissionStartOffset,
        DmaBufferPrivateDataSubmissionEndOffset;
    const void *pAllocationList;
    uint32_t AllocationListSize;
    const void *pPatchLocationList;
    uint32_t PatchLocationListSize, PatchLocationListSubmissionStart,
        PatchLocationListSubmissionLength, SubmissionFenceId;
    struct {
        uint32_t Value;
    } Flags;
    uint32_t EngineOrdinal;
} DXGKARG_PATCH;

static struct wcts_recorder recorder;

static void record_patch(uint32_t flags, const void *list)
{
    uint64_t seq = wcts_recorder_enter(&recorder);
    DXGKARG_PATCH patch = {.hContext = &patch, .DmaBufferSize = 4096, .SubmissionFenceId = 7};
    patch.DmaBufferSubmissionEndOffset = 256;
    patch.Flags.Value = flags;
    patch.pAllocationList = list;
    WCTS_RECORD_PATCH(&recorder, seq, 0, &patch);
}

/* Of a size; list: while it is created, something is patched with that list. */
static void record_create(uint64_t size, const void *list)
{
    struct wcts_record record;
    uint64_t seq = wcts_recorder_enter(&recorder);
    wcts_record_begin(&record, "DxgkDdiCreateAllocation", seq, 0);
    wcts_record_number(&record, "in.NumAllocations", 2);
    for (uint32_t i = 0; i < 2; i++) {
        wcts_record_element(&record, "out.pAllocationInfo", i, "Size", i == 0 ? size : 4096);
        wcts_record_element(&record, "out.pAllocationInfo", i, "hAllocation",
                            UINT64_C(0xFFFFA00000000000) + seq * 16 + i);
    }
    /* More members than a record has room for, if all its parts fit into the ring. */
    for (uint32_t i = 0; list && recorder.entry_count >= 64 && i < 2000; i++)
        wcts_record_number(&record, "in.VendorPrivate", i);
    if (list)
        record_patch(1, list);
    wcts_record_end(&recorder, &record);
}

static void dump(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, size, 1, file) != 1 || fclose(file) != 0)
        exit(2);
}

/* True if a record that has no room for a member counts it, keeps what it has, and writes nothing
 * behind itself: however many bytes are left, for a number of one byte and of eight. */
static int does_lose_whole_members(void)
{
    static struct {
        struct wcts_record record;
        uint8_t behind[16];
    } own;
    const uint32_t room = sizeof own.record.bytes;
    static const uint8_t untouched[16];
    int good = 1;
    for (uint32_t left = 0; left < 24; left++)
        for (uint32_t width = 1; width <= 8; width += 7) {
            const uint32_t needed = 1 + 2 + width; /* "x", its end, the width, the number */
            wcts_record_begin(&own.record, "DxgkDdiX", 1, 0);
            own.record.used = room - left;
            wcts_record_number(&own.record, "x", width == 1 ? 1 : UINT64_MAX);
            good = good && own.record.lost == (left < needed) &&
                   own.record.used == room - left + (left < needed ? 0 : needed) &&
                   memcmp(own.behind, untouched, sizeof untouched) == 0;
        }
    return good;
}

/* True if an entry says that members of its record were lost, and without entries nothing is
 * recorded. */
static int does_say_what_was_lost(void)
{
    static struct wcts_record record;
    struct wcts_recorder small;
    struct wcts_recorder_entry entry = {0};
    int good = 1;
    for (uint32_t lost = 0; lost < 2; lost++) {
        wcts_recorder_init(&small, &entry, 1, 0x2600, 0xB004, 4096);
        wcts_record_begin(&record, "DxgkDdiX", 1, 0);
        record.lost = lost;
        wcts_record_end(&small, &record);
        good = good && entry.turn == 1 && entry.reserved == lost;
    }
    wcts_recorder_init(&small, NULL, 0, 0x2600, 0xB004, 4096);
    wcts_record_end(&small, &record);
    return good && small.next_turn == 1;
}

static struct wcts_recorder_entry *watched;
static char *pages;
static volatile uint64_t turn_while_written = UINT64_MAX;

/* The first byte of the entry is written. */
static void notice(int number)
{
    (void)number;
    turn_while_written = watched->turn;
    mprotect(pages, 2 * WATCHED_PAGE, PROT_READ | PROT_WRITE);
}

/* True if an entry that had a turn has none while its bytes are written: whoever dumps the ring
 * then would take the new bytes for those of the old turn. Its bytes begin in a page of their own.
 */
static int does_take_the_turn_away(void)
{
    struct sigaction action = {.sa_handler = notice};
    struct wcts_recorder small;
    struct wcts_record record;
    pages =
        mmap(NULL, 2 * WATCHED_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 0;
    watched = (void *)(pages + WATCHED_PAGE - offsetof(struct wcts_recorder_entry, bytes));
    wcts_recorder_init(&small, watched, 1, 0x2600, 0xB004, 4096);
    wcts_record_begin(&record, "DxgkDdiX", 1, 0);
    wcts_record_end(&small, &record);
    sigaction(SIGSEGV, &action, NULL);
    mprotect(pages + WATCHED_PAGE, WATCHED_PAGE, PROT_READ);
    wcts_record_end(&small, &record);
    signal(SIGSEGV, SIG_DFL);
    return turn_while_written == 0 && watched->turn == 2;
}

/* record ENTRIES CALLS HEAD RING */
int main(int argc, char **argv)
{
    uint32_t entries = argc == 5 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;
    int calls = argc == 5 ? atoi(argv[2]) : 0;
    struct wcts_recorder_entry *ring;
    if (argc != 5 || !does_lose_whole_members() || !does_say_what_was_lost() ||
        !does_take_the_turn_away())
        return 2;
    ring = calloc(entries, sizeof *ring);
    if (!ring)
        return 2;
    wcts_recorder_init(&recorder, ring, entries, 0x2600, 0xB004, 4096);
    for (int i = 0; i < calls; i++) {
        record_create(0x10000, NULL);
        record_patch(1, NULL);
    }
    record_create(0, ring);
    dump(argv[3], &recorder, sizeof recorder);
    dump(argv[4], ring, entries * sizeof *ring);
    free(ring);
    return 0;
}
