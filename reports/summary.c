/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/walk/walk.h"
#include "replay.h"

#define FAILURES_MAX 10
#define REASONS_SHOWN 5
#define TEXT_WIDTH 92

/* ---- colour ---- */

enum colour { PLAIN, BOLD, RED, GREEN, YELLOW, COLOUR_COUNT };

struct paint {
    FILE *out;
    bool coloured;
};

static void paint(const struct paint *to, enum colour colour)
{
    static const char *const codes[COLOUR_COUNT] = {[PLAIN] = "\033[0m",
                                                    [BOLD] = "\033[1m",
                                                    [RED] = "\033[31m",
                                                    [GREEN] = "\033[32m",
                                                    [YELLOW] = "\033[33m"};
    if (to->coloured)
        fputs(codes[colour], to->out);
}

static bool wants_colour(FILE *out)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(out)) && !(no && no[0] != '\0') && term && strcmp(term, "dumb") != 0;
}

static const enum colour verdict_colours[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_PASS] = GREEN,    [WCTS_VERDICT_WARN] = YELLOW,   [WCTS_VERDICT_SKIP] = YELLOW,
    [WCTS_VERDICT_FAIL] = RED,      [WCTS_VERDICT_CRASH] = RED,     [WCTS_VERDICT_TIMEOUT] = RED,
    [WCTS_VERDICT_BROKEN] = YELLOW, [WCTS_VERDICT_WAIVED] = YELLOW, [WCTS_VERDICT_FIXED] = YELLOW,
    [WCTS_VERDICT_FLAKY] = YELLOW,
};

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

/* Nobody asked the name of what was not loaded: no case is selected. */
static void print_head(const struct paint *to, const struct wcts_run *run)
{
    const struct wcts_implementation *implementation = &run->settings->implementation;
    const char *options = implementation->options, *comma = options[0] ? "," : "";
    const char *level = wcts_judging_name(run->settings->judging);
    if (run->claims.name[0] == '\0') {
        fprintf(to->out, "%s%s%s, not loaded, level %s\n", implementation->path, comma, options,
                level);
        return;
    }
    paint(to, BOLD);
    fprintf(to->out, "%s %s", run->claims.name, run->claims.version);
    paint(to, PLAIN);
    fprintf(to->out, " (%s%s%s), %s, level %s\n", implementation->path, comma, options,
            sides_name(run->claims.sides), level);
}

static void print_counts(const struct paint *to, const struct wcts_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    int testable = 0, pending = 0, proven = 0, rules = 0;

    for (int i = 0; i < spec->statements_count; i++) {
        testable += wcts_statement_testable(&spec->statements[i]);
        pending += spec->statements[i].pending;
        proven += wcts_tally_proven(&run->statements[i].tally);
    }
    for (int i = 0; i < spec->rules_count; i++)
        rules += wcts_tally_proven(&run->rules[i]);
    fprintf(to->out, "  documents   %6d\n", spec->documents_count);
    fprintf(to->out, "  statements  %6d proven of %d testable (%d pending), %d in all\n", proven,
            testable, pending, spec->statements_count);
    fprintf(to->out, "  rules       %6d proven of %d\n", rules, spec->rules_count);
}

static void print_cases(const struct paint *to, const struct wcts_run *run)
{
    const char *separator = "  ";
    fprintf(to->out, "  cases       %6d", run->total.count);
    if (run->total.count != run->selected_count)
        fprintf(to->out, " of %d", run->selected_count);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++) {
        if (run->total.verdicts[i] == 0)
            continue;
        fputs(separator, to->out);
        paint(to, verdict_colours[i]);
        fprintf(to->out, "%d %s", run->total.verdicts[i], wcts_verdict_name((enum wcts_verdict)i));
        paint(to, PLAIN);
        separator = ", ";
    }
    fprintf(to->out, "\n  time        %6.2f s\n", run->seconds);
}

static void print_sequences(const struct paint *to, const struct wcts_run *run)
{
    const struct wcts_walk_numbers *walk = &run->walk;
    int seen, all;
    if (walk->steps == 0)
        return;
    wcts_walk_coverage(run->plan->spec, walk, &seen, &all);
    fprintf(to->out,
            "  sequences   %6" PRIu64 " steps, %" PRIu64 " operations; the documents leave %" PRIu64
            " steps open; %d of %d transitions of pages seen\n",
            walk->steps, walk->operations, walk->open, seen, all);
}

static void print_reasons(const struct paint *to, const struct wcts_run *run)
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

