/* SPDX-License-Identifier: MIT */
/* Performing a test: its script's boots, as far as what came of the first one asks for them. */
#include "perform.h"

#include "../judge/judge.h"
#include "../plan/program.h"

/* The gap that the call is in if the size that the kernel alone knows decides about it; NULL if it
 * does not. */
static const struct wcts_gap *own_size_of(const struct wcts_machine_session *session,
                                          const struct wcts_case *test)
{
    const struct wcts_rule *rule;
    const struct wcts_gap *gap = NULL;
    struct wcts_world world;
    if (wcts_oracle_case_world(&world, &session->eval, test, test->facts, test->fact_count))
        gap = wcts_judge_own_size_gap(&world, &rule);
    wcts_world_release(&world);
    return gap;
}

static bool is_due(const struct wcts_machine_session *session, struct wcts_script *script,
                   enum wcts_due due)
{
    const struct wcts_exchange_boot *own =
        wcts_exchange_recording_find(&session->recording, WCTS_FOR_TEST);
    const struct wcts_gap *gap = NULL;
    if (due == WCTS_DUE_ALWAYS)
        return true;
    if (!own || own->exchange.breach_kind != WCTS_BREACH_NONE)
        return false;
    if (due == WCTS_DUE_REFUSED)
        return wcts_judge_attempt_was_refused(&own->attempt);
    if (due == WCTS_DUE_SEEN_REFUSED)
        return own->whole && wcts_exchange_answer_of(own->attempt.status) == WCTS_ANSWER_REFUSED;
    if (wcts_exchange_was_accepted(&own->attempt))
        gap = own_size_of(session, script->test);
    script->handle = gap ? &gap->member : NULL;
    return gap != NULL;
}

const struct wcts_exchange_boot *wcts_run_perform(struct wcts_machine_session *session,
                                                  const struct wcts_case *test)
{
    int own = session->recording.count;
    struct wcts_script script;
    wcts_plan_program(&script, session->spec, test);
    for (int i = 0; i < script.boot_count; i++)
        if (is_due(session, &script, script.boots[i].due))
            wcts_machine_script_perform(session, &script, i);
    return own < session->recording.count ? &session->recording.boots[own] : NULL;
}

void wcts_run_judge_recording(struct wcts_machine_session *session, const struct wcts_case *test,
                              struct wcts_exchange_recording *recording,
                              struct wcts_finding *finding)
{
    const struct wcts_judge judge = {.plan = session->plan,
                                     .eval = &session->eval,
                                     .claims = &session->claims,
                                     .untold = session->trying || session->options.verdicts_only,
                                     .own_alone = session->options.own_alone};
    wcts_model_finding_release(finding);
    wcts_judge_test(&judge, test, recording, &session->strictness, finding);
}

/* More than there are records: what is denied leaves the test declined, whatever another kind
 * lacks. */
#define DENIED (1 << 20)

int wcts_run_unshown(const struct wcts_spec *spec, const struct wcts_exchange_boot *boot)
{
    const struct wcts_exchange_view view = {spec, &boot->exchange, 0};
    int count =
        boot->attempt.end != WCTS_ATTEMPT_ANSWERED && wcts_exchange_is_denied(boot->attempt.status)
            ? DENIED
            : boot->unplaced;
    for (int i = 0; i < boot->exchange.count; i++) {
        const struct wcts_exchange_record *record = &boot->exchange.records[i];
        count += record->status == WCTS_STATUS_NOT_SUPPORTED;
        if (count < DENIED && wcts_exchange_is_denied(record->status) &&
            wcts_exchange_creates(&view, i))
            count += DENIED;
    }
    return count;
}

/* Performs a test anew with allocations of one kind alone; -1: as ever. */
static const struct wcts_exchange_boot *perform_of_kind(struct wcts_machine_session *session,
                                                        const struct wcts_case *test, int kind)
{
    const struct wcts_exchange_boot *boot;
    wcts_exchange_recording_clear(&session->recording);
    session->kind = kind;
    session->kind_alone = kind >= 0;
    boot = wcts_run_perform(session, test);
    session->kind = -1;
    session->kind_alone = false;
    return boot;
}

const struct wcts_exchange_boot *wcts_run_perform_some_kind(struct wcts_machine_session *session,
                                                            const struct wcts_case *test)
{
    const struct wcts_exchange_boot *boot = wcts_run_perform(session, test);
    const bool goes_through =
        !test->scenario && test->base >= 0 && session->spec->cases->bases[test->base].kinds;
    int least = boot && test->driver && !goes_through ? wcts_run_unshown(session->spec, boot) : 0,
        best = -1, last = -1;
    const uint8_t *reply;
    uint32_t size;
    int kinds = least > 0 ? (int)wcts_exchange_kinds(&boot->exchange, &reply, &size) : 0;
    /* The first kind is that of every test. */
    for (int kind = 1; least > 0 && kind < kinds; kind++) {
        int left;
        boot = perform_of_kind(session, test, last = kind);
        left = boot ? wcts_run_unshown(session->spec, boot) : 0;
        if (left < least) {
            least = left;
            best = kind;
        }
    }
    return best == last ? boot : perform_of_kind(session, test, best);
}

void wcts_run_once(struct wcts_machine_session *session, const struct wcts_case *test,
                   struct wcts_finding *finding)
{
    wcts_exchange_recording_clear(&session->recording);
    if (test->kind == WCTS_KIND_SWEEP)
        wcts_run_perform_sweep(session, test);
    else
        wcts_run_perform_some_kind(session, test);
    wcts_run_judge_recording(session, test, &session->recording, finding);
}
