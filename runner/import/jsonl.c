/* SPDX-License-Identifier: MIT */
/* JSON lines: a first line, then a line a call. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "../model/names.h"
#include "calls.h"

#define LINE_LONGEST ((size_t)64 << 20)
/* As many as an instance of the language has room for (exchange/view.h). */
#define CALLS_MOST ((1 << 19) - 1)
#define FORMAT_NAME "ddi"
#define FORMAT_VERSION 1

/* What has been read of a recording so far. */
struct import_jsonl {
    struct wcts_import_reading reading;
    struct wcts_import_recording recording;
    char *name;
    struct wcts_import_extent extent;
    bool begun_here; /* a first line was read */
    struct wcts_import_call *calls;
    int count;
    wcts_import_visit *visit;
    void *context;
    /* Calls of Windows that no document is about: how many, of how many functions, and of which. */
    long others;
    int other_functions;
    char *other_names;
};

/* The keys of lines. A recorder may note more of itself in the first. */
static const char *const first_keys[] = {"wddm",     "version", "WDDMVersion", "InterfaceVersion",
                                         "PageSize", "Records", "Complete",    "Judge",
                                         "Name",     "Driver",  "Bits",        "Time",
                                         NULL};
static const char *const call_keys[] = {"call", "ddi", "seq",  "within", "adapter", "status",
                                        "in",   "out", "Seed", "Part",   "Lost",    NULL};

/* ---- the first line ---- */

static int version_numbered(const struct wcts_spec *spec, uint64_t number)
{
    char name[32];
    snprintf(name, sizeof name, "%" PRIu64 ".%" PRIu64, number >> 12, number >> 8 & 0xF);
    return wcts_model_spec_version(spec, name);
}

/* A version by the number of DXGK_WDDMVERSION (0x2600), or by its name ("2.6"). */
static bool read_wddm(struct import_jsonl *file, const json_t *value, int *version)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    uint64_t number;
    *version = -1;
    if (!value)
        return true;
    if (wcts_import_number(value, &number))
        *version = version_numbered(spec, number);
    else if (json_is_string(value))
        *version = wcts_model_spec_version(spec, json_string_value(value));
    return *version >= 0 ||
           wcts_import_error(&file->reading,
                             "WDDMVersion is no version that the documents have, expected one "
                             "from %s to %s, as \"0x2600\" or \"2.6\"",
                             spec->versions[0].name, spec->versions[spec->versions_count - 1].name);
}

/* The newest version whose interface is not newer. */
static bool read_interface(struct import_jsonl *file, const json_t *value, int *version)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    uint64_t number;
    *version = -1;
    if (!value)
        return true;
    if (!wcts_import_number(value, &number))
        return wcts_import_error(&file->reading,
                                 "InterfaceVersion is no number, expected one such as \"0x%X\"",
                                 spec->versions[spec->versions_count - 1].interface_version);
    for (int i = 0; i < spec->versions_count; i++)
        if (spec->versions[i].interface_version <= number)
            *version = i;
    return *version >= 0 ||
           wcts_import_error(&file->reading,
                             "InterfaceVersion is 0x%" PRIX64 ", expected at least 0x%X", number,
                             spec->versions[0].interface_version);
}

static bool read_versions(struct import_jsonl *file, const json_t *line)
{
    struct wcts_import_recording *recording = &file->recording;
    int claimed, built;
    if (!read_wddm(file, json_object_get(line, "WDDMVersion"), &claimed) ||
        !read_interface(file, json_object_get(line, "InterfaceVersion"), &built))
        return false;
    if (file->reading.options->version >= 0)
        claimed = built = file->reading.options->version;
    claimed = claimed < 0 ? built : claimed;
    built = built < 0 ? claimed : built;
    recording->first_version = claimed < built ? claimed : built;
    recording->last_version = claimed < built ? built : claimed;
    return claimed >= 0 ||
           wcts_import_error(&file->reading, "a first line without WDDMVersion and "
                                             "InterfaceVersion, expected one of them, or --wddm");
}

static int message_named(const struct wcts_spec *spec, const char *name)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (strcmp(spec->messages[i].name, name) == 0)
            return i;
    return -1;
}

static void add_to(struct wcts_operations *set, uint32_t operation)
{
    if (operation >> 8 < WCTS_PARTIES && (operation & 255) < WCTS_PARTY_OPERATIONS)
        set->of[operation >> 8] |= UINT64_C(1) << (operation & 255);
}

