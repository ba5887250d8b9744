/* SPDX-License-Identifier: MIT */
/* Grouping cases into testcases. */
#include <stdlib.h>
#include <string.h>

#include "junit_parts.h"

const struct wcts_case *wcts_report_junit_case(const struct wcts_report_junit *junit, int position,
                                               struct wcts_case *test)
{
    return wcts_plan_case(junit->run->plan, junit->run->selected[position], test);
}

static const struct wcts_series *series_at(const struct wcts_report_junit *junit, int position)
{
    return wcts_plan_series(junit->run->plan, junit->run->selected[position]);
}

/* ---- the journal ---- */

/* Reads the next entry of the journal, of the case at a position; false at the end. */
static bool read_unit_entry(struct wcts_report_junit *junit, int position,
                            struct wcts_report_junit_entry *unit)
{
    long offset = wcts_store_journal_tell(&junit->journal);
    struct wcts_store_entry entry;
    struct wcts_case made;
    *unit = (struct wcts_report_junit_entry){.reached = false};
    if (!wcts_store_journal_next(&junit->journal, &entry))
        return false;
    const struct wcts_case *test = wcts_report_junit_case(junit, position, &made);
    if (strcmp(entry.id, test->id) == 0)
        *unit = (struct wcts_report_junit_entry){
            .reached = true,
            .untried = entry.result.skip == WCTS_SKIP_NOT_TRIED ||
                       entry.result.skip == WCTS_SKIP_NOT_JUDGED,
            .offset = offset,
            .verdict = entry.result.verdict,
            .seconds = (double)entry.result.nanoseconds / 1e9,
            .rule = entry.result.broken ? entry.result.broken - 1 : test->rule};
    wcts_store_entry_release(&entry);
    return true;
}

/* The journal has the first cases in their order. */
static void read_unit_entries(struct wcts_report_junit *junit)
{
    bool more = junit->has_journal;
    for (int i = 0; more && i < junit->run->total.count; i++)
        more = read_unit_entry(junit, i, &junit->entries[i]);
}

const struct wcts_report_junit_entry *wcts_report_junit_entry_at(struct wcts_report_junit *junit,
                                                                 int position)
{
    bool there = junit->has_journal && position < junit->run->total.count;
    if (!junit->each_case)
        return &junit->entries[position];
    if (junit->one_at == position)
        return &junit->one;
    if (position < junit->one_at || junit->one_at < 0) {
        junit->next = 0;
        junit->one_at = -1;
    }
    /* What was read between is passed over without a look. */
    there = there && wcts_store_journal_seek(&junit->journal, junit->next);
    for (int i = junit->one_at + 1; there && i < position; i++)
        there = wcts_store_journal_skip(&junit->journal);
    junit->one = (struct wcts_report_junit_entry){.reached = false};
    if (there)
        read_unit_entry(junit, position, &junit->one);
    junit->one_at = position;
    junit->next = there ? wcts_store_journal_tell(&junit->journal) : 0;
    return &junit->one;
}

/* ---- units ---- */

static int document_of(const struct wcts_report_junit *junit, int rule)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    return spec->statements[spec->rules[rule].statement].document;
}

static void add_unit(struct wcts_report_junit *junit, int rule, bool driver, int count)
{
    const struct wcts_report_junit_unit *last = &junit->units[junit->unit_count - 1];
    junit->units[junit->unit_count] = (struct wcts_report_junit_unit){
        .document = document_of(junit, rule),
        .rule = rule,
        .driver = driver,
        .first = junit->unit_count == 0 ? 0 : last->first + last->count,
        .count = count};
    junit->unit_count++;
}

/* A unit for each case. */
static void make_cases(struct wcts_report_junit *junit)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    for (int document = 0; document < spec->documents_count; document++)
        for (int i = 0; i < junit->run->selected_count; i++)
            if (document_of(junit, series_at(junit, i)->rule) == document)
                junit->positions[junit->unit_count++] = i;
}

struct wcts_report_junit_unit wcts_report_junit_unit_at(const struct wcts_report_junit *junit,
                                                        int unit)
{
    if (!junit->each_case)
        return junit->units[unit];
    const struct wcts_series *series = series_at(junit, junit->positions[unit]);
    return (struct wcts_report_junit_unit){.document = document_of(junit, series->rule),
                                           .rule = series->rule,
                                           .driver = series->driver,
                                           .first = unit,
                                           .count = 1};
}

static int unit_slot(int rule, bool driver)
{
    return 2 * rule + driver;
}

/* The slot of the rule that the case broke, if that rule has cases of its own: the names of
 * testcases must be the same in every run. */
static int counted_for(const struct wcts_report_junit *junit, const int *own, int position)
{
    const struct wcts_series *test = series_at(junit, position);
    const struct wcts_report_junit_entry *entry = &junit->entries[position];
    if (entry->reached && own[unit_slot(entry->rule, test->driver)] != 0)
        return unit_slot(entry->rule, test->driver);
    return unit_slot(test->rule, test->driver);
}

/* Adds the units of a document, in the order of its rules. */
static void add_rules(struct wcts_report_junit *junit, int document, const int *own,
                      const int *counted, int *unit_at)
{
    for (int slot = 0; slot < 2 * junit->run->plan->spec->rules_count; slot++) {
        if (own[slot] == 0 || document_of(junit, slot / 2) != document)
            continue;
        unit_at[slot] = junit->unit_count;
        add_unit(junit, slot / 2, slot % 2 != 0, counted[slot]);
    }
}

static bool make_rules(struct wcts_report_junit *junit)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    size_t slots = 2 * (size_t)spec->rules_count + 1;
    int *own = calloc(slots, sizeof *own), *counted = calloc(slots, sizeof *counted);
    int *unit_at = calloc(slots, sizeof *unit_at), *filled = calloc(slots, sizeof *filled);
    bool made = own && counted && unit_at && filled;
    for (int i = 0; made && i < junit->run->selected_count; i++)
        own[unit_slot(series_at(junit, i)->rule, series_at(junit, i)->driver)]++;
    for (int i = 0; made && i < junit->run->selected_count; i++)
        counted[counted_for(junit, own, i)]++;
    for (int document = 0; made && document < spec->documents_count; document++)
        add_rules(junit, document, own, counted, unit_at);
    for (int i = 0; made && i < junit->run->selected_count; i++) {
        int slot = counted_for(junit, own, i);
        junit->positions[junit->units[unit_at[slot]].first + filled[slot]++] = i;
    }
    free(own);
    free(counted);
    free(unit_at);
    free(filled);
    return made;
}

bool wcts_report_junit_units_make(struct wcts_report_junit *junit)
{
    size_t count = (size_t)junit->run->selected_count + 1;
    junit->positions = calloc(count, sizeof *junit->positions);
    junit->one_at = -1;
    if (junit->each_case && junit->positions)
        make_cases(junit);
    if (junit->each_case || !junit->positions)
        return junit->positions != NULL;
    junit->entries = calloc(count, sizeof *junit->entries);
    junit->units = calloc(count, sizeof *junit->units);
    if (!junit->entries || !junit->units)
        return false;
    read_unit_entries(junit);
    return make_rules(junit);
}

void wcts_report_junit_units_release(struct wcts_report_junit *junit)
{
    free(junit->entries);
    free(junit->units);
    free(junit->positions);
}
