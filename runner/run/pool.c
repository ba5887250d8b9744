/* SPDX-License-Identifier: MIT */
/*
 * Positions are indices in options->selected. Each slot has at most one batch, [next, end), and a
 * worker that may be replaced before the batch is done: whatever happens, it happens to the case at
 * next. Results wait in a ring for their turn; a batch is assigned only if it fits into the ring,
 * so memory does not grow with the plan.
 */
#include "pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/path.h"
#include "../base/text.h"
#include "../judge/judge.h"
#include "../plan/plan.h"
#include "capture.h"
#include "deaths.h"
#include "orphans.h"
#include "stop.h"
#include "watch.h"
#include "worker.h"

#define WINDOW 4096
#define BATCH_MAX 64
#define NAP_NS 500000
/* How often a worker that ends between two cases is replaced before the next case is blamed. */
#define IDLE_DEATHS_MAX 3

struct slot {
    struct wcts_worker worker; /* pid 0: none */
    int next, end;             /* the rest of its batch */
    int sent;                  /* positions before it were sent to the worker */
    bool retiring;
    bool closed;               /* True if the worker's channel is closed while it lives on */
    struct wcts_stored stored; /* the pieces so far, of the case at next */
    struct wcts_finding found; /* of that case, at some levels, before it ran at others */
    int found_count;           /* packets with such findings */
    struct wcts_watch watch;
    double since; /* when the case at next began */
    int idle_deaths;
};

struct pending {
    bool done;
    bool alone;                /* True if it seemed to hang: only a run on its own counts */
    uint32_t seemed_in;        /* alone: the operation, or other activity, in which it seemed so */
    struct wcts_result result; /* before it is done: the attempts so far */
    char *output;              /* of the last attempt that failed */
};

struct pool {
    const struct wcts_pool_options *options;
    const struct wcts_claims *claims;
    wcts_pool_result_fn *each;
    void *ctx;
    struct slot *slots;
    int slot_count;
    struct wcts_deaths *deaths; /* NULL: every case is tried */
    uint32_t looped_in;         /* the operation in which a case did not end last; 0: none */
    struct pending *ring;       /* WINDOW of them, by position modulo WINDOW */
    int handed;                 /* positions before it are done with */
    int assigned;               /* positions before it were assigned */
    int batch;
    int signals;  /* signalfd */
    int dumpable; /* of the runner, before */
    sigset_t old_mask;
    bool stopped;
    char *error;
    size_t room;
    struct wcts_packet packet;
    struct wcts_refusals refusals; /* versions at which the first worker died in open() */
};

static bool busy(const struct slot *slot)
{
    return slot->next < slot->end;
}

/* Makes the case at next; returns it. */
static const struct wcts_case *case_at(const struct pool *pool, const struct slot *slot,
                                       struct wcts_case *test)
{
    return wcts_plan_case(pool->options->plan, pool->options->selected[slot->next], test);
}

/* ---- results ---- */

/* True if another attempt may change the verdict, at some level that matters. */
static bool is_to_be_tried_again(const struct pool *pool, const struct wcts_case *test,
                                 const struct wcts_finding *finding)
{
    const struct wcts_pool_options *options = pool->options;
    for (enum wcts_level level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++)
        if ((!options->levels || options->levels & wcts_level_bit(level)) &&
            wcts_judge_verdict_is_retried(wcts_judge_finding_verdict(
                options->plan, test, wcts_model_finding_at(finding, level), level)))
            return true;
    return false;
}

/* Keeps the finding and the record of an attempt and ends the worker: the next attempt, and the
 * cases after it, get fresh memory. False if the attempt is the last one. Owns the result from then
 * on. */
static bool try_again(const struct pool *pool, struct slot *slot, const struct wcts_case *test,
                      struct pending *pending, struct wcts_result *result)
{
    struct wcts_result *kept = &pending->result;
    struct wcts_try *tries;
    if (kept->tried >= pool->options->asked->retries ||
        !is_to_be_tried_again(pool, test, &result->finding))
        return false;
    tries = reallocarray(kept->tries, (size_t)kept->tried + 1, sizeof *tries);
    if (!tries)
        return false;
    kept->tries = tries;
    tries[kept->tried++] = (struct wcts_try){.finding = result->finding, .stored = result->stored};
    result->finding = (struct wcts_finding){0};
    result->stored = (struct wcts_stored){0};
    wcts_model_result_release(result);
    if (slot->worker.pid != 0)
        wcts_worker_stop(&slot->worker);
    return true;
}

