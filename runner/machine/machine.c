/* SPDX-License-Identifier: MIT */
/* The machine party: sparse memory, regions of user memory, views of other memory, secured
 * ranges. */
#include <stdlib.h>
#include <string.h>

#include "machine.h"

#define PAGE UINT64_C(4096)
#define REGION_ALIGNMENT UINT64_C(0x10000)
#define FIRST_REGION UINT64_C(0x7F0000000000)

#define BUCKETS 4096u

struct machine_page_bytes {
    struct machine_page_bytes *next;   /* in its bucket */
    struct machine_page_bytes *before; /* of all of this boot, or of the spare ones */
    uint32_t space;
    uint64_t number;
    uint8_t bytes[4096];
};

struct machine_region {
    uint64_t address, size;
    uint32_t attributes;
};

/* User memory that shows other memory. */
struct machine_view {
    uint64_t address, length;
    uint32_t space;
    uint64_t target;
};

/* The memory of a segment at physical addresses of the CPU. */
struct machine_window {
    uint64_t address, size;
    uint32_t space;
};

/*
 * The machine of a session, which owns it; reset at each boot. Memory is sparse: pages exist once
 * they were written. Example after one region of two pages whose first page was written: regions[0]
 * {0x7F0000000000, 0x2000, 0}, one page {space 0, number 0x7F0000000}, next_region 0x7F0000020000.
 */
struct wcts_machine {
    struct machine_page_bytes *buckets[BUCKETS];
    struct machine_page_bytes *last;  /* that was made since the boot */
    struct machine_page_bytes *spare; /* pages of earlier boots, with what was in them */
    struct machine_region *regions;
    int region_count, region_room;
    uint64_t *secured; /* the handles of ranges */
    int secured_count, secured_room;
    struct machine_view *views;
    int view_count, view_room;
    struct machine_window *windows;
    int window_count, window_room;
    uint64_t next_region, next_handle;
};

/* Makes room for one more element; false without memory. */
static bool grow_array(void **array, int count, int *room, size_t each)
{
    int wanted = *room ? *room * 2 : 16;
    void *more;
    if (count < *room)
        return true;
    more = realloc(*array, (size_t)wanted * each);
    if (!more)
        return false;
    *array = more;
    *room = wanted;
    return true;
}

static struct machine_page_bytes **bucket_of(struct wcts_machine *machine, uint32_t space,
                                             uint64_t number)
{
    uint64_t mixed = (number ^ (uint64_t)space << 40) * UINT64_C(0x9E3779B97F4A7C15);
    return &machine->buckets[mixed >> 32 & (BUCKETS - 1)];
}

struct wcts_machine *wcts_machine_new(void)
{
    struct wcts_machine *machine = calloc(1, sizeof *machine);
    if (machine)
        wcts_machine_reset(machine);
    return machine;
}

void wcts_machine_reset(struct wcts_machine *machine)
{
    while (machine->last) {
        struct machine_page_bytes *page = machine->last;
        machine->last = page->before;
        *bucket_of(machine, page->space, page->number) = NULL;
        page->before = machine->spare;
        machine->spare = page;
    }
    machine->region_count = machine->secured_count = 0;
    machine->view_count = machine->window_count = 0;
    machine->next_region = FIRST_REGION;
    machine->next_handle = 1;
}

void wcts_machine_free(struct wcts_machine *machine)
{
    if (!machine)
        return;
    wcts_machine_reset(machine);
    while (machine->spare) {
        struct machine_page_bytes *page = machine->spare;
        machine->spare = page->before;
        free(page);
    }
    free(machine->regions);
    free(machine->secured);
    free(machine->views);
    free(machine->windows);
    free(machine);
}

uint64_t wcts_machine_region(struct wcts_machine *machine, uint64_t size, uint32_t attributes,
                             uint64_t wanted)
{
    uint64_t address = wanted ? wanted : machine->next_region;
    if (size > FIRST_REGION || !grow_array((void **)&machine->regions, machine->region_count,
                                           &machine->region_room, sizeof *machine->regions))
        return 0;
    machine->regions[machine->region_count++] = (struct machine_region){address, size, attributes};
    if (address + size > machine->next_region - REGION_ALIGNMENT)
        machine->next_region =
            (address + size + 2 * REGION_ALIGNMENT - 1) / REGION_ALIGNMENT * REGION_ALIGNMENT;
    return address;
}

bool wcts_machine_is_region(uint64_t address, uint64_t wanted)
{
    return wanted ? address == wanted : address >= FIRST_REGION && address % REGION_ALIGNMENT == 0;
}

bool wcts_machine_map_segment(struct wcts_machine *machine, uint64_t address, uint64_t size,
                              uint32_t space)
{
    if (!grow_array((void **)&machine->windows, machine->window_count, &machine->window_room,
                    sizeof *machine->windows))
        return false;
    machine->windows[machine->window_count++] = (struct machine_window){address, size, space};
    return true;
}

