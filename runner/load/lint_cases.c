/* SPDX-License-Identifier: MIT */
/* cases/base.xml: steps, areas, bases and values. */
#include <inttypes.h>
#include <stdlib.h>

#include "lint.h"

/* ---- steps ---- */

enum load_visit { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

/* Reports each cycle among needed steps once, at the step that closes it. */
static void visit(const struct wcts_load_lint *lint, unsigned char *state, int index)
{
    const struct wcts_step *step = &lint->spec->cases->steps[index];
    state[index] = VISIT_OPEN;
    for (int i = 0; i < step->need_count; i++) {
        if (state[step->needs[i]] == VISIT_OPEN)
            wcts_error_at(
                lint->diagnostics, &step->place,
                "step \"%s\" needs \"%s\", which needs it, expected steps without a cycle",
                step->name, lint->spec->cases->steps[step->needs[i]].name);
        else if (state[step->needs[i]] == VISIT_NEW)
            visit(lint, state, step->needs[i]);
    }
    state[index] = VISIT_DONE;
}

/* Reports a thing that exists at versions without what it needs. */
static void lint_within(const struct wcts_load_lint *lint, const struct wcts_place *place,
                        const char *what, const char *name, const int versions[2],
                        const char *needed, const int needed_versions[2])
{
    if (versions[0] >= needed_versions[0] && versions[1] <= needed_versions[1])
        return;
    wcts_error_at(
        lint->diagnostics, place,
        "%s \"%s\" exists since %s until %s, expected no version without \"%s\" (since %s "
        "until %s)",
        what, name, wcts_load_lint_version(lint, versions[0]),
        wcts_load_lint_version(lint, versions[1]), needed,
        wcts_load_lint_version(lint, needed_versions[0]),
        wcts_load_lint_version(lint, needed_versions[1]));
}

static void lint_step(const struct wcts_load_lint *lint, const struct wcts_step *step)
{
    const struct wcts_cases *cases = lint->spec->cases;
    const int versions[2] = {step->since, step->until};
    wcts_load_lint_range(lint, &step->place, "step", step->name, step->since, step->until);
    for (int i = 0; i < step->need_count; i++) {
        const struct wcts_step *need = &cases->steps[step->needs[i]];
        const int needed[2] = {need->since, need->until};
        lint_within(lint, &step->place, "step", step->name, versions, need->name, needed);
    }
}

static void lint_area(const struct wcts_load_lint *lint, const struct wcts_symbol *area)
{
    const struct wcts_symbol *whole;
    uint64_t end;
    if (area->kind != WCTS_SYMBOL_AREA)
        return;
    whole = &lint->spec->cases->symbols[area->of];
    if (__builtin_add_overflow(area->offset, area->size, &end) || end > whole->size)
        wcts_error_at(
            lint->diagnostics, &area->place,
            "area \"%s\" ends outside \"%s\", expected offset + size to be at most %#" PRIx64,
            area->name, whole->name, whole->size);
}

static void lint_base(const struct wcts_load_lint *lint, const struct wcts_base *base)
{
    const struct wcts_step *step = &lint->spec->cases->steps[base->step];
    const struct wcts_adapter *adapter = &lint->spec->cases->adapters[base->adapter];
    const int versions[2] = {base->since, base->until};
    const int of_step[2] = {step->since, step->until};
    const int of_adapter[2] = {adapter->since, adapter->until};
    wcts_load_lint_range(lint, &base->place, "base", base->name, base->since, base->until);
    lint_within(lint, &base->place, "base", base->name, versions, step->name, of_step);
    lint_within(lint, &base->place, "base", base->name, versions, adapter->name, of_adapter);
}

/* The steps of a state exist at all its versions, and what replaces a step is like it. */
static void lint_state(const struct wcts_load_lint *lint, const struct wcts_base_state *state)
{
    const struct wcts_step *steps = lint->spec->cases->steps;
    const int versions[2] = {state->since, state->until};
    wcts_load_lint_range(lint, &state->place, "state", state->name, state->since, state->until);
    for (int i = 0; i < state->take_count; i++) {
        const struct wcts_step *take = &steps[state->takes[i]];
        const int of_step[2] = {take->since, take->until};
        lint_within(lint, &state->place, "state", state->name, versions, take->name, of_step);
    }
    if ((state->of < 0) != (state->with < 0))
        wcts_error_at(lint->diagnostics, &state->place,
                      "state \"%s\" has one of \"of\" and \"with\", expected both or neither",
                      state->name);
    else if (state->of >= 0 && steps[state->of].message != steps[state->with].message)
        wcts_error_at(lint->diagnostics, &state->place,
                      "state \"%s\" replaces step \"%s\" with \"%s\", expected one of the same "
                      "operation",
                      state->name, steps[state->of].name, steps[state->with].name);
    else if (state->of < 0 && state->take_count == 0)
        wcts_error_at(lint->diagnostics, &state->place,
                      "state \"%s\" has neither \"takes\" nor \"of\", expected one", state->name);
}

/* The steps and messages of a scenario must exist at all its versions. */
static void lint_scenario(const struct wcts_load_lint *lint, const struct wcts_scenario *scenario)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_adapter *adapter = &spec->cases->adapters[scenario->adapter];
    const int versions[2] = {scenario->since, scenario->until};
    const int of_adapter[2] = {adapter->since, adapter->until};
    wcts_load_lint_range(lint, &scenario->place, "scenario", scenario->name, scenario->since,
                         scenario->until);
    lint_within(lint, &scenario->place, "scenario", scenario->name, versions, adapter->name,
                of_adapter);
    for (int i = 0; i < scenario->act_count; i++) {
        const struct wcts_step *step = &spec->cases->steps[scenario->acts[i].step];
        int request = step->message < 0 ? -1 : spec->messages[step->message].request;
        int needed[2] = {step->since, step->until};
        const char *name = step->name;
        if (scenario->acts[i].kind != WCTS_ACT_STEP) {
            needed[0] = request < 0 ? 0 : spec->structures[request].since;
            needed[1] = request < 0 ? spec->versions_count : spec->structures[request].until;
            name = spec->messages[step->message].name;
        }
        lint_within(lint, &scenario->place, "scenario", scenario->name, versions, name, needed);
    }
}

