/* SPDX-License-Identifier: MIT */
/* The words of the format: each list is in the order of its enum and ends with NULL; and the
 * nearest name to suggest instead of an unknown one. */
#ifndef WCTS_NAMES_H
#define WCTS_NAMES_H

#include <stddef.h>
#include <stdint.h>

extern const char *const wcts_role_words[];
extern const char *const wcts_force_words[];
extern const char *const wcts_basis_words[];
extern const char *const wcts_outcome_words[];
extern const char *const wcts_statement_form_words[];
extern const char *const wcts_member_type_words[];
extern const char *const wcts_page_state_words[];
extern const char *const wcts_reservation_words[]; /* of a rule: zero no-access */
extern const char *const wcts_result_of_words[];   /* of a result: those and free */
extern const char *const wcts_gap_value_words[];   /* enum wcts_gap_value, from ABSENT on */
extern const char *const wcts_party_words[];       /* kernel driver */
extern const char *const wcts_capability_words[];  /* bits of enum wcts_capability, in order */
extern const uint32_t wcts_capability_bits[];      /* ... and each as a bit */
extern const char *const wcts_page_words[];        /* sizes of a host page */
extern const uint32_t wcts_page_bits[];
extern const char *const wcts_patches_words[]; /* enum wcts_patches */
extern const char *const wcts_paging_words[];  /* the paging operations of the header */
extern const uint32_t wcts_paging_bits[];
extern const char *const wcts_yes_no_words[];        /* yes no */
extern const char *const wcts_content_words[];       /* enum wcts_content */
extern const char *const wcts_span_words[];          /* enum wcts_span */
extern const char *const wcts_too_words[];           /* too */
extern const char *const wcts_recorded_words[];      /* denied */
extern const char *const wcts_profile_shows_words[]; /* every some */
extern const char *const wcts_shows_words[];         /* enum wcts_shows, from PLACE on */
extern const char *const wcts_meaning_words[];       /* enum wcts_meaning */
extern const char
    *const wcts_buffer_words[]; /* the aspects of wcts_judge_check_buffer, in its order */
extern const char *const wcts_column_words[];

/* The position of text[0..length) in words, or -1. */
int wcts_model_word_index(const char *const *words, const char *text, size_t length);

/* The nearest of the names tried so far, to suggest instead of an unknown name. Example: of
 * "crate" after "create" and "lock" were tried: {"crate", 5, .best = "create", .distance = 1}. */
struct wcts_near {
    const char *name; /* as written, not owned */
    size_t length;
    const char *best; /* NULL: none is near enough */
    size_t distance;
};

struct wcts_near wcts_model_near_start(const char *name, size_t length);
void wcts_model_near_try(struct wcts_near *near, const char *candidate);
/* ", did you mean "X"?" or ""; returns buffer. */
const char *wcts_model_near_text(const struct wcts_near *near, char *buffer, size_t room);

enum wcts_missing { WCTS_MISSING_MUST, WCTS_MISSING_SETUP, WCTS_MISSING_MAY };

struct wcts_message;
/* The capability (enum wcts_capability) that makes a message observable; 0: none. */
uint32_t wcts_model_shown_by(const struct wcts_message *message);

/* How a side may lack the operation. */
enum wcts_missing wcts_model_operation_missing(uint32_t operation);

#endif
