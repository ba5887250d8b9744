/* SPDX-License-Identifier: MIT */
/* Shrinking of failing scenarios. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "perform.h"
#include "write.h"

/* ---- Leaving out ---- */

static bool names_symbol(const struct wcts_step *step, int symbol)
{
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++)
            if (step->instances[i].sets[j].value.symbol == symbol)
                return true;
    return false;
}

/* True if an act before end, other than except, makes the symbol; maker: the step that makes it. */
static bool is_made_without(const struct wcts_spec *spec, const struct wcts_scenario *scenario,
                            int end, int except, int maker)
{
    for (int i = 0; i < end; i++) {
        const struct wcts_act *act = &scenario->acts[i];
        if (i != except &&
            (act->kind == WCTS_ACT_STEP ? wcts_model_step_includes(spec->cases, act->step, maker)
                                        : act->step == maker))
            return true;
    }
    return false;
}

/* True if a call sends what only this act, which runs a step that it needs, makes. */
static bool is_needed(const struct wcts_spec *spec, const struct wcts_scenario *scenario, int index,
                      int user)
{
    const struct wcts_act *act = &scenario->acts[index];
    const struct wcts_step *step = &spec->cases->steps[scenario->acts[user].step];
    for (int i = 0; act->kind == WCTS_ACT_STEP && scenario->acts[user].kind != WCTS_ACT_STEP &&
                    i < step->instance_count;
         i++)
        for (int j = 0;
             wcts_model_step_sends(step, &step->instances[i]) && j < step->instances[i].set_count;
             j++) {
            int symbol = step->instances[i].sets[j].value.symbol;
            int maker = symbol < 0 ? -1 : wcts_model_symbol_maker(spec->cases, symbol);
            if (maker >= 0 && wcts_model_step_includes(spec->cases, act->step, maker) &&
                !is_made_without(spec, scenario, user, index, maker))
                return true;
        }
    return false;
}

/* True if a later call uses what this act makes: without it, it would be another call. */
static bool is_used(const struct wcts_spec *spec, const struct wcts_scenario *scenario, int index)
{
    const struct wcts_step *maker = &spec->cases->steps[scenario->acts[index].step];
    for (int i = index + 1; i < scenario->act_count; i++) {
        const struct wcts_step *user = &spec->cases->steps[scenario->acts[i].step];
        if (scenario->acts[i].kind == WCTS_ACT_SPOIL)
            continue;
        if (is_needed(spec, scenario, index, i))
            return true;
        for (int t = 0; t < maker->output_count; t++)
            if (names_symbol(user, maker->outputs[t].symbol))
                return true;
        if (maker->result >= 0 && names_symbol(user, maker->result))
            return true;
        for (int n = 0; scenario->acts[i].kind == WCTS_ACT_STEP && n < user->need_count; n++)
            if (user->needs[n] == scenario->acts[index].step)
                return true;
    }
    return false;
}

/* True for the accepted call beside which a refusal is evidence: the smallest form must show
 * whether the fault is gone. */
static bool is_twin(const struct wcts_spec *spec, const struct wcts_case *test,
                    const struct wcts_act *act)
{
    const struct wcts_rule *rule = &spec->rules[test->rule];
    return rule->form == WCTS_FORM_EFFECT_LATER && rule->arg[WCTS_ARG_REFUSED].given &&
           act->kind != WCTS_ACT_SPOIL && act->kind != WCTS_ACT_STEP &&
           spec->cases->steps[act->step].message == (int)rule->arg[WCTS_ARG_OPERATION].number;
}

static bool still_fails(struct wcts_session *session, const struct wcts_case *test,
                        enum wcts_found found)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    bool fails;
    if (wcts_session_try(session, &fails))
        return fails;
    wcts_run_once(session, test, &finding);
    fails = finding.found == found;
    wcts_model_finding_release(&finding);
    wcts_session_tried(session, fails);
    return fails;
}

