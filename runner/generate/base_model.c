/* SPDX-License-Identifier: MIT */
#include "base_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/text.h"
#include "../lang/expr.h"
#include "../model/cases.h"
#include "../oracle/env.h"
#include "base_places.h"

/* Worlds that are tried to loosen one nogood. */
#define LOOSENINGS_MAX 256

/* ---- Worlds ---- */

static bool keep_pristine(struct wcts_generate_base *model)
{
    model->pristine = calloc((size_t)model->world.count + 1, sizeof *model->pristine);
    model->hidden = calloc((size_t)model->world.count + 1, sizeof *model->hidden);
    for (int i = 0; model->pristine && model->hidden && i < model->world.count; i++) {
        const struct wcts_oracle_world_instance *one = &model->world.instances[i];
        size_t members = (size_t)spec_of(model)->structures[one->structure].member_count;
        model->pristine[i] = calloc(members + 1, sizeof *one->values);
        model->hidden[i] = calloc(members + 1, sizeof *model->hidden[i]);
        if (!model->pristine[i] || !model->hidden[i])
            return false;
        memcpy(model->pristine[i], one->values, members * sizeof *one->values);
    }
    return model->pristine && model->hidden;
}

/* Makes the world of a row, until the next one is made. */
static const struct wcts_world *world_of_row(struct wcts_generate_base *model, const uint8_t *row)
{
    struct wcts_world *world = &model->world;
    for (int i = 0; i < world->count; i++) {
        struct wcts_oracle_world_instance *one = &world->instances[i];
        int members = spec_of(model)->structures[one->structure].member_count;
        memcpy(one->values, model->pristine[i], (size_t)members * sizeof *one->values);
        one->present = true;
    }
    for (int i = 0; i < model->model.parameter_count; i++) {
        const struct wcts_generate_place *place = &model->places[i];
        struct wcts_value value = place->values[row[i]];
        if (place->instance == WCTS_GENERATE_VERSION)
            world->version = (int)value.number;
        else if (place->instance == WCTS_GENERATE_PAGE_SIZE)
            world->page_size = (uint32_t)value.number;
        else if (place->instance >= 0 && row[i])
            wcts_world_put(world, place->instance, place->ref, value);
    }
    wcts_world_settle(world);
    return world;
}

/* ---- Who reads what ---- */

static uint64_t bits_of_member(const struct wcts_spec *spec, struct wcts_ref ref)
{
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    return ref.flag < 0 ? UINT64_MAX : UINT64_C(1) << spec->words[member->word].flags[ref.flag].bit;
}

/* Calls once for each reader of a place, or more often. */
static void visit_readers(const struct wcts_oracle_reads *reads,
                          const struct wcts_generate_place *place,
                          void (*each)(void *ctx, int reader), void *ctx)
{
    int first = reads->eval->first_member[place->ref.structure], member = place->ref.member;
    uint64_t bits = bits_of_member(reads->eval->spec, place->ref);
    do {
        for (int r = reads->first[first + member]; r < reads->first[first + member + 1]; r++)
            if (reads->readings[r].bits & bits)
                each(ctx, reads->readings[r].reader);
        member = reads->eval->shared[first + member];
    } while (member != place->ref.member);
}

/* First counts the places of each reader, then, once there is room, notes them. */
struct generate_reader_index {
    struct wcts_generate_base *model;
    int place;
};

static void note_reader(void *ctx, int reader)
{
    const struct generate_reader_index *index = ctx;
    struct wcts_generate_base *model = index->model;
    if (!model->readers)
        model->first[reader]++;
    else
        model->readers[--model->first[reader]] = index->place;
}

static void note_places(struct generate_reader_index *index, const struct wcts_oracle_reads *reads)
{
    for (int p = 0; p < index->model->model.parameter_count; p++) {
        index->place = p;
        if (index->model->places[p].instance >= 0)
            visit_readers(reads, &index->model->places[p], note_reader, index);
    }
}

