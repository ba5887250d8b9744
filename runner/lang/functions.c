/* SPDX-License-Identifier: MIT */
/* The tables of operators and functions, and what the functions come to. */
#include "functions.h"

#include <string.h>

const struct wcts_lang_operator wcts_operators[WCTS_OP_COUNT] = {
    [WCTS_OP_OR] = {"or", WCTS_BINDS_OR},         [WCTS_OP_AND] = {"and", WCTS_BINDS_AND},
    [WCTS_OP_NOT] = {"not", WCTS_BINDS_NOT},      [WCTS_OP_EQ] = {"=", WCTS_BINDS_COMPARISON},
    [WCTS_OP_NE] = {"!=", WCTS_BINDS_COMPARISON}, [WCTS_OP_LT] = {"<", WCTS_BINDS_COMPARISON},
    [WCTS_OP_LE] = {"<=", WCTS_BINDS_COMPARISON}, [WCTS_OP_GT] = {">", WCTS_BINDS_COMPARISON},
    [WCTS_OP_GE] = {">=", WCTS_BINDS_COMPARISON}, [WCTS_OP_IN] = {"in", WCTS_BINDS_COMPARISON},
    [WCTS_OP_ADD] = {"+", WCTS_BINDS_SUM},        [WCTS_OP_SUB] = {"-", WCTS_BINDS_SUM},
    [WCTS_OP_MUL] = {"*", WCTS_BINDS_PRODUCT},    [WCTS_OP_MOD] = {"mod", WCTS_BINDS_PRODUCT},
};

bool wcts_is_keyword(const char *name, size_t length)
{
    static const char *const keywords[] = {"accepted", "and",  "in",      "mod", "not",
                                           "or",       "page", "refused", NULL};
    return wcts_model_word_index(keywords, name, length) >= 0;
}

/* ---- arguments ---- */

static const struct wcts_lang_node *argument(const struct wcts_lang_call *call, int n)
{
    const struct wcts_lang_node *node = &call->exprs->nodes[call->first];
    while (n-- > 0)
        node = &call->exprs->nodes[node->next];
    return node;
}

static struct wcts_lang_result argument_value(const struct wcts_lang_call *call, int n)
{
    int index = (int)(argument(call, n) - call->exprs->nodes);
    return call->value(call->exprs, index, call->env, call->scope);
}

static bool is_plain(struct wcts_lang_result value)
{
    return value.known && value.symbol < 0 && value.number >= 0 && value.number <= UINT64_MAX;
}

/* ---- what quantifies ---- */

/* The instances that the first argument names, and how many are TRUE, FALSE and UNKNOWN. */
struct lang_quantified {
    int true_count, false_count, unknown_count;
    bool known; /* the set of instances is */
};

/* Goes over them up to the first one that is what decides: TRUE or FALSE; UNKNOWN: nothing does. */
static struct lang_quantified quantify(const struct wcts_lang_call *call, enum wcts_truth decides)
{
    const struct wcts_lang_node *instances = argument(call, 0);
    const struct wcts_lang_env *env = call->env;
    struct wcts_lang_result set = wcts_lang_known(-1);
    struct lang_quantified found = {.known = env->next != NULL};
    int number = 0;
    if (instances->b)
        set = call->value(call->exprs, instances->b, env, call->scope);
    found.known = found.known && set.known;
    for (int i = -1; found.known; number++) {
        struct wcts_lang_result each = wcts_lang_known(1);
        i = env->next(env, call->scope->subject, instances->a, i);
        if (i == WCTS_LANG_UNTOLD && (!instances->b || (number < 64 && set.number >> number != 0)))
            found.unknown_count++;
        if (i < 0)
            break;
        if (instances->b && (number > 63 || !(set.number >> number & 1)))
            continue;
        if (instances->next) {
            const struct wcts_lang_subjects inner = {i, call->scope};
            each = call->value(call->exprs, instances->next, env, &inner);
        }
        found.true_count += each.known && each.number;
        found.false_count += each.known && !each.number;
        found.unknown_count += !each.known;
        if ((decides == WCTS_TRUE && found.true_count) ||
            (decides == WCTS_FALSE && found.false_count))
            break;
    }
    return found;
}

