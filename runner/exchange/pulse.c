/* SPDX-License-Identifier: MIT */
#include "pulse.h"

#include <stdio.h>
#include <string.h>

#include "../../include/wddm-cts.h"

/* Only one thread writes, so no atomic read-modify-write is needed, which would cost more than the
 * rest. */
static void count_message(struct wcts_exchange_pulse *pulse)
{
    uint64_t messages = atomic_load_explicit(&pulse->messages, memory_order_relaxed);
    atomic_store_explicit(&pulse->messages, messages + 1, memory_order_relaxed);
}

uint32_t wcts_exchange_pulse_enter(struct wcts_exchange_pulse *pulse, uint32_t operation)
{
    uint32_t before, begun;
    if (!pulse)
        return WCTS_ACTIVITY_NONE;
    before = atomic_load_explicit(&pulse->operation, memory_order_relaxed);
    atomic_store_explicit(&pulse->operation, operation, memory_order_relaxed);
    begun = atomic_load_explicit(&pulse->begun, memory_order_relaxed);
    atomic_store_explicit(&pulse->trail[begun % WCTS_TRAIL_MAX],
                          operation | (before != WCTS_ACTIVITY_NONE ? WCTS_TRAIL_INNER : 0),
                          memory_order_relaxed);
    atomic_store_explicit(&pulse->begun, begun + 1, memory_order_relaxed);
    count_message(pulse);
    return before;
}

void wcts_exchange_pulse_leave(struct wcts_exchange_pulse *pulse, uint32_t before)
{
    if (!pulse)
        return;
    atomic_store_explicit(&pulse->operation, before, memory_order_relaxed);
    count_message(pulse);
}

void wcts_exchange_pulse_log(struct wcts_exchange_pulse *pulse, const char *log)
{
    size_t length = strlen(log);
    if (!pulse)
        return;
    if (length >= sizeof pulse->log)
        log += length - sizeof pulse->log + 1;
    snprintf(pulse->log, sizeof pulse->log, "%s", log);
}

void wcts_exchange_pulse_reset(struct wcts_exchange_pulse *pulse)
{
    atomic_store(&pulse->begun, 0);
    atomic_store(&pulse->value, 0);
}

char *wcts_exchange_pulse_trail(const struct wcts_exchange_pulse *pulse)
{
    uint32_t begun = atomic_load(&pulse->begun);
    uint32_t first = begun > WCTS_TRAIL_MAX ? begun - WCTS_TRAIL_MAX : 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = begun > 0 ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    fputs("  messages:\n", out);
    if (first > 0)
        fputs("    ...\n", out);
    for (uint32_t i = first; i != begun; i++) {
        uint32_t entry = atomic_load(&pulse->trail[i % WCTS_TRAIL_MAX]);
        fprintf(out, "    %s%s\n", entry & WCTS_TRAIL_INNER ? "  " : "",
                wcts_exchange_activity_name(entry & ~WCTS_TRAIL_INNER));
    }
    fclose(out);
    return text;
}

const char *wcts_exchange_activity_name(uint32_t operation)
{
    switch (operation) {
    case WCTS_ACTIVITY_OPEN:
        return "open";
    case WCTS_ACTIVITY_CLOSE:
        return "close";
    default:
        return wcts_operation_name(operation);
    }
}
