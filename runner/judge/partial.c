/* SPDX-License-Identifier: MIT */
/* All that an exchange from elsewhere shows. */
#include "partial.h"

#include <stdlib.h>
#include <string.h>

#include "../exchange/trace.h"
#include "../lang/expr.h"
#include "../model/test.h"

/* What is known so far of one exchange. */
struct judge_partial_run {
    const struct wcts_judge_partial *judge;
    const struct wcts_exchange *exchange;
    struct wcts_exchange_view view;
    struct wcts_judge_sayings *sayings;
    uint8_t *valid; /* of each record, 1 + enum wcts_judge_said; 0: not asked yet */
    struct wcts_exchange_missing *why; /* of each that is UNKNOWN */
    /* Of each effect, what the worst of its messages shows: BROKEN, or UNKNOWN; NOTHING: not
     * asked, or neither. Filled in as far as asked: 1 + it. */
    uint8_t *effects;
    uint8_t answers; /* 1 + whether a driver's answers are right; 0: not asked yet */
    struct wcts_exchange_missing why_answers;
    bool *bound;         /* of each structure: rules bind a driver's answers in it */
    bool is_bound_known; /* false: bound is not filled in yet */
    uint8_t *reads; /* of each effect: 2, it reads such answers; 1: it does not; 0: not asked */
    /* The operations of its messages, and the same as wcts_model_operation_bit(): most rules are
     * about none of them. */
    struct wcts_operations operations;
    uint64_t operation_bits;
};

/* ---- which rules ---- */

/* True if what the expressions of a rule ask for is the same at both versions. */
static bool is_same_at_both(const struct judge_partial_run *run,
                            const struct wcts_lang_rule *breach)
{
    const struct wcts_lang_exprs *exprs = run->judge->spec->exprs;
    return run->judge->version == run->judge->last_version ||
           !((breach->when && wcts_lang_goes_by_version(exprs, breach->when)) ||
             wcts_lang_goes_by_version(exprs, breach->refuse) ||
             (breach->unless && wcts_lang_goes_by_version(exprs, breach->unless)));
}

static bool exists_now(const struct judge_partial_run *run, const struct wcts_rule *rule)
{
    return wcts_oracle_rule_binds(run->judge->spec, rule, run->judge->version) &&
           wcts_oracle_rule_binds(run->judge->spec, rule, run->judge->last_version) &&
           is_same_at_both(run, &rule->breach);
}

bool wcts_judge_partial_shows(const struct wcts_spec *spec, int rule, const char **why)
{
    const struct wcts_rule *one = &spec->rules[rule];
    *why = NULL;
    if (one->form == WCTS_FORM_LAYOUT)
        *why = "where a member is cannot be seen in a recording of members";
    else if (one->form == WCTS_FORM_EFFECT_PAGES)
        *why = "only the kernel knows the pages of a range";
    else if (one->effect && one->effect->unobserved && !one->effect->is_denial_recorded)
        *why = one->effect->unobserved;
    return *why == NULL;
}

static bool is_effect_asked(const struct judge_partial_run *run, int rule)
{
    const struct wcts_rule *one = &run->judge->spec->rules[rule];
    return one->effect && one->form != WCTS_FORM_EFFECT_PAGES &&
           run->judge->version >= one->since && run->judge->last_version < one->until;
}

static bool is_drivers(const struct wcts_spec *spec, int rule)
{
    return spec->statements[spec->rules[rule].statement].role == WCTS_ROLE_DRIVER;
}

/* ---- adding ---- */

static void add_saying(struct judge_partial_run *run, struct wcts_judge_saying saying)
{
    struct wcts_judge_sayings *all = run->sayings;
    if (saying.said == WCTS_SAID_NOTHING) {
        free(saying.text);
        return;
    }
    if (all->count == all->room) {
        int room = all->room ? 2 * all->room : 64;
        void *grown = realloc(all->of, (size_t)room * sizeof *all->of);
        if (!grown) {
            all->failed = true;
            free(saying.text);
            return;
        }
        all->of = grown;
        all->room = room;
    }
    all->of[all->count++] = saying;
}

