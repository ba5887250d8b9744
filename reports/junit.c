/* SPDX-License-Identifier: MIT */
/* JUnit XML has no standard. This is the dialect that Jenkins, GitLab, the common GitHub actions
 * and the Surefire schema accept: testsuites > testsuite > testcase, with a suite for each
 * document. Totals precede what they count, so everything is rendered twice: first into a counter,
 * which also finds where to split, then into the files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/base/array.h"
#include "../runner/base/path.h"
#include "../runner/base/regular.h"
#include "../runner/base/text.h"
#include "counts.h"
#include "declaration.h"
#include "junit_parts.h"

/* GitLab accepts 30 MB a file. */
#ifndef PART_MAX
#define PART_MAX (25u << 20)
#endif

enum { RUN = -1, BASELINE = -2, DECLARATION = -3 };

/* Units of one document, [first, last), that are one suite of one file. */
struct report_suite_segment {
    int document; /* or RUN, BASELINE, DECLARATION: a suite with one testcase for it */
    int part;
    int first, last;
    struct wcts_report_junit_counts counts;
};

struct report_junit_report {
    struct wcts_report_junit junit;
    struct report_suite_segment *segments;
    int segment_count;
    struct wcts_report_xml xml;
    FILE *file;       /* NULL: only counting */
    uint64_t written; /* bytes of this file */
    bool whole;       /* one file, whatever its size */
};

/* ---- XML ---- */

static int write_junit_bytes(void *ctx, const char *bytes, int size)
{
    struct report_junit_report *report = ctx;
    report->written += (uint64_t)size;
    if (report->file && fwrite(bytes, 1, (size_t)size, report->file) != (size_t)size)
        report->xml.failed = true;
    return size;
}

static bool open_writer(struct report_junit_report *report)
{
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateIO(write_junit_bytes, NULL, report, NULL);
    report->xml.writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!report->xml.writer)
        return false;
    xmlTextWriterSetIndent(report->xml.writer, 1);
    xmlTextWriterSetIndentString(report->xml.writer, BAD_CAST " ");
    return true;
}

static void close_writer(struct report_junit_report *report)
{
    if (report->xml.writer)
        xmlFreeTextWriter(report->xml.writer);
    report->xml.writer = NULL;
}

/* ---- the run itself ---- */

/* The error of the whole run; NULL when there is none. */
static const char *run_error(const struct wcts_report_run *run, char *buffer, size_t room)
{
    if (run->end == WCTS_POOL_NO_START)
        snprintf(buffer, room, "%s%s", wcts_report_not_started(run), run->error);
    else if (run->end == WCTS_POOL_STOPPED || run->end == WCTS_POOL_CUT)
        snprintf(buffer, room, "stopped after %d of %d cases%s%s", run->total.count,
                 run->selected_count, run->error[0] ? ": " : "", run->error);
    else if (run->selected_count == 0)
        snprintf(buffer, room, "no case is selected");
    else if (run->judged == 0)
        snprintf(buffer, room, "no case reached a verdict about the implementation");
    else
        return NULL;
    return buffer;
}

static void put_run_error(struct report_junit_report *report)
{
    struct wcts_report_xml *xml = &report->xml;
    char text[1024];
    const char *error = run_error(report->junit.run, text, sizeof text);
    wcts_report_xml_start(xml, "testcase");
    wcts_report_xml_attribute(xml, "name", "run");
    wcts_report_xml_attribute(xml, "classname", "wddm-cts.run");
    wcts_report_xml_seconds(xml, "time", 0);
    wcts_report_junit_put_child(xml, WCTS_JUNIT_ERROR, "aborted", error, error);
    wcts_report_xml_end(xml);
}

/* ---- the baseline ---- */

/* Only this testcase can report a fixed pattern, since no single case shows it. */
static enum wcts_report_junit_child baseline_child(const struct wcts_report_run *run)
{
    const struct wcts_baseline *baseline = run->baseline;
    for (int i = 0; run->asked.strict_baseline && i < baseline->count; i++)
        if (baseline->waivers[i].match && baseline->waivers[i].state == WCTS_WAIVER_FIXED)
            return WCTS_JUNIT_FAILURE;
    return WCTS_JUNIT_NONE;
}

static char *lacking_text(const struct wcts_report_run *run)
{
    WCTS_TEXT(text);
    for (int i = 0; i < run->lacking_count; i++) {
        char *line = wcts_report_declaration_line(run, i);
        wcts_text_add(&text, "%s\n", line ? line : "");
        free(line);
    }
    return wcts_text_take(&text);
}

