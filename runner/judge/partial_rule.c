/* SPDX-License-Identifier: MIT */
/*
 * Rules about what crossed: of a caller, what a call sends; of a driver, what it answers. An
 * instance is a structure in a message (exchange/view.h); those of another message than the
 * subject's are those of the last one before it that was accepted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../base/text.h"
#include "../exchange/bytes.h"
#include "../exchange/view.h"
#include "partial.h"
#include "partial_parts.h"

/* ---- where a structure is ---- */

/* True if a record has one of the structure: how many there are does not matter. */
static bool has_sent(const struct judge_sent *sent, int record, int structure)
{
    struct wcts_exchange_partial *partial = sent->view.exchange->partial;
    unsigned missed = wcts_exchange_missed(sent->view.exchange);
    struct wcts_exchange_missing missing = {.record = -1};
    bool has;
    if (partial)
        missing = partial->missing;
    has = wcts_judge_count_sent(sent, record, structure) > 0;
    if (has && partial) {
        partial->missing = missing;
        partial->missed = missed;
    }
    return has;
}

/* The record with the structure: this one, if its message may have it, else the last one before it,
 * else the next one; -1: none. */
static int holder_of(const struct judge_sent *sent, int record, int structure)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    const struct wcts_spec *spec = sent->view.spec;
    const struct wcts_operations *having = &spec->structures[structure].held_by;
    if (wcts_judge_half_of(wcts_judge_message_sent(sent, record), structure) != HALF_NONE)
        return record;
    for (int i = record - 1; i >= 0; i--)
        if (wcts_model_operations_have(having, exchange->records[i].operation) &&
            wcts_judge_does_count(sent, i) && has_sent(sent, i, structure)) {
            wcts_exchange_has_all(exchange, spec, i, record, having);
            return i;
        }
    wcts_exchange_has_all(exchange, spec, -1, record, having);
    for (int i = record + 1; i < exchange->count; i++)
        if (wcts_model_operations_have(having, exchange->records[i].operation) &&
            wcts_judge_does_count(sent, i) && has_sent(sent, i, structure)) {
            wcts_exchange_has_all(exchange, spec, record, i, having);
            return i;
        }
    wcts_exchange_has_all(exchange, spec, record, exchange->count, having);
    return -1;
}

/* The bytes of a structure for a subject, and where they are; NULL: there is none. */
static const uint8_t *bytes_sent(const struct judge_sent *sent, int subject, int structure,
                                 int *record, bool *reply)
{
    struct wcts_exchange_cursor cursor = wcts_exchange_cursor_at(subject);
    int own = cursor.record;
    *record = cursor.record = holder_of(sent, own, structure);
    if (cursor.record < 0)
        return NULL;
    *reply =
        wcts_judge_half_of(wcts_judge_message_sent(sent, cursor.record), structure) == HALF_REPLY;
    if (cursor.record != own)
        cursor.element = 0;
    return wcts_exchange_find_in(&sent->view, cursor, structure, *reply);
}

/* ---- values ---- */

/* True if a structure is in no message that was recorded: what it has is not known. What the
 * subject's own message does not have is not there. */
static bool is_unsent(const struct judge_sent *sent, int record, int structure)
{
    if (record >= 0)
        return false;
    wcts_exchange_miss_answer(sent->view.exchange, sent->view.spec, structure);
    return true;
}

