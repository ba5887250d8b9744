/* SPDX-License-Identifier: MIT */
/*
 * A base call as parameters: the version, the page size, the state in which it is made, each flag
 * of its words, each member for which the cases have values, the number of elements of its lists;
 * of the call and of the answers of the scripted driver. Rows are the calls that no rule forbids
 * and no sentence leaves open; or those that break one rule alone.
 *
 *     {version: 2.0 2.1 2.2}  {page size: 4096 16384}  {Flags.Shared: 0 1}  {Size: ...}
 *
 * What rows forbid is learnt while rows are searched: a call that breaks a rule is reduced to the
 * values that break it whatever the others are.
 */
#ifndef WCTS_GENERATE_BASE_MODEL_H
#define WCTS_GENERATE_BASE_MODEL_H

#include "../base/text.h"
#include "../oracle/reads.h"
#include "array.h"

#define WCTS_GENERATE_VERSION (-1)
#define WCTS_GENERATE_PAGE_SIZE (-2)
#define WCTS_GENERATE_STATE (-3)

/* What a parameter of the model is: {2, {5, 0, 3}, {{-1, 0}, {-1, 1}}, 2} is flag 3 of member 0 of
 * instance 2. The value of the base comes first. */
struct wcts_generate_place {
    int instance; /* or one of the above, with version, page size or 1 + state as numbers of
                   * values; state 0: none */
    struct wcts_ref ref;
    struct wcts_value *values;
    int value_count;
};

/* Which calls of a base are wanted. Example: {.from = 0, .until = 17, .rule = 12, .states =
 * true}: those that break rule 12 alone, at 17 versions, in any state. */
struct wcts_generate_base_options {
    int from, until;     /* versions, of those at which the base exists */
    int rule;            /* that rows break alone; -1: none, rows are valid */
    bool one_page_size;  /* the page size is no parameter, but 4 KiB */
    bool the_call_alone; /* answers of the driver stay as they are, but for flags that base.xml
                          * lets vary */
    bool answers_stay;   /* with the_call_alone: not even those flags vary */
    bool states;         /* the state in which the call is made is a parameter */
    bool with_masks;     /* rows may break the rules, too, that the rule declares to be masked by */
};

/* Owned by whoever called wcts_generate_base_init(); eval and reads have to outlive it. */
struct wcts_generate_base {
    struct wcts_generate_model model;
    struct wcts_generate_place *places; /* one for each parameter of the model */
    int place_count;
    int state; /* the parameter that is the state, if that is one */
    const struct wcts_eval *eval;
    int base, rule;
    bool with_masks;
    struct wcts_world world;
    struct wcts_value **pristine; /* of each instance of the world */
    uint64_t **hidden;            /* as in struct wcts_world */
    int *first, *readers;         /* reader -> its places: readers[first[r]] to first[r + 1] */
    bool *presence;               /* place: a flag that decides which structures are there */
};

/* False without memory, or with more parameters than arrays can have; released in either case. */
bool wcts_generate_base_init(struct wcts_generate_base *model,
                             const struct wcts_oracle_reads *reads, int base,
                             const struct wcts_generate_base_options *options);
void wcts_generate_base_release(struct wcts_generate_base *model);

/* True if the row breaks nothing at all, whatever the rows of the model break. */
bool wcts_generate_base_is_valid(struct wcts_generate_base *model, const uint8_t *row);

/* True if the row is one that the model is of: what breaks nothing, or the rule alone. */
bool wcts_generate_base_allows(struct wcts_generate_base *model, const uint8_t *row);

/* The places of a row that differ from the base as facts, of a word all flags at once; returns how
 * many, or -1: more than a case has. */
int wcts_generate_base_facts(struct wcts_generate_base *model, const uint8_t *row,
                             struct wcts_fact facts[WCTS_FACTS_MAX]);
/* The row of a world, which is the base's with other values; false if the model has not got all of
 * them. */
bool wcts_generate_base_row(const struct wcts_generate_base *model, const struct wcts_world *world,
                            uint8_t *row);

/* Adds the name of a parameter, "CREATE.Flags.Shared", and of a value. */
void wcts_generate_base_name(const struct wcts_generate_base *model, int parameter,
                             struct wcts_text *text);
void wcts_generate_base_value(const struct wcts_generate_base *model, int parameter, int value,
                              struct wcts_text *text);

#endif
