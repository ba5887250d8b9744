/* SPDX-License-Identifier: MIT */
#include "next.h"
#include "../runner/model/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "scope.h"

#define DRIVER_OPERATIONS (UINT64_MAX << 32)
#define KERNEL_OPERATIONS (~DRIVER_OPERATIONS)

/* Not a capability: a driver without claimed patches. */
#define PATCHES (UINT32_C(1) << 31)

/* ---- what a case needs ---- */

/* Without a set-up operation its handle is 0, and the case continues. */
static uint64_t without_setup(const struct wcts_report_next *next, uint64_t operations)
{
    return operations & ~next->setup;
}

/* The operations without which a case begins all the same. */
static uint64_t setup_operations(void)
{
    uint64_t operations = 0;
    for (uint32_t i = 0; i < 32; i++) {
        if (wcts_model_operation_missing(WCTS_KERNEL_INFO - 1 + i) == WCTS_MISSING_SETUP)
            operations |= wcts_model_operation_bit(WCTS_KERNEL_INFO - 1 + i);
        if (wcts_model_operation_missing(WCTS_DRIVER_INFO - 1 + i) == WCTS_MISSING_SETUP)
            operations |= wcts_model_operation_bit(WCTS_DRIVER_INFO - 1 + i);
    }
    return operations;
}

static uint64_t closure_of(const struct wcts_spec *spec, int index)
{
    const struct wcts_step *step = &spec->cases->steps[index];
    uint64_t operations = wcts_model_operation_bit(wcts_model_step_operation(spec, step));
    for (int i = 0; i < step->need_count; i++)
        operations |= closure_of(spec, step->needs[i]);
    return operations;
}

static uint64_t needed_operations(const struct wcts_report_next *next, const struct wcts_case *test)
{
    const struct wcts_spec *spec = next->plan->spec;
    const struct wcts_cases *cases = spec->cases;
    uint64_t operations = 0;
    if (test->scenario) {
        for (int i = 0; i < test->scenario->act_count; i++)
            if (test->scenario->acts[i].kind != WCTS_ACT_SPOIL)
                operations |= next->steps[test->scenario->acts[i].step];
    } else if (test->base >= 0) {
        int step = cases->bases[test->base].step;
        operations = next->steps[step] |
                     wcts_model_operation_bit(wcts_model_step_operation(spec, &cases->steps[step]));
    }
    return operations;
}

/* Versions and page sizes that are not claimed need no implementation. */
static bool is_claimed_there(const struct wcts_report_next *next, const struct wcts_case *test,
                             const struct wcts_claims *claims)
{
    return (wcts_report_scope_versions(next->plan->spec, claims) &
            wcts_plan_version_bit(test->version)) &&
           (test->driver || claims->page_sizes & test->page_size);
}

bool wcts_report_next_init(struct wcts_report_next *next, const struct wcts_plan *plan)
{
    const struct wcts_cases *cases = plan->spec->cases;
    *next = (struct wcts_report_next){.plan = plan, .setup = setup_operations()};
    next->steps = calloc((size_t)cases->steps_count + 1, sizeof *next->steps);
    for (int i = 0; next->steps && i < cases->steps_count; i++)
        next->steps[i] = without_setup(next, closure_of(plan->spec, i));
    return next->steps != NULL;
}

void wcts_report_next_release(struct wcts_report_next *next)
{
    wcts_report_next_clear(next);
    free(next->steps);
    free(next->cases);
}

/* A refusal that follows from a missing call shows nothing, either. */
static bool is_lacking(const struct wcts_report_next *next, const struct wcts_case *test,
                       const struct wcts_result *result)
{
    return result->skip == WCTS_SKIP_NOT_CLAIMED ||
           (result->skip == WCTS_SKIP_NOT_SHOWN &&
            (result->answered.missing & needed_operations(next, test)));
}

