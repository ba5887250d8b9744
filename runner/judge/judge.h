/* SPDX-License-Identifier: MIT */
/*
 * Judging: what a case came to, from what was recorded. Nothing here calls an implementation.
 */
#ifndef WCTS_JUDGE_H
#define WCTS_JUDGE_H

#include "../exchange/bytes.h"
#include "../exchange/exchange.h"
#include "../model/claims.h"
#include "../model/finding.h"
#include "../model/options.h"
#include "../model/test.h"
#include "../oracle/world.h"

enum wcts_found wcts_breach_found(enum wcts_breach kind);
/* True, with verdict and reason, when something ended the case. */
bool wcts_judge_breach(const struct wcts_exchange *exchange, struct wcts_finding *finding);

/* All that a verdict about a case of the kernel rests on. */
struct wcts_kernel_evidence {
    struct wcts_attempt attempt, twin, base;
    bool twin_made, base_made;
    bool held; /* the kernel is held to what it claims of advice */
};

void wcts_judge_kernel(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_claims *claims, struct wcts_strictness *strictness,
                       const struct wcts_kernel_evidence *evidence, struct wcts_finding *finding);
/* Pages of a range, as KERNEL_QUERY_PAGES tells them. */
struct wcts_pages {
    struct wcts_page *list;
    uint32_t count;
};

/* What is known of the pages around a call: those of the range before and after it, and of the
 * range that is copied from before it. */
struct wcts_pages_evidence {
    struct wcts_attempt attempt;
    struct wcts_pages before, after, source;
    bool base_accepted; /* the base's call was, where this one was refused */
};

/* Judges a pages effect from the values of the case's world, resolved. */
void wcts_judge_pages(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_world *world, const struct wcts_symbols *symbols,
                      const struct wcts_pages_evidence *evidence, struct wcts_finding *finding);
/* Judges an effect by all records from one on (judge/effect.c). */
void wcts_judge_effect(const struct wcts_plan *plan, const struct wcts_case *test,
                       struct wcts_strictness *strictness, const struct wcts_exchange *exchange,
                       int from, struct wcts_finding *finding);
/* Whether the driver patched what the request asks for, in the encoding that it claims. buffer: the
 * DMA buffer as it is then; NULL: it cannot be read. */
void wcts_judge_patch(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_claims *claims, const struct wcts_attempt *attempt,
                      const struct wcts_buffer *request, const struct wcts_exchange *exchange,
                      const uint8_t *buffer, struct wcts_finding *finding);
/* ---- verdict.c ---- */

/* True if a breach of the rule fails at the level, rather than that it warns. */
bool wcts_breach_fails(const struct wcts_plan *plan, int rule, struct wcts_strictness *strictness);
/* True if a breach of a rule on which the case's rests may be reason not to judge the case, at some
 * level: the rule is there at the version, and is no advice where the case's own would fail. */
bool wcts_may_excuse(const struct wcts_plan *plan, const struct wcts_case *test, int below);
/* Takes back a case that broke, since a rule on which its own rests is broken, or lays the failure
 * to that rule; why: what shows the breach. False when the level leaves it as it is. */
bool wcts_finding_excuse(const struct wcts_plan *plan, const struct wcts_case *test,
                         struct wcts_strictness *strictness, int below, const char *why,
                         struct wcts_finding *finding);
/* What a level makes of a finding. */
enum wcts_verdict wcts_finding_verdict(const struct wcts_plan *plan, const struct wcts_case *test,
                                       const struct wcts_finding *finding, enum wcts_level level);
/* Which verdicts another attempt may change: a failure, of the implementation or of the set-up. */
bool wcts_verdict_is_retried(enum wcts_verdict verdict);
/* Reads the findings of a case and of its attempts as the options say, at their level first of all:
 * fills in verdict, reason, detail, scenario, skip and broken, and the verdicts of the attempts
 * that count there. */
void wcts_result_read(const struct wcts_plan *plan, const struct wcts_case *test,
                      const struct wcts_options *options, struct wcts_result *result);

/* ---- judge.c ---- */

bool wcts_judge_no_answer(const struct wcts_attempt *attempt, const char *what,
                          struct wcts_finding *finding);
/* A denied attempt that falls in a gap shows nothing. */
void wcts_judge_gap(const struct wcts_gap *gap, const struct wcts_attempt *attempt,
                    struct wcts_finding *finding);
void wcts_judge_driver(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_world *answers, const struct wcts_attempt *attempt,
                       struct wcts_finding *finding);
/* The world of what a driver answered in an exchange. */
bool wcts_world_of_answers(struct wcts_world *world, const struct wcts_eval *eval, int version,
                           uint32_t page_size, const struct wcts_exchange *exchange);
/* What came of it, for whoever reads the failure. Owned by the caller. */
char *wcts_evidence_text(const struct wcts_plan *plan, const struct wcts_case *test,
                         const struct wcts_exchange *exchange);
/* Prints the case in words: statement, place, level, basis, what is sent, what is expected. */
void wcts_case_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test);

/* Why a call that is to be refused has to be: a line for each member that makes it so, with its
 * value and where it is, and one for each statement that it breaks, but for the case's own. "" of
 * any other case. The caller frees it; NULL without memory. */
char *wcts_wrong_text(const struct wcts_plan *plan, const struct wcts_case *test);
/* What the scenario of a case does, a line for each call (describe.c). */
void wcts_acts_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test);
/* A valid call was denied: declined, or broken for want of memory and the like. */
void wcts_judge_denied(const struct wcts_record *record, struct wcts_finding *finding);
/* Declines the case when its exchange holds a valid call that was refused; where that was for want
 * of memory or the like the case is broken. False: there is none. */
bool wcts_judge_valid_denied(const struct wcts_exchange *exchange, struct wcts_finding *finding);
/* The same, unless the case fails. */
void wcts_judge_declined(const struct wcts_exchange *exchange, struct wcts_finding *finding);
/* A valid call was refused; what: "twin", "base call". */
void wcts_finding_decline(struct wcts_finding *finding, const char *what, uint32_t operation,
                          wcts_status status);

/* The verdict for a case during which the worker died: a crash, or a pass where the documents let
 * the implementation stop. in_call: it was in the call that the case is about, not in the set-up or
 * in the twin. what: "killed by SIGSEGV", "called exit(3)". */
void wcts_judge_death(const struct wcts_case *test, bool in_call, const char *what,
                      struct wcts_finding *finding);

#endif
