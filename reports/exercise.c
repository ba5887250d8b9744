/* SPDX-License-Identifier: MIT */
/* What the cases of a run exercise. A case that is one call with changed facts is a world: the
 * oracle evaluates its rule and each condition there, and the pairs of flags in the call are
 * counted. */
#include <stdlib.h>
#include <string.h>

#include "loaded_run.h"

struct wcts_exercise {
    struct wcts_report_loaded_run *loaded;
    struct wcts_eval eval;
};

/* True if the case is one call with facts, which makes a world. */
static bool is_call(const struct wcts_case *test)
{
    return test->base >= 0 && !test->scenario && !wcts_model_is_drawn(test->kind) && !test->swept &&
           test->expect != WCTS_EXPECT_ANSWER;
}

/* ---- polarity ---- */

const char *wcts_report_polarity_name(enum wcts_report_polarity side)
{
    static const char *const names[] = {
        [WCTS_ACCEPTS] = "accept", [WCTS_REFUSES] = "refuse", [WCTS_EITHER] = "either"};
    return names[side];
}

enum wcts_report_polarity wcts_report_polarity_of(const struct wcts_case *test)
{
    static const enum wcts_report_polarity sides[] = {[WCTS_EXPECT_ACCEPT] = WCTS_ACCEPTS,
                                                      [WCTS_EXPECT_REFUSE] = WCTS_REFUSES,
                                                      [WCTS_EXPECT_ASSERT] = WCTS_REFUSES,
                                                      [WCTS_EXPECT_OPEN] = WCTS_EITHER,
                                                      [WCTS_EXPECT_ANSWER] = WCTS_ACCEPTS};
    return sides[test->expect];
}

/* ---- rules ---- */

static void count_evaluation(struct wcts_report_evaluations *counts, bool held)
{
    counts->held += held;
    counts->broken += !held;
}

static void evaluate_conditions(const struct wcts_world *world, const struct wcts_rule *rule,
                                struct wcts_report_rule_exercise *counts)
{
    for (int c = 0; c < rule->when_count && c < WCTS_CONDITIONS_MAX; c++)
        for (int i = 0; i < world->count; i++)
            if (world->instances[i].present && world->instances[i].structure == rule->on)
                count_evaluation(&counts->conditions[c],
                                 wcts_oracle_condition_holds(world, rule, c, i));
}

static void evaluate_rule(struct wcts_exercise *exercise, const struct wcts_world *world, int index,
                          bool judged)
{
    const struct wcts_rule *rule = &exercise->eval.spec->rules[index];
    struct wcts_report_rule_exercise *counts = &exercise->loaded->exercised[index];
    enum wcts_truth truth = wcts_oracle_rule_ask_all(world, rule, NULL);
    if (truth == WCTS_FALSE)
        counts->breakable = true;
    if (!judged)
        return;
    if (truth != WCTS_UNKNOWN)
        count_evaluation(&counts->rule, truth == WCTS_TRUE);
    evaluate_conditions(world, rule, counts);
}

/* ---- pairs of flags ---- */

/* The bits of a word in which a combination differs from its twin. */
static uint64_t bits_apart(const struct wcts_case *test, const struct wcts_fact *fact)
{
    for (int i = 0; i < test->twin_count; i++)
        if (test->twin[i].instance == fact->instance &&
            test->twin[i].ref.member == fact->ref.member)
            return test->twin[i].value.number ^ fact->value.number;
    return test->twin_count < 0 ? 0 : fact->value.number;
}

/* The bits of the word that the facts of the case change. */
static uint64_t changed_bits(const struct wcts_spec *spec, const struct wcts_case *test, int word)
{
    uint64_t bits = 0;
    for (int i = 0; i < test->fact_count; i++) {
        const struct wcts_ref ref = test->facts[i].ref;
        if (wcts_model_ref_member(spec, ref)->word != word)
            continue;
        if (test->kind == WCTS_KIND_COMBINATION)
            return bits_apart(test, &test->facts[i]);
        bits |= ref.flag < 0 ? ~UINT64_C(0) : UINT64_C(1) << spec->words[word].flags[ref.flag].bit;
    }
    return bits;
}

static void count_pairs(struct wcts_report_matrix *matrix, uint64_t value, uint64_t changed,
                        const struct wcts_case *test, enum wcts_verdict verdict)
{
    enum wcts_report_polarity side = wcts_report_polarity_of(test);
    for (uint64_t firsts = value; firsts; firsts &= firsts - 1)
        for (uint64_t seconds = firsts; seconds; seconds &= seconds - 1) {
            int i = __builtin_ctzll(firsts), j = __builtin_ctzll(seconds);
            uint64_t both = UINT64_C(1) << i | UINT64_C(1) << j;
            /* A refused call exercises only the bits that it changes. */
            if ((i == j && value != both) || (side != WCTS_ACCEPTS && !(changed & both)))
                continue;
            matrix->pairs[i][j].tried[side]++;
            matrix->pairs[i][j].wrong += wcts_store_verdict_breaks(verdict);
        }
}