/* A member of what was sent; of a structure that is not there it is 0. */
static struct wcts_lang_result own_member(const struct wcts_lang_env *env, int subject,
                                          const struct wcts_lang_ref *ref)
{
    const struct judge_sent *sent = wcts_judge_sent_of(env);
    const struct wcts_ref whole = {ref->structure, ref->member, -1};
    const struct wcts_member *member = wcts_model_ref_member(env->spec, whole);
    unsigned missed = wcts_exchange_missed(sent->view.exchange);
    uint64_t value = 0, known = UINT64_MAX, wanted = UINT64_MAX;
    int record;
    bool reply = false;
    const uint8_t *at = bytes_sent(sent, subject, ref->structure, &record, &reply);
    if (wcts_exchange_missed(sent->view.exchange) != missed ||
        is_unsent(sent, record, ref->structure))
        return wcts_lang_unknown();
    if (at) {
        at += member->offset;
        value = wcts_exchange_bytes_get(at, member->width);
        known = wcts_exchange_known_bits(&sent->view.exchange->records[record], reply, at,
                                         member->width);
        wanted = member->width < 8 ? (UINT64_C(1) << 8 * member->width) - 1 : UINT64_MAX;
    }
    if (ref->flag >= 0) {
        int bit = env->spec->words[member->word].flags[ref->flag].bit;
        wanted = UINT64_C(1) << bit;
        if (known & wanted)
            return wcts_lang_known(value >> bit & 1);
    }
    /* Of a pointer it may be known only that it is not 0. */
    if ((wanted & ~known) == 0 || (member->type == WCTS_TYPE_POINTER && (value & known) != 0))
        return wcts_lang_known(value);
    wcts_exchange_knows(sent->view.exchange, record, reply, at, env->spec,
                        (struct wcts_ref){ref->structure, ref->member, ref->flag});
    return wcts_lang_unknown();
}

/* What a path leads to is another message's; so is a member of a reply. */
static struct wcts_lang_result partial_value(const struct wcts_lang_env *env, int subject,
                                             const struct wcts_lang_ref *steps, int count)
{
    struct wcts_lang_env along;
    if (count == 1 && !steps->reply)
        return own_member(env, subject, steps);
    along = wcts_exchange_env(&wcts_judge_sent_of(env)->view);
    return along.value(&along, subject, steps, count);
}

static uint64_t sent_known(const struct wcts_lang_env *env, int subject, struct wcts_lang_ref word,
                           uint64_t *value)
{
    const struct judge_sent *sent = wcts_judge_sent_of(env);
    const struct wcts_ref ref = {word.structure, word.member, -1};
    const struct wcts_member *member = wcts_model_ref_member(env->spec, ref);
    unsigned missed = wcts_exchange_missed(sent->view.exchange);
    int record;
    bool reply = false;
    const uint8_t *at = bytes_sent(sent, subject, word.structure, &record, &reply);
    *value = 0;
    if (wcts_exchange_missed(sent->view.exchange) != missed ||
        is_unsent(sent, record, word.structure))
        return 0;
    if (!at)
        return UINT64_MAX;
    at += member->offset;
    *value = wcts_exchange_bytes_get(at, member->width);
    /* The bits above the word are 0. */
    if (wcts_exchange_knows(sent->view.exchange, record, reply, at, env->spec, ref))
        return UINT64_MAX;
    return wcts_exchange_known_bits(&sent->view.exchange->records[record], reply, at,
                                    member->width) |
           (member->width < 8 ? UINT64_MAX << 8 * member->width : 0);
}

static uint64_t sent_bits(const struct wcts_lang_env *env, int word, uint64_t *elsewhere)
{
    const struct wcts_judge_partial *judge = wcts_judge_sent_of(env)->judge;
    const struct wcts_oracle_masks *masks =
        wcts_oracle_eval_masks(judge->eval, word, judge->version);
    *elsewhere = masks->open | masks->gated;
    return masks->defined;
}

/* ---- instances ---- */

static int sent_next(const struct wcts_lang_env *env, int subject, int structure, int after)
{
    const struct judge_sent *sent = wcts_judge_sent_of(env);
    int own = wcts_exchange_cursor_at(subject).record;
    const struct wcts_message *message = wcts_judge_message_sent(sent, own);
    unsigned missed = wcts_exchange_missed(sent->view.exchange);
    struct wcts_exchange_cursor at = {own,
                                      after < 0 ? 0 : wcts_exchange_cursor_at(after).element + 1};
    int count;
    if (message->driver && message->makes_count > 0 && message->makes[0].structure == structure)
        return wcts_judge_next_answered(sent, subject, structure, after);
    at.record = holder_of(sent, own, structure);
    if (wcts_exchange_missed(sent->view.exchange) != missed ||
        is_unsent(sent, at.record, structure))
        return WCTS_LANG_UNTOLD;
    count = wcts_judge_count_sent(sent, at.record, structure);
    if (at.element < count)
        return wcts_exchange_instance(at);
    return wcts_exchange_missed(sent->view.exchange) == missed ? -1 : WCTS_LANG_UNTOLD;
}

