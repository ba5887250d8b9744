/* SPDX-License-Identifier: MIT */
/* Sending the values of a sweep: many in a call where the implementation has KERNEL_SWEEP, or each
 * alone, with what was made ended again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../generate/ranges.h"
#include "fates.h"
#include "sweeping.h"
#include "watch.h"

/* ---- The calls ---- */

/* A place as it is being used: its world, and its request for values of one pattern. */
struct run_standing {
    struct wcts_world world;
    const struct wcts_step *step;
    const struct wcts_base_state *state; /* in which its values are sent; NULL: none */
    struct wcts_exchange_buffer request;
    size_t pattern;
    bool built;
};

int wcts_run_sweeping_state(const struct wcts_run_sweeping *sweeping, int base)
{
    const struct wcts_cases *cases = sweeping->session->spec->cases;
    const int state = sweeping->test->state;
    return state && wcts_model_base_has_state(cases, &cases->bases[base], &cases->states[state - 1])
               ? state
               : 0;
}

static bool standing_init(struct wcts_run_sweeping *sweeping, int place,
                          struct run_standing *standing)
{
    const struct wcts_cases *cases = sweeping->session->spec->cases;
    const struct wcts_oracle_sweep_place *from = &sweeping->sweep.places[place];
    const int step = cases->bases[from->base].step;
    const int state = wcts_run_sweeping_state(sweeping, from->base);
    *standing = (struct run_standing){.step = &cases->steps[step],
                                      .state = state ? &cases->states[state - 1] : NULL};
    if (!wcts_world_init_base(&standing->world, &sweeping->session->eval, from->base,
                              sweeping->test->version, sweeping->test->page_size))
        return false;
    wcts_machine_state_put(sweeping->session->spec, standing->state, step, &standing->world);
    return true;
}

static void standing_release(struct run_standing *standing)
{
    wcts_world_release(&standing->world);
    free(standing->request.bytes);
}

