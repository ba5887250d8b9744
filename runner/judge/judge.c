/* SPDX-License-Identifier: MIT */
/* Judging a case of the kernel or of the driver, and a worker that died. */
#include "judge.h"
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

#include "../lang/expr.h"

enum wcts_found wcts_judge_breach_found(enum wcts_exchange_breach kind)
{
    static const enum wcts_found found[] = {[WCTS_BREACH_NONE] = WCTS_FOUND_KEPT,
                                            [WCTS_BREACH_PROTOCOL] = WCTS_FOUND_CRASH,
                                            [WCTS_BREACH_ENDLESS] = WCTS_FOUND_HANG,
                                            [WCTS_BREACH_NO_MEMORY] = WCTS_FOUND_TROUBLE};
    return found[kind];
}

bool wcts_judge_breach(const struct wcts_exchange *exchange, struct wcts_finding *finding)
{
    static const char *const what[] = {[WCTS_BREACH_PROTOCOL] = "protocol",
                                       [WCTS_BREACH_ENDLESS] = "too many messages",
                                       [WCTS_BREACH_NO_MEMORY] = "the suite"};
    if (exchange->breach_kind == WCTS_BREACH_NONE)
        return false;
    wcts_model_finding_set(finding, wcts_judge_breach_found(exchange->breach_kind), "%s: %s",
                           what[exchange->breach_kind], exchange->breach);
    return true;
}

void wcts_judge_finding_decline(struct wcts_finding *finding, const char *what,
                                const struct wcts_exchange_attempt *attempt)
{
    char text[64], which[48] = "";
    wcts_exchange_status_text(attempt->status, text, sizeof text);
    if (attempt->nth > 1)
        snprintf(which, sizeof which, WCTS_FINDING_WHICH "%d)", attempt->nth);
    wcts_model_finding_set(finding, WCTS_FOUND_DECLINED, "%s refused: %s%s answered %s", what,
                           wcts_operation_name(attempt->operation), which, text);
}

void wcts_judge_denied(const struct wcts_exchange *exchange, int index,
                       struct wcts_finding *finding)
{
    const struct wcts_exchange_record *record = &exchange->records[index];
    const struct wcts_exchange_attempt attempt = {
        WCTS_ATTEMPT_ANSWERED, record->operation, record->status,
        record->depth == 0 ? wcts_exchange_count_calls(exchange, index + 1, record->operation) : 0};
    char text[64];
    wcts_exchange_status_text(record->status, text, sizeof text);
    if (wcts_exchange_answer_of(record->status) == WCTS_ANSWER_NO_TEST)
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "%s answered %s",
                               wcts_operation_name(record->operation), text);
    else
        wcts_judge_finding_decline(finding, "valid call", &attempt);
    if (wcts_exchange_answer_of(record->status) == WCTS_ANSWER_MISSING)
        wcts_model_finding_append(finding, ", but the same was taken before");
}

static void name_kind(const struct wcts_exchange_view *view, int index,
                      struct wcts_finding *finding)
{
    char kind[WCTS_JUDGE_KIND_ROOM];
    wcts_judge_kind_asked(view, index, kind);
    if (kind[0] != '\0' && finding->found == WCTS_FOUND_DECLINED)
        wcts_model_finding_append(finding, " to the kind \"%s\"", kind);
}

void wcts_judge_name_refused_kind(const struct wcts_exchange_view *view,
                                  struct wcts_finding *finding)
{
    int i = view->exchange->count - 1;
    uint64_t standard;
    while (i >= 0 && !(wcts_exchange_is_denied(view->exchange->records[i].status) &&
                       wcts_exchange_meant(view, i, false, WCTS_MEANS_STANDARD, &standard)))
        i--;
    if (i >= 0)
        name_kind(view, i, finding);
}

/* The machine is the suite's, and refuses access where it has no memory: the fault is with the call
 * of the kernel, the last one before, whose reply contains the address. */
