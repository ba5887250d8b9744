/* SPDX-License-Identifier: MIT */
/*
 * Simple conditions about a structure of requests, and which of them are true of calls: what a
 * profile is proposed from (reports/profile_derive.h).
 */
#ifndef WCTS_JUDGE_FEATURES_H
#define WCTS_JUDGE_FEATURES_H

#include "judge.h"

/*
 * One condition: "Flags.A", "not Flags.A", "Size < 4096", "page = 16384", or that the version is at
 * least, or below, one. The dearer one says less about what a reader looks for first.
 */
struct wcts_judge_feature {
    char *text;       /* owned; NULL: it is about the version */
    int when;         /* expression; 0: it is about the version */
    int since, until; /* of those about the version: one of them; else 0 */
    int cost;
    bool denies; /* it is true where the one before it is false */
};

/* Conditions about one structure. The owner releases them. */
struct wcts_judge_features {
    const struct wcts_spec *spec;
    int on; /* structure */
    struct wcts_lang_exprs exprs;
    struct wcts_judge_feature *of;
    int count;
    bool *made; /* by structure: true if a step of the cases makes something by it */
    struct {
        int member, structure;
    } * paths; /* by which handles lead to what, as far as that was tried */
    int path_count;
};

void wcts_judge_features_init(struct wcts_judge_features *features, const struct wcts_spec *spec,
                              int on);
void wcts_judge_features_release(struct wcts_judge_features *features);
/* Adds conditions about what made the objects that the record names, where that is known. */
void wcts_judge_features_follow(struct wcts_judge_features *features,
                                const struct wcts_exchange_view *view, int record);
/* 64-bit words of a set of them. */
static inline int wcts_judge_features_words(const struct wcts_judge_features *features)
{
    return (features->count + 63) / 64;
}
/* Sets the bits of those that are true of an instance, at a version. */
void wcts_judge_features_ask(const struct wcts_judge_features *features,
                             const struct wcts_lang_env *env, int instance, int version,
                             uint64_t *bits);

#endif