static struct machine_page_bytes *find_page(struct wcts_machine *machine, uint32_t space,
                                            uint64_t number)
{
    struct machine_page_bytes *page = *bucket_of(machine, space, number);
    while (page && (page->space != space || page->number != number))
        page = page->next;
    return page;
}

/* The page, made if it is not there yet: with zeros, but for one that is to be written as a whole.
 * NULL without memory. */
static struct machine_page_bytes *make_page(struct wcts_machine *machine, uint32_t space,
                                            uint64_t number, bool whole)
{
    struct machine_page_bytes *page = find_page(machine, space, number);
    struct machine_page_bytes **bucket = bucket_of(machine, space, number);
    if (page)
        return page;
    page = machine->spare;
    if (page)
        machine->spare = page->before;
    else
        page = malloc(sizeof *page);
    if (!page)
        return NULL;
    page->next = *bucket;
    page->space = space;
    page->number = number;
    if (!whole)
        memset(page->bytes, 0, sizeof page->bytes);
    *bucket = page;
    page->before = machine->last;
    machine->last = page;
    return page;
}

/* Translates an address through views, and through windows of the CPU. Other addresses of the CPU
 * have no memory behind them; they have bytes of their own, so that what is written there is not
 * mistaken for a segment's. Views and windows begin and end at pages. */
static void resolve_address(const struct wcts_machine *machine, uint32_t *space, uint64_t *address)
{
    for (int i = 0; *space == 0 && i < machine->view_count; i++) {
        const struct machine_view *view = &machine->views[i];
        if (*address < view->address || *address - view->address >= view->length)
            continue;
        *address = view->target + (*address - view->address);
        *space = view->space;
        break;
    }
    for (int i = 0; *space == WCTS_SPACE_CPU && i < machine->window_count; i++) {
        const struct machine_window *window = &machine->windows[i];
        if (*address < window->address || *address - window->address >= window->size)
            continue;
        *address -= window->address;
        *space = window->space;
        break;
    }
}

/* The length up to the end of the page. */
static size_t part_length(uint64_t address, uint64_t length)
{
    uint64_t left = PAGE - address % PAGE;
    return (size_t)(length < left ? length : left);
}

bool wcts_machine_read(struct wcts_machine *machine, uint32_t space, uint64_t address,
                       uint8_t *bytes, uint64_t length)
{
    if (length > UINT64_MAX - address)
        return false;
    for (size_t part; length > 0; address += part, bytes += part, length -= part) {
        uint64_t real = address;
        uint32_t real_space = space;
        const struct machine_page_bytes *page;
        part = part_length(address, length);
        resolve_address(machine, &real_space, &real);
        page = find_page(machine, real_space, real / PAGE);
        if (page)
            memcpy(bytes, page->bytes + address % PAGE, part);
        else
            memset(bytes, 0, part);
    }
    return true;
}

bool wcts_machine_write(struct wcts_machine *machine, uint32_t space, uint64_t address,
                        const uint8_t *bytes, uint64_t length)
{
    if (length > UINT64_MAX - address)
        return false;
    for (size_t part; length > 0; address += part, bytes += part, length -= part) {
        uint64_t real = address;
        uint32_t real_space = space;
        struct machine_page_bytes *page;
        part = part_length(address, length);
        resolve_address(machine, &real_space, &real);
        page = make_page(machine, real_space, real / PAGE, part == PAGE);
        if (!page)
            return false;
        memcpy(page->bytes + address % PAGE, bytes, part);
    }
    return true;
}

/* A handler of wcts_dispatch: most need not all of its arguments. */
#define UNUSED __attribute__((unused))
#define HANDLER(name)                                                                              \
    static wcts_status name(UNUSED void *instance, UNUSED const void *request,                     \
                            UNUSED uint32_t request_size, UNUSED void *reply,                      \
                            UNUSED uint32_t reply_room, UNUSED uint32_t *reply_size)

HANDLER(handle_read)
{
    const struct wcts_machine_memory_request *in = request;
    struct wcts_machine_memory_reply *out = reply;
    if (in->Length > UINT64_MAX - in->Address)
        return WCTS_STATUS_INVALID_PARAMETER;
    if (in->Length > reply_room - sizeof *out)
        return WCTS_STATUS_BUFFER_TOO_SMALL;
    wcts_machine_read(instance, in->Space, in->Address, (uint8_t *)reply + sizeof *out, in->Length);
    out->Length = (uint32_t)in->Length;
    out->pData = sizeof *out;
    *reply_size = (uint32_t)(sizeof *out + in->Length);
    return WCTS_STATUS_SUCCESS;
}

HANDLER(handle_write)
{
    const struct wcts_machine_memory_request *in = request;
    const void *data = wcts_message_at(request, request_size, in->pData, in->Length, 1);
    if (in->Length == 0)
        return WCTS_STATUS_SUCCESS;
    if (!data || in->Length > UINT64_MAX - in->Address)
        return WCTS_STATUS_INVALID_PARAMETER;
    return wcts_machine_write(instance, in->Space, in->Address, data, in->Length)
               ? WCTS_STATUS_SUCCESS
               : WCTS_STATUS_NO_MEMORY;
}

