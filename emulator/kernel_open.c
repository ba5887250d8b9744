/* SPDX-License-Identifier: MIT */
/* Sharing: KERNEL_SHARE (D3DKMTShareObjects), KERNEL_OPEN_GLOBAL (D3DKMTOpenResource) and
 * KERNEL_OPEN_NT (D3DKMTOpenResourceFromNtHandle). Handles of both kinds name a resource and do not
 * hold it: it goes with the last device that created or opened it. (NT handles do in profiles with
 * the row S5a.) */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <stdlib.h>

wcts_status emu_kernel_share(void *instance, const void *request, uint32_t request_size,
                             void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    struct emu_kernel *kernel = instance;
    const struct wcts_kernel_share_request *asked = request;
    const struct emu_process *process =
        emu_handle_object(&kernel->handles, asked->hProcess, EMU_HANDLE_PROCESS);
    const struct emu_resource *resource =
        emu_handle_object(&kernel->handles, asked->hObject, EMU_HANDLE_RESOURCE);
    uint32_t handle;
    (void)request_size, (void)reply_room, (void)reply_size;
    if (process == NULL || resource == NULL || resource->device->process != process)
        return WCTS_STATUS_INVALID_HANDLE;
    /* Document 000, Remarks: "objects to be shared with D3DKMTShareObjects must first be created
     * with the NtSecuritySharing flag set". */
    if (EMU_FAULT("CAF-041", !(resource->body->flags & EMU_CREATE_NT_SECURITY_SHARING), 0) &&
        EMU_FAULT("CAF-041+restricted", 1,
                  !(resource->body->flags & EMU_CREATE_RESTRICT_SHARED_ACCESS)) &&
        EMU_FAULT("CAF-041.cross", 1, !(resource->body->flags & EMU_CREATE_CROSS_ADAPTER)) &&
        EMU_FAULT("CAF-041.opened", 1, !resource->opened))
        return WCTS_STATUS_ACCESS_DENIED;
    if (EMU_FAULT("CAF-052.shared+again", 0, resource->body->holders > 1))
        return WCTS_STATUS_ACCESS_DENIED;
    handle = emu_handle_give(kernel, EMU_HANDLE_NT_SHARE, resource->body);
    if (handle == 0)
        return WCTS_STATUS_NO_MEMORY;
    /* S5a: what an NT handle names lives on without local handles. */
    if (EMU_ROW_ON(&kernel->base, S5A) && resource->body->nt_shared == 0)
        resource->body->holders++;
    resource->body->nt_shared++;
    ((struct wcts_kernel_share_reply *)reply)->hNtHandle = EMU_FAULT("CAF-052.shared", handle, 0u);
    return WCTS_STATUS_SUCCESS;
}

/* Document 000, NonSecure: "if it is set, secure and non-secure processes can open the
 * allocation"; what a secure process made without it, a non-secure one cannot. */
static int closed_to(const struct emu_device *device, const struct emu_body *body)
{
    const struct emu_process *process = device->process;
    const int secure = EMU_FAULT("CAF-044", process->secure, 1);
    const uint32_t quiet = body->flags & (EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_READ_ONLY);
    const int given = (body->flags & EMU_CREATE_NON_SECURE) != 0;
    const int open = EMU_FAULT("CAF-006.non-secure", given, 0) &&
                     EMU_FAULT("CAF-006.non-secure+nt", 1,
                               quiet != (EMU_CREATE_NT_SECURITY_SHARING | EMU_CREATE_READ_ONLY));
    return body->secure && EMU_FAULT("CAF-044+opened", 1, body->holders < 2) &&
           EMU_FAULT("CAF-006.secure", !secure && !open, secure == open) &&
           EMU_FAULT("CAF-044+elsewhere", 1, body->adapter == device->adapter) &&
           EMU_FAULT("CAF-044.named", 1, !(body->flags & EMU_CREATE_NT_SECURITY_SHARING));
}

