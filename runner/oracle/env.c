/* SPDX-License-Identifier: MIT */
#include "env.h"

#include <string.h>

/* ---- values ---- */

static const struct wcts_world *world_of(const struct wcts_lang_env *env)
{
    return env->context;
}

/* The value of a member, or of a flag of it. An address in an area is one in its reservation; a
 * pointer to a companion is a number. */
static struct wcts_lang_result
world_result(const struct wcts_spec *spec, const struct wcts_lang_ref *ref, struct wcts_value value)
{
    const struct wcts_member *member = &spec->structures[ref->structure].members[ref->member];
    const struct wcts_symbol *symbol;
    if (ref->flag >= 0)
        return wcts_lang_known(value.number >> spec->words[member->word].flags[ref->flag].bit & 1);
    if (value.symbol < 0)
        return wcts_lang_known(value.number);
    symbol = &spec->cases->symbols[value.symbol];
    if (symbol->kind == WCTS_SYMBOL_AREA && member->type == WCTS_TYPE_ADDRESS)
        value = (struct wcts_value){.symbol = symbol->of, .number = value.number + symbol->offset};
    return (struct wcts_lang_result){true, value.symbol, value.number};
}

/* What the step that made an object set. */
static struct wcts_lang_result made_with_value(const struct wcts_spec *spec, int symbol,
                                               const struct wcts_lang_ref *ref)
{
    const struct wcts_step *step = &spec->cases->steps[spec->cases->symbols[symbol].step];
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            const struct wcts_set *set = &step->instances[i].sets[j];
            if (set->ref.structure == ref->structure && set->ref.member == ref->member &&
                set->ref.flag == ref->flag)
                return ref->flag < 0 ? world_result(spec, ref, set->value)
                                     : wcts_lang_known(set->value.number != 0);
        }
    return wcts_lang_known(0);
}

/* Members of what the call does not have are 0. Only what a step made leads anywhere. */
static struct wcts_lang_result world_value(const struct wcts_lang_env *env, int subject,
                                           const struct wcts_lang_ref *steps, int count)
{
    const struct wcts_world *world = world_of(env);
    struct wcts_lang_result value = wcts_lang_known(0);
    if (steps->reply || count > 2)
        return wcts_lang_unknown();
    if (world->instances[subject].structure != steps->structure)
        subject = wcts_world_resolve(world, subject, steps->structure);
    if (subject >= 0 &&
        wcts_world_hidden(world, subject,
                          (struct wcts_ref){steps->structure, steps->member, steps->flag}))
        return wcts_lang_unknown();
    if (subject >= 0)
        value = world_result(env->spec, steps, world->instances[subject].values[steps->member]);
    if (count == 1)
        return value;
    if (value.symbol < 0 || steps[1].reply ||
        env->spec->cases->symbols[value.symbol].kind != WCTS_SYMBOL_HANDLE)
        return wcts_lang_unknown();
    return made_with_value(env->spec, value.symbol, &steps[1]);
}

/* The bits of a word that are known. */
static uint64_t world_known(const struct wcts_lang_env *env, int subject, struct wcts_lang_ref ref,
                            uint64_t *value)
{
    const struct wcts_world *world = world_of(env);
    *value = 0;
    if (world->instances[subject].structure != ref.structure)
        subject = wcts_world_resolve(world, subject, ref.structure);
    if (subject < 0)
        return UINT64_MAX;
    *value = world->instances[subject].values[ref.member].number;
    return ~wcts_world_hidden(world, subject, (struct wcts_ref){ref.structure, ref.member, -1});
}

static uint64_t world_bits(const struct wcts_lang_env *env, int word, uint64_t *elsewhere)
{
    const struct wcts_world *world = world_of(env);
    const struct wcts_oracle_masks *masks =
        wcts_oracle_eval_masks(world->eval, word, world->version);
    *elsewhere = masks->open | masks->gated;
    return masks->defined;
}

/* ---- instances ---- */

