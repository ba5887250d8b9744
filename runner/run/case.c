/* SPDX-License-Identifier: MIT */
/* Running one case of each kind with machine and judge together. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

#include "../machine/tape.h"
#include "perform.h"
#include "sequence.h"
#include "watch.h"

/* The boot whose messages -v shows: the test's, or that of the kind that decides. */
static void print_trace(const struct wcts_session *session)
{
    const struct wcts_boot *shown = NULL;
    for (int i = 0; i < session->recording.count; i++)
        if (session->recording.boots[i].purpose == WCTS_FOR_TEST)
            shown = &session->recording.boots[i];
    if (session->options.trace && shown)
        wcts_exchange_print(session->options.trace, session->spec, &shown->exchange, 0);
}

/* Of a sequence: the judge sees that there was no instance, only the session knows why. */
static void explain_no_instance(const struct wcts_session *session, const struct wcts_case *test,
                                struct wcts_finding *finding)
{
    const char *version = session->spec->versions[test->version].name;
    if (session->no_instance[0] == '\0' || finding->found != WCTS_FOUND_TROUBLE)
        return;
    if (session->reference_lacks)
        wcts_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE, "WDDM %s: %s", version,
                          session->no_instance);
    else
        wcts_finding_set(finding, WCTS_FOUND_TROUBLE, "WDDM %s: %s", version, session->no_instance);
}

void wcts_session_judge(struct wcts_session *session, const struct wcts_case *test,
                        struct wcts_finding *finding)
{
    const struct wcts_judge judge = {session->plan, &session->eval, &session->claims};
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    const char *reason = wcts_judge_not_claimed(&judge, test);
    if (reason) {
        wcts_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s", reason);
    } else if (test->kind == WCTS_KIND_SEQUENCE) {
        wcts_walk_run(session, test, finding);
        explain_no_instance(session, test, finding);
    } else if (test->scenario && pages) {
        wcts_walk_run_scenario(session, test, finding);
        explain_no_instance(session, test, finding);
    } else if (test->scenario) {
        wcts_run_scenario(session, test, finding);
        print_trace(session);
    } else {
        wcts_perform(session, test);
        print_trace(session);
        wcts_judge_test(&judge, test, &session->recording, &session->strictness, finding);
    }
}

static struct wcts_finding find_at(struct wcts_session *session, const struct wcts_case *test,
                                   enum wcts_level level)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    session->strictness = (struct wcts_strictness){.level = level};
    wcts_session_judge(session, test, &finding);
    if (test->kind != WCTS_KIND_SEQUENCE)
        wcts_session_excuse(session, test, &finding);
    finding.levels = WCTS_LEVELS_ALL & ~session->strictness.differs;
    return finding;
}

/* Runs the case at a level, and again at those at which a decision would have been another. */
static void find_all(struct wcts_session *session, const struct wcts_case *test,
                     struct wcts_result *result)
{
    static const enum wcts_level order[] = {WCTS_LEVEL_DOCUMENTED, WCTS_LEVEL_STRICT,
                                            WCTS_LEVEL_BINDING};
    unsigned left = session->options.levels ? session->options.levels : WCTS_LEVELS_ALL;
    unsigned known = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct wcts_finding finding;
        if (!(left & wcts_level_bit(order[i])))
            continue;
        finding = find_at(session, test, order[i]);
        if (known == 0)
            result->walk = session->walked;
        finding.levels &= ~known;
        known |= finding.levels;
        left &= ~known;
        if (left && session->options.each)
            session->options.each(session->options.each_ctx, &finding);
        wcts_finding_add(&result->finding, &finding);
    }
}

void wcts_session_run(struct wcts_session *session, const struct wcts_case *test,
                      struct wcts_result *result)
{
    double begin = wcts_watch_now();
    *result = (struct wcts_result){.verdict = WCTS_VERDICT_BROKEN};
    session->answered = (struct wcts_answered){0};
    session->walked = (struct wcts_walk_numbers){0};
    if (session->tape)
        wcts_tape_begin(session->tape, &session->claims);
    find_all(session, test, result);
    if (session->tape)
        wcts_tape_end(session->tape, &result->tape);
    result->answered = session->answered;
    result->nanoseconds = (uint64_t)((wcts_watch_now() - begin) * 1e9);
}
