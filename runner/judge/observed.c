/* SPDX-License-Identifier: MIT */
/* What an exchange shows of rules that it was not made for: whatever a call is sent for, every
 * effect that applies to what crosses in it holds. */
#include <stdlib.h>

#include "../model/test.h"
#include "differing.h"
#include "recorded.h"
#include "select.h"

/* True if cases that were made for something else look at the effect. What memory holds is followed
 * in walks (plan/tour.h): they know what was written where. */
static bool is_observed(const struct wcts_case *test, const struct wcts_effect *effect, int rule)
{
    return !effect->unobserved || (effect->written && test->kind == WCTS_KIND_TOUR) ||
           wcts_model_is_also(test->scenario, rule);
}

/* True if the documents ask the effect of the side under test, in calls of the test's version. Of
 * pages, and of what the side does not let the suite see, other judges know. */
static bool is_asked(const struct wcts_judge *judge, const struct wcts_case *test, int rule)
{
    const struct wcts_spec *spec = judge->plan->spec;
    const struct wcts_rule *one = &spec->rules[rule];
    const struct wcts_effect *effect = one->effect;
    bool driver = spec->statements[one->statement].role == WCTS_ROLE_DRIVER;
    bool own = rule == test->rule && test->kind != WCTS_KIND_TOUR;
    if (!effect || !is_observed(test, effect, rule) || one->form == WCTS_FORM_EFFECT_PAGES || own ||
        driver != test->driver || test->version < one->since || test->version >= one->until)
        return false;
    /* A call that is refused brings nothing about but what its refusal does. */
    if (test->expect == WCTS_EXPECT_REFUSE && !effect->on_refusal)
        return false;
    return driver || (effect->needs & ~judge->claims->capabilities) == 0;
}

/* The part of an exchange that is looked at, in the test's own boot. */
struct judge_observed_part {
    struct wcts_exchange exchange; /* up to where the parties are closed. Borrows the boot's */
    struct wcts_exchange_view view;
    int from;            /* the first record */
    uint64_t operations; /* from there on: wcts_model_operation_bit() */
    uint64_t *bits; /* of each record: records are long, and each effect looks for its own. NULL:
                     * there is no memory */
    bool walked;    /* of a walk */
    struct wcts_judge_buffers buffers; /* of its effects */
};

static void part_init(struct judge_observed_part *part, const struct wcts_spec *spec,
                      const struct wcts_case *test, struct wcts_exchange_boot *boot)
{
    *part = (struct judge_observed_part){.exchange = wcts_exchange_judged(boot, spec)};
    part->view = (struct wcts_exchange_view){spec, &part->exchange, test->page_size};
    part->walked = test->kind == WCTS_KIND_TOUR;
    /* What is sent before the call of a base is the same in all its cases. */
    if (!test->scenario && test->kind != WCTS_KIND_TOUR)
        part->from = wcts_exchange_last_call(&part->exchange);
    part->bits = malloc((size_t)part->exchange.count * sizeof *part->bits + 1);
    for (int i = part->from; i < part->exchange.count; i++) {
        const uint64_t bit = wcts_model_operation_bit(part->exchange.records[i].operation);
        if (part->bits)
            part->bits[i] = bit;
        part->operations |= bit;
    }
}

static void part_release(struct judge_observed_part *part)
{
    free(part->bits);
    wcts_judge_buffers_release(&part->buffers);
}

/* The first record behind one whose operation an effect is about; the count: none. */
static int next_concerned(const struct judge_observed_part *part, uint64_t operations, int after)
{
    const struct wcts_exchange *exchange = &part->exchange;
    int i = after + 1;
    while (
        i < exchange->count &&
        !((part->bits ? part->bits[i] : wcts_model_operation_bit(exchange->records[i].operation)) &
          operations))
        i++;
    return i;
}

/* True if there is something to ask the effect about. */
static bool concerns_part(struct judge_observed_part *part, const struct wcts_effect *effect)
{
    uint64_t sought = 0;
    if ((part->operations & effect->operations) == 0)
        return false;
    if (effect->message >= 0)
        sought = wcts_model_operation_bit(part->view.spec->messages[effect->message].operation);
    return sought == 0 || effect->selector == WCTS_SELECT_FIRST ||
           effect->span == WCTS_SPAN_BEFORE || (part->operations & sought) != 0;
}

