/* SPDX-License-Identifier: MIT */
#include "pool_results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../judge/judge.h"
#include "../plan/plan.h"
#include "capture.h"
#include "fates.h"
#include "pool_canary.h"

/* How often a worker that ends between two cases is replaced before the next case is blamed. */
#define IDLE_DEATHS_MAX 3

static uint32_t activity_of(const struct wcts_run_pool_slot *slot)
{
    return atomic_load(&slot->worker.page->pulse.operation);
}

static char *output_of(const struct wcts_run_pool_slot *slot, uint64_t start, uint64_t end)
{
    return slot->worker.output >= 0 ? wcts_run_capture_tail(slot->worker.output, start, end) : NULL;
}

/* ---- results ---- */

/* True if another attempt may change the verdict, at some level that matters. What was observed of
 * another rule is no reason: the case's own rule was kept. */
static bool is_to_be_tried_again(const struct wcts_run_pool *pool, const struct wcts_case *test,
                                 const struct wcts_finding *finding)
{
    const struct wcts_run_pool_options *options = pool->options;
    for (enum wcts_level level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++) {
        const struct wcts_finding *at = wcts_model_finding_at(finding, level);
        if ((!options->levels || options->levels & wcts_model_level_bit(level)) && !at->observed &&
            wcts_judge_verdict_is_retried(
                wcts_judge_finding_verdict(options->plan, test, at, level)))
            return true;
    }
    return false;
}

/* Adds the result to those that are kept, which own it from then on. False without memory. */
static bool keep_try(struct wcts_result *kept, struct wcts_result *result)
{
    struct wcts_try *tries = reallocarray(kept->tries, (size_t)kept->tried + 1, sizeof *tries);
    if (!tries)
        return false;
    kept->tries = tries;
    tries[kept->tried++] = (struct wcts_try){.finding = result->finding, .stored = result->stored};
    result->finding = (struct wcts_finding){0};
    result->stored = (struct wcts_stored){0};
    return true;
}

/* Keeps the finding and the record of an attempt and ends the worker: the next attempt, and the
 * cases after it, get fresh memory. False if the attempt is the last one. Owns the result from then
 * on. */
static bool try_again(const struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                      const struct wcts_case *test, struct wcts_run_pool_pending *pending,
                      struct wcts_result *result)
{
    struct wcts_result *kept = &pending->result;
    if (kept->tried >= pool->options->asked->retries ||
        !is_to_be_tried_again(pool, test, &result->finding) || !keep_try(kept, result))
        return false;
    wcts_model_result_release(result);
    if (slot->worker.pid != 0)
        wcts_run_worker_stop(&slot->worker);
    return true;
}

int wcts_run_pool_made(const struct wcts_run_pool_pending *pending)
{
    int made = 0;
    for (int i = 0; !pending->done && i < pending->result.tried; i++)
        made += pending->result.tries[i].times;
    return made;
}

/* True if the case does not fail, at any level that matters. */
static bool is_good(const struct wcts_run_pool *pool, const struct wcts_case *test,
                    const struct wcts_finding *finding)
{
    return !is_to_be_tried_again(pool, test, finding) &&
           wcts_model_finding_at(finding, pool->options->asked->level)->found == WCTS_FOUND_KEPT;
}

/* Takes the finding of a repetition from those that were counted and makes it the result's: one
 * that does not fail, or else the first. */
static void choose_repeated(const struct wcts_run_pool *pool, const struct wcts_case *test,
                            struct wcts_result *kept, struct wcts_result *result)
{
    int chosen = 0;
    for (int i = kept->tried - 1; i >= 0; i--)
        if (is_good(pool, test, &kept->tries[i].finding))
            chosen = i;
    const struct wcts_try one = kept->tries[chosen];
    kept->tried--;
    memmove(&kept->tries[chosen], &kept->tries[chosen + 1],
            (size_t)(kept->tried - chosen) * sizeof *kept->tries);
    result->finding = one.finding;
    result->stored = one.stored;
    result->times = one.times;
}

/* Counts a repetition. True if it was not the last; else the result is that of all. Unlike with
 * --retries the worker goes on: state that it keeps is what repetitions may differ by. */