bool wcts_report_next_add(struct wcts_report_next *next, const struct wcts_case *test,
                          const struct wcts_claims *claims, int statement,
                          const struct wcts_result *result)
{
    struct wcts_report_lacking_case *lacking;
    uint64_t of_side = test->driver ? DRIVER_OPERATIONS : KERNEL_OPERATIONS;
    const uint64_t missing = without_setup(next, result->answered.missing & of_side);
    const bool unpatched = test->driver && claims->patches == WCTS_PATCHES_NONE && missing == 0;
    next->missing |= result->answered.missing;
    if (!is_claimed_there(next, test, claims) || !is_lacking(next, test, result) ||
        (unpatched && claims->capabilities & WCTS_CAPABILITY_UNPATCHED))
        return true;
    lacking = WCTS_ARRAY_ADD(next->cases, next->count);
    if (!lacking)
        return false;
    *lacking = (struct wcts_report_lacking_case){
        .lack = {needed_operations(next, test) & of_side,
                 wcts_report_scope_lacking(next->plan, test, claims)},
        .missing = missing,
        .statement = statement,
    };
    if (claims->capabilities & WCTS_CAPABILITY_MACHINE)
        lacking->lack.operations &=
            ~wcts_model_operation_bit(wcts_model_region_operation(next->plan->spec));
    /* The kernel calls a driver, so its missing operations are known from the answers. A driver
     * without claimed patches was not called. */
    if (test->driver)
        lacking->lack.operations |= lacking->missing;
    if (unpatched)
        lacking->lack = (struct wcts_report_lack){.capabilities = PATCHES};
    return true;
}

/* ---- what is missing ---- */

/* Missing operations of a core, without which no case of that side begins. */
static uint64_t core_missing(const struct wcts_report_next *next)
{
    const struct wcts_spec *spec = next->plan->spec;
    uint64_t operations = 0;
    for (int i = 0; i < spec->features_count; i++)
        for (int j = 0; spec->features[i].core && j < spec->features[i].operation_count; j++)
            operations |=
                wcts_model_operation_bit(spec->messages[spec->features[i].operations[j]].operation);
    return operations & next->missing;
}

/* The operations that all drivers' cases lack which reached a missing operation of a core. */
static uint64_t path_to_core(const struct wcts_report_next *next)
{
    const uint64_t core = core_missing(next) & DRIVER_OPERATIONS;
    uint64_t path = core ? without_setup(next, next->missing & DRIVER_OPERATIONS) : 0;
    for (int i = 0; i < next->count; i++)
        path &= next->cases[i].missing & core ? next->cases[i].missing : path;
    return path;
}

/* A case that lacks a capability was not tried, so operations that were never called may exist. */
static void resolve_lack(const struct wcts_report_next *next, uint64_t implemented, uint64_t path,
                         struct wcts_report_lacking_case *lacking)
{
    struct wcts_report_lack *lack = &lacking->lack;
    /* Nothing can be patched before the core creates something. */
    if (lack->capabilities == PATCHES)
        lack->operations |= path;
    lack->operations &= ~implemented;
    if (lack->capabilities)
        lack->operations &= next->missing;
    else if (lack->operations == 0)
        lack->operations = lacking->missing & ~implemented;
}

static bool is_same_lack(const struct wcts_report_lack *a, const struct wcts_report_lack *b)
{
    return a->operations == b->operations && a->capabilities == b->capabilities;
}

/* True if whole lacks everything that part lacks. */
static bool is_lack_within(const struct wcts_report_lack *part,
                           const struct wcts_report_lack *whole)
{
    return (part->operations & ~whole->operations) == 0 &&
           (part->capabilities & ~whole->capabilities) == 0;
}

/* ---- unlocks ---- */

static void put_operations(FILE *out, uint64_t operations, const char *separator)
{
    for (int i = 0; i < 64; i++)
        if (operations >> i & 1) {
            fprintf(out, "%s%s", separator, wcts_operation_name(wcts_model_operation_of_bit(i)));
            separator = " + ";
        }
}

/* Operations that were never called may exist: they are listed separately. */
static char *lack_text(const struct wcts_report_next *next, const struct wcts_report_lack *lack)
{
    uint64_t missing = lack->operations & next->missing;
    uint64_t uncalled = missing ? lack->operations & ~missing : 0;
    const char *separator = lack->operations ? " + " : "";
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    put_operations(out, lack->operations & ~uncalled, "");
    for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (lack->capabilities & bit) {
            fputs(separator, out);
            /* the name in the header */
            for (const char *name = bit == PATCHES ? "patches" : wcts_model_capability_name(bit);
                 *name;)
                fputc(toupper((unsigned char)*name++), out);
            separator = " + ";
        }
    if (uncalled) {
        put_operations(out, uncalled, " (with ");
        fputs(", never called)", out);
    }
    fclose(out);
    return text;
}