/* CrossAdapter: "the resource is a shared cross-adapter resource". No other one is, here. */
static int crosses_adapters(const struct emu_body *body)
{
    const uint32_t nt = body->flags & EMU_CREATE_NT_SECURITY_SHARING;
    const int crosses = (body->flags & EMU_CREATE_CROSS_ADAPTER) != 0;
    return crosses && EMU_FAULT("CAF-024.opened", 1, nt != 0) && EMU_FAULT("CAF-054", 1, nt == 0);
}

/* For faults: true when the NT handle of a NonSecure resource opens nothing, because only one of
 * the two processes is secure. */
static int kept_from_nt(const struct emu_kernel *kernel, const struct emu_process *process,
                        const struct emu_body *body)
{
    const uint32_t both = EMU_CREATE_NON_SECURE | EMU_CREATE_NT_SECURITY_SHARING;
    const int by_nt = kernel->operation == WCTS_KERNEL_OPEN_NT && (body->flags & both) == both;
    return EMU_FAULT("CAF-006.non-secure-by-nt", 0, by_nt && body->secure && !process->secure) ||
           EMU_FAULT("CAF-006.secure-by-nt", 0, by_nt && !body->secure && process->secure);
}

/* For faults: true when the device may not open the resource although it may. */
static int kept_from(const struct emu_kernel *kernel, const struct emu_device *device,
                     const struct emu_body *body)
{
    const uint32_t quiet = EMU_CREATE_READ_ONLY | EMU_CREATE_NON_SECURE;
    const int read_only = (body->flags & EMU_CREATE_READ_ONLY) != 0;
    return kept_from_nt(kernel, device->process, body) ||
           EMU_FAULT("CAF-005.opened+third", 0, body->holders > 2) ||
           EMU_FAULT("CAF-005.opened+read-only", 0, read_only && body->holders > 1) ||
           EMU_FAULT("CAF-054+read-only", 0,
                     body->adapter != device->adapter && (body->flags & quiet) == quiet);
}

/* Judges whether the device may open the resource. */
static wcts_status judge_open(const struct emu_kernel *kernel, const struct emu_device *device,
                              const struct emu_body *body)
{
    if (closed_to(device, body) || kept_from(kernel, device, body))
        return WCTS_STATUS_ACCESS_DENIED;
    if (body->adapter != device->adapter)
        return crosses_adapters(body) ? WCTS_STATUS_SUCCESS : WCTS_STATUS_INVALID_PARAMETER;
    if (EMU_FAULT("CAF-005.opened+cross-adapter", 0, (body->flags & EMU_CREATE_CROSS_ADAPTER) != 0))
        return WCTS_STATUS_INVALID_PARAMETER;
    return EMU_FAULT("CAF-005.opened", WCTS_STATUS_SUCCESS,
                     body->flags == (EMU_CREATE_RESOURCE | EMU_CREATE_SHARED)
                         ? WCTS_STATUS_INVALID_PARAMETER
                         : WCTS_STATUS_SUCCESS);
}

/* Gives the device an allocation of its own for a content, as the last one of the chain. */
static struct emu_allocation *open_content(struct emu_kernel *kernel, struct emu_resource *resource,
                                           struct emu_allocation *last, struct emu_content *content)
{
    struct emu_allocation *allocation = calloc(1, sizeof(*allocation));
    uint32_t handle = emu_adopt(kernel, EMU_HANDLE_ALLOCATION, allocation);
    if (handle == 0)
        return NULL;
    allocation->hAllocation = handle;
    allocation->device = resource->device;
    allocation->resource = resource;
    allocation->previous = last;
    if (last != NULL)
        last->next = allocation;
    else
        resource->first = allocation;
    emu_content_hold(content, allocation);
    return allocation;
}

