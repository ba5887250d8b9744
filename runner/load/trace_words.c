/* SPDX-License-Identifier: MIT */
/* The words of attributes of spec/traces/, which the table of elements has, and its reader. */
#include <stddef.h>

#include "trace.h"

const char *const wcts_load_trace_as_words[] = {
    [WCTS_TRACE_NUMBER] = "number", [WCTS_TRACE_ZERO] = "zero", NULL};
const char *const wcts_load_trace_life_words[] = {[WCTS_TRACE_BEGINS] = "begins",
                                                  [WCTS_TRACE_LASTS] = "lasts",
                                                  [WCTS_TRACE_OBJECT_ENDS] = "ends",
                                                  NULL};
const char *const wcts_load_trace_ends_words[] = {[WCTS_TRACE_ENDS_NOTHING] = "nothing",
                                                  [WCTS_TRACE_ENDS_BEFORE] = "before",
                                                  [WCTS_TRACE_ENDS_AFTER] = "after",
                                                  NULL};