static void judge_no_memory_there(const struct wcts_exchange_view *view, int index,
                                  const struct wcts_message *message, struct wcts_finding *finding)
{
    const struct wcts_exchange *exchange = view->exchange;
    const char *giver = NULL;
    uint64_t address;
    bool known = message->range_count > 0 &&
                 wcts_exchange_member(view, index, message->range[0], false, 0, &address);
    for (int i = index - 1; known && i >= 0 && !giver; i--) {
        const struct wcts_exchange_record *earlier = &exchange->records[i];
        if (earlier->depth == 0 && earlier->operation >> 8 == WCTS_KERNEL_INFO >> 8 &&
            memmem(earlier->reply, earlier->reply_size, &address, sizeof address))
            giver = wcts_operation_name(earlier->operation);
    }
    wcts_model_finding_set(finding, WCTS_FOUND_DECLINED,
                           "%s answered with an address at which the machine has no memory",
                           giver ? giver : "the implementation");
}

bool wcts_judge_valid_denied(const struct wcts_exchange_view *view, struct wcts_finding *finding)
{
    for (int i = 0; i < view->exchange->count; i++)
        if (view->exchange->records[i].denial == WCTS_DENIAL_VALID) {
            const struct wcts_message *message =
                wcts_exchange_message_of(view->spec, view->exchange->records[i].operation);
            if (message && message->machine)
                judge_no_memory_there(view, i, message, finding);
            else
                wcts_judge_denied(view->exchange, i, finding);
            name_kind(view, i, finding);
            return true;
        }
    return false;
}

void wcts_judge_declined(const struct wcts_exchange_view *view, struct wcts_finding *finding)
{
    if (finding->found == WCTS_FOUND_KEPT || finding->found == WCTS_FOUND_NOTHING)
        wcts_judge_valid_denied(view, finding);
}

/* ---- The kernel under test ---- */

/* True, with the finding, if the attempt proves nothing about the rule. */
bool wcts_judge_no_answer(const struct wcts_exchange_attempt *attempt, const char *what,
                          struct wcts_finding *finding)
{
    const char *name = wcts_operation_name(attempt->operation);
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(attempt->status);
    char status[64];
    wcts_exchange_status_text(attempt->status, status, sizeof status);
    if (attempt->end == WCTS_ATTEMPT_NO_BOOT)
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "the implementation gave no instance");
    else if (answer == WCTS_ANSWER_MISSING)
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_CLAIMED, "%s answered %s", name, status);
    else if (answer == WCTS_ANSWER_NO_TEST)
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "%s answered %s", name, status);
    else if (attempt->end == WCTS_ATTEMPT_SETUP)
        wcts_judge_finding_decline(finding, what, attempt);
    else
        return false;
    return true;
}

/* True if the attempt was refused, if only for lack of memory, where a gap allows it. Before the
 * call the kernel knows only the segments. */
static bool is_in_gap(const struct wcts_plan *plan, const struct wcts_gap *gap,
                      const struct wcts_exchange_attempt *attempt)
{
    enum wcts_exchange_answer answer = wcts_exchange_answer_of(attempt->status);
    if (!gap || (answer != WCTS_ANSWER_REFUSED && answer != WCTS_ANSWER_NO_TEST))
        return false;
    return attempt->end == WCTS_ATTEMPT_ANSWERED ||
           (attempt->end == WCTS_ATTEMPT_SETUP &&
            gap->on == wcts_model_shown_structure(plan->spec, WCTS_SHOWS_SEGMENTS));
}

/* Not accepted where no document requires it: this proves nothing. */
void wcts_judge_gap(const struct wcts_gap *gap, const struct wcts_exchange_attempt *attempt,
                    struct wcts_finding *finding)
{
    char status[64];
    wcts_exchange_status_text(attempt->status, status, sizeof status);
    wcts_model_finding_skip(finding, WCTS_SKIP_NOT_SHOWN, "%s answered %s: no document says %s",
                            wcts_operation_name(attempt->operation), status, gap->missing);
}

static void judge_refusal(const struct wcts_plan *plan, const struct wcts_case *test,
                          const struct wcts_judge_kernel_evidence *evidence,
                          struct wcts_finding *finding)
{
    if (wcts_exchange_was_accepted(&evidence->twin))
        finding->found = WCTS_FOUND_KEPT;
    else if (is_in_gap(plan, test->twin_gap, &evidence->twin))
        wcts_judge_gap(test->twin_gap, &evidence->twin, finding);
    else if (!wcts_judge_no_answer(&evidence->twin, "twin", finding))
        wcts_judge_finding_decline(finding, "twin", &evidence->twin);
}

