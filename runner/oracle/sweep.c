/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

#include "../lang/expr.h"

static const struct wcts_ref no_ref = {-1, -1, -1};

static uint64_t flag_bit(const struct wcts_spec *spec, struct wcts_ref ref)
{
    return UINT64_C(1) << spec->words[wcts_model_ref_member(spec, ref)->word].flags[ref.flag].bit;
}

static uint64_t all_bits(const struct wcts_spec *spec, struct wcts_ref member)
{
    int bits = spec->words[wcts_model_ref_member(spec, member)->word].bits;
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* ---- What a rule reads of the word ---- */

/* flags: single ones; rest: the flag beside which all others are read, -1: none. */
struct oracle_word_reading {
    struct wcts_ref member;
    const struct wcts_spec *spec;
    uint64_t flags;
    int beside;
    bool whole;     /* it reads the word as a whole */
    bool elsewhere; /* it reads something else */
};

static void note_word_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct oracle_word_reading *reading = context;
    bool own = ref.structure == reading->member.structure && ref.member == reading->member.member;
    if (!own || use > WCTS_USE_OTHERS)
        reading->elsewhere = true;
    if (!own)
        return;
    if (ref.flag < 0)
        reading->whole = true;
    else if (use == WCTS_USE_OTHERS)
        reading->beside = ref.flag;
    if (ref.flag >= 0)
        reading->flags |= flag_bit(reading->spec, ref);
}

static struct oracle_word_reading
read_word_rule(const struct wcts_spec *spec, const struct wcts_rule *rule, struct wcts_ref member)
{
    struct oracle_word_reading reading = {.member = member, .spec = spec, .beside = -1};
    wcts_lang_reads(spec->exprs, rule->breach.when, note_word_read, &reading);
    wcts_lang_reads(spec->exprs, rule->breach.refuse, note_word_read, &reading);
    wcts_lang_reads(spec->exprs, rule->breach.unless, note_word_read, &reading);
    return reading;
}

static bool is_about_word(const struct wcts_spec *spec, const struct wcts_rule *rule,
                          struct wcts_ref member)
{
    struct oracle_word_reading reading;
    if (rule->on != member.structure || !wcts_model_is_asked(rule->form))
        return false;
    reading = read_word_rule(spec, rule, member);
    return !reading.elsewhere && (reading.flags || reading.whole);
}

static bool is_must(const struct wcts_spec *spec, const struct wcts_rule *rule)
{
    return spec->statements[rule->statement].force == WCTS_FORCE_MUST &&
           rule->force == WCTS_FORCE_MUST;
}

static bool is_restricted(const struct wcts_spec *spec, struct wcts_ref member)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (is_must(spec, &spec->rules[i]) && is_about_word(spec, &spec->rules[i], member))
            return true;
    return false;
}

struct wcts_ref wcts_oracle_sweep_next(const struct wcts_spec *spec, struct wcts_ref after)
{
    int member = after.structure < 0 ? 0 : after.member + 1;
    for (int s = after.structure < 0 ? 0 : after.structure; s < spec->structures_count; s++) {
        for (; member < spec->structures[s].member_count; member++) {
            const struct wcts_ref ref = {s, member, -1};
            int word = spec->structures[s].members[member].word;
            if (word >= 0 && spec->words[word].document >= 0 && is_restricted(spec, ref))
                return ref;
        }
        member = 0;
    }
    return no_ref;
}

int wcts_oracle_sweep_layout(const struct wcts_spec *spec, struct wcts_ref member)
{
    for (int i = 0; i < spec->rules_count; i++) {
        const struct wcts_rule *rule = &spec->rules[i];
        if (rule->form == WCTS_FORM_LAYOUT && rule->on == member.structure &&
            rule->arg[WCTS_ARG_MEMBER].count > 0 &&
            rule->arg[WCTS_ARG_MEMBER].refs[0].member == member.member &&
            rule->word == wcts_model_ref_member(spec, member)->word)
            return i;
    }
    return -1;
}

/* ---- Tables ---- */

/* A word with these inputs. One bit stands for all of an input; it is one that is there, if any is.
 */
static uint64_t word_with_flags(const struct wcts_oracle_sweep_rule *rule, uint64_t defined,
                                unsigned set)
{
    uint64_t word = 0;
    for (int i = 0; i < rule->input_count; i++)
        if (set >> i & 1) {
            uint64_t some = rule->inputs[i] & defined ? rule->inputs[i] & defined : rule->inputs[i];
            word |= some & -some;
        }
    return word;
}

