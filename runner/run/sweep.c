/* SPDX-License-Identifier: MIT */
/* Performing a sweep: a session is made once for each base, then one value after the other is sent
 * and what was made is ended again. What is kept of it is a few numbers (exchange/recording.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../base/checksum.h"
#include "../generate/cause.h"
#include "../generate/ranges.h"
#include "../oracle/sweep.h"
#include "../plan/program.h"
#include "fates.h"
#include "perform.h"

/* The values of a sweep, with the place, the fate and the answer of each. */
struct run_sweeping {
    struct wcts_machine_session *session;
    const struct wcts_case *test;
    struct wcts_oracle_sweep sweep;
    enum wcts_oracle_sweep_set set;
    int at;
    uint32_t *words;
    uint8_t *places;
    uint8_t *fates; /* enum wcts_run_fate */
    wcts_status *answers;
    uint8_t *asked; /* True if it was sent with many others in one call */
    int count;
    bool many; /* False if each value is sent alone */
    char lie[sizeof((struct wcts_exchange_swept *)NULL)->lie];
    struct wcts_exchange_deadly deadly;
    uint64_t all;
    uint64_t unsent; /* places whose values are not sent */
    bool exact;      /* True if all bytes around each request are compared, after a write to some */
    bool good;       /* False without memory */
};

/* ---- Which values ---- */

static bool add_word(void *context, uint64_t word)
{
    struct run_sweeping *sweeping = context;
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

static bool find_words(struct run_sweeping *sweeping)
{
    const struct wcts_case *test = sweeping->test;
    struct wcts_oracle_sweep *sweep = &sweeping->sweep;
    sweeping->good = wcts_oracle_sweep_init(sweep, &sweeping->session->eval, test->facts[0].ref,
                                            test->version) &&
                     wcts_oracle_sweep_places(sweep);
    if (!sweeping->good)
        return false;
    sweeping->set = wcts_oracle_sweep_set(sweep, test, &sweeping->at);
    wcts_oracle_sweep_each(sweep, sweeping->set, sweeping->at, add_word, sweeping);
    sweeping->places = malloc((size_t)sweeping->count + 1);
    sweeping->fates = calloc((size_t)sweeping->count + 1, 1);
    sweeping->answers = calloc((size_t)sweeping->count + 1, sizeof *sweeping->answers);
    sweeping->asked = calloc((size_t)sweeping->count + 1, 1);
    sweeping->good = sweeping->good && sweeping->places && sweeping->fates && sweeping->answers &&
                     sweeping->asked;
    for (int i = 0; sweeping->good && i < sweeping->count; i++) {
        sweeping->answers[i] = WCTS_STATUS_NO_MEMORY; /* until it is sent */
        sweeping->places[i] = (uint8_t)wcts_oracle_sweep_place(sweep, sweeping->words[i]);
    }
    return sweeping->good;
}

static void sweeping_release(struct run_sweeping *sweeping)
{
    wcts_oracle_sweep_release(&sweeping->sweep);
    free(sweeping->words);
    free(sweeping->places);
    free(sweeping->fates);
    free(sweeping->answers);
    free(sweeping->asked);
}

static int base_of(const struct run_sweeping *sweeping, int index)
{
    return sweeping->sweep.places[sweeping->places[index]].base;
}

/* Decides which values are sent, in the order in which they are: base by base. */
static bool decide_fates(struct run_sweeping *sweeping)
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
            if (base_of(sweeping, i) == base)
                order[sending.count++] = i;
    good = order && wcts_run_fates_decide(&sending, &sweeping->deadly, sweeping->fates);
    free(order);
    return good;
}

/* ---- The calls ---- */

/* A place as it is being used: its world, and its request for values of one pattern. */
struct run_standing {
    struct wcts_world world;
    const struct wcts_step *step;
    struct wcts_exchange_buffer request;
    size_t pattern;
    bool built;
    uint8_t *at; /* of the word in the request; NULL: the driver answers with it */
};