/* Adds the operations with one of the names of "Records" to the set; a name that none has is
 * ignored, which is reported. */
static bool add_recorded(struct import_jsonl *file, const json_t *entry)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    const char *name = json_string_value(entry);
    struct wcts_near near;
    bool known = false;
    if (!name)
        return wcts_import_error(&file->reading, "Records has something that is no name, expected "
                                                 "names of calls");
    near = wcts_model_near_start(name, strlen(name));
    for (int i = 0; i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        if (strcmp(name, message->name) == 0 || wcts_list_has(message->native, name)) {
            add_to(&file->extent.all, message->operation);
            known = true;
        }
        wcts_import_try_names(&near, message);
    }
    if (!known && !wcts_import_is_other_call(name))
        wcts_import_ignore(&file->reading, name, "Records",
                           wcts_import_is_typo(&near) ? near.best : NULL);
    return true;
}

/* "Records": operations, or native calls, of which every one is in the file; "all". */
static bool read_records(struct import_jsonl *file, const json_t *line)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    const json_t *records = json_object_get(line, "Records");
    bool every = json_is_string(records) && strcmp(json_string_value(records), "all") == 0;
    file->extent.complete = json_is_true(json_object_get(line, "Complete"));
    if (records && !every && !json_is_array(records))
        return wcts_import_error(&file->reading,
                                 "Records is no list, expected names of calls, or \"all\"");
    for (int i = 0; i < spec->messages_count; i++)
        if (every || (file->extent.complete && !records))
            add_to(&file->extent.all, spec->messages[i].operation);
    for (size_t n = 0; n < json_array_size(records); n++)
        if (!add_recorded(file, json_array_get(records, n)))
            return false;
    return true;
}

/* "Judge": "kernel", or a list: the others did what they did on purpose. */
static bool read_judged(struct import_jsonl *file, const json_t *line)
{
    const json_t *judge = json_object_get(line, "Judge");
    size_t count = json_is_array(judge) ? json_array_size(judge) : judge != NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name =
            json_string_value(json_is_array(judge) ? json_array_get(judge, i) : judge);
        int role = name ? wcts_model_word_index(wcts_role_words, name, strlen(name)) : -1;
        if (role < 0 || role == WCTS_ROLE_BOTH)
            return wcts_import_error(&file->reading,
                                     "Judge is \"%s\", expected caller, kernel or "
                                     "driver, or a list of them",
                                     name ? name : "");
        file->recording.judged |= 1u << role;
    }
    return true;
}

static bool begin_recording(struct import_jsonl *file, const json_t *line)
{
    const char *format = json_string_value(json_object_get(line, "wddm"));
    const char *name = json_string_value(json_object_get(line, "Name"));
    const json_t *version = json_object_get(line, "version"),
                 *page = json_object_get(line, "PageSize");
    uint64_t page_size = 0;
    if (!format || strcmp(format, FORMAT_NAME) != 0)
        return wcts_import_error(&file->reading, "\"wddm\" is %s, expected \"" FORMAT_NAME "\"",
                                 format ? "another format" : "no text");
    if (json_integer_value(version) != FORMAT_VERSION)
        return wcts_import_error(&file->reading,
                                 "\"version\" is %s, expected %d: this tool knows no other",
                                 version ? "another one" : "missing", FORMAT_VERSION);
    wcts_import_note_keys(&file->reading, line, "the first line", first_keys, true);
    if (page && (!wcts_import_number(page, &page_size) || page_size < 4096 || page_size > 1 << 20 ||
                 (page_size & (page_size - 1))))
        return wcts_import_error(&file->reading, "PageSize is no size of a page, expected a power "
                                                 "of two, such as 4096");
    file->recording = (struct wcts_import_recording){.path = file->recording.path,
                                                     .page_size = (uint32_t)page_size};
    free(file->name);
    file->name = name ? strdup(name) : NULL;
    file->extent.all = (struct wcts_operations){{0}};
    file->begun_here = true;
    return read_versions(file, line) && read_records(file, line) && read_judged(file, line);
}

/* Without a first line the version has to be given, and nothing else is known. */
static bool begin_without(struct import_jsonl *file)
{
    int version = file->reading.options->version;
    if (file->begun_here)
        return true;
    if (version < 0)
        return wcts_import_error(&file->reading, "a call, expected a first line with \"wddm\" and "
                                                 "a version, or --wddm");
    file->recording.first_version = file->recording.last_version = version;
    file->begun_here = true;
    return true;
}