/* Drops what a case has sent before its result. */
static void drop_pieces(struct slot *slot)
{
    free(slot->stored.bytes);
    slot->stored = (struct wcts_stored){0};
    wcts_model_finding_release(&slot->found);
    slot->found_count = 0;
}

static void begin_case(struct slot *slot)
{
    slot->since = wcts_run_watch_now();
    wcts_run_watch_begin(&slot->watch);
}

static uint32_t activity_of(const struct slot *slot)
{
    return atomic_load(&slot->worker.page->pulse.operation);
}

/* Notes that a case that seemed to hang, or was killed, survives on its own. */
static void note_unrepeated(const struct pool *pool, const struct wcts_case *test,
                            const struct pending *pending, const struct wcts_result *result)
{
    struct wcts_unrepeated *unrepeated = pool->options->unrepeated;
    enum wcts_found found = wcts_model_finding_last(&result->finding)->found;
    if (!unrepeated || !pending->alone || found == WCTS_FOUND_CRASH || found == WCTS_FOUND_HANG)
        return;
    if (unrepeated->count++ == 0)
        snprintf(unrepeated->first, sizeof unrepeated->first, "%s in %s", test->id,
                 wcts_exchange_activity_name(pending->seemed_in));
}

/* Settles the case at next with a result, which it owns from then on; output may be NULL. */
static void settle(struct pool *pool, struct slot *slot, struct wcts_result *result, char *output)
{
    struct pending *pending = &pool->ring[slot->next % WINDOW];
    struct wcts_case made;
    const struct wcts_case *test = case_at(pool, slot, &made);
    if (output) {
        free(pending->output);
        pending->output = output;
    }
    if (!try_again(pool, slot, test, pending, result)) {
        if (pool->deaths && result->finding.skip != WCTS_SKIP_NOT_TRIED)
            wcts_run_deaths_note(pool->deaths, test, result, activity_of(slot));
        note_unrepeated(pool, test, pending, result);
        result->tries = pending->result.tries;
        result->tried = pending->result.tried;
        pending->result = *result;
        pending->done = true;
        wcts_judge_result_read(pool->options->plan, test, pool->options->asked, &pending->result);
        slot->next++;
    }
    drop_pieces(slot); /* if the case got no result */
    slot->idle_deaths = 0;
    begin_case(slot);
}

static void pending_release(struct pending *pending)
{
    wcts_model_result_release(&pending->result);
    free(pending->output);
    memset(pending, 0, sizeof *pending);
}

static void hand_on(struct pool *pool)
{
    const struct wcts_plan *plan = pool->options->plan;
    while (!pool->stopped && pool->handed < pool->assigned) {
        struct pending *pending = &pool->ring[pool->handed % WINDOW];
        if (!pending->done)
            return;
        int index = pool->options->selected[pool->handed++];
        if (!pool->each(pool->ctx, WCTS_PLAN_CASE(plan, index), &pending->result,
                        pending->output ? pending->output : ""))
            pool->stopped = true;
        pending_release(pending);
    }
}

static char *output_of(const struct slot *slot, uint64_t start, uint64_t end)
{
    return slot->worker.output >= 0 ? wcts_capture_tail(slot->worker.output, start, end) : NULL;
}

/* ---- workers that end, hang or lie ---- */

/* "killed by SIGSEGV in KERNEL_LOCK": the operation is part of the signature of a death. */
static void name_operation(const struct slot *slot, char *what, size_t room)
{
    size_t used = strlen(what);
    if (activity_of(slot) != WCTS_ACTIVITY_NONE && used < room)
        snprintf(what + used, room - used, " in %s",
                 wcts_exchange_activity_name(activity_of(slot)));
}

/* Stops a worker that has ended by itself, and describes its end. Returns its wait status. */
static int end_worker(struct slot *slot, char *what, size_t room)
{
    const struct wcts_pulse *pulse = &slot->worker.page->pulse;
    unsigned beyond = atomic_load(&pulse->beyond);
    int status = wcts_worker_stop(&slot->worker);
    wcts_worker_death(status, what, room);
    if (beyond != 0)
        snprintf(what, room, "went %s the %s of %u bytes",
                 beyond & WCTS_BEYOND_BELOW ? "below" : "beyond",
                 beyond & WCTS_BEYOND_REQUEST ? "request" : "reply room",
                 atomic_load(&pulse->beyond_bytes));
    return status;
}

