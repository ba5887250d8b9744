/* SPDX-License-Identifier: MIT */
/*
 * Sequences: calls that reserve, free, update, create and destroy, walked at random and compared
 * after every call with an interpreter of the effects on pages. What operations a call carries,
 * what they are allowed and what they bring about is read from the spec; nothing here knows one by
 * name. A walk depends on its seed and number alone, never on what an implementation answers.
 */
#ifndef WCTS_WALK_H
#define WCTS_WALK_H

#include "../model/finding.h"
#include "../model/test.h"
#include "world.h"

/* Steps of a walk: a case of the plan is one walk. */
#define WCTS_WALK_STEPS 100

/* All that a walk reserves lies in one window of the address space. */
#define WCTS_WALK_PAGES 256
#define WCTS_WALK_GRANULE 16 /* pages; reservations begin and end at multiples */
#define WCTS_WALK_GRANULES (WCTS_WALK_PAGES / WCTS_WALK_GRANULE)
#define WCTS_WALK_WINDOW (WCTS_WALK_PAGES * WCTS_GPU_PAGE)
#define WCTS_WALK_WINDOW_NAME "W" /* in words: addresses are told as offsets into it */
#define WCTS_WALK_TOP                                                                              \
    (UINT64_C(0) - WCTS_WALK_WINDOW) /* where it is the end of the address space */
#define WCTS_WALK_SLOTS 4
#define WCTS_WALK_ALLOCATIONS 6
#define WCTS_WALK_BATCH 4
#define WCTS_WALK_MEMBERS 12
#define WCTS_WALK_OPERATIONS 6
#define WCTS_WALK_EFFECTS 24
#define WCTS_WALK_CHOICES 8
#define WCTS_WALK_STATES 4

/* ---- walk_shape.c: what the spec says there is to walk ---- */

/* What a member of an operation is for, as the effects use it. */
enum wcts_walk_role {
    WCTS_WALK_UNUSED,
    WCTS_WALK_TYPE, /* tells the operations apart */
    WCTS_WALK_BASE,
    WCTS_WALK_SOURCE,
    WCTS_WALK_SIZE,
    WCTS_WALK_HANDLE,
    WCTS_WALK_FROM,
    WCTS_WALK_EACH,
    WCTS_WALK_WORD,
    WCTS_WALK_NUMBER
};

struct wcts_walk_member {
    enum wcts_walk_role role;
    uint64_t choices[WCTS_WALK_CHOICES]; /* values worth trying */
    int choice_count;
    uint64_t flags; /* of its word that may be set together with others */
    bool one_of;    /* exactly one of these is to be set, but it is only advised */
};

struct wcts_walk_operation {
    int structure;
    uint64_t number;        /* of the arm, in the member of role TYPE */
    int base, size, source; /* members, -1: none */
    struct wcts_walk_member members[WCTS_WALK_MEMBERS];
    int member_count;
    int effects[WCTS_WALK_EFFECTS]; /* rules of form pages, in the order of the spec */
    int effect_count;
};

/* The ways to reserve: steps of the cases, by the state that their pages are in then. */
struct wcts_walk_reserve {
    int step;
    enum wcts_state state;
};

struct wcts_walk_shape {
    const struct wcts_spec *spec;
    struct wcts_walk_operation operations[WCTS_WALK_OPERATIONS];
    int operation_count;
    struct wcts_ref array, count;      /* the pointer to the operations; their number */
    int base;                          /* of the cases: the first with an update */
    int update, free, create, destroy; /* steps to take the rest of a call from */
    struct wcts_walk_reserve reserves[2];
    int reserve_count;
    int since;                         /* version */
    int state_rules[WCTS_WALK_STATES]; /* the rule that asks about pages in that state */
    struct wcts_walk_numbers possible; /* transitions that the spec has */
    char missing[200];                 /* why there is nothing to walk, in words */
};

/* False when the spec has no effect on pages, or something else is missing: see there. */
bool wcts_walk_shape_init(struct wcts_walk_shape *shape, const struct wcts_spec *spec);

/* The member of a structure that stands at an offset of the message's struct. */
struct wcts_ref wcts_walk_member_at(const struct wcts_spec *spec, int structure, size_t offset);

/* Marks a page's way from a state to another by an operation (or, behind them, by reserving and
 * freeing); a refused operation leaves its pages in a state. */
void wcts_walk_note(struct wcts_walk_numbers *numbers, int doer, unsigned before, unsigned after);
void wcts_walk_note_refused(struct wcts_walk_numbers *numbers, int doer, unsigned state);
#define WCTS_WALK_RESERVING WCTS_WALK_OPERATIONS
#define WCTS_WALK_FREEING (WCTS_WALK_OPERATIONS + 1)

/* ---- sequences ---- */

enum wcts_walk_kind {
    WCTS_WALK_RESERVE,
    WCTS_WALK_FREE,
    WCTS_WALK_UPDATE,
    WCTS_WALK_CREATE,
    WCTS_WALK_DESTROY
};

enum wcts_walk_is {
    WCTS_WALK_IS_NUMBER,
    WCTS_WALK_IS_ADDRESS,    /* bytes from the window's beginning */
    WCTS_WALK_IS_ALLOCATION, /* its number; it may live or not */
    WCTS_WALK_IS_OTHER       /* a handle of another kind */
};

struct wcts_walk_value {
    enum wcts_walk_is is;
    uint64_t number;
};

/* One operation of an update. */
struct wcts_walk_item {
    int operation;
    struct wcts_walk_value values[WCTS_WALK_MEMBERS];
};