/* Puts the value in the world, and builds the request unless only the word in it is another one. */
static bool put_word_to_send(struct wcts_run_sweeping *sweeping, int place,
                             struct run_standing *standing, uint32_t word)
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
static bool prepare_standing(struct wcts_run_sweeping *sweeping, struct run_standing *standing)
{
    struct wcts_exchange_attempt attempt;
    sweeping->session->state = standing->state;
    wcts_oracle_unsettle(&standing->world);
    wcts_world_settle(&standing->world);
    for (int i = 0; i < standing->world.count; i++)
        standing->world.instances[i].present = true;
    sweeping->session->probe.world = &standing->world;
    if (!wcts_machine_session_boot(sweeping->session, sweeping->test->version,
                                   sweeping->test->page_size) ||
        !wcts_machine_session_ensure_state(sweeping->session, &attempt) ||
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

/* Sends a value and ends what it made; shown: as what, in the pulse. False if the session is of no
 * use any more. */
static bool send_as(struct wcts_run_sweeping *sweeping, struct run_standing *standing, int index,
                    uint64_t shown)
{
    struct wcts_machine_session *session = sweeping->session;
    uint32_t operation = wcts_model_step_operation(session->spec, standing->step), reply_size = 0;
    uint32_t word = sweeping->words[index];
    if (!put_word_to_send(sweeping, sweeping->places[index], standing, word))
        return false;
    session->probe.world = &standing->world;
    show_value(session, shown);
    sweeping->answers[index] = wcts_machine_session_quiet_call(
        session, operation, standing->request.bytes, (uint32_t)standing->request.size, &reply_size);
    if (session->exchange.breach_kind != WCTS_BREACH_NONE)
        return false;
    if (!wcts_succeeded(sweeping->answers[index]))
        return true;
    if (sweeping->replies)
        sweeping->broken[index] =
            (uint16_t)(1 + wcts_judge_replies_broken(
                               sweeping->replies, operation, standing->request.bytes,
                               (uint32_t)standing->request.size, session->reply, reply_size));
    return wcts_succeeded(
        wcts_machine_session_quiet_end(session, operation, standing->request.bytes, reply_size));
}

static bool send_word(struct wcts_run_sweeping *sweeping, struct run_standing *standing, int index)
{
    return send_as(sweeping, standing, index, (uint64_t)sweeping->words[index] + 1);
}

/* After so many values a session is made anew: handles are never given out twice, and what keeps
 * them becomes slow. */
#define VALUES_A_SESSION 256
/* After so many values all bytes around requests are compared: to do so for each call takes a fifth
 * of the time of a call. */
#define VALUES_A_COMPARISON 64

/* Values of the base are not sent, as if the set had none in its places. */
static void leave_out_base(struct wcts_run_sweeping *sweeping, int base)
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

static bool is_sent(const struct wcts_run_sweeping *sweeping, int base, int index)
{
    return index >= sweeping->from && index < sweeping->until &&
           wcts_run_sweeping_base(sweeping, index) == base &&
           !(sweeping->unsent >> sweeping->places[index] & 1) &&
           sweeping->fates[index] == WCTS_FATE_SENT && !sweeping->asked[index];
}

static void send_next(struct wcts_run_sweeping *sweeping, struct run_base_sending *sending,
                      int index)
{
    if (!sending->open) {
        sending->good = prepare_standing(sweeping, &sending->standings[sending->first]);
        for (int p = 0; p < sweeping->sweep.place_count; p++)
            sending->standings[p].built = false;
    }
    if (!sending->good) /* what the base needs is not there: other cases show why */
        leave_out_base(sweeping, sending->base);
    sending->open = sending->good &&
                    send_word(sweeping, &sending->standings[sweeping->places[index]], index) &&
                    ++sending->sent % VALUES_A_SESSION != 0;
}

/* Compares the bytes around requests when it is time to. Returns the index of the value that was
 * sent, or, of values of which one wrote there, the one before the first: they are sent again in a
 * new session, in which that one ends the process, so that it is known which one it is. */
static int look_around(struct wcts_run_sweeping *sweeping, struct run_base_sending *sending,
                       int index)
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

static bool in_group(const struct wcts_run_sweeping *sweeping, const struct run_group *group,
                     int index)
{
    return sweeping->places[index] == group->place &&
           wcts_oracle_sweep_pattern(&sweeping->sweep, sweeping->words[index]) == group->pattern;
}

struct run_numbered {
    uint32_t word; /* first: what they are compared by */
    int index;
};

static bool group_init(struct wcts_run_sweeping *sweeping, int first, struct run_group *group)
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
static void keep_answers(struct wcts_run_sweeping *sweeping, const struct run_group *group,
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

/* Of fewer values with the driver's answers it costs more to find out what is asked. */
#define VALUES_WORTH_NOTING 8

/* Sends the first value of a group, and notes what the driver is asked then: so all of them can be
 * sent with the answers. If the implementation does not survive it, that shows again when each is
 * sent alone, in the order in which they are always sent. False if they cannot. */
static bool note_answers(struct wcts_run_sweeping *sweeping, struct run_group *group,
                         struct wcts_machine_answers *answers)
{
    struct wcts_machine_session *session = sweeping->session;
    const struct wcts_member *member = wcts_model_ref_member(session->spec, sweeping->sweep.member);
    uint32_t first = group->words[0], last = group->words[group->count - 1];
    bool right =
        group->count >= VALUES_WORTH_NOTING && prepare_standing(sweeping, &group->standing);
    if (right) {
        session->asked_room.brief = false;
        session->noted = answers;
        right = send_as(sweeping, &group->standing, group->indices[0], WCTS_VALUE_MANY);
        session->noted = NULL;
    }
    right = right && put_word_to_send(sweeping, group->place, &group->standing, last) &&
            wcts_machine_session_find_value(session, answers, member->width, first, last);
    shut_down(session);
    return right;
}

/* Sends the next values of a group in one call, in a session of its own: there are as many as in a
 * session otherwise. answers: of the driver, in which the values are; NULL: they are in the
 * request. False if no call like it is to be made any more. */
static bool send_many(struct wcts_run_sweeping *sweeping, struct run_group *group,
                      const struct wcts_machine_answers *answers, struct run_progress *progress)
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
                                     .ranges = taken,
                                     .must = !answers};
    int sent;
    many.value_count = take_ranges(group, progress, taken, &many.range_count);
    if (!prepare_standing(sweeping, &group->standing) ||
        !put_word_to_send(sweeping, group->place, &group->standing, group->words[0])) {
        shut_down(session);
        return false;
    }
    session->probe.world = &group->standing.world;
    session->asked_room.brief = false;
    show_value(session, WCTS_VALUE_MANY);
    sent = answers ? wcts_machine_session_quiet_answers(session, &many, answers, statuses,
                                                        sweeping->lie, sizeof sweeping->lie)
                   : wcts_machine_session_quiet_many(session, &many, statuses, sweeping->lie,
                                                     sizeof sweeping->lie);
    shut_down(session);
    sweeping->many = sent != WCTS_MANY_MISSING && sent != WCTS_MANY_LIED && sent != 0;
    if (sent > 0)
        keep_answers(sweeping, group, statuses, sent, progress);
    else if (sent == WCTS_MANY_DISTURBED)
        keep_answers(sweeping, group, NULL, many.value_count, progress);
    return sweeping->many;
}

/* Sends the values of a group, which are in the request of the kernel's, or in an answer of the
 * driver, if the implementation makes such calls. */
static void send_group(struct wcts_run_sweeping *sweeping,
                       const struct wcts_oracle_sweep_place *place, struct run_group *group)
{
    const struct wcts_machine_session *session = sweeping->session;
    struct wcts_machine_answers noted = {.count = 0}, *answers = NULL;
    struct run_progress progress = {0, 0};
    bool good = false;
    if (place->instance == group->standing.world.adapter_count) {
        good = session->claims.capabilities & WCTS_CAPABILITY_SWEEP;
    } else if (place->instance < group->standing.world.adapter_count &&
               wcts_machine_session_takes_many(session)) {
        good = note_answers(sweeping, group, &noted);
        answers = &noted;
    }
    while (good && progress.range < group->range_count &&
           send_many(sweeping, group, answers, &progress))
        continue;
    wcts_machine_answers_release(&noted);
}

/* So many values, those with the fewest flags, are sent alone all the same where replies are looked
 * at: the answers to many have none. All pairs of flags are among them. */
#define VALUES_ALONE 256

/* Sends the values of a base in as few calls as there can be. What is left over, since the word is
 * in no request, or something went wrong, is sent afterwards, each value alone. */
static void send_groups(struct wcts_run_sweeping *sweeping, int base)
{
    uint8_t *tried = calloc((size_t)sweeping->count + 1, 1);
    for (int i = 0; tried && sweeping->many && i < sweeping->count; i++) {
        const struct wcts_oracle_sweep_place *place = &sweeping->sweep.places[sweeping->places[i]];
        struct run_group group;
        if (tried[i] || !is_sent(sweeping, base, i) || (sweeping->replies && i < VALUES_ALONE))
            continue;
        if (group_init(sweeping, i, &group) &&
            standing_init(sweeping, group.place, &group.standing))
            send_group(sweeping, place, &group);
        for (int n = 0; n < group.count; n++)
            tried[group.indices[n]] = true;
        group_release(&group);
    }
    free(tried);
}

/* Sends all values of a base, up to where its session cannot be made. */
static void sweep_base(struct wcts_run_sweeping *sweeping, int base)
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
static void confirm(struct wcts_run_sweeping *sweeping, int index)
{
    struct run_standing standing;
    wcts_status before = sweeping->answers[index];
    bool good = standing_init(sweeping, sweeping->places[index], &standing) &&
                prepare_standing(sweeping, &standing);
    bool in_answer = good && sweeping->sweep.places[sweeping->places[index]].instance <
                                 standing.world.adapter_count;
    sweeping->session->asked_room.brief = false;
    if (good)
        send_word(sweeping, &standing, index);
    shut_down(sweeping->session);
    standing_release(&standing);
    if (wcts_exchange_answer_of(sweeping->answers[index]) == wcts_exchange_answer_of(before))
        return;
    sweeping->doubted = in_answer;
    if (!in_answer)
        snprintf(sweeping->lie, sizeof sweeping->lie,
                 "KERNEL_SWEEP: the answer for 0x%" PRIx32 " is %s, that to a call of its own %s",
                 sweeping->words[index], answer_name(before),
                 answer_name(sweeping->answers[index]));
}

static void confirm_smallest(struct wcts_run_sweeping *sweeping, bool accept)
{
    struct wcts_exchange_swept swept;
    wcts_run_sweeping_sum_up(sweeping, accept, &swept);
    for (int i = 0; i < sweeping->count; i++)
        if (sweeping->words[i] == swept.smallest && sweeping->asked[i] && !sweeping->lie[0]) {
            confirm(sweeping, i);
            return;
        }
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

/* Of a run whose time is limited, a sweep takes at most this part of the time that is left, so that
 * others have values, too; it looks at the clock after so many values. */
#define SHARE 4
#define VALUES_A_LOOK 256

/* Set: so many values are what the time of a sweep is enough for, so that a test ends the same on
 * every machine. */
static const char values_variable[] = "WCTS_VALUES_A_SWEEP";

/* Sends all values that are decided to be sent; those of the set's order up to where the time is
 * over. */
static void send_all(struct wcts_run_sweeping *sweeping)
{
    const double until = sweeping->session->options.until;
    const double now = until > 0 ? wcts_run_watch_now() : 0, over = now + (until - now) / SHARE;
    const char *values = getenv(values_variable);
    const int enough = values ? atoi(values) : sweeping->count;
    sweeping->until = 0;
    do {
        sweeping->from = sweeping->until;
        sweeping->until = sweeping->count;
        if (until > 0 && sweeping->count - sweeping->from > VALUES_A_LOOK)
            sweeping->until = sweeping->from + VALUES_A_LOOK;
        for (int base = 0; base < sweeping->session->spec->cases->bases_count; base++)
            if (!sweeping->lie[0])
                sweep_base(sweeping, base);
    } while (sweeping->until < sweeping->count && !sweeping->lie[0] &&
             (values ? sweeping->until < enough : wcts_run_watch_now() < over));
    sweeping->count = sweeping->until;
    if (memchr(sweeping->asked, 1, (size_t)sweeping->count))
        confirm_smallest(sweeping, wcts_run_sweeping_accepted(sweeping->session, sweeping->test));
}

/* Nothing of the calls is stored but what is summed up of them. */
void wcts_run_sweeping_send(struct wcts_run_sweeping *sweeping)
{
    struct wcts_machine_session *session = sweeping->session;
    enum wcts_exchange_stream_mode mode = session->stream.mode;
    session->stream.mode = WCTS_STREAM_OFF;
    mark_calls(session, true);
    send_all(sweeping);
    if (sweeping->doubted) {
        memset(sweeping->asked, 0, (size_t)sweeping->count);
        sweeping->many = false;
        sweeping->count = sweeping->found;
        send_all(sweeping);
    }
    mark_calls(session, false);
    session->stream.mode = mode;
}
