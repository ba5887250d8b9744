/* SPDX-License-Identifier: MIT */
/* The verdict of a finding under a profile. */
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "profile.h"

/* ---- entries about a case ---- */

int wcts_judge_profile_deviation(const struct wcts_profile *profile, const struct wcts_spec *spec,
                                 const struct wcts_case *test, int rule, uint64_t holds)
{
    for (int i = 0; i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        if (entry->kind == WCTS_PROFILE_DEVIATION &&
            entry->statement == spec->rules[rule].statement &&
            (entry->rule < 0 || entry->rule == rule) && wcts_judge_profile_applies(entry, test) &&
            (!entry->when || holds & wcts_model_profile_bit(i)))
            return i;
    }
    return -1;
}

bool wcts_judge_profile_speaks(const struct wcts_spec *spec, const struct wcts_case *test)
{
    const struct wcts_rule *rule = &spec->rules[test->rule];
    if (wcts_model_is_drawn(test->kind) || rule->form == WCTS_FORM_LAYOUT)
        return false;
    return wcts_model_is_effect(rule->form) || test->driver ||
           wcts_oracle_is_refusal(test->expect) ||
           (test->expect == WCTS_EXPECT_OPEN && wcts_oracle_is_refusal(test->strict));
}

/* ---- verdicts ---- */

/* What a result is read with. */
struct judge_profile_reading {
    const struct wcts_plan *plan;
    const struct wcts_case *test;
    const struct wcts_profile *profile;
    const struct wcts_finding *finding;
    struct wcts_result *result;
};

/* "W3, WL1": of a set. */
static void add_entries(struct wcts_text *text, const struct wcts_profile *profile, uint64_t set)
{
    const char *between = "";
    for (int i = 0; i < profile->count; i++)
        if (set & wcts_model_profile_bit(i)) {
            wcts_text_add(text, "%s%s", between, profile->entries[i].id);
            between = ", ";
        }
}

/* The text of the first of a set, without its full stop. */
static void add_declared(struct wcts_text *text, const struct wcts_profile *profile, uint64_t set)
{
    const char *declared;
    size_t length;
    int first = 0;
    while (first + 1 < profile->count && !(set & wcts_model_profile_bit(first)))
        first++;
    declared = profile->entries[first].text;
    length = strlen(declared);
    wcts_text_add_bytes(text, declared,
                        length && declared[length - 1] == '.' ? length - 1 : length);
}

static void set_profile_reason(struct wcts_result *result, struct wcts_text *text)
{
    free(result->reason);
    result->reason = wcts_text_take(text);
    result->profiled = true;
}

/* "as profile windows declares (W3): KERNEL_X answered SUCCESS, expected a refusal" */
static void deviate(const struct judge_profile_reading *read, uint64_t set)
{
    WCTS_TEXT(text);
    if (read->result->verdict == WCTS_VERDICT_PASS) {
        /* Of a sweep of which every value is as the documents want it, although some may be not. */
        if (read->test->kind != WCTS_KIND_SWEEP || read->test->expect == WCTS_EXPECT_OPEN)
            read->result->shown |= set;
        else
            read->result->unshown |= set;
        return;
    }
    read->result->shown |= set;
    wcts_text_add(&text, "as profile %s declares (", read->profile->name);
    add_entries(&text, read->profile, set);
    wcts_text_add(&text, "): %s", read->result->reason ? read->result->reason : "");
    read->result->verdict = WCTS_VERDICT_DEVIATES;
    read->result->skip = WCTS_SKIP_NONE;
    set_profile_reason(read->result, &text);
}

static void leave_out(const struct judge_profile_reading *read, uint64_t set)
{
    WCTS_TEXT(text);
    read->result->shown |= set;
    wcts_text_add(&text, "%s: ", wcts_model_skip_name(WCTS_SKIP_NOT_IN_PROFILE));
    add_entries(&text, read->profile, set);
    wcts_text_add(&text, ": %s", read->result->reason ? read->result->reason : "");
    read->result->verdict = WCTS_VERDICT_SKIP;
    read->result->skip = WCTS_SKIP_NOT_IN_PROFILE;
    set_profile_reason(read->result, &text);
}

/* "profile windows, entry W3: declared "...", found ..." */
static void contradict(const struct judge_profile_reading *read, uint64_t set, const char *found)
{
    WCTS_TEXT(text);
    read->result->against |= set;
    wcts_text_add(&text, "profile %s, entry ", read->profile->name);
    add_entries(&text, read->profile, set);
    wcts_text_add(&text, ": declared \"");
    add_declared(&text, read->profile, set);
    wcts_text_add(&text, "\", found %s", found);
    read->result->verdict = WCTS_VERDICT_FAIL;
    read->result->skip = WCTS_SKIP_NONE;
    read->result->broken = 0;
    set_profile_reason(read->result, &text);
}

/* ---- what is absent ---- */

static bool read_absent(const struct judge_profile_reading *read)
{
    const struct wcts_answered *answered = &read->result->answered;
    for (int i = 0; i < read->profile->count; i++) {
        const struct wcts_profile_entry *entry = &read->profile->entries[i];
        if (entry->kind != WCTS_PROFILE_ABSENT || entry->driver != read->test->driver)
            continue;
        if (answered->implemented & entry->operations) {
            WCTS_TEXT(found);
            uint64_t there = answered->implemented & entry->operations;
            wcts_text_add(&found, "%s implemented",
                          wcts_operation_name(wcts_model_operation_of_bit(__builtin_ctzll(there))));
            contradict(read, wcts_model_profile_bit(i), wcts_text_get(&found));
            return true;
        }
        if (!(answered->missing & entry->operations))
            continue;
        read->result->shown |= wcts_model_profile_bit(i);
        if (read->finding->found == WCTS_FOUND_NOTHING &&
            read->finding->skip == WCTS_SKIP_NOT_CLAIMED) {
            leave_out(read, wcts_model_profile_bit(i));
            return true;
        }
    }
    return false;
}

