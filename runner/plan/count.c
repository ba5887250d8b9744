/* SPDX-License-Identifier: MIT */
/* Counts the valid values of a flag word: enumerates the flags that rules relate, times two for
 * each free one. */
#include <inttypes.h>
#include <stdlib.h>

#include "../lang/expr.h"
#include "../oracle/world.h"
#include "plan.h"

struct plan_word_counting {
    const struct wcts_spec *spec;
    int word;
    struct wcts_ref holder;  /* the member with the word */
    struct wcts_world world; /* one instance of the structure */
    int version;
    const struct wcts_rule *rules[64]; /* that read only flags of the word */
    int rule_count;
    uint64_t related, exclusive;
    bool bearable; /* rules whose breach may be accepted do not count */
};

/* The flags of the word that a rule reads. */
struct plan_word_reading {
    const struct plan_word_counting *counting;
    uint64_t bits;
    bool exclusive; /* the rule is about all others of the word, too */
    bool elsewhere; /* it reads something else */
};

static void note_flag(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct plan_word_reading *reading = context;
    const struct plan_word_counting *counting = reading->counting;
    reading->exclusive = reading->exclusive || use == WCTS_USE_OTHERS;
    if (use > WCTS_USE_OTHERS || ref.structure != counting->holder.structure ||
        ref.member != counting->holder.member || ref.flag < 0)
        reading->elsewhere = true;
    else
        reading->bits |= UINT64_C(1) << counting->spec->words[counting->word].flags[ref.flag].bit;
}

static struct plan_word_reading read_counted_rule(const struct plan_word_counting *counting,
                                                  const struct wcts_rule *rule)
{
    struct plan_word_reading reading = {.counting = counting};
    const struct wcts_lang_exprs *exprs = counting->spec->exprs;
    wcts_lang_reads(exprs, rule->breach.when, note_flag, &reading);
    wcts_lang_reads(exprs, rule->breach.refuse, note_flag, &reading);
    wcts_lang_reads(exprs, rule->breach.unless, note_flag, &reading);
    return reading;
}

static void collect_constraints(struct plan_word_counting *counting)
{
    const struct wcts_spec *spec = counting->spec;
    counting->rule_count = 0;
    counting->related = counting->exclusive = 0;
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        struct plan_word_reading reading = read_counted_rule(counting, rule);
        if (rule->on != counting->holder.structure || !wcts_model_is_asked(rule->form) ||
            rule->form == WCTS_FORM_GATE ||
            !wcts_oracle_rule_binds(spec, rule, counting->version) || reading.elsewhere ||
            reading.bits == 0 || (counting->bearable && rule->outcome == WCTS_OUTCOME_EITHER))
            continue;
        if (reading.exclusive) {
            counting->exclusive |= reading.bits;
            continue;
        }
        counting->related |= reading.bits;
        if (counting->rule_count < 64)
            counting->rules[counting->rule_count++] = rule;
    }
}

static bool valid(struct plan_word_counting *counting, uint64_t bits)
{
    struct wcts_value value = {.symbol = -1, .number = bits};
    wcts_world_put(&counting->world, 0, counting->holder, value);
    for (int i = 0; i < counting->rule_count; i++)
        if (wcts_oracle_rule_ask(&counting->world, counting->rules[i], 0) == WCTS_FALSE)
            return false;
    return true;
}

static uint64_t count_valid(struct plan_word_counting *counting)
{
    const struct wcts_oracle_masks *masks =
        wcts_oracle_eval_masks(counting->world.eval, counting->word, counting->version);
    uint64_t related, free, count = 0, subset = 0;
    collect_constraints(counting);
    related = counting->related & masks->defined & ~masks->open & ~counting->exclusive;
    free = masks->defined & ~masks->open & ~related & ~counting->exclusive;
    do {
        count += valid(counting, subset);
        subset = (subset - related) & related;
    } while (subset != 0);
    count <<= __builtin_popcountll(free);
    for (uint64_t left = counting->exclusive & masks->defined & ~masks->open; left;
         left &= left - 1)
        count += valid(counting, left & -left);
    return count;
}

