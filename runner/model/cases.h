/* SPDX-License-Identifier: MIT */
/*
 * cases/base.xml in memory: how to get to a call. Steps are calls with named arguments and results;
 * a base is a step whose arguments the tests vary; an adapter is the scripted driver's answers.
 */
#ifndef WCTS_CASES_H
#define WCTS_CASES_H

#include "spec.h"

/* A value known when the case runs: symbol + number, or the number alone (symbol -1). Example:
 * {.symbol = of "reservation", .number = 0x1000} is the second page of what the kernel reserved,
 * {-1, 0, 4096} is 4096. */
struct wcts_value {
    int symbol;
    int unused; /* 0: of what is stored, each byte is set (base/image.h) */
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

/* A name of cases/ for what exists only when a case runs. Example: {"allocation", .kind =
 * WCTS_SYMBOL_HANDLE, .kind_name = "allocation", .step = 3, .dead_by = -1}: the handle that
 * steps[3] made. */
struct wcts_symbol {
    const char *name;
    struct wcts_place place;
    enum wcts_symbol_kind kind;
    const char *kind_name; /* handle: allocation, resource, device, ...; reservation: zero,
                              no-access, free (no longer reserved) */
    int step;              /* the step that makes it */
    int dead_by;           /* the step that ends it, or -1 */
    uint64_t size;         /* region, reservation, area: bytes; allocation: Size in bytes */
    int of;                /* area: its reservation */
    uint64_t offset;       /* area: bytes from the reservation's start */
    int state;             /* area: enum wcts_page_state */
    int after;             /* reservation: the one at whose end it begins, or -1 */
    int scenario;          /* the only one that knows the name, or -1 */
    uint32_t attributes;   /* region: enum wcts_region_attribute */
    int behind;            /* region: the one at whose end it begins, or -1 */
};

/* One assignment of a structure instance. Example: <set member="SizeInBytes" value="4096"/> is
 * {its place, {structure, member, -1}, 0, {-1, 0, 4096}}. */
struct wcts_set {
    struct wcts_place place;
    struct wcts_ref ref;
    int unused; /* 0, as in the value */
    struct wcts_value value;
};

/* An instance of a structure in a message, with the condition under which it is present.
 * Example: the second element of an array of two: {.name = "second", .at = the pointer,
 * .at_instance = 0, .when = the counter, .least = 2}. */
struct wcts_instance {
    const char *name; /* unique in its step; by default the structure's name */
    struct wcts_place place;
    int structure;
    struct wcts_ref at;   /* the pointer member that leads to it; structure -1: the root */
    struct wcts_ref when; /* present only if this flag is set, or this number is at least the
                           * following one; structure -1: always */
    bool unless;          /* True if present only if it is not */
    int least;            /* 1 for a flag */
    int at_instance;      /* the instance with that pointer */
    struct wcts_set *sets;
    int set_count;
};

#define WCTS_NARROW 4u

/* A call of cases/, as its structures are filled in. Example: <step name="create"
 * operation="..." needs="device"> is {"create", .message = 5, .needs = {2}, .instances = {root,
 * one element}, .result = the symbol of its handle}. */
struct wcts_step {
    const char *name;
    struct wcts_place place;
    int message;         /* index in spec->messages, -1: a region */
    int *needs;          /* steps */
    int *need_instances; /* for each: the instance that needs it if it is present, -1: always */
    int need_count;
    struct wcts_instance *instances; /* [0] is the root */
    int instance_count;
    int result;           /* symbol, or -1 */
    int result_structure; /* the structure with the result: the reply's root, or an array element */
    struct wcts_ref result_ref;
    int result_index; /* of the array element, from 0 */
    int ends;         /* symbol that this step ends, or -1 */
    int since, until;
    struct wcts_step_output *outputs; /* further results */
    int output_count;
    /* Of a call of a scenario: */
    int *answers; /* adapter instances with which the driver answers it, or NULL */
    int answer_count;
    int seed;       /* MACHINE_WRITE: of the bytes, 1 to 255 */
    bool refusable; /* True if it may be refused although it breaks no rule */
    bool narrow;    /* sent only to a driver that patches at most WCTS_NARROW bytes at a location */
    bool placed;    /* sent only if its places are the allocation's (wcts_machine_session_placed) */
    bool unmade;    /* True if the scripted driver refuses to make allocations during it */
    bool unmoved;   /* True if the scripted driver refuses to transfer content during it */
    bool unmapped;  /* True if it refuses to map into apertures during it */
};

/* A result: the member of the reply, or of a driver's answer during the call, that holds the
 * value of a symbol. Example: a call that makes two allocations has one output, {.symbol = of
 * "other", .ref = hAllocation, .index = 1}, besides its result. */
struct wcts_step_output {
    int symbol;
    struct wcts_ref ref;
    int index;                   /* of the array element */
    struct wcts_value otherwise; /* if no member holds it */
};

enum wcts_act_kind {
    WCTS_ACT_STEP,   /* a step of base.xml, once, with all that it needs */
    WCTS_ACT_CALL,   /* a call of its own; the effect decides whether it may be refused */
    WCTS_ACT_MEMORY, /* the suite itself writes or reads memory */
    WCTS_ACT_SPOIL,  /* overwrites the system memory that content was moved out of */
    /* The others are in no scenario. The call is that of the test's base: */
    WCTS_ACT_NEEDS,   /* what the call needs, as the world of the boot has it */
    WCTS_ACT_BASE,    /* the call, with the world of the boot */
    WCTS_ACT_QUERY,   /* asks for pages */
    WCTS_ACT_SETTLE,  /* has the kernel do all that it put off */
    WCTS_ACT_SIZES,   /* asks for the sizes of the allocations that the call names */
    WCTS_ACT_FILL,    /* overwrites the buffer that the call has patched */
    WCTS_ACT_DUMP,    /* reads it */
    WCTS_ACT_KINDS,   /* calls of all bases for a driver, and again for each kind that it lists */
    WCTS_ACT_DESTROY, /* ends what they created */
    WCTS_ACT_COUNT
};

/* What the suite asks for pages for: before the call, of what it copies, and after it. */
enum wcts_look { WCTS_LOOK_NONE, WCTS_LOOK_BEFORE, WCTS_LOOK_SOURCE, WCTS_LOOK_AFTER };

/* One act of a script (script.h), or of a scenario. Example: {CALL, 117} makes the call of
 * steps[117]; {QUERY, .look = BEFORE, .at = WCTS_ARG_BASE} asks for the pages of the range that the
 * test's effect has there. */
struct wcts_act {
    enum wcts_act_kind kind;
    int step;
    const struct wcts_step *call; /* CALL: made of that step, and sent instead of it; or NULL */
    enum wcts_look look;          /* QUERY */
    enum wcts_attribute at;       /* ... of an effect, where the range begins */
    uint64_t address, size;       /* ... without a look: of the range */
    bool followed;                /* in a walk, the next act follows at once */
    bool forgets;                 /* ... what it names may hold anything afterwards */
};

/* The values that a parameter of a scenario takes, one case for each: {.symbol = of "size",
 * .values = {4096, 8192}, .value_count = 2}. */
struct wcts_loop {
    int symbol;
    struct wcts_value *values;
    int value_count;
};

#define WCTS_LOOPS_MAX 3

/*
 * Calls in an order, and the effects that their recording must show. The spec owns it. Example:
 * "evicted-through-its-aperture", adapter "apertures", acts {create a, write a, evict a, read a},
 * effects {the rule that the bytes are kept}, no loop. With a loop over two page counts the plan
 * has two tests of it.
 */
struct wcts_scenario {
    const char *name;
    struct wcts_place place;
    int adapter;
    int since, until;
    uint32_t and_at; /* bits: versions before since, or from until on, at which it is tried, too */
    bool or_later;   /* performed at a later version if none of these is claimed */
    uint32_t page_sizes; /* sum of the host page sizes */
    bool driver;         /* True if the driver is under test */
    bool kinds;          /* True if it runs once for each kind of allocation of the driver */
    bool moves;          /* True if it is no test, but what walks are made of (plan/tour.h) */
    struct wcts_act *acts;
    int act_count;
    int *effects; /* rules */
    int effect_count;
    int *also; /* rules that the case of its first effect looks at, although others do not */
    int also_count;
    struct wcts_loop loops[WCTS_LOOPS_MAX];
    int loop_count;
};

/* The answers of the scripted driver. Example: "segments" has the answer to DRIVER_INFO, some
 * segments, and what is said of each allocation. */
struct wcts_adapter {
    const char *name;
    struct wcts_place place;
    struct wcts_instance *instances; /* DRIVER_INFO, segments in order, DXGK_ALLOCATIONINFO */
    int instance_count;
    int since, until;
};

/* A base: the call whose facts, and whose adapter's facts, the tests vary. Example: {"create",
 * .step = of "create", .adapter = of "standard", .since = 0, .breaks = {}}. */
struct wcts_base {
    const char *name;
    struct wcts_place place;
    int step;
    int adapter;
    int since, until;
    bool driver; /* True if it also runs against a driver under test */
    bool kinds;  /* True if that is repeated for each kind of allocation of the driver */
    bool alone;  /* True if its tests are performed in no state */
    int *breaks; /* statements whose rules are broken here as well as in their first base */
    int break_count;
    const char
        *answers; /* names of the adapter's answers whose flags combinations vary, too; NULL */
    int *also;    /* further steps that a driver under test is asked by */
    int also_count;
};

/* A state in which tests of bases are performed once more: its steps are taken
 * first, and another step may be sent in place of one that the base takes. Example:
 * "second-adapter", in which what starts the adapter starts the other one. */
struct wcts_base_state {
    const char *name;
    struct wcts_place place;
    int since, until;
    int *takes; /* steps; a kernel may refuse them */
    int take_count;
    int of;   /* the step that is replaced, which bases of the state take; -1: none, all bases do */
    int with; /* what is sent instead: a request of the same structure. If it is refused, of is */
};

/* Values to try for a member beyond those that its rules suggest. Example: {.of = a member,
 * .values = {0, 4096, 65536}, .value_count = 3}. */
struct wcts_domain {
    struct wcts_place place;
    struct wcts_ref of;
    struct wcts_value *values;
    int value_count;
    bool only; /* True if no other value is tried */
};

/* Acts that scenarios have in common. The loader puts them in the scenarios: what is left of a
 * procedure is whether it is used at all, since its acts are checked where they are used.
 * Example: "learn", which scenarios perform, is {"learn", its place, true}. */
struct wcts_procedure {
    const char *name;
    struct wcts_place place;
    bool used;
};

/* All of cases/: what documents have no word of, and what calls are made of. Indices (steps,
 * symbols, ...) are into these arrays. Example: scenarios[3].acts[0].step = 117 is the call that
 * steps[117] describes, .adapter = 2 the answers adapters[2]. */
struct wcts_cases {
    WCTS_SPEC_ARRAY(wcts_symbol, symbols);
    WCTS_SPEC_ARRAY(wcts_step, steps);
    WCTS_SPEC_ARRAY(wcts_adapter, adapters);
    WCTS_SPEC_ARRAY(wcts_base, bases);
    WCTS_SPEC_ARRAY(wcts_base_state, states);
    WCTS_SPEC_ARRAY(wcts_domain, domains);
    WCTS_SPEC_ARRAY(wcts_procedure, procedures);
    WCTS_SPEC_ARRAY(wcts_scenario, scenarios);
    int common_symbols, common_steps; /* how many, from the first, belong to no scenario */
};

int wcts_model_cases_symbol(const struct wcts_cases *cases, const char *name);
int wcts_model_cases_step(const struct wcts_cases *cases, const char *name);
/* The step that makes a symbol, or -1 for a parameter. */
int wcts_model_symbol_maker(const struct wcts_cases *cases, int symbol);
/* True if the other step is this one or one that it needs. */
bool wcts_model_step_includes(const struct wcts_cases *cases, int step, int other);
/* True if tests of the base may be performed in the state: it takes the step that the state
 * replaces, and what the steps of the state need. */
bool wcts_model_base_has_state(const struct wcts_cases *cases, const struct wcts_base *base,
                               const struct wcts_base_state *state);

/* True if the flags that a step sets make the instance present; false if a loop decides. */
bool wcts_model_step_sends(const struct wcts_step *step, const struct wcts_instance *instance);
/* True if the scenario has the rule in also; scenario: NULL has none. */
bool wcts_model_is_also(const struct wcts_scenario *scenario, int rule);

/* The values of symbols known so far. Example: .values[17] is 0x40000001 once the call that
 * makes symbols[17] was answered. */
struct wcts_symbols {
    uint64_t *values; /* one for each symbol */
};

/* The number of a value: its own plus its symbol's. */
uint64_t wcts_model_value_resolve(const struct wcts_spec *spec, const struct wcts_symbols *symbols,
                                  struct wcts_value value);

/* The operation that a step calls. */
uint32_t wcts_model_step_operation(const struct wcts_spec *spec, const struct wcts_step *step);
/* That of a step without a message, which makes a region of the suite's memory. */
uint32_t wcts_model_region_operation(const struct wcts_spec *spec);

#endif
