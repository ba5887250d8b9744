/* SPDX-License-Identifier: MIT */
/* Segments: which parts of them are taken, and where something new goes. */
#include "emu_flags.h"
#include "emu_place.h"

int emu_segment_has_memory(const struct emu_segment *segment)
{
    /* Document 003, Aperture: "an aperture segment has no physical pages"; Remarks: the AGP-type
     * one "is an aperture". */
    static const uint32_t apertures = EMU_SEGMENT_APERTURE | EMU_SEGMENT_AGP;
    const int memory = !(segment->flags & EMU_FAULT("SEG-042.unmapped", apertures,
                                                    apertures | EMU_SEGMENT_CACHE_COHERENT));
    return EMU_FAULT("SEG-047.unmoved", memory,
                     memory || (segment->flags & EMU_SEGMENT_POPULATED_FROM_SYSTEM_MEMORY));
}

int emu_segment_cpu_visible(const struct emu_segment *segment)
{
    return emu_segment_has_memory(segment) && (segment->flags & EMU_SEGMENT_CPU_VISIBLE) &&
           segment->adapter->cpu_sees;
}

struct emu_segment *emu_segment_find(const struct emu_adapter *adapter, uint32_t id)
{
    return id == 0 || id > adapter->segment_count ? NULL : &adapter->segments[id - 1];
}

/* Rounds up to a multiple, or returns 0 when that has no 64 bits. */
static uint64_t round_up(uint64_t value, uint64_t multiple)
{
    const uint64_t over = value % multiple;
    if (over == 0)
        return value;
    return value > UINT64_MAX - (multiple - over) ? 0 : value + (multiple - over);
}

/* The place in the gap [low, high) for what is wanted. Returns 0 when it does not fit. */
static int fit_gap(const struct emu_want *want, uint64_t low, uint64_t high, int from_end,
                   uint64_t *offset)
{
    const uint64_t first = round_up(low, want->alignment);
    if (first < low || first > high || want->size > high - first)
        return 0;
    *offset = from_end ? (high - want->size) / want->alignment * want->alignment : first;
    return 1;
}

/* For a fault: what a block takes when its rows lie as in system memory. */
static uint64_t size_of_content(const struct emu_block *block)
{
    return (block->segment->flags & EMU_SEGMENT_PITCH_ALIGNMENT) && block->instance != NULL
               ? block->instance->content->size
               : block->size;
}

int emu_segment_fit(const struct emu_segment *segment, const struct emu_want *want, uint64_t low,
                    uint64_t high, int from_end, uint64_t *offset)
{
    const struct emu_block *block;
    int found = 0;
    if (high > segment->size)
        high = segment->size;
    if (want->size > segment->limit - segment->taken)
        return 0;
    for (block = segment->first; block != NULL && low < high; block = block->next) {
        if (block->offset > low) {
            const uint64_t end = block->offset < high ? block->offset : high;
            found |= fit_gap(want, low, end, from_end, offset);
            if (found && !from_end)
                return 1;
        }
        if (block->offset + block->size > low)
            low = EMU_FAULT("SEG-012.apart", block->offset + block->size,
                            block->offset + size_of_content(block));
    }
    if (low <= high)
        found |= fit_gap(want, low, high, from_end, offset);
    return found;
}

/* The bank with the number of the segment behind, if it has one like it. */
static const struct wcts_bank_range *bank_of_next(const struct emu_segment *segment,
                                                  uint32_t number)
{
    const struct emu_adapter *adapter = segment->adapter;
    const struct emu_segment *next = &adapter->segments[segment->id % adapter->segment_count];
    return &(number <= next->bank_count ? next : segment)->banks[number - 1];
}

/* For a fault: the bank with the number of the first segment that has one like it. */
static const struct wcts_bank_range *bank_of_first(const struct emu_segment *segment,
                                                   uint32_t number)
{
    const struct emu_segment *first = segment->adapter->segments;
    while (first != segment && number > first->bank_count)
        first++;
    return &first->banks[number - 1];
}

/* Document 001, HintedBank: "the video memory manager uses the bank information of the most
 * preferred segment". */
static int fit_banks(const struct emu_segment *segment, const struct emu_want *want,
                     uint64_t *offset)
{
    uint32_t i, hints = want->banks;
    for (i = 0; i < EMU_BANK_COUNT; i++, hints >>= 8) {
        const uint32_t hinted = hints & EMU_BANK_NUMBER;
        uint32_t number = EMU_FAULT("AIN-008+zero", hinted, hinted != 0 ? hinted + 1 : 0);
        const struct wcts_bank_range *bank;
        if (number == 0 || number > segment->bank_count)
            continue;
        number = EMU_FAULT("AIN-008+full", number,
                           number < segment->bank_count &&
                                   want->size == segment->banks[number - 1].Length
                               ? number + 1
                               : number);
        bank = EMU_CHOICE(BANK_IN_ANY_SEGMENT,
                          EMU_FAULT("AIN-008+first",
                                    EMU_FAULT("AIN-008", &segment->banks[number - 1],
                                              bank_of_next(segment, number)),
                                    bank_of_first(segment, number)),
                          want->from_end & 2 ? bank_of_next(segment, number)
                                             : &segment->banks[number - 1]);
        if (bank->Length <= UINT64_MAX - bank->Start &&
            emu_segment_fit(segment, want, bank->Start, bank->Start + bank->Length,
                            (hints & EMU_BANK_FROM_END) != 0, offset))
            return 1;
    }
    return 0;
}

