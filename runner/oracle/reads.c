/* SPDX-License-Identifier: MIT */
#include "reads.h"

#include <stdlib.h>
#include <string.h>

#include "../lang/expr.h"

/* ---- What a rule reads ---- */

struct oracle_rule_reading {
    wcts_oracle_read_fn *each;
    void *ctx;
};

/* What is behind a slash is of a step that is taken once; what the entries of a table are is known
 * in a world. */
static void note_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    const struct oracle_rule_reading *reading = context;
    if (use == WCTS_USE_BEHIND)
        return;
    if (use == WCTS_USE_OTHERS)
        ref.flag = -1;
    reading->each(reading->ctx, ref, use > WCTS_USE_OTHERS);
    if (use == WCTS_USE_ENTRIES)
        reading->each(reading->ctx, (struct wcts_ref){-1, -1, -1}, true);
}

static void note_expression_reads(const struct wcts_spec *spec, int expression,
                                  wcts_oracle_read_fn *each, void *ctx)
{
    struct oracle_rule_reading reading = {each, ctx};
    wcts_lang_reads(spec->exprs, expression, note_read, &reading);
}

static void note_rule_reads(const struct wcts_spec *spec, const struct wcts_rule *rule,
                            wcts_oracle_read_fn *each, void *ctx)
{
    note_expression_reads(spec, rule->breach.when, each, ctx);
    note_expression_reads(spec, rule->breach.refuse, each, ctx);
    note_expression_reads(spec, rule->breach.unless, each, ctx);
}

/* ---- The index ---- */

/* Collects the readings of one reader after the other: first their number for each member, then,
 * once there is room for them, they themselves. */
struct oracle_reads_builder {
    struct wcts_oracle_reads *reads;
    const struct wcts_spec *spec;
    int members;
    int reader;
};

static uint64_t bits_of(const struct wcts_spec *spec, struct wcts_ref ref)
{
    if (ref.flag < 0)
        return UINT64_MAX;
    return UINT64_C(1) << spec->words[wcts_model_ref_member(spec, ref)->word].flags[ref.flag].bit;
}

static void add_reading(struct oracle_reads_builder *builder, int member, uint64_t bits,
                        bool anywhere)
{
    struct wcts_oracle_reads *reads = builder->reads;
    if (reads->readings)
        reads->readings[--reads->first[member]] =
            (struct wcts_oracle_reading){builder->reader, bits, anywhere};
    else
        reads->first[member]++;
}

static void add_read(void *ctx, struct wcts_ref ref, bool anywhere)
{
    struct oracle_reads_builder *builder = ctx;
    if (ref.structure >= 0 && ref.member >= 0)
        add_reading(builder, builder->reads->eval->first_member[ref.structure] + ref.member,
                    bits_of(builder->spec, ref), anywhere);
    else
        for (int member = 0; member < builder->members; member++)
            add_reading(builder, member, UINT64_MAX, true);
}

/* What leaves instances of a structure open: flags of its words, and what <open> is about. */
static void add_open(struct oracle_reads_builder *builder, int structure)
{
    const struct wcts_spec *spec = builder->spec;
    builder->reader = spec->rules_count + structure;
    if (!builder->reads->eval->left_open[structure])
        return;
    for (int m = 0; m < spec->structures[structure].member_count; m++)
        if (spec->structures[structure].members[m].word >= 0)
            add_read(builder, (struct wcts_ref){structure, m, -1}, false);
    for (int i = 0; i < spec->opens_count; i++)
        if (spec->opens[i].on == structure)
            note_expression_reads(spec, spec->opens[i].when, add_read, builder);
}

static void note_gap_reads(struct oracle_reads_builder *builder, int index)
{
    const struct wcts_spec *spec = builder->spec;
    const struct wcts_gap *gap = &spec->gaps[index];
    builder->reader = spec->rules_count + spec->structures_count + index;
    if (gap->value != WCTS_GAP_ANY)
        add_read(builder, gap->member, true);
    note_expression_reads(spec, gap->when, add_read, builder);
    for (int i = 0; gap->breaks >= 0 && i < spec->rules_count; i++)
        if (spec->rules[i].statement == gap->breaks && wcts_model_is_asked(spec->rules[i].form))
            note_rule_reads(spec, &spec->rules[i], add_read, builder);
}