/* Asks the rule for each combination of its inputs. */
static void fill_table(struct wcts_oracle_sweep *sweep, struct wcts_world *world,
                       struct wcts_oracle_sweep_rule *table)
{
    const struct wcts_rule *rule = &sweep->eval->spec->rules[table->rule];
    for (unsigned set = 0; set < 1u << table->input_count; set++) {
        wcts_world_put(world, 0, sweep->member,
                       (struct wcts_value){.symbol = -1,
                                           .number = word_with_flags(table, sweep->defined, set)});
        if (wcts_oracle_rule_ask(world, rule, 0) == WCTS_FALSE)
            table->broken[set / 64] |= UINT64_C(1) << set % 64;
    }
}

/* False if it has too many inputs. */
static bool add_table(struct wcts_oracle_sweep *sweep, struct wcts_world *world, int index)
{
    const struct wcts_spec *spec = sweep->eval->spec;
    const struct oracle_word_reading reading =
        read_word_rule(spec, &spec->rules[index], sweep->member);
    uint64_t judged = sweep->defined | sweep->open, all = all_bits(spec, sweep->member);
    struct wcts_oracle_sweep_rule table = {.rule = index,
                                           .must = is_must(spec, &spec->rules[index])};
    if (sweep->rule_count == WCTS_SWEEP_RULES)
        return false;
    for (uint64_t left = reading.flags; left; left &= left - 1) {
        if (table.input_count == WCTS_SWEEP_INPUTS - 2)
            return false;
        table.inputs[table.input_count++] = left & -left;
    }
    if (reading.beside >= 0)
        table.inputs[table.input_count++] = judged & ~reading.flags;
    if (reading.whole)
        table.inputs[table.input_count++] = all & ~(judged | sweep->gated);
    for (int i = 0; i < table.input_count; i++) {
        table.reads |= table.inputs[i];
        if (table.inputs[i] && (table.inputs[i] & (table.inputs[i] - 1)) == 0)
            sweep->related |= table.inputs[i];
    }
    fill_table(sweep, world, &table);
    sweep->rules[sweep->rule_count++] = table;
    return true;
}

bool wcts_oracle_sweep_init(struct wcts_oracle_sweep *sweep, const struct wcts_eval *eval,
                            struct wcts_ref member, int version, uint32_t page_size)
{
    const struct wcts_spec *spec = eval->spec;
    const struct wcts_oracle_masks *masks =
        wcts_oracle_eval_masks(eval, wcts_model_ref_member(spec, member)->word, version);
    struct wcts_world world;
    bool good;
    *sweep = (struct wcts_oracle_sweep){.eval = eval,
                                        .member = member,
                                        .version = version,
                                        .page_size = page_size,
                                        .defined = masks->defined,
                                        .open = masks->open,
                                        .gated = masks->gated};
    wcts_world_init(&world, eval, version, page_size);
    good = wcts_model_exists_at(spec, member, version) &&
           wcts_world_add(&world, member.structure, "", -1, no_ref) >= 0;
    for (int i = 0; good && i < spec->rules_count; i++)
        if (wcts_oracle_rule_binds(spec, &spec->rules[i], version) &&
            is_about_word(spec, &spec->rules[i], member))
            good = add_table(sweep, &world, i);
    wcts_world_release(&world);
    sweep->related &= sweep->defined | sweep->open;
    return good;
}

void wcts_oracle_sweep_release(struct wcts_oracle_sweep *sweep)
{
    free(sweep->chosen);
    for (int i = 0; i < sweep->world_count; i++)
        wcts_world_release(&sweep->worlds[i]);
    *sweep = (struct wcts_oracle_sweep){0};
}

int wcts_oracle_sweep_find(const struct wcts_oracle_sweep *sweep, int rule)
{
    for (int i = 0; i < sweep->rule_count; i++)
        if (sweep->rules[i].rule == rule)
            return i;
    return -1;
}

/* ---- Values ---- */

/* What a rule says of a word of which only some bits are known: an input is known if one of its
 * bits is set, or all are known. */
static enum wcts_truth ask_table(const struct wcts_oracle_sweep_rule *rule, uint64_t word,
                                 uint64_t known)
{
    unsigned set = 0, open = 0, some = 0;
    bool broken = false, kept = false;
    for (int i = 0; i < rule->input_count; i++) {
        set |= (unsigned)((word & rule->inputs[i]) != 0) << i;
        open |= (unsigned)(!(word & rule->inputs[i]) && (rule->inputs[i] & ~known)) << i;
    }
    do {
        unsigned at = set | some;
        if (rule->broken[at / 64] >> at % 64 & 1)
            broken = true;
        else
            kept = true;
        some = (some - open) & open;
    } while (some);
    return broken && kept ? WCTS_UNKNOWN : broken ? WCTS_FALSE : WCTS_TRUE;
}

