/* SPDX-License-Identifier: MIT */
/*
 * Drawing a walk. A move is a call of the moves and all that must follow it; it is taken if there
 * are live objects for all that it names, which belong together as those of the moves do, and if
 * the rules decide that each of its calls is accepted.
 */
#include <string.h>

#include "../base/random.h"
#include "tour.h"

/* How often objects, answers, flags and values are drawn anew for a move. */
#define TRIES 12
/* Of a hundred moves, how many use what there is; and how many of these are tried, since most find
 * nothing that they can be made with. */
#define USING 75
#define USING_TRIES 24
/* Offsets and lengths of what is written and read are multiples of it. */
#define PIECE UINT64_C(0x1000)
#define PIECES_MAX 3
/* Seeds of bytes are from 1 to this one. */
#define SEED_MAX 255

/* ---- Chance ---- */

static uint64_t tour_below(struct wcts_plan_tour *tour, uint64_t limit)
{
    return wcts_random_below(&tour->state, limit);
}

static bool tour_chance(struct wcts_plan_tour *tour, unsigned percent)
{
    return wcts_random_chance(&tour->state, percent);
}

/* ---- Objects for a call ---- */

static int slot_of(const struct wcts_plan_tour_slot *slots, int count, int example)
{
    for (int i = 0; i < count; i++)
        if (slots[i].example == example)
            return i;
    return -1;
}

/* What stands for the slots of a whole move so far. */
struct plan_move_binding {
    struct wcts_plan_tour_slot slots[3 * WCTS_TOUR_SLOTS];
    int count;
    int seed; /* of the bytes that it used last, 0: none. They are read before a call and after it
               */
};

static int bound_object(const struct plan_move_binding *binding, int example)
{
    int at = slot_of(binding->slots, binding->count, example);
    return at < 0 ? -1 : binding->slots[at].object;
}

static void bind_object(struct plan_move_binding *binding, int example, int object)
{
    int at = slot_of(binding->slots, binding->count, example);
    if (at >= 0)
        binding->slots[at].object = object;
    else if (binding->count < (int)(sizeof binding->slots / sizeof *binding->slots))
        binding->slots[binding->count++] = (struct wcts_plan_tour_slot){example, object};
}

/* Of the example's kind; equal kinds are one text (tour.c). */
static int random_object(struct wcts_plan_tour *tour, int example)
{
    const char *kind = tour->cases.symbols[example].kind_name;
    int found[WCTS_TOUR_OBJECTS], count = 0;
    for (int i = 0; i < tour->object_count; i++)
        if (tour->objects[i].live && wcts_plan_tour_kind(tour, &tour->objects[i]) == kind)
            found[count++] = i;
    if (count == 0)
        return -1;
    /* Most often the newest one: calls to different objects show little of each other. */
    return tour_chance(tour, 50) ? found[count - 1] : found[tour_below(tour, (uint64_t)count)];
}

/* True if each two belong together as in the moves. Those that cross there may be of any others;
 * then a kernel may have reasons to refuse. */
static bool is_fitting(const struct wcts_plan_tour *tour, const struct wcts_plan_tour_call *call,
                       int ended, bool *refusable)
{
    for (int i = 0; i < call->slot_count; i++) {
        if (call->slots[i].example != ended && wcts_plan_tour_hollow(tour, call->slots[i].object))
            return false;
        for (int j = 0; j < call->slot_count; j++) {
            int one = wcts_plan_tour_example(tour, call->slots[i].example);
            int other = wcts_plan_tour_example(tour, call->slots[j].example);
            enum wcts_plan_tour_fit like, fit;
            if (i == j || one < 0 || other < 0)
                continue;
            if (call->slots[i].object == call->slots[j].object)
                return false;
            like = wcts_plan_tour_fit(tour, tour->examples, one, other);
            fit = wcts_plan_tour_fit(tour, tour->objects, call->slots[i].object,
                                     call->slots[j].object);
            if (like == WCTS_TOUR_FITS && fit != WCTS_TOUR_FITS)
                return false;
            if (like == WCTS_TOUR_CROSSES)
                *refusable = true;
        }
    }
    return true;
}

