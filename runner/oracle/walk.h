/* SPDX-License-Identifier: MIT */
/*
 * Sequences: random calls that reserve, free, update, create and destroy, compared after every call
 * with an interpreter of the effects on pages. The operations of a call, and their rules and
 * effects, come from the spec; nothing here names one. A walk depends on its seed and number alone,
 * never on answers of an implementation.
 */
#ifndef WCTS_WALK_H
#define WCTS_WALK_H

#include "../model/finding.h"
#include "../model/test.h"
#include "world.h"

/* Steps of a walk: a case of the plan is one walk. */
#define WCTS_WALK_STEPS 100

/* A walk reserves within one window of the address space. */
#define WCTS_WALK_PAGES 256
#define WCTS_WALK_GRANULE 16 /* pages; reservations begin and end at multiples */
#define WCTS_WALK_GRANULES (WCTS_WALK_PAGES / WCTS_WALK_GRANULE)
#define WCTS_WALK_WINDOW (WCTS_WALK_PAGES * WCTS_GPU_PAGE)
#define WCTS_WALK_WINDOW_NAME "W" /* in texts, where addresses are offsets into it */
#define WCTS_WALK_TOP                                                                              \
    (UINT64_C(0) - WCTS_WALK_WINDOW) /* its address at the end of the address space */
#define WCTS_WALK_SLOTS 4
#define WCTS_WALK_ALLOCATIONS 6
#define WCTS_WALK_BATCH 20 /* operations of an update; most have up to WCTS_WALK_SHORT */
#define WCTS_WALK_SHORT 4
#define WCTS_WALK_MEMBERS 12
#define WCTS_WALK_OPERATIONS 6
#define WCTS_WALK_EFFECTS 24
#define WCTS_WALK_CHOICES 8
#define WCTS_WALK_STATES 4

/* ---- walk_shape.c: the operations of the spec ---- */

