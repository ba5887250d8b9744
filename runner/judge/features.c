/* SPDX-License-Identifier: MIT */
#include "features.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../exchange/view.h"
#include "../oracle/world.h"

/* What a reader looks for first is cheapest. */
enum { COST_SET = 2, COST_GIVEN, COST_CLEAR, COST_NUMBER, COST_SIZE, COST_HOST, COST_PATH = 8 };

/* Sizes at which implementations begin to do otherwise: pages of each host, and more. */
static const uint64_t sizes[] = {4096, 16384, 65536, 1 << 20, UINT64_C(1) << 32};
static const unsigned pages[] = {4096, 16384, 65536};

/* ---- adding ---- */

/* Adds a condition that is one of the language; others are left out. */
static void add(struct wcts_judge_features *features, int cost, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct wcts_judge_features *features, int cost, const char *format, ...)
{
    struct wcts_diagnostics silent = {.out = NULL};
    struct wcts_lang_text text = {.diagnostics = &silent, .attribute = "", .element = ""};
    struct wcts_judge_feature *feature;
    char line[512];
    va_list list;
    int root;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    text.text = line;
    text.length = strlen(line);
    root = wcts_lang_parse(&features->exprs, &text);
    if (!root || !wcts_lang_check(&features->exprs, features->spec, &text, features->on, root,
                                  WCTS_EXPR_FLAG))
        return;
    feature = WCTS_ARRAY_ADD(features->of, features->count);
    if (feature)
        *feature = (struct wcts_judge_feature){strdup(line), root, 0, 0, cost};
}

static void add_flags(struct wcts_judge_features *features, const char *path, int extra,
                      const struct wcts_member *member)
{
    const struct wcts_word *word = &features->spec->words[member->word];
    for (int i = 0; i < word->flag_count; i++) {
        add(features, COST_SET + extra, "%s%s.%s", path, member->name, word->flags[i].name);
        add(features, COST_CLEAR + extra, "not %s%s.%s", path, member->name, word->flags[i].name);
    }
}

static void add_number(struct wcts_judge_features *features, const char *path, int extra,
                       const struct wcts_member *member)
{
    for (int i = 0; i < member->number_count; i++) {
        add(features, COST_NUMBER + extra, "%s%s = %s", path, member->name,
            member->numbers[i].name);
        add(features, COST_NUMBER + 1 + extra, "%s%s != %s", path, member->name,
            member->numbers[i].name);
    }
    for (size_t i = 0; member->number_count == 0 && i < sizeof sizes / sizeof *sizes; i++) {
        add(features, COST_SIZE + extra, "%s%s < %" PRIu64, path, member->name, sizes[i]);
        add(features, COST_SIZE + extra, "%s%s >= %" PRIu64, path, member->name, sizes[i]);
        add(features, COST_SIZE + 1 + extra, "%s%s mod %" PRIu64 " != 0", path, member->name,
            sizes[i]);
        add(features, COST_SIZE + 2 + extra, "%s%s mod %" PRIu64 " = 0", path, member->name,
            sizes[i]);
    }
}

/* path: "" or "hResource/STRUCTURE." */
static void add_members(struct wcts_judge_features *features, int structure, const char *path)
{
    const struct wcts_structure *of = &features->spec->structures[structure];
    const int extra = path[0] ? COST_PATH : 0;
    for (int i = 0; i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        if (member->word >= 0) {
            add_flags(features, path, extra, member);
            continue;
        }
        add(features, COST_GIVEN + extra, "%s%s != 0", path, member->name);
        add(features, COST_CLEAR + extra, "%s%s = 0", path, member->name);
        if (member->type == WCTS_TYPE_NUMBER)
            add_number(features, path, extra, member);
    }
}

static void add_versions(struct wcts_judge_features *features)
{
    for (int version = 1; version < features->spec->versions_count; version++)
        for (int until = 0; until < 2; until++) {
            struct wcts_judge_feature *feature = WCTS_ARRAY_ADD(features->of, features->count);
            if (feature)
                *feature = (struct wcts_judge_feature){NULL, 0, until ? 0 : version,
                                                       until ? version : 0, COST_HOST};
        }
}

