/* SPDX-License-Identifier: MIT */
#include "diagnostics.h"

#include <stdarg.h>

void wcts_error_at(struct wcts_diagnostics *diagnostics, const struct wcts_place *place,
                   const char *format, ...)
{
    va_list arguments;
    diagnostics->errors++;
    if (diagnostics->out == NULL)
        return;
    if (place->line > 0)
        fprintf(diagnostics->out, "%s:%ld: ", place->file, place->line);
    else
        fprintf(diagnostics->out, "%s: ", place->file);
    va_start(arguments, format);
    vfprintf(diagnostics->out, format, arguments);
    va_end(arguments);
    for (const struct wcts_place *use = place->use; use != NULL; use = use->use)
        fprintf(diagnostics->out, " (used at %s:%ld)", use->file, use->line);
    fputc('\n', diagnostics->out);
}
