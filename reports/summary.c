/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../runner/base/address.h"
#include "../runner/base/path.h"
#include "../runner/judge/judge.h"
#include "../runner/oracle/walk.h"
#include "counts.h"
#include "declaration.h"
#include "paint.h"
#include "profile_json.h"
#include "replay.h"
#include "upgrade.h"

#define FAILURES_MAX 10
/* Statements of a kind that is not shown. */
#define STATEMENTS_SHOWN 12
#define REASONS_SHOWN 5

/* ---- parts ---- */

static const char *sides_name(uint32_t sides)
{
    switch (sides) {
    case WCTS_SIDE_KERNEL:
        return "kernel";
    case WCTS_SIDE_DRIVER:
        return "driver";
    case WCTS_SIDE_KERNEL | WCTS_SIDE_DRIVER:
        return "kernel and driver";
    default:
        return "no side";
    }
}

/* Without a selected case nothing is loaded, and the name is unknown. */
static void print_implementation_line(const struct wcts_report_paint *to,
                                      const struct wcts_report_run *run)
{
    const struct wcts_implementation *implementation = &run->asked.implementation;
    char buffers[2][WCTS_PATH_ROOM];
    const char *path = wcts_address_shown(implementation->path, buffers[0], sizeof buffers[0]);
    const char *options = wcts_path_options(implementation->options, buffers[1], sizeof buffers[1]);
    const char *comma = options[0] ? "," : "";
    const char *level = wcts_model_level_name(run->asked.level);
    if (run->claims.name[0] == '\0') {
        fprintf(to->out, "%s%s%s, not loaded, level %s\n", path, comma, options, level);
        return;
    }
    wcts_report_paint(to, WCTS_BOLD);
    fprintf(to->out, "%s %s", run->claims.name, run->claims.version);
    wcts_report_paint(to, WCTS_PLAIN);
    fprintf(to->out, " (%s%s%s), %s, level %s\n", path, comma, options,
            sides_name(run->claims.sides), level);
}

/* Statements that are named of those that were not tested, or in part. */
#define LISTED_MAX 12

typedef bool is_listed(const struct wcts_report_run *run, int statement);

static bool is_untested(const struct wcts_report_run *run, int statement)
{
    return run->scope.statements[statement].claimed && !run->scope.statements[statement].tested;
}

/* The statements of a feature, -1: of none, that are to be listed. *shown counts those that are
 * named, of all features. */
static void print_listed_of(FILE *out, const struct wcts_report_run *run, is_listed *listed,
                            int feature, int *shown)
{
    const struct wcts_spec *spec = run->plan->spec;
    const char *title = feature >= 0 ? spec->features[feature].title : "";
    for (int i = 0; i < spec->statements_count && *shown < LISTED_MAX; i++) {
        const struct wcts_statement *statement = &spec->statements[i];
        if (statement->feature != feature || !listed(run, i))
            continue;
        if (title[0])
            fprintf(out, "%s %s", *shown ? ";" : "", title);
        title = "";
        fprintf(out, " %s", statement->id);
        ++*shown;
    }
}

/* "  not tested       3 of 270 statements in scope: memory ... and 1 more (see --html)"
 */
static void print_listed(const struct wcts_report_paint *to, const struct wcts_report_run *run,
                         is_listed *listed, const char *name, int count, int in_scope)
{
    int features = run->plan->spec->features_count, shown = 0;
    if (run->narrowed || count == 0)
        return;
    fprintf(to->out, "  %-10s  %6d of %d statements in scope:", name, count, in_scope);
    for (int i = 0; i <= features; i++)
        print_listed_of(to->out, run, listed, i < features ? i : -1, &shown);
    if (shown < count)
        fprintf(to->out, " and %d more (see --html)", count - shown);
    fputs("\n", to->out);
}

static void print_counts(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_report_counts counts = wcts_report_run_counts(run);
    fprintf(to->out, "  documents   %6d\n", spec->documents_count);
    fprintf(to->out, "  statements  %6d proven", counts.proven);
    if (counts.in_part != 0)
        fprintf(to->out, " and %d in part", counts.in_part);
    fprintf(to->out, " of %d testable (%d pending), %d in all\n", counts.testable, counts.pending,
            spec->statements_count);
    if (counts.tested != 0)
        print_listed(to, run, is_untested, "not tested", counts.in_scope - counts.tested,
                     counts.in_scope);
    print_listed(to, run, wcts_report_is_in_part, "in part", counts.in_part, counts.in_scope);
    fprintf(to->out, "  rules       %6d proven of %d\n", counts.proven_rules, counts.rules);
}

