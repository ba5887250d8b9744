/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "partial.h"
#include "trace_parts.h"

static const struct wcts_exchange_view *view_of(const struct wcts_lang_env *env)
{
    return env->context;
}

static bool is_recorded(const struct wcts_lang_env *env, struct wcts_exchange_cursor cursor)
{
    return cursor.record >= 0 && cursor.record < view_of(env)->exchange->count;
}

static struct wcts_lang_result view_value(const struct wcts_lang_env *env, int subject,
                                          const struct wcts_lang_ref *steps, int count)
{
    struct wcts_exchange_cursor cursor = wcts_exchange_cursor_at(subject);
    unsigned missed = wcts_exchange_missed(view_of(env)->exchange);
    uint64_t value;
    if (!is_recorded(env, cursor) ||
        !wcts_exchange_follow(view_of(env), cursor, steps, count, &value) ||
        wcts_exchange_missed(view_of(env)->exchange) != missed)
        return wcts_lang_unknown();
    return wcts_lang_known(value);
}

/* True if a structure is in an answer of a driver, and not in the subject's own message. */
static bool is_drivers_answer(const struct wcts_lang_env *env, int subject, int structure)
{
    const struct wcts_exchange_view *view = view_of(env);
    const struct wcts_operations *having = &env->spec->structures[structure].held_by;
    int record = wcts_exchange_cursor_at(subject).record;
    if (wcts_model_operations_have(having, view->exchange->records[record].operation))
        return false;
    for (int i = 0; i < env->spec->messages_count; i++)
        if (env->spec->messages[i].driver &&
            env->spec->messages[i].holds[structure] & WCTS_HELD_REPLY)
            return true;
    return false;
}

/* Each element is that of the last message, up to the subject's, that has it: a driver describes
 * its segments before they are used. */
static int view_next(const struct wcts_lang_env *env, int subject, int structure, int after)
{
    struct wcts_exchange_cursor cursor = {wcts_exchange_cursor_at(subject).record,
                                          after < 0 ? 0
                                                    : wcts_exchange_cursor_at(after).element + 1};
    unsigned missed = wcts_exchange_missed(view_of(env)->exchange);
    cursor.record = wcts_exchange_latest(view_of(env), cursor, structure);
    if (wcts_exchange_missed(view_of(env)->exchange) != missed)
        return WCTS_LANG_UNTOLD;
    if (cursor.record >= 0)
        return wcts_exchange_instance(cursor);
    /* Of a driver that never answered it is not known that it has none. */
    if (after < 0 && wcts_exchange_is_partial(view_of(env)) &&
        is_drivers_answer(env, subject, structure)) {
        wcts_exchange_miss_answer(view_of(env)->exchange, env->spec, structure);
        return WCTS_LANG_UNTOLD;
    }
    return -1;
}

static int view_next_element(const struct wcts_lang_env *env, int subject,
                             struct wcts_lang_ref pointer, int structure, int after)
{
    (void)pointer;
    return view_next(env, subject, structure, after);
}

static enum wcts_truth view_answer(const struct wcts_lang_env *env, int subject, bool refused)
{
    struct wcts_exchange_cursor cursor = wcts_exchange_cursor_at(subject);
    enum wcts_exchange_answer answer = WCTS_ANSWER_MISSING;
    if (is_recorded(env, cursor) &&
        wcts_exchange_knows_status(view_of(env)->exchange, cursor.record))
        answer = wcts_exchange_answer_of(view_of(env)->exchange->records[cursor.record].status);
    if (answer != WCTS_ANSWER_ACCEPTED && answer != WCTS_ANSWER_REFUSED)
        return WCTS_UNKNOWN;
    return (answer == WCTS_ANSWER_REFUSED) == refused ? WCTS_TRUE : WCTS_FALSE;
}

struct wcts_lang_env wcts_exchange_env(const struct wcts_exchange_view *view)
{
    return (struct wcts_lang_env){
        .spec = view->spec,
        .page_size = view->page_size,
        .context = view,
        .value = view_value,
        .next = view_next,
        .next_element = view_next_element,
        .answer = view_answer,
    };
}
