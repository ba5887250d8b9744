/* SPDX-License-Identifier: MIT */
/* The parameters of a base call, and which of their values never meet. */
#include "base_places.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../model/cases.h"

static bool is_answer_place(const struct wcts_generate_base *model, int instance)
{
    return instance >= 0 && instance < model->world.adapter_count;
}

static bool add_place(struct wcts_generate_base *model, int instance, struct wcts_ref ref,
                      const struct wcts_value *values, int count)
{
    struct wcts_generate_place *place = WCTS_ARRAY_ADD(model->places, model->place_count);
    if (!place || wcts_generate_parameter(&model->model, count) < 0)
        return false;
    *place = (struct wcts_generate_place){.instance = instance, .ref = ref, .value_count = count};
    place->values = calloc((size_t)count, sizeof *place->values);
    if (place->values)
        memcpy(place->values, values, (size_t)count * sizeof *values);
    return place->values != NULL;
}

/* All values of a parameter but the base's. */
static uint64_t changed_values(const struct wcts_generate_place *place)
{
    return ((UINT64_C(1) << (place->value_count - 1)) - 1) << 1;
}

static bool forbid_both(struct wcts_generate_base *model, int one, uint64_t values, int other,
                        uint64_t other_values)
{
    const struct wcts_generate_term terms[] = {{one, values}, {other, other_values}};
    return !values || !other_values || wcts_generate_forbid(&model->model, terms, 2);
}

static bool add_number(struct wcts_value *values, int *count, struct wcts_value value)
{
    for (int i = 0; i < *count; i++)
        if (values[i].symbol == value.symbol && values[i].number == value.number)
            return true;
    if (*count == WCTS_GENERATE_VALUES_MAX)
        return false;
    values[(*count)++] = value;
    return true;
}

static bool brings_structure(const struct wcts_step *step, struct wcts_ref flag)
{
    for (int i = 0; i < step->instance_count; i++)
        if (wcts_model_same_ref(step->instances[i].when, flag))
            return true;
    return false;
}

/* True if the flag comes with a structure, which other bases of the operation have and this one has
 * not: set alone, it would point at nothing. */
static bool lacks_structure(const struct wcts_generate_base *model, struct wcts_ref flag)
{
    const struct wcts_cases *cases = spec_of(model)->cases;
    const struct wcts_step *own = &cases->steps[cases->bases[model->base].step];
    for (int b = 0; b < cases->bases_count && !brings_structure(own, flag); b++) {
        const struct wcts_step *other = &cases->steps[cases->bases[b].step];
        if (other->message == own->message && brings_structure(other, flag))
            return true;
    }
    return false;
}

static bool add_flags(struct wcts_generate_base *model, int instance, struct wcts_ref ref)
{
    const struct wcts_spec *spec = spec_of(model);
    const struct wcts_word *word = &spec->words[wcts_model_ref_member(spec, ref)->word];
    for (ref.flag = 0; ref.flag < word->flag_count; ref.flag++) {
        uint64_t set = wcts_world_get(&model->world, instance, ref).number;
        const struct wcts_value values[] = {{.symbol = -1, .number = set},
                                            {.symbol = -1, .number = !set}};
        if (!lacks_structure(model, ref) && !add_place(model, instance, ref, values, 2))
            return false;
    }
    return true;
}

/* True for a number, and for what the base's steps make. */
static bool is_made(const struct wcts_generate_base *model, struct wcts_value value)
{
    const struct wcts_cases *cases = spec_of(model)->cases;
    int maker = value.symbol < 0 ? -1 : wcts_model_symbol_maker(cases, value.symbol);
    return maker < 0 || wcts_model_step_includes(cases, cases->bases[model->base].step, maker);
}

/* Numbers of elements from 1 on, of a list whose elements are there by their number. */
static int most_counted(const struct wcts_generate_base *model, struct wcts_ref counter)
{
    int most = 0;
    for (int i = 0; i < model->world.count; i++) {
        const struct wcts_oracle_world_instance *one = &model->world.instances[i];
        if (wcts_model_same_ref(one->when, counter) && one->least > most)
            most = one->least;
    }
    return most;
}

