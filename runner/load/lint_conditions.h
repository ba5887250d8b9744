/* SPDX-License-Identifier: MIT */
#ifndef WCTS_LINT_CONDITIONS_H
#define WCTS_LINT_CONDITIONS_H

#include "../lang/expr.h"

/* True if no value of a part of two conditions makes both of them true (wanted), or both false.
 * False if that is not known. */
bool wcts_load_lint_never(const struct wcts_lang_exprs *exprs, int condition, int other,
                          bool wanted);

#endif
