/* SPDX-License-Identifier: MIT */
/* Look-ups in a loaded spec. */
#include <string.h>

#include "../../include/wddm-cts.h"
#include "../base/arena.h"
#include "../base/text.h"
#include "cases.h"
#include "names.h"
#include "spec.h"
#include "test.h"

/* The position of the element with that name; key is the member that holds the name. */
#define FIND(array, count, key, name)                                                              \
    for (int i = 0; i < (count); i++)                                                              \
        if (wcts_text_same((array)[i].key, name))                                                  \
            return i;                                                                              \
    return -1

int wcts_model_spec_version(const struct wcts_spec *spec, const char *name)
{
    FIND(spec->versions, spec->versions_count, name, name);
}

int wcts_model_spec_statement(const struct wcts_spec *spec, const char *id)
{
    FIND(spec->statements, spec->statements_count, id, id);
}

int wcts_model_spec_rule(const struct wcts_spec *spec, const char *id)
{
    FIND(spec->rules, spec->rules_count, id, id);
}

int wcts_model_spec_rule_before(const struct wcts_spec *spec, const char *text, const char *ends)
{
    size_t length = strcspn(text, ends);
    for (int i = 0; i < spec->rules_count; i++)
        if (strlen(spec->rules[i].id) == length && strncmp(spec->rules[i].id, text, length) == 0)
            return i;
    return -1;
}

int wcts_model_spec_structure(const struct wcts_spec *spec, const char *name)
{
    FIND(spec->structures, spec->structures_count, name, name);
}

int wcts_model_spec_member(const struct wcts_spec *spec, int structure, const char *name)
{
    FIND(spec->structures[structure].members, spec->structures[structure].member_count, name, name);
}

int wcts_model_spec_flag(const struct wcts_spec *spec, int word, const char *name)
{
    FIND(spec->words[word].flags, spec->words[word].flag_count, name, name);
}

int wcts_model_spec_message(const struct wcts_spec *spec, const char *name)
{
    FIND(spec->messages, spec->messages_count, name, name);
}

int wcts_model_cases_symbol(const struct wcts_cases *cases, const char *name)
{
    FIND(cases->symbols, cases->symbols_count, name, name);
}

int wcts_model_cases_step(const struct wcts_cases *cases, const char *name)
{
    FIND(cases->steps, cases->steps_count, name, name);
}

int wcts_model_symbol_maker(const struct wcts_cases *cases, int symbol)
{
    const struct wcts_symbol *one = &cases->symbols[symbol];
    if (one->kind == WCTS_SYMBOL_PARAMETER)
        return -1;
    return one->kind == WCTS_SYMBOL_AREA ? cases->symbols[one->of].step : one->step;
}

bool wcts_model_step_includes(const struct wcts_cases *cases, int step, int other)
{
    const struct wcts_step *one = &cases->steps[step];
    bool takes = step == other;
    for (int i = 0; i < one->need_count && !takes; i++)
        takes = wcts_model_step_includes(cases, one->needs[i], other);
    return takes;
}

/* True if the flag in what a step sends is as given. False for either if a loop or an earlier call
 * decides. */
static bool has_flag(const struct wcts_step *step, struct wcts_ref flag, int least, bool set)
{
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            const struct wcts_set *one = &step->instances[i].sets[j];
            if (one->ref.structure == flag.structure && one->ref.member == flag.member &&
                (one->ref.flag == flag.flag || one->ref.flag < 0 || flag.flag < 0))
                return one->ref.flag == flag.flag && one->value.symbol < 0 &&
                       (one->value.number >= (uint64_t)least) == set;
        }
    return !set;
}

bool wcts_model_step_sends(const struct wcts_step *step, const struct wcts_instance *instance)
{
    return instance->when.structure < 0 ||
           has_flag(step, instance->when, instance->least, !instance->unless);
}

static bool state_takes_step(const struct wcts_base_state *state, int step)
{
    for (int i = 0; i < state->take_count; i++)
        if (state->takes[i] == step)
            return true;
    return false;
}

bool wcts_model_base_has_state(const struct wcts_cases *cases, const struct wcts_base *base,
                               const struct wcts_base_state *state)
{
    bool has =
        !base->alone && (state->of < 0 || wcts_model_step_includes(cases, base->step, state->of));
    for (int i = 0; i < state->take_count; i++) {
        const struct wcts_step *take = &cases->steps[state->takes[i]];
        for (int j = 0; j < take->need_count; j++)
            has = has && (state_takes_step(state, take->needs[j]) ||
                          (take->needs[j] != base->step &&
                           wcts_model_step_includes(cases, base->step, take->needs[j])));
    }
    return has;
}

