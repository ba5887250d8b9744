/* SPDX-License-Identifier: MIT */
/* Unique-cause MC/DC: whether each condition of each rule and effect decides something in the calls
 * of a plan. docs/coverage.md defines conditions and pairs. Rules are evaluated in the worlds of
 * the plan (requests with the scripted driver's answers), effects in recordings of their own cases,
 * run against the built-in emulator, since effects depend on replies. No verdict of these runs is
 * used, only that the effect occurred. */
#ifndef WCTS_COVER_H
#define WCTS_COVER_H

#include "../plan/plan.h"

/* MASKED: the other call always breaks another rule, so the expectation stays the same. COUPLED:
 * other conditions on the same fact, or without meaning otherwise, change with it. In both cases no
 * call can show more. */
enum wcts_cover_shown { WCTS_SHOWN_NOT, WCTS_SHOWN_MASKED, WCTS_SHOWN_COUPLED, WCTS_SHOWN };

/* One condition, and the two calls that differ in it alone. */
struct wcts_cover_decision {
    const char *text; /* such as "when Operation equals 1" */
    enum wcts_cover_shown shown;
    int one, other;  /* cases, -1: none. The first breaks the rule */
    bool twin;       /* other is the twin of that case */
    const char *why; /* explains MASKED and NOT; NULL: nothing to explain */
};

/* What a plan decides of a rule: a decision for each condition. Example: {.decisions = {{"A is
 * set", WCTS_SHOWN, 17, 18}, ...}, .count = 2, .occurred = true}. */
struct wcts_cover_rule {
    struct wcts_cover_decision *decisions;
    int count;
    bool occurred;    /* effect: it occurred; rule: a case breaks it alone */
    const char *note; /* why there are no decisions; NULL: there are */
};

/*
 * The cover of a plan. The caller owns it; the arena holds all of it. For example a rule whose one
 * condition is shown by case 17 and its twin:
 *     rules[r] = {.count = 1, .decisions = {{.text = "when Operation equals 1",
 *                 .shown = WCTS_SHOWN, .one = 17, .other = 17, .twin = true}}}
 */
struct wcts_cover {
    const struct wcts_plan *plan;
    const bool *statements;        /* those that are covered, one for each of the spec; NULL: all */
    struct wcts_case *cases;       /* of the plan */
    struct wcts_cover_rule *rules; /* one for each rule of the spec */
    struct wcts_arena *arena;      /* holds all of it */
    char error[256];               /* why effects were not evaluated; "": they were */
};

/* Covers the rules of the statements (one for each of the spec; NULL: all), those of others have no
 * decisions. All calls of the plan count, whichever statement they were made for. False, with the
 * error, when the emulator cannot be used. Release it either way; plan and statements must outlive
 * it. */
bool wcts_cover_init(struct wcts_cover *cover, const struct wcts_plan *plan,
                     const bool *statements);
void wcts_cover_release(struct wcts_cover *cover);

/* The first condition that no pair shows; NULL when all are shown. */
const struct wcts_cover_decision *wcts_cover_missing(const struct wcts_cover_rule *rule);

#endif
