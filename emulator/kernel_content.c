/* SPDX-License-Identifier: MIT */
/* Contents: what allocations in several devices may hold together, and their instances. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <stdlib.h>

/* Bytes of a buffer that a fault copies. */
#define MOST_COPIED UINT64_C(0x1000000)

struct emu_content *emu_content_new(struct emu_kernel *kernel, struct emu_allocation *allocation)
{
    struct emu_content *content = calloc(1, sizeof(*content));
    if (content == NULL)
        return NULL;
    content->next = kernel->contents;
    if (content->next != NULL)
        content->next->previous = content;
    kernel->contents = content;
    content->current = &content->original;
    content->original.content = content;
    content->original.block.instance = &content->original;
    content->adapter = allocation->device->adapter;
    content->size = UINT64_MAX;
    emu_content_hold(content, allocation);
    return content;
}

/* For faults: a size that is no power of two, or one beyond 64 KiB. */
static int is_odd(uint64_t size)
{
    return (size & (size - 1)) != 0;
}

/* Document 000, PhysicallyContiguous. */
static int wants_contiguous(const struct emu_content *content, uint64_t size)
{
    const int contiguous = (content->flags & EMU_CREATE_PHYSICALLY_CONTIGUOUS) != 0;
    return EMU_FAULT("CAF-036.moved", contiguous,
                     (content->flags & EMU_CREATE_NO_KMD_ACCESS) != 0) &&
           EMU_FAULT("CAF-036.moved+odd", 1, !is_odd(size)) &&
           EMU_FAULT("CAF-036.mapped+large", 1, size <= EMU_64KB) &&
           EMU_FAULT("CAF-036.mapped+not-zeroed", 1,
                     (content->flags & EMU_CREATE_ALLOW_NOT_ZEROED) == 0);
}

/* Document 000, AllowNotZeroed: without it the pages are zero. */
static int wants_zeroed(const struct emu_kernel *kernel, const struct emu_content *content)
{
    const uint32_t boot = kernel->base.host->interface_version;
    const uint32_t flags = content->flags;
    return EMU_FAULT("CAF-057+contiguous", !(flags & EMU_CREATE_ALLOW_NOT_ZEROED),
                     !(flags & (EMU_CREATE_ALLOW_NOT_ZEROED | EMU_CREATE_PHYSICALLY_CONTIGUOUS))) &&
           EMU_FAULT("CAF-057.unheard", 1, !(flags & EMU_CREATE_NO_KMD_ACCESS)) &&
           EMU_FAULT("CAF-057+2.8", 1, EMU_WDDM_OF(boot) != EMU_WDDM_OF(EMU_WDDM_2_8));
}

/* Makes the pages that an instance begins with. */
static wcts_status make_pages(struct emu_kernel *kernel, struct emu_instance *instance)
{
    const struct emu_content *content = instance->content;
    const uint64_t pitched = content->info.PitchAlignedSize > content->size
                                 ? content->info.PitchAlignedSize
                                 : content->size;
    /* Nobody said the size of what the driver does not know: it has one page. */
    const uint64_t size = content->size == UINT64_MAX
                              ? kernel->base.host->page_size
                              : EMU_FAULT("SEG-043.size", content->size, pitched);
    return emu_backing_make(kernel, &instance->backing,
                            EMU_FAULT("SEG-043.size+odd", size, is_odd(size) ? pitched : size),
                            wants_contiguous(content, size), wants_zeroed(kernel, content));
}

/* The pages of a section, which all allocations over it share. */
static wcts_status back_with_section(struct emu_kernel *kernel, struct emu_content *content,
                                     struct emu_section *section)
{
    wcts_status status = WCTS_STATUS_SUCCESS;
    if (EMU_FAULT("CAF-033.same", section->backing.base == 0, 1) ||
        EMU_FAULT("CAF-033.same+call", 0, content->place != 0) ||
        EMU_FAULT("CAF-033.same+part", 0, section->size > content->size))
        status =
            emu_backing_make(kernel, &section->backing,
                             section->size > content->size ? section->size : content->size, 1, 1);
    content->original.backing = section->backing;
    content->original.backing.owned = 0;
    return status;
}

/* For a fault: copies the buffer, if that is done soon. */
static void copy_buffer(struct emu_kernel *kernel, struct emu_content *content)
{
    const struct emu_buffer *buffer = &content->buffer;
    struct emu_backing *copy = &content->copy;
    if (buffer->size > MOST_COPIED ||
        !wcts_succeeded(emu_backing_make(kernel, copy, buffer->size, 1, 0)) || copy->base == 0)
        return;
    copy->dirty = 1;
    if (!wcts_succeeded(emu_memory_copy(kernel, 0, copy->base, buffer->address, buffer->size)))
        emu_backing_release(kernel, copy);
}

/* M7a on Wine: what begins within a page stands on all the pages that it touches, so that it can
 * be mapped and viewed. */
