/* SPDX-License-Identifier: MIT */
/* Reading findings with a profile: what an exchange shows of its entries, and the verdicts. */
#ifndef WCTS_JUDGE_PROFILE_H
#define WCTS_JUDGE_PROFILE_H

#include "../exchange/trace.h"
#include "../model/profile.h"
#include "judge.h"

/* What the recording of a test shows of the entries. Needs no finding. */
void wcts_judge_profile_see(const struct wcts_judge *judge, const struct wcts_profile *profile,
                            const struct wcts_case *test,
                            const struct wcts_exchange_recording *recording,
                            struct wcts_profile_seen *seen);

/*
 * Changes a result that was read at a level as the profile wants it: what is broken as an entry
 * declares deviates, a case that needs a call that a restriction refuses is "not in profile", and
 * where an entry is contradicted the case fails. Fills in shown, against and unshown. Reason and
 * skip are those of the new verdict. finding: the one that counts.
 */
void wcts_judge_profile_read(const struct wcts_plan *plan, const struct wcts_case *test,
                             const struct wcts_profile *profile, const struct wcts_finding *finding,
                             struct wcts_result *result);

/* The deviation that covers a rule at the test's version and side, among those of which the
 * condition holds (holds: a set of entries); -1: none. */
int wcts_judge_profile_deviation(const struct wcts_profile *profile, const struct wcts_spec *spec,
                                 const struct wcts_case *test, int rule, uint64_t holds);

/* True if a rule or restriction is about the case's version and side. */
static inline bool wcts_judge_profile_applies(const struct wcts_profile_entry *entry,
                                              const struct wcts_case *test)
{
    return entry->driver == test->driver && test->version >= entry->since &&
           test->version < entry->until;
}

/* Whether the condition of an entry holds of a call that was recorded elsewhere: of the element, if
 * the condition is about the structure, else of all that the message has of its own. UNKNOWN where
 * something is missing, they differ, or the message has none. An entry without a condition holds.
 */
enum wcts_truth wcts_judge_profile_holds(const struct wcts_profile *profile,
                                         const struct wcts_profile_entry *entry,
                                         const struct wcts_exchange_view *view,
                                         struct wcts_exchange_cursor place, int structure);

/* True if keeping the rule in this case is what a deviation declares not to happen: the call breaks
 * the rule, or brings about what the effect is about. */
bool wcts_judge_profile_speaks(const struct wcts_spec *spec, const struct wcts_case *test);

/* True if the cause of a sweep's wrong answers is short, so that each value's answer is known; and
 * if a judged value was answered otherwise than the documents want. */
bool wcts_judge_profile_has_cause(const struct wcts_exchange_swept *swept);
bool wcts_judge_profile_was_wrong(const struct wcts_exchange_swept *swept, uint64_t word);

/* The entries that are about a world of the plan: restrictions that match one of its instances, and
 * deviations whose condition does. */
uint64_t wcts_judge_profile_world(const struct wcts_profile *profile,
                                  const struct wcts_world *world);

#endif
