/* SPDX-License-Identifier: MIT */
/*
 * The planner over the spec itself: what every plan has to keep. Runs in the top directory.
 * tests/golden/counts.txt is the number of cases by document and kind; WCTS_UPDATE=1 writes it
 * anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/lang/expr.h"
#include "runner/machine/session.h"
#include "runner/model/cases.h"
#include "runner/model/facts.h"
#include "runner/oracle/world.h"
#include "runner/plan/plan.h"
#include "suite.h"

#define GOLDEN "tests/golden/counts.txt"

static struct wcts_spec *spec;
static struct wcts_plan *plan;
static struct wcts_eval eval;

/* ---- Warnings ---- */

/* What is warned of in the plan, with its first case alone and the first domain as it is here. */
static void expect_warnings(int count, struct wcts_value *values, int value_count, const char *part)
{
    struct wcts_plan one = *plan;
    struct wcts_domain *domain = &spec->cases->domains[0], before = *domain;
    char *text = NULL;
    size_t size;
    struct wcts_diagnostics diagnostics = {open_memstream(&text, &size), 0};
    one.count = count;
    domain->values = values ? values : domain->values;
    domain->value_count = values ? value_count : domain->value_count;
    domain->only = !values && domain->only;
    wcts_plan_warn(&one, &diagnostics);
    fclose(diagnostics.out);
    *domain = before;
    ck_assert_int_eq(diagnostics.errors, 0);
    ck_assert_msg(part ? strstr(text, part) != NULL : size == 0, "%s", text);
    free(text);
}

/* The value that no call sets is 0. */
START_TEST(what_shows_little_is_warned_of)
{
    struct wcts_ref unset = {wcts_model_spec_structure(spec, "HANDLE_REPLY"), 0, -1};
    struct wcts_value zeros[] = {{.symbol = -1}, {.symbol = -1}},
                      two[] = {{.symbol = -1}, {.symbol = -1, .number = 1}};
    struct wcts_ref of = spec->cases->domains[0].of;
    expect_warnings(plan->count, NULL, 0, NULL);
    expect_warnings(1, NULL, 0, ": warning: rule CAF-001 has a single case at all its versions");
    expect_warnings(2, NULL, 0, NULL);
    spec->cases->domains[0].of = unset;
    expect_warnings(plan->count, two, 2, NULL);
    expect_warnings(plan->count, zeros, 2, ": warning: the domain has one value");
    expect_warnings(plan->count, zeros, 1, ": warning: the domain has one value");
    spec->cases->domains[0].of = of;
}
END_TEST

/* ---- Ids ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

START_TEST(ids_are_unique)
{
    const char **ids = calloc((size_t)plan->count, sizeof *ids);
    struct wcts_case *cases = wcts_plan_cases(plan);
    ck_assert(ids && cases);
    for (int i = 0; i < plan->count; i++)
        ids[i] = cases[i].id;
    qsort(ids, (size_t)plan->count, sizeof *ids, by_text);
    for (int i = 1; i < plan->count; i++)
        ck_assert_msg(strcmp(ids[i - 1], ids[i]) != 0, "twice: %s", ids[i]);
    free(ids);
    free(cases);
}
END_TEST

START_TEST(ids_are_of_permitted_letters)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "-_./,";
    for (int i = 0; i < plan->count; i++) {
        const char *id = WCTS_PLAN_CASE(plan, i)->id;
        ck_assert_msg(id[strspn(id, letters)] == '\0', "%s", id);
        ck_assert_msg(strlen(id) < 200, "%s", id);
        ck_assert_msg(strstr(id, "//") == NULL && id[strlen(id) - 1] != '/', "%s", id);
    }
}
END_TEST

/* An id begins with its rule and names its version. Looking one up makes the ids of its rule: some
 * do. */
START_TEST(ids_name_rule_and_version)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        const char *rule = spec->rules[test->rule].id, *version = spec->versions[test->version].id;
        size_t length = strlen(rule);
        char slashed[64];
        snprintf(slashed, sizeof slashed, "/%s", version);
        ck_assert_msg(strncmp(test->id, rule, length) == 0 && test->id[length] == '/', "%s",
                      test->id);
        ck_assert_msg(strstr(test->id + length, slashed) != NULL, "%s", test->id);
        if (i % 11 == 0)
            ck_assert_int_eq(wcts_plan_find(plan, test->id), i);
    }
    ck_assert_int_eq(wcts_plan_find(plan, "no/such/case"), -1);
}
END_TEST

