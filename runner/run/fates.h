/* SPDX-License-Identifier: MIT */
/*
 * Which values of a sweep are sent once the implementation did not survive some of them. Those are
 * not sent again. Each costs a process, or a timeout: after three equal deaths in a row only a
 * sample of the values that have in common what these have, and no value that was survived has, is
 * sent. The more of them die, the fewer are tried.
 *
 *     deadly  0x83 0x87 0x8b      sent before them  0x1 0x3 0x7 0x81
 *     cause   {set 0x82}          so 0x93 is spared, 0x13 is sent
 *
 * It is decided from nothing but the values and those that were deadly, the same whenever it is
 * asked: a record is judged again without any answer.
 */
#ifndef WCTS_FATES_H
#define WCTS_FATES_H

#include "../exchange/recording.h"

enum wcts_run_fate { WCTS_FATE_SENT, WCTS_FATE_DEADLY, WCTS_FATE_SPARED };

/* The values of a sweep in the order in which they are sent: words[order[0]] is the first. Of each
 * group the first value that could be spared is sent all the same. Borrowed. */
struct wcts_run_sending {
    const uint32_t *words;
    const uint8_t *groups; /* of each word, below 64 */
    const int *order;
    int count;
};

/* Fills in an enum wcts_run_fate for each word. False without memory. */
bool wcts_run_fates_decide(const struct wcts_run_sending *sending,
                           const struct wcts_exchange_deadly *deadly, uint8_t *fates);

/* True, if the value was added to those that must not be sent again; false if it is known already,
 * or there is no room: then the sweep ends with it. */
bool wcts_run_fates_add(struct wcts_exchange_deadly *deadly, uint64_t value, bool hung,
                        uint32_t operation, const char *what);

#endif
