/* SPDX-License-Identifier: MIT */
#include "choices.h"

#include <string.h>

#include "names.h"

static const char *const suites[] = {"smoke", "standard", "full", NULL};
static const char *const judgings[] = {"binding", "documented", "strict", NULL};

const char *wcts_model_suite_name(enum wcts_suite suite)
{
    return suites[suite];
}

const char *wcts_model_level_name(enum wcts_level level)
{
    return judgings[level];
}

bool wcts_model_suite_find(const char *name, enum wcts_suite *suite)
{
    int index = wcts_model_word_index(suites, name, strlen(name));
    *suite = index >= 0 ? (enum wcts_suite)index : WCTS_SUITE_SMOKE;
    return index >= 0;
}

bool wcts_model_level_find(const char *name, enum wcts_level *level)
{
    int index = wcts_model_word_index(judgings, name, strlen(name));
    *level = index >= 0 ? (enum wcts_level)index : WCTS_LEVEL_BINDING;
    return index >= 0;
}
