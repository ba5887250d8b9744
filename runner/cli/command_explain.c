/* SPDX-License-Identifier: MIT */
/* wddm-cts explain: a case, a rule, a statement, an erratum or a word of flags in words, and what
 * came of it in a run. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../reports/report.h"
#include "../../reports/upgrade.h"
#include "../judge/judge.h"
#include "../lang/effect.h"
#include "../model/names.h"
#include "../plan/claimed.h"
#include "../plan/tour.h"
#include "../store/run_dir.h"
#include "../store/tally.h"
#include "selection.h"

#define LATEST "out/latest"

/* Of whom the run was, as its run.json says. */
static void print_run_of(const char *directory)
{
    const char *name = NULL, *options = "";
    json_t *run = wcts_store_rundir_run(directory);
    if (json_unpack(run, "{s:{s:s, s?s}}", "implementation", "path", &name, "options", &options) ==
            0 &&
        name)
        printf(", of %s%s%s", name, options[0] ? "," : "", options);
    json_decref(run);
}

/* By what the failure is known, why it is waived, and how attempts before ended. */
static void print_knowledge(const struct wcts_result *result)
{
    const struct wcts_baseline_waiver *waiver = result->waiver;
    if (result->signature[0])
        printf("  signature %s\n", result->signature);
    if (waiver)
        printf("  waiver    %s:%ld, until %s: %s %s\n", waiver->place.file, waiver->place.line,
               waiver->expires, waiver->reason, waiver->link);
    for (int i = 0; i < result->try_count; i++) {
        const struct wcts_try *one = &result->tries[i];
        printf("  %s %d%s %s: %s\n", one->times ? "repeated" : "attempt",
               one->times ? one->times : i + 1,
               one->times == 0   ? ""
               : one->times == 1 ? " time"
                                 : " times",
               wcts_model_verdict_name(one->verdict), one->reason);
    }
}

static void print_entry(const char *directory, const struct wcts_store_entry *entry)
{
    printf("\nIn %s", directory);
    print_run_of(directory);
    printf(": %s%s%s\n", wcts_model_verdict_name(entry->result.verdict),
           entry->result.reason[0] ? ": " : "", entry->result.reason);
    print_knowledge(&entry->result);
    wcts_report_lines_print(stdout, "", "",
                            strdup(wcts_model_detail_messages(entry->result.detail)));
    if (entry->output[0] != '\0') {
        puts("  the plug-in wrote:");
        wcts_report_lines_print(stdout, "    ", "    ", strdup(entry->output));
    }
}

static bool find_entry(const char *directory, const char *id, struct wcts_store_entry *entry)
{
    struct wcts_store_journal journal;
    bool found = false;
    if (!wcts_store_journal_open(&journal, directory, NULL))
        return false;
    while (!found && wcts_store_journal_next(&journal, entry)) {
        found = strcmp(entry->id, id) == 0;
        if (!found)
            wcts_store_entry_release(entry);
    }
    if (!found && journal.flaw != WCTS_FLAW_NONE)
        errno = EBADMSG; /* it may be behind what cannot be read */
    wcts_store_journal_close(&journal);
    return found;
}

/* Says why there is nothing to show of a run that was asked for. */
static int complain_no_entry(const char *directory, const char *what)
{
    const char *why = errno == ENOENT    ? "no journal.jsonl, expected a run directory"
                      : errno == EBADMSG ? "journal.jsonl has a line that is no entry; wddm-cts "
                                           "verify says which, expected the journal of a run"
                      : errno != 0       ? strerror(errno)
                                         : what;
    fprintf(stderr, "wddm-cts: %s: %s\n", directory, why);
    return WCTS_EXIT_USAGE;
}

/* The calls of a walk, which are drawn when it is run. */
static void describe_walk(const struct wcts_cli_suite *suite, const struct wcts_case *test)
{
    struct wcts_plan_tour *tour = calloc(1, sizeof *tour);
    struct wcts_eval eval;
    if (tour && wcts_oracle_eval_init(&eval, suite->spec) &&
        wcts_plan_tour_init(tour, suite->plan, &eval)) {
        wcts_judge_acts_describe(stdout, &tour->plan, wcts_plan_tour_draw(tour, test));
        wcts_plan_tour_release(tour);
        wcts_oracle_eval_release(&eval);
    }
    free(tour);
}

