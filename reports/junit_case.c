/* SPDX-License-Identifier: MIT */
/* One testcase: the verdict of its cases together, and its text. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/path.h"
#include "junit_parts.h"

/* Bytes of the text of one failure, and of the plug-in's output. */
#define TEXT_MAX 16384
#define OUTPUT_MAX 65536
/* Causes, remarks and attempts listed in a testcase. */
#define LISTED_MAX 5

/* ---- children ---- */

static const enum wcts_report_junit_child children[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = WCTS_JUNIT_NONE,      [WCTS_VERDICT_WARN] = WCTS_JUNIT_NONE,
    [WCTS_VERDICT_SKIP] = WCTS_JUNIT_SKIPPED,   [WCTS_VERDICT_FAIL] = WCTS_JUNIT_FAILURE,
    [WCTS_VERDICT_CRASH] = WCTS_JUNIT_ERROR,    [WCTS_VERDICT_TIMEOUT] = WCTS_JUNIT_ERROR,
    [WCTS_VERDICT_BROKEN] = WCTS_JUNIT_ERROR,   [WCTS_VERDICT_WAIVED] = WCTS_JUNIT_SKIPPED,
    [WCTS_VERDICT_FIXED] = WCTS_JUNIT_NONE,     [WCTS_VERDICT_FLAKY] = WCTS_JUNIT_NONE,
    [WCTS_VERDICT_DECLINED] = WCTS_JUNIT_ERROR, [WCTS_VERDICT_DEVIATES] = WCTS_JUNIT_NONE,
};

/* A fixed waiver is a failure only if requested. */
static enum wcts_report_junit_child child_of(const struct wcts_report_run *run,
                                             enum wcts_verdict verdict)
{
    if (verdict == WCTS_VERDICT_FIXED && run->asked.strict_baseline)
        return WCTS_JUNIT_FAILURE;
    return children[verdict];
}

static void count_testcase(struct wcts_report_junit_counts *counts,
                           enum wcts_report_junit_child child, double seconds)
{
    counts->tests++;
    counts->failures += child == WCTS_JUNIT_FAILURE;
    counts->errors += child == WCTS_JUNIT_ERROR;
    counts->skipped += child == WCTS_JUNIT_SKIPPED;
    counts->seconds += seconds;
}

void wcts_report_junit_put_child(struct wcts_report_xml *xml, enum wcts_report_junit_child child,
                                 const char *type, const char *message, const char *text)
{
    static const char *const names[] = {[WCTS_JUNIT_FAILURE] = "failure",
                                        [WCTS_JUNIT_ERROR] = "error",
                                        [WCTS_JUNIT_SKIPPED] = "skipped"};
    wcts_report_xml_start(xml, names[child]);
    if (child != WCTS_JUNIT_SKIPPED)
        wcts_report_xml_attribute(xml, "type", type);
    wcts_report_xml_attribute(xml, "message", message);
    wcts_report_xml_text(xml, text, strlen(text));
    wcts_report_xml_end(xml);
}

/* ---- what the cases add up to ---- */

/* A cause of failures among the cases of a testcase. */
struct report_part {
    int cause; /* index in the run's causes */
    int count;
    int smallest; /* position */
};

struct report_sum {
    int verdicts[WCTS_VERDICT_COUNT];
    int unreached, untried;
    double seconds;
    struct report_part parts[LISTED_MAX];
    int part_count, more_parts;
    enum wcts_report_junit_child child;
    int about; /* the position that child reports, -1: none */
};

static void add_junit_part(const struct wcts_report_junit *junit, struct report_sum *sum, int cause,
                           int position)
{
    int i = 0;
    while (i < sum->part_count && sum->parts[i].cause != cause)
        i++;
    if (i == LISTED_MAX) {
        sum->more_parts++;
        return;
    }
    if (i == sum->part_count)
        sum->parts[sum->part_count++] = (struct report_part){.cause = cause, .smallest = position};
    sum->parts[i].count++;
    if (wcts_report_case_size(
            wcts_report_junit_case(junit, position, &(struct wcts_case){.index = 0})) <
        wcts_report_case_size(
            wcts_report_junit_case(junit, sum->parts[i].smallest, &(struct wcts_case){.index = 0})))
        sum->parts[i].smallest = position;
}

