/* SPDX-License-Identifier: MIT */
/* What the cases of a cause have in common, and other cases do not: "fails at pages of 16K and 64K,
 * 12 of 12; passes at 4K, 28 of 28". Facts that make no difference are left out, except versions,
 * at which an author wants to know the cause. */
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define VALUES_MAX 64
/* Values, or ranges of values, that are named. */
#define NAMED_MAX 6
/* A sequence. */
#define ELSEWHERE (~0ul)

struct report_value {
    unsigned long number;
    int failed, passed, untried;
    int count; /* that were tried */
};

/* The values of a fact in these cases, ascending. */
struct report_values {
    struct report_value of[VALUES_MAX];
    int count;
};

/* The cases with a value: some fail for the cause; none does, and some were not tried because of
 * such deaths; all were tried, and some pass; neither. */
enum report_value_group { FAILING, UNTRIED, PASSING, OTHER };

/* A fact that has one value in each case. */
struct report_facet {
    const char *fails, *passes; /* before the values */
    unsigned long (*of)(const struct wcts_plan *plan, int index);
    void (*print)(FILE *out, const struct wcts_spec *spec, unsigned long number);
    bool ordered; /* neighbours form a range */
    bool always;  /* printed even if it makes no difference */
};

static unsigned long version_of(const struct wcts_plan *plan, int index)
{
    return (unsigned long)plan->tests[index].version;
}

static void print_version(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    fputs(spec->versions[number].name, out);
}

static unsigned long pages_of(const struct wcts_plan *plan, int index)
{
    return wcts_plan_series(plan, index)->page_size;
}

static void print_pages(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    (void)spec;
    fprintf(out, "%luK", number >> 10);
}

static unsigned long expected_of(const struct wcts_plan *plan, int index)
{
    return (unsigned long)wcts_plan_series(plan, index)->expect;
}

static void print_expected(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    (void)spec;
    fputs(wcts_model_expect_name((enum wcts_expect)number), out);
}

/* The scenario, or the base call that the case changes. */
static unsigned long place_in_plan(const struct wcts_plan *plan, int index)
{
    const struct wcts_series *series = wcts_plan_series(plan, index);
    if (series->scenario >= 0)
        return (unsigned long)plan->spec->cases->bases_count + (unsigned long)series->scenario;
    return series->base < 0 ? ELSEWHERE : (unsigned long)series->base;
}

static void print_place(FILE *out, const struct wcts_spec *spec, unsigned long number)
{
    const struct wcts_cases *cases = spec->cases;
    unsigned long bases = (unsigned long)cases->bases_count;
    if (number == ELSEWHERE)
        fputs("what has no name", out);
    else if (number < bases)
        fputs(cases->bases[number].name, out);
    else
        fputs(cases->scenarios[number - bases].name, out);
}

/* Expectations come first: cases with expectations that no failing case has are left out of the
 * other facts. */
static const struct report_facet facets[] = {
    {"in cases that expect ", "in those that expect ", expected_of, print_expected, false, false},
    {"in ", "in ", place_in_plan, print_place, false, false},
    {"at pages of ", "at ", pages_of, print_pages, false, false},
    {"at WDDM ", "at ", version_of, print_version, true, true},
};

/* ---- counting ---- */

/* The cases to compare with a cause: of its statements, on the same side. */
static bool are_cases_alike(const struct wcts_report_causes *causes, int smallest, int index)
{
    const struct wcts_series *series = wcts_plan_series(causes->plan, index);
    int own = causes->of[smallest];
    return causes->of[index] == own ||
           (causes->of[index] != WCTS_CASE_UNKNOWN &&
            series->driver == wcts_plan_series(causes->plan, smallest)->driver &&
            causes->list[own - 1].about[causes->plan->spec->rules[series->rule].statement]);
}

/* False when there are too many values. */
static bool count_case(struct report_values *values, unsigned long number, int state, int own)
{
    int at = 0;
    while (at < values->count && values->of[at].number < number)
        at++;
    struct report_value *value = &values->of[at];
    if (at == values->count || value->number != number) {
        if (values->count == VALUES_MAX)
            return false;
        memmove(value + 1, value, (size_t)(values->count - at) * sizeof *value);
        *value = (struct report_value){.number = number};
        values->count++;
    }
    value->count += state != WCTS_CASE_UNTRIED;
    value->failed += state == own;
    value->passed += state == WCTS_CASE_GOOD;
    value->untried += state == WCTS_CASE_UNTRIED;
    return true;
}

/* expected: the expectations to count, a bit each. */
static bool count_values(const struct wcts_report_causes *causes,
                         const struct wcts_report_failure *failure,
                         const struct report_facet *facet, unsigned expected,
                         struct report_values *values)
{
    const struct wcts_plan *plan = causes->plan;
    int own = causes->of[failure->smallest];
    values->count = 0;
    for (int i = 0; i < plan->count; i++)
        if (are_cases_alike(causes, failure->smallest, i) &&
            (expected >> wcts_plan_series(plan, i)->expect & 1) != 0 &&
            !count_case(values, facet->of(plan, i), causes->of[i], own))
            return false;
    return true;
}