/* ---- calls ---- */

/* The value of a native call's member that says which operation it is, as text; "" if it is another
 * one than any that has a name or number, NULL if it is not recorded. */
static const char *native_value(const json_t *in, const char *name, size_t length, char number[32])
{
    const json_t *value = json_object_getn(in, name, length);
    const char *text = json_string_value(value);
    uint64_t is;
    if (value && wcts_import_number(value, &is)) {
        snprintf(number, 32, "%" PRIu64, is);
        return number;
    }
    return text ? wcts_import_without_prefix(text) : NULL;
}

/* Whether a native call is the message that it is with "Type=2 Type=QUERYSEGMENT"; UNKNOWN if what
 * says so is not recorded, or misspelt. */
static enum wcts_truth is_native_case(const struct wcts_message *message, const json_t *in)
{
    const char *cases = message->native_if, *one;
    enum wcts_truth is = cases ? WCTS_FALSE : WCTS_TRUE;
    size_t length;
    while (is != WCTS_TRUE && (length = wcts_next_piece(&cases, &one)) > 0) {
        const char *equals = memchr(one, '=', length), *text;
        char number[32], *name;
        if (!equals)
            continue;
        text = native_value(in, one, (size_t)(equals - one), number);
        name = strndup(equals + 1, length - (size_t)(equals + 1 - one));
        if (text && name && strcmp(text, name) == 0)
            is = WCTS_TRUE;
        else if (!text || !name || wcts_import_misspelt(text, name))
            is = WCTS_UNKNOWN;
        free(name);
    }
    return is;
}

/* Calls that no document is about, and that write a DMA buffer as DxgkDdiRender does. */
#define RENDERING_CALLS "DxgkDdiRenderKm DxgkDdiRenderGdi"
/* Behind these, fences and handles may be those of others: what ran is preempted or reset, what is
 * created has a handle that was another one's. */
#define ENDING_CALLS                                                                               \
    "DxgkDdiCreateContext DxgkDdiDestroyContext DxgkDdiDestroyDevice DxgkDdiStartDevice "          \
    "DxgkDdiStopDevice DxgkDdiRemoveDevice DxgkDdiPreemptCommand DxgkDdiCancelCommand "            \
    "DxgkDdiResetDevice DxgkDdiResetEngine DxgkDdiResetFromTimeout DxgkDdiRestartFromTimeout "     \
    "DxgkDdiSetPowerState"

/* Compares a text with those of "Type=2 Type=QUERYSEGMENT"; the nearest one is copied to best. */
static void try_cases(const struct wcts_message *message, struct wcts_near *near, char best[64])
{
    const char *cases = message->native_if, *one;
    size_t length;
    while ((length = wcts_next_piece(&cases, &one)) > 0) {
        const char *equals = memchr(one, '=', length);
        char candidate[64];
        if (!equals || (equals[1] >= '0' && equals[1] <= '9'))
            continue;
        snprintf(candidate, sizeof candidate, "%.*s", (int)(one + length - equals - 1), equals + 1);
        wcts_model_near_try(near, candidate);
        if (near->best == candidate)
            near->best = memcpy(best, candidate, sizeof candidate);
    }
}

/* Says once that the text of what tells the operations of a native call apart is none of theirs. */
static void note_case(struct import_jsonl *file, const char *call, const json_t *in)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    struct wcts_near near = {0};
    char number[32], best[64], of[128];
    for (int i = 0; i < spec->messages_count; i++) {
        const char *cases = spec->messages[i].native_if;
        const char *equals = cases ? strchr(cases, '=') : NULL, *text;
        if (!equals || !wcts_list_has(spec->messages[i].native, call))
            continue;
        text = native_value(in, cases, (size_t)(equals - cases), number);
        if (!text || text == number)
            return;
        if (!near.name)
            near = wcts_model_near_start(text, strlen(text));
        snprintf(of, sizeof of, "%s.%.*s", call, (int)(equals - cases), cases);
        try_cases(&spec->messages[i], &near, best);
    }
    if (near.name)
        wcts_import_ignore(&file->reading, near.name, of, near.best);
}