/* True if this testcase reports the cause: a death is reported only with its smallest case. */
static bool is_own(const struct wcts_report_junit *junit, const struct report_part *part)
{
    const struct wcts_report_run *run = junit->run;
    const struct wcts_report_cause *cause = &run->causes.list[part->cause];
    return !cause->death || junit->each_case || run->selected[part->smallest] == cause->smallest;
}

/* The verdict of a testcase whose cases differ: the first one that a case has. */
static const enum wcts_verdict precedence[] = {
    WCTS_VERDICT_FAIL,     WCTS_VERDICT_CRASH, WCTS_VERDICT_TIMEOUT, WCTS_VERDICT_DECLINED,
    WCTS_VERDICT_BROKEN,   WCTS_VERDICT_FIXED, WCTS_VERDICT_WAIVED,  WCTS_VERDICT_FLAKY,
    WCTS_VERDICT_DEVIATES, WCTS_VERDICT_WARN,  WCTS_VERDICT_PASS,    WCTS_VERDICT_SKIP,
};

static int first_with(struct wcts_report_junit *junit, const struct wcts_report_junit_unit *unit,
                      enum wcts_verdict verdict)
{
    for (int i = 0; i < unit->count; i++) {
        int position = junit->positions[unit->first + i];
        if (wcts_report_junit_entry_at(junit, position)->reached &&
            wcts_report_junit_entry_at(junit, position)->verdict == verdict)
            return position;
    }
    return -1;
}

static void choose_child(struct wcts_report_junit *junit, const struct wcts_report_junit_unit *unit,
                         struct report_sum *sum)
{
    sum->about = -1;
    for (int i = 0; i < sum->part_count; i++)
        if (is_own(junit, &sum->parts[i])) {
            struct report_part own = sum->parts[i];
            sum->parts[i] = sum->parts[0];
            sum->parts[0] = own;
            sum->about = own.smallest;
            sum->child =
                child_of(junit->run, wcts_report_junit_entry_at(junit, own.smallest)->verdict);
            return;
        }
    sum->child = WCTS_JUNIT_SKIPPED;
    if (sum->part_count != 0 || sum->unreached != 0)
        return;
    for (int i = 0; sum->untried != 0 && i < unit->count && sum->about < 0; i++)
        if (wcts_report_junit_entry_at(junit, junit->positions[unit->first + i])->untried)
            sum->about = junit->positions[unit->first + i];
    if (sum->about >= 0)
        return;
    for (size_t i = 0; i < sizeof precedence / sizeof precedence[0]; i++)
        if (sum->verdicts[precedence[i]] != 0) {
            sum->child = child_of(junit->run, precedence[i]);
            sum->about = first_with(junit, unit, precedence[i]);
            return;
        }
}

static void add_up(struct wcts_report_junit *junit, const struct wcts_report_junit_unit *unit,
                   struct report_sum *sum)
{
    *sum = (struct report_sum){0};
    for (int i = 0; i < unit->count; i++) {
        int position = junit->positions[unit->first + i];
        const struct wcts_report_junit_entry *entry = wcts_report_junit_entry_at(junit, position);
        int cause = junit->run->causes.of[junit->run->selected[position]];
        if (!entry->reached) {
            sum->unreached++;
            continue;
        }
        sum->verdicts[entry->verdict]++;
        sum->untried += entry->untried;
        sum->seconds += entry->seconds;
        if (cause > 0)
            add_junit_part(junit, sum, cause - 1, position);
    }
    choose_child(junit, unit, sum);
}

/* ---- texts ---- */

static bool read_position(struct wcts_report_junit *junit, int position,
                          struct wcts_store_entry *entry)
{
    return wcts_store_journal_at(&junit->journal,
                                 wcts_report_junit_entry_at(junit, position)->offset, entry);
}

/* The reason of a skip, or of the waiver before it. The caller frees it. */
static char *skip_text(const struct wcts_result *result)
{
    const struct wcts_baseline_waiver *waiver = result->waiver;
    char *text = NULL;
    if (!waiver)
        return strdup(result->reason);
    if (asprintf(&text, "waived until %s: %s%s%s%s; %s: %s", waiver->expires, waiver->reason,
                 waiver->link[0] ? " (" : "", waiver->link, waiver->link[0] ? ")" : "",
                 wcts_model_verdict_name(result->was), result->reason) < 0)
        return NULL;
    return text;
}

