/* SPDX-License-Identifier: MIT */
/* Sequences as cases: run, shrunk, reported. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../plan/sequence.h"
#include "sequence.h"
#include "shrink.h"
#include "watch.h"

/* Steps that shrinking may try: it bounds the time, and is the same on every machine. */
#define SHRINK_BUDGET 40000

/* ---- Shrinking ---- */

/* Shrinking of a slow implementation must end before the case's time is over. */
#define SHRINK_SECONDS 3.0

/* A failure to be reproduced. */
struct run_reproduction {
    struct wcts_machine_session *session;
    struct wcts_run_walker *walk;
    const struct wcts_case *test;
    struct wcts_judge_walk_failure failure;
    double since;
    const struct wcts_oracle_walk_sequence *sequence; /* to be tried */
};

static bool is_among(int rule, const struct wcts_judge_walk_failure *failure)
{
    bool found = rule == failure->rule;
    for (int i = 0; i < failure->other_count; i++)
        found = found || rule == failure->others[i];
    return found;
}

/* The effect that a wrong refusal breaks depends on what else the call holds. A wrongly accepted
 * call may break several rules: the fewer are left, the clearer which one it is. */
bool wcts_run_walk_same(const struct wcts_judge_walk_failure *failure,
                        const struct wcts_judge_walk_failure *that)
{
    if (failure->breach != that->breach || failure->fails != that->fails)
        return false;
    if (failure->breach == WCTS_WALK_REFUSED)
        return true;
    for (int i = 0; i < failure->other_count; i++)
        if (!is_among(failure->others[i], that))
            return false;
    return is_among(failure->rule, that);
}

static bool fails_in_time(void *ctx)
{
    struct run_reproduction *again = ctx;
    struct wcts_judge_walk_outcome outcome;
    if (wcts_run_watch_now() - again->since > SHRINK_SECONDS)
        return false;
    wcts_run_walk_perform(again->session, again->walk, again->test, again->sequence, &outcome);
    return wcts_run_walk_same(&outcome.failure, &again->failure);
}

static bool fails_again(void *ctx, const struct wcts_oracle_walk_sequence *sequence)
{
    struct run_reproduction *again = ctx;
    again->sequence = sequence;
    return wcts_run_try(again->session, fails_in_time, again);
}

/* ---- Reporting ---- */

/* The messages of the walk that was taken last. */
static const struct wcts_exchange *walk_exchange(const struct wcts_machine_session *session)
{
    static const struct wcts_exchange none;
    const struct wcts_exchange_boot *boot =
        wcts_exchange_recording_find(&session->recording, WCTS_FOR_TEST);
    return boot ? &boot->exchange : &none;
}

static char *sequence_detail(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                             const struct wcts_case *test,
                             const struct wcts_oracle_walk_sequence *sequence, int rule)
{
    struct wcts_case about = *test; /* what is broken */
    about.rule = rule;
    about.statement = session->spec->rules[rule].statement;
    char *evidence = wcts_judge_evidence_text(session->plan, &about, walk_exchange(session), NULL);
    char *words = wcts_run_walk_words(&walk->shape, sequence, "    ");
    char *text = NULL;
    if (evidence && words && asprintf(&text, "%s" WCTS_SHRUNK "%s", evidence, words) < 0)
        text = NULL;
    free(evidence);
    free(words);
    return text;
}

static char *scenario_of(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                         const struct wcts_case *test,
                         const struct wcts_oracle_walk_sequence *sequence,
                         const struct wcts_judge_walk_failure *failure)
{
    const struct wcts_spec *spec = session->spec;
    const struct wcts_statement *statement =
        &spec->statements[spec->rules[failure->rule].statement];
    char *words = wcts_run_walk_words(&walk->shape, sequence, "  "), *comment = NULL, *text = NULL;
    char name[WCTS_ID_ROOM];
    snprintf(name, sizeof name, "%s", test->id);
    for (char *at = name; *at; at++)
        if (*at == '/')
            *at = '-';
    if (words && asprintf(&comment, "  %s: %s\n  step %d: %s\n%s", statement->id, statement->text,
                          failure->step + 1, failure->text, words) >= 0)
        text = wcts_run_walk_scenario(&walk->shape, sequence, name, test->version, failure->rule,
                                      comment);
    free(comment);
    free(words);
    return text;
}

static void report_failure(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                           const struct wcts_case *test,
                           const struct wcts_oracle_walk_sequence *sequence,
                           const struct wcts_judge_walk_failure *failure,
                           struct wcts_finding *finding)
{
    const struct wcts_spec *spec = session->spec;
    const struct wcts_rule *rule = &spec->rules[failure->rule];
    bool declined = failure->breach == WCTS_WALK_REFUSED;
    if (declined)
        wcts_model_finding_set(finding, failure->found, "valid call refused, step %d of %d: %s",
                               failure->step + 1, sequence->count, failure->text);
    else
        wcts_model_finding_set(finding, failure->found, "%s, step %d of %d: %s (%s)", rule->id,
                               failure->step + 1, sequence->count, failure->text,
                               spec->statements[rule->statement].text);
    finding->broken = declined ? 0 : failure->rule + 1;
    finding->detail = sequence_detail(session, walk, test, sequence, failure->rule);
    finding->scenario = scenario_of(session, walk, test, sequence, failure);
}

