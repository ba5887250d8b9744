/* SPDX-License-Identifier: MIT */
/* The table of options, from which parsing and --help come. */
#ifndef WCTS_CLI_OPTIONS_H
#define WCTS_CLI_OPTIONS_H

#include "settings.h"

/* Among the commands of an option: what a run finds does not depend on it, so a run that goes on
 * may have another one. */
#define WCTS_OPTION_FREE (1u << 31)

/* Applies an option's value, which it may cut to pieces, to the settings; NULL for an option
 * without one. Returns NULL, or what it expected. */
typedef const char *wcts_cli_apply_fn(struct wcts_cli_settings *settings, char *value);

/* {"jobs", 'j', "N", ON(run) | ON(faults), apply_workers, "workers (default: ...)"} */
struct wcts_cli_option {
    const char *name;
    char letter;          /* '\0': none */
    const char *argument; /* NULL: none */
    unsigned commands;    /* sum of 1 << enum wcts_cli_command_number, and WCTS_OPTION_FREE */
    wcts_cli_apply_fn *apply;
    const char *help;
};

/* The most options that there may be. */
#define WCTS_CLI_OPTIONS_MAX 128

extern const struct wcts_cli_option wcts_cli_options[];
extern const size_t wcts_cli_options_count; /* how many there are */

#endif
