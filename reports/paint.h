/* SPDX-License-Identifier: MIT */
/* Colours, on terminals or by request. */
#ifndef WCTS_PAINT_H
#define WCTS_PAINT_H

#include <stdbool.h>
#include <stdio.h>

#include "../runner/model/finding.h"
#include "asked.h"

enum wcts_report_colour {
    WCTS_PLAIN,
    WCTS_BOLD,
    WCTS_RED,
    WCTS_GREEN,
    WCTS_YELLOW,
    WCTS_COLOUR_COUNT
};

/* Where text goes, and whether it may have colours: {stdout, true} at a terminal. */
struct wcts_report_paint {
    FILE *out; /* not owned */
    bool coloured;
};

/* AUTO: coloured if out is a terminal with colours, and NO_COLOR is not set. */
struct wcts_report_paint wcts_report_paint_on(FILE *out, enum wcts_colours colours);

/* Sets the colour of what is printed next. */
void wcts_report_paint(const struct wcts_report_paint *to, enum wcts_report_colour colour);

enum wcts_report_colour wcts_report_verdict_colour(enum wcts_verdict verdict);

#endif
