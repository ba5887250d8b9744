/* SPDX-License-Identifier: MIT */
/*
 * JUnit XML has no standard; this is the dialect that Jenkins, GitLab, the common GitHub actions
 * and the Surefire schema all accept. testsuites > testsuite > testcase, a suite for each
 * document; totals stand before what they count, so everything is rendered twice: into a counter,
 * which also says where to split, and into the files.
 */
#include <errno.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/text.h"
#include "journal.h"
#include "report.h"

/* GitLab takes 30 MB a file. */
#ifndef PART_MAX
#define PART_MAX (25u << 20)
#endif
/* Of the text of one failure, in bytes. */
#define TEXT_MAX 16384

enum { RUN = -1, BASELINE = -2 };

struct counts {
    int tests, failures, errors, skipped;
    double seconds;
};

/* Cases of one document at positions [first, last) that stand in one suite of one file. */
struct segment {
    int document; /* or RUN, BASELINE: a suite of one testcase about that */
    int part;
    int first, last;
    long offset; /* of the first's entry in the journal, -1: it has none */
    struct counts counts;
};

struct junit {
    const struct wcts_run *run;
    struct wcts_journal journal;
    bool has_journal;
    struct segment *segments;
    int segment_count;
    xmlTextWriterPtr writer;
    FILE *file;       /* NULL: only count */
    uint64_t written; /* bytes, of this file */
    bool failed;
};

/* ---- XML ---- */

static int put_bytes(void *ctx, const char *bytes, int size)
{
    struct junit *junit = ctx;
    junit->written += (uint64_t)size;
    if (junit->file && fwrite(bytes, 1, (size_t)size, junit->file) != (size_t)size)
        junit->failed = true;
    return size;
}

static bool open_writer(struct junit *junit)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateIO(put_bytes, NULL, junit, NULL);
    junit->writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!junit->writer)
        return false;
    xmlTextWriterSetIndent(junit->writer, 1);
    xmlTextWriterSetIndentString(junit->writer, BAD_CAST " ");
    return true;
}

static void close_writer(struct junit *junit)
{
    if (junit->writer)
        xmlFreeTextWriter(junit->writer);
    junit->writer = NULL;
}

static void start(struct junit *junit, const char *name)
{
    if (xmlTextWriterStartElement(junit->writer, BAD_CAST name) < 0)
        junit->failed = true;
}

static void end(struct junit *junit)
{
    if (xmlTextWriterEndElement(junit->writer) < 0)
        junit->failed = true;
}

static void attribute(struct junit *junit, const char *name, const char *value)
{
    char *clean = strdup(value ? value : "");
    if (!clean || xmlTextWriterWriteAttribute(junit->writer, BAD_CAST name,
                                              BAD_CAST wcts_text_clean(clean)) < 0)
        junit->failed = true;
    free(clean);
}

static void attribute_int(struct junit *junit, const char *name, long value)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", value);
    attribute(junit, name, text);
}

static void attribute_time(struct junit *junit, const char *name, double seconds)
{
    char text[64];
    snprintf(text, sizeof text, "%.6f", seconds);
    attribute(junit, name, text);
}

static void body(struct junit *junit, const char *text)
{
    char *clean = strdup(text);
    if (!clean || xmlTextWriterWriteString(junit->writer, BAD_CAST wcts_text_clean(clean)) < 0)
        junit->failed = true;
    free(clean);
}

static void element(struct junit *junit, const char *name, const char *text)
{
    start(junit, name);
    body(junit, text);
    end(junit);
}

/* ---- testcases ---- */

enum child { NONE, FAILURE, ERROR, SKIPPED };

static const char *const child_names[] = {
    [FAILURE] = "failure", [ERROR] = "error", [SKIPPED] = "skipped"};

static const enum child children[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = NONE,    [WCTS_VERDICT_WARN] = NONE,      [WCTS_VERDICT_SKIP] = SKIPPED,
    [WCTS_VERDICT_FAIL] = FAILURE, [WCTS_VERDICT_CRASH] = ERROR,    [WCTS_VERDICT_TIMEOUT] = ERROR,
    [WCTS_VERDICT_BROKEN] = ERROR, [WCTS_VERDICT_WAIVED] = SKIPPED, [WCTS_VERDICT_FIXED] = NONE,
    [WCTS_VERDICT_FLAKY] = NONE,
};

/* A waiver that is fixed is a failure only for who asks for that. */
static enum child child_of(const struct wcts_run *run, enum wcts_verdict verdict)
{
    if (verdict == WCTS_VERDICT_FIXED && run->settings->strict_baseline)
        return FAILURE;
    return children[verdict];
}