bool wcts_model_is_also(const struct wcts_scenario *scenario, int rule)
{
    for (int i = 0; scenario && i < scenario->also_count; i++)
        if (scenario->also[i] == rule)
            return true;
    return false;
}

const char *wcts_model_ref_text(const struct wcts_spec *spec, struct wcts_ref ref, char *buffer,
                                size_t room)
{
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    if (ref.flag < 0)
        snprintf(buffer, room, "%s", member->name);
    else
        snprintf(buffer, room, "%s.%s", member->name,
                 spec->words[member->word].flags[ref.flag].name);
    return buffer;
}

const char *wcts_model_ref_name(struct wcts_arena *arena, const struct wcts_spec *spec,
                                struct wcts_ref ref)
{
    const struct wcts_member *member = wcts_model_ref_member(spec, ref);
    return wcts_arena_format(arena, "%s%s%s", member->name, ref.flag < 0 ? "" : ".",
                             ref.flag < 0 ? "" : spec->words[member->word].flags[ref.flag].name);
}

const char *wcts_model_until_name(const struct wcts_spec *spec, int until)
{
    return until >= 0 && until < spec->versions_count ? spec->versions[until].name : NULL;
}

uint64_t wcts_model_value_resolve(const struct wcts_spec *spec, const struct wcts_symbols *symbols,
                                  struct wcts_value value)
{
    const struct wcts_symbol *symbol;
    if (value.symbol < 0)
        return value.number;
    symbol = &spec->cases->symbols[value.symbol];
    if (symbol->kind == WCTS_SYMBOL_AREA)
        return symbols->values[symbol->of] + symbol->offset + value.number;
    return symbols->values[value.symbol] + value.number;
}

bool wcts_model_fact_is_answer(const struct wcts_plan *plan, const struct wcts_case *test,
                               const struct wcts_fact *fact)
{
    const struct wcts_cases *cases = plan->spec->cases;
    return fact->instance < cases->adapters[cases->bases[test->base].adapter].instance_count;
}

uint32_t wcts_model_step_operation(const struct wcts_spec *spec, const struct wcts_step *step)
{
    return step->message < 0 ? wcts_model_region_operation(spec)
                             : spec->messages[step->message].operation;
}

uint32_t wcts_model_region_operation(const struct wcts_spec *spec)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].lends)
            return spec->messages[i].operation;
    return 0;
}

const struct wcts_message *wcts_model_showing(const struct wcts_spec *spec, enum wcts_shows what)
{
    for (int i = 0; i < spec->messages_count; i++)
        if (spec->messages[i].shows == what)
            return &spec->messages[i];
    return NULL;
}

uint32_t wcts_model_operation_showing(const struct wcts_spec *spec, enum wcts_shows what)
{
    const struct wcts_message *message = wcts_model_showing(spec, what);
    return message ? message->operation : 0;
}

int wcts_model_shown_structure(const struct wcts_spec *spec, enum wcts_shows what)
{
    const struct wcts_message *message = wcts_model_showing(spec, what);
    const struct wcts_structure *reply =
        message && message->reply >= 0 ? &spec->structures[message->reply] : NULL;
    for (int m = 0; reply && m < reply->member_count; m++)
        if (reply->members[m].element_of_count > 0)
            return reply->members[m].element_of[0];
    return -1;
}

const char *wcts_model_page_member_name(const struct wcts_spec *spec, enum wcts_meaning meaning)
{
    int page = wcts_model_shown_structure(spec, WCTS_SHOWS_PAGES);
    const struct wcts_member *member =
        page < 0 ? NULL : wcts_model_meaning(&spec->structures[page], meaning);
    return member ? member->name : wcts_meaning_words[meaning];
}

bool wcts_model_exists_at(const struct wcts_spec *spec, struct wcts_ref ref, int version)
{
    const struct wcts_structure *structure = &spec->structures[ref.structure];
    const struct wcts_member *member = &structure->members[ref.member];
    return version >= structure->since && version < structure->until && version >= member->since &&
           version < member->until;
}
