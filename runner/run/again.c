/* SPDX-License-Identifier: MIT */
#include "again.h"

#include <string.h>

#include "../judge/judge.h"
#include "perform.h"

bool wcts_run_shows_breach(struct wcts_machine_session *session, const struct wcts_case *test,
                           int boot)
{
    struct wcts_exchange_recording one = {.boots = &session->recording.boots[boot], .count = 1};
    struct wcts_finding found = {.found = WCTS_FOUND_TROUBLE};
    const unsigned differs = session->strictness.differs;
    bool wrong;
    session->strictness.differs = 0;
    wcts_run_judge_recording(session, test, &one, &found);
    wrong = !wcts_judge_found_nothing_wrong(found.found);
    if (found.found == WCTS_FOUND_KEPT && session->strictness.differs == 0)
        one.boots->kept_alone = test->index + 1;
    session->strictness.differs |= differs;
    wcts_model_finding_release(&found);
    return wrong;
}

void wcts_run_keep(struct wcts_machine_session *session, const struct wcts_case *test)
{
    session->performed = (struct wcts_machine_performed){.scenario = test->scenario,
                                                         .index = test->index,
                                                         .version = test->version,
                                                         .page_size = test->page_size,
                                                         .written = session->stream.strip.size,
                                                         .answered = session->answered};
    memcpy(session->performed.values, test->values, sizeof session->performed.values);
}

static bool is_performed_alike(const struct wcts_machine_performed *performed,
                               const struct wcts_case *test)
{
    return performed->scenario && performed->scenario == test->scenario &&
           performed->version == test->version && performed->page_size == test->page_size &&
           memcmp(performed->values, test->values, sizeof performed->values) == 0;
}

/* Its kinds would end with the first that shows a breach, which depends on rule and level. */
static bool would_end_sooner(struct wcts_machine_session *session, const struct wcts_case *test)
{
    bool sooner = false;
    session->strictness = (struct wcts_strictness){.level = WCTS_LEVEL_DOCUMENTED};
    for (int i = 0; !sooner && test->scenario->kinds && i + 1 < session->recording.count; i++)
        sooner = wcts_run_shows_breach(session, test, i) || session->strictness.differs != 0;
    return sooner;
}

bool wcts_run_take_up(struct wcts_machine_session *session, const struct wcts_case *test)
{
    struct wcts_machine_performed *performed = &session->performed;
    const struct wcts_judge judge = {
        .plan = session->plan, .eval = &session->eval, .claims = &session->claims};
    bool pages = session->spec->rules[test->rule].form == WCTS_FORM_EFFECT_PAGES;
    if (pages || !is_performed_alike(performed, test) || test->index <= performed->index ||
        wcts_exchange_stream_reads(&session->stream) ||
        session->stream.strip.size != performed->written || wcts_judge_not_claimed(&judge, test) ||
        would_end_sooner(session, test))
        return false;
    performed->test = test;
    performed->index = test->index;
    session->answered = performed->answered;
    if (session->options.stores)
        wcts_exchange_stream_resume(&session->stream);
    return true;
}
