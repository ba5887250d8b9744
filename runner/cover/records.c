/* SPDX-License-Identifier: MIT */
/* The conditions of effects: each case of an effect is run against the built-in emulator, and the
 * conditions are evaluated wherever the effect may occur in the recording. */
#include <string.h>

#include "../judge/select.h"
#include "../model/facts.h"
#include "../run/case.h"
#include "atom.h"

#define WHENS_MAX 32

/* A place of a layout that has the same value in all calls of rules. */
struct cover_place {
    struct wcts_ref ref;
    struct wcts_cover_decision *decision;
    bool any;
    uint64_t value; /* the first one */
};

#define PLACES_MAX 64

struct cover_effect_cover {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    const struct wcts_case *test; /* being run */
    /* The cases that were run, one for all with the same calls: a hash table. */
    const struct wcts_case **done;
    size_t done_size;
    struct wcts_exchange_view trace;
    struct cover_place places[PLACES_MAX];
    int place_count;
};

/* True if both read the same value, or the path of one goes through the value of the other. */
static bool read_same_value(const char *a, const char *b)
{
    size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return strncmp(a, b, length) == 0 && (a[length] == '\0' || a[length] == '/') &&
           (b[length] == '\0' || b[length] == '/');
}

/* True if two conditions that do not hold can only change together: they look at the same value, or
 * the paths of both end before it. */
static bool go_together(const char *a, enum wcts_truth truth_a, const char *b,
                        enum wcts_truth truth_b)
{
    const char *end_a = strrchr(a, '/'), *end_b = strrchr(b, '/');
    size_t stem_a = end_a ? (size_t)(end_a - a) : 0, stem_b = end_b ? (size_t)(end_b - b) : 0;
    return read_same_value(a, b) || (truth_a == WCTS_UNKNOWN && truth_b == WCTS_UNKNOWN &&
                                     stem_a == stem_b && strncmp(a, b, stem_a) == 0);
}

/* The only condition that is false; -1: none or several. *coupled: others are unknown because of
 * it. */
static int only_broken_when(const struct wcts_rule *effect, const enum wcts_truth *truths,
                            bool *coupled)
{
    int only = -1;
    *coupled = false;
    for (int i = 0; i < effect->when_count; i++) {
        if (truths[i] == WCTS_UNKNOWN)
            *coupled = true;
        if (truths[i] != WCTS_FALSE)
            continue;
        if (only >= 0)
            return -1;
        only = i;
    }
    return only;
}

static void show_decision(const struct cover_effect_cover *effects,
                          struct wcts_cover_decision *decision, enum wcts_cover_shown shown)
{
    if (decision->shown >= shown)
        return;
    decision->shown = shown;
    decision->other = effects->test->index;
}

/* Shows all conditions that do not hold as coupled, if they can only change together. */
static void show_coupled(const struct cover_effect_cover *effects, const struct wcts_rule *effect,
                         const enum wcts_truth *truths, struct wcts_cover_rule *cover)
{
    int first = -1;
    for (int i = 0; i < effect->when_count; i++) {
        if (truths[i] == WCTS_TRUE)
            continue;
        if (first >= 0 && !go_together(effect->when[first].subject, truths[first],
                                       effect->when[i].subject, truths[i]))
            return;
        first = first >= 0 ? first : i;
    }
    for (int i = 0; i < effect->when_count; i++)
        if (truths[i] != WCTS_TRUE)
            show_decision(effects, &cover->decisions[i], WCTS_SHOWN_COUPLED);
}

static void check_cursor(const struct cover_effect_cover *effects, int rule,
                         struct wcts_exchange_cursor cursor)
{
    const struct wcts_rule *effect = &effects->spec->rules[rule];
    struct wcts_cover_rule *cover = &effects->cover->rules[rule];
    struct wcts_judge_selection asked;
    enum wcts_truth truths[WHENS_MAX];
    bool coupled;
    int only;
    wcts_judge_selection(&asked, effect, effects->trace);
    asked.eval.on = cursor;
    for (int i = 0; i < effect->when_count; i++)
        truths[i] = wcts_judge_condition(&asked, i);
    only = only_broken_when(effect, truths, &coupled);
    if (only >= 0 && !coupled)
        show_decision(effects, &cover->decisions[only], WCTS_SHOWN);
    else
        show_coupled(effects, effect, truths, cover);
}

static void evaluate_record(const struct cover_effect_cover *effects, int rule, int record)
{
    int on = effects->spec->rules[rule].on;
    int count = wcts_exchange_count(&effects->trace, record, on, false);
    if (count == 0)
        count = wcts_exchange_count(&effects->trace, record, on, true);
    for (int i = 0; i < count; i++)
        check_cursor(effects, rule, (struct wcts_exchange_cursor){record, i});
}