static void print_verdicts(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const char *separator = "  ";
    fprintf(to->out, "  cases       %6d", run->total.count);
    if (run->total.count != run->selected_count)
        fprintf(to->out, " of %d", run->selected_count);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        if (run->total.verdicts[i] == 0)
            continue;
        fputs(separator, to->out);
        wcts_report_paint(to, wcts_report_verdict_colour((enum wcts_verdict)i));
        fprintf(to->out, "%d %s", run->total.verdicts[i],
                wcts_model_verdict_name((enum wcts_verdict)i));
        wcts_report_paint(to, WCTS_PLAIN);
        separator = ", ";
    }
    fprintf(to->out, "\n  time        %6.2f s\n", run->seconds);
}

static void print_sequences(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const struct wcts_walk_numbers *walk = &run->walk;
    int seen, all;
    if (walk->steps == 0)
        return;
    wcts_oracle_walk_coverage(run->plan->spec, walk, &seen, &all);
    fprintf(to->out,
            "  sequences   %6" PRIu64 " steps, %" PRIu64 " operations; the documents leave %" PRIu64
            " steps open; %d of %d transitions of pages seen\n",
            walk->steps, walk->operations, walk->open, seen, all);
}

static void print_skip_reasons(const struct wcts_report_paint *to,
                               const struct wcts_report_run *run)
{
    int others = run->other_reasons;
    if (run->total.verdicts[WCTS_VERDICT_SKIP] == 0)
        return;
    fputs("  skipped\n", to->out);
    for (int i = 0; i < WCTS_REASONS_MAX && run->reasons[i].text; i++) {
        if (i < REASONS_SHOWN)
            fprintf(to->out, "      %6d  %s\n", run->reasons[i].count, run->reasons[i].text);
        else
            others += run->reasons[i].count;
    }
    if (others != 0)
        fprintf(to->out, "      %6d  for other reasons\n", others);
}

/* Their ids, and how many there are more. */
static void print_unshown_statements(const struct wcts_report_paint *to,
                                     const struct wcts_report_run *run,
                                     const struct wcts_report_unshown_kind *kind)
{
    const struct wcts_spec *spec = run->plan->spec;
    int count = 0;
    fputs("             ", to->out);
    for (int i = 0; i < spec->statements_count; i++)
        if (kind->statements[i] && count++ < STATEMENTS_SHOWN)
            fprintf(to->out, " %s", spec->statements[i].id);
    if (count > STATEMENTS_SHOWN)
        fprintf(to->out, " and %d more", count - STATEMENTS_SHOWN);
    fputs("\n", to->out);
}

/* Kinds of the driver's allocations that cases do not show, why, and of which statements. */
static void print_unshown_kinds(const struct wcts_report_paint *to,
                                const struct wcts_report_run *run)
{
    if (run->scope.kind_count != 0)
        fputs("  kinds not shown\n", to->out);
    for (int i = 0; i < run->scope.kind_count; i++) {
        const struct wcts_report_unshown_kind *kind = &run->scope.kinds[i];
        fprintf(to->out, "      %6d  \"%s\": %s\n", kind->cases, kind->name, kind->why);
        print_unshown_statements(to, run, kind);
    }
}

/* What makes skipped cases runnable, most statements first. */
static void print_next(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    if (run->next.unlock_count == 0)
        return;
    fputs("  to implement next, and what it makes runnable at least\n", to->out);
    for (int i = 0; i < run->next.unlock_count; i++) {
        const struct wcts_report_unlock *unlock = &run->next.unlocks[i];
        fprintf(to->out, "              %s: +%d case%s, %d statement%s\n", unlock->what,
                unlock->cases, unlock->cases == 1 ? "" : "s", unlock->statements,
                unlock->statements == 1 ? "" : "s");
        /* Whoever has the operation wonders why it is missing. */
        const char *last = strrchr(unlock->what, '_');
        if (last && strcmp(last, "_RENDER") == 0)
            fputs("                a driver that takes no commands but its own: .commands of its "
                  "plug-in makes them (docs/drivers.md)\n",
                  to->out);
    }
}

/* "should, stated; fails at --level strict". */
static void print_warning_weight(FILE *out, const struct wcts_report_run *run, int rule)
{
    const struct wcts_rule *one = &run->plan->spec->rules[rule];
    struct wcts_strictness strictness = {.level = WCTS_LEVEL_BINDING};
    char weight[WCTS_WEIGHT_SIZE];
    while (strictness.level < WCTS_LEVEL_STRICT &&
           !wcts_judge_breach_fails(run->plan, rule, &strictness))
        strictness.level++;
    fprintf(out, " (%s; fails at --level %s)",
            wcts_report_weight(weight, one, &run->plan->spec->statements[one->statement]),
            wcts_model_level_name(strictness.level));
}

