/* SPDX-License-Identifier: MIT */
/* Recordings: lists of boots. */
#include "recording.h"

#include <stdlib.h>

#include "../base/array.h"
#include "../base/text.h"
#include "bytes.h"

void wcts_exchange_recording_clear(struct wcts_exchange_recording *recording)
{
    for (int i = 0; i < recording->count; i++) {
        wcts_exchange_release(&recording->boots[i].exchange);
        wcts_exchange_givers_free(recording->boots[i].givers);
        free(recording->boots[i].symbols);
        free(recording->boots[i].no_instance);
    }
    recording->count = recording->evidence = 0;
    recording->swept = (struct wcts_exchange_swept){0};
}

void wcts_exchange_recording_release(struct wcts_exchange_recording *recording)
{
    wcts_exchange_recording_clear(recording);
    free(recording->boots);
    *recording = (struct wcts_exchange_recording){0};
}

struct wcts_exchange_boot *wcts_exchange_recording_add(struct wcts_exchange_recording *recording,
                                                       enum wcts_purpose purpose,
                                                       struct wcts_exchange *exchange)
{
    struct wcts_exchange_boot *boot = WCTS_ARRAY_ADD(recording->boots, recording->count);
    if (!boot)
        return NULL;
    *boot = (struct wcts_exchange_boot){.purpose = purpose, .kind = -1, .exchange = *exchange};
    boot->exchange.pulse = NULL;
    boot->exchange.stream = NULL;
    *exchange = (struct wcts_exchange){.pulse = exchange->pulse, .stream = exchange->stream};
    return boot;
}

struct wcts_exchange_boot *
wcts_exchange_recording_find(const struct wcts_exchange_recording *recording,
                             enum wcts_purpose purpose)
{
    for (int i = 0; i < recording->count; i++)
        if (recording->boots[i].purpose == purpose)
            return &recording->boots[i];
    return NULL;
}

/* Hundreds of effects follow handles to what gave them: among so many messages it pays to find out
 * once what did. */
#define LONG 64

struct wcts_exchange wcts_exchange_judged(struct wcts_exchange_boot *boot,
                                          const struct wcts_spec *spec)
{
    struct wcts_exchange judged = boot->exchange;
    const struct wcts_exchange_view view = {spec, &judged, 0};
    judged.count = boot->closing;
    if (judged.partial || judged.count < LONG)
        return judged;
    if (!boot->givers)
        boot->givers = wcts_exchange_givers_new(&view);
    boot->known = (struct wcts_exchange_partial){.whole = true, .givers = boot->givers};
    judged.partial = &boot->known;
    return judged;
}

uint32_t wcts_exchange_kinds(const struct wcts_exchange *exchange, const uint8_t **reply,
                             uint32_t *size)
{
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_exchange_record *record = &exchange->records[i];
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

/* Copies a name of that length, with blanks for what ends a line, and nothing that a terminal
 * obeys. */
static void copy_name(char *to, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        to[i] = name[i];
        if ((unsigned char)name[i] < 0x20)
            to[i] = ' ';
    }
    to[length] = '\0';
    wcts_text_clean(to);
}

uint32_t wcts_exchange_kind_names(const void *reply, uint32_t size, char *names, size_t room)
{
    const struct wcts_driver_info_reply *info = reply;
    const struct wcts_allocation_kind *kinds =
        wcts_message_at(info, size, info->pKinds, info->KindCount, sizeof *kinds);
    uint32_t count = 0;
    for (uint32_t i = 0; kinds && i < info->KindCount; i++) {
        const char *name = wcts_message_at(info, size, kinds[i].pName, 1, 1);
        size_t length = name ? strnlen(name, size - kinds[i].pName) : 0;
        if (length == 0 || length >= room)
            continue;
        copy_name(names, name, length);
        names += length + 1;
        room -= length + 1;
        count++;
    }
    return count;
}

void wcts_exchange_profile_name(const void *reply, uint32_t size, size_t member, char *name,
                                size_t room)
{
    uint32_t own;
    uint64_t at;
    const char *text = NULL;
    memcpy(&own, reply, sizeof own);
    name[0] = '\0';
    if (own < member + sizeof at || size < member + sizeof at) /* older: without the member */
        return;
    memcpy(&at, (const uint8_t *)reply + member, sizeof at);
    text = wcts_message_at(reply, size, at, 1, 1);
    if (text) {
        size_t length = strnlen(text, size - at);
        copy_name(name, text, length < room ? length : room - 1);
    }
}

/* Copies the name of a kind in a driver's reply to INFO; "" if it has none, or one without room. */
static void copy_kind_name(const uint8_t *reply, uint32_t size,
                           const struct wcts_allocation_kind *kind, char *name, size_t room)
{
    const char *text = wcts_message_at(reply, size, kind->pName, 1, 1);
    const size_t named = text ? strnlen(text, size - kind->pName) : 0;
    name[0] = '\0';
    if (named < room)
        copy_name(name, text, named);
}

