/* SPDX-License-Identifier: MIT */
/* What a record has of a structure, for rules about what crossed. */
#include "partial_parts.h"

const struct wcts_message *wcts_judge_message_sent(const struct judge_sent *sent, int record)
{
    return wcts_exchange_message_of(sent->view.spec,
                                    sent->view.exchange->records[record].operation);
}

enum judge_half wcts_judge_half_of(const struct wcts_message *message, int structure)
{
    unsigned held = message ? message->holds[structure] : 0;
    if (message && message->driver && held & WCTS_HELD_REPLY)
        return HALF_REPLY;
    return held & WCTS_HELD_REQUEST ? HALF_REQUEST : HALF_NONE;
}

int wcts_judge_count_sent(const struct judge_sent *sent, int record, int structure)
{
    enum judge_half half = wcts_judge_half_of(wcts_judge_message_sent(sent, record), structure);
    return half == HALF_NONE
               ? 0
               : wcts_exchange_count(&sent->view, record, structure, half == HALF_REPLY);
}

bool wcts_judge_does_count(const struct judge_sent *sent, int record)
{
    const struct wcts_exchange *exchange = sent->view.exchange;
    const struct wcts_message *message = wcts_judge_message_sent(sent, record);
    return !message || !message->driver ||
           (wcts_exchange_knows_status(exchange, record) &&
            wcts_exchange_answer_of(exchange->records[record].status) == WCTS_ANSWER_ACCEPTED);
}
