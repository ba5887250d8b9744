/* SPDX-License-Identifier: MIT */
/* What the failing cases of a rule share that the others lack: "pages 16K, 64K: 12 of 12; 4K: 0 of
 * 28". Of facts that make no difference nothing is said. */
#include <string.h>

#include "report.h"

#define VALUES_MAX 32

struct value {
    unsigned long number;
    int failed, count;
};

/* A fact that each case has one value of. */
struct facet {
    const char *name;
    unsigned long (*of)(const struct wcts_case *one);
    void (*print)(FILE *out, const struct wcts_spec *spec, unsigned long number);
};

static unsigned long version_of(const struct wcts_case *one)
{
    return (unsigned long)one->version;
}

static void print_version(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    fputs(spec->versions[number].name, out);
}

static unsigned long pages_of(const struct wcts_case *one)
{
    return one->page_size;
}

static void print_pages(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    (void)spec;
    fprintf(out, "%luK", number >> 10);
}

static unsigned long expected_of(const struct wcts_case *one)
{
    return (unsigned long)one->expect;
}

static void print_expected(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    (void)spec;
    fputs(wcts_expect_name((enum wcts_expect)number), out);
}

static const struct facet facets[] = {
    {"pages", pages_of, print_pages},
    {"WDDM", version_of, print_version},
    {"expected", expected_of, print_expected},
};

/* Counts the cases of the rule and side that came to a verdict by their value. */
static int count_values(const struct wcts_causes *causes, const struct wcts_failure *failure,
                        const struct facet *facet, struct value values[VALUES_MAX])
{
    const struct wcts_case *cases = causes->plan->cases, *smallest = &cases[failure->smallest];
    int cause = causes->of[failure->smallest], count = 0;
    for (int i = 0; i < causes->plan->count; i++) {
        int at = 0;
        if (cases[i].rule != smallest->rule || cases[i].driver != smallest->driver ||
            causes->of[i] == WCTS_CASE_UNKNOWN)
            continue;
        while (at < count && values[at].number != facet->of(&cases[i]))
            at++;
        if (at == VALUES_MAX)
            return 0;
        if (at == count)
            values[count++] = (struct value){.number = facet->of(&cases[i])};
        values[at].count++;
        values[at].failed += causes->of[i] == cause;
    }
    return count;
}

/* The values with which some fail, or none: "16K, 64K: 12 of 12". */
static void print_values(FILE *out, const struct wcts_spec *spec, const struct facet *facet,
                         const struct value *values, int count, bool fail)
{
    int failed = 0, all = 0;
    for (int i = 0; i < count; i++) {
        if ((values[i].failed != 0) != fail)
            continue;
        fputs(all != 0 ? ", " : "", out);
        facet->print(out, spec, values[i].number);
        failed += values[i].failed;
        all += values[i].count;
    }
    fprintf(out, ": %d of %d", failed, all);
}

void wcts_pattern_print(FILE *out, const char *indent, const struct wcts_causes *causes,
                        const struct wcts_failure *failure)
{
    for (size_t f = 0; f < sizeof facets / sizeof facets[0]; f++) {
        struct value values[VALUES_MAX];
        int count = count_values(causes, failure, &facets[f], values), failing = 0;
        for (int i = 0; i < count; i++)
            failing += values[i].failed != 0;
        if (failing == 0 || failing == count)
            continue;
        fprintf(out, "%spattern:   %s ", indent, facets[f].name);
        print_values(out, causes->plan->spec, &facets[f], values, count, true);
        fputs("; ", out);
        print_values(out, causes->plan->spec, &facets[f], values, count, false);
        fputc('\n', out);
    }
}
