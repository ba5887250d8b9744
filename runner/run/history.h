/* SPDX-License-Identifier: MIT */
/*
 * Which cases ran before a failing one in its worker: what a worker's process, or the
 * implementation behind its connection, keeps from one case to the next may be why it fails.
 */
#ifndef WCTS_HISTORY_H
#define WCTS_HISTORY_H

#include <stdbool.h>

/*
 * Of a run with two workers, of which the second died at the plan's case 20:
 *     batches = {{1, 0, 64}, {2, 64, 64}, {3, 79, 49}}, failed = {{20, 2}}, lives = 3
 * All zero at first; the owner releases it.
 */
struct wcts_run_history {
    int *order; /* indices of cases in the order in which they ran, which batches are of; owned */
    int count;
    struct wcts_run_history_batch {
        int life; /* which worker, from 1; each new process is another one */
        int from, count;
    } * batches;
    int batch_count;
    struct wcts_run_history_failed {
        int index, life; /* of a case in the plan, and of the worker in which it failed */
    } * failed;
    int failed_count;
    int lives;
};

/* Copies the order; without memory nothing is kept. */
void wcts_run_history_begin(struct wcts_run_history *history, const int *selected, int count);
void wcts_run_history_release(struct wcts_run_history *history);

void wcts_run_history_add(struct wcts_run_history *history, int life, int from, int count);
void wcts_run_history_failed(struct wcts_run_history *history, int index, int life);

/* The cases that ran before this one in the worker in which it failed, oldest first, and how many.
 * False if it is not known to have failed in one. The caller frees *before. */
bool wcts_run_history_before(const struct wcts_run_history *history, int index, int **before,
                             int *count);

#endif
