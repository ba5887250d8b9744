/* SPDX-License-Identifier: MIT */
/*
 * Results that are in run directories already: those of a run that goes on, and of the runs that
 * are merged. Each is made again from what was found, by the code that makes those of a run, so
 * that what follows from them is the same.
 */
#ifndef WCTS_CLI_EARLIER_H
#define WCTS_CLI_EARLIER_H

#include "../../reports/report.h"
#include "../store/run_dir.h"

/* The results of a run that goes on, in order. */
struct wcts_cli_earlier {
    const struct wcts_report_run *run; /* whose cases they are; not owned */
    const char *directory;             /* not owned */
    json_t *description;               /* run.json as it was */
    int count;                         /* results; 0: the run begins */
    struct wcts_store_journal journal;
    struct wcts_store_entry entry; /* the one that was read last */
};

/* Reads run.json. False with a message. To be released either way. */
bool wcts_cli_earlier_open(struct wcts_cli_earlier *earlier, const char *directory);
void wcts_cli_earlier_release(struct wcts_cli_earlier *earlier);

/* True if the run has reached its end, and wrote all that was asked for; *status is what it exited
 * with. */
bool wcts_cli_earlier_has_ended(const struct wcts_cli_earlier *earlier, int *status);

/* Takes over what is known beside results: when the run began, what was claimed, and what was left
 * behind. False,
 * with a message, when run.json is wrong. */
bool wcts_cli_earlier_describe(const struct wcts_cli_earlier *earlier, struct wcts_report_run *run);

/* False, with a message, when the run was made of another spec, implementation or baseline. */
bool wcts_cli_earlier_is_same(const struct wcts_cli_earlier *earlier,
                              const struct wcts_report_run *run);
/* False, with a message, when the implementation claims something else than it did. */
bool wcts_cli_earlier_claims_same(const struct wcts_cli_earlier *earlier,
                                  const struct wcts_claims *claims);

/* The file of a shrunk sequence, which the caller frees; NULL if there is none. */
char *wcts_cli_earlier_scenario(const char *directory, const char *id);

/* The result at a position, which is the next one, and its output, which the caller frees; it
 * borrows its backtrace until the next call. An earlier() of struct wcts_run_pool_options. False
 * with a message. */
bool wcts_cli_earlier_next(void *ctx, int position, struct wcts_result *result, char **output);

#endif