int emu_segment_place(const struct emu_segment *segment, const struct emu_want *want,
                      uint64_t *offset)
{
    /* A hint is no more than that: without room in the banks, anywhere. */
    return fit_banks(segment, want, offset) ||
           emu_segment_fit(segment, want, 0, segment->size, want->from_end, offset);
}

void emu_block_put(struct emu_block *block, struct emu_segment *segment, uint64_t offset,
                   uint64_t size)
{
    struct emu_block **at = &segment->first;
    while (*at != NULL && (*at)->offset < offset)
        at = &(*at)->next;
    block->segment = segment;
    block->offset = offset;
    block->size = size;
    block->next = *at;
    *at = block;
    segment->taken += size;
}

void emu_block_give(struct emu_block *block)
{
    struct emu_block **at;
    if (block->segment == NULL)
        return;
    for (at = &block->segment->first; *at != block;)
        at = &(*at)->next;
    *at = block->next;
    block->segment->taken -= block->size;
    block->segment = NULL;
    block->next = NULL;
    block->offset = 0;
    block->size = 0;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* For a fault: true when the first preference is another segment, in which the allocation cannot
 * be.
 */
static int is_second_choice(const struct emu_content *content, const struct emu_segment *segment)
{
    const uint32_t id = content->info.PreferredSegment & EMU_PREFERENCE_ID;
    const struct emu_segment *preferred = emu_segment_find(segment->adapter, id);
    uint64_t size = content->size;
    if (preferred == NULL || preferred == segment)
        return 0;
    if ((preferred->flags & EMU_SEGMENT_PITCH_ALIGNMENT) && content->info.PitchAlignedSize > size)
        size = content->info.PitchAlignedSize;
    return size > preferred->size || size > preferred->limit;
}

struct emu_want emu_want_of(const struct emu_kernel *kernel, const struct emu_content *content,
                            const struct emu_segment *segment)
{
    const struct wcts_DXGK_ALLOCATIONINFO *info = &content->info;
    const uint64_t given = EMU_FAULT("AIN-004", info->Alignment ? info->Alignment : 1, 1);
    const uint64_t back = EMU_FAULT(
        "AIN-004+slept", EMU_FAULT("AIN-004+back", given, content->current->moves != 0 ? 1 : given),
        segment->adapter->slept ? 1 : given);
    const uint64_t alignment =
        EMU_FAULT("AIN-004+16k", back, kernel->base.host->page_size == 0x4000 ? 1 : given);
    struct emu_want want = {.size = content->size};
    uint64_t page = kernel->base.host->page_size;
    uint32_t i, preferences = info->PreferredSegment;
    /* A driver may say less than the buffer that it was told of has. */
    if (want.size < content->original.backing.size)
        want.size = content->original.backing.size;
    /* Document 003, Use64KBPages: "the segment supports pages of 64 KB". To use them is a choice,
     * no duty. */
    if ((segment->flags & EMU_SEGMENT_USE_64KB_PAGES) &&
        kernel->base.host->interface_version >= EMU_WDDM_2_0)
        page = EMU_64KB;
    /* Pages of the segment and the driver's Alignment, which may be any number: both. */
    want.alignment = alignment / greatest_divisor(alignment, page) * page;
    /* PitchAlignment: "uses the PitchAlignedSize member to allocate resources in the segment". */
    if ((segment->flags & EMU_SEGMENT_PITCH_ALIGNMENT) && info->PitchAlignedSize > want.size) {
        const uint64_t pitched = info->PitchAlignedSize;
        const int visible = (segment->flags & EMU_SEGMENT_CPU_VISIBLE) != 0;
        want.size = EMU_FAULT("SEG-012.size", pitched, info->Size);
        want.size = EMU_FAULT("SEG-012.size+visible", want.size, visible ? info->Size : want.size);
        want.size = EMU_FAULT("SEG-012.size+second-choice", want.size,
                              is_second_choice(content, segment) ? info->Size : want.size);
        want.size = EMU_FAULT("SEG-012.size+first-choice", want.size,
                              (preferences & EMU_PREFERENCE_ID) != 0 &&
                                      (preferences & EMU_PREFERENCE_ID) != segment->id
                                  ? info->Size
                                  : want.size);
        want.size = EMU_FAULT("SEG-012.size+odd", want.size,
                              pitched > EMU_64KB ? pitched & ~(EMU_64KB - 1) : pitched);
    }
    for (i = 0; i < EMU_PREFERENCE_COUNT; i++, preferences >>= EMU_PREFERENCE_BITS)
        if ((preferences & EMU_PREFERENCE_ID) == segment->id) {
            want.from_end = (preferences & EMU_PREFERENCE_FROM_END) != 0;
            break;
        }
    EMU_CHOICE(BANK_IN_ANY_SEGMENT, (void)0, (void)(want.from_end |= i != 0 ? 2 : 0));
    EMU_CHOICE(PLACED_FROM_THE_END, (void)0, (void)(want.from_end = 1));
    if (EMU_CHOICE(BANK_IN_ANY_SEGMENT, i == 0, 1) && (segment->flags & EMU_SEGMENT_USE_BANKING))
        want.banks = info->HintedBank;
    return want;
}