/* ---- symbols that a scenario sends ---- */

/* The steps whose results a scenario has so far. */
struct load_made {
    const struct wcts_load_lint *lint;
    const struct wcts_scenario *scenario;
    bool *steps;
};

static void make(const struct load_made *made, int index)
{
    const struct wcts_step *step = &made->lint->spec->cases->steps[index];
    if (made->steps[index])
        return;
    made->steps[index] = true;
    for (int i = 0; i < step->need_count; i++)
        make(made, step->needs[i]);
}

/* A symbol whose step comes later, or not at all, would silently be 0. */
static void lint_sent(const struct load_made *made, const struct wcts_step *step)
{
    const struct wcts_cases *cases = made->lint->spec->cases;
    for (int i = 0; i < step->instance_count; i++) {
        const struct wcts_instance *instance = &step->instances[i];
        if (!wcts_model_step_sends(step, instance))
            continue;
        for (int j = 0; j < instance->set_count; j++) {
            int symbol = instance->sets[j].value.symbol;
            int maker = symbol < 0 ? -1 : wcts_model_symbol_maker(cases, symbol);
            if (maker < 0 || made->steps[maker])
                continue;
            wcts_error_at(made->lint->diagnostics, &step->place,
                          "scenario \"%s\" sends \"%s\" here, which nothing before it makes, "
                          "expected <take step=\"%s\"/> or a call with that result",
                          made->scenario->name, cases->symbols[symbol].name,
                          cases->steps[maker].name);
            made->steps[maker] = true; /* once */
        }
    }
}

static void lint_made(const struct wcts_load_lint *lint, const struct wcts_scenario *scenario)
{
    const struct wcts_cases *cases = lint->spec->cases;
    const struct load_made made = {lint, scenario,
                                   calloc((size_t)cases->steps_count + 1, sizeof *made.steps)};
    for (int i = 0; made.steps && i < scenario->act_count; i++) {
        if (scenario->acts[i].kind != WCTS_ACT_STEP)
            lint_sent(&made, &cases->steps[scenario->acts[i].step]);
        make(&made, scenario->acts[i].step);
    }
    free(made.steps);
}

