/* SPDX-License-Identifier: MIT */
/*
 * From the events of a trace to what a driver answered, adapter by adapter. A trace is long: its
 * answers are handed over in parts, each behind what it rests on, the elements that several events
 * make together (segments). No part says that every call is in it, but for those.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "etw.h"

#define ANSWERS_MOST 256 /* of a part */
#define ADAPTERS_MOST 64 /* at a time */
#define ELEMENTS_MOST 64 /* that events number */

/* An answer: an event of its own, or elements that events numbered. */
struct import_answer {
    const struct wcts_load_trace_event *kind;
    json_t *list; /* of its elements; owned */
    long line;
};

struct import_adapter {
    uint64_t pointer;
    int number;   /* from 1 on, in the order in which they appear */
    bool changed; /* the numbered elements since they were handed over */
    struct import_answer numbered, *answers;
    int answer_count;
};

/* An object that was told of: {0xFFFFA80143FA80, 2} belongs to the second adapter. */
struct import_object {
    uint64_t pointer; /* 0: the entry is free */
    int adapter;      /* its number; 0: the object has ended */
};

/* A hash table with open addressing; its size is 0 or a power of two, twice the count or more. */
struct import_objects {
    struct import_object *entries;
    size_t size, count;
};

struct import_etw {
    struct wcts_import_reading reading;
    const struct wcts_load_trace *trace;
    struct import_adapter *adapters; /* that have not ended */
    int adapter_count, adapters_seen;
    struct import_objects objects;
    struct import_adapter nobody; /* of events that do not say their adapter; its number is 0 */
    uint64_t build;               /* of Windows; 0: it is not known */
    bool lost;                    /* events are missing, or cannot be told whose they are */
    bool any;                     /* event of the provider */
    bool alone;                   /* the adapter that is asked for was seen */
    long undecoded, undecoded_line;
    wcts_import_visit *visit;
    void *context;
};

/* ---- what of an event is believed ---- */

static const struct wcts_load_trace_word *names_of(const struct import_etw *etw, int names)
{
    return names < 0 ? NULL : &etw->trace->words[names];
}

static bool event_number(const struct import_etw *etw, const struct wcts_import_etw_event *event,
                         const char *data, int names, uint64_t *number)
{
    const char *value = data ? wcts_import_etw_value(event, data) : NULL;
    return value && wcts_import_etw_number(value, names_of(etw, names), number);
}

static bool binds(const struct import_etw *etw, int since, int until)
{
    int version = etw->reading.options->version;
    return version >= since && version < until;
}

/* Whether an event is about an answer of the driver: FALSE, it is not; UNKNOWN, that cannot be
 * said. */
static enum wcts_truth is_answer(const struct import_etw *etw,
                                 const struct wcts_import_etw_event *event)
{
    enum wcts_truth truth = WCTS_TRUE;
    for (int i = 0; i < event->kind->except_count; i++) {
        const struct wcts_load_trace_except *except = &event->kind->excepts[i];
        uint64_t number;
        if (!binds(etw, except->since, except->until))
            continue;
        if (!event_number(etw, event, except->data, except->names, &number))
            truth = WCTS_UNKNOWN;
        else if (number & except->bits || (except->zero && number == 0))
            return WCTS_FALSE;
    }
    return truth;
}

static bool is_believed(const struct import_etw *etw, const struct wcts_load_trace_feed *feed)
{
    char build[24];
    if (!feed->open)
        return true;
    snprintf(build, sizeof build, "%" PRIu64, etw->build);
    return feed->confirmed && wcts_list_has(feed->confirmed, build);
}

static json_t *hex(uint64_t number)
{
    return json_sprintf("0x%" PRIx64, number);
}

/* A member as JSON lines have it; NULL: it is not known. */
static json_t *property_value(const struct import_etw *etw,
                              const struct wcts_import_etw_event *event,
                              const struct wcts_load_trace_feed *feed)
{
    uint64_t number;
    if (!binds(etw, feed->since, feed->until) || !is_believed(etw, feed) ||
        !event_number(etw, event, feed->data, feed->names, &number) ||
        (feed->width < 8 && number >> 8 * feed->width))
        return NULL;
    if (feed->as == WCTS_TRACE_ZERO && number != 0)
        return json_pack("{s:b}", "NotZero", 1);
    if (feed->bits != UINT64_MAX)
        return json_pack("{s:o, s:o}", "Value", hex(number), "Known", hex(feed->bits));
    return hex(number);
}

