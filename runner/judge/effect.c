/* SPDX-License-Identifier: MIT */
/* The finding of an effect from the recording of a case. */
#include <string.h>

#include "../model/test.h"
#include "judge.h"
#include "select.h"

/* The suite's last call with such an answer or, with a driver under test, the driver's answer that
 * caused it; NULL if there is none. A call that names a missing object explains less than the
 * reason why it is missing. */
static const struct wcts_exchange_record *last_that(const struct wcts_judge_effect_eval *eval,
                                                    bool driver, enum wcts_exchange_answer answer)
{
    for (int i = eval->trace.exchange->count - 1; i >= 0; i--) {
        const struct wcts_exchange_record *record = wcts_judge_eval_record(eval, i);
        if (record->depth != 0 || record->between || wcts_succeeded(record->status))
            continue;
        if (driver)
            record = wcts_exchange_cause(eval->trace.exchange, i);
        if (wcts_exchange_answer_of(record->status) == answer &&
            record->denial != WCTS_DENIAL_NOTHING)
            return record;
    }
    return NULL;
}

/* Skips for a call whose refusal is allowed and hides the effect; false if it is not allowed. */
static bool skip_refused(const struct wcts_exchange_record *record, const char *answered,
                         struct wcts_finding *finding)
{
    const char *name = wcts_operation_name(record->operation);
    switch (record->denial) {
    case WCTS_DENIAL_BREACH:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "a breach of advice is refused: %s %s", name, answered);
        return true;
    case WCTS_DENIAL_GAP:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s: no document says %s", name,
                                answered, record->gap->missing);
        return true;
    case WCTS_DENIAL_LET:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s, as it may be", name,
                                answered);
        return true;
    case WCTS_DENIAL_NONE:
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s %s", name, answered);
        return true;
    default:
        return false;
    }
}

/* True if no test could be made for want of memory, of a call that the kernel must not refuse. */
static bool is_trouble(const struct wcts_exchange_record *untested)
{
    return untested && untested->denial != WCTS_DENIAL_LET && untested->denial != WCTS_DENIAL_GAP;
}

/* Why nothing was seen. A kernel may show in one case what another one looks for, which is counted
 * for each rule (reports/scope.c); what a driver shows depends on the kinds that it lists. */
static void skip_unseen(const struct wcts_judge_effect_eval *eval, bool driver,
                        struct wcts_finding *finding)
{
    const char *why = eval->text[0] ? eval->text : "no call came under the effect";
    const char *elective = eval->effect->elective;
    const struct wcts_exchange_record *missing = last_that(eval, driver, WCTS_ANSWER_MISSING);
    const struct wcts_exchange_record *untested = last_that(eval, driver, WCTS_ANSWER_NO_TEST);
    const struct wcts_exchange_record *denied = last_that(eval, driver, WCTS_ANSWER_REFUSED);
    const struct wcts_exchange_record *worst;
    char status[64] = "", answered[80];
    if (!denied && !is_trouble(untested))
        denied = untested;
    worst = is_trouble(untested) ? untested : missing ? missing : denied;
    if (worst)
        wcts_exchange_status_text(worst->status, status, sizeof status);
    snprintf(answered, sizeof answered, "answered %s", status);
    if (is_trouble(untested))
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "%s %s",
                               wcts_operation_name(untested->operation), answered);
    else if (missing)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s %s",
                                wcts_operation_name(missing->operation), answered);
    else if (denied && skip_refused(denied, answered, finding))
        return;
    else if (elective)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s: %s", elective, why);
    else if (driver)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "nothing that the driver lists: %s", why);
    else
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s", why);
}

/* The effect in all records from one on, with the text of the breach, or why nothing is seen. */
static enum wcts_truth eval_from(struct wcts_judge_selection *selection, int from)
{
    enum wcts_truth all = WCTS_UNKNOWN;
    for (int i = from; i < selection->eval.trace.exchange->count; i++) {
        enum wcts_truth seen = wcts_judge_select_in(selection, i);
        if (seen == WCTS_FALSE)
            return seen;
        all = seen == WCTS_TRUE ? seen : all;
    }
    return all;
}

/* True if the scenario is meant to show the effect: in another one it may look broken. */
static bool is_expected(const struct wcts_scenario *scenario, int effect)
{
    if (wcts_model_is_also(scenario, effect))
        return true;
    for (int i = 0; scenario && i < scenario->effect_count; i++)
        if (scenario->effects[i] == effect)
            return true;
    return false;
}

/* True if the same messages break an effect that the case's own rests on: then they prove nothing
 * about the latter. The other effect has a failing case of this scenario too. */
static bool is_excused(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       struct wcts_finding *finding)
{
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    for (int i = 0; i < rule->rests_on_count && i < 64; i++) {
        const struct wcts_rule *below = &plan->spec->rules[rule->rests_on[i]];
        struct wcts_judge_selection selection;
        enum wcts_truth seen;
        if (!is_expected(test->scenario, rule->rests_on[i]) || !below->effect ||
            below->form == WCTS_FORM_EFFECT_PAGES ||
            !wcts_judge_may_excuse(plan, test, test->rule, rule->rests_on[i]))
            continue;
        wcts_judge_selection(&selection, below,
                             (struct wcts_exchange_view){plan->spec, exchange, test->page_size});
        seen = eval_from(&selection, 0);
        if (seen == WCTS_FALSE &&
            wcts_judge_finding_excuse(plan, test, strictness, rule->rests_on[i],
                                      selection.eval.text, finding))
            return true;
        if (seen == WCTS_TRUE)
            finding->cleared |= UINT64_C(1) << i;
    }
    return false;
}

void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       int from, struct wcts_finding *finding)
{
    const struct wcts_exchange_view view = {plan->spec, exchange, test->page_size};
    struct wcts_judge_selection selection;
    wcts_judge_selection(&selection, &plan->spec->rules[test->rule], view);
    switch (eval_from(&selection, from)) {
    case WCTS_TRUE:
        finding->found = WCTS_FOUND_KEPT;
        break;
    case WCTS_UNKNOWN:
        if (!wcts_judge_valid_denied(&view, finding))
            skip_unseen(&selection.eval, test->driver, finding);
        break;
    case WCTS_FALSE:
        if (!is_excused(plan, test, strictness, exchange, finding))
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", selection.eval.text);
        break;
    }
}