void wcts_judge_sayings_release(struct wcts_judge_sayings *sayings)
{
    for (int i = 0; i < sayings->count; i++)
        free(sayings->of[i].text);
    free(sayings->of);
    *sayings = (struct wcts_judge_sayings){0};
}

/* What is missed from here on is noted anew. */
static void begin_partial(const struct judge_partial_run *run)
{
    if (run->exchange->partial)
        run->exchange->partial->missing = (struct wcts_exchange_missing){.record = -1};
}

static struct wcts_exchange_missing missed_first(const struct judge_partial_run *run)
{
    const struct wcts_exchange_missing none = {.record = -1};
    return run->exchange->partial ? run->exchange->partial->missing : none;
}

/* ---- rules ---- */

/* A kernel refuses the call of a rule that has to be refused. */
static void add_acceptance(struct judge_partial_run *run, struct wcts_judge_saying caller)
{
    const struct wcts_rule *rule = &run->judge->spec->rules[caller.rule];
    const struct wcts_exchange_record *record = &run->exchange->records[caller.record];
    struct wcts_judge_saying kernel = caller;
    bool binding = rule->outcome == WCTS_OUTCOME_REFUSE && rule->force == WCTS_FORCE_MUST;
    /* Without memory the caller's text is gone. */
    if (!binding || run->sayings->failed || caller.said == WCTS_SAID_KEPT ||
        caller.said == WCTS_SAID_NOTHING)
        return;
    kernel.side = WCTS_JUDGE_KERNEL;
    kernel.text = NULL;
    if (record->status_unknown) {
        kernel.said = WCTS_SAID_UNKNOWN;
        if (caller.said == WCTS_SAID_BROKEN)
            kernel.missing =
                wcts_exchange_missing_of(WCTS_LACK_STATUS, caller.record, false, -1, -1);
    } else if (wcts_exchange_answer_of(record->status) != WCTS_ANSWER_ACCEPTED) {
        return;
    } else if (caller.said == WCTS_SAID_BROKEN && caller.text) {
        char status[64];
        wcts_exchange_status_text(record->status, status, sizeof status);
        if (asprintf(&kernel.text, "%s answered %s, expected a refusal: %s",
                     wcts_operation_name(record->operation), status, caller.text) < 0)
            kernel.text = NULL;
    }
    add_saying(run, kernel);
}

/* The rule of another row of the same table that the element breaks, -1: none. The one that has it
 * is the row that counts: what the others exclude is neither kept nor broken there. */
static int broken_row_beside(const struct judge_partial_run *run, int rule, int record, int element)
{
    const struct wcts_spec *spec = run->judge->spec;
    const struct wcts_rule *one = &spec->rules[rule];
    for (int r = 0; one->form == WCTS_FORM_ROW && r < spec->rules_count; r++) {
        const struct wcts_rule *other = &spec->rules[r];
        if (other->form == WCTS_FORM_ROW && other->on == one->on &&
            other->statement != one->statement && exists_now(run, other) &&
            wcts_judge_partial_rule(run->judge, run->exchange, r, record, element) ==
                WCTS_SAID_BROKEN)
            return r;
    }
    return -1;
}

/* What the rule says of an element, and what is missing for it. */
static void say_of_element(struct judge_partial_run *run, struct wcts_judge_saying *one)
{
    int row;
    begin_partial(run);
    one->said =
        wcts_judge_partial_rule(run->judge, run->exchange, one->rule, one->record, one->element);
    one->missing = missed_first(run);
    if (one->said != WCTS_SAID_KEPT)
        return;
    row = broken_row_beside(run, one->rule, one->record, one->element);
    if (row < 0)
        return;
    one->said = WCTS_SAID_UNKNOWN;
    one->missing = wcts_exchange_missing_of(WCTS_LACK_CAUSE, -1, false, row, -1);
}