static bool take_repetition(const struct wcts_run_pool *pool, const struct wcts_case *test,
                            struct wcts_run_pool_pending *pending, struct wcts_result *result)
{
    struct wcts_result *kept = &pending->result;
    int known = 0;
    while (known < kept->tried &&
           !wcts_model_finding_same(&kept->tries[known].finding, &result->finding))
        known++;
    if (known == kept->tried) {
        if (!keep_try(kept, result))
            return false;
    } else {
        wcts_model_finding_release(&result->finding);
        free(result->stored.bytes);
        result->finding = (struct wcts_finding){0};
        result->stored = (struct wcts_stored){0};
    }
    kept->tries[known].times++;
    kept->ended = kept->ended || result->ended;
    if (wcts_run_pool_made(pending) < pool->options->asked->repeat) {
        wcts_model_result_release(result);
        return true;
    }
    result->ended = kept->ended;
    choose_repeated(pool, test, kept, result);
    return false;
}

/* Notes that a case that seemed to hang, or was killed, survives on its own. */
static void note_unrepeated(const struct wcts_run_pool *pool, const struct wcts_case *test,
                            const struct wcts_run_pool_pending *pending,
                            const struct wcts_result *result)
{
    struct wcts_run_unrepeated *unrepeated = pool->options->unrepeated;
    enum wcts_found found = wcts_model_finding_last(&result->finding)->found;
    if (!unrepeated || !pending->alone || found == WCTS_FOUND_CRASH || found == WCTS_FOUND_HANG)
        return;
    if (unrepeated->count++ == 0)
        snprintf(unrepeated->first, sizeof unrepeated->first, "%s in %s", test->id,
                 wcts_exchange_activity_name(pending->seemed_in));
}

void wcts_run_pool_settle(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                          struct wcts_result *result, char *output, bool ran)
{
    struct wcts_run_pool_pending *pending = &pool->ring[slot->next % WCTS_POOL_WINDOW];
    struct wcts_case made;
    const struct wcts_case *test = wcts_run_pool_case_at(pool, slot, &made);
    struct wcts_exchange_deadly *deadly = &slot->worker.deadly;
    if (output) {
        free(pending->output);
        pending->output = output;
    }
    if (ran && pool->options->history &&
        wcts_judge_verdict_is_retried(wcts_judge_finding_verdict(
            pool->options->plan, test,
            wcts_model_finding_at(&result->finding, pool->options->asked->level),
            pool->options->asked->level)))
        wcts_run_history_failed(pool->options->history, test->index, slot->life);
    bool repeats = ran && pool->options->asked->repeat > 0;
    if (repeats ? !take_repetition(pool, test, pending, result)
                : !try_again(pool, slot, test, pending, result)) {
        result->ended = result->ended || deadly->count > 0;
        result->ended_in = deadly->count > 0 ? deadly->of[deadly->count - 1].operation
                           : result->ended   ? activity_of(slot)
                                             : WCTS_ACTIVITY_NONE;
        if (pool->deaths && result->finding.skip != WCTS_SKIP_NOT_TRIED)
            wcts_run_deaths_note(pool->deaths, test, result, result->ended_in);
        note_unrepeated(pool, test, pending, result);
        if (result->finding.skip != WCTS_SKIP_NOT_TRIED)
            wcts_run_pool_canary_note(pool, slot, result);
        result->tries = pending->result.tries;
        result->tried = pending->result.tried;
        pending->result = *result;
        pending->done = true;
        wcts_judge_result_read(pool->options->plan, test, pool->options->asked, &pending->result);
        slot->next++;
    }
    deadly->count = 0;
    deadly->alone = false;
    wcts_run_pool_drop_pieces(slot); /* if the case got no result */
    slot->idle_deaths = 0;
    wcts_run_pool_begin_case(slot);
}

void wcts_run_pool_pass_over(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    struct wcts_result result = {0};
    struct wcts_case made;
    while (wcts_run_pool_is_busy(slot) &&
           wcts_run_not_asked(pool->options->plan, wcts_run_pool_case_at(pool, slot, &made),
                              pool->claims, &result)) {
        wcts_run_pool_settle(pool, slot, &result, NULL, false);
        result = (struct wcts_result){0};
    }
}

void wcts_run_pool_pending_release(struct wcts_run_pool_pending *pending)
{
    wcts_model_result_release(&pending->result);
    free(pending->output);
    memset(pending, 0, sizeof *pending);
}

void wcts_run_pool_hand_on(struct wcts_run_pool *pool)
{
    const struct wcts_plan *plan = pool->options->plan;
    while (!pool->stopped && pool->handed < pool->assigned) {
        struct wcts_run_pool_pending *pending = &pool->ring[pool->handed % WCTS_POOL_WINDOW];
        if (!pending->done)
            return;
        struct wcts_case made;
        const struct wcts_case *test =
            wcts_plan_case(plan, pool->options->selected[pool->handed++], &made);
        if (wcts_judge_once(&pool->once, test, &pending->result))
            wcts_judge_result_read(plan, test, pool->options->asked, &pending->result);
        if (!pool->each(pool->ctx, test, &pending->result, pending->output ? pending->output : ""))
            pool->stopped = true;
        wcts_run_pool_pending_release(pending);
    }
}

