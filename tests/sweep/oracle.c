/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "runner/lang/expr.h"
#include "runner/model/cases.h"

static const struct wcts_ref no_ref = {-1, -1, -1};

/* ---- Bases ---- */

static int base_named(const struct wcts_cases *cases, const char *name)
{
    for (int i = 0; i < cases->bases_count; i++)
        if (strcmp(cases->bases[i].name, name) == 0)
            return i;
    return -1;
}

static uint64_t bit_of(const struct wcts_spec *spec, struct wcts_ref ref)
{
    return UINT64_C(1) << spec->words[wcts_model_ref_member(spec, ref)->word].flags[ref.flag].bit;
}

static bool is_here(const struct oracle *oracle, struct wcts_ref ref)
{
    return ref.flag >= 0 && ref.structure == oracle->member.structure &&
           ref.member == oracle->member.member;
}

/* The first member of the structure that holds a word at the version. */
static struct wcts_ref word_member(const struct wcts_spec *spec, int structure, int version)
{
    for (int i = 0; i < spec->structures[structure].member_count; i++) {
        const struct wcts_member *member = &spec->structures[structure].members[i];
        if (member->word >= 0 && version >= member->since && version < member->until)
            return (struct wcts_ref){structure, i, -1};
    }
    return no_ref;
}

static struct oracle_variant *add_variant(struct oracle *oracle)
{
    return &oracle->variants[oracle->variant_count++];
}

static uint64_t own_flags(const struct oracle *oracle, const struct oracle_variant *variant)
{
    return wcts_world_get(&variant->world, variant->instance, oracle->member).number;
}

/* ---- The create call: the plain one, over existing memory, over a section ---- */

static bool add_base(struct oracle *oracle, const char *name)
{
    const struct wcts_cases *cases = oracle->eval->spec->cases;
    int base = base_named(cases, name);
    struct oracle_variant *variant;
    if (base < 0)
        return false;
    if (oracle->version < cases->bases[base].since || oracle->version >= cases->bases[base].until)
        return true;
    variant = add_variant(oracle);
    if (!wcts_world_init_base(&variant->world, oracle->eval, base, oracle->version, 4096))
        return false;
    variant->instance = variant->world.adapter_count;
    return true;
}

/* A value that speaks of companions takes the base whose own flag it has, else the second. */
static bool make_create(struct oracle *oracle)
{
    static const char *const names[ORACLE_VARIANTS] = {"create", "existing", "section"};
    const struct wcts_spec *spec = oracle->eval->spec;
    uint64_t one, other;
    for (int i = 0; i < ORACLE_VARIANTS; i++)
        if (!add_base(oracle, names[i]))
            return false;
    oracle->member = word_member(
        spec, oracle->variants[0].world.instances[oracle->variants[0].instance].structure,
        oracle->version);
    if (oracle->variant_count < ORACLE_VARIANTS)
        return true;
    for (int v = 1; v < ORACLE_VARIANTS; v++)
        for (int i = 0; i < oracle->variants[v].world.count; i++) {
            struct wcts_ref when = oracle->variants[v].world.instances[i].when;
            if (when.structure >= 0 && is_here(oracle, when))
                oracle->companions |= bit_of(spec, when);
        }
    one = own_flags(oracle, &oracle->variants[1]);
    other = own_flags(oracle, &oracle->variants[2]);
    oracle->companions |= one ^ other;
    oracle->choice[1] = oracle->companions;
    oracle->choice[2] = other & ~one;
    oracle->against[2] = one & ~other;
    return true;
}

/* ---- Segments: one of them alone, with the entries that hang on it ---- */

static bool copy_instance(struct wcts_world *to, const struct wcts_world *from, int index,
                          int parent)
{
    const struct wcts_oracle_world_instance *one = &from->instances[index];
    size_t members = (size_t)from->eval->spec->structures[one->structure].member_count;
    int copy = wcts_world_add(to, one->structure, one->name, parent, one->at);
    if (copy < 0)
        return false;
    memcpy(to->instances[copy].values, one->values, members * sizeof *one->values);
    to->adapter_count = to->count;
    return true;
}

