/* SPDX-License-Identifier: MIT */
/* Tests, and the evidence of a failure, in words. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/path.h"
#include "judge.h"
#include "recorded.h"

/* The instance of the base that a fact changes. */
static const struct wcts_instance *instance_of(const struct wcts_plan *plan,
                                               const struct wcts_case *test, int index)
{
    const struct wcts_cases *cases = plan->spec->cases;
    const struct wcts_base *base = &cases->bases[test->base];
    int answers = cases->adapters[base->adapter].instance_count;
    return index < answers ? &cases->adapters[base->adapter].instances[index]
                           : &cases->steps[base->step].instances[index - answers];
}

static void describe_symbolic(FILE *out, const struct wcts_spec *spec, struct wcts_value value)
{
    if (value.symbol < 0)
        fprintf(out, "0x%" PRIx64, value.number);
    else if (value.number)
        fprintf(out, "%s + 0x%" PRIx64, spec->cases->symbols[value.symbol].name, value.number);
    else
        fprintf(out, "%s", spec->cases->symbols[value.symbol].name);
}

static void describe_facts(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test,
                           const struct wcts_fact *facts, int count)
{
    const struct wcts_spec *spec = plan->spec;
    if (count == 0)
        fprintf(out, "    nothing is changed\n");
    for (int i = 0; i < count; i++) {
        const struct wcts_instance *instance = instance_of(plan, test, facts[i].instance);
        const char *structure = spec->structures[instance->structure].name;
        char name[96];
        fprintf(out, "    %s", structure);
        if (instance->name && strcmp(instance->name, structure) != 0)
            fprintf(out, " (%s)", instance->name);
        fprintf(out, ".%s = ", wcts_model_ref_text(spec, facts[i].ref, name, sizeof name));
        describe_symbolic(out, spec, facts[i].value);
        fprintf(out, "%s\n",
                wcts_model_fact_is_answer(plan, test, &facts[i]) ? "   (answered by the driver)"
                                                                 : "");
    }
}

static void describe_rule_place(FILE *out, const struct wcts_plan *plan,
                                const struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_statement *statement = &spec->statements[test->statement];
    const struct wcts_document *document = &spec->documents[statement->document];
    const struct wcts_rule *rule = &spec->rules[test->rule];
    fprintf(out, "%s (%s %s, %s%s)\n", statement->id, wcts_model_role_name(statement->role),
            wcts_model_force_name(statement->force), wcts_model_basis_name(statement->basis),
            statement->derived ? ", derived" : "");
    fprintf(out, "    %s\n", statement->text);
    fprintf(out, "  document %s, %s: %s\n", document->number, document->title, statement->where);
    fprintf(out, "  rule %s, %s:%ld\n", rule->id, wcts_path_place(rule->place.file),
            rule->place.line);
}

static void describe_base_call(FILE *out, const struct wcts_plan *plan,
                               const struct wcts_case *test)
{
    const struct wcts_cases *cases = plan->spec->cases;
    const struct wcts_base *base = &cases->bases[test->base];
    const struct wcts_step *step = &cases->steps[base->step];
    fprintf(out, "  call: %s (base %s)\n",
            wcts_operation_name(wcts_model_step_operation(plan->spec, step)), base->name);
    fprintf(out, "  sent, in addition to the base:\n");
    describe_facts(out, plan, test, test->facts, test->fact_count);
    if (test->twin_count >= 0) {
        fprintf(out, "  the twin, which must be accepted:\n");
        describe_facts(out, plan, test, test->twin, test->twin_count);
    }
}

static bool is_in_twin(const struct wcts_case *test, const struct wcts_fact *fact)
{
    for (int i = 0; i < test->twin_count; i++) {
        const struct wcts_fact *same = &test->twin[i];
        if (same->instance == fact->instance && same->ref.member == fact->ref.member &&
            same->ref.flag == fact->ref.flag && same->value.symbol == fact->value.symbol &&
            same->value.number == fact->value.number)
            return true;
    }
    return false;
}

/* "Map.SizeInBytes is 0x4001 (bytes 24 to 31 of Map)". */
static void describe_wrong_fact(FILE *out, const struct wcts_plan *plan,
                                const struct wcts_case *test, const struct wcts_fact *fact)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_member *member = wcts_model_ref_member(spec, fact->ref);
    const char *structure =
        spec->structures[instance_of(plan, test, fact->instance)->structure].name;
    char name[96];
    fprintf(out, "%s.%s is ", structure, wcts_model_ref_text(spec, fact->ref, name, sizeof name));
    describe_symbolic(out, spec, fact->value);
    fputs(" (", out);
    if (fact->ref.flag >= 0 && member->word >= 0)
        fprintf(out, "bit %u of ", (unsigned)spec->words[member->word].flags[fact->ref.flag].bit);
    fprintf(out, "bytes %u to %u of %s%s)\n", member->offset, member->offset + member->width - 1,
            structure,
            wcts_model_fact_is_answer(plan, test, fact) ? ", answered by the driver" : "");
}