/* The members that an event shows; NULL without memory. */
static json_t *element_of(const struct import_etw *etw, const struct wcts_import_etw_event *event,
                          enum wcts_truth answer)
{
    json_t *element = json_object();
    for (int i = 0; i < event->kind->feed_count && answer == WCTS_TRUE; i++) {
        json_t *value = property_value(etw, event, &event->kind->feeds[i]);
        if (value)
            json_object_set_new(element, event->kind->feeds[i].member, value);
    }
    return element;
}

/* ---- handing over ---- */

/* An answer as a message; there may have been more in it than was logged. */
static bool make_etw_record(struct import_etw *etw, const struct import_answer *answer,
                            struct wcts_exchange_record *record)
{
    const struct wcts_import_options *options = etw->reading.options;
    const struct wcts_message *message = &options->spec->messages[answer->kind->message];
    struct wcts_import_bodies bodies = {0};
    json_t *out =
        json_pack("{s:{s:O, s:i, s:i, s:b}}", answer->kind->pointer, "List", answer->list,
                  "ListFrom", 0, "ListSize", (int)json_array_size(answer->list), "More", 1);
    bool good;
    bodies.out = out;
    record->operation = message->operation;
    record->native = true;
    record->line = etw->reading.place.line = answer->line;
    good = wcts_import_message(&etw->reading, options->version, message, &bodies, false, record) &&
           wcts_import_message(&etw->reading, options->version, message, &bodies, true, record);
    json_decref(out);
    return good;
}

static void drop_answers(struct import_adapter *adapter)
{
    for (int i = 0; i < adapter->answer_count; i++)
        json_decref(adapter->answers[i].list);
    adapter->answer_count = 0;
}

static void release_adapter(struct import_adapter *adapter)
{
    drop_answers(adapter);
    free(adapter->answers);
    adapter->answers = NULL;
    json_decref(adapter->numbered.list);
    adapter->numbered.list = NULL;
}

static bool add_etw_record(struct import_etw *etw, const struct import_answer *answer,
                           struct wcts_exchange *exchange)
{
    exchange->records[exchange->count] = (struct wcts_exchange_record){0};
    return make_etw_record(etw, answer, &exchange->records[exchange->count++]);
}

/* Hands over what was not, behind the numbered elements. */
static bool hand_over(struct import_etw *etw, struct import_adapter *adapter)
{
    const struct wcts_import_options *options = etw->reading.options;
    struct wcts_exchange_partial partial = {0};
    struct wcts_exchange exchange = {.partial = &partial};
    struct wcts_import_recording recording = {.path = etw->reading.place.file,
                                              .first_version = options->version,
                                              .last_version = options->version,
                                              .judged = 1u << WCTS_ROLE_DRIVER,
                                              .exchanges = &exchange,
                                              .partials = &partial,
                                              .count = 1};
    bool wanted = options->adapter == 0 || options->adapter == adapter->number;
    bool numbered = json_array_size(adapter->numbered.list) > 0, good = true;
    WCTS_TEXT(name);
    etw->alone = etw->alone || wanted;
    if (wanted && (adapter->answer_count > 0 || (numbered && adapter->changed))) {
        if (adapter->number)
            wcts_text_add(&name, "adapter %d at 0x%" PRIx64, adapter->number, adapter->pointer);
        else
            wcts_text_add(&name, "an unknown adapter");
        recording.name = wcts_text_get(&name);
        recording.judged_before = numbered && !adapter->changed;
        exchange.room = adapter->answer_count + 1;
        exchange.records = calloc((size_t)exchange.room, sizeof *exchange.records);
        good = exchange.records != NULL;
        if (!good)
            wcts_import_error(&etw->reading, "no memory");
        if (good && numbered) {
            uint32_t operation = options->spec->messages[adapter->numbered.kind->message].operation;
            good = add_etw_record(etw, &adapter->numbered, &exchange);
            if (!etw->lost)
                partial.all.of[operation >> 8] |= UINT64_C(1) << (operation & 63);
        }
        for (int i = 0; i < adapter->answer_count && good; i++)
            good = add_etw_record(etw, &adapter->answers[i], &exchange);
        wcts_exchange_partial_settle(&exchange, options->spec);
        good = good && etw->visit(etw->context, &recording);
        wcts_exchange_release(&exchange);
        adapter->changed = false;
    }
    drop_answers(adapter);
    return good;
}