/* The elements of an array: those behind a pointer of the subject itself are in the same message,
 * and are numbered in it. */
static int sent_next_element(const struct wcts_lang_env *env, int subject,
                             struct wcts_lang_ref pointer, int structure, int after)
{
    (void)pointer;
    return sent_next(env, subject, structure, after);
}

/* What a handle names, and the states of pages, only the kernel knows. */
static void miss_state(const struct wcts_lang_env *env)
{
    wcts_exchange_miss(wcts_judge_sent_of(env)->view.exchange,
                       wcts_exchange_missing_of(WCTS_LACK_STATE, -1, false, -1, -1));
}

static enum wcts_truth sent_object(const struct wcts_lang_env *env, struct wcts_lang_result handle,
                                   struct wcts_lang_object *object)
{
    (void)object;
    if (handle.number == 0)
        return WCTS_FALSE;
    miss_state(env);
    return WCTS_UNKNOWN;
}

static bool sent_pages(const struct wcts_lang_env *env, struct wcts_lang_result base, uint64_t size,
                       wcts_page_visit *visit, void *context)
{
    (void)base, (void)size, (void)visit, (void)context;
    miss_state(env);
    return false;
}

static struct wcts_lang_env env_of(const struct judge_sent *sent)
{
    return (struct wcts_lang_env){
        .spec = sent->view.spec,
        .page_size = sent->view.page_size,
        .context = sent,
        .bits = sent_bits,
        .known = sent_known,
        .value = partial_value,
        .next = sent_next,
        .next_element = sent_next_element,
        .was_there = wcts_judge_was_there,
        .repeats = sent->judge->earlier ? wcts_judge_repeats : NULL,
        .object = sent_object,
        .pages = sent_pages,
    };
}

/* ---- a rule ---- */

/* An expression about the subject; *untold: it is unknown since something is missing. */
static enum wcts_truth sent_truth(const struct wcts_lang_env *env, int root, int subject,
                                  bool *untold)
{
    const struct wcts_exchange *exchange = wcts_judge_sent_of(env)->view.exchange;
    unsigned missed = wcts_exchange_missed(exchange);
    enum wcts_truth truth = wcts_lang_truth(env->spec->exprs, root, env, subject);
    *untold = truth == WCTS_UNKNOWN && wcts_exchange_missed(exchange) != missed;
    return truth;
}

/* As wcts_lang_rule_ask has it. */
static enum wcts_judge_said ask_rule(const struct wcts_lang_env *env,
                                     const struct wcts_lang_rule *breach, int subject)
{
    bool untold = false;
    enum wcts_truth truth;
    if (breach->when && sent_truth(env, breach->when, subject, &untold) != WCTS_TRUE)
        return untold ? WCTS_SAID_UNKNOWN : WCTS_SAID_NOTHING;
    truth = sent_truth(env, breach->refuse, subject, &untold);
    if (truth == WCTS_UNKNOWN)
        return untold ? WCTS_SAID_UNKNOWN : WCTS_SAID_NOTHING;
    if (truth == WCTS_FALSE)
        return breach->unless ? WCTS_SAID_NOTHING : WCTS_SAID_KEPT;
    if (!breach->unless)
        return WCTS_SAID_BROKEN;
    truth = sent_truth(env, breach->unless, subject, &untold);
    if (truth == WCTS_UNKNOWN)
        return untold ? WCTS_SAID_UNKNOWN : WCTS_SAID_NOTHING;
    return truth == WCTS_TRUE ? WCTS_SAID_KEPT : WCTS_SAID_BROKEN;
}

/* Of an array with elements of several structures: KEPT if the element is of this one. The number
 * in its first member selects its structure. */