static void count(struct counts *counts, enum child child, double seconds)
{
    counts->tests++;
    counts->failures += child == FAILURE;
    counts->errors += child == ERROR;
    counts->skipped += child == SKIPPED;
    counts->seconds += seconds;
}

/* The one child that says what happened: the same text as attribute and as body, since some read
 * only the one and some only the other. */
static void put_child(struct junit *junit, enum child child, const char *type, const char *text)
{
    start(junit, child_names[child]);
    if (child != SKIPPED)
        attribute(junit, "type", type);
    attribute(junit, "message", text);
    body(junit, text);
    end(junit);
}

/* What there is to say about a case that did not pass; the statement stands in the evidence, if
 * there is any. The caller frees it. */
static char *case_text(const struct wcts_run *run, const struct wcts_case *one,
                       const struct wcts_entry *entry)
{
    const struct wcts_statement *statement = &run->plan->spec->statements[one->statement];
    const struct wcts_rule *rule = &run->plan->spec->rules[one->rule];
    char *text = NULL;
    int size;

    if (entry->detail[0] != '\0')
        size = asprintf(&text, "%s\n%s", entry->reason, entry->detail);
    else
        size = asprintf(&text, "%s\n%s (%s, %s%s) %s", entry->reason, statement->id,
                        wcts_level_name(rule->level), wcts_basis_name(statement->basis),
                        statement->derived ? ", derived" : "", statement->text);
    if (size < 0)
        return NULL;
    if (size > TEXT_MAX)
        strcpy(text + TEXT_MAX - 4, "...");
    return text;
}

/* Verdicts that no child tells of. */
static bool is_told_in_words(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_WARN || verdict == WCTS_VERDICT_FIXED ||
           verdict == WCTS_VERDICT_FLAKY;
}

static void put_output(struct junit *junit, const struct wcts_entry *entry)
{
    char *text = NULL;
    bool told = is_told_in_words(entry->verdict);
    if (!told && entry->output[0] == '\0')
        return;
    if (asprintf(&text, "%s%s%s%s%s%s", told ? wcts_verdict_name(entry->verdict) : "",
                 told ? ": " : "", told ? entry->reason : "", told ? "\n" : "",
                 told ? entry->detail : "", entry->output) < 0) {
        junit->failed = true;
        return;
    }
    element(junit, "system-out", text);
    free(text);
}

/* ---- attempts and waivers ---- */

static const char *text_in(const json_t *value, const char *key)
{
    const char *text = json_string_value(json_object_get(value, key));
    return text ? text : "";
}

/* The attempts before the one that counts, as Surefire writes them: beside a pass flakyFailure,
 * beside a failure rerunFailure. The twins for errors are not used, since Jenkins drops them. */
static void put_tries(struct junit *junit, const struct wcts_entry *entry)
{
    const char *name = entry->verdict == WCTS_VERDICT_FLAKY ? "flakyFailure" : "rerunFailure";
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(entry->value, "attempts"), i, one)
    {
        const char *reason = text_in(one, "reason"), *detail = text_in(one, "detail");
        char *text = strndup(detail[0] ? detail : reason, TEXT_MAX);
        start(junit, name);
        attribute(junit, "message", reason);
        attribute(junit, "type", text_in(one, "verdict"));
        element(junit, "stackTrace", text ? text : "");
        end(junit);
        free(text);
    }
}

/* Why a case has no evidence: as it is, or the waiver before it. The caller frees it. */
static char *skip_text(const struct wcts_entry *entry)
{
    const json_t *waiver = json_object_get(entry->value, "waiver");
    const char *link = text_in(waiver, "link");
    char *text = NULL;
    if (!waiver)
        return strdup(entry->reason);
    if (asprintf(&text, "waived until %s: %s%s%s%s; %s: %s", text_in(waiver, "expires"),
                 text_in(waiver, "reason"), link[0] ? " (" : "", link, link[0] ? ")" : "",
                 text_in(entry->value, "was"), entry->reason) < 0)
        return NULL;
    return text;
}

static void start_case(struct junit *junit, const struct wcts_case *one, double seconds)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    const struct wcts_statement *statement = &spec->statements[one->statement];
    const struct wcts_place *place = &spec->rules[one->rule].place;
    char classname[512];

    snprintf(classname, sizeof classname, "%s.%s", spec->documents[statement->document].title,
             statement->id);
    start(junit, "testcase");
    attribute(junit, "name", one->id);
    attribute(junit, "classname", classname);
    attribute_time(junit, "time", seconds);
    attribute(junit, "file", place->file);
    attribute_int(junit, "line", place->line);
}