/* Draws objects for all slots that have none. */
static bool draw_objects(struct wcts_plan_tour *tour, const struct plan_move_binding *binding,
                         struct wcts_plan_tour_call *call, int ended, bool *refusable)
{
    for (int tries = 0; tries < TRIES; tries++) {
        bool found = true;
        *refusable = false;
        for (int i = 0; i < call->slot_count && found; i++) {
            struct wcts_plan_tour_slot *slot = &call->slots[i];
            slot->object = bound_object(binding, slot->example);
            if (slot->object < 0)
                slot->object = random_object(tour, slot->example);
            found = slot->object >= 0 && tour->objects[slot->object].live;
        }
        if (!found)
            return false;
        if (is_fitting(tour, call, ended, refusable))
            return true;
    }
    return false;
}

/* ---- Values ---- */

static uint64_t parameter_value(struct wcts_plan_tour *tour, int symbol)
{
    for (int i = 0; i < tour->read->loop_count; i++)
        if (tour->read->loops[i].symbol == symbol)
            return tour->read->loops[i]
                .values[tour_below(tour, (uint64_t)tour->read->loops[i].value_count)]
                .number;
    return 0;
}

/* An object is that of the slot; one that stays may be used from any page on. */
static struct wcts_value draw_value(struct wcts_plan_tour *tour,
                                    const struct wcts_plan_tour_call *call,
                                    const struct wcts_step *like, struct wcts_value value)
{
    int at = slot_of(call->slots, call->slot_count, value.symbol);
    const struct wcts_symbol *symbol;
    if (value.symbol < 0)
        return value;
    symbol = &tour->cases.symbols[value.symbol];
    if (symbol->kind == WCTS_SYMBOL_PARAMETER)
        return (struct wcts_value){.symbol = -1, .number = parameter_value(tour, value.symbol)};
    if (at < 0)
        return value;
    if (symbol->kind == WCTS_SYMBOL_RESERVATION && like->ends != value.symbol)
        value.number = tour_below(tour, symbol->size / WCTS_GPU_PAGE) * WCTS_GPU_PAGE;
    return (struct wcts_value){.symbol = tour->objects[call->slots[at].object].symbol,
                               .number = value.number};
}

static bool copy_tour_instances(struct wcts_plan_tour *tour, struct wcts_plan_tour_call *call,
                                const struct wcts_step *like, struct wcts_step *step)
{
    call->set_count = 0;
    step->instances = call->instances;
    if (like->instance_count > WCTS_TOUR_INSTANCES)
        return false;
    for (int i = 0; i < like->instance_count; i++) {
        const struct wcts_instance *from = &like->instances[i];
        /* Behind the members of the request there is room for a flag of it. */
        int room = WCTS_TOUR_SETS - call->set_count - (i == 0 ? 3 : 0);
        if (from->set_count > room)
            return false;
        call->instances[i] = *from;
        call->instances[i].sets = &call->sets[call->set_count];
        for (int j = 0; j < from->set_count; j++) {
            struct wcts_set *set = &call->sets[call->set_count++];
            *set = from->sets[j];
            set->value = draw_value(tour, call, like, set->value);
        }
        call->set_count += i == 0 ? 3 : 0;
    }
    return true;
}

/* True if some call of the moves to the operation sets the flag: those that do make other objects
 * than those that do not. */
static bool is_set_in_moves(const struct wcts_plan_tour *tour, int message, struct wcts_ref flag)
{
    for (int i = 0; i < tour->read->act_count; i++) {
        const struct wcts_step *step = &tour->cases.steps[tour->read->acts[i].step];
        if (step->message != message || tour->read->acts[i].kind != WCTS_ACT_CALL)
            continue;
        for (int j = 0; j < step->instances[0].set_count; j++)
            if (step->instances[0].sets[j].ref.member == flag.member &&
                step->instances[0].sets[j].ref.flag == flag.flag)
                return true;
    }
    return false;
}

