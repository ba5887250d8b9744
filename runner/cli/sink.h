/* SPDX-License-Identifier: MIT */
/* Where the results of a run go, one after the other in plan order: counts, the run directory, and
 * what is printed meanwhile. */
#ifndef WCTS_CLI_SINK_H
#define WCTS_CLI_SINK_H

#include "../../reports/report.h"
#include "../../reports/tap.h"
#include "../run/backtrace.h"
#include "../store/run_dir.h"
#include "earlier.h"
#include "settings.h"

/* The members up to current are set by who owns it, who releases repack; nothing else is owned. */
struct wcts_cli_sink {
    const struct wcts_cli_settings *settings;
    struct wcts_report_run *run;
    struct wcts_store_rundir *directory;
    struct wcts_baseline *baseline; /* NULL: none */
    struct wcts_report_tap *tap;
    struct wcts_run_backtraces *backtraces; /* NULL: none are taken */
    struct wcts_stored *stored_claims;      /* NULL: nothing is recorded */
    struct wcts_cli_earlier *earlier; /* results that were stored before; NULL: there are none */
    bool are_apart;                   /* True if records come apart, and are packed together here */
    bool progress;                    /* True if it is printed */
    const struct wcts_store_tally *total; /* what it has: of the run, or of what is stored so far */
    const struct wcts_run_current *current; /* what runs while nothing is taken */
    struct wcts_store_repack repack;
    double begin;    /* wcts_run_watch_now() when the run began */
    double shown;    /* when progress was last printed */
    double flushed;  /* when results were last flushed */
    double flushing; /* how long that took */
    int described;   /* of run->unrepeated, how many run.json has */
    int taken;       /* results so far */
    int failures;
};

/* A wcts_pool_result_fn; ctx is the sink. */
bool wcts_cli_sink_take(void *ctx, const struct wcts_case *test, struct wcts_result *result,
                        const char *output);

/* Stores a result, without waivers and reports. False with a message. */
bool wcts_cli_sink_store(const struct wcts_cli_sink *sink, const struct wcts_case *test,
                         const struct wcts_result *result, const char *output);

/* Ends the line of progress. */
void wcts_cli_sink_clear(const struct wcts_cli_sink *sink);

/* To be called again and again while the run goes on: writes what was taken. Returns true if that
 * cannot be done (an over() of struct wcts_run_pool_options). */
bool wcts_cli_sink_flush(void *ctx);

/* True if the run has as many failures as it may have. */
bool wcts_cli_sink_has_enough(const struct wcts_cli_sink *sink);

#endif
