/* SPDX-License-Identifier: MIT */
/* Running sequences: each step is sent, its answer is checked against the rules, and the pages of
 * the window against the model. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

struct walking {
    struct wcts_session *session;
    struct wcts_walker *walk;
    struct wcts_model *model;
    const struct wcts_case *test;
    bool keep;
    int at;                  /* step */
    bool answered;           /* True once an update was answered */
    struct wcts_world world; /* the scripted driver's answers */
    struct wcts_kernel_query_pages_request query;
    struct wcts_page found[WCTS_WALK_PAGES];
    struct wcts_walk_outcome *outcome;
};

static void free_walker(struct wcts_walker *walk)
{
    if (!walk)
        return;
    wcts_model_release(&walk->model);
    free(walk);
}

struct wcts_walker *wcts_walk_of(struct wcts_session *session)
{
    struct wcts_walker *walk = session->walk;
    if (walk)
        return walk;
    walk = calloc(1, sizeof *walk);
    /* A spec without sequences has no case that gets here. */
    if (!walk || !wcts_walk_shape_init(&walk->shape, session->spec) ||
        !wcts_model_init(&walk->model, &walk->shape)) {
        free(walk);
        return NULL;
    }
    session->walk = walk;
    session->walk_free = free_walker;
    return walk;
}

/* ---- Calls ---- */

static const struct wcts_step *cases_step(const struct walking *walking, int index)
{
    return &walking->session->spec->cases->steps[index];
}

static void put_at(struct walking *walking, struct wcts_world *world, const struct wcts_step *step,
                   size_t offset, uint64_t number)
{
    const struct wcts_spec *spec = walking->session->spec;
    struct wcts_ref ref = wcts_walk_member_at(spec, spec->messages[step->message].request,
                                              offset - spec->messages[step->message].request_at);
    if (ref.structure >= 0)
        wcts_world_put(world, 0, ref, (struct wcts_value){-1, number});
}

/* A number for an offset of a request. */
struct number_at {
    size_t offset;
    uint64_t number;
};

static wcts_status send_world(struct walking *walking, int index, struct wcts_world *world,
                              uint64_t *result)
{
    const struct wcts_step *step = cases_step(walking, index);
    uint32_t reply_size = 0;
    wcts_status status = wcts_session_send(walking->session, step, world, 0, &reply_size);
    if (wcts_succeeded(status))
        wcts_session_keep_results(walking->session, step, reply_size);
    if (result && step->result >= 0 && wcts_succeeded(status))
        *result = walking->session->symbols.values[step->result];
    return status;
}

/* Sends the call of a step of base.xml with other numbers at some offsets of its request. */
static wcts_status send_with(struct walking *walking, int index, const struct number_at *numbers,
                             int count, uint64_t *result)
{
    const struct wcts_step *step = cases_step(walking, index);
    struct wcts_world world;
    wcts_status status = WCTS_STATUS_NO_MEMORY;
    wcts_world_init(&world, &walking->session->eval, 0, (uint32_t)WCTS_GPU_PAGE);
    if (wcts_world_add_step(&world, step)) {
        for (int i = 0; i < count; i++)
            put_at(walking, &world, step, numbers[i].offset, numbers[i].number);
        status = send_world(walking, index, &world, result);
    }
    wcts_world_release(&world);
    return status;
}

static wcts_status send_reserve(struct walking *walking, int index, uint64_t base, uint64_t size,
                                uint64_t *address)
{
    const struct number_at numbers[] = {
        {offsetof(struct wcts_kernel_va_reserve, Args.BaseAddress), base},
        {offsetof(struct wcts_kernel_va_reserve, Args.Size), size}};
    return send_with(walking, index, numbers, 2, address);
}

static wcts_status send_free(struct walking *walking, uint64_t base, uint64_t size)
{
    const struct number_at numbers[] = {
        {offsetof(struct wcts_kernel_va_free_request, Args.BaseAddress), base},
        {offsetof(struct wcts_kernel_va_free_request, Args.Size), size}};
    return send_with(walking, walking->walk->shape.free, numbers, 2, NULL);
}

