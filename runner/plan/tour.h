/* SPDX-License-Identifier: MIT */
/*
 * Random walks over all operations of the kernel. (Sequences, sequence.h, walk over GPU addresses
 * alone, and have a model of pages.)
 *
 * A walk is drawn from its seed, number and version, and becomes a scenario like those of cases/:
 * performed, judged, shrunk and written as they are. What it may do is read from the scenarios with
 * moves="yes": each of their calls is a move that a walk makes with any live objects. Example: from
 *
 *     <call like="create" hDevice="by" answer="in-memory" as="a"/>
 *     <call like="evict" hDevice="by" hAllocation="a" followed="yes"/>
 *     <call like="settle"/>
 *
 * a walk may create three allocations, with three answers of the adapter, and evict the second one.
 */
#ifndef WCTS_TOUR_H
#define WCTS_TOUR_H

#include "../oracle/world.h"
#include "plan.h"

#define WCTS_TOUR_STEPS 20 /* calls and uses of memory in a walk */
#define WCTS_TOUR_ACTS 40  /* with what the first needs, and what must follow the last */
#define WCTS_TOUR_OBJECTS 96
#define WCTS_TOUR_SYMBOLS (2 * WCTS_TOUR_ACTS)
#define WCTS_TOUR_INSTANCES 8
#define WCTS_TOUR_SETS 24
#define WCTS_TOUR_RESULTS 8
#define WCTS_TOUR_SLOTS 8
#define WCTS_TOUR_CONTENTS 24
#define WCTS_TOUR_RANGES 8

/* What exists during a walk. Example: allocation 4 of kind "allocation", made by act 7, which named
 * device 2, its parent. */
struct wcts_plan_tour_object {
    int symbol;  /* of the walk, or of the cases for what is there from the start */
    int example; /* the symbol of the moves that it is like */
    int act;     /* that made it; -1: there from the start */
    int parents[WCTS_TOUR_SLOTS]; /* without which it does not exist */
    int parent_count;
    int source;  /* what it was opened by; -1: nothing */
    int content; /* of an allocation, its own; -1: none */
    bool live;
    bool hollow; /* True if something that it holds has ended: it can only be ended, too */
    bool mapped; /* True if a call named it with a range of addresses */
};

/* Bytes that the suite wrote, to be read again with the same seed. */
struct wcts_plan_tour_range {
    uint64_t offset, length;
    int seed;
};

/* What an allocation holds: {.size = 8192, .of = -1, .ranges = {{0, 4096, .seed = 7}}, .count =
 * 1}: its first page was written, of the second nothing is known. */
struct wcts_plan_tour_content {
    uint64_t size;
    int of; /* the symbol of the memory that allocations are made over; -1: their own */
    struct wcts_plan_tour_range ranges[WCTS_TOUR_RANGES];
    int count;
};

/* An object that a call names: the symbol of the moves, and what stands for it. */
struct wcts_plan_tour_slot {
    int example, object;
};

/* What is in the steps that a walk adds to those of the cases. */
struct wcts_plan_tour_call {
    struct wcts_instance instances[WCTS_TOUR_INSTANCES];
    struct wcts_set sets[WCTS_TOUR_SETS];
    struct wcts_step_output outputs[WCTS_TOUR_RESULTS];
    int answers[WCTS_TOUR_RESULTS];
    int set_count;
    struct wcts_plan_tour_slot slots[WCTS_TOUR_SLOTS];
    int slot_count;
    int ends; /* object, -1: none */
};

/*
 * A walk, and the spec in which its calls are steps: that of the plan, with steps and symbols
 * behind those of the cases. Whoever performs or judges the walk does so with this spec, plan and
 * eval. It owns nothing of the plan's, and must not be moved.
 */
struct wcts_plan_tour {
    struct wcts_spec spec;
    struct wcts_cases cases;
    struct wcts_plan plan;
    struct wcts_eval eval; /* borrowed but for page_states */
    struct wcts_scenario scenario;
    struct wcts_case test; /* of the scenario */
    struct wcts_act acts[WCTS_TOUR_ACTS];
    struct wcts_plan_tour_call calls[WCTS_TOUR_ACTS];
    char names[WCTS_TOUR_SYMBOLS][16];
    struct wcts_plan_tour_object objects[WCTS_TOUR_OBJECTS];
    int object_count;
    struct wcts_plan_tour_content contents[WCTS_TOUR_CONTENTS];
    int content_count;
    /* What the moves themselves make of each other: the objects of that one walk. */
    const struct wcts_scenario *read;
    struct wcts_plan_tour_object examples[WCTS_TOUR_OBJECTS];
    int example_count;
    uint64_t state; /* of the draw */
    int seed;       /* the last that was given to bytes */
    bool writes;    /* True if the walk may write */
};

