/* SPDX-License-Identifier: MIT */
/*
 * Planning what the spec itself may have no example of: the effects and scenarios of
 * tests/data/plan, beside the spec. Runs in the top directory.
 */
#include <stdio.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/oracle/world.h"
#include "runner/plan/plan.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_plan *plan;
static struct wcts_eval eval;

static void load(const char *file)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_load_spec_load("spec", "cases", &file, 1, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = wcts_plan_make(spec, NULL, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    ck_assert_int_eq(diagnostics.errors, 0);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void tear_down(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
}

/* Each fact is of a member of the structure that its instance is: else the planner writes behind
 * the instance's values. Returns how many facts are of the structure named. */
static int check_facts(const struct wcts_case *test, const char *structure)
{
    struct wcts_world world;
    int found = 0;
    ck_assert(wcts_world_init_base(&world, &eval, test->base, test->version, test->page_size));
    for (int i = 0; i < test->fact_count; i++) {
        const struct wcts_fact *fact = &test->facts[i];
        ck_assert_int_lt(fact->instance, world.count);
        ck_assert_msg(world.instances[fact->instance].structure == fact->ref.structure,
                      "%s: a fact of %s at a %s", test->id,
                      spec->structures[fact->ref.structure].name,
                      spec->structures[world.instances[fact->instance].structure].name);
        found += strcmp(spec->structures[fact->ref.structure].name, structure) == 0;
    }
    wcts_world_release(&world);
    return found;
}

START_TEST(flags_of_a_call_vary_for_its_elements)
{
    int of_the_call = 0;
    load("tests/data/plan/element.xml");
    for (int i = 0; i < plan->count; i++)
        if (strncmp(WCTS_PLAN_CASE(plan, i)->id, "PLN-001/", strlen("PLN-001/")) == 0)
            of_the_call += check_facts(WCTS_PLAN_CASE(plan, i), "D3DKMT_CREATEALLOCATION");
    ck_assert_int_gt(of_the_call, 0);
}
END_TEST

/* Ids are whole, however long: cut off, those that differ at their end would be one case. */
START_TEST(long_ids_are_whole)
{
    int cases = 0, last = 0;
    load("tests/data/plan/long.xml");
    for (int i = 0; i < plan->count; i++) {
        const char *id = WCTS_PLAN_CASE(plan, i)->id;
        const char *end = strstr(id, ",third-");
        if (!end || !strstr(id, "/scenario-a"))
            continue;
        ck_assert_uint_gt(strlen(id), 256);
        ck_assert_msg(strstr(end, "-0x0") || strstr(end, "-0x1"), "%s", id);
        last += strstr(end, "-0x1") != NULL;
        cases++;
    }
    ck_assert_int_ge(cases, 8);
    ck_assert_int_eq(cases, 2 * last);
}
END_TEST

/* A structure that several messages have: an effect of one of them is shown by its calls alone, or
 * a driver would be asked for what its kernel has to do. */
START_TEST(an_effect_in_a_message_is_shown_by_its_calls)
{
    int cases = 0;
    load("tests/data/plan/element.xml");
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        const struct wcts_effect *effect = spec->rules[test->rule].effect;
        if (!effect || effect->in < 0)
            continue;
        cases++;
        if (test->kind != WCTS_KIND_EFFECT)
            continue;
        ck_assert_msg(spec->cases->steps[spec->cases->bases[test->base].step].message == effect->in,
                      "%s: expected a call of %s", test->id, spec->messages[effect->in].name);
    }
    ck_assert_int_gt(cases, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plan cases");
    TCase *tcase = tcase_create("plan cases");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, flags_of_a_call_vary_for_its_elements);
    tcase_add_test(tcase, long_ids_are_whole);
    tcase_add_test(tcase, an_effect_in_a_message_is_shown_by_its_calls);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