static void cover_pages(struct emu_backing *backing, uint64_t page_size)
{
    const uint64_t lead = backing->base % page_size;
    backing->base -= lead;
    backing->size = (backing->size + lead + page_size - 1) / page_size * page_size;
}

wcts_status emu_content_back(struct emu_kernel *kernel, struct emu_content *content,
                             struct emu_section *section)
{
    struct emu_backing *backing = &content->original.backing;
    wcts_status status;
    if (content->buffer.secured) {
        *backing =
            (struct emu_backing){.base = content->buffer.address, .size = content->buffer.size};
        if (EMU_ROW_HOLDS(kernel, M7A))
            cover_pages(backing, kernel->base.host->page_size);
        if (content->buffer.size > EMU_64KB)
            EMU_FAULT_DO("HDR-021+copy", (void)0, copy_buffer(kernel, content));
        EMU_FAULT_DO("CAF-017", (void)0, emu_buffer_release(kernel, &content->buffer));
        EMU_FAULT_DO("CAF-017+second", (void)0,
                     content->place != 0 ? emu_buffer_release(kernel, &content->buffer) : (void)0);
        return WCTS_STATUS_SUCCESS;
    }
    if (section == NULL)
        return make_pages(kernel, &content->original);
    status = back_with_section(kernel, content, section);
    if (backing->size > content->size)
        backing->size = content->size;
    return status;
}

int emu_content_zeroed(const struct emu_content *content)
{
    const struct emu_backing *backing = &content->original.backing;
    return backing->owned && backing->base != 0 && EMU_FAULT("CAF-027.set", !backing->dirty, 1);
}

void emu_content_hold(struct emu_content *content, struct emu_allocation *allocation)
{
    allocation->content = content;
    allocation->next_holder = content->holders;
    content->holders = allocation;
}

int emu_content_let_go(struct emu_allocation *allocation)
{
    struct emu_content *content = allocation->content;
    struct emu_allocation **at = &content->holders;
    while (*at != allocation)
        at = &(*at)->next_holder;
    *at = allocation->next_holder;
    allocation->content = NULL;
    return content->holders == NULL;
}

/* What was submitted with an instance that goes cannot be submitted again. */
static void forget_submissions(struct emu_kernel *kernel, const struct emu_instance *instance)
{
    uint32_t i;
    if (kernel->submissions == NULL)
        return;
    for (i = 0; i < kernel->handles.count; i++)
        if (kernel->handles.entries[i].kind == EMU_HANDLE_DEVICE)
            emu_submission_forget(kernel, kernel->handles.entries[i].object, instance);
}

/* True if what is in the block is mapped there. */
static int is_mapped(const struct emu_block *block)
{
    return block->segment != NULL && !emu_segment_has_memory(block->segment);
}

/* For a fault: true if an instance of the content is mapped. */
static int is_mapped_somewhere(const struct emu_content *content)
{
    const struct emu_instance *instance = &content->original;
    while (instance != NULL && !is_mapped(&instance->block))
        instance = instance->next;
    return instance != NULL;
}

/* For a fault: true if the content was not the first of its call, and goes with its resource. */
static int is_further(const struct emu_kernel *kernel, const struct emu_content *content)
{
    return content->place != 0 && (content->flags & EMU_CREATE_RESOURCE) && !kernel->listed;
}

/* How much of what is mapped is unmapped in the end: all of it, but for a fault. */
static uint64_t unmapped_size(const struct emu_kernel *kernel, const struct emu_instance *instance)
{
    const uint64_t size = instance->backing.size, page = kernel->base.host->page_size;
    const uint64_t described =
        (instance->content->info.Size + EMU_GPU_PAGE_SIZE - 1) & ~(EMU_GPU_PAGE_SIZE - 1);
    return EMU_FAULT("HDR-035.last+described",
                     EMU_FAULT("HDR-035.last", size, size > page ? size - page : size),
                     instance->content->driver_knows && described < size ? described : size);
}

void emu_content_unplace(struct emu_kernel *kernel, struct emu_content *content, uint64_t context)
{
    struct emu_instance *instance;
    for (instance = &content->original; instance != NULL; instance = instance->next) {
        struct emu_block *block = &instance->block;
        const struct emu_mapping mapping = {content->driver_allocation, block, &instance->backing,
                                            0, unmapped_size(kernel, instance)};
        if (is_mapped(block) && EMU_FAULT("HDR-035.first", 1, 0) &&
            EMU_FAULT("HDR-035.first+resource", 1, !is_further(kernel, content)) &&
            EMU_FAULT("HDR-035.first+second-adapter", 1, block->segment->adapter->index == 0) &&
            EMU_FAULT("HDR-035.first+slept", 1, !block->segment->adapter->slept))
            (void)emu_paging_unmap(kernel, &mapping, context);
        emu_block_give(block);
    }
}

