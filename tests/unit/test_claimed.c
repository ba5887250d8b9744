/* SPDX-License-Identifier: MIT */
/* Tests of one drawn version, at versions that are claimed. Runs in the top directory. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/base/map.h"
#include "runner/base/text.h"
#include "runner/generate/combine.h"
#include "runner/plan/claimed.h"
#include "runner/plan/mustpass.h"
#include "suite.h"

#define ALL (~UINT64_C(0))
/* Each so many ids are looked up in another plan. */
#define STRIDE 907

static struct wcts_spec *spec;
static struct wcts_generate_combinations combinations;
static struct wcts_plan *plan;
static struct wcts_case *planned; /* the tests as they are planned */

static struct wcts_plan *make(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    const struct wcts_plan_options options = {.steps = 2000,
                                              .tours = 200,
                                              .seed = 1,
                                              .combinations = combinations.list,
                                              .combination_count = combinations.count};
    struct wcts_plan *made = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(made);
    return made;
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert(spec && wcts_generate_combine(spec, 2, &combinations));
    plan = make();
    planned = wcts_plan_cases(plan);
    ck_assert_ptr_nonnull(planned);
}

static void tear_down(void)
{
    free(planned);
    wcts_plan_free(plan);
    wcts_generate_combinations_release(&combinations);
    wcts_load_spec_free(spec);
}

static int version_of(const char *name)
{
    int version = wcts_model_spec_version(spec, name);
    ck_assert_int_ge(version, 0);
    return version;
}

/* The tests of the plan as they are now, with the indices of their ids. */
static struct wcts_case *list(struct wcts_map *ids)
{
    struct wcts_case *cases = wcts_plan_cases(plan);
    ck_assert_ptr_nonnull(cases);
    for (int i = 0; i < plan->count; i++) {
        ck_assert_msg(wcts_map_get(ids, cases[i].id, -1) < 0, "twice: %s", cases[i].id);
        ck_assert(wcts_map_add(ids, cases[i].id, i));
    }
    return cases;
}

/* The id of a test in a state as it would be in none, at a version. */
static void without_state(struct wcts_text *id, const struct wcts_case *test, int version)
{
    const char *name = wcts_plan_series(plan, test->index)->name;
    const char *state = spec->cases->states[test->state - 1].name;
    const char *slash = strchr(strchr(test->id, '/') + 1, '/');
    wcts_text_add(id, "%.*s/%s%s", (int)(slash - test->id), test->id, spec->versions[version].id,
                  name + 1 + strlen(state));
}

/* ---- Which are moved, and where ---- */

START_TEST(all_versions_are_the_plan)
{
    const int counts[] = {plan->count, plan->series_count};
    ck_assert(wcts_plan_claim(plan, ALL));
    ck_assert(plan->count == counts[0] && plan->series_count == counts[1]);
    for (int i = 0; i < plan->count; i++)
        ck_assert_str_eq(WCTS_PLAN_CASE(plan, i)->id, planned[i].id);
}
END_TEST

static void check_stays(const struct wcts_case *test, const struct wcts_case *before)
{
    ck_assert_str_eq(test->id, before->id);
    ck_assert_int_eq(test->expect, before->expect);
}

/* True if another test has the id that this one would have at the version: of one name there may be
 * two, with other twins. */
static bool is_taken(const struct wcts_case *test, const struct wcts_map *ids, int version)
{
    const char *name = wcts_plan_series(plan, test->index)->name;
    const char *slash = strchr(strchr(test->id, '/') + 1, '/');
    WCTS_TEXT(id);
    wcts_text_add(&id, "%.*s/%s%s", (int)(slash - test->id), test->id, spec->versions[version].id,
                  name);
    return wcts_map_get(ids, wcts_text_get(&id), -1) >= 0;
}

