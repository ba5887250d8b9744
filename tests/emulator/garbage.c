/* SPDX-License-Identifier: MIT */
/* Tests that a driver finds something in each member that it is to write: never what is plausible,
 * and never the same in two members, of two allocations or of two calls. */
#include "trial.h"

struct member {
    const char *name;
    size_t offset, width;
    uint32_t from; /* the first interface version whose drivers know it */
};

#define MEMBER(member, from)                                                                       \
    {                                                                                              \
#member, offsetof(struct wcts_DXGK_ALLOCATIONINFO, member),                                \
            sizeof(((struct wcts_DXGK_ALLOCATIONINFO *)0)->member), from                           \
    }
#define VISTA 0x1053u
#define WDDM_2_0 0x5023u
#define WDDM_3_0 0xF003u

static const struct member members[] = {
    MEMBER(Alignment, VISTA),
    MEMBER(Size, VISTA),
    MEMBER(PitchAlignedSize, VISTA),
    MEMBER(HintedBank, VISTA),
    MEMBER(PreferredSegment, VISTA),
    MEMBER(SupportedReadSegmentSet, VISTA),
    MEMBER(SupportedWriteSegmentSet, VISTA),
    MEMBER(EvictionSegmentSet, VISTA),
    MEMBER(MaximumRenamingListLength, VISTA), /* and PhysicalAdapterIndex */
    MEMBER(hAllocation, VISTA),
    MEMBER(Flags, VISTA), /* and FlagsWddm2 */
    MEMBER(pAllocationUsageHint, VISTA),
    MEMBER(AllocationPriority, VISTA),
    MEMBER(Flags2, WDDM_3_0),
};

#define MEMBER_COUNT (sizeof members / sizeof *members)
#define VALUES_MAX 64u

/* What was found, of all calls since the boot. */
static uint64_t values[VALUES_MAX];
static size_t value_count, described;

static uint64_t value_of(const struct wcts_DXGK_ALLOCATIONINFO *info, const struct member *member)
{
    uint64_t value = 0;
    memcpy(&value, (const unsigned char *)info + member->offset, member->width);
    return value;
}

/* Odd, with the highest bit: no size, alignment or address. */
static int is_implausible(uint64_t value, size_t width)
{
    return (value & 1) != 0 && value >> (8 * width - 1) != 0;
}

/* Compares the lower halves: a member of 4 bytes is not half of another. */
static int is_new(uint64_t value)
{
    size_t i = 0;
    while (i < value_count && (uint32_t)values[i] != (uint32_t)value)
        i++;
    return i == value_count;
}

static void look_at(const struct wcts_DXGK_ALLOCATIONINFO *info)
{
    size_t i;
    described++;
    for (i = 0; i < MEMBER_COUNT; i++) {
        const uint64_t value = value_of(info, &members[i]);
        if (host.interface_version < members[i].from) {
            CHECK(value == 0);
            continue;
        }
        CHECK(is_implausible(value, members[i].width));
        CHECK(is_new(value));
        if (value_count < VALUES_MAX)
            values[value_count++] = value;
    }
}

static wcts_status seen(void *ctx, uint32_t operation, const void *request, uint32_t request_size,
                        void *reply, uint32_t room, uint32_t *size)
{
    const struct wcts_driver_allocation_create_request *in = request;
    uint32_t i;
    for (i = 0; operation == WCTS_DRIVER_ALLOCATION_CREATE && i < in->NumAllocations; i++)
        look_at((const void *)((const unsigned char *)request + in->pAllocationInfo +
                               i * sizeof(struct wcts_DXGK_ALLOCATIONINFO)));
    return host_call(ctx, operation, request, request_size, reply, room, size);
}

/* Two allocations in one call, and another in the next. */
static void test_filled(uint32_t version)
{
    host.interface_version = version;
    value_count = described = 0;
    boot("");
    make(EMU_CREATE_RESOURCE, 2);
    make(EMU_CREATE_RESOURCE, 1);
    CHECK(described == 3);
    shut();
}

int main(void)
{
    plugin = wcts_plugin_entry();
    host.call = seen;
    test_filled(VISTA);
    test_filled(WDDM_2_0);
    test_filled(WDDM_3_0);
    printf("%lu passed, %lu failed\n", passes, failures);
    return failures != 0;
}