static enum wcts_judge_said is_selected_here(const struct judge_sent *sent, int structure,
                                             int subject)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    struct wcts_exchange_cursor cursor = wcts_exchange_cursor_at(subject);
    const struct wcts_message *message = wcts_judge_message_sent(sent, cursor.record);
    const struct wcts_structure *root =
        message->request < 0 ? NULL : &sent->view.spec->structures[message->request];
    for (int i = 0; root && i < root->pointer_count; i++) {
        const struct wcts_member *pointer = &root->members[root->pointers[i]];
        const char *names = pointer->elements, *piece;
        const uint8_t *at;
        uint64_t number;
        size_t length;
        if (pointer->element_of_count < 2 ||
            !wcts_list_has(pointer->elements, sent->view.spec->structures[structure].name))
            continue;
        at = wcts_exchange_find_in(&sent->view, cursor, structure, false);
        if (!at)
            return WCTS_SAID_UNKNOWN;
        if ((uint32_t)wcts_exchange_known_bits(&exchange->records[cursor.record], false, at, 4) !=
            UINT32_MAX) {
            wcts_exchange_miss(exchange, wcts_exchange_missing_of(WCTS_LACK_MEMBER, cursor.record,
                                                                  false, structure, -1));
            return WCTS_SAID_UNKNOWN;
        }
        number = wcts_exchange_bytes_get(at, 4);
        while ((length = wcts_next_piece(&names, &piece)) > 0)
            if (number-- == 0)
                return wcts_is_piece(sent->view.spec->structures[structure].name, piece, length)
                           ? WCTS_SAID_KEPT
                           : WCTS_SAID_NOTHING;
        return WCTS_SAID_NOTHING;
    }
    return WCTS_SAID_KEPT;
}

static struct judge_sent sent_in(const struct wcts_judge_partial *judge,
                                 const struct wcts_exchange *exchange)
{
    return (struct judge_sent){{judge->spec, exchange, judge->page_size}, judge};
}

static bool reads_page(const struct wcts_lang_exprs *exprs, const struct wcts_lang_rule *breach)
{
    return (breach->when && wcts_lang_has(exprs, breach->when, WCTS_OP_PAGE)) ||
           wcts_lang_has(exprs, breach->refuse, WCTS_OP_PAGE) ||
           (breach->unless && wcts_lang_has(exprs, breach->unless, WCTS_OP_PAGE));
}

enum wcts_judge_said wcts_judge_partial_rule(const struct wcts_judge_partial *judge,
                                             const struct wcts_exchange *exchange, int rule,
                                             int record, int element)
{
    const struct judge_sent sent = sent_in(judge, exchange);
    const struct wcts_lang_env env = env_of(&sent);
    const struct wcts_rule *one = &judge->spec->rules[rule];
    int subject = wcts_exchange_instance((struct wcts_exchange_cursor){record, element});
    enum wcts_judge_said here = is_selected_here(&sent, one->on, subject);
    if (here != WCTS_SAID_KEPT)
        return here;
    if (judge->page_size == 0 && reads_page(judge->spec->exprs, &one->breach)) {
        wcts_exchange_miss(exchange,
                           wcts_exchange_missing_of(WCTS_LACK_PAGE_SIZE, -1, false, -1, -1));
        return WCTS_SAID_UNKNOWN;
    }
    if (wcts_judge_message_sent(&sent, record)->driver && !wcts_judge_does_count(&sent, record))
        return exchange->records[record].status_unknown ? WCTS_SAID_UNKNOWN : WCTS_SAID_NOTHING;
    return ask_rule(&env, &one->breach, subject);
}

int wcts_judge_partial_count(const struct wcts_judge_partial *judge,
                             const struct wcts_exchange *exchange, int rule, int record,
                             bool *untold)
{
    const struct judge_sent sent = sent_in(judge, exchange);
    unsigned missed = wcts_exchange_missed(exchange);
    int count = wcts_judge_count_sent(&sent, record, judge->spec->rules[rule].on);
    *untold = wcts_exchange_missed(exchange) != missed;
    return count;
}

/* ---- valid calls ---- */

/* What is left open in a call: a bit that is not judged. */
struct judge_open_bits {
    const struct wcts_judge_partial *judge;
    const struct wcts_exchange *exchange;
    int record;
    bool open, untold;
};

