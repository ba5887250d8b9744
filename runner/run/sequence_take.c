/* SPDX-License-Identifier: MIT */
/* Running sequences: each step is sent, its answer is checked against the rules, and the pages of
 * the window against the model. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sequence.h"

struct walking {
    struct wcts_session *session;
    struct wcts_walker *walk;
    struct wcts_walk_follower follower;
    struct wcts_world world; /* the scripted driver's answers */
    struct wcts_kernel_query_pages_request query;
    struct wcts_page found[WCTS_WALK_PAGES];
    struct wcts_attempt attempt; /* how the set-up ended */
    uint64_t *symbols;           /* the values with which the walk begins */
    int begins;                  /* its first record */
};

static void free_walker(struct wcts_walker *walk)
{
    if (!walk)
        return;
    wcts_oracle_model_release(&walk->model);
    free(walk);
}

struct wcts_walker *wcts_run_walk_of(struct wcts_session *session)
{
    struct wcts_walker *walk = session->walk;
    if (walk)
        return walk;
    walk = calloc(1, sizeof *walk);
    /* A spec without sequences has no case that gets here. */
    if (!walk || !wcts_oracle_walk_shape_init(&walk->shape, session->spec) ||
        !wcts_oracle_model_init(&walk->model, &walk->shape)) {
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
    struct wcts_ref ref =
        wcts_oracle_walk_member_at(spec, spec->messages[step->message].request,
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
    struct wcts_model *model = walking->follower.model;
    const struct wcts_message *message =
        &session->spec->messages[cases_step(walking, walking->walk->shape.update)->message];
    uint32_t reply_size = 0;
    if (!wcts_machine_message_build(&session->request, &model->spec, message, &model->world, 0,
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

/* ---- Steps ---- */

static wcts_status send_walk_step(struct walking *walking, const struct wcts_walk_step *step,
                                  uint64_t *result)
{
    const struct wcts_model *model = walking->follower.model;
    const struct wcts_walk_shape *shape = &walking->walk->shape;
    uint64_t granule = WCTS_WALK_GRANULE * WCTS_GPU_PAGE;
    uint64_t base = model->base + (uint64_t)step->first * granule;
    wcts_status status = WCTS_STATUS_SUCCESS;
    switch (step->kind) {
    case WCTS_WALK_RESERVE:
        return send_reserve(walking, shape->reserves[step->reserve].step, base,
                            (uint64_t)step->count * granule, result);
    case WCTS_WALK_FREE:
        return send_free(
            walking, base,
            (uint64_t)model->slots[wcts_oracle_model_slot_at(model, step->first)].count * granule);
    case WCTS_WALK_CREATE:
        return send_with(walking, shape->create, NULL, 0, result);
    case WCTS_WALK_DESTROY:
        return send_destroy(walking,
                            model->symbols.values[model->allocation_symbols + step->allocation]);
    case WCTS_WALK_UPDATE:
        wcts_session_mark_call(walking->session, true);
        status = send_update(walking);
        wcts_session_mark_call(walking->session, false);
        break;
    }
    return status;
}

/* Returns true if the walk is over. */
static bool run_step(struct walking *walking, const struct wcts_walk_step *step)
{
    struct wcts_walk_answer answer = {.result = 0};
    answer.status = send_walk_step(walking, step, &answer.result);
    answer.breach = walking->session->exchange.breach_kind != WCTS_BREACH_NONE;
    return wcts_judge_walk_follow(&walking->follower, &answer) ||
           wcts_judge_walk_compare(&walking->follower, &answer,
                                   query_window(walking) ? walking->found : NULL);
}

/* ---- The walk ---- */

/* Finds a place for the window: reserves it and frees it. */
static bool find_window(struct walking *walking, bool top, uint64_t *base)
{
    int index = walking->walk->shape.reserves[0].step;
    wcts_status status = WCTS_STATUS_INVALID_PARAMETER;
    if (top)
        status = send_reserve(walking, index, WCTS_WALK_TOP, WCTS_WALK_WINDOW, base);
    if (!top || wcts_exchange_answer_of(status) == WCTS_ANSWER_REFUSED)
        status = send_reserve(walking, index, 0, WCTS_WALK_WINDOW, base);
    if (!wcts_succeeded(status)) {
        walking->attempt =
            (struct wcts_attempt){WCTS_ATTEMPT_SETUP, WCTS_KERNEL_VA_RESERVE, status};
        return false;
    }
    status = send_free(walking, *base, WCTS_WALK_WINDOW);
    walking->attempt = (struct wcts_attempt){WCTS_ATTEMPT_SETUP, WCTS_KERNEL_VA_FREE, status};
    return wcts_succeeded(status);
}

static bool begin_walk(struct walking *walking, bool top)
{
    struct wcts_session *session = walking->session;
    const struct wcts_walk_shape *shape = &walking->walk->shape;
    const struct wcts_cases *cases = session->spec->cases;
    int process = wcts_model_cases_symbol(cases, "process");
    int adapter = wcts_model_cases_symbol(cases, "adapter");
    uint64_t base = 0;
    walking->attempt = (struct wcts_attempt){.end = WCTS_ATTEMPT_NO_BOOT};
    if (!wcts_world_init_adapter(&walking->world, &session->eval, cases->bases[shape->base].adapter,
                                 walking->follower.test->version, (uint32_t)WCTS_GPU_PAGE))
        return false;
    session->probe.world = &walking->world;
    if (!wcts_session_boot(session, walking->follower.test->version, (uint32_t)WCTS_GPU_PAGE) ||
        !wcts_session_ensure_needs(session, cases_step(walking, shape->reserves[0].step), NULL,
                                   &walking->attempt) ||
        !wcts_session_ensure_needs(session, cases_step(walking, shape->create), NULL,
                                   &walking->attempt) ||
        !find_window(walking, top, &base))
        return false;
    wcts_oracle_model_begin(walking->follower.model, walking->follower.test->version, base,
                            session->symbols.values);
    memcpy(walking->symbols, session->symbols.values,
           (size_t)cases->symbols_count * sizeof *walking->symbols);
    walking->begins = session->exchange.count;
    walking->query = (struct wcts_kernel_query_pages_request){
        .size = sizeof walking->query,
        .hProcess = process < 0 ? 0 : (uint32_t)session->symbols.values[process],
        .hAdapter = adapter < 0 ? 0 : (uint32_t)session->symbols.values[adapter],
        .Count = WCTS_WALK_PAGES,
        .Address = base};
    return true;
}

/* Keeps the walk, with what the symbols were when it began. */
static struct wcts_boot *keep_walk(struct walking *walking)
{
    struct wcts_boot *boot;
    if (walking->begins >= 0)
        walking->attempt.end = WCTS_ATTEMPT_ANSWERED;
    boot = wcts_session_keep(walking->session, WCTS_FOR_TEST, &walking->attempt);
    if (boot && walking->begins >= 0) {
        boot->begins = walking->begins;
        boot->window = walking->follower.model->base;
        memcpy(boot->symbols, walking->symbols,
               (size_t)walking->session->spec->cases->symbols_count * sizeof *boot->symbols);
    }
    return boot;
}

void wcts_run_walk_perform(struct wcts_session *session, struct wcts_walker *walk,
                           const struct wcts_case *test, const struct wcts_walk_sequence *sequence,
                           struct wcts_walk_outcome *outcome)
{
    size_t symbols = (size_t)session->spec->cases->symbols_count + 1;
    const struct wcts_judge judge = {session->plan, &session->eval, &session->claims};
    struct wcts_walk_outcome on_the_way = {.failure = {.breach = WCTS_WALK_NO_BREACH}};
    struct walking walking = {.session = session,
                              .walk = walk,
                              .follower = {.plan = session->plan,
                                           .test = test,
                                           .strictness = &session->strictness,
                                           .model = &walk->model,
                                           .outcome = &on_the_way},
                              .symbols = calloc(symbols, sizeof(uint64_t)),
                              .attempt = {.end = WCTS_ATTEMPT_NO_BOOT},
                              .begins = -1};
    struct wcts_boot *boot;
    bool over;
    wcts_exchange_recording_clear(&session->recording);
    session->in_test_call = true;
    over = !walking.symbols || !begin_walk(&walking, sequence->top);
    for (int i = 0; !over && i < sequence->count; i++)
        over = wcts_judge_walk_begin_step(&walking.follower, &sequence->steps[i], i) &&
               run_step(&walking, &sequence->steps[i]);
    boot = keep_walk(&walking);
    session->probe.world = NULL;
    wcts_world_release(&walking.world);
    session->in_test_call = false;
    free(walking.symbols);
    if (boot)
        wcts_judge_walk(&judge, test, sequence, boot, &walk->model, &session->strictness, outcome);
    else
        *outcome = (struct wcts_walk_outcome){.stopped = true, .attempt = walking.attempt};
}
