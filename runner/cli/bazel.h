/* SPDX-License-Identifier: MIT */
/* What Bazel and its tests leave for each other, in files that variables name: with --shard auto a
 * run keeps to it. Elsewhere these do nothing. */
#ifndef WCTS_CLI_BAZEL_H
#define WCTS_CLI_BAZEL_H

#include "../../reports/report.h"
#include "settings.h"

/* What --test_filter has, which is one more --filter; NULL: none. */
const char *wcts_cli_bazel_filter(const struct wcts_cli_settings *settings);

/* Sets what the command line leaves open: JUnit is written to XML_OUTPUT_FILE, and the run
 * directory is "run" in TEST_UNDECLARED_OUTPUTS_DIR. False without memory. */
bool wcts_cli_bazel_settings(struct wcts_cli_settings *settings);

/* Says that parts are known here (TEST_SHARD_STATUS_FILE), and that the test has begun
 * (TEST_PREMATURE_EXIT_FILE, which is left if it is killed). False, with a message, if a file
 * cannot be written. */
bool wcts_cli_bazel_begin(const struct wcts_cli_settings *settings);

/* The test has ended in order. */
void wcts_cli_bazel_end(const struct wcts_cli_settings *settings);

/* Says in TEST_INFRASTRUCTURE_FAILURE_FILE if no more can be said of the implementation than that
 * it could not be loaded, or that the run was broken, and in TEST_WARNINGS_OUTPUT_FILE which
 * statements have warnings. */
void wcts_cli_bazel_conclude(const struct wcts_cli_settings *settings,
                             const struct wcts_report_run *run);

#endif