static bool is_broken_by(const struct wcts_oracle_sweep_rule *rule, uint64_t word)
{
    unsigned set = 0;
    /* Most rules read nothing that is set in a word with few flags. */
    for (int i = 0; word & rule->reads && i < rule->input_count; i++)
        set |= (unsigned)((word & rule->inputs[i]) != 0) << i;
    return rule->broken[set / 64] >> set % 64 & 1;
}

uint64_t wcts_oracle_sweep_breaks(const struct wcts_oracle_sweep *sweep, uint64_t word)
{
    uint64_t broken = 0;
    for (int i = 0; i < sweep->rule_count; i++)
        if (is_broken_by(&sweep->rules[i], word))
            broken |= UINT64_C(1) << i;
    return broken;
}

bool wcts_oracle_sweep_is_judged(const struct wcts_oracle_sweep *sweep,
                                 enum wcts_oracle_sweep_set set, uint64_t word)
{
    uint64_t uncertain = sweep->open & ~sweep->defined & word;
    if (set == WCTS_SWEEP_LEGAL)
        return !(word & sweep->open);
    /* A bit that may be no flag at all may not be what breaks the rule. */
    return !uncertain || wcts_oracle_sweep_breaks(sweep, word & ~uncertain) ==
                             wcts_oracle_sweep_breaks(sweep, word);
}

/* ---- Going through a set ---- */

struct oracle_sweep_walk {
    const struct wcts_oracle_sweep *sweep;
    enum wcts_oracle_sweep_set set;
    int at;
    uint64_t order[64]; /* bits: the related ones first, since they decide early */
    int count;
    int related; /* how many of them */
    wcts_sweep_visit *visit;
    void *context;
    bool stopped;
};

/* False if no word with the known bits is of the set. */
static bool may_be_of_set(const struct oracle_sweep_walk *walk, uint64_t word, uint64_t known)
{
    for (int i = 0; walk->set != WCTS_SWEEP_SEVERAL && i < walk->sweep->rule_count; i++) {
        enum wcts_truth truth = ask_table(&walk->sweep->rules[i], word, known);
        bool own = walk->set == WCTS_SWEEP_EXACTLY && i == walk->at;
        if (truth == (own ? WCTS_TRUE : WCTS_FALSE))
            return false;
    }
    return true;
}

/* True if one of the broken rules is no advice, and the implementation may not stop. */
static bool is_word_refused(const struct wcts_oracle_sweep *sweep, uint64_t broken)
{
    bool refused = false;
    for (; broken; broken &= broken - 1) {
        const struct wcts_spec *spec = sweep->eval->spec;
        int rule = sweep->rules[__builtin_ctzll(broken)].rule;
        if (spec->rules[rule].outcome == WCTS_OUTCOME_ASSERT)
            return false;
        refused = refused || spec->rules[rule].outcome == WCTS_OUTCOME_REFUSE;
    }
    return refused;
}

/* True if it breaks no rule but this one; -1: none at all. Most words break one of the first. */
static bool breaks_no_other(const struct wcts_oracle_sweep *sweep, int at, uint64_t word)
{
    for (int i = 0; i < sweep->rule_count; i++)
        if (i != at && is_broken_by(&sweep->rules[i], word))
            return false;
    return true;
}

static bool is_of_set(const struct oracle_sweep_walk *walk, uint64_t word)
{
    const struct wcts_oracle_sweep *sweep = walk->sweep;
    uint64_t broken;
    if (walk->set == WCTS_SWEEP_LEGAL)
        return breaks_no_other(sweep, -1, word);
    if (walk->set == WCTS_SWEEP_EXACTLY)
        return is_broken_by(&sweep->rules[walk->at], word) &&
               breaks_no_other(sweep, walk->at, word);
    broken = wcts_oracle_sweep_breaks(sweep, word);
    return (broken & (broken - 1)) != 0 && is_word_refused(sweep, broken);
}

/* Visits all words that have so many more of the bits from a position on. */
static void visit_all(struct oracle_sweep_walk *walk, int position, uint64_t word, int left)
{
    if (left == 0)
        walk->stopped = !walk->visit(walk->context, word);
    for (int next = position; left > 0 && next + left <= walk->count && !walk->stopped; next++)
        visit_all(walk, next + 1, word | walk->order[next], left - 1);
}