/* ---- The same plan again ---- */

static bool same_case(const struct wcts_case *a, const struct wcts_case *b)
{
    return strcmp(a->id, b->id) == 0 && a->rule == b->rule && a->statement == b->statement &&
           a->kind == b->kind && a->expect == b->expect && a->strict == b->strict &&
           a->version == b->version && a->page_size == b->page_size && a->base == b->base &&
           a->driver == b->driver &&
           wcts_model_same_facts(a->facts, a->fact_count, b->facts, b->fact_count) &&
           wcts_model_same_facts(a->twin, a->twin_count, b->twin, b->twin_count);
}

static struct wcts_spec *load(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_spec *loaded = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(loaded);
    return loaded;
}

static struct wcts_plan *make(const struct wcts_spec *from, const struct wcts_plan_options *options)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_plan *made = wcts_plan_make(from, options, &diagnostics);
    ck_assert_ptr_nonnull(made);
    ck_assert_int_eq(diagnostics.errors, 0);
    return made;
}

START_TEST(planning_twice_gives_one_plan)
{
    struct wcts_spec *again = load();
    struct wcts_plan *second = make(again, NULL);
    ck_assert_str_eq(spec->digest, again->digest);
    ck_assert_int_eq(plan->count, second->count);
    for (int i = 0; i < plan->count; i++)
        ck_assert_msg(same_case(WCTS_PLAN_CASE(plan, i), WCTS_PLAN_CASE(second, i)), "%s and %s",
                      WCTS_PLAN_CASE(plan, i)->id, WCTS_PLAN_CASE(second, i)->id);
    wcts_plan_free(second);
    wcts_load_spec_free(again);
}
END_TEST

/* The small plan has witnesses of the newest version, and a case for each rule that binds there. */
START_TEST(newest_only_is_part_of_the_plan)
{
    const struct wcts_plan_options options = {.few = true, .newest_only = true};
    struct wcts_plan *small = make(spec, &options);
    ck_assert_int_gt(small->count, 0);
    ck_assert_int_lt(small->count, plan->count);
    for (int i = 0; i < small->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(small, i);
        const struct wcts_rule *rule = &spec->rules[test->rule];
        int until = test->base < 0 ? 0 : spec->cases->bases[test->base].until;
        if (wcts_model_is_effect(rule->form) && rule->until < until)
            until = rule->until;
        ck_assert_msg(test->driver || test->base < 0 || test->version == until - 1, "%s", test->id);
        ck_assert_msg(test->kind != WCTS_KIND_BOUNDARY, "%s", test->id);
    }
    wcts_plan_free(small);
}
END_TEST

/* ---- Completeness ---- */

START_TEST(every_rule_has_a_case)
{
    int *counts = calloc((size_t)spec->rules_count, sizeof *counts);
    for (int i = 0; i < plan->count; i++) {
        counts[WCTS_PLAN_CASE(plan, i)->rule]++;
        ck_assert_int_eq(WCTS_PLAN_CASE(plan, i)->statement,
                         spec->rules[WCTS_PLAN_CASE(plan, i)->rule].statement);
    }
    for (int r = 0; r < spec->rules_count; r++)
        ck_assert_msg(counts[r] > 0, "%s has no case", spec->rules[r].id);
    free(counts);
}
END_TEST

START_TEST(every_statement_with_rules_has_a_case)
{
    bool *seen = calloc((size_t)spec->statements_count, sizeof *seen);
    for (int i = 0; i < plan->count; i++)
        seen[WCTS_PLAN_CASE(plan, i)->statement] = true;
    for (int s = 0; s < spec->statements_count; s++)
        ck_assert_msg(seen[s] == (spec->statements[s].rule_count > 0), "%s",
                      spec->statements[s].id);
    free(seen);
}
END_TEST

static bool refuses(const struct wcts_case *test)
{
    return test->expect == WCTS_EXPECT_REFUSE || test->expect == WCTS_EXPECT_ASSERT ||
           test->strict == WCTS_EXPECT_REFUSE || test->strict == WCTS_EXPECT_ASSERT;
}

