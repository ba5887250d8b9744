/* SPDX-License-Identifier: MIT */
/* Performing a sweep: which values there are, and what is stored of it, a few numbers
 * (exchange/recording.h). sweep_send.c sends them, sweep_sum.c sums up. */
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../plan/program.h"
#include "fates.h"
#include "perform.h"
#include "sweeping.h"

/* ---- Which values ---- */

static bool add_word(void *context, uint64_t word)
{
    struct wcts_run_sweeping *sweeping = context;
    int place = wcts_oracle_sweep_place(&sweeping->sweep, word);
    bool full = sweeping->test->limit && (uint32_t)sweeping->count == sweeping->test->limit;
    uint32_t *added;
    /* Of millions that break several rules, to count those that are not sent takes longer than to
     * send these. */
    if (full && sweeping->set == WCTS_SWEEP_SEVERAL)
        return false;
    sweeping->all++;
    if (place < 0 || full)
        return true;
    added = WCTS_ARRAY_ADD(sweeping->words, sweeping->count);
    sweeping->good = sweeping->good && added;
    if (added)
        *added = (uint32_t)word;
    return sweeping->good;
}

static bool find_words(struct wcts_run_sweeping *sweeping)
{
    const struct wcts_case *test = sweeping->test;
    struct wcts_oracle_sweep *sweep = &sweeping->sweep;
    sweeping->good = wcts_oracle_sweep_init(sweep, &sweeping->session->eval, test->facts[0].ref,
                                            test->version, test->page_size) &&
                     wcts_oracle_sweep_places(sweep);
    if (!sweeping->good)
        return false;
    sweeping->set = wcts_oracle_sweep_set(sweep, test, &sweeping->at);
    wcts_oracle_sweep_each(sweep, sweeping->set, sweeping->at, add_word, sweeping);
    sweeping->found = sweeping->count;
    sweeping->places = malloc((size_t)sweeping->count + 1);
    sweeping->fates = calloc((size_t)sweeping->count + 1, 1);
    sweeping->answers = calloc((size_t)sweeping->count + 1, sizeof *sweeping->answers);
    sweeping->asked = calloc((size_t)sweeping->count + 1, 1);
    sweeping->broken = calloc((size_t)sweeping->count + 1, sizeof *sweeping->broken);
    sweeping->good = sweeping->good && sweeping->places && sweeping->fates && sweeping->answers &&
                     sweeping->asked && sweeping->broken;
    for (int i = 0; sweeping->good && i < sweeping->count; i++) {
        sweeping->answers[i] = WCTS_STATUS_NO_MEMORY; /* until it is sent */
        sweeping->broken[i] = WCTS_REPLY_UNSEEN;
        sweeping->places[i] = (uint8_t)wcts_oracle_sweep_place(sweep, sweeping->words[i]);
    }
    return sweeping->good;
}

static void sweeping_release(struct wcts_run_sweeping *sweeping)
{
    wcts_oracle_sweep_release(&sweeping->sweep);
    free(sweeping->words);
    free(sweeping->places);
    free(sweeping->fates);
    free(sweeping->answers);
    free(sweeping->asked);
    free(sweeping->broken);
    wcts_judge_replies_free(sweeping->replies);
}

/* Decides which values are sent, in the order in which they are: base by base. */
static bool decide_fates(struct wcts_run_sweeping *sweeping)
{
    int *order, bases = sweeping->session->spec->cases->bases_count;
    struct wcts_run_sending sending = {sweeping->words, sweeping->places, NULL, 0};
    bool good;
    if (sweeping->deadly.count == 0)
        return true;
    order = calloc((size_t)sweeping->count + 1, sizeof *order);
    sending.order = order;
    for (int base = 0; order && base < bases; base++)
        for (int i = 0; i < sweeping->count; i++)
            if (wcts_run_sweeping_base(sweeping, i) == base)
                order[sending.count++] = i;
    good = order && wcts_run_fates_decide(&sending, &sweeping->deadly, sweeping->fates);
    free(order);
    return good;
}

/* ---- What is stored ---- */

