/* SPDX-License-Identifier: MIT */
/* Calls with an answer, as sets of the conditions that are true of them (features.h). */
#ifndef WCTS_JUDGE_SAMPLES_H
#define WCTS_JUDGE_SAMPLES_H

#include "features.h"

/*
 * What is to be told from what: the calls with the answer sought, each with the conditions that are
 * true of each of its instances, and the instances of all other calls, each set once. Example: two
 * refused calls of which the second has two instances: {.bags {{0, 1, 17}, {1, 2, 18}}, .bag_count
 * 2, .wanted = three sets}.
 */
struct wcts_judge_bag {
    int first, count; /* in wanted */
    int call;         /* a number of the caller's: which call, of those of several structures */
    int test;         /* index of its case in the plan */
};

/* All bags, and the sets that bags point into. A set has one bit for each condition, so
 * {.wanted_words = 2} is up to 128 conditions. */
struct wcts_judge_samples {
    struct wcts_judge_features features;
    struct wcts_judge_bag *bags;
    int bag_count;
    uint64_t *wanted, *others; /* sets, one behind the other */
    int wanted_count, other_count;
    int wanted_words, other_words;
    int *table; /* of the sets of others, by what is in them; 1 + number, 0: free */
    size_t table_size;
    bool failed; /* memory ran out */
};

void wcts_judge_samples_release(struct wcts_judge_samples *samples);

/* True if the record is a call to the side under test. */
bool wcts_judge_sample_is_asked(const struct wcts_case *test, const struct wcts_exchange_boot *boot,
                                int record);
/* Adds the instances of a record. call: of those with the answer sought; -1: of the others. What
 * has the number of the last one is the same call. */
void wcts_judge_sample_call(struct wcts_judge_samples *samples, const struct wcts_case *test,
                            const struct wcts_exchange_boot *boot, int record, int call);
/* Adds values of a sweep: those that were answered otherwise than the documents want have the
 * answer sought, the others have not; refusals: only if the documents want them accepted, else it
 * is the values that were accepted that have not. Calls are numbered from call on; returns the next
 * number. samples: NULL if they are only numbered. */
int wcts_judge_sample_sweep(struct wcts_judge_samples *samples, const struct wcts_judge *judge,
                            const struct wcts_case *test, const struct wcts_exchange_swept *swept,
                            bool refusals, int call);

#endif