/* Shorter than a failure, since a warning decides nothing. */
static void print_warning(const struct wcts_report_paint *to, const struct wcts_report_run *run,
                          int index)
{
    static const char indent[] = "              ";
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *statement = &spec->statements[index];
    const struct wcts_report_warning *warning = &run->warnings[index];
    fprintf(to->out, "      %6d  %s", run->statements[index].verdicts[WCTS_VERDICT_WARN],
            statement->id);
    if (warning->reason)
        print_warning_weight(to->out, run, warning->rule);
    fprintf(to->out, ": %s\n", statement->text ? statement->text : "");
    fprintf(to->out, "%ssource:    %s, %s\n", indent, spec->documents[statement->document].title,
            statement->where);
    if (!warning->reason)
        return;
    fprintf(to->out, "%scase:      %s\n", indent, WCTS_PLAN_CASE(run->plan, warning->smallest)->id);
    fprintf(to->out, "%sgot:       %s\n", indent, warning->reason);
    fprintf(to->out, "%sreproduce: ", indent);
    wcts_report_replay_print(to->out, run, WCTS_PLAN_CASE(run->plan, warning->smallest));
    fputs("\n", to->out);
}

/* Breaches that do not bind at this level. */
static void print_warnings(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    if (run->total.verdicts[WCTS_VERDICT_WARN] == 0)
        return;
    fputs("  warnings\n", to->out);
    for (int i = 0; i < spec->statements_count; i++)
        if (run->statements[i].verdicts[WCTS_VERDICT_WARN] != 0)
            print_warning(to, run, i);
}

/* The entries of the profile, and what became of them. */
static void print_profile(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    if (!profile && strcmp(run->claims.profile, "none") == 0)
        fputs("  profile     none: the implementation names the documents alone\n", to->out);
    if (!profile)
        return;
    fprintf(to->out, "  profile     %s\n", profile->name);
    for (int i = 0; i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        fprintf(to->out, "              %s, %s%s%s: %s\n", entry->id,
                wcts_model_profile_kind_name(entry->kind), entry->statement >= 0 ? " of " : "",
                entry->statement >= 0 ? run->plan->spec->statements[entry->statement].id : "",
                wcts_report_profile_state(run, i));
    }
}

/* What a declaration has and the implementation has not. */
static void print_lacking(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    if (run->lacking_count != 0)
        fprintf(to->out, "  declared    %6d not there\n", run->lacking_count);
    for (int i = 0; i < run->lacking_count; i++) {
        char *line = wcts_report_declaration_line(run, i);
        fprintf(to->out, "              %s\n", line ? line : "");
        free(line);
    }
}

/* Processes that outlived the run, and cases whose hang or SIGKILL did not repeat. */
static void print_disturbances(const struct wcts_report_paint *to,
                               const struct wcts_report_run *run)
{
    const struct wcts_run_unrepeated *unrepeated = &run->unrepeated;
    if (run->left.count != 0)
        fprintf(to->out, "  left behind %6d process%s, ended with the run: %s\n", run->left.count,
                run->left.count == 1 ? "" : "es", run->left.names);
    if (unrepeated->count != 0)
        fprintf(
            to->out,
            "  unrepeated %7d case%s hung or died by SIGKILL, and not when run again alone: %s%s\n",
            unrepeated->count, unrepeated->count == 1 ? "" : "s",
            unrepeated->count == 1 ? "" : "first ", unrepeated->first);
}

static void print_shuffle(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    if (run->asked.shuffle)
        fprintf(to->out, "  order         --shuffle=%" PRIu64 "\n", run->asked.shuffle_seed);
}

static void print_flaky(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    int count = run->total.verdicts[WCTS_VERDICT_FLAKY];
    if (count == 0)
        return;
    fputs("  flaky\n", to->out);
    for (int i = 0; i < WCTS_FLAKY_MAX && run->flaky[i].text; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(run->plan, run->flaky[i].index);
        const struct wcts_report_order *order = wcts_report_order_of(run, test->id);
        fprintf(to->out, "              %s\n", run->flaky[i].text);
        if (!order)
            continue;
        fprintf(to->out, "                order:     %s\n                reproduce: ", order->text);
        wcts_report_replay_print(to->out, run, test);
        fputs("\n", to->out);
    }
    if (count > WCTS_FLAKY_MAX)
        fprintf(to->out, "              and %d more (see --html)\n", count - WCTS_FLAKY_MAX);
}

/* ---- the baseline ---- */

