/* SPDX-License-Identifier: MIT */
/* One case: at each level at which a decision differs, with the rules below a broken one. */
#include <stddef.h>

#include "../base/checksum.h"
#include "../judge/profile.h"
#include "again.h"
#include "case.h"
#include "watch.h"

/* Before anything else is performed. */
static void see_profile(struct wcts_machine_session *session, const struct wcts_case *test,
                        struct wcts_profile_seen *seen)
{
    const struct wcts_judge judge = {
        .plan = session->plan, .eval = &session->eval, .claims = &session->claims};
    if (session->options.profile)
        wcts_judge_profile_see(&judge, session->options.profile, test, &session->recording, seen);
    if (session->options.see)
        session->options.see(session->options.see_ctx, test, &session->recording);
}

/* seen: NULL if it is known. */
static struct wcts_finding find_at(struct wcts_machine_session *session,
                                   const struct wcts_case *test, enum wcts_level level,
                                   struct wcts_profile_seen *seen)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    session->strictness = (struct wcts_strictness){.level = level};
    session->no_instance[0] = '\0';
    wcts_run_judge(session, test, &finding);
    if (seen)
        see_profile(session, test, seen);
    if (!wcts_model_is_drawn(test->kind) || finding.observed)
        wcts_run_excuse(session, test, &finding);
    wcts_run_reduce(session, test, &finding);
    finding.levels = WCTS_LEVELS_ALL & ~session->strictness.differs;
    return finding;
}

/* Runs the case at a level, and again at those at which a decision would have been another; where
 * that decides nothing about what is sent, it is only judged again. */
static void find_all(struct wcts_machine_session *session, const struct wcts_case *test,
                     struct wcts_result *result)
{
    static const enum wcts_level order[] = {WCTS_LEVEL_DOCUMENTED, WCTS_LEVEL_STRICT,
                                            WCTS_LEVEL_BINDING};
    unsigned left = session->options.levels ? session->options.levels : WCTS_LEVELS_ALL;
    unsigned known = 0;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct wcts_finding finding;
        if (!(left & wcts_model_level_bit(order[i])))
            continue;
        finding = find_at(session, test, order[i], known == 0 ? &result->seen : NULL);
        if (known == 0)
            result->walk = session->walked;
        finding.levels &= ~known;
        known |= finding.levels;
        left &= ~known;
        if (left && session->options.each)
            session->options.each(session->options.each_ctx, &finding);
        wcts_model_finding_add(&result->finding, &finding);
    }
}

void wcts_run_case(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_result *result)
{
    double begin = wcts_run_watch_now();
    *result = (struct wcts_result){.verdict = WCTS_VERDICT_BROKEN};
    session->walked = (struct wcts_walk_numbers){0};
    if (!wcts_run_take_up(session, test)) {
        session->answered = (struct wcts_answered){0};
        session->performed = (struct wcts_machine_performed){0};
        if (session->options.stores)
            wcts_exchange_stream_write(&session->stream);
        wcts_exchange_stream_same(
            &session->stream,
            wcts_checksum(0, &session->claims, offsetof(struct wcts_claims, remarks)),
            "the record is of an implementation that claimed something else");
    }
    find_all(session, test, result);
    result->answered = session->answered;
    result->nanoseconds = (uint64_t)((wcts_run_watch_now() - begin) * 1e9);
}

const char *wcts_run_case_again(struct wcts_machine_session *session, const struct wcts_case *test,
                                const struct wcts_stored *stored, struct wcts_result *result)
{
    wcts_exchange_stream_read(&session->stream, stored->bytes, stored->raw);
    wcts_run_case(session, test, result);
    return wcts_exchange_stream_fault(&session->stream);
}
