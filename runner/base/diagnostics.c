/* SPDX-License-Identifier: MIT */
#include "diagnostics.h"

#include <stdarg.h>

__attribute__((format(printf, 4, 0))) static void report(const struct wcts_diagnostics *diagnostics,
                                                         const struct wcts_place *place,
                                                         const char *front, const char *format,
                                                         va_list arguments)
{
    if (diagnostics->out == NULL)
        return;
    if (place->line > 0)
        fprintf(diagnostics->out, "%s:%ld: %s", place->file, place->line, front);
    else
        fprintf(diagnostics->out, "%s: %s", place->file, front);
    vfprintf(diagnostics->out, format, arguments);
    for (const struct wcts_place *use = place->use; use != NULL; use = use->use)
        fprintf(diagnostics->out, " (used at %s:%ld)", use->file, use->line);
    fputc('\n', diagnostics->out);
}

void wcts_error_at(struct wcts_diagnostics *diagnostics, const struct wcts_place *place,
                   const char *format, ...)
{
    va_list arguments;
    diagnostics->errors++;
    va_start(arguments, format);
    report(diagnostics, place, "", format, arguments);
    va_end(arguments);
}

void wcts_warning_at(struct wcts_diagnostics *diagnostics, const struct wcts_place *place,
                     const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(diagnostics, place, "warning: ", format, arguments);
    va_end(arguments);
}
