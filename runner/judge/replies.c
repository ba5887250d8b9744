/* SPDX-License-Identifier: MIT */
/*
 * Effects that a request and its reply alone decide, evaluated in an exchange of one message.
 *
 * Thousands of calls of a sweep differ in one word. What an effect decides is remembered by what it
 * reads of it: the bits in which request and reply differ, the flags that are read one by one, and
 * whether other members are 0. An effect that reads anything else is evaluated for the first calls,
 * which have few flags, and then for one in some.
 */
#include "replies.h"
#include <stdlib.h>
#include <string.h>

#include "../exchange/bytes.h"

#include "../lang/functions.h"
#include "select.h"

/* Members that are compared to 0, at most, and what is remembered, a power of two. */
#define ZEROS_MAX 16
#define REMEMBERED 4096

/* To evaluate them for all calls takes half the time of a call. */
#define OTHERS_FIRST 256
#define OTHERS_ONE_IN 64

/* Where a member is in a message. */
struct judge_reply_member {
    bool reply;
    uint32_t at, width;
};

/* By what an answer is remembered. */
struct judge_reply_key {
    uint64_t differing, flags;
    uint32_t zeros; /* a bit for each of the members */
};

struct judge_reply_remembered {
    bool used;
    struct judge_reply_key key;
    int broken; /* as wcts_judge_replies_broken() */
};

struct wcts_judge_replies {
    struct wcts_exchange exchange; /* of the one record */
    struct wcts_exchange_record record;
    struct wcts_judge_selection *selections; /* those that are remembered, then the others */
    int *rules;
    int count, simple;                 /* simple: so many are remembered */
    struct judge_reply_member word[2]; /* of the request, and of the reply */
    uint64_t flags;
    struct judge_reply_member zeros[ZEROS_MAX];
    int zero_count;
    struct judge_reply_remembered *remembered;
    uint64_t calls;
};

/* ---- Which effects ---- */

static void note_other(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    bool *other = context;
    (void)ref;
    *other = *other || use == WCTS_USE_BEHIND || use == WCTS_USE_ENTRIES;
}

/* True if the expression reads nothing but the call: functions that only recordings have look at
 * other messages. */
static bool is_own_expression(const struct wcts_lang_exprs *exprs, int root)
{
    bool other = false;
    if (root == 0)
        return true;
    for (int i = 0; i < WCTS_FUNCTION_COUNT; i++)
        if (!wcts_functions[i].eval && wcts_lang_find_call_of(exprs, root, wcts_functions[i].name))
            return false;
    wcts_lang_reads(exprs, root, note_other, &other);
    return !other;
}

static bool is_decided(const struct wcts_spec *spec, const struct wcts_rule *rule,
                       const struct wcts_case *test, uint32_t operation, uint32_t capabilities)
{
    const struct wcts_effect *effect = rule->effect;
    return effect && effect->selector == WCTS_SELECT_CALL && !effect->unobserved &&
           rule->form != WCTS_FORM_EFFECT_PAGES && effect->in < 0 && effect->holds &&
           effect->operations & wcts_model_operation_bit(operation) &&
           spec->statements[rule->statement].role == WCTS_ROLE_KERNEL &&
           test->version >= rule->since && test->version < rule->until &&
           (effect->needs & ~capabilities) == 0 && is_own_expression(spec->exprs, effect->when) &&
           is_own_expression(spec->exprs, effect->holds);
}

/* ---- What they read ---- */

/* An effect that is looked at: what it reads is added if all of it is of those sorts. */
struct judge_reply_reading {
    const struct wcts_spec *spec;
    const struct wcts_message *message;
    struct wcts_ref word; /* flag -1 */
    uint64_t flags;
    struct judge_reply_member zeros[ZEROS_MAX];
    int zero_count;
};

static struct judge_reply_member member_of(const struct judge_reply_reading *reading,
                                           struct wcts_lang_ref ref)
{
    const struct wcts_ref plain = {ref.structure, ref.member, -1};
    const struct wcts_member *member = wcts_model_ref_member(reading->spec, plain);
    const struct wcts_message *message = reading->message;
    return (struct judge_reply_member){
        ref.reply, member->offset + (ref.reply ? message->reply_at : message->request_at),
        member->width};
}

static bool is_of_root(const struct judge_reply_reading *reading, const struct wcts_lang_node *node)
{
    return node->op == WCTS_OP_MEMBER && node->ref.scope == 0 &&
           node->ref.structure ==
               (node->ref.reply ? reading->message->reply : reading->message->request);
}