static bool index_readers(struct wcts_generate_base *model, const struct wcts_oracle_reads *reads)
{
    const struct wcts_spec *spec = spec_of(model);
    int count = spec->rules_count + spec->structures_count + spec->gaps_count;
    struct generate_reader_index index = {model, 0};
    model->first = calloc((size_t)count + 1, sizeof *model->first);
    if (!model->first)
        return false;
    note_places(&index, reads);
    for (int i = 1; i <= count; i++)
        model->first[i] += model->first[i - 1];
    model->readers = calloc((size_t)model->first[count] + 1, sizeof *model->readers);
    if (!model->readers)
        return false;
    note_places(&index, reads);
    return true;
}

/* ---- What a row breaks ---- */

/* A rule is broken; the world is left open; the rule to be broken is kept: as far as it is known.
 */
struct generate_objection {
    int reader; /* as in struct wcts_oracle_reading */
    bool kept;
};

static bool world_breaks_rule(const struct wcts_world *world, int index)
{
    const struct wcts_spec *spec = world->eval->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    return world->eval->binds[index * spec->versions_count + world->version] &&
           wcts_oracle_rule_ask_all(world, rule, NULL) == WCTS_FALSE;
}

/* True if no value of what is hidden lets this instance break the rule. */
static bool is_kept_by(const struct wcts_world *world, const struct wcts_lang_rule *breach,
                       int instance)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    const struct wcts_lang_exprs *exprs = env.spec->exprs;
    return (breach->when && wcts_lang_truth(exprs, breach->when, &env, instance) == WCTS_FALSE) ||
           wcts_lang_truth(exprs, breach->refuse, &env, instance) == WCTS_FALSE ||
           (breach->unless && wcts_lang_truth(exprs, breach->unless, &env, instance) == WCTS_TRUE);
}

static bool keeps_rule(const struct wcts_world *world, int index)
{
    const struct wcts_spec *spec = world->eval->spec;
    const struct wcts_rule *rule = &spec->rules[index];
    if (!world->eval->binds[index * spec->versions_count + world->version])
        return true;
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == rule->on && world->instances[i].present &&
            !is_kept_by(world, &rule->breach, i))
            return false;
    return true;
}

static bool leaves_open(const struct wcts_world *world, int structure)
{
    for (int i = 0; world->eval->left_open[structure] && i < world->count; i++)
        if (world->instances[i].structure == structure && world->instances[i].present &&
            wcts_oracle_left_open(world, i))
            return true;
    return false;
}

static bool objects(const struct wcts_world *world, const struct generate_objection *objection)
{
    const struct wcts_spec *spec = world->eval->spec;
    int reader = objection->reader;
    if (reader < spec->rules_count)
        return objection->kept ? keeps_rule(world, reader) : world_breaks_rule(world, reader);
    reader -= spec->rules_count;
    if (reader < spec->structures_count)
        return leaves_open(world, reader);
    return wcts_oracle_gap_covers(world, &spec->gaps[reader - spec->structures_count]);
}

/* The rule to be broken may take along those that lie in its breach. */
static bool may_object(const struct wcts_generate_base *model, int reader)
{
    const struct wcts_spec *spec = spec_of(model);
    if (reader >= spec->rules_count)
        return true;
    return wcts_model_is_asked(spec->rules[reader].form) && reader != model->rule &&
           (model->rule < 0 || !model->with_masks ||
            !wcts_list_has(spec->rules[model->rule].masked_by, spec->rules[reader].id));
}

/* False if there is none. */
static bool find_objection(const struct wcts_generate_base *model,
                           struct generate_objection *objection)
{
    const struct wcts_spec *spec = spec_of(model);
    int count = spec->rules_count + spec->structures_count + spec->gaps_count;
    *objection = (struct generate_objection){model->rule, true};
    if (model->rule >= 0 && !world_breaks_rule(&model->world, model->rule))
        return true;
    objection->kept = false;
    for (int i = 0; i < count; i++) {
        objection->reader = i;
        if (may_object(model, i) && objects(&model->world, objection))
            return true;
    }
    return false;
}