static int world_next(const struct wcts_lang_env *env, int subject, int structure, int after)
{
    const struct wcts_world *world = world_of(env);
    (void)subject;
    for (int i = after + 1; i < world->count; i++)
        if (world->instances[i].structure == structure && world->instances[i].present)
            return i;
    return -1;
}

/* What a side answered hangs on no pointer of the cases. */
static int world_next_element(const struct wcts_lang_env *env, int subject,
                              struct wcts_lang_ref pointer, int structure, int after)
{
    const struct wcts_world *world = world_of(env);
    subject = wcts_world_resolve(world, subject, pointer.structure);
    for (int i = world_next(env, subject, structure, after); i >= 0;
         i = world_next(env, subject, structure, i)) {
        const struct wcts_oracle_world_instance *one = &world->instances[i];
        if (one->parent == subject && (one->at.structure < 0 || one->at.member == pointer.member))
            return i;
    }
    return -1;
}

static enum wcts_truth world_was_there(const struct wcts_lang_env *env, int instance, int subject)
{
    int ended = world_of(env)->instances[instance].ended;
    return ended == 0 || ended > subject ? WCTS_TRUE : WCTS_FALSE;
}

static enum wcts_truth world_object(const struct wcts_lang_env *env, struct wcts_lang_result handle,
                                    struct wcts_lang_object *object)
{
    const struct wcts_symbol *symbol;
    if (handle.symbol < 0)
        return WCTS_FALSE;
    symbol = &env->spec->cases->symbols[handle.symbol];
    *object = (struct wcts_lang_object){
        .kind = symbol->kind == WCTS_SYMBOL_HANDLE ? symbol->kind_name : NULL,
        .live = symbol->dead_by < 0,
        .size = symbol->size,
    };
    return WCTS_TRUE;
}

/* ---- pages ---- */

static int reservation_behind(const struct wcts_cases *cases, int reservation)
{
    for (int i = 0; i < cases->symbols_count; i++)
        if (cases->symbols[i].kind == WCTS_SYMBOL_RESERVATION &&
            cases->symbols[i].after == reservation)
            return i;
    return -1;
}

/* What is behind all known reservations counts as one page. */
static bool world_pages(const struct wcts_lang_env *env, struct wcts_lang_result base,
                        uint64_t size, wcts_page_visit *visit, void *context)
{
    const struct wcts_cases *cases = env->spec->cases;
    const struct wcts_eval *eval = world_of(env)->eval;
    const struct wcts_lang_page nowhere = {-1, NULL, WCTS_STATE_UNRESERVED};
    __int128 end = base.number + size;
    uint64_t at = (uint64_t)base.number / WCTS_GPU_PAGE * WCTS_GPU_PAGE, before = 0;
    int reservation = base.symbol;
    if (reservation >= 0 && cases->symbols[reservation].kind != WCTS_SYMBOL_RESERVATION)
        reservation = -1;
    for (; size > 0 && at < end; at += WCTS_GPU_PAGE) {
        struct wcts_lang_page page;
        while (reservation >= 0 && at - before >= cases->symbols[reservation].size) {
            before += cases->symbols[reservation].size;
            reservation = reservation_behind(cases, reservation);
        }
        if (reservation < 0 || !eval->page_states[reservation]) {
            visit(context, &nowhere);
            return true;
        }
        page =
            (struct wcts_lang_page){reservation, cases->symbols[reservation].kind_name,
                                    eval->page_states[reservation][(at - before) / WCTS_GPU_PAGE]};
        if (!visit(context, &page))
            return true;
    }
    return true;
}

struct wcts_lang_env wcts_world_env(const struct wcts_world *world)
{
    return (struct wcts_lang_env){
        .spec = world->eval->spec,
        .page_size = world->page_size,
        .context = world,
        .bits = world_bits,
        .known = world->hidden ? world_known : NULL,
        .value = world_value,
        .next = world_next,
        .next_element = world_next_element,
        .was_there = world_was_there,
        .object = world_object,
        .pages = world_pages,
    };
}