void wcts_exchange_kind_name(const struct wcts_exchange *exchange, int kind, char *name,
                             size_t room)
{
    const uint8_t *reply;
    uint32_t size;
    const uint32_t count = wcts_exchange_kinds(exchange, &reply, &size);
    const struct wcts_allocation_kind *kinds;
    name[0] = '\0';
    if (kind < 0 || (uint32_t)kind >= count)
        return;
    kinds = wcts_message_at(reply, size, ((const struct wcts_driver_info_reply *)reply)->pKinds,
                            count, sizeof *kinds);
    copy_kind_name(reply, size, &kinds[kind], name, room);
}

bool wcts_exchange_creates(const struct wcts_exchange_view *view, int index)
{
    const struct wcts_exchange_record *record = &view->exchange->records[index];
    const struct wcts_message *message = wcts_exchange_message_of(view->spec, record->operation);
    uint64_t standard;
    return message && message->driver && message->makes_count > 0 &&
           wcts_exchange_meant(view, index, false, WCTS_MEANS_STANDARD, &standard);
}

void wcts_exchange_kind_of(const struct wcts_exchange_view *view, int index, char *name,
                           size_t room)
{
    const struct wcts_exchange_record *record = &view->exchange->records[index];
    const struct wcts_message *message = wcts_exchange_message_of(view->spec, record->operation);
    int structure = message && message->makes_count > 0 ? message->makes[0].structure : -1;
    const struct wcts_allocation_kind *kinds;
    const uint8_t *reply, *info, *data = NULL, *own;
    uint32_t size, count = wcts_exchange_kinds(view->exchange, &reply, &size);
    uint64_t standard, length = 0;
    name[0] = '\0';
    if (structure < 0 || count == 0 ||
        !wcts_exchange_meant(view, index, false, WCTS_MEANS_STANDARD, &standard) ||
        standard != WCTS_STANDARD_NONE)
        return;
    info = wcts_exchange_find_in(view, (struct wcts_exchange_cursor){index, 0}, structure, false);
    if (info) {
        length = wcts_exchange_meaning_in(view->spec, structure, WCTS_MEANS_LENGTH, info);
        data = wcts_message_at(
            record->request, record->request_size,
            wcts_exchange_meaning_in(view->spec, structure, WCTS_MEANS_DATA, info), length, 1);
    }
    kinds = wcts_message_at(reply, size, ((const struct wcts_driver_info_reply *)reply)->pKinds,
                            count, sizeof *kinds);
    for (uint32_t i = 0; data && i < count && name[0] == '\0'; i++) {
        own = wcts_message_at(reply, size, kinds[i].pPrivateDriverData, length, 1);
        if (own && kinds[i].PrivateDriverDataSize == length && memcmp(own, data, length) == 0)
            copy_kind_name(reply, size, &kinds[i], name, room);
    }
}

uint64_t wcts_exchange_reply_array(const struct wcts_spec *spec, const struct wcts_step *step,
                                   int structure, const uint8_t *reply, uint32_t size)
{
    const struct wcts_message *message = &spec->messages[step->message];
    for (int i = 0; i < step->instance_count; i++) {
        const struct wcts_instance *one = &step->instances[i];
        const struct wcts_member *pointer;
        if (one->structure != structure || one->at.structure < 0)
            continue;
        pointer = wcts_model_ref_member(spec, one->at);
        if (message->reply_at + pointer->offset + pointer->width > size)
            return 0;
        return wcts_exchange_bytes_get(reply + message->reply_at + pointer->offset, pointer->width);
    }
    return 0;
}

uint64_t wcts_exchange_reply_value(const struct wcts_spec *spec, const struct wcts_step *step,
                                   struct wcts_ref ref, int index, const uint8_t *reply,
                                   uint32_t size)
{
    const struct wcts_message *message = &spec->messages[step->message];
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    uint64_t at = message->reply_at;
    if (ref.structure != message->reply) {
        uint64_t array = wcts_exchange_reply_array(spec, step, ref.structure, reply, size);
        if (array == 0)
            return 0;
        at = array + (uint64_t)index * spec->structures[ref.structure].size;
    }
    if (at > size || (uint64_t)member->offset + member->width > size - at)
        return 0;
    return wcts_exchange_bytes_get(reply + at + member->offset, member->width);
}

uint64_t wcts_exchange_step_result(const struct wcts_spec *spec, const struct wcts_step *step,
                                   const struct wcts_exchange_record *record)
{
    return step->result < 0
               ? 0
               : wcts_exchange_reply_value(spec, step, step->result_ref, step->result_index,
                                           record->reply, record->reply_size);
}