/* What there is to say of a case that the run came to. */
static void put_entry(struct junit *junit, const struct wcts_case *one,
                      const struct wcts_entry *entry, enum child child)
{
    char *text = child == SKIPPED ? skip_text(entry) : case_text(junit->run, one, entry);
    if (child != NONE)
        put_child(junit, child, wcts_verdict_name(entry->verdict), text ? text : "");
    put_tries(junit, entry);
    if (entry->verdict != WCTS_VERDICT_PASS)
        put_output(junit, entry);
    free(text);
}

/* entry NULL: the run did not get that far. */
static void put_case(struct junit *junit, const struct wcts_case *one,
                     const struct wcts_entry *entry, struct counts *counts)
{
    enum child child = entry ? child_of(junit->run, entry->verdict) : SKIPPED;
    double seconds = entry ? entry->seconds : 0;

    start_case(junit, one, seconds);
    if (entry)
        put_entry(junit, one, entry, child);
    else
        put_child(junit, SKIPPED, "", "not reached: the run was aborted");
    end(junit);
    count(counts, child, seconds);
}

/* ---- the run itself ---- */

/* Why the whole run is an error; NULL when it is none. */
static const char *run_error(const struct wcts_run *run, char *buffer, size_t room)
{
    int judged = 0;
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        judged += wcts_verdict_judges((enum wcts_verdict)i) ? run->total.verdicts[i] : 0;

    if (run->end == WCTS_POOL_NO_START)
        snprintf(buffer, room, "the implementation could not be loaded: %s", run->error);
    else if (run->end == WCTS_POOL_STOPPED)
        snprintf(buffer, room, "stopped after %d of %d cases%s%s", run->total.count,
                 run->selected_count, run->error[0] ? ": " : "", run->error);
    else if (run->selected_count == 0)
        snprintf(buffer, room, "no case is selected");
    else if (judged == 0)
        snprintf(buffer, room, "no case reached a verdict about the implementation");
    else
        return NULL;
    return buffer;
}

static void put_run_error(struct junit *junit, struct counts *counts)
{
    char text[1024];
    const char *error = run_error(junit->run, text, sizeof text);
    start(junit, "testcase");
    attribute(junit, "name", "run");
    attribute(junit, "classname", "wddm-cts.run");
    attribute_time(junit, "time", 0);
    put_child(junit, ERROR, "aborted", error ? error : "");
    end(junit);
    count(counts, ERROR, 0);
}

/* ---- the baseline ---- */

/* A pattern is fixed when none of its cases fails: no single case can say so. */
static enum child baseline_child(const struct wcts_run *run)
{
    const struct wcts_baseline *baseline = run->baseline;
    for (int i = 0; run->settings->strict_baseline && i < baseline->count; i++)
        if (baseline->waivers[i].match && baseline->waivers[i].state == WCTS_WAIVER_FIXED)
            return FAILURE;
    return NONE;
}

/* What somebody has to look at. The caller frees it. */
static char *baseline_text(const struct wcts_baseline *baseline)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    wcts_baseline_report(out, baseline);
    fclose(out);
    return text;
}

static void put_baseline(struct junit *junit, struct counts *counts)
{
    const struct wcts_baseline *baseline = junit->run->baseline;
    enum child child = baseline_child(junit->run);
    char *text = baseline_text(baseline);

    start(junit, "testcase");
    attribute(junit, "name", "baseline");
    attribute(junit, "classname", "wddm-cts.baseline");
    attribute_time(junit, "time", 0);
    attribute(junit, "file", baseline->path);
    attribute_int(junit, "line", 1);
    if (child != NONE)
        put_child(junit, child, "fixed", text ? text : "");
    else if (text && text[0] != '\0')
        element(junit, "system-out", text);
    end(junit);
    count(counts, child, 0);
    free(text);
}

/* ---- segments ---- */

static int document_at(const struct junit *junit, int position)
{
    const struct wcts_plan *plan = junit->run->plan;
    const struct wcts_case *one = &plan->cases[junit->run->selected[position]];
    return plan->spec->statements[one->statement].document;
}

static struct segment *add_segment(struct junit *junit, const struct segment *segment)
{
    struct segment *more =
        realloc(junit->segments, ((size_t)junit->segment_count + 1) * sizeof *more);
    if (!more) {
        junit->failed = true;
        return NULL;
    }
    junit->segments = more;
    more[junit->segment_count] = *segment;
    return &more[junit->segment_count++];
}

