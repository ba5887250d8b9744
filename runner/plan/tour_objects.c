/* SPDX-License-Identifier: MIT */
/* What exists during a walk, and what belongs together. */
#include <string.h>

#include "tour.h"

const char *wcts_plan_tour_kind(const struct wcts_plan_tour *tour,
                                const struct wcts_plan_tour_object *object)
{
    return tour->cases.symbols[object->example].kind_name;
}

int wcts_plan_tour_ancestor(const struct wcts_plan_tour *tour,
                            const struct wcts_plan_tour_object *objects, int object,
                            const char *kind)
{
    const struct wcts_plan_tour_object *one = &objects[object];
    int found = -1;
    for (int i = 0; i < one->parent_count; i++)
        if (strcmp(wcts_plan_tour_kind(tour, &objects[one->parents[i]]), kind) == 0)
            return one->parents[i];
    for (int i = 0; i < one->parent_count && found < 0; i++)
        found = wcts_plan_tour_ancestor(tour, objects, one->parents[i], kind);
    return found;
}

/* True if some ancestor of one is of a kind of which the other has another ancestor. */
static bool has_other_ancestor(const struct wcts_plan_tour *tour,
                               const struct wcts_plan_tour_object *objects, int one, int other)
{
    for (int i = 0; i < objects[one].parent_count; i++) {
        int parent = objects[one].parents[i];
        int same = wcts_plan_tour_ancestor(tour, objects, other,
                                           wcts_plan_tour_kind(tour, &objects[parent]));
        if ((same >= 0 && same != parent) || has_other_ancestor(tour, objects, parent, other))
            return true;
    }
    return false;
}

enum wcts_plan_tour_fit wcts_plan_tour_fit(const struct wcts_plan_tour *tour,
                                           const struct wcts_plan_tour_object *objects, int one,
                                           int other)
{
    int same =
        wcts_plan_tour_ancestor(tour, objects, one, wcts_plan_tour_kind(tour, &objects[other]));
    if (same >= 0 && same != other)
        return WCTS_TOUR_CROSSES;
    return has_other_ancestor(tour, objects, one, other) ? WCTS_TOUR_DIFFERS : WCTS_TOUR_FITS;
}

bool wcts_plan_tour_hollow(const struct wcts_plan_tour *tour, int object)
{
    const struct wcts_plan_tour_object *one = &tour->objects[object];
    bool hollow = one->hollow;
    for (int i = 0; i < one->parent_count && !hollow; i++)
        hollow = wcts_plan_tour_hollow(tour, one->parents[i]);
    return hollow;
}

/* True if a move ends what is like the example. */
static bool is_ended(const struct wcts_plan_tour *tour, int example)
{
    for (int i = 0; i < tour->read->act_count; i++)
        if (tour->read->acts[i].step >= 0 &&
            tour->cases.steps[tour->read->acts[i].step].ends == example)
            return true;
    return false;
}

void wcts_plan_tour_end(struct wcts_plan_tour *tour, int object, bool siblings)
{
    int act = tour->objects[object].act;
    const char *kind = wcts_plan_tour_kind(tour, &tour->objects[object]);
    tour->objects[object].live = false;
    for (int i = 0; i < tour->object_count; i++) {
        struct wcts_plan_tour_object *one = &tour->objects[i];
        bool same = act >= 0 && one->act == act, ends = siblings && same;
        if (same && strcmp(wcts_plan_tour_kind(tour, one), kind) != 0)
            one->hollow = true;
        for (int p = 0; p < one->parent_count; p++)
            ends = ends || one->parents[p] == object;
        if (ends && one->live)
            wcts_plan_tour_end(tour, i, false);
    }
}

/* The index of an object's content, which it has itself, or with what it was opened by or made
 * with; -1: none. */
static int content_of(const struct wcts_plan_tour *tour, int object)
{
    const struct wcts_plan_tour_object *one = &tour->objects[object];
    int content = -1;
    if (one->content >= 0)
        return one->content;
    if (one->source >= 0)
        return content_of(tour, one->source);
    for (int i = 0; one->act >= 0 && i < tour->object_count; i++)
        if (tour->objects[i].act == one->act && tour->objects[i].content >= 0)
            return tour->objects[i].content;
    for (int i = 0; i < one->parent_count && content < 0; i++)
        content = content_of(tour, one->parents[i]);
    return content;
}

struct wcts_plan_tour_content *wcts_plan_tour_content(struct wcts_plan_tour *tour, int object)
{
    int content = content_of(tour, object);
    return content < 0 ? NULL : &tour->contents[content];
}

void wcts_plan_tour_forget(struct wcts_plan_tour *tour, int object)
{
    int content = content_of(tour, object);
    if (content < 0)
        return;
    tour->contents[content].count = 0;
    for (int i = 0; i < tour->object_count; i++)
        if (tour->objects[i].parent_count > 0 && tour->objects[i].content < 0 &&
            content_of(tour, tour->objects[i].parents[0]) == content &&
            is_ended(tour, tour->objects[i].example))
            tour->objects[i].hollow = true;
}

/* True for what a call made that the driver answers for: an allocation, also one whose content is
 * not followed, as what the desktop is drawn into. */
static bool is_made_by_answer(const struct wcts_plan_tour *tour, int object)
{
    int example = tour->objects[object].example;
    return tour->cases.steps[tour->cases.symbols[example].step].answer_count > 0;
}

bool wcts_plan_tour_is_bound(const struct wcts_plan_tour *tour, int object)
{
    bool made = is_made_by_answer(tour, object);
    int content = made ? content_of(tour, object) : -1;
    for (int i = 0; made && i < tour->object_count; i++) {
        const struct wcts_plan_tour_object *one = &tour->objects[i];
        for (int p = 0; one->live && p < one->parent_count; p++) {
            /* A view of the allocation, maybe by another of its handles. */
            bool same = one->parents[p] == object ||
                        (content >= 0 && content_of(tour, one->parents[p]) == content);
            if (same && is_ended(tour, one->example))
                return true;
        }
    }
    return tour->objects[object].source >= 0;
}

