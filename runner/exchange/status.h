/* SPDX-License-Identifier: MIT */
/* The classes of statuses. */
#ifndef WCTS_STATUS_H
#define WCTS_STATUS_H

#include <stdbool.h>

#include "../../include/wddm-cts.h"

enum wcts_exchange_answer {
    WCTS_ANSWER_ACCEPTED,
    WCTS_ANSWER_REFUSED,
    WCTS_ANSWER_MISSING, /* not implemented, not supported */
    WCTS_ANSWER_NO_TEST  /* out of memory and the like */
};

enum wcts_exchange_answer wcts_exchange_answer_of(wcts_status status);
/* True if the side has the operation and did not carry it out. */
bool wcts_exchange_is_denied(wcts_status status);

#endif