static void add_readers(struct oracle_reads_builder *builder)
{
    const struct wcts_spec *spec = builder->spec;
    /* From the last on: readings are put from their end on, and are to be in order. */
    for (int i = spec->gaps_count - 1; i >= 0; i--)
        note_gap_reads(builder, i);
    for (int i = spec->structures_count - 1; i >= 0; i--)
        add_open(builder, i);
    for (int i = spec->rules_count - 1; i >= 0; i--) {
        builder->reader = i;
        if (wcts_model_is_asked(spec->rules[i].form))
            note_rule_reads(spec, &spec->rules[i], add_read, builder);
    }
}

static bool rule_goes_by_version(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    return wcts_lang_goes_by_version(spec->exprs, rule->breach.when) ||
           wcts_lang_goes_by_version(spec->exprs, rule->breach.refuse) ||
           wcts_lang_goes_by_version(spec->exprs, rule->breach.unless);
}

/* What leaves structures open is asked at each version. */
static void find_by_version(struct wcts_oracle_reads *reads, const struct wcts_spec *spec)
{
    bool *gaps = &reads->by_version[spec->rules_count + spec->structures_count];
    for (int i = 0; i < spec->rules_count; i++)
        reads->by_version[i] = rule_goes_by_version(spec, &spec->rules[i]);
    for (int i = 0; i < spec->gaps_count; i++) {
        const struct wcts_gap *gap = &spec->gaps[i];
        gaps[i] = wcts_lang_goes_by_version(spec->exprs, gap->when);
        for (int j = 0; gap->breaks >= 0 && j < spec->rules_count; j++)
            gaps[i] = gaps[i] || (spec->rules[j].statement == gap->breaks && reads->by_version[j]);
    }
}

static int member_total(const struct wcts_spec *spec)
{
    int total = 0;
    for (int i = 0; i < spec->structures_count; i++)
        total += spec->structures[i].member_count;
    return total;
}

bool wcts_oracle_reads_init(struct wcts_oracle_reads *reads, const struct wcts_eval *eval)
{
    const struct wcts_spec *spec = eval->spec;
    struct oracle_reads_builder builder = {
        .reads = reads, .spec = spec, .members = member_total(spec)};
    *reads = (struct wcts_oracle_reads){.eval = eval};
    reads->first = calloc((size_t)builder.members + 1, sizeof *reads->first);
    reads->place = calloc((size_t)spec->rules_count + 1, sizeof *reads->place);
    reads->by_version = calloc((size_t)spec->rules_count + (size_t)spec->structures_count +
                                   (size_t)spec->gaps_count + 1,
                               sizeof *reads->by_version);
    if (!reads->first || !reads->place || !reads->by_version)
        return false;
    find_by_version(reads, spec);
    add_readers(&builder);
    for (int i = 1; i <= builder.members; i++)
        reads->first[i] += reads->first[i - 1];
    reads->readings = calloc((size_t)reads->first[builder.members] + 1, sizeof *reads->readings);
    if (!reads->readings)
        return false;
    add_readers(&builder);
    for (int s = 0; s < spec->structures_count; s++)
        for (int i = eval->first[s]; i < eval->first[s + 1]; i++)
            reads->place[eval->rules[i]] = i - eval->first[s];
    return true;
}

void wcts_oracle_reads_release(struct wcts_oracle_reads *reads)
{
    free(reads->first);
    free(reads->place);
    free(reads->by_version);
    free(reads->readings);
    *reads = (struct wcts_oracle_reads){0};
}

/* ---- What is asked again ---- */

#define WORD_BITS 64