/* The value of the base, and those that the cases name; of a number of elements all. */
static bool add_domain(struct wcts_generate_base *model, int instance, struct wcts_ref ref)
{
    const struct wcts_cases *cases = spec_of(model)->cases;
    struct wcts_value values[WCTS_GENERATE_VALUES_MAX] = {
        wcts_world_get(&model->world, instance, ref)};
    int count = 1;
    for (int i = 0; i < cases->domains_count; i++)
        for (int j = 0;
             wcts_model_same_ref(cases->domains[i].of, ref) && j < cases->domains[i].value_count;
             j++)
            if (is_made(model, cases->domains[i].values[j]))
                add_number(values, &count, cases->domains[i].values[j]);
    for (int n = 1, most = most_counted(model, ref); n <= most; n++)
        add_number(values, &count, (struct wcts_value){.symbol = -1, .number = (uint64_t)n});
    return count < 2 || add_place(model, instance, ref, values, count);
}

/* Members in the same storage hold one value: the first is the parameter. */
static bool is_first_in_storage(const struct wcts_structure *structure, int member)
{
    for (int i = 0; i < member; i++)
        if (structure->members[i].offset == structure->members[member].offset)
            return false;
    return true;
}

/* At versions without the member it stays as it is. */
static bool forbid_elsewhere(struct wcts_generate_base *model, int first,
                             const struct wcts_member *member)
{
    const struct wcts_generate_place *version = &model->places[0];
    uint64_t missing = 0;
    for (int i = 0; i < version->value_count; i++)
        if ((int)version->values[i].number < member->since ||
            (int)version->values[i].number >= member->until)
            missing |= UINT64_C(1) << i;
    for (int i = first; i < model->model.parameter_count; i++)
        if (!forbid_both(model, 0, missing, i, changed_values(&model->places[i])))
            return false;
    return true;
}

/* Of an answer, flags alone: what is a number in it is tried by the cases of its rules. */
static bool add_instance_places(struct wcts_generate_base *model, int instance, bool flags_alone)
{
    int index = model->world.instances[instance].structure;
    const struct wcts_structure *structure = &spec_of(model)->structures[index];
    bool good = true;
    for (int m = 0; good && m < structure->member_count; m++) {
        const struct wcts_ref ref = {index, m, -1};
        int first = model->model.parameter_count;
        if (!is_first_in_storage(structure, m) || (flags_alone && structure->members[m].word < 0))
            continue;
        good = structure->members[m].word >= 0 ? add_flags(model, instance, ref)
                                               : add_domain(model, instance, ref);
        good = good && forbid_elsewhere(model, first, &structure->members[m]);
    }
    return good;
}

/* None, and those that the base can be in. */
static bool add_states(struct wcts_generate_base *model)
{
    const struct wcts_cases *cases = spec_of(model)->cases;
    const struct wcts_base *base = &cases->bases[model->base];
    struct wcts_value values[WCTS_GENERATE_VALUES_MAX] = {{.symbol = -1}};
    int count = 1;
    for (int i = 0; i < cases->states_count; i++)
        if (wcts_model_base_has_state(cases, base, &cases->states[i]))
            add_number(values, &count,
                       (struct wcts_value){.symbol = -1, .number = (uint64_t)i + 1});
    return add_place(model, WCTS_GENERATE_STATE, (struct wcts_ref){-1, -1, -1}, values, count);
}

/* The values of a place at which something is not there, as a mask. */
static uint64_t values_where(const struct wcts_generate_place *place,
                             bool (*missing)(const void *of, uint64_t number), const void *of)
{
    uint64_t mask = 0;
    for (int i = 0; i < place->value_count; i++)
        if (missing(of, place->values[i].number))
            mask |= UINT64_C(1) << i;
    return mask;
}

static bool is_not_at(const void *of, uint64_t version)
{
    const struct wcts_base_state *state = of;
    return (int)version < state->since || (int)version >= state->until;
}

