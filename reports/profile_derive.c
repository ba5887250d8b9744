/* SPDX-License-Identifier: MIT */
/* What finished runs propose as a profile. */
#include <stdlib.h>
#include <string.h>

#include "../runner/base/text.h"
#include "../runner/judge/profile.h"
#include "derive_samples.h"
#include "derive_terms.h"
#include "profile_page.h"

/* Of all searches for conditions: some twenty seconds. Shipped profiles take a million. */
#define STEPS_MAX UINT64_C(10000000000)

/* What the runs show. */
struct report_deriving {
    const struct wcts_spec *spec;
    struct wcts_plan *plan; /* of the first run; all are alike */
    int *failed, *kept;     /* by rule and side: cases that fail, and that speak of it and pass */
    char (*first)[WCTS_ID_ROOM];    /* ... the first that fails */
    int refused;                    /* cases in which a valid call was refused */
    uint64_t missing, implemented;  /* operations */
    char lacking[64][WCTS_ID_ROOM]; /* by bit of an operation: the first case that lacks it */
    struct wcts_report_derive derive;
    bool *covered; /* by number of a refused call: an entry is about it */
    struct wcts_report_budget budget;
};

/* ---- counting ---- */

static int side_index(int rule, bool driver)
{
    return 2 * rule + driver;
}

/* What a case is to the rule that it breaks, or that it is evidence for. */
static enum wcts_report_derive_part part_of(void *ctx, const struct wcts_case *test,
                                            const struct wcts_result *result, int *rule)
{
    const struct wcts_spec *spec = ((const struct report_deriving *)ctx)->spec;
    const bool refused = strstr(result->reason, WCTS_JUDGE_REFUSAL) != NULL;
    *rule =
        result->broken > 0 && result->broken <= spec->rules_count ? result->broken - 1 : test->rule;
    if (result->verdict == WCTS_VERDICT_FAIL && !refused &&
        spec->rules[*rule].form != WCTS_FORM_LAYOUT)
        return WCTS_DERIVE_BROKEN;
    if (result->verdict == WCTS_VERDICT_PASS && wcts_judge_profile_speaks(spec, test) &&
        test->expect != WCTS_EXPECT_OPEN)
        return WCTS_DERIVE_KEPT;
    return WCTS_DERIVE_NONE;
}

static void count_derived_case(struct report_deriving *deriving, const struct wcts_case *test,
                               const struct wcts_result *result)
{
    int rule, index;
    enum wcts_report_derive_part part = part_of(deriving, test, result, &rule);
    uint64_t fresh = result->answered.missing & ~deriving->missing;
    deriving->implemented |= result->answered.implemented;
    deriving->missing |= result->answered.missing;
    for (; fresh; fresh &= fresh - 1)
        snprintf(deriving->lacking[__builtin_ctzll(fresh)], WCTS_ID_ROOM, "%s", test->id);
    index = side_index(rule, test->driver);
    if (part == WCTS_DERIVE_BROKEN && deriving->failed[index]++ == 0)
        snprintf(deriving->first[index], WCTS_ID_ROOM, "%s", test->id);
    else if (part == WCTS_DERIVE_KEPT)
        deriving->kept[index]++;
    else if (part == WCTS_DERIVE_NONE &&
             (result->verdict == WCTS_VERDICT_DECLINED || result->verdict == WCTS_VERDICT_FAIL))
        deriving->refused++;
}

static bool count_derived_run(struct report_deriving *deriving,
                              const struct wcts_report_loaded_run *loaded)
{
    struct wcts_store_journal journal = {0};
    struct wcts_store_entry entry;
    bool good = wcts_store_journal_open(&journal, loaded->directory, deriving->spec);
    for (int i = 0;
         good && i < loaded->run.selected_count && wcts_store_journal_next(&journal, &entry); i++) {
        struct wcts_case made;
        count_derived_case(deriving, wcts_plan_case(loaded->plan, loaded->selected[i], &made),
                           &entry.result);
        wcts_store_entry_release(&entry);
    }
    wcts_store_journal_close(&journal);
    return good;
}

