/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"
#include "../runner/judge/judge.h"
#include "../runner/judge/profile.h"
#include "../runner/model/profile.h"
#include "asked.h"

bool wcts_report_check_init(struct wcts_report_check *check, const struct wcts_spec *spec,
                            const struct wcts_eval *eval, enum wcts_level level)
{
    size_t count = (size_t)spec->statements_count * WCTS_JUDGE_SIDES;
    *check = (struct wcts_report_check){.spec = spec,
                                        .eval = eval,
                                        .level = level,
                                        .sides = {true, true, true},
                                        .rows = calloc(count + 1, sizeof *check->rows),
                                        .first_version = -1,
                                        .last_version = -1};
    for (size_t i = 0; check->rows && i < count; i++)
        check->rows[i].breach.rule = -1;
    return check->rows != NULL;
}

void wcts_report_check_release(struct wcts_report_check *check)
{
    for (int i = 0; check->rows && i < check->spec->statements_count * WCTS_JUDGE_SIDES; i++) {
        free(check->rows[i].breach.place);
        free(check->rows[i].breach.call);
        free(check->rows[i].breach.text);
        free(check->rows[i].missing);
    }
    free(check->rows);
    *check = (struct wcts_report_check){0};
}

/* ---- in words ---- */

const char *wcts_report_check_side(enum wcts_judge_side side)
{
    static const char *const names[] = {[WCTS_JUDGE_CALLER] = "caller",
                                        [WCTS_JUDGE_KERNEL] = "kernel",
                                        [WCTS_JUDGE_DRIVER] = "driver"};
    return names[side];
}

/* "FILE:LINE", or the name of a recording that has no lines. */
static char *place_text(const struct wcts_report_check_source *source, int record)
{
    char *text = NULL;
    long line = record < 0 ? 0 : source->exchange->records[record].line;
    int size;
    if (line > 0 && source->name)
        size = asprintf(&text, "%s:%ld, in %s", source->path, line, source->name);
    else if (line > 0)
        size = asprintf(&text, "%s:%ld", source->path, line);
    else if (record >= 0)
        size = asprintf(&text, "%s, message %d of %s", source->path, record + 1,
                        source->name ? source->name : "the recording");
    else
        size = asprintf(&text, "%s%s%s", source->path, source->name ? ", " : "",
                        source->name ? source->name : "");
    return size < 0 ? NULL : text;
}

static const char *call_of(const struct wcts_report_check_source *source, int record)
{
    return wcts_operation_name(source->exchange->records[record].operation);
}

/* A half of a path to a member of a native call: pDmaBuffer of "in". */
static void add_native_path(struct wcts_text *text, const char *path, size_t length, bool reply)
{
    bool in = length > 3 && strncmp(path, "in.", 3) == 0;
    wcts_text_add(text, "%.*s of \"%s\"", (int)length - (in ? 3 : 0), path + (in ? 3 : 0),
                  in || !reply ? "in" : "out");
}

/* Where a recorder finds a member that native calls have under another name, or not at all: those
 * of the documents have capital letters. */