static struct wcts_lang_result eval_count(const struct wcts_lang_call *call)
{
    struct lang_quantified found = quantify(call, WCTS_UNKNOWN);
    return found.known && found.unknown_count == 0 ? wcts_lang_known(found.true_count)
                                                   : wcts_lang_unknown();
}

static struct wcts_lang_result eval_some(const struct wcts_lang_call *call)
{
    struct lang_quantified found = quantify(call, WCTS_TRUE);
    if (found.known && (found.true_count > 0 || found.unknown_count == 0))
        return wcts_lang_known(found.true_count > 0);
    return wcts_lang_unknown();
}

static struct wcts_lang_result eval_each(const struct wcts_lang_call *call)
{
    struct lang_quantified found = quantify(call, WCTS_FALSE);
    if (found.known && (found.false_count > 0 || found.unknown_count == 0))
        return wcts_lang_known(found.false_count == 0);
    return wcts_lang_unknown();
}

/* Evaluates the expression for the n-th instance alone, counting only those in the set if there is
 * one; false if there are not that many. */
static struct wcts_lang_result eval_nth(const struct wcts_lang_call *call)
{
    const struct wcts_lang_node *instances = argument(call, 0);
    const struct wcts_lang_env *env = call->env;
    const struct wcts_lang_result wanted = argument_value(call, 2);
    struct wcts_lang_result set = wcts_lang_known(-1);
    struct wcts_lang_subjects inner = {-1, call->scope};
    __int128 left = wanted.number;
    if (instances->b)
        set = call->value(call->exprs, instances->b, env, call->scope);
    if (!env->next || !is_plain(wanted) || !set.known)
        return wcts_lang_unknown();
    for (int number = 0;; number++) {
        inner.subject = env->next(env, call->scope->subject, instances->a, inner.subject);
        if (inner.subject == WCTS_LANG_UNTOLD)
            return wcts_lang_unknown();
        if (inner.subject < 0)
            return wcts_lang_known(false);
        if (instances->b && (number > 63 || !(set.number >> number & 1)))
            continue;
        if (left-- == 0)
            return call->value(call->exprs, instances->next, env, &inner);
    }
}

/* ---- flags ---- */

static struct wcts_lang_result eval_exactly_one(const struct wcts_lang_call *call)
{
    int set = 0, unknown = 0;
    for (int node = call->first; node; node = call->exprs->nodes[node].next) {
        struct wcts_lang_result flag = call->value(call->exprs, node, call->env, call->scope);
        set += flag.known && flag.number;
        unknown += !flag.known;
    }
    if (set > 1 || unknown == 0)
        return wcts_lang_known(set == 1);
    return wcts_lang_unknown();
}

static const struct wcts_member *member_of_node(const struct wcts_lang_call *call,
                                                const struct wcts_lang_node *node)
{
    return &call->env->spec->structures[node->ref.structure].members[node->ref.member];
}

/* What a member that an argument is is a member of, or is near to. */
static int owner_subject(const struct wcts_lang_call *call, struct wcts_lang_ref ref)
{
    const struct wcts_lang_subjects *scope = call->scope;
    for (int out = ref.scope; out > 0 && scope->outer; out--)
        scope = scope->outer;
    return scope->subject;
}

/* The word that an argument is, or is a flag of. */
static struct wcts_lang_result word_value(const struct wcts_lang_call *call,
                                          struct wcts_lang_ref ref)
{
    ref.flag = -1;
    return call->env->value(call->env, owner_subject(call, ref), &ref, 1);
}

