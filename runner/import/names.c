/* SPDX-License-Identifier: MIT */
/* Names of a recording's members: which are the same, which are meant to be, and where a path of
 * them leads (import.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/text.h"
#include "import.h"

/* A shorter name of a native call may be near to a member and still be another one. */
#define MISSPELT_SHORTEST 6
/* Calls that differ in more letters are different ones: Create and Destroy. */
#define TYPO_LONGEST 2

/* True if letters and digits of two names are the same: MAP_APERTURE_SEGMENT is MapApertureSegment.
 */
static bool is_same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_')
            a++;
        while (*b == '_')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

/* What a path of length bytes leads to, through members of objects, with dots between them; NULL:
 * to nothing. */
static const json_t *follow_path(const json_t *object, const char *path, size_t length)
{
    while (object && length > 0) {
        const char *dot = memchr(path, '.', length);
        size_t piece = dot ? (size_t)(dot - path) : length;
        object = json_object_getn(object, path, piece);
        piece += dot ? 1 : 0;
        path += piece;
        length -= piece;
    }
    return object;
}

static const json_t *follow_half(const struct wcts_import_bodies *bodies, const json_t *half,
                                 const char *path, size_t length)
{
    bool in = length > 3 && strncmp(path, "in.", 3) == 0;
    return in ? follow_path(bodies->in, path + 3, length - 3) : follow_path(half, path, length);
}

json_t *wcts_import_native(const struct wcts_import_bodies *bodies, const json_t *half,
                           const char *path, size_t length)
{
    const char *minus = memchr(path, '-', length), *dot = memrchr(path, '.', length);
    uint64_t from, number;
    if (minus) {
        const char *second = minus + 1;
        if (!wcts_import_number(follow_half(bodies, half, path, (size_t)(minus - path)), &number) ||
            !wcts_import_number(follow_half(bodies, half, second, length - (size_t)(second - path)),
                                &from))
            return NULL;
        /* No length of 32 bits is below 0: the greatest one is as wrong for every buffer. */
        if (number < from)
            return json_integer(UINT32_MAX);
        return number - from <= UINT32_MAX ? json_integer((json_int_t)(number - from)) : NULL;
    }
    if (dot && isdigit((unsigned char)dot[1]))
        return wcts_import_number(follow_half(bodies, half, path, (size_t)(dot - path)), &number)
                   ? json_integer((json_int_t)(number >> (strtoul(dot + 1, NULL, 10) & 63) & 1))
                   : NULL;
    return json_incref((json_t *)(uintptr_t)follow_half(bodies, half, path, length));
}

bool wcts_import_fields(const struct wcts_member *member, const json_t *object, uint64_t *value,
                        uint64_t *known)
{
    uint64_t at = 0;
    for (int i = 0; i < member->field_count; at += member->fields[i++].number) {
        const json_t *field = json_object_get(object, member->fields[i].name);
        uint64_t width = member->fields[i].number, number;
        uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
        if (!field)
            continue;
        if (!wcts_import_number(field, &number) || number > mask)
            return false;
        *value |= number << at;
        *known |= mask << at;
    }
    return true;
}

bool wcts_import_has_field(const struct wcts_member *member, const char *name)
{
    for (int i = 0; i < member->field_count; i++)
        if (strcmp(member->fields[i].name, name) == 0)
            return true;
    return false;
}

void wcts_import_fold(const char *name, char *folded, size_t room)
{
    size_t at = 0;
    for (; *name && at + 1 < room; name++)
        if (*name != '_')
            folded[at++] = (char)tolower((unsigned char)*name);
    folded[at] = '\0';
}

