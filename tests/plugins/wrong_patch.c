/* SPDX-License-Identifier: MIT */
/* The emulator's kernel with one thing wrong in what it gives its driver to patch, to page or to
 * submit: options emulator=PATH and wrong=WORD. */
#include <stdbool.h>
#include <stddef.h>

#include "wrap.h"

struct wrong_patch {
    struct wrapped wrapped; /* its host is the emulator's */
    const struct wcts_host *outer;
    char word[32];
    uint64_t device, first_part[2]; /* what an earlier request held */
    bool rendered;
    uint32_t fence;
};

static bool is(const struct wrong_patch *self, const char *word)
{
    return strcmp(self->word, word) == 0;
}

/* Numbers of DXGKARG_PATCH that are changed: by word, of which requests, to what. */
static const struct {
    const char *word;
    bool paging;
    size_t offset, width;
    bool add;
    uint64_t value;
} changes[] = {
#define FIELD(name)                                                                                \
    offsetof(struct wcts_DXGKARG_PATCH, name), sizeof((struct wcts_DXGKARG_PATCH *)0)->name
    {"no-handle", false, FIELD(hDevice), false, 0},
    {"other-handle", false, FIELD(hDevice), true, 16},
    {"paging-handle", true, FIELD(hDevice), false, 0x1234},
    {"segment-0", false, FIELD(DmaBufferSegmentId), false, 0},
    {"segment-1", false, FIELD(DmaBufferSegmentId), false, 1},
    {"segment-other", false, FIELD(DmaBufferSegmentId), true, 1},
    {"physical", false, FIELD(DmaBufferPhysicalAddress), true, 0x10},
    {"virtual", false, FIELD(pDmaBuffer), true, 0x10},
    {"small", false, FIELD(DmaBufferSize), false, 0x60},
    {"tiny", false, FIELD(DmaBufferSize), false, 0x10},
    {"start", false, FIELD(DmaBufferSubmissionStartOffset), true, 4},
    {"start-high", false, FIELD(DmaBufferSubmissionStartOffset), true, 0x10000000},
    {"end", false, FIELD(DmaBufferSubmissionEndOffset), true, 4},
    {"private", false, FIELD(pDmaBufferPrivateData), true, 8},
    {"private-small", false, FIELD(DmaBufferPrivateDataSize), false, 0x10},
    {"private-tiny", false, FIELD(DmaBufferPrivateDataSize), false, 0},
    {"private-start", false, FIELD(DmaBufferPrivateDataSubmissionStartOffset), false, 4},
    {"private-late", false, FIELD(DmaBufferPrivateDataSubmissionStartOffset), false, 0x10000000},
    {"list-size", false, FIELD(AllocationListSize), true, (uint64_t)-1},
    {"locations-size", false, FIELD(PatchLocationListSize), true, (uint64_t)-1},
    {"locations-wrap", false, FIELD(PatchLocationListSubmissionStart), false, UINT32_MAX},
    {"fence-0", false, FIELD(SubmissionFenceId), false, 0},
    {"flag-set", false, FIELD(Flags), false, 1},
    {"flag-clear", true, FIELD(Flags), false, 0},
    {"paging-list", true, FIELD(pAllocationList), false, 8},
    {"paging-list-size", true, FIELD(AllocationListSize), false, 1},
    {"paging-locations", true, FIELD(pPatchLocationList), false, 8},
    {"paging-locations-size", true, FIELD(PatchLocationListSize), false, 1},
    {"paging-first", true, FIELD(PatchLocationListSubmissionStart), false, 1},
    {"paging-length", true, FIELD(PatchLocationListSubmissionLength), false, 1},
    {"paging-private", true, FIELD(pDmaBufferPrivateData), true, 16},
#undef FIELD
};

static void change_numbers(const struct wrong_patch *self, struct wcts_DXGKARG_PATCH *patch)
{
    bool paging = patch->Flags & 1u;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t *at = (uint8_t *)patch + changes[i].offset;
        uint64_t value = 0;
        if (!is(self, changes[i].word) || changes[i].paging != paging)
            continue;
        memcpy(&value, at, changes[i].width);
        value = changes[i].value + (changes[i].add ? value : 0);
        memcpy(at, &value, changes[i].width);
    }
}