/* The bits of a word that are known, and its value; 0 if nothing is. */
static uint64_t known_bits(const struct wcts_lang_call *call, struct wcts_lang_ref ref,
                           uint64_t *value)
{
    struct wcts_lang_result whole;
    ref.flag = -1;
    if (call->env->known)
        return call->env->known(call->env, owner_subject(call, ref), ref, value);
    whole = word_value(call, ref);
    *value = (uint64_t)whole.number;
    return is_plain(whole) ? UINT64_MAX : 0;
}

/* True if one of the bits of a word is set; unknown if only those that are not known may be. */
static struct wcts_lang_result any_set(uint64_t value, uint64_t known, uint64_t bits)
{
    if (value & known & bits)
        return wcts_lang_known(1);
    return known == 0 || bits & ~known ? wcts_lang_unknown() : wcts_lang_known(0);
}

static struct wcts_lang_result eval_others(const struct wcts_lang_call *call)
{
    const struct wcts_lang_node *node = argument(call, 0);
    int word = member_of_node(call, node)->word;
    uint64_t value, known = known_bits(call, node->ref, &value), others, elsewhere;
    if (!call->env->bits)
        return wcts_lang_unknown();
    others = call->env->bits(call->env, word, &elsewhere);
    others &= ~(UINT64_C(1) << call->env->spec->words[word].flags[node->ref.flag].bit);
    return any_set(value, known, others);
}

static struct wcts_lang_result eval_undefined(const struct wcts_lang_call *call)
{
    const struct wcts_lang_node *node = argument(call, 0);
    uint64_t value, known = known_bits(call, node->ref, &value), defined, elsewhere;
    if (!call->env->bits)
        return wcts_lang_unknown();
    defined = call->env->bits(call->env, member_of_node(call, node)->word, &elsewhere);
    return any_set(value, known, ~(defined | elsewhere));
}

/* ---- numbers and objects ---- */

static struct wcts_lang_result eval_default(const struct wcts_lang_call *call)
{
    struct wcts_lang_result value = argument_value(call, 0);
    bool none = value.known && value.symbol < 0 && value.number == 0;
    return none ? argument_value(call, 1) : value;
}

static struct wcts_lang_result eval_size(const struct wcts_lang_call *call)
{
    struct wcts_lang_object object = {0};
    struct wcts_lang_result handle = argument_value(call, 0);
    if (!handle.known || !call->env->object ||
        call->env->object(call->env, handle, &object) != WCTS_TRUE || object.size == 0)
        return wcts_lang_unknown();
    return wcts_lang_known(object.size);
}

static struct wcts_lang_result eval_live(const struct wcts_lang_call *call)
{
    const char *kind = wcts_lang_name(call->exprs, argument(call, 1)->b);
    struct wcts_lang_object object = {0};
    struct wcts_lang_result handle = argument_value(call, 0);
    enum wcts_truth found = WCTS_UNKNOWN;
    if (handle.known && call->env->object)
        found = call->env->object(call->env, handle, &object);
    if (found == WCTS_UNKNOWN)
        return wcts_lang_unknown();
    return wcts_lang_known(found == WCTS_TRUE && object.live && object.kind &&
                           strcmp(object.kind, kind) == 0);
}

/* ---- addresses ---- */

/* A base that is not known is a reserved address: at least so high, and far below the top. */
#define ADDRESS_LEAST 0x10000

static struct wcts_lang_result eval_wraps(const struct wcts_lang_call *call)
{
    struct wcts_lang_result base = argument_value(call, 0), size = argument_value(call, 1);
    __int128 least = base.symbol >= 0 ? ADDRESS_LEAST : base.number;
    if (!base.known || !is_plain(size))
        return wcts_lang_unknown();
    return wcts_lang_known(least + size.number > (__int128)1 << 64);
}

/* Visits the pages of a range; false if it is not known. */
static bool visit_pages(const struct wcts_lang_call *call, struct wcts_lang_result base,
                        struct wcts_lang_result size, wcts_page_visit *visit, void *context)
{
    const struct wcts_lang_env *env = call->env;
    return base.known && is_plain(size) && env->pages &&
           env->pages(env, base, (uint64_t)size.number, visit, context);
}

