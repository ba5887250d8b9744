/* SPDX-License-Identifier: MIT */
/* The models of tests/bench, read from their files, for the test and the bench of covering arrays.
 */
#ifndef WCTS_BENCH_MODELS_H
#define WCTS_BENCH_MODELS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/generate/array.h"

/* How many rows PICT and jenny need, measured side by side; the fewer of both is what is allowed.
 */
static const struct bench_figure {
    const char *model;
    int strength, pict, jenny;
} figures[] = {
    {"a", 2, 13, 12}, {"a", 3, 34, 33},   {"b", 2, 16, 12},    {"b", 3, 35, 33},
    {"c", 2, 64, 68}, {"c", 3, 391, 370}, {"free", 2, 11, 11}, {"free", 3, 25, 26},
};

struct named_model {
    struct wcts_generate_model model;
    char names[WCTS_GENERATE_PARAMETERS_MAX][64];
    char values[WCTS_GENERATE_PARAMETERS_MAX][8][32];
};

static inline int model_parameter(const struct named_model *named, const char *name)
{
    for (int i = 0; i < named->model.parameter_count; i++)
        if (strcmp(named->names[i], name) == 0)
            return i;
    return -1;
}

static inline bool model_forbid(struct named_model *named, char *rest)
{
    struct wcts_generate_term terms[WCTS_GENERATE_PARAMETERS_MAX];
    int count = 0;
    for (char *word; (word = strtok_r(NULL, " \n", &rest));) {
        char *value = strchr(word, '=');
        int parameter;
        if (!value)
            return false;
        *value++ = '\0';
        parameter = model_parameter(named, word);
        if (parameter < 0)
            return false;
        terms[count] = (struct wcts_generate_term){parameter, 0};
        for (int i = 0; i < named->model.values[parameter]; i++)
            if (strcmp(named->values[parameter][i], value) == 0)
                terms[count].values = UINT64_C(1) << i;
        if (terms[count++].values == 0)
            return false;
    }
    return count > 0 && wcts_generate_forbid(&named->model, terms, count);
}

static inline bool model_line(struct named_model *named, char *line)
{
    char *rest, *word = strtok_r(line, " \n", &rest);
    int values = 0, at = named->model.parameter_count;
    if (!word || *word == '#')
        return true;
    if (strcmp(word, "forbid") == 0)
        return model_forbid(named, rest);
    if (at == WCTS_GENERATE_PARAMETERS_MAX)
        return false;
    snprintf(named->names[at], sizeof named->names[at], "%s", word);
    while (values < 8 && (word = strtok_r(NULL, " \n", &rest)))
        snprintf(named->values[at][values++], sizeof named->values[at][0], "%s", word);
    return wcts_generate_parameter(&named->model, values) == at;
}

/* Reads tests/bench/NAME.model. False if it is not there or has a line that says nothing. */
static inline bool model_read(struct named_model *named, const char *name)
{
    char path[128], line[512];
    FILE *in;
    bool good = true;
    memset(named, 0, sizeof *named);
    snprintf(path, sizeof path, "tests/bench/%s.model", name);
    in = fopen(path, "r");
    while (good && in && fgets(line, sizeof line, in))
        good = model_line(named, line);
    if (in)
        fclose(in);
    return good && named->model.parameter_count > 0;
}

#endif
