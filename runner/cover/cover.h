/* SPDX-License-Identifier: MIT */
/*
 * Whether each condition of each rule and effect decides something in the calls of a plan:
 * unique-cause MC/DC. What the conditions of a rule are, and what counts as a pair, stands in
 * docs/coverage.md.
 *
 * A rule is looked at in the worlds of the plan (what is sent, with the answers of the scripted
 * driver), an effect in the records of its own cases, carried out against the built-in emulator:
 * much of what an effect depends on is known from replies alone. No verdict of that is used but
 * that the effect came about.
 */
#ifndef WCTS_COVER_H
#define WCTS_COVER_H

#include "../plan/plan.h"

/* MASKED: the other call breaks another rule, whatever the call; the rule changes its mind, but
 * what is to come of the call does not. COUPLED: other conditions that look at the same fact, or
 * have nothing to look at without it, went along. Either way no call can show more. */
enum wcts_shown { WCTS_SHOWN_NOT, WCTS_SHOWN_MASKED, WCTS_SHOWN_COUPLED, WCTS_SHOWN };

/* One condition, and the two calls that differ in it alone. */
struct wcts_decision {
    const char *text; /* as in "when Operation equals 1" */
    enum wcts_shown shown;
    int one, other;  /* cases; of a rule's, the first breaks it. -1: none */
    bool twin;       /* other means the twin of that case */
    const char *why; /* of MASKED and NOT, in words; NULL: nothing to say */
};

struct wcts_rule_cover {
    struct wcts_decision *decisions;
    int count;
    bool came;        /* effect: it came about; another rule: a case breaks it alone */
    const char *note; /* why there is no decision; NULL: there are */
};

struct wcts_cover {
    const struct wcts_plan *plan;
    struct wcts_rule_cover *rules; /* one for each rule of the spec */
    struct wcts_arena *arena;      /* holds all of it */
    char error[256];               /* why effects could not be looked at; "" if they were */
};

/* Looks at all rules. False, with the error, when the emulator cannot be used. To be released
 * either way; the plan must live as long. */
bool wcts_cover_init(struct wcts_cover *cover, const struct wcts_plan *plan);
void wcts_cover_release(struct wcts_cover *cover);

/* The first condition that no pair shows, NULL when all are shown. */
const struct wcts_decision *wcts_cover_missing(const struct wcts_rule_cover *rule);

#endif
