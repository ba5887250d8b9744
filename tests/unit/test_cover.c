/* SPDX-License-Identifier: MIT */
/*
 * Which conditions of rules decide something in the calls of a plan, and what the two ladders make
 * of that, of a mutation record and of a run. The spec is that of tests/data/cover, whose
 * statements each stop at a step of their own; the run is tests/coverage/run. Runs in the top
 * directory.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../runner/load/spec_files.h"
#include "reports/ladder.h"
#include "suite.h"

#define DATA "tests/data/cover"

static struct wcts_spec *spec;
static struct wcts_plan *plan;
static struct wcts_cover cover;
static char directory[] = "/tmp/wcts-cover-XXXXXX";

/* ---- conditions ---- */

static int rule_of(const char *id)
{
    for (int i = 0; i < spec->rules_count; i++)
        if (strcmp(spec->rules[i].id, id) == 0)
            return i;
    ck_abort_msg("no rule %s", id);
}

static const struct wcts_cover_decision *decision_of(const char *rule, const char *text)
{
    const struct wcts_cover_rule *one = &cover.rules[rule_of(rule)];
    for (int i = 0; i < one->count; i++)
        if (strcmp(one->decisions[i].text, text) == 0)
            return &one->decisions[i];
    ck_abort_msg("no condition %s of %s", text, rule);
}

static const struct {
    const char *rule, *condition;
    enum wcts_cover_shown shown;
    const char *one; /* NULL: not asked */
} conditions[] = {
    {"COV-001", "Flags.CreateShared", WCTS_SHOWN, "COV-001/refuse/wddm1_0/CreateShared"},
    {"COV-001", "Flags.CreateResource", WCTS_SHOWN, "COV-001/refuse/wddm1_0/CreateShared"},
    {"COV-002", "when NumAllocations < 2", WCTS_SHOWN_NOT, NULL},
    {"COV-002", "Flags.Third", WCTS_SHOWN, "COV-002/refuse/wddm1_0/Third,Fourth"},
    {"COV-002", "Flags.Fourth", WCTS_SHOWN, "COV-002/refuse/wddm1_0/Third,Fourth"},
    {"COV-003.resource", "Flags.Fifth", WCTS_SHOWN, NULL},
    {"COV-003.fourth", "when Flags.CreateResource", WCTS_SHOWN_MASKED, NULL},
    {"COV-003.fourth", "Flags.Fourth", WCTS_SHOWN, NULL},
    {"COV-004", "Flags.Sixth", WCTS_SHOWN, "COV-004/refuse/wddm1_0/Sixth"},
    {"COV-007", "the value of pSystemMem", WCTS_SHOWN, NULL},
};

START_TEST(conditions_are_shown)
{
    const struct wcts_cover_decision *decision =
        decision_of(conditions[_i].rule, conditions[_i].condition);
    ck_assert_msg(decision->shown == conditions[_i].shown, "%s, %s: %d", conditions[_i].rule,
                  conditions[_i].condition, (int)decision->shown);
    if (conditions[_i].one)
        ck_assert_str_eq(WCTS_PLAN_CASE(plan, decision->one)->id, conditions[_i].one);
    ck_assert_int_eq(decision->one >= 0, decision->shown == WCTS_SHOWN);
    ck_assert_int_eq(decision->other >= 0, decision->shown == WCTS_SHOWN);
}
END_TEST

/* The rule that masks a condition is named. */
START_TEST(masks_are_named)
{
    const struct wcts_cover_decision *decision =
        decision_of("COV-003.fourth", "when Flags.CreateResource");
    ck_assert_str_eq(decision->why,
                     "the other side of it breaks COV-003.resource, or another rule");
}
END_TEST

/* A pair is two calls that are alike but for one fact: of the cases' facts no more than one is in
 * the one and not in the other. */