/* ---- sweeps ---- */

static void read_swept(const struct judge_profile_reading *read)
{
    const struct wcts_profile_seen *seen = &read->result->seen;
    switch (seen->swept) {
    case WCTS_PROFILE_UNSWEPT:
        break;
    case WCTS_PROFILE_SWEPT_AS_DECLARED:
        deviate(read, seen->declared);
        break;
    case WCTS_PROFILE_SWEPT_OTHERWISE:
        contradict(read, seen->declared,
                   read->finding->found == WCTS_FOUND_KEPT
                       ? "none of the words of which it declares that"
                       : "other words than those of which it declares that");
        break;
    case WCTS_PROFILE_SWEPT_UNKNOWN:
        leave_out(read, seen->declared);
        read->result->shown &= ~seen->declared;
        break;
    }
}

/* True if what is wrong of a sweep is the replies to accepted values: of the answers to the others
 * the profile speaks, which is noted, but not of these. */
static bool has_wrong_replies(const struct judge_profile_reading *read)
{
    const struct wcts_profile_seen *seen = &read->result->seen;
    if (!read->finding->observed || read->finding->found != WCTS_FOUND_BROKEN ||
        seen->swept == WCTS_PROFILE_SWEPT_OTHERWISE)
        return false;
    if (seen->swept == WCTS_PROFILE_SWEPT_AS_DECLARED)
        read->result->shown |= seen->declared;
    return true;
}

/* ---- calls ---- */

/* A rule that an entry declares broken was kept. */
static void read_kept(const struct judge_profile_reading *read)
{
    const struct wcts_spec *spec = read->plan->spec;
    struct wcts_result *result = read->result;
    int entry = wcts_judge_profile_speaks(spec, read->test)
                    ? wcts_judge_profile_deviation(read->profile, spec, read->test,
                                                   read->test->rule, result->seen.holds)
                    : -1;
    bool advice = read->test->expect == WCTS_EXPECT_OPEN &&
                  !wcts_model_is_effect(spec->rules[read->test->rule].form);
    if (entry < 0 || result->seen.refused)
        return;
    if (advice && result->seen.own == WCTS_PROFILE_ACCEPTED)
        result->shown |= wcts_model_profile_bit(entry);
    else if (read->profile->entries[entry].some)
        result->unshown |= wcts_model_profile_bit(entry);
    else
        contradict(read, wcts_model_profile_bit(entry),
                   wcts_model_is_effect(spec->rules[read->test->rule].form) || read->test->driver
                       ? "that the statement is kept"
                       : "a refusal");
}

static void read_profiled_call(const struct judge_profile_reading *read)
{
    const struct wcts_finding *finding = read->finding;
    struct wcts_result *result = read->result;
    int entry;
    /* A call that had to be refused, or may be, shows nothing of a restriction. */
    if (finding->found != WCTS_FOUND_KEPT)
        result->shown |= result->seen.refused;
    switch (finding->found) {
    case WCTS_FOUND_BROKEN:
        entry = wcts_judge_profile_deviation(read->profile, read->plan->spec, read->test,
                                             wcts_judge_broken_rule(read->test, finding),
                                             result->seen.holds);
        if (entry >= 0)
            deviate(read, wcts_model_profile_bit(entry));
        else if (result->seen.refused && /* in a scenario the breach may be another's */
                 (result->seen.own == WCTS_PROFILE_REFUSED ||
                  (read->test->scenario && finding->reason &&
                   strstr(finding->reason, WCTS_JUDGE_REFUSAL))))
            leave_out(read, result->seen.refused);
        break;
    case WCTS_FOUND_DECLINED:
        if (result->seen.refused)
            leave_out(read, result->seen.refused);
        break;
    case WCTS_FOUND_KEPT:
        read_kept(read);
        break;
    case WCTS_FOUND_NOTHING:
        if (result->seen.refused && finding->skip == WCTS_SKIP_NOT_SHOWN)
            leave_out(read, result->seen.refused);
        break;
    default:
        break;
    }
}

void wcts_judge_profile_read(const struct wcts_plan *plan, const struct wcts_case *test,
                             const struct wcts_profile *profile, const struct wcts_finding *finding,
                             struct wcts_result *result)
{
    const struct judge_profile_reading read = {plan, test, profile, finding, result};
    result->shown = result->against = result->unshown = 0;
    result->profiled = false;
    if (!profile || wcts_model_verdict_is_death(result->verdict) ||
        result->verdict == WCTS_VERDICT_FLAKY || finding->found == WCTS_FOUND_TROUBLE)
        return;
    if (result->seen.accepted)
        contradict(&read, result->seen.accepted, "that such a call is accepted");
    else if (!read_absent(&read) && result->seen.swept != WCTS_PROFILE_UNSWEPT &&
             !has_wrong_replies(&read))
        read_swept(&read);
    else if (!result->profiled)
        read_profiled_call(&read);
}
