/* SPDX-License-Identifier: MIT */
/*
 * A declaration: what an implementation claims and has, written down, so that a later build can be
 * compared with it. "probe --xml" writes one (reports/declaration.h), "run --declaration" reads one
 * (load/declaration.h).
 */
#ifndef WCTS_DECLARATION_H
#define WCTS_DECLARATION_H

#include "spec.h"

/* A thing that is declared by its name, and where: {{"mine.xml", 4}, "texture"}. */
struct wcts_declared_name {
    struct wcts_place place;
    const char *name;
    int feature; /* of a feature: its index; of a kind 0 */
};

/*
 * One side. <driver first="2.0" last="2.4" patches="64" paging="transfer fill"> with a kind is
 * {.there = true, .first = 5, .last = 9, .patches = WCTS_PATCHES_64, .paging = 3, .kind_count = 1}.
 */
struct wcts_declared_side {
    bool there; /* false: nothing is declared of this side */
    struct wcts_place place;
    int first, last; /* versions, both included */
    uint32_t capabilities;
    uint32_t pages;  /* kernel: sum of host page sizes */
    int patches;     /* driver: enum wcts_patches; -1: not declared */
    uint32_t paging; /* driver: bit n is the paging operation n */
    struct wcts_declared_name *kinds, *features;
    int kind_count, feature_count;
};

/* The caller of wcts_load_declaration frees it (wcts_load_declaration_free). Example:
 * {"mine.xml", its place, "mine", {{kernel: 1.0 to 2.0, ...}, {driver: not declared}}}. */
struct wcts_declaration {
    const char *path;
    struct wcts_place place;
    const char *name;                   /* of the implementation; NULL: not declared */
    struct wcts_declared_side sides[2]; /* kernel, driver */
    struct wcts_arena *arena;
};

#endif