static bool standing_init(struct run_sweeping *sweeping, int place, struct run_standing *standing)
{
    const struct wcts_cases *cases = sweeping->session->spec->cases;
    const struct wcts_oracle_sweep_place *from = &sweeping->sweep.places[place];
    *standing = (struct run_standing){.step = &cases->steps[cases->bases[from->base].step]};
    return wcts_world_init_base(&standing->world, &sweeping->session->eval, from->base,
                                sweeping->test->version, sweeping->test->page_size);
}

static void standing_release(struct run_standing *standing)
{
    wcts_world_release(&standing->world);
    free(standing->request.bytes);
}

/* Puts the value in the world, and builds the request unless only the word in it is another one. */
static bool put_word(struct run_sweeping *sweeping, int place, struct run_standing *standing,
                     uint32_t word)
{
    const struct wcts_machine_session *session = sweeping->session;
    const struct wcts_oracle_sweep_place *from = &sweeping->sweep.places[place];
    const struct wcts_message *message = &session->spec->messages[standing->step->message];
    const struct wcts_member *member = wcts_model_ref_member(session->spec, sweeping->sweep.member);
    size_t pattern = wcts_oracle_sweep_pattern(&sweeping->sweep, word);
    bool answer = from->instance < standing->world.adapter_count;
    if (!standing->built || standing->pattern != pattern)
        wcts_oracle_unsettle(&standing->world);
    wcts_world_put(&standing->world, from->instance, sweeping->sweep.member,
                   (struct wcts_value){.symbol = -1, .number = word});
    if (!standing->built || standing->pattern != pattern) {
        wcts_oracle_alone(&standing->world, from->instance);
        standing->built =
            wcts_machine_message_build(&standing->request, session->spec, message, &standing->world,
                                       standing->world.adapter_count, &session->symbols);
        standing->pattern = pattern;
    } else if (from->instance == standing->world.adapter_count) {
        wcts_exchange_bytes_put(standing->request.bytes + message->request_at + member->offset,
                                member->width, word);
    } else if (!answer) {
        standing->built =
            wcts_machine_message_build(&standing->request, session->spec, message, &standing->world,
                                       standing->world.adapter_count, &session->symbols);
    }
    return standing->built;
}

/* Makes the session in which the values of a base are sent, with all that one of them may need. */
static bool prepare(struct run_sweeping *sweeping, struct run_standing *standing)
{
    struct wcts_exchange_attempt attempt;
    wcts_oracle_unsettle(&standing->world);
    wcts_world_settle(&standing->world);
    for (int i = 0; i < standing->world.count; i++)
        standing->world.instances[i].present = true;
    sweeping->session->probe.world = &standing->world;
    if (!wcts_machine_session_boot(sweeping->session, sweeping->test->version,
                                   sweeping->test->page_size) ||
        !wcts_machine_session_ensure_needs(sweeping->session, standing->step, &standing->world,
                                           &attempt))
        return false;
    sweeping->session->exchange.quiet = true;
    sweeping->session->asked_room.brief = !sweeping->exact;
    standing->built = false;
    return true;
}

/* In the pulse, so that the value is known if the implementation does not survive it. */
static void show_value(struct wcts_machine_session *session, uint64_t value)
{
    if (session->options.pulse)
        atomic_store_explicit(&session->options.pulse->value, value, memory_order_relaxed);
}

/* Ends the session of a base: what happens then is no value's fault. */
static void shut_down(struct wcts_machine_session *session)
{
    show_value(session, 0);
    session->asked_room.brief = false;
    wcts_machine_session_shut_down(session);
}

/* Sends a value and ends what it made. False if the session is of no use any more. */
static bool send_word(struct run_sweeping *sweeping, struct run_standing *standing, int index)
{
    struct wcts_machine_session *session = sweeping->session;
    uint32_t operation = wcts_model_step_operation(session->spec, standing->step), reply_size = 0;
    uint32_t word = sweeping->words[index];
    if (!put_word(sweeping, sweeping->places[index], standing, word))
        return false;
    session->probe.world = &standing->world;
    show_value(session, (uint64_t)word + 1);
    sweeping->answers[index] = wcts_machine_session_quiet_call(
        session, operation, standing->request.bytes, (uint32_t)standing->request.size, &reply_size);
    if (session->exchange.breach_kind != WCTS_BREACH_NONE)
        return false;
    if (!wcts_succeeded(sweeping->answers[index]))
        return true;
    return wcts_succeeded(
        wcts_machine_session_quiet_end(session, operation, standing->request.bytes, reply_size));
}

