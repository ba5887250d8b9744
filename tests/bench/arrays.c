/* SPDX-License-Identifier: MIT */
/* Prints how many rows covering arrays of the models have, beside those of other generators, and
 * how many looks at tuples they cost. Fails when there are more rows than the better of the others
 * has. */
#include "models.h"
#include "runner/generate/search.h"

/* The first rows found, and those after so many looks for fewer. */
static const uint64_t efforts[] = {0, UINT64_C(300000000)};

int main(void)
{
    bool good = true;
    printf("covering arrays: rows\n  model  t  PICT  jenny  at once  with effort\n");
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct bench_figure *figure = &figures[i];
        int fewest = figure->pict < figure->jenny ? figure->pict : figure->jenny;
        struct named_model named;
        int rows[2] = {0, 0};
        if (!model_read(&named, figure->model))
            return 1;
        for (int e = 0; e < 2; e++) {
            struct wcts_generate_options options = {figure->strength, 1, efforts[e]};
            struct wcts_generate_measure measure = {0};
            struct wcts_generate_rows made;
            if (wcts_generate_rows(&named.model, &options, &made) != WCTS_GENERATE_DONE ||
                wcts_generate_measure(&named.model, figure->strength, &made, &measure) !=
                    WCTS_GENERATE_DONE ||
                measure.covered != measure.tuples || measure.broken != 0)
                return 1;
            rows[e] = made.count;
            free(made.values);
        }
        printf("  %-5s  %d  %4d  %5d  %7d  %11d%s\n", figure->model, figure->strength, figure->pict,
               figure->jenny, rows[0], rows[1], rows[1] > fewest ? "  too many" : "");
        good = good && rows[1] <= fewest;
        wcts_generate_model_release(&named.model);
    }
    return good ? 0 : 1;
}
