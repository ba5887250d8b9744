/* SPDX-License-Identifier: MIT */
#include "mustpass.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/wddm-cts.h"
#include "../base/arena.h"
#include "../base/array.h"
#include "../base/file.h"
#include "../base/text.h"

#define FILE_LIMIT ((size_t)64 << 20)

static const struct {
    const char *line;
    uint32_t side;
} roles[WCTS_MUSTPASS_ROLES] = {
    [WCTS_MUSTPASS_KERNEL] = {"# role kernel", WCTS_SIDE_KERNEL},
    [WCTS_MUSTPASS_DRIVER] = {"# role driver", WCTS_SIDE_DRIVER},
};

/* ---- Reading ---- */

static bool add_needed_rule(struct wcts_plan_mustpass_list *list,
                            const struct wcts_plan_mustpass_rule *rule)
{
    struct wcts_plan_mustpass_rule *added = WCTS_ARRAY_ADD(list->rules, list->count);
    if (added)
        *added = *rule;
    return added != NULL;
}

/* "2.0" or "1.0..2.1"; 0 if it names none. */
static uint64_t read_range(const struct wcts_spec *spec, char *text)
{
    char *last = strstr(text, "..");
    uint64_t versions = 0;
    int from, until;
    if (last)
        *last = '\0';
    from = wcts_model_spec_version(spec, text);
    until = last ? wcts_model_spec_version(spec, last + 2) : from;
    if (last)
        *last = '.';
    for (int i = from; from >= 0 && i <= until; i++)
        versions |= wcts_plan_version_bit(i);
    return versions;
}

struct plan_mustpass_reading {
    struct wcts_plan_mustpass *mustpass;
    const struct wcts_spec *spec;
    struct wcts_place place;
    struct wcts_diagnostics *diagnostics;
};

static bool read_rule(struct plan_mustpass_reading *reading, char *line, int role)
{
    struct wcts_plan_mustpass_list *list = role < 0 ? NULL : &reading->mustpass->roles[role];
    struct wcts_diagnostics *diagnostics = reading->diagnostics;
    struct wcts_plan_mustpass_rule rule = {.id = strsep(&line, " ")};
    char *range;
    rule.rule = wcts_model_spec_rule(reading->spec, rule.id);
    if (!list)
        wcts_error_at(diagnostics, &reading->place,
                      "%s comes before any role, expected %s or %s first", rule.id, roles[0].line,
                      roles[1].line);
    else if (list->count > 0 && strcmp(list->rules[list->count - 1].id, rule.id) >= 0)
        wcts_error_at(diagnostics, &reading->place,
                      "%s after %s, expected rules in the order of their bytes", rule.id,
                      list->rules[list->count - 1].id);
    else {
        while ((range = strsep(&line, " ")) != NULL) {
            uint64_t versions = read_range(reading->spec, range);
            rule.versions |= versions;
            if (versions == 0)
                wcts_error_at(diagnostics, &reading->place,
                              "%s: \"%s\", expected a version or FIRST..LAST", rule.id, range);
        }
        if (rule.versions != 0)
            return add_needed_rule(list, &rule);
        wcts_error_at(diagnostics, &reading->place, "%s has no version, expected some", rule.id);
    }
    return false;
}

static bool read_rules(struct plan_mustpass_reading *reading)
{
    char *rest = reading->mustpass->bytes, *line;
    int role = -1, errors = reading->diagnostics->errors;
    while ((line = strsep(&rest, "\n")) != NULL) {
        reading->place.line++;
        for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++)
            role = strcmp(line, roles[i].line) == 0 ? i : role;
        if (line[0] != '#' && line[0] != '\0' && !read_rule(reading, line, role))
            return false;
    }
    return reading->diagnostics->errors == errors;
}