/* Sets a flag of the request that none of the moves sets, if there is one. */
static void draw_flag(struct wcts_plan_tour *tour, const struct wcts_step *step, int version)
{
    struct wcts_instance *root = &step->instances[0];
    const struct wcts_structure *structure = &tour->spec.structures[root->structure];
    int member = (int)tour_below(tour, (uint64_t)structure->member_count);
    const struct wcts_word *word;
    struct wcts_ref ref = {root->structure, member, -1};
    for (int i = 0; i < structure->member_count && structure->members[member].word < 0; i++)
        member = (member + 1) % structure->member_count;
    if (structure->members[member].word < 0)
        return;
    word = &tour->spec.words[structure->members[member].word];
    ref.member = member;
    ref.flag = (int)tour_below(tour, (uint64_t)word->flag_count);
    if (version < word->flags[ref.flag].since || version >= word->flags[ref.flag].until ||
        is_set_in_moves(tour, step->message, ref))
        return;
    root->sets[root->set_count++] =
        (struct wcts_set){.place = root->place, .ref = ref, .value = {.symbol = -1, .number = 1}};
}

/* Answers of the adapter like that of the moves. */
static void draw_answers(struct wcts_plan_tour *tour, struct wcts_plan_tour_call *call,
                         const struct wcts_step *like, struct wcts_step *step)
{
    const struct wcts_adapter *adapter = &tour->cases.adapters[tour->read->adapter];
    step->answers = like->answer_count > 0 ? call->answers : NULL;
    for (int i = 0; i < like->answer_count && i < WCTS_TOUR_RESULTS; i++) {
        int structure = adapter->instances[like->answers[i]].structure, at;
        do
            at = (int)tour_below(tour, (uint64_t)adapter->instance_count);
        while (adapter->instances[at].structure != structure);
        call->answers[i] = at;
    }
}

/* ---- Rules ---- */

/* The structure of the answers that the moves name; -1: none. */
static int answered_structure(const struct wcts_plan_tour *tour)
{
    const struct wcts_adapter *adapter = &tour->cases.adapters[tour->read->adapter];
    for (int i = 0; i < tour->read->act_count; i++) {
        const struct wcts_step *step = &tour->cases.steps[tour->read->acts[i].step];
        if (step->answer_count > 0)
            return adapter->instances[step->answers[0]].structure;
    }
    return -1;
}

/* Leaves out of a world what the driver answers in other calls. */
static void leave_other_answers(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                                struct wcts_world *world)
{
    int structure = answered_structure(tour);
    for (int i = 0; i < world->adapter_count; i++) {
        bool given = world->instances[i].structure != structure;
        for (int j = 0; j < step->answer_count; j++)
            given = given || step->answers[j] == i;
        world->instances[i].present = given;
    }
    wcts_world_settle(world);
}

/* True if the documents have the call accepted, at every level. */
static bool is_legal(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                     const struct wcts_case *test)
{
    struct wcts_oracle_prediction prediction = {.expect = WCTS_EXPECT_OPEN};
    struct wcts_world world;
    bool decided = false;
    if (wcts_world_init_adapter(&world, &tour->eval, tour->read->adapter, test->version,
                                test->page_size)) {
        leave_other_answers(tour, step, &world);
        if (wcts_world_add_step(&world, step) && !wcts_world_gap(&world)) {
            wcts_world_judge(&world, &prediction);
            decided = prediction.expect == WCTS_EXPECT_ACCEPT &&
                      prediction.strict == WCTS_EXPECT_ACCEPT && prediction.broken_count == 0;
        }
    }
    wcts_world_release(&world);
    return decided;
}

/* ---- Bytes ---- */

static bool is_writing(const struct wcts_plan_tour *tour, const struct wcts_step *step)
{
    return tour->spec.messages[step->message].writes;
}

static void forget_range(struct wcts_plan_tour_content *content, uint64_t offset, uint64_t length)
{
    int kept = 0;
    for (int i = 0; i < content->count; i++)
        if (content->ranges[i].offset >= offset + length ||
            content->ranges[i].offset + content->ranges[i].length <= offset)
            content->ranges[kept++] = content->ranges[i];
    content->count = kept;
}

static struct wcts_plan_tour_range draw_tour_range(struct wcts_plan_tour *tour,
                                                   const struct wcts_plan_tour_content *content)
{
    uint64_t pieces = content->size / PIECE;
    uint64_t first = tour_chance(tour, 30) ? 0 : tour_below(tour, pieces);
    uint64_t count = 1 + tour_below(tour, PIECES_MAX);
    if (first + count > pieces)
        count = pieces - first;
    return (struct wcts_plan_tour_range){first * PIECE, count * PIECE, 0};
}