/* A run that was asked for must be there; the last one need not have had this case. */
static int explain_case(const struct wcts_cli_suite *suite, const struct wcts_case *test)
{
    const char *asked = suite->settings->run_directory;
    const char *directory = asked ? asked : LATEST;
    struct wcts_store_entry entry;

    wcts_judge_case_describe(stdout, suite->plan, test);
    if (test->moves)
        describe_walk(suite, test);
    errno = 0;
    if (find_entry(directory, test->id, &entry)) {
        print_entry(directory, &entry);
        wcts_store_entry_release(&entry);
    } else if (asked) {
        return complain_no_entry(directory, "the run had no such case");
    }
    return WCTS_EXIT_OK;
}

static void describe_statement(const struct wcts_spec *spec, const struct wcts_statement *one)
{
    const struct wcts_document *document = &spec->documents[one->document];
    const char *until = wcts_model_until_name(spec, one->until);
    printf("%s  %s\n", one->id, one->text);
    if (one->quote)
        printf("  original   (%s) «%s»\n", document->language, one->quote);
    printf("  document   %s, %s\n", document->number, document->title);
    printf("  where      %s\n", one->where);
    printf("  member     %s\n", one->member);
    printf("  binds      %s: %s, %s%s\n", wcts_model_role_name(one->role),
           wcts_model_force_name(one->force), wcts_model_basis_name(one->basis),
           one->derived ? ", derived" : "");
    printf("  versions   from %s%s%s\n", spec->versions[one->since].name, until ? " until " : "",
           until ? until : "");
    if (one->unquoted)
        printf("  unquoted   %s\n", one->unquoted);
    wcts_report_lines_print(stdout, "  read by    ", "  read by    ",
                            wcts_model_statement_read_by(spec, one));
    if (one->reason)
        printf("  status     not testable: %s\n", one->reason);
    else
        printf("  status     %s\n", wcts_report_statement_status(one));
    printf("  written    %s:%ld\n", one->place.file, one->place.line);
}

/* "  when       not Flags.Shared"; nothing for what is not there. */
static void print_expression(const struct wcts_spec *spec, const char *attribute,
                             const struct wcts_lang_about *about, int root)
{
    WCTS_TEXT(text);
    if (!root)
        return;
    wcts_lang_print_about(spec->exprs, spec, about, root, &text);
    printf("  %-10s %s\n", attribute, wcts_text_get(&text));
}

static void print_effect(const struct wcts_spec *spec, const struct wcts_effect *effect)
{
    const char *const *names = wcts_effect_attribute_names;
    struct wcts_lang_effect_about about;
    wcts_lang_effect_about(spec, effect, &about);
    print_expression(spec, names[WCTS_EFFECT_WHEN], &about.call, effect->when);
    if (effect->selector != WCTS_SELECT_CALL)
        printf("  %-10s %s%s%s\n", names[WCTS_EFFECT_EVERY + effect->selector - WCTS_SELECT_EVERY],
               spec->messages[effect->message].name,
               effect->span == WCTS_SPAN_DURING ? "" : ", look ",
               effect->span == WCTS_SPAN_DURING ? "" : wcts_span_words[effect->span]);
    print_expression(spec, names[WCTS_EFFECT_WHERE], &about.message, effect->where);
    print_expression(spec, names[WCTS_EFFECT_HOLDS], &about.message, effect->holds);
}

static void print_rule(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    const struct wcts_lang_about about = wcts_lang_about(spec, rule->on);
    const char *until = wcts_model_until_name(spec, rule->until);
    printf("  rule       %s: %s, %s, from %s%s%s (%s:%ld)\n", rule->id,
           wcts_model_form_name(spec, rule), wcts_model_outcome_name(rule->outcome),
           spec->versions[rule->since].name, until ? " until " : "", until ? until : "",
           rule->place.file, rule->place.line);
    if (rule->effect)
        print_effect(spec, rule->effect);
    print_expression(spec, "when", &about, rule->breach.when);
    print_expression(spec, wcts_model_outcome_name(rule->outcome), &about, rule->breach.refuse);
    print_expression(spec, "unless", &about, rule->breach.unless);
}

/* ---- cases that differ in their version alone ---- */