/* After so many values a session is made anew: handles are never given out twice, and what keeps
 * them becomes slow. */
#define VALUES_A_SESSION 256
/* After so many values all bytes around requests are compared: to do so for each call takes a fifth
 * of the time of a call. */
#define VALUES_A_COMPARISON 64

/* Values of the base are not sent, as if the set had none in its places. */
static void leave_out(struct run_sweeping *sweeping, int base)
{
    for (int i = 0; i < sweeping->sweep.place_count; i++)
        if (sweeping->sweep.places[i].base == base)
            sweeping->unsent |= UINT64_C(1) << i;
}

/* The values of a base as they are sent. */
struct run_base_sending {
    int base, first; /* first: the first of its places; -1: none */
    int last;        /* of its values, -1: none */
    struct run_standing standings[WCTS_SWEEP_PLACES];
    bool good, open; /* open: a session is there */
    int sent;
    int unsure, sure_at; /* the first value since all bytes around requests were compared, -1: none;
                          * and in how many calls they are again */
    int suspect; /* the last one of some that are sent again since one of them wrote there; -1 */
};

static bool is_sent(const struct run_sweeping *sweeping, int base, int index)
{
    return base_of(sweeping, index) == base && !(sweeping->unsent >> sweeping->places[index] & 1) &&
           sweeping->fates[index] == WCTS_FATE_SENT && !sweeping->asked[index];
}

static void send_next(struct run_sweeping *sweeping, struct run_base_sending *sending, int index)
{
    if (!sending->open) {
        sending->good = prepare(sweeping, &sending->standings[sending->first]);
        for (int p = 0; p < sweeping->sweep.place_count; p++)
            sending->standings[p].built = false;
    }
    if (!sending->good) /* what the base needs is not there: other cases show why */
        leave_out(sweeping, sending->base);
    sending->open = sending->good &&
                    send_word(sweeping, &sending->standings[sweeping->places[index]], index) &&
                    ++sending->sent % VALUES_A_SESSION != 0;
}

/* Compares the bytes around requests when it is time to. Returns the index of the value that was
 * sent, or, of values of which one wrote there, the one before the first: they are sent again in a
 * new session, in which that one ends the process, so that it is known which one it is. */
static int look_around(struct run_sweeping *sweeping, struct run_base_sending *sending, int index)
{
    struct wcts_machine_room *room = &sweeping->session->asked_room;
    int first = sending->unsure < 0 ? index : sending->unsure;
    sending->unsure = first;
    if (sending->open && index != sending->last && --sending->sure_at > 0)
        return index;
    sending->sure_at = VALUES_A_COMPARISON;
    sending->unsure = -1;
    if (wcts_machine_room_is_kept(room))
        return index;
    wcts_machine_room_mend(room);
    sending->suspect = index;
    sweeping->exact = true;
    sending->open = false;
    return first - 1;
}

/* Values that differ in nothing but the word in the request: those of a place and a pattern. */
struct run_group {
    int place;
    size_t pattern;
    struct run_standing standing;
    uint32_t *words; /* ascending */
    int *indices;    /* of those, in sweeping->words */
    int count;
    struct wcts_sweep_range *ranges;
    int range_count;
};

/* How far the values of a group were sent: in so many ranges, and so many of the next one. */
struct run_progress {
    int range;
    uint64_t in_range;
};