/* True, with the finding, if the base is not accepted either: then the refusal proves nothing. */
static bool judge_base_refused(const struct wcts_case *test,
                               const struct wcts_judge_kernel_evidence *evidence,
                               struct wcts_finding *finding)
{
    const struct wcts_exchange_attempt *base =
        evidence->twin_made ? &evidence->twin : &evidence->base;
    if (test->fact_count != 0 && wcts_exchange_was_accepted(base))
        return false;
    if (test->fact_count == 0 && test->expect == WCTS_EXPECT_OPEN) {
        char status[64];
        wcts_exchange_status_text(evidence->attempt.status, status, sizeof status);
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "a breach of advice is refused: %s answered %s",
                                wcts_operation_name(evidence->attempt.operation), status);
        return true;
    }
    const struct wcts_exchange_attempt *declined =
        test->fact_count != 0 ? base : &evidence->attempt;
    wcts_judge_finding_decline(finding, "base call", declined);
    return true;
}

/* A changed answer of the driver may be refused as soon as the kernel gets it, before the call. */
static bool changes_answer(const struct wcts_plan *plan, const struct wcts_case *test)
{
    for (int i = 0; i < test->fact_count; i++)
        if (wcts_model_fact_is_answer(plan, test, &test->facts[i]))
            return true;
    return false;
}

static void judge_kernel_answer(const struct wcts_plan *plan, const struct wcts_case *test,
                                enum wcts_expect expect,
                                const struct wcts_judge_kernel_evidence *evidence,
                                struct wcts_finding *finding)
{
    bool was_accepted = wcts_exchange_was_accepted(&evidence->attempt);
    const char *name = wcts_operation_name(evidence->attempt.operation);
    char status[64];
    wcts_exchange_status_text(evidence->attempt.status, status, sizeof status);
    if (wcts_oracle_is_refusal(expect)) {
        if (was_accepted)
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s answered %s, expected a refusal",
                                   name, status);
        else
            judge_refusal(plan, test, evidence, finding);
    } else if (was_accepted) {
        finding->found = WCTS_FOUND_KEPT;
    } else if (!judge_base_refused(test, evidence, finding)) {
        if (expect == WCTS_EXPECT_OPEN)
            finding->found = WCTS_FOUND_KEPT;
        /* The sentence binds the driver: it forbids other answers, but none requires the kernel to
         * take every answer that is left. So a refusal breaks nothing, but hides what the answer
         * was to show. A call of user mode is refused for its own sake, and that fails. */
        else if (test->kind != WCTS_KIND_COMBINATION && !evidence->held_to_advice &&
                 changes_answer(plan, test))
            wcts_judge_finding_decline(finding, "the driver's valid answer", &evidence->attempt);
        /* Nothing says which of its many facts is to blame. */
        else if (test->kind == WCTS_KIND_COMBINATION)
            wcts_judge_finding_decline(finding, "a combination that breaks no rule",
                                       &evidence->attempt);
        else
            wcts_model_finding_set(finding, WCTS_FOUND_BROKEN,
                                   "%s answered %s, " WCTS_JUDGE_REFUSAL, name, status);
    }
}

/* The expected outcome. At the strict level an implementation must keep its claim about advice: to
 * refuse every breach of it, or none. LENIENT promises nothing about duties of the driver, nor
 * about what the documents leave open besides. */
enum wcts_expect wcts_judge_expected(const struct wcts_plan *plan, const struct wcts_case *test,
                                     const struct wcts_claims *claims, bool strictly)
{
    bool advice = plan->spec->rules[test->rule].force == WCTS_FORCE_SHOULD;
    if (!strictly)
        return test->expect;
    if (claims->capabilities & WCTS_CAPABILITY_STRICT)
        return test->strict;
    if (advice && !test->gap && (claims->capabilities & WCTS_CAPABILITY_LENIENT) &&
        test->expect == WCTS_EXPECT_OPEN && test->strict == WCTS_EXPECT_REFUSE)
        return WCTS_EXPECT_ACCEPT;
    return test->expect;
}

/* NOT_SUPPORTED is no refusal: an operation that works in one call must work in the next. Where
 * either outcome is right, "this use is not there" is as right as a refusal. */
