/* SPDX-License-Identifier: MIT */
/* What the files share that judge rules about what crossed: partial_rule.c is about one structure,
 * partial_earlier.c about all that a driver gave before it, partial_sent.c about one record. Not
 * for others. */
#ifndef WCTS_PARTIAL_PARTS_H
#define WCTS_PARTIAL_PARTS_H

#include "../exchange/view.h"
#include "partial.h"

/* What the environment reads. */
struct judge_sent {
    struct wcts_exchange_view view;
    const struct wcts_judge_partial *judge;
};

static inline const struct judge_sent *wcts_judge_sent_of(const struct wcts_lang_env *env)
{
    return env->context;
}

const struct wcts_message *wcts_judge_message_sent(const struct judge_sent *sent, int record);

enum judge_half { HALF_NONE, HALF_REQUEST, HALF_REPLY };

/* Which half of a message has the structure: a driver is judged by what it answers. */
enum judge_half wcts_judge_half_of(const struct wcts_message *message, int structure);

/* How many of the structure a record has. */
int wcts_judge_count_sent(const struct judge_sent *sent, int record, int structure);

/* True if the record is a message that was accepted, or is no answer: what it has counts. */
bool wcts_judge_does_count(const struct judge_sent *sent, int record);

/* ---- partial_earlier.c ---- */

/* The instances that a driver gave one after the other: in all its answers to the same operation so
 * far. As struct wcts_lang_env has it. */
int wcts_judge_next_answered(const struct judge_sent *sent, int subject, int structure, int after);
/* False if a message has ended the instance, which its message made, before the subject. */
enum wcts_truth wcts_judge_was_there(const struct wcts_lang_env *env, int instance, int subject);

/* The same answer for "repeats" as from those two, from an index (judge->earlier) that is made
 * once. False: it does not have one. */
bool wcts_judge_repeats(const struct wcts_lang_env *env, int subject,
                        const struct wcts_lang_ref *ref, __int128 number,
                        struct wcts_lang_result *result);

#endif