static void judge_rule_in(struct judge_partial_run *run, int rule, enum wcts_judge_side side,
                          int record)
{
    struct wcts_judge_saying one = {.rule = rule, .side = side, .record = record, .element = -1};
    bool untold = false;
    int count;
    begin_partial(run);
    count = wcts_judge_partial_count(run->judge, run->exchange, rule, record, &untold);
    /* Of an answer that may have more elements those are judged that are recorded. */
    if (untold && count == 0) {
        one.said = WCTS_SAID_UNKNOWN;
        one.missing = missed_first(run);
        add_saying(run, one);
        if (side == WCTS_JUDGE_CALLER)
            add_acceptance(run, one);
    }
    for (one.element = 0; one.element < count; one.element++) {
        say_of_element(run, &one);
        one.text = NULL;
        if (one.said == WCTS_SAID_BROKEN && !run->judge->quiet)
            one.text =
                wcts_judge_partial_text(run->judge, run->exchange, rule, record, one.element);
        add_saying(run, one);
        if (side == WCTS_JUDGE_CALLER)
            add_acceptance(run, one);
    }
}

/* A caller sends to a kernel, a driver answers. */
static bool is_judged_by(const struct judge_partial_run *run, const struct wcts_rule *rule,
                         const struct wcts_message *message)
{
    enum wcts_role role = run->judge->spec->statements[rule->statement].role;
    if (!message || message->machine || message->holds[rule->on] == 0)
        return false;
    return role == WCTS_ROLE_CALLER ? !message->driver
                                    : role == WCTS_ROLE_DRIVER && message->driver;
}

static bool is_side_wanted(const struct judge_partial_run *run, enum wcts_judge_side side)
{
    return (run->judge->unwanted >> side & 1) == 0;
}

/* True if some message of the exchange may have a structure. */
static bool may_have(const struct judge_partial_run *run, int structure)
{
    const struct wcts_operations *having = &run->judge->spec->structures[structure].held_by;
    uint64_t common = 0;
    for (int i = 0; i < WCTS_PARTIES; i++)
        common |= having->of[i] & run->operations.of[i];
    return common != 0;
}

static void judge_rules(struct judge_partial_run *run, int rule)
{
    const struct wcts_spec *spec = run->judge->spec;
    const struct wcts_rule *one = &spec->rules[rule];
    enum wcts_judge_side side = is_drivers(spec, rule) ? WCTS_JUDGE_DRIVER : WCTS_JUDGE_CALLER;
    /* A kernel is judged by what callers break, too. */
    if (!is_side_wanted(run, side) &&
        (side == WCTS_JUDGE_DRIVER || !is_side_wanted(run, WCTS_JUDGE_KERNEL)))
        return;
    if (!wcts_model_is_asked(one->form) || !may_have(run, one->on) || !exists_now(run, one))
        return;
    for (int i = 0; i < run->exchange->count; i++)
        if (is_judged_by(run, one,
                         wcts_exchange_message_of(spec, run->exchange->records[i].operation)))
            judge_rule_in(run, rule, side, i);
}

/* ---- effects ---- */

static enum wcts_judge_said worst(enum wcts_judge_said a, enum wcts_judge_said b)
{
    return a == WCTS_SAID_BROKEN || b == WCTS_SAID_BROKEN     ? WCTS_SAID_BROKEN
           : a == WCTS_SAID_UNKNOWN || b == WCTS_SAID_UNKNOWN ? WCTS_SAID_UNKNOWN
                                                              : WCTS_SAID_NOTHING;
}

/* Is given each place in which an effect is asked, with what it shows there. */
typedef void judge_effect_visit(struct judge_partial_run *run, struct wcts_judge_saying saying);

/* How many subjects of an effect the record has; *untold: it is not known. */
static int count_subjects(const struct judge_partial_run *run, const struct wcts_effect *effect,
                          int record, bool *untold)
{
    unsigned missed = wcts_exchange_missed(run->exchange);
    int count = wcts_exchange_count(&run->view, record, effect->on, false);
    if (count == 0)
        count = wcts_exchange_count(&run->view, record, effect->on, true);
    *untold = wcts_exchange_missed(run->exchange) != missed;
    return count;
}