/* Sends the call that ends an object for another object. */
static wcts_status send_destroy(struct walking *walking, uint64_t handle)
{
    int index = walking->walk->shape.destroy;
    const struct wcts_step *step = cases_step(walking, index);
    struct wcts_world world;
    wcts_status status = WCTS_STATUS_NO_MEMORY;
    wcts_world_init(&world, &walking->session->eval, 0, (uint32_t)WCTS_GPU_PAGE);
    if (wcts_world_add_step(&world, step)) {
        for (int i = 0; i < world.count; i++) {
            int members =
                walking->session->spec->structures[world.instances[i].structure].member_count;
            for (int m = 0; m < members; m++)
                if (step->ends >= 0 && world.instances[i].values[m].symbol == step->ends)
                    world.instances[i].values[m] = (struct wcts_value){-1, handle};
        }
        status = send_world(walking, index, &world, NULL);
    }
    wcts_world_release(&world);
    return status;
}

static wcts_status send_update(struct walking *walking)
{
    struct wcts_session *session = walking->session;
    struct wcts_model *model = walking->model;
    const struct wcts_message *message =
        &session->spec->messages[cases_step(walking, walking->walk->shape.update)->message];
    uint32_t reply_size = 0;
    if (!wcts_message_build(&session->request, &model->spec, message, &model->world, 0,
                            &model->symbols))
        return WCTS_STATUS_NO_MEMORY;
    return wcts_session_to_kernel(session, message->operation, session->request.bytes,
                                  (uint32_t)session->request.size, &reply_size);
}

/* Settles, then queries the whole window. False if that was not answered. */
static bool query_window(struct walking *walking)
{
    struct wcts_session *session = walking->session;
    struct wcts_none none = {.size = sizeof none};
    const struct wcts_kernel_query_pages_reply *reply = (const void *)session->reply;
    uint32_t reply_size = 0;
    const void *list;
    wcts_session_to_kernel(session, WCTS_KERNEL_SETTLE, &none, sizeof none, &reply_size);
    if (session->exchange.breach[0] ||
        !wcts_succeeded(wcts_session_to_kernel(session, WCTS_KERNEL_QUERY_PAGES, &walking->query,
                                               sizeof walking->query, &reply_size)) ||
        reply->Count != WCTS_WALK_PAGES)
        return false;
    list = wcts_message_at(reply, reply_size, reply->pPages, reply->Count, sizeof *walking->found);
    if (list) /* a copy: it may begin anywhere in the reply */
        memcpy(walking->found, list, sizeof walking->found);
    return list != NULL;
}

/* ---- Failures ---- */

