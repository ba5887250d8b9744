/* SPDX-License-Identifier: MIT */
/* The end of allocations and resources. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <stdlib.h>
#include <string.h>

/* For a fault: what the last of the contents is called when a call ends their resource, body: as
 * the first one, and an only one as the resource. */
static const uint64_t *mistaken(const struct emu_kernel *kernel, const struct emu_body *body,
                                const struct emu_content *first, const struct emu_content *content)
{
    if (body == NULL || content->next_doomed != NULL || kernel->stopping)
        return &content->driver_allocation;
    return content != first ? &first->driver_allocation : &body->driver_resource;
}

/* True when the driver has the content. */
static int is_listed(const struct emu_kernel *kernel, const struct emu_content *content)
{
    const int unheard = (content->flags & EMU_CREATE_NO_KMD_ACCESS) != 0;
    const int known =
        EMU_FAULT("CAF-037.listed", content->driver_knows, content->driver_knows || unheard);
    return EMU_FAULT("AIN-031.stopped", known, known || (unheard && kernel->stopping)) &&
           EMU_FAULT("HDR-017+primary", 1, !kernel->stopping || !content->from_mode);
}

/* For a fault: true for a content that the driver was never told of, when its resource ends and
 * the driver has the resource, whole, or another one of the contents. */
static int is_unheard(const struct emu_kernel *kernel, const struct emu_content *first, int whole,
                      const struct emu_content *content, const struct emu_body *body)
{
    if (body == NULL || content->driver_knows || !(content->flags & EMU_CREATE_NO_KMD_ACCESS))
        return 0;
    while (first != NULL && !is_listed(kernel, first))
        first = first->next_doomed;
    return whole || first != NULL;
}

/* Tells the driver that what it created ends: contents linked by next_doomed, and a body or NULL.
 * Nothing that it answers can keep them alive. */
static void tell_driver(struct emu_kernel *kernel, const struct emu_content *first,
                        const struct emu_body *body)
{
    const int whole =
        body != NULL && EMU_FAULT("CAF-037.destroyed", body->driver_knows,
                                  body->driver_knows || body->flags & EMU_CREATE_NO_KMD_ACCESS);
    struct emu_message *message = &kernel->request;
    const struct emu_content *content;
    struct wcts_driver_allocation_destroy_request *request;
    uint32_t count = 0;
    if (!kernel->base.probe || !emu_message_begin(message, sizeof(*request)))
        return;
    for (content = first; content != NULL; content = content->next_doomed)
        if (EMU_FAULT("AIN-031.none", is_listed(kernel, content),
                      is_listed(kernel, content) ||
                          is_unheard(kernel, first, whole, content, body)) &&
            EMU_FAULT("AIN-031.listed", 1, count == 0) &&
            emu_message_append(
                message,
                EMU_FAULT("AIN-031.whole",
                          EMU_FAULT("AIN-031.destroy", &content->driver_allocation, &content->size),
                          mistaken(kernel, whole ? body : NULL, first, content)),
                sizeof(uint64_t)) != 0)
            count++;
    if (count == 0 && !whole)
        return;
    request = (void *)message->data;
    request->NumAllocations = count;
    request->phAllocationList = count ? sizeof(*request) : 0;
    request->hResource = whole ? body->driver_resource : 0;
    request->Flags = whole ? EMU_DRIVER_DESTROY_RESOURCE : 0;
    if (!wcts_succeeded(emu_port_call(&kernel->base.port, WCTS_DRIVER_ALLOCATION_DESTROY,
                                      message->data, message->size, 0, NULL)))
        emu_log(kernel->base.host, "emulator: the driver failed to destroy allocations");
}

/* Tells the driver of the end of contents linked by next_doomed, and of a body or NULL, and frees
 * the contents. The header, DRIVER_PAGING: what is mapped into an aperture is unmapped before the
 * driver is asked to destroy the allocation, so that they have left their segments; context is for
 * the fault that does it now. */
static void end_contents(struct emu_kernel *kernel, struct emu_content *doomed,
                         const struct emu_body *body, uint64_t context)
{
    tell_driver(
        kernel,
        EMU_CHOICE(DESTROYED_ONE_BY_ONE, doomed, emu_choice_tell_each(kernel, doomed, tell_driver)),
        body);
    while (doomed != NULL) {
        struct emu_content *content = doomed;
        doomed = content->next_doomed;
        emu_content_unplace(kernel, content, context);
        emu_content_free(kernel, content);
    }
}

