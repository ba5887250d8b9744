/* SPDX-License-Identifier: MIT */
/*
 * The conditions of effects, in records: each case of an effect is carried out against the
 * built-in emulator, and each condition asked wherever its effect might come about.
 */
#include <string.h>

#include "../judge/check.h"
#include "../run/case.h"
#include "atom.h"

#define WHENS_MAX 32

/* A place of a layout that has one value in all calls of rules. */
struct place {
    struct wcts_ref ref;
    struct wcts_decision *decision;
    bool any;
    uint64_t value; /* the first that was seen */
};

#define PLACES_MAX 64

struct effect_cover {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    const struct wcts_case *test; /* being carried out */
    /* The cases that were carried out, one for all that make the same calls: a hash table. */
    const struct wcts_case **done;
    size_t done_size;
    struct wcts_trace trace;
    struct place places[PLACES_MAX];
    int place_count;
};

/* The value that a condition is about. */
static const struct wcts_operand *subject_of(const struct wcts_condition *when)
{
    return when->arg[WCTS_ARG_FACT].given ? &when->arg[WCTS_ARG_FACT] : &when->arg[WCTS_ARG_MEMBER];
}

/* How many letters of a way lead to where its value stands. */
static size_t stem(const char *way)
{
    const char *slash = strrchr(way, '/');
    return slash ? (size_t)(slash - way) : 0;
}

/* Whether both look at the same value, or one way leads through the value of the other. */
static bool look_alike(const char *a, const char *b)
{
    size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return strncmp(a, b, length) == 0 && (a[length] == '\0' || a[length] == '/') &&
           (b[length] == '\0' || b[length] == '/');
}

/* Whether two that cannot be told have the same way there. */
static bool same_stem(const char *a, const char *b)
{
    return stem(a) == stem(b) && strncmp(a, b, stem(a)) == 0;
}

/* Whether two conditions that do not hold cannot but go together. */
static bool go_together(const char *a, enum wcts_seen seen_a, const char *b, enum wcts_seen seen_b)
{
    if (seen_a == WCTS_UNSEEN && seen_b == WCTS_UNSEEN)
        return same_stem(a, b) || look_alike(a, b);
    return look_alike(a, b);
}

/* The only condition that does not hold; -1: none or several. *coupled: others that look at the
 * same went along with it, or had nothing to look at. */
static int only_broken_when(const struct wcts_rule *effect, const enum wcts_seen *seen,
                            bool *coupled)
{
    int only = -1;
    *coupled = false;
    for (int i = 0; i < effect->when_count; i++) {
        if (seen[i] == WCTS_UNSEEN)
            *coupled = true;
        if (seen[i] != WCTS_BREACH)
            continue;
        if (only >= 0)
            return -1;
        only = i;
    }
    return only;
}

static void show_decision(const struct effect_cover *looking, struct wcts_decision *decision,
                          enum wcts_shown shown)
{
    if (decision->shown >= shown)
        return;
    decision->shown = shown;
    decision->other = (int)(looking->test - looking->cover->plan->cases);
}

/* Several that do not hold are shown together when they cannot but go together; one alone, too,
 * when it has nothing to look at. */
static void show_coupled(const struct effect_cover *looking, const struct wcts_rule *effect,
                         const enum wcts_seen *seen, struct wcts_rule_cover *cover)
{
    int first = -1;
    for (int i = 0; i < effect->when_count; i++) {
        if (seen[i] == WCTS_KEPT)
            continue;
        if (first >= 0 && !go_together(subject_of(&effect->when[first])->text, seen[first],
                                       subject_of(&effect->when[i])->text, seen[i]))
            return;
        first = first >= 0 ? first : i;
    }
    for (int i = 0; i < effect->when_count; i++)
        if (seen[i] != WCTS_KEPT)
            show_decision(looking, &cover->decisions[i], WCTS_SHOWN_COUPLED);
}

static void look_at_spot(const struct effect_cover *looking, int rule, struct wcts_spot spot)
{
    const struct wcts_rule *effect = &looking->spec->rules[rule];
    struct wcts_rule_cover *cover = &looking->cover->rules[rule];
    struct wcts_looking asked = {.trace = looking->trace, .effect = effect, .on = spot};
    enum wcts_seen seen[WHENS_MAX];
    bool coupled;
    int only;
    for (int i = 0; i < effect->when_count; i++)
        seen[i] = wcts_look_condition(&asked, i);
    only = only_broken_when(effect, seen, &coupled);
    if (only >= 0 && !coupled)
        show_decision(looking, &cover->decisions[only], WCTS_SHOWN);
    else
        show_coupled(looking, effect, seen, cover);
}