/* True if the call names what is on an adapter that the walk itself started: the suite reads the
 * segments of the first adapter alone. */
static bool is_on_another(const struct wcts_plan_tour *tour, const struct wcts_plan_tour_call *call)
{
    for (int i = 0; i < tour->read->act_count; i++) {
        const struct wcts_step *step = &tour->cases.steps[tour->read->acts[i].step];
        if (step->ends < 0 || !tour->spec.messages[step->message].stops)
            continue;
        for (int j = 0; j < call->slot_count; j++) {
            int on = wcts_plan_tour_ancestor(tour, tour->objects, call->slots[j].object,
                                             tour->cases.symbols[step->ends].kind_name);
            if (on >= 0 && tour->objects[on].act >= 0)
                return true;
        }
    }
    return false;
}

/* True if the use of memory names a segment. */
static bool has_space(const struct wcts_plan_tour *tour, const struct wcts_step *step)
{
    const struct wcts_instance *root = &step->instances[0];
    int space = wcts_model_spec_member(&tour->spec, root->structure, "Space");
    for (int i = 0; i < root->set_count; i++)
        if (root->sets[i].ref.member == space)
            return true;
    return false;
}

/* What is read was written, or nothing was written there; the seed says which. */
static bool draw_bytes(struct wcts_plan_tour *tour, const struct wcts_plan_tour_call *call,
                       struct plan_move_binding *binding, struct wcts_step *step)
{
    struct wcts_plan_tour_content *content = NULL;
    struct wcts_plan_tour_range range;
    int address = wcts_model_spec_member(&tour->spec, step->instances[0].structure, "Address");
    int length = wcts_model_spec_member(&tour->spec, step->instances[0].structure, "Length");
    for (int i = 0; i < call->slot_count && !content; i++)
        content = wcts_plan_tour_content(tour, call->slots[i].object);
    if (has_space(tour, step) && is_on_another(tour, call))
        return false;
    if (!content || content->size < PIECE || (is_writing(tour, step) && !tour->writes))
        return false;
    if (is_writing(tour, step) || content->count == 0) {
        range = draw_tour_range(tour, content);
        if (tour->seed == SEED_MAX)
            return false;
        range.seed = ++tour->seed;
    } else {
        range = content->ranges[tour_below(tour, (uint64_t)content->count)];
        for (int i = 0; i < content->count; i++)
            if (content->ranges[i].seed == binding->seed)
                range = content->ranges[i];
    }
    binding->seed = range.seed;
    if (is_writing(tour, step)) {
        forget_range(content, range.offset, range.length);
        if (content->count == WCTS_TOUR_RANGES)
            return false;
        content->ranges[content->count++] = range;
    }
    for (int i = 0; i < step->instances[0].set_count; i++) {
        struct wcts_set *set = &step->instances[0].sets[i];
        if (set->ref.member == address)
            set->value.number = range.offset;
        if (set->ref.member == length)
            set->value.number = range.length;
    }
    step->seed = range.seed;
    return true;
}

/* ---- What a call makes ---- */

/* The bytes of an allocation, by the driver's answer for it; 0: not known. */
static uint64_t size_answered(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                              int index)
{
    const struct wcts_instance *answer;
    if (index >= step->answer_count)
        return 0;
    answer = &tour->cases.adapters[tour->read->adapter].instances[step->answers[index]];
    for (int i = 0; i < answer->set_count; i++)
        if (answer->sets[i].ref.member ==
            wcts_model_spec_member(&tour->spec, answer->structure, "Size"))
            return answer->sets[i].value.number;
    return 0;
}

static void add_parents(struct wcts_plan_tour *tour, const struct wcts_plan_tour_call *call,
                        struct wcts_plan_tour_object *made)
{
    for (int i = 0; i < call->slot_count; i++) {
        int one = wcts_plan_tour_example(tour, call->slots[i].example);
        bool crosses = false;
        for (int j = 0; j < call->slot_count; j++)
            crosses = crosses ||
                      wcts_plan_tour_fit(tour, tour->examples, one,
                                         wcts_plan_tour_example(tour, call->slots[j].example)) ==
                          WCTS_TOUR_CROSSES;
        if (crosses)
            made->source = call->slots[i].object;
        else
            made->parents[made->parent_count++] = call->slots[i].object;
    }
}