static bool denies_operation(const struct wcts_judge_kernel_evidence *evidence)
{
    const struct wcts_exchange_attempt *beside =
        evidence->twin_made ? &evidence->twin : &evidence->base;
    return evidence->attempt.end == WCTS_ATTEMPT_ANSWERED &&
           wcts_exchange_answer_of(evidence->attempt.status) == WCTS_ANSWER_MISSING &&
           (evidence->twin_made || evidence->base_made) && wcts_exchange_was_accepted(beside);
}

static void judge_kernel(const struct wcts_plan *plan, const struct wcts_case *test,
                         const struct wcts_claims *claims, bool strictly,
                         const struct wcts_judge_kernel_evidence *evidence,
                         struct wcts_finding *finding)
{
    struct wcts_judge_kernel_evidence about = *evidence;
    enum wcts_expect expect = wcts_judge_expected(plan, test, claims, strictly);
    if (expect == WCTS_EXPECT_ACCEPT && is_in_gap(plan, test->gap, &evidence->attempt)) {
        wcts_judge_gap(test->gap, &evidence->attempt, finding);
        return;
    }
    if (changes_answer(plan, test) && about.attempt.end == WCTS_ATTEMPT_SETUP)
        about.attempt.end = WCTS_ATTEMPT_ANSWERED;
    about.held_to_advice =
        strictly && (claims->capabilities & (WCTS_CAPABILITY_STRICT | WCTS_CAPABILITY_LENIENT));
    if (expect != WCTS_EXPECT_OPEN && denies_operation(&about)) {
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN,
                               "%s answered that it is not supported, but took the call beside it: "
                               "expected an answer",
                               wcts_operation_name(about.attempt.operation));
        return;
    }
    if (wcts_judge_no_answer(&about.attempt, "base call", finding))
        return;
    judge_kernel_answer(plan, test, expect, &about, finding);
}

/* True if the kernel's claim about advice changes the finding. */
static bool depends_on_advice(const struct wcts_plan *plan, const struct wcts_case *test,
                              const struct wcts_claims *claims, bool strictly,
                              const struct wcts_judge_kernel_evidence *evidence,
                              const struct wcts_finding *finding)
{
    struct wcts_finding other = {.found = WCTS_FOUND_TROUBLE};
    bool same;
    if (!(claims->capabilities & (WCTS_CAPABILITY_STRICT | WCTS_CAPABILITY_LENIENT)))
        return false;
    judge_kernel(plan, test, claims, !strictly, evidence, &other);
    same = other.found == finding->found &&
           strcmp(other.reason ? other.reason : "", finding->reason ? finding->reason : "") == 0;
    wcts_model_finding_release(&other);
    return !same;
}

void wcts_judge_kernel(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_claims *claims, struct wcts_strictness *strictness,
                       const struct wcts_judge_kernel_evidence *evidence,
                       struct wcts_finding *finding)
{
    bool strictly = strictness->level == WCTS_LEVEL_STRICT;
    unsigned strict = wcts_model_level_bit(WCTS_LEVEL_STRICT);
    judge_kernel(plan, test, claims, strictly, evidence, finding);
    if (depends_on_advice(plan, test, claims, strictly, evidence, finding))
        strictness->differs |= strictly ? WCTS_LEVELS_ALL & ~strict : strict;
}

/* ---- The driver under test ---- */

/* "Size = 0x0, Alignment = 0x3": what the breach of a rule reads, each once. */
struct judge_value_text {
    const struct wcts_world *world;
    int instance;
    bool numbered; /* only what a set of segments numbers, or only the rest */
    struct wcts_ref seen[32];
    int seen_count;
    char *text;
    size_t used, room;
};

static void add_read_value(struct judge_value_text *values, struct wcts_ref ref)
{
    int where = wcts_world_resolve(values->world, values->instance, ref.structure);
    char name[96];
    for (int i = 0; i < values->seen_count; i++)
        if (wcts_model_same_ref(values->seen[i], ref))
            return;
    if (where < 0 || values->used >= values->room || values->seen_count == 32)
        return;
    values->seen[values->seen_count++] = ref;
    values->used +=
        (size_t)snprintf(values->text + values->used, values->room - values->used, "%s%s = 0x%llx",
                         values->used ? ", " : "",
                         wcts_model_ref_text(values->world->eval->spec, ref, name, sizeof name),
                         (unsigned long long)wcts_world_get(values->world, where, ref).number);
}

