/* SPDX-License-Identifier: MIT */
/*
 * Each rule of the spec, and each of its conditions, as an expression: it is the same as the form,
 * about every instance of every world of the full plan, and of random worlds around them. Runs in
 * the top directory; WCTS_SEED seeds what is random.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runner/oracle/env.h"
#include "runner/plan/plan.h"
#include "tests/unit/translate.h"

#define RANDOM_WORLDS 30000

static struct wcts_spec *spec;
static struct wcts_eval eval;
static struct wcts_exprs exprs;

static struct twin *twins; /* one a rule; refuse 0: it is not asked */

/* The conditions of an open or a gap, as those of a rule. */
struct left_open {
    struct wcts_rule rule;
    struct twin twin;
};

static struct left_open *opens;
static int open_count;

/* How often form and expression were compared, by what both came to. */
struct counts {
    uint64_t truths[3];
};

static struct counts by_form[WCTS_FORM_COUNT_OF], of_conditions, of_rules;

static void add_open(const char *name, struct wcts_place place, int on, struct wcts_condition *when,
                     int count)
{
    struct left_open *open = &opens[open_count++];
    open->rule =
        (struct wcts_rule){.id = name, .place = place, .on = on, .when = when, .when_count = count};
    twin_conditions(&open->twin, &exprs, spec, &open->rule);
}

static void make_opens(void)
{
    opens = calloc((size_t)(spec->opens_count + spec->gaps_count), sizeof *opens);
    ck_assert_ptr_nonnull(opens);
    for (int i = 0; i < spec->opens_count; i++)
        add_open("open", spec->opens[i].place, spec->opens[i].on, spec->opens[i].when,
                 spec->opens[i].when_count);
    for (int i = 0; i < spec->gaps_count; i++)
        add_open(spec->gaps[i].name, spec->gaps[i].place, spec->gaps[i].on, spec->gaps[i].when,
                 spec->gaps[i].when_count);
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    spec = wcts_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
    wcts_exprs_init(&exprs);
    twins = calloc((size_t)spec->rules_count, sizeof *twins);
    ck_assert_ptr_nonnull(twins);
    for (int i = 0; i < spec->rules_count; i++)
        if (wcts_model_is_asked(spec->rules[i].form))
            twin_rule(&twins[i], &exprs, spec, &spec->rules[i]);
    make_opens();
}

static void tear_down(void)
{
    for (int i = 0; i < spec->rules_count; i++)
        twin_release(&twins[i]);
    free(twins);
    while (open_count > 0)
        twin_release(&opens[--open_count].twin);
    free(opens);
    wcts_exprs_release(&exprs);
    wcts_oracle_eval_release(&eval);
    wcts_spec_free(spec);
}

/* ---- comparing ---- */

static void print_world(const struct wcts_world *world)
{
    for (int i = 0; i < world->count; i++) {
        const struct wcts_structure *structure = &spec->structures[world->instances[i].structure];
        fprintf(stderr, "%3d %s%s", i, world->instances[i].present ? "" : "!", structure->name);
        for (int m = 0; m < structure->member_count; m++) {
            struct wcts_value value = world->instances[i].values[m];
            if (value.symbol != -1 || value.number != 0)
                fprintf(stderr, " %s=%s+0x%" PRIx64, structure->members[m].name,
                        value.symbol < 0 ? "" : spec->cases->symbols[value.symbol].name,
                        value.number);
        }
        fprintf(stderr, "\n");
    }
}

static void compare(struct counts *counts, const struct wcts_world *world, const char *what,
                    const struct wcts_rule *rule, int instance, enum wcts_truth form,
                    enum wcts_truth expression)
{
    static const char *const names[] = {"unknown", "true", "false"};
    counts->truths[form]++;
    if (form == expression)
        return;
    print_world(world);
    ck_abort_msg("%s of %s about instance %d at %s: %s as a form, %s as an expression", what,
                 rule->id, instance, spec->versions[world->version].id, names[form],
                 names[expression]);
}

static void compare_conditions(const struct wcts_world *world, const struct wcts_env *env,
                               const struct wcts_rule *rule, const struct twin *twin, int instance)
{
    for (int i = 0; i < rule->when_count; i++)
        compare(&of_conditions, world, "condition", rule, instance,
                wcts_oracle_condition_holds(world, rule, i, instance) ? WCTS_TRUE : WCTS_FALSE,
                wcts_expr_truth(&exprs, twin->conditions[i], env, instance));
}

static void compare_rule(const struct wcts_world *world, const struct wcts_env *env, int index,
                         int instance)
{
    const struct wcts_rule *rule = &spec->rules[index];
    const struct twin *twin = &twins[index];
    compare_conditions(world, env, rule, twin, instance);
    compare(&by_form[rule->form], world, "form", rule, instance,
            wcts_oracle_form_ask(world, rule, instance),
            wcts_expr_rule_ask(&exprs, &twin->form, env, instance));
    compare(&of_rules, world, "rule", rule, instance, wcts_oracle_rule_ask(world, rule, instance),
            wcts_expr_rule_ask(&exprs, &twin->whole, env, instance));
}