static const struct machine_region *region_at(const struct wcts_machine *machine, uint64_t address)
{
    for (int i = 0; i < machine->region_count; i++)
        if (address >= machine->regions[i].address &&
            address - machine->regions[i].address < machine->regions[i].size)
            return &machine->regions[i];
    return NULL;
}

HANDLER(handle_query)
{
    const struct wcts_machine_range_request *in = request;
    const struct machine_region *region = region_at(instance, in->Address);
    struct wcts_machine_query_reply *out = reply;
    if (!region)
        return WCTS_STATUS_INVALID_PARAMETER;
    out->Attributes = region->attributes;
    out->Base = region->address;
    out->Length = region->size;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(handle_secure)
{
    struct wcts_machine *machine = instance;
    const struct wcts_machine_range_request *in = request;
    struct wcts_machine_secure_reply *out = reply;
    if (!region_at(machine, in->Address))
        return WCTS_STATUS_INVALID_PARAMETER;
    if (!grow_array((void **)&machine->secured, machine->secured_count, &machine->secured_room,
                    sizeof *machine->secured))
        return WCTS_STATUS_NO_MEMORY;
    out->Handle = machine->next_handle++;
    machine->secured[machine->secured_count++] = out->Handle;
    return WCTS_STATUS_SUCCESS;
}

HANDLER(handle_release)
{
    struct wcts_machine *machine = instance;
    const struct wcts_machine_range_request *in = request;
    for (int i = 0; i < machine->secured_count; i++)
        if (machine->secured[i] == in->Handle) {
            machine->secured[i] = machine->secured[--machine->secured_count];
            return WCTS_STATUS_SUCCESS;
        }
    return WCTS_STATUS_INVALID_HANDLE;
}

static int find_view(const struct wcts_machine *machine, uint64_t address)
{
    for (int i = 0; i < machine->view_count; i++)
        if (machine->views[i].address == address)
            return i;
    return -1;
}

HANDLER(handle_view)
{
    struct wcts_machine *machine = instance;
    const struct wcts_machine_view_request *in = request;
    struct wcts_machine_view_reply *out = reply;
    int index = in->View ? find_view(machine, in->View) : machine->view_count;
    if (index < 0)
        return WCTS_STATUS_INVALID_HANDLE;
    if (in->Length == 0 || (in->Address | in->Length) % PAGE != 0 ||
        in->Length > UINT64_MAX - in->Address || (in->Space != 0 && in->Space != WCTS_SPACE_CPU) ||
        (in->View && in->Length != machine->views[index].length))
        return WCTS_STATUS_INVALID_PARAMETER;
    out->View = in->View;
    if (!in->View) {
        if (!grow_array((void **)&machine->views, machine->view_count, &machine->view_room,
                        sizeof *machine->views))
            return WCTS_STATUS_NO_MEMORY;
        out->View = wcts_machine_region(machine, in->Length, in->Attributes, 0);
        if (!out->View)
            return WCTS_STATUS_NO_MEMORY;
        machine->view_count++;
    }
    machine->views[index] = (struct machine_view){out->View, in->Length, in->Space, in->Address};
    return WCTS_STATUS_SUCCESS;
}

HANDLER(handle_view_end)
{
    struct wcts_machine *machine = instance;
    const struct wcts_machine_range_request *in = request;
    int index = find_view(machine, in->Address);
    if (index < 0)
        return WCTS_STATUS_INVALID_HANDLE;
    machine->views[index] = machine->views[--machine->view_count];
    for (int i = 0; i < machine->region_count; i++)
        if (machine->regions[i].address == in->Address) {
            machine->regions[i] = machine->regions[--machine->region_count];
            break;
        }
    return WCTS_STATUS_SUCCESS;
}

/* The recorder keeps the text. */
HANDLER(handle_log)
{
    return WCTS_STATUS_SUCCESS;
}

wcts_status wcts_machine_call(void *ctx, uint32_t operation, const void *request,
                              uint32_t request_size, void *reply, uint32_t reply_room,
                              uint32_t *reply_size)
{
    static const struct wcts_handler handlers[] = {
        {WCTS_MACHINE_READ, handle_read},       {WCTS_MACHINE_WRITE, handle_write},
        {WCTS_MACHINE_QUERY, handle_query},     {WCTS_MACHINE_SECURE, handle_secure},
        {WCTS_MACHINE_RELEASE, handle_release}, {WCTS_MACHINE_LOG, handle_log},
        {WCTS_MACHINE_VIEW, handle_view},       {WCTS_MACHINE_VIEW_END, handle_view_end},
    };
    return wcts_dispatch(handlers, sizeof handlers / sizeof *handlers, ctx, operation, request,
                         request_size, reply, reply_room, reply_size);
}
