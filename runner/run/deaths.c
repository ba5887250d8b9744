/* SPDX-License-Identifier: MIT */
#include "deaths.h"

#include <stdlib.h>

#include "../exchange/pulse.h"
#include "../model/finding.h"
#include "../plan/mustpass.h"

/* So many equal deaths in a row are known. */
#define EQUAL_MAX 3
/* So many hangs of one operation are known for what hung before, whatever lived in between: each
 * costs a timeout. */
#define HANGS_MAX 12
/* A base that hung at this many versions is assumed to hang at all of them. */
#define VERSIONS_MAX 3
/* Of the rest one in so many is tried; of repeated hangs, fewer, down to one in SAMPLE_MAX. */
#define SAMPLE 20
#define SAMPLE_MAX (SAMPLE << DOUBLED_MAX)
#define DOUBLED_MAX 6
/* After so many further hangs of an operation the sample is halved. */
#define HANGS_DOUBLED 48

/* Equal deaths of a base. */
struct run_streak {
    enum wcts_found found;
    uint32_t operation;
    int length;    /* in a row */
    unsigned seen; /* cases since it is known */
    uint64_t hung; /* ever, at these versions: sum of wcts_plan_version_bit() */
};

/* Hangs in an operation of one side, whatever the base. */
struct run_hang_count {
    uint32_t operation;
    bool driver;
    int length;        /* in a row */
    int count;         /* in all */
    unsigned seen;     /* cases since it is known */
    unsigned interval; /* one in so many is tried: doubled with each that hangs */
};

struct wcts_deaths {
    const struct wcts_plan *plan; /* not owned */
    struct run_streak *bases;     /* for each base, then each scenario, then sequences; of the
                                   * kernel, then of the driver */
    int known;                    /* bases that are sampled now */
    struct run_hang_count *hangs;
    int hangs_count;
};

static int place_count(const struct wcts_plan *plan)
{
    return plan->spec->cases->bases_count + plan->spec->cases->scenarios_count + 2;
}

struct wcts_deaths *wcts_run_deaths_new(const struct wcts_plan *plan)
{
    struct wcts_deaths *deaths = calloc(1, sizeof *deaths);
    if (!deaths)
        return NULL;
    deaths->plan = plan;
    deaths->bases = calloc(2 * (size_t)place_count(plan), sizeof *deaths->bases);
    if (deaths->bases)
        return deaths;
    free(deaths);
    return NULL;
}

void wcts_run_deaths_free(struct wcts_deaths *deaths)
{
    if (deaths) {
        free(deaths->bases);
        free(deaths->hangs);
    }
    free(deaths);
}

/* ---- what cases share ---- */

static struct run_streak *streak_of(struct wcts_deaths *deaths, const struct wcts_case *test)
{
    const struct wcts_cases *cases = deaths->plan->spec->cases;
    int place = cases->bases_count + cases->scenarios_count;
    if (test->scenario)
        place = cases->bases_count + (int)(test->scenario - cases->scenarios);
    else if (!wcts_model_is_drawn(test->kind))
        place = test->base >= 0 ? test->base : place + 1;
    if (place < 0 || place >= place_count(deaths->plan)) /* a scenario from a file */
        place = place_count(deaths->plan) - 1;
    return &deaths->bases[(test->driver ? place_count(deaths->plan) : 0) + place];
}

/* True if the step, or one that it needs, calls the operation. */
static bool step_calls(const struct wcts_spec *spec, int step, uint32_t operation)
{
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < cases->steps_count; i++)
        if (cases->steps[i].message >= 0 &&
            spec->messages[cases->steps[i].message].operation == operation &&
            wcts_model_step_includes(cases, step, i))
            return true;
    return false;
}

/* True if any step calls the operation by name. Other operations are called in passing, by every
 * case. */
static bool is_in_steps(const struct wcts_spec *spec, uint32_t operation)
{
    const struct wcts_cases *cases = spec->cases;
    for (int i = 0; i < cases->steps_count; i++)
        if (cases->steps[i].message >= 0 &&
            spec->messages[cases->steps[i].message].operation == operation)
            return true;
    return false;
}

static bool case_calls(const struct wcts_spec *spec, const struct wcts_case *test,
                       uint32_t operation)
{
    if (test->driver || wcts_model_is_drawn(test->kind) || !is_in_steps(spec, operation))
        return true;
    for (int i = 0; test->scenario && i < test->scenario->act_count; i++)
        if (step_calls(spec, test->scenario->acts[i].step, operation))
            return true;
    if (test->scenario)
        return false;
    return test->base < 0 || step_calls(spec, spec->cases->bases[test->base].step, operation);
}

/* ---- hangs ---- */

static bool hang_is_known(const struct run_hang_count *hang)
{
    return hang->length >= EQUAL_MAX || hang->count >= HANGS_MAX;
}

/* NULL if there is none, or without memory: then every case is tried. */
static struct run_hang_count *hang_of(const struct wcts_deaths *deaths, bool driver,
                                      uint32_t operation)
{
    for (int i = 0; i < deaths->hangs_count; i++)
        if (deaths->hangs[i].operation == operation && deaths->hangs[i].driver == driver)
            return &deaths->hangs[i];
    return NULL;
}

