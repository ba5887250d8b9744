/* SPDX-License-Identifier: MIT */
/* A JUnit report that is larger than consumers take is split; the number is made smaller here. */
#define PART_MAX 20000u
#include "reports/junit.c"

#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "reports/headline.h"
#include "runner/cli/suite.h"
#include "runner/store/run_dir.h"
#include "suite.h"

#define CASES 400

static char directory[] = "/tmp/wcts-junit-XXXXXX";
static struct wcts_cli_suite loaded;
static struct wcts_cli_settings settings = {
    .options = {.implementation = {.path = "none", .options = ""},
                .suite = WCTS_SUITE_SMOKE,
                .spec_dir = "spec",
                .cases_dir = "cases",
                .junit_cases = true,
                .shard = 1,
                .shards = 1},
    .options.workers = 1};
static int selected[CASES];

static void set_up(void)
{
    ck_assert(wcts_cli_suite_init(&loaded, &settings));
    ck_assert_int_gt(loaded.plan->count, CASES);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (int i = 0; i < CASES; i++)
        selected[i] = i;
}

static void tear_down(void)
{
    char command[200];
    wcts_cli_suite_release(&loaded);
    snprintf(command, sizeof command, "rm -rf %s", directory);
    ck_assert_int_eq(system(command), 0);
}

static char *path_of(const char *name)
{
    char *path = NULL;
    ck_assert_int_gt(asprintf(&path, "%s/%s", directory, name), 0);
    return path;
}

/* A run directory in which every third of so many cases failed. */
static void make_run(struct wcts_report_run *run, int count)
{
    struct wcts_store_rundir made;
    char *path = path_of(count == CASES ? "run" : "smaller");
    ck_assert(wcts_report_run_init(run, &settings.options, loaded.plan, selected, count));
    ck_assert(wcts_store_rundir_init(&made, path));
    ck_assert(wcts_store_rundir_begin(&made));
    made.spec = loaded.spec;
    for (int i = 0; i < count; i++) {
        char why[] = "it was accepted", words[] = "in words";
        const struct wcts_result result = {.verdict =
                                               i % 3 == 0 ? WCTS_VERDICT_FAIL : WCTS_VERDICT_PASS,
                                           .reason = i % 3 == 0 ? why : NULL,
                                           .detail = i % 3 == 0 ? words : NULL};
        wcts_report_run_count(run, WCTS_PLAN_CASE(loaded.plan, i), &result, NULL);
        ck_assert(wcts_store_rundir_add(&made, WCTS_PLAN_CASE(loaded.plan, i), &result, "printed"));
    }
    wcts_store_rundir_release(&made);
    run->directory = path;
    wcts_report_run_conclude(run);
}

static void forget_run(struct wcts_report_run *run)
{
    free((char *)(uintptr_t)run->directory);
    wcts_report_run_release(run);
}

static double number(const char *path, const char *expression)
{
    xmlDocPtr document = xmlReadFile(path, NULL, XML_PARSE_NONET);
    ck_assert_ptr_nonnull(document);
    xmlXPathContextPtr at = xmlXPathNewContext(document);
    xmlXPathObjectPtr value = xmlXPathEvalExpression(BAD_CAST expression, at);
    double result = xmlXPathCastToNumber(value);
    xmlXPathFreeObject(value);
    xmlXPathFreeContext(at);
    xmlFreeDoc(document);
    return result;
}

static long size_of_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

static void write_report(const struct wcts_report_run *run, const char *path)
{
    struct wcts_report_output output;
    ck_assert(wcts_report_junit_open(&output, path));
    ck_assert(wcts_report_junit_write(run, &output));
    ck_assert(wcts_report_output_commit(&output));
    wcts_report_output_release(&output);
}

START_TEST(a_large_report_is_split)
{
    struct wcts_report_run run;
    int parts = 0;
    double cases = 0, failures = 0;
    char *first = path_of("report.xml");
    make_run(&run, CASES);
    write_report(&run, first);
    for (;; parts++) {
        char *path = part_path(first, parts);
        if (size_of_file(path) < 0) {
            free(path);
            break;
        }
        /* A part ends with the case that fills it, and has heads of suites. */
        ck_assert_int_lt(size_of_file(path), PART_MAX + 10000);
        ck_assert_double_eq(number(path, "count(//testcase)"), number(path, "/testsuites/@tests"));
        ck_assert_double_eq(number(path, "count(//failure)"),
                            number(path, "/testsuites/@failures"));
        ck_assert_double_eq(number(path, "sum(/testsuites/testsuite/@tests)"),
                            number(path, "/testsuites/@tests"));
        cases += number(path, "count(//testcase)");
        failures += number(path, "count(//failure)");
        free(path);
    }
    ck_assert_int_gt(parts, 3);
    ck_assert_double_eq(cases, CASES);
    ck_assert_double_eq(failures, (CASES + 2) / 3);
    free(first);
    forget_run(&run);
}
END_TEST

START_TEST(parts_of_an_earlier_report_go)
{
    struct wcts_report_run run;
    char *first = path_of("report.xml");
    make_run(&run, CASES);
    write_report(&run, first);
    forget_run(&run);
    make_run(&run, 3);
    write_report(&run, first);
    char *second = part_path(first, 1);
    ck_assert_int_lt(size_of_file(second), 0);
    ck_assert_double_eq(number(first, "count(//testcase)"), 3);
    free(first);
    free(second);
    forget_run(&run);
}
END_TEST

START_TEST(parts_are_numbered)
{
    char *names[] = {part_path("a.xml", 0), part_path("a.xml", 1), part_path("a", 2)};
    ck_assert_str_eq(names[0], "a.xml");
    ck_assert_str_eq(names[1], "a-2.xml");
    ck_assert_str_eq(names[2], "a-3");
    for (int i = 0; i < 3; i++)
        free(names[i]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("junit");
    TCase *one = tcase_create("split");
    tcase_add_checked_fixture(one, set_up, tear_down);
    tcase_set_timeout(one, 60);
    tcase_add_test(one, a_large_report_is_split);
    tcase_add_test(one, parts_of_an_earlier_report_go);
    tcase_add_test(one, parts_are_numbered);
    suite_add_tcase(suite, one);
    return suite_run(suite);
}