/* Settles the case that ends with the worker. Findings at some levels that arrived before count.
 * Owns the finding from then on. */
static void settle_ended(struct pool *pool, struct slot *slot, struct wcts_finding *finding,
                         double since, uint64_t output_start)
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
        finding->detail = wcts_exchange_pulse_trail(&slot->worker.page->pulse);
    finding->levels = WCTS_LEVELS_ALL & ~known;
    wcts_model_finding_add(&result.finding, finding);
    result.nanoseconds = (uint64_t)((wcts_run_watch_now() - since) * 1e9);
    settle(pool, slot, &result, output_of(slot, output_start, UINT64_MAX));
}

/* Stops the worker and settles the case that it was running, with a reason. */
static void end_case(struct pool *pool, struct slot *slot, enum wcts_found found,
                     const char *reason)
{
    struct wcts_finding finding = {0};
    uint64_t start = atomic_load(&slot->worker.page->output_start);

    if (slot->worker.pid != 0)
        wcts_worker_stop(&slot->worker);
    wcts_model_finding_set(&finding, found, "%s", reason);
    settle_ended(pool, slot, &finding, slot->since, start);
}

/* Stops a worker that breaks the protocol. */
static void expel(struct pool *pool, struct slot *slot, const char *reason)
{
    if (busy(slot))
        end_case(pool, slot, WCTS_FOUND_CRASH, reason);
    else
        wcts_worker_stop(&slot->worker);
    slot->retiring = false;
}

/* A silence beside other workers proves nothing: the case runs again, on its own, unless hangs of
 * that sort are known. */
static void on_hang(struct pool *pool, struct slot *slot, enum wcts_watched watched)
{
    struct pending *pending = &pool->ring[slot->next % WINDOW];
    struct wcts_case made;
    const struct wcts_case *test = case_at(pool, slot, &made);
    char reason[160];
    bool loops = watched != WCTS_WATCH_SILENT &&
                 wcts_run_watch_may_loop(&slot->watch, pool->options->asked->timeout);
    if (loops)
        pool->looped_in = activity_of(slot);
    if (pending->alone || loops ||
        (pool->deaths && wcts_run_deaths_hangs(pool->deaths, test, activity_of(slot)))) {
        wcts_run_watch_reason(watched, pool->options->asked->timeout, reason, sizeof reason);
        name_operation(slot, reason, sizeof reason);
        end_case(pool, slot, WCTS_FOUND_HANG, reason);
        return;
    }
    pending->alone = true;
    pending->seemed_in = activity_of(slot);
    wcts_worker_stop(&slot->worker);
    drop_pieces(slot);
}

/* Ends the run for a reason that is not the implementation's fault. */
static void give_up(struct pool *pool, const char *reason)
{
    snprintf(pool->error, pool->room, "%s", reason);
    pool->stopped = true;
}

/* True if the worker ended by no fault of the implementation; ends the run. */
static bool give_up_on(struct pool *pool, const struct slot *slot, int status)
{
    const char *trouble = wcts_worker_trouble(&slot->worker, status);
    char reason[160];
    if (!trouble)
        return false;
    snprintf(reason, sizeof reason, "a worker cannot go on: %s", trouble);
    give_up(pool, reason);
    return true;
}

/* SIGKILL may come from anybody, for example from a kernel that is short of memory. The case runs
 * again, on its own, before its death counts. */
static bool may_be_innocent(struct pool *pool, struct slot *slot, int status)
{
    struct pending *pending = &pool->ring[slot->next % WINDOW];
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL || pending->alone)
        return false;
    pending->alone = true;
    pending->seemed_in = activity_of(slot);
    drop_pieces(slot);
    return true;
}

