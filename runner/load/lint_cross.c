/* SPDX-License-Identifier: MIT */
/* Facts that a document states twice must agree: the order of a declaration with bits, versions of
 * statements with those of flags, errata with what is left open. So a slip of the pen is found even
 * where no case could show it. */
#include "../lang/effect.h"
#include "../model/names.h"
#include "lint.h"

#include <string.h>

#include "../../include/wddm-cts.h"
#include "../base/text.h"

/* ---- Words ---- */

static void lint_order(const struct wcts_load_lint *lint, const struct wcts_word *word)
{
    const char *at = word->order, *name;
    size_t length;
    int next = 0;
    while ((length = wcts_next_piece(&at, &name)) > 0) {
        const char *found = next < word->flag_count ? word->flags[next].name : "nothing more";
        if (next == word->flag_count || !wcts_is_piece(found, name, length)) {
            wcts_error_at(
                lint->diagnostics, &word->place,
                "word \"%s\" is declared in the order ... %.*s, its flag number %d is %s, "
                "expected both to agree",
                word->name, (int)length, name, next + 1, found);
            return;
        }
        next++;
    }
    if (next < word->flag_count)
        wcts_error_at(lint->diagnostics, &word->flags[next].place,
                      "flag \"%s\" is not in the declared order of word \"%s\", expected it there",
                      word->flags[next].name, word->name);
}

/* The structure and member that hold the word; -1: none. */
static int holder_since(const struct wcts_spec *spec, int word)
{
    int since = -1;
    for (int s = 0; s < spec->structures_count; s++)
        for (int m = 0; m < spec->structures[s].member_count; m++) {
            const struct wcts_member *member = &spec->structures[s].members[m];
            int here = member->since > spec->structures[s].since ? member->since
                                                                 : spec->structures[s].since;
            if (member->word == word && (since < 0 || here < since))
                since = here;
        }
    return since;
}

static void lint_declared_word(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_word *word = &spec->words[index];
    int since = holder_since(spec, index);
    if (word->order)
        lint_order(lint, word);
    for (int i = 0; i < word->flag_count; i++) {
        const struct wcts_flag *flag = &word->flags[i];
        bool open = flag->open_since < flag->open_until, left = false;
        /* A flag without a since of its own begins with its word. */
        if (since > 0 && flag->since > 0 && flag->since < since)
            wcts_error_at(lint->diagnostics, &flag->place,
                          "flag \"%s\" is since %s, before any member holds its word, expected %s "
                          "or later",
                          flag->name, wcts_load_lint_version(lint, flag->since),
                          wcts_load_lint_version(lint, since));
        if (open && flag->open_until != flag->since && flag->open_since != flag->since)
            wcts_error_at(lint->diagnostics, &flag->place,
                          "flag \"%s\" is open from %s, expected the range to end or to begin "
                          "where the flag begins (%s)",
                          flag->name, wcts_load_lint_version(lint, flag->open_since),
                          wcts_load_lint_version(lint, flag->since));
        for (int e = 0; e < spec->errata_count && !left; e++)
            left = wcts_list_has(spec->errata[e].leaves, flag->name);
        if (open && !left)
            wcts_error_at(lint->diagnostics, &flag->place,
                          "flag \"%s\" is left open, expected an erratum that leaves it so",
                          flag->name);
    }
}

/* ---- Errata ---- */

static bool is_left_open(const struct wcts_spec *spec, const char *erratum, const char *name,
                         size_t length)
{
    for (int w = 0; w < spec->words_count; w++)
        for (int f = 0; f < spec->words[w].flag_count; f++) {
            const struct wcts_flag *flag = &spec->words[w].flags[f];
            if (wcts_is_piece(flag->name, name, length) && flag->open_since < flag->open_until)
                return true;
        }
    for (int i = 0; i < spec->opens_count; i++)
        if (wcts_is_piece(spec->structures[spec->opens[i].on].name, name, length) &&
            wcts_list_has(spec->opens[i].errata, erratum))
            return true;
    return false;
}