static void evaluate_exchange(struct cover_effect_cover *effects,
                              const struct wcts_exchange *exchange)
{
    effects->trace = (struct wcts_exchange_view){effects->spec, exchange, effects->test->page_size};
    for (int rule = 0; rule < effects->spec->rules_count; rule++)
        if (wcts_model_is_effect(effects->spec->rules[rule].form) &&
            !wcts_cover_is_done(&effects->cover->rules[rule]) &&
            wcts_oracle_rule_binds(effects->spec, &effects->spec->rules[rule],
                                   effects->test->version))
            for (int i = 0; i < exchange->count; i++)
                evaluate_record(effects, rule, i);
}

/* ---- places ---- */

static void find_constant_places(struct cover_effect_cover *effects)
{
    for (int r = 0; r < effects->spec->rules_count; r++) {
        struct wcts_cover_atoms atoms;
        if (effects->spec->rules[r].form != WCTS_FORM_LAYOUT ||
            !wcts_cover_is_asked(effects->cover, r))
            continue;
        wcts_cover_atoms_of(effects->spec, &effects->spec->rules[r], &atoms);
        for (int i = 0; i < atoms.count && effects->place_count < PLACES_MAX; i++)
            if (effects->cover->rules[r].decisions[i].shown == WCTS_SHOWN_NOT)
                effects->places[effects->place_count++] = (struct cover_place){
                    .ref = atoms.list[i].ref, .decision = &effects->cover->rules[r].decisions[i]};
    }
}

static void compare_place_value(const struct cover_effect_cover *effects, struct cover_place *place,
                                const uint8_t *bytes)
{
    const struct wcts_member *member = wcts_model_ref_member(effects->spec, place->ref);
    uint64_t value = wcts_exchange_bytes_get(bytes + member->offset, member->width);
    if (place->ref.flag >= 0)
        value = value >> effects->spec->words[member->word].flags[place->ref.flag].bit & 1;
    if (place->any && value != place->value) {
        show_decision(effects, place->decision, WCTS_SHOWN_COUPLED);
        place->decision->why = "no two calls differ in it alone, but it has different values";
    }
    if (!place->any)
        place->value = value;
    place->any = true;
}

static void compare_places(struct cover_effect_cover *effects, const struct wcts_exchange *exchange)
{
    for (int p = 0; p < effects->place_count; p++)
        for (int i = 0; i < exchange->count * 2; i++) {
            int structure = effects->places[p].ref.structure;
            int count = wcts_exchange_count(&effects->trace, i / 2, structure, i % 2);
            for (int e = 0; e < count; e++) {
                const uint8_t *bytes = wcts_exchange_find(
                    &effects->trace, (struct wcts_exchange_cursor){i / 2, e}, structure, i % 2);
                if (bytes)
                    compare_place_value(effects, &effects->places[p], bytes);
            }
        }
}

/* ---- cases ---- */

/* Notes that the effect occurred: all conditions held there. */
static void note_occurrence(const struct cover_effect_cover *effects)
{
    struct wcts_cover_rule *cover = &effects->cover->rules[effects->test->rule];
    if (cover->occurred)
        return;
    cover->occurred = true;
    for (int i = 0; i < cover->count; i++)
        cover->decisions[i].one = effects->test->index;
}

static void prepare_effect_decisions(struct wcts_cover *cover, int rule)
{
    const struct wcts_rule *effect = &cover->plan->spec->rules[rule];
    struct wcts_cover_rule *one = &cover->rules[rule];
    one->count = effect->when_count < WHENS_MAX ? effect->when_count : WHENS_MAX;
    one->decisions = wcts_arena_array(cover->arena, (size_t)one->count, sizeof *one->decisions);
    for (int i = 0; i < one->count; i++)
        one->decisions[i] = (struct wcts_cover_decision){
            .text = wcts_arena_format(cover->arena, "when %s", effect->when[i].text),
            .one = -1,
            .other = -1};
    if (one->count == 0)
        one->note = "unconditional: there is no other way but a fault";
}

/* True if two cases make the same calls and only expect different effects. */
static bool same_calls(const struct wcts_case *a, const struct wcts_case *b)
{
    if (a->driver != b->driver || a->scenario != b->scenario || a->base != b->base ||
        a->version != b->version || a->page_size != b->page_size)
        return false;
    if (a->scenario)
        return memcmp(a->values, b->values, sizeof a->values) == 0;
    return wcts_model_same_facts(a->facts, a->fact_count, b->facts, b->fact_count);
}