bool wcts_generate_base_is_valid(struct wcts_generate_base *model, const uint8_t *row)
{
    struct generate_objection objection;
    int broken = model->rule;
    bool valid;
    model->rule = -1;
    world_of_row(model, row);
    valid = !find_objection(model, &objection);
    model->rule = broken;
    return valid;
}

static bool is_forbidden(const struct wcts_generate_model *model, const uint8_t *row)
{
    for (int i = 0; i < model->nogood_count; i++) {
        const struct wcts_generate_nogood *nogood = &model->nogoods[i];
        int held = 0;
        while (held < nogood->count &&
               nogood->terms[held].values >> row[nogood->terms[held].parameter] & 1)
            held++;
        if (held == nogood->count)
            return true;
    }
    return false;
}

bool wcts_generate_base_allows(struct wcts_generate_base *model, const uint8_t *row)
{
    struct generate_objection objection;
    if (is_forbidden(&model->model, row))
        return false;
    world_of_row(model, row);
    return !find_objection(model, &objection);
}

/* ---- Rows and facts ---- */

int wcts_generate_base_facts(struct wcts_generate_base *model, const uint8_t *row,
                             struct wcts_fact facts[WCTS_FACTS_MAX])
{
    const struct wcts_world *world = world_of_row(model, row);
    int count = 0;
    for (int p = 0; p < model->place_count; p++) {
        const struct wcts_generate_place *place = &model->places[p];
        const struct wcts_ref whole = {place->ref.structure, place->ref.member, -1};
        const struct wcts_fact *last = count ? &facts[count - 1] : NULL;
        if (row[p] == 0 || place->instance < 0 ||
            (last && last->instance == place->instance && last->ref.member == whole.member))
            continue;
        if (count == WCTS_FACTS_MAX)
            return -1;
        facts[count++] = (struct wcts_fact){place->instance, whole,
                                            wcts_world_get(world, place->instance, whole)};
    }
    return count;
}

static struct wcts_value value_in_world(const struct wcts_world *world,
                                        const struct wcts_generate_place *place)
{
    if (place->instance == WCTS_GENERATE_VERSION)
        return (struct wcts_value){.symbol = -1, .number = (uint64_t)world->version};
    if (place->instance == WCTS_GENERATE_PAGE_SIZE)
        return (struct wcts_value){.symbol = -1, .number = world->page_size};
    if (place->instance == WCTS_GENERATE_STATE)
        return place->values[0];
    return wcts_world_get(world, place->instance, place->ref);
}

bool wcts_generate_base_row(const struct wcts_generate_base *model, const struct wcts_world *world,
                            uint8_t *row)
{
    for (int p = 0; p < model->place_count; p++) {
        const struct wcts_generate_place *place = &model->places[p];
        struct wcts_value value = value_in_world(world, place);
        int v = 0;
        while (v < place->value_count &&
               (place->values[v].symbol != value.symbol || place->values[v].number != value.number))
            v++;
        if (v == place->value_count)
            return false;
        row[p] = (uint8_t)v;
    }
    return true;
}

/* ---- What breaks it ---- */

static void hide(struct wcts_generate_base *model, int place, bool hidden)
{
    const struct wcts_generate_place *at = &model->places[place];
    uint64_t bits = bits_of_member(spec_of(model), at->ref);
    int first = model->eval->first_member[at->ref.structure], member = at->ref.member;
    do {
        uint64_t *word = &model->hidden[at->instance][member];
        *word = hidden ? *word | bits : *word & ~bits;
        member = model->eval->shared[first + member];
    } while (member != at->ref.member);
}