static void change_lists(struct wrong_patch *self, uint8_t *request)
{
    struct wcts_DXGKARG_PATCH *patch =
        &((struct wcts_driver_patch_request *)(void *)request)->Patch;
    struct wcts_DXGK_ALLOCATIONLIST *list = (void *)(request + patch->pAllocationList);
    if (patch->Flags & 1u)
        return;
    if (is(self, "order") && patch->AllocationListSize > 1) {
        struct wcts_DXGK_ALLOCATIONLIST first = list[0];
        list[0] = list[1];
        list[1] = first;
    }
    for (uint32_t i = 0; is(self, "no-addresses") && i < patch->AllocationListSize; i++)
        list[i].PhysicalAddress = 0;
    /* The addresses of the first submission, whatever became of the allocations. */
    if (is(self, "old-addresses") && patch->AllocationListSize > 1) {
        for (int i = 0; self->rendered && i < 2; i++)
            list[i].PhysicalAddress = self->first_part[i];
        for (int i = 0; !self->rendered && i < 2; i++)
            self->first_part[i] = list[i].PhysicalAddress;
    }
    if (is(self, "first-handle")) {
        self->device = self->rendered ? self->device : patch->hDevice;
        patch->hDevice = self->device;
    }
    if (is(self, "same-fence"))
        patch->SubmissionFenceId = self->rendered ? self->fence : patch->SubmissionFenceId;
    self->fence = patch->SubmissionFenceId;
    self->rendered = true;
}

/* The allocation that a paging operation concerns. */
static void change_paging(const struct wrong_patch *self, struct wcts_driver_paging_request *paging)
{
    if (is(self, "page-allocation") && paging->hAllocation)
        paging->hAllocation++;
    if (is(self, "page-nothing"))
        paging->hAllocation = 0;
}

static void change_submission(const struct wrong_patch *self,
                              struct wcts_driver_submit_request *submit)
{
    bool paging = submit->Flags & 1u;
    if (is(self, "same-fence") && self->fence && !paging)
        submit->SubmissionFenceId = self->fence;
    if (is(self, "submit-flag-set"))
        submit->Flags |= 1u;
    if (is(self, "submit-flag-clear"))
        submit->Flags &= ~1u;
}

static wcts_status to_others(void *ctx, uint32_t operation, const void *request,
                             uint32_t request_size, void *reply, uint32_t reply_room,
                             uint32_t *reply_size)
{
    struct wrong_patch *self = ctx;
    wcts_status status;
    uint8_t *changed;
    if (operation != WCTS_DRIVER_PATCH && operation != WCTS_DRIVER_SUBMIT &&
        operation != WCTS_DRIVER_PAGING)
        return self->outer->call(self->outer->ctx, operation, request, request_size, reply,
                                 reply_room, reply_size);
    changed = malloc(request_size);
    if (!changed)
        return WCTS_STATUS_NO_MEMORY;
    memcpy(changed, request, request_size);
    if (operation == WCTS_DRIVER_PATCH) {
        change_lists(self, changed);
        change_numbers(self, &((struct wcts_driver_patch_request *)(void *)changed)->Patch);
    } else if (operation == WCTS_DRIVER_PAGING) {
        change_paging(self, (void *)changed);
    } else {
        change_submission(self, (void *)changed);
    }
    status = self->outer->call(self->outer->ctx, operation, changed, request_size, reply,
                               reply_room, reply_size);
    free(changed);
    return status;
}

static void *wrong_open(const struct wcts_host *host, uint32_t side)
{
    const struct test_instance options = {.host = host};
    struct wrong_patch *self = calloc(1, sizeof *self);
    char path[1024];
    if (!self)
        return NULL;
    self->outer = host;
    self->wrapped.host = *host;
    self->wrapped.host.options = "";
    self->wrapped.host.ctx = self;
    self->wrapped.host.call = to_others;
    test_option(&options, "wrong", self->word, sizeof self->word);
    self->wrapped.whole = wrap_load(test_option(&options, "emulator", path, sizeof path));
    if (self->wrapped.whole)
        self->wrapped.instance = self->wrapped.whole->open(&self->wrapped.host, side);
    if (self->wrapped.instance)
        return self;
    free(self);
    return NULL;
}

static wcts_status pass_on(void *instance, uint32_t operation, const void *request,
                           uint32_t request_size, void *reply, uint32_t reply_room,
                           uint32_t *reply_size)
{
    struct wrapped *wrapped = instance;
    return wrap_call(wrapped, operation, request, request_size, reply, reply_room, reply_size);
}

TEST_PLUGIN_OPEN("wrong-patch", WCTS_SIDE_KERNEL, wrong_open, pass_on, wrap_close)
