/* SPDX-License-Identifier: MIT */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "resume.h"
#include "suite.h"

/* ---- what parts have in common ---- */

static bool refuse_part(const struct wcts_cli_part *part, const char *file, const char *what,
                        const char *found, const char *expected)
{
    return wcts_store_reader_error(&part->reader, file, 0, "%s: found %.200s, expected %.200s",
                                   what, found, expected);
}

static bool read_part(struct wcts_cli_part *part, const char *directory)
{
    const json_t *shard;
    part->directory = directory;
    wcts_store_reader_init(&part->reader, directory, NULL);
    if (!wcts_store_reader_is_run(&part->reader) || !wcts_store_reader_run(&part->reader))
        return wcts_store_reader_report(&part->reader);
    shard = json_object_get(part->reader.run, "shard");
    part->number = (int)json_integer_value(json_object_get(shard, "number"));
    part->of = (int)json_integer_value(json_object_get(shard, "of"));
    if (part->number < 1 || part->number > part->of)
        return refuse_part(part, WCTS_FILE_RUN, "\"shard\"", "no part",
                           "a number, and of how many it is one");
    if (strcmp(wcts_store_json_member(part->reader.run, "end"),
               wcts_report_end_name(WCTS_POOL_NO_START)) == 0)
        return refuse_part(part, WCTS_FILE_RUN, "\"end\"", "that the implementation was not loaded",
                           "a part that ran");
    if (json_is_real(json_object_get(json_object_get(part->reader.run, "budget"), "seconds")))
        return refuse_part(part, WCTS_FILE_RUN, "\"budget\"", "a run with --budget",
                           "parts that have the same cases on each machine");
    return true;
}

/* Texts of a member of both descriptions, which may be in an object. */
static bool is_same_text_in_parts(const struct wcts_cli_part *part,
                                  const struct wcts_cli_part *first, const char *object,
                                  const char *key)
{
    const json_t *own = part->reader.run, *other = first->reader.run;
    const char *found, *expected;
    found = wcts_store_json_member(object ? json_object_get(own, object) : own, key);
    expected = wcts_store_json_member(object ? json_object_get(other, object) : other, key);
    if (strcmp(found, expected) == 0)
        return true;
    return wcts_store_reader_error(
        &part->reader, WCTS_FILE_RUN, 0, "\"%s\": found %.80s, expected %.80s, as in %s", key,
        found[0] ? found : "none", expected[0] ? expected : "none", first->directory);
}

/* The profiles, by their names where these differ. */
static bool same_profile(const struct wcts_cli_part *part, const struct wcts_cli_part *first)
{
    const char *own = wcts_cli_profile_of_run(part->reader.run);
    const char *other = wcts_cli_profile_of_run(first->reader.run);
    if (own ? other && strcmp(own, other) == 0 : !other)
        return is_same_text_in_parts(part, first, "profile", "digest");
    return wcts_store_reader_error(&part->reader, WCTS_FILE_RUN, 0,
                                   "\"profile\": found %.200s, expected %.200s, as in %s",
                                   own ? own : "none", other ? other : "none", first->directory);
}

/* What is claimed, but for remarks, which may be about a process. */
static bool same_claims(const struct wcts_cli_part *part, const struct wcts_cli_part *first)
{
    const json_t *own = json_object_get(part->reader.run, "claims"), *value;
    const json_t *other = json_object_get(first->reader.run, "claims");
    const char *key;
    json_object_foreach((json_t *)(uintptr_t)other, key, value)
    {
        if (strcmp(key, "remarks") != 0 && !json_equal(value, json_object_get(own, key)))
            return wcts_store_reader_error(&part->reader, WCTS_FILE_RUN, 0,
                                           "the implementation claims another \"%s\" than in %s",
                                           key, first->directory);
    }
    return true;
}

static bool same_options(const struct wcts_cli_part *part, const struct wcts_cli_part *first)
{
    const json_t *own = json_object_get(part->reader.run, "options");
    const json_t *other = json_object_get(first->reader.run, "options");
    size_t count = json_array_size(own), strings = 0;
    const char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words && i < count; i++) {
        words[strings] = json_string_value(json_array_get(own, i));
        strings += words[strings] != NULL;
    }
    char *text =
        words ? wcts_cli_resume_difference(words, (int)strings, other, false, "shard") : NULL;
    bool same = words && !text;
    if (text)
        wcts_store_reader_error(&part->reader, WCTS_FILE_RUN, 0, "%s, as in %s", text,
                                first->directory);
    free(text);
    free(words);
    return same;
}

