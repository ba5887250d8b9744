/* SPDX-License-Identifier: MIT */
/*
 * The conditions of effects, in records: each case of an effect is carried out against the
 * built-in emulator, and each condition asked wherever its effect might come about.
 */
#include <string.h>

#include "../judge/check.h"
#include "atom.h"

#define WHENS_MAX 32

struct looking {
    struct wcts_cover *cover;
    const struct wcts_spec *spec;
    const struct wcts_case *one; /* being carried out */
    struct wcts_trace trace;
};

/* The value that a condition is about. */
static const struct wcts_operand *subject(const struct wcts_condition *when)
{
    return when->arg[WCTS_ARG_FACT].given ? &when->arg[WCTS_ARG_FACT] : &when->arg[WCTS_ARG_MEMBER];
}

/* Whether one way leads through the other, or both to the same place. */
static bool same_way(const char *a, const char *b)
{
    size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return strncmp(a, b, length) == 0 && (a[length] == '\0' || a[length] == '/') &&
           (b[length] == '\0' || b[length] == '/');
}

/* The only condition that does not hold; -1: none or several. *coupled: others that look at the
 * same went along with it, or had nothing to look at. */
static int only_false(const struct wcts_rule *effect, const enum wcts_seen *seen, bool *coupled)
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

static void show(const struct looking *looking, struct wcts_decision *decision,
                 enum wcts_shown shown)
{
    if (decision->shown >= shown)
        return;
    decision->shown = shown;
    decision->other = (int)(looking->one - looking->cover->plan->cases);
}

/* Several that are false are shown together when all look at the same. */
static void show_coupled(const struct looking *looking, const struct wcts_rule *effect,
                         const enum wcts_seen *seen, struct wcts_rule_cover *cover)
{
    const char *first = NULL;
    for (int i = 0; i < effect->when_count; i++) {
        const char *text = subject(&effect->when[i])->text;
        if (seen[i] == WCTS_KEPT)
            continue;
        if (first && !same_way(first, text))
            return;
        first = first ? first : text;
    }
    for (int i = 0; i < effect->when_count; i++)
        if (seen[i] == WCTS_BREACH)
            show(looking, &cover->decisions[i], WCTS_SHOWN_COUPLED);
}

static void look_at_spot(const struct looking *looking, int rule, struct wcts_spot spot)
{
    const struct wcts_rule *effect = &looking->spec->rules[rule];
    struct wcts_rule_cover *cover = &looking->cover->rules[rule];
    struct wcts_looking asked = {.trace = looking->trace, .effect = effect, .on = spot};
    enum wcts_seen seen[WHENS_MAX];
    bool coupled;
    int only;
    for (int i = 0; i < effect->when_count; i++)
        seen[i] = wcts_look_condition(&asked, i);
    only = only_false(effect, seen, &coupled);
    if (only >= 0 && !coupled)
        show(looking, &cover->decisions[only], WCTS_SHOWN);
    else
        show_coupled(looking, effect, seen, cover);
}

static void look_at_record(const struct looking *looking, int rule, int record)
{
    int on = looking->spec->rules[rule].on;
    int count = wcts_trace_count(&looking->trace, record, on, false);
    if (count == 0)
        count = wcts_trace_count(&looking->trace, record, on, true);
    for (int i = 0; i < count; i++)
        look_at_spot(looking, rule, (struct wcts_spot){record, i});
}

static bool is_open(const struct wcts_rule_cover *cover)
{
    for (int i = 0; i < cover->count; i++)
        if (cover->decisions[i].shown != WCTS_SHOWN)
            return true;
    return false;
}

static void look_at_exchange(struct looking *looking, const struct wcts_exchange *exchange)
{
    looking->trace = (struct wcts_trace){looking->spec, exchange, looking->one->page_size};
    for (int rule = 0; rule < looking->spec->rules_count; rule++)
        if (wcts_is_effect(looking->spec->rules[rule].form) &&
            is_open(&looking->cover->rules[rule]) &&
            wcts_rule_binds(looking->spec, &looking->spec->rules[rule], looking->one->version))
            for (int i = 0; i < exchange->count; i++)
                look_at_record(looking, rule, i);
}

/* Its effect came about: all conditions held there. */
static void came_about(const struct looking *looking)
{
    struct wcts_rule_cover *cover = &looking->cover->rules[looking->one->rule];
    if (cover->came)
        return;
    cover->came = true;
    for (int i = 0; i < cover->count; i++)
        cover->decisions[i].one = (int)(looking->one - looking->cover->plan->cases);
}

static void prepare(struct wcts_cover *cover, int rule)
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

/* All cases of effects of one side. */
static bool look_at_side(struct looking *looking, bool driver)
{
    struct wcts_cover *cover = looking->cover;
    const struct wcts_implementation emulator = {"emulator", ""};
    const struct wcts_session_options options = {.driver = driver, .judging = WCTS_JUDGE_STRICT};
    struct wcts_claims claims = {0};
    struct wcts_session *session = wcts_session_open(cover->plan, &emulator, &options, &claims,
                                                     cover->error, sizeof cover->error);
    if (!session)
        return false;
    cover->error[0] = '\0';
    for (int i = 0; i < cover->plan->count; i++) {
        struct wcts_result result = {0};
        looking->one = &cover->plan->cases[i];
        if (!wcts_is_effect(looking->spec->rules[looking->one->rule].form) ||
            looking->one->kind == WCTS_KIND_SEQUENCE || looking->one->driver != driver)
            continue;
        wcts_session_run(session, looking->one, &result);
        if (result.verdict == WCTS_VERDICT_PASS)
            came_about(looking);
        look_at_exchange(looking, &session->exchange);
        wcts_result_release(&result);
    }
    wcts_session_close(session);
    return true;
}

bool wcts_cover_records(struct wcts_cover *cover)
{
    struct looking looking = {.cover = cover, .spec = cover->plan->spec};
    bool any = false;
    for (int i = 0; i < looking.spec->rules_count; i++)
        if (wcts_is_effect(looking.spec->rules[i].form)) {
            prepare(cover, i);
            any = true;
        }
    return !any || (look_at_side(&looking, false) && look_at_side(&looking, true));
}
