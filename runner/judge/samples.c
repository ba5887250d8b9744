/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/checksum.h"
#include "../exchange/view.h"
#include "../oracle/env.h"
#include "../oracle/sweep.h"
#include "profile.h"

/* How many values of a sweep are sampled, half of them those with the fewest flags. */
enum { VALUES = 512 };

void wcts_judge_samples_release(struct wcts_judge_samples *samples)
{
    wcts_judge_features_release(&samples->features);
    free(samples->bags);
    free(samples->wanted);
    free(samples->others);
    free(samples->table);
    *samples = (struct wcts_judge_samples){0};
}

/* ---- sets ---- */

/* Appends a set; NULL without memory. Valid until the next one. */
static uint64_t *append_set(struct wcts_judge_samples *samples, uint64_t **sets, int *words)
{
    const int width = wcts_judge_features_words(&samples->features);
    for (int i = 0; i < width; i++)
        if (!WCTS_ARRAY_ADD(*sets, *words)) {
            samples->failed = true;
            return NULL;
        }
    return *sets + *words - width;
}

static int *set_slot(const struct wcts_judge_samples *samples, const uint64_t *set, size_t size)
{
    size_t at = wcts_checksum(0, set, size) & (samples->table_size - 1);
    for (;; at = (at + 1) & (samples->table_size - 1)) {
        int *slot = &samples->table[at];
        if (*slot == 0 ||
            memcmp(samples->others + (size_t)(*slot - 1) * (size / sizeof *set), set, size) == 0)
            return slot;
    }
}

/* True if there is a free place for another set. */
static bool make_room(struct wcts_judge_samples *samples, size_t size)
{
    const size_t larger = samples->table_size ? samples->table_size * 4 : 1024;
    if (samples->table_size > (size_t)samples->other_count * 2 + 2)
        return true;
    samples->table_size = 0;
    free(samples->table);
    samples->table = calloc(larger, sizeof *samples->table);
    if (!samples->table)
        return false;
    samples->table_size = larger;
    for (int i = 0; i < samples->other_count; i++)
        *set_slot(samples, samples->others + (size_t)i * (size / sizeof *samples->others), size) =
            i + 1;
    return true;
}

/* Keeps the last set of others if it is a new one. */
static void keep_other(struct wcts_judge_samples *samples)
{
    const int width = wcts_judge_features_words(&samples->features);
    const size_t size = (size_t)width * sizeof *samples->others;
    const uint64_t *set = samples->others + samples->other_words - width;
    int *slot;
    if (!make_room(samples, size)) {
        samples->failed = true;
        return;
    }
    slot = set_slot(samples, set, size);
    if (*slot)
        samples->other_words -= width;
    else
        *slot = ++samples->other_count;
}

static void sample_instance(struct wcts_judge_samples *samples, const struct wcts_case *test,
                            const struct wcts_lang_env *env, int instance, int call)
{
    const bool wanted = call >= 0;
    uint64_t *set = wanted ? append_set(samples, &samples->wanted, &samples->wanted_words)
                           : append_set(samples, &samples->others, &samples->other_words);
    struct wcts_judge_bag *bag =
        samples->bag_count > 0 ? &samples->bags[samples->bag_count - 1] : NULL;
    if (!set)
        return;
    wcts_judge_features_ask(&samples->features, env, instance, test->version, set);
    if (!wanted) {
        keep_other(samples);
        return;
    }
    if (!bag || bag->call != call) {
        bag = WCTS_ARRAY_ADD(samples->bags, samples->bag_count);
        if (!bag) {
            samples->failed = true;
            return;
        }
        *bag = (struct wcts_judge_bag){samples->wanted_count, 0, call, test->index};
    }
    bag->count++;
    samples->wanted_count++;
}

/* ---- recorded calls ---- */