static void store_cause(struct wcts_exchange_stream *stream,
                        struct wcts_exchange_swept_cause *cause)
{
    cause->count = (int)wcts_exchange_stream_number(stream, (uint64_t)cause->count);
    if (cause->count > WCTS_SWEPT_CUBES || cause->count < 0) {
        wcts_exchange_stream_differs(stream, "the record holds a cause that cannot be");
        cause->count = 0;
    }
    for (int i = 0; i < cause->count; i++) {
        cause->cubes[i].set = wcts_exchange_stream_number(stream, cause->cubes[i].set);
        cause->cubes[i].clear = wcts_exchange_stream_number(stream, cause->cubes[i].clear);
    }
}

static void store_replies(struct wcts_exchange_stream *stream,
                          struct wcts_exchange_swept_replies *replies)
{
    replies->judged = wcts_exchange_stream_number(stream, replies->judged);
    replies->wrong = wcts_exchange_stream_number(stream, replies->wrong);
    if (replies->wrong == 0)
        return;
    replies->smallest = wcts_exchange_stream_number(stream, replies->smallest);
    replies->rule = (int)(uint16_t)wcts_exchange_stream_number(stream, (uint64_t)replies->rule);
    store_cause(stream, &replies->cause);
}

/* The numbers in the stream: those that the calls give, or those that they gave. */
static void stream_swept(struct wcts_exchange_stream *stream, struct wcts_exchange_swept *swept)
{
    uint64_t *const numbers[] = {&swept->all,        &swept->sent,       &swept->judged,
                                 &swept->wrong,      &swept->answers[0], &swept->answers[1],
                                 &swept->answers[2], &swept->answers[3], &swept->smallest};
    uint64_t given[] = {swept->digest, swept->all, swept->sent};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = wcts_exchange_stream_number(stream, *numbers[i]);
    swept->status = (wcts_status)wcts_exchange_stream_number(stream, (uint32_t)swept->status);
    store_cause(stream, &swept->cause);
    store_replies(stream, &swept->replies);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        wcts_exchange_stream_same(stream, given[i], "the record is of other values");
}

/* Which values the implementation did not survive, in the stream likewise. */
static void store_deadly(struct wcts_exchange_stream *stream, struct wcts_exchange_deadly *deadly)
{
    uint64_t count = wcts_exchange_stream_number(stream, (uint64_t)deadly->count);
    if (count > WCTS_DEADLY_MAX) {
        wcts_exchange_stream_differs(stream, "the record holds more deaths than there can be");
        count = 0;
    }
    deadly->count = (int)count;
    for (int i = 0; i < deadly->count; i++) {
        deadly->of[i].value = wcts_exchange_stream_number(stream, deadly->of[i].value);
        deadly->of[i].hung = wcts_exchange_stream_number(stream, deadly->of[i].hung);
        wcts_exchange_stream_text(stream, deadly->of[i].what, sizeof deadly->of[i].what);
    }
}

/* How many values the time was enough for. */
static void store_count(struct wcts_exchange_stream *stream, struct wcts_run_sweeping *sweeping)
{
    uint64_t left = (uint64_t)(sweeping->found - sweeping->count);
    left = wcts_exchange_stream_number(stream, left);
    if (left >= (uint64_t)sweeping->found) {
        wcts_exchange_stream_differs(stream, "the record leaves out more values than there are");
        left = 0;
    }
    sweeping->count = sweeping->found - (int)left;
}

/* One value as a call of its own, and the base beside it. */
static struct wcts_case case_of(struct wcts_run_sweeping *sweeping, uint64_t word)
{
    int place = wcts_oracle_sweep_place(&sweeping->sweep, word);
    const struct wcts_oracle_sweep_place *from = &sweeping->sweep.places[place < 0 ? 0 : place];
    struct wcts_case test = *sweeping->test;
    test.kind = WCTS_KIND_WITNESS;
    test.base = from->base;
    test.state = wcts_run_sweeping_state(sweeping, from->base);
    test.fact_count = 1;
    test.facts[0] =
        (struct wcts_fact){from->instance, sweeping->sweep.member, {.symbol = -1, .number = word}};
    test.twin_count = 0;
    test.alone = test.alone ? 1 + from->instance : 0;
    return test;
}

