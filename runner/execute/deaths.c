/* SPDX-License-Identifier: MIT */
#include "deaths.h"

#include <stdlib.h>

#include "parts.h"

/* So many equal deaths in a row are enough to know one. */
#define EQUAL_MAX 3
/* Of the rest every so manieth is tried. */
#define SAMPLE 20

/* Deaths in a row, of a base or of an operation. */
struct streak {
    enum wcts_verdict verdict;
    uint32_t operation;
    int length;
    unsigned seen;     /* cases that were asked for since it is known */
    unsigned interval; /* one of so many is tried */
};

struct wcts_deaths {
    const struct wcts_plan *plan; /* not owned */
    struct streak *bases;         /* of each base, then of each scenario, then of sequences; of the
                                   * kernel, then of the driver */
    int known;                    /* bases that are thinned out now */
    struct streak hangs[2];       /* of the operation in which the kernel, the driver hung last */
};

static int places(const struct wcts_plan *plan)
{
    return plan->spec->cases->bases_count + plan->spec->cases->scenarios_count + 2;
}

struct wcts_deaths *wcts_deaths_new(const struct wcts_plan *plan)
{
    struct wcts_deaths *deaths = calloc(1, sizeof *deaths);
    if (!deaths)
        return NULL;
    deaths->plan = plan;
    deaths->bases = calloc(2 * (size_t)places(plan), sizeof *deaths->bases);
    if (deaths->bases)
        return deaths;
    free(deaths);
    return NULL;
}

void wcts_deaths_free(struct wcts_deaths *deaths)
{
    if (deaths)
        free(deaths->bases);
    free(deaths);
}

/* ---- what cases have in common ---- */

static struct streak *base_of(struct wcts_deaths *deaths, const struct wcts_case *one)
{
    const struct wcts_cases *cases = deaths->plan->spec->cases;
    int place = cases->bases_count + cases->scenarios_count;
    if (one->scenario)
        place = cases->bases_count + (int)(one->scenario - cases->scenarios);
    else if (one->kind != WCTS_KIND_SEQUENCE)
        place = one->base >= 0 ? one->base : place + 1;
    if (place < 0 || place >= places(deaths->plan)) /* a scenario from a file */
        place = places(deaths->plan) - 1;
    return &deaths->bases[(one->driver ? places(deaths->plan) : 0) + place];
}

/* True if the step, or one that it needs, calls the operation. */
static bool step_calls(const struct wcts_spec *spec, int step, uint32_t operation)
{
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < cases->steps_count; i++)
        if (cases->steps[i].message >= 0 &&
            spec->messages[cases->steps[i].message].operation == operation &&
            wcts_step_takes(cases, step, i))
            return true;
    return false;
}

static bool scenario_calls(const struct wcts_spec *spec, const struct wcts_scenario *scenario,
                           uint32_t operation)
{
    for (int i = 0; i < scenario->act_count; i++)
        if (step_calls(spec, scenario->acts[i].step, operation))
            return true;
    return false;
}

/* An operation that no step calls by name is called on the way: by every case. */
static bool is_in_steps(const struct wcts_spec *spec, uint32_t operation)
{
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < cases->steps_count; i++)
        if (cases->steps[i].message >= 0 &&
            spec->messages[cases->steps[i].message].operation == operation)
            return true;
    return false;
}

static bool case_calls(const struct wcts_spec *spec, const struct wcts_case *one,
                       uint32_t operation)
{
    if (one->driver || one->kind == WCTS_KIND_SEQUENCE || !is_in_steps(spec, operation))
        return true;
    if (one->scenario)
        return scenario_calls(spec, one->scenario, operation);
    return one->base < 0 || step_calls(spec, spec->cases->bases[one->base].step, operation);
}

/* ---- streaks ---- */

static void note_death(struct streak *streak, enum wcts_verdict verdict, uint32_t operation,
                       unsigned growth)
{
    if (streak->length == 0 || streak->verdict != verdict || streak->operation != operation)
        *streak = (struct streak){.verdict = verdict, .operation = operation, .interval = SAMPLE};
    if (++streak->length > EQUAL_MAX)
        streak->interval *= growth;
}

void wcts_deaths_note(struct wcts_deaths *deaths, const struct wcts_case *one,
                      const struct wcts_result *result, uint32_t operation)
{
    struct streak *base = base_of(deaths, one), *hangs = &deaths->hangs[one->driver];
    bool died = result->verdict == WCTS_VERDICT_CRASH || result->verdict == WCTS_VERDICT_TIMEOUT;
    /* A message that is none ends the case, not the worker: that costs no time to save. */
    if (died && operation == WCTS_ACTIVITY_NONE)
        return;
    if (died) {
        deaths->known -= base->length >= EQUAL_MAX;
        note_death(base, result->verdict, operation, 1);
        deaths->known += base->length >= EQUAL_MAX;
        if (result->verdict == WCTS_VERDICT_TIMEOUT)
            note_death(hangs, result->verdict, operation, 2);
        return;
    }
    /* What was not carried out says nothing. */
    if (result->verdict != WCTS_VERDICT_PASS && result->verdict != WCTS_VERDICT_FAIL &&
        result->verdict != WCTS_VERDICT_WARN)
        return;
    deaths->known -= base->length >= EQUAL_MAX;
    base->length = 0;
    if (hangs->length != 0 && case_calls(deaths->plan->spec, one, hangs->operation))
        hangs->length = 0;
}

/* True if the streak is known, and this is none of the sample. */
static bool thins_out(struct streak *streak)
{
    return streak->length >= EQUAL_MAX && ++streak->seen % streak->interval != 0;
}

bool wcts_deaths_known(const struct wcts_deaths *deaths)
{
    return deaths->known != 0 || deaths->hangs[0].length >= EQUAL_MAX ||
           deaths->hangs[1].length >= EQUAL_MAX;
}

bool wcts_deaths_hangs(const struct wcts_deaths *deaths, const struct wcts_case *one,
                       uint32_t operation)
{
    const struct streak *hangs = &deaths->hangs[one->driver];
    return hangs->length >= EQUAL_MAX && hangs->operation == operation;
}

bool wcts_deaths_spare(struct wcts_deaths *deaths, const struct wcts_case *one,
                       struct wcts_result *result)
{
    struct streak *streak = base_of(deaths, one), *hangs = &deaths->hangs[one->driver];
    if (hangs->length >= EQUAL_MAX && case_calls(deaths->plan->spec, one, hangs->operation))
        streak = hangs;
    if (!thins_out(streak))
        return false;
    *result = (struct wcts_result){0};
    wcts_result_skip(result, WCTS_SKIP_NOT_TRIED, "cases like it %s in %s (--all-deaths tries all)",
                     streak->verdict == WCTS_VERDICT_TIMEOUT ? "hung" : "died",
                     wcts_activity_name(streak->operation));
    return true;
}
