/* SPDX-License-Identifier: MIT */
/*
 * What rules read, and predictions that use it: a changed world ends as the unchanged one does, but
 * for the rules that read what changed.
 */
#ifndef WCTS_READS_H
#define WCTS_READS_H

#include "world.h"

/*
 * What a rule reads: {17, 0x8, false} under DXGK_ALLOCATIONINFO.Flags is bit 3 of that word. A rule
 * about this structure that does not look anywhere reads it of its own instance alone; any other
 * rule may read it of each instance. After the rules, in this order, come the structures, for what
 * leaves their instances open, and the gaps.
 */
struct wcts_oracle_reading {
    int reader;
    uint64_t bits; /* of the member */
    bool anywhere;
};

/* Who reads each member: an index of a spec. Made once, owned by whoever called
 * wcts_oracle_reads_init(). */
struct wcts_oracle_reads {
    const struct wcts_eval *eval;
    int *first; /* member, counted as eval->first_member does -> its first reading; one more */
    struct wcts_oracle_reading *readings;
    int *place;       /* rule -> its position among those of its structure */
    bool *by_version; /* reader -> it may be true at one version and false at another */
};

/* Calls each() for all that a rule reads. A reference to a word without flag is the whole word;
 * structure -1: it may read anything. anywhere: of all instances, those of the rule's structure
 * included. */
typedef void wcts_oracle_read_fn(void *ctx, struct wcts_ref ref, bool anywhere);

bool wcts_oracle_reads_init(struct wcts_oracle_reads *reads, const struct wcts_eval *eval);
void wcts_oracle_reads_release(struct wcts_oracle_reads *reads);

/*
 * The questions that a world asks: a bit for each rule of each instance, and one for what leaves
 * the instance open; then one for each gap. Those set are asked again. Answers that no version
 * changes are kept until the facts or the page size are others: a change is mostly judged at many
 * versions. Owned by whoever called wcts_oracle_asks_init(); instances may be changed in value, not
 * in number.
 */
struct wcts_oracle_asks {
    const struct wcts_oracle_reads *reads;
    int *first; /* instance -> its first bit; one more: the first of the gaps */
    int instances;
    uint64_t *bits;
    uint64_t *known, *answers; /* True: the rule is broken, the gap covers, but for its versions */
    uint32_t page_size;        /* of the answers */
    size_t words;
};

bool wcts_oracle_asks_init(struct wcts_oracle_asks *asks, const struct wcts_oracle_reads *reads,
                           const struct wcts_world *world);
void wcts_oracle_asks_release(struct wcts_oracle_asks *asks);

/* Sets what reads one of the facts. */
void wcts_oracle_asks_set(struct wcts_oracle_asks *asks, const struct wcts_world *world,
                          const struct wcts_fact *facts, int count);

/* Sets all: another instance may be present than in the world without the facts. */
void wcts_oracle_asks_set_all(struct wcts_oracle_asks *asks);

/* As wcts_world_judge() and wcts_world_gap(), of a world that breaks nothing and leaves nothing
 * open but for what is asked. covered: the gaps that cover it, a bit for each, but for those asked.
 */
void wcts_world_judge_asked(const struct wcts_world *world, struct wcts_oracle_asks *asks,
                            struct wcts_oracle_prediction *prediction);
const struct wcts_gap *wcts_world_gap_asked(const struct wcts_world *world,
                                            struct wcts_oracle_asks *asks, const uint64_t *covered);

#endif