/* Counts a call that is known, and that nothing is judged of. */
static void note_other_call(struct import_jsonl *file, const char *name)
{
    file->others++;
    if (!wcts_list_has(file->other_names, name)) {
        char *names = NULL;
        if (asprintf(&names, "%s%s%s", file->other_names ? file->other_names : "",
                     file->other_names ? " " : "", name) < 0)
            return;
        free(file->other_names);
        file->other_names = names;
        file->other_functions++;
    }
}

/* Says once which calls of the file are known, and not judged. */
static void say_others(struct import_jsonl *file)
{
    if (file->others > 0 && file->other_names)
        wcts_warning_at(file->reading.options->diagnostics,
                        &(struct wcts_place){.file = file->reading.place.file},
                        "not judged: %ld call%s of %d function%s that no document is about: %s",
                        file->others, file->others == 1 ? "" : "s", file->other_functions,
                        file->other_functions == 1 ? "" : "s", file->other_names);
}

/* The message of a call by its name, or its native name; -1: no document is about it, which is
 * said, or it is not known which one of *maybe it is. */
static int find_message(struct import_jsonl *file, const char *name, const json_t *in, bool *native,
                        struct wcts_operations *maybe)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    struct wcts_near near = wcts_model_near_start(name, strlen(name));
    int index = message_named(spec, name);
    bool known = false;
    *native = index < 0;
    for (int i = 0; i < spec->messages_count && index < 0; i++)
        if (wcts_list_has(spec->messages[i].native, name)) {
            enum wcts_truth is = is_native_case(&spec->messages[i], in);
            known = true;
            if (is == WCTS_TRUE)
                index = i;
            else if (is == WCTS_UNKNOWN)
                add_to(maybe, spec->messages[i].operation);
        }
    for (int i = 0; i < spec->messages_count && index < 0; i++)
        wcts_import_try_names(&near, &spec->messages[i]);
    if (index < 0 && known)
        note_case(file, name, in);
    known = known || wcts_list_has(RENDERING_CALLS, name) || wcts_list_has(ENDING_CALLS, name);
    if (index < 0 && !known && wcts_import_is_other_call(name))
        note_other_call(file, name);
    else if (index < 0 && !known)
        wcts_import_ignore(&file->reading, name, "a call",
                           wcts_import_is_typo(&near) ? near.best : NULL);
    if (index >= 0)
        *maybe = (struct wcts_operations){{0}};
    return index;
}

/* Of two names that mean different calls "call" counts, which is said. */
static void note_two_names(struct import_jsonl *file, const char *call, const char *native)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    int index = message_named(spec, call);
    char of[128];
    if (strcmp(call, native) == 0 ||
        (index >= 0 && wcts_list_has(spec->messages[index].native, native)))
        return;
    snprintf(of, sizeof of, "\"ddi\" beside \"call\", which is %.80s", call);
    wcts_import_ignore(&file->reading, native, of, NULL);
}

/* A number of the line itself; *number is left as it is if the line has none. */
static bool read_own_number(struct import_jsonl *file, const json_t *line, const char *key,
                            uint64_t *number)
{
    const json_t *value = json_object_get(line, key);
    return !value || (wcts_import_number(value, number) && *number < UINT64_MAX) ||
           wcts_import_error(&file->reading, "\"%s\" is no number, expected one such as 1", key);
}

static bool read_status(struct import_jsonl *file, const json_t *line,
                        struct wcts_exchange_record *record)
{
    const json_t *value = json_object_get(line, "status");
    uint64_t status = 0;
    record->status_unknown = !value;
    if (value && (!wcts_import_number(value, &status) || status > UINT32_MAX))
        return wcts_import_error(&file->reading,
                                 "\"status\" is no status, expected one such as \"0xC000000D\"");
    record->status = (wcts_status)(uint32_t)status;
    return true;
}

static bool read_message_body(struct import_jsonl *file, const json_t *line, const char *key,
                              const json_t **body)
{
    *body = json_object_get(line, key);
    return !*body || json_is_object(*body) ||
           wcts_import_error(&file->reading, "\"%s\" is no object, expected members", key);
}

