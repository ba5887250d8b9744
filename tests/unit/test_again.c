/* SPDX-License-Identifier: MIT */
/*
 * When the recording of a scenario is judged for another of its effects instead of performing it
 * again: not if one of its kinds, judged for that effect, would have ended it sooner. The judge is
 * replaced.
 */
#include <stdlib.h>

#include "runner/judge/judge.h"
#include "runner/run/again.h"
#include "suite.h"

#define KINDS 3

static struct wcts_exchange_boot boots[KINDS];
static int broken_boot;   /* that shows a breach; -1: none does */
static int deciding_boot; /* of which a finding depends on the level; -1: none does */

void __wrap_wcts_run_judge_recording(struct wcts_machine_session *session,
                                     const struct wcts_case *test,
                                     struct wcts_exchange_recording *recording,
                                     struct wcts_finding *finding);
const char *__wrap_wcts_judge_not_claimed(const struct wcts_judge *judge,
                                          const struct wcts_case *test);

void __wrap_wcts_run_judge_recording(struct wcts_machine_session *session,
                                     const struct wcts_case *test,
                                     struct wcts_exchange_recording *recording,
                                     struct wcts_finding *finding)
{
    const int boot = (int)(recording->boots - boots);
    (void)test;
    finding->found = boot == broken_boot ? WCTS_FOUND_BROKEN : WCTS_FOUND_KEPT;
    if (boot == deciding_boot)
        session->strictness.differs = wcts_model_level_bit(WCTS_LEVEL_STRICT);
}

const char *__wrap_wcts_judge_not_claimed(const struct wcts_judge *judge,
                                          const struct wcts_case *test)
{
    (void)judge;
    (void)test;
    return NULL;
}

/* True if what was performed for test 0 is judged for test 1. */
static bool takes_up(bool kinds, int broken, int deciding)
{
    struct wcts_rule rules[2] = {{.form = WCTS_FORM_EFFECT_REPLY},
                                 {.form = WCTS_FORM_EFFECT_REPLY}};
    const struct wcts_spec spec = {.rules = rules, .rules_count = 2};
    const struct wcts_scenario scenario = {.kinds = kinds};
    const struct wcts_case first = {.scenario = &scenario};
    const struct wcts_case next = {.index = 1, .rule = 1, .scenario = &scenario};
    struct wcts_machine_session *session = calloc(1, sizeof *session);
    bool taken;
    ck_assert_ptr_nonnull(session);
    session->spec = &spec;
    session->recording.boots = boots;
    session->recording.count = KINDS;
    wcts_run_keep(session, &first);
    broken_boot = broken;
    deciding_boot = deciding;
    taken = wcts_run_take_up(session, &next);
    ck_assert(!taken || session->performed.test == &next);
    free(session);
    return taken;
}

START_TEST(all_kinds_were_performed)
{
    ck_assert(takes_up(true, -1, -1));
    /* The last kind ends nothing sooner. */
    ck_assert(takes_up(true, KINDS - 1, -1));
    ck_assert(takes_up(true, -1, KINDS - 1));
}
END_TEST

START_TEST(a_kind_before_the_last_would_have_ended_it)
{
    for (int i = 0; i + 1 < KINDS; i++) {
        ck_assert(!takes_up(true, i, -1));
        ck_assert(!takes_up(true, -1, i));
    }
}
END_TEST

START_TEST(without_kinds_nothing_ends_it)
{
    ck_assert(takes_up(false, 0, 0));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("again");
    TCase *kinds = tcase_create("kinds");
    tcase_add_test(kinds, all_kinds_were_performed);
    tcase_add_test(kinds, a_kind_before_the_last_would_have_ended_it);
    tcase_add_test(kinds, without_kinds_nothing_ends_it);
    suite_add_tcase(suite, kinds);
    return suite_run(suite);
}