/* True if an effect may be asked of a record: its structure may be there. */
static bool is_asked_of(const struct judge_partial_run *run, const struct wcts_effect *effect,
                        int record)
{
    const struct wcts_exchange_record *one = &run->exchange->records[record];
    return (wcts_model_operation_bit(one->operation) & effect->operations) != 0 &&
           (effect->in < 0 || one->operation == run->judge->spec->messages[effect->in].operation) &&
           !(one->native && effect->header_only);
}

static void each_subject(struct judge_partial_run *run, int rule, int record,
                         judge_effect_visit *visit)
{
    const struct wcts_spec *spec = run->judge->spec;
    const struct wcts_effect *effect = spec->rules[rule].effect;
    struct wcts_judge_saying one = {.rule = rule, .record = record, .element = -1};
    bool untold = false;
    int count;
    one.side = is_drivers(spec, rule) ? WCTS_JUDGE_DRIVER : WCTS_JUDGE_KERNEL;
    if (!is_asked_of(run, effect, record))
        return;
    begin_partial(run);
    count = count_subjects(run, effect, record, &untold);
    if (untold) {
        one.said = WCTS_SAID_UNKNOWN;
        one.missing = missed_first(run);
        visit(run, one);
        return;
    }
    for (one.element = 0; one.element < count; one.element++) {
        begin_partial(run);
        one.text = NULL;
        one.said = wcts_judge_partial_effect(&run->view, rule, record, one.element,
                                             run->judge->quiet ? NULL : &one.text);
        one.missing = missed_first(run);
        visit(run, one);
    }
}

static void note_worst(struct judge_partial_run *run, struct wcts_judge_saying saying)
{
    uint8_t *effect = &run->effects[saying.rule];
    free(saying.text);
    *effect = (uint8_t)(1 + worst((enum wcts_judge_said)(*effect - 1), saying.said));
}

/* What the worst place shows of an effect. */
static enum wcts_judge_said worst_of(struct judge_partial_run *run, int rule)
{
    if (run->effects[rule] == 0) {
        run->effects[rule] = 1 + WCTS_SAID_NOTHING;
        for (int i = 0; i < run->exchange->count && is_effect_asked(run, rule); i++)
            each_subject(run, rule, i, note_worst);
    }
    return (enum wcts_judge_said)(run->effects[rule] - 1);
}

/* KEPT if the effect may be blamed: nothing that it rests on is broken. */
static enum wcts_judge_said may_be_cause(struct judge_partial_run *run, int rule)
{
    const struct wcts_rule *one = &run->judge->spec->rules[rule];
    enum wcts_judge_said all = WCTS_SAID_NOTHING;
    for (int i = 0; i < one->rests_on_count; i++)
        all = worst(all, worst_of(run, one->rests_on[i]));
    return all == WCTS_SAID_NOTHING ? WCTS_SAID_KEPT : all;
}

/* The same of a breach, with what is missing. What another breach hides is not kept. */
static enum wcts_judge_said weigh_cause(struct judge_partial_run *run, int rule,
                                        struct wcts_exchange_missing *why)
{
    const struct wcts_rule *one = &run->judge->spec->rules[rule];
    enum wcts_judge_said may;
    begin_partial(run);
    may = may_be_cause(run, rule);
    *why = missed_first(run);
    for (int i = 0; may == WCTS_SAID_BROKEN && i < one->rests_on_count; i++)
        if (worst_of(run, one->rests_on[i]) == WCTS_SAID_BROKEN)
            *why = wcts_exchange_missing_of(WCTS_LACK_CAUSE, -1, false, one->rests_on[i], -1);
    return may == WCTS_SAID_BROKEN ? WCTS_SAID_UNKNOWN : may;
}

/* True if a breach is one whatever the calls around it show: the statement is about one call alone
 * and has no condition, so that only another breach of the same side may be its cause. No such one
 * rests on a statement of the other side (tests/check/test-unsaid.sh). */