static void print_word_count(FILE *out, const struct wcts_eval *eval, int word,
                             struct wcts_ref holder)
{
    struct plan_word_counting counting = {.spec = eval->spec, .word = word, .holder = holder};
    wcts_world_init(&counting.world, eval, 0, 4096);
    if (wcts_world_add(&counting.world, holder.structure, "", -1, (struct wcts_ref){-1, -1, -1}) <
        0)
        return;
    for (int version = 0; version < eval->spec->versions_count; version++) {
        const struct wcts_oracle_masks *masks = wcts_oracle_eval_masks(eval, word, version);
        if (!wcts_model_exists_at(eval->spec, holder, version))
            continue;
        counting.version = counting.world.version = version;
        fprintf(out, "%s %s: %" PRIu64 " valid values of %d defined bits",
                eval->spec->words[word].name, eval->spec->versions[version].name,
                count_valid(&counting), __builtin_popcountll(masks->defined));
        if (masks->open)
            fprintf(out, ", bits 0x%" PRIx64 " not judged", masks->open);
        fputc('\n', out);
    }
    wcts_world_release(&counting.world);
}

static int rules_on(const struct wcts_spec *spec, int structure)
{
    int count = 0;
    for (int i = 0; i < spec->rules_count; i++)
        count += spec->rules[i].on == structure && wcts_model_is_asked(spec->rules[i].form);
    return count;
}

/* The member that holds a word: of several, the one whose structure has the most rules. */
static bool find_holder(const struct wcts_spec *spec, int word, struct wcts_ref *holder)
{
    int most = -1;
    for (int s = 0; s < spec->structures_count; s++)
        for (int m = 0; m < spec->structures[s].member_count; m++)
            if (spec->structures[s].members[m].word == word && rules_on(spec, s) > most) {
                most = rules_on(spec, s);
                *holder = (struct wcts_ref){s, m, -1};
            }
    return most >= 0;
}

void wcts_plan_print_counts(FILE *out, const struct wcts_plan *plan)
{
    const struct wcts_spec *spec = plan->spec;
    struct wcts_eval eval;
    if (!wcts_oracle_eval_init(&eval, spec))
        return;
    for (int word = 0; word < spec->words_count; word++) {
        struct wcts_ref holder;
        if (spec->words[word].document >= 0 && find_holder(spec, word, &holder))
            print_word_count(out, &eval, word, holder);
    }
    wcts_oracle_eval_release(&eval);
}

/* ---- pairs of flags ---- */

/* Adds to each bit of `with` the bits that are set beside it in some valid value; a bit that is
 * valid alone has itself. */
static void find_pairs(struct plan_word_counting *counting, uint64_t judged, uint64_t *with)
{
    uint64_t related, free, subset = 0;
    collect_constraints(counting);
    related = counting->related & judged & ~counting->exclusive;
    free = judged & ~related & ~counting->exclusive;
    do {
        uint64_t bits = valid(counting, subset) ? subset | free : 0;
        for (uint64_t left = bits; left != 0; left &= left - 1)
            with[__builtin_ctzll(left)] |= bits & ~(left & -left);
        subset = (subset - related) & related;
    } while (subset != 0);
    for (uint64_t left = judged; left != 0; left &= left - 1)
        if (valid(counting, left & -left))
            with[__builtin_ctzll(left)] |= left & -left;
}

int wcts_plan_pairs(const struct wcts_eval *eval, int word, struct wcts_oracle_pairs *pairs)
{
    const struct wcts_spec *spec = eval->spec;
    struct plan_word_counting counting = {.spec = spec, .word = word};
    int version = spec->versions_count - 1;

    if (spec->words[word].document < 0 || !find_holder(spec, word, &counting.holder))
        return -1;
    while (version >= 0 && !wcts_model_exists_at(spec, counting.holder, version))
        version--;
    if (version < 0)
        return -1;
    wcts_world_init(&counting.world, eval, version, 4096);
    if (wcts_world_add(&counting.world, counting.holder.structure, "", -1,
                       (struct wcts_ref){-1, -1, -1}) >= 0) {
        const struct wcts_oracle_masks *masks = wcts_oracle_eval_masks(eval, word, version);
        counting.version = version;
        find_pairs(&counting, masks->defined & ~masks->open, pairs->valid);
        counting.bearable = true;
        find_pairs(&counting, masks->defined & ~masks->open, pairs->bearable);
    }
    wcts_world_release(&counting.world);
    return version;
}
