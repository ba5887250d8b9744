/* SPDX-License-Identifier: MIT */
/* Running one case of each kind with machine and judge together. */
#include "case.h"

#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "guilty.h"
#include "perform.h"
#include "sequence.h"
#include "tour.h"

/* Performs the scenario for each kind, until one shows a breach. Returns true if none does. A kind
 * that cannot be moved keeps those beside it from being seen, so that each of them is tried again
 * beside others of its own kind. */
static bool perform_each_kind(struct wcts_machine_session *session, const struct wcts_case *test)
{
    bool more = true, wrong = false;
    wcts_exchange_recording_clear(&session->recording);
    for (session->kind = 0; more && !wrong; session->kind++) {
        const struct wcts_exchange_boot *boot = wcts_run_perform(session, test);
        const uint8_t *reply;
        uint32_t size;
        int kinds = boot ? (int)wcts_exchange_kinds(&boot->exchange, &reply, &size) : 0;
        more = session->kind + 1 < kinds;
        wrong = more && wcts_run_shows_breach(session, test, session->recording.count - 1);
        if (wrong || kinds < 2 || wcts_run_unshown(session->spec, boot) == 0)
            continue;
        session->kind_alone = true;
        wcts_run_perform(session, test);
        session->kind_alone = false;
        wrong = more && wcts_run_shows_breach(session, test, session->recording.count - 1);
    }
    session->kind = -1;
    return !wrong;
}

static void perform_scenario(struct wcts_machine_session *session, const struct wcts_case *test)
{
    if (!test->scenario->kinds) {
        wcts_exchange_recording_clear(&session->recording);
        wcts_run_perform_some_kind(session, test);
    } else if (!perform_each_kind(session, test)) {
        return;
    }
    wcts_run_keep(session, test);
}

/* True for a breach that can be reproduced and is to be shrunk. */
static bool is_shrunk(const struct wcts_machine_session *session, const struct wcts_case *test,
                      const struct wcts_finding *finding)
{
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    return test->scenario && !pages && !test->scenario->kinds &&
           finding->found == WCTS_FOUND_BROKEN && !finding->broken;
}

/* Of a combination nobody knows which of its facts are to blame. */
static bool is_blamed(const struct wcts_case *test, const struct wcts_finding *finding)
{
    return test->kind == WCTS_KIND_COMBINATION && finding->reason &&
           (finding->found == WCTS_FOUND_BROKEN || finding->found == WCTS_FOUND_DECLINED);
}

void wcts_run_reduce(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_finding *finding)
{
    if (session->options.verdicts_only || session->options.trace)
        return; /* -v shows the messages of the case as it is */
    if (is_shrunk(session, test, finding))
        wcts_run_shrink_scenario(session, test, finding);
    if (is_blamed(test, finding))
        wcts_run_find_guilty(session, test, finding);
}

/* Runs what is no sequence. How many kinds a scenario goes through depends on the level. */
static void run_script(struct wcts_machine_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    const struct wcts_exchange_recording *recording = &session->recording;
    const bool known = session->performed.test == test;
    if (!known && test->scenario)
        perform_scenario(session, test);
    if (known || test->scenario)
        wcts_run_judge_recording(session, test, &session->recording, finding);
    else
        wcts_run_once(session, test, finding);
    session->performed.test = test->scenario && test->scenario->kinds ? NULL : test;
    if (session->options.trace && recording->count > 0)
        wcts_exchange_print(session->options.trace, session->spec,
                            &recording->boots[recording->evidence].exchange, 0);
}

/* Of a sequence: the judge sees that there was no instance, only the session knows why. */
static void explain_unopened(const struct wcts_machine_session *session,
                             const struct wcts_case *test, struct wcts_finding *finding)
{
    if (session->no_instance[0])
        wcts_judge_no_instance(session->spec, test, session->no_instance, session->reference_lacks,
                               finding);
}

void wcts_run_judge(struct wcts_machine_session *session, const struct wcts_case *test,
                    struct wcts_finding *finding)
{
    const struct wcts_judge judge = {
        .plan = session->plan, .eval = &session->eval, .claims = &session->claims};
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    const char *reason = wcts_judge_not_claimed(&judge, test);
    if (session->performed.test != test) {
        wcts_exchange_recording_clear(&session->recording);
        session->performed = (struct wcts_machine_performed){0};
    }
    if (reason) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s", reason);
    } else if (test->kind == WCTS_KIND_SEQUENCE) {
        wcts_run_walk_run(session, test, finding);
        explain_unopened(session, test, finding);
    } else if (test->kind == WCTS_KIND_TOUR) {
        wcts_run_tour(session, test, finding);
    } else if (test->scenario && pages) {
        wcts_run_walk_run_scenario(session, test, finding);
        explain_unopened(session, test, finding);
    } else {
        run_script(session, test, finding);
    }
}