static void lint_erratum(const struct wcts_load_lint *lint, const struct wcts_erratum *erratum)
{
    const char *at = erratum->leaves, *name;
    size_t length;
    while (at && (length = wcts_next_piece(&at, &name)) > 0)
        if (!is_left_open(lint->spec, erratum->id, name, length))
            wcts_error_at(lint->diagnostics, &erratum->place,
                          "erratum %s leaves \"%.*s\" open, expected a flag with open=\"...\" or "
                          "an <open> of it",
                          erratum->id, (int)length, name);
}

/* ---- Statements ---- */

/* The flag that the statement is about by its member, in a word of its document; NULL if none. */
static const struct wcts_flag *flag_of(const struct wcts_spec *spec,
                                       const struct wcts_statement *statement, int *word)
{
    for (int w = 0; w < spec->words_count; w++)
        for (int f = 0; f < spec->words[w].flag_count; f++)
            if (spec->words[w].document == statement->document &&
                strcmp(spec->words[w].flags[f].name, statement->member) == 0) {
                *word = w;
                return &spec->words[w].flags[f];
            }
    return NULL;
}

/* The flags of a word that a rule or effect reads: bit n is flag n. */
struct load_flag_reading {
    const struct wcts_spec *spec;
    int word;
    uint64_t flags;
};

static void note_flag_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct load_flag_reading *reading = context;
    (void)use;
    if (ref.flag >= 0 && wcts_model_ref_member(reading->spec, ref)->word == reading->word)
        reading->flags |= UINT64_C(1) << ref.flag;
}

static uint64_t flags_read(const struct wcts_spec *spec, const struct wcts_rule *rule, int word)
{
    struct load_flag_reading reading = {.spec = spec, .word = word};
    const struct wcts_effect *effect = rule->effect;
    const int roots[] = {rule->breach.when,          rule->breach.refuse,
                         rule->breach.unless,        effect ? effect->when : 0,
                         effect ? effect->where : 0, effect ? effect->holds : 0};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        wcts_lang_reads(spec->exprs, roots[i], note_flag_read, &reading);
    for (int a = 0; a < WCTS_ARG_COUNT; a++)
        for (int i = 0; i < rule->arg[a].count; i++)
            note_flag_read(&reading, rule->arg[a].refs[i], WCTS_USE_OWN);
    return reading.flags;
}

/* The rules of a statement about a flag look at that flag, unless they look at no flag of its
 * word at all (the size of a buffer that the flag announces). */
static void lint_about_flag(const struct wcts_load_lint *lint, int index, int word, int flag)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[index];
    for (int r = 0; r < spec->rules_count; r++)
        if (spec->rules[r].statement == index) {
            uint64_t read = flags_read(spec, &spec->rules[r], word);
            if (read && !(read >> flag & 1))
                wcts_error_at(lint->diagnostics, &spec->rules[r].place,
                              "rule %s does not read %s, which its statement is about, "
                              "expected it to",
                              spec->rules[r].id, statement->member);
        }
}

static void lint_statement(const struct wcts_load_lint *lint, int index)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[index];
    int word = -1;
    const struct wcts_flag *flag = flag_of(spec, statement, &word);
    bool first = true;
    if (statement->rule_count > 0 && statement->rule_count != statement->rules_expected)
        wcts_error_at(lint->diagnostics, &statement->place,
                      "statement %s has %d rules, expected %d", statement->id,
                      statement->rule_count, statement->rules_expected);
    if (!flag)
        return;
    lint_about_flag(lint, index, word, (int)(flag - spec->words[word].flags));
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *other = &spec->statements[i];
        if (other->document == statement->document &&
            strcmp(other->member, statement->member) == 0 && other->since < statement->since)
            first = false;
    }
    if (first && statement->since != flag->since)
        wcts_error_at(lint->diagnostics, &statement->place,
                      "statement %s, the first about %s, is since %s, the flag since %s, expected "
                      "both to agree",
                      statement->id, flag->name, wcts_load_lint_version(lint, statement->since),
                      wcts_load_lint_version(lint, flag->since));
}

/* ---- Rules ---- */