char *wcts_judge_wrong_text(const struct wcts_plan *plan, const struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    int rules[WCTS_BREAKS_MAX], count = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (test->expect == WCTS_EXPECT_REFUSE || test->expect == WCTS_EXPECT_ASSERT)
        count = wcts_oracle_case_breaks(spec, test, rules);
    for (int i = 0; count != 0 && i < test->fact_count; i++)
        if (!is_in_twin(test, &test->facts[i]))
            describe_wrong_fact(out, plan, test, &test->facts[i]);
    for (int i = 0; i < count; i++) {
        int statement = spec->rules[rules[i]].statement;
        if (statement != test->statement && spec->statements[statement].text)
            fprintf(out, "%s: %s\n", spec->statements[statement].id,
                    spec->statements[statement].text);
    }
    fclose(out);
    return text;
}

void wcts_judge_acts_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_scenario *scenario = test->scenario;
    for (int i = 0; i < scenario->act_count; i++) {
        const struct wcts_step *step = &spec->cases->steps[scenario->acts[i].step];
        if (scenario->acts[i].kind == WCTS_ACT_STEP) {
            fprintf(out, "    %s\n", step->name);
            continue;
        }
        fprintf(out, "    %s", spec->messages[step->message].name);
        for (int s = 0; s < step->instance_count; s++)
            for (int j = 0; j < step->instances[s].set_count; j++) {
                const struct wcts_set *set = &step->instances[s].sets[j];
                char name[96];
                fprintf(out, " %s=", wcts_model_ref_text(spec, set->ref, name, sizeof name));
                describe_symbolic(out, spec, set->value);
            }
        for (int j = 0; j < step->output_count; j++)
            fprintf(out, " -> %s", spec->cases->symbols[step->outputs[j].symbol].name);
        fputc('\n', out);
    }
}

/* The calls of the scenario, a line each. */
static void describe_scenario(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test)
{
    const struct wcts_spec *spec = plan->spec;
    const struct wcts_scenario *scenario = test->scenario;
    fprintf(out, "  scenario %s, %s:%ld\n", scenario->name, wcts_path_place(scenario->place.file),
            scenario->place.line);
    for (int i = 0; i < scenario->loop_count; i++) {
        fprintf(out, "  with %s ", spec->cases->symbols[scenario->loops[i].symbol].name);
        describe_symbolic(out, spec, scenario->loops[i].values[test->values[i]]);
        fputc('\n', out);
    }
    wcts_judge_acts_describe(out, plan, test);
    fprintf(out, "  expected: what the statement requires\n");
}

/* What was there before the call; the plan's test says it for a sweep's bases that can be so. */
static void describe_state(FILE *out, const struct wcts_cases *cases, const struct wcts_case *test)
{
    const struct wcts_base_state *state;
    if (!test->state)
        return;
    state = &cases->states[test->state - 1];
    fprintf(out, "  state: %s (%s:%ld)", state->name, wcts_path_place(state->place.file),
            state->place.line);
    if (state->of >= 0)
        fprintf(out, ": %s instead of %s", cases->steps[state->with].name,
                cases->steps[state->of].name);
    for (int i = 0; i < state->take_count; i++)
        fprintf(out, "%s%s", i ? ", " : ": first ", cases->steps[state->takes[i]].name);
    fputc('\n', out);
}

void wcts_judge_case_describe(FILE *out, const struct wcts_plan *plan, const struct wcts_case *test)
{
    fprintf(out, "%s\n", test->id);
    describe_rule_place(out, plan, test);
    fprintf(out, "  WDDM %s, host pages of %u bytes\n", plan->spec->versions[test->version].name,
            test->page_size);
    if (test->scenario) {
        describe_scenario(out, plan, test);
        return;
    }
    if (test->expect == WCTS_EXPECT_ANSWER) {
        fprintf(out, "  the driver is asked for its segments and for allocations of every kind\n"
                     "  expected: every answer keeps the rule\n");
        return;
    }
    if (test->kind == WCTS_KIND_SEQUENCE) {
        fprintf(out,
                "  a random sequence of calls: seed %" PRIu64 ", walk %u\n"
                "  expected: every answer follows the rules, every page the effects\n",
                test->seed, test->walk);
        return;
    }
    if (test->kind == WCTS_KIND_TOUR) {
        fprintf(out,
                "  a random walk of legal calls: seed %" PRIu64 ", walk %u, of the moves %s\n"
                "  expected: every call is accepted, every effect holds\n",
                test->seed, test->walk, test->moves->name);
        return;
    }
    if (test->kind == WCTS_KIND_SWEEP)
        fprintf(out, "  a sweep: many values of the word, each in a call; the smallest one is\n");
    describe_state(out, plan->spec->cases, test);
    describe_base_call(out, plan, test);
    fprintf(out, "  expected: %s", wcts_model_expect_name(test->expect));
    if (test->strict != test->expect)
        fprintf(out, " (%s of an implementation that claims STRICT, at --level strict)",
                wcts_model_expect_name(test->strict));
    fputc('\n', out);
    if (test->gap && test->strict != WCTS_EXPECT_REFUSE)
        fprintf(out, "    a refusal is as right: no document says %s\n", test->gap->missing);
}

char *wcts_judge_evidence_text(const struct wcts_plan *plan, const struct wcts_case *test,
                               const struct wcts_exchange *exchange,
                               const struct wcts_exchange_swept *swept)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    wcts_judge_case_describe(out, plan, test);
    if (swept)
        wcts_judge_sweep_describe(out, plan, test, swept);
    /* With which it died there are none: replaying the one call shows them. */
    if (!swept || swept->died == 0) {
        fputs(WCTS_MESSAGES, out);
        wcts_exchange_print(out, plan->spec, exchange, 4);
    }
    fclose(out);
    return text;
}