static bool same_run(const struct wcts_cli_part *part, const struct wcts_cli_part *first)
{
    char found[40], expected[40];
    snprintf(found, sizeof found, "one of %d parts", part->of);
    snprintf(expected, sizeof expected, "one of %d", first->of);
    return is_same_text_in_parts(part, first, NULL, "tool_version") &&
           is_same_text_in_parts(part, first, NULL, "spec_digest") &&
           is_same_text_in_parts(part, first, "implementation", "sha256") &&
           is_same_text_in_parts(part, first, "implementation", "path") &&
           same_options(part, first) && same_profile(part, first) &&
           is_same_text_in_parts(part, first, "baseline", "digest") && same_claims(part, first) &&
           (part->of == first->of ||
            refuse_part(part, WCTS_FILE_RUN, "\"shard\"", found, expected));
}

/* True if no part before it has its number. */
static bool is_new(const struct wcts_cli_parts *parts, int index)
{
    for (int i = 0; i < index; i++)
        if (parts->of[i].number == parts->of[index].number)
            return wcts_store_reader_error(&parts->of[index].reader, WCTS_FILE_RUN, 0,
                                           "part %d of %d, as is %s, expected each part once",
                                           parts->of[index].number, parts->of[index].of,
                                           parts->of[i].directory);
    return true;
}

bool wcts_cli_parts_open(struct wcts_cli_parts *parts, char **directories, int count)
{
    bool good = true;
    *parts = (struct wcts_cli_parts){.of = calloc((size_t)count, sizeof *parts->of)};
    for (int i = 0; good && parts->of && i < count; i++) {
        parts->count = i + 1;
        good = read_part(&parts->of[i], directories[i]) && same_run(&parts->of[i], &parts->of[0]) &&
               is_new(parts, i);
    }
    return good && parts->of;
}

void wcts_cli_parts_release(struct wcts_cli_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        wcts_store_reader_close(&parts->of[i].reader);
        if (parts->of[i].recorded)
            wcts_store_records_release(&parts->of[i].records);
    }
    free(parts->of);
    free(parts->owners);
    *parts = (struct wcts_cli_parts){0};
}

/* ---- files ---- */

/* Counts the results of a part, which have to be those of its first cases. */
static bool count_part_entries(struct wcts_cli_part *part)
{
    struct wcts_store_entry entry;
    int row = -1;
    if (!wcts_store_reader_journal(&part->reader))
        return wcts_store_reader_report(&part->reader);
    while (wcts_store_reader_next(&part->reader, &entry, &row)) {
        wcts_store_entry_release(&entry);
        if (row != part->entries)
            return wcts_store_reader_error(&part->reader, WCTS_FILE_JOURNAL, part->entries + 1,
                                           "found case %s, expected %s", part->reader.rows[row].id,
                                           part->reader.rows[part->entries].id);
        part->entries++;
    }
    if (part->reader.flaw.kind != WCTS_FLAW_NONE)
        return wcts_store_reader_report(&part->reader);
    /* Of a part that was killed, the last results may lack their records. */
    int whole = part->entries;
    if (part->reader.running && !wcts_store_rundir_count_whole(part->directory, &whole))
        return false;
    if (whole < part->entries)
        part->entries = whole;
    part->ended = part->reader.done && part->entries == part->reader.count;
    return wcts_store_journal_seek(&part->reader.journal, 0);
}

static bool read_part_files(struct wcts_cli_part *part, const struct wcts_plan *plan)
{
    part->reader.spec = plan->spec;
    if (!wcts_store_reader_plan(&part->reader, plan))
        return wcts_store_reader_report(&part->reader);
    if ((!part->reader.running && !wcts_store_reader_unchanged(&part->reader)) ||
        !count_part_entries(part))
        return false;
    /* The reader takes an entry of a case only once. */
    for (int i = 0; i < part->reader.count; i++)
        part->reader.rows[i].reached = false;
    part->reader.entries = 0;
    part->recorded = wcts_store_records_open(&part->records, part->directory);
    if (part->recorded && part->records.right == 0)
        return wcts_store_reader_error(&part->reader, WCTS_RECORDS_FILE, 0, "%s",
                                       part->records.wrong);
    return true;
}

/* ---- the proof ---- */

/* Notes that the part has its cases. places: of each case of the plan, 1 + its position in the
 * selection, 0: not selected. */