/* A state is at its versions. Changed answers of the driver would meet the steps that a state takes
 * before the call that they are for. */
static bool forbid_in_states(struct wcts_generate_base *model)
{
    const struct wcts_cases *cases = spec_of(model)->cases;
    const struct wcts_generate_place *states = &model->places[model->state];
    for (int v = 1; v < states->value_count; v++) {
        const struct wcts_base_state *state = &cases->states[states->values[v].number - 1];
        const uint64_t in = UINT64_C(1) << v;
        if (!forbid_both(model, model->state, in, 0,
                         values_where(&model->places[0], is_not_at, state)))
            return false;
        for (int p = 0; state->take_count > 0 && p < model->place_count; p++)
            if (is_answer_place(model, model->places[p].instance) &&
                !forbid_both(model, model->state, in, p, changed_values(&model->places[p])))
                return false;
    }
    return true;
}

/* The flags that decide whether a structure is there are read by whatever asks for it. */
static bool find_presence(struct wcts_generate_base *model)
{
    model->presence = calloc((size_t)model->model.parameter_count, sizeof *model->presence);
    for (int p = 0; model->presence && p < model->model.parameter_count; p++)
        for (int i = 0; i < model->world.count; i++)
            if (model->places[p].instance >= 0 &&
                wcts_model_same_ref(model->world.instances[i].when, model->places[p].ref))
                model->presence[p] = true;
    return model->presence != NULL;
}

static bool is_absent(const void *of, uint64_t number)
{
    const struct wcts_oracle_world_instance *one = of;
    return (number >= (uint64_t)one->least) == one->unless;
}

/* The parameters of a structure that is not there say nothing: they stay as they are. */
static bool forbid_absent(struct wcts_generate_base *model)
{
    for (int i = 0; i < model->world.count; i++) {
        const struct wcts_oracle_world_instance *one = &model->world.instances[i];
        for (int p = 0; one->when.structure >= 0 && p < model->place_count; p++) {
            const struct wcts_generate_place *decides = &model->places[p];
            uint64_t absent;
            if (decides->instance < 0 || decides->instance == i ||
                !wcts_model_same_ref(one->when, decides->ref))
                continue;
            absent = values_where(decides, is_absent, one);
            for (int q = 0; q < model->place_count; q++)
                if (model->places[q].instance == i &&
                    !forbid_both(model, p, absent, q, changed_values(&model->places[q])))
                    return false;
        }
    }
    return true;
}

bool wcts_generate_add_places(struct wcts_generate_base *model,
                              const struct wcts_generate_base_options *options)
{
    static const struct wcts_value page_sizes[] = {{.symbol = -1, .number = 4096},
                                                   {.symbol = -1, .number = 16384},
                                                   {.symbol = -1, .number = 65536}};
    const struct wcts_base *base = &spec_of(model)->cases->bases[model->base];
    const struct wcts_ref none = {-1, -1, -1};
    struct wcts_value versions[WCTS_GENERATE_VALUES_MAX] = {{0}};
    int count = 0;
    bool good;
    for (int v = base->since; v < base->until; v++)
        if (v >= options->from && v < options->until)
            add_number(versions, &count, (struct wcts_value){.symbol = -1, .number = (uint64_t)v});
    good =
        count > 0 && add_place(model, WCTS_GENERATE_VERSION, none, versions, count) &&
        add_place(model, WCTS_GENERATE_PAGE_SIZE, none, page_sizes, options->one_page_size ? 1 : 3);
    model->state = model->place_count;
    good = good && (!options->states || add_states(model));
    for (int i = 0; good && i < model->world.count; i++)
        if (!is_answer_place(model, i) || !options->the_call_alone ||
            (!options->answers_stay &&
             wcts_list_has(base->answers, model->world.instances[i].name)))
            good =
                add_instance_places(model, i, is_answer_place(model, i) && options->the_call_alone);
    return good && (!options->states || forbid_in_states(model)) && find_presence(model) &&
           forbid_absent(model);
}
