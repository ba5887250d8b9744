/* SPDX-License-Identifier: MIT */
/* A plan of what a command line may want holds what the whole plan holds of it. */
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "../../runner/plan/plan.h"
#include "../../runner/plan/wanted.h"
#include "suite.h"

#define STEPS 200
/* Each so many ids are tried. */
#define STRIDE 2801

static struct wcts_spec *spec;
static struct wcts_plan *whole;

static struct wcts_plan *plan_of(const struct wcts_wanted *wanted)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {.steps = STEPS,
                                              .seed = 1,
                                              .wants = wanted ? wcts_plan_wanted_begins : NULL,
                                              .wants_context = wanted};
    struct wcts_plan *plan = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    return plan;
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    whole = plan_of(NULL);
}

static void tear_down(void)
{
    wcts_plan_free(whole);
    wcts_load_spec_free(spec);
}

static void check_facts(const struct wcts_fact *one, const struct wcts_fact *other, int count)
{
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(one[i].instance, other[i].instance);
        ck_assert_mem_eq(&one[i].ref, &other[i].ref, sizeof one[i].ref);
        ck_assert_int_eq(one[i].value.symbol, other[i].value.symbol);
        ck_assert_uint_eq(one[i].value.number, other[i].value.number);
    }
}

/* Member by member: what lies between them may differ. */
static void check_equal(const struct wcts_case *test, const struct wcts_case *other)
{
    const int64_t ones[] = {test->rule,       test->statement,     test->kind,     test->expect,
                            test->strict,     test->version,       test->base,     test->driver,
                            test->instance,   (int64_t)test->seed, test->walk,     test->needs,
                            test->fact_count, test->twin_count,    test->page_size};
    const int64_t others[] = {other->rule,          other->statement,  other->kind,
                              other->expect,        other->strict,     other->version,
                              other->base,          other->driver,     other->instance,
                              (int64_t)other->seed, other->walk,       other->needs,
                              other->fact_count,    other->twin_count, other->page_size};
    ck_assert_str_eq(test->id, other->id);
    ck_assert_mem_eq(ones, others, sizeof ones);
    ck_assert_ptr_eq(test->gap, other->gap);
    ck_assert_ptr_eq(test->twin_gap, other->twin_gap);
    ck_assert_ptr_eq(test->scenario, other->scenario);
    ck_assert_mem_eq(test->values, other->values, sizeof test->values);
    check_facts(test->facts, other->facts, test->fact_count);
    check_facts(test->twin, other->twin, test->twin_count);
}

/* Whether it is that rule, or one that it rests on, at any remove. */
static bool is_of(int rule, int wanted)
{
    const struct wcts_rule *one = &spec->rules[wanted];
    if (rule == wanted)
        return true;
    for (int i = 0; i < one->rests_on_count; i++)
        if (is_of(rule, one->rests_on[i]))
            return true;
    return false;
}

/* Whether a scenario that expects the one looks at an effect that rests on the other. */
static bool is_looked_at(int rule, int wanted)
{
    for (int i = 0; i < spec->cases->scenarios_count; i++) {
        const struct wcts_scenario *scenario = &spec->cases->scenarios[i];
        bool expects = false;
        for (int j = 0; j < scenario->effect_count; j++)
            expects = expects || scenario->effects[j] == wanted;
        for (int j = 0; expects && j < scenario->also_count; j++)
            if (is_of(rule, scenario->also[j]))
                return true;
    }
    return false;
}

/* Whether a rule of the statement, or what it rests on. */
static bool is_of_statement(int rule, int statement)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (spec->rules[i].statement == statement && (is_of(rule, i) || is_looked_at(rule, i)))
            return true;
    return false;
}

START_TEST(an_id_is_planned_with_its_rule_and_what_it_rests_on)
{
    for (int i = 0; i < whole->count; i += STRIDE) {
        const struct wcts_case *test = WCTS_PLAN_CASE(whole, i);
        struct wcts_wanted *wanted = wcts_plan_wanted_id(test->id);
        struct wcts_plan *part = plan_of(wanted);
        int found = wcts_plan_find(part, test->id);
        ck_assert_msg(found >= 0, "%s is not planned", test->id);
        check_equal(WCTS_PLAN_CASE(part, found), test);
        for (int j = 0; j < part->count && test->kind != WCTS_KIND_SEQUENCE; j++)
            ck_assert_msg(is_of(WCTS_PLAN_CASE(part, j)->rule, test->rule) ||
                              is_looked_at(WCTS_PLAN_CASE(part, j)->rule, test->rule),
                          "%s for %s", WCTS_PLAN_CASE(part, j)->id, test->id);
        wcts_plan_free(part);
        wcts_plan_wanted_free(wanted);
    }
}
END_TEST

