/* SPDX-License-Identifier: MIT */
/* Hands out the work, and the results in the order of the plan. pool_slots.h says how. */
#include "pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../plan/plan.h"
#include "capture.h"
#include "orphans.h"
#include "pool_canary.h"
#include "pool_claims.h"
#include "pool_results.h"
#include "pool_slots.h"
#include "stop.h"

#define BATCH_MAX 64

/* ---- work ---- */

/* Sends the worker so many cases, and starts one if there is none. */
static void send_batch(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot, int count)
{
    struct wcts_run_batch batch = {
        (uint32_t)slot->next, (uint32_t)count,
        (uint32_t)wcts_run_pool_made(&pool->ring[slot->next % WCTS_POOL_WINDOW])};
    if (slot->worker.pid == 0 && !wcts_run_pool_start_worker(pool, slot))
        return;
    slot->sent = slot->next + count;
    if (pool->options->history)
        wcts_run_history_add(pool->options->history, slot->life, slot->next, count);
    wcts_run_pool_begin_case(slot);
    /* If it cannot be sent the worker has mostly ended: poll() will report that. */
    if (send(slot->worker.channel, &batch, sizeof batch, MSG_NOSIGNAL) < 0 &&
        wcts_run_packet_is_own_trouble(errno))
        wcts_run_pool_give_up(pool, strerror(errno));
}

static bool at_work(const struct wcts_run_pool_slot *slot)
{
    return slot->worker.pid != 0 && wcts_run_pool_is_busy(slot) && slot->next < slot->sent;
}

/* Runs a case that must run on its own, once the other workers are idle. False if there is none. */
static bool assign_alone(struct wcts_run_pool *pool)
{
    struct wcts_run_pool_slot *alone = NULL;
    bool idle = true;
    for (int i = 0; i < pool->slot_count; i++) {
        struct wcts_run_pool_slot *slot = &pool->slots[i];
        idle = idle && !at_work(slot);
        if (!alone && wcts_run_pool_is_busy(slot) &&
            pool->ring[slot->next % WCTS_POOL_WINDOW].alone)
            alone = slot;
    }
    if (alone && idle)
        send_batch(pool, alone, 1);
    return alone != NULL;
}

/* The next cases of the plan; false if there are none, or no room for their results. */
static bool take_batch(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    int count = pool->options->selected_count - pool->assigned;
    if (count > pool->batch)
        count = pool->batch;
    if (count == 0 || pool->assigned + count > pool->handed + WCTS_POOL_WINDOW)
        return false;
    slot->next = pool->assigned;
    slot->end = pool->assigned += count;
    return true;
}

/* Settles the first cases of the slot that need not be tried. Returns how many of the rest to send:
 * only one if its outcome may spare the next. */
static int spare_cases(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    struct wcts_result result;
    wcts_run_pool_pass_over(pool, slot);
    while (pool->deaths && wcts_run_pool_is_busy(slot)) {
        const struct wcts_run_pool_pending *pending = &pool->ring[slot->next % WCTS_POOL_WINDOW];
        struct wcts_case made;
        const struct wcts_case *test = wcts_run_pool_case_at(pool, slot, &made);
        if (pending->alone || pending->result.tried != 0 || slot->worker.deadly.count > 0 ||
            !wcts_run_deaths_spare(pool->deaths, test, &result))
            break;
        wcts_run_pool_settle(pool, slot, &result, NULL, false);
        wcts_run_pool_pass_over(pool, slot);
    }
    int left = slot->end - slot->next;
    return left > 1 && pool->deaths && wcts_run_deaths_known(pool->deaths) ? 1 : left;
}

static void assign(struct wcts_run_pool *pool)
{
    if (wcts_run_pool_canary_is_due(pool) || assign_alone(pool))
        return;
    for (int i = 0; i < pool->slot_count && !pool->stopped; i++) {
        struct wcts_run_pool_slot *slot = &pool->slots[i];
        int count = 0;
        if (slot->retiring || at_work(slot))
            continue;
        while (count == 0 && (wcts_run_pool_is_busy(slot) || take_batch(pool, slot)))
            count = spare_cases(pool, slot);
        if (count != 0)
            send_batch(pool, slot, count);
    }
}

/* True if some worker has something to say; false if all that was assigned is settled already. */
static bool is_to_be_served(const struct wcts_run_pool *pool)
{
    for (int i = 0; i < pool->slot_count; i++)
        if (at_work(&pool->slots[i]) || pool->slots[i].retiring)
            return true;
    return false;
}