/* S5a: true if an NT handle keeps a content that no device has any more. */
static int is_kept(const struct emu_kernel *kernel, const struct emu_content *content)
{
    return EMU_ROW_ON(&kernel->base, S5A) && content->body != NULL && content->body->nt_shared != 0;
}

/* Ends a resource that nobody has open, with all its contents. */
static void end_kept(struct emu_kernel *kernel, struct emu_body *body)
{
    struct emu_content *doomed = NULL, **end = &doomed;
    while (body->contents != NULL) {
        struct emu_content *content = body->contents;
        emu_content_leave(kernel, content, 0);
        content->next_doomed = NULL;
        *end = content;
        end = &content->next_doomed;
    }
    end_contents(kernel, doomed, body, 0);
    emu_body_let_go(kernel, body);
}

void emu_kept_end(struct emu_kernel *kernel, const struct emu_adapter *adapter)
{
    uint32_t i;
    for (i = 0; EMU_ROW_ON(&kernel->base, S5A) && i < kernel->handles.count; i++) {
        struct emu_body *body = kernel->handles.entries[i].object;
        if (kernel->handles.entries[i].kind == EMU_HANDLE_NT_SHARE && body->adapter == adapter &&
            body->holders == 1)
            end_kept(kernel, body);
    }
}

/* For a fault: tells the driver of the end of a content that others still hold, when a call ends an
 * allocation of it that was made by opening. */
static void tell_early(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    struct emu_content *content = allocation->content;
    if (kernel->stopping || allocation->resource == NULL || !allocation->resource->opened ||
        content->holders->next_holder == NULL)
        return;
    content->next_doomed = NULL;
    tell_driver(kernel, content, NULL);
}

/* For faults: the one that created what an allocation holds: the first holder, who stands last. */
static struct emu_allocation *creator_of(const struct emu_allocation *allocation)
{
    struct emu_allocation *holder = allocation->content->holders;
    while (holder->next_holder != NULL)
        holder = holder->next_holder;
    return holder;
}

/* For faults: true when a call ends an allocation that created what others have open. */
static int leaves_others(const struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    return !kernel->stopping && allocation->content->holders != allocation &&
           (allocation->resource == NULL || !allocation->resource->opened) &&
           creator_of(allocation) == allocation;
}

/* For a fault: ends the view of the creator, when a call ends an allocation that was made by
 * opening. */
static void lose_view(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    if (!kernel->stopping && allocation->resource != NULL && allocation->resource->opened)
        emu_view_lose(kernel, creator_of(allocation));
}

/* For a fault: forgets the content that others have open when its creator goes. */
static void clear_content(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    const struct emu_backing *backing = &allocation->content->current->backing;
    uint64_t offset, length, address;
    if (!leaves_others(kernel, allocation))
        return;
    for (offset = 0; offset < backing->size; offset += length) {
        length = emu_backing_run(kernel, backing, offset, &address);
        if (length == 0 || !wcts_succeeded(emu_memory_zero(kernel, address, length)))
            return;
    }
}

/* For a fault: tells the driver of the end of a content that another adapter has open, when its
 * creator goes. */
static void tell_elsewhere(struct emu_kernel *kernel, const struct emu_allocation *allocation)
{
    struct emu_content *content = allocation->content;
    if (!leaves_others(kernel, allocation) || content->holders->device->adapter == content->adapter)
        return;
    content->next_doomed = NULL;
    tell_driver(kernel, content, NULL);
}

/* For a fault: forgets the buffers of those of a resource that stay when a list ends one of them.
 */
static void release_siblings(struct emu_kernel *kernel, const struct emu_content *content)
{
    struct emu_content *sibling =
        kernel->listed && content->body != NULL ? content->body->contents : NULL;
    for (; sibling != NULL; sibling = sibling->next_sibling)
        if (sibling != content)
            emu_buffer_release(kernel, &sibling->buffer);
}