static int by_word(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Of a word in the group, its index in sweeping->words. */
static int index_in(const struct run_group *group, uint64_t word)
{
    uint32_t wanted = (uint32_t)word;
    const uint32_t *found =
        bsearch(&wanted, group->words, (size_t)group->count, sizeof wanted, by_word);
    return group->indices[found ? found - group->words : 0];
}

static bool in_group(const struct run_sweeping *sweeping, const struct run_group *group, int index)
{
    return sweeping->places[index] == group->place &&
           wcts_oracle_sweep_pattern(&sweeping->sweep, sweeping->words[index]) == group->pattern;
}

struct run_numbered {
    uint32_t word; /* first: what they are compared by */
    int index;
};

static bool group_init(struct run_sweeping *sweeping, int first, struct run_group *group)
{
    struct run_numbered *numbered;
    size_t room = 1;
    *group = (struct run_group){
        .place = sweeping->places[first],
        .pattern = wcts_oracle_sweep_pattern(&sweeping->sweep, sweeping->words[first])};
    for (int i = first; i < sweeping->count; i++)
        room += in_group(sweeping, group, i);
    numbered = calloc(room, sizeof *numbered);
    group->words = calloc(room, sizeof *group->words);
    group->indices = calloc(room, sizeof *group->indices);
    group->ranges = calloc(room, sizeof *group->ranges);
    if (numbered && group->words && group->indices && group->ranges) {
        for (int i = first; i < sweeping->count; i++)
            if (in_group(sweeping, group, i))
                numbered[group->count++] = (struct run_numbered){sweeping->words[i], i};
        qsort(numbered, (size_t)group->count, sizeof *numbered, by_word);
        for (int i = 0; i < group->count; i++) {
            group->words[i] = numbered[i].word;
            group->indices[i] = numbered[i].index;
        }
        group->range_count = wcts_generate_ranges(group->words, group->count, group->ranges);
    }
    free(numbered);
    return group->range_count > 0;
}

static void group_release(struct run_group *group)
{
    standing_release(&group->standing);
    free(group->words);
    free(group->indices);
    free(group->ranges);
}

/* The next values of a group, as many as there may be in one call. Returns how many. */
static int take_ranges(const struct run_group *group, const struct run_progress *from,
                       struct wcts_sweep_range *taken, int *taken_count)
{
    uint64_t left = WCTS_SWEEP_VALUES_MAX;
    struct run_progress at = *from;
    *taken_count = 0;
    for (; at.range < group->range_count && left > 0; at.range++, at.in_range = 0) {
        struct wcts_sweep_range *range = &taken[(*taken_count)++];
        *range = group->ranges[at.range];
        range->First = at.in_range;
        range->Count -= at.in_range;
        if (range->Count > left)
            range->Count = left;
        left -= range->Count;
    }
    return (int)(WCTS_SWEEP_VALUES_MAX - left);
}

/* Keeps the answers to the next count values, and goes on behind them. statuses NULL: there are
 * none, and the values are left over. */
static void keep_answers(struct run_sweeping *sweeping, const struct run_group *group,
                         const wcts_status *statuses, int count, struct run_progress *progress)
{
    for (int i = 0; i < count; i++) {
        const struct wcts_sweep_range *range = &group->ranges[progress->range];
        int index = index_in(group, wcts_sweep_value(range, progress->in_range));
        if (statuses) {
            sweeping->answers[index] = statuses[i];
            sweeping->asked[index] = true;
        }
        if (++progress->in_range == range->Count)
            *progress = (struct run_progress){progress->range + 1, 0};
    }
}

/* Sends the next values of a group in one call, in a session of its own: there are as many as in a
 * session otherwise. False if no call like it is to be made any more. */
static bool send_many(struct run_sweeping *sweeping, struct run_group *group,
                      struct run_progress *progress)
{
    struct wcts_machine_session *session = sweeping->session;
    const struct wcts_member *member = wcts_model_ref_member(session->spec, sweeping->sweep.member);
    struct wcts_sweep_range taken[WCTS_SWEEP_VALUES_MAX];
    wcts_status statuses[WCTS_SWEEP_VALUES_MAX];
    const struct wcts_step *step = group->standing.step;
    struct wcts_machine_many many = {.operation = wcts_model_step_operation(session->spec, step),
                                     .request = &group->standing.request,
                                     .at = session->spec->messages[step->message].request_at +
                                           member->offset,
                                     .width = member->width,
                                     .ranges = taken};
    int sent;
    many.value_count = take_ranges(group, progress, taken, &many.range_count);
    if (!prepare(sweeping, &group->standing) ||
        !put_word(sweeping, group->place, &group->standing, group->words[0])) {
        shut_down(session);
        return false;
    }
    session->probe.world = &group->standing.world;
    session->asked_room.brief = false;
    show_value(session, WCTS_VALUE_MANY);
    sent = wcts_machine_session_quiet_many(session, &many, statuses, sweeping->lie,
                                           sizeof sweeping->lie);
    shut_down(session);
    sweeping->many = sent != WCTS_MANY_MISSING && sent != WCTS_MANY_LIED;
    if (sent > 0)
        keep_answers(sweeping, group, statuses, sent, progress);
    else if (sent == WCTS_MANY_DISTURBED)
        keep_answers(sweeping, group, NULL, many.value_count, progress);
    return sweeping->many;
}

/* Sends the values of a base in as few calls as there can be. What is left over, since the word is
 * in no request, or something went wrong, is sent afterwards, each value alone. */
static void send_groups(struct run_sweeping *sweeping, int base)
{
    uint8_t *tried = calloc((size_t)sweeping->count + 1, 1);
    for (int i = 0; tried && sweeping->many && i < sweeping->count; i++) {
        const struct wcts_oracle_sweep_place *place = &sweeping->sweep.places[sweeping->places[i]];
        struct run_progress progress = {0, 0};
        struct run_group group;
        if (tried[i] || !is_sent(sweeping, base, i))
            continue;
        if (group_init(sweeping, i, &group) &&
            standing_init(sweeping, group.place, &group.standing) &&
            place->instance == group.standing.world.adapter_count)
            while (progress.range < group.range_count && send_many(sweeping, &group, &progress))
                continue;
        for (int n = 0; n < group.count; n++)
            tried[group.indices[n]] = true;
        group_release(&group);
    }
    free(tried);
}

/* Sends all values of a base, up to where its session cannot be made. */
static void sweep_base(struct run_sweeping *sweeping, int base)
{
    struct run_base_sending sending = {.base = base,
                                       .first = -1,
                                       .last = -1,
                                       .good = true,
                                       .unsure = -1,
                                       .sure_at = VALUES_A_COMPARISON,
                                       .suspect = -1};
    struct wcts_machine_session *session = sweeping->session;
    const struct wcts_oracle_sweep *sweep = &sweeping->sweep;
    for (int i = 0; sending.good && i < sweep->place_count; i++)
        if (sweep->places[i].base == base) {
            sending.good = standing_init(sweeping, i, &sending.standings[i]);
            sending.first = sending.first < 0 ? i : sending.first;
        }
    if (sending.first >= 0)
        send_groups(sweeping, base);
    for (int i = 0; sending.first >= 0 && !sweeping->lie[0] && i < sweeping->count; i++)
        if (is_sent(sweeping, base, i))
            sending.last = i;
    for (int i = 0; sending.good && i <= sending.last; i++) {
        if (!is_sent(sweeping, base, i))
            continue;
        send_next(sweeping, &sending, i);
        if (i == sending.suspect) /* none of them did it again: it may be any of them */
            wcts_machine_room_condemn(&session->asked_room);
        i = look_around(sweeping, &sending, i);
        if (!sending.open)
            shut_down(session);
    }
    if (sending.open)
        shut_down(session);
    for (int i = 0; i < sweep->place_count; i++)
        standing_release(&sending.standings[i]);
}

/* ---- What is kept ---- */

static bool is_wrong(const struct run_sweeping *sweeping, bool accept, int index)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(sweeping->answers[index]);
    return accept ? answer != WCTS_ANSWER_ACCEPTED : answer != WCTS_ANSWER_REFUSED;
}