static void note_open_bits(void *context, struct wcts_ref ref, bool reply, const uint8_t *at,
                           int element)
{
    struct judge_open_bits *bits = context;
    const struct wcts_member *member = wcts_model_ref_member(bits->judge->spec, ref);
    uint64_t open, value, known;
    (void)element;
    if (reply || member->word < 0)
        return;
    open = wcts_oracle_eval_masks(bits->judge->eval, member->word, bits->judge->version)->open;
    value = wcts_exchange_bytes_get(at + member->offset, member->width);
    known = wcts_exchange_known_bits(&bits->exchange->records[bits->record], false,
                                     at + member->offset, member->width);
    bits->open = bits->open || (open & value & known) != 0;
    if (open & ~known) {
        bits->untold = true;
        wcts_exchange_knows(bits->exchange, bits->record, false, at + member->offset,
                            bits->judge->spec, ref);
    }
}

static enum wcts_judge_said worse(enum wcts_judge_said a, enum wcts_judge_said b)
{
    if (a == WCTS_SAID_BROKEN || b == WCTS_SAID_BROKEN)
        return WCTS_SAID_BROKEN;
    return a == WCTS_SAID_UNKNOWN || b == WCTS_SAID_UNKNOWN ? WCTS_SAID_UNKNOWN : WCTS_SAID_KEPT;
}

/* Whether what a call sends breaks a caller's rule. */
static enum wcts_judge_said rules_of_call(const struct wcts_judge_partial *judge,
                                          const struct wcts_exchange *exchange, int record)
{
    const struct wcts_spec *spec = judge->spec;
    enum wcts_judge_said all = WCTS_SAID_KEPT;
    for (int r = 0; r < spec->rules_count && all != WCTS_SAID_BROKEN; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        bool untold = false;
        int count;
        if (spec->statements[rule->statement].role != WCTS_ROLE_CALLER ||
            !wcts_model_is_asked(rule->form) || !wcts_oracle_rule_binds(spec, rule, judge->version))
            continue;
        count = wcts_judge_partial_count(judge, exchange, r, record, &untold);
        all = untold ? worse(all, WCTS_SAID_UNKNOWN) : all;
        for (int i = 0; i < count && all != WCTS_SAID_BROKEN; i++)
            all = worse(all, wcts_judge_partial_rule(judge, exchange, r, record, i));
    }
    return all;
}

/* Whether the documents leave it open. */
static enum wcts_judge_said opens_of_call(const struct wcts_judge_partial *judge,
                                          const struct wcts_exchange *exchange, int record)
{
    const struct judge_sent sent = sent_in(judge, exchange);
    const struct wcts_lang_env env = env_of(&sent);
    enum wcts_judge_said all = WCTS_SAID_KEPT;
    struct judge_open_bits bits = {judge, exchange, record, false, false};
    wcts_exchange_members(exchange, judge->spec, record, judge->version, note_open_bits, &bits);
    if (bits.open)
        return WCTS_SAID_BROKEN;
    all = bits.untold ? WCTS_SAID_UNKNOWN : all;
    for (int o = 0; o < judge->spec->opens_count; o++) {
        const struct wcts_open *open = &judge->spec->opens[o];
        for (int i = 0; i < wcts_judge_count_sent(&sent, record, open->on); i++) {
            int subject = wcts_exchange_instance((struct wcts_exchange_cursor){record, i});
            enum wcts_judge_said here = is_selected_here(&sent, open->on, subject);
            bool untold = false;
            if (here == WCTS_SAID_KEPT &&
                sent_truth(&env, open->when, subject, &untold) == WCTS_TRUE)
                return WCTS_SAID_BROKEN;
            if (untold || here == WCTS_SAID_UNKNOWN)
                all = WCTS_SAID_UNKNOWN;
        }
    }
    return all;
}