static bool same_text_or_none(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* True if a reader cannot distinguish the two waivers. */
static bool same_waiver(const struct wcts_baseline_waiver *a, const struct wcts_baseline_waiver *b)
{
    return same_text_or_none(a->expires, b->expires) && same_text_or_none(a->reason, b->reason) &&
           same_text_or_none(a->link, b->link);
}

/* Prints how many cases are waived with the texts of the first waiver. */
static void print_waived(const struct wcts_report_paint *to, const struct wcts_baseline *baseline,
                         int first)
{
    const struct wcts_baseline_waiver *waiver = &baseline->waivers[first];
    int waived = 0;
    for (int i = first; i < baseline->count; i++)
        if (same_waiver(waiver, &baseline->waivers[i]))
            waived += baseline->waivers[i].waived;
    fprintf(to->out, "      %6d  until %s: %s%s%s%s\n", waived, waiver->expires, waiver->reason,
            waiver->link ? " (" : "", waiver->link ? waiver->link : "", waiver->link ? ")" : "");
}

/* True if an earlier used waiver has the same texts. */
static bool is_listed_before(const struct wcts_baseline *baseline, int index)
{
    for (int i = 0; i < index; i++)
        if (baseline->waivers[i].waived != 0 &&
            same_waiver(&baseline->waivers[i], &baseline->waivers[index]))
            return true;
    return false;
}

/* Waivers that need attention are reported on standard error. */
static void print_baseline(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    const struct wcts_baseline *baseline = run->baseline;
    char path[WCTS_PATH_ROOM];
    int shown = 0;
    if (!baseline)
        return;
    fprintf(to->out, "  baseline    %6d waiver%s in %s", baseline->count,
            baseline->count == 1 ? "" : "s", wcts_path_shown(baseline->path, path, sizeof path));
    for (int i = 0; i < WCTS_WAIVER_STATE_COUNT; i++)
        if (baseline->states[i] != 0)
            fprintf(to->out, ", %d %s", baseline->states[i],
                    wcts_baseline_waiver_state_name((enum wcts_baseline_waiver_state)i));
    fputs("\n", to->out);
    for (int i = 0; i < baseline->count && shown <= REASONS_SHOWN; i++) {
        if (baseline->waivers[i].waived == 0 || is_listed_before(baseline, i))
            continue;
        if (shown++ < REASONS_SHOWN)
            print_waived(to, baseline, i);
        else
            fputs("              and for other reasons\n", to->out);
    }
}

static void print_named_file(const struct wcts_report_paint *to, const char *name, const char *file)
{
    char path[WCTS_PATH_ROOM];
    if (file)
        fprintf(to->out, "  %-11s %s\n", name, wcts_path_shown(file, path, sizeof path));
}

static void print_files(const struct wcts_report_paint *to, const struct wcts_report_run *run)
{
    print_named_file(to, "run", run->read_from ? run->read_from : run->directory);
#define PRINT_FILE(name, commands, help, shown)                                                    \
    if (shown)                                                                                     \
        print_named_file(to, #name, run->asked.files[WCTS_FORMAT_##name]);
    WCTS_FORMATS(PRINT_FILE)
#undef PRINT_FILE
}

void wcts_report_summary_print(FILE *out, const struct wcts_report_run *run)
{
    const struct wcts_report_paint to = wcts_report_paint_on(out, run->asked.colours);
    if (run->end != WCTS_POOL_NO_START && !run->asked.quiet) {
        print_implementation_line(&to, run);
        wcts_report_lines_print(to.out, "  ", "  ", strdup(run->claims.remarks));
        wcts_report_causes_print(&to, run, FAILURES_MAX);
        print_counts(&to, run);
        print_verdicts(&to, run);
        print_sequences(&to, run);
        print_skip_reasons(&to, run);
        print_unshown_kinds(&to, run);
        print_next(&to, run);
        print_warnings(&to, run);
        print_profile(&to, run);
        print_lacking(&to, run);
        wcts_report_upgrade_print(to.out, run);
        print_disturbances(&to, run);
        print_shuffle(&to, run);
        print_flaky(&to, run);
        print_baseline(&to, run);
        print_files(&to, run);
    }
    wcts_report_paint(&to, run->exit_code == WCTS_EXIT_OK     ? WCTS_GREEN
                           : run->exit_code == WCTS_EXIT_FAIL ? WCTS_RED
                                                              : WCTS_YELLOW);
    fputs(run->headline ? run->headline : "", out);
    wcts_report_paint(&to, WCTS_PLAIN);
    fputs("\n", out);
}

/* How many characters fit into a line of the terminal; as many as in an old one if it does not say.
 */
static int columns_of(FILE *out)
{
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void wcts_report_progress_print(FILE *out, const struct wcts_store_tally *total, int of,
                                const char *current)
{
    WCTS_TEXT(line);
    wcts_text_add(&line, "%d/%d", total->count, of);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (i != WCTS_VERDICT_PASS && total->verdicts[i] != 0)
            wcts_text_add(&line, "  %d %s", total->verdicts[i],
                          wcts_model_verdict_name((enum wcts_verdict)i));
    if (current[0] != '\0')
        wcts_text_add(&line, "  %s", current);
    /* A line that is continued in the next one is not overwritten. */
    fprintf(out, "\r\033[K%.*s", columns_of(out) - 1, wcts_text_get(&line));
    fflush(out);
}
