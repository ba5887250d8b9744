/* SPDX-License-Identifier: MIT */
/* KERNEL_POWER: the standby table of document 003. What is purged goes to system memory and stays
 * there until it is paged in again. */
#include "emu_flags.h"
#include "emu_kernel.h"

enum purge {
    PURGE_NOTHING,
    PURGE_PART,
    PURGE_ALL,
    PURGE_LOCKED, /* for a fault: what is locked */
};

/* A row of the table, its bits shifted to 0: PreservedDuringStandby, PreservedDuringHibernate,
 * PartiallyPreservedDuringHibernate. Rows marked "not valid" are not recognised: such a segment is
 * treated as one without the flags. */
#define ROW_SHIFT 7
#define ROW_COUNT 8u

EMU_FAULT_SITE(standby_000, "SEG-018+kept", "PURGE_ALL", "PURGE_NOTHING");
EMU_FAULT_SITE(standby_110, "SEG-018", "PURGE_NOTHING", "PURGE_ALL");
EMU_FAULT_SITE(standby_001, "SEG-050.standby", "PURGE_ALL", "PURGE_PART");
EMU_FAULT_SITE(standby_111, "SEG-050.standby+both", "PURGE_ALL", "PURGE_PART");
EMU_FAULT_SITE(hibernate_000, "SEG-052+none", "PURGE_ALL", "PURGE_NOTHING");
EMU_FAULT_SITE(hibernate_100, "SEG-052", "PURGE_ALL", "PURGE_NOTHING");
EMU_FAULT_SITE(hibernate_010, "SEG-050.hibernate", "PURGE_ALL", "PURGE_NOTHING");
EMU_FAULT_SITE(hibernate_011, "SEG-050.hibernate+partly", "PURGE_ALL", "PURGE_PART");
EMU_FAULT_SITE(hibernate_110, "SEG-019", "PURGE_NOTHING", "PURGE_PART");
EMU_FAULT_SITE(hibernate_101, "SEG-051", "PURGE_PART", "PURGE_ALL");

struct cell {
    enum purge purge;
    const struct emu_fault_site *fault; /* or NULL */
    enum purge bad;                     /* what it is then */
};

static const struct row {
    struct cell standby;
    struct cell hibernate;
} rows[ROW_COUNT] = {
    /* 0 0 0 */
    [0] = {{PURGE_ALL, &standby_000, PURGE_NOTHING}, {PURGE_ALL, &hibernate_000, PURGE_NOTHING}},
    /* 1 0 0 */
    [1] = {{PURGE_NOTHING, NULL, 0}, {PURGE_ALL, &hibernate_100, PURGE_NOTHING}},
    /* 0 1 0: not valid */
    [2] = {{PURGE_ALL, NULL, 0}, {PURGE_ALL, &hibernate_010, PURGE_NOTHING}},
    /* 1 1 0 */
    [3] = {{PURGE_NOTHING, &standby_110, PURGE_ALL}, {PURGE_NOTHING, &hibernate_110, PURGE_PART}},
    /* 0 0 1: not valid */
    [4] = {{PURGE_ALL, &standby_001, PURGE_PART}, {PURGE_ALL, NULL, 0}},
    /* 1 0 1 */
    [5] = {{PURGE_NOTHING, NULL, 0}, {PURGE_PART, &hibernate_101, PURGE_ALL}},
    /* 0 1 1: not valid */
    [6] = {{PURGE_ALL, NULL, 0}, {PURGE_ALL, &hibernate_011, PURGE_PART}},
    /* 1 1 1: not valid */
    [7] = {{PURGE_ALL, &standby_111, PURGE_PART}, {PURGE_ALL, NULL, 0}},
};

static enum purge purge_of(const struct emu_kernel *kernel, const struct emu_segment *segment,
                           uint32_t state)
{
    /* "Supported starting with Windows 8": below that the bits say nothing. */
    const uint32_t boot = kernel->base.host->interface_version;
    const uint32_t known = boot >= EMU_WDDM_1_2;
    const uint32_t index = known ? segment->flags >> ROW_SHIFT & (ROW_COUNT - 1) : 0;
    const struct row *row = &rows[index];
    /* "If hybrid sleep is enabled, the system acts as if it were hibernating". */
    const int standby =
        EMU_FAULT("SEG-020", state == WCTS_POWER_STANDBY, state != WCTS_POWER_HIBERNATE);
    const struct cell *cell =
        EMU_FAULT("SEG-020+second-adapter", standby,
                  standby || (state == WCTS_POWER_HYBRID_SLEEP && segment->adapter->index != 0))
            ? &row->standby
            : &row->hibernate;
    enum purge purge = EMU_FAULT_AT(cell->fault, cell->purge, cell->bad);
    purge =
        EMU_FAULT("SEG-020+partly", purge,
                  state == WCTS_POWER_HYBRID_SLEEP && purge == PURGE_PART ? PURGE_NOTHING : purge);
    purge = EMU_FAULT("SEG-019+1.3", purge,
                      EMU_WDDM_OF(boot) == EMU_WDDM_OF(EMU_WDDM_1_3) && index == 3 &&
                              state == WCTS_POWER_HIBERNATE
                          ? PURGE_ALL
                          : purge);
    return EMU_FAULT("SEG-019+locked", purge,
                     state == WCTS_POWER_HIBERNATE && index == 3 ? PURGE_LOCKED : purge);
}