/* True if the message that decided was refused: whether that is right is not known here. */
static bool is_refusal(const struct wcts_judge_selection *selection)
{
    const struct wcts_exchange_record *record =
        wcts_judge_eval_record(&selection->eval, selection->eval.found.record);
    return !selection->effect->on_refusal && !wcts_succeeded(record->status);
}

/* The first record behind one in which the effect is broken; -1: none. */
static int next_broken(struct judge_observed_part *part, struct wcts_judge_selection *selection,
                       struct wcts_judge_differing *differing, int after)
{
    const uint64_t operations = selection->effect->operations;
    for (int i = after; (i = next_concerned(part, operations, i)) < part->exchange.count;)
        if (!wcts_judge_differs(differing, selection, i) &&
            wcts_judge_select_in(selection, i) == WCTS_FALSE && !is_refusal(selection))
            return i;
    return -1;
}

/* On True the selection has the text of the breach. */
static bool is_broken_in(struct judge_observed_part *part, const struct wcts_rule *rule,
                         struct wcts_judge_selection *selection)
{
    struct wcts_judge_differing differing;
    int broken;
    if (!concerns_part(part, rule->effect))
        return false;
    wcts_judge_selection(selection, rule, part->view);
    selection->quiet = true;
    selection->eval.walked = part->walked;
    selection->eval.buffers = &part->buffers;
    differing = wcts_judge_differing(selection);
    broken = next_broken(part, selection, &differing, part->from - 1);
    wcts_judge_differing_release(&differing);
    selection->quiet = false;
    return broken >= 0 && wcts_judge_select_in(selection, broken) == WCTS_FALSE;
}

/* True if the same messages break what the rule rests on. Of what a scenario has looked at beside
 * that, the order of events says which is the cause; what only its own cases show, these
 * (run/layers.c). */
static bool is_consequence(struct judge_observed_part *part, const struct wcts_case *test,
                           int index)
{
    const struct wcts_rule *rule = &part->view.spec->rules[index];
    for (int i = 0; i < rule->rests_on_count; i++) {
        const struct wcts_rule *below = &part->view.spec->rules[rule->rests_on[i]];
        struct wcts_judge_selection selection;
        if (wcts_model_is_also(test->scenario, index) && below->effect && below->effect->unobserved)
            continue;
        if (below->effect && below->form != WCTS_FORM_EFFECT_PAGES &&
            is_broken_in(part, below, &selection))
            return true;
    }
    return false;
}

/* A scenario is performed for each effect that it is to show: the first of them looks at the
 * others, too. */
static bool is_first(const struct wcts_spec *spec, const struct wcts_case *test)
{
    const struct wcts_scenario *scenario = test->scenario;
    for (int i = 0; scenario && i < scenario->effect_count; i++) {
        const struct wcts_rule *rule = &spec->rules[scenario->effects[i]];
        if (rule->form != WCTS_FORM_EFFECT_PAGES && test->version >= rule->since &&
            test->version < rule->until)
            return scenario->effects[i] == test->rule;
    }
    return true;
}

/* Of a sweep one call is recorded, that whose reply is wrong if any is. Sequences have a model of
 * their own. What no document decides brings nothing about that one could ask for. */
static bool is_looked_at(const struct wcts_spec *spec, const struct wcts_case *test,
                         const struct wcts_exchange_recording *recording,
                         const struct wcts_finding *finding)
{
    if (test->kind == WCTS_KIND_TOUR)
        return finding->found == WCTS_FOUND_KEPT || finding->found == WCTS_FOUND_DECLINED;
    /* That other values are refused says nothing of the replies to those that are accepted. */
    if (test->kind == WCTS_KIND_SWEEP && recording->swept.replies.wrong == 0)
        return false;
    if (test->kind == WCTS_KIND_SWEEP && finding->found == WCTS_FOUND_DECLINED)
        return true;
    return finding->found == WCTS_FOUND_KEPT && !test->gap && test->kind != WCTS_KIND_SEQUENCE &&
           test->expect != WCTS_EXPECT_OPEN && test->expect != WCTS_EXPECT_ASSERT &&
           is_first(spec, test);
}