/* The answers of the base with the segment as the only one. */
static bool add_segment(struct oracle *oracle, const struct wcts_world *base, int segment)
{
    struct oracle_variant *variant = add_variant(oracle);
    bool good = true;
    wcts_world_init(&variant->world, oracle->eval, oracle->version, 4096);
    for (int i = 0; good && i < base->adapter_count; i++) {
        bool other = base->instances[i].structure == oracle->member.structure && i != segment;
        if (base->instances[i].parent < 0 && !other) {
            variant->instance = i == segment ? variant->world.count : variant->instance;
            good = copy_instance(&variant->world, base, i, -1);
        } else if (base->instances[i].parent == segment) {
            good = copy_instance(&variant->world, base, i, variant->instance);
        }
    }
    wcts_world_settle(&variant->world);
    return good;
}

static bool has_entries(const struct wcts_world *world, int instance)
{
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].parent == instance)
            return true;
    return false;
}

/* The plain segment; with the flags of one that has entries, that one. */
static bool make_segments(struct oracle *oracle)
{
    int base = base_named(oracle->eval->spec->cases, "segments"), first = -1;
    int structure = wcts_model_spec_structure(oracle->eval->spec, "DXGK_SEGMENTDESCRIPTOR");
    struct wcts_world world;
    bool good = base >= 0 && structure >= 0 &&
                wcts_world_init_base(&world, oracle->eval, base, oracle->version, 4096);
    if (!good)
        return false;
    oracle->member = word_member(oracle->eval->spec, structure, oracle->version);
    for (int i = 0; good && i < world.adapter_count; i++) {
        if (world.instances[i].structure != structure)
            continue;
        if (first < 0)
            good = add_segment(oracle, &world, first = i);
        else if (has_entries(&world, i) && oracle->variant_count < 2)
            good = add_segment(oracle, &world, i);
    }
    wcts_world_release(&world);
    if (good && oracle->variant_count == 2)
        oracle->choice[1] = oracle->companions = own_flags(oracle, &oracle->variants[1]);
    return good && oracle->member.structure >= 0;
}

/* ---- What rules look at ---- */

static bool in_some_world(const struct oracle *oracle, int structure)
{
    for (int v = 0; v < oracle->variant_count; v++)
        for (int i = 0; i < oracle->variants[v].world.count; i++)
            if (oracle->variants[v].world.instances[i].structure == structure)
                return true;
    return false;
}

static void relate(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct oracle *oracle = context;
    (void)use;
    if (is_here(oracle, ref))
        oracle->related |= bit_of(oracle->eval->spec, ref);
}

static void find_related(struct oracle *oracle)
{
    const struct wcts_spec *spec = oracle->eval->spec;
    oracle->related = oracle->companions;
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        /* What is asked of a call: effects relate no flags. */
        if (!wcts_model_is_asked(rule->form) || !in_some_world(oracle, rule->on) ||
            !wcts_oracle_rule_binds(spec, rule, oracle->version))
            continue;
        wcts_lang_reads(spec->exprs, rule->breach.when, relate, oracle);
        wcts_lang_reads(spec->exprs, rule->breach.refuse, relate, oracle);
        wcts_lang_reads(spec->exprs, rule->breach.unless, relate, oracle);
    }
    for (int i = 0; i < spec->opens_count; i++)
        if (in_some_world(oracle, spec->opens[i].on))
            wcts_lang_reads(spec->exprs, spec->opens[i].when, relate, oracle);
}

/* ---- Asking ---- */

static uint64_t lowest(uint64_t bits)
{
    return bits & -bits;
}

/* The bits of the word that no flag has, and those of free flags. */
static uint64_t undefined_bits(const struct oracle *oracle)
{
    return UINT32_MAX & ~(oracle->defined | oracle->open | oracle->related);
}

static uint64_t free_bits(const struct oracle *oracle)
{
    return oracle->defined & ~(oracle->open | oracle->related);
}

static uint64_t open_bits(const struct oracle *oracle)
{
    return oracle->open & ~oracle->related;
}