/* A kernel may answer with a state that there is none of: the last bit. */
#define STATE_NONE 63

static bool add_page_state(void *context, const struct wcts_lang_page *page)
{
    bool is_one = page->state >= 0 && page->state < STATE_NONE;
    *(uint64_t *)context |= UINT64_C(1) << (is_one ? page->state : STATE_NONE);
    return true;
}

static struct wcts_lang_result eval_pages(const struct wcts_lang_call *call)
{
    uint64_t states = 0;
    return visit_pages(call, argument_value(call, 0), argument_value(call, 1), add_page_state,
                       &states)
               ? wcts_lang_known(states)
               : wcts_lang_unknown();
}

/* The reservation that the pages so far lie in. */
struct lang_home {
    int reservation;  /* -1: there was no page so far */
    const char *kind; /* that it has to be of, NULL: any */
    bool reserved;    /* pages that nobody reserved do not count */
    bool one;
};

static bool note_home(void *context, const struct wcts_lang_page *page)
{
    struct lang_home *home = context;
    if (page->reservation < 0 && home->reserved)
        return true;
    home->one = page->reservation >= 0 &&
                (home->reservation < 0 || home->reservation == page->reservation) &&
                (!home->kind || strcmp(home->kind, page->kind) == 0);
    home->reservation = page->reservation;
    return home->one;
}

static struct wcts_lang_result eval_reservation(const struct wcts_lang_call *call)
{
    struct lang_home home = {-1, wcts_reservation_words[argument(call, 2)->b], false, true};
    return visit_pages(call, argument_value(call, 0), argument_value(call, 1), note_home, &home)
               ? wcts_lang_known(home.one)
               : wcts_lang_unknown();
}

static bool is_call_of(const struct wcts_lang_node *node, const char *name)
{
    return strcmp(wcts_functions[node->b].name, name) == 0;
}

/* Each argument is a range of all instances of its structure. */
static struct wcts_lang_result eval_one_reservation(const struct wcts_lang_call *call)
{
    const struct wcts_lang_node *nodes = call->exprs->nodes;
    const struct wcts_lang_env *env = call->env;
    struct lang_home home = {-1, NULL, false, true};
    bool asked = false;
    for (int range = call->first; range; range = nodes[range].next) {
        int base = nodes[range].a;
        home.reserved = is_call_of(&nodes[range], "reserved");
        for (int i = -1; env->next && home.one;) {
            struct wcts_lang_subjects scope; /* all there is is about the instance */
            i = env->next(env, call->scope->subject, nodes[base].ref.structure, i);
            if (i == WCTS_LANG_UNTOLD)
                return wcts_lang_unknown();
            if (i < 0)
                break;
            scope = (struct wcts_lang_subjects){i, &scope};
            asked = true;
            if (!visit_pages(call, call->value(call->exprs, base, env, &scope),
                             call->value(call->exprs, nodes[base].next, env, &scope), note_home,
                             &home))
                return wcts_lang_unknown();
        }
    }
    return asked ? wcts_lang_known(home.one) : wcts_lang_unknown();
}

/* Ranges are for one_reservation alone. */
static struct wcts_lang_result eval_range(const struct wcts_lang_call *call)
{
    (void)call;
    return wcts_lang_unknown();
}

/* ---- instances ---- */

/* Against the earlier instances that were still there; UNKNOWN without any. */
static struct wcts_lang_result eval_repeats(const struct wcts_lang_call *call)
{
    const struct wcts_lang_ref ref = argument(call, 0)->ref;
    const struct wcts_lang_env *env = call->env;
    int subject = call->scope->subject;
    struct wcts_lang_result own = argument_value(call, 0), known;
    bool asked = false;
    int i;
    if (!env->next || !env->was_there || !own.known)
        return wcts_lang_unknown();
    if (env->repeats && env->repeats(env, subject, &ref, own.number, &known))
        return known;
    for (i = env->next(env, subject, ref.structure, -1); i >= 0 && i < subject;
         i = env->next(env, subject, ref.structure, i)) {
        struct wcts_lang_result other = env->value(env, i, &ref, 1);
        enum wcts_truth there = env->was_there(env, i, subject);
        if (there == WCTS_FALSE)
            continue;
        if (!other.known || there == WCTS_UNKNOWN)
            return wcts_lang_unknown();
        asked = true;
        if (own.number != 0 && own.number == other.number)
            return wcts_lang_known(true);
    }
    return asked && i != WCTS_LANG_UNTOLD ? wcts_lang_known(false) : wcts_lang_unknown();
}