/* A case at several versions: as the first of them is called. */
struct cli_rule_family {
    struct wcts_case first;
    const char *version; /* in the id of the first, with its slash; NULL: the id has none */
    size_t length;       /* of version */
    bool *at;            /* of each version of the spec; not owned */
};

/* Where an id names its version: "/wddm2_0", before another slash or the end. */
static const char *find_version(const struct wcts_spec *spec, const struct wcts_case *test,
                                size_t *length)
{
    const char *id = spec->versions[test->version].id, *at = test->id;
    *length = strlen(id) + 1;
    while ((at = strchr(at, '/')) != NULL) {
        if (strncmp(at + 1, id, *length - 1) == 0 && (at[*length] == '/' || at[*length] == '\0'))
            return at;
        at++;
    }
    return NULL;
}

static bool is_of_family(const struct wcts_spec *spec, const struct cli_rule_family *family,
                         const struct wcts_case *test)
{
    size_t length, before = (size_t)(family->version - family->first.id);
    const char *version = family->version ? find_version(spec, test, &length) : NULL;
    return version && (size_t)(version - test->id) == before &&
           memcmp(test->id, family->first.id, before) == 0 &&
           strcmp(version + length, family->version + family->length) == 0;
}

/* "at every version, 1.0 to 3.2", or "at 2.0, 2.3 to 3.2"; nothing for the one in the id. */
static void explain_versions(const struct wcts_spec *spec, const struct cli_rule_family *family)
{
    int count = 0, printed = 0;
    for (int i = 0; i < spec->versions_count; i++)
        count += family->at[i];
    if (count > 1)
        fputs(count == spec->versions_count ? "  at every version," : "  at", stdout);
    for (int i = 0, last; count > 1 && i < spec->versions_count; i = last + 1) {
        last = i;
        if (!family->at[i])
            continue;
        while (last + 1 < spec->versions_count && family->at[last + 1])
            last++;
        printf("%s%s", printed++ ? ", " : " ", spec->versions[i].name);
        if (last > i)
            printf(" to %s", spec->versions[last].name);
    }
    putchar('\n');
}

/* The family of a case, a new one behind the count when it is the first of one. */
static struct cli_rule_family *family_of(const struct wcts_spec *spec,
                                         struct cli_rule_family *families, int *count,
                                         const struct wcts_case *test)
{
    for (int i = 0; i < *count; i++)
        if (is_of_family(spec, &families[i], test))
            return &families[i];
    struct cli_rule_family *added = &families[(*count)++];
    added->first = *test;
    added->version = find_version(spec, &added->first, &added->length);
    return added;
}

static int count_cases(const struct wcts_plan *plan, int statement)
{
    int count = 0;
    for (int i = 0; i < plan->count; i++)
        count += plan->spec->rules[wcts_plan_series(plan, i)->rule].statement == statement;
    return count;
}

/* rule -1: of all rules of the statement. False without memory. */
static bool explain_cases(const struct wcts_cli_suite *suite, int statement, int rule)
{
    const struct wcts_spec *spec = suite->spec;
    const struct wcts_plan *plan = suite->plan;
    size_t versions = (size_t)spec->versions_count, room = (size_t)count_cases(plan, statement);
    int count = 0;
    struct cli_rule_family *families = calloc(room + 1, sizeof *families);
    bool *at = calloc(room * versions + 1, sizeof *at);
    for (int i = 0; families && at && i < plan->count; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(plan, i, &made);
        if (test->statement != statement || (rule >= 0 && rule != test->rule))
            continue;
        struct cli_rule_family *family = family_of(spec, families, &count, test);
        family->at = at + (size_t)(family - families) * versions;
        family->at[test->version] = true;
    }
    for (int i = 0; i < count; i++) {
        printf("  case       %s", families[i].first.id);
        explain_versions(spec, &families[i]);
    }
    bool good = families && at;
    free(families);
    free(at);
    return good;
}

/* ---- its results in a run ---- */

/* False if a case with this id is no case of the statement. */
static bool may_be_of(const struct wcts_spec *spec, int statement, const char *id)
{
    const struct wcts_statement *of = &spec->statements[statement];
    const char *drawn = spec->documents[of->document].prefix;
    return strncmp(id, of->id, strlen(of->id)) == 0 ||
           (strncmp(id, drawn, strlen(drawn)) == 0 && id[strlen(drawn)] == '/');
}