/* A rule is evaluated both ways: a case that breaks it and one that does not. */
START_TEST(every_rule_is_broken_and_kept)
{
    bool *broken = calloc((size_t)spec->rules_count, sizeof *broken);
    bool *kept = calloc((size_t)spec->rules_count, sizeof *kept);
    for (int i = 0; i < plan->count; i++)
        if (!WCTS_PLAN_CASE(plan, i)->driver)
            *(refuses(WCTS_PLAN_CASE(plan, i)) ? &broken[WCTS_PLAN_CASE(plan, i)->rule]
                                               : &kept[WCTS_PLAN_CASE(plan, i)->rule]) = true;
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        bool layout = !wcts_model_is_asked(rule->form); /* layouts and effects are seen otherwise */
        bool open_gate = false; /* its flag is not judged at any version before its own */
        if (rule->form == WCTS_FORM_GATE) {
            const struct wcts_flag *flag =
                &spec->words[wcts_model_ref_member(spec, rule->gate)->word].flags[rule->gate.flag];
            open_gate = flag->open_since <= rule->since && flag->open_until >= flag->since;
        }
        ck_assert_msg(broken[r] || layout || open_gate, "%s is never broken", rule->id);
        ck_assert_msg(kept[r] || layout, "%s is never kept", rule->id);
    }
    free(broken);
    free(kept);
}
END_TEST

/* ---- Twins ---- */

static void judge(const struct wcts_case *test, const struct wcts_fact *facts, int count,
                  struct wcts_oracle_prediction *prediction)
{
    struct wcts_world world;
    ck_assert(wcts_oracle_case_world(&world, &eval, test, facts, count));
    wcts_world_judge(&world, prediction);
    wcts_world_release(&world);
}

START_TEST(cases_are_as_the_rules_say)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        struct wcts_oracle_prediction prediction;
        if (test->driver || test->base < 0)
            continue;
        judge(test, test->facts, test->fact_count, &prediction);
        ck_assert_msg(prediction.expect == test->expect && prediction.strict == test->strict, "%s",
                      test->id);
    }
}
END_TEST

START_TEST(refusals_have_an_accepted_twin)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        struct wcts_oracle_prediction prediction;
        if (test->driver || test->kind == WCTS_KIND_EFFECT ||
            (!refuses(test) && test->twin_count < 0))
            continue;
        ck_assert_msg(test->twin_count >= 0, "%s has no twin", test->id);
        judge(test, test->twin, test->twin_count, &prediction);
        ck_assert_msg(prediction.expect == WCTS_EXPECT_ACCEPT, "the twin of %s breaks %s", test->id,
                      prediction.broken_count ? spec->rules[prediction.broken[0]].id : "nothing");
    }
}
END_TEST

/* ---- Every version ---- */

/* The id of the case at another version: the version is what is between its second and its third
 * slash. */
static void id_at(const struct wcts_case *test, int version, char *id, size_t room)
{
    const char *name = strchr(strchr(test->id, '/') + 1, '/') + 1;
    snprintf(id, room, "%.*s%s%s", (int)(name - test->id), test->id, spec->versions[version].id,
             name + strcspn(name, "/"));
}

/* True if the rules say the same of the facts at both versions. */
static bool is_judged_alike(const struct wcts_case *test, int version)
{
    struct wcts_case there = *test;
    struct wcts_oracle_prediction here = {0}, then = {0};
    judge(test, test->facts, test->fact_count, &here);
    there.version = version;
    judge(&there, test->facts, test->fact_count, &then);
    return here.expect == then.expect && here.strict == then.strict &&
           here.must_broken == then.must_broken && here.broken_count == then.broken_count &&
           memcmp(here.broken, then.broken, (size_t)here.broken_count * sizeof *here.broken) == 0;
}

static bool twin_is_accepted(const struct wcts_case *test, int version)
{
    struct wcts_case there = *test;
    struct wcts_oracle_prediction prediction = {.expect = WCTS_EXPECT_ACCEPT};
    there.version = version;
    if (test->twin_count >= 0)
        judge(&there, test->twin, test->twin_count, &prediction);
    return prediction.expect == WCTS_EXPECT_ACCEPT;
}

/* True if both versions have what the case is about, and the rules say the same of it. */
static bool is_alike_at(const struct wcts_case *test, int version)
{
    const struct wcts_base *base = test->base < 0 ? NULL : &spec->cases->bases[test->base];
    bool binds = wcts_oracle_rule_binds(spec, &spec->rules[test->rule], version);
    if (version < 0 || version >= spec->versions_count)
        return false;
    if (test->kind == WCTS_KIND_SCENARIO)
        return binds && version >= test->scenario->since && version < test->scenario->until;
    return (binds || test->kind != WCTS_KIND_EFFECT) && version >= base->since &&
           version < base->until && is_judged_alike(test, version);
}