static void note_hang(struct wcts_deaths *deaths, bool driver, uint32_t operation)
{
    struct run_hang_count *hang = hang_of(deaths, driver, operation);
    if (!hang) {
        struct run_hang_count *more =
            reallocarray(deaths->hangs, (size_t)deaths->hangs_count + 1, sizeof *deaths->hangs);
        if (!more)
            return;
        deaths->hangs = more;
        hang = &more[deaths->hangs_count++];
        *hang =
            (struct run_hang_count){.operation = operation, .driver = driver, .interval = SAMPLE};
    }
    if (hang->length >= EQUAL_MAX && hang->interval < SAMPLE_MAX)
        hang->interval *= 2;
    hang->length++;
    hang->count++;
}

/* A case that lived ends the rows of hangs in the operations that it calls. */
static void end_hangs(struct wcts_deaths *deaths, const struct wcts_case *test)
{
    for (int i = 0; i < deaths->hangs_count; i++) {
        struct run_hang_count *hang = &deaths->hangs[i];
        if (hang->length == 0 || hang->driver != test->driver ||
            !case_calls(deaths->plan->spec, test, hang->operation))
            continue;
        hang->length = 0;
        hang->interval = SAMPLE;
    }
}

/* An operation of the case with so many hangs in a row, and in all; NULL if there is none. */
static struct run_hang_count *find_hang(const struct wcts_deaths *deaths,
                                        const struct wcts_case *test, int in_a_row, int in_all)
{
    for (int i = 0; i < deaths->hangs_count; i++) {
        struct run_hang_count *hang = &deaths->hangs[i];
        if (hang->length >= in_a_row && hang->count >= in_all && hang->driver == test->driver &&
            case_calls(deaths->plan->spec, test, hang->operation))
            return hang;
    }
    return NULL;
}

void wcts_run_deaths_note(struct wcts_deaths *deaths, const struct wcts_case *test,
                          const struct wcts_result *result, uint32_t operation)
{
    struct run_streak *base = streak_of(deaths, test);
    const struct wcts_finding *last = wcts_model_finding_last(&result->finding);
    bool died = last->found == WCTS_FOUND_CRASH || last->found == WCTS_FOUND_HANG;
    /* A malformed message ends the case, not the worker: nothing is to be saved. */
    if (died && !result->ended)
        return;
    if (died) {
        deaths->known -= base->length >= EQUAL_MAX;
        if (base->length == 0 || base->found != last->found || base->operation != operation)
            *base = (struct run_streak){
                .found = last->found, .operation = operation, .hung = base->hung};
        base->length++;
        deaths->known += base->length >= EQUAL_MAX;
        if (last->found == WCTS_FOUND_HANG) {
            base->hung |= wcts_plan_version_bit(test->version);
            note_hang(deaths, test->driver, operation);
        }
        return;
    }
    /* A case that was not carried out proves nothing. */
    if (last->found != WCTS_FOUND_KEPT && last->found != WCTS_FOUND_BROKEN)
        return;
    deaths->known -= base->length >= EQUAL_MAX;
    base->length = 0;
    end_hangs(deaths, test);
}

bool wcts_run_deaths_known(const struct wcts_deaths *deaths)
{
    for (int i = 0; i < deaths->hangs_count; i++)
        if (hang_is_known(&deaths->hangs[i]))
            return true;
    return deaths->known != 0;
}

bool wcts_run_deaths_hangs(const struct wcts_deaths *deaths, const struct wcts_case *test,
                           uint32_t operation)
{
    const struct run_hang_count *hang = hang_of(deaths, test->driver, operation);
    return hang && hang_is_known(hang);
}

bool wcts_run_deaths_spare(struct wcts_deaths *deaths, const struct wcts_case *test,
                           struct wcts_result *result)
{
    struct run_streak *base = streak_of(deaths, test);
    struct run_hang_count *hang = find_hang(deaths, test, EQUAL_MAX, 0);
    bool spared = false;
    if (hang)
        spared = ++hang->seen % hang->interval != 0;
    else if (base->length >= EQUAL_MAX)
        spared = ++base->seen % SAMPLE != 0;
    else if (((base->hung & wcts_plan_version_bit(test->version)) != 0 ||
              __builtin_popcountll(base->hung) >= VERSIONS_MAX) &&
             (hang = find_hang(deaths, test, 0, HANGS_MAX)) != NULL) {
        int doubled = hang->count / HANGS_DOUBLED;
        spared =
            ++base->seen % ((unsigned)SAMPLE << (doubled < DOUBLED_MAX ? doubled : DOUBLED_MAX)) !=
            0;
    }
    if (!spared)
        return false;
    *result = (struct wcts_result){.finding = {.levels = WCTS_LEVELS_ALL}};
    wcts_model_finding_skip(&result->finding, WCTS_SKIP_NOT_TRIED,
                            "cases like it %s in %s (--all-deaths tries all)",
                            hang || base->found == WCTS_FOUND_HANG ? "hung" : "died",
                            wcts_exchange_activity_name(hang ? hang->operation : base->operation));
    return true;
}