static void lint_layout_rule(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_structure *structure = &lint->spec->structures[rule->on];
    int since = structure->since, until = structure->until;
    for (int i = 0; i < rule->at_count; i++) {
        const struct wcts_member *member = &structure->members[rule->at[i].member];
        if (member->since > since)
            since = member->since;
        if (member->until < until)
            until = member->until;
    }
    if (rule->since != since || rule->until != until)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "layout %s is since %s until %s, but what it lays out since %s until %s, "
                      "expected both to agree",
                      rule->id, wcts_load_lint_version(lint, rule->since),
                      wcts_load_lint_version(lint, rule->until),
                      wcts_load_lint_version(lint, since), wcts_load_lint_version(lint, until));
    if (rule->word < 0 && rule->at_count == 0)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "layout %s lays nothing out, expected <at> elements", rule->id);
}

static bool laid_out(const struct wcts_spec *spec, const struct wcts_rule *like, int member)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        if (rule->form != WCTS_FORM_LAYOUT || rule->statement != like->statement ||
            rule->on != like->on)
            continue;
        for (int i = 0; i < rule->at_count; i++)
            if (rule->at[i].member == member)
                return true;
    }
    return false;
}

/* True if a rule asks for a multiple of a number: the member then counts bytes. */
static bool counts_bytes(const struct wcts_spec *spec, int structure, int member)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_lang_edge edge =
            wcts_lang_edge(spec->exprs, spec->rules[r].breach.refuse);
        const struct wcts_lang_node *of = &spec->exprs->nodes[edge.of];
        if (spec->rules[r].on == structure && edge.kind == WCTS_EDGE_MULTIPLE &&
            of->op == WCTS_OP_MEMBER && of->ref.member == member)
            return true;
    }
    return false;
}

/* A layout names every member: of bytes, those that are aligned. */
static void lint_layout_whole(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_structure *structure = &lint->spec->structures[rule->on];
    if (rule->layout_sets || rule->word >= 0)
        return;
    for (int m = 0; m < structure->member_count; m++) {
        bool wanted = !rule->layout_bytes || counts_bytes(lint->spec, rule->on, m);
        if (wanted && !laid_out(lint->spec, rule, m))
            wcts_error_at(lint->diagnostics, &rule->place,
                          "layout %s leaves out the member %s, expected an <at> of it", rule->id,
                          structure->members[m].name);
    }
}

static void lint_gate_versions(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_statement *statement = &lint->spec->statements[rule->statement];
    const struct wcts_flag *flag =
        &lint->spec->words[wcts_model_ref_member(lint->spec, rule->gate)->word]
             .flags[rule->gate.flag];
    if (statement->since != flag->since)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "gate %s is since %s, its flag %s since %s, expected both to agree", rule->id,
                      wcts_load_lint_version(lint, statement->since), flag->name,
                      wcts_load_lint_version(lint, flag->since));
}

/* The version from which on all is there that expressions read. */
struct load_beginning {
    const struct wcts_spec *spec;
    int since;
};

static void begin_with(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct load_beginning *beginning = context;
    int since, until;
    (void)use;
    wcts_load_lint_exists(beginning->spec, ref, &since, &until);
    if (since > beginning->since)
        beginning->since = since;
}

static const char *flag_name(const struct wcts_spec *spec, struct wcts_ref flag)
{
    return flag.flag < 0
               ? ""
               : spec->words[wcts_model_ref_member(spec, flag)->word].flags[flag.flag].name;
}

/* True if an effect begins with a flag that it wants clear: one that its statement is about, or for
 * which it begins later than its statement. Otherwise the flag is clear before it exists, too. */
static bool begins_with_clear(const struct wcts_spec *spec, const struct wcts_rule *effect,
                              const struct wcts_condition *when)
{
    const struct wcts_statement *statement = &spec->statements[effect->statement];
    return effect->since != statement->since ||
           strcmp(flag_name(spec, when->ref), statement->member) == 0;
}

static int effect_since(const struct wcts_spec *spec, const struct wcts_rule *effect, bool clear)
{
    struct load_beginning beginning = {spec, spec->structures[effect->on].since};
    for (int i = 0; i < effect->when_count; i++)
        if (!effect->when[i].clear || (clear && begins_with_clear(spec, effect, &effect->when[i])))
            wcts_lang_reads(spec->exprs, effect->when[i].expression, begin_with, &beginning);
    wcts_lang_reads(spec->exprs, effect->effect->where, begin_with, &beginning);
    wcts_lang_reads(spec->exprs, effect->effect->holds, begin_with, &beginning);
    return beginning.since;
}