/* Leaves out what is not needed, from the end; false if everything is. */
static bool pass_over(struct wcts_session *session, struct wcts_case *test,
                      struct wcts_scenario *scenario, enum wcts_found found)
{
    bool changed = false;
    for (int i = scenario->act_count - 1; i >= 0; i--) {
        struct wcts_act act = scenario->acts[i];
        if ((act.kind != WCTS_ACT_SPOIL && is_used(session->spec, scenario, i)) ||
            is_twin(session->spec, test, &act))
            continue;
        struct wcts_act *at = &scenario->acts[i];
        size_t behind = (size_t)(scenario->act_count - i - 1) * sizeof act;
        memmove(at, at + 1, behind);
        scenario->act_count--;
        if (still_fails(session, test, found)) {
            changed = true;
            continue;
        }
        memmove(at + 1, at, behind);
        *at = act;
        scenario->act_count++;
    }
    return changed;
}

/* ---- The file ---- */

static char *file_of(const struct wcts_spec *spec, const struct wcts_case *test)
{
    const struct wcts_scenario *scenario = test->scenario;
    struct wcts_written written = {.spec = spec,
                                   .adapter = scenario->adapter,
                                   .version = test->version,
                                   .until = test->version + 1,
                                   .page_size = test->page_size,
                                   .driver = scenario->driver,
                                   .kinds = scenario->kinds,
                                   .effect = test->rule};
    char *text = NULL;
    size_t size = 0;
    written.out = open_memstream(&text, &size);
    if (!written.out)
        return NULL;
    wcts_run_write_begin(&written, NULL, "shrunk-%s-%s", scenario->name,
                         spec->rules[test->rule].id);
    for (int i = 0; i < scenario->loop_count; i++)
        wcts_run_write_parameter(&written, scenario->loops[i].symbol,
                                 scenario->loops[i].values[test->values[i]]);
    for (int i = 0; i < scenario->act_count; i++)
        wcts_run_write_act(&written, &scenario->acts[i]);
    wcts_run_write_end(&written);
    return text;
}

/* ---- All ---- */

/* The evidence of the smallest form, and that form in words. */
static char *shrunk_detail(const struct wcts_session *session, const struct wcts_case *test)
{
    const struct wcts_boot *boot = wcts_exchange_recording_find(&session->recording, WCTS_FOR_TEST);
    char *evidence = boot ? wcts_judge_evidence_text(session->plan, test, &boot->exchange) : NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out && evidence) {
        fprintf(out, "%s\n" WCTS_SHRUNK, evidence);
        wcts_judge_acts_describe(out, session->plan, test);
    }
    if (out)
        fclose(out);
    free(evidence);
    return text;
}

/* Shrinks with a recording of its own; the finding becomes that of the smallest form. */
static void shrink(struct wcts_session *session, struct wcts_case *changed,
                   struct wcts_scenario *smaller, struct wcts_finding *finding)
{
    struct wcts_finding again = {.found = WCTS_FOUND_TROUBLE};
    while (pass_over(session, changed, smaller, finding->found))
        continue;
    /* Again, for the evidence of the smallest form. */
    wcts_run_once(session, changed, &again);
    if (again.found == finding->found) {
        again.cleared |= finding->cleared;
        wcts_model_finding_release(finding);
        *finding = again;
        free(finding->detail);
        finding->detail = shrunk_detail(session, changed);
        finding->scenario = file_of(session->spec, changed);
    } else {
        wcts_model_finding_release(&again);
    }
}

void wcts_run_shrink_scenario(struct wcts_session *session, const struct wcts_case *test,
                              struct wcts_finding *finding)
{
    struct wcts_scenario smaller = *test->scenario;
    struct wcts_case changed = *test;
    struct wcts_recording own = session->recording;
    size_t size = (size_t)smaller.act_count * sizeof *smaller.acts;
    smaller.acts = malloc(size + 1);
    if (!smaller.acts)
        return;
    memcpy(smaller.acts, test->scenario->acts, size);
    changed.scenario = &smaller;
    session->recording = (struct wcts_recording){0};
    shrink(session, &changed, &smaller, finding);
    wcts_exchange_recording_release(&session->recording);
    session->recording = own;
    free(smaller.acts);
}