/* Goes on from a related bit, or behind the last of them, with so many bits left to set. No rule
 * tells the bits behind those apart: with the first one the word is known to be of the set or not,
 * whichever it is and whatever is set beside it. */
static void walk_on(struct oracle_sweep_walk *walk, int position, uint64_t word, uint64_t known,
                    int left)
{
    const int rest = walk->related;
    if (walk->stopped || left > walk->count - position)
        return;
    if (left == 0) {
        if (is_of_set(walk, word))
            walk->stopped = !walk->visit(walk->context, word);
        return;
    }
    if (!may_be_of_set(walk, word, known))
        return;
    for (int next = position; next < rest && !walk->stopped; next++) {
        walk_on(walk, next + 1, word | walk->order[next], known | walk->order[next], left - 1);
        known |= walk->order[next];
    }
    if (!walk->stopped && left <= walk->count - rest && is_of_set(walk, word | walk->order[rest]))
        visit_all(walk, rest, word, left);
}

static void add_order(struct oracle_sweep_walk *walk, uint64_t bits)
{
    for (; bits; bits &= bits - 1)
        walk->order[walk->count++] = bits & -bits;
}

/* The bits without a flag beside the value of the first place: alone, and in pairs. */
static void walk_reserved(struct oracle_sweep_walk *walk, uint64_t reserved)
{
    const struct wcts_oracle_sweep *sweep = walk->sweep;
    uint64_t beside = sweep->place_count > 0 ? sweep->places[0].word : 0;
    add_order(walk, reserved);
    for (int second = -1; second < walk->count; second++)
        for (int first = second + 1; first < walk->count && !walk->stopped; first++) {
            uint64_t word = beside | walk->order[first] | (second < 0 ? 0 : walk->order[second]);
            if (is_of_set(walk, word))
                walk->stopped = !walk->visit(walk->context, word);
        }
}

/* How many flags the n-th words have: few of them, then nearly all, since which flags are set
 * together matters where several rules are broken, then more and more. */
static int weight_of(int n, int count)
{
    const int few = 2;
    if (n <= few || count < 2 * (few + 1))
        return n;
    return n <= 2 * few + 1 ? count - (n - few - 1) : n - few - 1;
}

void wcts_oracle_sweep_each(const struct wcts_oracle_sweep *sweep, enum wcts_oracle_sweep_set set,
                            int at, wcts_sweep_visit *visit, void *context)
{
    struct oracle_sweep_walk walk = {.sweep = sweep,
                                     .set = set,
                                     .at = at,
                                     .related = __builtin_popcountll(sweep->related),
                                     .visit = visit,
                                     .context = context};
    uint64_t bits = sweep->defined | sweep->open, inputs = 0;
    for (int i = 0; set == WCTS_SWEEP_EXACTLY && i < sweep->rules[at].input_count; i++)
        inputs |= sweep->rules[at].inputs[i];
    if (inputs & ~bits) {
        walk_reserved(&walk, all_bits(sweep->eval->spec, sweep->member) & ~bits);
        return;
    }
    add_order(&walk, sweep->related);
    add_order(&walk, bits & ~sweep->related);
    for (int n = 0; n <= walk.count && !walk.stopped; n++)
        walk_on(&walk, 0, 0, ~bits, set == WCTS_SWEEP_SEVERAL ? weight_of(n, walk.count) : n);
}

/* ---- Places ---- */

/* The flags for which the instances of a world are there or not. */
static uint64_t companions_of(const struct wcts_oracle_sweep *sweep, const struct wcts_world *world)
{
    uint64_t bits = 0;
    for (int i = 0; i < world->count; i++) {
        struct wcts_ref when = world->instances[i].when;
        if (when.structure == sweep->member.structure && when.member == sweep->member.member)
            bits |= flag_bit(sweep->eval->spec, when);
    }
    return bits;
}

static bool has_place(const struct wcts_oracle_sweep *sweep, uint64_t word, uint64_t knows)
{
    for (int i = 0; i < sweep->place_count; i++)
        if (sweep->places[i].word == word && sweep->places[i].knows == knows)
            return true;
    return false;
}