static bool make_record(struct import_jsonl *file, const json_t *line,
                        const struct wcts_message *message, struct wcts_import_bodies *bodies,
                        struct wcts_exchange_record *record)
{
    int version = file->recording.first_version;
    uint64_t seed = 0, part = 0;
    record->operation = message->operation;
    record->line = file->reading.place.line;
    record->native = bodies->native;
    if (!read_status(file, line, record) || !read_own_number(file, line, "Seed", &seed) ||
        !read_own_number(file, line, "Part", &part) ||
        !wcts_import_message(&file->reading, version, message, bodies, false, record))
        return false;
    record->seed = (int)(seed & 0xFF);
    record->part = part;
    /* What is answered with a refusal is void. */
    return message->reply < 0 || (!record->status_unknown && !wcts_succeeded(record->status)) ||
           wcts_import_message(&file->reading, version, message, bodies, true, record);
}

static void release_record(struct wcts_exchange_record *record)
{
    free(record->request);
    free(record->reply);
    free(record->request_known);
    free(record->reply_known);
}

static bool add_call(struct import_jsonl *file, const json_t *line)
{
    const struct wcts_spec *spec = file->reading.options->spec;
    const char *name = json_string_value(json_object_get(line, "call"));
    const char *native = json_string_value(json_object_get(line, "ddi"));
    struct wcts_import_call call = {.seq = WCTS_IMPORT_UNTOLD,
                                    .within = WCTS_IMPORT_UNTOLD,
                                    .adapter = WCTS_IMPORT_UNTOLD},
                            *added;
    struct wcts_import_bodies bodies;
    int message;
    if (name && native)
        note_two_names(file, name, native);
    name = name ? name : native;
    if (!name)
        return wcts_import_error(&file->reading,
                                 "an object without \"wddm\", \"call\" and \"ddi\", expected one "
                                 "of them");
    if (!begin_without(file) || !read_own_number(file, line, "seq", &call.seq) ||
        !read_own_number(file, line, "within", &call.within) ||
        !read_own_number(file, line, "adapter", &call.adapter) ||
        !read_message_body(file, line, "in", &bodies.in) ||
        !read_message_body(file, line, "out", &bodies.out))
        return false;
    wcts_import_note_keys(&file->reading, line, "the line", call_keys, false);
    if (json_is_true(json_object_get(line, "Lost")))
        wcts_warning_at(file->reading.options->diagnostics, &file->reading.place,
                        "members of %s are lost: the recorder had no room for them", name);
    message = find_message(file, name, bodies.in, &bodies.native, &call.maybe);
    call.ends = wcts_list_has(ENDING_CALLS, name);
    for (int i = 0; i < spec->messages_count; i++)
        if (message < 0 && wcts_list_has(RENDERING_CALLS, name) &&
            wcts_list_has(spec->messages[i].native, "DxgkDdiRender"))
            add_to(&call.maybe, spec->messages[i].operation);
    if (file->count >= CALLS_MOST)
        return wcts_import_error(&file->reading, "more than %d calls, expected a part of them",
                                 CALLS_MOST);
    /* One that no document is about has a number all the same. */
    call.record.operation = UINT32_MAX;
    if (message >= 0 && !make_record(file, line, &spec->messages[message], &bodies, &call.record)) {
        release_record(&call.record);
        return false;
    }
    call.record.line = file->reading.place.line;
    added = WCTS_ARRAY_ADD(file->calls, file->count);
    if (!added) {
        release_record(&call.record);
        return wcts_import_error(&file->reading, "no memory");
    }
    *added = call;
    return true;
}

static void release_recording(struct import_jsonl *file)
{
    for (int i = 0; file->recording.exchanges && i < WCTS_IMPORT_ADAPTERS; i++) {
        wcts_exchange_release(&file->recording.exchanges[i]);
        free(file->recording.partials[i].gaps);
    }
    free(file->recording.exchanges);
    free(file->recording.partials);
    file->recording.exchanges = NULL;
    file->recording.partials = NULL;
    file->recording.count = 0;
    for (int i = 0; i < file->count; i++)
        release_record(&file->calls[i].record);
    file->count = 0;
}

/* All lines of a recording were read. */
static bool end_recording(struct import_jsonl *file)
{
    struct wcts_import_recording *recording = &file->recording;
    bool good = true;
    if (file->begun_here) {
        recording->name = file->name;
        recording->exchanges = calloc(WCTS_IMPORT_ADAPTERS, sizeof *recording->exchanges);
        recording->partials = calloc(WCTS_IMPORT_ADAPTERS, sizeof *recording->partials);
        if (!recording->exchanges || !recording->partials)
            good = wcts_import_error(&file->reading, "no memory");
        good = good &&
               wcts_import_arrange(&file->reading, file->calls, file->count, &file->extent,
                                   recording) &&
               file->visit(file->context, recording);
    }
    release_recording(file);
    return good;
}

