/* SPDX-License-Identifier: MIT */
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "../runner/store/tally.h"

bool wcts_report_parts_init(struct wcts_report_parts *parts, const struct wcts_spec *spec)
{
    size_t rules = (size_t)spec->rules_count + 1;
    bool good = true;
    *parts = (struct wcts_report_parts){.spec = spec, .arena = wcts_arena_new()};
    for (int i = 0; i < WCTS_PART_SIDES; i++) {
        parts->rules[i] = calloc(rules, sizeof *parts->rules[i]);
        parts->reasons[i] =
            calloc(rules * (size_t)(spec->versions_count + 1), sizeof *parts->reasons[i]);
        good = good && parts->rules[i] && parts->reasons[i];
    }
    return good && parts->arena;
}

void wcts_report_parts_release(struct wcts_report_parts *parts)
{
    for (int i = 0; i < WCTS_PART_SIDES; i++) {
        free(parts->rules[i]);
        free(parts->reasons[i]);
    }
    if (parts->arena)
        wcts_arena_free(parts->arena);
}

/* Sequences and walks are drawn for no rule. */
static bool applies(const struct wcts_report_parts *parts, const struct wcts_case *test,
                    const struct wcts_claims *claims, const struct wcts_result *result)
{
    const uint32_t number = parts->spec->versions[test->version].interface_version;
    return !wcts_model_is_drawn(test->kind) && number >= claims->first_interface_version &&
           number <= claims->last_interface_version &&
           (test->driver || (test->page_size & ~claims->page_sizes) == 0) &&
           result->skip != WCTS_SKIP_NOT_APPLICABLE && result->skip != WCTS_SKIP_NOT_IN_PROFILE;
}

/* Most versions of a rule have the same reason. */
static const char *keep_reason(struct wcts_report_parts *parts, const char *const *of_rule,
                               const char *reason)
{
    for (int i = 0; i < parts->spec->versions_count; i++)
        if (of_rule[i] && strcmp(of_rule[i], reason) == 0)
            return of_rule[i];
    return wcts_arena_string(parts->arena, reason, strlen(reason));
}

void wcts_report_parts_add(struct wcts_report_parts *parts, const struct wcts_case *test,
                           const struct wcts_claims *claims, const struct wcts_result *result)
{
    int side = test->driver ? WCTS_MUSTPASS_DRIVER : WCTS_MUSTPASS_KERNEL;
    struct wcts_report_rule_seen *seen = &parts->rules[side][test->rule];
    const char **reasons =
        &parts->reasons[side][(size_t)test->rule * (size_t)parts->spec->versions_count];
    uint64_t version = wcts_plan_version_bit(test->version);
    seen->any = true;
    if (wcts_store_verdict_judges(result->verdict)) {
        seen->shown |= wcts_model_is_drawn(test->kind) ? 0 : version;
    } else if (applies(parts, test, claims, result) && !(seen->hidden & version)) {
        seen->hidden |= version;
        reasons[test->version] = keep_reason(parts, reasons, result->reason ? result->reason : "");
    }
}