/* Handles a worker that has ended by itself, after all that it sent has been read. */
static void bury(struct pool *pool, struct slot *slot)
{
    char what[160];
    bool blameless = slot->retiring || !busy(slot);
    bool idle = atomic_load(&slot->worker.page->at) != (uint32_t)slot->next + 1;
    uint64_t start = atomic_load(&slot->worker.page->output_start);
    bool in_call = atomic_load(&slot->worker.page->pulse.in_call) != 0;
    double since = slot->since;

    int status = end_worker(slot, what, sizeof what);
    slot->retiring = false;
    if (give_up_on(pool, slot, status))
        return;
    if (blameless || (idle && slot->idle_deaths++ < IDLE_DEATHS_MAX))
        return;

    if (may_be_innocent(pool, slot, status))
        return;

    struct wcts_finding finding = {0};
    if (atomic_load(&slot->worker.page->loading)) {
        wcts_model_finding_set(&finding, WCTS_FOUND_CRASH, "%s while it was loaded", what);
    } else {
        name_operation(slot, what, sizeof what);
        wcts_judge_death(case_at(pool, slot, &(struct wcts_case){.index = 0}), in_call, what,
                         &finding);
    }
    settle_ended(pool, slot, &finding, since, start);
}

/* ---- packets ---- */

/* Moves the pieces to the result that completes them. */
static void take_stored(struct slot *slot, uint32_t kept, struct wcts_result *result)
{
    if (!wcts_model_is_stored(kept))
        drop_pieces(slot);
    result->stored = slot->stored;
    if (kept == WCTS_STORED_CUT)
        result->stored.kept = WCTS_STORED_CUT;
    slot->stored = (struct wcts_stored){0};
}

/* Data that cannot be kept is not garbage. */
static bool is_short_of_memory(struct pool *pool)
{
    if (errno == ENOMEM)
        give_up(pool, "out of memory");
    return errno == ENOMEM;
}

/* One before each run of a case but the first, and again before its result: one for each level. */
#define FINDINGS_MAX 4

/* False if the packet is not one that may come now. */
static bool on_packet(struct pool *pool, struct slot *slot)
{
    const struct wcts_packet_head *head = &pool->packet.head;
    struct wcts_result result = {0};
    struct wcts_finding finding;
    char *output = NULL;

    if (!busy(slot) || slot->retiring || head->position != (uint32_t)slot->next ||
        head->index != (uint32_t)pool->options->selected[slot->next])
        return false;
    errno = 0;
    if (head->kind == WCTS_PACKET_STORED)
        return wcts_packet_add_stored(&pool->packet, &slot->stored) || is_short_of_memory(pool);
    if (head->kind == WCTS_PACKET_FINDING) {
        if (slot->found_count++ == FINDINGS_MAX)
            return false;
        wcts_run_watch_begin(&slot->watch); /* the case runs again */
        return (wcts_packet_finding(&pool->packet, &finding) &&
                wcts_model_finding_add(&slot->found, &finding)) ||
               is_short_of_memory(pool);
    }
    if ((head->stored_size && !wcts_packet_add_stored(&pool->packet, &slot->stored)) ||
        !wcts_packet_result(&pool->packet, &result))
        return is_short_of_memory(pool);
    if (!wcts_model_finding_add(&slot->found, &result.finding))
        return is_short_of_memory(pool);
    result.finding = slot->found;
    slot->found = (struct wcts_finding){0};
    take_stored(slot, head->stored_kept, &result);
    if (result.finding.next || result.finding.found != WCTS_FOUND_KEPT)
        output = output_of(slot, head->output_start, head->output_end);
    settle(pool, slot, &result, output);
    slot->retiring = head->retiring != 0 && slot->worker.pid != 0;
    return true;
}

/* Reads what the worker has sent; NOTHING: no more for now. */
static enum wcts_receive drain(struct pool *pool, struct slot *slot)
{
    enum wcts_receive got;
    do {
        got = wcts_packet_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_FAILED)
            give_up(pool, strerror(errno));
        if (got == WCTS_RECEIVE_PACKET && !on_packet(pool, slot))
            got = WCTS_RECEIVE_GARBAGE;
        if (slot->worker.pid == 0 || pool->stopped) /* ended, to try the case again */
            return WCTS_RECEIVE_NOTHING;
    } while (got == WCTS_RECEIVE_PACKET);
    return got;
}

/* A worker whose channel is closed is mostly about to end; but the plug-in may also have closed it
 * under a worker that lives on, and then nothing more arrives. */