/* What a state does not change is planned in none at the version, too. */
static void check_in_state(const struct wcts_case *test, const struct wcts_map *ids,
                           const struct wcts_case *cases, int version)
{
    WCTS_TEXT(id);
    without_state(&id, test, version);
    int plain = wcts_map_get(ids, wcts_text_get(&id), -1);
    if (test->version == version) {
        ck_assert_msg(plain >= 0, "%s, without %s", test->id, wcts_text_get(&id));
        ck_assert_msg(cases[plain].expect == test->expect && cases[plain].strict == test->strict &&
                          cases[plain].gap == test->gap && cases[plain].needs == test->needs,
                      "%s is not as %s", test->id, cases[plain].id);
    } else {
        const struct wcts_base_state *state = &spec->cases->states[test->state - 1];
        ck_assert_msg(plain < 0 || version < state->since || version >= state->until ||
                          is_taken(test, ids, version),
                      "%s is left, and %s is there", test->id, wcts_text_get(&id));
    }
}

START_TEST(one_version_has_all_that_are_tests_there)
{
    static const char *const names[] = {"1.0", "2.0", "2.6", "3.2"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const int version = version_of(names[n]);
        struct wcts_map ids = {0};
        int moved = 0, left = 0;
        ck_assert(wcts_plan_claim(plan, wcts_plan_version_bit(version)));
        struct wcts_case *cases = list(&ids);
        for (int i = 0; i < plan->count; i++) {
            bool there = cases[i].version == version;
            if (!there || planned[i].version == version || !wcts_plan_may_move(plan, i))
                check_stays(&cases[i], &planned[i]);
            moved += there && planned[i].version != version;
            left += !there && wcts_plan_may_move(plan, i);
            if (cases[i].state && cases[i].kind <= WCTS_KIND_EFFECT)
                check_in_state(&cases[i], &ids, cases, version);
        }
        ck_assert_msg(moved > (version < version_of("2.0") ? 1000 : 10000), "%s: %d moved, %d left",
                      names[n], moved, left);
        wcts_map_release(&ids);
        free(cases);
    }
}
END_TEST

/* A row breaks what it was made to break, alone. */
START_TEST(rows_are_what_they_were)
{
    const int version = version_of("2.6");
    int moved = 0;
    ck_assert(wcts_plan_claim(plan, wcts_plan_version_bit(version)));
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        int rules[WCTS_BREAKS_MAX];
        if (test->kind != WCTS_KIND_COMBINATION || test->version == planned[i].version)
            continue;
        int broken = wcts_oracle_case_breaks(spec, test, rules);
        ck_assert_msg(test->expect == planned[i].expect && test->rule == planned[i].rule &&
                          test->twin_count == planned[i].twin_count,
                      "%s", test->id);
        ck_assert_msg(test->twin_count < 0 ? broken == 0 : broken >= 1, "%s breaks %d", test->id,
                      broken);
        bool own = broken == 0;
        for (int k = 0; k < broken; k++)
            own = own || rules[k] == test->rule;
        ck_assert_msg(own, "%s", test->id);
        moved++;
    }
    ck_assert_int_gt(moved, 1500);
}
END_TEST

/* A further version takes those that prefer it, and moves no other; what the plan has at one of
 * them stays there. */
START_TEST(a_further_version_takes_its_own)
{
    const int one = version_of("2.0"), other = version_of("2.6");
    int taken = 0;
    ck_assert(wcts_plan_claim(plan, wcts_plan_version_bit(one)));
    struct wcts_case *at_one = wcts_plan_cases(plan);
    ck_assert(wcts_plan_claim(plan, wcts_plan_version_bit(one) | wcts_plan_version_bit(other)));
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->kind == WCTS_KIND_TOUR || test->kind == WCTS_KIND_COMBINATION)
            continue;
        if (planned[i].version == one || planned[i].version == other)
            ck_assert_str_eq(test->id, planned[i].id);
        else if (test->version != other && at_one[i].version == one)
            ck_assert_str_eq(test->id, at_one[i].id);
        else
            taken += test->version == other;
    }
    ck_assert_int_gt(taken, 3000);
    free(at_one);
    ck_assert(wcts_plan_claim(plan, ALL));
    for (int i = 0; i < plan->count; i++)
        ck_assert_str_eq(WCTS_PLAN_CASE(plan, i)->id, planned[i].id);
}
END_TEST