/* The places whose values an objection rests on: what it reads, version and page size, and what
 * decides which structures there are. */
static int places_of(const struct wcts_generate_base *model,
                     const struct generate_objection *objection, int *places)
{
    bool taken[WCTS_GENERATE_PARAMETERS_MAX] = {true, true};
    int count = 2;
    places[0] = 0;
    places[1] = 1;
    for (int p = 0; p < model->model.parameter_count; p++)
        if (model->presence[p] && !taken[p])
            taken[places[count++] = p] = true;
    for (int i = model->first[objection->reader]; i < model->first[objection->reader + 1]; i++)
        if (!taken[model->readers[i]])
            taken[places[count++] = model->readers[i]] = true;
    return count;
}

/* Whether the objection stands with another value of a place, beside all values that the terms so
 * far allow of theirs; every row of them is tried. */
static bool stands_with(struct wcts_generate_base *model,
                        const struct generate_objection *objection,
                        const struct wcts_generate_term *terms, int count, int changed,
                        uint8_t *row)
{
    uint8_t values[WCTS_GENERATE_PARAMETERS_MAX];
    for (int i = 0; i < count; i++)
        values[i] = (uint8_t)__builtin_ctzll(terms[i].values);
    for (;;) {
        int i = 0;
        for (int t = 0; t < count; t++)
            if (t != changed)
                row[terms[t].parameter] = values[t];
        world_of_row(model, row);
        if (!objects(&model->world, objection))
            return false;
        for (; i < count; i++) {
            uint64_t rest = i == changed ? 0 : terms[i].values >> values[i] >> 1;
            if (rest) {
                values[i] = (uint8_t)(values[i] + 1 + __builtin_ctzll(rest));
                break;
            }
            if (i != changed)
                values[i] = (uint8_t)__builtin_ctzll(terms[i].values);
        }
        if (i == count)
            return true;
    }
}

/* Gives terms more values, as long as the objection stands with each. */
static void loosen(struct wcts_generate_base *model, const struct generate_objection *objection,
                   const uint8_t *row, struct wcts_generate_term *terms, int *count)
{
    uint8_t changed[WCTS_GENERATE_PARAMETERS_MAX];
    uint64_t worlds = 1;
    memcpy(changed, row, (size_t)model->model.parameter_count);
    for (int t = 0; t < *count; t++) {
        int parameter = terms[t].parameter;
        int all = model->places[parameter].value_count;
        for (int v = 0; v < all && worlds * (uint64_t)all <= LOOSENINGS_MAX; v++) {
            changed[parameter] = (uint8_t)v;
            if (v != row[parameter] && stands_with(model, objection, terms, *count, t, changed))
                terms[t].values |= UINT64_C(1) << v;
        }
        changed[parameter] = row[parameter];
        worlds *= (uint64_t)__builtin_popcountll(terms[t].values);
    }
    /* A parameter that may have any value is no term. */
    for (int t = *count - 1; t >= 0; t--)
        if (__builtin_popcountll(terms[t].values) == model->places[terms[t].parameter].value_count)
            terms[t] = terms[--*count];
}

static bool forbids(void *ctx, const uint8_t *row, struct wcts_generate_term *terms, int *count)
{
    struct wcts_generate_base *model = ctx;
    struct generate_objection objection;
    int places[WCTS_GENERATE_PARAMETERS_MAX], place_count;
    world_of_row(model, row);
    if (!find_objection(model, &objection))
        return false;
    place_count = places_of(model, &objection, places);
    model->world.hidden = (const uint64_t *const *)model->hidden;
    *count = 0;
    for (int i = 0; i < place_count; i++) {
        int p = places[i];
        if (p >= 2 && !model->presence[p]) {
            hide(model, p, true);
            if (objects(&model->world, &objection))
                continue;
            hide(model, p, false);
        }
        terms[(*count)++] = (struct wcts_generate_term){p, UINT64_C(1) << row[p]};
    }
    loosen(model, &objection, row, terms, count);
    for (int i = 0; i < place_count; i++)
        if (places[i] >= 2)
            hide(model, places[i], false);
    model->world.hidden = NULL;
    return true;
}