/* What came of the cases in the run; first: the id of the first that breaks; why: the reason of the
 * first that was skipped. The caller frees both. */
static void tally_cases(const struct wcts_plan *plan, const char *directory, int statement,
                        int rule, struct wcts_store_tally *tally, char **first, char **why)
{
    struct wcts_store_journal journal;
    struct wcts_store_entry entry;
    if (!wcts_store_journal_open(&journal, directory, NULL))
        return;
    while (wcts_store_journal_next(&journal, &entry)) {
        int index =
            may_be_of(plan->spec, statement, entry.id) ? wcts_plan_find(plan, entry.id) : -1;
        const struct wcts_case *test = index >= 0 ? WCTS_PLAN_CASE(plan, index) : NULL;
        if (test && test->statement == statement && (rule < 0 || rule == test->rule)) {
            wcts_store_tally_add(tally, &entry.result);
            if (!*first && wcts_store_verdict_breaks(entry.result.verdict))
                *first = strdup(entry.id);
            if (!*why && entry.result.verdict == WCTS_VERDICT_SKIP && entry.result.reason)
                *why = strdup(entry.result.reason);
        }
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
}

/* "In out/a, of ./mine.so: 300 fail, 120 pass; first: CASE", "...: 17 skip; first: not applicable:
 * ...". */
static int explain_results(const struct wcts_cli_suite *suite, int statement, int rule)
{
    const char *asked = suite->settings->run_directory;
    const char *directory = asked ? asked : LATEST, *separator = ": ";
    struct wcts_store_tally tally = {.count = 0};
    char *first = NULL, *why = NULL;
    json_t *run = wcts_store_rundir_run(directory);
    wcts_report_upgrade_plan(suite->plan, run);
    json_decref(run);
    errno = 0;
    tally_cases(suite->plan, directory, statement, rule, &tally, &first, &why);
    if (tally.count == 0) {
        free(first);
        free(why);
        return asked ? complain_no_entry(directory, "the run had none of its cases") : WCTS_EXIT_OK;
    }
    printf("\nIn %s", directory);
    print_run_of(directory);
    /* The worst first. */
    for (int i = WCTS_VERDICT_COUNT - 1; i >= 0; i--)
        if (tally.verdicts[i] != 0) {
            printf("%s%d %s", separator, tally.verdicts[i],
                   wcts_model_verdict_name((enum wcts_verdict)i));
            separator = ", ";
        }
    if (first)
        printf("; first: %s", first);
    else if (why && tally.verdicts[WCTS_VERDICT_SKIP] == tally.count)
        printf("; first: %s", why);
    putchar('\n');
    free(first);
    free(why);
    return WCTS_EXIT_OK;
}

/* rule -1: of all rules of the statement. */
static int explain_statement(const struct wcts_cli_suite *suite, int statement, int rule)
{
    const struct wcts_spec *spec = suite->spec;
    describe_statement(spec, &spec->statements[statement]);
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement && (rule < 0 || rule == i))
            print_rule(spec, &spec->rules[i]);
    if (explain_cases(suite, statement, rule))
        return explain_results(suite, statement, rule);
    fputs("wddm-cts: no memory\n", stderr);
    return WCTS_EXIT_BROKEN;
}

/* ---- errata ---- */

/* The statements that it reads, and how many cases they have. */
static void print_concerned(const struct wcts_cli_suite *suite, const struct wcts_erratum *erratum)
{
    const struct wcts_spec *spec = suite->spec;
    int statements = 0, cases = 0;
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *statement = &spec->statements[i];
        if (!wcts_model_is_read_by(statement->errata, erratum))
            continue;
        int count = count_cases(suite->plan, i);
        printf("  statement  %s, %d case%s: %s\n", statement->id, count, count == 1 ? "" : "s",
               statement->text);
        statements++;
        cases += count;
    }
    printf("  cases      %d of %d statement%s\n", cases, statements, statements == 1 ? "" : "s");
}

