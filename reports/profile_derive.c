/* SPDX-License-Identifier: MIT */
/* What finished runs propose as a profile. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "../runner/base/text.h"
#include "../runner/judge/profile.h"
#include "profile_page.h"

/* A restriction, as often as cases were declined for it. */
struct report_derived {
    int on;
    char *condition; /* owned */
    int cases;
};

/* What the runs show. */
struct report_deriving {
    const struct wcts_spec *spec;
    int *failed, *kept; /* by rule and side: cases that fail, and that speak of it and pass */
    char (*first)[WCTS_ID_ROOM]; /* ... the first that fails */
    struct report_derived *restrictions;
    int restriction_count;
    int unexplained; /* declined cases of which no combination is named */
};

/* ---- the guilty combination, as an expression ---- */

/* The member of the structure with a word that has the flag; -1: none. */
static int member_with_flag(const struct wcts_spec *spec, int structure, const char *flag)
{
    const struct wcts_structure *on = &spec->structures[structure];
    for (int i = 0; i < on->member_count; i++)
        if (on->members[i].word >= 0 && wcts_model_spec_flag(spec, on->members[i].word, flag) >= 0)
            return i;
    return -1;
}

/* Adds "A, B and C" as terms; not: each is clear. False if one is no flag of the structure. */
static bool add_terms(struct wcts_text *to, const struct wcts_spec *spec, int on, const char *names,
                      size_t length, bool not )
{
    char *copy = strndup(names, length), *at = copy;
    bool good = copy != NULL;
    while (good && at && *at) {
        size_t size = strcspn(at, " ,");
        char *next = at + size;
        int member;
        next += strspn(next, ", ");
        if (strncmp(next, "and ", 4) == 0)
            next += 4;
        at[size] = '\0';
        member = member_with_flag(spec, on, at);
        good = member >= 0;
        if (good)
            wcts_text_add(to, "%s%s%s.%s",
                          to->length && !strchr(" (", to->bytes[to->length - 1]) ? " and " : "",
                          not ? "not " : "", spec->structures[on].members[member].name, at);
        at = next;
    }
    free(copy);
    return good;
}

/* "A and B are set and C is clear, or when D is set" */
static char *expression_of(const struct wcts_spec *spec, int on, const char *cause)
{
    static const struct {
        const char *words;
        bool clear;
    } ends[] = {{" is set", false}, {" are set", false}, {" is clear", true}, {" are clear", true}};
    struct wcts_text text = {0};
    bool good = true, more = true;
    while (good && more) {
        const char *end = NULL;
        size_t which = 0;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            const char *at = strstr(cause, ends[i].words);
            if (at && (!end || at < end)) {
                end = at;
                which = i;
            }
        }
        good = end && add_terms(&text, spec, on, cause, (size_t)(end - cause), ends[which].clear);
        cause = end ? end + strlen(ends[which].words) : "";
        more = strncmp(cause, " and ", 5) == 0;
        if (more) {
            cause += 5;
        } else if (strncmp(cause, ", or when ", 10) == 0) {
            cause += 10;
            more = true;
            wcts_text_add(&text, " or ");
        }
    }
    if (good)
        return wcts_text_take(&text);
    wcts_text_release(&text);
    return NULL;
}

/* ---- counting ---- */

static int side_index(int rule, bool driver)
{
    return 2 * rule + driver;
}

/* The structure of the case's call that has the flags. */
static int root_of(const struct wcts_spec *spec, const struct wcts_case *test)
{
    if (test->base < 0)
        return -1;
    return spec->cases->steps[spec->cases->bases[test->base].step].instances[0].structure;
}

static void count_declined(struct report_deriving *deriving, const struct wcts_case *test,
                           const char *reason)
{
    const char *cause = strstr(reason, WCTS_FINDING_CAUSE);
    int on = root_of(deriving->spec, test);
    char *condition = NULL;
    struct report_derived *one;
    if (cause && on >= 0)
        condition = expression_of(deriving->spec, on, cause + strlen(WCTS_FINDING_CAUSE));
    if (!condition) {
        deriving->unexplained++;
        return;
    }
    for (int i = 0; i < deriving->restriction_count; i++)
        if (deriving->restrictions[i].on == on &&
            strcmp(deriving->restrictions[i].condition, condition) == 0) {
            deriving->restrictions[i].cases++;
            free(condition);
            return;
        }
    one = WCTS_ARRAY_ADD(deriving->restrictions, deriving->restriction_count);
    if (one)
        *one = (struct report_derived){on, condition, 1};
    else
        free(condition);
}