/* One testcase for all that is declared. */
static void put_declaration(struct report_junit_report *report)
{
    const struct wcts_report_run *run = report->junit.run;
    struct wcts_report_xml *xml = &report->xml;
    char *text = lacking_text(run), *message = wcts_report_declaration_line(run, 0);
    wcts_report_xml_start(xml, "testcase");
    wcts_report_xml_attribute(xml, "name", "declaration");
    wcts_report_xml_attribute(xml, "classname", "wddm-cts.declaration");
    wcts_report_xml_seconds(xml, "time", 0);
    if (run->lacking_count != 0)
        wcts_report_junit_put_child(xml, WCTS_JUNIT_FAILURE, "fail", message ? message : "",
                                    text ? text : "");
    wcts_report_xml_end(xml);
    free(text);
    free(message);
}

static void put_baseline(struct report_junit_report *report)
{
    const struct wcts_baseline *baseline = report->junit.run->baseline;
    enum wcts_report_junit_child child = baseline_child(report->junit.run);
    struct wcts_report_xml *xml = &report->xml;
    char *text = NULL, path[WCTS_PATH_ROOM];
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out) {
        wcts_baseline_report(out, baseline);
        fclose(out);
    }

    wcts_report_xml_start(xml, "testcase");
    wcts_report_xml_attribute(xml, "name", "baseline");
    wcts_report_xml_attribute(xml, "classname", "wddm-cts.baseline");
    wcts_report_xml_seconds(xml, "time", 0);
    wcts_report_xml_attribute(xml, "file", wcts_path_shown(baseline->path, path, sizeof path));
    wcts_report_xml_number(xml, "line", 1);
    if (child != WCTS_JUNIT_NONE)
        wcts_report_junit_put_child(xml, child, "fixed",
                                    "waivers are fixed: the baseline is out of date",
                                    text ? text : "");
    else
        wcts_report_xml_element(xml, "system-out", text);
    wcts_report_xml_end(xml);
    free(text);
}

/* ---- segments ---- */

static void add_segment(struct report_junit_report *report,
                        const struct report_suite_segment *segment)
{
    struct report_suite_segment *added = WCTS_ARRAY_ADD(report->segments, report->segment_count);
    report->xml.failed = report->xml.failed || !added;
    if (added)
        *added = *segment;
}

/* Counts the units of a document from first on, and starts a new segment when a file is full.
 * Returns the first unit of the next document. */
static int measure_document(struct report_junit_report *report, int first, int *part)
{
    struct wcts_report_junit *junit = &report->junit;
    int document = wcts_report_junit_unit_at(junit, first).document, i = first;
    struct report_suite_segment segment = {.document = document, .part = *part, .first = first};

    for (; i < junit->unit_count; i++) {
        const struct wcts_report_junit_unit unit = wcts_report_junit_unit_at(junit, i);
        if (unit.document != document)
            break;
        bool is_last = i + 1 == junit->unit_count ||
                       wcts_report_junit_unit_at(junit, i + 1).document != document;
        wcts_report_junit_put_unit(junit, &report->xml, &unit, &segment.counts);
        xmlTextWriterFlush(report->xml.writer);
        if (report->written < PART_MAX || report->whole || is_last)
            continue;
        segment.last = i + 1;
        add_segment(report, &segment);
        report->written = 0;
        segment =
            (struct report_suite_segment){.document = document, .part = ++*part, .first = i + 1};
    }
    segment.last = i;
    add_segment(report, &segment);
    return i;
}

/* Finds the segments. Returns the number of files. */
static int measure_report(struct report_junit_report *report)
{
    char text[1024];
    int part = 0;

    if (!open_writer(report))
        report->xml.failed = true;
    for (int i = 0; i < report->junit.unit_count && !report->xml.failed;)
        i = measure_document(report, i, &part);
    close_writer(report);

    struct report_suite_segment run = {
        .document = RUN, .part = part, .counts = {.tests = 1, .errors = 1}};
    struct report_suite_segment baseline = {
        .document = BASELINE, .part = part, .counts = {.tests = 1}};
    struct report_suite_segment declaration = {
        .document = DECLARATION,
        .part = part,
        .counts = {.tests = 1, .failures = report->junit.run->lacking_count != 0}};
    if (report->junit.run->declaration_path)
        add_segment(report, &declaration);
    if (report->junit.run->baseline) {
        baseline.counts.failures = baseline_child(report->junit.run) == WCTS_JUNIT_FAILURE;
        add_segment(report, &baseline);
    }
    if (run_error(report->junit.run, text, sizeof text))
        add_segment(report, &run);
    return part + 1;
}

