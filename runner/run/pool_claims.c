/* SPDX-License-Identifier: MIT */
#include "pool_claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/address.h"
#include "../base/path.h"
#include "../base/text.h"
#include "capture.h"
#include "pool_results.h"

/* Bytes shown of a line that the implementation printed. */
#define PRINTED_SHOWN 200

static bool take_stored_claims(struct wcts_run_pool *pool)
{
    struct wcts_stored *stored = pool->options->stored_claims;
    uint32_t side = pool->packet.head.position;
    return stored && side < 2 && wcts_run_packet_add_stored(&pool->packet, &stored[side]);
}

enum run_loading {
    LOADED,
    NOT_LOADED, /* the error says why */
    NOT_OPENED, /* it died in open(): older versions may work */
    SEEMS_TO_HANG
};

/* What the implementation was asked when it ended or fell silent: ", in open"; "" if nothing is
 * known. */
static void name_operation(const struct wcts_run_pool *pool, const struct wcts_run_pool_slot *slot,
                           char *text, size_t room)
{
    uint32_t operation = atomic_load(&slot->worker.page->pulse.operation);
    bool remote = wcts_address_is_remote(pool->options->asked->implementation.path);
    text[0] = '\0';
    if (operation != WCTS_ACTIVITY_NONE)
        snprintf(text, room, ", in %s", wcts_exchange_activity_name(operation));
    else if (remote)
        snprintf(text, room, ", in HELLO");
}

/* The error: what happened, in which operation, and what the plug-in had logged. */
static enum run_loading not_loaded(struct wcts_run_pool *pool,
                                   const struct wcts_run_pool_slot *slot, const char *what)
{
    const struct wcts_exchange_pulse *pulse = &slot->worker.page->pulse;
    char log[sizeof pulse->log], where[80];
    snprintf(log, sizeof log, "%.*s", (int)sizeof log - 1, pulse->log);
    wcts_text_one_line(wcts_text_clean(log));
    name_operation(pool, slot, where, sizeof where);
    snprintf(pool->error, pool->room, "%s while it was loaded%s%s%s", what, where,
             log[0] ? ", having logged: " : "", log);
    return NOT_LOADED;
}

/* True if the worker died in open(): the next one tries only older versions, fewer each time,
 * whatever the plug-in wrote to the page. */
static bool died_in_open(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot,
                         const char *what)
{
    const struct wcts_run_worker_page *page = slot->worker.page;
    char log[sizeof page->pulse.log], why[sizeof log + WCTS_RUN_WHY_ROOM + 40];
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
static enum run_loading await_claims(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    double timeout = pool->options->asked->timeout;
    struct pollfd fds[3];
    char what[WCTS_RUN_WHY_ROOM], where[80];

    for (;;) {
        wcts_run_pool_wait(pool, fds);
        enum wcts_run_receive got = wcts_run_packet_receive(slot->worker.channel, &pool->packet);
        if (pool->stopped)
            return not_loaded(pool, slot, "stopped");
        if (got == WCTS_RECEIVE_FAILED) {
            wcts_run_pool_give_up(pool, strerror(errno));
            return NOT_LOADED;
        }
        while (got == WCTS_RECEIVE_PACKET && pool->packet.head.kind == WCTS_PACKET_STORED &&
               take_stored_claims(pool))
            got = wcts_run_packet_receive(slot->worker.channel, &pool->packet);
        if (got == WCTS_RECEIVE_PACKET && pool->packet.head.kind != WCTS_PACKET_STORED)
            return LOADED;
        if (got == WCTS_RECEIVE_GARBAGE || got == WCTS_RECEIVE_PACKET)
            return not_loaded(pool, slot, "sent garbage");
        slot->closed = got == WCTS_RECEIVE_CLOSED;
        if (fds[2].revents != 0) {
            int status = wcts_run_pool_end_worker(slot, what, sizeof what);
            if (wcts_run_pool_give_up_on(pool, slot, status))
                return NOT_LOADED;
            not_loaded(pool, slot, what);
            return died_in_open(pool, slot, what) ? NOT_OPENED : NOT_LOADED;
        }
        enum wcts_run_watched watched = wcts_run_watch_look(
            &slot->watch, slot->worker.pid, wcts_run_worker_progress(&slot->worker), timeout);
        if (watched == WCTS_WATCH_ALIVE)
            continue;
        wcts_run_watch_reason(watched, timeout, what, sizeof what);
        wcts_run_pool_name_part(slot, what, sizeof what);
        name_operation(pool, slot, where, sizeof where);
        snprintf(pool->error, pool->room, "was not loaded: %s%s", what, where);
        return SEEMS_TO_HANG;
    }
}

bool wcts_run_pool_load_claims(struct wcts_run_pool *pool, struct wcts_run_pool_slot *slot)
{
    enum run_loading loading = SEEMS_TO_HANG;
    struct wcts_stored *stored = pool->options->stored_claims;
    for (int hung = 0; hung < 2 && loading >= NOT_OPENED; hung += loading == SEEMS_TO_HANG) {
        for (int i = 0; stored && i < 2; i++) { /* of a worker that did not finish */
            free(stored[i].bytes);
            stored[i] = (struct wcts_stored){0};
        }
        if (slot->worker.pid != 0)
            wcts_run_worker_stop(&slot->worker);
        wcts_run_pool_begin_case(slot);
        if (!wcts_run_pool_start_worker(pool, slot))
            return false;
        loading = await_claims(pool, slot);
    }
    return loading == LOADED;
}

bool wcts_run_pool_take_claims(struct wcts_run_pool *pool, struct wcts_claims *claims)
{
    const struct wcts_run_packet_head *head = &pool->packet.head;
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

void wcts_run_pool_name_options(const struct wcts_run_pool *pool)
{
    static const char silent[] = "returned NULL";
    const char *options = pool->options->asked->implementation.options;
    size_t length = strlen(pool->error), end = sizeof silent - 1;
    char buffer[WCTS_PATH_ROOM];
    if (options[0] && length >= end && strcmp(pool->error + length - end, silent) == 0)
        snprintf(pool->error + length, pool->room - length, "; options: %s",
                 wcts_path_options(options, buffer, sizeof buffer));
}

void wcts_run_pool_name_output(const struct wcts_run_pool *pool,
                               const struct wcts_run_pool_slot *slot)
{
    size_t length = strlen(pool->error);
    if (slot->worker.output < 0 || strstr(pool->error, "having logged: "))
        return;
    char *output = wcts_run_capture_tail(slot->worker.output, 0, UINT64_MAX);
    if (!output)
        return;
    for (size_t end = strlen(output); end > 0 && output[end - 1] == '\n'; end--)
        output[end - 1] = '\0';
    const char *before = strrchr(output, '\n'), *line = before ? before + 1 : output;
    if (line[0])
        snprintf(pool->error + length, pool->room - length, ", having printed: %.*s", PRINTED_SHOWN,
                 line);
    /* The cut may be within a letter. */
    wcts_text_clean(pool->error + length);
    free(output);
}
