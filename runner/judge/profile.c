/* SPDX-License-Identifier: MIT */
/* What an exchange shows of the entries of a profile. */
#include "profile.h"

#include "../exchange/partial.h"
#include "../exchange/view.h"
#include "../oracle/env.h"
#include "../oracle/sweep.h"

/* ---- one call ---- */

static bool is_true_in(const struct wcts_profile *profile, const struct wcts_profile_entry *entry,
                       const struct wcts_exchange_view *view, int record)
{
    const struct wcts_lang_env env = wcts_exchange_env(view);
    int count = wcts_exchange_count(view, record, entry->on, false);
    for (int i = 0; i < count; i++)
        if (wcts_lang_truth(profile->exprs, entry->when, &env,
                            wcts_exchange_instance((struct wcts_exchange_cursor){record, i})) ==
            WCTS_TRUE)
            return true;
    return false;
}

enum wcts_truth wcts_judge_profile_holds(const struct wcts_profile *profile,
                                         const struct wcts_profile_entry *entry,
                                         const struct wcts_exchange_view *view,
                                         struct wcts_exchange_cursor place, int structure)
{
    const struct wcts_lang_env env = wcts_exchange_env(view);
    unsigned missed = wcts_exchange_missed(view->exchange);
    enum wcts_truth all = WCTS_UNKNOWN;
    int count, first;
    if (!entry->when)
        return WCTS_TRUE;
    count = wcts_exchange_count(view, place.record, entry->on, false);
    if (wcts_exchange_missed(view->exchange) != missed)
        return WCTS_UNKNOWN;
    first = entry->on == structure && place.element < count ? place.element : 0;
    count = first ? first + 1 : count;
    for (int i = first; i < count; i++) {
        enum wcts_truth truth =
            wcts_lang_truth(profile->exprs, entry->when, &env,
                            wcts_exchange_instance((struct wcts_exchange_cursor){place.record, i}));
        if (i > first && truth != all)
            return WCTS_UNKNOWN;
        all = truth;
    }
    return all;
}

/* The entries of a kind whose condition is true of the call. */
static uint64_t matches_in(const struct wcts_profile *profile, enum wcts_profile_kind kind,
                           const struct wcts_case *test, const struct wcts_exchange_view *view,
                           int record)
{
    uint64_t set = 0;
    for (int i = 0; i < profile->count; i++) {
        const struct wcts_profile_entry *entry = &profile->entries[i];
        if (entry->kind == kind && entry->when && wcts_judge_profile_applies(entry, test) &&
            is_true_in(profile, entry, view, record))
            set |= wcts_model_profile_bit(i);
    }
    return set;
}

/* What is sent to the side under test, as long as the parties are open. */
static bool is_boot_asked(const struct wcts_case *test, const struct wcts_exchange_boot *boot,
                          int index)
{
    uint32_t party = test->driver ? WCTS_DRIVER_INFO >> 8 : WCTS_KERNEL_INFO >> 8;
    const struct wcts_exchange_record *record = &boot->exchange.records[index];
    return index < boot->closing && record->operation >> 8 == party && !record->between;
}

/* What is refused in a boot that is nobody's fault: calls that break nothing or, where the judge
 * looked at none for that or what the driver answered breaks advice, the last one. */
struct judge_refused {
    uint64_t valid, last; /* restrictions that match them */
    bool other;           /* ... and before them a call that breaks nothing, which none matches */
};

/* True if the refusal of a call may have another reason than a restriction that matches it. In a
 * scenario a breach can be one of the driver's that does not excuse the call. */
static bool is_let(const struct wcts_case *test, enum wcts_exchange_denial denial)
{
    return denial == WCTS_DENIAL_LET ||
           (test->scenario && (denial == WCTS_DENIAL_BREACH || denial == WCTS_DENIAL_GAP));
}

static void note_refused(struct judge_refused *refused, const struct wcts_case *test,
                         const struct wcts_exchange_record *record, uint64_t matches)
{
    if (record->denial == WCTS_DENIAL_VALID) {
        /* What follows a refusal may be refused because of it. */
        refused->other = refused->other || !(matches | refused->valid);
        refused->valid |= matches;
    } else if (record->denial == WCTS_DENIAL_NONE || (is_let(test, record->denial) && matches)) {
        refused->last = matches;
    }
}

