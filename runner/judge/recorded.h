/* SPDX-License-Identifier: MIT */
/* What the files share that judge recordings. */
#ifndef WCTS_RECORDED_H
#define WCTS_RECORDED_H

#include "../base/text.h"
#include "judge.h"

/* Notes why a call that sent what the world holds was denied: the world breaks a rule, falls in a
 * gap, or neither (denial.c). */
void wcts_judge_note_denial(struct wcts_exchange_record *record, const struct wcts_world *world);
/* Notes what the reference kernel asked of a driver under test that the driver may not deny. */
void wcts_judge_decline_owed(const struct wcts_spec *spec, struct wcts_exchange *exchange);

/* True if a record is answered as not implemented or not supported, of its party's own accord,
 * although that had taken before what asked for the same of the same objects (denial.c). */
bool wcts_judge_is_lost(const struct wcts_exchange *exchange, int index);
/* True if two requests ask for the same of the same objects (answers.c). */
bool wcts_judge_is_same_use(const struct wcts_exchange_record *a,
                            const struct wcts_exchange_record *b);
/* Declines a case that was skipped for a call of its set-up that was lost. */
void wcts_judge_lost_setup(const struct wcts_exchange_recording *recording,
                           struct wcts_finding *finding);

/* True if an allocation that the driver described is larger than all segments of its sets, with its
 * size: these may be of size 0, and the reference kernel cannot place it (answers.c). */
bool wcts_judge_has_no_room(const struct wcts_exchange *exchange, uint64_t *size);

/* What a driver answered that breaks a rule, with its values. */
void wcts_judge_answer_text(const struct wcts_world *answers, const struct wcts_rule *rule,
                            int where, char *text, size_t room);

/* The values of the cases' symbols at the end of a boot. */
struct wcts_symbols wcts_judge_boot_symbols(const struct wcts_exchange_boot *boot);

/* The gap that an accepted call falls in that breaks the end of an allocation alone, if the kernel
 * made the allocation large enough for it; NULL: none (own_size.c). boot: NULL if the kernel was
 * not asked for sizes. */
const struct wcts_gap *wcts_judge_own_size(const struct wcts_judge *judge,
                                           const struct wcts_case *test,
                                           const struct wcts_exchange_boot *boot);
/* The outcome that is expected of a call, at the strict level (strictly) or at the others. */
enum wcts_expect wcts_judge_expected(const struct wcts_plan *plan, const struct wcts_case *test,
                                     const struct wcts_claims *claims, bool strictly);
/* The answers to the values of a flag word (sweep.c). */
void wcts_judge_sweep(const struct wcts_judge *judge, const struct wcts_case *test,
                      const struct wcts_exchange_recording *recording,
                      struct wcts_strictness *strictness, struct wcts_finding *finding);
/* What of a sweep goes into its evidence: how many, what they have in common, and the case of the
 * smallest one. */
void wcts_judge_sweep_describe(FILE *out, const struct wcts_plan *plan,
                               const struct wcts_case *test,
                               const struct wcts_exchange_swept *swept);

/* Adds for how many values of a sweep the reply breaks the rule, if that is known. */
void wcts_judge_sweep_replies(struct wcts_text *text, const struct wcts_plan *plan,
                              const struct wcts_case *test, const struct wcts_exchange_swept *swept,
                              int rule);

/* The effect on pages of a call with a look before and behind it (pages.c). */
void wcts_judge_pages_test(const struct wcts_judge *judge, const struct wcts_case *test,
                           const struct wcts_exchange_recording *recording,
                           struct wcts_finding *finding);
/* A scenario with each kind that it was gone through with; returns the boot that is the evidence
 * (scenario.c). */
const struct wcts_exchange_boot *
wcts_judge_scenario(const struct wcts_judge *judge, const struct wcts_case *test,
                    const struct wcts_exchange_recording *recording,
                    struct wcts_strictness *strictness, struct wcts_finding *finding);

/* Longer names of kinds are left out. */
#define WCTS_JUDGE_KIND_ROOM 80

/* What a boot shows of the kind of the driver's allocations that it began with (kinds.c). For
 * example of "image", which can be made but not moved: {.judged = true, .found = {.found =
 * WCTS_FOUND_NOTHING}, .lacks = "DRIVER_PAGING answered NOT_SUPPORTED (0xC00000BB)"} */
struct wcts_judge_of_kind {
    bool judged;
    struct wcts_finding found;        /* its reason is owned */
    char *lacks;                      /* why it shows nothing of the kind, owned; or NULL */
    char *refused;                    /* the answer to its creation, owned; or NULL */
    char names[WCTS_JUDGE_KIND_ROOM]; /* the kind that was refused */
};

/* Notes what came of a boot, of which of_kinds[index].found is the finding. */
void wcts_judge_note_kind(const struct wcts_spec *spec,
                          const struct wcts_exchange_recording *recording, int index,
                          struct wcts_judge_of_kind *of_kinds);
/* The finding of all boots, and which of them is the evidence. Releases what of_kinds own. */
int wcts_judge_choose_kind(const struct wcts_exchange_recording *recording, int count,
                           struct wcts_judge_of_kind *of_kinds, struct wcts_finding *finding);
/* The kind that a request to create allocations is for, or the surface of the driver's own data; ""
 * for none, and of a name without room. */
void wcts_judge_kind_asked(const struct wcts_exchange_view *view, int index, char *kind);
/* Of a test whose one boot goes through all kinds: what the driver refuses is passed over if it
 * creates another kind, and named if the finding is that the rule is kept. */
void wcts_judge_pass_over_kinds(const struct wcts_exchange_view *view);
void wcts_judge_name_refused_kinds(const struct wcts_exchange_view *view,
                                   struct wcts_finding *finding);

/* True if the call of a scenario in which a record is breaks no rule, by what the driver had
 * answered by then; also if it is no call of the suite's steps. */
bool wcts_judge_is_valid_call(const struct wcts_judge *judge, const struct wcts_case *test,
                              const struct wcts_exchange *exchange, int index);

/* The breach of another rule than the test's own, where that one is kept or not shown: the finding
 * is then broken, by that rule, and the boot that shows it is returned; else NULL (observed.c). */
const struct wcts_exchange_boot *
wcts_judge_observed(const struct wcts_judge *judge, const struct wcts_case *test,
                    const struct wcts_exchange_recording *recording,
                    struct wcts_strictness *strictness, struct wcts_finding *finding);

#endif