static int facts_beside(const struct wcts_fact *a, int a_count, const struct wcts_fact *b,
                        int b_count)
{
    int beside = 0;
    for (int i = 0; i < a_count; i++) {
        bool found = false;
        for (int j = 0; j < b_count; j++)
            found = found ||
                    (a[i].instance == b[j].instance && a[i].ref.flag == b[j].ref.flag &&
                     a[i].ref.member == b[j].ref.member && a[i].value.number == b[j].value.number);
        beside += !found;
    }
    return beside;
}

START_TEST(pairs_differ_in_one_fact)
{
    int pairs = 0;
    for (int r = 0; r < spec->rules_count; r++)
        for (int i = 0; i < cover.rules[r].count; i++) {
            const struct wcts_cover_decision *decision = &cover.rules[r].decisions[i];
            const struct wcts_case *a, *b;
            const struct wcts_fact *facts;
            int count;
            if (decision->shown != WCTS_SHOWN)
                continue;
            a = WCTS_PLAN_CASE(plan, decision->one);
            b = WCTS_PLAN_CASE(plan, decision->other);
            facts = decision->twin ? b->twin : b->facts;
            count = decision->twin ? b->twin_count : b->fact_count;
            ck_assert_int_eq(a->version, b->version);
            ck_assert_int_eq(a->base, b->base);
            ck_assert_int_le(facts_beside(a->facts, a->fact_count, facts, count), 1);
            ck_assert_int_le(facts_beside(facts, count, a->facts, a->fact_count), 1);
            pairs++;
        }
    ck_assert_int_eq(pairs, 10);
}
END_TEST

/* Without its pair a condition is not shown: the plan without the accepted calls shows nothing. */
START_TEST(a_plan_without_twins_shows_nothing)
{
    struct wcts_plan poor = *plan;
    struct wcts_cover less;
    poor.tests = calloc((size_t)plan->count, sizeof *poor.tests);
    poor.series = calloc((size_t)plan->series_count, sizeof *poor.series);
    ck_assert(poor.tests && poor.series);
    poor.count = 0;
    for (int i = 0; i < plan->series_count; i++) {
        poor.series[i] = plan->series[i];
        poor.series[i].twin = NULL;
    }
    for (int i = 0; i < plan->count; i++)
        if (wcts_plan_series(plan, i)->expect == WCTS_EXPECT_REFUSE)
            poor.tests[poor.count++] = plan->tests[i];
    ck_assert_int_gt(poor.count, 0);
    ck_assert(wcts_cover_init(&less, &poor, NULL));
    for (int r = 0; r < spec->rules_count; r++)
        for (int i = 0; i < less.rules[r].count; i++)
            ck_assert_int_lt(less.rules[r].decisions[i].shown, WCTS_SHOWN);
    ck_assert_str_eq(less.rules[rule_of("COV-001")].decisions[0].why, "the plan has no such pair");
    wcts_cover_release(&less);
    free(poor.tests);
    free(poor.series);
}
END_TEST

/* Two calls that differ in two facts show neither. */
START_TEST(pairs_of_two_facts_show_nothing)
{
    static const char *const ids[] = {"COV-001/accept/wddm1_0/create",
                                      "COV-002/refuse/wddm1_0/Third,Fourth"};
    struct wcts_series series[2];
    struct wcts_test tests[2];
    struct wcts_plan poor = *plan;
    struct wcts_cover less;
    for (int i = 0; i < 2; i++) {
        int index = wcts_plan_find(plan, ids[i]);
        tests[i] = plan->tests[index];
        series[i] = *wcts_plan_series(plan, index);
        tests[i].series = i;
        series[i].twin = NULL;
    }
    poor.tests = tests;
    poor.series = series;
    poor.series_count = 2;
    poor.count = 2;
    ck_assert(wcts_cover_init(&less, &poor, NULL));
    for (int i = 0; i < less.rules[rule_of("COV-002")].count; i++)
        ck_assert_int_eq(less.rules[rule_of("COV-002")].decisions[i].shown, WCTS_SHOWN_NOT);
    wcts_cover_release(&less);
}
END_TEST