struct wcts_walk_step {
    enum wcts_walk_kind kind;
    int first, count; /* reserve: granules; free: the reservation that begins at first */
    int reserve;      /* which way to reserve */
    int allocation;   /* create, destroy: its number */
    int item_count;   /* update */
    struct wcts_walk_item items[WCTS_WALK_BATCH];
};

struct wcts_walk_sequence {
    bool top; /* the window is the end of the address space, if it can be had */
    int count;
    struct wcts_walk_step steps[WCTS_WALK_STEPS];
};

/* A handle of another kind than an allocation, which the update itself uses; -1: none. */
int wcts_walk_other(const struct wcts_walk_shape *shape);

/* ---- walk_model.c: what the pages have to be ---- */

enum wcts_walk_field {
    WCTS_WALK_STATE,
    WCTS_WALK_ALLOCATION,
    WCTS_WALK_OFFSET,
    WCTS_WALK_PROTECTION,
    WCTS_WALK_DRIVER,
    WCTS_WALK_FIELDS
};

struct wcts_walk_page {
    struct wcts_page page;
    unsigned known;           /* bit n: field n is known; the others are as they are found */
    int by[WCTS_WALK_FIELDS]; /* the effect that says so, -1: none */
};

struct wcts_walk_slot {
    bool live;
    int first, count; /* granules */
};

struct wcts_model {
    const struct wcts_walk_shape *shape;
    struct wcts_spec spec; /* the spec over cases with symbols for slots and allocations */
    struct wcts_cases cases;
    struct wcts_eval eval;
    struct wcts_symbols symbols;
    struct wcts_world world; /* of the last update */
    int slot_symbols, allocation_symbols, other_symbol;
    int version;
    uint64_t base; /* address of the window */
    struct wcts_walk_slot slots[WCTS_WALK_SLOTS];
    bool live[WCTS_WALK_ALLOCATIONS];
    struct wcts_walk_page pages[WCTS_WALK_PAGES];
    struct wcts_walk_page draft[WCTS_WALK_PAGES]; /* as they are if the update is accepted */
    uint8_t states[WCTS_WALK_PAGES];              /* as the rules are asked about them */
    int writer[WCTS_WALK_PAGES];    /* the last item of the update that writes the page, -1: none */
    struct wcts_walk_numbers taken; /* transitions in draft */
};

bool wcts_model_init(struct wcts_model *model, const struct wcts_walk_shape *shape);
void wcts_model_release(struct wcts_model *model);

/* Nothing is reserved, nothing created. values: of the spec's own symbols. */
void wcts_model_begin(struct wcts_model *model, int version, uint64_t base, const uint64_t *values);

/* The slot that begins at, and the slot that holds a granule; -1: none. */
int wcts_model_slot_at(const struct wcts_model *model, int granule);
int wcts_model_slot_of(const struct wcts_model *model, int granule);

/* True if the step can be taken: nothing is reserved, freed, created or destroyed twice. */
bool wcts_model_can(const struct wcts_model *model, const struct wcts_walk_step *step);

/* What the rules say of an update; fills in world and, when it is to be accepted, draft. */
enum wcts_expect wcts_model_expect(struct wcts_model *model, const struct wcts_walk_step *step,
                                   struct wcts_prediction *prediction);

/* What a step does to the model once it is known to be accepted. open: the pages that it writes
 * are as they are found. result: address or handle. */
void wcts_model_take(struct wcts_model *model, const struct wcts_walk_step *step, bool open,
                     uint64_t result);

/* Compares, and learns what is not known. Returns the page that differs and the field, -1 when none
 * does; of several the first that the earliest item wrote, from which later ones may have copied.
 */
int wcts_model_compare(struct wcts_model *model, const struct wcts_page *found,
                       enum wcts_walk_field *field);
/* Takes the pages as they are found. */
void wcts_model_adopt(struct wcts_model *model, const struct wcts_page *found);

/* The value of an effect's operand for an item of the update, resolved. */
uint64_t wcts_model_operand(const struct wcts_model *model, int item,
                            const struct wcts_operand *operand);
uint64_t wcts_walk_field_of(const struct wcts_page *page, enum wcts_walk_field field);
const char *wcts_walk_field_name(enum wcts_walk_field field);

/* The effect that a page of the update breaks that is not as it has to be. */
int wcts_model_blame_page(const struct wcts_model *model, const struct wcts_walk_step *step,
                          const struct wcts_page *found, int page, enum wcts_walk_field field);
/* Rules to blame: for a refusal of the update, and for a page that a refused call, or a call that
 * does not write it, changed. */
int wcts_model_blame_refusal(const struct wcts_model *model, const struct wcts_walk_step *step);
int wcts_model_blame_refused(const struct wcts_model *model, const struct wcts_walk_step *step,
                             int page);
int wcts_model_blame_outside(const struct wcts_model *model, const struct wcts_walk_step *step,
                             int page);

/* Adds up what walks did. */
void wcts_walk_numbers_add(struct wcts_walk_numbers *sum, const struct wcts_walk_numbers *more);

/* How many transitions of pages the spec has, and how many of them were seen. */
void wcts_walk_coverage(const struct wcts_spec *spec, const struct wcts_walk_numbers *numbers,
                        int *seen, int *all);

/* Those that were not seen, a line each: operation, state, "->", state; or "refused". Owned by the
 * caller; NULL without memory. */
char *wcts_walk_unseen(const struct wcts_spec *spec, const struct wcts_walk_numbers *numbers);

#endif
