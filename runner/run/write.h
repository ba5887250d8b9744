/* SPDX-License-Identifier: MIT */
/* Scripts as scenario files, which reproduce a failure. */
#ifndef WCTS_WRITE_H
#define WCTS_WRITE_H

#include <stdio.h>

#include "../model/cases.h"

/* A scenario that is written, in which the driver answers as an adapter, from one version to
 * another. Example: {spec, out, adapter 0, version 3, until 4, 4096, effect = the rule that it must
 * show}. Nothing in it is owned, but for out, which the end closes. */
struct wcts_run_written {
    const struct wcts_spec *spec;
    FILE *out;
    int adapter, version;
    int until;          /* the count of versions: to the newest */
    uint32_t page_size; /* 0: of what scenarios have without more words */
    bool driver, kinds;
    int effect;
    uint64_t also; /* bit n: the n-th rule that the effect rests on is looked at, too */
};

/* comment: NULL: none; format: of the name. */
void wcts_run_write_begin(const struct wcts_run_written *written, const char *comment,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));
void wcts_run_write_parameter(const struct wcts_run_written *written, int symbol,
                              struct wcts_value value);
void wcts_run_write_act(const struct wcts_run_written *written, const struct wcts_act *act);
void wcts_run_write_end(const struct wcts_run_written *written);

#endif