struct wcts_plan_mustpass *wcts_plan_mustpass_load(const char *cases_dir,
                                                   const struct wcts_spec *spec,
                                                   struct wcts_diagnostics *diagnostics)
{
    struct wcts_plan_mustpass *mustpass = spec->version ? calloc(1, sizeof *mustpass) : NULL;
    size_t size;
    if (!mustpass)
        return NULL;
    if (asprintf(&mustpass->path, "%s/mustpass-%s.txt", cases_dir, spec->version) < 0)
        mustpass->path = NULL;
    if (mustpass->path && access(mustpass->path, F_OK) == 0)
        mustpass->bytes = wcts_file_read(mustpass->path, FILE_LIMIT, &size, diagnostics);
    struct plan_mustpass_reading reading = {mustpass, spec, {mustpass->path, 0, NULL}, diagnostics};
    if (mustpass->bytes && read_rules(&reading))
        return mustpass;
    wcts_plan_mustpass_free(mustpass);
    return NULL;
}

void wcts_plan_mustpass_free(struct wcts_plan_mustpass *mustpass)
{
    if (!mustpass)
        return;
    for (int i = 0; i < WCTS_MUSTPASS_ROLES; i++)
        free(mustpass->roles[i].rules);
    free(mustpass->bytes);
    free(mustpass->path);
    free(mustpass);
}

/* ---- Comparing ---- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const struct wcts_plan_mustpass_rule *)a)->id,
                  ((const struct wcts_plan_mustpass_rule *)b)->id);
}

/* The rules that a plan tests, of one role. */
static struct wcts_plan_mustpass_list list_of(const struct wcts_plan *plan, int role)
{
    const struct wcts_spec *spec = plan->spec;
    struct wcts_plan_mustpass_list list = {0};
    uint64_t *versions = calloc((size_t)spec->rules_count + 1, sizeof *versions);
    for (int i = 0; versions && i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        if (series->driver == (role == WCTS_MUSTPASS_DRIVER) &&
            !wcts_model_is_drawn(series->kind) && !series->swept)
            versions[series->rule] |= wcts_plan_version_bit(plan->tests[i].version);
    }
    for (int i = 0; versions && i < spec->rules_count; i++)
        if (versions[i] != 0)
            add_needed_rule(&list,
                            &(struct wcts_plan_mustpass_rule){spec->rules[i].id, i, versions[i]});
    if (list.count)
        qsort(list.rules, (size_t)list.count, sizeof *list.rules, by_bytes);
    free(versions);
    return list;
}

void wcts_plan_add_versions(struct wcts_text *text, const struct wcts_spec *spec, uint64_t versions)
{
    const char *before = "";
    for (int i = 0; i < spec->versions_count; i++) {
        int last = i;
        if (!(versions & wcts_plan_version_bit(i)))
            continue;
        while (versions & wcts_plan_version_bit(last + 1))
            last++;
        wcts_text_add(text, "%s%s", before, spec->versions[i].name);
        if (last > i)
            wcts_text_add(text, "..%s", spec->versions[last].name);
        before = " ";
        i = last;
    }
}

/* Adds "ID 1.0..2.1 2.3", with at after the id. */
static void write_mustpass_line(struct wcts_text *text, const struct wcts_spec *spec,
                                const char *id, const char *at, uint64_t versions)
{
    wcts_text_add(text, "%s%s ", id, at);
    wcts_plan_add_versions(text, spec, versions);
}

void wcts_plan_mustpass_write(FILE *out, const struct wcts_plan *plan)
{
    fprintf(out,
            "# The rules that a claim needs (docs/claims.md), of spec %s, and at which versions. "
            "Changed only with\n# the spec's version, by wddm-cts list --mustpass "
            ">cases/mustpass-%s.txt\n",
            plan->spec->version, plan->spec->version);
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        struct wcts_plan_mustpass_list list = list_of(plan, role);
        fprintf(out, "%s\n", roles[role].line);
        for (int i = 0; i < list.count; i++) {
            WCTS_TEXT(line);
            write_mustpass_line(&line, plan->spec, list.rules[i].id, "", list.rules[i].versions);
            fprintf(out, "%s\n", wcts_text_get(&line));
        }
        free(list.rules);
    }
}