static void compare_world(const struct wcts_world *world)
{
    const struct wcts_env env = wcts_world_env(world);
    for (int i = 0; i < world->count; i++) {
        int structure = world->instances[i].structure;
        for (int r = eval.first[structure]; r < eval.first[structure + 1]; r++)
            compare_rule(world, &env, eval.rules[r], i);
        for (int o = 0; o < open_count; o++)
            if (opens[o].rule.on == structure)
                compare_conditions(world, &env, &opens[o].rule, &opens[o].twin, i);
    }
}

/* ---- random worlds ---- */

static uint64_t random_state;

/* xorshift64* */
static uint64_t draw(uint64_t below)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717) % below;
}

/* A symbol that such a member may have instead of the old one; -1: none. An address of user memory
 * stays one, and an address of the GPU. */
static int draw_symbol(enum wcts_member_type type, int old)
{
    static const enum wcts_symbol_kind like[] = {[WCTS_SYMBOL_AREA] = WCTS_SYMBOL_RESERVATION,
                                                 [WCTS_SYMBOL_HANDLE] = WCTS_SYMBOL_HANDLE,
                                                 [WCTS_SYMBOL_REGION] = WCTS_SYMBOL_REGION,
                                                 [WCTS_SYMBOL_RESERVATION] =
                                                     WCTS_SYMBOL_RESERVATION,
                                                 [WCTS_SYMBOL_PARAMETER] = WCTS_SYMBOL_PARAMETER};
    const struct wcts_symbol *symbols = spec->cases->symbols;
    enum wcts_symbol_kind wanted = WCTS_SYMBOL_HANDLE;
    if (type == WCTS_TYPE_ADDRESS && old >= 0)
        wanted = like[symbols[old].kind];
    if ((type == WCTS_TYPE_ADDRESS) != (wanted != WCTS_SYMBOL_HANDLE) ||
        (type != WCTS_TYPE_ADDRESS && type != WCTS_TYPE_HANDLE))
        return -1;
    for (int tries = 0; tries < 20; tries++) {
        int symbol = (int)draw((uint64_t)spec->cases->symbols_count);
        if (like[symbols[symbol].kind] == wanted)
            return symbol;
    }
    return -1;
}

static struct wcts_value draw_value(const struct wcts_member *member, int old)
{
    static const uint64_t numbers[] = {0,       1,       2,       3,        4,      5,
                                       8,       0x1F,    0x21,    0x800,    0xFFF,  0x1000,
                                       0x1001,  0x2000,  0x4000,  0x8000,   0xF000, 0x10000,
                                       0x11000, 0x20000, 0x40000, 0xFFFF000};
    const uint64_t all = member->width < 8 ? (UINT64_C(1) << 8 * member->width) - 1 : UINT64_MAX;
    struct wcts_value value = {-1, 0};
    if (member->type == WCTS_TYPE_POINTER && draw(4) == 0)
        return (struct wcts_value){WCTS_SYMBOL_AUTO, draw(2)};
    switch (draw(6)) {
    case 0:
        value.number = UINT64_MAX - draw(3) * 0x1000;
        break;
    case 1:
        value.number = UINT64_C(1) << draw(64);
        break;
    case 2:
        value.number = draw(UINT64_MAX);
        break;
    default:
        value.number = numbers[draw(sizeof numbers / sizeof *numbers)];
        break;
    }
    value.number &= all;
    if (draw(3) > 0)
        value.symbol = draw_symbol(member->type, old);
    return value;
}

static void change(struct wcts_world *world)
{
    int instance = (int)draw((uint64_t)world->count);
    const struct wcts_structure *structure =
        &spec->structures[world->instances[instance].structure];
    int m = (int)draw((uint64_t)structure->member_count), flags;
    const struct wcts_member *member = &structure->members[m];
    struct wcts_ref ref = {world->instances[instance].structure, m, -1};
    flags = member->word < 0 ? 0 : spec->words[member->word].flag_count;
    if (flags > 0 && draw(4) > 0) {
        ref.flag = (int)draw((uint64_t)flags);
        wcts_world_put(world, instance, ref, (struct wcts_value){-1, draw(2)});
    } else {
        wcts_world_put(world, instance, ref,
                       draw_value(member, world->instances[instance].values[m].symbol));
    }
}

/* An instance more of what there is, which what it hangs on may have, too. */
static void duplicate(struct wcts_world *world)
{
    int from = (int)draw((uint64_t)world->count), added;
    const struct wcts_structure *structure = &spec->structures[world->instances[from].structure];
    added = wcts_world_add(world, world->instances[from].structure, "",
                           world->instances[from].parent, world->instances[from].at);
    ck_assert_int_ge(added, 0);
    for (int m = 0; m < structure->member_count; m++)
        world->instances[added].values[m] = world->instances[from].values[m];
}