const char *wcts_import_without_prefix(const char *name)
{
    static const char *const prefixes[] = {"DXGKQAITYPE_", "DXGK_OPERATION_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return name;
}

bool wcts_import_number_named(const struct wcts_member *member, const json_t *value,
                              uint64_t *number)
{
    const char *text = json_string_value(value);
    text = text ? wcts_import_without_prefix(text) : NULL;
    for (int i = 0; text && i < member->number_count; i++)
        if (is_same_name(member->numbers[i].name, text)) {
            *number = member->numbers[i].number;
            return true;
        }
    return false;
}

void wcts_import_try_names(struct wcts_near *near, const struct wcts_message *message)
{
    wcts_model_near_try(near, message->name);
    /* Of several native names, none is a string of its own. */
    if (message->native && !strchr(message->native, ' '))
        wcts_model_near_try(near, message->native);
}

/* pAllocationInfo2 is not meant to be pAllocationInfo. */
bool wcts_import_misspelt(const char *key, const char *name)
{
    return strlen(name) >= MISSPELT_SHORTEST && !isdigit((unsigned char)key[strlen(key) - 1]) &&
           (strcasecmp(key, name) == 0 ||
            wcts_text_distance(key, strlen(key), name, strlen(name)) == 1);
}

/* Calls of Windows that no document of spec/ is about. */
static const char *const other_calls[] = {
    "D3DKMTCloseAdapter",
    "D3DKMTCreateContext",
    "D3DKMTCreateContextVirtual",
    "D3DKMTCreateDevice",
    "D3DKMTCreateHwQueue",
    "D3DKMTCreatePagingQueue",
    "D3DKMTCreateSynchronizationObject2",
    "D3DKMTDestroyAllocation",
    "D3DKMTDestroyContext",
    "D3DKMTDestroyDevice",
    "D3DKMTDestroyPagingQueue",
    "D3DKMTDestroySynchronizationObject",
    "D3DKMTEscape",
    "D3DKMTEvict",
    "D3DKMTLock",
    "D3DKMTLock2",
    "D3DKMTMakeResident",
    "D3DKMTMapGpuVirtualAddress",
    "D3DKMTOfferAllocations",
    "D3DKMTOpenAdapterFromLuid",
    "D3DKMTOpenResource",
    "D3DKMTOpenResource2",
    "D3DKMTOpenResourceFromNtHandle",
    "D3DKMTPresent",
    "D3DKMTQueryAdapterInfo",
    "D3DKMTQueryResourceInfo",
    "D3DKMTReclaimAllocations",
    "D3DKMTReclaimAllocations2",
    "D3DKMTRender",
    "D3DKMTSubmitCommand",
    "D3DKMTUnlock",
    "D3DKMTUnlock2",
    "DxgkDdiAcquireSwizzlingRange",
    "DxgkDdiAddDevice",
    "DxgkDdiCancelCommand",
    "DxgkDdiCloseAllocation",
    "DxgkDdiCollectDbgInfo",
    "DxgkDdiCommitVidPn",
    "DxgkDdiControlEngine",
    "DxgkDdiControlInterrupt",
    "DxgkDdiCreateProcess",
    "DxgkDdiDescribeAllocation",
    "DxgkDdiDestroyContext",
    "DxgkDdiDestroyDevice",
    "DxgkDdiDestroyProcess",
    "DxgkDdiDpcRoutine",
    "DxgkDdiEscape",
    "DxgkDdiGetNodeMetadata",
    "DxgkDdiGetRootPageTableSize",
    "DxgkDdiGetScanLine",
    "DxgkDdiInterruptRoutine",
    "DxgkDdiMapCpuHostAperture",
    "DxgkDdiOpenAllocation",
    "DxgkDdiPreemptCommand",
    "DxgkDdiQueryCurrentFence",
    "DxgkDdiQueryDependentEngineGroup",
    "DxgkDdiQueryEngineStatus",
    "DxgkDdiReleaseSwizzlingRange",
    "DxgkDdiRemoveDevice",
    "DxgkDdiRenderGdi",
    "DxgkDdiRenderKm",
    "DxgkDdiResetDevice",
    "DxgkDdiResetEngine",
    "DxgkDdiResetFromTimeout",
    "DxgkDdiRestartFromTimeout",
    "DxgkDdiSetPowerState",
    "DxgkDdiSetRootPageTable",
    "DxgkDdiSetVidPnSourceAddress",
    "DxgkDdiSetVidPnSourceVisibility",
    "DxgkDdiStartDevice",
    "DxgkDdiStopCapture",
    "DxgkDdiStopDevice",
    "DxgkDdiSubmitCommandToHwQueue",
    "DxgkDdiSubmitCommandVirtual",
    "DxgkDdiUnload",
    "DxgkDdiUnmapCpuHostAperture",
    NULL,
};

bool wcts_import_is_other_call(const char *name)
{
    return wcts_model_word_index(other_calls, name, strlen(name)) >= 0;
}

bool wcts_import_is_typo(const struct wcts_near *near)
{
    return near->best && near->distance <= TYPO_LONGEST;
}