void wcts_load_lint_steps(const struct wcts_load_lint *lint)
{
    const struct wcts_cases *cases = lint->spec->cases;
    unsigned char *state = calloc((size_t)cases->steps_count + 1, 1);
    for (int i = 0; i < cases->steps_count; i++) {
        lint_step(lint, &cases->steps[i]);
        if (state != NULL && state[i] == VISIT_NEW)
            visit(lint, state, i);
    }
    free(state);
    for (int i = 0; i < cases->symbols_count; i++)
        lint_area(lint, &cases->symbols[i]);
    for (int i = 0; i < cases->adapters_count; i++)
        wcts_load_lint_range(lint, &cases->adapters[i].place, "adapter", cases->adapters[i].name,
                             cases->adapters[i].since, cases->adapters[i].until);
    for (int i = 0; i < cases->bases_count; i++)
        lint_base(lint, &cases->bases[i]);
    for (int i = 0; i < cases->states_count; i++)
        lint_state(lint, &cases->states[i]);
    for (int i = 0; i < cases->procedures_count; i++)
        if (!cases->procedures[i].used)
            wcts_error_at(lint->diagnostics, &cases->procedures[i].place,
                          "procedure \"%s\" is not used, expected a <do> of it",
                          cases->procedures[i].name);
    for (int i = 0; i < cases->scenarios_count; i++) {
        lint_scenario(lint, &cases->scenarios[i]);
        lint_made(lint, &cases->scenarios[i]);
    }
}

/* ---- values ---- */

static void lint_value(const struct wcts_load_lint *lint, const struct wcts_place *place,
                       struct wcts_ref ref, const struct wcts_value *value)
{
    const struct wcts_member *member = wcts_model_ref_member(lint->spec, ref);
    unsigned bits = ref.flag >= 0 ? 1 : member->width * 8;
    if (value->symbol >= 0 || bits >= 64 || value->number >> bits == 0)
        return;
    wcts_error_at(lint->diagnostics, place,
                  "value %#" PRIx64 " for \"%s\", expected one of %u bit%s", value->number,
                  wcts_load_lint_ref(lint->spec, ref), bits, bits == 1 ? "" : "s");
}

/* True if both name the same bits: a member includes its flags. */
static bool same_bits(struct wcts_ref a, struct wcts_ref b)
{
    return a.structure == b.structure && a.member == b.member &&
           (a.flag == b.flag || a.flag < 0 || b.flag < 0);
}

static void lint_instance(const struct wcts_load_lint *lint, const struct wcts_instance *instance)
{
    for (int i = 0; i < instance->set_count; i++) {
        const struct wcts_set *set = &instance->sets[i];
        lint_value(lint, &set->place, set->ref, &set->value);
        if (set->ref.structure != instance->structure)
            wcts_error_at(lint->diagnostics, &set->place,
                          "value of \"%s\", expected a member of \"%s\"",
                          wcts_load_lint_ref(lint->spec, set->ref),
                          lint->spec->structures[instance->structure].name);
        for (int j = 0; j < i; j++)
            if (same_bits(instance->sets[j].ref, set->ref))
                wcts_error_at(lint->diagnostics, &set->place,
                              "second value of \"%s\", expected one; the first is at line %ld",
                              wcts_load_lint_ref(lint->spec, set->ref),
                              instance->sets[j].place.line);
    }
}

void wcts_load_lint_values(const struct wcts_load_lint *lint)
{
    const struct wcts_cases *cases = lint->spec->cases;
    for (int i = 0; i < cases->steps_count; i++)
        for (int j = 0; j < cases->steps[i].instance_count; j++)
            lint_instance(lint, &cases->steps[i].instances[j]);
    for (int i = 0; i < cases->adapters_count; i++)
        for (int j = 0; j < cases->adapters[i].instance_count; j++)
            lint_instance(lint, &cases->adapters[i].instances[j]);
    for (int i = 0; i < cases->domains_count; i++)
        for (int j = 0; j < cases->domains[i].value_count; j++)
            lint_value(lint, &cases->domains[i].place, cases->domains[i].of,
                       &cases->domains[i].values[j]);
}
