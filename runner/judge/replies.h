/* SPDX-License-Identifier: MIT */
/*
 * What a request and its reply alone decide: the effects that read nothing else, such as "the flags
 * come back as the caller set them". For sweeps, which keep no messages of most of their calls.
 */
#ifndef WCTS_REPLIES_H
#define WCTS_REPLIES_H

#include "../exchange/exchange.h"
#include "../model/test.h"

struct wcts_judge_replies;

/* The effects of the version on a call of the operation that a kernel with these capabilities
 * shows. test: the case in whose calls they are looked at. NULL if there is none, or without
 * memory. */
struct wcts_judge_replies *wcts_judge_replies_new(const struct wcts_spec *spec,
                                                  const struct wcts_case *test, uint32_t operation,
                                                  uint32_t capabilities);
void wcts_judge_replies_free(struct wcts_judge_replies *replies);
/* The first rule that an accepted call breaks, -1: none, or it is of another operation. The bytes
 * are borrowed. */
int wcts_judge_replies_broken(struct wcts_judge_replies *replies, uint32_t operation,
                              const void *request, uint32_t request_size, const void *reply,
                              uint32_t reply_size);

#endif