/* For a death that another testcase reports. */
static char *elsewhere_text(const struct wcts_report_junit *junit,
                            const struct wcts_report_junit_unit *unit, const struct report_sum *sum)
{
    const struct wcts_report_run *run = junit->run;
    const struct wcts_report_cause *cause = &run->causes.list[sum->parts[0].cause];
    struct wcts_case made;
    const struct wcts_case *smallest = wcts_plan_case(run->plan, cause->smallest, &made);
    char *text = NULL;
    if (asprintf(&text, "%s: %s in %d of %d cases; reported at %s (%s)",
                 wcts_model_verdict_name(cause->verdict), cause->reason, sum->parts[0].count,
                 unit->count, run->plan->spec->rules[smallest->rule].id,
                 smallest->driver ? "driver" : "kernel") < 0)
        return NULL;
    return text;
}

/* The most frequent reason for the verdict. The caller frees it. */
static char *frequent_text(struct wcts_report_junit *junit,
                           const struct wcts_report_junit_unit *unit, enum wcts_verdict verdict)
{
    struct wcts_report_reason reasons[WCTS_REASONS_MAX] = {0};
    char *text = NULL;
    int best = 0;
    for (int i = 0; i < unit->count; i++) {
        int position = junit->positions[unit->first + i], j = 0;
        struct wcts_store_entry entry;
        if (wcts_report_junit_entry_at(junit, position)->verdict != verdict ||
            !read_position(junit, position, &entry))
            continue;
        char *reason = skip_text(&entry.result);
        wcts_store_entry_release(&entry);
        while (reason && j < WCTS_REASONS_MAX && reasons[j].text &&
               strcmp(reasons[j].text, reason) != 0)
            j++;
        if (reason && j < WCTS_REASONS_MAX && !reasons[j].text) {
            reasons[j].text = reason;
            reason = NULL;
        }
        if (j < WCTS_REASONS_MAX && ++reasons[j].count > reasons[best].count)
            best = j;
        free(reason);
    }
    if (reasons[best].text && unit->count == 1)
        text = strdup(reasons[best].text);
    else if (reasons[best].text && asprintf(&text, "%s (%d of %d cases)", reasons[best].text,
                                            reasons[best].count, unit->count) < 0)
        text = NULL;
    for (int i = 0; i < WCTS_REASONS_MAX; i++)
        free(reasons[i].text);
    return text;
}

/* Some cases were not tried or not judged, and the others are no evidence for them. */
static char *untried_text(struct wcts_report_junit *junit,
                          const struct wcts_report_junit_unit *unit, const struct report_sum *sum)
{
    struct wcts_store_entry entry;
    char *text = NULL;
    if (!read_position(junit, sum->about, &entry))
        return NULL;
    if (asprintf(&text, "%s (%d of %d cases)", entry.result.reason, sum->untried, unit->count) < 0)
        text = NULL;
    wcts_store_entry_release(&entry);
    return text;
}

/* Why the testcase is skipped. The caller frees it. */
static char *skipped_text(struct wcts_report_junit *junit,
                          const struct wcts_report_junit_unit *unit, const struct report_sum *sum)
{
    char *text = NULL;
    if (sum->part_count != 0)
        return elsewhere_text(junit, unit, sum);
    if (sum->unreached == unit->count && unit->count != 0)
        return strdup("not reached: the run was aborted");
    if (sum->unreached != 0)
        return asprintf(&text, "%d of %d cases were not reached: the run was aborted",
                        sum->unreached, unit->count) < 0
                   ? NULL
                   : text;
    if (sum->untried != 0)
        return untried_text(junit, unit, sum);
    if (sum->about < 0)
        return strdup("all of its random sequences broke other rules");
    return frequent_text(junit, unit, wcts_report_junit_entry_at(junit, sum->about)->verdict);
}

