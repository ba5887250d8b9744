/* SPDX-License-Identifier: MIT */
/*
 * Judging: the finding of a case from its recording. Nothing here calls an implementation.
 */
#ifndef WCTS_JUDGE_H
#define WCTS_JUDGE_H

#include "../exchange/bytes.h"
#include "../exchange/recording.h"
#include "../exchange/trace.h"
#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/options.h"
#include "../model/test.h"
#include "../oracle/world.h"

/* How the text of a breach ends that is the refusal of a call. */
#define WCTS_JUDGE_REFUSAL "expected it to be accepted"

enum wcts_found wcts_judge_breach_found(enum wcts_exchange_breach kind);
/* True, with the finding, if something ended the case. */
bool wcts_judge_breach(const struct wcts_exchange *exchange, struct wcts_finding *finding);

/* What judging reads besides the recording. Borrowed. */
struct wcts_judge {
    const struct wcts_plan *plan;
    const struct wcts_eval *eval; /* of the plan's spec */
    const struct wcts_claims *claims;
    bool untold;    /* True if nobody reads the evidence of a failure: it is not put in words */
    bool own_alone; /* True if effects are not evaluated in tests of others: of a side that is known
                     * to bring them about */
};

/* The finding of a test at a level; marks in the recording why calls were denied. For a test that
 * is not claimed the recording may be empty. Rules that it rests on, and smaller forms of it, are
 * the caller's affair. */
void wcts_judge_test(const struct wcts_judge *judge, const struct wcts_case *test,
                     struct wcts_exchange_recording *recording, struct wcts_strictness *strictness,
                     struct wcts_finding *finding);
/* Says why nothing was opened where the judge saw only that there was no instance; reference_lacks:
 * the reference kernel does not know the version. */
void wcts_judge_no_instance(const struct wcts_spec *spec, const struct wcts_case *test,
                            const char *why, bool reference_lacks, struct wcts_finding *finding);
/* Why the claims leave a test out, NULL if they do not. */
const char *wcts_judge_not_claimed(const struct wcts_judge *judge, const struct wcts_case *test);
/* True if the call was refused, or is not supported: then its twin is made. */
bool wcts_judge_attempt_was_refused(const struct wcts_exchange_attempt *attempt);
/* True unless something ends a scenario before its next kind. */
bool wcts_judge_found_nothing_wrong(enum wcts_found found);
/* The gap that a call of this world falls in if the kernel made an allocation large enough for it,
 * and the rule that the call breaks then; NULL: none. */
const struct wcts_gap *wcts_judge_own_size_gap(const struct wcts_world *world,
                                               const struct wcts_rule **rule);

/* The finding if the last call, a query of pages, was not answered (pages.c). */
void wcts_judge_unseen_pages(const struct wcts_spec *spec, const struct wcts_exchange *exchange,
                             struct wcts_finding *finding);

/* All that a finding about a case of the kernel rests on. */
struct wcts_judge_kernel_evidence {
    struct wcts_exchange_attempt attempt, twin, base;
    bool twin_made, base_made;
    bool held_to_advice; /* True if the kernel must keep its claim about advice */
};

void wcts_judge_kernel(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_claims *claims, struct wcts_strictness *strictness,
                       const struct wcts_judge_kernel_evidence *evidence,
                       struct wcts_finding *finding);
/* Judges an effect by all records from one on (effect.c). */
void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       int from, struct wcts_finding *finding);
/* Judges whether the driver patched what the request lists, in the encoding that it claims. before,
 * after: the DMA buffer then; NULL if it was not looked at. */
void wcts_judge_patch(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_exchange_attempt *attempt,
                      const struct wcts_exchange_buffer *request,
                      const struct wcts_exchange *exchange, const uint8_t *before,
                      const uint8_t *after, struct wcts_finding *finding);
/* ---- verdict.c ---- */

/* True if a breach of the rule fails at the level, false if it warns. */
bool wcts_judge_breach_fails(const struct wcts_plan *plan, int rule,
                             struct wcts_strictness *strictness);
/* The rule that the finding is a breach of: the case's own, unless another one was observed. */
static inline int wcts_judge_broken_rule(const struct wcts_case *test,
                                         const struct wcts_finding *finding)
{
    return finding->broken ? finding->broken - 1 : test->rule;
}
/* True if, at some level, a breach of the rule below, which the broken one rests on, may be a
 * reason not to judge the latter: the rule below exists at the version, and is no advice where the
 * broken one would fail. */
bool wcts_judge_may_excuse(const struct wcts_plan *plan, const struct wcts_case *test, int broken,
                           int below);
/* Withdraws a broken finding because a rule that the broken one rests on is broken, or blames that
 * rule for it; why: evidence of that breach. A breach that was observed is taken back: the case
 * still proves what its own rule says. False if the level leaves the finding as it is. */
