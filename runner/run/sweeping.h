/* SPDX-License-Identifier: MIT */
/* A sweep as it is performed, between what chooses its values (sweep.c), sends them (sweep_send.c)
 * and sums up (sweep_sum.c). */
#ifndef WCTS_RUN_SWEEPING_H
#define WCTS_RUN_SWEEPING_H

#include "../exchange/recording.h"
#include "../judge/replies.h"
#include "../machine/session.h"
#include "../oracle/sweep.h"

/* The values of a sweep, with the place, the fate and the answer of each. */
struct wcts_run_sweeping {
    struct wcts_machine_session *session;
    const struct wcts_case *test;
    struct wcts_oracle_sweep sweep;
    enum wcts_oracle_sweep_set set;
    int at;
    uint32_t *words;
    uint8_t *places;
    uint8_t *fates; /* enum wcts_run_fate */
    wcts_status *answers;
    uint8_t *asked; /* True if it was sent with many others in one call */
    /* The effects that the reply to an accepted value is checked against; NULL: none. And the rule
     * that it breaks, + 1; 0: none; REPLY_UNSEEN: it was not looked at */
    struct wcts_judge_replies *replies;
    uint16_t *broken;
    int count;
    int from, until; /* those that are sent now */
    int found;       /* those that there were before the time was over; count has those sent */
    bool many;       /* False if each value is sent alone */
    bool doubted; /* True if a value that was sent alone was answered otherwise than among others,
                   * which is no lie where the implementation does not know of the others */
    char lie[sizeof((struct wcts_exchange_swept *)NULL)->lie];
    struct wcts_exchange_deadly deadly;
    uint64_t all;
    uint64_t unsent; /* places whose values are not sent */
    bool exact;      /* True if all bytes around each request are compared, after a write to some */
    bool good;       /* False without memory */
};

#define WCTS_REPLY_UNSEEN UINT16_MAX

/* The base of a value's place, an index of the cases' bases. */
int wcts_run_sweeping_base(const struct wcts_run_sweeping *sweeping, int index);

/* The state in which its values are sent, of those of struct wcts_case: 0 where the base lacks it.
 */
int wcts_run_sweeping_state(const struct wcts_run_sweeping *sweeping, int base);

/* True if the values should be accepted, at the level at which anything is expected of them. */
bool wcts_run_sweeping_accepted(const struct wcts_machine_session *session,
                                const struct wcts_case *test);

/* Sends the values that are decided to be sent: fills answers, asked and lie. Nothing of the calls
 * is stored but what is summed up of them. */
void wcts_run_sweeping_send(struct wcts_run_sweeping *sweeping);

/* Sums up the answers there are: of values that should be accepted, or refused. */
void wcts_run_sweeping_sum_up(const struct wcts_run_sweeping *sweeping, bool accept,
                              struct wcts_exchange_swept *swept);

#endif