static void add_native(struct wcts_text *text, const struct wcts_member *member, bool reply)
{
    const char *paths = member->native, *path, *minus;
    size_t length = wcts_next_piece(&paths, &path);
    if (length > 0) {
        minus = memchr(path, '-', length);
        wcts_text_add(text, ", in a native call ");
        add_native_path(text, path, minus ? (size_t)(minus - path) : length, reply);
        if (minus) {
            wcts_text_add(text, " minus ");
            add_native_path(text, minus + 1, length - (size_t)(minus + 1 - path), reply);
        }
    } else if (member->name[strcspn(member->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0') {
        wcts_text_add(text, ", to be recorded under this name: no structure of Windows has it");
    }
}

/* The first of a member's bit fields that is missing, where others are not. */
static void add_field(struct wcts_text *text, const struct wcts_member *member, uint64_t bits)
{
    uint64_t at = 0;
    for (int i = 0; i < member->field_count && bits; at += member->fields[i++].number)
        if (at + member->fields[i].number > (uint64_t)__builtin_ctzll(bits)) {
            wcts_text_add(text, ".%s", member->fields[i].name);
            return;
        }
}

/* The bits of a word that are missing, where others are not: the first by its name. */
static void add_bits(struct wcts_text *text, const struct wcts_spec *spec,
                     const struct wcts_member *member, uint64_t bits)
{
    const struct wcts_word *word = member->word < 0 ? NULL : &spec->words[member->word];
    int first = bits ? __builtin_ctzll(bits) : 0, more = __builtin_popcountll(bits) - 1;
    const char *flag = NULL;
    if (!word)
        add_field(text, member, bits);
    if (!word || bits == 0)
        return;
    for (int i = 0; i < word->flag_count && !flag; i++)
        flag = word->flags[i].bit == first ? word->flags[i].name : NULL;
    if (flag)
        wcts_text_add(text, ".%s", flag);
    else
        wcts_text_add(text, ", bit %d", first);
    if (more > 0)
        wcts_text_add(text, " and %d more bit%s", more, more == 1 ? "" : "s");
}

static void add_member(struct wcts_text *text, const struct wcts_report_check *check,
                       const struct wcts_report_check_source *source,
                       const struct wcts_exchange_missing *missing, const char *place)
{
    const struct wcts_structure *of =
        missing->structure < 0 ? NULL : &check->spec->structures[missing->structure];
    const struct wcts_member *member =
        of && missing->member >= 0 ? &of->members[missing->member] : NULL;
    if (missing->lack == WCTS_LACK_BYTES)
        wcts_text_add(text, "the bytes %s", member ? "behind " : "that are not of a member");
    if (of)
        wcts_text_add(text, "%s%s%s", of->name, member ? "." : "", member ? member->name : "");
    if (member)
        add_bits(text, check->spec, member, missing->bits);
    wcts_text_add(text, " %s %s (%s)", missing->reply ? "in the answer to" : "in",
                  call_of(source, missing->record), place);
    if (member && missing->lack == WCTS_LACK_MEMBER)
        add_native(text, member, missing->reply);
}

/* What is missing, and where; missing->record is a record. */
static void add_missing(struct wcts_text *text, const struct wcts_report_check *check,
                        const struct wcts_report_check_source *source,
                        const struct wcts_exchange_missing *missing, const char *place)
{
    switch (missing->lack) {
    case WCTS_LACK_MEMBER:
    case WCTS_LACK_BYTES:
        add_member(text, check, source, missing, place);
        break;
    case WCTS_LACK_STATUS:
        wcts_text_add(text, "the status of %s (%s)", call_of(source, missing->record), place);
        break;
    case WCTS_LACK_MESSAGES:
        wcts_text_add(text, "that every %s is in the recording",
                      check->spec->messages[missing->structure].name);
        break;
    case WCTS_LACK_LINES:
        wcts_text_add(text,
                      "every %s of the instance: the recording has no \"Complete\", or lost lines",
                      check->spec->messages[missing->structure].name);
        break;
    case WCTS_LACK_ANSWER:
        wcts_text_add(text, "an answer to %s that was accepted",
                      check->spec->messages[missing->structure].name);
        break;
    case WCTS_LACK_KIND:
        wcts_text_add(text, "of which kind, or of which adapter, the call at %s:%ld was",
                      source->path, source->exchange->partial->gaps[missing->structure].line);
        break;
    case WCTS_LACK_WITHIN:
        wcts_text_add(text, "in which call %s was made, \"within\" (%s)",
                      call_of(source, missing->record), place);
        break;
    case WCTS_LACK_CAUSE:
        wcts_text_add(text, "that %s is kept, on which it rests",
                      check->spec->rules[missing->structure].id);
        break;
    case WCTS_LACK_GAP:
        wcts_text_add(text, "the calls that are lost before %s", place);
        break;
    case WCTS_LACK_BEGIN:
        wcts_text_add(text, "the calls before the first one: its \"seq\" is not 1, and the "
                            "recording has no \"Complete\"");
        break;
    case WCTS_LACK_END:
        wcts_text_add(text, "the calls behind the last one: the recording has no \"Complete\"");
        break;
    case WCTS_LACK_PAGE_SIZE:
        wcts_text_add(text, "PageSize in the first line");
        break;
    case WCTS_LACK_STATE:
        wcts_text_add(text, "what only the kernel knows: objects, pages, or their size");
        break;
    case WCTS_LACK_NOTHING:
        break;
    }
}

static char *missing_text(const struct wcts_report_check *check,
                          const struct wcts_report_check_source *source,
                          const struct wcts_judge_saying *saying)
{
    struct wcts_exchange_missing missing = saying->missing;
    struct wcts_text text = {0};
    char *place;
    if (missing.record < 0 || missing.record >= source->exchange->count)
        missing.record = saying->record;
    place = place_text(source, missing.record);
    if (missing.content)
        wcts_text_add(&text,
                      "%s, which is judged only if nothing is missing, as in what a run records; "
                      "here is missing: ",
                      missing.handles ? "what became of each handle before"
                                      : "the content of memory");
    add_missing(&text, check, source, &missing, place ? place : "");
    free(place);
    return wcts_text_take(&text);
}

/* ---- counting ---- */

/* What is known of the versions: TRUE, the entry holds at all of them. */
static enum wcts_truth holds_at(const struct wcts_profile_entry *entry,
                                const struct wcts_report_check_source *source)
{
    if (source->last_version < entry->since || source->first_version >= entry->until)
        return WCTS_FALSE;
    return source->first_version >= entry->since && source->last_version < entry->until
               ? WCTS_TRUE
               : WCTS_UNKNOWN;
}

/* Whether the profile declares the breach; UNKNOWN: that cannot be said, and *entry is what may.
 * A recording need not show what is declared. */
static enum wcts_truth declares(const struct wcts_report_check *check,
                                const struct wcts_report_check_source *source,
                                const struct wcts_judge_saying *saying,
                                const struct wcts_profile_entry **which)
{
    const struct wcts_exchange_view view = {check->spec, source->exchange, source->page_size};
    const struct wcts_exchange_cursor place = {saying->record, saying->element};
    const struct wcts_rule *rule = &check->spec->rules[saying->rule];
    const struct wcts_profile *profile = check->profile;
    enum wcts_truth best = WCTS_FALSE;
    for (int i = 0; profile && i < profile->count && best != WCTS_TRUE; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        enum wcts_truth truth;
        if (entry->kind != WCTS_PROFILE_DEVIATION || entry->statement != rule->statement ||
            (entry->rule >= 0 && entry->rule != saying->rule) ||
            entry->driver != (saying->side == WCTS_JUDGE_DRIVER))
            continue;
        truth = holds_at(entry, source);
        if (truth != WCTS_FALSE) {
            enum wcts_truth holds =
                wcts_judge_profile_holds(profile, entry, &view, place, rule->on);
            truth = truth == WCTS_TRUE || holds == WCTS_FALSE ? holds : WCTS_UNKNOWN;
        }
        if (truth == WCTS_FALSE)
            continue;
        best = truth;
        *which = entry;
    }
    return best;
}

static bool counts_at_level(const struct wcts_report_check *check, int rule)
{
    const struct wcts_plan plan = {.spec = (struct wcts_spec *)(uintptr_t)check->spec};
    struct wcts_strictness strictness = {.level = check->level};
    return wcts_judge_breach_fails(&plan, rule, &strictness);
}

/* So that one call is smaller than another: how many messages it takes, then their bytes. */
static size_t size_of_call(const struct wcts_report_check *check,
                           const struct wcts_report_check_source *source, int record)
{
    const struct wcts_exchange_view view = {check->spec, source->exchange, source->page_size};
    const struct wcts_exchange_record *one = &source->exchange->records[record];
    int messages = wcts_exchange_end(&view, record) - record;
    return ((size_t)messages << 32) + one->request_size + one->reply_size;
}

/* Keeps the breach of the smallest call, of those with the most weight. */
static void note_breach(struct wcts_report_check *check, struct wcts_report_check_row *row,
                        const struct wcts_report_check_source *source,
                        struct wcts_judge_saying *saying, bool declared)
{
    size_t size = size_of_call(check, source, saying->record);
    enum wcts_report_check_weight weight = declared ? WCTS_CHECK_BREACH_DECLARED
                                           : counts_at_level(check, saying->rule)
                                               ? WCTS_CHECK_BREACH_FAILS
                                               : WCTS_CHECK_BREACH_WARNS;
    row->fails = row->fails || weight == WCTS_CHECK_BREACH_FAILS;
    if (row->breach.rule >= 0 &&
        (row->breach.weight > weight || (row->breach.weight == weight && row->breach.size <= size)))
        return;
    free(row->breach.place);
    free(row->breach.call);
    free(row->breach.text);
    row->breach.rule = saying->rule;
    row->breach.place = place_text(source, saying->record);
    row->breach.call = strdup(call_of(source, saying->record));
    row->breach.text = saying->text;
    row->breach.size = size;
    row->breach.weight = weight;
    saying->text = NULL;
}

static void count_saying(struct wcts_report_check *check,
                         const struct wcts_report_check_source *source,
                         struct wcts_judge_saying *saying)
{
    int statement = check->spec->rules[saying->rule].statement;
    struct wcts_report_check_row *row =
        &check->rows[statement * WCTS_JUDGE_SIDES + (int)saying->side];
    const struct wcts_profile_entry *entry = NULL;
    enum wcts_truth declared = WCTS_FALSE;
    if (saying->said == WCTS_SAID_BROKEN)
        declared = declares(check, source, saying, &entry);
    if (declared == WCTS_UNKNOWN) {
        row->unknown++;
        if (!row->missing && asprintf(&row->missing, "whether entry %s of profile %s is about it",
                                      entry->id, check->profile->name) < 0)
            row->missing = NULL;
        return;
    }
    row->kept += saying->said == WCTS_SAID_KEPT;
    row->broken += saying->said == WCTS_SAID_BROKEN;
    row->unknown += saying->said == WCTS_SAID_UNKNOWN;
    if (saying->said == WCTS_SAID_BROKEN)
        note_breach(check, row, source, saying, declared == WCTS_TRUE);
    if (saying->said == WCTS_SAID_UNKNOWN && !row->missing)
        row->missing = missing_text(check, source, saying);
}

bool wcts_report_check_add(struct wcts_report_check *check,
                           const struct wcts_report_check_source *source)
{
    struct wcts_judge_partial judge = {.spec = check->spec,
                                       .eval = check->eval,
                                       .version = source->first_version,
                                       .last_version = source->last_version,
                                       .page_size = source->page_size};
    struct wcts_judge_sayings sayings = {0};
    for (int side = 0; side < WCTS_JUDGE_SIDES; side++)
        judge.unwanted |= check->sides[side] ? 0 : 1u << side;
    if (!wcts_judge_partial(&judge, source->exchange, &sayings))
        check->failed = true;
    for (int i = 0; i < sayings.count; i++)
        if (check->sides[sayings.of[i].side] &&
            (sayings.of[i].record < 0 || sayings.of[i].record >= source->judged_before))
            count_saying(check, source, &sayings.of[i]);
    wcts_judge_sayings_release(&sayings);
    if (check->first_version < 0 || source->first_version < check->first_version)
        check->first_version = source->first_version;
    if (source->last_version > check->last_version)
        check->last_version = source->last_version;
    check->recordings++;
    check->messages += source->exchange->count - source->judged_before;
    return !check->failed;
}

enum wcts_report_check_result wcts_report_check_result(const struct wcts_report_check *check,
                                                       int statement, enum wcts_judge_side side)
{
    const struct wcts_report_check_row *row =
        &check->rows[statement * WCTS_JUDGE_SIDES + (int)side];
    if (row->broken > 0 && row->breach.weight == WCTS_CHECK_BREACH_DECLARED)
        return WCTS_CHECKED_DEVIATES;
    if (row->broken > 0)
        return row->fails ? WCTS_CHECKED_BROKEN : WCTS_CHECKED_WARN;
    if (row->unknown > 0)
        return row->kept > 0 ? WCTS_CHECKED_PARTLY : WCTS_CHECKED_UNKNOWN;
    return row->kept > 0 ? WCTS_CHECKED_KEPT : WCTS_CHECKED_NOT;
}

const char *wcts_report_check_result_name(enum wcts_report_check_result result)
{
    static const char *const names[] = {
        [WCTS_CHECKED_NOT] = "not asked",       [WCTS_CHECKED_KEPT] = "kept",
        [WCTS_CHECKED_PARTLY] = "kept in part", [WCTS_CHECKED_WARN] = "warn",
        [WCTS_CHECKED_DEVIATES] = "deviates",   [WCTS_CHECKED_UNKNOWN] = "cannot be said",
        [WCTS_CHECKED_BROKEN] = "broken"};
    return names[result];
}

/* How many statements have each result: the worst of the sides. */
static void count_results(const struct wcts_report_check *check,
                          int counts[WCTS_CHECKED_BROKEN + 1])
{
    /* From good to bad; that of one side cannot be said does not undo what is said of another. */
    static const int weight[] = {
        [WCTS_CHECKED_NOT] = 0,    [WCTS_CHECKED_UNKNOWN] = 1,  [WCTS_CHECKED_KEPT] = 2,
        [WCTS_CHECKED_PARTLY] = 3, [WCTS_CHECKED_DEVIATES] = 4, [WCTS_CHECKED_WARN] = 5,
        [WCTS_CHECKED_BROKEN] = 6};
    for (int s = 0; s < check->spec->statements_count; s++) {
        enum wcts_report_check_result worst = WCTS_CHECKED_NOT;
        for (int side = 0; side < WCTS_JUDGE_SIDES; side++) {
            enum wcts_report_check_result one =
                wcts_report_check_result(check, s, (enum wcts_judge_side)side);
            worst = weight[one] > weight[worst] ? one : worst;
        }
        counts[worst]++;
    }
}

static void add_count(struct wcts_text *text, int count, const char *what)
{
    if (count > 0)
        wcts_text_add(text, ", %d %s", count, what);
}

/* What is decided, and whether a breach was seen: "no breach seen: 41 statements decided". A
 * statement that is kept in part is not decided, and one that warns is a breach. */
static void add_decided(struct wcts_text *text, const int counts[WCTS_CHECKED_BROKEN + 1],
                        int decided)
{
    int broken = counts[WCTS_CHECKED_BROKEN];
    bool lesser = counts[WCTS_CHECKED_WARN] + counts[WCTS_CHECKED_DEVIATES] > 0;
    if (broken > 0)
        wcts_text_add(text, "%d statement%s broken, %d decided", broken, broken == 1 ? "" : "s",
                      decided);
    else if (decided > 0)
        wcts_text_add(text, "no breach %s: %d statement%s decided", lesser ? "that counts" : "seen",
                      decided, decided == 1 ? "" : "s");
    else
        wcts_text_add(text, "nothing decided");
    add_count(text, counts[WCTS_CHECKED_WARN],
              counts[WCTS_CHECKED_WARN] == 1 ? "warning" : "warnings");
    add_count(text, counts[WCTS_CHECKED_DEVIATES], "broken as the profile declares");
    add_count(text, counts[WCTS_CHECKED_PARTLY], "kept in part");
}

char *wcts_report_check_headline(const struct wcts_report_check *check, int *status)
{
    int counts[WCTS_CHECKED_BROKEN + 1] = {0};
    struct wcts_text text = {0};
    int decided;
    count_results(check, counts);
    decided = counts[WCTS_CHECKED_BROKEN] + counts[WCTS_CHECKED_KEPT] + counts[WCTS_CHECKED_WARN] +
              counts[WCTS_CHECKED_DEVIATES];
    wcts_text_add(&text, "from a recording: ");
    add_decided(&text, counts, decided);
    add_count(&text, counts[WCTS_CHECKED_UNKNOWN], "cannot be said");
    if (check->first_version >= 0) {
        const struct wcts_version *versions = check->spec->versions;
        wcts_text_add(&text, "; WDDM %s", versions[check->first_version].name);
        if (check->last_version != check->first_version)
            wcts_text_add(&text, " to %s", versions[check->last_version].name);
    }
    wcts_text_add(&text, ", level %s", wcts_model_level_name(check->level));
    if (check->profile)
        wcts_text_add(&text, ", profile %s", check->profile->name);
    *status = counts[WCTS_CHECKED_BROKEN] > 0 ? WCTS_EXIT_FAIL
              : decided > 0                   ? WCTS_EXIT_OK
                                              : WCTS_EXIT_NOTHING;
    return wcts_text_take(&text);
}