static void print_flaky(const struct paint *to, const struct wcts_run *run)
{
    int count = run->total.verdicts[WCTS_VERDICT_FLAKY];
    if (count == 0)
        return;
    fputs("  flaky\n", to->out);
    for (int i = 0; i < WCTS_FLAKY_MAX && run->flaky[i].text; i++)
        fprintf(to->out, "              %s\n", run->flaky[i].text);
    if (count > WCTS_FLAKY_MAX)
        fprintf(to->out, "              and %d more\n", count - WCTS_FLAKY_MAX);
}

/* ---- the baseline ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two waivers tell a reader the same. */
static bool same_waiver(const struct wcts_waiver *a, const struct wcts_waiver *b)
{
    return same_text(a->expires, b->expires) && same_text(a->reason, b->reason) &&
           same_text(a->link, b->link);
}

/* Prints how many cases are waived for the reason of the waiver at first. */
static void print_waived(const struct paint *to, const struct wcts_baseline *baseline, int first)
{
    const struct wcts_waiver *waiver = &baseline->waivers[first];
    int waived = 0;
    for (int i = first; i < baseline->count; i++)
        if (same_waiver(waiver, &baseline->waivers[i]))
            waived += baseline->waivers[i].waived;
    fprintf(to->out, "      %6d  until %s: %s%s%s%s\n", waived, waiver->expires, waiver->reason,
            waiver->link ? " (" : "", waiver->link ? waiver->link : "", waiver->link ? ")" : "");
}

/* Whether the reason of this waiver is one that an earlier one has, which waives something. */
static bool is_told(const struct wcts_baseline *baseline, int index)
{
    for (int i = 0; i < index; i++)
        if (baseline->waivers[i].waived != 0 &&
            same_waiver(&baseline->waivers[i], &baseline->waivers[index]))
            return true;
    return false;
}

/* Those that somebody has to look at stand on standard error, with their lines. */
static void print_baseline(const struct paint *to, const struct wcts_run *run)
{
    const struct wcts_baseline *baseline = run->baseline;
    int shown = 0;
    if (!baseline)
        return;
    fprintf(to->out, "  baseline    %6d waiver%s in %s", baseline->count,
            baseline->count == 1 ? "" : "s", baseline->path);
    for (int i = 0; i < WCTS_WAIVER_STATE_COUNT; i++)
        if (baseline->states[i] != 0)
            fprintf(to->out, ", %d %s", baseline->states[i],
                    wcts_waiver_state_name((enum wcts_waiver_state)i));
    fputs("\n", to->out);
    for (int i = 0; i < baseline->count && shown <= REASONS_SHOWN; i++) {
        if (baseline->waivers[i].waived == 0 || is_told(baseline, i))
            continue;
        if (shown++ < REASONS_SHOWN)
            print_waived(to, baseline, i);
        else
            fputs("              and for other reasons\n", to->out);
    }
}

/* ---- failures ---- */