static void compare_rules(const struct wcts_cover_rule *one, const struct wcts_cover_rule *all)
{
    ck_assert_int_eq(one->occurred, all->occurred);
    ck_assert_int_eq(one->count, all->count);
    for (int i = 0; i < one->count; i++) {
        const struct wcts_cover_decision *a = &one->decisions[i], *b = &all->decisions[i];
        ck_assert_str_eq(a->text, b->text);
        ck_assert_int_eq(a->shown, b->shown);
        ck_assert_int_eq(a->one, b->one);
        ck_assert_int_eq(a->other, b->other);
        ck_assert_int_eq(a->twin, b->twin);
        ck_assert_str_eq(a->why ? a->why : "", b->why ? b->why : "");
    }
}

/* Who asks for one statement is told the same of it as who asks for all. */
START_TEST(one_statement_alone_is_covered_as_among_all)
{
    bool *alone = calloc((size_t)spec->statements_count, sizeof *alone);
    int compared = 0;
    ck_assert_ptr_nonnull(alone);
    for (int s = 0; s < spec->statements_count; s++) {
        struct wcts_cover one;
        alone[s] = true;
        ck_assert(wcts_cover_init(&one, plan, alone));
        for (int r = 0; r < spec->rules_count; r++) {
            if (spec->rules[r].statement == s)
                compare_rules(&one.rules[r], &cover.rules[r]);
            else
                ck_assert_int_eq(one.rules[r].count, 0);
            compared += one.rules[r].count;
        }
        wcts_cover_release(&one);
        alone[s] = false;
    }
    ck_assert_int_gt(compared, 10);
    free(alone);
}
END_TEST

/* ---- the record ---- */

static void write_record(const char *text)
{
    char path[128];
    FILE *file;
    snprintf(path, sizeof path, "%s/mutation.tsv", directory);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

#define STALE "0000000000000000000000000000000000000000000000000000000000000000"

/* With the digest of the spec in front. */
static void write_fresh(const char *rows)
{
    char *text = NULL;
    ck_assert_int_gt(asprintf(&text, "#digest\t%s\n%s", spec->digest, rows), 0);
    write_record(text);
    free(text);
}

static const struct {
    const char *rows, *message;
} wrong_records[] = {
    {"COV-001\tCOV-001\tkilled\t1\tX\n", ":2: 5 columns, expected 6\n"},
    {"COV-0\tCOV-001\tkilled\t1\tX\tright\n",
     ":2: a fault \"COV-0\", expected the id of a rule, alone or before a \"+\"\n"},
    {"COV-001\tCOV-002\tkilled\t1\tX\tright\n",
     ":2: a statement \"COV-002\", expected \"COV-001\", the statement of the rule\n"},
    {"COV-001\tCOV-001\tdead\t1\tX\tright\n",
     ":2: an outcome \"dead\", expected killed, survived or none\n"},
    {"COV-001\tCOV-001\tkilled\tmany\tX\tright\n", ":2: \"many\" cases, expected a number\n"},
    {"COV-001\tCOV-001\tkilled\t1\tX\tleft\n",
     ":2: a blame \"left\", expected right, or wrong: and ids\n"},
};

static void check_message(const char *expected)
{
    struct wcts_diagnostics diagnostics = {0};
    struct wcts_report_mutation mutation;
    char *text = NULL, whole[512];
    size_t size = 0;
    diagnostics.out = open_memstream(&text, &size);
    ck_assert(!wcts_report_mutation_read(&mutation, spec, directory, &diagnostics));
    wcts_report_mutation_release(&mutation);
    fclose(diagnostics.out);
    snprintf(whole, sizeof whole, "%s/mutation.tsv%s", directory, expected);
    ck_assert_str_eq(text, whole);
    free(text);
}

START_TEST(wrong_records_are_refused)
{
    write_fresh(wrong_records[_i].rows);
    check_message(wrong_records[_i].message);
}
END_TEST

START_TEST(wrong_digests_are_refused)
{
    write_record("#digest\tabc\n");
    check_message(":1: \"#digest\tabc\", expected #digest, a tab and 64 hexadecimal digits\n");
    write_record("");
    check_message(": empty, expected #digest, a tab and 64 hexadecimal digits\n");
}
END_TEST

/* ---- the suite's ladder ---- */

static const struct wcts_report_ladder_scope all = {.last_version = 1};

static void make_suite(struct wcts_report_ladder *ladder, struct wcts_report_mutation *mutation)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    ck_assert(wcts_report_mutation_read(mutation, spec, directory, &diagnostics));
    ck_assert(wcts_report_ladder_suite(ladder, plan, &cover, mutation, &all));
}

