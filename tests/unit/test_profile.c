/* SPDX-License-Identifier: MIT */
/*
 * A profile as it is loaded from a file, and the verdicts that it makes of findings: of a rule that
 * a caller breaks, of advice, of an effect.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/judge/profile.h"
#include "runner/load/profile.h"
#include "runner/load/spec_files.h"
#include "suite.h"

static struct wcts_spec *spec;
static struct wcts_profile *profile;
static struct wcts_plan plan;

static void load(const char *entries)
{
    char path[] = "/tmp/wcts-profile-XXXXXX";
    struct wcts_diagnostics diagnostics = {.out = stderr};
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(file, "<profile name=\"mine\" title=\"Mine\">\n%s</profile>\n", entries);
    fclose(file);
    profile = wcts_load_profile(path, false, spec, &diagnostics);
    unlink(path);
    ck_assert_ptr_nonnull(profile);
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {.out = stderr};
    spec = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = (struct wcts_plan){.spec = spec};
}

static void tear_down(void)
{
    wcts_load_profile_free(profile);
    wcts_load_spec_free(spec);
    profile = NULL;
}

#define BY "source=\"s\" confidence=\"T\">"

/* Reads a finding of a case of the rule that expects this, and was answered so. */
static struct wcts_result read_as(const char *rule, enum wcts_expect expect, enum wcts_found found,
                                  enum wcts_verdict verdict, struct wcts_profile_seen seen)
{
    const struct wcts_case test = {.rule = wcts_model_spec_rule(spec, rule),
                                   .expect = expect,
                                   .strict = WCTS_EXPECT_REFUSE,
                                   .version = spec->versions_count - 1};
    const struct wcts_finding finding = {.levels = WCTS_LEVELS_ALL, .found = found};
    struct wcts_result result = {.verdict = verdict, .reason = strdup("so"), .seen = seen};
    wcts_judge_profile_read(&plan, &test, profile, &finding, &result);
    return result;
}

static void expect_result(struct wcts_result result, enum wcts_verdict verdict, uint64_t shown,
                          uint64_t against, const char *reason)
{
    ck_assert_int_eq(result.verdict, verdict);
    ck_assert_uint_eq(result.shown, shown);
    ck_assert_uint_eq(result.against, against);
    ck_assert_str_eq(result.reason, reason);
    free(result.reason);
}

#define NOTHING_SEEN ((struct wcts_profile_seen){0})

START_TEST(a_declared_breach_deviates)
{
    load("<deviation id=\"A\" statement=\"CAF-031\" " BY "Taken.</deviation>");
    expect_result(
        read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_BROKEN, WCTS_VERDICT_FAIL, NOTHING_SEEN),
        WCTS_VERDICT_DEVIATES, 1, 0, "as profile mine declares (A): so");
    expect_result(
        read_as("CAF-032", WCTS_EXPECT_REFUSE, WCTS_FOUND_BROKEN, WCTS_VERDICT_FAIL, NOTHING_SEEN),
        WCTS_VERDICT_FAIL, 0, 0, "so");
    expect_result(
        read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_CRASH, WCTS_VERDICT_CRASH, NOTHING_SEEN),
        WCTS_VERDICT_CRASH, 0, 0, "so");
}
END_TEST

START_TEST(what_is_kept_contradicts)
{
    load("<deviation id=\"A\" statement=\"CAF-031\" " BY "Taken.</deviation>");
    expect_result(
        read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS, NOTHING_SEEN),
        WCTS_VERDICT_FAIL, 0, 1, "profile mine, entry A: declared \"Taken\", found a refusal");
    /* The accepted twin says nothing about it. */
    expect_result(
        read_as("CAF-031", WCTS_EXPECT_ACCEPT, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS, NOTHING_SEEN),
        WCTS_VERDICT_PASS, 0, 0, "so");
}
END_TEST

START_TEST(advice_may_go_either_way_but_for_the_profile)
{
    load("<deviation id=\"A\" statement=\"SEG-011\" side=\"kernel\" " BY "Taken.</deviation>");
    expect_result(read_as("SEG-011", WCTS_EXPECT_OPEN, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS,
                          (struct wcts_profile_seen){.own = WCTS_PROFILE_ACCEPTED}),
                  WCTS_VERDICT_PASS, 1, 0, "so");
    expect_result(read_as("SEG-011", WCTS_EXPECT_OPEN, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS,
                          (struct wcts_profile_seen){.own = WCTS_PROFILE_REFUSED}),
                  WCTS_VERDICT_FAIL, 0, 1,
                  "profile mine, entry A: declared \"Taken\", found a refusal");
}
END_TEST

START_TEST(a_condition_must_hold)
{
    load("<deviation id=\"A\" statement=\"CAF-031\" on=\"D3DKMT_CREATEALLOCATION\" "
         "when=\"Flags.ReadOnly\" " BY "Taken.</deviation>");
    ck_assert_str_eq(profile->entries[0].condition, "Flags.ReadOnly");
    expect_result(
        read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_BROKEN, WCTS_VERDICT_FAIL, NOTHING_SEEN),
        WCTS_VERDICT_FAIL, 0, 0, "so");
    expect_result(read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_BROKEN, WCTS_VERDICT_FAIL,
                          (struct wcts_profile_seen){.holds = 1}),
                  WCTS_VERDICT_DEVIATES, 1, 0, "as profile mine declares (A): so");
}
END_TEST

START_TEST(some_cases_are_enough)
{
    load("<deviation id=\"A\" statement=\"CAF-031\" shows=\"some\" " BY "Taken.</deviation>");
    struct wcts_result result =
        read_as("CAF-031", WCTS_EXPECT_REFUSE, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS, NOTHING_SEEN);
    ck_assert_uint_eq(result.unshown, 1);
    expect_result(result, WCTS_VERDICT_PASS, 0, 0, "so");
}
END_TEST

START_TEST(a_restriction_is_asserted_both_ways)
{
    load("<restriction id=\"R\" on=\"D3DKMT_CREATEALLOCATION\" refuse=\"Flags.ReadOnly\" " BY
         "Never.</restriction>");
    expect_result(read_as("CAF-031", WCTS_EXPECT_ACCEPT, WCTS_FOUND_DECLINED, WCTS_VERDICT_DECLINED,
                          (struct wcts_profile_seen){.refused = 1}),
                  WCTS_VERDICT_SKIP, 1, 0, "not in profile: R: so");
    expect_result(read_as("CAF-031", WCTS_EXPECT_ACCEPT, WCTS_FOUND_DECLINED, WCTS_VERDICT_DECLINED,
                          NOTHING_SEEN),
                  WCTS_VERDICT_DECLINED, 0, 0, "so");
    expect_result(read_as("CAF-031", WCTS_EXPECT_ACCEPT, WCTS_FOUND_KEPT, WCTS_VERDICT_PASS,
                          (struct wcts_profile_seen){.accepted = 1}),
                  WCTS_VERDICT_FAIL, 0, 1,
                  "profile mine, entry R: declared \"Never\", found that such a call is accepted");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile");
    TCase *tcase = tcase_create("verdicts");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_declared_breach_deviates);
    tcase_add_test(tcase, what_is_kept_contradicts);
    tcase_add_test(tcase, advice_may_go_either_way_but_for_the_profile);
    tcase_add_test(tcase, a_condition_must_hold);
    tcase_add_test(tcase, some_cases_are_enough);
    tcase_add_test(tcase, a_restriction_is_asserted_both_ways);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
