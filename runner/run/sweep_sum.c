/* SPDX-License-Identifier: MIT */
/* What is kept of the answers to a sweep: a few numbers, the smallest value that was misjudged, and
 * the cause. */
#include <stdlib.h>
#include <string.h>

#include "../base/checksum.h"
#include "../generate/cause.h"
#include "fates.h"
#include "sweeping.h"

int wcts_run_sweeping_base(const struct wcts_run_sweeping *sweeping, int index)
{
    return sweeping->sweep.places[sweeping->places[index]].base;
}

/* True if the values should be accepted, at the level at which anything is expected of them. */
bool wcts_run_sweeping_accepted(const struct wcts_machine_session *session,
                                const struct wcts_case *test)
{
    return test->expect == WCTS_EXPECT_ACCEPT ||
           (test->expect == WCTS_EXPECT_OPEN &&
            !(session->claims.capabilities & WCTS_CAPABILITY_STRICT));
}

static bool is_wrong(const struct wcts_run_sweeping *sweeping, bool accept, int index)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(sweeping->answers[index]);
    return accept ? answer != WCTS_ANSWER_ACCEPTED : answer != WCTS_ANSWER_REFUSED;
}

static void cause_of_wrong(const uint32_t *wrong, int wrong_count, const uint32_t *right,
                           int right_count, struct wcts_exchange_swept_cause *found)
{
    const struct wcts_generate_swept words = {wrong, right, wrong_count, right_count};
    struct wcts_generate_cause cause;
    if (wrong_count == 0 || !wcts_generate_cause_find(&words, &cause))
        return;
    found->count = cause.count;
    for (int i = 0; i < cause.count; i++)
        found->cubes[i] =
            (struct wcts_exchange_swept_cube){cause.cubes[i].set, cause.cubes[i].clear};
}

/* Takes over what is known of values that the implementation did not survive, of which words has
 * room for all. The smallest one is the first in the order of the set. */
static void sum_up_deaths(const struct wcts_run_sweeping *sweeping, uint32_t *words,
                          struct wcts_exchange_swept *swept)
{
    const struct wcts_exchange_deadly *deadly = &sweeping->deadly;
    int dead = 0, survived = 0;
    for (int i = 0; i < sweeping->count; i++) {
        uint32_t word = sweeping->words[i];
        swept->spared += sweeping->fates[i] == WCTS_FATE_SPARED;
        if (sweeping->fates[i] == WCTS_FATE_DEADLY)
            words[dead++] = word;
        else if (sweeping->fates[i] == WCTS_FATE_SENT &&
                 !(sweeping->unsent >> sweeping->places[i] & 1))
            words[sweeping->count - ++survived] = word;
    }
    swept->died = (uint64_t)dead;
    swept->deadly = dead ? words[0] : 0;
    for (int i = 0; dead && i < deadly->count; i++)
        if (deadly->of[i].value == swept->deadly) {
            swept->hung = deadly->of[i].hung;
            memcpy(swept->what, deadly->of[i].what, sizeof swept->what);
        }
    cause_of_wrong(words, dead, words + sweeping->count - survived, survived, &swept->death);
}

/* Counts a value that was sent. answered: the number of values answered before it. */
static void note_sent_word(const struct wcts_run_sweeping *sweeping, int index, uint64_t answered,
                           struct wcts_exchange_swept *swept)
{
    uint32_t word = sweeping->words[index];
    swept->sent++;
    swept->digest = wcts_checksum(swept->digest, &word, sizeof word);
    if (sweeping->fates[index] == WCTS_FATE_DEADLY)
        return;
    swept->answers[wcts_exchange_answer_of(sweeping->answers[index])]++;
    if (answered == 0) {
        swept->smallest = word;
        swept->status = sweeping->answers[index];
    }
}

static bool is_word_looked_at(const struct wcts_run_sweeping *sweeping, int index)
{
    return sweeping->broken[index] != WCTS_REPLY_UNSEEN &&
           wcts_oracle_sweep_is_judged(&sweeping->sweep, sweeping->set, sweeping->words[index]);
}

/* The rule that the replies are said to break, + 1: the first one of which a document leaves no
 * doubt, or else the first one; 0: none. */