/* Adds the instances of a base that have the member, but for those that are like earlier ones. */
static void add_places(struct wcts_oracle_sweep *sweep, int base, const struct wcts_world *world)
{
    for (int i = 0; i < world->count && sweep->place_count < WCTS_SWEEP_PLACES; i++) {
        uint64_t word, knows;
        if (world->instances[i].structure != sweep->member.structure)
            continue;
        word = wcts_world_get(world, i, sweep->member).number;
        knows = companions_of(sweep, world);
        if (!has_place(sweep, word, knows))
            sweep->places[sweep->place_count++] =
                (struct wcts_oracle_sweep_place){base, i, word, knows};
    }
}

static bool has_structure(const struct wcts_instance *instances, int count, int structure)
{
    for (int i = 0; i < count; i++)
        if (instances[i].structure == structure)
            return true;
    return false;
}

/* Answers are looked at as soon as the call does that asks for them: of bases whose driver answers
 * with the member those count that need the fewest steps. -1: the base has it not. */
static int needs_of(const struct wcts_oracle_sweep *sweep, int index)
{
    const struct wcts_spec *spec = sweep->eval->spec;
    const struct wcts_base *base = &spec->cases->bases[index];
    const struct wcts_adapter *adapter = &spec->cases->adapters[base->adapter];
    const struct wcts_step *step = &spec->cases->steps[base->step];
    if (sweep->version < base->since || sweep->version >= base->until || step->message < 0 ||
        spec->messages[step->message].driver)
        return -1;
    if (has_structure(adapter->instances, adapter->instance_count, sweep->member.structure))
        return 1 + step->need_count;
    return has_structure(step->instances, step->instance_count, sweep->member.structure) ? 0 : -1;
}

static bool find_places(struct wcts_oracle_sweep *sweep)
{
    const struct wcts_cases *cases = sweep->eval->spec->cases;
    int fewest = -1;
    bool good = true;
    for (int base = 0; base < cases->bases_count; base++) {
        int needs = needs_of(sweep, base);
        if (needs >= 0 && (fewest < 0 || needs < fewest))
            fewest = needs;
    }
    for (int base = 0; good && fewest >= 0 && base < cases->bases_count; base++) {
        struct wcts_world world;
        if (needs_of(sweep, base) != fewest)
            continue;
        good = wcts_world_init_base(&world, sweep->eval, base, sweep->version, sweep->page_size);
        if (good)
            add_places(sweep, base, &world);
        wcts_world_release(&world);
    }
    for (int i = 0; i < sweep->place_count; i++)
        sweep->companions |= sweep->places[i].knows;
    for (int i = 0; i < sweep->place_count; i++)
        sweep->places[i].knows |= sweep->places[i].word & sweep->companions;
    return good && sweep->place_count > 0;
}

/* The bits that rules read which are not about the word alone, and what is left open. */
static void find_deciding(struct wcts_oracle_sweep *sweep)
{
    const struct wcts_spec *spec = sweep->eval->spec;
    struct oracle_word_reading reading = {.member = sweep->member, .spec = spec, .beside = -1};
    for (int i = 0; i < spec->rules_count; i++) {
        struct oracle_word_reading own;
        if (!wcts_model_is_asked(spec->rules[i].form) || wcts_oracle_sweep_find(sweep, i) >= 0)
            continue;
        own = read_word_rule(spec, &spec->rules[i], sweep->member);
        /* One that does not bind may still be what a gap is about. */
        if (own.elsewhere || spec->rules[i].on != sweep->member.structure)
            reading.flags |= own.flags;
    }
    for (int i = 0; i < spec->gaps_count; i++)
        wcts_lang_reads(spec->exprs, spec->gaps[i].when, note_word_read, &reading);
    for (int i = 0; i < spec->opens_count; i++)
        wcts_lang_reads(spec->exprs, spec->opens[i].when, note_word_read, &reading);
    sweep->deciding = reading.flags;
    sweep->deciding |= sweep->companions;
    sweep->deciding &= sweep->defined | sweep->open;
}

/* True if the value breaks nothing there but rules about the word alone, and nothing is open. */
static bool is_clean(const struct wcts_oracle_sweep *sweep, struct wcts_world *world,
                     const struct wcts_oracle_sweep_place *place, uint64_t word)
{
    const struct wcts_eval *eval = sweep->eval;
    wcts_oracle_unsettle(world);
    wcts_world_put(world, place->instance, sweep->member,
                   (struct wcts_value){.symbol = -1, .number = word});
    wcts_oracle_alone(world, place->instance);
    for (int i = 0; i < world->count; i++) {
        int structure = world->instances[i].structure;
        for (int r = eval->first[structure];
             world->instances[i].present && r < eval->first[structure + 1]; r++)
            if (eval->binds[eval->rules[r] * eval->spec->versions_count + world->version] &&
                !(i == place->instance && wcts_oracle_sweep_find(sweep, eval->rules[r]) >= 0) &&
                wcts_oracle_rule_ask(world, &eval->spec->rules[eval->rules[r]], i) == WCTS_FALSE)
                return false;
        if (world->instances[i].present && !(word & sweep->open) && wcts_oracle_left_open(world, i))
            return false;
    }
    return !wcts_world_gap(world);
}