/* Performs one of them with fresh parties, recorded in full. */
static const struct wcts_exchange_boot *perform_one(struct wcts_run_sweeping *sweeping,
                                                    uint64_t word, enum wcts_purpose purpose)
{
    const struct wcts_case test = case_of(sweeping, word);
    const struct wcts_exchange_boot *boot = NULL;
    struct wcts_script script;
    wcts_plan_program(&script, sweeping->session->spec, &test);
    for (int i = 0; i < script.boot_count; i++)
        if (script.boots[i].purpose == purpose)
            boot = wcts_machine_script_perform(sweeping->session, &script, i);
    return boot;
}

static bool was_accepted(const struct wcts_exchange_boot *boot)
{
    return boot && boot->exchange.breach_kind == WCTS_BREACH_NONE &&
           wcts_exchange_was_accepted(&boot->attempt);
}

/* Prepares to look at the replies to values that are rightly accepted. Of what driver and kernel
 * answer otherwise nothing can be said. */
static void look_at_replies(struct wcts_run_sweeping *sweeping)
{
    struct wcts_machine_session *session = sweeping->session;
    const struct wcts_base *base = &session->spec->cases->bases[sweeping->sweep.places[0].base];
    const struct wcts_step *step = &session->spec->cases->steps[base->step];
    if (sweeping->test->expect == WCTS_EXPECT_ACCEPT)
        sweeping->replies = wcts_judge_replies_new(session->spec, sweeping->test,
                                                   wcts_model_step_operation(session->spec, step),
                                                   session->claims.capabilities);
}

/* Sends the values, or reads how that ended. */
static bool sweep_all(struct wcts_run_sweeping *sweeping)
{
    struct wcts_machine_session *session = sweeping->session;
    bool reads = wcts_exchange_stream_reads(&session->stream);
    if (session->deadly)
        sweeping->deadly = *session->deadly;
    if (!reads && !decide_fates(sweeping))
        return false;
    sweeping->many = (session->claims.capabilities & WCTS_CAPABILITY_SWEEP ||
                      wcts_machine_session_takes_many(session)) &&
                     !sweeping->deadly.alone;
    if (!reads) {
        look_at_replies(sweeping);
        wcts_run_sweeping_send(sweeping);
    }
    wcts_exchange_stream_event(&session->stream, WCTS_STREAM_VALUE);
    sweeping->unsent = wcts_exchange_stream_number(&session->stream, sweeping->unsent);
    store_deadly(&session->stream, &sweeping->deadly);
    store_count(&session->stream, sweeping);
    return !reads || decide_fates(sweeping);
}

/* The value of a base's own call: for a sweep of which no value was answered. */
static uint64_t own_value(const struct wcts_run_sweeping *sweeping)
{
    return sweeping->sweep.places[sweeping->places[0]].word;
}

/* The value that is shown in full: what the finding rests on, if anything is wrong. */
static uint64_t shown_value(const struct wcts_run_sweeping *sweeping,
                            const struct wcts_exchange_swept *swept)
{
    if (swept->died && swept->died == swept->sent)
        return own_value(sweeping);
    /* Beside wrong replies a valid word that is refused counts for less. */
    return swept->died == 0 && swept->replies.wrong > 0 &&
                   (swept->wrong == 0 ||
                    wcts_exchange_answer_of(swept->status) == WCTS_ANSWER_REFUSED)
               ? swept->replies.smallest
               : swept->smallest;
}

void wcts_run_perform_sweep(struct wcts_machine_session *session, const struct wcts_case *test)
{
    struct wcts_run_sweeping sweeping = {.session = session, .test = test};
    struct wcts_exchange_swept swept = {0};
    bool good = find_words(&sweeping) && sweeping.count > 0;
    if (good && was_accepted(perform_one(&sweeping, sweeping.words[0], WCTS_FOR_TWIN))) {
        if (sweep_all(&sweeping))
            wcts_run_sweeping_sum_up(&sweeping, wcts_run_sweeping_accepted(session, test), &swept);
        stream_swept(&session->stream, &swept);
        /* Elsewhere there is none, so that their records are as they always were. */
        if (session->claims.capabilities & WCTS_CAPABILITY_SWEEP)
            wcts_exchange_stream_text(&session->stream, swept.lie, sizeof swept.lie);
    } else if (good) {
        swept.smallest = sweeping.words[0];
    }
    if (good)
        perform_one(&sweeping, shown_value(&sweeping, &swept), WCTS_FOR_TEST);
    session->recording.swept = swept;
    sweeping_release(&sweeping);
}