static const struct wcts_report_rung *rung_of(const struct wcts_report_ladder *ladder,
                                              const char *statement)
{
    int index = wcts_model_spec_statement(spec, statement);
    ck_assert_int_ge(index, 0);
    return &ladder->rungs[index];
}

static void check_rung(const struct wcts_report_ladder *ladder, const char *statement, int reached,
                       const char *reason)
{
    const struct wcts_report_rung *rung = rung_of(ladder, statement);
    ck_assert_msg(rung->reached == reached, "%s: %d", statement, rung->reached);
    if (reason)
        ck_assert_str_eq(rung->reason, reason);
    else
        ck_assert_ptr_null(rung->reason);
}

START_TEST(suite_without_a_record)
{
    struct wcts_report_mutation mutation;
    struct wcts_report_ladder ladder;
    char path[128];
    snprintf(path, sizeof path, "%s/mutation.tsv", directory);
    unlink(path);
    make_suite(&ladder, &mutation);
    ck_assert(!mutation.there);
    ck_assert_str_eq(ladder.stop, "no mutation record: make mutation writes one");
    check_rung(&ladder, "COV-001", 4, ladder.stop);
    check_rung(&ladder, "COV-002", 3,
               "not both ways: rule COV-002, condition \"when NumAllocations < 2\": no "
               "value that the plan knows changes it alone");
    check_rung(&ladder, "COV-003", 4, ladder.stop); /* a mask does not hold it up */
    check_rung(&ladder, "COV-005", 1, "pending: its rule is not written yet");
    ck_assert(!rung_of(&ladder, "COV-006")->counted && rung_of(&ladder, "COV-006")->listed);
    wcts_report_ladder_release(&ladder);
    wcts_report_mutation_release(&mutation);
}
END_TEST

START_TEST(suite_with_a_stale_record)
{
    struct wcts_report_mutation mutation;
    struct wcts_report_ladder ladder;
    write_record("#digest\t" STALE "\nCOV-001\tCOV-001\tkilled\t1\tX\tright\n"
                 "GONE-001\tGONE-001\tkilled\t1\tX\tright\n");
    make_suite(&ladder, &mutation);
    ck_assert(mutation.there && mutation.stale);
    ck_assert_str_eq(ladder.stop_word, "stale");
    ck_assert_ptr_nonnull(strstr(ladder.stop, STALE));
    ck_assert_ptr_nonnull(strstr(ladder.stop, spec->digest));
    ck_assert_ptr_nonnull(strstr(ladder.stop, "make mutation"));
    check_rung(&ladder, "COV-001", 4, ladder.stop);
    wcts_report_ladder_release(&ladder);
    wcts_report_mutation_release(&mutation);
}
END_TEST