static wcts_status open_body(struct emu_kernel *kernel, struct emu_device *device,
                             struct emu_body *body, struct wcts_kernel_open_reply *answer)
{
    struct emu_resource *resource;
    struct emu_allocation *last = NULL;
    struct emu_content *content;
    wcts_status status =
        EMU_CHOICE(OWN_SHARE_REFUSED, judge_open(kernel, device, body),
                   emu_choice_opened(device, body) ? WCTS_STATUS_INVALID_PARAMETER
                                                   : judge_open(kernel, device, body));
    if (!wcts_succeeded(status))
        return status;
    resource = calloc(1, sizeof(*resource));
    answer->hResource = emu_adopt(kernel, EMU_HANDLE_RESOURCE, resource);
    if (answer->hResource == 0)
        return WCTS_STATUS_NO_MEMORY;
    resource->hResource = answer->hResource;
    resource->device = device;
    resource->body = body;
    resource->opened = 1;
    body->holders++;
    for (content = body->contents; content != NULL; content = content->next_sibling) {
        last = open_content(kernel, resource, last, content);
        if (last == NULL) {
            emu_resource_end(kernel, resource);
            return WCTS_STATUS_NO_MEMORY;
        }
    }
    if (last != NULL)
        answer->hAllocation = EMU_FAULT("HDR-015", resource->first->hAllocation, last->hAllocation);
    return WCTS_STATUS_SUCCESS;
}

/* The resource that a handle of the kind names, or one of a resource itself. */
static struct emu_body *body_of(const struct emu_kernel *kernel, uint64_t handle,
                                enum emu_handle_kind kind)
{
    struct emu_resource *resource =
        emu_handle_object(&kernel->handles, handle, EMU_HANDLE_RESOURCE);
    return resource != NULL ? resource->body : emu_handle_object(&kernel->handles, handle, kind);
}

/* For faults: answers no handle of the resource that was opened. */
static void lose_handle(enum emu_handle_kind kind, struct wcts_kernel_open_reply *answer)
{
    const uint32_t handle = answer->hResource;
    answer->hResource =
        EMU_FAULT("CAF-005.opened+zero", handle, kind == EMU_HANDLE_GLOBAL_SHARE ? 0 : handle);
    answer->hResource = EMU_FAULT("CAF-052.opened+zero", answer->hResource,
                                  kind == EMU_HANDLE_NT_SHARE ? 0 : handle);
}

/* Opens what a handle of the kind names. */
static wcts_status open_handle(struct emu_kernel *kernel, uint32_t hDevice, uint64_t handle,
                               enum emu_handle_kind kind, void *reply)
{
    struct emu_device *device = emu_handle_object(&kernel->handles, hDevice, EMU_HANDLE_DEVICE);
    wcts_status status;
    struct emu_body *body =
        EMU_FAULT("CAF-043.resource", emu_handle_object(&kernel->handles, handle, kind),
                  body_of(kernel, handle, kind));
    EMU_CHOICE(RESOURCE_OPENED, (void)0,
               (void)(body == NULL && kind == EMU_HANDLE_GLOBAL_SHARE &&
                      (body = emu_choice_body(kernel, device, handle)) != NULL));
    if (device == NULL || body == NULL)
        return WCTS_STATUS_INVALID_HANDLE;
    kernel->opening = 1;
    status = open_body(kernel, device, body, reply);
    kernel->opening = 0;
    if (wcts_succeeded(status))
        lose_handle(kind, reply);
    return status;
}

wcts_status emu_kernel_open_global(void *instance, const void *request, uint32_t request_size,
                                   void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_open_global_request *asked = request;
    (void)request_size, (void)reply_room, (void)reply_size;
    return open_handle(instance, asked->hDevice, asked->hGlobalShare, EMU_HANDLE_GLOBAL_SHARE,
                       reply);
}

wcts_status emu_kernel_open_nt(void *instance, const void *request, uint32_t request_size,
                               void *reply, uint32_t reply_room, uint32_t *reply_size)
{
    const struct wcts_kernel_open_nt_request *asked = request;
    (void)request_size, (void)reply_room, (void)reply_size;
    return open_handle(instance, asked->hDevice, asked->hNtHandle,
                       (enum emu_handle_kind)EMU_FAULT("CAF-052.opened", EMU_HANDLE_NT_SHARE,
                                                       EMU_HANDLE_GLOBAL_SHARE),
                       reply);
}