/* What the outcome of a case changes for those after it. It was one that might be spared. */
static void remember(struct wcts_run_pool *pool, const struct wcts_case *test,
                     const struct wcts_result *result)
{
    struct wcts_result spared = {0}, unasked = {0};
    bool asked = !wcts_run_not_asked(pool->options->plan, test, pool->claims, &unasked);
    if (pool->deaths && asked && wcts_run_deaths_spare(pool->deaths, test, &spared))
        wcts_model_result_release(&spared);
    if (pool->deaths && result->finding.skip != WCTS_SKIP_NOT_TRIED)
        wcts_run_deaths_note(pool->deaths, test, result, result->ended_in);
    wcts_model_result_release(&unasked);
}

/* Settles the cases that were run before, as if they had just been. */
static void take_earlier(struct wcts_run_pool *pool)
{
    const struct wcts_run_pool_options *options = pool->options;
    while (!pool->stopped && pool->assigned < options->earlier_count) {
        struct wcts_run_pool_pending *pending = &pool->ring[pool->assigned % WCTS_POOL_WINDOW];
        struct wcts_case made;
        const struct wcts_case *test =
            wcts_plan_case(options->plan, options->selected[pool->assigned], &made);
        if (!options->earlier(options->earlier_ctx, pool->assigned++, &pending->result,
                              &pending->output)) {
            pool->stopped = true;
            return;
        }
        remember(pool, test, &pending->result);
        wcts_judge_result_read(options->plan, test, options->asked, &pending->result);
        pending->done = true;
        wcts_run_pool_hand_on(pool);
    }
}

static void serve_workers(struct wcts_run_pool *pool, const struct pollfd *fds)
{
    for (int i = 0; i < pool->slot_count; i++) {
        struct wcts_run_pool_slot *slot = &pool->slots[i];
        bool ended = fds[2 + 2 * i].revents != 0;
        if (slot->worker.pid == 0)
            continue;
        if (slot->worker.output >= 0)
            wcts_run_capture_bound(slot->worker.output);
        enum wcts_run_receive got = wcts_run_pool_drain(pool, slot);
        if (slot->worker.pid == 0)
            continue;
        slot->closed = got == WCTS_RECEIVE_CLOSED;
        if (got == WCTS_RECEIVE_GARBAGE)
            wcts_run_pool_expel(pool, slot, "sent garbage instead of a result");
        else if (ended)
            wcts_run_pool_bury(pool, slot);
        else
            wcts_run_pool_check_time(pool, slot);
    }
}

/* ---- the pool ---- */

static bool is_worker(void *ctx, pid_t pid)
{
    const struct wcts_run_pool *pool = ctx;
    for (int i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].worker.pid == pid)
            return true;
    return false;
}

static bool pool_init(struct wcts_run_pool *pool)
{
    const struct wcts_run_pool_options *options = pool->options;
    int workers = options->asked->workers, cases = options->selected_count;
    int wanted = cases < 2 || workers < 2 ? 1 : workers < cases ? workers : cases;
    const uint32_t most = pool->claims ? pool->claims->connections : 0;
    if (most != 0 && most < (uint32_t)wanted)
        wanted = (int)most;
    const sigset_t stop = wcts_run_stop_signals();

    wcts_run_stop_hold(&pool->old_mask);
    pool->signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    wcts_run_orphans_adopt(true);
    /* Processes of the same user must neither read the runner's memory nor write to it. */
    pool->dumpable = prctl(PR_GET_DUMPABLE);
    prctl(PR_SET_DUMPABLE, 0);

    pool->batch = options->selected_count / (wanted * 8);
    if (pool->batch > BATCH_MAX)
        pool->batch = BATCH_MAX;
    if (pool->batch < 1)
        pool->batch = 1;
    if (!wcts_run_worker_files(wanted, pool->error, pool->room))
        return false;
    pool->ring = calloc(WCTS_POOL_WINDOW, sizeof *pool->ring);
    pool->slots = calloc((size_t)wanted, sizeof *pool->slots);
    pool->deaths = options->asked->all_deaths ? NULL : wcts_run_deaths_new(options->plan);
    if (!pool->ring || !pool->slots || pool->signals < 0 ||
        !wcts_judge_once_init(&pool->once, options->plan->spec))
        return false;
    for (int i = 0; i < wanted; i++) {
        pool->slot_count = i + 1;
        if (!wcts_run_pool_slot_init(&pool->slots[i], pool, i))
            return false;
    }
    return true;
}