/* Both rules of COV-003 need a fault; every fault of a rule is to be killed and blamed right. */
static const struct {
    const char *rows, *statement;
    int reached;
    const char *reason;
} records[] = {
    {"COV-001\tCOV-001\tkilled\t3\tX\tright\n", "COV-001", 5, NULL},
    {"COV-001\tCOV-001\tkilled\t3\tX\tright\nCOV-001+late\tCOV-001\tsurvived\t80\t\t\n", "COV-001",
     4, "fault COV-001+late survives"},
    {"COV-001\tCOV-001\tkilled\t3\tX\twrong: COV-002 COV-007\n", "COV-001", 4,
     "fault COV-001 is blamed wrong: COV-002 COV-007"},
    {"COV-001\tCOV-001\tkilled\t3\tX\t\n", "COV-001", 4, "fault COV-001 is blamed on nothing"},
    {"COV-003.fourth\tCOV-003\tkilled\t1\tX\tright\n", "COV-003", 4,
     "the mutation record has no fault of rule COV-003.resource"},
    {"COV-003.fourth\tCOV-003\tkilled\t1\tX\tright\n# said twice\n"
     "COV-003.resource\tCOV-003\tkilled\t1\tX\tright\n",
     "COV-003", 5, NULL},
    {"COV-004\tCOV-004\tnone\t0\t\t\n", "COV-004", 4,
     "rule COV-004: either outcome is right, so there is no fault to be noticed"},
    /* What is killed but not both ways stays where it is. */
    {"COV-002\tCOV-002\tkilled\t1\tX\tright\n", "COV-002", 3,
     "not both ways: rule COV-002, condition \"when NumAllocations < 2\": no value that "
     "the plan knows changes it alone"},
};

START_TEST(suite_with_a_record)
{
    struct wcts_report_mutation mutation;
    struct wcts_report_ladder ladder;
    write_fresh(records[_i].rows);
    make_suite(&ladder, &mutation);
    ck_assert_ptr_null(ladder.stop);
    check_rung(&ladder, records[_i].statement, records[_i].reached, records[_i].reason);
    wcts_report_ladder_release(&ladder);
    wcts_report_mutation_release(&mutation);
}
END_TEST

START_TEST(rules_of_other_versions_are_left_out)
{
    const struct wcts_report_ladder_scope first = {.last_version = 0};
    struct wcts_diagnostics diagnostics = {stderr, 0};
    struct wcts_report_mutation mutation;
    struct wcts_report_ladder ladder;
    struct wcts_report_ladder_count count;
    write_fresh("");
    ck_assert(wcts_report_mutation_read(&mutation, spec, directory, &diagnostics));
    ck_assert(wcts_report_ladder_suite(&ladder, plan, &cover, &mutation, &first));
    count = wcts_report_ladder_count_at(&ladder, 0);
    ck_assert_int_eq(count.all, 5);
    ck_assert_int_eq(wcts_report_ladder_count_at(&ladder, 1).all, 0);
    wcts_report_ladder_release(&ladder);
    wcts_report_mutation_release(&mutation);
}
END_TEST

/* ---- a run's ladder ---- */

static const struct {
    const char *statement;
    int reached;
    const char *reason, *verdict;
} stops[] = {
    {"COV-001", 5, NULL, "pass"},
    {"COV-002", 3,
     "rule COV-002: twin refused: KERNEL_ALLOCATION_CREATE answered INVALID_PARAMETER (0xC000000D) "
     "(1 of 2 cases)",
     NULL},
    {"COV-003", 2, "rule COV-003.fourth: base call refused: X (2 of 3 cases)", NULL},
    {"COV-004", 4, "rule COV-004: the run ended before: stopped (1 of 2 cases)", NULL},
    {"COV-005", 0, "it has no rule that binds", NULL},
    {"COV-007", 5,
     "2 of 2 cases, the first is COV-007/refuse/wddm1_0/pSystemMem-buffer.0x1001: "
     "KERNEL_ALLOCATION_CREATE answered SUCCESS (0x00000000), expected a refusal",
     "fail"},
};