bool wcts_judge_sample_is_asked(const struct wcts_case *test, const struct wcts_exchange_boot *boot,
                                int record)
{
    const uint32_t party = test->driver ? WCTS_DRIVER_INFO >> 8 : WCTS_KERNEL_INFO >> 8;
    const struct wcts_exchange_record *of = &boot->exchange.records[record];
    return record < boot->closing && of->operation >> 8 == party && !of->between;
}

void wcts_judge_sample_call(struct wcts_judge_samples *samples, const struct wcts_case *test,
                            const struct wcts_exchange_boot *boot, int record, int call)
{
    const struct wcts_exchange_view view = {samples->features.spec, &boot->exchange,
                                            test->page_size};
    const struct wcts_lang_env env = wcts_exchange_env(&view);
    const int count = wcts_exchange_count(&view, record, samples->features.on, false);
    for (int i = 0; i < count; i++)
        sample_instance(samples, test, &env,
                        wcts_exchange_instance((struct wcts_exchange_cursor){record, i}), call);
}

/* ---- sweeps ---- */

/* The values of a sweep, one after the other. */
struct judge_sampled_sweep {
    struct wcts_judge_samples *samples; /* NULL: they are only numbered */
    const struct wcts_case *test;
    const struct wcts_exchange_swept *swept;
    struct wcts_oracle_sweep *sweep;
    enum wcts_oracle_sweep_set set;
    bool refusals;
    uint64_t sent;
    int call; /* the next one */
};

/* Half from the beginning, half spread over the rest. */
static bool is_taken(const struct judge_sampled_sweep *at, uint64_t number)
{
    const uint64_t rest = at->swept->sent / (VALUES / 2) + 1;
    return number < VALUES / 2 || number % rest == 0;
}

static bool sample_word(void *context, uint64_t word)
{
    struct judge_sampled_sweep *at = context;
    const bool wrong = wcts_judge_profile_was_wrong(at->swept, word);
    const bool legal = at->set == WCTS_SWEEP_LEGAL;
    const uint64_t number = at->sent++;
    const bool wanted = wrong && (legal || !at->refusals);
    const struct wcts_world *world;
    if (number == at->swept->sent)
        return false;
    if (!is_taken(at, number) || !wcts_oracle_sweep_is_judged(at->sweep, at->set, word) ||
        (at->refusals && !legal && !wrong))
        return true;
    world = wcts_oracle_sweep_world(at->sweep, word);
    for (int i = 0; at->samples && world && i < world->count; i++) {
        const struct wcts_lang_env env = wcts_world_env(world);
        if (world->instances[i].structure == at->samples->features.on &&
            world->instances[i].present)
            sample_instance(at->samples, at->test, &env, i, wanted ? at->call : -1);
    }
    at->call += wanted;
    return true;
}

int wcts_judge_sample_sweep(struct wcts_judge_samples *samples, const struct wcts_judge *judge,
                            const struct wcts_case *test, const struct wcts_exchange_swept *swept,
                            bool refusals, int call)
{
    struct wcts_oracle_sweep sweep;
    struct judge_sampled_sweep at = {.samples = samples,
                                     .test = test,
                                     .swept = swept,
                                     .sweep = &sweep,
                                     .refusals = refusals,
                                     .call = call};
    int position;
    if (!swept->made || swept->died || swept->lie[0] || test->fact_count == 0 || !swept->sent ||
        !wcts_judge_profile_has_cause(swept) || test->expect == WCTS_EXPECT_OPEN)
        return call;
    if (wcts_oracle_sweep_init(&sweep, judge->eval, test->facts[0].ref, test->version,
                               test->page_size) &&
        wcts_oracle_sweep_places(&sweep)) {
        at.set = wcts_oracle_sweep_set(&sweep, test, &position);
        if (refusals || at.set == WCTS_SWEEP_EXACTLY)
            wcts_oracle_sweep_each(&sweep, at.set, position, sample_word, &at);
    }
    wcts_oracle_sweep_release(&sweep);
    return at.call;
}