/* What a call does it does from the version on at which all that the effect names is there; what a
 * table says, from the version on at which it holds. */
static void lint_effect_since(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[effect->statement];
    int since = effect_since(spec, effect, true);
    for (int i = 0; i < spec->tables_count; i++)
        if (effect->form == WCTS_FORM_EFFECT_POWER && effect->since == spec->tables[i].since)
            return;
    /* What the document said of the same member until then gives way to the effect. */
    for (int i = 0; i < spec->statements_count; i++) {
        const struct wcts_statement *other = &spec->statements[i];
        if (other->document == statement->document && other->until == effect->since &&
            strcmp(other->member, statement->member) == 0)
            return;
    }
    if (effect->since != since && effect->since != effect_since(spec, effect, false))
        wcts_error_at(lint->diagnostics, &effect->place,
                      "effect %s is since %s, but all that it names exists since %s, expected both "
                      "to agree",
                      effect->id, wcts_load_lint_version(lint, effect->since),
                      wcts_load_lint_version(lint, since));
}

/* True if something of what a statement is about begins, or ends, at a version. */
static bool changes_at(const struct wcts_spec *spec, const struct wcts_statement *statement,
                       int version)
{
    for (int i = 0; i < spec->statements_count; i++)
        if (spec->statements[i].document == statement->document &&
            spec->statements[i].since == version &&
            strcmp(spec->statements[i].member, statement->member) == 0)
            return true;
    for (int i = 0; i < spec->structures_count; i++)
        for (int j = 0; j < spec->structures[i].member_count; j++)
            if (spec->structures[i].members[j].until == version &&
                strcmp(spec->structures[i].members[j].name, statement->member) == 0)
                return true;
    return false;
}

/* An effect that ends before its statement goes on in another of the statement; one that ends with
 * it does so where the documents say something else of the same. */
static void lint_effect_until(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_spec *spec = lint->spec;
    const struct wcts_statement *statement = &spec->statements[effect->statement];
    if (effect->until == statement->until) {
        if (effect->until < spec->versions_count && !changes_at(spec, statement, effect->until))
            wcts_error_at(lint->diagnostics, &effect->place,
                          "effect %s ends with its statement at %s, expected %s to end there or "
                          "another statement about it to begin",
                          effect->id, wcts_load_lint_version(lint, effect->until),
                          statement->member);
        return;
    }
    for (int r = 0; r < spec->rules_count; r++)
        if (spec->rules[r].statement == effect->statement && spec->rules[r].since == effect->until)
            return;
    wcts_error_at(lint->diagnostics, &effect->place,
                  "effect %s ends at %s, expected another effect of its statement to begin there",
                  effect->id, wcts_load_lint_version(lint, effect->until));
}

/* What a table says of a state in which the system sleeps holds when that state is entered; with
 * hybrid sleep, what it says of hibernate. */
static void lint_power_state(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_lang_exprs *exprs = lint->spec->exprs;
    int row = wcts_lang_find_call_of(exprs, effect->effect->holds, "as_row");
    int call = row ? row : wcts_lang_find_call_of(exprs, effect->effect->holds, "as_some_row");
    int column = exprs->nodes[exprs->nodes[call].a].b;
    bool standby = column == 0;
    for (int i = 0; i < effect->when_count; i++) {
        const struct wcts_lang_node *equals = &exprs->nodes[effect->when[i].expression];
        uint64_t state = equals->op == WCTS_OP_EQ && exprs->nodes[equals->b].op == WCTS_OP_NUMBER
                             ? exprs->nodes[equals->b].number
                             : 0;
        if (standby ? state == WCTS_POWER_STANDBY
                    : state == WCTS_POWER_HIBERNATE || state == WCTS_POWER_HYBRID_SLEEP)
            return;
    }
    wcts_error_at(lint->diagnostics, &effect->place,
                  "effect %s of column %s is for another state, expected %s", effect->id,
                  wcts_column_words[column],
                  standby ? "<when> with State 1" : "<when> with State 2 or 3");
}

