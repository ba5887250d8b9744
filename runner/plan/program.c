/* SPDX-License-Identifier: MIT */
/* Scripts of tests: which boots they take, and the acts in each. */
#include "program.h"

#include <stdlib.h>

static struct wcts_act *add_act(struct wcts_script *script, enum wcts_act_kind kind, int step)
{
    struct wcts_act *act = &script->acts[script->act_count++];
    act->kind = kind;
    act->step = step;
    return act;
}

static struct wcts_script_boot *add_boot(struct wcts_script *script, enum wcts_purpose purpose,
                                         enum wcts_due due)
{
    struct wcts_script_boot *boot = &script->boots[script->boot_count++];
    *boot = (struct wcts_script_boot){
        .purpose = purpose, .due = due, .acts = &script->acts[script->act_count]};
    if (purpose == WCTS_FOR_TEST || purpose == WCTS_FOR_SIZE) {
        boot->facts = script->test->facts;
        boot->fact_count = script->test->fact_count;
    }
    return boot;
}

/* The acts since the boot was added are its own. */
static void end_boot(struct wcts_script *script)
{
    struct wcts_script_boot *boot = &script->boots[script->boot_count - 1];
    boot->act_count = (int)(&script->acts[script->act_count] - boot->acts);
}

static struct wcts_script_boot *add_base_call(struct wcts_script *script, int step,
                                              enum wcts_purpose purpose, enum wcts_due due)
{
    struct wcts_script_boot *boot = add_boot(script, purpose, due);
    add_act(script, WCTS_ACT_NEEDS, step);
    add_act(script, WCTS_ACT_BASE, step);
    end_boot(script);
    return boot;
}

/* The call between two looks at the pages of its range. A refusal says something only when the same
 * call without the test's facts is accepted. */
static void program_pages(struct wcts_script *script, const struct wcts_rule *effect, int step)
{
    const struct wcts_operand *arg = effect->arg;
    const struct {
        enum wcts_act_kind kind;
        enum wcts_look look;
        const struct wcts_operand *at;
    } acts[] = {{WCTS_ACT_NEEDS, WCTS_LOOK_NONE, NULL},
                {WCTS_ACT_QUERY, WCTS_LOOK_BEFORE, &arg[WCTS_ARG_BASE]},
                {WCTS_ACT_QUERY, WCTS_LOOK_SOURCE, &arg[WCTS_ARG_COPY]},
                {WCTS_ACT_BASE, WCTS_LOOK_NONE, NULL},
                {WCTS_ACT_SETTLE, WCTS_LOOK_NONE, NULL},
                {WCTS_ACT_QUERY, WCTS_LOOK_AFTER, &arg[WCTS_ARG_BASE]}};
    add_boot(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        struct wcts_act *act;
        if (acts[i].look == WCTS_LOOK_SOURCE && !acts[i].at->given)
            continue;
        act = add_act(script, acts[i].kind, step);
        act->look = acts[i].look;
        act->at = acts[i].at;
        act->size = &arg[WCTS_ARG_SIZE];
    }
    end_boot(script);
    if (script->test->fact_count > 0 && !arg[WCTS_ARG_REFUSED].given)
        add_base_call(script, step, WCTS_FOR_BASE, WCTS_DUE_SEEN_REFUSED);
}

/* A call that the suite itself makes to the driver. */
static void program_patch(struct wcts_script *script, int step)
{
    add_boot(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
    add_act(script, WCTS_ACT_NEEDS, step);
    add_act(script, WCTS_ACT_FILL, step);
    add_act(script, WCTS_ACT_BASE, step);
    add_act(script, WCTS_ACT_DUMP, step);
    end_boot(script);
}

/* Every base that applies to a driver. */
static void program_situation(struct wcts_script *script, const struct wcts_cases *cases)
{
    int version = script->test->version;
    add_boot(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
    for (int i = 0; i < cases->bases_count; i++) {
        const struct wcts_base *base = &cases->bases[i];
        if (base->driver && version >= base->since && version < base->until)
            add_act(script, WCTS_ACT_KINDS, base->step)->kinds = base->kinds;
    }
    add_act(script, WCTS_ACT_DESTROY, -1);
    end_boot(script);
}

/* A refused call is evidence beside its twin or, without one, its base. */
static void program_call(struct wcts_script *script, int step)
{
    const struct wcts_case *test = script->test;
    add_base_call(script, step, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
    if (test->twin_count >= 0) {
        struct wcts_script_boot *twin =
            add_base_call(script, step, WCTS_FOR_TWIN, WCTS_DUE_REFUSED);
        twin->facts = test->twin;
        twin->fact_count = test->twin_count;
    } else if (test->fact_count > 0) {
        add_base_call(script, step, WCTS_FOR_BASE, WCTS_DUE_REFUSED);
    }
    if (test->strict == WCTS_EXPECT_REFUSE) {
        add_boot(script, WCTS_FOR_SIZE, WCTS_DUE_ACCEPTED);
        add_act(script, WCTS_ACT_NEEDS, step);
        add_act(script, WCTS_ACT_SIZES, step);
        end_boot(script);
    }
}

bool wcts_plan_program(struct wcts_script *script, const struct wcts_spec *spec,
                       const struct wcts_case *test)
{
    const struct wcts_cases *cases = spec->cases;
    const struct wcts_rule *rule = &spec->rules[test->rule];
    int step = test->base < 0 ? -1 : cases->bases[test->base].step;
    *script = (struct wcts_script){.test = test, .adapter = -1};
    script->acts = calloc((size_t)cases->bases_count + 8, sizeof *script->acts);
    if (!script->acts)
        return false;
    if (test->scenario) {
        struct wcts_script_boot *boot = add_boot(script, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
        script->adapter = test->scenario->adapter;
        boot->acts = test->scenario->acts;
        boot->act_count = test->scenario->act_count;
    } else if (test->driver && test->expect == WCTS_EXPECT_ANSWER) {
        program_situation(script, cases);
    } else if (test->driver) {
        program_patch(script, step);
    } else if (rule->form == WCTS_FORM_EFFECT_PAGES) {
        program_pages(script, rule, step);
    } else if (test->kind == WCTS_KIND_EFFECT) {
        add_base_call(script, step, WCTS_FOR_TEST, WCTS_DUE_ALWAYS);
    } else {
        program_call(script, step);
    }
    return true;
}

void wcts_plan_program_release(struct wcts_script *script)
{
    free(script->acts);
}
