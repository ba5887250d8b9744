/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/base/array.h"
#include "../runner/judge/judge.h"
#include "../runner/load/profile.h"
#include "../runner/machine/plugin.h"
#include "../runner/model/profile.h"
#include "../runner/oracle/walk.h"
#include "../runner/store/run_dir.h"
#include "declaration.h"
#include "upgrade.h"

bool wcts_report_run_init(struct wcts_report_run *run, const struct wcts_options *asked,
                          const struct wcts_plan *plan, const int *selected, int selected_count)
{
    const struct wcts_spec *spec = plan->spec;
    *run = (struct wcts_report_run){.asked = *asked,
                                    .plan = plan,
                                    .selected = selected,
                                    .selected_count = selected_count,
                                    .started = time(NULL)};
    run->statements = calloc((size_t)spec->statements_count + 1, sizeof *run->statements);
    run->rules = calloc((size_t)spec->rules_count + 1, sizeof *run->rules);
    run->warnings = calloc((size_t)spec->statements_count + 1, sizeof *run->warnings);
    run->planned = plan->count;
    run->narrowed = asked->narrowed;
    run->partial = asked->partial;
    return run->statements && run->rules && run->warnings &&
           wcts_report_causes_init(&run->causes, plan) &&
           wcts_report_scope_init(&run->scope, plan) && wcts_report_next_init(&run->next, plan);
}

void wcts_report_run_release(struct wcts_report_run *run)
{
    wcts_load_profile_free(run->described);
    wcts_report_declaration_release(run);
    wcts_report_upgrade_release(run);
    for (int i = 0; i < WCTS_REASONS_MAX; i++)
        free(run->reasons[i].text);
    wcts_report_orders_release(&run->orders);
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        free(run->flaky[i].text);
    for (int i = 0; run->warnings && i < run->plan->spec->statements_count; i++)
        free(run->warnings[i].reason);
    free(run->warnings);
    free(run->unjudged);
    free(run->headline);
    wcts_report_scope_release(&run->scope);
    wcts_report_next_release(&run->next);
    free(run->statements);
    free(run->rules);
    wcts_report_causes_release(&run->causes);
}

/* ---- counting ---- */

static void count_reason(struct wcts_report_run *run, const char *reason)
{
    for (int i = 0; i < WCTS_REASONS_MAX; i++) {
        if (!run->reasons[i].text)
            run->reasons[i].text = strdup(reason);
        if (run->reasons[i].text && strcmp(run->reasons[i].text, reason) == 0) {
            run->reasons[i].count++;
            return;
        }
    }
    run->other_reasons++;
}

static void keep_flaky(struct wcts_report_run *run, const struct wcts_case *test,
                       const struct wcts_result *result)
{
    for (int i = 0; i < WCTS_FLAKY_MAX; i++)
        if (!run->flaky[i].text) {
            run->flaky[i].index = test->index;
            for (int k = 0; k < result->try_count; k++)
                if (wcts_judge_verdict_is_retried(result->tries[k].verdict))
                    run->flaky[i].failed = result->tries[k].verdict;
            if (asprintf(&run->flaky[i].text, "%s: %s", test->id, result->reason) < 0)
                run->flaky[i].text = NULL;
            return;
        }
}

static bool keep_warning(struct wcts_report_run *run, const struct wcts_case *test, int rule,
                         const struct wcts_result *result)
{
    struct wcts_report_warning *warning = &run->warnings[run->plan->spec->rules[rule].statement];
    if (warning->reason && wcts_report_case_size(WCTS_PLAN_CASE(run->plan, warning->smallest)) <=
                               wcts_report_case_size(test))
        return true;
    free(warning->reason);
    *warning = (struct wcts_report_warning){rule, test->index,
                                            strdup(result->reason ? result->reason : "")};
    return warning->reason != NULL;
}

/* False when memory is short. */
static bool count_unjudged(struct wcts_report_run *run, int rule, const char *reason)
{
    const char *named = strstr(reason, ": ");
    int broken = named ? wcts_model_spec_rule_before(run->plan->spec, named + 2, " ") : -1;
    struct wcts_report_unjudged *one;
    for (int i = 0; i < run->unjudged_count; i++)
        if (run->unjudged[i].rule == rule && run->unjudged[i].broken == broken) {
            run->unjudged[i].count++;
            return true;
        }
    one = WCTS_ARRAY_ADD(run->unjudged, run->unjudged_count);
    if (one)
        *one = (struct wcts_report_unjudged){rule, broken, 1};
    return one != NULL;
}