/* Counts the cases that lack no more than this (parts: less than this), and their statements
 * without a verdict. seen: a flag for each statement. */
static struct wcts_report_unlock count_unlocked(const struct wcts_report_next *next,
                                                const struct wcts_report_scope *scope,
                                                const struct wcts_report_lack *lack, bool parts,
                                                bool *seen)
{
    struct wcts_report_unlock unlock = {.opens = lack->capabilities == 0 &&
                                                 (lack->operations & core_missing(next))};
    memset(seen, 0, (size_t)next->plan->spec->statements_count * sizeof *seen);
    for (int i = 0; i < next->count; i++) {
        const struct wcts_report_lack *own = &next->cases[i].lack;
        int statement = next->cases[i].statement;
        if (!(own->operations || own->capabilities) || !is_lack_within(own, lack) ||
            (parts && is_same_lack(own, lack)))
            continue;
        unlock.cases++;
        unlock.statements += !scope->statements[statement].tested && !seen[statement];
        seen[statement] = true;
    }
    return unlock;
}

/* True for the first case that lacks exactly this, unless smaller lacks together are the same: an
 * operation that unlocks nothing alone is offered with those that it needs. */
static bool is_offered(const struct wcts_report_next *next, int index)
{
    const struct wcts_report_lack *lack = &next->cases[index].lack;
    struct wcts_report_lack parts = {0};
    for (int i = 0; i < next->count; i++) {
        const struct wcts_report_lack *other = &next->cases[i].lack;
        if (is_same_lack(other, lack)) {
            if (i < index)
                return false;
        } else if (is_lack_within(other, lack)) {
            parts.operations |= other->operations;
            parts.capabilities |= other->capabilities;
        }
    }
    return !is_same_lack(&parts, lack);
}

/* First what opens a core, then what tests most. */
static bool is_better(const struct wcts_report_unlock *a, const struct wcts_report_unlock *b)
{
    if (a->opens != b->opens)
        return a->opens;
    return a->statements != b->statements ? a->statements > b->statements : a->cases > b->cases;
}

/* Inserts it if it is among the best. */
static bool offer_unlock(struct wcts_report_next *next, const struct wcts_report_lack *lack,
                         struct wcts_report_unlock unlock)
{
    int at = next->unlock_count;
    while (at > 0 && is_better(&unlock, &next->unlocks[at - 1]))
        at--;
    if (at == WCTS_UNLOCKS_MAX)
        return true;
    unlock.what = lack_text(next, lack);
    if (!unlock.what)
        return false;
    if (next->unlock_count == WCTS_UNLOCKS_MAX)
        free(next->unlocks[--next->unlock_count].what);
    memmove(&next->unlocks[at + 1], &next->unlocks[at],
            (size_t)(next->unlock_count - at) * sizeof unlock);
    next->unlocks[at] = unlock;
    next->unlock_count++;
    return true;
}

bool wcts_report_next_conclude(struct wcts_report_next *next, const struct wcts_report_scope *scope)
{
    bool *seen = calloc((size_t)next->plan->spec->statements_count + 1, sizeof *seen);
    const uint64_t path = path_to_core(next);
    bool good = seen != NULL;
    wcts_report_next_clear(next);
    for (int i = 0; i < next->count; i++)
        resolve_lack(next, scope->implemented, path, &next->cases[i]);
    for (int i = 0; good && i < next->count; i++) {
        const struct wcts_report_lack *lack = &next->cases[i].lack;
        struct wcts_report_unlock unlock, parts;
        if (!is_offered(next, i))
            continue;
        unlock = count_unlocked(next, scope, lack, false, seen);
        parts = count_unlocked(next, scope, lack, true, seen);
        /* Not offered if it tests no more statements than its parts. */
        if (parts.cases == 0 || unlock.statements > parts.statements)
            good = offer_unlock(next, lack, unlock);
    }
    free(seen);
    return good;
}

void wcts_report_next_clear(struct wcts_report_next *next)
{
    while (next->unlock_count > 0)
        free(next->unlocks[--next->unlock_count].what);
}

void wcts_report_next_keep(struct wcts_report_next *next, const char *what, int cases,
                           int statements)
{
    char *copy = next->unlock_count < WCTS_UNLOCKS_MAX ? strdup(what) : NULL;
    if (copy)
        next->unlocks[next->unlock_count++] =
            (struct wcts_report_unlock){copy, cases, statements, false};
}
