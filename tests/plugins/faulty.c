/* SPDX-License-Identifier: MIT */
/*
 * The emulator's kernel with a table of faults of its own (bits 1 and 0 of the create flags are
 * CreateShared and CreateResource):
 *   CAF-003         CreateShared is accepted without CreateResource
 *   CAF-003+quiet   nothing at all
 *   CAF-007         what CAF-003 does, under another name, which nobody should take
 *   CAF-003+dies    the process ends in a call with CreateShared and ReadOnly, or without
 *                   CreateResource (a death costs as much as a hundred cases)
 *   NIL-001         of a rule that no spec has
 *   CAF-003+shut    nothing can be opened
 * FAULTY_OPEN: "exit", "abort", "hang": what becomes of every open without a fault.
 * FAULTY_TABLE: "none": a table without faults, "small": one of another layout.
 */
#include <stdbool.h>
#include <unistd.h>

#include "wrap.h"

static const struct wcts_fault faults[] = {
    {.size = sizeof(struct wcts_fault),
     .line = 5,
     .id = "CAF-003",
     .kind = "check missing",
     .file = "faulty.c",
     .good = "flags",
     .bad = "flags | 1"},
    {.size = sizeof(struct wcts_fault),
     .line = 6,
     .id = "CAF-003+quiet",
     .kind = "wrong value",
     .file = "faulty.c",
     .good = "flags",
     .bad = "flags"},
    {.size = sizeof(struct wcts_fault),
     .line = 7,
     .id = "CAF-007",
     .kind = "wrong value",
     .file = "faulty.c",
     .good = "flags",
     .bad = "flags | 1"},
    {.size = sizeof(struct wcts_fault),
     .line = 8,
     .id = "CAF-003+dies",
     .kind = "wrong state after",
     .file = "faulty.c",
     .good = "status",
     .bad = "exit(1)",
     .also = {{"CAF-009", "all that is shared dies"}}},
    {.size = sizeof(struct wcts_fault),
     .line = 9,
     .id = "NIL-001",
     .kind = "wrong value",
     .file = "faulty.c",
     .good = "1",
     .bad = "0"},
    {.size = sizeof(struct wcts_fault),
     .line = 10,
     .id = "CAF-003+shut",
     .kind = "wrong value",
     .file = "faulty.c",
     .good = "faulty",
     .bad = "NULL"},
    {.size = sizeof(struct wcts_fault),
     .id = "CAF-002",
     .kind = "none",
     .why = "nobody is bound by advice"},
};

struct faulty {
    struct wrapped *wrapped;
    char *options; /* without the fault */
    char fault[64];
};

static bool shows(const struct faulty *faulty, const char *fault)
{
    return strcmp(faulty->fault, fault) == 0;
}

static wcts_status mended_call(struct wrapped *wrapped, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct wcts_kernel_allocation_create *mended = malloc(request_size);
    wcts_status status;
    if (!mended)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(mended, request, request_size);
    if (mended->Args.Flags & 2u)
        mended->Args.Flags |= 1u;
    status = wrap_call(wrapped, WCTS_KERNEL_ALLOCATION_CREATE, mended, request_size, reply,
                       reply_room, reply_size);
    free(mended);
    return status;
}

static bool is_deadly(uint32_t flags)
{
    return flags & 2u && (flags & 0x80u || !(flags & 1u));
}

static wcts_status faulty_call(void *instance, uint32_t operation, const void *request,
                               uint32_t request_size, void *reply, uint32_t reply_room,
                               uint32_t *reply_size)
{
    struct faulty *faulty = instance;
    struct wrapped *wrapped = faulty->wrapped;
    bool create = operation == WCTS_KERNEL_ALLOCATION_CREATE &&
                  request_size >= sizeof(struct wcts_kernel_allocation_create);
    if (create && shows(faulty, "CAF-003+dies") &&
        is_deadly(((const struct wcts_kernel_allocation_create *)request)->Args.Flags))
        exit(1);
    if (create && (shows(faulty, "CAF-003") || shows(faulty, "CAF-007")))
        return mended_call(wrapped, request, request_size, reply, reply_room, reply_size);
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

static void spoil_open(const char *how)
{
    if (how && strcmp(how, "exit") == 0)
        exit(0);
    if (how && strcmp(how, "abort") == 0)
        abort();
    while (how && strcmp(how, "hang") == 0)
        sleep(1);
}

/* The emulator does not know these faults. */
static void *faulty_open(const struct wcts_host *host, uint32_t side)
{
    struct faulty *faulty = calloc(1, sizeof *faulty);
    struct wcts_host without = *host;
    const struct test_instance options = {.host = host};
    char *at;
    if (!faulty)
        return NULL;
    spoil_open(getenv("FAULTY_OPEN"));
    test_option(&options, "fault", faulty->fault, sizeof faulty->fault);
    without.options = faulty->options = strdup(host->options);
    at = strstr(faulty->options, ",fault=");
    if (at)
        *at = '\0';
    faulty->wrapped = shows(faulty, "CAF-003+shut") ? NULL : wrap_open(&without, side);
    if (faulty->wrapped)
        return faulty;
    free(faulty->options);
    free(faulty);
    return NULL;
}

static void faulty_close(void *instance)
{
    struct faulty *faulty = instance;
    wrap_close(faulty->wrapped);
    free(faulty->options);
    free(faulty);
}

TEST_PLUGIN_OPEN("faulty", WCTS_SIDE_KERNEL, faulty_open, faulty_call, faulty_close)

const struct wcts_fault_table *wcts_plugin_faults(void)
{
    static struct wcts_fault_table table = {.size = sizeof table,
                                            .abi_version = WCTS_ABI_VERSION,
                                            .fault_size = sizeof(struct wcts_fault),
                                            .count = sizeof faults / sizeof *faults,
                                            .faults = faults};
    const char *kind = getenv("FAULTY_TABLE");
    if (kind && strcmp(kind, "none") == 0)
        table.count = 0;
    if (kind && strcmp(kind, "small") == 0)
        table.fault_size = 8;
    return &table;
}
