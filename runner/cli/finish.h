/* SPDX-License-Identifier: MIT */
/* The end of a run: its description, the reports that were asked for, and its last line. */
#ifndef WCTS_CLI_FINISH_H
#define WCTS_CLI_FINISH_H

#include "../../reports/documents.h"
#include "../../reports/tap.h"
#include "suite.h"

/* What a run writes beside its directory. The owner releases the
 * documents.
 */
struct wcts_cli_files {
    struct wcts_report_load_options options;
    struct wcts_report_documents documents;
    struct wcts_report_tap tap; /* on standard output */
};

/* Opens what is to be written before anything runs. False with a message. */
bool wcts_cli_files_open(struct wcts_cli_files *files, const struct wcts_cli_suite *suite,
                         const char *directory);

/* Writes the files of a run that has ended, from its directory. False with a message. */
bool wcts_cli_files_again(const struct wcts_cli_suite *suite, const char *directory);

/* Writes all of it. The conclusion comes last, and only of what is written. False when something
 * could not be written. */
bool wcts_cli_files_finish(const struct wcts_cli_suite *suite, struct wcts_report_run *run,
                           struct wcts_store_rundir *directory, struct wcts_cli_files *files);

#endif