/* ---- terms in words ---- */

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

/* The conditions of a term about the call; false if there is none. */
static bool add_conditions(struct wcts_text *text, const struct wcts_judge_features *features,
                           const struct wcts_report_term *term)
{
    const char *between = "";
    for (int i = 0; i < term->count; i++) {
        const struct wcts_judge_feature *feature = &features->of[term->features[i]];
        if (!feature->text)
            continue;
        wcts_text_add(text, "%s%s", between, feature->text);
        between = " and ";
    }
    return between[0] != '\0';
}

static bool has_version(const struct wcts_judge_features *features,
                        const struct wcts_report_term *term)
{
    for (int i = 0; i < term->count; i++)
        if (!features->of[term->features[i]].text)
            return true;
    return false;
}

static void put_versions(FILE *out, const struct wcts_judge_features *features,
                         const struct wcts_report_term *term)
{
    int since = 0, until = 0;
    for (int i = 0; i < term->count; i++) {
        const struct wcts_judge_feature *feature = &features->of[term->features[i]];
        since = feature->since > since ? feature->since : since;
        if (feature->until && (!until || feature->until < until))
            until = feature->until;
    }
    if (since)
        fprintf(out, " since=\"%s\"", features->spec->versions[since].name);
    if (until)
        fprintf(out, " until=\"%s\"", features->spec->versions[until].name);
}

/* ---- deviations ---- */

static struct wcts_report_derive_set *set_of(const struct report_deriving *deriving, int index)
{
    for (int i = 0; i < deriving->derive.set_count; i++) {
        struct wcts_report_derive_set *set = deriving->derive.sets[i];
        if (set->rule >= 0 && side_index(set->rule, set->driver) == index)
            return set;
    }
    return NULL;
}

/* Writes of which calls the deviation is: false if no condition tells them from the others. */
static bool put_condition(FILE *out, struct report_deriving *deriving,
                          const struct wcts_report_derive_set *set)
{
    const struct wcts_judge_samples *samples = &set->samples;
    const int calls = samples->bag_count ? samples->bags[samples->bag_count - 1].call + 1 : 0;
    bool *covered = calloc((size_t)calls + 1, sizeof *covered);
    struct wcts_report_term *terms = NULL;
    const int count =
        covered ? wcts_report_terms(samples, true, covered, &deriving->budget, &terms) : -1;
    bool good = count > 0;
    WCTS_TEXT(text);
    for (int i = 0; good && i < samples->bag_count; i++)
        good = covered[samples->bags[i].call];
    for (int i = 0; good && i < count; i++) {
        wcts_text_add(&text, "%s", i > 0 ? " or " : "");
        good = (add_conditions(&text, &samples->features, &terms[i]) || count == 1) &&
               (count == 1 || !has_version(&samples->features, &terms[i]));
    }
    if (good) {
        put_versions(out, &samples->features, &terms[0]);
        if (text.length > 0) {
            fprintf(out, " on=\"%s\" when=\"", samples->features.spec->structures[set->on].name);
            put_xml(out, wcts_text_get(&text));
            fputc('"', out);
        }
    }
    free(terms);
    free(covered);
    return good;
}

static void put_deviations(FILE *out, struct report_deriving *deriving)
{
    const struct wcts_spec *spec = deriving->spec;
    int number = 0;
    for (int i = 0; i < 2 * spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i / 2];
        const struct wcts_statement *statement = &spec->statements[rule->statement];
        const struct wcts_report_derive_set *set;
        if (deriving->failed[i] == 0)
            continue;
        fprintf(out, "  <deviation id=\"D%d\" statement=\"%s\" rule=\"%s\"", ++number,
                statement->id, rule->id);
        if (i % 2 != (statement->role == WCTS_ROLE_DRIVER))
            fprintf(out, " side=\"%s\"", wcts_model_party_name(i % 2));
        set = deriving->kept[i] > 0 ? set_of(deriving, i) : NULL;
        if (deriving->kept[i] > 0 && !(set && put_condition(out, deriving, set)))
            fputs(" shows=\"some\"", out);
        fprintf(out, " source=\"%s\" confidence=\"seen in a run\">Broken in %d case%s: ",
                deriving->first[i], deriving->failed[i], deriving->failed[i] == 1 ? "" : "s");
        put_xml(out, statement->text);
        fputs("</deviation>\n", out);
    }
}