/* The use of an operation's member in effects. */
enum wcts_oracle_walk_role {
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

/* What a sequence may put into a member of an operation: {WCTS_WALK_SIZE, {0x1000, 0x10000}, 2}. */
struct wcts_oracle_walk_member {
    enum wcts_oracle_walk_role role;
    uint64_t choices[WCTS_WALK_CHOICES]; /* values worth trying */
    int choice_count;
    uint64_t flags; /* of its word that may be set together with others */
    bool one_of;    /* exactly one of these should be set: advice, no must */
};

/* An operation that an update may carry, such as to map a range: its structure, the uses of its
 * members, and its effects. */
struct wcts_oracle_walk_operation {
    int structure;
    uint64_t number;        /* of the arm, in the member of role TYPE */
    int base, size, source; /* members, -1: none */
    struct wcts_oracle_walk_member members[WCTS_WALK_MEMBERS];
    int member_count;
    int effects[WCTS_WALK_EFFECTS]; /* rules of form pages, in the order of the spec */
    int effect_count;
};

/* A way to reserve: a step of the cases, and the state of its pages. */
struct wcts_oracle_walk_reserve {
    int step;
    enum wcts_state state;
};

/* What sequences are made of, as the spec has it. Made by wcts_oracle_walk_shape_init(); owns
 * nothing. */
struct wcts_oracle_walk_shape {
    const struct wcts_spec *spec;
    struct wcts_oracle_walk_operation operations[WCTS_WALK_OPERATIONS];
    int operation_count;
    struct wcts_ref array, count;      /* the pointer to the operations; their number */
    int base;                          /* of the cases: the first with an update */
    int update, free, create, destroy; /* steps to take the rest of a call from */
    struct wcts_oracle_walk_reserve reserves[2];
    int reserve_count;
    int since;                           /* version */
    int state_rules[WCTS_WALK_STATES];   /* the rule about pages in that state */
    int reserve_rules[WCTS_WALK_STATES]; /* and, where one says so, about those just reserved */
    struct wcts_walk_numbers possible;   /* transitions that the spec has */
    char missing[200];                   /* why there are no sequences */
};

/* False if the spec has no effect on pages, or lacks something else: see missing. */
bool wcts_oracle_walk_shape_init(struct wcts_oracle_walk_shape *shape,
                                 const struct wcts_spec *spec);

/* Marks a page's transition by an operation (or, numbered after them, by reserving or freeing); and
 * the state in which a refused operation left it. */
void wcts_oracle_walk_note(struct wcts_walk_numbers *numbers, int doer, unsigned before,
                           unsigned after);
void wcts_oracle_walk_note_refused(struct wcts_walk_numbers *numbers, int doer, unsigned state);
#define WCTS_WALK_RESERVING WCTS_WALK_OPERATIONS
#define WCTS_WALK_FREEING (WCTS_WALK_OPERATIONS + 1)

/* ---- sequences ---- */

enum wcts_oracle_walk_kind {
    WCTS_WALK_RESERVE,
    WCTS_WALK_FREE,
    WCTS_WALK_UPDATE,
    WCTS_WALK_CREATE,
    WCTS_WALK_DESTROY
};

enum wcts_oracle_walk_is {
    WCTS_WALK_IS_NUMBER,
    WCTS_WALK_IS_ADDRESS,    /* bytes from the window's beginning */
    WCTS_WALK_IS_ALLOCATION, /* its number, live or destroyed */
    WCTS_WALK_IS_OTHER       /* a handle of another kind */
};

/* The value of a member: {WCTS_WALK_IS_ADDRESS, 0x3000} is the fourth page of the window. */
struct wcts_oracle_walk_value {
    enum wcts_oracle_walk_is is;
    uint64_t number;
};

/* An operation of an update: {.operation = 0, .values = {{IS_ADDRESS, 0x3000}, ...}}. */
struct wcts_oracle_walk_item {
    int operation;
    struct wcts_oracle_walk_value values[WCTS_WALK_MEMBERS];
};

/* A call of a sequence: {WCTS_WALK_RESERVE, .first = 0, .count = 2} reserves 32 pages,
 * {WCTS_WALK_CREATE, .allocation = 1} makes the second allocation. */
struct wcts_oracle_walk_step {
    enum wcts_oracle_walk_kind kind;
    int first, count; /* reserve: granules; free: the reservation that begins at first */
    int reserve;      /* which way to reserve */
    int allocation;   /* create, destroy: its number */
    int item_count;   /* update */
    struct wcts_oracle_walk_item items[WCTS_WALK_BATCH];
};

/* All calls of a sequence. Example: {.count = 3, .steps = {{WCTS_WALK_RESERVE, 0, 2},
 * {WCTS_WALK_CREATE, .allocation = 0}, {WCTS_WALK_UPDATE, .item_count = 1, ...}}}. */
struct wcts_oracle_walk_sequence {
    bool top; /* the window is at the end of the address space, if possible */
    int count;
    struct wcts_oracle_walk_step steps[WCTS_WALK_STEPS];
};

/* The step of the cases that a call is made from, and its message. */
int wcts_oracle_walk_base_step(const struct wcts_oracle_walk_shape *shape,
                               const struct wcts_oracle_walk_step *step);
const struct wcts_message *wcts_oracle_walk_message(const struct wcts_oracle_walk_shape *shape,
                                                    const struct wcts_oracle_walk_step *step);
/* A handle of another kind than an allocation, which the update itself uses; -1: none. */
int wcts_oracle_walk_other(const struct wcts_oracle_walk_shape *shape);

/* ---- walk_model.c: the expected pages ---- */

/* A page as the effects leave it, and what no effect says of it. Example: {.known = 1, .by =
 * {12, -1, ...}}: rule 12 set the first field, the others match anything. */
struct wcts_oracle_walk_page {
    struct wcts_page_shown page;
    unsigned known;             /* bit n: field n is known; others match anything */
    int by[WCTS_PAGE_MEANINGS]; /* the effect that set it, -1: none */
};

/* A reservation of the model: {true, 2, 4} has the granules 2 to 5. */
struct wcts_oracle_walk_slot {
    bool live;
    int first, count; /* granules */
};

/* What is reserved and created after the steps so far. */
struct wcts_oracle_walk_account {
    struct wcts_oracle_walk_slot slots[WCTS_WALK_SLOTS];
    bool live[WCTS_WALK_ALLOCATIONS];
};

/* The reservation that begins at a granule; -1: none. */
int wcts_oracle_account_at(const struct wcts_oracle_walk_account *account, int granule);
/* True if the step is possible: nothing is reserved, freed, created or destroyed twice. */
bool wcts_oracle_account_can(const struct wcts_oracle_walk_account *account,
                             const struct wcts_oracle_walk_step *step);
/* Takes a step that is possible; returns the reservation that it makes or ends, -1: none. */
int wcts_oracle_account_take(struct wcts_oracle_walk_account *account,
                             const struct wcts_oracle_walk_step *step);

/* The interpreter of one walk: the pages that the effects so far leave. Owns what it points to, but
 * for the shape. */
struct wcts_oracle_model {
    const struct wcts_oracle_walk_shape *shape;
    struct wcts_spec spec; /* the spec over cases with symbols for slots and allocations */
    struct wcts_cases cases;
    struct wcts_eval eval;
    struct wcts_symbols symbols;
    struct wcts_world world; /* of the last update */
    int slot_symbols, allocation_symbols, other_symbol;
    int version;
    uint64_t base; /* address of the window */
    struct wcts_oracle_walk_account held;
    struct wcts_oracle_walk_page pages[WCTS_WALK_PAGES];
    struct wcts_oracle_walk_page draft[WCTS_WALK_PAGES]; /* the pages if the update is accepted */
    uint8_t states[WCTS_WALK_PAGES];                     /* for the evaluation of rules */
    int writer[WCTS_WALK_PAGES];    /* the last item of the update that writes the page, -1: none */
    struct wcts_walk_numbers taken; /* transitions in draft */
};

bool wcts_oracle_model_init(struct wcts_oracle_model *model,
                            const struct wcts_oracle_walk_shape *shape);
void wcts_oracle_model_release(struct wcts_oracle_model *model);

/* Starts a walk, with nothing reserved or created. values: of the spec's own symbols. */
void wcts_oracle_model_begin(struct wcts_oracle_model *model, int version, uint64_t base,
                             const uint64_t *values);

/* Evaluates the rules for an update; fills in world and, if it must be accepted, draft. */
enum wcts_expect wcts_oracle_model_expect(struct wcts_oracle_model *model,
                                          const struct wcts_oracle_walk_step *step,
                                          struct wcts_oracle_prediction *prediction);

/* Applies a step that was accepted. open: the pages that it writes are unknown. result: address or
 * handle. */
void wcts_oracle_model_take(struct wcts_oracle_model *model,
                            const struct wcts_oracle_walk_step *step, bool open, uint64_t result);

/* Compares pages, and adopts fields that are unknown. Returns the page that differs and its field,
 * -1 if none does; of several the first that the earliest item wrote, since later ones may copy it.
 */
int wcts_oracle_model_compare(struct wcts_oracle_model *model, const struct wcts_page_shown *found,
                              enum wcts_meaning *field);
/* Adopts the pages as they are. */
void wcts_oracle_model_adopt(struct wcts_oracle_model *model, const struct wcts_page_shown *found);

/* True if an effect binds, and its conditions hold for an item of the update. */
bool wcts_oracle_model_applies(const struct wcts_oracle_model *model, int index, int item);

/* The effect that a wrong page of the update breaks. */
int wcts_oracle_model_blame_page(const struct wcts_oracle_model *model,
                                 const struct wcts_oracle_walk_step *step,
                                 const struct wcts_page_shown *found, int page,
                                 enum wcts_meaning field);
/* Rules to blame: for a refusal of the update, and for a page that a refused call, or a call that
 * does not write it, changed. */
int wcts_oracle_model_blame_refusal(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step);
int wcts_oracle_model_blame_refused(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step, int page);
int wcts_oracle_model_blame_outside(const struct wcts_oracle_model *model,
                                    const struct wcts_oracle_walk_step *step, int page);

/* Adds the numbers of walks. */
void wcts_oracle_walk_numbers_add(struct wcts_walk_numbers *sum,
                                  const struct wcts_walk_numbers *more);

/* Counts the page transitions of the spec, and those that were seen. */
void wcts_oracle_walk_coverage(const struct wcts_spec *spec,
                               const struct wcts_walk_numbers *numbers, int *seen, int *all);

/* Lists those that were not seen, a line each: operation, state, "->", state; or "refused". The
 * caller frees it; NULL without memory. */
char *wcts_oracle_walk_unseen(const struct wcts_spec *spec,
                              const struct wcts_walk_numbers *numbers);

#endif
