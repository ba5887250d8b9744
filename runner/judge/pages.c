/* SPDX-License-Identifier: MIT */
/* Judging effects on pages: what their functions state of the pages that were looked at. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lang/functions.h"
#include "../oracle/world.h"
#include "check.h"
#include "judge.h"
#include "recorded.h"

static const char *const state_names[] = {"unreserved", "zero", "invalid", "mapped"};

/* Pages of a range, as a query reports them. */
struct judge_pages_seen {
    struct wcts_page_shown *list;
    uint32_t count;
};

/* The pages around a call: those of the range before and after it, and those of the source before
 * it. */
struct judge_pages_evidence {
    struct wcts_exchange_attempt attempt;
    struct judge_pages_seen before, after, source;
    bool base_accepted; /* True if the base's call was accepted and this one refused */
};

/* The evaluation of an effect: the values of its call are those of the world that was sent, the
 * pages those that were looked at. */
struct judge_pages_eval {
    const struct wcts_plan *plan;
    const struct wcts_effect *effect;
    const struct wcts_world *world;
    const struct wcts_symbols *symbols;
    const struct judge_pages_evidence *evidence;
    char text[160]; /* the first difference; "" if there is none so far */
};

static struct judge_pages_eval *pages_eval_of(const struct wcts_lang_env *env)
{
    return (struct judge_pages_eval *)(uintptr_t)env->context;
}

/* ---- The environment ---- */

static struct wcts_lang_result sent_value(const struct wcts_lang_env *env, int subject,
                                          const struct wcts_lang_ref *steps, int count)
{
    const struct judge_pages_eval *eval = pages_eval_of(env);
    const struct wcts_ref ref = {steps[0].structure, steps[0].member, steps[0].flag};
    int where = wcts_world_resolve(eval->world, subject, ref.structure);
    if (count > 1 || steps[0].reply)
        return wcts_lang_unknown();
    return wcts_lang_known(where < 0
                               ? 0
                               : wcts_model_value_resolve(env->spec, eval->symbols,
                                                          wcts_world_get(eval->world, where, ref)));
}

static enum wcts_truth call_answer(const struct wcts_lang_env *env, int subject, bool refused)
{
    enum wcts_exchange_answer answer =
        wcts_exchange_answer_of(pages_eval_of(env)->evidence->attempt.status);
    (void)subject;
    return (answer == WCTS_ANSWER_REFUSED) == refused ? WCTS_TRUE : WCTS_FALSE;
}

static bool visit_looked_at(const struct wcts_lang_env *env, struct wcts_lang_result base,
                            uint64_t size, wcts_page_visit *visit, void *context)
{
    const struct judge_pages_seen *after = &pages_eval_of(env)->evidence->after;
    (void)base, (void)size;
    for (uint32_t i = 0; i < after->count; i++) {
        const struct wcts_lang_page page = {.reservation = -1,
                                            .state = (int)after->list[i].of[WCTS_MEANS_STATE]};
        if (!visit(context, &page))
            break;
    }
    return true;
}

/* ---- One page ---- */

static const char *state_name(uint64_t state)
{
    return state < sizeof state_names / sizeof *state_names ? state_names[state] : "unknown";
}

/* Compares a member of a page. */
static bool compare_page_member(struct judge_pages_eval *eval, uint32_t index,
                                enum wcts_meaning meaning, uint64_t found, uint64_t wanted)
{
    if (found != wanted && meaning == WCTS_MEANS_STATE)
        snprintf(eval->text, sizeof eval->text, "page %u of the range is %s, expected %s", index,
                 state_name(found), state_name(wanted));
    else if (found != wanted)
        snprintf(eval->text, sizeof eval->text,
                 "page %u of the range: %s is 0x%" PRIx64 ", expected 0x%" PRIx64, index,
                 wcts_model_page_member_name(eval->plan->spec, meaning), found, wanted);
    return found == wanted;
}

static bool compare_page(struct judge_pages_eval *eval, uint32_t index,
                         const struct wcts_page_shown *found, const struct wcts_page_shown *wanted)
{
    for (int m = 0; m < WCTS_PAGE_MEANINGS; m++)
        if (!compare_page_member(eval, index, (enum wcts_meaning)m, found->of[m], wanted->of[m]))
            return false;
    return true;
}

/* ---- Functions of the language ---- */

/* What a function states of a page; value: of the argument that it is about. */
typedef bool check_page_fn(struct judge_pages_eval *eval, uint32_t index, uint64_t value);

static uint64_t member_after(const struct judge_pages_eval *eval, uint32_t index,
                             enum wcts_meaning meaning)
{
    return eval->evidence->after.list[index].of[meaning];
}

static bool check_member(struct judge_pages_eval *eval, uint32_t index, enum wcts_meaning meaning,
                         uint64_t wanted)
{
    return compare_page_member(eval, index, meaning, member_after(eval, index, meaning), wanted);
}

static bool check_mapped(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    return check_member(eval, index, WCTS_MEANS_STATE, WCTS_STATE_MAPPED) &&
           check_member(eval, index, WCTS_MEANS_ALLOCATION, value);
}