/* Reads the entry of the position that the journal is at; false when there is none. */
static bool next_entry(struct junit *junit, int position, struct wcts_entry *entry)
{
    const struct wcts_run *run = junit->run;
    if (position >= run->total.count || !wcts_journal_next(&junit->journal, entry))
        return false;
    if (strcmp(entry->id, run->plan->cases[run->selected[position]].id) == 0)
        return true;
    wcts_entry_release(entry);
    return false;
}

/* Renders the next position of a document; false when the position is another document's. */
static bool put_position(struct junit *junit, int document, int position, struct counts *counts)
{
    const struct wcts_run *run = junit->run;
    struct wcts_entry entry;

    if (document_at(junit, position) != document) {
        if (position < run->total.count)
            wcts_journal_skip(&junit->journal);
        return false;
    }
    bool reached = next_entry(junit, position, &entry);
    put_case(junit, &run->plan->cases[run->selected[position]], reached ? &entry : NULL, counts);
    if (reached)
        wcts_entry_release(&entry);
    return true;
}

/* Where each document's cases begin and end: one segment each, in the order of the documents. */
static void find_documents(struct junit *junit)
{
    const struct wcts_run *run = junit->run;
    int documents = run->plan->spec->documents_count;

    for (int i = 0; i < documents; i++)
        add_segment(junit, &(struct segment){.document = i, .first = -1, .offset = -1});
    for (int i = 0; i < run->selected_count && !junit->failed; i++) {
        struct segment *segment = &junit->segments[document_at(junit, i)];
        bool reached = junit->has_journal && i < run->total.count;
        if (segment->first < 0) {
            segment->first = i;
            segment->offset = reached ? wcts_journal_tell(&junit->journal) : -1;
        }
        segment->last = i + 1;
        if (reached)
            wcts_journal_skip(&junit->journal);
    }
}

/* Counts the cases of a document, splitting its segment where a file is full. */
static void measure_document(struct junit *junit, struct segment segment, int *part)
{
    int end_of_document = segment.last;
    struct segment rest = segment;

    rest.part = *part;
    if (segment.offset >= 0)
        wcts_journal_seek(&junit->journal, segment.offset);
    for (int i = segment.first; i < end_of_document; i++) {
        put_position(junit, segment.document, i, &rest.counts);
        xmlTextWriterFlush(junit->writer);
        if (junit->written < PART_MAX || i + 1 == end_of_document)
            continue;
        rest.last = i + 1;
        add_segment(junit, &rest);
        junit->written = 0;
        rest = (struct segment){.document = segment.document,
                                .part = ++*part,
                                .first = i + 1,
                                .last = end_of_document,
                                .offset = wcts_journal_tell(&junit->journal)};
    }
    add_segment(junit, &rest);
}

/* Replaces the documents' segments by those that are to be written. */
static int measure(struct junit *junit)
{
    char text[1024];
    int documents = junit->segment_count, part = 0;
    struct segment *found = junit->segments;

    junit->segments = NULL;
    junit->segment_count = 0;
    if (!open_writer(junit))
        junit->failed = true;
    for (int i = 0; i < documents && !junit->failed; i++)
        if (found[i].first >= 0)
            measure_document(junit, found[i], &part);
    close_writer(junit);
    free(found);

    struct segment run = {.document = RUN, .part = part, .counts = {.tests = 1, .errors = 1}};
    struct segment baseline = {.document = BASELINE, .part = part, .counts = {.tests = 1}};
    if (junit->run->baseline) {
        baseline.counts.failures = baseline_child(junit->run) == FAILURE;
        add_segment(junit, &baseline);
    }
    if (run_error(junit->run, text, sizeof text))
        add_segment(junit, &run);
    return part + 1;
}

/* ---- files ---- */

static void put_counts(struct junit *junit, const char *name, const struct counts *counts)
{
    char stamp[32];
    struct tm tm;
    gmtime_r(&junit->run->started, &tm);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &tm);
    attribute(junit, "name", name);
    attribute_int(junit, "tests", counts->tests);
    attribute_int(junit, "failures", counts->failures);
    attribute_int(junit, "errors", counts->errors);
    attribute_int(junit, "skipped", counts->skipped);
    attribute_time(junit, "time", counts->seconds);
    attribute(junit, "timestamp", stamp);
}

static void property(struct junit *junit, const char *name, const char *value)
{
    start(junit, "property");
    attribute(junit, "name", name);
    attribute(junit, "value", value);
    end(junit);
}