/* Keeps the first failure among the worst. Returns true if the walk is over. */
static bool record_failure(struct walking *walking, enum wcts_walk_breach breach, int rule,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool record_failure(struct walking *walking, enum wcts_walk_breach breach, int rule,
                           const char *format, ...)
{
    const struct wcts_plan *plan = walking->session->plan;
    struct wcts_walk_failure *failure = &walking->outcome->failure;
    bool declined = breach == WCTS_WALK_REFUSED;
    bool fails = !declined && wcts_breach_fails(plan, rule, &walking->session->strictness);
    va_list arguments;
    if (failure->breach != WCTS_WALK_NO_BREACH && !fails)
        return false;
    *failure =
        (struct wcts_walk_failure){.breach = breach,
                                   .step = walking->at,
                                   .rule = rule,
                                   .found = declined ? WCTS_FOUND_DECLINED : WCTS_FOUND_BROKEN,
                                   .fails = fails};
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    return fails;
}

static void field_text(char *text, size_t room, enum wcts_walk_field field, uint64_t value)
{
    static const char *const states[] = {"unreserved", "zero", "invalid", "mapped"};
    if (field == WCTS_WALK_STATE && value < sizeof states / sizeof *states)
        snprintf(text, room, "%s", states[value]);
    else
        snprintf(text, room, "0x%" PRIx64, value);
}

/* Compares all pages. Returns true if the walk is over. */
static bool compare_window(struct walking *walking, const struct wcts_walk_step *step,
                           enum wcts_answer answer)
{
    struct wcts_model *model = walking->model;
    bool refused = answer != WCTS_ANSWER_ACCEPTED && step->kind == WCTS_WALK_UPDATE;
    bool writes = step->kind == WCTS_WALK_UPDATE && !refused;
    enum wcts_walk_field field;
    char found[24], wanted[24];
    int page = wcts_model_compare(model, walking->found, &field), rule;
    if (page < 0)
        return false;
    if (writes && model->writer[page] >= 0)
        rule = wcts_model_blame_page(model, step, walking->found, page, field);
    else if (refused)
        rule = wcts_model_blame_refused(model, step, page);
    else
        rule = wcts_model_blame_outside(model, step, page);
    field_text(found, sizeof found, field, wcts_walk_field_of(&walking->found[page], field));
    field_text(wanted, sizeof wanted, field, wcts_walk_field_of(&model->pages[page].page, field));
    wcts_model_adopt(model, walking->found);
    return record_failure(
        walking, WCTS_WALK_CHANGED, rule,
        "%s, the page at " WCTS_WALK_WINDOW_NAME "+0x%" PRIx64 ": %s is %s, expected %s",
        refused ? "after a refused call" : "after the call", (uint64_t)page * WCTS_GPU_PAGE,
        wcts_walk_field_name(field), found, wanted);
}

static bool stop(struct walking *walking, uint32_t operation, wcts_status status, const char *why)
{
    struct wcts_walk_outcome *outcome = walking->outcome;
    outcome->stopped = true;
    outcome->attempt = (struct wcts_attempt){WCTS_ATTEMPT_ANSWERED, operation, status};
    snprintf(outcome->text, sizeof outcome->text, "%s", why);
    return true;
}

/* The rule that the call breaks for certain, before rules that only advise. */
static int rule_broken(const struct wcts_spec *spec, const struct wcts_prediction *prediction)
{
    for (int i = 0; i < prediction->broken_count; i++)
        if (spec->rules[prediction->broken[i]].outcome != WCTS_OUTCOME_EITHER)
            return prediction->broken[i];
    return prediction->broken[0];
}

/* ---- Steps: each returns true if the walk is over ---- */

/* An answer that proves nothing. */
static bool no_answer(struct walking *walking, const struct wcts_walk_step *step,
                      uint32_t operation, wcts_status status)
{
    enum wcts_answer answer = wcts_answer_of(status);
    if (walking->session->exchange.breach[0])
        return stop(walking, operation, status, "");
    if (answer == WCTS_ANSWER_MISSING && walking->answered && step->kind == WCTS_WALK_UPDATE)
        return record_failure(
            walking, WCTS_WALK_SILENT, wcts_model_blame_refusal(walking->model, step),
            "%s answered that it is not supported, but took calls before: expected an "
            "answer",
            wcts_operation_name(operation));
    if (answer == WCTS_ANSWER_MISSING || answer == WCTS_ANSWER_NO_TEST)
        return stop(walking, operation, status, "");
    return false;
}

static void note_refused(struct walking *walking, const struct wcts_walk_step *step)
{
    const struct wcts_model *model = walking->model;
    for (int i = 0; i < WCTS_WALK_PAGES; i++)
        if (model->writer[i] >= 0)
            wcts_walk_note_refused(&walking->outcome->numbers,
                                   step->items[model->writer[i]].operation,
                                   model->pages[i].page.State);
}

static void note_others(struct walking *walking, const struct wcts_prediction *prediction)
{
    const struct wcts_spec *spec = walking->session->spec;
    struct wcts_walk_failure *failure = &walking->outcome->failure;
    int room = (int)(sizeof failure->others / sizeof *failure->others);
    if (failure->step != walking->at || failure->breach != WCTS_WALK_ACCEPTED)
        return;
    for (int i = 0; i < prediction->broken_count && failure->other_count < room; i++)
        if (spec->rules[prediction->broken[i]].outcome != WCTS_OUTCOME_EITHER &&
            prediction->broken[i] != failure->rule)
            failure->others[failure->other_count++] = prediction->broken[i];
}

/* A call that breaks no rule was refused: the pages must be unchanged, and the walk goes on. */
static void decline(struct walking *walking, int rule, uint32_t operation, wcts_status status)
{
    char text[64];
    wcts_status_text(status, text, sizeof text);
    record_failure(walking, WCTS_WALK_REFUSED, rule, "%s answered %s, expected it to be accepted",
                   wcts_operation_name(operation), text);
}

static bool judge_update(struct walking *walking, enum wcts_expect expect,
                         const struct wcts_prediction *prediction,
                         const struct wcts_walk_step *step, wcts_status status)
{
    bool accepted = wcts_succeeded(status);
    char text[64];
    wcts_status_text(status, text, sizeof text);
    if (accepted && (expect == WCTS_EXPECT_REFUSE || expect == WCTS_EXPECT_ASSERT)) {
        bool over = record_failure(
            walking, WCTS_WALK_ACCEPTED, rule_broken(walking->session->spec, prediction),
            "%s answered %s, expected a refusal", wcts_operation_name(WCTS_KERNEL_VA_UPDATE), text);
        note_others(walking, prediction);
        return over;
    }
    if (!accepted && expect == WCTS_EXPECT_ACCEPT)
        decline(walking, wcts_model_blame_refusal(walking->model, step), WCTS_KERNEL_VA_UPDATE,
                status);
    return false;
}

static bool run_update(struct walking *walking, const struct wcts_walk_step *step)
{
    struct wcts_model *model = walking->model;
    struct wcts_prediction prediction;
    enum wcts_expect expect = wcts_model_expect(model, step, &prediction);
    wcts_status status;
    bool accepted;
    wcts_session_mark_call(walking->session, true);
    status = send_update(walking);
    wcts_session_mark_call(walking->session, false);
    if (no_answer(walking, step, WCTS_KERNEL_VA_UPDATE, status))
        return true;
    accepted = wcts_succeeded(status);
    walking->answered = true;
    walking->outcome->numbers.operations += (uint64_t)step->item_count;
    walking->outcome->numbers.open += expect == WCTS_EXPECT_OPEN;
    if (judge_update(walking, expect, &prediction, step, status))
        return true;
    if (accepted) {
        wcts_model_take(model, step, expect != WCTS_EXPECT_ACCEPT, 0);
        if (expect == WCTS_EXPECT_ACCEPT)
            wcts_walk_numbers_add(&walking->outcome->numbers, &model->taken);
    } else {
        note_refused(walking, step);
    }
    if (!query_window(walking))
        return stop(walking, WCTS_KERNEL_QUERY_PAGES, status, "PAGES");
    return compare_window(walking, step, wcts_answer_of(status));
}

/* Calls without rules in the documents: either answer is right. */
static bool run_other(struct walking *walking, const struct wcts_walk_step *step)
{
    struct wcts_model *model = walking->model;
    const struct wcts_walk_shape *shape = &walking->walk->shape;
    uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE, result = 0;
    uint64_t base = model->base + (uint64_t)step->first * granule;
    uint32_t operation = WCTS_KERNEL_VA_RESERVE;
    wcts_status status = WCTS_STATUS_SUCCESS;
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        status = send_reserve(walking, shape->reserves[step->reserve].step, base,
                              (uint64_t)step->count * granule, &result);
        if (wcts_succeeded(status) && result != base) { /* the walk cannot follow it there */
            record_failure(walking, WCTS_WALK_REFUSED, walking->test->rule,
                           "KERNEL_VA_RESERVE reserved 0x%" PRIx64 ", expected 0x%" PRIx64
                           ", which was free",
                           result, base);
            return true;
        }
        break;
    case WCTS_WALK_FREE:
        operation = WCTS_KERNEL_VA_FREE;
        status = send_free(walking, base,
                           (uint64_t)model->slots[wcts_model_slot_at(model, step->first)].count *
                               granule);
        break;
    case WCTS_WALK_CREATE:
        operation = WCTS_KERNEL_ALLOCATION_CREATE;
        status = send_with(walking, shape->create, NULL, 0, &result);
        break;
    case WCTS_WALK_DESTROY:
        operation = WCTS_KERNEL_ALLOCATION_DESTROY;
        status = send_destroy(walking,
                              model->symbols.values[model->allocation_symbols + step->allocation]);
        break;
    case WCTS_WALK_UPDATE:
        break;
    }
    if (no_answer(walking, step, operation, status))
        return true;
    walking->outcome->numbers.operations +=
        step->kind == WCTS_WALK_RESERVE || step->kind == WCTS_WALK_FREE;
    if (wcts_succeeded(status)) {
        wcts_model_take(model, step, true, result);
        wcts_walk_numbers_add(&walking->outcome->numbers, &model->taken);
    } else if (step->kind != WCTS_WALK_DESTROY) {
        decline(walking, walking->test->rule, operation, status);
    }
    walking->outcome->numbers.open += step->kind == WCTS_WALK_DESTROY || !wcts_succeeded(status);
    if (!query_window(walking))
        return stop(walking, WCTS_KERNEL_QUERY_PAGES, status, "PAGES");
    return compare_window(walking, step, wcts_answer_of(status));
}