static bool check_begun(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    return index > 0 || check_member(eval, index, WCTS_MEANS_OFFSET, value);
}

static bool check_linear(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    (void)value;
    return check_member(eval, index, WCTS_MEANS_OFFSET,
                        member_after(eval, 0, WCTS_MEANS_OFFSET) + index * WCTS_GPU_PAGE);
}

static bool check_repeated(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    if (value != 0)
        return check_member(eval, index, WCTS_MEANS_OFFSET,
                            member_after(eval, 0, WCTS_MEANS_OFFSET) +
                                index * WCTS_GPU_PAGE % value);
    snprintf(eval->text, sizeof eval->text,
             "the allocation is repeated after 0 bytes, which no page can follow");
    return false;
}

static bool check_protected(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    return check_member(eval, index, WCTS_MEANS_PROTECTION, value);
}

static bool check_driver_protected(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    return check_member(eval, index, WCTS_MEANS_DRIVER_PROTECTION, value);
}

/* value: the states of pages that count. */
static bool check_copied(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    const struct wcts_page_shown *source = &eval->evidence->source.list[index];
    return !(value >> (source->of[WCTS_MEANS_STATE] & 63) & 1) ||
           compare_page(eval, index, &eval->evidence->after.list[index], source);
}

static bool check_unchanged(struct judge_pages_eval *eval, uint32_t index, uint64_t value)
{
    (void)value;
    return compare_page(eval, index, &eval->evidence->after.list[index],
                        &eval->evidence->before.list[index]);
}

static const struct {
    const char *name;
    check_page_fn *check;
    int value; /* the argument that it is about; -1: none */
} page_functions[] = {
    {"mapped", check_mapped, 0},        {"begun", check_begun, 2},
    {"linear", check_linear, -1},       {"repeated", check_repeated, 2},
    {"protected", check_protected, 2},  {"driver_protected", check_driver_protected, 2},
    {"copied", check_copied, 3},        {"copied_over", check_copied, 3},
    {"unchanged", check_unchanged, -1},
};

/* The value of an argument, or the states that it and those behind it name. */
static uint64_t value_asked(const struct wcts_lang_call *call, int n)
{
    int node = n < 0 ? 0 : wcts_lang_argument(call->exprs, call->first, n);
    uint64_t states = 0;
    if (node && call->exprs->nodes[node].op != WCTS_OP_WORD)
        return (uint64_t)call->value(call->exprs, node, call->env, call->scope).number;
    for (; node; node = call->exprs->nodes[node].next)
        states |= UINT64_C(1) << call->exprs->nodes[node].b;
    return states;
}

static struct wcts_lang_result ask_pages(const struct wcts_lang_call *call)
{
    struct judge_pages_eval *eval = pages_eval_of(call->env);
    for (size_t f = 0; f < sizeof page_functions / sizeof *page_functions; f++) {
        uint64_t value;
        if (strcmp(page_functions[f].name, call->function->name) != 0)
            continue;
        value = value_asked(call, page_functions[f].value);
        for (uint32_t i = 0; i < eval->evidence->after.count; i++)
            if (!page_functions[f].check(eval, i, value))
                return wcts_lang_known(false);
        return wcts_lang_known(true);
    }
    return wcts_lang_unknown();
}

/* ---- The effect ---- */

/* Says which page is in no state of the set that pages(...) is compared with. */
static void say_state(struct judge_pages_eval *eval, int root)
{
    const struct wcts_lang_node *nodes = eval->plan->spec->exprs->nodes, *node = &nodes[root];
    uint64_t states = 0;
    for (int i = node->op == WCTS_OP_AND ? node->a : 0; i; i = nodes[i].next)
        say_state(eval, i);
    if (node->op != WCTS_OP_IN || nodes[node->b].op != WCTS_OP_SET)
        return;
    for (int i = nodes[node->b].a; i; i = nodes[i].next)
        states |= UINT64_C(1) << nodes[i].b;
    for (uint32_t i = 0; i < eval->evidence->after.count && !eval->text[0]; i++)
        if (!(states >> (member_after(eval, i, WCTS_MEANS_STATE) & 63) & 1))
            check_member(eval, i, WCTS_MEANS_STATE, (uint64_t)__builtin_ctzll(states));
}

/* True if the call ended as the effect states: accepted, or refused. */
static bool ended_as_stated(const struct judge_pages_eval *eval, struct wcts_finding *finding)
{
    const struct wcts_exchange_attempt *attempt = &eval->evidence->attempt;
    bool was = wcts_exchange_answer_of(attempt->status) == WCTS_ANSWER_REFUSED;
    char status[64];
    if (wcts_judge_no_answer(attempt, "base call", finding))
        return false;
    if (was == eval->effect->on_refusal)
        return true;
    wcts_exchange_status_text(attempt->status, status, sizeof status);
    if (eval->effect->on_any && eval->evidence->base_accepted)
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s answered %s, " WCTS_JUDGE_REFUSAL,
                               wcts_operation_name(attempt->operation), status);
    else if (was && wcts_world_is_valid(eval->world))
        wcts_judge_finding_decline(finding, "valid call", attempt);
    else
        wcts_model_finding_skip(finding, was ? WCTS_SKIP_NOT_APPLICABLE : WCTS_SKIP_NOT_SHOWN,
                                "the call was %s: %s answered %s", was ? "refused" : "accepted",
                                wcts_operation_name(attempt->operation), status);
    return false;
}