/* Before what they rest on changes. */
static bool hand_over_answers(struct import_etw *etw, struct import_adapter *adapter)
{
    return adapter->answer_count == 0 || hand_over(etw, adapter);
}

/* ---- events ---- */

static struct import_adapter *adapter_at(struct import_etw *etw, uint64_t pointer)
{
    struct import_adapter *adapter;
    for (int i = 0; i < etw->adapter_count; i++)
        if (etw->adapters[i].pointer == pointer)
            return &etw->adapters[i];
    if (etw->adapter_count == ADAPTERS_MOST) {
        wcts_import_error(&etw->reading, "more than %d adapters at a time, expected fewer",
                          ADAPTERS_MOST);
        return NULL;
    }
    adapter = WCTS_ARRAY_ADD(etw->adapters, etw->adapter_count);
    if (!adapter) {
        wcts_import_error(&etw->reading, "no memory");
        return NULL;
    }
    *adapter = (struct import_adapter){.pointer = pointer, .number = ++etw->adapters_seen};
    return adapter;
}

/* The adapter of an event, or who stands for those that do not say it. NULL after an error. */
static struct import_adapter *adapter_of(struct import_etw *etw,
                                         const struct wcts_import_etw_event *event)
{
    uint64_t pointer;
    bool said = event_number(etw, event, event->kind->adapter, -1, &pointer) && pointer != 0;
    return said ? adapter_at(etw, pointer) : &etw->nobody;
}

/* Where the object of a pointer is, or would be. */
static struct import_object *object_place(const struct import_objects *objects, uint64_t pointer)
{
    size_t at = (size_t)(pointer * UINT64_C(0x9E3779B97F4A7C15) >> 20);
    for (;; at++) {
        struct import_object *entry = &objects->entries[at & (objects->size - 1)];
        if (entry->pointer == pointer || entry->pointer == 0)
            return entry;
    }
}

/* The entry of a pointer, which is not 0; NULL, with an error reported, without memory. */
static struct import_object *object_at(struct import_etw *etw, uint64_t pointer)
{
    struct import_objects *objects = &etw->objects, grown = {.count = objects->count};
    struct import_object *entry;
    if (objects->count * 2 >= objects->size) {
        grown.size = objects->size ? objects->size * 2 : 1024;
        grown.entries = calloc(grown.size, sizeof *grown.entries);
        if (!grown.entries) {
            wcts_import_error(&etw->reading, "no memory");
            return NULL;
        }
        for (size_t i = 0; i < objects->size; i++)
            if (objects->entries[i].pointer)
                *object_place(&grown, objects->entries[i].pointer) = objects->entries[i];
        free(objects->entries);
        *objects = grown;
    }
    entry = object_place(objects, pointer);
    objects->count += entry->pointer == 0;
    entry->pointer = pointer;
    return entry;
}

/* Follows the object of an event; adapter 0: it ends. False, with an error reported, without
 * memory; *known: it was told of before, and has not ended since. */
static bool follow_object(struct import_etw *etw, const struct wcts_import_etw_event *event,
                          int adapter, bool *known)
{
    struct import_object *entry;
    uint64_t pointer;
    *known = false;
    if (!event_number(etw, event, event->kind->object, -1, &pointer) || pointer == 0)
        return true;
    entry = object_at(etw, pointer);
    if (!entry)
        return false;
    *known = event->kind->life == WCTS_TRACE_LASTS && adapter && entry->adapter == adapter;
    entry->adapter = adapter;
    return true;
}

static bool add_answer(struct import_etw *etw, struct import_adapter *adapter,
                       const struct wcts_import_etw_event *event, json_t *element)
{
    struct import_answer *answer = WCTS_ARRAY_ADD(adapter->answers, adapter->answer_count);
    if (!answer) {
        json_decref(element);
        return wcts_import_error(&etw->reading, "no memory");
    }
    *answer = (struct import_answer){event->kind, json_pack("[o]", element), event->line};
    return adapter->answer_count < ANSWERS_MOST || hand_over(etw, adapter);
}