static bool is_of_word(const struct judge_reply_reading *reading, const struct wcts_lang_node *node)
{
    return is_of_root(reading, node) && node->ref.structure == reading->word.structure &&
           node->ref.member == reading->word.member;
}

static void add_flag(struct judge_reply_reading *reading, const struct wcts_lang_node *node)
{
    const struct wcts_member *member = wcts_model_ref_member(reading->spec, reading->word);
    reading->flags |= UINT64_C(1) << reading->spec->words[member->word].flags[node->ref.flag].bit;
}

/* The word, or the word without some flags; returns which of the two messages has it, -1: neither.
 */
static int read_word(struct judge_reply_reading *reading, int index)
{
    const struct wcts_lang_node *nodes = reading->spec->exprs->nodes, *node = &nodes[index];
    if (node->op == WCTS_OP_CALL && strcmp(wcts_functions[node->b].name, "without") == 0) {
        for (int flag = nodes[node->a].next; flag; flag = nodes[flag].next) {
            if (!is_of_word(reading, &nodes[flag]) || nodes[flag].ref.flag < 0)
                return -1;
            add_flag(reading, &nodes[flag]);
        }
        node = &nodes[node->a];
    }
    return is_of_word(reading, node) && node->ref.flag < 0 ? node->ref.reply : -1;
}

/* A member that is compared to 0. */
static bool read_zero(struct judge_reply_reading *reading, int a, int b)
{
    const struct wcts_lang_node *nodes = reading->spec->exprs->nodes;
    struct judge_reply_member member;
    if (!is_of_root(reading, &nodes[a]) || nodes[a].ref.flag >= 0 ||
        nodes[b].op != WCTS_OP_NUMBER || nodes[b].number != 0)
        return false;
    member = member_of(reading, nodes[a].ref);
    for (int i = 0; i < reading->zero_count; i++)
        if (reading->zeros[i].at == member.at && reading->zeros[i].reply == member.reply)
            return true;
    if (reading->zero_count == ZEROS_MAX)
        return false;
    reading->zeros[reading->zero_count++] = member;
    return true;
}

/* False if the expression reads anything else. */
static bool read_simple(struct judge_reply_reading *reading, int index)
{
    const struct wcts_lang_node *nodes = reading->spec->exprs->nodes, *node = &nodes[index];
    switch (node->op) {
    case WCTS_OP_NONE:
    case WCTS_OP_ANSWER:
        return true;
    case WCTS_OP_NOT:
        return read_simple(reading, node->a);
    case WCTS_OP_AND:
    case WCTS_OP_OR:
        for (int operand = node->a; operand; operand = nodes[operand].next)
            if (!read_simple(reading, operand))
                return false;
        return true;
    case WCTS_OP_MEMBER:
        if (!is_of_word(reading, node) || node->ref.flag < 0)
            return false;
        add_flag(reading, node);
        return true;
    case WCTS_OP_EQ:
    case WCTS_OP_NE: {
        int a = read_word(reading, node->a), b = read_word(reading, node->b);
        return a >= 0 && b >= 0 ? a != b : read_zero(reading, node->a, node->b);
    }
    default:
        return false;
    }
}

static bool read_effect(struct judge_reply_reading *reading, const struct wcts_effect *effect)
{
    const struct judge_reply_reading before = *reading;
    if (effect->on == reading->message->request && read_simple(reading, effect->when) &&
        read_simple(reading, effect->holds))
        return true;
    *reading = before;
    return false;
}

/* ---- Looking at calls ---- */

/* Adds the effects that are remembered, or the others; derived: those that a document only implies.
 */
static void add_effects(struct wcts_judge_replies *replies, struct judge_reply_reading *reading,
                        const struct wcts_case *test, uint32_t capabilities, bool simple,
                        bool derived)
{
    const struct wcts_spec *spec = reading->spec;
    const struct wcts_exchange_view view = {spec, &replies->exchange, test->page_size};
    for (int i = 0; i < spec->rules_count; i++) {
        struct wcts_judge_selection *selection = &replies->selections[replies->count];
        if (!is_decided(spec, &spec->rules[i], test, reading->message->operation, capabilities) ||
            spec->statements[spec->rules[i].statement].derived != derived ||
            read_effect(reading, spec->rules[i].effect) != simple)
            continue;
        replies->rules[replies->count++] = i;
        wcts_judge_selection(selection, &spec->rules[i], view);
        selection->quiet = true;
    }
}