/* Judges a pages effect from the resolved values of the case's world. */
static void judge_evidence(const struct wcts_plan *plan, const struct wcts_case *test,
                           const struct wcts_world *world, const struct wcts_symbols *symbols,
                           const struct judge_pages_evidence *evidence,
                           struct wcts_finding *finding)
{
    const struct wcts_effect *effect = plan->spec->rules[test->rule].effect;
    struct judge_pages_eval eval = {
        .plan = plan, .effect = effect, .world = world, .symbols = symbols, .evidence = evidence};
    const struct wcts_lang_env env = {.spec = plan->spec,
                                      .page_size = test->page_size,
                                      .context = &eval,
                                      .value = sent_value,
                                      .pages = visit_looked_at,
                                      .answer = call_answer,
                                      .recorded = ask_pages};
    if (!ended_as_stated(&eval, finding))
        return;
    finding->found = WCTS_FOUND_KEPT;
    if (wcts_lang_truth(plan->spec->exprs, effect->holds, &env, test->instance) != WCTS_FALSE)
        return;
    if (!eval.text[0])
        say_state(&eval, effect->holds);
    wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", eval.text);
}

/* ---- From the recording ---- */

/* The pages that a look reported; false if it was not answered with those asked for. A look at no
 * pages is not made. The caller frees the list. */
static bool read_look(const struct wcts_exchange_view *view, enum wcts_look look,
                      struct judge_pages_seen *pages)
{
    const struct wcts_exchange *exchange = view->exchange;
    uint64_t asked;
    int index = 0;
    while (index < exchange->count && exchange->records[index].look != look)
        index++;
    if (index == exchange->count)
        return true;
    pages->list = wcts_exchange_pages(view, index, &pages->count);
    return pages->list && wcts_exchange_meant(view, index, false, WCTS_MEANS_COUNT, &asked) &&
           asked == pages->count;
}

/* The pages were asked for last, and were not reported. */
void wcts_judge_unseen_pages(const struct wcts_spec *spec, const struct wcts_exchange *exchange,
                             struct wcts_finding *finding)
{
    const uint32_t asking = wcts_model_operation_showing(spec, WCTS_SHOWS_PAGES);
    const int index = wcts_exchange_last_call(exchange);
    const struct wcts_exchange_record *last =
        exchange->count > 0 ? &exchange->records[index] : NULL;
    const struct wcts_exchange_attempt missing = {
        .end = WCTS_ATTEMPT_ANSWERED,
        .operation = asking,
        .status = last ? last->status : WCTS_STATUS_SUCCESS,
    };
    if (last && last->operation == asking && wcts_exchange_is_denied(last->status))
        wcts_judge_denied(exchange, index, finding);
    else if (!last || last->operation != asking || !wcts_judge_no_answer(&missing, "", finding)) {
        wcts_model_finding_set(
            finding, WCTS_FOUND_BROKEN,
            "%s did not answer with the pages asked for, although PAGES is claimed",
            wcts_operation_name(asking));
        finding->fails = true;
    }
}

void wcts_judge_pages_test(const struct wcts_judge *judge, const struct wcts_case *test,
                           const struct wcts_exchange_recording *recording,
                           struct wcts_finding *finding)
{
    const struct wcts_exchange_boot *own = wcts_exchange_recording_find(recording, WCTS_FOR_TEST);
    const struct wcts_exchange_boot *base = wcts_exchange_recording_find(recording, WCTS_FOR_BASE);
    struct judge_pages_evidence evidence = {.attempt = own->attempt,
                                            .base_accepted =
                                                base && wcts_exchange_was_accepted(&base->attempt)};
    struct wcts_symbols symbols = wcts_judge_boot_symbols(own);
    const struct wcts_exchange_view view = {judge->plan->spec, &own->exchange, test->page_size};
    struct wcts_world world;
    if (own->attempt.end != WCTS_ATTEMPT_ANSWERED) {
        wcts_judge_no_answer(&own->attempt, "base call", finding);
        return;
    }
    if (!wcts_oracle_case_world(&world, judge->eval, test, test->facts, test->fact_count))
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    else if (own->whole && read_look(&view, WCTS_LOOK_BEFORE, &evidence.before) &&
             read_look(&view, WCTS_LOOK_SOURCE, &evidence.source) &&
             read_look(&view, WCTS_LOOK_AFTER, &evidence.after))
        judge_evidence(judge->plan, test, &world, &symbols, &evidence, finding);
    else
        wcts_judge_unseen_pages(judge->plan->spec, &own->exchange, finding);
    free(evidence.before.list);
    free(evidence.source.list);
    free(evidence.after.list);
    wcts_world_release(&world);
}