/* ---- lines ---- */

/* JSON that cannot be read; of a number that is too big, the member. */
static bool wrong_json(struct import_jsonl *file, const char *text, json_error_t *error)
{
    size_t end = error->position > 0 ? (size_t)error->position : 0, key = 0, length;
    if (json_error_code(error) != json_error_numeric_overflow)
        return wcts_import_error(&file->reading, "column %d: %s, expected a JSON object",
                                 error->column, wcts_text_clean(error->text));
    while (end > 0 && text[end - 1] != '"')
        end--;
    for (key = end > 0 ? end - 1 : 0; key > 0 && text[key - 1] != '"';)
        key--;
    length = end > key ? end - key - 1 : 0;
    return wcts_import_error(&file->reading,
                             "column %d: the number of \"%.*s\" is too big, expected one from 0 "
                             "to 9223372036854775807, or \"0x...\" of at most 64 bits",
                             error->column, (int)(length < 80 ? length : 80), text + key);
}

static bool read_object(struct import_jsonl *file, const char *text, size_t length)
{
    json_error_t error;
    json_t *line;
    bool good;
    if (memchr(text, '\0', length))
        return wcts_import_error(
            &file->reading,
            "a zero byte, expected JSON lines in UTF-8, or the XML that tracerpt makes of an .etl");
    line = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!line)
        return wrong_json(file, text, &error);
    if (!json_is_object(line))
        good = wcts_import_error(&file->reading, "no object, expected a JSON object a line");
    else if (json_object_get(line, "wddm"))
        good = end_recording(file) && begin_recording(file, line);
    else
        good = add_call(file, line);
    json_decref(line);
    return good;
}

/* Reads a line of at most LINE_LONGEST bytes. False at the end; *failed: it is longer. */
static bool next_line(FILE *in, struct wcts_text *line, bool *failed)
{
    char piece[16384];
    size_t length = 0;
    wcts_text_release(line);
    for (int c; (c = getc_unlocked(in)) != EOF;) {
        piece[length++] = (char)c;
        if (length == sizeof piece || c == '\n') {
            wcts_text_add_bytes(line, piece, length);
            length = 0;
        }
        if (c == '\n')
            return !line->failed;
        *failed = line->length > LINE_LONGEST || line->failed;
        if (*failed)
            return false;
    }
    wcts_text_add_bytes(line, piece, length);
    return line->length > 0;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", text[i]) || text[i] == '\0')
            return false;
    return true;
}

static bool read_lines(struct import_jsonl *file, FILE *in)
{
    struct wcts_text line = {0};
    bool too_long = false, good = true;
    while (good && next_line(in, &line, &too_long)) {
        const char *text = wcts_text_get(&line);
        file->reading.place.line++;
        if (file->reading.place.line == 1 && line.length > 2 &&
            (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
             memcmp(text, "\xEF\xBB\xBF", 3) == 0))
            good =
                wcts_import_error(&file->reading, "a byte order mark, expected UTF-8 without one");
        else if (!is_blank(text, line.length))
            good = read_object(file, text, line.length);
    }
    if (good && too_long) {
        file->reading.place.line++;
        good = wcts_import_error(&file->reading, "a line of more than 64 MiB, expected less");
    }
    wcts_text_release(&line);
    if (good && ferror(in)) {
        file->reading.place.line = 0;
        good = wcts_import_error(&file->reading, "%s, expected a file that can be read",
                                 strerror(errno));
    }
    if (good && !file->begun_here) {
        file->reading.place.line = 0;
        good = wcts_import_error(&file->reading, "an empty file, expected JSON lines");
    }
    return good && end_recording(file);
}

bool wcts_import_jsonl(const struct wcts_import_options *options, const char *path, FILE *in,
                       wcts_import_visit *visit, void *context)
{
    struct import_jsonl file = {.reading = {.options = options, .place = {.file = path}},
                                .recording = {.path = path},
                                .visit = visit,
                                .context = context};
    bool good = read_lines(&file, in);
    if (good)
        say_others(&file);
    free(file.other_names);
    release_recording(&file);
    free(file.calls);
    free(file.name);
    wcts_import_reading_release(&file.reading);
    return good;
}