START_TEST(a_statement_is_planned_with_all_its_rules)
{
    for (int s = 0; s < spec->statements_count; s += 41) {
        struct wcts_wanted *wanted = wcts_plan_wanted_id(spec->statements[s].id);
        struct wcts_plan *part = plan_of(wanted);
        int at = 0;
        for (int i = 0; i < whole->count; i++)
            if (WCTS_PLAN_CASE(whole, i)->statement == s &&
                WCTS_PLAN_CASE(whole, i)->kind != WCTS_KIND_SEQUENCE) {
                while (at < part->count && WCTS_PLAN_CASE(part, at)->statement != s)
                    at++;
                ck_assert_int_lt(at, part->count);
                check_equal(WCTS_PLAN_CASE(part, at++), WCTS_PLAN_CASE(whole, i));
            }
        for (int i = 0; i < part->count; i++)
            ck_assert_msg(is_of_statement(WCTS_PLAN_CASE(part, i)->rule, s), "%s",
                          WCTS_PLAN_CASE(part, i)->id);
        wcts_plan_free(part);
        wcts_plan_wanted_free(wanted);
    }
}
END_TEST

/* What matches in the whole plan is in the part, in the same order. */
static void check_filter(const char *filter, const struct wcts_plan *part)
{
    regex_t regex;
    int at = 0;
    ck_assert_int_eq(regcomp(&regex, filter, REG_EXTENDED | REG_NOSUB), 0);
    for (int i = 0; i < whole->count; i++) {
        if (regexec(&regex, WCTS_PLAN_CASE(whole, i)->id, 0, NULL, 0) != 0)
            continue;
        while (at < part->count &&
               strcmp(WCTS_PLAN_CASE(part, at)->id, WCTS_PLAN_CASE(whole, i)->id) != 0)
            at++;
        ck_assert_msg(at < part->count, "%s: %s is not planned", filter,
                      WCTS_PLAN_CASE(whole, i)->id);
        check_equal(WCTS_PLAN_CASE(part, at), WCTS_PLAN_CASE(whole, i));
    }
    regfree(&regex);
}

/* A filter, and the most cases that its plan may have, as a part of the whole; 0: any. */
static const struct {
    const char *filter;
    int part;
} filters[] = {
    {"^SEG-025/", 50},
    {"^SEG-0[12]", 4},
    {"^(SEG-02|AIN-01)[0-9]/", 4},
    {"^CAF-003|^CAF-004[./]", 20},
    {"^UVA/sequence/", 20},
    {"^UVA-0.*/scenario/", 2},
    {"SEG-025", 50},
    {"SEG-025/refuse", 50},
    {"AIN-01.*wddm2_0", 4},
    {"^nothing$", 100},
    /* Tied to nothing. */
    {"CAF-003|SEG", 0},
    {"CAF-?", 0},
    {"CreateShared", 0},
    {"/sequence/", 0},
    {"(^CAF|SEG)", 0},
    {"^CAF|SEG", 0},
    {"EG-025/", 0},
    {"CAF-0*x?", 0},
};

START_TEST(a_filter_is_planned_as_far_as_it_may_match)
{
    const char *filter = filters[_i].filter;
    struct wcts_wanted *wanted = wcts_plan_wanted_filters(spec, &filter, 1);
    ck_assert_msg((wanted != NULL) == (filters[_i].part != 0), "%s", filter);
    if (wanted) {
        struct wcts_plan *part = plan_of(wanted);
        check_filter(filter, part);
        ck_assert_msg(part->count * filters[_i].part <= whole->count, "%s: %d of %d", filter,
                      part->count, whole->count);
        wcts_plan_free(part);
    }
    wcts_plan_wanted_free(wanted);
}
END_TEST

START_TEST(several_filters_are_planned_together)
{
    static const char *const tied[] = {"^SEG-025/", "AIN-01"}, *const untied[] = {"^SEG-025/", "x"};
    struct wcts_wanted *wanted = wcts_plan_wanted_filters(spec, tied, 2);
    struct wcts_plan *part = plan_of(wanted);
    check_filter("^SEG-025/|^AIN-01", part);
    ck_assert_int_lt(part->count, whole->count);
    wcts_plan_free(part);
    wcts_plan_wanted_free(wanted);
    ck_assert_ptr_null(wcts_plan_wanted_filters(spec, untied, 2));
    ck_assert_ptr_null(wcts_plan_wanted_filters(spec, NULL, 0));
}
END_TEST

static bool looks_like_a_rule(const char *text)
{
    for (int d = 0; d < spec->documents_count; d++) {
        size_t length = strlen(spec->documents[d].prefix);
        if (strncmp(text, spec->documents[d].prefix, length) == 0 && text[length] == '-' &&
            text[length + 1] >= '0' && text[length + 1] <= '9')
            return true;
    }
    return false;
}

/* Each document's prefix binds a filter that begins with it, since nothing else in ids looks so. */
START_TEST(a_prefix_stands_at_the_beginning_alone)
{
    for (int i = 0; i < whole->count; i++)
        for (const char *at = WCTS_PLAN_CASE(whole, i)->id + 1; *at; at++)
            if (looks_like_a_rule(at))
                ck_abort_msg("%s", WCTS_PLAN_CASE(whole, i)->id);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wanted");
    TCase *tests = tcase_create("wanted");
    tcase_add_unchecked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_id_is_planned_with_its_rule_and_what_it_rests_on);
    tcase_add_test(tests, a_statement_is_planned_with_all_its_rules);
    tcase_add_loop_test(tests, a_filter_is_planned_as_far_as_it_may_match, 0,
                        sizeof filters / sizeof *filters);
    tcase_add_test(tests, several_filters_are_planned_together);
    tcase_add_test(tests, a_prefix_stands_at_the_beginning_alone);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