/* True if the case says at the other version what it says at its own. */
static bool is_same_at(const struct wcts_case *test, int version)
{
    return is_alike_at(test, version) && twin_is_accepted(test, version);
}

/* True for a call in another state, or with larger pages that the rule does not depend on: it is
 * made at one version alone. */
static bool is_made_once(const struct wcts_case *test)
{
    const struct wcts_lang_rule *breach = &spec->rules[test->rule].breach;
    const bool by_page = wcts_lang_has(spec->exprs, breach->refuse, WCTS_OP_PAGE) ||
                         wcts_lang_has(spec->exprs, breach->unless, WCTS_OP_PAGE);
    return test->state > 0 ||
           (!test->scenario && !wcts_model_is_drawn(test->kind) &&
            test->kind != WCTS_KIND_COMBINATION && !by_page && test->page_size != 4096);
}

START_TEST(cases_run_at_every_version)
{
    const char **ids = calloc((size_t)plan->count, sizeof *ids);
    struct wcts_case *cases = wcts_plan_cases(plan);
    ck_assert(ids && cases);
    for (int i = 0; i < plan->count; i++)
        ids[i] = cases[i].id;
    qsort(ids, (size_t)plan->count, sizeof *ids, by_text);
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->kind == WCTS_KIND_ANSWER || test->kind == WCTS_KIND_SEQUENCE ||
            is_made_once(test))
            continue;
        for (int version = test->version - 1; version <= test->version + 1; version += 2) {
            char id[256], *key = id;
            if (!is_same_at(test, version))
                continue;
            id_at(test, version, id, sizeof id);
            ck_assert_msg(bsearch(&key, ids, (size_t)plan->count, sizeof *ids, by_text) != NULL,
                          "%s is planned, %s is not", test->id, id);
        }
    }
    free(ids);
    free(cases);
}
END_TEST

/* A case that is no edge has its like on both sides, to which the rules say the same. */
START_TEST(between_edges_nothing_changes)
{
    int edges = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        edges += plan->tests[i].edge;
        ck_assert_msg(
            plan->tests[i].edge || is_made_once(test) ||
                (is_alike_at(test, test->version - 1) && is_alike_at(test, test->version + 1)),
            "%s is no edge", test->id);
    }
    ck_assert_int_lt(edges, plan->count / 3);
}
END_TEST

/* The values of a place in two sets of facts, as far as these name it. */
static const struct wcts_fact *fact_at(const struct wcts_fact *facts, int count,
                                       const struct wcts_fact *like)
{
    for (int i = 0; i < count; i++)
        if (facts[i].instance == like->instance && facts[i].ref.member == like->ref.member &&
            facts[i].ref.flag == like->ref.flag)
            return &facts[i];
    return NULL;
}

static int differences(const struct wcts_fact *a, int a_count, const struct wcts_fact *b,
                       int b_count)
{
    int count = 0;
    for (int i = 0; i < a_count; i++) {
        const struct wcts_fact *other = fact_at(b, b_count, &a[i]);
        count += other == NULL || !wcts_model_same_fact(other, &a[i]);
    }
    for (int i = 0; i < b_count; i++)
        count += fact_at(a, a_count, &b[i]) == NULL;
    return count;
}

/* A pair that says something about a rule differs in one fact; but the rows of a table may have
 * no neighbour that is valid. */
START_TEST(witnesses_differ_from_their_twin_in_one_fact)
{
    int pairs = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->driver || test->twin_count < 0 || test->kind != WCTS_KIND_WITNESS ||
            !refuses(test) || spec->rules[test->rule].form == WCTS_FORM_GATE ||
            spec->rules[test->rule].form == WCTS_FORM_ROW)
            continue;
        pairs++;
        ck_assert_msg(differences(test->facts, test->fact_count, test->twin, test->twin_count) == 1,
                      "%s differs from its twin in %d facts", test->id,
                      differences(test->facts, test->fact_count, test->twin, test->twin_count));
    }
    ck_assert_int_gt(pairs, 0);
}
END_TEST

/* Only a case that breaks exactly one must is evidence for it, also where an operand is masked.
 * Advice may lie in the breach of a must. */
