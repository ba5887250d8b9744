/* SPDX-License-Identifier: MIT */
#include "baseline_update.h"

#include <errno.h>
#include <libxml/xmlwriter.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../runner/base/array.h"
#include "../runner/load/xml.h"
#include "../runner/store/run_dir.h"

/* A waiver to be written: one of the baseline, or a new one. */
struct report_waiver_line {
    int position; /* of its first case in the plan; INT_MAX: none */
    int number;   /* among equal positions known ones come first, as in their file */
    const struct wcts_baseline_waiver *known;
    /* The rest is set for new waivers; owned. */
    char *signature, *id; /* id: the first case that fails with the signature */
    int cases;            /* that fail with it */
    char **rules;         /* the rules of these cases */
    int rule_count;
};

struct report_update {
    const struct wcts_report_run *run;
    struct report_waiver_line *lines;
    int count;
    int added, dropped;
    char *implementation; /* an expression that matches its name */
    char expires[WCTS_DATE_SIZE];
};

/* ---- the waivers ---- */

static struct report_waiver_line *add_waiver_line(struct report_update *update,
                                                  const struct report_waiver_line *line)
{
    struct report_waiver_line *added = WCTS_ARRAY_ADD(update->lines, update->count);
    if (added) {
        *added = *line;
        added->number = update->count - 1;
    }
    return added;
}

static bool add_known(struct report_update *update)
{
    const struct wcts_baseline *baseline = update->run->baseline;
    bool added = true;
    for (int i = 0; baseline && added && i < baseline->count; i++) {
        const struct wcts_baseline_waiver *waiver = &baseline->waivers[i];
        struct report_waiver_line line = {.position = waiver->planned > 0 ? waiver->first : INT_MAX,
                                          .known = waiver};
        if (wcts_baseline_waiver_outdated(waiver))
            update->dropped++;
        else
            added = add_waiver_line(update, &line) != NULL;
    }
    return added;
}

/* The new waiver with the signature, which identifies a rule and a reason. */
static struct report_waiver_line *line_for(const struct report_update *update,
                                           const char *signature)
{
    for (int i = 0; i < update->count; i++)
        if (update->lines[i].signature && strcmp(update->lines[i].signature, signature) == 0)
            return &update->lines[i];
    return NULL;
}

static bool add_case(struct report_waiver_line *line, const char *id)
{
    size_t length = strcspn(id, "/");
    char **more;
    line->cases++;
    for (int i = 0; i < line->rule_count; i++)
        if (strlen(line->rules[i]) == length && strncmp(line->rules[i], id, length) == 0)
            return true;
    more = reallocarray(line->rules, (size_t)line->rule_count + 1, sizeof *line->rules);
    if (!more)
        return false;
    line->rules = more;
    more[line->rule_count] = strndup(id, length);
    return more[line->rule_count++] != NULL;
}

/* Adds a failing case to the waiver of its signature, unless the baseline has a waiver for it, even
 * an expired one. */
static bool add_entry(struct report_update *update, int index, const struct wcts_store_entry *entry)
{
    const struct wcts_baseline *baseline = update->run->baseline;
    const char *signature = entry->result.signature;
    enum wcts_verdict verdict = entry->result.verdict;
    if ((!wcts_store_verdict_breaks(verdict) && verdict != WCTS_VERDICT_DECLINED) ||
        signature[0] == '\0' || (baseline && wcts_baseline_covers(baseline, index, signature)))
        return true;
    struct report_waiver_line *line = line_for(update, signature);
    if (!line) {
        struct report_waiver_line fresh = {
            .position = index, .signature = strdup(signature), .id = strdup(entry->id)};
        line = fresh.signature && fresh.id ? add_waiver_line(update, &fresh) : NULL;
        if (!line) {
            free(fresh.signature);
            free(fresh.id);
            return false;
        }
        update->added++;
    }
    return add_case(line, entry->id);
}

/* The journal has an entry for each selected case, in order. */
static bool add_failing(struct report_update *update)
{
    const struct wcts_report_run *run = update->run;
    struct wcts_store_journal journal;
    struct wcts_store_entry entry;
    bool added = wcts_store_journal_open(&journal, run->directory, NULL);
    for (int i = 0; added && i < run->total.count; i++) {
        added = wcts_store_journal_next(&journal, &entry);
        if (!added)
            break;
        added = add_entry(update, run->selected[i], &entry);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    if (!added)
        fprintf(stderr, "wddm-cts: %s: the journal cannot be read\n", run->directory);
    return added;
}

/* A new waiver stands where its expression first matches, as it will once it is known. */
static void place_new(struct report_update *update)
{
    const struct wcts_plan *plan = update->run->plan;
    for (int i = 0; i < update->count; i++) {
        struct report_waiver_line *line = &update->lines[i];
        bool placed = line->known != NULL;
        for (int test = 0; !placed && test < plan->count; test++)
            for (int r = 0; !placed && r < line->rule_count; r++) {
                int rule = wcts_plan_series(plan, test)->rule;
                placed = strcmp(plan->spec->rules[rule].id, line->rules[r]) == 0;
                if (placed && test < line->position)
                    line->position = test;
            }
    }
}

static int by_position(const void *a, const void *b)
{
    const struct report_waiver_line *left = a, *right = b;
    if (left->position != right->position)
        return left->position < right->position ? -1 : 1;
    return left->number - right->number;
}

/* Writes an expression that matches the text only. */
static void put_quoted_attribute(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, "%s%c", strchr("\\^$.[]|()?*+{}", *text) ? "\\" : "", *text);
}