static void disturb(struct wcts_world *world)
{
    int instance;
    switch (draw(8)) {
    case 0:
        instance = (int)draw((uint64_t)world->count);
        world->instances[instance].present = !world->instances[instance].present;
        break;
    case 1:
        duplicate(world);
        break;
    case 2:
        instance = (int)draw((uint64_t)world->count);
        world->instances[instance].ended = (int)draw((uint64_t)world->count + 1);
        break;
    default:
        change(world);
        break;
    }
}

/* ---- the tests ---- */

static struct wcts_plan *full_plan(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    const struct wcts_plan_options options = {0};
    struct wcts_plan *plan = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    return plan;
}

static void compare_case(const struct wcts_case *test, const struct wcts_fact *facts, int count)
{
    struct wcts_world world;
    ck_assert(wcts_oracle_case_world(&world, &eval, test, facts, count));
    compare_world(&world);
    wcts_world_release(&world);
}

static uint64_t sum(const struct counts *counts)
{
    return counts->truths[0] + counts->truths[1] + counts->truths[2];
}

static void report(const char *what, const struct counts *counts)
{
    printf("%-16s %9" PRIu64 " compared: %9" PRIu64 " kept, %8" PRIu64 " broken, %9" PRIu64
           " not asked\n",
           what, sum(counts), counts->truths[WCTS_TRUE], counts->truths[WCTS_FALSE],
           counts->truths[WCTS_UNKNOWN]);
}

/* Each form was kept and broken somewhere, and there was enough of everything. */
static void check_counts(void)
{
    for (int form = 0; form < WCTS_FORM_COUNT_OF; form++) {
        if (sum(&by_form[form]) == 0)
            continue;
        report(wcts_form_name((enum wcts_form)form), &by_form[form]);
        ck_assert_msg(by_form[form].truths[WCTS_TRUE] > 0 && by_form[form].truths[WCTS_FALSE] > 0,
                      "%s was not seen both ways", wcts_form_name((enum wcts_form)form));
    }
    report("conditions", &of_conditions);
    report("rules", &of_rules);
    ck_assert_uint_gt(of_conditions.truths[WCTS_TRUE], 1000);
    ck_assert_uint_gt(of_conditions.truths[WCTS_FALSE], 1000);
    ck_assert_uint_gt(of_rules.truths[WCTS_TRUE], 1000);
    ck_assert_uint_gt(of_rules.truths[WCTS_FALSE], 1000);
    ck_assert_uint_gt(of_rules.truths[WCTS_UNKNOWN], 1000);
}

static void reset_counts(void)
{
    memset(by_form, 0, sizeof by_form);
    of_conditions = of_rules = (struct counts){0};
}

START_TEST(forms_and_expressions_agree_on_the_plan)
{
    struct wcts_plan *plan = full_plan();
    reset_counts();
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->scenario || test->kind == WCTS_KIND_SEQUENCE)
            continue;
        compare_case(test, test->facts, test->fact_count);
        if (test->twin_count >= 0)
            compare_case(test, test->twin, test->twin_count);
    }
    for (int base = 0; base < spec->cases->bases_count; base++)
        for (int version = spec->cases->bases[base].since; version < spec->cases->bases[base].until;
             version++)
            for (uint32_t page = 4096; page <= 65536; page *= 4)
                compare_case(
                    &(struct wcts_case){.base = base, .version = version, .page_size = page}, NULL,
                    0);
    check_counts();
    wcts_plan_free(plan);
}
END_TEST

START_TEST(forms_and_expressions_agree_on_random_worlds)
{
    const char *seed = getenv("WCTS_SEED");
    struct wcts_plan *plan = full_plan();
    reset_counts();
    random_state = seed ? strtoull(seed, NULL, 0) | 1 : 0x9E3779B97F4A7C15;
    for (int i = 0; i < RANDOM_WORLDS; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, (int)draw((uint64_t)plan->count));
        struct wcts_world world;
        if (test->scenario || test->kind == WCTS_KIND_SEQUENCE)
            continue;
        ck_assert(wcts_oracle_case_world(&world, &eval, test, test->facts, test->fact_count));
        for (uint64_t n = 1 + draw(12); n > 0; n--)
            disturb(&world);
        compare_world(&world);
        wcts_world_release(&world);
    }
    check_counts();
    wcts_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expr_rules");
    TCase *tests = tcase_create("rules");
    SRunner *runner;
    int failed;
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, forms_and_expressions_agree_on_the_plan);
    tcase_add_test(tests, forms_and_expressions_agree_on_random_worlds);
    tcase_set_timeout(tests, 600);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