/* ---- restrictions ---- */

static void put_restriction(FILE *out, const struct report_deriving *deriving,
                            const struct wcts_report_derive_set *set,
                            const struct wcts_report_term *term, int number)
{
    const struct wcts_judge_features *features = &set->samples.features;
    struct wcts_case test;
    WCTS_TEXT(text);
    add_conditions(&text, features, term);
    fprintf(out, "  <restriction id=\"R%d\" on=\"%s\" refuse=\"", number,
            deriving->spec->structures[set->on].name);
    put_xml(out, wcts_text_get(&text));
    fputc('"', out);
    put_versions(out, features, term);
    fprintf(out,
            " side=\"%s\" source=\"%s\" confidence=\"seen in a run\">Refused in %d call%s, "
            "although no document lets it.</restriction>\n",
            wcts_model_party_name(set->driver),
            wcts_plan_case(deriving->plan, term->test, &test)->id, term->calls,
            term->calls == 1 ? "" : "s");
}

/* Finds terms for the sets that have none yet; false without memory. */
static bool learn(struct report_deriving *deriving)
{
    struct wcts_report_derive *derive = &deriving->derive;
    if (!deriving->covered)
        deriving->covered = calloc((size_t)derive->test_count + 1, sizeof *deriving->covered);
    for (int i = 0; deriving->covered && i < derive->set_count; i++) {
        struct wcts_report_derive_set *set = derive->sets[i];
        if (set->rule >= 0 || set->terms || set->samples.bag_count == 0)
            continue;
        set->term_count = wcts_report_terms(&set->samples, false, deriving->covered,
                                            &deriving->budget, &set->terms);
        if (set->term_count < 0)
            return false;
    }
    return deriving->covered != NULL;
}

/* How many refused calls no restriction is about; *test: the case of the first. */
static int count_left(const struct report_deriving *deriving, int *test)
{
    int left = 0;
    for (int i = deriving->derive.test_count - 1; i >= 0; i--)
        if (!deriving->covered[i]) {
            *test = deriving->derive.tests[i];
            left++;
        }
    return left;
}

static void put_restrictions(FILE *out, const struct report_deriving *deriving)
{
    int number = 0;
    for (int i = 0; i < deriving->derive.set_count; i++) {
        const struct wcts_report_derive_set *set = deriving->derive.sets[i];
        for (int j = 0; j < set->term_count; j++)
            put_restriction(out, deriving, set, &set->terms[j], ++number);
    }
}

/* ---- what is absent ---- */

static uint64_t operations_of(const struct wcts_spec *spec, const struct wcts_feature *feature)
{
    uint64_t set = 0;
    for (int i = 0; i < feature->operation_count; i++)
        set |= wcts_model_operation_bit(spec->messages[feature->operations[i]].operation);
    return set;
}

static void put_absent_entry(FILE *out, const struct report_deriving *deriving, int number,
                             const char *what, const char *name, uint64_t operations)
{
    fprintf(out,
            "  <absent id=\"A%d\" %s=\"%s\" source=\"%s\" confidence=\"seen in a run\">Not "
            "implemented.</absent>\n",
            number, what, name, deriving->lacking[__builtin_ctzll(operations)]);
}