/* ---- workers that end, hang or lie ---- */

void wcts_run_pool_name_part(const struct wcts_run_pool_slot *slot, char *what, size_t room)
{
    const struct wcts_run_worker_page *page = slot->worker.page;
    uint32_t expected = atomic_load(&page->expected);
    size_t used = strlen(what);
    if (expected != 0 && used < room)
        snprintf(what + used, room - used, ", received %u of %u bytes of a message",
                 atomic_load(&page->received), expected);
}

/* "killed by SIGSEGV in KERNEL_LOCK": the operation is part of the signature of a death. */
static void put_operation_name(const struct wcts_run_pool_slot *slot, char *what, size_t room)
{
    size_t used = strlen(what);
    if (wcts_run_worker_is_remote(&slot->worker) && atomic_load(&slot->worker.page->loading) &&
        used < room)
        snprintf(what + used, room - used,
                 " to HELLO (what serves fewer connections than there are workers has to say so)");
    if (activity_of(slot) != WCTS_ACTIVITY_NONE && used < room)
        snprintf(what + used, room - used, " in %s",
                 wcts_exchange_activity_name(activity_of(slot)));
}

/* The value of a sweep with which it ends, plus 1: the first one that was noted or, if there is
 * none, the one that was being sent; 0: none. */
static uint64_t slot_value(const struct wcts_run_pool_slot *slot)
{
    const struct wcts_exchange_deadly *deadly = &slot->worker.deadly;
    return deadly->count > 0 ? deadly->of[0].value + 1
                             : atomic_load(&slot->worker.page->pulse.value);
}

/* "killed by SIGSEGV in KERNEL_X for 0x82": the value of a sweep, with which a call alone shows it.
 */
static void name_value(const struct wcts_run_pool_slot *slot, char *what, size_t room)
{
    const struct wcts_exchange_deadly *deadly = &slot->worker.deadly;
    size_t used;
    if (deadly->count > 0)
        snprintf(what, room, "%s", deadly->of[0].what);
    used = strlen(what);
    if (slot_value(slot) != 0 && used < room)
        snprintf(what + used, room - used, " for 0x%" PRIx64, slot_value(slot) - 1);
}

/* The last calls and, of a sweep, the one in which it ended. */
static char *detail_of(const struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot)
{
    const struct wcts_exchange_pulse *pulse = &slot->worker.page->pulse;
    uint64_t value = slot_value(slot);
    char *trail = wcts_exchange_pulse_trail(pulse), *detail = NULL;
    struct wcts_case made;
    if (value == 0 || wcts_run_pool_case_at(pool, slot, &made)->kind != WCTS_KIND_SWEEP ||
        asprintf(&detail, "a sweep:\n" WCTS_ONE_CALL "%s/0x%" PRIx64 "\n%s", made.id, value - 1,
                 trail ? trail : "") < 0)
        return trail;
    free(trail);
    return detail;
}

/* A value of a sweep that the worker did not survive is noted, and the sweep made again without it.
 * False if that is not what it died of, or too much was noted already. */
static bool goes_on_without(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot, bool hung,
                            const char *what)
{
    uint64_t value = atomic_load(&slot->worker.page->pulse.value);
    struct wcts_exchange_deadly *deadly = &slot->worker.deadly;
    bool many = value == WCTS_VALUE_MANY && !deadly->alone;
    struct wcts_case made;
    if (value == 0 || wcts_run_pool_case_at(pool, slot, &made)->kind != WCTS_KIND_SWEEP)
        return false;
    if (!many && !wcts_run_fates_add(deadly, value - 1, hung, activity_of(slot), what))
        return false;
    deadly->alone = true; /* which of many values it was shows when each is sent alone */
    slot->worker.deadly_at = (uint32_t)slot->next;
    if (slot->worker.pid != 0)
        wcts_run_worker_stop(&slot->worker);
    wcts_run_pool_drop_pieces(slot);
    return true;
}

/* Settles the case that ends with the worker. Findings at some levels that arrived before count.
 * Owns the finding from then on. */