/* How many tests of the scenario are at the version; *all: that it has. */
static int count_at(const char *scenario, int version, int *all)
{
    int count = 0;
    *all = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_series *series = wcts_plan_series(plan, i);
        if (series->kind != WCTS_KIND_SCENARIO ||
            strcmp(spec->cases->scenarios[series->scenario].name, scenario) != 0)
            continue;
        (*all)++;
        count += plan->tests[i].version == version;
    }
    return count;
}

/* flag-words-from is at 1.0, 2.0 and 3.2; mapped-long at 2.0 and 2.1, or later; hinted-bank-from-
 * the-end ends with 1.3. */
START_TEST(scenarios_are_at_versions_between_theirs)
{
    static const struct {
        const char *scenario;
        const char *claimed[2];
        const char *at;
        bool there;
    } rows[] = {{"flag-words-from", {"2.6", NULL}, "2.6", true},
                {"flag-words-from", {"1.2", NULL}, "1.2", true},
                {"flag-words-from", {"2.0", "2.6"}, "2.6", false},
                {"flag-words-from", {"2.0", "2.6"}, "2.0", true},
                {"mapped-long", {"2.6", NULL}, "2.6", true},
                {"mapped-long", {"3.2", NULL}, "3.2", true},
                {"mapped-long", {"1.3", NULL}, "1.3", false},
                {"hinted-bank-from-the-end", {"2.0", NULL}, "2.0", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t versions = 0;
        int before, after, count;
        for (int k = 0; k < 2 && rows[i].claimed[k]; k++)
            versions |= wcts_plan_version_bit(version_of(rows[i].claimed[k]));
        ck_assert(wcts_plan_claim(plan, ALL));
        count_at(rows[i].scenario, 0, &before);
        ck_assert(wcts_plan_claim(plan, versions));
        count = count_at(rows[i].scenario, version_of(rows[i].at), &after);
        ck_assert_msg(before > 0 && before == after && (count > 0) == rows[i].there,
                      "%s: %d at %s, of %d and %d", rows[i].scenario, count, rows[i].at, before,
                      after);
    }
}
END_TEST

/* ---- Ids ---- */

START_TEST(ids_are_found_at_any_version)
{
    struct wcts_plan *other = make();
    const int count = other->count;
    int added = 0;
    ck_assert(wcts_plan_claim(plan, wcts_plan_version_bit(version_of("2.0"))));
    for (int i = 0; i < plan->count; i += STRIDE) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        ck_assert_msg(wcts_plan_is_anywhere(other, test->id) && other->count == count, "%s",
                      test->id);
        int found = wcts_plan_find_anywhere(other, test->id);
        const struct wcts_case *same = WCTS_PLAN_CASE(other, found);
        ck_assert_str_eq(same->id, test->id);
        ck_assert_msg(same->expect == test->expect && same->strict == test->strict &&
                          same->twin_count == test->twin_count && same->state == test->state,
                      "%s", test->id);
        added += other->count > count;
        other->count = count;
    }
    ck_assert_int_gt(added, 10);
    ck_assert_int_eq(wcts_plan_find_anywhere(other, "no/such/case"), -1);
    ck_assert_int_eq(wcts_plan_find_anywhere(other, "AIN/walk/wddm2_0/2-1"), -1);
    wcts_plan_free(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("claimed");
    TCase *tcase = tcase_create("claimed");
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, all_versions_are_the_plan);
    tcase_add_test(tcase, one_version_has_all_that_are_tests_there);
    tcase_add_test(tcase, rows_are_what_they_were);
    tcase_add_test(tcase, a_further_version_takes_its_own);
    tcase_add_test(tcase, scenarios_are_at_versions_between_theirs);
    tcase_add_test(tcase, ids_are_found_at_any_version);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