static void count_case(struct report_deriving *deriving, const struct wcts_case *test,
                       const struct wcts_result *result)
{
    const struct wcts_spec *spec = deriving->spec;
    int rule =
        result->broken > 0 && result->broken <= spec->rules_count ? result->broken - 1 : test->rule;
    int index = side_index(rule, test->driver);
    bool refused = strstr(result->reason, "expected it to be accepted") != NULL;
    bool layout = spec->rules[rule].form == WCTS_FORM_LAYOUT;
    if (result->verdict == WCTS_VERDICT_DECLINED ||
        (result->verdict == WCTS_VERDICT_FAIL && refused))
        count_declined(deriving, test, result->reason);
    else if (result->verdict == WCTS_VERDICT_FAIL && !layout && deriving->failed[index]++ == 0)
        snprintf(deriving->first[index], WCTS_ID_ROOM, "%s", test->id);
    else if (result->verdict == WCTS_VERDICT_PASS && wcts_judge_profile_speaks(spec, test) &&
             test->expect != WCTS_EXPECT_OPEN)
        deriving->kept[index]++;
}

static bool count_run(struct report_deriving *deriving, const struct wcts_report_loaded_run *loaded)
{
    struct wcts_store_journal journal = {0};
    struct wcts_store_entry entry;
    bool good = wcts_store_journal_open(&journal, loaded->directory, deriving->spec);
    for (int i = 0;
         good && i < loaded->run.selected_count && wcts_store_journal_next(&journal, &entry); i++) {
        struct wcts_case made;
        count_case(deriving, wcts_plan_case(loaded->plan, loaded->selected[i], &made),
                   &entry.result);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    return good;
}

/* ---- writing ---- */

static void put_xml(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '"')
            fputs("&quot;", out);
        else
            fputc(*text, out);
}

static void put_deviations(FILE *out, const struct report_deriving *deriving)
{
    const struct wcts_spec *spec = deriving->spec;
    int number = 0;
    for (int i = 0; i < 2 * spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i / 2];
        const struct wcts_statement *statement = &spec->statements[rule->statement];
        if (deriving->failed[i] == 0)
            continue;
        fprintf(out, "  <deviation id=\"D%d\" statement=\"%s\" rule=\"%s\"", ++number,
                statement->id, rule->id);
        if (i % 2 != (statement->role == WCTS_ROLE_DRIVER))
            fprintf(out, " side=\"%s\"", wcts_model_party_name(i % 2));
        if (deriving->kept[i] > 0)
            fputs(" shows=\"some\"", out);
        fprintf(out, " source=\"%s\" confidence=\"seen in a run\">Broken in %d case%s: ",
                deriving->first[i], deriving->failed[i], deriving->failed[i] == 1 ? "" : "s");
        put_xml(out, statement->text);
        fputs("</deviation>\n", out);
    }
}

static void put_restrictions(FILE *out, const struct report_deriving *deriving)
{
    for (int i = 0; i < deriving->restriction_count; i++) {
        const struct report_derived *one = &deriving->restrictions[i];
        fprintf(out, "  <restriction id=\"R%d\" on=\"%s\" refuse=\"", i + 1,
                deriving->spec->structures[one->on].name);
        put_xml(out, one->condition);
        fprintf(out,
                "\" source=\"%d declined case%s\" confidence=\"seen in a run\">Refused, although "
                "no document lets it.</restriction>\n",
                one->cases, one->cases == 1 ? "" : "s");
    }
}

bool wcts_report_profile_derive(FILE *out, struct wcts_report_loaded_run *runs, int count)
{
    const struct wcts_spec *spec = runs[0].plan->spec;
    size_t rules = (size_t)spec->rules_count * 2 + 1;
    struct report_deriving deriving = {.spec = spec,
                                       .failed = calloc(rules, sizeof *deriving.failed),
                                       .kept = calloc(rules, sizeof *deriving.kept),
                                       .first = calloc(rules, sizeof *deriving.first)};
    bool good = deriving.failed && deriving.kept && deriving.first;
    for (int i = 0; good && i < count; i++)
        good = count_run(&deriving, &runs[i]);
    if (good) {
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<profile name=\"derived\" title=\"",
              out);
        put_xml(out, runs[0].run.claims.name);
        fputs("\" about=\"proposed from finished runs: name it, and give sources\">\n", out);
        put_deviations(out, &deriving);
        put_restrictions(out, &deriving);
        fputs("</profile>\n", out);
    }
    if (good && deriving.unexplained > 0 && deriving.restriction_count == 0)
        fprintf(stderr,
                "wddm-cts: %d declined cases name no combination that is refused; a restriction "
                "has to be written by hand\n",
                deriving.unexplained);
    for (int i = 0; i < deriving.restriction_count; i++)
        free(deriving.restrictions[i].condition);
    free(deriving.restrictions);
    free(deriving.failed);
    free(deriving.kept);
    free(deriving.first);
    return good;
}
