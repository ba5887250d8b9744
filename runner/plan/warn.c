/* SPDX-License-Identifier: MIT */
/* What is right and yet shows little: rules with one case, domains with one value. */
#include <stdlib.h>

#include "../model/cases.h"
#include "plan.h"

static void warn_of_single_cases(const struct wcts_plan *plan, struct wcts_diagnostics *diagnostics)
{
    const struct wcts_spec *spec = plan->spec;
    int *counts = calloc((size_t)spec->rules_count + 1, sizeof *counts);
    for (int i = 0; counts && i < plan->count; i++)
        if (wcts_plan_series(plan, i)->rule >= 0)
            counts[wcts_plan_series(plan, i)->rule]++;
    for (int r = 0; counts && r < spec->rules_count; r++)
        if (counts[r] == 1 && spec->rules[r].until - spec->rules[r].since > 1)
            wcts_warning_at(diagnostics, &spec->rules[r].place,
                            "rule %s has a single case at all its versions, expected several",
                            spec->rules[r].id);
    free(counts);
}

static bool same_value(struct wcts_value a, struct wcts_value b)
{
    return a.symbol == b.symbol && a.number == b.number;
}

/* True if an instance has another value than this in the member. */
static bool has_other(const struct wcts_instance *instances, int count, struct wcts_ref ref,
                      struct wcts_value value)
{
    for (int i = 0; i < count; i++) {
        struct wcts_value set = {.symbol = -1, .number = 0};
        for (int j = 0; j < instances[i].set_count; j++)
            if (wcts_model_same_ref(instances[i].sets[j].ref, ref))
                set = instances[i].sets[j].value;
        if (instances[i].structure == ref.structure && !same_value(set, value))
            return true;
    }
    return false;
}

/* True if a domain offers a value beside the one that all calls and answers have. One that a member
 * is held at (only) is meant so. */
static bool varies(const struct wcts_cases *cases, const struct wcts_domain *domain)
{
    for (int i = 1; i < domain->value_count; i++)
        if (!same_value(domain->values[i], domain->values[0]))
            return true;
    for (int i = 0; i < cases->steps_count; i++)
        if (has_other(cases->steps[i].instances, cases->steps[i].instance_count, domain->of,
                      domain->values[0]))
            return true;
    for (int i = 0; i < cases->adapters_count; i++)
        if (has_other(cases->adapters[i].instances, cases->adapters[i].instance_count, domain->of,
                      domain->values[0]))
            return true;
    return false;
}

static void warn_of_domains(const struct wcts_cases *cases, struct wcts_diagnostics *diagnostics)
{
    for (int i = 0; i < cases->domains_count; i++)
        if (!cases->domains[i].only && !varies(cases, &cases->domains[i]))
            wcts_warning_at(diagnostics, &cases->domains[i].place,
                            "the domain has one value with that of the base calls, expected "
                            "another one");
}

void wcts_plan_warn(const struct wcts_plan *plan, struct wcts_diagnostics *diagnostics)
{
    warn_of_single_cases(plan, diagnostics);
    warn_of_domains(plan->spec->cases, diagnostics);
}
