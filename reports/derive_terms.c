/* SPDX-License-Identifier: MIT */
#include "derive_terms.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"

/* Calls of which the same features are true: they are looked at once. Example: {.bag = 4,
 * .calls = 300}: the fifth bag stands for 300 calls. */
struct report_alike {
    int bag;   /* the first of them */
    int calls; /* that have no term yet */
};

struct report_learning {
    const struct wcts_judge_samples *samples;
    bool *covered;
    bool versions;     /* a term may be of nothing but versions */
    int width;         /* 64-bit words of a set of features */
    int height;        /* ... and of a set of others */
    uint64_t *columns; /* by feature, so many words each: the others of which it is true */
    struct report_alike *alike;
    int alike_count;
    int *true_of; /* the features of the instance that a term is sought for, the cheapest first */
    int true_count;
    struct wcts_report_budget *budget;
};

/* ---- the budget ---- */

/* What is searched, the dearest first: each may go on until so much of the budget is left, so that
 * the cheaper ones, which find longer conditions, still have some when it is over. */
enum report_search { TRIPLES, PAIRS, REDUCTION };

static bool may(const struct report_learning *learning, enum report_search what)
{
    static const unsigned quarters[] = {[TRIPLES] = 2, [PAIRS] = 1, [REDUCTION] = 0};
    struct wcts_report_budget *budget = learning->budget;
    if (budget->used < budget->all - budget->all / 4 * quarters[what])
        return true;
    budget->over = true;
    return false;
}

static void use(const struct report_learning *learning, int steps)
{
    learning->budget->used += (uint64_t)steps;
}

/* ---- sets ---- */