static void count_words(struct wcts_exercise *exercise, const struct wcts_world *world,
                        const struct wcts_case *test, enum wcts_verdict verdict)
{
    const struct wcts_spec *spec = exercise->eval.spec;
    for (int i = 0; i < world->count; i++) {
        const struct wcts_structure *structure = &spec->structures[world->instances[i].structure];
        for (int m = 0; world->instances[i].present && m < structure->member_count; m++) {
            int word = structure->members[m].word;
            if (word < 0)
                continue;
            const struct wcts_oracle_masks *masks =
                wcts_oracle_eval_masks(&exercise->eval, word, test->version);
            uint64_t bits = world->instances[i].values[m].number & masks->defined & ~masks->open;
            count_pairs(&exercise->loaded->matrices[word], bits, changed_bits(spec, test, word),
                        test, verdict);
        }
    }
}

/* ---- the exercise ---- */

/* Finds the rules that the whole plan can break, whatever was selected. */
static void find_breakable(struct wcts_exercise *exercise)
{
    const struct wcts_plan *plan = exercise->loaded->plan;
    for (int i = 0; i < plan->count; i++) {
        struct wcts_case made;
        const struct wcts_case *test = wcts_plan_case(plan, i, &made);
        struct wcts_world world;
        if (!is_call(test) || exercise->loaded->exercised[test->rule].breakable ||
            !wcts_model_is_asked(plan->spec->rules[test->rule].form))
            continue;
        if (wcts_oracle_case_world(&world, &exercise->eval, test, test->facts, test->fact_count)) {
            evaluate_rule(exercise, &world, test->rule, false);
            wcts_world_release(&world);
        }
    }
}

struct wcts_exercise *wcts_report_exercise_new(struct wcts_report_loaded_run *loaded)
{
    const struct wcts_spec *spec = loaded->plan->spec;
    struct wcts_exercise *exercise = calloc(1, sizeof *exercise);
    if (!exercise)
        return NULL;
    exercise->loaded = loaded;
    if (!wcts_oracle_eval_init(&exercise->eval, spec)) {
        wcts_report_exercise_free(exercise);
        return NULL;
    }
    for (int word = 0; word < spec->words_count; word++) {
        struct wcts_report_matrix *matrix = &loaded->matrices[word];
        matrix->version = wcts_plan_pairs(&exercise->eval, word, &matrix->says);
        if (matrix->version < 0)
            continue;
        const struct wcts_oracle_masks *masks =
            wcts_oracle_eval_masks(&exercise->eval, word, matrix->version);
        matrix->defined = masks->defined;
        matrix->open = masks->open;
    }
    find_breakable(exercise);
    return exercise;
}

void wcts_report_exercise_free(struct wcts_exercise *exercise)
{
    if (!exercise)
        return;
    wcts_oracle_eval_release(&exercise->eval);
    free(exercise);
}

/* The verdict about the call itself: where only the breach of an effect was observed in it, it was
 * judged as expected. */
static enum wcts_verdict verdict_of_call(const struct wcts_spec *spec, const struct wcts_case *test,
                                         const struct wcts_result *result)
{
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    return other && !wcts_model_is_effect(spec->rules[test->rule].form) &&
                   wcts_model_is_effect(spec->rules[result->broken - 1].form)
               ? WCTS_VERDICT_PASS
               : result->verdict;
}

void wcts_report_exercise_add(struct wcts_exercise *exercise, const struct wcts_case *test,
                              const struct wcts_result *result)
{
    const struct wcts_spec *spec = exercise->eval.spec;
    enum wcts_form form = spec->rules[test->rule].form;
    enum wcts_verdict verdict = verdict_of_call(spec, test, result);
    struct wcts_world world;
    if (!wcts_store_verdict_judges(verdict))
        return;
    if (!is_call(test) || !wcts_model_is_asked(form))
        exercise->loaded->exercised[test->rule].effects++;
    if (!is_call(test) ||
        !wcts_oracle_case_world(&world, &exercise->eval, test, test->facts, test->fact_count))
        return;
    if (wcts_model_is_asked(form))
        evaluate_rule(exercise, &world, test->rule, true);
    /* A broken effect does not show whether the call was accepted. */
    if (!(wcts_model_is_effect(form) && wcts_store_verdict_breaks(verdict)))
        count_words(exercise, &world, test, verdict);
    wcts_world_release(&world);
}