/* Of an element whose place is not known only itself can be judged: apart from the others. */
static bool set_apart(struct import_etw *etw, struct import_adapter *adapter,
                      const struct wcts_import_etw_event *event, json_t *element)
{
    const struct import_answer numbered = adapter->numbered;
    bool changed = adapter->changed, good;
    etw->lost = true;
    adapter->numbered = (struct import_answer){0};
    good = add_answer(etw, adapter, event, element) && hand_over(etw, adapter);
    adapter->numbered = numbered;
    adapter->changed = changed;
    return good;
}

/* An element that others of its kind are beside: reported again it is the same, or replaces it. */
static bool set_numbered(struct import_etw *etw, struct import_adapter *adapter,
                         const struct wcts_import_etw_event *event, json_t *element, bool answer)
{
    struct import_answer *numbered = &adapter->numbered;
    json_t *before;
    uint64_t number;
    bool good = hand_over_answers(etw, adapter);
    if (!numbered->list)
        *numbered = (struct import_answer){event->kind, json_array(), event->line};
    if (!event_number(etw, event, event->kind->number, -1, &number) || number < 1 ||
        number > ELEMENTS_MOST || !adapter->number) {
        if (answer && good)
            return set_apart(etw, adapter, event, element);
        json_decref(element);
        return good;
    }
    for (; json_array_size(numbered->list) < number && answer; adapter->changed = true)
        json_array_append_new(numbered->list, json_object());
    before = json_array_get(numbered->list, (size_t)number - 1);
    if (before && !json_equal(before, element)) {
        if (json_object_size(before) > 0 && good)
            good = hand_over(etw, adapter);
        json_array_set(numbered->list, (size_t)number - 1, element);
        adapter->changed = true;
    }
    json_decref(element);
    return good;
}

static bool end_traced_adapter(struct import_etw *etw, struct import_adapter *adapter)
{
    bool good = hand_over(etw, adapter);
    size_t behind = (size_t)(&etw->adapters[--etw->adapter_count] - adapter);
    release_adapter(adapter);
    memmove(adapter, adapter + 1, behind * sizeof *adapter);
    return good;
}

/* ---- what is said of the file ---- */

static void note_lost(struct import_etw *etw, uint64_t count, const char *what)
{
    wcts_warning_at(etw->reading.options->diagnostics, &etw->reading.place,
                    "%" PRIu64 " %s were lost: what needs every event cannot be said; record with "
                    "more buffers",
                    count, what);
    etw->lost = true;
}

static void read_header(struct import_etw *etw, const struct wcts_import_etw_event *event)
{
    static const struct {
        const char *data, *what;
    } losses[] = {{"EventsLost", "events"}, {"BuffersLost", "buffers"}};
    uint64_t number;
    if (event->id != 0)
        return;
    if (event_number(etw, event, "ProviderVersion", -1, &number))
        etw->build = number & 0xFFFF;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (event_number(etw, event, losses[i].data, -1, &number) && number != 0)
            note_lost(etw, number, losses[i].what);
}

static void note_undecoded(struct import_etw *etw, const struct wcts_import_etw_event *event)
{
    if (etw->undecoded++ == 0)
        etw->undecoded_line = event->line;
    etw->lost = true;
}

static void note_version(struct import_etw *etw, const struct wcts_import_etw_event *event)
{
    WCTS_TEXT(name);
    WCTS_TEXT(of);
    if (event->versioned)
        wcts_text_add(&name, "version %u", event->version);
    else
        wcts_text_add(&name, "no version");
    etw->lost = true;
    wcts_text_add(&of, "event %u", event->id);
    wcts_import_ignore(&etw->reading, wcts_text_get(&name), wcts_text_get(&of), NULL);
}

