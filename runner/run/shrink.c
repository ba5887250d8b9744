/* SPDX-License-Identifier: MIT */
/* Shrinking, and that of scenarios. */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "perform.h"
#include "shrink.h"
#include "write.h"

/* ---- Whatever it is ---- */

void wcts_run_shrink(const struct wcts_run_shrinking *shrinking)
{
    bool again = true;
    while (again) {
        again = false;
        for (int n = 0; shrinking->simpler(shrinking->ctx, n);) {
            if (shrinking->try(shrinking->ctx))
                again = true; /* the n-th one is now another */
            else
                n++;
        }
    }
}

bool wcts_run_try(struct wcts_machine_session *session, bool (*fails)(void *ctx), void *ctx)
{
    bool failed;
    if (!wcts_machine_session_try(session, &failed)) {
        failed = fails(ctx);
        wcts_machine_session_tried(session, failed);
    }
    return failed;
}

/* ---- Leaving out acts of a scenario ---- */

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
static bool is_act_needed(const struct wcts_spec *spec, const struct wcts_scenario *scenario,
                          int index, int user)
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
        if (is_act_needed(spec, scenario, index, i))
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
static bool is_twin(const struct wcts_spec *spec, int broken, const struct wcts_act *act)
{
    const struct wcts_rule *rule = &spec->rules[broken];
    return rule->form == WCTS_FORM_EFFECT_LATER && rule->arg[WCTS_ARG_REFUSED].given &&
           act->kind != WCTS_ACT_SPOIL && act->kind != WCTS_ACT_STEP &&
           spec->cases->steps[act->step].message == rule->effect->message;
}

/* True if the act takes back what another one did that it must follow, such as a change of power:
 * the other cannot stay alone. */
static bool takes_back(const struct wcts_spec *spec, const struct wcts_scenario *scenario,
                       int index)
{
    const struct wcts_step *steps = spec->cases->steps;
    const struct wcts_act *acts = scenario->acts;
    for (int i = index; i > 0 && acts[i - 1].followed; i--)
        if (acts[i - 1].kind == WCTS_ACT_CALL && steps[acts[i - 1].step].instance_count > 0 &&
            steps[acts[i - 1].step].message == steps[acts[index].step].message)
            return true;
    return false;
}

/* True if the act ends something, and the rule asks for the message that follows the end, such as
 * the unmapping of what is destroyed: without the act a kernel that conforms would fail, too. */
static bool ends_what_is_judged(const struct wcts_spec *spec, int broken,
                                const struct wcts_act *act)
{
    const struct wcts_effect *effect = spec->rules[broken].effect;
    return effect && effect->unobserved && effect->selector == WCTS_SELECT_FIRST &&
           effect->span == WCTS_SPAN_AFTER && act->kind != WCTS_ACT_SPOIL &&
           spec->cases->steps[act->step].message >= 0 &&
           spec->messages[spec->cases->steps[act->step].message].ends_count > 0;
}

/* A scenario that fails, and without some of its acts. What the rule rests on and the failure shows
 * to be kept, its smallest form shows too: broken in another case it would excuse this one. */
struct run_shrunk_scenario {
    struct wcts_machine_session *session;
    struct wcts_case test; /* the candidate */
    struct wcts_scenario best, candidate;
    enum wcts_found found;
    int broken;       /* as in the finding */
    uint64_t cleared; /* what a candidate must show to be kept, as in the finding */
    int most;         /* how many acts a candidate is without, at most */
};

static int blamed_rule(const struct wcts_case *test, int broken)
{
    return broken ? broken - 1 : test->rule;
}

static bool can_be_left_out(const struct run_shrunk_scenario *shrunk,
                            const struct wcts_scenario *scenario, int index)
{
    const struct wcts_spec *spec = shrunk->session->spec;
    const struct wcts_act *act = &scenario->acts[index];
    return (act->kind == WCTS_ACT_SPOIL || !is_used(spec, scenario, index)) &&
           !is_twin(spec, blamed_rule(&shrunk->test, shrunk->broken), act) &&
           !ends_what_is_judged(spec, blamed_rule(&shrunk->test, shrunk->broken), act) &&
           !takes_back(spec, scenario, index);
}

/* The candidate is without the n-th act from the end that can be left out, and those before it. */
static bool without_acts(void *ctx, int n)
{
    struct run_shrunk_scenario *shrunk = ctx;
    struct wcts_scenario *candidate = &shrunk->candidate;
    int left_out = 0;
    candidate->act_count = shrunk->best.act_count;
    memcpy(candidate->acts, shrunk->best.acts,
           (size_t)candidate->act_count * sizeof *candidate->acts);
    for (int i = candidate->act_count - 1; i >= 0 && left_out < shrunk->most; i--) {
        struct wcts_act *act = &candidate->acts[i];
        if (!can_be_left_out(shrunk, candidate, i) || n-- > 0)
            continue;
        memmove(act, act + 1, (size_t)(candidate->act_count - i - 1) * sizeof *act);
        candidate->act_count--;
        left_out++;
    }
    return left_out > 0;
}

