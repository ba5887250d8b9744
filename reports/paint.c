/* SPDX-License-Identifier: MIT */
#include "paint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wcts_report_paint wcts_report_paint_on(FILE *out, enum wcts_colours colours)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (colours != WCTS_COLOURS_AUTO)
        return (struct wcts_report_paint){out, colours == WCTS_COLOURS_ALWAYS};
    return (struct wcts_report_paint){out, isatty(fileno(out)) && !(no && no[0] != '\0') && term &&
                                               strcmp(term, "dumb") != 0};
}

void wcts_report_paint(const struct wcts_report_paint *to, enum wcts_report_colour colour)
{
    static const char *const codes[WCTS_COLOUR_COUNT] = {[WCTS_PLAIN] = "\033[0m",
                                                         [WCTS_BOLD] = "\033[1m",
                                                         [WCTS_RED] = "\033[31m",
                                                         [WCTS_GREEN] = "\033[32m",
                                                         [WCTS_YELLOW] = "\033[33m"};
    if (to->coloured)
        fputs(codes[colour], to->out);
}

enum wcts_report_colour wcts_report_verdict_colour(enum wcts_verdict verdict)
{
    static const enum wcts_report_colour colours[WCTS_VERDICT_COUNT] = {
        [WCTS_VERDICT_PASS] = WCTS_GREEN,      [WCTS_VERDICT_WARN] = WCTS_YELLOW,
        [WCTS_VERDICT_SKIP] = WCTS_YELLOW,     [WCTS_VERDICT_FAIL] = WCTS_RED,
        [WCTS_VERDICT_CRASH] = WCTS_RED,       [WCTS_VERDICT_TIMEOUT] = WCTS_RED,
        [WCTS_VERDICT_BROKEN] = WCTS_YELLOW,   [WCTS_VERDICT_WAIVED] = WCTS_YELLOW,
        [WCTS_VERDICT_FIXED] = WCTS_YELLOW,    [WCTS_VERDICT_FLAKY] = WCTS_YELLOW,
        [WCTS_VERDICT_DECLINED] = WCTS_YELLOW, [WCTS_VERDICT_DEVIATES] = WCTS_GREEN,
    };
    return colours[verdict];
}