/* Prints one cause. */
static void print_part(FILE *out, struct wcts_report_junit *junit,
                       const struct wcts_report_junit_unit *unit, const struct report_part *part,
                       const struct wcts_store_entry *entry)
{
    const struct wcts_report_cause *cause = &junit->run->causes.list[part->cause];
    if (!junit->each_case) {
        fprintf(out, "%d of %d cases", part->count, unit->count);
        if (cause->count != part->count)
            fprintf(out, "; in all %d cases of %d statement%s", cause->count, cause->statements,
                    cause->statements == 1 ? "" : "s");
        fputc('\n', out);
    }
    char *call = wcts_model_detail_call(entry->result.detail);
    wcts_report_failure_print(out, "", junit->run,
                              &(struct wcts_report_failure){
                                  .rule = wcts_report_junit_entry_at(junit, part->smallest)->rule,
                                  .smallest = junit->run->selected[part->smallest],
                                  .reason = entry->result.reason,
                                  .backtrace = cause->backtrace,
                                  .death = cause->death,
                                  .call = call});
    free(call);
}

/* The title, each cause, and the messages of the case that the testcase is about. */
static char *failure_text(struct wcts_report_junit *junit,
                          const struct wcts_report_junit_unit *unit, const struct report_sum *sum,
                          const struct wcts_store_entry *about, const char *title)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s\n", title);
    for (int i = 0; i < sum->part_count; i++) {
        struct wcts_store_entry entry;
        if (!read_position(junit, sum->parts[i].smallest, &entry))
            continue;
        fputs(i > 0 ? "\n" : "", out);
        print_part(out, junit, unit, &sum->parts[i], &entry);
        wcts_store_entry_release(&entry);
    }
    if (sum->more_parts != 0)
        fprintf(out, "\nand %d cases for other reasons\n", sum->more_parts);
    if (about->result.detail[0] != '\0')
        fprintf(out, "\n%s", wcts_model_detail_messages(about->result.detail));
    fclose(out);
    if (size > TEXT_MAX)
        strcpy(text + TEXT_MAX - 4, "...");
    return text;
}

/* ---- output ---- */

/* Warnings, fixed waivers and flaky cases: no child element reports them. */
static void print_remarks(FILE *out, struct wcts_report_junit *junit,
                          const struct wcts_report_junit_unit *unit)
{
    int remarks = 0;
    for (int i = 0; i < unit->count; i++) {
        int position = junit->positions[unit->first + i];
        enum wcts_verdict verdict = wcts_report_junit_entry_at(junit, position)->verdict;
        struct wcts_store_entry entry;
        if (!wcts_report_junit_entry_at(junit, position)->reached ||
            (verdict != WCTS_VERDICT_WARN && verdict != WCTS_VERDICT_DEVIATES &&
             verdict != WCTS_VERDICT_FIXED && verdict != WCTS_VERDICT_FLAKY) ||
            remarks++ >= LISTED_MAX || !read_position(junit, position, &entry))
            continue;
        fprintf(out, "%s: ", wcts_model_verdict_name(verdict));
        if (!junit->each_case)
            fprintf(out, "%s: ", entry.id);
        fprintf(out, "%s\n", entry.result.reason);
        if (junit->each_case)
            fprintf(out, "%.*s", TEXT_MAX, entry.result.detail);
        wcts_store_entry_release(&entry);
    }
    if (remarks > LISTED_MAX)
        fprintf(out, "... and %d more\n", remarks - LISTED_MAX);
}

static void put_output(struct wcts_report_junit *junit, struct wcts_report_xml *xml,
                       const struct wcts_report_junit_unit *unit,
                       const struct wcts_store_entry *about)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        xml->failed = true;
        return;
    }
    print_remarks(out, junit, unit);
    if (about && about->result.verdict != WCTS_VERDICT_PASS)
        fprintf(out, "%.*s", OUTPUT_MAX, about->output);
    fclose(out);
    wcts_report_xml_element(xml, "system-out", text);
    free(text);
}

/* Earlier attempts, as in Surefire: flakyFailure in a testcase that passes, rerunFailure in one
 * that fails. The variants for errors are not used, since Jenkins drops them. */