/* The memory that an allocation is made over: a region, or an object with a size; -1: none. */
static int memory_under(const struct wcts_plan_tour *tour, const struct wcts_step *step)
{
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++) {
            int symbol = step->instances[i].sets[j].value.symbol;
            if (symbol >= 0 && tour->cases.symbols[symbol].size > 0 &&
                (tour->cases.symbols[symbol].kind == WCTS_SYMBOL_REGION ||
                 tour->cases.symbols[symbol].kind == WCTS_SYMBOL_HANDLE))
                return symbol;
        }
    return -1;
}

/* The content of what a step makes; -1: it is not known. Over a section it is that of all that is
 * made over it. What two allocations over the same region hold depends on where they are. */
static int add_content(struct wcts_plan_tour *tour, const struct wcts_step *step, uint64_t size)
{
    int of = memory_under(tour, step);
    for (int i = 0; of >= 0 && i < tour->content_count; i++)
        if (tour->contents[i].of == of) {
            if (tour->cases.symbols[of].kind == WCTS_SYMBOL_REGION)
                tour->contents[i].size = 0;
            return tour->contents[i].size == size ? i : -1;
        }
    if (tour->content_count == WCTS_TOUR_CONTENTS)
        return -1;
    tour->contents[tour->content_count] = (struct wcts_plan_tour_content){.size = size, .of = of};
    return tour->content_count++;
}

/* True if the call that makes it has a flag that the one of the moves has not. */
static bool is_flagged(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                       const struct wcts_step_output *output)
{
    const struct wcts_step *like = &tour->cases.steps[tour->cases.symbols[output->symbol].step];
    return step->instances[0].set_count > like->instances[0].set_count;
}

static void add_object(struct wcts_plan_tour *tour, const struct wcts_plan_tour_call *call,
                       struct wcts_step *step, const struct wcts_step_output *output, int act,
                       struct plan_move_binding *binding)
{
    int first = tour->cases.symbols_count - WCTS_TOUR_SYMBOLS, made_symbols = 0;
    struct wcts_plan_tour_object *made = &tour->objects[tour->object_count];
    struct wcts_step_output *own;
    struct wcts_symbol *symbol;
    const char *name;
    for (int i = 0; i < tour->object_count; i++)
        made_symbols += tour->objects[i].act >= 0;
    if (tour->object_count == WCTS_TOUR_OBJECTS || made_symbols == WCTS_TOUR_SYMBOLS ||
        step->output_count == WCTS_TOUR_RESULTS)
        return;
    *made = (struct wcts_plan_tour_object){.symbol = first + made_symbols,
                                           .example = output->symbol,
                                           .act = act,
                                           .source = -1,
                                           .content = -1,
                                           .live = true};
    symbol = &tour->cases.symbols[made->symbol];
    name = symbol->name;
    *symbol = tour->cases.symbols[output->symbol];
    symbol->name = name;
    symbol->step = (int)(step - tour->cases.steps);
    symbol->scenario = 0;
    tour->eval.page_states[made->symbol] = tour->eval.page_states[output->symbol];
    add_parents(tour, call, made);
    own = &step->outputs[step->output_count++];
    *own = *output;
    own->symbol = made->symbol;
    if (size_answered(tour, step, output->index) > 0 &&
        output->ref.structure != tour->spec.messages[step->message].reply) {
        symbol->size = size_answered(tour, step, output->index);
        /* A flag may mean that the driver is not asked: a page is the least that there is. */
        made->content =
            add_content(tour, step, is_flagged(tour, step, output) ? PIECE : symbol->size);
    }
    bind_object(binding, output->symbol, tour->object_count++);
}

/* ---- Moves ---- */

static int walk_step(const struct wcts_plan_tour *tour, int act)
{
    return tour->cases.steps_count - WCTS_TOUR_ACTS + act;
}

