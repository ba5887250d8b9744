/* SPDX-License-Identifier: MIT */
/* Judging a sweep: how many of its values were answered as they should not, and what these have in
 * common. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "judge.h"
#include "recorded.h"

/* ---- In words ---- */

/* "24,576" */
static void put_count_of_words(struct wcts_text *text, uint64_t number)
{
    if (number >= 1000)
        put_count_of_words(text, number / 1000);
    wcts_text_add(text, number >= 1000 ? ",%03u" : "%u", (unsigned)(number % 1000));
}

/* "A, B and C"; returns how many. */
static int put_flag_names(struct wcts_text *text, const struct wcts_word *word, uint64_t bits)
{
    int count = __builtin_popcountll(bits), named = 0;
    for (int i = 0; i < word->flag_count; i++)
        if (bits >> word->flags[i].bit & 1) {
            wcts_text_add(text, "%s%s",
                          named == 0           ? ""
                          : named + 1 == count ? " and "
                                               : ", ",
                          word->flags[i].name);
            named++;
        }
    return named;
}

/* "exactly when A and B are set and C is clear, or when D is set"; nothing if that is not known. */
static void put_sweep_cause(struct wcts_text *text, const struct wcts_plan *plan,
                            const struct wcts_case *test,
                            const struct wcts_exchange_swept_cause *cause)
{
    const struct wcts_word *word =
        &plan->spec->words[wcts_model_ref_member(plan->spec, test->facts[0].ref)->word];
    for (int i = 0; i < cause->count; i++) {
        const struct wcts_exchange_swept_cube *cube = &cause->cubes[i];
        if (!cube->set && !cube->clear)
            return;
        wcts_text_add(text, i == 0 ? ", exactly when " : ", or when ");
        if (cube->set)
            wcts_text_add(text,
                          put_flag_names(text, word, cube->set) == 1 ? " is set" : " are set");
        if (cube->set && cube->clear)
            wcts_text_add(text, " and ");
        if (cube->clear)
            wcts_text_add(text, put_flag_names(text, word, cube->clear) == 1 ? " is clear"
                                                                             : " are clear");
    }
}

/* "legal words", "words that break RULE alone" */
static void put_set_of_words(struct wcts_text *text, const struct wcts_plan *plan,
                             const struct wcts_case *test)
{
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    if (test->expect == WCTS_EXPECT_ACCEPT)
        wcts_text_add(text, "legal words");
    else if (rule->form == WCTS_FORM_LAYOUT)
        wcts_text_add(text, "words that break several rules");
    else
        wcts_text_add(text, "words that break %s alone", rule->id);
}

/* "24,576 of 24,576 legal words, digest 00c0ffee00c0ffee" */
static void add_sent(struct wcts_text *text, const struct wcts_plan *plan,
                     const struct wcts_case *test, const struct wcts_exchange_swept *swept)
{
    put_count_of_words(text, swept->sent);
    wcts_text_add(text, " of ");
    put_count_of_words(text, swept->all);
    wcts_text_add(text, " ");
    put_set_of_words(text, plan, test);
    if (swept->partly)
        wcts_text_add(text, " in the time");
    if (swept->partly && swept->flags > 0)
        wcts_text_add(text, ", all with up to %u flags", swept->flags);
    wcts_text_add(text, ", digest %016" PRIx64, swept->digest);
}

void wcts_judge_sweep_replies(struct wcts_text *text, const struct wcts_plan *plan,
                              const struct wcts_case *test, const struct wcts_exchange_swept *swept,
                              int rule)
{
    const struct wcts_exchange_swept_replies *replies = &swept->replies;
    if (test->kind != WCTS_KIND_SWEEP || replies->wrong == 0 || replies->rule != rule)
        return;
    wcts_text_add(text, ", for ");
    put_count_of_words(text, replies->wrong);
    wcts_text_add(text, " of ");
    put_count_of_words(text, replies->judged);
    wcts_text_add(text, " accepted words");
    put_sweep_cause(text, plan, test, &replies->cause);
}

void wcts_judge_sweep_describe(FILE *out, const struct wcts_plan *plan,
                               const struct wcts_case *test,
                               const struct wcts_exchange_swept *swept)
{
    WCTS_TEXT(text);
    WCTS_TEXT(cause);
    if (!swept->made)
        return;
    add_sent(&text, plan, test, swept);
    fprintf(out, "  sent:        %s\n", wcts_text_get(&text));
    if (swept->died > 0)
        fprintf(out, "  died with:   %" PRIu64 ", and %" PRIu64 " like those were not sent\n",
                swept->died, swept->spared);
    fprintf(out, "  accepted:    %" PRIu64 ", refused %" PRIu64 "\n",
            swept->answers[WCTS_ANSWER_ACCEPTED], swept->answers[WCTS_ANSWER_REFUSED]);
    put_sweep_cause(&cause, plan, test, &swept->cause);
    fprintf(out, "  misjudged:   %" PRIu64 " of %" PRIu64 " that the documents decide about%s\n",
            swept->wrong, swept->judged, wcts_text_get(&cause));
    if (swept->replies.wrong > 0)
        fprintf(out, "  replies:     %" PRIu64 " of %" PRIu64 " break %s\n", swept->replies.wrong,
                swept->replies.judged, plan->spec->rules[swept->replies.rule].id);
    if (swept->wrong > 0 || swept->died > 0 || swept->replies.wrong > 0)
        fprintf(out, WCTS_ONE_CALL "%s/0x%" PRIx64 "\n", test->id,
                swept->died > 0    ? swept->deadly
                : swept->wrong > 0 ? swept->smallest
                                   : swept->replies.smallest);
}

