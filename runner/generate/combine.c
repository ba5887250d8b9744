/* SPDX-License-Identifier: MIT */
#include "combine.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "../model/cases.h"

#define SEED 1

struct generate_combiner {
    const struct wcts_spec *spec;
    const struct wcts_oracle_reads *reads;
    struct wcts_generate_combinations *made;
    int strength; /* of the arrays that are being made */
};

/* NULL: more than a case has. */
static const struct wcts_facts *facts_of(struct generate_combiner *combiner,
                                         struct wcts_generate_base *model, const uint8_t *row)
{
    struct wcts_fact facts[WCTS_FACTS_MAX];
    int count = wcts_generate_base_facts(model, row, facts);
    struct wcts_facts *kept;
    if (count < 0)
        return NULL;
    kept = wcts_arena_alloc(combiner->made->arena, sizeof *kept + (size_t)count * sizeof *facts);
    kept->count = count;
    memcpy(kept->facts, facts, (size_t)count * sizeof *facts);
    return kept;
}

static bool add_combination(struct generate_combiner *combiner, struct wcts_generate_base *model,
                            int rule, const uint8_t *row, const uint8_t *twin)
{
    struct wcts_combination *added;
    struct wcts_combination one = {.rule = rule, .base = model->base};
    one.facts = facts_of(combiner, model, row);
    one.strength = combiner->strength;
    one.version = model->world.version;
    one.page_size = model->world.page_size;
    one.state = (int)model->places[model->state].values[row[model->state]].number;
    one.twin = twin ? facts_of(combiner, model, twin) : NULL;
    if (!one.facts || (twin && !one.twin)) {
        combiner->made->left_out++;
        return true;
    }
    added = WCTS_ARRAY_ADD(combiner->made->list, combiner->made->count);
    if (added)
        *added = one;
    return added != NULL;
}

/* ---- The rows of a base ---- */

static bool is_caller_rule(const struct wcts_rule *rule)
{
    return wcts_model_is_asked(rule->form) && rule->breach.refuse != 0;
}

/* True if the call of the base has the structure, or an answer to it whose flags vary. */
static bool has_places_of(const struct wcts_spec *spec, int base, int structure)
{
    const struct wcts_base *from = &spec->cases->bases[base];
    const struct wcts_step *step = &spec->cases->steps[from->step];
    const struct wcts_adapter *adapter = &spec->cases->adapters[from->adapter];
    for (int i = 0; i < step->instance_count; i++)
        if (step->instances[i].structure == structure)
            return true;
    for (int i = 0; i < adapter->instance_count; i++)
        if (adapter->instances[i].structure == structure &&
            wcts_list_has(from->answers, adapter->instances[i].name))
            return true;
    return false;
}

/* The rule that reads most of what differs from the base: of what the row shows, this is nearest.
 * Of the base itself, the first about the call; -1: there is none. */
static int nearest_rule(const struct wcts_generate_base *model, const uint8_t *row)
{
    const struct wcts_spec *spec = model->eval->spec;
    int best = -1, most = -1;
    for (int r = 0; r < spec->rules_count; r++) {
        int changed = 0;
        if (!is_caller_rule(&spec->rules[r]) ||
            !has_places_of(spec, model->base, spec->rules[r].on))
            continue;
        for (int i = model->first[r]; i < model->first[r + 1]; i++)
            changed += row[model->readers[i]] != 0;
        if (changed <= most)
            continue;
        best = r;
        most = changed;
    }
    return best;
}

/* Changes one place that the rule reads, so that nothing is broken; false if none does it. */
static bool find_twin_row(struct wcts_generate_base *model, const uint8_t *row, uint8_t *twin)
{
    memcpy(twin, row, (size_t)model->place_count);
    for (int i = model->first[model->rule]; i < model->first[model->rule + 1]; i++) {
        int p = model->readers[i];
        for (int v = 0; v < model->places[p].value_count; v++) {
            twin[p] = (uint8_t)v;
            if (v != row[p] && wcts_generate_base_is_valid(model, twin))
                return true;
        }
        twin[p] = row[p];
    }
    return false;
}

/* Adds the rows of a base: valid ones, each to the rule that it comes nearest to, or those that
 * break a rule alone, each with its twin. */