/* Text in lines of TEXT_WIDTH bytes, each after an indent. */
static void print_wrapped(FILE *out, const char *indent, const char *text)
{
    while (*text != '\0') {
        size_t length = strlen(text);
        if (length > TEXT_WIDTH) {
            length = TEXT_WIDTH;
            while (length > 0 && text[length] != ' ')
                length--;
            if (length == 0)
                length = strcspn(text, " ");
        }
        fprintf(out, "%s%.*s\n", indent, (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

static void print_failure(const struct paint *to, const struct wcts_run *run, int statement)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_statement *one = &spec->statements[statement];
    const struct wcts_statement_tally *tally = &run->statements[statement];
    const struct wcts_case *smallest = &run->plan->cases[tally->smallest];
    int failed = 0;

    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (wcts_verdict_breaks((enum wcts_verdict)i) || i == WCTS_VERDICT_BROKEN)
            failed += tally->tally.verdicts[i];
    fputs("\n", to->out);
    paint(to, verdict_colours[tally->verdict]);
    fprintf(to->out, "%s", wcts_verdict_name(tally->verdict));
    paint(to, BOLD);
    fprintf(to->out, " %s", one->id);
    paint(to, PLAIN);
    fprintf(to->out, "  %s, %s%s; %d of %d cases\n",
            wcts_level_name(spec->rules[smallest->rule].level), wcts_basis_name(one->basis),
            one->derived ? ", derived" : "", failed, tally->tally.count);
    print_wrapped(to->out, "    ", one->text ? one->text : "");
    fprintf(to->out, "    case:   %s\n    came:   %s\n", smallest->id,
            tally->reason ? tally->reason : "");
    fputs("    again:  ", to->out);
    wcts_replay_print(to->out, run->settings, smallest);
    fputs("\n", to->out);
    if (tally->shrunk)
        fprintf(to->out, "    shrunk:\n%s", tally->shrunk);
}

/* Whether nothing but sequences broke it. */
static bool is_walked_into(const struct wcts_run *run, int statement)
{
    return run->plan->cases[run->statements[statement].smallest].kind == WCTS_KIND_SEQUENCE;
}

/* Sequences come last: what they break may follow from what a case of its own broke. */
static void print_failures(const struct paint *to, const struct wcts_run *run)
{
    const int count = run->plan->spec->statements_count;
    int shown = 0, more = 0;
    for (int i = 0; i < 2 * count; i++) {
        int statement = i % count;
        if (run->statements[statement].smallest < 0 ||
            is_walked_into(run, statement) != (i >= count))
            continue;
        if (shown < FAILURES_MAX) {
            print_failure(to, run, statement);
            shown++;
        } else {
            more++;
        }
    }
    if (more != 0)
        fprintf(to->out, "\n... and %d statement%s more\n", more, more == 1 ? "" : "s");
    if (shown != 0)
        fputs("\n", to->out);
}

/* ---- the conclusion ---- */

/* Why the run fails: a case may pass that was not to, or only in the end. */
static const char *failure(const struct wcts_run *run)
{
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (wcts_verdict_breaks((enum wcts_verdict)i) && run->total.verdicts[i] != 0)
            return "does not conform";
    if (run->settings->fail_on_flaky && run->total.verdicts[WCTS_VERDICT_FLAKY] != 0)
        return "cases are flaky";
    return "waivers are fixed: the baseline is out of date";
}

static void print_missing(FILE *out, const struct wcts_run *run)
{
    const struct wcts_mustpass_count *must = &run->must;
    if (must->missing_count == 0) {
        fprintf(out, "incomplete: %d cases say nothing, since a valid call was refused: %s",
                run->refused.count, run->refused.text ? run->refused.text : "");
        return;
    }
    fprintf(out, "incomplete: %d of the %d cases of spec %s that a claim needs are missing",
            must->missing_count, must->of, run->plan->spec->version);
    for (int i = 0; i < must->missing_count && i < WCTS_MUSTPASS_SHOWN; i++)
        fprintf(out, "%s%s", i == 0 ? ": " : ", ", must->missing[i]);
    if (must->missing_count > WCTS_MUSTPASS_SHOWN)
        fputs(", ...", out);
}

static void print_conclusion(const struct paint *to, const struct wcts_run *run)
{
    enum colour colour = run->exit_code == WCTS_EXIT_OK     ? GREEN
                         : run->exit_code == WCTS_EXIT_FAIL ? RED
                                                            : YELLOW;
    paint(to, colour);
    if (run->end == WCTS_POOL_NO_START)
        fprintf(to->out, "not run: the implementation could not be loaded: %s", run->error);
    else if (run->end == WCTS_POOL_STOPPED)
        fprintf(to->out, "stopped after %d of %d cases%s%s", run->total.count, run->selected_count,
                run->error[0] ? ": " : "", run->error);
    else if (run->incomplete)
        print_missing(to->out, run);
    else if (run->exit_code == WCTS_EXIT_OK)
        fputs(run->total.verdicts[WCTS_VERDICT_WAIVED] != 0 ? "conforms, but for what is waived"
                                                            : "conforms",
              to->out);
    else if (run->exit_code == WCTS_EXIT_FAIL)
        fputs(failure(run), to->out);
    else if (run->total.verdicts[WCTS_VERDICT_BROKEN] == 0)
        fputs("no case reached a verdict", to->out);
    else
        fputs("the set-up failed in some cases", to->out);
    paint(to, PLAIN);
    fputs("\n", to->out);
}

static void print_files(const struct paint *to, const struct wcts_run *run)
{
    fprintf(to->out, "  run         %s\n", run->directory);
    if (run->settings->junit)
        fprintf(to->out, "  junit       %s\n", run->settings->junit);
}

void wcts_summary_print(FILE *out, const struct wcts_run *run)
{
    const struct paint to = {out, wants_colour(out)};
    if (run->end != WCTS_POOL_NO_START && !run->settings->quiet) {
        print_head(&to, run);
        print_failures(&to, run);
        print_counts(&to, run);
        print_cases(&to, run);
        print_sequences(&to, run);
        print_reasons(&to, run);
        print_flaky(&to, run);
        print_baseline(&to, run);
        print_files(&to, run);
    }
    print_conclusion(&to, run);
}

void wcts_progress_print(FILE *out, const struct wcts_run *run)
{
    fprintf(out, "\r\033[K%d/%d", run->total.count, run->selected_count);
    for (int i = 0; i < WCTS_VERDICT_COUNT; i++)
        if (i != WCTS_VERDICT_PASS && run->total.verdicts[i] != 0)
            fprintf(out, "  %d %s", run->total.verdicts[i],
                    wcts_verdict_name((enum wcts_verdict)i));
    fflush(out);
}
