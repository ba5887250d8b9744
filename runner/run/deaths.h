/* SPDX-License-Identifier: MIT */
/*
 * Which cases are not worth another death. A plug-in that dies in one operation dies in most cases
 * that call it, and each costs a process, or a timeout. After three equal deaths in a row of one
 * base, only a sample of its other cases runs, until one lives. Hangs cost most: after three in a
 * row of one operation, whatever the base, all cases that call it are sampled, fewer with each
 * hang, until one lives; after twelve in all, whatever lived in between, the cases of a base that
 * hung at the same version, or at three versions.
 */
#ifndef WCTS_DEATHS_H
#define WCTS_DEATHS_H

#include "../model/finding.h"
#include "../model/test.h"

struct wcts_deaths;

/* NULL without memory. The caller frees it before the plan. */
struct wcts_deaths *wcts_run_deaths_new(const struct wcts_plan *plan);
void wcts_run_deaths_free(struct wcts_deaths *deaths);

/* Counts the result of a case. operation: in which it died or seemed to hang; otherwise ignored. */
void wcts_run_deaths_note(struct wcts_deaths *deaths, const struct wcts_case *test,
                          const struct wcts_result *result, uint32_t operation);

/* True, with the result, if the case must not be tried. To be called once for each case. */
bool wcts_run_deaths_spare(struct wcts_deaths *deaths, const struct wcts_case *test,
                           struct wcts_result *result);

/* True if any case may be spared. */
bool wcts_run_deaths_known(const struct wcts_deaths *deaths);

/* True if so many hangs of the operation are known that another one need not be confirmed. */
bool wcts_run_deaths_hangs(const struct wcts_deaths *deaths, const struct wcts_case *test,
                           uint32_t operation);

#endif
