/* SPDX-License-Identifier: MIT */
/* Profiles: their options, and which rows hold for a call. */
#include "emu_flags.h"
#include "emu_kernel.h"

#include <stdio.h>
#include <string.h>

static const struct emu_profile profiles[] = {
    {"windows", EMU_SYSTEM_WINDOWS},
    {"wsl2", EMU_SYSTEM_WSL2},
    {"wine", EMU_SYSTEM_WINE},
};

#define PROFILE_COUNT (sizeof(profiles) / sizeof(profiles[0]))

/* Between the ids of a list. */
#define SEPARATOR '+'

/* ---- options ---- */

static int is_text(const struct emu_text *text, const char *other)
{
    return strlen(other) == text->length && memcmp(text->text, other, text->length) == 0;
}

int emu_profile_option(struct emu_profile_options *options, const char *text, size_t length)
{
    static const struct {
        const char *key;
        size_t member;
    } keys[] = {
        {"profile=", offsetof(struct emu_profile_options, profile)},
        {"without=", offsetof(struct emu_profile_options, without)},
        {"only=", offsetof(struct emu_profile_options, only)},
    };
    size_t i;
    for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const size_t key_length = strlen(keys[i].key);
        if (length < key_length || memcmp(text, keys[i].key, key_length) != 0)
            continue;
        *(struct emu_text *)((unsigned char *)options + keys[i].member) =
            (struct emu_text){text + key_length, length - key_length};
        return 1;
    }
    return 0;
}

static const struct emu_profile *find_profile(const struct emu_text *name)
{
    size_t i;
    for (i = 0; i < PROFILE_COUNT; i++)
        if (is_text(name, profiles[i].name))
            return &profiles[i];
    return NULL;
}

/* The rows of the system with the id, or all of them for NULL. */
static uint64_t find_rows(uint32_t system, const struct emu_text *id)
{
    uint64_t rows = 0;
    uint32_t i;
    for (i = 0; i < EMU_ROW_COUNT; i++)
        if ((emu_rows[i].systems & system) && (id == NULL || is_text(id, emu_rows[i].id)))
            rows |= UINT64_C(1) << i;
    return rows;
}

static int printed_length(const struct emu_text *text)
{
    return (int)(text->length < 60 ? text->length : 60);
}

/* Reads a list of ids. Returns 0 when the profile has no such row. */
static int read_rows(const struct emu_side *base, const struct emu_profile *profile,
                     const struct emu_text *list, uint64_t *rows)
{
    const char *at = list->text, *end = list->text + list->length;
    *rows = 0;
    while (at <= end) {
        const char *next = memchr(at, SEPARATOR, (size_t)(end - at));
        const struct emu_text id = {at, (size_t)((next != NULL ? next : end) - at)};
        const uint64_t found = find_rows(profile->system, &id);
        char text[160];
        if (found == 0) {
            snprintf(text, sizeof(text), "emulator: profile %s has no row \"%.*s\"", profile->name,
                     printed_length(&id), id.text);
            emu_log(base->host, text);
            return 0;
        }
        *rows |= found;
        at += id.length + 1;
    }
    return 1;
}

int emu_profile_select(const struct emu_profile_options *options, struct emu_side *base)
{
    const struct emu_text *name = &options->profile;
    const struct emu_profile *profile = name->text != NULL ? find_profile(name) : NULL;
    uint64_t only, without = 0;
    char text[160];
    if (name->text == NULL) {
        if (options->only.text == NULL && options->without.text == NULL)
            return 1;
        emu_log(base->host, "emulator: options \"only\" and \"without\" need a profile");
        return 0;
    }
    if (profile == NULL) {
        snprintf(text, sizeof(text), "emulator: unknown profile \"%.*s\"", printed_length(name),
                 name->text);
        emu_log(base->host, text);
        return 0;
    }
    only = find_rows(profile->system, NULL);
    if ((options->only.text != NULL && !read_rows(base, profile, &options->only, &only)) ||
        (options->without.text != NULL && !read_rows(base, profile, &options->without, &without)))
        return 0;
    base->profile = profile;
    base->rows = only & ~without;
    return 1;
}

/* ---- calls ---- */

/* Finds what rows look at in a create call. */
static void read_create(struct emu_ask *ask)
{
    const struct wcts_kernel_allocation_create *asked = ask->request;
    const struct wcts_D3DKMT_CREATEALLOCATION *args = &asked->Args;
    const void *standard = wcts_message_at(ask->request, ask->size, args->pStandardAllocation, 1,
                                           sizeof(ask->standard));
    ask->create = args;
    ask->flags = args->Flags & ask->kernel->base.version->create_named;
    ask->infos = wcts_message_at(ask->request, ask->size, args->pAllocationInfo2,
                                 args->NumAllocations, sizeof(struct wcts_D3DDDI_ALLOCATIONINFO2));
    ask->described = (ask->flags & EMU_CREATE_STANDARD_ALLOCATION) && standard != NULL;
    if (ask->described)
        memcpy(&ask->standard, standard, sizeof(ask->standard));
}

wcts_status emu_profile_begin(struct emu_kernel *kernel, uint32_t operation, const void *request,
                              uint32_t request_size)
{
    struct emu_ask ask = {.kernel = kernel, .request = request, .size = request_size};
    uint32_t i;
    kernel->holding = 0;
    /* What is too short for its struct, or says so, is refused where it is answered. */
    if (kernel->base.rows == 0 || request_size < wcts_request_size(operation) ||
        *(const uint32_t *)request < wcts_request_size(operation))
        return WCTS_STATUS_SUCCESS;
    if (operation == WCTS_KERNEL_ALLOCATION_CREATE)
        read_create(&ask);
    for (i = 0; i < EMU_ROW_COUNT; i++) {
        const struct emu_row *row = &emu_rows[i];
        if (!(kernel->base.rows >> i & 1) || row->operation != operation || row->holds == NULL ||
            !row->holds(&ask))
            continue;
        if (!wcts_succeeded(row->refused))
            return row->refused;
        kernel->holding |= UINT64_C(1) << i;
    }
    return WCTS_STATUS_SUCCESS;
}