static void see_boot(const struct wcts_judge *judge, const struct wcts_profile *profile,
                     const struct wcts_case *test, const struct wcts_exchange_boot *boot,
                     struct wcts_profile_seen *seen)
{
    const struct wcts_exchange_view view = {judge->plan->spec, &boot->exchange, test->page_size};
    struct judge_refused refused = {0};
    for (int i = 0; i < boot->exchange.count; i++) {
        const struct wcts_exchange_record *record = &boot->exchange.records[i];
        const enum wcts_exchange_answer answer = wcts_exchange_answer_of(record->status);
        if (!is_boot_asked(test, boot, i))
            continue;
        if (answer == WCTS_ANSWER_ACCEPTED)
            seen->accepted |= matches_in(profile, WCTS_PROFILE_RESTRICTION, test, &view, i);
        if (answer == WCTS_ANSWER_REFUSED)
            note_refused(&refused, test, record,
                         matches_in(profile, WCTS_PROFILE_RESTRICTION, test, &view, i));
        if (boot->purpose == WCTS_FOR_TEST)
            seen->holds |= matches_in(profile, WCTS_PROFILE_DEVIATION, test, &view, i);
    }
    if (!refused.other)
        seen->refused |= refused.valid ? refused.valid : refused.last;
}

static enum wcts_profile_answer answer_to(const struct wcts_exchange_attempt *attempt)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(attempt->status);
    if (attempt->end == WCTS_ATTEMPT_ANSWERED && answer == WCTS_ANSWER_ACCEPTED)
        return WCTS_PROFILE_ACCEPTED;
    return attempt->end != WCTS_ATTEMPT_NO_BOOT && answer == WCTS_ANSWER_REFUSED
               ? WCTS_PROFILE_REFUSED
               : WCTS_PROFILE_NO_ANSWER;
}

/* ---- sweeps ---- */

/* What a profile makes of an answer that the documents want otherwise. */
enum judge_wrong { NEVER_WRONG, ALWAYS_WRONG, EITHER_WAY };

/* The comparison of a sweep's values, one after the other. */
struct judge_swept_profile {
    const struct wcts_profile *profile;
    const struct wcts_case *test;
    const struct wcts_exchange_swept *swept;
    struct wcts_oracle_sweep *sweep;
    enum wcts_oracle_sweep_set set;
    int rule; /* of the values that break one alone */
    uint64_t sent, declared;
    bool differs;
};

uint64_t wcts_judge_profile_world(const struct wcts_profile *profile,
                                  const struct wcts_world *world)
{
    const struct wcts_lang_env env = wcts_world_env(world);
    uint64_t set = 0;
    for (int e = 0; e < profile->count; e++) {
        const struct wcts_profile_entry *entry = &profile->entries[e];
        for (int i = 0; entry->when && i < world->count; i++)
            if (world->instances[i].structure == entry->on && world->instances[i].present &&
                wcts_lang_truth(profile->exprs, entry->when, &env, i) == WCTS_TRUE)
                set |= wcts_model_profile_bit(e);
    }
    return set;
}

/* The entries that are about the call with the value. */
static uint64_t entries_about(const struct judge_swept_profile *at, uint64_t word)
{
    const struct wcts_world *world = wcts_oracle_sweep_world(at->sweep, word);
    uint64_t set;
    if (!world)
        return 0;
    set = wcts_judge_profile_world(at->profile, world);
    for (int i = 0; i < at->profile->count; i++)
        if (!wcts_judge_profile_applies(&at->profile->entries[i], at->test))
            set &= ~wcts_model_profile_bit(i);
    return set;
}

static uint64_t restrictions_in(const struct wcts_profile *profile, uint64_t set)
{
    for (int i = 0; i < profile->count; i++)
        if (profile->entries[i].kind != WCTS_PROFILE_RESTRICTION)
            set &= ~wcts_model_profile_bit(i);
    return set;
}

/* Of a value that breaks several rules: accepted only if all that bind deviate. */
static enum judge_wrong several_wrong(struct judge_swept_profile *at, uint64_t word, uint64_t about)
{
    uint64_t breaks = wcts_oracle_sweep_breaks(at->sweep, word), declared = 0;
    bool advice = false, must = false, some = false;
    for (int i = 0; i < at->sweep->rule_count; i++) {
        const struct wcts_oracle_sweep_rule *rule = &at->sweep->rules[i];
        int entry;
        if (!(breaks >> i & 1))
            continue;
        entry = wcts_judge_profile_deviation(at->profile, at->sweep->eval->spec, at->test,
                                             rule->rule, about);
        if (entry < 0 && rule->must)
            return NEVER_WRONG;
        must = must || rule->must;
        advice = advice || entry < 0;
        some = some || (entry >= 0 && at->profile->entries[entry].some);
        declared |= entry < 0 ? 0 : wcts_model_profile_bit(entry);
    }
    at->declared |= declared;
    if (!declared)
        return NEVER_WRONG;
    return advice || some || !must ? EITHER_WAY : ALWAYS_WRONG;
}