/* True if a breach of the rule may be told, where a scenario has it in a call that is valid. */
static bool is_told(const struct wcts_judge *judge, const struct wcts_case *test,
                    struct judge_observed_part *part, int rule, int call,
                    struct wcts_strictness *strictness)
{
    return !is_consequence(part, test, rule) &&
           (test->driver || !test->scenario ||
            wcts_judge_is_valid_call(judge, test, &part->exchange, call)) &&
           wcts_judge_breach_fails(judge->plan, rule, strictness);
}

/* A breach, by the record that shows it and the call that it is a breach of; shown < 0: none. */
struct judge_event {
    int rule, shown, call;
};

/* Of breaches that the same record shows, the one of the call nearest to it is the cause. */
static bool is_before(struct judge_event a, struct judge_event b)
{
    return b.shown < 0 || a.shown < b.shown || (a.shown == b.shown && a.call > b.call);
}

/* The first event of a rule that the scenario has looked at. */
static struct judge_event first_event(struct judge_observed_part *part, int index)
{
    const struct wcts_rule *rule = &part->view.spec->rules[index];
    struct judge_event first = {index, -1, -1};
    struct wcts_judge_selection selection;
    struct wcts_judge_differing differing;
    if (!concerns_part(part, rule->effect))
        return first;
    wcts_judge_selection(&selection, rule, part->view);
    selection.quiet = true;
    selection.eval.buffers = &part->buffers;
    differing = wcts_judge_differing(&selection);
    for (int i = part->from - 1; (i = next_broken(part, &selection, &differing, i)) >= 0;) {
        int found = selection.eval.found.record;
        struct judge_event event = {index, found > i ? found : i, i};
        if (is_before(event, first))
            first = event;
    }
    wcts_judge_differing_release(&differing);
    return first;
}

/* True if the same call breaks what the event's rule rests on. */
static bool is_of_same_call(const struct wcts_judge *judge, const struct wcts_case *test,
                            struct judge_observed_part *part, struct judge_event event)
{
    const struct wcts_rule *rule = &part->view.spec->rules[event.rule];
    for (int i = 0; i < rule->rests_on_count; i++)
        if (wcts_model_is_also(test->scenario, rule->rests_on[i]) &&
            is_asked(judge, test, rule->rests_on[i]) &&
            first_event(part, rule->rests_on[i]).call == event.call)
            return true;
    return false;
}

/* Of what the scenario has looked at beside what all cases show, what is broken first; -1: nothing.
 */
static int also_broken(const struct wcts_judge *judge, const struct wcts_case *test,
                       struct judge_observed_part *part, struct wcts_strictness *strictness,
                       struct wcts_judge_selection *selection)
{
    const struct wcts_scenario *scenario = test->scenario;
    struct judge_event first = {-1, -1, -1};
    for (int i = 0; scenario && i < scenario->also_count; i++) {
        struct judge_event event;
        if (!is_asked(judge, test, scenario->also[i]))
            continue;
        event = first_event(part, scenario->also[i]);
        if (event.shown >= 0 && is_before(event, first) &&
            !is_of_same_call(judge, test, part, event) &&
            is_told(judge, test, part, event.rule, event.call, strictness))
            first = event;
    }
    if (first.rule >= 0) {
        wcts_judge_selection(selection, &part->view.spec->rules[first.rule], part->view);
        wcts_judge_select_in(selection, first.call);
    }
    return first.rule;
}

/* The first breach in a boot: its rule, with the text in selection; -1: none. */
static int breach_in(const struct wcts_judge *judge, const struct wcts_case *test,
                     struct wcts_exchange_boot *boot, struct wcts_strictness *strictness,
                     struct wcts_judge_selection *selection)
{
    const struct wcts_spec *spec = judge->plan->spec;
    struct judge_observed_part part;
    int broken = -1;
    part_init(&part, spec, test, boot);
    for (int n = 0; n < spec->observables_count && broken < 0; n++) {
        const int i = spec->observables[n].rule;
        if ((part.operations & spec->observables[n].operations) != 0 &&
            concerns_part(&part, spec->rules[i].effect) && is_asked(judge, test, i) &&
            !wcts_model_is_also(test->scenario, i) &&
            is_broken_in(&part, &spec->rules[i], selection) &&
            is_told(judge, test, &part, i, selection->eval.on.record, strictness))
            broken = i;
    }
    if (broken < 0)
        broken = also_broken(judge, test, &part, strictness, selection);
    if (broken >= 0)
        selection->eval.buffers = NULL;
    part_release(&part);
    return broken;
}