static int explain_erratum(const struct wcts_cli_suite *suite, int index)
{
    const struct wcts_erratum *erratum = &suite->spec->errata[index];
    char *choice = wcts_model_erratum_choice(erratum);
    printf("%s  %s\n", erratum->id, erratum->passage);
    for (int i = 0; i < suite->spec->documents_count; i++) {
        const struct wcts_document *document = &suite->spec->documents[i];
        if (wcts_model_is_about(erratum, document))
            printf("  document   %s, %s\n", document->number, document->title);
    }
    printf("  readings   %s\n", erratum->readings);
    printf("  choice     %s: %s\n", erratum->choice, choice ? choice : "");
    printf("  reason     %s\n", erratum->reason);
    if (erratum->leaves)
        printf("  open       %s\n", erratum->leaves);
    print_concerned(suite, erratum);
    printf("  written    %s:%ld\n", erratum->place.file, erratum->place.line);
    free(choice);
    return WCTS_EXIT_OK;
}

/* ", open at 1.0" where a set bit is not judged at some versions. */
static void print_open(const struct wcts_spec *spec, const struct wcts_flag *flag)
{
    if (flag->open_since < flag->open_until)
        printf(", open at %s%s%s", spec->versions[flag->open_since].name,
               flag->open_until - flag->open_since > 1 ? " to " : "",
               flag->open_until - flag->open_since > 1 ? spec->versions[flag->open_until - 1].name
                                                       : "");
}

/* The flags of a word by their bits, each with the versions at which it exists. */
static int explain_word(const struct wcts_spec *spec, const struct wcts_word *word)
{
    printf("%s  a word of %d bits\n", word->name, word->bits);
    for (int bit = 0; bit < word->bits; bit++)
        for (int i = 0; i < word->flag_count; i++) {
            const struct wcts_flag *flag = &word->flags[i];
            const char *until = wcts_model_until_name(spec, flag->until);
            if (flag->bit != bit)
                continue;
            printf("  bit %-2d     %s, from %s%s%s", bit, flag->name,
                   spec->versions[flag->since].name, until ? " until " : "", until ? until : "");
            print_open(spec, flag);
            putchar('\n');
        }
    if (word->statement >= 0)
        printf("  statement  %s: %s\n", spec->statements[word->statement].id,
               spec->statements[word->statement].text);
    printf("  written    %s:%ld\n", word->place.file, word->place.line);
    return WCTS_EXIT_OK;
}

static const struct wcts_word *find_flag_word(const struct wcts_spec *spec, const char *name)
{
    for (int i = 0; i < spec->words_count; i++)
        if (strcmp(spec->words[i].name, name) == 0)
            return &spec->words[i];
    return NULL;
}

static int find_rule(const struct wcts_spec *spec, const char *id)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return i;
    return -1;
}

static int explain(struct wcts_cli_suite *suite, const char *id)
{
    int index = wcts_plan_find_anywhere(suite->plan, id);
    int statement = wcts_model_spec_statement(suite->spec, id);
    int rule = find_rule(suite->spec, id);
    int erratum = wcts_model_spec_erratum(suite->spec, id);
    const struct wcts_word *word = find_flag_word(suite->spec, id);

    if (index >= 0)
        return explain_case(suite, WCTS_PLAN_CASE(suite->plan, index));
    if (suite->settings->run_directory && (erratum >= 0 || word)) {
        fprintf(stderr, "wddm-cts: --run: %s is %s, expected a case, rule or statement\n", id,
                word ? "a word of flags" : "an erratum");
        return WCTS_EXIT_USAGE;
    }
    if (statement >= 0)
        return explain_statement(suite, statement, -1);
    if (rule >= 0)
        return explain_statement(suite, suite->spec->rules[rule].statement, rule);
    if (erratum >= 0)
        return explain_erratum(suite, erratum);
    if (word)
        return explain_word(suite->spec, word);
    wcts_cli_unknown_id(suite, id);
    return WCTS_EXIT_USAGE;
}

/* Each of the ids that can be explained is; the status is that of the first that cannot. */
static int explain_each(struct wcts_cli_suite *suite)
{
    int status = WCTS_EXIT_OK;
    for (int i = 0; i < suite->settings->argument_count; i++) {
        if (i > 0)
            putchar('\n');
        int one = explain(suite, suite->settings->arguments[i]);
        status = status == WCTS_EXIT_OK ? one : status;
    }
    return status;
}

int wcts_command_explain(const struct wcts_cli_settings *settings)
{
    return wcts_cli_suite_run(settings, explain_each);
}