bool wcts_judge_finding_excuse(const struct wcts_plan *plan, const struct wcts_case *test,
                               struct wcts_strictness *strictness, int below, const char *why,
                               struct wcts_finding *finding);
/* The verdict of a finding at a level. */
enum wcts_verdict wcts_judge_finding_verdict(const struct wcts_plan *plan,
                                             const struct wcts_case *test,
                                             const struct wcts_finding *finding,
                                             enum wcts_level level);
/* True if another attempt may change the verdict: a failure, of the implementation or the
 * set-up. */
bool wcts_judge_verdict_is_retried(enum wcts_verdict verdict);
/* Reads the findings of a case and of its attempts as the options say, at their level first of all:
 * fills in verdict, reason, detail, scenario, skip and broken, and the verdicts of the attempts
 * that count there. */
void wcts_judge_result_read(const struct wcts_plan *plan, const struct wcts_case *test,
                            const struct wcts_options *options, struct wcts_result *result);

/*
 * What was observed in cases of other rules, of all results so far in plan order: only the first
 * case of a version that shows a breach is counted for it, so that all others still prove what they
 * were made for. Example: at WDDM 2.3 an effect is broken in 40 calls that another rule's cases
 * expect to be accepted; the first fails for the effect, the others pass for that rule.
 */
struct wcts_judge_once {
    const struct wcts_spec *spec; /* not owned */
    unsigned *levels;             /* at which it was seen, one a rule and version; owned */
};

bool wcts_judge_once_init(struct wcts_judge_once *once, const struct wcts_spec *spec);
void wcts_judge_once_release(struct wcts_judge_once *once);
/* Takes back what is observed again. True if the result changed: it is to be read anew. */
bool wcts_judge_once(const struct wcts_judge_once *once, const struct wcts_case *test,
                     struct wcts_result *result);

/* ---- judge.c ---- */

bool wcts_judge_no_answer(const struct wcts_exchange_attempt *attempt, const char *what,
                          struct wcts_finding *finding);
/* A denied attempt in a gap shows nothing. */
void wcts_judge_gap(const struct wcts_gap *gap, const struct wcts_exchange_attempt *attempt,
                    struct wcts_finding *finding);
void wcts_judge_driver(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_world *answers,
                       const struct wcts_exchange_attempt *attempt, struct wcts_finding *finding);
/* The world of a driver's answers in an exchange. */
bool wcts_judge_world_of_answers(struct wcts_world *world, const struct wcts_eval *eval,
                                 int version, uint32_t page_size,
                                 const struct wcts_exchange *exchange);
/* The test and the messages in words, for the reader of a failure; swept: NULL for what is no
 * sweep. The caller frees it. */
char *wcts_judge_evidence_text(const struct wcts_plan *plan, const struct wcts_case *test,
                               const struct wcts_exchange *exchange,
                               const struct wcts_exchange_swept *swept);
/* Prints the test in words: statement, place, force, basis, what is sent, what is expected. */
void wcts_judge_case_describe(FILE *out, const struct wcts_plan *plan,
                              const struct wcts_case *test);

/* Why a call must be refused: a line for each member that makes it wrong, with its value and place,
 * and one for each other statement that it breaks. "" if it need not be refused. The caller frees
 * it; NULL without memory. */
char *wcts_judge_wrong_text(const struct wcts_plan *plan, const struct wcts_case *test);
/* The calls of a test's scenario, a line each (describe.c). */
void wcts_judge_acts_describe(FILE *out, const struct wcts_plan *plan,
                              const struct wcts_case *test);
/* A valid call was denied: declined, or broken for lack of memory and the like. */
void wcts_judge_denied(const struct wcts_exchange *exchange, int index,
                       struct wcts_finding *finding);
/* Declines the case if its exchange holds a valid call that was refused; if that was for lack of
 * memory or the like the case is broken. False if there is none. */
bool wcts_judge_valid_denied(const struct wcts_exchange_view *view, struct wcts_finding *finding);
/* The same, unless the case fails. */
void wcts_judge_declined(const struct wcts_exchange_view *view, struct wcts_finding *finding);
/* Adds to the finding of a set-up that the driver refused which kind of allocation that was. */
void wcts_judge_name_refused_kind(const struct wcts_exchange_view *view,
                                  struct wcts_finding *finding);
/* A valid call was refused; what: "twin", "base call". */
void wcts_judge_finding_decline(struct wcts_finding *finding, const char *what,
                                const struct wcts_exchange_attempt *attempt);

/* The finding of a case during which the worker died: a crash, or kept where the documents allow
 * the implementation to stop. in_call: True if it died in the case's own call, not in set-up or
 * twin. what: "killed by SIGSEGV", "called exit(3)". */
void wcts_judge_death(const struct wcts_case *test, bool in_call, const char *what,
                      struct wcts_finding *finding);

#endif