START_TEST(refusals_break_one_must)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        const struct wcts_rule *rule = &spec->rules[test->rule];
        struct wcts_oracle_prediction prediction;
        if (test->driver || !wcts_model_is_asked(rule->form) ||
            (rule->masked_by && rule->outcome == WCTS_OUTCOME_EITHER) ||
            (test->expect != WCTS_EXPECT_REFUSE && test->expect != WCTS_EXPECT_ASSERT))
            continue;
        judge(test, test->facts, test->fact_count, &prediction);
        ck_assert_msg(prediction.must_broken == 1, "%s breaks %d", test->id,
                      prediction.must_broken);
        for (int j = 0; j < prediction.broken_count; j++)
            ck_assert_msg(prediction.broken[j] == test->rule ||
                              spec->rules[prediction.broken[j]].outcome == WCTS_OUTCOME_EITHER,
                          "%s is about another rule than %s", test->id,
                          spec->rules[prediction.broken[j]].id);
    }
}
END_TEST

/* ---- Edges ---- */

/* Whether the rule has a case of this page size in which the place alone has the value. */
static bool has_case(int rule, uint32_t page_size, const struct wcts_fact *fact)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->rule == rule && !test->driver && test->page_size == page_size &&
            test->fact_count == 1 && wcts_model_same_fact(&test->facts[0], fact))
            return true;
    }
    return false;
}

static bool only_some_values(struct wcts_ref ref)
{
    for (int i = 0; i < spec->cases->domains_count; i++)
        if (spec->cases->domains[i].only && spec->cases->domains[i].of.structure == ref.structure &&
            spec->cases->domains[i].of.member == ref.member)
            return true;
    return false;
}

/* The value at a place of the rule's first base; the base's index in base. */
static bool first_place(int rule, struct wcts_fact *fact, int *base)
{
    for (*base = 0; *base < spec->cases->bases_count; ++*base) {
        struct wcts_world world;
        int found = -1;
        ck_assert(wcts_world_init_base(&world, &eval, *base, spec->versions_count - 1, 4096));
        for (int i = world.count - 1; i >= 0; i--)
            if (world.instances[i].structure == spec->rules[rule].on && world.instances[i].present)
                found = i;
        if (found >= 0) {
            struct wcts_oracle_prediction prediction;
            fact->instance = found;
            fact->value = wcts_world_get(&world, found, fact->ref);
            wcts_world_judge(&world, &prediction);
            if (wcts_oracle_rule_ask(&world, &spec->rules[rule], found) != WCTS_UNKNOWN) {
                wcts_world_release(&world);
                return true;
            }
        }
        wcts_world_release(&world);
    }
    return false;
}

/* Whether the rules broken are this one, such as always are with it, and advice beside a must. */
static bool breaks_alone(int rule, const struct wcts_oracle_prediction *prediction)
{
    for (int i = 0; i < prediction->broken_count; i++) {
        const char *other = spec->rules[prediction->broken[i]].id;
        const char *masks = spec->rules[rule].masked_by;
        bool advice = spec->rules[prediction->broken[i]].outcome == WCTS_OUTCOME_EITHER &&
                      spec->rules[rule].outcome != WCTS_OUTCOME_EITHER &&
                      prediction->must_broken == 1;
        if (prediction->broken[i] != rule && !advice &&
            (masks == NULL || strstr(masks, other) == NULL))
            return false;
    }
    return true;
}

/* Edges that break this rule and no other, or none, must have a case. */
static int check_edge(int rule, int base, uint32_t page_size, const struct wcts_fact *edge)
{
    struct wcts_case test = {
        .base = base, .version = spec->rules[rule].until - 1, .page_size = page_size};
    struct wcts_oracle_prediction prediction;
    judge(&test, edge, 1, &prediction);
    if (prediction.expect == WCTS_EXPECT_OPEN || !breaks_alone(rule, &prediction))
        return 0;
    ck_assert_msg(has_case(rule, page_size, edge), "%s at page size %u has no case for %s%s0x%llx",
                  spec->rules[rule].id, page_size,
                  edge->value.symbol >= 0 ? spec->cases->symbols[edge->value.symbol].name : "",
                  edge->value.symbol >= 0 ? "+" : "", (unsigned long long)edge->value.number);
    return 1;
}

