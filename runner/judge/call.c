/* SPDX-License-Identifier: MIT */
/* Judging effects that the record of a call shows: its reply, and what the driver was asked. */
#include <inttypes.h>
#include <string.h>

#include "../execute/parts.h"

struct reading {
    const struct wcts_plan *plan;
    const struct wcts_spec *spec;
    const struct wcts_rule *effect;
    const struct wcts_world *world;
    const struct wcts_symbols *symbols;
    int instance;
    const struct wcts_exchange *exchange;
    int call;       /* the record of the call */
    char text[200]; /* what is wrong */
};

static const struct wcts_operand *arg(const struct reading *reading, enum wcts_attribute attribute)
{
    return &reading->effect->arg[attribute];
}

/* The member of a structure that begins at a byte of a message; false when it is not there. */
static bool member_at(const struct reading *reading, const uint8_t *bytes, uint32_t size,
                      uint32_t at, struct wcts_ref ref, uint64_t *value)
{
    const struct wcts_member *member = wcts_ref_member(reading->spec, ref);
    if ((uint64_t)at + member->offset + member->width > size)
        return false;
    *value = wcts_bytes_get(bytes + at + member->offset, member->width);
    return true;
}

/* What is to come: a number, or a member of the request as the case sent it. */
static uint64_t wanted(const struct reading *reading)
{
    const struct wcts_operand *equals = arg(reading, WCTS_ARG_EQUALS);
    int where;
    if (equals->count == 0)
        return equals->number;
    where = wcts_world_resolve(reading->world, reading->instance, equals->refs[0].structure);
    return where < 0 ? 0
                     : wcts_value_resolve(reading->spec, reading->symbols,
                                          wcts_world_get(reading->world, where, equals->refs[0]));
}

static uint64_t excepted(const struct reading *reading)
{
    const struct wcts_operand *except = arg(reading, WCTS_ARG_EXCEPT);
    uint64_t mask = 0;
    for (int i = 0; i < except->count; i++) {
        int word = wcts_ref_member(reading->spec, except->refs[i])->word;
        mask |= UINT64_C(1) << reading->spec->words[word].flags[except->refs[i].flag].bit;
    }
    return mask;
}

static bool value_holds(struct reading *reading, const char *whose, uint64_t value)
{
    const struct wcts_operand *is = arg(reading, WCTS_ARG_IS);
    struct wcts_ref ref = arg(reading, WCTS_ARG_MEMBER)->refs[0];
    uint64_t mask = ~excepted(reading);
    char name[96];
    wcts_ref_text(reading->spec, ref, name, sizeof name);
    if (arg(reading, WCTS_ARG_EQUALS)->given && (value & mask) != (wanted(reading) & mask)) {
        snprintf(reading->text, sizeof reading->text, "%s %s is 0x%" PRIx64 ", expected 0x%" PRIx64,
                 whose, name, value, wanted(reading));
        return false;
    }
    if (is->given && (value != 0) != (strcmp(is->text, "nonzero") == 0)) {
        snprintf(reading->text, sizeof reading->text, "%s %s is 0x%" PRIx64 ", expected %s", whose,
                 name, value, is->text);
        return false;
    }
    return true;
}

static bool reply_holds(struct reading *reading)
{
    const struct wcts_record *record = &reading->exchange->records[reading->call];
    const struct wcts_message *message = wcts_message_of(reading->spec, record->operation);
    uint64_t value;
    if (!message || !member_at(reading, record->reply, record->reply_size, message->reply_at,
                               arg(reading, WCTS_ARG_MEMBER)->refs[0], &value)) {
        snprintf(reading->text, sizeof reading->text, "the reply is too short to hold it");
        return false;
    }
    return value_holds(reading, "the reply's", value);
}

/* The first message of an operation while the call went on; -1: none. */
static int asked(const struct reading *reading, uint32_t operation)
{
    for (int i = reading->call + 1; i < reading->exchange->count; i++) {
        if (reading->exchange->records[i].depth == 0)
            break;
        if (reading->exchange->records[i].operation == operation)
            return i;
    }
    return -1;
}

static bool told_holds(struct reading *reading)
{
    const struct wcts_message *message =
        &reading->spec->messages[arg(reading, WCTS_ARG_OPERATION)->number];
    int index = asked(reading, message->operation);
    const struct wcts_record *record;
    uint64_t value;
    bool never = arg(reading, WCTS_ARG_NEVER)->given;
    if ((index >= 0) == never) {
        snprintf(reading->text, sizeof reading->text, "the driver was %s %s, expected it %s be",
                 never ? "asked" : "not asked", message->name, never ? "not to" : "to");
        return false;
    }
    if (never || !arg(reading, WCTS_ARG_MEMBER)->given)
        return true;
    record = &reading->exchange->records[index];
    if (!member_at(reading, record->request, record->request_size, message->request_at,
                   arg(reading, WCTS_ARG_MEMBER)->refs[0], &value)) {
        snprintf(reading->text, sizeof reading->text, "the request is too short to hold it");
        return false;
    }
    return value_holds(reading, "the driver's", value);
}

/* The last call of the suite itself: the one that the case is about. */
static int call_of(const struct wcts_exchange *exchange, uint32_t operation)
{
    for (int i = exchange->count - 1; i >= 0; i--)
        if (exchange->records[i].depth == 0 && exchange->records[i].operation == operation)
            return i;
    return -1;
}

void wcts_judge_call(const struct wcts_plan *plan, const struct wcts_case *one,
                     const struct wcts_world *world, const struct wcts_symbols *symbols,
                     enum wcts_judging judging, const struct wcts_attempt *attempt,
                     const struct wcts_exchange *exchange, struct wcts_result *result)
{
    struct reading reading = {.plan = plan,
                              .spec = plan->spec,
                              .effect = &plan->spec->rules[one->rule],
                              .world = world,
                              .symbols = symbols,
                              .instance = one->instance,
                              .exchange = exchange,
                              .call = call_of(exchange, attempt->operation)};
    char status[64];
    bool holds;
    wcts_status_text(attempt->status, status, sizeof status);
    if (reading.call < 0 || wcts_answer_of(attempt->status) != WCTS_ANSWER_ACCEPTED) {
        wcts_result_set(result, WCTS_VERDICT_SKIP,
                        "the call was refused: %s answered %s, no "
                        "effect to see",
                        wcts_operation_name(attempt->operation), status);
        return;
    }
    holds = reading.effect->form == WCTS_FORM_EFFECT_TOLD ? told_holds(&reading)
                                                          : reply_holds(&reading);
    result->verdict = WCTS_VERDICT_PASS;
    if (!holds)
        wcts_result_set(result, wcts_weight(plan, one, judging), "%s", reading.text);
}