/* The expectations of the cause's cases, a bit each. */
static unsigned expectations(const struct wcts_report_causes *causes, int cause)
{
    unsigned expected = 0;
    for (int i = 0; i < causes->plan->count; i++)
        if (causes->of[i] == cause)
            expected |= 1u << wcts_plan_series(causes->plan, i)->expect;
    return expected;
}

/* ---- words ---- */

static enum report_value_group value_group_of(const struct report_value *value)
{
    if (value->failed != 0)
        return FAILING;
    if (value->untried != 0)
        return UNTRIED;
    return value->passed != 0 ? PASSING : OTHER;
}

static int count_group(const struct report_values *values, enum report_value_group group)
{
    int count = 0;
    for (int i = 0; i < values->count; i++)
        count += value_group_of(&values->of[i]) == group;
    return count;
}

/* The end of the range of values of one group that begins at i. Two are none: "2.9, 3.0 and 3.2".
 */
static int end_of_range(const struct report_facet *facet, const struct report_values *values, int i)
{
    int end = i + 1;
    while (facet->ordered && end < values->count &&
           value_group_of(&values->of[end]) == value_group_of(&values->of[i]))
        end++;
    return end - i == 2 ? i + 1 : end;
}

/* "16K and 64K", "1.0, 2.3 to 3.2". */
static void print_values(FILE *out, const struct wcts_spec *spec, const struct report_facet *facet,
                         const struct report_values *values, enum report_value_group group)
{
    int left = count_group(values, group), named = 0;
    const char *separator = "";
    for (int i = 0, end; i < values->count; i = end) {
        end = end_of_range(facet, values, i);
        if (value_group_of(&values->of[i]) != group)
            continue;
        if (named++ == NAMED_MAX) {
            fprintf(out, " and %d more", left);
            return;
        }
        fputs(separator, out);
        facet->print(out, spec, values->of[i].number);
        if (end - i > 1) {
            fputs(" to ", out);
            facet->print(out, spec, values->of[end - 1].number);
        }
        left -= end - i;
        separator = left == 1 && named < NAMED_MAX ? " and " : ", ";
    }
}

/* "fails at pages of 16K and 64K, 12 of 12". */
static void print_group(FILE *out, const struct wcts_spec *spec, const struct report_facet *facet,
                        const struct report_values *values, enum report_value_group group,
                        const char *verb)
{
    int all = 0, some = 0;
    for (int i = 0; i < values->count; i++)
        if (value_group_of(&values->of[i]) == group) {
            all += values->of[i].count;
            some += group == FAILING ? values->of[i].failed : values->of[i].passed;
        }
    if (count_group(values, group) == 0)
        return;
    fprintf(out, "%s%s %s", group != FAILING ? "; " : "", verb,
            group == FAILING ? facet->fails : facet->passes);
    print_values(out, spec, facet, values, group);
    if (group == FAILING && count_group(values, FAILING) == values->count)
        fputs(values->count == 2 ? ", both that were tested" : ", all that were tested", out);
    if (group == FAILING || group == PASSING)
        fprintf(out, ", %d of %d", some, all);
}

/* What the cases of a cause do, by verdict. */
static const char *const verbs[WCTS_VERDICT_COUNT] = {
    [WCTS_VERDICT_FAIL] = "fails",        [WCTS_VERDICT_CRASH] = "dies",
    [WCTS_VERDICT_TIMEOUT] = "hangs",     [WCTS_VERDICT_DECLINED] = "declined",
    [WCTS_VERDICT_BROKEN] = "not set up",
};

static char *make_pattern(const struct wcts_report_causes *causes,
                          const struct wcts_report_failure *failure)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int own = causes->of[failure->smallest];
    const char *verb = verbs[causes->list[own - 1].verdict];
    unsigned expected = ~0u;
    if (!out)
        return NULL;
    for (size_t f = 0; f < sizeof facets / sizeof facets[0]; f++) {
        const struct wcts_spec *spec = causes->plan->spec;
        struct report_values values;
        bool counted = count_values(causes, failure, &facets[f], expected, &values);
        int failing = count_group(&values, FAILING), untried = count_group(&values, UNTRIED);
        expected = expectations(causes, own);
        if (!counted || values.count < 2 ||
            (failing + untried == values.count && !facets[f].always))
            continue;
        print_group(out, spec, &facets[f], &values, FAILING, verb);
        print_group(out, spec, &facets[f], &values, UNTRIED, "not all tried");
        print_group(out, spec, &facets[f], &values, PASSING, "passes");
        print_group(out, spec, &facets[f], &values, OTHER, "ends otherwise");
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

/* Made from all cases of the plan, once for all failures of a cause. */
char *wcts_report_pattern_text(const struct wcts_report_causes *causes,
                               const struct wcts_report_failure *failure)
{
    int own = causes->of[failure->smallest];
    if (own <= 0)
        return strdup("");
    bool driver = wcts_plan_series(causes->plan, failure->smallest)->driver;
    struct wcts_report_pattern *pattern = &causes->list[own - 1].patterns[driver];
    if (!pattern->text || pattern->counted != causes->counted) {
        free(pattern->text);
        *pattern = (struct wcts_report_pattern){make_pattern(causes, failure), causes->counted};
    }
    return pattern->text ? strdup(pattern->text) : NULL;
}