static int rule_count(const struct wcts_eval *eval, int structure)
{
    return eval->first[structure + 1] - eval->first[structure];
}

bool wcts_oracle_asks_init(struct wcts_oracle_asks *asks, const struct wcts_oracle_reads *reads,
                           const struct wcts_world *world)
{
    size_t bits;
    *asks = (struct wcts_oracle_asks){.reads = reads, .instances = world->count};
    asks->first = calloc((size_t)world->count + 1, sizeof *asks->first);
    if (!asks->first)
        return false;
    for (int i = 0; i < world->count; i++)
        asks->first[i + 1] =
            asks->first[i] + rule_count(reads->eval, world->instances[i].structure) + 1;
    bits = (size_t)asks->first[world->count] + (size_t)reads->eval->spec->gaps_count;
    asks->words = bits / WORD_BITS + 1;
    asks->bits = calloc(asks->words, sizeof *asks->bits);
    asks->known = calloc(asks->words, sizeof *asks->known);
    asks->answers = calloc(asks->words, sizeof *asks->answers);
    return asks->bits && asks->known && asks->answers;
}

void wcts_oracle_asks_release(struct wcts_oracle_asks *asks)
{
    free(asks->first);
    free(asks->bits);
    free(asks->known);
    free(asks->answers);
    *asks = (struct wcts_oracle_asks){0};
}