void emu_allocations_end(struct emu_kernel *kernel, struct emu_allocation *first,
                         const struct emu_resource *resource)
{
    struct emu_content *content, *doomed = NULL, **end = &doomed;
    struct emu_allocation *next;
    const uint64_t context = first != NULL ? first->device->driver_context : 0;
    for (; first != NULL; first = next) {
        next = first->next;
        content = first->content;
        emu_view_end(kernel, first);
        if (content != NULL && content->holders->next_holder != NULL && content->buffer.secured)
            EMU_FAULT_DO("CAF-017.opened", (void)0, emu_buffer_release(kernel, &content->buffer));
        if (content != NULL) {
            EMU_FAULT_DO("HDR-021+closed", (void)0, lose_view(kernel, first));
            EMU_FAULT_DO("HDR-021+creator", (void)0, clear_content(kernel, first));
            EMU_FAULT_DO("AIN-031.brought+opener", (void)0, tell_early(kernel, first));
            EMU_FAULT_DO("AIN-031.brought+creator", (void)0, tell_elsewhere(kernel, first));
        }
        if (content != NULL && emu_content_let_go(first) && !is_kept(kernel, content)) {
            EMU_FAULT_DO("CAF-017.others", (void)0, release_siblings(kernel, content));
            if (first->resource != NULL && first->resource->opened)
                EMU_FAULT_DO("CAF-050+opened", (void)0, (void)(content->buffer.secured = 0));
            emu_content_leave(kernel, content, context);
            content->next_doomed = NULL;
            *end = content;
            end = &content->next_doomed;
        }
        kernel->closed |= first->resource != NULL && first->resource->opened;
        emu_handle_drop(&kernel->handles, first->hAllocation);
        free(first);
    }
    /* The driver has a resource as long as somebody has it open. */
    end_contents(kernel, doomed,
                 resource != NULL && resource->body->holders == 1 ? resource->body : NULL, context);
}

void emu_resource_end(struct emu_kernel *kernel, struct emu_resource *resource)
{
    emu_allocations_end(kernel, resource->first, resource);
    emu_body_let_go(kernel, resource->body);
    emu_handle_drop(&kernel->handles, resource->hResource);
    free(resource);
}

/* Takes an allocation out of its resource, which stays. */
static void leave_resource(struct emu_allocation *allocation)
{
    if (allocation->next != NULL)
        allocation->next->previous = allocation->previous;
    if (allocation->previous != NULL)
        allocation->previous->next = allocation->next;
    else if (allocation->resource != NULL)
        allocation->resource->first = allocation->next;
    allocation->resource = NULL;
    allocation->next = NULL;
    allocation->previous = NULL;
}

/* For faults: the call that takes the handles of what was opened and closed; 0: none. */
static uint32_t takes_closed(void)
{
    uint32_t call = EMU_FAULT("HDR-037.locked", 0u, (uint32_t)WCTS_KERNEL_LOCK);
    call = EMU_FAULT("HDR-037.queried", call, (uint32_t)WCTS_KERNEL_QUERY_ALLOCATION);
    call = EMU_FAULT("HDR-037.paged", call, (uint32_t)WCTS_KERNEL_PAGE_IN);
    call = EMU_FAULT("HDR-037.submitted", call, (uint32_t)WCTS_KERNEL_SUBMIT);
    return EMU_FAULT("HDR-037.destroyed", call, (uint32_t)WCTS_KERNEL_ALLOCATION_DESTROY);
}

int emu_resource_closed(const struct emu_kernel *kernel, const struct emu_resource *resource)
{
    return resource != NULL && resource->closed && takes_closed() != kernel->operation;
}

/* For faults: ends what is seen of an opened resource, and nothing else. */
static void keep_closed(struct emu_kernel *kernel, struct emu_resource *resource)
{
    struct emu_allocation *allocation;
    for (allocation = resource->first; allocation != NULL; allocation = allocation->next)
        emu_view_end(kernel, allocation);
    resource->closed = 1;
}

static struct emu_allocation *listed(const struct emu_kernel *kernel, const unsigned char *list,
                                     uint32_t index)
{
    struct emu_allocation *allocation;
    uint32_t handle;
    memcpy(&handle, list + (size_t)index * sizeof(handle), sizeof(handle));
    allocation = emu_handle_object(&kernel->handles, handle, EMU_HANDLE_ALLOCATION);
    return allocation != NULL && emu_resource_closed(kernel, allocation->resource) ? NULL
                                                                                   : allocation;
}