static bool is_breach_by_itself(const struct judge_partial_run *run, int rule)
{
    const struct wcts_effect *effect = run->judge->spec->rules[rule].effect;
    return effect->selector == WCTS_SELECT_CALL && !effect->when;
}

/* A driver's answers that bind it are right, as far as a kernel has to rely on them. */
static enum wcts_judge_said are_answers_right(struct judge_partial_run *run)
{
    const struct wcts_spec *spec = run->judge->spec;
    enum wcts_judge_said all = WCTS_SAID_NOTHING;
    for (int r = 0; r < spec->rules_count && all != WCTS_SAID_BROKEN; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        if (!is_drivers(spec, r) || rule->outcome == WCTS_OUTCOME_EITHER ||
            !wcts_model_is_asked(rule->form) || !exists_now(run, rule))
            continue;
        for (int i = 0; i < run->exchange->count; i++) {
            bool untold = false;
            int count = 0;
            if (is_judged_by(run, rule,
                             wcts_exchange_message_of(spec, run->exchange->records[i].operation)))
                count = wcts_judge_partial_count(run->judge, run->exchange, r, i, &untold);
            all = untold ? worst(all, WCTS_SAID_UNKNOWN) : all;
            for (int e = 0; e < count; e++)
                all = worst(all, wcts_judge_partial_rule(run->judge, run->exchange, r, i, e));
        }
    }
    return all == WCTS_SAID_NOTHING ? WCTS_SAID_KEPT : all;
}

static enum wcts_judge_said rely_on_answers(struct judge_partial_run *run,
                                            struct wcts_exchange_missing *why)
{
    if (run->answers == 0) {
        begin_partial(run);
        run->answers = (uint8_t)(1 + are_answers_right(run));
        run->why_answers = missed_first(run);
    }
    *why = run->why_answers;
    return (enum wcts_judge_said)(run->answers - 1);
}

/* Notes of which structures rules bind a driver's answers. */
static void note_bound(struct judge_partial_run *run)
{
    const struct wcts_spec *spec = run->judge->spec;
    for (int r = 0; r < spec->rules_count; r++)
        if (is_drivers(spec, r) && spec->rules[r].outcome != WCTS_OUTCOME_EITHER)
            run->bound[spec->rules[r].on] = true;
    run->is_bound_known = true;
}

/* True if what is read belongs to a driver's answer that rules bind. */
struct judge_answer_read {
    const bool *bound;
    bool found;
};

static void note_answer_read(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct judge_answer_read *read = context;
    (void)use;
    read->found = read->found || read->bound[ref.structure];
}

/* True if an effect reads something of a driver's answer that rules bind. */
static bool does_read_answers(struct judge_partial_run *run, int rule)
{
    const struct wcts_spec *spec = run->judge->spec;
    const struct wcts_effect *effect = spec->rules[rule].effect;
    const int roots[] = {effect->when, effect->where, effect->holds};
    struct judge_answer_read read = {run->bound, false};
    if (run->reads[rule] != 0)
        return run->reads[rule] == 2;
    if (!run->is_bound_known)
        note_bound(run);
    for (int i = 0; i < 3 && !read.found; i++)
        if (roots[i])
            wcts_lang_reads(spec->exprs, roots[i], note_answer_read, &read);
    run->reads[rule] = read.found ? 2 : 1;
    return read.found;
}

/* True if what an effect shows may come from wrong answers of the driver: all that a kernel does
 * in a call may; of what it asks of a driver, what is compared with those answers. */
static bool does_rely_on_answers(struct judge_partial_run *run,
                                 const struct wcts_judge_saying *saying)
{
    const struct wcts_message *message = wcts_exchange_message_of(
        run->judge->spec, run->exchange->records[saying->record].operation);
    return !message->driver || does_read_answers(run, saying->rule);
}

/* KEPT if the call in which a record is lets effects come about. */
static enum wcts_judge_said is_valid(struct judge_partial_run *run, int record,
                                     struct wcts_exchange_missing *why)
{
    while (record > 0 && run->exchange->records[record].depth != 0)
        record--;
    if (run->valid[record] == 0) {
        begin_partial(run);
        run->valid[record] =
            (uint8_t)(1 + wcts_judge_partial_valid(run->judge, run->exchange, record));
        run->why[record] = missed_first(run);
    }
    *why = run->why[record];
    return (enum wcts_judge_said)(run->valid[record] - 1);
}