static void set_bit(uint64_t *bits, int bit)
{
    bits[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
}

static bool has_bit(const uint64_t *bits, int bit)
{
    return bits[bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

/* Sets the bits of a reader of the instance. */
static void set_reader(struct wcts_oracle_asks *asks, const struct wcts_world *world, int instance,
                       const struct wcts_oracle_reading *reading)
{
    const struct wcts_eval *eval = asks->reads->eval;
    int rules = eval->spec->rules_count, structure, place;
    if (reading->reader >= rules + eval->spec->structures_count) {
        set_bit(asks->bits, asks->first[asks->instances] + reading->reader - rules -
                                eval->spec->structures_count);
        return;
    }
    if (reading->reader < rules) {
        structure = eval->spec->rules[reading->reader].on;
        place = asks->reads->place[reading->reader];
    } else {
        structure = reading->reader - rules;
        place = rule_count(eval, structure);
    }
    if (!reading->anywhere && world->instances[instance].structure == structure) {
        set_bit(asks->bits, asks->first[instance] + place);
        return;
    }
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].structure == structure)
            set_bit(asks->bits, asks->first[i] + place);
}

void wcts_oracle_asks_set(struct wcts_oracle_asks *asks, const struct wcts_world *world,
                          const struct wcts_fact *facts, int count)
{
    const struct wcts_oracle_reads *reads = asks->reads;
    memset(asks->bits, 0, asks->words * sizeof *asks->bits);
    memset(asks->known, 0, asks->words * sizeof *asks->known);
    for (int i = 0; i < count; i++) {
        int first = reads->eval->first_member[facts[i].ref.structure], member = facts[i].ref.member;
        uint64_t bits = bits_of(reads->eval->spec, facts[i].ref);
        do {
            for (int r = reads->first[first + member]; r < reads->first[first + member + 1]; r++)
                if (reads->readings[r].bits & bits)
                    set_reader(asks, world, facts[i].instance, &reads->readings[r]);
            member = reads->eval->shared[first + member];
        } while (member != facts[i].ref.member);
    }
}

void wcts_oracle_asks_set_all(struct wcts_oracle_asks *asks)
{
    memset(asks->bits, 0xFF, asks->words * sizeof *asks->bits);
    memset(asks->known, 0, asks->words * sizeof *asks->known);
}

/* The first bit set from one on, or until. */
static int next_bit(const struct wcts_oracle_asks *asks, int bit, int until)
{
    while (bit < until) {
        uint64_t rest = asks->bits[bit / WORD_BITS] >> bit % WORD_BITS;
        if (rest)
            return bit + __builtin_ctzll(rest) < until ? bit + __builtin_ctzll(rest) : until;
        bit = (bit / WORD_BITS + 1) * WORD_BITS;
    }
    return until;
}

/* Answers at another page size are others. */
static void begin_asking(struct wcts_oracle_asks *asks, const struct wcts_world *world)
{
    if (asks->page_size != world->page_size)
        memset(asks->known, 0, asks->words * sizeof *asks->known);
    asks->page_size = world->page_size;
}

/* Keeps the answer to a question, unless the next version may change it. Returns it. */
static bool keep_answer(struct wcts_oracle_asks *asks, int bit, int reader, bool answer)
{
    uint64_t mask = UINT64_C(1) << bit % WORD_BITS;
    if (asks->reads->by_version[reader])
        return answer;
    asks->known[bit / WORD_BITS] |= mask;
    if (answer)
        asks->answers[bit / WORD_BITS] |= mask;
    else
        asks->answers[bit / WORD_BITS] &= ~mask;
    return answer;
}

static bool is_broken(const struct wcts_world *world, struct wcts_oracle_asks *asks, int bit,
                      int rule, int instance)
{
    const struct wcts_spec *spec = asks->reads->eval->spec;
    if (has_bit(asks->known, bit))
        return has_bit(asks->answers, bit);
    return keep_answer(asks, bit, rule,
                       wcts_oracle_rule_ask(world, &spec->rules[rule], instance) == WCTS_FALSE);
}

static bool gap_covers(const struct wcts_world *world, struct wcts_oracle_asks *asks, int gap)
{
    const struct wcts_spec *spec = asks->reads->eval->spec;
    int bit = asks->first[asks->instances] + gap;
    if (has_bit(asks->known, bit))
        return has_bit(asks->answers, bit);
    return keep_answer(asks, bit, spec->rules_count + spec->structures_count + gap,
                       wcts_oracle_gap_fits(world, &spec->gaps[gap]));
}

/* Asks again what is set of one instance. Returns true if it is left open. */
static bool judge_instance(const struct wcts_world *world, struct wcts_oracle_asks *asks,
                           int instance, struct wcts_oracle_prediction *prediction)
{
    const struct wcts_eval *eval = asks->reads->eval;
    int first = asks->first[instance], open = asks->first[instance + 1] - 1;
    const int *rules = &eval->rules[eval->first[world->instances[instance].structure]];
    for (int bit = next_bit(asks, first, open); bit < open; bit = next_bit(asks, bit + 1, open)) {
        int rule = rules[bit - first];
        if (eval->binds[rule * eval->spec->versions_count + world->version] &&
            is_broken(world, asks, bit, rule, instance))
            wcts_oracle_prediction_add(prediction, eval->spec, rule);
    }
    return has_bit(asks->bits, open) && wcts_oracle_left_open(world, instance);
}

void wcts_world_judge_asked(const struct wcts_world *world, struct wcts_oracle_asks *asks,
                            struct wcts_oracle_prediction *prediction)
{
    bool open = false;
    begin_asking(asks, world);
    *prediction =
        (struct wcts_oracle_prediction){.expect = WCTS_EXPECT_ACCEPT, .strict = WCTS_EXPECT_ACCEPT};
    for (int i = 0; i < world->count; i++)
        if (world->instances[i].present && judge_instance(world, asks, i, prediction))
            open = true;
    wcts_oracle_prediction_end(prediction, open);
}

const struct wcts_gap *wcts_world_gap_asked(const struct wcts_world *world,
                                            struct wcts_oracle_asks *asks, const uint64_t *covered)
{
    const struct wcts_spec *spec = world->eval->spec;
    int first = asks->first[asks->instances];
    begin_asking(asks, world);
    for (int i = 0; i < spec->gaps_count; i++)
        if (has_bit(asks->bits, first + i)
                ? wcts_oracle_gap_is_at(&spec->gaps[i], world->version) &&
                      gap_covers(world, asks, i)
                : has_bit(covered, i))
            return &spec->gaps[i];
    return NULL;
}