static uint64_t mix(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of_calls(const struct wcts_case *test)
{
    uint64_t hash = mix((uintptr_t)test->scenario, (uint64_t)test->base);
    hash = mix(mix(hash, (uint64_t)test->version), test->page_size);
    for (int i = 0; test->scenario && i < WCTS_LOOPS_MAX; i++)
        hash = mix(hash, (uint64_t)test->values[i]);
    for (int i = 0; !test->scenario && i < test->fact_count; i++) {
        const struct wcts_fact *fact = &test->facts[i];
        hash = mix(mix(hash, (uint64_t)fact->ref.member), (uint64_t)fact->ref.flag);
        hash = mix(hash, fact->value.number);
    }
    return hash ^ hash >> 32;
}

/* The entry of the case with these calls, or the free entry for it. */
static const struct wcts_case **place_of_calls(const struct cover_effect_cover *effects,
                                               const struct wcts_case *test)
{
    size_t at = (size_t)hash_of_calls(test) % effects->done_size;
    while (effects->done[at] && !same_calls(effects->done[at], test))
        at = (at + 1) % effects->done_size;
    return &effects->done[at];
}

/* True if a case of the side must be run: its effect has not occurred yet, or no case with the same
 * calls was run. */
static bool is_wanted(const struct cover_effect_cover *effects, int index, bool driver)
{
    const struct wcts_case *test = &effects->cover->cases[index];
    const struct wcts_cover_rule *rule = &effects->cover->rules[test->rule];
    if (!wcts_model_is_effect(effects->spec->rules[test->rule].form) ||
        wcts_model_is_drawn(test->kind) || test->driver != driver)
        return false;
    return (wcts_cover_is_asked(effects->cover, test->rule) && !rule->occurred) ||
           !*place_of_calls(effects, test);
}

/* True if a call may yet show something. */
static bool is_open(const struct cover_effect_cover *effects)
{
    bool open = effects->place_count > 0;
    for (int r = 0; r < effects->spec->rules_count && !open; r++)
        open =
            wcts_model_is_effect(effects->spec->rules[r].form) &&
            wcts_cover_is_asked(effects->cover, r) &&
            (!effects->cover->rules[r].occurred || !wcts_cover_is_done(&effects->cover->rules[r]));
    return open;
}

/* Runs the cases of effects of one side. */
static bool run_effect_cases(struct cover_effect_cover *effects, bool driver)
{
    struct wcts_cover *cover = effects->cover;
    const struct wcts_implementation emulator = {"emulator", ""};
    const struct wcts_machine_session_options options = {
        .driver = driver, .levels = wcts_model_level_bit(WCTS_LEVEL_STRICT), .own_alone = true};
    struct wcts_claims claims = {0};
    if (!is_open(effects))
        return true;
    struct wcts_machine_session *session = wcts_machine_session_open(
        cover->plan, &emulator, &options, &claims, cover->error, sizeof cover->error);
    if (!session)
        return false;
    cover->error[0] = '\0';
    for (int i = 0; i < cover->plan->count; i++) {
        struct wcts_result result = {0};
        effects->test = &cover->cases[i];
        if (!is_wanted(effects, i, driver) || !is_open(effects))
            continue;
        *place_of_calls(effects, effects->test) = effects->test;
        wcts_run_case(session, effects->test, &result);
        if (result.finding.found == WCTS_FOUND_KEPT)
            note_occurrence(effects);
        for (int b = 0; b < session->recording.count; b++) {
            evaluate_exchange(effects, &session->recording.boots[b].exchange);
            compare_places(effects, &session->recording.boots[b].exchange);
        }
        wcts_model_result_release(&result);
    }
    wcts_machine_session_close(session);
    return true;
}

/* Explains what no pair, or only half of one, shows. */
static void conclude_effect(struct wcts_cover *cover, int rule)
{
    for (int i = 0; i < cover->rules[rule].count; i++) {
        struct wcts_cover_decision *decision = &cover->rules[rule].decisions[i];
        if (decision->shown == WCTS_SHOWN_NOT)
            decision->why = "no case of an effect has the other side of it alone";
        else if (decision->shown == WCTS_SHOWN_COUPLED)
            decision->why = "where it does not hold, others have nothing else to look at";
    }
}

bool wcts_cover_records(struct wcts_cover *cover)
{
    struct cover_effect_cover effects = {.cover = cover, .spec = cover->plan->spec};
    bool any = false;
    effects.done_size = 2 * (size_t)cover->plan->count + 1;
    effects.done = wcts_arena_array(cover->arena, effects.done_size, sizeof *effects.done);
    for (int i = 0; i < effects.spec->rules_count; i++)
        if (wcts_model_is_effect(effects.spec->rules[i].form)) {
            if (wcts_cover_is_asked(cover, i))
                prepare_effect_decisions(cover, i);
            any = true;
        }
    find_constant_places(&effects);
    if (any && !(run_effect_cases(&effects, false) && run_effect_cases(&effects, true)))
        return false;
    for (int i = 0; i < effects.spec->rules_count; i++)
        if (wcts_model_is_effect(effects.spec->rules[i].form))
            conclude_effect(cover, i);
    return true;
}