/* Ends the allocations of a list, or none of them when one is not of the device or named twice. */
static wcts_status destroy_list(struct emu_kernel *kernel, const struct emu_device *device,
                                const unsigned char *list, uint32_t count)
{
    struct emu_allocation *allocation, *first = NULL, **end = &first;
    uint32_t i, good;
    for (good = 0; good < count; good++) {
        allocation = listed(kernel, list, good);
        if (allocation == NULL || allocation->device != device || allocation->doomed)
            break;
        allocation->doomed = 1;
    }
    for (i = 0; i < good; i++) {
        allocation = listed(kernel, list, i);
        allocation->doomed = 0;
        if (good < count || EMU_FAULT("AIN-031.listed+second", 0, i != 0))
            continue;
        leave_resource(allocation);
        *end = allocation;
        end = &allocation->next;
    }
    if (good < count)
        return WCTS_STATUS_INVALID_HANDLE;
    kernel->listed = 1;
    emu_allocations_end(kernel, first, NULL);
    kernel->listed = 0;
    return WCTS_STATUS_SUCCESS;
}

/* Ends the first allocation of a resource, and leaves the others in it. */
static void end_first(struct emu_kernel *kernel, struct emu_resource *resource)
{
    struct emu_allocation *first = resource->first;
    if (first == NULL || first->next == NULL) {
        emu_resource_end(kernel, resource);
        return;
    }
    leave_resource(first);
    emu_allocations_end(kernel, first, NULL);
}

/* For a fault: ends all allocations of a resource but the one that was named last. */
static void end_all_but_last(struct emu_kernel *kernel, struct emu_resource *resource)
{
    struct emu_allocation *last = resource->first;
    if (last != NULL && last->next != NULL)
        leave_resource(last);
    emu_resource_end(kernel, resource);
}

/* True if a list beside a resource is no reason to refuse the call: W25b, whose list is empty and
 * is not looked at, and U1. */
static int list_spared(const struct emu_kernel *kernel)
{
    return EMU_ROW_HOLDS(kernel, W25B) || EMU_ROW_HOLDS(kernel, U1);
}

wcts_status emu_kernel_allocation_destroy(void *instance, const void *request,
                                          uint32_t request_size, void *reply, uint32_t reply_room,
                                          uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_allocation_destroy_request *asked = request;
    const struct wcts_D3DKMT_DESTROYALLOCATION2 *args = &asked->Args;
    const struct emu_device *device =
        emu_handle_object(&kernel->handles, args->hDevice, EMU_HANDLE_DEVICE);
    const void *list = wcts_message_at(request, request_size, args->phAllocationList,
                                       args->AllocationCount, sizeof(uint32_t));
    struct emu_resource *resource;
    (void)reply, (void)reply_room, (void)reply_size;
    if (device == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    if (EMU_ROW_HOLDS(kernel, W4)) /* there is nothing to destroy */
        return WCTS_STATUS_SUCCESS;
    if (args->hResource == 0) {
        if (list == NULL || args->AllocationCount == 0)
            return WCTS_STATUS_INVALID_PARAMETER;
        return destroy_list(kernel, device, list, args->AllocationCount);
    }
    if ((args->AllocationCount != 0 || args->phAllocationList != 0) && !list_spared(kernel))
        return WCTS_STATUS_INVALID_PARAMETER;
    resource = emu_handle_object(&kernel->handles, args->hResource, EMU_HANDLE_RESOURCE);
    if (resource == NULL || EMU_FAULT("CAF-004.destroyed", resource->device != device, 0) ||
        emu_resource_closed(kernel, resource))
        return WCTS_STATUS_INVALID_HANDLE;
    if (resource->opened && !resource->closed && takes_closed() != 0) {
        keep_closed(kernel, resource);
        return WCTS_STATUS_SUCCESS;
    }
    /* U1: both go, the list first, whose allocations may be the resource's. */
    if (EMU_ROW_HOLDS(kernel, U1)) {
        const wcts_status status = list == NULL
                                       ? WCTS_STATUS_INVALID_PARAMETER
                                       : destroy_list(kernel, device, list, args->AllocationCount);
        if (!wcts_succeeded(status))
            return status;
    }
    EMU_FAULT_DO("CAF-004.gone",
                 EMU_FAULT_DO("CAF-004.gone+last", emu_resource_end(kernel, resource),
                              end_all_but_last(kernel, resource)),
                 end_first(kernel, resource));
    return WCTS_STATUS_SUCCESS;
}