static void find_cause(const uint32_t *wrong, int wrong_count, const uint32_t *right,
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
static void sum_up_deaths(const struct run_sweeping *sweeping, uint32_t *words,
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
    find_cause(words, dead, words + sweeping->count - survived, survived, &swept->death);
}

/* Counts a value that was sent. answered: the number of values answered before it. */
static void count_sent(const struct run_sweeping *sweeping, int index, uint64_t answered,
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

/* accept: the values should be accepted. words has room for all values. */
static void sum_up_answers(const struct run_sweeping *sweeping, bool accept, uint32_t *words,
                           struct wcts_exchange_swept *swept)
{
    int wrong = 0, right = 0;
    uint64_t answered = 0;
    for (int i = 0; i < sweeping->count; i++) {
        uint32_t word = sweeping->words[i];
        if (sweeping->unsent >> sweeping->places[i] & 1 || sweeping->fates[i] == WCTS_FATE_SPARED)
            continue;
        count_sent(sweeping, i, answered, swept);
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
    find_cause(words, wrong, words + sweeping->count - right, right, &swept->cause);
}

static void sum_up(const struct run_sweeping *sweeping, bool accept,
                   struct wcts_exchange_swept *swept)
{
    uint32_t *words = calloc((size_t)sweeping->count + 1, sizeof *words);
    *swept = (struct wcts_exchange_swept){.made = words != NULL, .all = sweeping->all};
    memcpy(swept->lie, sweeping->lie, sizeof swept->lie);
    if (words && sweeping->deadly.count > 0)
        sum_up_deaths(sweeping, words, swept);
    if (words)
        sum_up_answers(sweeping, accept, words, swept);
    if (swept->lie[0]) { /* which of the answers are true is not known */
        memset(swept->answers, 0, sizeof swept->answers);
        swept->judged = swept->wrong = 0;
        swept->cause.count = 0;
    }
    free(words);
}

/* ---- What many answers in one call are worth ---- */

static const char *answer_name(wcts_status status)
{
    static const char *const names[] = {[WCTS_ANSWER_ACCEPTED] = "accepted",
                                        [WCTS_ANSWER_REFUSED] = "refused",
                                        [WCTS_ANSWER_MISSING] = "not supported",
                                        [WCTS_ANSWER_NO_TEST] = "without memory"};
    return names[wcts_exchange_answer_of(status)];
}

/* Sends the value on which the finding will rest alone, for its status: what was answered among
 * many others has to be true. */
static void confirm(struct run_sweeping *sweeping, int index)
{
    struct run_standing standing;
    wcts_status before = sweeping->answers[index];
    bool good =
        standing_init(sweeping, sweeping->places[index], &standing) && prepare(sweeping, &standing);
    sweeping->session->asked_room.brief = false;
    if (good)
        send_word(sweeping, &standing, index);
    shut_down(sweeping->session);
    standing_release(&standing);
    if (wcts_exchange_answer_of(sweeping->answers[index]) != wcts_exchange_answer_of(before))
        snprintf(sweeping->lie, sizeof sweeping->lie,
                 "KERNEL_SWEEP: the answer for 0x%" PRIx32 " is %s, that to a call of its own %s",
                 sweeping->words[index], answer_name(before),
                 answer_name(sweeping->answers[index]));
}

static void confirm_smallest(struct run_sweeping *sweeping, bool accept)
{
    struct wcts_exchange_swept swept;
    sum_up(sweeping, accept, &swept);
    for (int i = 0; i < sweeping->count; i++)
        if (sweeping->words[i] == swept.smallest && sweeping->asked[i] && !sweeping->lie[0]) {
            confirm(sweeping, i);
            return;
        }
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

/* The numbers in the stream: those that the calls give, or those that they gave. */
static void store(struct wcts_exchange_stream *stream, struct wcts_exchange_swept *swept)
{
    uint64_t *const numbers[] = {&swept->all,        &swept->sent,       &swept->judged,
                                 &swept->wrong,      &swept->answers[0], &swept->answers[1],
                                 &swept->answers[2], &swept->answers[3], &swept->smallest};
    uint64_t given[] = {swept->digest, swept->all, swept->sent};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = wcts_exchange_stream_number(stream, *numbers[i]);
    swept->status = (wcts_status)wcts_exchange_stream_number(stream, (uint32_t)swept->status);
    store_cause(stream, &swept->cause);
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

/* One value as a call of its own, and the base beside it. */
static struct wcts_case case_of(struct run_sweeping *sweeping, uint64_t word)
{
    int place = wcts_oracle_sweep_place(&sweeping->sweep, word);
    const struct wcts_oracle_sweep_place *from = &sweeping->sweep.places[place < 0 ? 0 : place];
    struct wcts_case test = *sweeping->test;
    test.kind = WCTS_KIND_WITNESS;
    test.base = from->base;
    test.fact_count = 1;
    test.facts[0] =
        (struct wcts_fact){from->instance, sweeping->sweep.member, {.symbol = -1, .number = word}};
    test.twin_count = 0;
    test.alone = test.alone ? 1 + from->instance : 0;
    return test;
}

/* Performs one of them with fresh parties, recorded in full. */
static const struct wcts_exchange_boot *perform_one(struct run_sweeping *sweeping, uint64_t word,
                                                    enum wcts_purpose purpose)
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

/* True if the values should be accepted, at the level at which anything is expected of them. */
static bool should_be_accepted(const struct wcts_machine_session *session,
                               const struct wcts_case *test)
{
    return test->expect == WCTS_EXPECT_ACCEPT ||
           (test->expect == WCTS_EXPECT_OPEN &&
            !(session->claims.capabilities & WCTS_CAPABILITY_STRICT));
}

/* Shows in the pulse that the test's own calls begin or end. */
static void mark_calls(struct wcts_machine_session *session, bool begins)
{
    struct wcts_exchange_pulse *pulse = session->options.pulse;
    if (!pulse)
        return;
    atomic_store(&pulse->in_call, begins);
    atomic_store(&pulse->value, 0);
}

/* Nothing of the calls is stored but what is summed up of them. */
static void send_all(struct run_sweeping *sweeping)
{
    struct wcts_machine_session *session = sweeping->session;
    enum wcts_exchange_stream_mode mode = session->stream.mode;
    session->stream.mode = WCTS_STREAM_OFF;
    mark_calls(session, true);
    for (int base = 0; base < session->spec->cases->bases_count; base++)
        if (!sweeping->lie[0])
            sweep_base(sweeping, base);
    if (session->claims.capabilities & WCTS_CAPABILITY_SWEEP)
        confirm_smallest(sweeping, should_be_accepted(session, sweeping->test));
    mark_calls(session, false);
    session->stream.mode = mode;
}

static bool was_accepted(const struct wcts_exchange_boot *boot)
{
    return boot && boot->exchange.breach_kind == WCTS_BREACH_NONE &&
           boot->attempt.end == WCTS_ATTEMPT_ANSWERED && wcts_succeeded(boot->attempt.status);
}

/* Sends the values, or reads how that ended. */
static bool sweep_all(struct run_sweeping *sweeping)
{
    struct wcts_machine_session *session = sweeping->session;
    bool reads = wcts_exchange_stream_reads(&session->stream);
    if (session->deadly)
        sweeping->deadly = *session->deadly;
    if (!reads && !decide_fates(sweeping))
        return false;
    sweeping->many =
        session->claims.capabilities & WCTS_CAPABILITY_SWEEP && !sweeping->deadly.alone;
    if (!reads)
        send_all(sweeping);
    wcts_exchange_stream_event(&session->stream, WCTS_STREAM_VALUE);
    sweeping->unsent = wcts_exchange_stream_number(&session->stream, sweeping->unsent);
    store_deadly(&session->stream, &sweeping->deadly);
    return !reads || decide_fates(sweeping);
}

/* The value of a base's own call: for a sweep of which no value was answered. */
static uint64_t own_value(const struct run_sweeping *sweeping)
{
    return sweeping->sweep.places[sweeping->places[0]].word;
}

void wcts_run_perform_sweep(struct wcts_machine_session *session, const struct wcts_case *test)
{
    struct run_sweeping sweeping = {.session = session, .test = test};
    struct wcts_exchange_swept swept = {0};
    bool good = find_words(&sweeping) && sweeping.count > 0;
    if (good && was_accepted(perform_one(&sweeping, sweeping.words[0], WCTS_FOR_TWIN))) {
        if (sweep_all(&sweeping))
            sum_up(&sweeping, should_be_accepted(session, test), &swept);
        store(&session->stream, &swept);
        /* Elsewhere there is none, so that their records are as they always were. */
        if (session->claims.capabilities & WCTS_CAPABILITY_SWEEP)
            wcts_exchange_stream_text(&session->stream, swept.lie, sizeof swept.lie);
    } else if (good) {
        swept.smallest = sweeping.words[0];
    }
    if (good)
        perform_one(&sweeping,
                    swept.died && swept.died == swept.sent ? own_value(&sweeping) : swept.smallest,
                    WCTS_FOR_TEST);
    session->recording.swept = swept;
    sweeping_release(&sweeping);
}