/* Features of which no operation that was asked for is there, and operations of others. */
static void put_derived_absent(FILE *out, const struct report_deriving *deriving)
{
    const struct wcts_spec *spec = deriving->spec;
    uint64_t left = deriving->missing & ~deriving->implemented, taken = deriving->implemented;
    int number = 0;
    for (int i = 0; i < spec->features_count; i++) {
        const uint64_t all = operations_of(spec, &spec->features[i]);
        if (!(all & left) || (all & taken))
            continue;
        put_absent_entry(out, deriving, ++number, "feature", spec->features[i].name, all & left);
        left &= ~all;
        taken |= all;
    }
    for (; left; left &= left - 1) {
        const uint64_t one = left & -left;
        put_absent_entry(out, deriving, ++number, "operation",
                         wcts_operation_name(wcts_model_operation_of_bit(__builtin_ctzll(one))),
                         one);
    }
}

/* ---- all of it ---- */

static bool look(struct report_deriving *deriving, struct wcts_report_loaded_run *runs, int count)
{
    bool good = true;
    int test;
    for (int i = 0; good && i < count; i++)
        good = count_derived_run(deriving, &runs[i]);
    for (int i = 0; good && i < 2 * deriving->spec->rules_count; i++)
        if (deriving->failed[i] > 0 && deriving->kept[i] > 0)
            wcts_report_derive_of_rule(&deriving->derive, i / 2, i % 2);
    good = good &&
           wcts_report_derive_samples(&deriving->derive, runs, count, deriving->refused > 0) &&
           learn(deriving);
    if (good && count_left(deriving, &test) > 0)
        good = wcts_report_derive_elements(&deriving->derive, runs, count) && learn(deriving);
    return good;
}

static void put_derived_profile(FILE *out, struct report_deriving *deriving, const char *title)
{
    struct wcts_case made;
    int test = 0;
    const int left = count_left(deriving, &test);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<profile name=\"derived\" title=\"", out);
    put_xml(out, title);
    fputs("\" about=\"proposed from finished runs: name it, and give sources\">\n", out);
    put_deviations(out, deriving);
    put_restrictions(out, deriving);
    put_derived_absent(out, deriving);
    if (deriving->budget.over) {
        fputs(
            "  <!-- The search for conditions was ended: what is refused by chance, or for what no "
            "short condition says, takes too long. Entries may be missing, or longer or wider "
            "than they need be. -->\n",
            out);
        fputs("wddm-cts: the search for conditions was ended before all short ones were tried: "
              "entries may be missing, or longer or wider than they need be\n",
              stderr);
    }
    fputs("</profile>\n", out);
    if (left > 0)
        fprintf(stderr,
                "wddm-cts: %d refused call%s differ%s from accepted ones in nothing that a "
                "condition could name; the first is in %s\n",
                left, left == 1 ? "" : "s", left == 1 ? "s" : "",
                wcts_plan_case(deriving->plan, test, &made)->id);
}

bool wcts_report_profile_derive(FILE *out, struct wcts_report_loaded_run *runs, int count)
{
    const struct wcts_spec *spec = runs[0].plan->spec;
    const size_t rules = (size_t)spec->rules_count * 2 + 1;
    struct report_deriving *deriving = calloc(1, sizeof *deriving);
    bool good;
    if (!deriving)
        return false;
    *deriving = (struct report_deriving){
        .spec = spec,
        .plan = runs[0].plan,
        .failed = calloc(rules, sizeof *deriving->failed),
        .kept = calloc(rules, sizeof *deriving->kept),
        .first = calloc(rules, sizeof *deriving->first),
        .budget = {.all = STEPS_MAX},
        .derive = {.spec = spec, .part = part_of, .ctx = deriving},
    };
    good = deriving->failed && deriving->kept && deriving->first && look(deriving, runs, count);
    if (good)
        put_derived_profile(out, deriving,
                            runs[0].run.claims.name[0] ? runs[0].run.claims.name : "derived");
    free(deriving->covered);
    wcts_report_derive_release(&deriving->derive);
    free(deriving->failed);
    free(deriving->kept);
    free(deriving->first);
    free(deriving);
    return good;
}