static void check_time(struct pool *pool, struct slot *slot)
{
    enum wcts_watched watched;
    if (!busy(slot))
        return;
    watched =
        wcts_run_watch_look(&slot->watch, slot->worker.pid, wcts_worker_progress(&slot->worker),
                            pool->options->asked->timeout);
    if (watched == WCTS_WATCH_ALIVE && pool->looped_in != WCTS_ACTIVITY_NONE &&
        pool->looped_in == activity_of(slot) &&
        wcts_run_watch_may_loop(&slot->watch, pool->options->asked->timeout))
        watched = WCTS_WATCH_LOOPS;
    if (watched != WCTS_WATCH_ALIVE && slot->closed)
        expel(pool, slot, "closed file descriptors that it does not own");
    else if (watched != WCTS_WATCH_ALIVE)
        on_hang(pool, slot, watched);
}

/* ---- work ---- */

static bool start_worker(struct pool *pool, struct slot *slot)
{
    if (!wcts_worker_start(&slot->worker)) {
        snprintf(pool->error, pool->room, "cannot start a worker: %s", strerror(errno));
        pool->stopped = true;
        return false;
    }
    drop_pieces(slot);
    slot->closed = false;
    return true;
}

/* Sends the worker so many cases, and starts one if there is none. */
static void send_batch(struct pool *pool, struct slot *slot, int count)
{
    struct wcts_batch batch = {(uint32_t)slot->next, (uint32_t)count};
    if (slot->worker.pid == 0 && !start_worker(pool, slot))
        return;
    slot->sent = slot->next + count;
    begin_case(slot);
    /* If it cannot be sent the worker has mostly ended: poll() will report that. */
    if (send(slot->worker.channel, &batch, sizeof batch, MSG_NOSIGNAL) < 0 &&
        wcts_packet_is_own_trouble(errno))
        give_up(pool, strerror(errno));
}

static bool at_work(const struct slot *slot)
{
    return slot->worker.pid != 0 && busy(slot) && slot->next < slot->sent;
}

/* Runs a case that must run on its own, once the other workers are idle. False if there is none. */
static bool assign_alone(struct pool *pool)
{
    struct slot *alone = NULL;
    bool idle = true;
    for (int i = 0; i < pool->slot_count; i++) {
        struct slot *slot = &pool->slots[i];
        idle = idle && !at_work(slot);
        if (!alone && busy(slot) && pool->ring[slot->next % WINDOW].alone)
            alone = slot;
    }
    if (alone && idle)
        send_batch(pool, alone, 1);
    return alone != NULL;
}

/* The next cases of the plan; false if there are none, or no room for their results. */
static bool take_batch(struct pool *pool, struct slot *slot)
{
    int count = pool->options->selected_count - pool->assigned;
    if (count > pool->batch)
        count = pool->batch;
    if (count == 0 || pool->assigned + count > pool->handed + WINDOW)
        return false;
    slot->next = pool->assigned;
    slot->end = pool->assigned += count;
    return true;
}

/* Settles the first cases of the slot that need not be tried. Returns how many of the rest to send:
 * only one if its outcome may spare the next. */
static int spare_cases(struct pool *pool, struct slot *slot)
{
    struct wcts_result result;
    while (pool->deaths && busy(slot)) {
        const struct pending *pending = &pool->ring[slot->next % WINDOW];
        struct wcts_case made;
        const struct wcts_case *test = case_at(pool, slot, &made);
        if (pending->alone || pending->result.tried != 0 ||
            !wcts_run_deaths_spare(pool->deaths, test, &result))
            break;
        settle(pool, slot, &result, NULL);
    }
    int left = slot->end - slot->next;
    return left > 1 && pool->deaths && wcts_run_deaths_known(pool->deaths) ? 1 : left;
}

static void assign(struct pool *pool)
{
    if (assign_alone(pool))
        return;
    for (int i = 0; i < pool->slot_count && !pool->stopped; i++) {
        struct slot *slot = &pool->slots[i];
        int count = 0;
        if (slot->retiring || at_work(slot))
            continue;
        while (count == 0 && (busy(slot) || take_batch(pool, slot)))
            count = spare_cases(pool, slot);
        if (count != 0)
            send_batch(pool, slot, count);
    }
}

/* ---- waiting ---- */