/* ---- The walk ---- */

/* Finds a place for the window: reserves it and frees it. */
static bool find_window(struct walking *walking, bool top, uint64_t *base)
{
    int index = walking->walk->shape.reserves[0].step;
    wcts_status status = WCTS_STATUS_INVALID_PARAMETER;
    if (top)
        status = send_reserve(walking, index, WCTS_WALK_TOP, WCTS_WALK_WINDOW, base);
    if (!top || wcts_answer_of(status) == WCTS_ANSWER_REFUSED)
        status = send_reserve(walking, index, 0, WCTS_WALK_WINDOW, base);
    if (!wcts_succeeded(status)) {
        walking->outcome->attempt =
            (struct wcts_attempt){WCTS_ATTEMPT_SETUP, WCTS_KERNEL_VA_RESERVE, status};
        return false;
    }
    status = send_free(walking, *base, WCTS_WALK_WINDOW);
    walking->outcome->attempt =
        (struct wcts_attempt){WCTS_ATTEMPT_SETUP, WCTS_KERNEL_VA_FREE, status};
    return wcts_succeeded(status);
}

static bool begin_walk(struct walking *walking, bool top)
{
    struct wcts_session *session = walking->session;
    const struct wcts_walk_shape *shape = &walking->walk->shape;
    const struct wcts_cases *cases = session->spec->cases;
    int process = wcts_cases_symbol(cases, "process");
    int adapter = wcts_cases_symbol(cases, "adapter");
    uint64_t base = 0;
    walking->outcome->attempt = (struct wcts_attempt){.end = WCTS_ATTEMPT_NO_BOOT};
    if (!wcts_world_init_adapter(&walking->world, &session->eval, cases->bases[shape->base].adapter,
                                 walking->test->version, (uint32_t)WCTS_GPU_PAGE))
        return false;
    session->probe.world = &walking->world;
    if (!wcts_session_boot(session, walking->test->version, (uint32_t)WCTS_GPU_PAGE) ||
        !wcts_session_ensure_needs(session, cases_step(walking, shape->reserves[0].step), NULL,
                                   &walking->outcome->attempt) ||
        !wcts_session_ensure_needs(session, cases_step(walking, shape->create), NULL,
                                   &walking->outcome->attempt) ||
        !find_window(walking, top, &base))
        return false;
    wcts_model_begin(walking->model, walking->test->version, base, session->symbols.values);
    walking->query = (struct wcts_kernel_query_pages_request){
        .size = sizeof walking->query,
        .hProcess = process < 0 ? 0 : (uint32_t)session->symbols.values[process],
        .hAdapter = adapter < 0 ? 0 : (uint32_t)session->symbols.values[adapter],
        .Count = WCTS_WALK_PAGES,
        .Address = base};
    return true;
}

void wcts_walk_perform(struct wcts_session *session, struct wcts_walker *walk,
                       const struct wcts_case *test, const struct wcts_walk_sequence *sequence,
                       bool keep, struct wcts_walk_outcome *outcome)
{
    struct walking walking = {.session = session,
                              .walk = walk,
                              .model = &walk->model,
                              .test = test,
                              .keep = keep,
                              .outcome = outcome};
    bool over;
    *outcome = (struct wcts_walk_outcome){.failure = {.breach = WCTS_WALK_NO_BREACH}};
    session->in_test_call = true;
    over = !begin_walk(&walking, sequence->top);
    outcome->stopped = over;
    for (int i = 0; !over && i < sequence->count; i++) {
        const struct wcts_walk_step *step = &sequence->steps[i];
        walking.at = i;
        if (!wcts_model_can(walking.model, step))
            continue;
        if (!keep)
            wcts_exchange_forget(&session->exchange);
        outcome->numbers.steps++;
        over =
            step->kind == WCTS_WALK_UPDATE ? run_update(&walking, step) : run_other(&walking, step);
    }
    wcts_session_shut_down(session);
    session->probe.world = NULL;
    wcts_world_release(&walking.world);
    session->in_test_call = false;
}