/* Counts a rule that is missing at some versions, and keeps it if it is among the first. */
static void note_missing(struct wcts_plan_mustpass_count *count, const struct wcts_spec *spec,
                         const char *id, uint64_t versions)
{
    WCTS_TEXT(text);
    if (count->missing_count < WCTS_MUSTPASS_SHOWN) {
        write_mustpass_line(&text, spec, id, " at", versions);
        count->missing[count->missing_count] =
            wcts_arena_string(spec->arena, wcts_text_get(&text), text.length);
    }
    count->missing_count++;
}

/* Counts what one list has and the other has not. */
static void compare_lists(const struct wcts_spec *spec, const struct wcts_plan_mustpass_list *list,
                          const struct wcts_plan_mustpass_list *other,
                          struct wcts_plan_mustpass_count *count)
{
    int at = 0;
    for (int i = 0; i < list->count; i++) {
        const struct wcts_plan_mustpass_rule *rule = &list->rules[i];
        uint64_t lacks = rule->versions;
        while (at < other->count && strcmp(other->rules[at].id, rule->id) < 0)
            at++;
        if (at < other->count && strcmp(other->rules[at].id, rule->id) == 0)
            lacks &= ~other->rules[at].versions;
        if (lacks != 0)
            note_missing(count, spec, rule->id, lacks);
    }
}

static void report_difference(const struct wcts_plan_mustpass_count *count,
                              const struct wcts_plan_mustpass *mustpass, const char *what,
                              const char *remedy, struct wcts_diagnostics *diagnostics)
{
    struct wcts_place place = {mustpass->path, 1, NULL};
    WCTS_TEXT(names);
    for (int i = 0; i < count->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        wcts_text_add(&names, "%s%s", i ? ", " : "", count->missing[i]);
    if (count->missing_count)
        wcts_error_at(diagnostics, &place, "%d %s: %s%s; %s", count->missing_count, what,
                      wcts_text_get(&names),
                      count->missing_count > WCTS_MUSTPASS_SHOWN ? ", ..." : "", remedy);
}

void wcts_plan_mustpass_lint(const struct wcts_plan_mustpass *mustpass,
                             const struct wcts_plan *plan, struct wcts_diagnostics *diagnostics)
{
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        struct wcts_plan_mustpass_list planned = list_of(plan, role);
        struct wcts_plan_mustpass_count gone = {0}, more = {0};
        compare_lists(plan->spec, &mustpass->roles[role], &planned, &gone);
        compare_lists(plan->spec, &planned, &mustpass->roles[role], &more);
        report_difference(&gone, mustpass, "of the list not planned any more",
                          "restore the cases, or change the spec's version", diagnostics);
        report_difference(&more, mustpass, "planned but not in the list",
                          "change the spec's version, and make its list: wddm-cts list --mustpass",
                          diagnostics);
        free(planned.rules);
    }
}

void wcts_plan_mustpass_hold(const struct wcts_plan_mustpass *mustpass,
                             const struct wcts_spec *spec,
                             const struct wcts_plan_rule_seen *const seen[WCTS_MUSTPASS_ROLES],
                             uint64_t versions, uint32_t sides,
                             struct wcts_plan_mustpass_count *count)
{
    *count = (struct wcts_plan_mustpass_count){0};
    for (int role = 0; role < WCTS_MUSTPASS_ROLES; role++) {
        const struct wcts_plan_mustpass_list *list = &mustpass->roles[role];
        if (!(sides & roles[role].side))
            continue;
        count->of += list->count;
        for (int i = 0; i < list->count; i++) {
            const struct wcts_plan_mustpass_rule *rule = &list->rules[i];
            uint64_t lacks = rule->versions & versions;
            /* No case passed there, and not because all were skipped. */
            if (rule->rule >= 0) {
                const struct wcts_plan_rule_seen *one = &seen[role][rule->rule];
                lacks &= ~one->passed & ~one->excused & (~one->skipped | one->unshown);
            }
            if (lacks != 0)
                note_missing(count, spec, rule->id, lacks);
        }
    }
    count->there = count->of - count->missing_count;
}