static void wait_a_tick(struct pool *pool, struct pollfd *fds)
{
    double soon = wcts_run_watch_interval(pool->options->asked->timeout);
    int count = 0;

    fds[count++] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
    for (int i = 0; i < pool->slot_count; i++) {
        const struct slot *slot = &pool->slots[i];
        bool alive = slot->worker.pid != 0, open = alive && !slot->closed;
        fds[count++] = (struct pollfd){.fd = open ? slot->worker.channel : -1, .events = POLLIN};
        fds[count++] = (struct pollfd){.fd = alive ? slot->worker.pidfd : -1, .events = POLLIN};
    }
    poll(fds, (nfds_t)count, (int)(soon * 1e3) + 1);
    /* Nobody waits for a single result: waking up for each would cost more than the cases. */
    if (pool->options->verdicts_only)
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    if (fds[0].revents != 0)
        pool->stopped = true;
}

static void serve(struct pool *pool, const struct pollfd *fds)
{
    for (int i = 0; i < pool->slot_count; i++) {
        struct slot *slot = &pool->slots[i];
        bool ended = fds[2 + 2 * i].revents != 0;
        if (slot->worker.pid == 0)
            continue;
        if (slot->worker.output >= 0)
            wcts_capture_bound(slot->worker.output);
        enum wcts_receive got = drain(pool, slot);
        if (slot->worker.pid == 0)
            continue;
        slot->closed = got == WCTS_RECEIVE_CLOSED;
        if (got == WCTS_RECEIVE_GARBAGE)
            expel(pool, slot, "sent garbage instead of a result");
        else if (ended)
            bury(pool, slot);
        else
            check_time(pool, slot);
    }
}

/* ---- the pool ---- */

static bool is_worker(void *ctx, pid_t pid)
{
    const struct pool *pool = ctx;
    for (int i = 0; i < pool->slot_count; i++)
        if (pool->slots[i].worker.pid == pid)
            return true;
    return false;
}

static bool slot_init(struct slot *slot, const struct pool *pool, int number)
{
    struct wcts_worker_page *page =
        mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *slot = (struct slot){.worker = {.options = pool->options,
                                     .claims = pool->claims,
                                     .page = page != MAP_FAILED ? page : NULL,
                                     .output = -1}};
    if (!pool->options->foreground)
        slot->worker.output = wcts_capture_open(pool->options->output_dir, number);
    return slot->worker.page && (pool->options->foreground || slot->worker.output >= 0);
}

static void slot_release(struct slot *slot)
{
    if (slot->worker.pid != 0)
        wcts_worker_stop(&slot->worker);
    drop_pieces(slot);
    if (slot->worker.output >= 0)
        wcts_capture_close(slot->worker.output);
    if (slot->worker.page)
        munmap(slot->worker.page, sizeof *slot->worker.page);
}

static bool pool_init(struct pool *pool)
{
    const struct wcts_pool_options *options = pool->options;
    int workers = options->asked->workers, cases = options->selected_count;
    int wanted = cases < 2 || workers < 2 ? 1 : workers < cases ? workers : cases;
    const sigset_t stop = wcts_run_stop_signals();

    wcts_run_stop_hold(&pool->old_mask);
    pool->signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    wcts_orphans_adopt(true);
    /* Processes of the same user must neither read the runner's memory nor write to it. */
    pool->dumpable = prctl(PR_GET_DUMPABLE);
    prctl(PR_SET_DUMPABLE, 0);

    pool->batch = options->selected_count / (wanted * 8);
    if (pool->batch > BATCH_MAX)
        pool->batch = BATCH_MAX;
    if (pool->batch < 1)
        pool->batch = 1;
    if (!wcts_worker_files(wanted, pool->error, pool->room))
        return false;
    pool->ring = calloc(WINDOW, sizeof *pool->ring);
    pool->slots = calloc((size_t)wanted, sizeof *pool->slots);
    pool->deaths = options->asked->all_deaths ? NULL : wcts_run_deaths_new(options->plan);
    if (!pool->ring || !pool->slots || pool->signals < 0)
        return false;
    for (int i = 0; i < wanted; i++) {
        pool->slot_count = i + 1;
        if (!slot_init(&pool->slots[i], pool, i))
            return false;
    }
    return true;
}

static void pool_release(struct pool *pool)
{
    struct wcts_left unnamed = {0}, *left = pool->options->left_behind;

    for (int i = 0; i < pool->slot_count; i++)
        slot_release(&pool->slots[i]);
    wcts_orphans_kill(is_worker, pool, left ? left : &unnamed);
    wcts_orphans_adopt(false);
    if (pool->dumpable == 1)
        prctl(PR_SET_DUMPABLE, 1);
    for (int i = 0; pool->ring && i < WINDOW; i++)
        pending_release(&pool->ring[i]);
    wcts_run_deaths_free(pool->deaths);
    free(pool->ring);
    free(pool->slots);
    if (pool->signals >= 0)
        close(pool->signals);
    /* A caller that blocks signals itself wants to see them. */
    if (!sigismember(&pool->old_mask, SIGINT))
        wcts_run_stop_release(&pool->old_mask);
}