static bool names_bound(const struct wcts_plan_tour *tour, const struct wcts_plan_tour_slot *slots,
                        int count)
{
    bool bound = false;
    for (int i = 0; i < count; i++)
        bound = bound || wcts_plan_tour_is_bound(tour, slots[i].object);
    return bound;
}

/* True if the object is part of a resource that lives: no document says whether it can go alone,
 * and what becomes of the resource. */
static bool is_part(const struct wcts_plan_tour *tour, int object)
{
    const struct wcts_plan_tour_object *one = &tour->objects[object];
    bool part = false;
    for (int i = 0; i < tour->object_count; i++) {
        const struct wcts_plan_tour_object *other = &tour->objects[i];
        part = part || (other->live && i != object && other->act == one->act && one->content >= 0 &&
                        strcmp(wcts_plan_tour_kind(tour, other), "resource") == 0);
    }
    return part;
}

/* Draws the call of an act of the moves, once; false if it is not legal. */
static bool draw_call(struct wcts_plan_tour *tour, const struct wcts_act *like_act,
                      const struct wcts_case *test, struct plan_move_binding *binding,
                      struct wcts_plan_tour_call *call, struct wcts_step *step)
{
    const struct wcts_step *like = &tour->cases.steps[like_act->step];
    bool refusable;
    *step = *like;
    step->result = step->ends = -1;
    step->need_count = step->output_count = 0;
    step->outputs = call->outputs;
    call->ends = -1;
    call->slot_count = wcts_plan_tour_slots(tour, like, call->slots);
    if (!draw_objects(tour, binding, call, like->ends, &refusable) ||
        wcts_plan_tour_is_begun(tour, call, like) || !copy_tour_instances(tour, call, like, step))
        return false;
    /* What was used right before counts as well: if that was refused, there may be nothing to do.
     */
    step->refusable =
        refusable || (like->refusable && (names_bound(tour, call->slots, call->slot_count) ||
                                          names_bound(tour, binding->slots, binding->count)));
    draw_answers(tour, call, like, step);
    if (like->ends >= 0) {
        call->ends = call->slots[slot_of(call->slots, call->slot_count, like->ends)].object;
        if (tour->objects[call->ends].act < 0 || is_part(tour, call->ends))
            return false; /* of what is there from the start all else would go with it */
        step->ends = tour->objects[call->ends].symbol;
        step->refusable = step->refusable || wcts_plan_tour_is_mapped(tour, call->ends);
    }
    if (like_act->kind == WCTS_ACT_MEMORY)
        return draw_bytes(tour, call, binding, step);
    if (step->instance_count > 0 && tour_chance(tour, 40))
        draw_flag(tour, step, test->version);
    return is_legal(tour, step, test);
}

/* True if ending the object is named by the request itself. */
static bool is_named_by_root(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                             int object)
{
    for (int i = 0; step->instance_count > 0 && i < step->instances[0].set_count; i++)
        if (step->instances[0].sets[i].value.symbol == tour->objects[object].symbol)
            return true;
    return false;
}

/* Adds an act to the walk; false if it cannot be taken. */
static bool take_act(struct wcts_plan_tour *tour, const struct wcts_act *like_act,
                     const struct wcts_case *test, struct plan_move_binding *binding)
{
    int act = tour->scenario.act_count;
    const struct wcts_step *like = &tour->cases.steps[like_act->step];
    struct wcts_step *step;
    struct wcts_plan_tour_call *call;
    bool drawn = false;
    if (act == WCTS_TOUR_ACTS)
        return false;
    step = &tour->cases.steps[walk_step(tour, act)];
    call = &tour->calls[act];
    for (int tries = 0; tries < TRIES && !drawn; tries++)
        drawn = draw_call(tour, like_act, test, binding, call, step);
    if (!drawn)
        return false;
    for (int i = 0; i < call->slot_count; i++)
        bind_object(binding, call->slots[i].example, call->slots[i].object);
    wcts_plan_tour_note_mapped(tour, call->slots, call->slot_count);
    for (int i = 0; i < call->slot_count && like_act->forgets; i++)
        wcts_plan_tour_forget(tour, call->slots[i].object);
    for (int i = 0; i < like->output_count; i++)
        add_object(tour, call, step, &like->outputs[i], act, binding);
    if (call->ends >= 0)
        wcts_plan_tour_end(tour, call->ends, is_named_by_root(tour, step, call->ends));
    tour->acts[act] = (struct wcts_act){
        .kind = like_act->kind, .step = walk_step(tour, act), .followed = like_act->followed};
    tour->scenario.act_count++;
    return true;
}