/* Only a derived statement about a flag says what is without it. */
static void lint_effect_of_clear(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_statement *statement = &lint->spec->statements[effect->statement];
    for (int i = 0; i < effect->when_count; i++) {
        const struct wcts_condition *when = &effect->when[i];
        if (when->clear && !statement->derived &&
            strcmp(flag_name(lint->spec, when->ref), statement->member) == 0)
            wcts_error_at(lint->diagnostics, &effect->place,
                          "effect %s happens without %s, which its statement is about, "
                          "expected a derived statement",
                          effect->id, statement->member);
    }
}

/* ---- what effects compare ---- */

/* An address may be the sum of numbers, but none is a limit of it. */
static bool is_pointer(const struct wcts_spec *spec, int index, bool limit)
{
    const struct wcts_lang_node *node = &spec->exprs->nodes[index];
    enum wcts_member_type type;
    if (node->op == WCTS_OP_FOLLOW)
        node = &spec->exprs->nodes[node->b];
    if (node->op != WCTS_OP_MEMBER)
        return false;
    type = spec->structures[node->ref.structure].members[node->ref.member].type;
    return type == WCTS_TYPE_POINTER || (type == WCTS_TYPE_ADDRESS && limit);
}

/* A pointer is not a number. */
static void lint_comparison(const struct wcts_load_lint *lint, const struct wcts_rule *effect,
                            const struct wcts_lang_node *node)
{
    const struct wcts_lang_node *right = &lint->spec->exprs->nodes[node->b];
    bool limit = node->op >= WCTS_OP_LT && node->op <= WCTS_OP_GE;
    if (!(right->op == WCTS_OP_NUMBER && right->number == 0) && right->op <= WCTS_OP_FOLLOW &&
        is_pointer(lint->spec, node->a, limit) != is_pointer(lint->spec, node->b, limit) &&
        right->op >= WCTS_OP_NUMBER)
        wcts_error_at(lint->diagnostics, &effect->place,
                      "effect %s compares a pointer with a number, expected two of a kind",
                      effect->id);
}

static void lint_compared(const struct wcts_load_lint *lint, const struct wcts_rule *effect,
                          int index)
{
    const struct wcts_lang_node *nodes = lint->spec->exprs->nodes;
    if (index && nodes[index].op <= WCTS_OP_NOT)
        for (int i = nodes[index].a; i; i = nodes[i].next)
            lint_compared(lint, effect, i);
    else if (index && nodes[index].op <= WCTS_OP_GE)
        lint_comparison(lint, effect, &nodes[index]);
}

/* During a call the driver and the machine are asked; later the suite asks the kernel. */
static void lint_operation(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_spec *spec = lint->spec;
    int message = effect->effect->message;
    const char *name = message >= 0 ? spec->messages[message].name : "";
    bool kernel = strncmp(name, "KERNEL_", 7) == 0;
    if (effect->form == WCTS_FORM_EFFECT_TOLD && kernel)
        wcts_error_at(
            lint->diagnostics, &effect->place,
            "effect %s looks for %s during a call, expected an operation of the driver or "
            "the machine",
            effect->id, name);
}

/* Each effect of a statement says something of its own. */
static void lint_effect_once(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    const struct wcts_lang_exprs *exprs = lint->spec->exprs;
    const struct wcts_effect *one = effect->effect;
    for (int i = 0; i < effect->when_count; i++)
        for (int j = 0; j < i; j++)
            if (wcts_lang_same(exprs, effect->when[i].expression, effect->when[j].expression))
                wcts_error_at(lint->diagnostics, &effect->place,
                              "\"when\" has the same condition twice, expected it once");
    for (const struct wcts_rule *rule = lint->spec->rules; rule < effect; rule++) {
        const struct wcts_effect *other = rule->effect;
        if (other && rule->statement == effect->statement && rule->since == effect->since &&
            other->on == one->on && other->message == one->message &&
            other->selector == one->selector && other->span == one->span &&
            other->refused_too == one->refused_too &&
            wcts_lang_same(exprs, other->when, one->when) &&
            wcts_lang_same(exprs, other->where, one->where) &&
            wcts_lang_same(exprs, other->holds, one->holds))
            wcts_error_at(lint->diagnostics, &effect->place,
                          "effect %s repeats %s, expected it once", effect->id, rule->id);
    }
}