static bool set_has_bit(const uint64_t *set, int bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

static const uint64_t *wanted(const struct report_learning *learning, int instance)
{
    return learning->samples->wanted + (size_t)instance * (size_t)learning->width;
}

static uint64_t *column(const struct report_learning *learning, int feature)
{
    return learning->columns + (size_t)feature * (size_t)learning->height;
}

static bool is_true_of(const struct report_learning *learning, const struct wcts_report_term *term,
                       int instance)
{
    for (int i = 0; i < term->count; i++)
        if (!set_has_bit(wanted(learning, instance), term->features[i]))
            return false;
    return true;
}

static bool covers(const struct report_learning *learning, const struct wcts_report_term *term,
                   int bag)
{
    const struct wcts_judge_bag *of = &learning->samples->bags[bag];
    for (int i = 0; i < of->count; i++)
        if (is_true_of(learning, term, of->first + i))
            return true;
    return false;
}

/* True if there is no other of which all of the term is true. */
static bool is_term_clean(const struct report_learning *learning,
                          const struct wcts_report_term *term)
{
    int word;
    uint64_t all = 0;
    for (word = 0; !all && word < learning->height; word++) {
        all = ~UINT64_C(0);
        for (int i = 0; i < term->count && all; i++)
            all &= column(learning, term->features[i])[word];
    }
    use(learning, word + 1);
    return !all;
}

static int calls_of(const struct report_learning *learning, const struct wcts_report_term *term)
{
    int calls = 0;
    use(learning, learning->alike_count);
    for (int i = 0; i < learning->alike_count; i++)
        if (learning->alike[i].calls > 0 && covers(learning, term, learning->alike[i].bag))
            calls += learning->alike[i].calls;
    return calls;
}

static int cost_of_term(const struct report_learning *learning, const struct wcts_report_term *term)
{
    int cost = 0;
    for (int i = 0; i < term->count; i++)
        cost += learning->samples->features.of[term->features[i]].cost;
    return cost;
}

/* ---- one term ---- */

/* True if it has a condition about the call. */
static bool has_text(const struct report_learning *learning, const struct wcts_report_term *term)
{
    for (int i = 0; i < term->count; i++)
        if (learning->samples->features.of[term->features[i]].text)
            return true;
    return false;
}

/* Keeps the better one of two: that of more calls, then the shorter, then the cheaper. */
static void offer(const struct report_learning *learning, struct wcts_report_term *best,
                  struct wcts_report_term *term)
{
    if ((!learning->versions && !has_text(learning, term)) || !is_term_clean(learning, term))
        return;
    term->calls = calls_of(learning, term);
    if (term->calls > best->calls ||
        (term->calls == best->calls &&
         (term->count < best->count ||
          (term->count == best->count &&
           cost_of_term(learning, term) < cost_of_term(learning, best)))))
        *best = *term;
}

/* Offers each term of `left` more features of the instance, from the position on, as long as there
 * is a budget for the search. */
static void try_all_terms(const struct report_learning *learning, enum report_search search,
                          struct wcts_report_term *term, int from, int left,
                          struct wcts_report_term *best)
{
    for (int i = from; i < learning->true_count && may(learning, search); i++) {
        term->features[term->count++] = learning->true_of[i];
        if (left == 1)
            offer(learning, best, term);
        else
            try_all_terms(learning, search, term, i + 1, left - 1, best);
        term->count--;
    }
}

/* True if all features that are needed, but one, are true of another one. */
static bool is_shared_without(const struct report_learning *learning, const bool *needed, int one)
{
    int word;
    uint64_t all = 0;
    for (word = 0; !all && word < learning->height; word++) {
        all = ~UINT64_C(0);
        for (int i = 0; i < learning->true_count && all; i++)
            if (needed[i] && i != one)
                all &= column(learning, learning->true_of[i])[word];
    }
    use(learning, word + 1);
    return all != 0;
}

/* All that is true of the instance, without what is not needed, the dearest first; false if that
 * is true of another one, or longer than a term. */
static bool reduce(const struct report_learning *learning, struct wcts_report_term *best)
{
    bool *needed = calloc((size_t)learning->true_count + 1, sizeof *needed);
    bool good = needed != NULL;
    for (int i = 0; good && i < learning->true_count; i++)
        needed[i] = true;
    good = good && !is_shared_without(learning, needed, -1);
    for (int i = learning->true_count - 1; good && i >= 0; i--)
        needed[i] = is_shared_without(learning, needed, i);
    best->count = 0;
    for (int i = 0; good && i < learning->true_count; i++) {
        if (!needed[i])
            continue;
        good = best->count < WCTS_TERM_MAX;
        if (good)
            best->features[best->count++] = learning->true_of[i];
    }
    free(needed);
    good = good && best->count > 0;
    best->calls = good ? calls_of(learning, best) : 0;
    return good;
}

/* The features of an instance, the cheapest first. */
static void gather_true_features(struct report_learning *learning, int instance)
{
    const struct wcts_judge_features *features = &learning->samples->features;
    learning->true_count = 0;
    for (int i = 0; i < features->count; i++) {
        int at = learning->true_count;
        if (!set_has_bit(wanted(learning, instance), i))
            continue;
        for (; at > 0 && features->of[learning->true_of[at - 1]].cost > features->of[i].cost; at--)
            learning->true_of[at] = learning->true_of[at - 1];
        learning->true_of[at] = i;
        learning->true_count++;
    }
}

/* The best term that is true of the call. */
static bool find_term(struct report_learning *learning, int bag, struct wcts_report_term *best)
{
    const struct wcts_judge_bag *of = &learning->samples->bags[bag];
    *best = (struct wcts_report_term){.calls = 0};
    for (int size = 1; size <= 3; size++) {
        for (int i = 0; i < of->count && (size < 3 || best->calls == 0); i++) {
            struct wcts_report_term term = {.count = 0};
            gather_true_features(learning, of->first + i);
            try_all_terms(learning, size == 3 ? TRIPLES : PAIRS, &term, 0, size, best);
        }
    }
    for (int i = 0; i < of->count && best->calls == 0 && may(learning, REDUCTION); i++) {
        gather_true_features(learning, of->first + i);
        if (reduce(learning, best))
            break;
    }
    best->test = of->test;
    return best->calls > 0;
}

/* ---- all terms ---- */

static bool are_samples_alike(const struct report_learning *learning, int a, int b)
{
    const struct wcts_judge_bag *bags = learning->samples->bags;
    return bags[a].count == bags[b].count &&
           memcmp(wanted(learning, bags[a].first), wanted(learning, bags[b].first),
                  (size_t)bags[a].count * (size_t)learning->width * sizeof(uint64_t)) == 0;
}

static bool gather_alike(struct report_learning *learning)
{
    const struct wcts_judge_samples *samples = learning->samples;
    for (int bag = 0; bag < samples->bag_count; bag++) {
        struct report_alike *alike = NULL;
        if (learning->covered[samples->bags[bag].call])
            continue;
        for (int i = learning->alike_count - 1; !alike && i >= 0; i--)
            if (are_samples_alike(learning, learning->alike[i].bag, bag))
                alike = &learning->alike[i];
        if (!alike) {
            alike = WCTS_ARRAY_ADD(learning->alike, learning->alike_count);
            if (!alike)
                return false;
            alike->bag = bag;
        }
        alike->calls++;
    }
    return true;
}

static bool make_columns(struct report_learning *learning)
{
    const struct wcts_judge_samples *samples = learning->samples;
    const int features = samples->features.count;
    learning->columns =
        calloc((size_t)features * (size_t)learning->height + 1, sizeof *learning->columns);
    learning->true_of = calloc((size_t)features + 1, sizeof *learning->true_of);
    if (!learning->columns || !learning->true_of)
        return false;
    for (int i = 0; i < features; i++)
        for (int other = 0; other < samples->other_count; other++)
            if (set_has_bit(samples->others + (size_t)other * (size_t)learning->width, i))
                column(learning, i)[other / 64] |= UINT64_C(1) << other % 64;
    return true;
}

/* The calls of a term need no other one. */
static void take(struct report_learning *learning, const struct wcts_report_term *term)
{
    const struct wcts_judge_samples *samples = learning->samples;
    for (int i = 0; i < learning->alike_count; i++)
        if (covers(learning, term, learning->alike[i].bag))
            learning->alike[i].calls = 0;
    for (int bag = 0; bag < samples->bag_count; bag++)
        if (covers(learning, term, bag))
            learning->covered[samples->bags[bag].call] = true;
}

int wcts_report_terms(const struct wcts_judge_samples *samples, bool versions, bool *covered,
                      struct wcts_report_budget *budget, struct wcts_report_term **terms)
{
    struct report_learning learning = {.samples = samples,
                                       .versions = versions,
                                       .covered = covered,
                                       .budget = budget,
                                       .width = wcts_judge_features_words(&samples->features),
                                       .height = (samples->other_count + 63) / 64};
    int count = 0;
    bool good = !samples->failed && gather_alike(&learning) && make_columns(&learning);
    *terms = NULL;
    for (int i = 0; good && i < learning.alike_count; i++) {
        struct wcts_report_term term, *added;
        if (learning.alike[i].calls == 0 || !find_term(&learning, learning.alike[i].bag, &term))
            continue;
        added = WCTS_ARRAY_ADD(*terms, count);
        good = added != NULL;
        if (good)
            *added = term;
        if (good)
            take(&learning, &term);
    }
    free(learning.columns);
    free(learning.alike);
    free(learning.true_of);
    return good ? count : -1;
}