/* ---- files ---- */

static void put_suite_attributes(struct report_junit_report *report, const char *name,
                                 const struct wcts_report_junit_counts *counts)
{
    struct wcts_report_xml *xml = &report->xml;
    char stamp[32];
    struct tm tm;
    gmtime_r(&report->junit.run->started, &tm);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &tm);
    wcts_report_xml_attribute(xml, "name", name);
    wcts_report_xml_number(xml, "tests", counts->tests);
    wcts_report_xml_number(xml, "failures", counts->failures);
    wcts_report_xml_number(xml, "errors", counts->errors);
    wcts_report_xml_number(xml, "skipped", counts->skipped);
    wcts_report_xml_seconds(xml, "time", counts->seconds);
    wcts_report_xml_attribute(xml, "timestamp", stamp);
}

static void property(struct report_junit_report *report, const char *name, const char *value)
{
    wcts_report_xml_start(&report->xml, "property");
    wcts_report_xml_attribute(&report->xml, "name", name);
    wcts_report_xml_attribute(&report->xml, "value", value ? value : "");
    wcts_report_xml_end(&report->xml);
}

static void put_number_property(struct report_junit_report *report, const char *name, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%d", value);
    property(report, name, text);
}

static void put_counts_of_statements(struct report_junit_report *report)
{
    /* These counts are only known for a whole plan. */
    if (report->junit.run->narrowed)
        return;
    const struct wcts_report_counts counts = wcts_report_run_counts(report->junit.run);
    put_number_property(report, "statements.testable", counts.testable);
    put_number_property(report, "statements.proven", counts.proven);
    put_number_property(report, "statements.in-scope", counts.in_scope);
    put_number_property(report, "statements.tested", counts.tested);
    put_number_property(report, "statements.in-part", counts.in_part);
}

static void put_properties(struct report_junit_report *report)
{
    const struct wcts_report_run *run = report->junit.run;
    const struct wcts_spec *spec = run->plan->spec;
    const char *first = run->asked.first_version, *last = run->asked.last_version;
    char text[64];

    if (!first && spec->versions_count > 0) {
        first = spec->versions[0].name;
        last = spec->versions[spec->versions_count - 1].name;
    }
    wcts_report_xml_start(&report->xml, "properties");
    property(report, "tool.version", WCTS_VERSION);
    property(report, "spec.digest", spec->digest);
    snprintf(text, sizeof text, "%llu", (unsigned long long)run->asked.seed);
    property(report, "seed", text);
    wcts_report_run_versions(run, &first, &last);
    property(report, "wddm.first", first);
    property(report, "wddm.last", last);
    property(report, "implementation.name", run->claims.name);
    property(report, "implementation.version", run->claims.version);
    property(report, "conclusion", run->conclusion);
    property(report, "headline", run->headline);
    if (run->unrepeated.count != 0) {
        char unrepeated[sizeof run->unrepeated.first + 32];
        snprintf(unrepeated, sizeof unrepeated, "%d: %s", run->unrepeated.count,
                 run->unrepeated.first);
        property(report, "cases.unrepeated", unrepeated);
    }
    if (run->left.count != 0) {
        char left[sizeof run->left.names + 32];
        snprintf(left, sizeof left, "%d: %s", run->left.count, run->left.names);
        property(report, "processes.left", left);
    }
    put_counts_of_statements(report);
    property(report, "level", wcts_model_level_name(run->asked.level));
    wcts_report_xml_end(&report->xml);
}

static void put_segment(struct report_junit_report *report,
                        const struct report_suite_segment *segment)
{
    static const char *const names[] = {
        [-RUN] = "run", [-BASELINE] = "baseline", [-DECLARATION] = "declaration"};
    static void (*const puts[])(struct report_junit_report * report) = {
        [-RUN] = put_run_error, [-BASELINE] = put_baseline, [-DECLARATION] = put_declaration};
    const struct wcts_spec *spec = report->junit.run->plan->spec;
    struct wcts_report_junit_counts counts = {0};

    wcts_report_xml_start(&report->xml, "testsuite");
    put_suite_attributes(report,
                         segment->document >= 0 ? spec->documents[segment->document].title
                                                : names[-segment->document],
                         &segment->counts);
    put_properties(report);
    if (segment->document < 0)
        puts[-segment->document](report);
    for (int i = segment->first; i < segment->last; i++) {
        const struct wcts_report_junit_unit unit = wcts_report_junit_unit_at(&report->junit, i);
        wcts_report_junit_put_unit(&report->junit, &report->xml, &unit, &counts);
    }
    wcts_report_xml_end(&report->xml);
}