static void note_value(void *context, struct wcts_ref ref, enum wcts_lang_use use)
{
    struct judge_value_text *values = context;
    const struct wcts_spec *spec = values->world->eval->spec;
    const char *count = wcts_model_ref_member(spec, ref)->count;
    if ((use == WCTS_USE_NUMBERED) != values->numbered)
        return;
    add_read_value(values, ref);
    if (use == WCTS_USE_ENTRIES && count)
        add_read_value(values,
                       (struct wcts_ref){ref.structure,
                                         wcts_model_spec_member(spec, ref.structure, count), -1});
}

static void print_read_values(struct judge_value_text *values, const struct wcts_rule *rule,
                              bool numbered)
{
    const struct wcts_lang_exprs *exprs = values->world->eval->spec->exprs;
    values->numbered = numbered;
    wcts_lang_reads(exprs, rule->premise, note_value, values);
    wcts_lang_reads(exprs, rule->breach.refuse, note_value, values);
    wcts_lang_reads(exprs, rule->breach.unless, note_value, values);
}

void wcts_judge_answer_text(const struct wcts_world *answers, const struct wcts_rule *rule,
                            int where, char *text, size_t room)
{
    int number = 0;
    char text_of[256] = "";
    struct judge_value_text values = {
        .world = answers, .instance = where, .text = text_of, .room = sizeof text_of};
    if (rule->form != WCTS_FORM_ROW) {
        print_read_values(&values, rule, true);
        print_read_values(&values, rule, false);
    }
    for (int i = 0; i <= where; i++)
        number += answers->instances[i].structure == answers->instances[where].structure;
    snprintf(text, room, "the driver's %s number %d: %s",
             answers->eval->spec->structures[rule->on].name, number, text_of);
}

void wcts_judge_driver(const struct wcts_plan *plan, const struct wcts_case *test,
                       const struct wcts_world *answers,
                       const struct wcts_exchange_attempt *attempt, struct wcts_finding *finding)
{
    const struct wcts_rule *rule = &plan->spec->rules[test->rule];
    int where = -1;
    char text[400];
    bool binds = wcts_oracle_rule_binds(plan->spec, rule, test->version);
    enum wcts_truth truth = wcts_oracle_rule_ask_all(answers, rule, &where);
    if (attempt->end == WCTS_ATTEMPT_NO_BOOT) {
        wcts_model_finding_set(finding, WCTS_FOUND_TROUBLE, "the implementation gave no instance");
    } else if (answers->malformed) {
        wcts_model_finding_set(finding, WCTS_FOUND_CRASH, "protocol: %s", answers->malformed);
    } else if (rule->form == WCTS_FORM_GATE && !binds && truth != WCTS_FALSE) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "the driver never sets the flag");
    } else if (truth == WCTS_UNKNOWN) {
        wcts_model_finding_skip(finding, WCTS_SKIP_NOT_APPLICABLE,
                                "no answer of the driver came under this rule");
    } else if (truth == WCTS_TRUE || !binds) {
        finding->found = WCTS_FOUND_KEPT;
    } else {
        wcts_judge_answer_text(answers, rule, where, text, sizeof text);
        wcts_model_finding_set(finding, WCTS_FOUND_BROKEN, "%s", text);
    }
}

/* ---- A worker that died ---- */

void wcts_judge_death(const struct wcts_case *test, bool in_call, const char *what,
                      struct wcts_finding *finding)
{
    /* How an assertion ends a process; a wild pointer or exit() is none. */
    static const char *const signals[] = {"SIGABRT", "SIGTRAP", "SIGILL"};
    bool asserts = false;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        asserts = asserts || strstr(what, signals[i]);
    *finding = (struct wcts_finding){.levels = WCTS_LEVELS_ALL, .found = WCTS_FOUND_KEPT};
    if (test->expect != WCTS_EXPECT_ASSERT || !in_call || !asserts)
        wcts_model_finding_set(finding, WCTS_FOUND_CRASH, "%s", what);
}