static void put_properties(struct junit *junit)
{
    const struct wcts_run *run = junit->run;
    const struct wcts_spec *spec = run->plan->spec;
    const char *first = run->settings->first_version, *last = run->settings->last_version;
    char text[64];

    if (!first && spec->versions_count > 0) {
        first = spec->versions[0].name;
        last = spec->versions[spec->versions_count - 1].name;
    }
    start(junit, "properties");
    property(junit, "tool.version", WCTS_VERSION);
    property(junit, "spec.digest", spec->digest);
    snprintf(text, sizeof text, "%llu", (unsigned long long)run->settings->seed);
    property(junit, "seed", text);
    property(junit, "wddm.first", first);
    property(junit, "wddm.last", last);
    property(junit, "implementation.name", run->claims.name);
    property(junit, "implementation.version", run->claims.version);
    property(junit, "level", wcts_judging_name(run->settings->judging));
    end(junit);
}

static void put_segment(struct junit *junit, const struct segment *segment)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    struct counts counts = {0};

    start(junit, "testsuite");
    put_counts(junit,
               segment->document >= 0     ? spec->documents[segment->document].title
               : segment->document == RUN ? "run"
                                          : "baseline",
               &segment->counts);
    put_properties(junit);
    if (segment->document == RUN)
        put_run_error(junit, &counts);
    else if (segment->document == BASELINE)
        put_baseline(junit, &counts);
    if (segment->offset >= 0 && junit->has_journal)
        wcts_journal_seek(&junit->journal, segment->offset);
    for (int i = segment->first; i < segment->last; i++)
        put_position(junit, segment->document, i, &counts);
    end(junit);
}

static void put_part(struct junit *junit, int part)
{
    struct counts total = {0};
    for (int i = 0; i < junit->segment_count; i++) {
        const struct segment *segment = &junit->segments[i];
        if (segment->part != part)
            continue;
        total.tests += segment->counts.tests;
        total.failures += segment->counts.failures;
        total.errors += segment->counts.errors;
        total.skipped += segment->counts.skipped;
        total.seconds += segment->counts.seconds;
    }
    xmlTextWriterStartDocument(junit->writer, "1.0", "UTF-8", NULL);
    start(junit, "testsuites");
    put_counts(junit, "wddm-cts", &total);
    for (int i = 0; i < junit->segment_count; i++)
        if (junit->segments[i].part == part)
            put_segment(junit, &junit->segments[i]);
    end(junit);
    xmlTextWriterEndDocument(junit->writer);
}

/* FILE.xml, FILE-2.xml, FILE-3.xml, ... The caller frees it. */
static char *part_path(const char *path, int part)
{
    size_t size = strlen(path);
    bool xml = size > 4 && strcmp(path + size - 4, ".xml") == 0;
    char *name = NULL;
    if (part == 0)
        return strdup(path);
    if (asprintf(&name, "%.*s-%d%s", (int)(xml ? size - 4 : size), path, part + 1,
                 xml ? ".xml" : "") < 0)
        return NULL;
    return name;
}

static bool write_part(struct junit *junit, const char *path, int part)
{
    char *name = part_path(path, part);
    junit->file = name ? fopen(name, "we") : NULL;
    bool written = junit->file && open_writer(junit);
    if (written) {
        put_part(junit, part);
        close_writer(junit);
    }
    if (junit->file)
        written = fclose(junit->file) == 0 && written && !junit->failed;
    junit->file = NULL;
    if (!written)
        fprintf(stderr, "wddm-cts: %s: %s\n", name ? name : path, strerror(errno));
    free(name);
    return written;
}

/* Parts that an earlier, longer report left behind would be read with this one. */
/* Whether a file is a report of this tool: nothing else is removed, whatever its name. */
static bool is_own_report(const char *path)
{
    char head[512] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    head[fread(head, 1, sizeof head - 1, file)] = '\0';
    fclose(file);
    return strstr(head, "<testsuites name=\"wddm-cts") != NULL;
}

static void remove_old_parts(const char *path, int parts)
{
    bool removed = true;
    for (int part = parts; removed; part++) {
        char *name = part_path(path, part);
        removed = name && is_own_report(name) && unlink(name) == 0;
        free(name);
    }
}

bool wcts_junit_write(const struct wcts_run *run, const char *path)
{
    struct junit junit = {.run = run};
    bool written = true;

    junit.has_journal = wcts_journal_open(&junit.journal, run->directory);
    if (!junit.has_journal && run->total.count != 0) {
        fprintf(stderr, "wddm-cts: %s: the journal cannot be read\n", run->directory);
        return false;
    }
    find_documents(&junit);
    int parts = measure(&junit);
    for (int part = 0; part < parts && written; part++)
        written = write_part(&junit, path, part);
    remove_old_parts(path, parts);
    wcts_journal_close(&junit.journal);
    free(junit.segments);
    return written;
}