void emu_content_leave(struct emu_kernel *kernel, struct emu_content *content, uint64_t context)
{
    struct emu_instance *instance;
    struct emu_content **at;
    for (instance = &content->original; instance != NULL; instance = instance->next)
        forget_submissions(kernel, instance);
    if (!EMU_FAULT("HDR-035.before", 0, is_mapped_somewhere(content)))
        emu_content_unplace(kernel, content, context);
    if (content->body == NULL)
        return;
    for (at = &content->body->contents; *at != content;)
        at = &(*at)->next_sibling;
    *at = content->next_sibling;
    content->body = NULL;
}

void emu_content_free(struct emu_kernel *kernel, struct emu_content *content)
{
    struct emu_instance *instance, *next;
    if (content->driver_knows && content->adapter != NULL)
        emu_handle_set_remove(&content->adapter->driver_allocations, content->driver_allocation);
    /* Document 000: "MemSecure is only released when this allocation is freed". */
    if (EMU_FAULT("CAF-050", 1, !content->driver_knows) &&
        EMU_FAULT("CAF-051", 1, content->driver_knows) &&
        EMU_FAULT("CAF-050+list", 1, content->next_doomed == NULL) &&
        EMU_FAULT("CAF-050+second", 1, content->place == 0) &&
        EMU_FAULT("CAF-050.stopped", 1, !kernel->stopping) &&
        EMU_FAULT("CAF-050+second-adapter", 1,
                  content->adapter == NULL || content->adapter->index == 0) &&
        EMU_FAULT("CAF-050+moved", 1, content->original.moves == 0) &&
        EMU_FAULT("CAF-050.listed", 1, !kernel->listed))
        emu_buffer_release(kernel, &content->buffer);
    emu_backing_release(kernel, &content->copy);
    for (instance = &content->original; instance != NULL; instance = next) {
        next = instance->next;
        emu_backing_release(kernel, &instance->backing);
        if (instance != &content->original)
            free(instance);
    }
    if (content->next != NULL)
        content->next->previous = content->previous;
    if (content->previous != NULL)
        content->previous->next = content->next;
    else
        kernel->contents = content->next;
    free(content);
}

static int instance_in_use(const struct emu_kernel *kernel, const struct emu_instance *instance)
{
    return instance->epoch == kernel->epoch;
}

int emu_content_in_use(const struct emu_kernel *kernel, const struct emu_content *content)
{
    return instance_in_use(kernel, content->current);
}

wcts_status emu_content_rename(struct emu_kernel *kernel, struct emu_content *content)
{
    /* From WDDM 2.0 the member is PhysicalAdapterIndex. */
    const uint32_t limit = kernel->base.host->interface_version < EMU_WDDM_2_0
                               ? content->info.MaximumRenamingListLength
                               : 0;
    struct emu_instance *instance;
    wcts_status status;
    for (instance = &content->original; instance != NULL; instance = instance->next)
        if (!instance_in_use(kernel, instance)) {
            content->current = instance;
            return WCTS_STATUS_SUCCESS;
        }
    /* With the list full, the caller waits instead; everything submitted is done by then. */
    if ((EMU_FAULT("AIN-028", content->renamed >= limit, content->renamed > limit) &&
         EMU_FAULT("AIN-028+opened", 1,
                   content->renamed > limit || content->holders->next_holder == NULL) &&
         EMU_FAULT("AIN-028+unlimited", 1, kernel->base.host->interface_version >= EMU_WDDM_2_0) &&
         EMU_FAULT("AIN-028+zero", 1,
                   limit != 0 || kernel->base.host->interface_version >= EMU_WDDM_2_0)) ||
        !content->original.backing.owned)
        return WCTS_STATUS_SUCCESS;
    instance = calloc(1, sizeof(*instance));
    if (instance == NULL)
        return WCTS_STATUS_NO_MEMORY;
    instance->content = content;
    instance->block.instance = instance;
    status = make_pages(kernel, instance);
    if (!wcts_succeeded(status) || instance->backing.base == 0) {
        free(instance);
        return status;
    }
    instance->next = content->original.next;
    content->original.next = instance;
    content->current = instance;
    content->renamed++;
    return WCTS_STATUS_SUCCESS;
}

void emu_body_add(struct emu_body *body, struct emu_content *content)
{
    struct emu_content **at = &body->contents;
    while (*at != NULL)
        at = &(*at)->next_sibling;
    *at = content;
    content->body = body;
}

void emu_body_let_go(struct emu_kernel *kernel, struct emu_body *body)
{
    struct emu_handles *handles = &kernel->handles;
    struct emu_content *content;
    uint32_t i;
    if (--body->holders != 0)
        return;
    /* There are some only while a fault is on. */
    for (content = body->contents; content != NULL; content = content->next_sibling)
        content->body = NULL;
    emu_handle_drop(handles, body->hGlobalShare);
    /* Nobody keeps a list of the NT handles; they end with what they name. */
    for (i = 0; body->nt_shared && i < handles->count; i++)
        if (handles->entries[i].kind == EMU_HANDLE_NT_SHARE && handles->entries[i].object == body)
            handles->entries[i] = (struct emu_handle_entry){.kind = EMU_HANDLE_NONE};
    free(body);
}