void wcts_report_run_count(struct wcts_report_run *run, const struct wcts_case *test,
                           const struct wcts_result *result, const char *output)
{
    const struct wcts_spec *spec = run->plan->spec;
    bool other = result->broken > 0 && result->broken <= spec->rules_count;
    int rule = other ? result->broken - 1 : test->rule;

    wcts_store_tally_add(&run->total, result);
    run->shown |= result->shown;
    run->against |= result->against;
    run->unshown |= result->unshown;
    run->judged += wcts_store_verdicts_judge(result->verdict, result->was);
    wcts_store_tally_add(&run->statements[spec->rules[rule].statement], result);
    wcts_store_tally_add(&run->rules[rule], result);
    wcts_report_scope_add(&run->scope, run->plan, test, &run->claims, spec->rules[rule].statement,
                          result);
    wcts_oracle_walk_numbers_add(&run->walk, &result->walk);
    if (result->verdict == WCTS_VERDICT_SKIP)
        count_reason(run, result->reason ? result->reason : "");
    if (result->skip == WCTS_SKIP_NOT_JUDGED &&
        !count_unjudged(run, rule, result->reason ? result->reason : ""))
        fputs("wddm-cts: out of memory: a case that was not judged is not counted\n", stderr);
    if (result->verdict == WCTS_VERDICT_FLAKY)
        keep_flaky(run, test, result);
    if (result->verdict == WCTS_VERDICT_WARN && !keep_warning(run, test, rule, result))
        fputs("wddm-cts: out of memory: a warning is not listed\n", stderr);
    if (!wcts_report_upgrade_count(run, test, rule, result))
        fputs("wddm-cts: out of memory: a statement of --upgrade is not counted\n", stderr);
    if (!wcts_report_causes_count(&run->causes, test, rule, result, output))
        fputs("wddm-cts: out of memory: a failure is not listed\n", stderr);
    if (!wcts_report_next_add(&run->next, test, &run->claims, spec->rules[rule].statement, result))
        fputs("wddm-cts: out of memory: what a skipped case lacks is not counted\n", stderr);
}

/* True if the implementation has what the entry is about. */
static bool has_entry_subject(const struct wcts_report_run *run,
                              const struct wcts_profile_entry *entry)
{
    const struct wcts_spec *spec = run->plan->spec;
    uint64_t versions = wcts_report_run_version_bits(run);
    bool at_version = false;
    if (!(run->claims.sides & (entry->driver ? WCTS_SIDE_DRIVER : WCTS_SIDE_KERNEL)))
        return false;
    for (int i = entry->since; i < entry->until; i++)
        at_version = at_version || (versions & wcts_plan_version_bit(i));
    if (!at_version || entry->kind != WCTS_PROFILE_DEVIATION)
        return at_version;
    return entry->statement < spec->statements_count && run->scope.statements[entry->statement].in;
}

uint64_t wcts_report_run_entries_missing(const struct wcts_report_run *run)
{
    const struct wcts_profile *profile = run->asked.profile;
    uint64_t set = 0;
    for (int i = 0; profile && i < profile->count; i++)
        if (has_entry_subject(run, &profile->entries[i]))
            set |= wcts_model_profile_bit(i);
    return set & ~(run->shown | run->against);
}

uint64_t wcts_report_run_version_bits(const struct wcts_report_run *run)
{
    const struct wcts_spec *spec = run->plan->spec;
    const struct wcts_options *asked = &run->asked;
    uint64_t bits = 0;
    bool within = !asked->first_version, last = false;
    for (int i = 0; i < spec->versions_count && !last; i++) {
        const char *name = spec->versions[i].name;
        within = within || strcmp(name, asked->first_version) == 0;
        last = asked->last_version && strcmp(name, asked->last_version) == 0;
        bits |= within ? wcts_plan_version_bit(i) : 0;
    }
    return bits & wcts_report_scope_versions(spec, &run->claims);
}

bool wcts_report_run_versions(const struct wcts_report_run *run, const char **first,
                              const char **last)
{
    const struct wcts_spec *spec = run->plan->spec;
    uint64_t bits = wcts_report_run_version_bits(run);
    bool any = false;
    for (int i = 0; i < spec->versions_count; i++)
        if (bits & wcts_plan_version_bit(i)) {
            *first = any ? *first : spec->versions[i].name;
            *last = spec->versions[i].name;
            any = true;
        }
    return any;
}

bool wcts_report_run_judged(const struct wcts_report_run *run)
{
    return run->end == WCTS_POOL_DONE && run->judged != 0;
}

/* ---- names ---- */

const char *wcts_report_end_name(enum wcts_run_pool_end end)
{
    static const char *const names[] = {[WCTS_POOL_DONE] = "done",
                                        [WCTS_POOL_STOPPED] = WCTS_STOPPED,
                                        [WCTS_POOL_CUT] = "cut",
                                        [WCTS_POOL_NO_START] = "not started"};
    return names[end];
}

const char *wcts_report_not_started(const struct wcts_report_run *run)
{
    return strncmp(run->error, WCTS_REPORT_NAMES_PROFILE, strlen(WCTS_REPORT_NAMES_PROFILE)) == 0
               ? ""
               : "the implementation could not be loaded: ";
}

void wcts_report_implementation_digest(const char *path, char digest[65])
{
    wcts_store_digest_path(wcts_machine_is_builtin(path) ? "/proc/self/exe" : path, digest);
}