/* The structures that steps of the cases set, to which a path may lead. */
static bool *made_by_steps(const struct wcts_spec *spec)
{
    const struct wcts_cases *cases = spec->cases;
    bool *made = calloc((size_t)spec->structures_count + 1, sizeof *made);
    for (int s = 0; made && s < cases->steps_count; s++)
        for (int i = 0; i < cases->steps[s].instance_count; i++)
            if (cases->steps[s].instances[i].structure >= 0)
                made[cases->steps[s].instances[i].structure] = true;
    return made;
}

void wcts_judge_features_init(struct wcts_judge_features *features, const struct wcts_spec *spec,
                              int on)
{
    *features = (struct wcts_judge_features){.spec = spec, .on = on};
    wcts_lang_exprs_init(&features->exprs);
    features->made = made_by_steps(spec);
    add_versions(features);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        add(features, COST_HOST, "page = %u", pages[i]);
        add(features, COST_HOST, "page != %u", pages[i]);
    }
    add_members(features, on, "");
}

void wcts_judge_features_release(struct wcts_judge_features *features)
{
    for (int i = 0; i < features->count; i++)
        free(features->of[i].text);
    free(features->of);
    free(features->paths);
    free(features->made);
    wcts_lang_exprs_release(&features->exprs);
    *features = (struct wcts_judge_features){0};
}

/* ---- what made an object ---- */

static bool was_tried(struct wcts_judge_features *features, int member, int structure)
{
    for (int i = 0; i < features->path_count; i++)
        if (features->paths[i].member == member && features->paths[i].structure == structure)
            return true;
    return false;
}

/* True if the handle of the instance leads to such a structure. */
static bool leads_to(const struct wcts_judge_features *features,
                     const struct wcts_exchange_view *view, int instance, int member, int structure)
{
    const struct wcts_lang_env env = wcts_exchange_env(view);
    const struct wcts_lang_ref path[] = {{(int16_t)features->on, (int16_t)member, -1, false, 0},
                                         {(int16_t)structure, 0, -1, false, 0}};
    return env.value(&env, instance, path, 2).known;
}

static void follow(struct wcts_judge_features *features, const struct wcts_exchange_view *view,
                   int instance, int member)
{
    const struct wcts_spec *spec = features->spec;
    for (int structure = 0; features->made && structure < spec->structures_count; structure++) {
        char path[256];
        if (spec->structures[structure].member_count == 0 ||
            was_tried(features, member, structure) || !features->made[structure] ||
            !leads_to(features, view, instance, member, structure))
            continue;
        __typeof__(features->paths) added = WCTS_ARRAY_ADD(features->paths, features->path_count);
        if (!added)
            return;
        added->member = member;
        added->structure = structure;
        snprintf(path, sizeof path, "%s/%s.", spec->structures[features->on].members[member].name,
                 spec->structures[structure].name);
        add_members(features, structure, path);
    }
}

void wcts_judge_features_follow(struct wcts_judge_features *features,
                                const struct wcts_exchange_view *view, int record)
{
    const struct wcts_structure *on = &features->spec->structures[features->on];
    int count = wcts_exchange_count(view, record, features->on, false);
    for (int element = 0; element < count; element++)
        for (int member = 0; member < on->member_count; member++) {
            uint64_t value;
            if (on->members[member].type == WCTS_TYPE_HANDLE &&
                wcts_exchange_member(view, record, (struct wcts_ref){features->on, member, -1},
                                     false, element, &value) &&
                value != 0)
                follow(features, view,
                       wcts_exchange_instance((struct wcts_exchange_cursor){record, element}),
                       member);
        }
}

/* ---- asking ---- */

static bool is_true(const struct wcts_judge_features *features,
                    const struct wcts_judge_feature *feature, const struct wcts_lang_env *env,
                    int instance, int version)
{
    if (feature->when)
        return wcts_lang_truth(&features->exprs, feature->when, env, instance) == WCTS_TRUE;
    return feature->until ? version < feature->until : version >= feature->since;
}

void wcts_judge_features_ask(const struct wcts_judge_features *features,
                             const struct wcts_lang_env *env, int instance, int version,
                             uint64_t *bits)
{
    memset(bits, 0, (size_t)wcts_judge_features_words(features) * sizeof *bits);
    for (int i = 0; i < features->count; i++)
        if (is_true(features, &features->of[i], env, instance, version))
            bits[i / 64] |= UINT64_C(1) << i % 64;
}
