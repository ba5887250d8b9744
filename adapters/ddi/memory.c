/* SPDX-License-Identifier: MIT */
/* The machine's memory: plain reads and writes, and the copies that the driver sees of DMA buffers,
 * their private data and the pages of an MDL. */
#include "ddi.h"

#include <stdlib.h>

#define CHUNK 12288u
/* On both sides of a copy: a driver that takes a size for a larger one writes far behind the end.
 */
#define GUARD 8192u

typedef uint64_t reply_room[WCTS_REPLY_ROOM / 8];

static NTSTATUS read_chunk(const struct ddi_instance *instance, uint32_t space, uint64_t address,
                           void *data, uint32_t length)
{
    const struct wcts_machine_memory_request request = {
        .size = sizeof request, .Space = space, .Address = address, .Length = length};
    reply_room reply = {0};
    const struct wcts_machine_memory_reply *answer = (const void *)reply;
    uint32_t size = 0;
    const void *bytes;
    wcts_status status = instance->host->call(instance->host->ctx, WCTS_MACHINE_READ, &request,
                                              sizeof request, reply, sizeof reply, &size);
    if (!wcts_succeeded(status))
        return status;
    bytes = size >= sizeof *answer && size <= sizeof reply
                ? wcts_message_at(reply, size, answer->pData, length, 1)
                : NULL;
    if (bytes == NULL)
        return STATUS_INVALID_PARAMETER;
    memcpy(data, bytes, length);
    return STATUS_SUCCESS;
}

static NTSTATUS write_chunk(const struct ddi_instance *instance, uint32_t space, uint64_t address,
                            const void *data, uint32_t length)
{
    struct {
        struct wcts_machine_memory_request head;
        unsigned char data[CHUNK];
    } message;
    reply_room reply = {0};
    uint32_t size = 0;
    message.head = (struct wcts_machine_memory_request){.size = sizeof message.head,
                                                        .Space = space,
                                                        .Address = address,
                                                        .Length = length,
                                                        .pData = sizeof message.head};
    memcpy(message.data, data, length);
    return instance->host->call(instance->host->ctx, WCTS_MACHINE_WRITE, &message,
                                (uint32_t)sizeof message.head + ((length + 7) & ~7u), reply,
                                sizeof reply, &size);
}

NTSTATUS ddi_read(const struct ddi_instance *instance, uint32_t space, uint64_t address, void *data,
                  uint32_t length)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t done, part;
    for (done = 0; done < length && NT_SUCCESS(status); done += part) {
        part = length - done < CHUNK ? length - done : CHUNK;
        status = read_chunk(instance, space, address + done, (unsigned char *)data + done, part);
    }
    return status;
}

NTSTATUS ddi_write(const struct ddi_instance *instance, uint32_t space, uint64_t address,
                   const void *data, uint32_t length)
{
    NTSTATUS status = STATUS_SUCCESS;
    uint32_t done, part;
    for (done = 0; done < length && NT_SUCCESS(status); done += part) {
        part = length - done < CHUNK ? length - done : CHUNK;
        status =
            write_chunk(instance, space, address + done, (const unsigned char *)data + done, part);
    }
    return status;
}

/* True when [address, address + size) lies in the memory of the mirror. */
static int covers(const struct ddi_mirror *mirror, uint64_t address, uint32_t size)
{
    return address >= mirror->address && address - mirror->address <= mirror->size &&
           size <= mirror->size - (address - mirror->address);
}

static int overlaps(const struct ddi_mirror *mirror, uint64_t address, uint32_t size)
{
    return address < mirror->address + mirror->size && mirror->address < address + size;
}

int ddi_is_garbage(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    return count == 0 || (at[0] == DDI_GARBAGE && memcmp(at, at + 1, count - 1) == 0);
}