static uint16_t rule_of_replies(const struct wcts_run_sweeping *sweeping)
{
    const struct wcts_spec *spec = sweeping->session->spec;
    uint16_t first = 0;
    for (int i = 0; i < sweeping->count; i++) {
        uint16_t broken = sweeping->broken[i];
        if (broken == 0 || broken == first || !is_word_looked_at(sweeping, i))
            continue;
        if (!spec->statements[spec->rules[broken - 1].statement].derived)
            return broken;
        first = first ? first : broken;
    }
    return first;
}

/* Of accepted values whose reply is not as it has to be: those that break that rule. words has room
 * for all values. */
static void sum_up_replies(const struct wcts_run_sweeping *sweeping, uint32_t *words,
                           struct wcts_exchange_swept_replies *replies)
{
    uint16_t rule = rule_of_replies(sweeping);
    int wrong = 0, right = 0;
    for (int i = 0; rule && i < sweeping->count; i++) {
        uint16_t broken = sweeping->broken[i];
        if (!is_word_looked_at(sweeping, i))
            continue;
        replies->judged++;
        if (broken == 0)
            words[sweeping->count - ++right] = sweeping->words[i];
        else if (broken == rule)
            words[wrong++] = sweeping->words[i];
    }
    if (wrong == 0)
        return;
    replies->wrong = (uint64_t)wrong;
    replies->smallest = words[0];
    replies->rule = rule - 1;
    cause_of_wrong(words, wrong, words + sweeping->count - right, right, &replies->cause);
}

/* accept: the values should be accepted. words has room for all values. */
static void sum_up_answers(const struct wcts_run_sweeping *sweeping, bool accept, uint32_t *words,
                           struct wcts_exchange_swept *swept)
{
    int wrong = 0, right = 0;
    uint64_t answered = 0;
    for (int i = 0; i < sweeping->count; i++) {
        uint32_t word = sweeping->words[i];
        if (sweeping->unsent >> sweeping->places[i] & 1 || sweeping->fates[i] == WCTS_FATE_SPARED)
            continue;
        note_sent_word(sweeping, i, answered, swept);
        if (sweeping->fates[i] == WCTS_FATE_DEADLY)
            continue;
        answered++;
        if (wcts_exchange_stream_reads(&sweeping->session->stream) ||
            !wcts_oracle_sweep_is_judged(&sweeping->sweep, sweeping->set, word))
            continue;
        swept->judged++;
        if (!is_wrong(sweeping, accept, i)) {
            words[sweeping->count - ++right] = word;
            continue;
        }
        if (wrong == 0) {
            swept->smallest = word;
            swept->status = sweeping->answers[i];
        }
        words[wrong++] = word;
    }
    swept->wrong = (uint64_t)wrong;
    cause_of_wrong(words, wrong, words + sweeping->count - right, right, &swept->cause);
}

/* The number of flags up to which all values were sent; 0: not even those with one. Those that
 * break several rules are not in that order, and not all sent anyway. */
static unsigned flags_of_all_sent(const struct wcts_run_sweeping *sweeping)
{
    int fewest = sweeping->set == WCTS_SWEEP_SEVERAL ? 1 : 64;
    for (int i = sweeping->count; i < sweeping->found; i++)
        if (__builtin_popcount(sweeping->words[i]) < fewest)
            fewest = __builtin_popcount(sweeping->words[i]);
    return fewest > 0 ? (unsigned)fewest - 1 : 0;
}

void wcts_run_sweeping_sum_up(const struct wcts_run_sweeping *sweeping, bool accept,
                              struct wcts_exchange_swept *swept)
{
    uint32_t *words = calloc((size_t)sweeping->count + 1, sizeof *words);
    *swept = (struct wcts_exchange_swept){.made = words != NULL, .all = sweeping->all};
    memcpy(swept->lie, sweeping->lie, sizeof swept->lie);
    swept->partly = sweeping->count < sweeping->found;
    swept->flags = flags_of_all_sent(sweeping);
    if (words && sweeping->deadly.count > 0)
        sum_up_deaths(sweeping, words, swept);
    if (words)
        sum_up_answers(sweeping, accept, words, swept);
    if (words && sweeping->replies)
        sum_up_replies(sweeping, words, &swept->replies);
    if (swept->lie[0]) { /* which of the answers are true is not known */
        memset(swept->answers, 0, sizeof swept->answers);
        swept->judged = swept->wrong = 0;
        swept->cause.count = 0;
    }
    free(words);
}
