/* SPDX-License-Identifier: MIT */
/*
 * Positions are indices in options->selected. Each slot has at most one batch, [next, end), and a
 * worker that may have to be replaced before the batch is done: whatever happens, the case at
 * next is the one that it happened to. Results wait in a ring until it is their turn; no batch is
 * given out that would not fit into the ring, so memory does not grow with the plan.
 */
#include "pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "orphans.h"
#include "worker.h"

#define WINDOW 4096
#define BATCH_MAX 64
#define TICK_MS 50
#define NAP_NS 500000
/* How long a worker whose channel is closed may take to end. */
#define CLOSING_MS 500
/* A worker that ends between two cases is replaced so often before the next case is blamed. */
#define IDLE_DEATHS_MAX 3
/* Loading, then running: a case has no more than so many parts with a timeout of their own. */
#define BEATS_MAX 3

struct slot {
    struct wcts_worker worker; /* pid 0: none */
    int next, end;             /* the rest of its batch */
    bool retiring;
    struct wcts_tape_record tape; /* pieces of that of the case at next */
    uint32_t beat;                /* as last seen */
    int beats;                    /* seen during this case */
    double since;                 /* when the worker was last seen to go on */
    int idle_deaths;
};

struct pending {
    bool done;
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
    struct pending *ring; /* WINDOW of them, by position modulo WINDOW */
    int handed;           /* positions before it are done with */
    int assigned;         /* positions before it were given out */
    int batch;
    int signals; /* signalfd */
    sigset_t old_mask;
    bool stopped;
    char *error;
    size_t room;
    struct wcts_packet packet;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool busy(const struct slot *slot)
{
    return slot->next < slot->end;
}

/* ---- results ---- */

/* Which verdicts another attempt may change: a failure, of the implementation or of the set-up. */
static bool is_to_be_tried_again(enum wcts_verdict verdict)
{
    return verdict == WCTS_VERDICT_FAIL || verdict == WCTS_VERDICT_CRASH ||
           verdict == WCTS_VERDICT_TIMEOUT || verdict == WCTS_VERDICT_BROKEN;
}

/* Keeps what an attempt came to and ends the worker: the next one runs in fresh memory, and so do
 * the cases behind it. False when the attempt is the one that counts. Takes over the result. */
static bool try_again(const struct pool *pool, struct slot *slot, struct pending *pending,
                      struct wcts_result *result)
{
    struct wcts_result *kept = &pending->result;
    struct wcts_try *tries;
    if (kept->try_count >= pool->options->retries || !is_to_be_tried_again(result->verdict))
        return false;
    tries = reallocarray(kept->tries, (size_t)kept->try_count + 1, sizeof *tries);
    if (!tries)
        return false;
    kept->tries = tries;
    tries[kept->try_count++] = (struct wcts_try){result->verdict, result->reason, result->detail};
    result->reason = result->detail = NULL;
    wcts_result_release(result);
    if (slot->worker.pid != 0)
        wcts_worker_stop(&slot->worker);
    return true;
}

/* The attempts before go with the result; one that comes out otherwise in the end is flaky. */
static void conclude(struct pending *pending, struct wcts_result *result)
{
    const struct wcts_try *first = pending->result.tries;
    char *reason = NULL;
    result->tries = pending->result.tries;
    result->try_count = pending->result.try_count;
    pending->result = *result;
    pending->done = true;
    if (result->try_count == 0 || is_to_be_tried_again(result->verdict))
        return;
    if (asprintf(&reason, "%s at attempt %d, but first %s: %s", wcts_verdict_name(result->verdict),
                 result->try_count + 1, wcts_verdict_name(first->verdict),
                 first->reason ? first->reason : "") < 0)
        reason = NULL;
    free(result->reason);
    pending->result.reason = reason;
    pending->result.verdict = WCTS_VERDICT_FLAKY;
}

static void drop_tape(struct slot *slot)
{
    free(slot->tape.bytes);
    slot->tape = (struct wcts_tape_record){0};
}

/* Takes over the result; output may be NULL. */
static void settle(struct pool *pool, struct slot *slot, struct wcts_result *result, char *output)
{
    struct pending *pending = &pool->ring[slot->next % WINDOW];
    if (output) {
        free(pending->output);
        pending->output = output;
    }
    if (!try_again(pool, slot, pending, result)) {
        conclude(pending, result);
        slot->next++;
    }
    drop_tape(slot); /* of a case that came to no result */
    slot->idle_deaths = 0;
    slot->beats = 0;
    slot->since = now();
}

static void pending_release(struct pending *pending)
{
    wcts_result_release(&pending->result);
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
        if (!pool->each(pool->ctx, &plan->cases[index], &pending->result,
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

static void set_text(char **text, const char *value)
{
    free(*text);
    *text = strdup(value);
}

/* Ends the worker; what became of the case that it was at: verdict and reason. */
static void end_case(struct pool *pool, struct slot *slot, enum wcts_verdict verdict,
                     const char *reason)
{
    struct wcts_result result = {.verdict = verdict};
    uint64_t start = atomic_load(&slot->worker.page->output_start);

    result.nanoseconds = (uint64_t)((now() - slot->since) * 1e9);
    if (slot->worker.pid != 0)
        wcts_worker_stop(&slot->worker);
    set_text(&result.reason, reason);
    settle(pool, slot, &result, output_of(slot, start, UINT64_MAX));
}

/* Ends a worker that does not keep to the protocol. */
static void expel(struct pool *pool, struct slot *slot, const char *reason)
{
    if (busy(slot))
        end_case(pool, slot, WCTS_VERDICT_CRASH, reason);
    else
        wcts_worker_stop(&slot->worker);
    slot->retiring = false;
}

static void hang(struct pool *pool, struct slot *slot)
{
    char reason[80];
    snprintf(reason, sizeof reason, "no answer within %g s", pool->options->timeout);
    end_case(pool, slot, WCTS_VERDICT_TIMEOUT, reason);
}

/* The worker has ended by itself, and all that it sent has been read. */
static void bury(struct pool *pool, struct slot *slot)
{
    char what[80];
    bool blameless = slot->retiring || !busy(slot);
    bool idle = atomic_load(&slot->worker.page->at) != (uint32_t)slot->next + 1;
    uint64_t start = atomic_load(&slot->worker.page->output_start);
    bool in_call = atomic_load(&slot->worker.page->in_call) != 0;
    double since = slot->since;

    wcts_worker_death(wcts_worker_stop(&slot->worker), what, sizeof what);
    slot->retiring = false;
    if (blameless || (idle && slot->idle_deaths++ < IDLE_DEATHS_MAX))
        return;

    struct wcts_result result = {0};
    const struct wcts_case *one = &pool->options->plan->cases[pool->options->selected[slot->next]];
    if (atomic_load(&slot->worker.page->loading)) {
        char reason[128];
        snprintf(reason, sizeof reason, "%s while it was loaded", what);
        result.verdict = WCTS_VERDICT_CRASH;
        set_text(&result.reason, reason);
    } else {
        wcts_judge_death(one, in_call, what, &result);
    }
    result.nanoseconds = (uint64_t)((now() - since) * 1e9);
    settle(pool, slot, &result, output_of(slot, start, UINT64_MAX));
}

/* ---- records ---- */

/* The tape belongs to the result that ends it. */
static void take_tape(struct slot *slot, uint32_t kept, struct wcts_result *result)
{
    if (kept != WCTS_TAPE_KEPT)
        drop_tape(slot);
    result->tape = slot->tape;
    if (kept == WCTS_TAPE_CUT)
        result->tape.kept = WCTS_TAPE_CUT;
    slot->tape = (struct wcts_tape_record){0};
}

/* False when the record is not what has to come now. */
static bool take_record(struct pool *pool, struct slot *slot)
{
    const struct wcts_record_head *record = &pool->packet.record;
    struct wcts_result result = {0};
    char *output = NULL;

    if (!busy(slot) || slot->retiring || record->position != (uint32_t)slot->next ||
        record->index != (uint32_t)pool->options->selected[slot->next])
        return false;
    if (record->kind == WCTS_RECORD_TAPE)
        return wcts_record_add_tape(&pool->packet, &slot->tape);
    if ((record->tape_size && !wcts_record_add_tape(&pool->packet, &slot->tape)) ||
        !wcts_record_result(&pool->packet, &result))
        return false;
    take_tape(slot, record->tape_kept, &result);
    if (result.verdict != WCTS_VERDICT_PASS)
        output = output_of(slot, record->output_start, record->output_end);
    settle(pool, slot, &result, output);
    slot->retiring = record->retiring != 0 && slot->worker.pid != 0;
    return true;
}

/* Reads what the worker has sent; NOTHING: there is no more. */
static enum wcts_receive drain(struct pool *pool, struct slot *slot)
{
    enum wcts_receive got;
    do {
        got = wcts_record_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_RECORD && !take_record(pool, slot))
            got = WCTS_RECEIVE_GARBAGE;
        if (slot->worker.pid == 0) /* ended, to try the case again */
            return WCTS_RECEIVE_NOTHING;
    } while (got == WCTS_RECEIVE_RECORD);
    return got;
}

/* The channel is closed: mostly because the worker ends just now, but a plug-in may also have
 * closed it under a worker that lives on. */
static bool ends_soon(const struct slot *slot)
{
    struct pollfd end = {.fd = slot->worker.pidfd, .events = POLLIN};
    return poll(&end, 1, CLOSING_MS) > 0;
}

static void check_time(struct pool *pool, struct slot *slot)
{
    uint32_t beat = atomic_load(&slot->worker.page->beat);
    if (beat != slot->beat && slot->beats < BEATS_MAX) {
        slot->beat = beat;
        slot->beats++;
        slot->since = now();
    } else if (busy(slot) && now() - slot->since > pool->options->timeout) {
        hang(pool, slot);
    }
}

/* ---- work ---- */

static bool start_worker(struct pool *pool, struct slot *slot)
{
    if (!wcts_worker_start(&slot->worker)) {
        snprintf(pool->error, pool->room, "cannot start a worker: %s", strerror(errno));
        pool->stopped = true;
        return false;
    }
    drop_tape(slot);
    slot->beat = 0;
    return true;
}

static void send_batch(struct pool *pool, struct slot *slot)
{
    struct wcts_batch batch = {(uint32_t)slot->next, (uint32_t)(slot->end - slot->next)};
    if (slot->worker.pid == 0 && !start_worker(pool, slot))
        return;
    slot->since = now();
    slot->beats = 0;
    /* That it cannot be sent means that the worker has ended: poll() will say so. */
    (void)send(slot->worker.channel, &batch, sizeof batch, MSG_NOSIGNAL);
}

static void assign(struct pool *pool)
{
    for (int i = 0; i < pool->slot_count && !pool->stopped; i++) {
        struct slot *slot = &pool->slots[i];
        if (busy(slot)) {
            if (slot->worker.pid == 0)
                send_batch(pool, slot);
            continue;
        }
        int count = pool->options->selected_count - pool->assigned;
        if (count > pool->batch)
            count = pool->batch;
        if (count == 0 || slot->retiring || pool->assigned + count > pool->handed + WINDOW)
            continue;
        slot->next = pool->assigned;
        slot->end = pool->assigned += count;
        send_batch(pool, slot);
    }
}

/* ---- waiting ---- */

static void wait_a_tick(struct pool *pool, struct pollfd *fds)
{
    double soon = TICK_MS / 1e3;
    int count = 0;

    fds[count++] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
    for (int i = 0; i < pool->slot_count; i++) {
        const struct slot *slot = &pool->slots[i];
        bool alive = slot->worker.pid != 0;
        double left = slot->since + pool->options->timeout - now();
        fds[count++] = (struct pollfd){.fd = alive ? slot->worker.channel : -1, .events = POLLIN};
        fds[count++] = (struct pollfd){.fd = alive ? slot->worker.pidfd : -1, .events = POLLIN};
        if (alive && busy(slot) && left < soon)
            soon = left > 0 ? left : 0;
    }
    poll(fds, (nfds_t)count, (int)(soon * 1e3) + 1);
    /* Nobody waits for a single result: to be woken for each would cost more than the cases. */
    if (pool->options->brief)
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
        if (got == WCTS_RECEIVE_GARBAGE)
            expel(pool, slot, "sent garbage instead of a result");
        else if (ended || (got == WCTS_RECEIVE_CLOSED && ends_soon(slot)))
            bury(pool, slot);
        else if (got == WCTS_RECEIVE_CLOSED)
            expel(pool, slot, "closed file descriptors that it does not own");
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
    drop_tape(slot);
    if (slot->worker.output >= 0)
        wcts_capture_close(slot->worker.output);
    if (slot->worker.page)
        munmap(slot->worker.page, sizeof *slot->worker.page);
}

static bool pool_init(struct pool *pool)
{
    const struct wcts_pool_options *options = pool->options;
    int wanted = options->workers > 1 ? options->workers : 1;
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &pool->old_mask);
    pool->signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
    wcts_orphans_adopt(true);

    pool->batch = options->selected_count / (wanted * 8);
    if (pool->batch > BATCH_MAX)
        pool->batch = BATCH_MAX;
    if (pool->batch < 1)
        pool->batch = 1;
    pool->ring = calloc(WINDOW, sizeof *pool->ring);
    pool->slots = calloc((size_t)wanted, sizeof *pool->slots);
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
    struct signalfd_siginfo info;

    for (int i = 0; i < pool->slot_count; i++)
        slot_release(&pool->slots[i]);
    wcts_orphans_kill(is_worker, pool);
    wcts_orphans_adopt(false);
    for (int i = 0; pool->ring && i < WINDOW; i++)
        pending_release(&pool->ring[i]);
    free(pool->ring);
    free(pool->slots);
    if (pool->signals >= 0) {
        /* The signal has been obeyed; it must not strike when it is let through again. Who holds
         * it back himself wants to see it. */
        while (!sigismember(&pool->old_mask, SIGINT) && read(pool->signals, &info, sizeof info) > 0)
            continue;
        close(pool->signals);
    }
    sigprocmask(SIG_SETMASK, &pool->old_mask, NULL);
}

static void run_all(struct pool *pool)
{
    struct pollfd *fds = calloc(1 + 2 * (size_t)pool->slot_count, sizeof *fds);
    if (!fds)
        pool->stopped = true;
    while (!pool->stopped && pool->handed < pool->options->selected_count) {
        assign(pool);
        wait_a_tick(pool, fds);
        serve(pool, fds);
        hand_on(pool);
    }
    free(fds);
}

/* ---- the first worker ---- */

static bool take_claims_tape(struct pool *pool)
{
    struct wcts_tape_record *tapes = pool->options->claims_tapes;
    uint32_t side = pool->packet.record.position;
    return tapes && side < 2 && wcts_record_add_tape(&pool->packet, &tapes[side]);
}

/* Waits for the worker that reports the claims. Returns false with an error. */
static bool await_claims(struct pool *pool, struct slot *slot)
{
    struct pollfd fds[3];
    char what[80];

    for (;;) {
        wait_a_tick(pool, fds);
        enum wcts_receive got = wcts_record_receive(slot->worker.channel, &pool->packet);
        if (pool->stopped) {
            snprintf(pool->error, pool->room, "stopped while it was loaded");
            return false;
        }
        while (got == WCTS_RECEIVE_RECORD && pool->packet.record.kind == WCTS_RECORD_TAPE &&
               take_claims_tape(pool))
            got = wcts_record_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_RECORD && pool->packet.record.kind != WCTS_RECORD_TAPE)
            return true;
        if (got == WCTS_RECEIVE_GARBAGE || got == WCTS_RECEIVE_RECORD) {
            snprintf(pool->error, pool->room, "sent garbage while it was loaded");
            return false;
        }
        if (fds[2].revents != 0) {
            wcts_worker_death(wcts_worker_stop(&slot->worker), what, sizeof what);
            snprintf(pool->error, pool->room, "%s while it was loaded", what);
            return false;
        }
        if (now() - slot->since > pool->options->timeout) {
            snprintf(pool->error, pool->room, "was not loaded within %g s", pool->options->timeout);
            return false;
        }
    }
}

static bool take_claims(struct pool *pool, struct wcts_claims *claims)
{
    const struct wcts_record_head *record = &pool->packet.record;
    if (record->kind == WCTS_RECORD_CLAIMS && record->body_size == sizeof *claims) {
        memcpy(claims, pool->packet.body, sizeof *claims);
        claims->name[sizeof claims->name - 1] = '\0';
        claims->version[sizeof claims->version - 1] = '\0';
        return true;
    }
    snprintf(pool->error, pool->room, "%.*s", (int)record->body_size, pool->packet.body);
    return false;
}

enum wcts_pool_end wcts_pool_probe(const struct wcts_pool_options *options, uint32_t sides,
                                   struct wcts_claims *claims, char *error, size_t room)
{
    struct wcts_pool_options alone = *options;
    alone.workers = 1;
    struct pool *pool = calloc(1, sizeof *pool);
    enum wcts_pool_end end = WCTS_POOL_NO_START;