/* ---- the first worker ---- */

static bool take_stored_claims(struct pool *pool)
{
    struct wcts_stored *stored = pool->options->stored_claims;
    uint32_t side = pool->packet.head.position;
    return stored && side < 2 && wcts_packet_add_stored(&pool->packet, &stored[side]);
}

enum loading {
    LOADED,
    NOT_LOADED, /* the error says why */
    NOT_OPENED, /* it died in open(): older versions may work */
    SEEMS_TO_HANG
};

/* The error: what happened, in which operation, and what the plug-in had logged. */
static enum loading not_loaded(struct pool *pool, const struct slot *slot, const char *what)
{
    const struct wcts_pulse *pulse = &slot->worker.page->pulse;
    uint32_t operation = atomic_load(&pulse->operation);
    char log[sizeof pulse->log];
    snprintf(log, sizeof log, "%.*s", (int)sizeof log - 1, pulse->log);
    wcts_text_one_line(wcts_text_clean(log));
    snprintf(pool->error, pool->room, "%s while it was loaded%s%s%s%s", what,
             operation != WCTS_ACTIVITY_NONE ? ", in " : "",
             operation != WCTS_ACTIVITY_NONE ? wcts_exchange_activity_name(operation) : "",
             log[0] ? ", having logged: " : "", log);
    return NOT_LOADED;
}

/* True if the worker died in open(): the next one tries only older versions, fewer each time,
 * whatever the plug-in wrote to the page. */
static bool died_in_open(struct pool *pool, struct slot *slot, const char *what)
{
    const struct wcts_worker_page *page = slot->worker.page;
    char log[sizeof page->pulse.log], why[sizeof log + 120];
    if (atomic_load(&page->pulse.operation) != WCTS_ACTIVITY_OPEN)
        return false;
    int tried =
        slot->worker.versions ? slot->worker.versions : pool->options->plan->spec->versions_count;
    int version = (int)atomic_load(&page->pulse.version) - 1;
    if (version < 1 || version >= tried)
        return false;
    snprintf(log, sizeof log, "%.*s", (int)sizeof log - 1, page->pulse.log);
    wcts_text_one_line(wcts_text_clean(log));
    snprintf(why, sizeof why, "%s in open()%s%s", what, log[0] ? ", having logged: " : "", log);
    wcts_machine_refusals_add(&pool->refusals, atomic_load(&page->at) == 2, version, why);
    slot->worker.versions = version;
    return true;
}

/* Waits for the worker that reports the claims. */
static enum loading await_claims(struct pool *pool, struct slot *slot)
{
    double timeout = pool->options->asked->timeout;
    struct pollfd fds[3];
    char what[80];

    for (;;) {
        wait_a_tick(pool, fds);
        enum wcts_receive got = wcts_packet_receive(slot->worker.channel, &pool->packet);
        if (pool->stopped)
            return not_loaded(pool, slot, "stopped");
        if (got == WCTS_RECEIVE_FAILED) {
            give_up(pool, strerror(errno));
            return NOT_LOADED;
        }
        while (got == WCTS_RECEIVE_PACKET && pool->packet.head.kind == WCTS_PACKET_STORED &&
               take_stored_claims(pool))
            got = wcts_packet_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_PACKET && pool->packet.head.kind != WCTS_PACKET_STORED)
            return LOADED;
        if (got == WCTS_RECEIVE_GARBAGE || got == WCTS_RECEIVE_PACKET)
            return not_loaded(pool, slot, "sent garbage");
        slot->closed = got == WCTS_RECEIVE_CLOSED;
        if (fds[2].revents != 0) {
            int status = end_worker(slot, what, sizeof what);
            if (give_up_on(pool, slot, status))
                return NOT_LOADED;
            not_loaded(pool, slot, what);
            return died_in_open(pool, slot, what) ? NOT_OPENED : NOT_LOADED;
        }
        enum wcts_watched watched = wcts_run_watch_look(
            &slot->watch, slot->worker.pid, wcts_worker_progress(&slot->worker), timeout);
        if (watched == WCTS_WATCH_ALIVE)
            continue;
        wcts_run_watch_reason(watched, timeout, what, sizeof what);
        snprintf(pool->error, pool->room, "was not loaded: %s", what);
        return SEEMS_TO_HANG;
    }
}