static void look_at_record(const struct effect_cover *looking, int rule, int record)
{
    int on = looking->spec->rules[rule].on;
    int count = wcts_trace_count(&looking->trace, record, on, false);
    if (count == 0)
        count = wcts_trace_count(&looking->trace, record, on, true);
    for (int i = 0; i < count; i++)
        look_at_spot(looking, rule, (struct wcts_spot){record, i});
}

static bool has_open_decision(const struct wcts_rule_cover *cover)
{
    for (int i = 0; i < cover->count; i++)
        if (cover->decisions[i].shown != WCTS_SHOWN)
            return true;
    return false;
}

static void look_at_exchange(struct effect_cover *looking, const struct wcts_exchange *exchange)
{
    looking->trace = (struct wcts_trace){looking->spec, exchange, looking->test->page_size};
    for (int rule = 0; rule < looking->spec->rules_count; rule++)
        if (wcts_is_effect(looking->spec->rules[rule].form) &&
            has_open_decision(&looking->cover->rules[rule]) &&
            wcts_rule_binds(looking->spec, &looking->spec->rules[rule], looking->test->version))
            for (int i = 0; i < exchange->count; i++)
                look_at_record(looking, rule, i);
}

/* ---- places ---- */

static void find_places(struct effect_cover *looking)
{
    for (int r = 0; r < looking->spec->rules_count; r++) {
        struct wcts_atoms atoms;
        if (looking->spec->rules[r].form != WCTS_FORM_LAYOUT)
            continue;
        wcts_atoms_of(looking->spec, &looking->spec->rules[r], &atoms);
        for (int i = 0; i < atoms.count && looking->place_count < PLACES_MAX; i++)
            if (looking->cover->rules[r].decisions[i].shown == WCTS_SHOWN_NOT)
                looking->places[looking->place_count++] = (struct place){
                    .ref = atoms.list[i].ref, .decision = &looking->cover->rules[r].decisions[i]};
    }
}

static void look_at_value(const struct effect_cover *looking, struct place *place,
                          const uint8_t *bytes)
{
    const struct wcts_member *member = wcts_ref_member(looking->spec, place->ref);
    uint64_t value = wcts_bytes_get(bytes + member->offset, member->width);
    if (place->ref.flag >= 0)
        value = value >> looking->spec->words[member->word].flags[place->ref.flag].bit & 1;
    if (place->any && value != place->value) {
        show_decision(looking, place->decision, WCTS_SHOWN_COUPLED);
        place->decision->why = "no two calls differ in it alone, but it has different values";
    }
    if (!place->any)
        place->value = value;
    place->any = true;
}

static void look_at_places(struct effect_cover *looking, const struct wcts_exchange *exchange)
{
    for (int p = 0; p < looking->place_count; p++)
        for (int i = 0; i < exchange->count * 2; i++) {
            int structure = looking->places[p].ref.structure;
            int count = wcts_trace_count(&looking->trace, i / 2, structure, i % 2);
            for (int e = 0; e < count; e++) {
                const uint8_t *bytes = wcts_trace_find(
                    &looking->trace, (struct wcts_spot){i / 2, e}, structure, i % 2);
                if (bytes)
                    look_at_value(looking, &looking->places[p], bytes);
            }
        }
}

/* ---- cases ---- */

/* Its effect came about: all conditions held there. */
static void came_about(const struct effect_cover *looking)
{
    struct wcts_rule_cover *cover = &looking->cover->rules[looking->test->rule];
    if (cover->came)
        return;
    cover->came = true;
    for (int i = 0; i < cover->count; i++)
        cover->decisions[i].one = (int)(looking->test - looking->cover->plan->cases);
}

static void prepare_effect(struct wcts_cover *cover, int rule)
{
    const struct wcts_rule *effect = &cover->plan->spec->rules[rule];
    struct wcts_rule_cover *one = &cover->rules[rule];
    one->count = effect->when_count < WHENS_MAX ? effect->when_count : WHENS_MAX;
    one->decisions = wcts_arena_array(cover->arena, (size_t)one->count, sizeof *one->decisions);
    for (int i = 0; i < one->count; i++)
        one->decisions[i] = (struct wcts_decision){
            .text = wcts_when_text(cover->arena, &effect->when[i]), .one = -1, .other = -1};
    if (one->count == 0)
        one->note = "unconditional: there is no other way but a fault";
}