static void check_guards(const struct ddi_mirror *mirror)
{
    if (!ddi_is_garbage(mirror->data + mirror->size, GUARD))
        ddi_breach("the driver wrote behind the %u bytes that it was given at 0x%llx", mirror->size,
                   (unsigned long long)mirror->address);
    if (!ddi_is_garbage(mirror->data - GUARD, GUARD))
        ddi_breach("the driver wrote before the %u bytes that it was given at 0x%llx", mirror->size,
                   (unsigned long long)mirror->address);
}

/* The bytes that changed, and no others: somebody may look at what was written. */
static void write_back(const struct ddi_instance *instance, const struct ddi_mirror *mirror)
{
    uint32_t start, end;
    for (start = 0; start < mirror->size; start = end) {
        end = start + 1;
        if (mirror->data[start] == mirror->before[start])
            continue;
        while (end < mirror->size && mirror->data[end] != mirror->before[end])
            end++;
        (void)ddi_write(instance, 0, mirror->address + start, mirror->data + start, end - start);
    }
}

static void free_mirror(struct ddi_mirror *mirror)
{
    free(mirror->block);
    free(mirror->before);
    free(mirror);
}

static void end_mirror(const struct ddi_instance *instance, struct ddi_mirror *mirror)
{
    check_guards(mirror);
    write_back(instance, mirror);
    free_mirror(mirror);
}

/* Ends the mirrors that were kept of this memory: somebody else may have written there. */
static void forget(struct ddi_instance *instance, uint64_t address, uint32_t size)
{
    struct ddi_mirror **at = &instance->mirrors;
    while (*at != NULL) {
        struct ddi_mirror *mirror = *at;
        if (mirror->keep && overlaps(mirror, address, size)) {
            *at = mirror->next;
            end_mirror(instance, mirror);
        } else {
            at = &mirror->next;
        }
    }
}

/* A copy begins as far behind a page as the memory does, and guards lie on both sides. */
static struct ddi_mirror *new_mirror(uint64_t address, uint32_t size)
{
    const size_t lead = GUARD + address % DDI_PAGE;
    struct ddi_mirror *mirror = ddi_new(sizeof *mirror);
    mirror->block = aligned_alloc(DDI_PAGE, (lead + size + GUARD + DDI_PAGE - 1) & ~(DDI_PAGE - 1));
    mirror->before = ddi_new(size);
    mirror->address = address;
    mirror->size = size;
    if (mirror->block == NULL)
        ddi_breach("no memory for %u bytes", size);
    mirror->data = (unsigned char *)mirror->block + lead;
    memset(mirror->data - GUARD, DDI_GARBAGE, size + 2 * GUARD);
    return mirror;
}

static void *mirror_of(struct ddi_instance *instance, uint64_t address, uint32_t size,
                       struct ddi_part part, int keep)
{
    struct ddi_mirror *mirror;
    if (address == 0 || size == 0)
        return NULL;
    for (mirror = instance->mirrors; mirror != NULL; mirror = mirror->next)
        if (mirror->keep == keep && covers(mirror, address, size))
            return mirror->data + (address - mirror->address);
    forget(instance, address, size);
    mirror = new_mirror(address, size);
    if (!NT_SUCCESS(ddi_read(instance, 0, address + part.start, mirror->data + part.start,
                             part.end - part.start))) {
        free_mirror(mirror);
        return NULL;
    }
    memcpy(mirror->before, mirror->data, size);
    mirror->keep = keep;
    mirror->next = instance->mirrors;
    instance->mirrors = mirror;
    return mirror->data;
}

void *ddi_mirror(struct ddi_instance *instance, uint64_t address, uint32_t size)
{
    return mirror_of(instance, address, size, (struct ddi_part){0, size}, 0);
}

void *ddi_mirror_part(struct ddi_instance *instance, uint64_t address, uint32_t size,
                      struct ddi_part part)
{
    return mirror_of(instance, address, size, part, 0);
}

void *ddi_mirror_kept(struct ddi_instance *instance, uint64_t address, uint32_t size)
{
    return mirror_of(instance, address, size, (struct ddi_part){0, size}, 1);
}