static void lint_effect(const struct wcts_load_lint *lint, const struct wcts_rule *effect)
{
    lint_effect_since(lint, effect);
    lint_effect_until(lint, effect);
    if (effect->form == WCTS_FORM_EFFECT_POWER)
        lint_power_state(lint, effect);
    lint_effect_of_clear(lint, effect);
    lint_operation(lint, effect);
    lint_compared(lint, effect, effect->effect->holds);
    lint_effect_once(lint, effect);
    if (effect->arg[WCTS_ARG_COPY].given &&
        wcts_model_same_ref(effect->arg[WCTS_ARG_COPY].refs[0], effect->arg[WCTS_ARG_BASE].refs[0]))
        wcts_error_at(lint->diagnostics, &effect->place,
                      "effect %s copies a range onto itself, expected copy and base to differ",
                      effect->id);
}

static void lint_rule(const struct wcts_load_lint *lint, const struct wcts_rule *rule)
{
    const struct wcts_statement *statement = &lint->spec->statements[rule->statement];
    bool found = false;
    if (rule->effect)
        lint_effect(lint, rule);
    /* Only a must says what the kernel does about a driver. */
    if (statement->role == WCTS_ROLE_DRIVER && rule->outcome != WCTS_OUTCOME_EITHER &&
        statement->force != WCTS_FORCE_MUST)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule %s of level %s has the outcome %s, expected either", rule->id,
                      wcts_model_force_name(statement->force),
                      wcts_model_outcome_name(rule->outcome));
    if (rule->form == WCTS_FORM_GATE)
        lint_gate_versions(lint, rule);
    /* A rule that is always broken with another begins where that begins. */
    for (int r = 0; rule->masked_by && r < lint->spec->rules_count; r++)
        if (wcts_list_has(rule->masked_by, lint->spec->rules[r].id))
            found = found || lint->spec->rules[r].since == rule->since;
    if (rule->masked_by && !found)
        wcts_error_at(lint->diagnostics, &rule->place,
                      "rule %s is masked by rules of other versions, expected one that is since "
                      "%s as well",
                      rule->id, wcts_load_lint_version(lint, rule->since));
    if (rule->form == WCTS_FORM_LAYOUT) {
        lint_layout_rule(lint, rule);
        lint_layout_whole(lint, rule);
    }
}

/* ---- Tables ---- */

/* The first column counts most. */
static uint64_t row_rank(const struct wcts_table *table, const struct wcts_row *row)
{
    uint64_t rank = 0;
    for (int i = 0; i < table->column_count; i++)
        rank = rank << 1 | (row->values >> i & 1);
    return rank;
}

/* The rows stand from all set to none set, as in the source. */
static void lint_rows(const struct wcts_load_lint *lint, const struct wcts_table *table)
{
    for (int i = 1; i < table->row_count; i++)
        if (row_rank(table, &table->rows[i]) >= row_rank(table, &table->rows[i - 1]))
            wcts_error_at(lint->diagnostics, &table->rows[i].place,
                          "a row of table \"%s\" is not in order, expected "
                          "rows from all set to none set",
                          table->name);
}

void wcts_load_lint_cross(const struct wcts_load_lint *lint)
{
    const struct wcts_spec *spec = lint->spec;
    for (int i = 0; i < spec->words_count; i++)
        lint_declared_word(lint, i);
    for (int i = 0; i < spec->errata_count; i++)
        lint_erratum(lint, &spec->errata[i]);
    for (int i = 0; i < spec->statements_count; i++)
        lint_statement(lint, i);
    for (int i = 0; i < spec->rules_count; i++)
        lint_rule(lint, &spec->rules[i]);
    for (int i = 0; i < spec->tables_count; i++)
        lint_rows(lint, &spec->tables[i]);
}
