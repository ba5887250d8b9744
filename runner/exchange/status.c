/* SPDX-License-Identifier: MIT */
#include "status.h"

enum wcts_exchange_answer wcts_exchange_answer_of(wcts_status status)
{
    switch (status) {
    case WCTS_STATUS_NOT_IMPLEMENTED:
    case WCTS_STATUS_NOT_SUPPORTED:
        return WCTS_ANSWER_MISSING;
    case WCTS_STATUS_NO_MEMORY:
    case WCTS_STATUS_INSUFFICIENT_RESOURCES:
    case WCTS_STATUS_DEVICE_REMOVED:
        return WCTS_ANSWER_NO_TEST;
    default:
        return wcts_succeeded(status) ? WCTS_ANSWER_ACCEPTED : WCTS_ANSWER_REFUSED;
    }
}

bool wcts_exchange_is_denied(wcts_status status)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(status);
    return answer == WCTS_ANSWER_REFUSED || answer == WCTS_ANSWER_NO_TEST;
}