    snprintf(error, room, "out of memory, or out of files");
    if (!pool)
        return end;
    pool->options = &alone;
    pool->error = error;
    pool->room = room;
    if (pool_init(pool)) {
        pool->slots[0].worker.sides = sides;
        pool->slots[0].since = now();
        if (start_worker(pool, &pool->slots[0]) && await_claims(pool, &pool->slots[0]) &&
            take_claims(pool, claims))
            end = WCTS_POOL_DONE;
        else if (pool->stopped)
            end = WCTS_POOL_STOPPED;
    }
    pool_release(pool);
    free(pool);
    return end;
}

static uint32_t sides_of(const struct wcts_pool_options *options)
{
    uint32_t sides = 0;
    for (int i = 0; i < options->selected_count; i++)
        sides |=
            options->plan->cases[options->selected[i]].driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL;
    return sides;
}

enum wcts_pool_end wcts_pool_run(const struct wcts_pool_options *options,
                                 struct wcts_claims *claims, wcts_pool_result_fn *each, void *ctx,
                                 char *error, size_t room)
{
    enum wcts_pool_end end = wcts_pool_probe(options, sides_of(options), claims, error, room);
    return end == WCTS_POOL_DONE ? wcts_pool_run_again(options, claims, each, ctx, error, room)
                                 : end;
}

enum wcts_pool_end wcts_pool_run_again(const struct wcts_pool_options *options,
                                       const struct wcts_claims *claims, wcts_pool_result_fn *each,
                                       void *ctx, char *error, size_t room)
{
    enum wcts_pool_end end = WCTS_POOL_STOPPED;
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
        run_all(pool);
    } else {
        pool->stopped = true;
    }
    end = pool->stopped ? WCTS_POOL_STOPPED : WCTS_POOL_DONE;
    pool_release(pool);
    free(pool);
    return end;
}