/* Position of a value's answer: three bits for what is set beside the related flags. */
static size_t position(const struct oracle *oracle, uint64_t value)
{
    size_t at = (size_t)((value & undefined_bits(oracle)) != 0) |
                (size_t)((value & free_bits(oracle)) != 0) << 1 |
                (size_t)((value & open_bits(oracle)) != 0) << 2;
    int next = 3;
    for (uint64_t left = oracle->related; left; left &= left - 1, next++)
        at |= (size_t)((value & lowest(left)) != 0) << next;
    return at;
}

/* A value of that position. */
static uint64_t representative(const struct oracle *oracle, size_t at)
{
    uint64_t value = 0;
    int next = 3;
    value |= at & 1 ? lowest(undefined_bits(oracle)) : 0;
    value |= at & 2 ? lowest(free_bits(oracle)) : 0;
    value |= at & 4 ? lowest(open_bits(oracle)) : 0;
    for (uint64_t left = oracle->related; left; left &= left - 1, next++)
        value |= at >> next & 1 ? lowest(left) : 0;
    return value;
}

int oracle_variant_of(const struct oracle *oracle, uint64_t value)
{
    int variant = 0;
    for (int i = 1; i < oracle->variant_count; i++)
        if ((value & oracle->choice[i]) && !(value & oracle->against[i]))
            variant = i;
    return variant;
}

const struct wcts_world *oracle_world(struct oracle *oracle, uint64_t value)
{
    struct oracle_variant *variant = &oracle->variants[oracle_variant_of(oracle, value)];
    struct wcts_world *world = &variant->world;
    for (int i = 0; i < world->count; i++) {
        const struct wcts_oracle_world_instance *one = &world->instances[i];
        world->instances[i].present = true;
        if (one->parent >= 0 &&
            world->instances[one->parent].values[one->at.member].symbol == WCTS_SYMBOL_AUTO)
            world->instances[one->parent].values[one->at.member].number = 0;
    }
    wcts_world_put(world, variant->instance, oracle->member,
                   (struct wcts_value){.symbol = -1, .number = value});
    wcts_world_settle(world);
    return world;
}

enum wcts_expect oracle_ask_in_full(struct oracle *oracle, uint64_t value,
                                    struct wcts_oracle_prediction *prediction)
{
    wcts_world_judge(oracle_world(oracle, value), prediction);
    return prediction->strict == WCTS_EXPECT_ASSERT ? WCTS_EXPECT_REFUSE : prediction->strict;
}

enum wcts_expect oracle_ask(const struct oracle *oracle, uint64_t value)
{
    return (enum wcts_expect)oracle->answers[position(oracle, value)];
}

/* ---- Life ---- */

static bool compile(struct oracle *oracle)
{
    size_t count = (size_t)8 << __builtin_popcountll(oracle->related);
    struct wcts_oracle_prediction prediction;
    oracle->answers = malloc(count);
    if (!oracle->answers)
        return false;
    for (size_t at = 0; at < count; at++)
        oracle->answers[at] =
            (unsigned char)oracle_ask_in_full(oracle, representative(oracle, at), &prediction);
    return true;
}

bool oracle_describe(struct oracle *oracle, const struct wcts_eval *eval, int word, int version)
{
    const struct wcts_oracle_masks *masks;
    *oracle = (struct oracle){.eval = eval, .version = version, .segments = word == 1};
    if (!(oracle->segments ? make_segments(oracle) : make_create(oracle)) ||
        oracle->member.structure < 0)
        return false;
    masks = wcts_oracle_eval_masks(eval, wcts_model_ref_member(eval->spec, oracle->member)->word,
                                   version);
    oracle->defined = masks->defined;
    oracle->open = masks->open;
    find_related(oracle);
    return true;
}

bool oracle_init(struct oracle *oracle, const struct wcts_eval *eval, int word, int version)
{
    return oracle_describe(oracle, eval, word, version) && compile(oracle);
}

void oracle_release(struct oracle *oracle)
{
    for (int i = 0; i < oracle->variant_count; i++)
        wcts_world_release(&oracle->variants[i].world);
    free(oracle->answers);
    *oracle = (struct oracle){0};
}