static enum judge_wrong expected_wrong(struct judge_swept_profile *at, uint64_t word)
{
    uint64_t about = entries_about(at, word);
    uint64_t restricted = restrictions_in(at->profile, about);
    int entry;
    if (at->set == WCTS_SWEEP_LEGAL) {
        at->declared |= restricted;
        return restricted ? ALWAYS_WRONG : NEVER_WRONG;
    }
    if (restricted)
        return NEVER_WRONG;
    if (at->set == WCTS_SWEEP_SEVERAL)
        return several_wrong(at, word, about);
    entry =
        wcts_judge_profile_deviation(at->profile, at->sweep->eval->spec, at->test, at->rule, about);
    at->declared |= entry < 0 ? 0 : wcts_model_profile_bit(entry);
    if (entry >= 0 && at->profile->entries[entry].some)
        return EITHER_WAY;
    return entry < 0 ? NEVER_WRONG : ALWAYS_WRONG;
}

bool wcts_judge_profile_was_wrong(const struct wcts_exchange_swept *swept, uint64_t word)
{
    if (swept->wrong == 0 || swept->wrong == swept->judged)
        return swept->wrong != 0;
    for (int i = 0; i < swept->cause.count; i++)
        if ((word & swept->cause.cubes[i].set) == swept->cause.cubes[i].set &&
            !(word & swept->cause.cubes[i].clear))
            return true;
    return false;
}

static bool compare_word(void *context, uint64_t word)
{
    struct judge_swept_profile *at = context;
    enum judge_wrong expected;
    if (at->sent++ == at->swept->sent)
        return false;
    if (!wcts_oracle_sweep_is_judged(at->sweep, at->set, word))
        return true;
    expected = expected_wrong(at, word);
    if (expected != EITHER_WAY &&
        wcts_judge_profile_was_wrong(at->swept, word) != (expected == ALWAYS_WRONG))
        at->differs = true;
    return true;
}

bool wcts_judge_profile_has_cause(const struct wcts_exchange_swept *swept)
{
    return swept->wrong == 0 || swept->wrong == swept->judged ||
           (swept->cause.count > 0 && (swept->cause.cubes[0].set || swept->cause.cubes[0].clear));
}

static enum wcts_profile_swept swept_as(const struct judge_swept_profile *at)
{
    if (!at->declared)
        return WCTS_PROFILE_UNSWEPT;
    if (!wcts_judge_profile_has_cause(at->swept))
        return WCTS_PROFILE_SWEPT_UNKNOWN;
    return at->differs ? WCTS_PROFILE_SWEPT_OTHERWISE : WCTS_PROFILE_SWEPT_AS_DECLARED;
}

/* A breach of advice may go either way by the documents; as declared it is accepted, each time. */
static void see_advice(struct judge_swept_profile *at, struct wcts_profile_seen *seen)
{
    int entry = wcts_judge_profile_deviation(at->profile, at->sweep->eval->spec, at->test, at->rule,
                                             ~UINT64_C(0));
    if (entry < 0 || at->profile->entries[entry].when)
        return;
    seen->declared = wcts_model_profile_bit(entry);
    seen->swept = at->swept->answers[WCTS_ANSWER_REFUSED] == 0 ? WCTS_PROFILE_SWEPT_AS_DECLARED
                                                               : WCTS_PROFILE_SWEPT_OTHERWISE;
}

static void see_sweep(const struct wcts_judge *judge, const struct wcts_profile *profile,
                      const struct wcts_case *test, const struct wcts_exchange_swept *swept,
                      struct wcts_profile_seen *seen)
{
    struct wcts_oracle_sweep sweep;
    struct judge_swept_profile at = {
        .profile = profile, .test = test, .swept = swept, .sweep = &sweep, .rule = test->rule};
    int position;
    if (!swept->made || swept->died || swept->lie[0] || test->fact_count == 0 || !swept->sent)
        return;
    if (wcts_oracle_sweep_init(&sweep, judge->eval, test->facts[0].ref, test->version,
                               test->page_size) &&
        wcts_oracle_sweep_places(&sweep)) {
        at.set = wcts_oracle_sweep_set(&sweep, test, &position);
        if (at.set == WCTS_SWEEP_EXACTLY && test->expect == WCTS_EXPECT_OPEN) {
            see_advice(&at, seen);
        } else {
            wcts_oracle_sweep_each(&sweep, at.set, position, compare_word, &at);
            seen->declared = at.declared;
            seen->swept = swept_as(&at);
        }
    }
    wcts_oracle_sweep_release(&sweep);
}

/* ---- all of it ---- */

void wcts_judge_profile_see(const struct wcts_judge *judge, const struct wcts_profile *profile,
                            const struct wcts_case *test,
                            const struct wcts_exchange_recording *recording,
                            struct wcts_profile_seen *seen)
{
    const struct wcts_exchange_boot *own = wcts_exchange_recording_find(recording, WCTS_FOR_TEST);
    *seen = (struct wcts_profile_seen){0};
    if (test->kind == WCTS_KIND_SWEEP)
        see_sweep(judge, profile, test, &recording->swept, seen);
    if (own)
        seen->own = answer_to(&own->attempt);
    for (int i = 0; i < recording->count; i++)
        see_boot(judge, profile, test, &recording->boots[i], seen);
}