bool wcts_run_walk_reduce(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                          const struct wcts_case *test,
                          const struct wcts_judge_walk_failure *failure,
                          struct wcts_judge_walk_outcome *outcome)
{
    struct run_reproduction again = {.session = session,
                                     .walk = walk,
                                     .test = test,
                                     .failure = *failure,
                                     .since = wcts_run_watch_now()};
    walk->best = walk->sequence;
    walk->best.count = failure->step + 1; /* what is behind the failure is no part of it */
    wcts_run_walk_shrink(&walk->best, &walk->shape, fails_again, &again, SHRINK_BUDGET);
    wcts_run_walk_perform(session, walk, test, &walk->best, outcome);
    return wcts_run_walk_same(&outcome->failure, failure);
}

static void shrink_failure(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                           const struct wcts_case *test,
                           const struct wcts_judge_walk_failure *failure,
                           struct wcts_finding *finding)
{
    struct wcts_judge_walk_outcome outcome;
    if (wcts_run_walk_reduce(session, walk, test, failure, &outcome)) {
        report_failure(session, walk, test, &walk->best, &outcome.failure, finding);
        return;
    }
    /* A failure that cannot be reproduced in the same way is reported as it was. */
    wcts_run_walk_perform(session, walk, test, &walk->sequence, &outcome);
    walk->sequence.count = failure->step + 1;
    report_failure(session, walk, test, &walk->sequence, failure, finding);
}

static void report_stop(struct wcts_machine_session *session,
                        const struct wcts_judge_walk_outcome *outcome, struct wcts_finding *finding)
{
    if (wcts_judge_breach(walk_exchange(session), finding))
        return;
    if (strcmp(outcome->text, "PAGES") == 0)
        wcts_judge_unseen_pages(session->spec, walk_exchange(session), finding);
    else if (outcome->text[0])
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s", outcome->text);
    else
        wcts_judge_no_answer(&outcome->attempt, "the set-up of the sequence", finding);
}

/* Runs the walk's sequence; a failure is shrunk, or reported as it is. */
static void run_walk(struct wcts_machine_session *session, struct wcts_run_walker *walk,
                     const struct wcts_case *test, bool shrinks, struct wcts_finding *finding)
{
    struct wcts_judge_walk_outcome outcome;
    wcts_run_walk_perform(session, walk, test, &walk->sequence, &outcome);
    session->walked = outcome.numbers;
    if (session->options.trace)
        wcts_exchange_print(session->options.trace, session->spec, walk_exchange(session), 0);
    if (outcome.failure.breach != WCTS_WALK_NO_BREACH && shrinks)
        shrink_failure(session, walk, test, &outcome.failure, finding);
    else if (outcome.failure.breach != WCTS_WALK_NO_BREACH)
        report_failure(session, walk, test, &walk->sequence, &outcome.failure, finding);
    else if (outcome.stopped)
        report_stop(session, &outcome, finding);
    else
        finding->found = WCTS_FOUND_KEPT;
}

static struct wcts_run_walker *walker_for(struct wcts_machine_session *session,
                                          struct wcts_finding *finding)
{
    struct wcts_run_walker *walk = NULL;
    if (!(session->claims.capabilities & WCTS_CAPABILITY_PAGES))
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED,
                                "PAGES, so that no page can be looked at");
    else if (!(walk = wcts_run_walk_of(session)))
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    return walk;
}

void wcts_run_walk_run(struct wcts_machine_session *session, const struct wcts_case *test,
                       struct wcts_finding *finding)
{
    struct wcts_run_walker *walk = walker_for(session, finding);
    if (!walk)
        return;
    wcts_plan_walk_generate(&walk->sequence, &walk->shape, test->seed, test->walk);
    run_walk(session, walk, test, !session->options.verdicts_only, finding);
}

void wcts_run_walk_run_scenario(struct wcts_machine_session *session, const struct wcts_case *test,
                                struct wcts_finding *finding)
{
    struct wcts_run_walker *walk = walker_for(session, finding);
    if (!walk)
        return;
    if (!wcts_plan_walk_read(&walk->sequence, &walk->shape, test->scenario)) {
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE,
                               "the scenario has not the form of a sequence (docs/scenarios.md)");
        return;
    }
    run_walk(session, walk, test, false, finding);
    free(finding->scenario); /* the scenario exists already */
    finding->scenario = NULL;
}