/* Loads the plug-in in a worker of its own; a seeming hang counts only if it is repeated. */
static bool load_claims(struct pool *pool, struct slot *slot)
{
    enum loading loading = SEEMS_TO_HANG;
    struct wcts_stored *stored = pool->options->stored_claims;
    for (int hung = 0; hung < 2 && loading >= NOT_OPENED; hung += loading == SEEMS_TO_HANG) {
        for (int i = 0; stored && i < 2; i++) { /* of a worker that did not finish */
            free(stored[i].bytes);
            stored[i] = (struct wcts_stored){0};
        }
        if (slot->worker.pid != 0)
            wcts_worker_stop(&slot->worker);
        begin_case(slot);
        if (!start_worker(pool, slot))
            return false;
        loading = await_claims(pool, slot);
    }
    return loading == LOADED;
}

static bool take_claims(struct pool *pool, struct wcts_claims *claims)
{
    const struct wcts_packet_head *head = &pool->packet.head;
    if (head->kind == WCTS_PACKET_CLAIMS && head->body_size == sizeof *claims) {
        memcpy(claims, pool->packet.body, sizeof *claims);
        claims->name[sizeof claims->name - 1] = '\0';
        claims->version[sizeof claims->version - 1] = '\0';
        claims->remarks[sizeof claims->remarks - 1] = '\0';
        return true;
    }
    snprintf(pool->error, pool->room, "%.*s", (int)head->body_size, pool->packet.body);
    return false;
}

/* A plug-in that gives no reason may not know its options. No verdict has this text. */
static void name_options(const struct pool *pool)
{
    static const char silent[] = "returned NULL";
    const char *options = pool->options->asked->implementation.options;
    size_t length = strlen(pool->error), end = sizeof silent - 1;
    char buffer[WCTS_PATH_ROOM];
    if (options[0] && length >= end && strcmp(pool->error + length - end, silent) == 0)
        snprintf(pool->error + length, pool->room - length, "; options: %s",
                 wcts_path_options(options, buffer, sizeof buffer));
}

enum wcts_pool_end wcts_pool_probe(const struct wcts_pool_options *options, uint32_t sides,
                                   struct wcts_claims *claims, char *error, size_t room)
{
    struct wcts_pool_options alone = *options;
    alone.selected_count = 0;
    struct pool *pool = calloc(1, sizeof *pool);
    enum wcts_pool_end end = WCTS_POOL_STOPPED;

    snprintf(error, room, "out of memory, or out of files");
    if (!pool)
        return end;
    pool->options = &alone;
    pool->error = error;
    pool->room = room;
    if (pool_init(pool)) {
        pool->slots[0].worker.sides = sides;
        if (load_claims(pool, &pool->slots[0]) && take_claims(pool, claims)) {
            claims->versions = pool->slots[0].worker.versions;
            wcts_machine_refusals_remark(&pool->refusals, options->plan->spec, false, claims);
            end = WCTS_POOL_DONE;
        } else if (!pool->stopped) {
            end = WCTS_POOL_NO_START;
            name_options(pool);
        }
    }
    pool_release(pool);
    free(pool);
    return end;
}

enum wcts_pool_end wcts_pool_run_again(const struct wcts_pool_options *options,
                                       const struct wcts_claims *claims, wcts_pool_result_fn *each,
                                       void *ctx, char *error, size_t room)
{
    enum wcts_pool_end end = WCTS_POOL_STOPPED;
    struct pollfd *fds = NULL;
    struct pool *pool = calloc(1, sizeof *pool);
    snprintf(error, room, "out of memory, or out of files");
    if (!pool)
        return end;

    *pool = (struct pool){.options = options,
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
    while (!pool->stopped && pool->handed < pool->options->selected_count) {
        assign(pool);
        wait_a_tick(pool, fds);
        serve(pool, fds);
        hand_on(pool);
    }
    free(fds);
    end = pool->stopped ? WCTS_POOL_STOPPED : WCTS_POOL_DONE;
    pool_release(pool);
    free(pool);
    return end;
}