static int check_edges(int rule, struct wcts_lang_ref of, uint32_t page_size, uint64_t to)
{
    struct wcts_fact place = {.ref = {of.structure, of.member, of.flag}}, edge;
    uint32_t width = wcts_model_ref_member(spec, place.ref)->width;
    uint64_t most = width < 8 ? (UINT64_C(1) << 8 * width) - 1 : UINT64_MAX;
    int base, checked = 0;
    if (only_some_values(place.ref))
        return 1;
    ck_assert_msg(first_place(rule, &place, &base), "%s", spec->rules[rule].id);
    const uint64_t around[] = {1, -UINT64_C(1), to, -to, to + 1, to - 1, to / 2};
    const uint64_t numbers[] = {0, UINT64_C(0x100000000), UINT64_C(0x100000001),
                                -to, /* the last one below 2^64 */
                                UINT64_MAX};
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        edge = place;
        edge.value.number += around[i];
        if ((around[i] >> 63 && place.value.number < -around[i]) || edge.value.number > most)
            continue;
        checked += check_edge(rule, base, page_size, &edge);
    }
    for (size_t i = 0; place.value.symbol < 0 && i < sizeof numbers / sizeof numbers[0]; i++) {
        edge = place;
        edge.value.number = numbers[i];
        if (numbers[i] <= most && numbers[i] != place.value.number)
            checked += check_edge(rule, base, page_size, &edge);
    }
    return checked;
}

START_TEST(alignments_have_their_edges)
{
    static const uint32_t page_sizes[] = {4096, 16384, 65536};
    int rules = 0;
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        const struct wcts_lang_edge edge = wcts_lang_edge(spec->exprs, rule->breach.refuse);
        const struct wcts_lang_node *of = &spec->exprs->nodes[edge.of];
        const struct wcts_lang_node *to = &spec->exprs->nodes[edge.value];
        bool page = to->op == WCTS_OP_PAGE;
        if (edge.kind != WCTS_EDGE_MULTIPLE)
            continue;
        rules++;
        for (int p = 0; p < (page ? 3 : 1); p++)
            ck_assert_msg(
                check_edges(r, of->ref, page_sizes[p], page ? page_sizes[p] : to->number) > 0,
                "%s has no edge", rule->id);
    }
    ck_assert_int_gt(rules, 10);
}
END_TEST

/* Some case somewhere tries each of the great numbers, and wraps around. */
START_TEST(great_numbers_are_tried)
{
    static const uint64_t numbers[] = {UINT64_C(0x100000001), UINT64_C(0xFFFFFFFFFFFFF000),
                                       UINT64_MAX};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        bool found = false;
        for (int i = 0; i < plan->count && !found; i++)
            for (int j = 0; j < WCTS_PLAN_CASE(plan, i)->fact_count; j++)
                found = found || (WCTS_PLAN_CASE(plan, i)->facts[j].value.symbol < 0 &&
                                  WCTS_PLAN_CASE(plan, i)->facts[j].value.number == numbers[n]);
        ck_assert_msg(found, "0x%llx", (unsigned long long)numbers[n]);
    }
}
END_TEST

/* ---- Versions and page sizes ---- */

/* Whether the same is sent at another version, for the sake of the same rule. */
static bool sent_at(const struct wcts_case *like, int version)
{
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->rule == like->rule && !test->driver && test->version == version &&
            test->base == like->base && test->page_size == like->page_size &&
            wcts_model_same_facts(test->facts, test->fact_count, like->facts, like->fact_count))
            return true;
    }
    return false;
}

static bool possible_at(const struct wcts_case *test, int version)
{
    const struct wcts_base *base = &spec->cases->bases[test->base];
    return version >= base->since && version < base->until;
}

/* Whether the same at another version is no breach of another rule. */
static bool says_something(const struct wcts_case *test, int version)
{
    struct wcts_case other = *test;
    struct wcts_oracle_prediction prediction;
    other.version = version;
    judge(&other, other.facts, other.fact_count, &prediction);
    return prediction.broken_count == 0 ||
           (prediction.broken_count == 1 && prediction.broken[0] == test->rule);
}

/* What a rule refuses at the first version that it binds is sent at the one before as well, and
 * what it refuses at the last one at the one after. */
START_TEST(rules_have_both_sides_of_their_versions)
{
    int edges = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        const struct wcts_rule *rule = &spec->rules[test->rule];
        if (test->driver || !refuses(test) || rule->form == WCTS_FORM_LAYOUT || is_made_once(test))
            continue;
        for (int side = 0; side < 2; side++) {
            int here = side ? rule->until - 1 : rule->since;
            int there = side ? rule->until : rule->since - 1;
            if (test->version != here || !possible_at(test, there) || !says_something(test, there))
                continue;
            edges++;
            ck_assert_msg(sent_at(test, there), "%s: not sent at %s", test->id,
                          spec->versions[there].name);
        }
    }
    ck_assert_int_gt(edges, 10);
}
END_TEST