static void settle_ended(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                         struct wcts_finding *finding, double since, uint64_t output_start)
{
    struct wcts_result result = {.ended = true};
    unsigned known = 0;
    for (const struct wcts_finding *one = &slot->found; one; one = one->next)
        known |= one->levels;
    if (known == WCTS_LEVELS_ALL) { /* and it still ran on: nothing is settled */
        wcts_model_finding_release(&slot->found);
        known = 0;
    }
    result.finding = slot->found;
    slot->found = (struct wcts_finding){0};
    if (finding->found != WCTS_FOUND_KEPT)
        finding->detail = detail_of(pool, slot);
    finding->levels = WCTS_LEVELS_ALL & ~known;
    wcts_model_finding_add(&result.finding, finding);
    result.nanoseconds = (uint64_t)((wcts_run_watch_now() - since) * 1e9);
    wcts_run_pool_settle(pool, slot, &result, output_of(slot, output_start, UINT64_MAX), true);
}

/* Stops the worker and settles the case that it was running, with a reason. */
static void end_case(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                     enum wcts_found found, const char *reason)
{
    struct wcts_finding finding = {0};
    uint64_t start = atomic_load(&slot->worker.page->output_start);

    if (slot->worker.pid != 0)
        wcts_run_worker_stop(&slot->worker);
    wcts_model_finding_set(&finding, found, "%s", reason);
    settle_ended(pool, slot, &finding, slot->since, start);
}

void wcts_run_pool_expel(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                         const char *reason)
{
    if (wcts_run_pool_is_busy(slot))
        end_case(pool, slot, WCTS_FOUND_CRASH, reason);
    else
        wcts_run_worker_stop(&slot->worker);
    slot->retiring = false;
}

/* A silence beside other workers proves nothing: the case runs again, on its own, unless hangs of
 * that sort are known. */
static void on_hang(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                    enum wcts_run_watched watched)
{
    struct wcts_run_pool_pending *pending = &pool->ring[slot->next % WCTS_POOL_WINDOW];
    struct wcts_case made;
    const struct wcts_case *test = wcts_run_pool_case_at(pool, slot, &made);
    char reason[160];
    bool loops = watched != WCTS_WATCH_SILENT &&
                 wcts_run_watch_may_loop(&slot->watch, pool->options->asked->timeout);
    if (loops)
        pool->looped_in = activity_of(slot);
    if (pending->alone || loops ||
        (pool->deaths && wcts_run_deaths_hangs(pool->deaths, test, activity_of(slot)))) {
        /* Loops in one operation have one cause, however long the first of them was watched. */
        wcts_run_watch_reason(loops ? WCTS_WATCH_LOOPS : watched, pool->options->asked->timeout,
                              reason, sizeof reason);
        wcts_run_pool_name_part(slot, reason, sizeof reason);
        put_operation_name(slot, reason, sizeof reason);
        /* Endless is the sweep and not the value. */
        if (watched != WCTS_WATCH_ENDLESS && goes_on_without(pool, slot, true, reason))
            return;
        name_value(slot, reason, sizeof reason);
        end_case(pool, slot, WCTS_FOUND_HANG, reason);
        return;
    }
    pending->alone = true;
    pending->seemed_in = activity_of(slot);
    wcts_run_worker_stop(&slot->worker);
    wcts_run_pool_drop_pieces(slot);
}

/* SIGKILL may come from anybody, for example from a kernel that is short of memory. The case runs
 * again, on its own, before its death counts. */
static bool may_be_innocent(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot, int status)
{
    struct wcts_run_pool_pending *pending = &pool->ring[slot->next % WCTS_POOL_WINDOW];
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL || pending->alone)
        return false;
    pending->alone = true;
    pending->seemed_in = activity_of(slot);
    wcts_run_pool_drop_pieces(slot);
    return true;
}

void wcts_run_pool_bury(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    char what[WCTS_RUN_WHY_ROOM + 160];
    bool blameless = slot->retiring || !wcts_run_pool_is_busy(slot);
    bool idle = atomic_load(&slot->worker.page->at) != (uint32_t)slot->next + 1;
    uint64_t start = atomic_load(&slot->worker.page->output_start);
    bool in_call = atomic_load(&slot->worker.page->pulse.in_call) != 0;
    double since = slot->since;

    int status = wcts_run_pool_end_worker(slot, what, sizeof what);
    slot->retiring = false;
    if (wcts_run_pool_give_up_on(pool, slot, status))
        return;
    if (blameless || (idle && slot->idle_deaths++ < IDLE_DEATHS_MAX))
        return;

    if (may_be_innocent(pool, slot, status))
        return;

    struct wcts_finding finding = {0};
    if (atomic_load(&slot->worker.page->loading)) {
        wcts_model_finding_set(&finding, WCTS_FOUND_CRASH, "%s while it was loaded", what);
    } else {
        put_operation_name(slot, what, sizeof what);
        if (goes_on_without(pool, slot, false, what))
            return;
        name_value(slot, what, sizeof what);
        wcts_judge_death(wcts_run_pool_case_at(pool, slot, &(struct wcts_case){.index = 0}),
                         in_call, what, &finding);
    }
    settle_ended(pool, slot, &finding, since, start);
}