static bool add_rows(struct generate_combiner *combiner, int base, int rule, bool with_masks,
                     int strength)
{
    const struct wcts_generate_base_options options = {.until = combiner->spec->versions_count,
                                                       .rule = rule,
                                                       .the_call_alone = true,
                                                       .states = true,
                                                       .with_masks = with_masks};
    struct wcts_generate_base model;
    struct wcts_generate_rows rows = {0};
    struct wcts_generate_options wanted = {strength, SEED, 0};
    bool good = true;
    if (!wcts_generate_base_init(&model, combiner->reads, base, &options)) {
        combiner->made->left_out++;
        return true;
    }
    if (wanted.strength > model.place_count)
        wanted.strength = model.place_count;
    if ((rule < 0 || model.first[rule] < model.first[rule + 1]) &&
        wcts_generate_rows(&model.model, &wanted, &rows) == WCTS_GENERATE_TOO_LARGE)
        combiner->made->left_out++;
    for (int i = 0; good && i < rows.count; i++) {
        const uint8_t *row = &rows.values[(size_t)i * (size_t)model.place_count];
        uint8_t twin[WCTS_GENERATE_PARAMETERS_MAX];
        int about = rule < 0 ? nearest_rule(&model, row) : rule;
        if (rule < 0 ? about >= 0 : find_twin_row(&model, row, twin))
            good = add_combination(combiner, &model, about, row, rule < 0 ? NULL : twin);
    }
    free(rows.values);
    wcts_generate_base_release(&model);
    return good;
}

/* ---- All ---- */

/* A call to the kernel; the answers of drivers are cases of their own. */
static bool is_kernel_base(const struct wcts_spec *spec, int base)
{
    int message = spec->cases->steps[spec->cases->bases[base].step].message;
    return message >= 0 && !spec->messages[message].driver;
}

/* Rows that break the rule alone; if there are none, those that break the rules with it by which it
 * declares to be masked. */
static bool add_rows_of_rule(struct generate_combiner *combiner, int base, int rule, int strength)
{
    int before = combiner->made->count;
    return add_rows(combiner, base, rule, false, strength) &&
           (combiner->made->count != before || !combiner->spec->rules[rule].masked_by ||
            add_rows(combiner, base, rule, true, strength));
}

static bool combine_rule(struct generate_combiner *combiner, int rule, int strength)
{
    const struct wcts_spec *spec = combiner->spec;
    const struct wcts_rule *one = &spec->rules[rule];
    bool good = true;
    if (!is_caller_rule(one) || one->outcome == WCTS_OUTCOME_EITHER)
        return true;
    for (int base = 0; good && base < spec->cases->bases_count; base++)
        if (is_kernel_base(spec, base) && has_places_of(spec, base, one->on)) {
            good = add_rows_of_rule(combiner, base, rule, strength);
            if (strength == 1)
                break;
        }
    return good;
}

bool wcts_generate_sort_by_rule(struct wcts_generate_combinations *combinations, int rules)
{
    struct wcts_combination *sorted =
        calloc((size_t)combinations->count + 1, sizeof *combinations->list);
    int *next = calloc((size_t)rules + 1, sizeof *next);
    for (int i = 0; sorted && next && i < combinations->count; i++)
        next[combinations->list[i].rule + 1]++;
    for (int r = 1; next && r <= rules; r++)
        next[r] += next[r - 1];
    for (int i = 0; sorted && next && i < combinations->count; i++)
        sorted[next[combinations->list[i].rule]++] = combinations->list[i];
    if (!sorted || !next) {
        free(sorted);
        free(next);
        return false;
    }
    free(next);
    free(combinations->list);
    combinations->list = sorted;
    return true;
}

static bool combine(struct generate_combiner *combiner, int strength)
{
    const struct wcts_spec *spec = combiner->spec;
    bool good = true;
    combiner->strength = strength;
    for (int base = 0; good && base < spec->cases->bases_count; base++)
        if (is_kernel_base(spec, base))
            good = add_rows(combiner, base, -1, false, strength);
    for (int rule = 0; good && rule < spec->rules_count; rule++)
        good = combine_rule(combiner, rule, strength - 1);
    return good;
}

static bool combine_all(const struct wcts_spec *spec, int least, int most,
                        struct wcts_generate_combinations *combinations)
{
    struct wcts_eval eval;
    struct wcts_oracle_reads reads = {0};
    struct generate_combiner combiner = {spec, &reads, combinations, 0};
    bool good = wcts_oracle_eval_init(&eval, spec) && wcts_oracle_reads_init(&reads, &eval);
    *combinations = (struct wcts_generate_combinations){.arena = wcts_arena_new()};
    for (int s = least; good && s <= most; s++)
        good = combine(&combiner, s);
    wcts_oracle_reads_release(&reads);
    wcts_oracle_eval_release(&eval);
    return good && wcts_generate_sort_by_rule(combinations, spec->rules_count);
}

bool wcts_generate_combine(const struct wcts_spec *spec, int strength,
                           struct wcts_generate_combinations *combinations)
{
    return combine_all(spec, WCTS_GENERATE_STRENGTH_MIN, strength, combinations);
}

bool wcts_generate_combine_alone(const struct wcts_spec *spec, int strength,
                                 struct wcts_generate_combinations *combinations)
{
    return combine_all(spec, strength, strength, combinations);
}

void wcts_generate_combinations_release(struct wcts_generate_combinations *combinations)
{
    free(combinations->list);
    wcts_arena_free(combinations->arena);
    *combinations = (struct wcts_generate_combinations){0};
}