/* Every rule has a breach at a version at which it binds, the first one among them. */
START_TEST(rules_are_broken_at_their_first_version)
{
    for (int r = 0; r < spec->rules_count; r++) {
        const struct wcts_rule *rule = &spec->rules[r];
        bool first = false;
        if (!wcts_model_is_asked(rule->form) || rule->form == WCTS_FORM_GATE)
            continue;
        for (int i = 0; i < plan->count; i++) {
            const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
            int since = spec->cases->bases[test->base].since;
            if (test->rule == r && !test->driver && refuses(test))
                first = first || test->version == (rule->since > since ? rule->since : since);
        }
        ck_assert_msg(first, "%s has no breach at its first version", rule->id);
    }
}
END_TEST

/* A bit is sent at the version at which its flag begins, and at the one before. */
START_TEST(flags_have_both_sides_of_their_version)
{
    int edges = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        const struct wcts_rule *rule = &spec->rules[test->rule];
        for (int j = 0; rule->form == WCTS_FORM_LAYOUT && rule->word >= 0 && j < test->fact_count;
             j++) {
            struct wcts_ref ref = test->facts[j].ref;
            const struct wcts_flag *flag;
            if (ref.flag < 0 || ref.member != rule->arg[WCTS_ARG_MEMBER].refs[0].member ||
                ref.structure != rule->on || !test->facts[j].value.number)
                continue;
            flag = &spec->words[rule->word].flags[ref.flag];
            if (test->version != flag->since || !possible_at(test, flag->since - 1) ||
                is_made_once(test))
                continue;
            edges++;
            ck_assert_msg(sent_at(test, flag->since - 1), "%s: not sent at %s", test->id,
                          spec->versions[flag->since - 1].name);
        }
    }
    ck_assert_int_gt(edges, 20);
}
END_TEST

/* True if the call is made in no state, at a version, with the same expectation. */
static bool is_made_before(const struct wcts_case *like, int end)
{
    for (int i = end; i >= 0; i--) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->rule == like->rule && test->state == 0 && test->base == like->base &&
            test->version == like->version && test->page_size == like->page_size &&
            test->expect == like->expect && test->strict == like->strict &&
            test->twin_count == like->twin_count &&
            wcts_model_same_facts(test->facts, test->fact_count, like->facts, like->fact_count))
            return true;
    }
    return false;
}

/* In each state calls are accepted and refused, as they are without it, and none is made of what
 * the state cannot be before. */
START_TEST(calls_are_made_in_states)
{
    const struct wcts_cases *cases = spec->cases;
    int made[16][2] = {{0}};
    ck_assert_int_ge(cases->states_count, 1);
    ck_assert_int_le(cases->states_count, 16);
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case test = *WCTS_PLAN_CASE(plan, i);
        const struct wcts_base_state *state;
        char part[64];
        if (test.state == 0)
            continue;
        state = &cases->states[test.state - 1];
        snprintf(part, sizeof part, "/%s/", state->name);
        ck_assert_msg(strstr(test.id, part) != NULL, "%s: not \"%s\"", test.id, state->name);
        ck_assert(!test.driver && !cases->bases[test.base].alone);
        ck_assert(test.version >= state->since && test.version < state->until);
        ck_assert(state->of < 0 ||
                  wcts_model_step_includes(cases, cases->bases[test.base].step, state->of));
        made[test.state - 1][refuses(&test)]++;
        if (i % 50 == 0)
            ck_assert_msg(is_made_before(&test, i), "%s alone", test.id);
    }
    for (int i = 0; i < cases->states_count; i++)
        ck_assert_msg(made[i][0] > 0 && made[i][1] > 0, "%s: %d accepted, %d refused",
                      cases->states[i].name, made[i][0], made[i][1]);
}
END_TEST

START_TEST(page_rules_have_every_page_size)
{
    static const uint32_t page_sizes[] = {4096, 16384, 65536};
    /* Of each rule, at each of them: whether it is broken, and whether it is kept. */
    bool(*shown)[3][2] = calloc((size_t)spec->rules_count, sizeof *shown);
    int rules = 0;
    ck_assert_ptr_nonnull(shown);
    for (int i = 0; i < plan->count; i++) {
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        /* A scenario says itself with which page sizes it is gone through. */
        for (int p = 0; p < 3 && test->scenario == NULL && !is_made_once(test); p++)
            if (test->page_size == page_sizes[p])
                shown[test->rule][p][!refuses(test)] = true;
    }
    for (int r = 0; r < spec->rules_count; r++) {
        bool pages = wcts_lang_has(spec->exprs, spec->rules[r].breach.refuse, WCTS_OP_PAGE);
        rules += pages;
        for (int p = 0; p < 3; p++) {
            bool broken = shown[r][p][0], kept = shown[r][p][1];
            ck_assert_msg(!pages || (broken && kept), "%s at %u", spec->rules[r].id, page_sizes[p]);
            ck_assert_msg(pages || p == 0 || (!broken && !kept), "%s at %u", spec->rules[r].id,
                          page_sizes[p]);
        }
    }
    free(shown);
    ck_assert_int_gt(rules, 0);
}
END_TEST