static void put_report_part(struct report_junit_report *report, int part)
{
    struct wcts_report_junit_counts total = {0};
    for (int i = 0; i < report->segment_count; i++) {
        const struct report_suite_segment *segment = &report->segments[i];
        if (segment->part != part)
            continue;
        total.tests += segment->counts.tests;
        total.failures += segment->counts.failures;
        total.errors += segment->counts.errors;
        total.skipped += segment->counts.skipped;
        total.seconds += segment->counts.seconds;
    }
    xmlTextWriterStartDocument(report->xml.writer, "1.0", "UTF-8", NULL);
    wcts_report_xml_start(&report->xml, "testsuites");
    put_suite_attributes(report, "wddm-cts", &total);
    for (int i = 0; i < report->segment_count; i++)
        if (report->segments[i].part == part)
            put_segment(report, &report->segments[i]);
    wcts_report_xml_end(&report->xml);
    xmlTextWriterEndDocument(report->xml.writer);
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

/* Writes a part to an open file. */
static bool write_to(struct report_junit_report *report, const struct wcts_report_output *output,
                     int part)
{
    report->file = output->file;
    bool written = open_writer(report);
    if (written) {
        put_report_part(report, part);
        close_writer(report);
    }
    report->file = NULL;
    if (written && !report->xml.failed)
        return true;
    fprintf(stderr, "wddm-cts: %s: %s\n", output->path, strerror(errno));
    return false;
}

/* Writes one of the parts after the first to its own file. */
static bool write_junit_part(struct report_junit_report *report, const char *path, int part)
{
    struct wcts_report_output output;
    char *name = part_path(path, part);
    bool written = name && wcts_report_output_open(&output, name, WCTS_OUTPUT_REMOVE) &&
                   write_to(report, &output, part) && wcts_report_output_commit(&output);
    if (name)
        wcts_report_output_release(&output);
    free(name);
    return written;
}

/* True for a report of this tool; no other file is removed. */
static bool is_own_report(const char *path)
{
    char head[512] = "";
    const char *unused;
    FILE *file = wcts_regular_file(path, O_NOFOLLOW, &unused);
    if (!file)
        return false;
    head[fread(head, 1, sizeof head - 1, file)] = '\0';
    fclose(file);
    return strstr(head, "<testsuites name=\"wddm-cts") != NULL;
}

/* Removes further parts of an earlier report, which would be read with this one. */
static void remove_old_parts(const char *path)
{
    bool removed = true;
    for (int part = 1; removed; part++) {
        char *name = part_path(path, part);
        removed = name && is_own_report(name) && unlink(name) == 0;
        free(name);
    }
}

bool wcts_report_junit_open(struct wcts_report_output *output, const char *path)
{
    if (!wcts_report_output_open(output, path, WCTS_OUTPUT_REMOVE))
        return false;
    if (output->target)
        remove_old_parts(path);
    return true;
}

bool wcts_report_junit_write(const struct wcts_report_run *run,
                             const struct wcts_report_output *output)
{
    struct report_junit_report report = {.junit = {.run = run, .each_case = run->asked.junit_cases},
                                         .whole = !output->target};
    struct wcts_report_junit *junit = &report.junit;

    if (!output->path)
        return true;
    junit->has_journal = wcts_store_journal_open(&junit->journal, run->directory, run->plan->spec);
    if (!junit->has_journal && run->total.count != 0) {
        fprintf(stderr, "wddm-cts: %s: the journal cannot be read\n", run->directory);
        return false;
    }
    bool written = wcts_report_junit_units_make(junit);
    int parts = written ? measure_report(&report) : 0;
    written = written && write_to(&report, output, 0);
    for (int part = 1; part < parts && written; part++)
        written = write_junit_part(&report, output->path, part);
    wcts_report_junit_units_release(junit);
    wcts_store_journal_close(&junit->journal);
    free(report.segments);
    return written;
}