static bool claim_cases(struct wcts_cli_parts *parts, int index, const int *places)
{
    struct wcts_cli_part *part = &parts->of[index];
    for (int i = 0; i < part->reader.count; i++) {
        const struct wcts_store_reader_row *row = &part->reader.rows[i];
        int place = row->test >= 0 && row->exact ? places[row->test] - 1 : -1;
        if (place < 0)
            return wcts_store_reader_error(&part->reader, WCTS_FILE_PLAN, row->line,
                                           "found case %s, expected one of the undivided run, in "
                                           "the order of its plan",
                                           row->id);
        if (parts->owners[place] >= 0)
            return wcts_store_reader_error(
                &part->reader, WCTS_FILE_PLAN, row->line,
                "found case %s, which %s has, too, expected parts without a case in common",
                row->id, parts->of[parts->owners[place]].directory);
        parts->owners[place] = index;
    }
    return true;
}

/* The cases of a part behind its last result belong to nobody. */
static void disclaim_unreached(struct wcts_cli_parts *parts, int index, const int *places)
{
    const struct wcts_cli_part *part = &parts->of[index];
    for (int i = part->entries; i < part->reader.count; i++)
        parts->owners[places[part->reader.rows[i].test] - 1] = -1;
}

/* Says which parts are not there, or not whole. */
static void list_missing(const struct wcts_cli_parts *parts)
{
    int of = parts->of[0].of, absent = 0;
    for (int number = 1; number <= of && absent <= 20; number++) {
        bool there = false;
        for (int i = 0; i < parts->count; i++)
            there = there || parts->of[i].number == number;
        if (!there && absent++ < 20)
            fprintf(stderr, "wddm-cts: part %d of %d is missing\n", number, of);
        else if (!there)
            fprintf(stderr, "wddm-cts: and others\n");
    }
    for (int i = 0; i < parts->count; i++)
        if (!parts->of[i].ended)
            fprintf(stderr,
                    "wddm-cts: part %d of %d, %s, has %d of its %d cases; wddm-cts run --resume %s "
                    "runs the others\n",
                    parts->of[i].number, of, parts->of[i].directory, parts->of[i].entries,
                    parts->of[i].reader.count, parts->of[i].directory);
}

static bool report_missing(struct wcts_cli_parts *parts, const struct wcts_plan *plan,
                           const int *selected, int count, bool partial)
{
    int first = -1;
    for (int i = 0; i < count; i++) {
        parts->missing += parts->owners[i] < 0;
        if (parts->owners[i] < 0 && first < 0)
            first = i;
    }
    if (parts->missing == 0)
        return true;
    list_missing(parts);
    fprintf(stderr, "wddm-cts: merge: %d of %d cases are missing, the first is %s%s\n",
            parts->missing, count, WCTS_PLAN_CASE(plan, selected[first])->id,
            partial ? "" : "; expected all parts, or --partial");
    return partial;
}

bool wcts_cli_parts_prove(struct wcts_cli_parts *parts, const struct wcts_plan *plan,
                          const int *selected, int count, bool partial)
{
    int *places = calloc((size_t)plan->count + 1, sizeof *places);
    bool good = places != NULL;
    parts->owners = malloc(((size_t)count + 1) * sizeof *parts->owners);
    good = good && parts->owners;
    for (int i = 0; good && i < count; i++) {
        places[selected[i]] = i + 1;
        parts->owners[i] = -1;
    }
    for (int i = 0; good && i < parts->count; i++)
        good = read_part_files(&parts->of[i], plan) && claim_cases(parts, i, places);
    for (int i = 0; good && i < parts->count; i++)
        disclaim_unreached(parts, i, places);
    good = good && report_missing(parts, plan, selected, count, partial);
    free(places);
    return good;
}

json_t *wcts_cli_parts_json(const struct wcts_cli_parts *parts)
{
    json_t *list = json_array();
    for (int i = 0; i < parts->count; i++) {
        const struct wcts_cli_part *part = &parts->of[i];
        char digest[65] = "";
        wcts_store_digest_file(part->directory, WCTS_FILE_JOURNAL, digest);
        json_array_append_new(list, json_pack("{s:o, s:i, s:i, s:i, s:s}", "directory",
                                              wcts_store_json_path(part->directory), "number",
                                              part->number, "of", part->of, "cases", part->entries,
                                              "journal", digest));
    }
    return list;
}