/* ---- packets ---- */

/* Moves the pieces to the result that completes them. */
static void take_stored(struct wcts_run_pool_slot *slot, uint32_t kept, struct wcts_result *result)
{
    if (!wcts_model_is_stored(kept))
        wcts_run_pool_drop_pieces(slot);
    result->stored = slot->stored;
    if (kept == WCTS_STORED_CUT)
        result->stored.kept = WCTS_STORED_CUT;
    slot->stored = (struct wcts_stored){0};
}

/* Data that cannot be kept is not garbage. */
static bool is_short_of_memory(struct wcts_run_pool *pool)
{
    if (errno == ENOMEM)
        wcts_run_pool_give_up(pool, "out of memory");
    return errno == ENOMEM;
}

/* One before each run of a case but the first, and again before its result: one for each level. */
#define FINDINGS_MAX 4

/* False if the packet is not one that may come now. */
static bool on_packet(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    const struct wcts_run_packet_head *head = &pool->packet.head;
    struct wcts_result result = {0};
    struct wcts_finding finding;
    char *output = NULL;

    if (!wcts_run_pool_is_busy(slot) || slot->retiring || head->position != (uint32_t)slot->next ||
        head->index != (uint32_t)pool->options->selected[slot->next])
        return false;
    errno = 0;
    if (head->kind == WCTS_PACKET_STORED)
        return wcts_run_packet_add_stored(&pool->packet, &slot->stored) || is_short_of_memory(pool);
    if (head->kind == WCTS_PACKET_FINDING) {
        if (slot->found_count++ == FINDINGS_MAX)
            return false;
        wcts_run_watch_begin(&slot->watch); /* the case runs again */
        return (wcts_run_packet_finding(&pool->packet, &finding) &&
                wcts_model_finding_add(&slot->found, &finding)) ||
               is_short_of_memory(pool);
    }
    if ((head->stored_size && !wcts_run_packet_add_stored(&pool->packet, &slot->stored)) ||
        !wcts_run_packet_result(&pool->packet, &result))
        return is_short_of_memory(pool);
    if (!wcts_model_finding_add(&slot->found, &result.finding))
        return is_short_of_memory(pool);
    result.finding = slot->found;
    slot->found = (struct wcts_finding){0};
    take_stored(slot, head->stored_kept, &result);
    if (result.finding.next || result.finding.found != WCTS_FOUND_KEPT)
        output = output_of(slot, head->output_start, head->output_end);
    wcts_run_pool_settle(pool, slot, &result, output, true);
    wcts_run_pool_pass_over(pool, slot);
    slot->retiring = head->retiring != 0 && slot->worker.pid != 0;
    return true;
}

enum wcts_run_receive wcts_run_pool_drain(struct wcts_run_pool *pool,
                                          struct wcts_run_pool_slot *slot)
{
    enum wcts_run_receive got;
    do {
        got = wcts_run_packet_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_FAILED)
            wcts_run_pool_give_up(pool, strerror(errno));
        if (got == WCTS_RECEIVE_PACKET && !on_packet(pool, slot))
            got = WCTS_RECEIVE_GARBAGE;
        if (slot->worker.pid == 0 || pool->stopped) /* ended, to try the case again */
            return WCTS_RECEIVE_NOTHING;
    } while (got == WCTS_RECEIVE_PACKET);
    return got;
}

void wcts_run_pool_check_time(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    enum wcts_run_watched watched;
    if (!wcts_run_pool_is_busy(slot))
        return;
    if (wcts_run_worker_is_waiting(&slot->worker)) {
        wcts_run_watch_begin(&slot->watch);
        return;
    }
    watched =
        wcts_run_watch_look(&slot->watch, slot->worker.pid, wcts_run_worker_progress(&slot->worker),
                            pool->options->asked->timeout);
    if (watched == WCTS_WATCH_ALIVE && pool->looped_in != WCTS_ACTIVITY_NONE &&
        pool->looped_in == activity_of(slot) &&
        wcts_run_watch_may_loop(&slot->watch, pool->options->asked->timeout))
        watched = WCTS_WATCH_LOOPS;
    if (watched != WCTS_WATCH_ALIVE && slot->closed)
        wcts_run_pool_expel(pool, slot, "closed file descriptors that it does not own");
    else if (watched != WCTS_WATCH_ALIVE)
        on_hang(pool, slot, watched);
}