/* True if an allocation was opened, which may be of one that the driver does not know, or has a
 * view by any of its handles, for which it may have to stay where it is. */
bool wcts_plan_tour_is_bound(const struct wcts_plan_tour *tour, int object);

/* True if pages may map what ends with the object: no document says what they are afterwards, so
 * that a kernel may refuse that. */
bool wcts_plan_tour_is_mapped(const struct wcts_plan_tour *tour, int object);

/* Notes that a call names these. */
void wcts_plan_tour_note_mapped(struct wcts_plan_tour *tour,
                                const struct wcts_plan_tour_slot *slots, int count);

/* False without memory. eval: of the plan's spec; it outlives the tour. */
bool wcts_plan_tour_init(struct wcts_plan_tour *tour, const struct wcts_plan *plan,
                         const struct wcts_eval *eval);
void wcts_plan_tour_release(struct wcts_plan_tour *tour);

/* Draws the walk of a test of the plan; returns it as a test with a scenario, until the next one
 * is drawn. */
const struct wcts_case *wcts_plan_tour_draw(struct wcts_plan_tour *tour,
                                            const struct wcts_case *test);

/* Leaves out of it the calls that only look at what a kernel without these capabilities does not
 * show. */
void wcts_plan_tour_leave_out(struct wcts_plan_tour *tour, uint32_t capabilities);

/* Adds walks to a plan: count of them, over all versions and moves. False without memory. */
bool wcts_plan_tours(struct wcts_plan *plan, uint64_t seed, int count);
/* Adds the number-th walk of a version, if any moves are for that; false without memory. */
bool wcts_plan_add_tour(struct wcts_plan *plan, int version, uint32_t number);
/* Has the walks of other versions at these, in turn, each with the next number of its version.
 * False without memory. */
bool wcts_plan_move_tours(struct wcts_plan *plan, const int *versions, int count);

/* ---- tour_objects.c ---- */

/* The nearest object of a kind without which an object does not exist; -1: none. */
int wcts_plan_tour_ancestor(const struct wcts_plan_tour *tour,
                            const struct wcts_plan_tour_object *objects, int object,
                            const char *kind);
const char *wcts_plan_tour_kind(const struct wcts_plan_tour *tour,
                                const struct wcts_plan_tour_object *object);
/* Whether two objects of a call belong together: one is not of another device, say, than the other
 * is. */
enum wcts_plan_tour_fit {
    WCTS_TOUR_FITS,
    WCTS_TOUR_CROSSES, /* the first is of another one of the second's kind */
    WCTS_TOUR_DIFFERS  /* they are of different ones of a third kind */
};
enum wcts_plan_tour_fit wcts_plan_tour_fit(const struct wcts_plan_tour *tour,
                                           const struct wcts_plan_tour_object *objects, int one,
                                           int other);
/* True if the object, or one without which it does not exist, is hollow. */
bool wcts_plan_tour_hollow(const struct wcts_plan_tour *tour, int object);
/* Ends an object, and what does not exist without it; siblings: and what the same call made. */
void wcts_plan_tour_end(struct wcts_plan_tour *tour, int object, bool siblings);
/* The content of an allocation, or of what leads to one; NULL: none that is known. */
struct wcts_plan_tour_content *wcts_plan_tour_content(struct wcts_plan_tour *tour, int object);
/* Nothing is known any more of what the object holds; what showed it can only be ended. */
void wcts_plan_tour_forget(struct wcts_plan_tour *tour, int object);
/* The objects that a call of the moves names, and the one that it ends, as slots. */
int wcts_plan_tour_slots(const struct wcts_plan_tour *tour, const struct wcts_step *step,
                         struct wcts_plan_tour_slot *slots);
/* Reads the moves of a scenario: the objects that they make of each other. */
void wcts_plan_tour_read(struct wcts_plan_tour *tour, const struct wcts_scenario *moves);
/* True if an object of the moves is an allocation of the driver's, or is there because of one. */
bool wcts_plan_tour_is_answered(const struct wcts_plan_tour *tour, int example);
/* The object of the moves for a symbol of theirs; -1: none. */
int wcts_plan_tour_example(const struct wcts_plan_tour *tour, int symbol);

/* True if the call would make another one of what there may be one of alone: what it begins is
 * ended without being named, or it begins the same as a live object. */
bool wcts_plan_tour_is_begun(const struct wcts_plan_tour *tour,
                             const struct wcts_plan_tour_call *call, const struct wcts_step *like);

#endif