static bool is_within(const struct wcts_plan_tour *tour, int object, int outer)
{
    const struct wcts_plan_tour_object *one = &tour->objects[object];
    bool within = object == outer || (one->act >= 0 && one->act == tour->objects[outer].act);
    for (int i = 0; i < one->parent_count && !within; i++)
        within = is_within(tour, one->parents[i], outer);
    return within;
}

bool wcts_plan_tour_is_mapped(const struct wcts_plan_tour *tour, int object)
{
    int content = content_of(tour, object);
    for (int i = 0; i < tour->object_count; i++)
        if (tour->objects[i].mapped &&
            (is_within(tour, i, object) || (content >= 0 && content_of(tour, i) == content)))
            return true;
    return false;
}

void wcts_plan_tour_note_mapped(struct wcts_plan_tour *tour,
                                const struct wcts_plan_tour_slot *slots, int count)
{
    bool range = false;
    for (int i = 0; i < count; i++)
        range = range || tour->cases.symbols[slots[i].example].kind == WCTS_SYMBOL_RESERVATION;
    for (int i = 0; i < count && range; i++)
        if (is_made_by_answer(tour, slots[i].object))
            tour->objects[slots[i].object].mapped = true;
}

/* ---- Slots ---- */

/* True for what stands for an object: a handle, or the address that one has. */
static bool is_object(const struct wcts_symbol *symbol)
{
    return symbol->kind == WCTS_SYMBOL_HANDLE || symbol->kind == WCTS_SYMBOL_RESERVATION;
}

static int add_slot(const struct wcts_plan_tour *tour, int symbol,
                    struct wcts_plan_tour_slot *slots, int count)
{
    if (symbol < 0 || !is_object(&tour->cases.symbols[symbol]))
        return count;
    for (int i = 0; i < count; i++)
        if (slots[i].example == symbol)
            return count;
    if (count < WCTS_TOUR_SLOTS)
        slots[count++] = (struct wcts_plan_tour_slot){symbol, -1};
    return count;
}

int wcts_plan_tour_slots(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                         struct wcts_plan_tour_slot *slots)
{
    int count = 0;
    for (int i = 0; i < step->instance_count; i++)
        for (int j = 0; j < step->instances[i].set_count; j++)
            count = add_slot(tour, step->instances[i].sets[j].value.symbol, slots, count);
    return add_slot(tour, step->ends, slots, count);
}

/* ---- The moves ---- */

int wcts_plan_tour_example(const struct wcts_plan_tour *tour, int symbol)
{
    for (int i = 0; i < tour->example_count; i++)
        if (tour->examples[i].example == symbol)
            return i;
    return -1;
}

static void add_example(struct wcts_plan_tour *tour, int symbol, int act,
                        const struct wcts_plan_tour_slot *slots, int count)
{
    struct wcts_plan_tour_object *made = &tour->examples[tour->example_count];
    if (symbol < 0 || tour->example_count == WCTS_TOUR_OBJECTS ||
        !is_object(&tour->cases.symbols[symbol]) || wcts_plan_tour_example(tour, symbol) >= 0)
        return;
    *made = (struct wcts_plan_tour_object){
        .symbol = symbol, .example = symbol, .act = act, .source = -1, .content = -1, .live = true};
    for (int i = 0; i < count; i++) {
        int parent = wcts_plan_tour_example(tour, slots[i].example);
        bool crosses = false;
        for (int j = 0; j < count; j++) {
            int other = wcts_plan_tour_example(tour, slots[j].example);
            crosses = crosses || (other >= 0 && parent >= 0 &&
                                  wcts_plan_tour_fit(tour, tour->examples, parent, other) ==
                                      WCTS_TOUR_CROSSES);
        }
        if (parent >= 0 && !crosses)
            made->parents[made->parent_count++] = parent;
        else if (parent >= 0)
            made->source = parent;
    }
    tour->example_count++;
}

bool wcts_plan_tour_is_answered(const struct wcts_plan_tour *tour, int example)
{
    if (example < 0) /* of no object */
        return false;
    const struct wcts_plan_tour_object *one = &tour->examples[example];
    bool answered = tour->cases.steps[tour->cases.symbols[one->example].step].answer_count > 0 ||
                    wcts_plan_tour_is_answered(tour, one->source);
    for (int i = 0; i < one->parent_count && !answered; i++)
        answered = wcts_plan_tour_is_answered(tour, one->parents[i]);
    return answered;
}

static void read_step(struct wcts_plan_tour *tour, int step, int act)
{
    const struct wcts_step *one = &tour->cases.steps[step];
    struct wcts_plan_tour_slot slots[WCTS_TOUR_SLOTS];
    int count;
    if (act < 0) /* of the cases, with what it needs first */
        for (int i = 0; i < one->need_count; i++)
            read_step(tour, one->needs[i], act);
    count = wcts_plan_tour_slots(tour, one, slots);
    add_example(tour, one->result, act, slots, count);
    for (int i = 0; i < one->output_count; i++)
        add_example(tour, one->outputs[i].symbol, act, slots, count);
}

void wcts_plan_tour_read(struct wcts_plan_tour *tour, const struct wcts_scenario *moves)
{
    if (tour->read == moves)
        return;
    tour->read = moves;
    tour->example_count = 0;
    for (int i = 0; i < moves->act_count; i++)
        read_step(tour, moves->acts[i].step, moves->acts[i].kind == WCTS_ACT_STEP ? -1 : i);
}