static bool find_effects(struct wcts_judge_replies *replies, const struct wcts_spec *spec,
                         const struct wcts_case *test, uint32_t capabilities)
{
    struct judge_reply_reading reading = {
        .spec = spec,
        .message = wcts_exchange_message_of(spec, replies->record.operation),
        .word = test->facts[0].ref};
    const struct wcts_ref word = reading.word;
    struct wcts_lang_ref ref = {(int16_t)word.structure, (int16_t)word.member, -1, false, 0};
    if (!reading.message || reading.message->request != word.structure ||
        reading.message->reply != word.structure)
        return false;
    reading.word.flag = -1;
    add_effects(replies, &reading, test, capabilities, true, false);
    add_effects(replies, &reading, test, capabilities, true, true);
    replies->simple = replies->count;
    add_effects(replies, &reading, test, capabilities, false, false);
    add_effects(replies, &reading, test, capabilities, false, true);
    for (int i = 0; i < 2; i++) {
        ref.reply = (uint8_t)i;
        replies->word[i] = member_of(&reading, ref);
    }
    replies->flags = reading.flags;
    replies->zero_count = reading.zero_count;
    memcpy(replies->zeros, reading.zeros, sizeof replies->zeros);
    return replies->count > 0;
}

struct wcts_judge_replies *wcts_judge_replies_new(const struct wcts_spec *spec,
                                                  const struct wcts_case *test, uint32_t operation,
                                                  uint32_t capabilities)
{
    struct wcts_judge_replies *replies = calloc(1, sizeof *replies);
    size_t room = (size_t)spec->rules_count + 1;
    if (!replies)
        return NULL;
    replies->record = (struct wcts_exchange_record){.operation = operation};
    replies->exchange.records = &replies->record;
    replies->exchange.count = 1;
    replies->rules = calloc(room, sizeof *replies->rules);
    replies->selections = calloc(room, sizeof *replies->selections);
    replies->remembered = calloc(REMEMBERED, sizeof *replies->remembered);
    if (replies->rules && replies->selections && replies->remembered &&
        find_effects(replies, spec, test, capabilities))
        return replies;
    wcts_judge_replies_free(replies);
    return NULL;
}

void wcts_judge_replies_free(struct wcts_judge_replies *replies)
{
    if (replies) {
        free(replies->selections);
        free(replies->rules);
        free(replies->remembered);
    }
    free(replies);
}

static uint64_t reply_value(const struct wcts_judge_replies *replies,
                            struct judge_reply_member member)
{
    const struct wcts_exchange_record *record = &replies->record;
    const uint8_t *bytes = member.reply ? record->reply : record->request;
    uint32_t size = member.reply ? record->reply_size : record->request_size;
    return member.at + member.width <= size
               ? wcts_exchange_bytes_get(bytes + member.at, member.width)
               : 0;
}

static struct judge_reply_key reply_key(const struct wcts_judge_replies *replies)
{
    uint64_t sent = reply_value(replies, replies->word[0]);
    struct judge_reply_key key = {.differing = sent ^ reply_value(replies, replies->word[1]),
                                  .flags = sent & replies->flags};
    for (int i = 0; i < replies->zero_count; i++)
        key.zeros |= (uint32_t)(reply_value(replies, replies->zeros[i]) == 0) << i;
    return key;
}

static int evaluate(struct wcts_judge_replies *replies, int from, int to)
{
    for (int i = from; i < to; i++)
        if (wcts_judge_select_in(&replies->selections[i], 0) == WCTS_FALSE)
            return replies->rules[i];
    return -1;
}

static int evaluate_simple(struct wcts_judge_replies *replies)
{
    struct judge_reply_key key = reply_key(replies);
    uint64_t mixed =
        (key.differing * 31 + key.flags * 7 + key.zeros) * UINT64_C(0x9E3779B97F4A7C15);
    struct judge_reply_remembered *at = &replies->remembered[mixed >> 32 & (REMEMBERED - 1)];
    if (!at->used || at->key.differing != key.differing || at->key.flags != key.flags ||
        at->key.zeros != key.zeros)
        *at = (struct judge_reply_remembered){true, key, evaluate(replies, 0, replies->simple)};
    return at->broken;
}

int wcts_judge_replies_broken(struct wcts_judge_replies *replies, uint32_t operation,
                              const void *request, uint32_t request_size, const void *reply,
                              uint32_t reply_size)
{
    struct wcts_exchange_record *record = &replies->record;
    int broken;
    if (operation != record->operation)
        return -1;
    record->request = (uint8_t *)request;
    record->request_size = request_size;
    record->reply = (uint8_t *)reply;
    record->reply_size = reply_size;
    broken = evaluate_simple(replies);
    if (broken < 0 && (replies->calls < OTHERS_FIRST || replies->calls % OTHERS_ONE_IN == 0))
        broken = evaluate(replies, replies->simple, replies->count);
    replies->calls++;
    return broken;
}