/* What a kernel asks of a driver is right, as far as effects on the same message tell. */
static enum wcts_judge_said is_request_right(struct judge_partial_run *run, int record)
{
    const struct wcts_spec *spec = run->judge->spec;
    enum wcts_judge_said all = WCTS_SAID_NOTHING;
    for (int r = 0; r < spec->rules_count && all != WCTS_SAID_BROKEN; r++) {
        const struct wcts_effect *effect = spec->rules[r].effect;
        bool untold = false;
        int count;
        if (!is_effect_asked(run, r) || is_drivers(spec, r) || effect->unobserved ||
            !is_asked_of(run, effect, record))
            continue;
        count = count_subjects(run, effect, record, &untold);
        all = untold ? worst(all, WCTS_SAID_UNKNOWN) : all;
        for (int e = 0; e < count; e++)
            all = worst(all, wcts_judge_partial_effect(&run->view, r, record, e, NULL));
    }
    return all == WCTS_SAID_NOTHING ? WCTS_SAID_KEPT : all;
}

/* Weighs what an effect shows by what it rests on. */
static void add_effect(struct judge_partial_run *run, struct wcts_judge_saying saying)
{
    struct wcts_exchange_missing why = {.record = -1};
    enum wcts_judge_said may;
    /* Whatever it rests on, nothing stays nothing; most effects say that. */
    if (saying.said == WCTS_SAID_NOTHING) {
        free(saying.text);
        return;
    }
    may = is_valid(run, saying.record, &why);
    if (may == WCTS_SAID_KEPT && saying.side == WCTS_JUDGE_KERNEL) {
        if (does_rely_on_answers(run, &saying))
            may = rely_on_answers(run, &why);
    } else if (may == WCTS_SAID_KEPT &&
               !run->judge->spec->rules[saying.rule].effect->is_denial_recorded) {
        begin_partial(run);
        may = is_request_right(run, saying.record);
        why = missed_first(run);
    }
    if (may == WCTS_SAID_KEPT && saying.said == WCTS_SAID_BROKEN &&
        !is_breach_by_itself(run, saying.rule))
        may = weigh_cause(run, saying.rule, &why);
    if (may == WCTS_SAID_UNKNOWN) {
        saying.said = WCTS_SAID_UNKNOWN;
        saying.missing = why;
    } else if (may == WCTS_SAID_BROKEN) {
        saying.said = WCTS_SAID_NOTHING;
    }
    if (saying.said != WCTS_SAID_BROKEN) {
        free(saying.text);
        saying.text = NULL;
    }
    add_saying(run, saying);
}

static void judge_effects(struct judge_partial_run *run, int rule)
{
    const struct wcts_spec *spec = run->judge->spec;
    const char *why;
    if (!is_effect_asked(run, rule) ||
        (spec->rules[rule].effect->operations & run->operation_bits) == 0 ||
        !is_side_wanted(run, is_drivers(spec, rule) ? WCTS_JUDGE_DRIVER : WCTS_JUDGE_KERNEL) ||
        !wcts_judge_partial_shows(spec, rule, &why))
        return;
    for (int i = 0; i < run->exchange->count; i++)
        each_subject(run, rule, i, add_effect);
}

/* ---- calls of which it is not known what they were ---- */

/* The side that a rule judges, if it may be about an answer to one of the operations, or what one
 * sends; SIDES: it is not. */