/* ---- Counts ---- */

static int count_of(int document, int kind)
{
    int count = 0;
    for (int i = 0; i < plan->count; i++)
        count += spec->statements[WCTS_PLAN_CASE(plan, i)->statement].document == document &&
                 (int)WCTS_PLAN_CASE(plan, i)->kind == kind;
    return count;
}

static char *counts(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("# document kind cases\n", out);
    for (int d = 0; d < spec->documents_count; d++)
        for (int kind = WCTS_KIND_WITNESS; kind < WCTS_KIND_COUNT; kind++)
            fprintf(out, "%s %s %d\n", spec->documents[d].number,
                    wcts_model_kind_name((enum wcts_kind)kind), count_of(d, kind));
    fprintf(out, "all - %d\n", plan->count);
    fclose(out);
    return text;
}

START_TEST(counts_are_golden)
{
    char *now = counts(), golden[4096] = "";
    FILE *file;
    if (getenv("WCTS_UPDATE") != NULL) {
        file = fopen(GOLDEN, "w");
        ck_assert_ptr_nonnull(file);
        fputs(now, file);
        fclose(file);
    }
    file = fopen(GOLDEN, "r");
    ck_assert_msg(file != NULL, "no " GOLDEN);
    golden[fread(golden, 1, sizeof golden - 1, file)] = '\0';
    fclose(file);
    ck_assert_msg(strcmp(now, golden) == 0, "%s has:\n%snow:\n%s", GOLDEN, golden, now);
    free(now);
}
END_TEST

/* Each gap lets an implementation refuse a call: one more is one thing less that is demanded. */
START_TEST(gaps_are_few)
{
    int elective = 0;
    for (int i = 0; i < spec->rules_count; i++)
        elective += spec->rules[i].elective != NULL;
    ck_assert_int_eq(spec->gaps_count, 32);
    ck_assert_int_eq(elective, 25);
}
END_TEST

/* ---- The suite ---- */

static void set_up(void)
{
    spec = load();
    plan = make(spec, NULL);
    ck_assert(wcts_oracle_eval_init(&eval, spec));
}

static void tear_down(void)
{
    wcts_oracle_eval_release(&eval);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
}

int main(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, what_shows_little_is_warned_of);
    tcase_add_test(tcase, ids_are_unique);
    tcase_add_test(tcase, ids_are_of_permitted_letters);
    tcase_add_test(tcase, ids_name_rule_and_version);
    tcase_add_test(tcase, planning_twice_gives_one_plan);
    tcase_add_test(tcase, newest_only_is_part_of_the_plan);
    tcase_add_test(tcase, every_rule_has_a_case);
    tcase_add_test(tcase, every_statement_with_rules_has_a_case);
    tcase_add_test(tcase, every_rule_is_broken_and_kept);
    tcase_add_test(tcase, cases_are_as_the_rules_say);
    tcase_add_test(tcase, refusals_have_an_accepted_twin);
    tcase_add_test(tcase, cases_run_at_every_version);
    tcase_add_test(tcase, between_edges_nothing_changes);
    tcase_add_test(tcase, witnesses_differ_from_their_twin_in_one_fact);
    tcase_add_test(tcase, refusals_break_one_must);
    tcase_add_test(tcase, alignments_have_their_edges);
    tcase_add_test(tcase, great_numbers_are_tried);
    tcase_add_test(tcase, rules_have_both_sides_of_their_versions);
    tcase_add_test(tcase, rules_are_broken_at_their_first_version);
    tcase_add_test(tcase, flags_have_both_sides_of_their_version);
    tcase_add_test(tcase, page_rules_have_every_page_size);
    tcase_add_test(tcase, calls_are_made_in_states);
    tcase_add_test(tcase, counts_are_golden);
    tcase_add_test(tcase, gaps_are_few);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