void ddi_mirror_written(struct ddi_instance *instance, const void *data, uint32_t length)
{
    const unsigned char *at = data;
    struct ddi_mirror *mirror;
    uint32_t i;
    for (mirror = instance->mirrors; mirror != NULL; mirror = mirror->next)
        if (at >= mirror->data && at < mirror->data + mirror->size)
            for (i = (uint32_t)(at - mirror->data); i < mirror->size && length > 0; i++, length--)
                mirror->before[i] = (unsigned char)~mirror->data[i];
}

void ddi_mirrors_end(struct ddi_instance *instance)
{
    struct ddi_mirror **at = &instance->mirrors;
    while (*at != NULL) {
        struct ddi_mirror *mirror = *at;
        if (!mirror->keep) {
            *at = mirror->next;
            end_mirror(instance, mirror);
            continue;
        }
        check_guards(mirror);
        write_back(instance, mirror);
        memcpy(mirror->before, mirror->data, mirror->size);
        at = &mirror->next;
    }
    while (instance->mdls != NULL) {
        struct ddi_mdl *mdl = instance->mdls;
        instance->mdls = mdl->next;
        free(mdl);
    }
}

void ddi_memory_end(struct ddi_instance *instance)
{
    while (instance->mirrors != NULL) {
        struct ddi_mirror *mirror = instance->mirrors;
        instance->mirrors = mirror->next;
        free_mirror(mirror);
    }
}

/* Pages of system memory have two addresses: the machine's, and the one in page lists, with this
 * bit and in another order within a group of four: what is contiguous for the machine is not, as on
 * a system that has run for a while. */
#define SCATTERED (UINT64_C(1) << 47)
#define GROUP UINT64_C(3)

static uint64_t scattered_page(uint64_t page)
{
    return (page ^ GROUP) | SCATTERED / DDI_PAGE;
}

uint64_t wcts_ddi_machine_address(uint64_t address)
{
    return address & SCATTERED ? (address & ~SCATTERED) ^ GROUP * DDI_PAGE : address;
}

PMDL ddi_mdl_new(struct ddi_instance *instance, uint64_t address, uint64_t size)
{
    const uint64_t first = address / DDI_PAGE;
    const uint64_t count = (address % DDI_PAGE + size + DDI_PAGE - 1) / DDI_PAGE;
    struct ddi_mdl *mdl = ddi_new(sizeof *mdl + count * sizeof(PFN_NUMBER));
    uint64_t i;
    mdl->address = address;
    mdl->mdl.Size = (CSHORT)(sizeof(MDL) + count * sizeof(PFN_NUMBER));
    mdl->mdl.ByteCount = (ULONG)size;
    mdl->mdl.ByteOffset = (ULONG)(address % DDI_PAGE);
    for (i = 0; i < count; i++)
        MmGetMdlPfnArray(&mdl->mdl)[i] = (PFN_NUMBER)scattered_page(first + i);
    mdl->next = instance->mdls;
    instance->mdls = mdl;
    return &mdl->mdl;
}

PVOID MmGetSystemAddressForMdlSafe(PMDL Mdl, ULONG Priority)
{
    struct ddi_mdl *mdl = CONTAINING_RECORD(Mdl, struct ddi_mdl, mdl);
    (void)Priority;
    if (Mdl->MappedSystemVa == NULL)
        Mdl->MappedSystemVa = ddi_mirror(ddi_current, mdl->address, Mdl->ByteCount);
    return Mdl->MappedSystemVa;
}

PHYSICAL_ADDRESS MmGetPhysicalAddress(PVOID BaseAddress)
{
    PHYSICAL_ADDRESS address = {.QuadPart = 0};
    const struct ddi_mirror *mirror = ddi_current != NULL ? ddi_current->mirrors : NULL;
    const unsigned char *at = BaseAddress;
    for (; mirror != NULL; mirror = mirror->next)
        if (at >= mirror->data && at <= mirror->data + mirror->size)
            address.QuadPart = (LONGLONG)mirror->address + (at - mirror->data);
    return address;
}