/* Whether two cases make the same calls: they differ in what is looked for there. */
static bool same_calls(const struct wcts_case *a, const struct wcts_case *b)
{
    if (a->driver != b->driver || a->scenario != b->scenario || a->base != b->base ||
        a->version != b->version || a->page_size != b->page_size || a->fact_count != b->fact_count)
        return false;
    if (a->scenario)
        return memcmp(a->values, b->values, sizeof a->values) == 0;
    for (int i = 0; i < a->fact_count; i++) {
        const struct wcts_fact *x = &a->facts[i], *y = &b->facts[i];
        if (x->instance != y->instance || x->ref.member != y->ref.member ||
            x->ref.flag != y->ref.flag || x->value.symbol != y->value.symbol ||
            x->value.number != y->value.number)
            return false;
    }
    return true;
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

/* Where the case that made these calls is, or would be. */
static const struct wcts_case **place_of_calls(const struct effect_cover *looking,
                                               const struct wcts_case *test)
{
    size_t at = (size_t)hash_of_calls(test) % looking->done_size;
    while (looking->done[at] && !same_calls(looking->done[at], test))
        at = (at + 1) % looking->done_size;
    return &looking->done[at];
}

/* Whether a case of the side is to be carried out: its effect has not come about yet, or nobody
 * has made its calls. */
static bool is_wanted(const struct effect_cover *looking, int index, bool driver)
{
    const struct wcts_case *test = &looking->cover->plan->cases[index];
    if (!wcts_is_effect(looking->spec->rules[test->rule].form) || test->kind == WCTS_KIND_SEQUENCE ||
        test->driver != driver)
        return false;
    return !looking->cover->rules[test->rule].came || !*place_of_calls(looking, test);
}

/* All cases of effects of one side. */
static bool look_at_side(struct effect_cover *looking, bool driver)
{
    struct wcts_cover *cover = looking->cover;
    const struct wcts_implementation emulator = {"emulator", ""};
    const struct wcts_session_options options = {.driver = driver,
                                                 .levels = wcts_level_bit(WCTS_JUDGE_STRICT)};
    struct wcts_claims claims = {0};
    struct wcts_session *session = wcts_session_open(cover->plan, &emulator, &options, &claims,
                                                     cover->error, sizeof cover->error);
    if (!session)
        return false;
    cover->error[0] = '\0';
    for (int i = 0; i < cover->plan->count; i++) {
        struct wcts_result result = {0};
        looking->test = &cover->plan->cases[i];
        if (!is_wanted(looking, i, driver))
            continue;
        *place_of_calls(looking, looking->test) = looking->test;
        wcts_session_run(session, looking->test, &result);
        if (result.finding.found == WCTS_FOUND_KEPT)
            came_about(looking);
        look_at_exchange(looking, &session->exchange);
        look_at_places(looking, &session->exchange);
        wcts_result_release(&result);
    }
    wcts_session_close(session);
    return true;
}

/* What is left without a pair, or with half of one. */
static void conclude_effect(struct wcts_cover *cover, int rule)
{
    for (int i = 0; i < cover->rules[rule].count; i++) {
        struct wcts_decision *decision = &cover->rules[rule].decisions[i];
        if (decision->shown == WCTS_SHOWN_NOT)
            decision->why = "no case of an effect has the other side of it alone";
        else if (decision->shown == WCTS_SHOWN_COUPLED)
            decision->why = "where it does not hold, others have nothing else to look at";
    }
}

bool wcts_cover_records(struct wcts_cover *cover)
{
    struct effect_cover looking = {.cover = cover, .spec = cover->plan->spec};
    bool any = false;
    looking.done_size = 2 * (size_t)cover->plan->count + 1;
    looking.done = wcts_arena_array(cover->arena, looking.done_size, sizeof *looking.done);
    for (int i = 0; i < looking.spec->rules_count; i++)
        if (wcts_is_effect(looking.spec->rules[i].form)) {
            prepare_effect(cover, i);
            any = true;
        }
    find_places(&looking);
    if (any && !(look_at_side(&looking, false) && look_at_side(&looking, true)))
        return false;
    for (int i = 0; i < looking.spec->rules_count; i++)
        if (wcts_is_effect(looking.spec->rules[i].form))
            conclude_effect(cover, i);
    return true;
}