/* ---- Judging ---- */

/* "KERNEL_X answered SUCCESS (0x00000000), expected a refusal, for 12 of 48 words ..." */
static void set_wrong_word(const struct wcts_judge *judge, const struct wcts_case *test,
                           const struct wcts_exchange_swept *swept, uint32_t operation,
                           enum wcts_found found, const char *before, const char *expected,
                           struct wcts_finding *finding)
{
    char status[64];
    WCTS_TEXT(text);
    wcts_exchange_status_text(swept->status, status, sizeof status);
    wcts_text_add(&text, "%s%s answered %s%s for ", before, wcts_operation_name(operation), status,
                  expected);
    put_count_of_words(&text, swept->wrong);
    wcts_text_add(&text, " of ");
    put_count_of_words(&text, swept->judged);
    wcts_text_add(&text, " ");
    put_set_of_words(&text, judge->plan, test);
    put_sweep_cause(&text, judge->plan, test, &swept->cause);
    wcts_model_finding_set(finding, found, "%s", wcts_text_get(&text));
}

/* What is expected at a level; the values that are counted as wrong are those that it is about. */
static void judge_swept(const struct wcts_judge *judge, const struct wcts_case *test,
                        const struct wcts_exchange_swept *swept, bool strictly, uint32_t operation,
                        struct wcts_finding *finding)
{
    enum wcts_expect expect = wcts_judge_expected(judge->plan, test, judge->claims, strictly);
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(swept->status);
    if (expect == WCTS_EXPECT_OPEN || swept->wrong == 0) {
        WCTS_TEXT(text);
        add_sent(&text, judge->plan, test, swept);
        wcts_model_finding_set(finding, WCTS_FOUND_KEPT, "%s", wcts_text_get(&text));
        return;
    }
    if (answer == WCTS_ANSWER_NO_TEST)
        set_wrong_word(judge, test, swept, operation, WCTS_FOUND_TROUBLE, "", "", finding);
    else if (answer == WCTS_ANSWER_MISSING)
        set_wrong_word(judge, test, swept, operation, WCTS_FOUND_BROKEN, "",
                       ", but took the call beside it: expected an answer", finding);
    else if (expect != WCTS_EXPECT_ACCEPT)
        set_wrong_word(judge, test, swept, operation, WCTS_FOUND_BROKEN, "", ", expected a refusal",
                       finding);
    else if (test->expect == WCTS_EXPECT_ACCEPT)
        set_wrong_word(judge, test, swept, operation, WCTS_FOUND_DECLINED,
                       "valid call refused: ", "", finding);
    else
        set_wrong_word(judge, test, swept, operation, WCTS_FOUND_BROKEN, "",
                       ", " WCTS_JUDGE_REFUSAL, finding);
}

/* How it ended with the smallest value that it did not survive, and what all of these have in
 * common. Their number is in the evidence only, so that one cause has one text at all versions. */
static void judge_deaths(const struct wcts_judge *judge, const struct wcts_case *test,
                         const struct wcts_exchange_swept *swept, struct wcts_finding *finding)
{
    WCTS_TEXT(text);
    wcts_text_add(&text, "%s for 0x%" PRIx64, swept->what, swept->deadly);
    put_sweep_cause(&text, judge->plan, test, &swept->death);
    wcts_model_finding_set(finding, swept->hung ? WCTS_FOUND_HANG : WCTS_FOUND_CRASH, "%s",
                           wcts_text_get(&text));
}

void wcts_judge_sweep(const struct wcts_judge *judge, const struct wcts_case *test,
                      const struct wcts_exchange_recording *recording,
                      struct wcts_strictness *strictness, struct wcts_finding *finding)
{
    const struct wcts_exchange_boot *base = wcts_exchange_recording_find(recording, WCTS_FOR_TWIN);
    const struct wcts_exchange_swept *swept = &recording->swept;
    bool strictly = strictness->level == WCTS_LEVEL_STRICT;
    unsigned strict = wcts_model_level_bit(WCTS_LEVEL_STRICT);
    struct wcts_finding other = {.found = WCTS_FOUND_TROUBLE};
    if (base && !wcts_exchange_was_accepted(&base->attempt)) {
        if (!wcts_judge_no_answer(&base->attempt, "base call", finding))
            wcts_judge_finding_decline(finding, "base call", &base->attempt);
    } else if (!base || !swept->made) {
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "no memory");
    } else if (swept->lie[0]) {
        wcts_model_finding_set(finding, wcts_judge_breach_found(WCTS_BREACH_PROTOCOL),
                               "protocol: %s", swept->lie);
    } else if (swept->died > 0) {
        judge_deaths(judge, test, swept, finding);
    } else if (swept->sent == 0) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "what the values need");
    } else {
        judge_swept(judge, test, swept, strictly, base->attempt.operation, finding);
        judge_swept(judge, test, swept, !strictly, base->attempt.operation, &other);
        if (other.found != finding->found)
            strictness->differs |= strictly ? WCTS_LEVELS_ALL & ~strict : strict;
        wcts_model_finding_release(&other);
    }
    finding->partly = swept->partly;
}