/* For faults: true when an instance stays although its segment is purged; index is its place among
 * those in the segment. */
static int left_behind(const struct emu_kernel *kernel, const struct emu_instance *instance,
                       uint32_t state, uint32_t index)
{
    const struct emu_segment *segment = instance->block.segment;
    const int standby = state == WCTS_POWER_STANDBY;
    const int hibernate = state == WCTS_POWER_HIBERNATE;
    const struct emu_allocation *holder = instance->content->holders;
    return EMU_FAULT("SEG-018+locked", 0, standby && emu_instance_locked(instance)) ||
           EMU_FAULT("SEG-020+locked", 0,
                     state == WCTS_POWER_HYBRID_SLEEP && emu_instance_locked(instance)) ||
           EMU_FAULT("SEG-018+far", 0, standby && segment->id > 8) ||
           EMU_FAULT("SEG-018+slept", 0, standby && segment->adapter->slept) ||
           EMU_FAULT("SEG-018+second-adapter", 0, standby && segment->adapter->index != 0) ||
           EMU_FAULT("SEG-052+dozen", 0, hibernate && index >= 12) ||
           EMU_FAULT("SEG-052+second-adapter", 0, hibernate && segment->adapter->index != 0) ||
           EMU_FAULT("SEG-052+visible", 0,
                     hibernate && (segment->flags & EMU_SEGMENT_CPU_VISIBLE) &&
                         (segment->flags >> ROW_SHIFT & (ROW_COUNT - 1)) == 1) ||
           EMU_FAULT("SEG-052+opened", 0,
                     hibernate && holder != NULL && holder->next_holder != NULL) ||
           EMU_FAULT("SEG-052+slept", 0, hibernate && kernel->power == WCTS_POWER_STANDBY);
}

/* Moves what is in a segment out of it; of a partly purged one every other allocation, from the
 * first on. Document 004, hDevice: NULL for "paging operations that evict the content of the whole
 * frame buffer during power management". */
static wcts_status purge_segment(struct emu_kernel *kernel, struct emu_segment *segment,
                                 enum purge purge, uint32_t state)
{
    struct emu_block *block, *next;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t index = 0, place = 0;
    EMU_CHOICE(SOME_POWER_WORK_IN_CONTEXTS, (void)0, (void)(kernel->chosen.turns = 0));
    for (block = segment->first; block != NULL; block = next) {
        wcts_status moved;
        next = block->next;
        if (block->instance == NULL ||
            (EMU_FAULT("SEG-051+never", purge == PURGE_PART, 0) &&
             EMU_CHOICE(OTHER_HALF_LEAVES, index++ % 2 != 0, index++ % 2 == 0)))
            continue;
        if (left_behind(kernel, block->instance, state, place++) ||
            (purge == PURGE_LOCKED && !emu_instance_locked(block->instance)))
            continue;
        EMU_FAULT_DO("CAF-017+powered", (void)0,
                     emu_buffer_release(kernel, &block->instance->content->buffer));
        moved = emu_evict(
            kernel, block->instance,
            (enum emu_eviction)EMU_FAULT("AIN-027.powered", EMU_EVICT_STRAIGHT, EMU_EVICT_ANYWHERE),
            EMU_CHOICE(SOME_POWER_WORK_IN_CONTEXTS, EMU_FAULT("PAT-021", UINT64_C(0), 1),
                       emu_choice_context(kernel, block->instance)));
        status = wcts_succeeded(status) ? moved : status;
    }
    return status;
}

/* For faults: which adapters were powered down and up again since they were started. */
static void remember_power(const struct emu_kernel *kernel, uint32_t state)
{
    uint32_t i;
    for (i = 0; i < EMU_ADAPTER_COUNT; i++) {
        struct emu_adapter *adapter = kernel->adapters[i];
        if (adapter == NULL)
            continue;
        adapter->slept = adapter->slept || (adapter->down && state == WCTS_POWER_ON);
        adapter->down = state != WCTS_POWER_ON;
    }
}

wcts_status emu_kernel_power(void *instance, const void *request, uint32_t request_size,
                             void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_power_request *asked = request;
    wcts_status status = WCTS_STATUS_SUCCESS;
    uint32_t i, id;
    (void)request_size, (void)reply, (void)reply_room, (void)reply_size;
    if (asked->State > WCTS_POWER_HYBRID_SLEEP)
        return WCTS_STATUS_INVALID_PARAMETER;
    kernel->powering = asked->State;
    EMU_CHOICE_AT(power, (void)0, emu_choice->power(kernel, asked->State));
    for (i = 0; i < EMU_ADAPTER_COUNT && asked->State != WCTS_POWER_ON; i++) {
        struct emu_adapter *adapter = kernel->adapters[i];
        for (id = 1; adapter != NULL && id <= adapter->segment_count; id++) {
            struct emu_segment *segment = emu_segment_find(adapter, id);
            const enum purge purge = purge_of(kernel, segment, asked->State);
            wcts_status purged = purge == PURGE_NOTHING
                                     ? WCTS_STATUS_SUCCESS
                                     : purge_segment(kernel, segment, purge, asked->State);
            status = wcts_succeeded(status) ? purged : status;
        }
    }
    kernel->powering = WCTS_POWER_ON;
    kernel->power = asked->State;
    remember_power(kernel, asked->State);
    return status;
}