/* ---- Models ---- */

bool wcts_generate_base_init(struct wcts_generate_base *model,
                             const struct wcts_oracle_reads *reads, int base,
                             const struct wcts_generate_base_options *options)
{
    bool good;
    *model = (struct wcts_generate_base){.eval = reads->eval,
                                         .base = base,
                                         .rule = options->rule,
                                         .with_masks = options->with_masks};
    good = wcts_world_init_base(&model->world, reads->eval, base, 0, 4096) &&
           keep_pristine(model) && wcts_generate_add_places(model, options) &&
           index_readers(model, reads);
    if (!good)
        wcts_generate_base_release(model);
    model->model.forbids = forbids;
    model->model.forbids_ctx = model;
    return good;
}

void wcts_generate_base_release(struct wcts_generate_base *model)
{
    for (int i = 0; i < model->place_count; i++)
        free(model->places[i].values);
    for (int i = 0; i < model->world.count; i++) {
        if (model->pristine)
            free(model->pristine[i]);
        if (model->hidden)
            free(model->hidden[i]);
    }
    free(model->places);
    free(model->pristine);
    free(model->hidden);
    free(model->first);
    free(model->readers);
    free(model->presence);
    wcts_world_release(&model->world);
    wcts_generate_model_release(&model->model);
    *model = (struct wcts_generate_base){0};
}

/* ---- Names ---- */

static const char *const own_names[] = {[-1 - WCTS_GENERATE_VERSION] = "wddm",
                                        [-1 - WCTS_GENERATE_PAGE_SIZE] = "page-size",
                                        [-1 - WCTS_GENERATE_STATE] = "state"};

void wcts_generate_base_name(const struct wcts_generate_base *model, int parameter,
                             struct wcts_text *text)
{
    const struct wcts_spec *spec = spec_of(model);
    const struct wcts_generate_place *place = &model->places[parameter];
    const struct wcts_member *member;
    int number = 1;
    if (place->instance < 0) {
        wcts_text_add(text, "%s", own_names[-1 - place->instance]);
        return;
    }
    for (int i = 0; i < place->instance; i++)
        number += strcmp(model->world.instances[i].name,
                         model->world.instances[place->instance].name) == 0;
    member = wcts_model_ref_member(spec, place->ref);
    wcts_text_add(text, "%s", model->world.instances[place->instance].name);
    if (number > 1)
        wcts_text_add(text, "-%d", number);
    wcts_text_add(text, ".%s", member->name);
    if (place->ref.flag >= 0)
        wcts_text_add(text, ".%s", spec->words[member->word].flags[place->ref.flag].name);
}

void wcts_generate_base_value(const struct wcts_generate_base *model, int parameter, int value,
                              struct wcts_text *text)
{
    const struct wcts_spec *spec = spec_of(model);
    const struct wcts_generate_place *place = &model->places[parameter];
    struct wcts_value one = place->values[value];
    if (place->instance == WCTS_GENERATE_VERSION) {
        wcts_text_add(text, "%s", spec->versions[one.number].name);
        return;
    }
    if (place->instance == WCTS_GENERATE_STATE) {
        wcts_text_add(text, "%s", one.number ? spec->cases->states[one.number - 1].name : "none");
        return;
    }
    if (one.symbol >= 0)
        wcts_text_add(text, "%s", spec->cases->symbols[one.symbol].name);
    if (one.symbol >= 0 && one.number)
        wcts_text_add(text, "+");
    if (one.symbol < 0 && one.number < 10)
        wcts_text_add(text, "%" PRIu64, one.number);
    else if (one.symbol < 0 || one.number)
        wcts_text_add(text, "0x%" PRIx64, one.number);
}