static enum wcts_judge_side side_about(const struct judge_partial_run *run, int rule,
                                       const struct wcts_operations *of)
{
    const struct wcts_spec *spec = run->judge->spec;
    const struct wcts_rule *one = &spec->rules[rule];
    const int structure = one->effect ? one->effect->on : one->on;
    const char *why;
    bool asked = one->effect
                     ? is_effect_asked(run, rule) && wcts_judge_partial_shows(spec, rule, &why)
                     : wcts_model_is_asked(one->form) && exists_now(run, one);
    for (int i = 0; asked && i < spec->messages_count; i++) {
        const struct wcts_message *message = &spec->messages[i];
        bool has = message->holds[structure] != 0 && !message->machine &&
                   wcts_model_operations_have(of, message->operation);
        if (has && is_drivers(spec, rule) && message->driver)
            return WCTS_JUDGE_DRIVER;
        if (has && one->effect && !is_drivers(spec, rule))
            return WCTS_JUDGE_KERNEL;
        if (has && !one->effect && !message->driver)
            return WCTS_JUDGE_CALLER;
    }
    return WCTS_JUDGE_SIDES;
}

/* What a rule says of such a call cannot be said. */
static void judge_untold(struct judge_partial_run *run, int rule)
{
    const struct wcts_exchange_partial *partial = run->exchange->partial;
    enum wcts_judge_side side = WCTS_JUDGE_SIDES;
    for (int i = 0; partial && i < partial->gap_count; i++) {
        const struct wcts_exchange_gap *gap = &partial->gaps[i];
        struct wcts_judge_saying one = {
            .rule = rule,
            .record = -1,
            .element = -1,
            .said = WCTS_SAID_UNKNOWN,
            .missing = wcts_exchange_missing_of(WCTS_LACK_KIND, -1, false, i, -1)};
        /* Most are of the same operations as the one before. */
        if (i == 0 || memcmp(&gap->of, &gap[-1].of, sizeof gap->of) != 0)
            side = side_about(run, rule, &gap->of);
        one.side = gap->line == 0 ? WCTS_JUDGE_SIDES : side;
        if (one.side != WCTS_JUDGE_SIDES && is_side_wanted(run, one.side))
            add_saying(run, one);
    }
}

/* ---- all of it ---- */

static void note_operations(struct judge_partial_run *run)
{
    for (int i = 0; i < run->exchange->count; i++) {
        uint32_t operation = run->exchange->records[i].operation;
        struct wcts_operations one = wcts_model_operations_of(operation);
        for (int party = 0; party < WCTS_PARTIES; party++)
            run->operations.of[party] |= one.of[party];
        run->operation_bits |= wcts_model_operation_bit(operation);
    }
}

bool wcts_judge_partial(const struct wcts_judge_partial *judge,
                        const struct wcts_exchange *exchange, struct wcts_judge_sayings *sayings)
{
    struct wcts_judge_partial lent = *judge;
    struct judge_partial_run run = {
        .judge = &lent,
        .exchange = exchange,
        .view = {judge->spec, exchange, judge->page_size},
        .sayings = sayings,
        .valid = calloc((size_t)exchange->count + 1, sizeof *run.valid),
        .why = calloc((size_t)exchange->count + 1, sizeof *run.why),
        .effects = calloc((size_t)judge->spec->rules_count + 1, sizeof *run.effects),
        .bound = calloc((size_t)judge->spec->structures_count + 1, sizeof *run.bound),
        .reads = calloc((size_t)judge->spec->rules_count + 1, sizeof *run.reads)};
    struct wcts_exchange_givers *givers = NULL;
    if (!run.valid || !run.why || !run.effects || !run.bound || !run.reads)
        sayings->failed = true;
    note_operations(&run);
    lent.earlier = wcts_judge_earlier_new();
    if (exchange->partial)
        exchange->partial->givers = givers = wcts_exchange_givers_new(&run.view);
    for (int r = 0; r < judge->spec->rules_count && !sayings->failed; r++) {
        judge_rules(&run, r);
        judge_effects(&run, r);
        judge_untold(&run, r);
    }
    if (exchange->partial)
        exchange->partial->givers = NULL;
    wcts_exchange_givers_free(givers);
    wcts_judge_earlier_free(lent.earlier);
    free(run.valid);
    free(run.why);
    free(run.effects);
    free(run.bound);
    free(run.reads);
    return !sayings->failed;
}