/* Where something is, is known only until something moves. */
static void forget_places(struct wcts_plan_tour *tour)
{
    for (int i = 0; i < tour->object_count; i++) {
        const struct wcts_symbol *symbol = &tour->cases.symbols[tour->objects[i].symbol];
        int message = tour->cases.steps[symbol->step].message;
        if (tour->objects[i].act >= 0 && message >= 0 && tour->spec.messages[message].shows)
            tour->objects[i].live = false;
    }
}

/* True if a move begins with the act of the moves; using: and if it does something with an
 * allocation that there is. */
static bool is_move(const struct wcts_plan_tour *tour, int at, bool using)
{
    const struct wcts_act *acts = tour->read->acts;
    struct wcts_plan_tour_slot slots[WCTS_TOUR_SLOTS];
    bool used = false;
    int count;
    if (acts[at].kind == WCTS_ACT_STEP || (at > 0 && acts[at - 1].followed))
        return false;
    if (!using)
        return true;
    count = wcts_plan_tour_slots(tour, &tour->cases.steps[acts[at].step], slots);
    for (int i = 0; i < count && !used; i++)
        used = wcts_plan_tour_is_answered(tour, wcts_plan_tour_example(tour, slots[i].example));
    return used;
}

static void take_move(struct wcts_plan_tour *tour, const struct wcts_case *test, bool using)
{
    struct plan_move_binding binding = {.count = 0};
    const struct wcts_scenario *moves = tour->read;
    int at = (int)tour_below(tour, (uint64_t)moves->act_count);
    if (!is_move(tour, at, using))
        return;
    while (take_act(tour, &moves->acts[at], test, &binding) && moves->acts[at].followed)
        at++;
    forget_places(tour);
}

/* ---- Walks ---- */

static void begin_tour(struct wcts_plan_tour *tour, const struct wcts_case *test)
{
    const struct wcts_scenario *moves = test->moves;
    wcts_plan_tour_read(tour, moves);
    tour->state = test->seed * UINT64_C(0x2545F4914F6CDD1D) + test->walk * UINT64_C(64) +
                  (uint64_t)test->version;
    tour->object_count = tour->content_count = tour->seed = 0;
    tour->writes = tour_chance(tour, 85);
    tour->scenario = (struct wcts_scenario){.name = "walk",
                                            .place = moves->place,
                                            .adapter = moves->adapter,
                                            .since = test->version,
                                            .until = test->version + 1,
                                            .page_sizes = test->page_size,
                                            .acts = tour->acts,
                                            .effects = moves->effects,
                                            .effect_count = 1};
    for (int i = 0; i < moves->act_count; i++)
        if (moves->acts[i].kind == WCTS_ACT_STEP)
            tour->acts[tour->scenario.act_count++] = moves->acts[i];
    /* What the steps make stands for itself; their parents, which come first, are the same. */
    for (int i = 0; i < tour->example_count; i++)
        if (tour->examples[i].act < 0)
            tour->objects[tour->object_count++] = tour->examples[i];
}

const struct wcts_case *wcts_plan_tour_draw(struct wcts_plan_tour *tour,
                                            const struct wcts_case *test)
{
    int first, dull = 0;
    begin_tour(tour, test);
    first = tour->scenario.act_count;
    for (int before = first; before - first < WCTS_TOUR_STEPS && dull < 20 * WCTS_TOUR_STEPS;) {
        bool using = tour_chance(tour, USING);
        for (int tries = 0; tries < (using ? USING_TRIES : 1) && tour->scenario.act_count == before;
             tries++)
            take_move(tour, test, using);
        dull = tour->scenario.act_count == before ? dull + 1 : 0;
        before = tour->scenario.act_count;
    }
    tour->test = *test;
    tour->test.scenario = &tour->scenario;
    return &tour->test;
}