/* How ill a place suits a value: flags that it does not know, then those in which they differ. */
static int cost_of(const struct wcts_oracle_sweep *sweep,
                   const struct wcts_oracle_sweep_place *place, uint64_t word)
{
    return __builtin_popcountll(word & sweep->companions & ~place->knows) * 64 +
           __builtin_popcountll((word ^ place->word) & sweep->companions);
}

static size_t pattern_of(uint64_t bits, uint64_t word)
{
    size_t pattern = 0;
    for (int n = 0; bits; bits &= bits - 1, n++)
        pattern |= (size_t)((word & bits & -bits) != 0) << n;
    return pattern;
}

/* The place that suits the value best of those that were not tried; -1: none is left. */
static int best_untried(const struct wcts_oracle_sweep *sweep, unsigned tried, uint64_t word)
{
    int best = -1;
    for (int i = 0; i < sweep->place_count; i++)
        if (!(tried >> i & 1) && (best < 0 || cost_of(sweep, &sweep->places[i], word) <
                                                  cost_of(sweep, &sweep->places[best], word)))
            best = i;
    return best;
}

/* The place that suits the value best of those where nothing else is wrong; -1: none. */
static int choose_place(struct wcts_oracle_sweep *sweep, uint64_t word)
{
    unsigned tried = 0;
    for (int place; (place = best_untried(sweep, tried, word)) >= 0; tried |= 1u << place)
        if (is_clean(sweep, &sweep->worlds[place], &sweep->places[place], word))
            return place;
    return -1;
}

#define DECIDING_MAX 14
enum { NOT_CHOSEN = -2 };

bool wcts_oracle_sweep_places(struct wcts_oracle_sweep *sweep)
{
    size_t patterns;
    if (!find_places(sweep))
        return false;
    find_deciding(sweep);
    patterns = (size_t)1 << __builtin_popcountll(sweep->deciding);
    sweep->chosen = patterns >> DECIDING_MAX > 1 ? NULL : malloc(patterns);
    for (size_t i = 0; sweep->chosen && i < patterns; i++)
        sweep->chosen[i] = NOT_CHOSEN;
    for (int i = 0; sweep->chosen && i < sweep->place_count; i++, sweep->world_count++)
        if (!wcts_world_init_base(&sweep->worlds[i], sweep->eval, sweep->places[i].base,
                                  sweep->version, sweep->page_size))
            return false;
    return sweep->chosen != NULL;
}

size_t wcts_oracle_sweep_pattern(const struct wcts_oracle_sweep *sweep, uint64_t word)
{
    return pattern_of(sweep->deciding, word);
}

int wcts_oracle_sweep_place(struct wcts_oracle_sweep *sweep, uint64_t word)
{
    int8_t *chosen = &sweep->chosen[pattern_of(sweep->deciding, word)];
    if (*chosen == NOT_CHOSEN)
        *chosen = (int8_t)choose_place(sweep, word & sweep->deciding);
    return *chosen;
}

struct wcts_world *wcts_oracle_sweep_world(struct wcts_oracle_sweep *sweep, uint64_t word)
{
    const int place = wcts_oracle_sweep_place(sweep, word);
    struct wcts_world *world;
    if (place < 0)
        return NULL;
    world = &sweep->worlds[place];
    wcts_oracle_unsettle(world);
    wcts_world_put(world, sweep->places[place].instance, sweep->member,
                   (struct wcts_value){.symbol = -1, .number = word});
    wcts_oracle_alone(world, sweep->places[place].instance);
    return world;
}

enum wcts_oracle_sweep_set wcts_oracle_sweep_set(const struct wcts_oracle_sweep *sweep,
                                                 const struct wcts_case *test, int *at)
{
    *at = wcts_oracle_sweep_find(sweep, test->rule);
    if (*at >= 0)
        return WCTS_SWEEP_EXACTLY;
    return test->expect == WCTS_EXPECT_ACCEPT ? WCTS_SWEEP_LEGAL : WCTS_SWEEP_SEVERAL;
}