static bool take_ours(struct import_etw *etw, const struct wcts_import_etw_event *event)
{
    const struct wcts_load_trace_event *kind = event->kind;
    struct import_adapter *adapter;
    enum wcts_truth answer;
    json_t *element;
    bool known;
    etw->any = true;
    if (event->known && !event->decoded)
        note_undecoded(etw, event);
    else if (event->known && !kind)
        note_version(etw, event);
    if (!kind || !event->decoded)
        return true;
    if (kind->object && kind->life == WCTS_TRACE_OBJECT_ENDS)
        return follow_object(etw, event, 0, &known);
    adapter = adapter_of(etw, event);
    if (!adapter || !follow_object(etw, event, adapter->number, &known))
        return false;
    if (known)
        return true;
    etw->lost = etw->lost || !adapter->number;
    if (kind->ends != WCTS_TRACE_ENDS_NOTHING && !adapter->number)
        return true;
    if (kind->ends == WCTS_TRACE_ENDS_BEFORE && (adapter->answer_count || adapter->numbered.list))
        return end_traced_adapter(etw, adapter) && adapter_of(etw, event);
    if (kind->ends == WCTS_TRACE_ENDS_AFTER)
        return end_traced_adapter(etw, adapter);
    if (kind->message < 0)
        return true;
    answer = is_answer(etw, event);
    etw->lost = etw->lost || (answer == WCTS_UNKNOWN && kind->number);
    if (answer == WCTS_FALSE && !kind->number)
        return true;
    element = element_of(etw, event, answer);
    if (!element)
        return wcts_import_error(&etw->reading, "no memory");
    return kind->number ? set_numbered(etw, adapter, event, element, answer != WCTS_FALSE)
                        : add_answer(etw, adapter, event, element);
}

static bool take_event(void *context, const struct wcts_import_etw_event *event)
{
    struct import_etw *etw = context;
    etw->reading.place.line = event->line;
    switch (event->provider) {
    case WCTS_PROVIDER_HEADER:
        read_header(etw, event);
        break;
    case WCTS_PROVIDER_LOST:
        if (!etw->lost)
            note_lost(etw, 1, "or more events");
        break;
    case WCTS_PROVIDER_OURS:
        return take_ours(etw, event);
    case WCTS_PROVIDER_OTHER:
        break;
    }
    return true;
}

static void note_end(struct import_etw *etw)
{
    struct wcts_diagnostics *diagnostics = etw->reading.options->diagnostics;
    if (etw->undecoded > 0) {
        etw->reading.place.line = etw->undecoded_line;
        wcts_warning_at(diagnostics, &etw->reading.place,
                        "%ld events that could not be decoded, expected members: convert the trace "
                        "on the machine that recorded it",
                        etw->undecoded);
    }
    etw->reading.place.line = 0;
    if (!etw->any)
        wcts_warning_at(diagnostics, &etw->reading.place,
                        "no event of %s, expected a trace recorded with it", etw->trace->provider);
}

static bool read_all(struct import_etw *etw, FILE *in)
{
    const struct wcts_import_options *options = etw->reading.options;
    bool good = wcts_import_etw_xml(&etw->reading, in, etw->trace, take_event, etw);
    for (int i = 0; i < etw->adapter_count && good; i++)
        good = hand_over(etw, &etw->adapters[i]);
    good = good && hand_over(etw, &etw->nobody);
    if (good)
        note_end(etw);
    if (good && options->adapter > 0 && !etw->alone)
        good =
            wcts_import_error(&etw->reading, "adapter %d is asked for, expected one from 1 to %d",
                              options->adapter, etw->adapters_seen);
    return good;
}

bool wcts_import_etw(const struct wcts_import_options *options, const char *path, FILE *in,
                     wcts_import_visit *visit, void *context)
{
    struct import_etw etw = {.reading = {.options = options, .place = {.file = path}},
                             .visit = visit,
                             .context = context};
    struct wcts_load_trace *trace;
    bool good;
    if (options->version < 0)
        return wcts_import_error(&etw.reading, "a trace, which does not say the version of the "
                                               "driver, expected --wddm with it");
    trace = wcts_load_trace(options->traces, options->spec, options->diagnostics);
    etw.trace = trace;
    good = trace && read_all(&etw, in);
    for (int i = 0; i < etw.adapter_count; i++)
        release_adapter(&etw.adapters[i]);
    release_adapter(&etw.nobody);
    free(etw.adapters);
    free(etw.objects.entries);
    wcts_load_trace_free(trace);
    wcts_import_reading_release(&etw.reading);
    return good;
}
