/* SPDX-License-Identifier: MIT */
/* From the file of a declaration to the declaration. */
#ifndef WCTS_LOAD_DECLARATION_H
#define WCTS_LOAD_DECLARATION_H

#include "../base/diagnostics.h"
#include "../model/declaration.h"

/* Loads a declaration and checks its names. NULL, with every error reported, if there is one. The
 * spec has to outlive it; the caller frees it. */
struct wcts_declaration *wcts_load_declaration(const char *path, const struct wcts_spec *spec,
                                               struct wcts_diagnostics *diagnostics);
/* Accepts NULL. */
void wcts_load_declaration_free(struct wcts_declaration *declaration);

#endif
