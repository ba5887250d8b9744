/* SPDX-License-Identifier: MIT */
#include "pool_slots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../plan/plan.h"
#include "capture.h"

#define NAP_NS 500000

const struct wcts_case *wcts_run_pool_case_at(const struct wcts_run_pool *pool,
                                              const struct wcts_run_pool_slot *slot,
                                              struct wcts_case *test)
{
    return wcts_plan_case(pool->options->plan, pool->options->selected[slot->next], test);
}

void wcts_run_pool_drop_pieces(struct wcts_run_pool_slot *slot)
{
    free(slot->stored.bytes);
    slot->stored = (struct wcts_stored){0};
    wcts_model_finding_release(&slot->found);
    slot->found_count = 0;
}

void wcts_run_pool_begin_case(struct wcts_run_pool_slot *slot)
{
    slot->since = wcts_run_watch_now();
    wcts_run_watch_begin(&slot->watch);
}

/* ---- the slot ---- */

bool wcts_run_pool_slot_init(struct wcts_run_pool_slot *slot, const struct wcts_run_pool *pool,
                             int number)
{
    struct wcts_run_worker_page *page =
        mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *slot = (struct wcts_run_pool_slot){
        .worker = {.options = pool->options, .claims = pool->claims, .output = -1}};
    if (page != MAP_FAILED)
        slot->worker.page = page;
    if (!pool->options->foreground)
        slot->worker.output = wcts_run_capture_open(pool->options->output_dir, number);
    return slot->worker.page && (pool->options->foreground || slot->worker.output >= 0);
}

void wcts_run_pool_slot_release(struct wcts_run_pool_slot *slot)
{
    if (slot->worker.pid != 0 && (wcts_run_pool_is_busy(slot) || slot->closed))
        wcts_run_worker_stop(&slot->worker);
    else if (slot->worker.pid != 0)
        wcts_run_worker_finish(&slot->worker);
    wcts_run_pool_drop_pieces(slot);
    if (slot->worker.output >= 0)
        wcts_run_capture_close(slot->worker.output);
    if (slot->worker.page)
        munmap(slot->worker.page, sizeof *slot->worker.page);
}

/* ---- its worker ---- */

bool wcts_run_pool_start_worker(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    if (!wcts_run_worker_start(&slot->worker)) {
        snprintf(pool->error, pool->room, "cannot start a worker: %s", strerror(errno));
        pool->stopped = true;
        return false;
    }
    wcts_run_pool_drop_pieces(slot);
    slot->closed = false;
    slot->life = pool->options->history ? ++pool->options->history->lives : 0;
    return true;
}

int wcts_run_pool_end_worker(struct wcts_run_pool_slot *slot, char *what, size_t room)
{
    int status = wcts_run_worker_stop(&slot->worker);
    const char *lost = wcts_run_worker_lost(&slot->worker, &status);
    if (lost)
        snprintf(what, room, "%s", lost);
    else if (!wcts_machine_room_tell(&slot->worker.page->pulse, what, room))
        wcts_run_worker_death(status, what, room);
    return status;
}

void wcts_run_pool_give_up(struct wcts_run_pool *pool, const char *reason)
{
    snprintf(pool->error, pool->room, "%s", reason);
    pool->stopped = true;
}

bool wcts_run_pool_give_up_on(struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot,
                              int status)
{
    const char *trouble = wcts_run_worker_trouble(&slot->worker, status);
    char reason[160];
    if (!trouble)
        return false;
    snprintf(reason, sizeof reason, "a worker cannot go on: %s", trouble);
    wcts_run_pool_give_up(pool, reason);
    return true;
}

/* ---- waiting ---- */

void wcts_run_pool_wait(struct wcts_run_pool *pool, struct pollfd *fds)
{
    double soon = wcts_run_watch_interval(pool->options->asked->timeout);
    int count = 0;

    fds[count++] = (struct pollfd){.fd = pool->signals, .events = POLLIN};
    for (int i = 0; i < pool->slot_count; i++) {
        const struct wcts_run_pool_slot *slot = &pool->slots[i];
        bool alive = slot->worker.pid != 0, open = alive && !slot->closed;
        fds[count++] = (struct pollfd){.fd = open ? slot->worker.channel : -1, .events = POLLIN};
        fds[count++] = (struct pollfd){.fd = alive ? slot->worker.pidfd : -1, .events = POLLIN};
    }
    poll(fds, (nfds_t)count, (int)(soon * 1e3) + 1);
    /* Nobody waits for a single result: waking up for each costs more than many cases do. */
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    if (fds[0].revents != 0)
        pool->stopped = true;
}