enum wcts_judge_said wcts_judge_partial_valid(const struct wcts_judge_partial *judge,
                                              const struct wcts_exchange *exchange, int record)
{
    const struct wcts_message *message;
    enum wcts_judge_said rules;
    while (record > 0 && exchange->records[record].depth != 0)
        record--;
    message = wcts_exchange_message_of(judge->spec, exchange->records[record].operation);
    if (exchange->records[record].stray) {
        wcts_exchange_miss(exchange,
                           wcts_exchange_missing_of(WCTS_LACK_WITHIN, record, false, -1, -1));
        return WCTS_SAID_UNKNOWN;
    }
    if (!message || message->driver || message->machine)
        return WCTS_SAID_KEPT;
    rules = rules_of_call(judge, exchange, record);
    return rules == WCTS_SAID_BROKEN ? rules : worse(rules, opens_of_call(judge, exchange, record));
}

/* ---- in words ---- */

struct judge_sent_text {
    const struct judge_sent *sent;
    int subject;
    struct wcts_ref seen[16];
    int count;
    struct wcts_text text;
};

static void add_sent_value(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct judge_sent_text *values = context;
    const struct wcts_lang_env env = env_of(values->sent);
    const struct wcts_lang_ref whole = {(int16_t)ref.structure, (int16_t)ref.member,
                                        (int16_t)ref.flag, 0, 0};
    struct wcts_lang_result value;
    char name[96];
    for (int i = 0; i < values->count; i++)
        if (wcts_model_same_ref(values->seen[i], ref))
            return;
    if (values->count == 16 || use == WCTS_USE_BEHIND || use == WCTS_USE_NUMBERED ||
        use == WCTS_USE_ALL)
        return;
    value = own_member(&env, values->subject, &whole);
    if (!value.known)
        return;
    values->seen[values->count++] = ref;
    wcts_text_add(&values->text, "%s%s.%s is 0x%" PRIx64, values->count > 1 ? ", " : "",
                  env.spec->structures[ref.structure].name,
                  wcts_model_ref_text(env.spec, ref, name, sizeof name), (uint64_t)value.number);
}

/* Of a member that all elements are asked for: those in which it is not 0, by their numbers. */
static void add_elements(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct judge_sent_text *values = context;
    const struct wcts_lang_env env = env_of(values->sent);
    const struct wcts_lang_ref whole = {(int16_t)ref.structure, (int16_t)ref.member,
                                        (int16_t)ref.flag, 0, 0};
    const int record = wcts_exchange_cursor_at(values->subject).record;
    const int count = wcts_judge_count_sent(values->sent, record, ref.structure);
    char name[96];
    if (use == WCTS_USE_BEHIND || use == WCTS_USE_NUMBERED)
        return;
    for (int i = 0; i < values->count; i++)
        if (wcts_model_same_ref(values->seen[i], ref))
            return;
    if (values->count < 16)
        values->seen[values->count++] = ref;
    for (int i = 0, listed = 0; i < count && listed < 8; i++) {
        int subject = wcts_exchange_instance((struct wcts_exchange_cursor){record, i});
        struct wcts_lang_result value = own_member(&env, subject, &whole);
        if (!value.known || value.number == 0)
            continue;
        wcts_text_add(&values->text, "%s%s.%s is 0x%" PRIx64 " in element %d",
                      values->text.length > 0 ? ", " : "", env.spec->structures[ref.structure].name,
                      wcts_model_ref_text(env.spec, ref, name, sizeof name), (uint64_t)value.number,
                      i);
        listed++;
    }
}

char *wcts_judge_partial_text(const struct wcts_judge_partial *judge,
                              const struct wcts_exchange *exchange, int rule, int record,
                              int element)
{
    const struct judge_sent sent = sent_in(judge, exchange);
    const struct wcts_lang_exprs *exprs = judge->spec->exprs;
    const struct wcts_lang_rule *breach = &judge->spec->rules[rule].breach;
    struct judge_sent_text values = {
        .sent = &sent,
        .subject = wcts_exchange_instance((struct wcts_exchange_cursor){record, element})};
    wcts_lang_reads(exprs, breach->refuse, add_sent_value, &values);
    wcts_lang_reads(exprs, breach->unless, add_sent_value, &values);
    wcts_lang_reads(exprs, breach->when, add_sent_value, &values);
    /* What is wrong with all elements together is in none of them. */
    if (values.text.length == 0)
        wcts_lang_reads(exprs, breach->refuse, add_elements, &values);
    return wcts_text_take(&values.text);
}