static bool fails_alike(void *ctx)
{
    struct run_shrunk_scenario *shrunk = ctx;
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    bool fails;
    wcts_run_once(shrunk->session, &shrunk->test, &finding);
    fails = finding.found == shrunk->found && finding.broken == shrunk->broken &&
            (shrunk->cleared & ~finding.cleared) == 0;
    wcts_model_finding_release(&finding);
    return fails;
}

static bool try_without(void *ctx)
{
    struct run_shrunk_scenario *shrunk = ctx;
    struct wcts_act *acts = shrunk->best.acts;
    if (!wcts_run_try(shrunk->session, fails_alike, shrunk))
        return false;
    shrunk->best = shrunk->candidate;
    shrunk->candidate.acts = acts;
    return true;
}

/* Leaves out many acts at once, then fewer, then one: of long scenarios most are of no account, and
 * each attempt performs the whole candidate. */
static void leave_out_acts(struct run_shrunk_scenario *shrunk)
{
    const struct wcts_run_shrinking one_by_one = {without_acts, try_without, shrunk};
    for (shrunk->most = shrunk->best.act_count; shrunk->most > 1; shrunk->most /= 2)
        for (int n = 0; without_acts(shrunk, n);)
            if (!try_without(shrunk))
                n += shrunk->most;
    shrunk->most = 1;
    wcts_run_shrink(&one_by_one);
}

/* ---- The file ---- */

static char *file_of(const struct wcts_spec *spec, const struct wcts_case *test, int rule,
                     uint64_t also)
{
    const struct wcts_scenario *scenario = test->scenario;
    struct wcts_run_written written = {.spec = spec,
                                       .adapter = scenario->adapter,
                                       .version = test->version,
                                       .until = test->version + 1,
                                       .page_size = test->page_size,
                                       .driver = scenario->driver,
                                       .kinds = scenario->kinds,
                                       .effect = rule,
                                       .also = also};
    char *text = NULL;
    size_t size = 0;
    written.out = open_memstream(&text, &size);
    if (!written.out)
        return NULL;
    wcts_run_write_begin(&written, NULL, "shrunk-%s-%s", scenario->name, spec->rules[rule].id);
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
static char *shrunk_detail(const struct wcts_machine_session *session, const struct wcts_case *test)
{
    const struct wcts_exchange_boot *boot =
        wcts_exchange_recording_find(&session->recording, WCTS_FOR_TEST);
    char *evidence =
        boot ? wcts_judge_evidence_text(session->plan, test, &boot->exchange, NULL) : NULL;
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
static void shrink(struct run_shrunk_scenario *shrunk, struct wcts_finding *finding)
{
    struct wcts_machine_session *session = shrunk->session;
    struct wcts_finding again = {.found = WCTS_FOUND_TROUBLE};
    leave_out_acts(shrunk);
    /* Again, for the evidence of the smallest form. */
    shrunk->test.scenario = &shrunk->best;
    wcts_run_once(session, &shrunk->test, &again);
    if (again.found == finding->found && again.broken == finding->broken) {
        wcts_model_finding_release(finding);
        *finding = again;
        free(finding->detail);
        finding->detail = shrunk_detail(session, &shrunk->test);
        finding->scenario =
            file_of(session->spec, &shrunk->test, blamed_rule(&shrunk->test, shrunk->broken),
                    shrunk->broken ? 0 : again.cleared);
    } else {
        wcts_model_finding_release(&again);
    }
}

void wcts_run_shrink_scenario(struct wcts_machine_session *session, const struct wcts_case *test,
                              struct wcts_finding *finding)
{
    struct run_shrunk_scenario shrunk = {.session = session,
                                         .test = *test,
                                         .best = *test->scenario,
                                         .candidate = *test->scenario,
                                         .found = finding->found,
                                         .broken = finding->broken,
                                         .cleared = finding->broken ? 0 : finding->cleared};
    struct wcts_exchange_recording own = session->recording;
    size_t size = (size_t)test->scenario->act_count * sizeof *test->scenario->acts;
    shrunk.best.acts = malloc(size + 1);
    shrunk.candidate.acts = malloc(size + 1);
    if (shrunk.best.acts && shrunk.candidate.acts) {
        memcpy(shrunk.best.acts, test->scenario->acts, size);
        shrunk.test.scenario = &shrunk.candidate;
        session->recording = (struct wcts_exchange_recording){0};
        shrink(&shrunk, finding);
        wcts_exchange_recording_release(&session->recording);
        session->recording = own;
    }
    free(shrunk.best.acts);
    free(shrunk.candidate.acts);
}