static void pool_release(struct wcts_run_pool *pool)
{
    struct wcts_run_left unnamed = {0}, *left = pool->options->left_behind;

    for (int i = 0; i < pool->slot_count; i++)
        wcts_run_pool_slot_release(&pool->slots[i]);
    wcts_run_orphans_kill(is_worker, pool, left ? left : &unnamed);
    wcts_run_orphans_adopt(false);
    if (pool->dumpable == 1)
        prctl(PR_SET_DUMPABLE, 1);
    for (int i = pool->handed; pool->ring && i < pool->assigned; i++)
        wcts_run_pool_pending_release(&pool->ring[i % WCTS_POOL_WINDOW]);
    wcts_run_deaths_free(pool->deaths);
    wcts_judge_once_release(&pool->once);
    free(pool->ring);
    free(pool->slots);
    if (pool->signals >= 0)
        close(pool->signals);
    /* A caller that blocks signals itself wants to see them. */
    if (!sigismember(&pool->old_mask, SIGINT))
        wcts_run_stop_release(&pool->old_mask);
}

enum wcts_run_pool_end wcts_run_pool_probe(const struct wcts_run_pool_options *options,
                                           uint32_t sides, struct wcts_claims *claims, char *error,
                                           size_t room)
{
    struct wcts_run_pool_options alone = *options;
    alone.selected_count = 0;
    alone.history = NULL;
    struct wcts_run_pool *pool = calloc(1, sizeof *pool);
    enum wcts_run_pool_end end = WCTS_POOL_STOPPED;

    snprintf(error, room, "out of memory, or out of files");
    if (!pool)
        return end;
    pool->options = &alone;
    pool->error = error;
    pool->room = room;
    if (pool_init(pool)) {
        pool->slots[0].worker.sides = sides;
        if (wcts_run_pool_load_claims(pool, &pool->slots[0]) &&
            wcts_run_pool_take_claims(pool, claims)) {
            claims->versions = pool->slots[0].worker.versions;
            wcts_machine_refusals_remark(&pool->refusals, options->plan->spec, false, claims);
            end = WCTS_POOL_DONE;
        } else if (!pool->stopped) {
            end = WCTS_POOL_NO_START;
            wcts_run_pool_name_options(pool);
            wcts_run_pool_name_output(pool, &pool->slots[0]);
        }
    }
    pool_release(pool);
    free(pool);
    return end;
}

static void note_current(const struct wcts_run_pool *pool)
{
    struct wcts_run_current *current = pool->options->current;
    if (!current)
        return;
    *current = (struct wcts_run_current){.test = -1};
    for (int i = 0; i < pool->slot_count; i++) {
        const struct wcts_run_pool_slot *slot = &pool->slots[i];
        if (slot->worker.pid == 0 || !wcts_run_pool_is_busy(slot))
            continue;
        current->others += current->test >= 0;
        if (current->test < 0 || slot->since < current->since) {
            current->test = pool->options->selected[slot->next];
            current->since = slot->since;
        }
    }
}

enum wcts_run_pool_end wcts_run_pool_run_again(const struct wcts_run_pool_options *options,
                                               const struct wcts_claims *claims,
                                               wcts_pool_result_fn *each, void *ctx, char *error,
                                               size_t room)
{
    enum wcts_run_pool_end end = WCTS_POOL_STOPPED;
    struct pollfd *fds = NULL;
    struct wcts_run_pool *pool = calloc(1, sizeof *pool);
    snprintf(error, room, "out of memory, or out of files");
    if (!pool)
        return end;

    *pool = (struct wcts_run_pool){.options = options,
                                   .claims = claims,
                                   .each = each,
                                   .ctx = ctx,
                                   .error = error,
                                   .room = room};
    if (pool_init(pool)) {
        error[0] = '\0';
        fds = calloc(1 + 2 * (size_t)pool->slot_count, sizeof *fds);
    }
    pool->stopped = !fds;
    if (options->history)
        wcts_run_history_begin(options->history, options->selected, options->selected_count);
    take_earlier(pool);
    while (!pool->stopped && pool->handed < pool->options->selected_count) {
        assign(pool);
        if (wcts_run_pool_canary_is_due(pool) && !is_to_be_served(pool))
            wcts_run_pool_canary_look(pool, fds);
        if (is_to_be_served(pool)) {
            wcts_run_pool_wait(pool, fds);
            serve_workers(pool, fds);
        }
        wcts_run_pool_hand_on(pool);
        note_current(pool);
        if (options->over && options->over(options->over_ctx))
            pool->stopped = true;
    }
    free(fds);
    end = pool->stopped ? WCTS_POOL_STOPPED : WCTS_POOL_DONE;
    pool_release(pool);
    free(pool);
    return end;
}