static char *quoted(const char *text)
{
    char *expression = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&expression, &size);
    if (!out)
        return NULL;
    put_quoted_attribute(out, text);
    return fclose(out) == 0 ? expression : NULL;
}

/* An expression for all cases of the rules; the signature limits it to those that fail this way.
 * The caller frees it. */
static char *expression_of(const struct report_waiver_line *line)
{
    char *expression = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&expression, &size);
    if (!out)
        return NULL;
    for (int i = 0; i < line->rule_count; i++) {
        fputs(i > 0 ? "|" : line->rule_count > 1 ? "(" : "", out);
        put_quoted_attribute(out, line->rules[i]);
    }
    fputs(line->rule_count > 1 ? ")/.*" : "/.*", out);
    return fclose(out) == 0 ? expression : NULL;
}

/* ---- writing ---- */

static void put_attribute(xmlTextWriterPtr writer, const char *name, const char *value)
{
    if (value)
        xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST value);
}

static void put_known(xmlTextWriterPtr writer, const struct wcts_baseline_waiver *waiver)
{
    put_attribute(writer, "case", waiver->id);
    put_attribute(writer, "match", waiver->match);
    put_attribute(writer, "signature", waiver->superseded ? waiver->other : waiver->signature);
    put_attribute(writer, "implementation", waiver->implementation);
    put_attribute(writer, "implementation-version", waiver->implementation_version);
    put_attribute(writer, "wddm", waiver->wddm);
    put_attribute(writer, "reason", waiver->reason);
    put_attribute(writer, "link", waiver->link);
    put_attribute(writer, "expires", waiver->expires);
}

static void put_new(xmlTextWriterPtr writer, const struct report_update *update,
                    const struct report_waiver_line *line)
{
    char *expression = line->cases > 1 ? expression_of(line) : NULL;
    if (line->cases == 1)
        put_attribute(writer, "case", line->id);
    else
        put_attribute(writer, "match", expression);
    free(expression);
    put_attribute(writer, "signature", line->signature);
    put_attribute(writer, "implementation", update->implementation);
    put_attribute(writer, "reason", WCTS_UNEXPLAINED "to be explained");
    put_attribute(writer, "expires", update->expires);
}

static bool write_waivers(FILE *file, const struct report_update *update)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(file, NULL);
    xmlTextWriterPtr writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    bool written = writer != NULL;
    if (writer) {
        xmlTextWriterSetIndent(writer, 1);
        xmlTextWriterSetIndentString(writer, BAD_CAST "  ");
        xmlTextWriterStartDocument(writer, "1.0", "UTF-8", NULL);
        xmlTextWriterStartElement(writer, BAD_CAST "baseline");
        for (int i = 0; i < update->count; i++) {
            xmlTextWriterStartElement(writer, BAD_CAST "waiver");
            if (update->lines[i].known)
                put_known(writer, update->lines[i].known);
            else
                put_new(writer, update, &update->lines[i]);
            xmlTextWriterEndElement(writer);
        }
        written = xmlTextWriterEndDocument(writer) >= 0 && xmlTextWriterFlush(writer) >= 0;
        xmlFreeTextWriter(writer);
    } else if (buffer) {
        xmlOutputBufferClose(buffer);
    }
    return written && fflush(file) == 0;
}

/* Writes the new baseline to the place of the old one, unless it is too large to be loaded. */
static bool replace_file(const char *path, const struct report_update *update)
{
    struct wcts_report_output output;
    struct stat status = {0};
    bool written = false;
    if (wcts_report_output_open(&output, path, WCTS_OUTPUT_KEEP)) {
        if (!write_waivers(output.file, update) || fstat(fileno(output.file), &status) != 0)
            fprintf(stderr, "wddm-cts: %s: %s\n", path, strerror(errno));
        else if (status.st_size > (off_t)WCTS_XML_FILE_LIMIT)
            fprintf(stderr,
                    "wddm-cts: %s would have %lld bytes, expected at most %zu: too much fails\n",
                    path, (long long)status.st_size, WCTS_XML_FILE_LIMIT);
        else
            written = wcts_report_output_commit(&output);
    }
    wcts_report_output_release(&output);
    return written;
}

static bool prepare_update(struct report_update *update)
{
    const struct wcts_report_run *run = update->run;
    struct wcts_diagnostics diagnostics = {.out = stderr};
    char today[WCTS_DATE_SIZE];
    if (!wcts_baseline_today(today, &diagnostics))
        return false;
    wcts_baseline_date_add(today, WCTS_NEW_WAIVER_DAYS, update->expires);
    update->implementation = quoted(run->claims.name);
    return update->implementation != NULL;
}

bool wcts_report_baseline_update(const char *path, const struct wcts_report_run *run)
{
    struct report_update update = {.run = run};
    bool written = prepare_update(&update) && add_known(&update) && add_failing(&update);

    if (written) {
        place_new(&update);
        if (update.count > 0)
            qsort(update.lines, (size_t)update.count, sizeof *update.lines, by_position);
        written = replace_file(path, &update);
    }
    if (written)
        fprintf(stderr, "wddm-cts: %s: %d waiver%s, %d new, %d left out\n", path, update.count,
                update.count == 1 ? "" : "s", update.added, update.dropped);
    for (int i = 0; i < update.count; i++) {
        for (int k = 0; k < update.lines[i].rule_count; k++)
            free(update.lines[i].rules[k]);
        free(update.lines[i].rules);
        free(update.lines[i].id);
        free(update.lines[i].signature);
    }
    free(update.lines);
    free(update.implementation);
    return written;
}