/* An element's first member is where it begins, its second how long it is. */
static struct wcts_lang_result eval_contiguous(const struct wcts_lang_call *call)
{
    const struct wcts_lang_node *table = argument(call, 0);
    const struct wcts_lang_env *env = call->env;
    int structure = wcts_model_spec_structure(env->spec, member_of_node(call, table)->elements);
    const struct wcts_lang_ref begin = {(int16_t)structure, 0, -1, 0, 0};
    const struct wcts_lang_ref length = {(int16_t)structure, 1, -1, 0, 0};
    struct wcts_lang_result size = argument_value(call, 1);
    __int128 end = -1;
    int i = env->next_element ? -1 : WCTS_LANG_UNTOLD;
    while (env->next_element && (i = env->next_element(env, owner_subject(call, table->ref),
                                                       table->ref, structure, i)) >= 0) {
        struct wcts_lang_result first = env->value(env, i, &begin, 1);
        struct wcts_lang_result count = env->value(env, i, &length, 1);
        if (!first.known || !count.known || !size.known)
            return wcts_lang_unknown();
        if ((end >= 0 && first.number != end) || first.number + count.number > size.number)
            return wcts_lang_known(false);
        end = first.number + count.number;
    }
    return end >= 0 && i != WCTS_LANG_UNTOLD ? wcts_lang_known(true) : wcts_lang_unknown();
}

/* ---- recordings ---- */

/* Of a word the flags that are not named behind it. */
static struct wcts_lang_result eval_without(const struct wcts_lang_call *call)
{
    struct wcts_lang_result value = word_value(call, argument(call, 0)->ref);
    uint64_t mask = 0;
    if (!is_plain(value))
        return wcts_lang_unknown();
    for (int node = argument(call, 0)->next; node; node = call->exprs->nodes[node].next) {
        const struct wcts_lang_node *flag = &call->exprs->nodes[node];
        int word = member_of_node(call, flag)->word;
        mask |= UINT64_C(1) << call->env->spec->words[word].flags[flag->ref.flag].bit;
    }
    return wcts_lang_known((uint64_t)value.number & ~mask);
}

static struct wcts_lang_result eval_flags(const struct wcts_lang_call *call)
{
    uint64_t mask = 0;
    for (int node = call->first; node; node = call->exprs->nodes[node].next) {
        const struct wcts_lang_node *flag = &call->exprs->nodes[node];
        int word = member_of_node(call, flag)->word;
        mask |= UINT64_C(1) << call->env->spec->words[word].flags[flag->ref.flag].bit;
    }
    return wcts_lang_known(mask);
}

static struct wcts_lang_result eval_rounded(const struct wcts_lang_call *call)
{
    struct wcts_lang_result value = argument_value(call, 0), to = argument_value(call, 1);
    if (!is_plain(value) || !is_plain(to) || to.number == 0)
        return wcts_lang_unknown();
    return wcts_lang_known((value.number + to.number - 1) / to.number * to.number);
}

/* The lowest of the five groups of six bits that names a segment: 0 is none. */
static struct wcts_lang_result eval_first_of(const struct wcts_lang_call *call)
{
    struct wcts_lang_result value = argument_value(call, 0);
    uint64_t groups = (uint64_t)value.number;
    if (!is_plain(value))
        return wcts_lang_unknown();
    while (groups != 0 && (groups & 0x1F) == 0)
        groups >>= 6;
    return wcts_lang_known(groups & 0x1F);
}