const struct wcts_exchange_boot *
wcts_judge_observed(const struct wcts_judge *judge, const struct wcts_case *test,
                    const struct wcts_exchange_recording *recording,
                    struct wcts_strictness *strictness, struct wcts_finding *finding)
{
    if (!is_looked_at(judge->plan->spec, test, recording, finding))
        return NULL;
    for (int b = 0; b < recording->count; b++) {
        struct wcts_exchange_boot *boot = &recording->boots[b];
        struct wcts_judge_selection selection;
        int rule;
        if (boot->purpose != WCTS_FOR_TEST || boot->attempt.end != WCTS_ATTEMPT_ANSWERED ||
            boot->exchange.breach_kind != WCTS_BREACH_NONE || boot->kept_alone == test->index + 1)
            continue;
        rule = breach_in(judge, test, boot, strictness, &selection);
        if (rule >= 0) {
            WCTS_TEXT(text);
            wcts_text_add(&text, "%s", selection.eval.text);
            wcts_judge_sweep_replies(&text, judge->plan, test, &recording->swept, rule);
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", wcts_text_get(&text));
            finding->broken = rule + 1;
            finding->observed = true;
            return boot;
        }
    }
    return NULL;
}

/* ---- Once ---- */

bool wcts_judge_once_init(struct wcts_judge_once *once, const struct wcts_spec *spec)
{
    size_t count = (size_t)spec->rules_count * (size_t)spec->versions_count;
    *once = (struct wcts_judge_once){spec, calloc(count + 1, sizeof *once->levels)};
    return once->levels != NULL;
}

void wcts_judge_once_release(struct wcts_judge_once *once)
{
    free(once->levels);
    once->levels = NULL;
}

static unsigned *levels_of(const struct wcts_judge_once *once, const struct wcts_case *test,
                           const struct wcts_finding *finding)
{
    return &once->levels[(finding->broken - 1) * once->spec->versions_count + test->version];
}

/* Findings that have become equal are one, as they are where the journal is read. Without memory
 * they stay apart, which says the same. */
static void join_equal(struct wcts_finding *first)
{
    struct wcts_finding *rest = first->next;
    first->next = NULL;
    while (rest) {
        struct wcts_finding *next = rest->next, more = *rest;
        more.next = NULL;
        wcts_model_finding_add(first, &more);
        free(rest);
        rest = next;
    }
}

/* Returns true if the finding became what its own rule gives. */
static bool drop_repeated(const struct wcts_judge_once *once, const struct wcts_case *test,
                          struct wcts_finding *first)
{
    bool dropped = false;
    for (struct wcts_finding *one = first; one; one = one->next) {
        if (!one->observed || (one->levels & ~*levels_of(once, test, one)) != 0)
            continue;
        wcts_model_finding_take_back(one);
        dropped = true;
    }
    if (dropped)
        join_equal(first);
    return dropped;
}

static void note_observed(const struct wcts_judge_once *once, const struct wcts_case *test,
                          const struct wcts_finding *first)
{
    for (const struct wcts_finding *one = first; one; one = one->next)
        if (one->observed)
            *levels_of(once, test, one) |= one->levels;
}

bool wcts_judge_once(const struct wcts_judge_once *once, const struct wcts_case *test,
                     struct wcts_result *result)
{
    bool dropped = drop_repeated(once, test, &result->finding);
    for (int i = 0; i < result->tried; i++)
        dropped = drop_repeated(once, test, &result->tries[i].finding) || dropped;
    note_observed(once, test, &result->finding);
    for (int i = 0; i < result->tried; i++)
        note_observed(once, test, &result->tries[i].finding);
    return dropped;
}