START_TEST(a_run_stops_at_each_step)
{
    struct wcts_report_ladder ladder;
    ck_assert(wcts_report_ladder_run(&ladder, spec, "tests/coverage/run", &all));
    check_rung(&ladder, stops[_i].statement, stops[_i].reached, stops[_i].reason);
    if (stops[_i].verdict)
        ck_assert_str_eq(rung_of(&ladder, stops[_i].statement)->verdict, stops[_i].verdict);
    else
        ck_assert_ptr_null(rung_of(&ladder, stops[_i].statement)->verdict);
    wcts_report_ladder_release(&ladder);
}
END_TEST

/* A run whose versions are few does not show the rules of others. */
START_TEST(a_run_at_one_version)
{
    const struct wcts_report_ladder_scope second = {.first_version = 1, .last_version = 1};
    struct wcts_report_ladder ladder;
    ck_assert(wcts_report_ladder_run(&ladder, spec, "tests/coverage/run", &second));
    check_rung(&ladder, "COV-001", 2, "rule COV-001: not claimed: this WDDM version (1 of 1 case)");
    check_rung(&ladder, "COV-002", 0, "no case of rule COV-002 is in the run");
    check_rung(&ladder, "COV-007", 1, "rule COV-007: the run ended before: stopped (1 of 1 case)");
    wcts_report_ladder_release(&ladder);
}
END_TEST

START_TEST(steps_are_found_by_name)
{
    struct wcts_report_ladder ladder;
    ck_assert(wcts_report_ladder_run(&ladder, spec, "tests/coverage/run", &all));
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "observed", 8), 3);
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "observed=9%", 8), 3);
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "killed", 6), -1);
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "observe", 7), -1);
    ladder.steps[3] = "both ways";
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "both-ways", 9), 3);
    ck_assert_int_eq(wcts_report_ladder_step(&ladder, "both ways", 9), 3);
    wcts_report_ladder_release(&ladder);
}
END_TEST

/* ---- main ---- */

static TCase *tests_of(void)
{
    TCase *tests = tcase_create("cover");
    tcase_add_loop_test(tests, conditions_are_shown, 0,
                        (int)(sizeof conditions / sizeof *conditions));
    tcase_add_test(tests, masks_are_named);
    tcase_add_test(tests, pairs_differ_in_one_fact);
    tcase_add_test(tests, a_plan_without_twins_shows_nothing);
    tcase_add_test(tests, pairs_of_two_facts_show_nothing);
    tcase_add_loop_test(tests, wrong_records_are_refused, 0,
                        (int)(sizeof wrong_records / sizeof *wrong_records));
    tcase_add_test(tests, wrong_digests_are_refused);
    tcase_add_test(tests, suite_without_a_record);
    tcase_add_test(tests, suite_with_a_stale_record);
    tcase_add_loop_test(tests, suite_with_a_record, 0, (int)(sizeof records / sizeof *records));
    tcase_add_test(tests, one_statement_alone_is_covered_as_among_all);
    tcase_add_test(tests, rules_of_other_versions_are_left_out);
    tcase_add_loop_test(tests, a_run_stops_at_each_step, 0, (int)(sizeof stops / sizeof *stops));
    tcase_add_test(tests, a_run_at_one_version);
    tcase_add_test(tests, steps_are_found_by_name);
    return tests;
}

int main(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    Suite *suite = suite_create("cover");
    char path[128];
    spec = wcts_load_spec_load(DATA "/spec", DATA "/cases", NULL, 0, &diagnostics);
    plan = spec ? wcts_plan_make(spec, NULL, &diagnostics) : NULL;
    if (!plan || !wcts_cover_init(&cover, plan, NULL) || !mkdtemp(directory))
        return 1;
    suite_add_tcase(suite, tests_of());
    int status = suite_run(suite);
    snprintf(path, sizeof path, "%s/mutation.tsv", directory);
    unlink(path);
    rmdir(directory);
    wcts_cover_release(&cover);
    wcts_plan_free(plan);
    wcts_load_spec_free(spec);
    return status;
}