/* ---- the table ---- */

#define P(type) WCTS_EXPR_##type

/* clang-format off */
const struct wcts_lang_function wcts_functions[WCTS_FUNCTION_COUNT] = {
    {"count", "count(STRUCTURE in set, each)", "how many instances (that the set numbers) there are (of which each is true)",
     {P(INSTANCES), P(EACH)}, 1, false, P(NUMBER), eval_count},
    {"some", "some(STRUCTURE in set, each)", "each is true of at least one instance (that the set numbers)",
     {P(INSTANCES), P(EACH)}, 2, false, P(FLAG), eval_some},
    {"each", "each(STRUCTURE in set, each)", "each is true of every instance (that the set numbers)",
     {P(INSTANCES), P(EACH)}, 2, false, P(FLAG), eval_each},
    {"nth", "nth(STRUCTURE in set, each, number)", "each is true of the instance with that number (of those that the set numbers), the first of which has 0",
     {P(INSTANCES), P(EACH), P(NUMBER)}, 3, false, P(FLAG), eval_nth},
    {"exactly_one", "exactly_one(flag, ...)", "one of them is true, and no more",
     {P(FLAG)}, 2, true, P(FLAG), eval_exactly_one},
    {"others", "others(flag)", "another flag of the same word is set, of those that there are at this version",
     {P(BIT)}, 1, false, P(FLAG), eval_others},
    {"undefined", "undefined(word)", "a bit is set that no flag has at this version",
     {P(WORD)}, 1, false, P(FLAG), eval_undefined},
    {"default", "default(number, other)", "the number, or the other if it is 0",
     {P(NUMBER), P(NUMBER)}, 2, false, P(NUMBER), eval_default},
    {"size", "size(handle)", "the size of the object in bytes",
     {P(HANDLE)}, 1, false, P(NUMBER), eval_size},
    {"live", "live(handle, kind)", "it names an object of that kind that has not ended",
     {P(HANDLE), P(KIND)}, 2, false, P(FLAG), eval_live},
    {"wraps", "wraps(base, size)", "the range passes the end of 64 bits",
     {P(NUMBER), P(NUMBER)}, 2, false, P(FLAG), eval_wraps},
    {"pages", "pages(base, size)", "the states that the pages of the range are in",
     {P(NUMBER), P(NUMBER)}, 2, false, P(STATES), eval_pages},
    {"reservation", "reservation(base, size, kind)", "the range lies in one reservation of that kind",
     {P(NUMBER), P(NUMBER), P(RESERVED)}, 3, false, P(FLAG), eval_reservation},
    {"one_reservation", "one_reservation(range, ...)", "the ranges of all instances lie in one reservation",
     {P(RANGE)}, 1, true, P(FLAG), eval_one_reservation},
    {"range", "range(base, size)", "its pages",
     {P(MEMBER), P(NUMBER)}, 2, false, P(RANGE), eval_range},
    {"reserved", "reserved(base, size)", "those of its pages that are reserved",
     {P(MEMBER), P(NUMBER)}, 2, false, P(RANGE), eval_range},
    {"repeats", "repeats(member)", "an earlier instance that is still there has the same value, which is not 0",
     {P(OWN)}, 1, false, P(FLAG), eval_repeats},
    {"contiguous", "contiguous(table, size)", "its entries follow each other without a gap, the last within the size",
     {P(TABLE), P(NUMBER)}, 2, false, P(FLAG), eval_contiguous},
    {"without", "without(word, flag, ...)", "the word without those flags",
     {P(WORD), P(BIT)}, 2, true, P(NUMBER), eval_without},
    {"flags", "flags(flag, ...)", "the word in which those flags are set, and no other",
     {P(BIT)}, 1, true, P(NUMBER), eval_flags},
    {"rounded", "rounded(number, to)", "the next multiple that is not less",
     {P(NUMBER), P(NUMBER)}, 2, false, P(NUMBER), eval_rounded},
    {"first_of", "first_of(preference)", "the segment that is preferred most: the first group that names one",
     {P(PREFERENCE)}, 1, false, P(NUMBER), eval_first_of},
    {"written", "written(data)", "the data is what the suite last wrote there",
     {P(MEMBER)}, 1, false, P(FLAG), NULL},
    {"zeroed", "zeroed(data)", "the data is 0",
     {P(MEMBER)}, 1, false, P(FLAG), NULL},
    {"filled", "filled(data, pattern)", "the data is the pattern, 4 bytes at a time",
     {P(MEMBER), P(NUMBER)}, 2, false, P(FLAG), NULL},
    {"line", "line(member, along, per)", "from message to message, member grows by per for each 1 of along",
     {P(NUMBER), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"in_bank", "in_bank(offset, hint)", "the offset lies in the bank that the hint names",
     {P(NUMBER), P(NUMBER)}, 2, false, P(FLAG), NULL},
    {"held", "held(operation, base, size)", "all of the range is secured during the call, by the operation, and stays so until the objects end",
     {P(OPERATION), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"held_before", "held_before(operation, other, base, size)", "all of the range is secured, by the operation, before the other one is used on it",
     {P(OPERATION), P(OPERATION), P(NUMBER), P(NUMBER)}, 4, false, P(FLAG), NULL},
    {"released", "released(operation)", "what the operation secured for the objects that the call ends is released; what a refused call secured is, too",
     {P(OPERATION)}, 1, false, P(FLAG), NULL},
    {"given", "given(handle)", "whoever is sent the handle has answered with it before",
     {P(MEMBER)}, 1, false, P(FLAG), NULL},
    {"outstanding", "outstanding(operation, other, address)", "more calls of the operation than of the other were accepted before (of those for what has that address)",
     {P(OPERATION), P(OPERATION), P(NUMBER)}, 2, false, P(FLAG), NULL},
    {"as_row", "as_row(state)", "segments fare in the power state as the row of a table that names the statement has it",
     {P(COLUMN)}, 1, false, P(FLAG), NULL},
    {"as_some_row", "as_some_row(state)", "segments whose row is not valid fare in all power states as one valid row has it",
     {P(COLUMN)}, 1, false, P(FLAG), NULL},
    {"patched", "patched(aspect, STRUCTURE, each)", "the DMA buffer is as patching leaves it (of the elements of which each is true)",
     {P(ASPECT), P(INSTANCES), P(EACH)}, 1, false, P(FLAG), NULL},
    {"mapped", "mapped(handle, base, size)", "the pages of the range are mapped to that allocation",
     {P(HANDLE), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"begun", "begun(base, size, offset)", "the first page of the range is at that offset in its allocation",
     {P(NUMBER), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"linear", "linear(base, size)", "the pages of the range follow each other in the allocation",
     {P(NUMBER), P(NUMBER)}, 2, false, P(FLAG), NULL},
    {"repeated", "repeated(base, size, length)", "they do, and begin again after so many bytes",
     {P(NUMBER), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"protected", "protected(base, size, protection)", "the pages of the range have that protection",
     {P(NUMBER), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"driver_protected", "driver_protected(base, size, protection)", "the pages of the range have that protection of the driver",
     {P(NUMBER), P(NUMBER), P(NUMBER)}, 3, false, P(FLAG), NULL},
    {"copied", "copied(base, size, source, state, ...)", "the pages are as those at source were that are in one of the states",
     {P(NUMBER), P(NUMBER), P(NUMBER), P(STATE)}, 4, true, P(FLAG), NULL},
    {"copied_over", "copied_over(base, size, source, state, ...)", "so they are where the two ranges intersect",
     {P(NUMBER), P(NUMBER), P(NUMBER), P(STATE)}, 4, true, P(FLAG), NULL},
    {"unchanged", "unchanged(base, size)", "the pages of the range are as before",
     {P(NUMBER), P(NUMBER)}, 2, false, P(FLAG), NULL},
};
/* clang-format on */
