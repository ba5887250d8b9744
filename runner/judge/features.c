/* SPDX-License-Identifier: MIT */
#include "features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/array.h"
#include "../exchange/view.h"
#include "../oracle/world.h"

/* What a reader looks for first is cheapest. */
enum {
    COST_VERSION = 2,
    COST_SET = 2,
    COST_GIVEN,
    COST_CLEAR,
    COST_NUMBER,
    COST_SIZE,
    COST_HOST,
    COST_PATH = 8
};

/* Numbers at which implementations begin to do otherwise: several, pages of each host, and more. */
static const uint64_t sizes[] = {2, 4096, 16384, 65536, 1 << 20, UINT64_C(1) << 32};
static const unsigned pages[] = {4096, 16384, 65536};

/* ---- adding ---- */

/* Adds a condition; false if it is none of the language. */
static bool add_feature(struct wcts_judge_features *features, int cost, const char *line)
{
    struct wcts_diagnostics silent = {.out = NULL};
    struct wcts_lang_text text = {.text = line,
                                  .length = strlen(line),
                                  .diagnostics = &silent,
                                  .attribute = "",
                                  .element = ""};
    struct wcts_judge_feature *feature;
    int root = wcts_lang_parse(&features->exprs, &text);
    if (!root || !wcts_lang_check(&features->exprs, features->spec, &text, features->on, root,
                                  WCTS_EXPR_FLAG))
        return false;
    feature = WCTS_ARRAY_ADD(features->of, features->count);
    if (feature)
        *feature = (struct wcts_judge_feature){strdup(line), root, 0, 0, cost, false};
    return feature != NULL;
}

/* Adds a comparison, "Size" "< 4096", and its opposite. */
static void add_compared(struct wcts_judge_features *features, int cost, int opposite_cost,
                         const char *name, const char *is, const char *opposite)
{
    char line[512];
    snprintf(line, sizeof line, "%s %s", name, is);
    if (!add_feature(features, cost, line))
        return;
    snprintf(line, sizeof line, "%s %s", name, opposite);
    if (add_feature(features, opposite_cost, line))
        features->of[features->count - 1].denies = true;
}

static void add_flag_features(struct wcts_judge_features *features, int extra, const char *name,
                              const struct wcts_word *word)
{
    for (int i = 0; i < word->flag_count; i++) {
        char line[512];
        snprintf(line, sizeof line, "not %s.%s", name, word->flags[i].name);
        if (add_feature(features, COST_SET + extra, line + strlen("not ")) &&
            add_feature(features, COST_CLEAR + extra, line))
            features->of[features->count - 1].denies = true;
    }
}

static void add_number_feature(struct wcts_judge_features *features, const char *name,
                               const struct wcts_member *member)
{
    char is[160], opposite[160];
    for (int i = 0; i < member->number_count; i++) {
        snprintf(is, sizeof is, "= %s", member->numbers[i].name);
        snprintf(opposite, sizeof opposite, "!= %s", member->numbers[i].name);
        add_compared(features, COST_NUMBER, COST_NUMBER + 1, name, is, opposite);
    }
    for (size_t i = 0; member->number_count == 0 && i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(is, sizeof is, "< %" PRIu64, sizes[i]);
        snprintf(opposite, sizeof opposite, ">= %" PRIu64, sizes[i]);
        add_compared(features, COST_SIZE, COST_SIZE, name, is, opposite);
        snprintf(is, sizeof is, "mod %" PRIu64 " != 0", sizes[i]);
        snprintf(opposite, sizeof opposite, "mod %" PRIu64 " = 0", sizes[i]);
        add_compared(features, COST_SIZE + 1, COST_SIZE + 2, name, is, opposite);
    }
}

/* path: "" or "hResource/STRUCTURE." */
static void add_members(struct wcts_judge_features *features, int structure, const char *path)
{
    const struct wcts_structure *of = &features->spec->structures[structure];
    const int extra = path[0] ? COST_PATH : 0;
    for (int i = 0; i < of->member_count; i++) {
        const struct wcts_member *member = &of->members[i];
        char name[256];
        snprintf(name, sizeof name, "%s%s", path, member->name);
        if (member->word >= 0)
            add_flag_features(features, extra, name, &features->spec->words[member->word]);
        else
            add_compared(features, COST_GIVEN + extra, COST_CLEAR + extra, name, "!= 0", "= 0");
        if (member->word < 0 && member->type == WCTS_TYPE_NUMBER && !path[0])
            add_number_feature(features, name, member);
    }
}

static void add_versions(struct wcts_judge_features *features)
{
    for (int version = 1; version < features->spec->versions_count; version++)
        for (int until = 0; until < 2; until++) {
            struct wcts_judge_feature *feature = WCTS_ARRAY_ADD(features->of, features->count);
            if (feature)
                *feature = (struct wcts_judge_feature){
                    NULL, 0, until ? 0 : version, until ? version : 0, COST_VERSION, false};
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
        char is[32], opposite[32];
        snprintf(is, sizeof is, "= %u", pages[i]);
        snprintf(opposite, sizeof opposite, "!= %u", pages[i]);
        add_compared(features, COST_HOST, COST_HOST, "page", is, opposite);
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
static bool leads_to_feature(const struct wcts_judge_features *features,
                             const struct wcts_exchange_view *view, int instance, int member,
                             int structure)
{
    const struct wcts_lang_env env = wcts_exchange_env(view);
    const struct wcts_lang_ref path[] = {{(int16_t)features->on, (int16_t)member, -1, false, 0},
                                         {(int16_t)structure, 0, -1, false, 0}};
    return env.value(&env, instance, path, 2).known;
}

static void follow_features(struct wcts_judge_features *features,
                            const struct wcts_exchange_view *view, int instance, int member)
{
    const struct wcts_spec *spec = features->spec;
    for (int structure = 0; features->made && structure < spec->structures_count; structure++) {
        char path[256];
        if (spec->structures[structure].member_count == 0 ||
            was_tried(features, member, structure) || !features->made[structure] ||
            !leads_to_feature(features, view, instance, member, structure))
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
                follow_features(
                    features, view,
                    wcts_exchange_instance((struct wcts_exchange_cursor){record, element}), member);
        }
}

/* ---- asking ---- */

static enum wcts_truth truth_of(const struct wcts_judge_features *features,
                                const struct wcts_judge_feature *feature,
                                const struct wcts_lang_env *env, int instance, int version)
{
    bool holds;
    if (feature->when)
        return wcts_lang_truth(&features->exprs, feature->when, env, instance);
    holds = feature->until ? version < feature->until : version >= feature->since;
    return holds ? WCTS_TRUE : WCTS_FALSE;
}

void wcts_judge_features_ask(const struct wcts_judge_features *features,
                             const struct wcts_lang_env *env, int instance, int version,
                             uint64_t *bits)
{
    enum wcts_truth truth = WCTS_UNKNOWN;
    memset(bits, 0, (size_t)wcts_judge_features_words(features) * sizeof *bits);
    for (int i = 0; i < features->count; i++) {
        if (!features->of[i].denies)
            truth = truth_of(features, &features->of[i], env, instance, version);
        if (truth == (features->of[i].denies ? WCTS_FALSE : WCTS_TRUE))
            bits[i / 64] |= UINT64_C(1) << i % 64;
    }
}