static void put_tries(struct wcts_report_xml *xml, const char *name,
                      const struct wcts_result *result)
{
    for (int i = 0; i < result->try_count; i++) {
        const struct wcts_try *one = &result->tries[i];
        const char *text = one->detail[0] ? one->detail : one->reason;
        wcts_report_xml_start(xml, name);
        char message[1024];
        snprintf(message, sizeof message, "%d time%s: %s", one->times, one->times == 1 ? "" : "s",
                 one->reason);
        wcts_report_xml_attribute(xml, "message", one->times ? message : one->reason);
        wcts_report_xml_attribute(xml, "type", wcts_model_verdict_name(one->verdict));
        wcts_report_xml_start(xml, "stackTrace");
        wcts_report_xml_text(xml, text, strnlen(text, TEXT_MAX));
        wcts_report_xml_end(xml);
        wcts_report_xml_end(xml);
    }
}

/* ---- the testcase ---- */

static void start_case(struct wcts_report_junit *junit, struct wcts_report_xml *xml,
                       const struct wcts_report_junit_unit *unit, double seconds)
{
    const struct wcts_report_run *run = junit->run;
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_rule *rule = &spec->rules[unit->rule];
    const struct wcts_statement *statement = &spec->statements[rule->statement];
    char name[512], shard[64] = "";
    struct wcts_case made;

    /* Each shard has other cases of a rule, so names must differ when reports are combined. */
    if (run->asked.shards > 1)
        snprintf(shard, sizeof shard, ", shard %d of %d", run->asked.shard, run->asked.shards);
    snprintf(name, sizeof name, "%s (%s%s)", rule->id, unit->driver ? "driver" : "kernel", shard);
    wcts_report_xml_start(xml, "testcase");
    wcts_report_xml_attribute(
        xml, "name",
        junit->each_case ? wcts_report_junit_case(junit, junit->positions[unit->first], &made)->id
                         : name);
    snprintf(name, sizeof name, "%s.%s", spec->documents[statement->document].title, statement->id);
    wcts_report_xml_attribute(xml, "classname", name);
    wcts_report_xml_seconds(xml, "time", seconds);
    wcts_report_xml_attribute(xml, "file", wcts_path_place(rule->place.file));
    wcts_report_xml_number(xml, "line", rule->place.line);
}

static void put_failed(struct wcts_report_junit *junit, struct wcts_report_xml *xml,
                       const struct wcts_report_junit_unit *unit, const struct report_sum *sum,
                       const struct wcts_store_entry *about)
{
    const struct wcts_spec *spec = junit->run->plan->spec;
    const struct wcts_rule *rule =
        &spec->rules[wcts_report_junit_entry_at(junit, sum->about)->rule];
    char title[WCTS_TITLE_SIZE];
    wcts_report_failure_title(title, spec->statements[rule->statement].id, about->result.verdict,
                              about->result.reason);
    char *text = failure_text(junit, unit, sum, about, title);
    wcts_report_junit_put_child(xml, sum->child, wcts_model_verdict_name(about->result.verdict),
                                title, text ? text : title);
    free(text);
}

void wcts_report_junit_put_unit(struct wcts_report_junit *junit, struct wcts_report_xml *xml,
                                const struct wcts_report_junit_unit *unit,
                                struct wcts_report_junit_counts *counts)
{
    struct wcts_store_entry about = {0};
    struct report_sum sum;
    add_up(junit, unit, &sum);
    bool known = sum.about >= 0 && read_position(junit, sum.about, &about);
    if (sum.about >= 0 && !known)
        xml->failed = true;

    start_case(junit, xml, unit, sum.seconds);
    if (sum.child == WCTS_JUNIT_SKIPPED) {
        char *text = skipped_text(junit, unit, &sum);
        const char *shown = text && text[0] != '\0' ? text : "no reason is known";
        wcts_report_junit_put_child(xml, WCTS_JUNIT_SKIPPED, "", shown, shown);
        free(text);
    } else if (sum.child != WCTS_JUNIT_NONE && known) {
        put_failed(junit, xml, unit, &sum, &about);
    }
    if (known && sum.child == WCTS_JUNIT_FAILURE)
        put_tries(xml, "rerunFailure", &about.result);
    else if (known && sum.child == WCTS_JUNIT_NONE)
        put_tries(xml, "flakyFailure", &about.result);
    put_output(junit, xml, unit, known ? &about : NULL);
    wcts_report_xml_end(xml);
    if (known)
        wcts_store_entry_release(&about);
    count_testcase(counts, sum.child, sum.seconds);
}
