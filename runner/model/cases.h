/* SPDX-License-Identifier: MIT */
/*
 * cases/base.xml in memory: how to get there. Steps are calls with named arguments and results;
 * a base is a step whose arguments cases vary; an adapter is what the scripted driver answers.
 */
#ifndef WCTS_CASES_H
#define WCTS_CASES_H

#include "spec.h"

/* A value that is known when the case runs: symbol + offset, or a plain number (symbol -1). */
struct wcts_value {
    int symbol;
    uint64_t number;
};

/* States of a GPU page, in the order of the header's wcts_page_state. */
enum wcts_state { WCTS_STATE_UNRESERVED, WCTS_STATE_ZERO, WCTS_STATE_INVALID, WCTS_STATE_MAPPED };

enum wcts_symbol_kind {
    WCTS_SYMBOL_HANDLE,      /* an object of kind_name */
    WCTS_SYMBOL_REGION,      /* user memory */
    WCTS_SYMBOL_RESERVATION, /* a reserved GPU-VA range */
    WCTS_SYMBOL_AREA,        /* pages of a reservation */
    WCTS_SYMBOL_PARAMETER,   /* a number that a scenario loops over */
};

struct wcts_symbol {
    const char *name;
    struct wcts_place place;
    enum wcts_symbol_kind kind;
    const char *kind_name; /* handle: allocation, resource, device, ...; reservation: zero,
                              no-access, free (nothing is reserved there any more) */
    int step;              /* the step that makes it */
    int dead_by;           /* the step that ends it, or -1 */
    uint64_t size;         /* region, reservation, area: bytes; allocation: Size in bytes */
    int of;                /* area: its reservation */
    uint64_t offset;       /* area: bytes from the reservation's start */
    int state;             /* area: enum wcts_page_state */
    int state_by;          /* area: the step that brings the state about, or -1 */
    int after;             /* reservation: it begins where this one ends, or -1 */
    int scenario;          /* in which alone the name is known, or -1 */
    uint32_t attributes;   /* region: enum wcts_region_attribute */
    int behind;            /* region: it begins where this one ends, or -1 */
};

/* One assignment of a structure instance. */
struct wcts_set {
    struct wcts_place place;
    struct wcts_ref ref;
    struct wcts_value value;
};

/* An instance of a structure in a message, with its companions' condition. */
struct wcts_instance {
    const char *name; /* unique in its step; by default the structure's name */
    struct wcts_place place;
    int structure;
    struct wcts_ref at;   /* the pointer member that leads to it; structure -1: the root */
    struct wcts_ref when; /* present only when this flag is set; structure -1: always */
    bool unless;          /* ... or, if true, only when it is clear */
    int at_instance;      /* the instance that holds the pointer */
    struct wcts_set *sets;
    int set_count;
};

struct wcts_step {
    const char *name;
    struct wcts_place place;
    int message;         /* index in spec->messages, -1: a region */
    int *needs;          /* steps */
    int *need_instances; /* with each: the instance that needs it when it is present, -1: always */
    int need_count;
    struct wcts_instance *instances; /* [0] is the root */
    int instance_count;
    int result;           /* symbol, or -1 */
    int result_structure; /* where the result stands: the reply's root, or an array element */
    struct wcts_ref result_ref;
    int ends; /* symbol that this step ends, or -1 */
    int since, until;
    struct wcts_take *takes; /* further results */
    int take_count;
    /* Of a call of a scenario: */
    int *answers; /* adapter instances with which the driver answers it, or NULL */
    int answer_count;
    int seed;       /* MACHINE_WRITE: of the bytes, 1 to 255 */
    bool refusable; /* although it breaks no rule */
};

/* A result: where in the reply, or in what the call came to ask of others, the value of a symbol
 * stands. */
struct wcts_take {
    int symbol;
    struct wcts_ref ref;
    int index;                   /* of the array element */
    struct wcts_value otherwise; /* when it stands nowhere */
};

/* What a scenario does: takes a step of base.xml with all that it needs, or makes a call of its
 * own. */
struct wcts_act {
    int step;
    bool take;
    bool spoil; /* writes to what was moved out of system memory */
};

struct wcts_loop {
    int symbol;
    struct wcts_value *values;
    int value_count;
};

#define WCTS_LOOPS_MAX 3

/* Calls in an order, and the effects that are looked for in what came of them. */
struct wcts_scenario {
    const char *name;
    struct wcts_place place;
    int adapter;
    int since, until;
    uint32_t page_sizes; /* their sum */
    bool driver;         /* the driver is under test */
    bool kinds;          /* ... once for each kind of allocation that it knows */
    struct wcts_act *acts;
    int act_count;
    int *effects; /* rules */
    int effect_count;
    struct wcts_loop loops[WCTS_LOOPS_MAX];
    int loop_count;
};

/* What the scripted driver answers. */
struct wcts_adapter {
    const char *name;
    struct wcts_place place;
    struct wcts_instance *instances; /* DRIVER_INFO, segments in order, DXGK_ALLOCATIONINFO */
    int instance_count;
    int since, until;
};

/* A base: the call whose facts (and whose adapter's) cases vary. */
struct wcts_base {
    const char *name;
    struct wcts_place place;
    int step;
    int adapter;
    int since, until;
    bool driver; /* also asked of a driver under test: the situations */
    bool kinds;  /* ... once for each kind of allocation that the driver knows */
};

/* Values to try for a member beyond those that its rules suggest. */
struct wcts_domain {
    struct wcts_place place;
    struct wcts_ref of;
    struct wcts_value *values;
    int value_count;
    bool only; /* nothing else is tried */
};

struct wcts_cases {
    WCTS_SPEC_ARRAY(wcts_symbol, symbols);
    WCTS_SPEC_ARRAY(wcts_step, steps);
    WCTS_SPEC_ARRAY(wcts_adapter, adapters);
    WCTS_SPEC_ARRAY(wcts_base, bases);
    WCTS_SPEC_ARRAY(wcts_domain, domains);
    WCTS_SPEC_ARRAY(wcts_scenario, scenarios);
    int common_symbols, common_steps; /* the first so many are of no scenario */
};

int wcts_cases_symbol(const struct wcts_cases *cases, const char *name);
int wcts_cases_step(const struct wcts_cases *cases, const char *name);
/* The step that makes a symbol; -1: none has to (a parameter). */
int wcts_symbol_maker(const struct wcts_cases *cases, int symbol);
/* True if who takes a step takes the other, too: it is the same, or needed. */
bool wcts_step_takes(const struct wcts_cases *cases, int step, int other);
/* True if an instance of a step is there with the flags that the step sets; false when a loop
 * decides. */
bool wcts_step_sends(const struct wcts_step *step, const struct wcts_instance *instance);

/* Values of symbols, as far as they are known. */
struct wcts_symbols {
    uint64_t *values; /* one a symbol */
};

/* A value's number: its own, plus what its symbol stands for. */
uint64_t wcts_value_resolve(const struct wcts_spec *spec, const struct wcts_symbols *symbols,
                            struct wcts_value value);

/* The operation that a step calls. */
uint32_t wcts_step_operation(const struct wcts_spec *spec, const struct wcts_step *step);

#endif
