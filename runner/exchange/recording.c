/* SPDX-License-Identifier: MIT */
/* Recordings: lists of boots. */
#include "recording.h"

#include <stdlib.h>

#include "../base/array.h"

void wcts_recording_clear(struct wcts_recording *recording)
{
    for (int i = 0; i < recording->count; i++) {
        wcts_exchange_release(&recording->boots[i].exchange);
        free(recording->boots[i].symbols);
        free(recording->boots[i].no_instance);
    }
    recording->count = 0;
}

void wcts_recording_release(struct wcts_recording *recording)
{
    wcts_recording_clear(recording);
    free(recording->boots);
    *recording = (struct wcts_recording){0};
}

struct wcts_boot *wcts_recording_add(struct wcts_recording *recording, enum wcts_purpose purpose,
                                     struct wcts_exchange *exchange)
{
    struct wcts_boot *boot = WCTS_ARRAY_ADD(recording->boots, recording->count);
    if (!boot)
        return NULL;
    *boot = (struct wcts_boot){.purpose = purpose, .kind = -1, .exchange = *exchange};
    boot->exchange.pulse = NULL;
    *exchange = (struct wcts_exchange){.pulse = exchange->pulse};
    return boot;
}

struct wcts_boot *wcts_recording_find(const struct wcts_recording *recording,
                                      enum wcts_purpose purpose)
{
    for (int i = 0; i < recording->count; i++)
        if (recording->boots[i].purpose == purpose)
            return &recording->boots[i];
    return NULL;
}

uint32_t wcts_exchange_kinds(const struct wcts_exchange *exchange, const uint8_t **reply,
                             uint32_t *size)
{
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_record *record = &exchange->records[i];
        const struct wcts_driver_info_reply *info = (const void *)record->reply;
        if (record->operation != WCTS_DRIVER_INFO || record->reply_size < sizeof *info)
            continue;
        if (info->KindCount > WCTS_KINDS_MAX ||
            !wcts_message_at(info, record->reply_size, info->pKinds, info->KindCount,
                             sizeof(struct wcts_allocation_kind)))
            return 0;
        *reply = record->reply;
        *size = record->reply_size;
        return info->KindCount;
    }
    return 0;
}
