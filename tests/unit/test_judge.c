/* SPDX-License-Identifier: MIT */
/*
 * Judging: what a case comes to, from what was recorded. The kernel's verdicts over a spec of one
 * rule that is made here, the driver's over the rules of tests/data/forms, and the world of what a
 * driver answered, malformed replies among them. Runs in the top directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runner/load/spec_files.h"
#include "runner/judge/judge.h"
#include "runner/model/cases.h"
#include "runner/oracle/world.h"
#include "suite.h"

#define REFUSED WCTS_STATUS_INVALID_PARAMETER
#define ACCEPTED WCTS_STATUS_SUCCESS
#define OTHER_SUCCESS ((wcts_status)0x40000000)

/* ---- A spec of one rule; facts of instance 0 are answers of the driver ---- */

static struct wcts_statement statement;
static struct wcts_rule rule;
static struct wcts_adapter adapter;
static struct wcts_base base;
static struct wcts_cases cases;
static struct wcts_spec one_rule;
static struct wcts_plan plan;
static struct wcts_case test;
static struct wcts_claims claims;
static struct wcts_judge_kernel_evidence evidence;

static struct wcts_exchange_attempt answered(wcts_status status)
{
    return (struct wcts_exchange_attempt){WCTS_ATTEMPT_ANSWERED, WCTS_KERNEL_ALLOCATION_CREATE,
                                          status, 0};
}

/* A refusal that a must of the caller demands, with a twin and a base that are accepted. */
static void set_up(void)
{
    statement = (struct wcts_statement){.id = "ONE-1",
                                        .role = WCTS_ROLE_CALLER,
                                        .force = WCTS_FORCE_MUST,
                                        .basis = WCTS_BASIS_STATED};
    rule = (struct wcts_rule){.id = "ONE-1", .force = WCTS_FORCE_MUST};
    adapter = (struct wcts_adapter){.instance_count = 1};
    base = (struct wcts_base){.name = "base"};
    cases = (struct wcts_cases){
        .adapters = &adapter, .adapters_count = 1, .bases = &base, .bases_count = 1};
    one_rule = (struct wcts_spec){.statements = &statement,
                                  .statements_count = 1,
                                  .rules = &rule,
                                  .rules_count = 1,
                                  .cases = &cases};
    plan = (struct wcts_plan){.spec = &one_rule};
    test = (struct wcts_case){.id = "ONE-1/refuse",
                              .expect = WCTS_EXPECT_REFUSE,
                              .strict = WCTS_EXPECT_REFUSE,
                              .fact_count = 1,
                              .facts = {{.instance = 1}}};
    claims = (struct wcts_claims){.capabilities = 0};
    evidence = (struct wcts_judge_kernel_evidence){.attempt = answered(REFUSED),
                                                   .twin = answered(ACCEPTED),
                                                   .base = answered(ACCEPTED),
                                                   .twin_made = true,
                                                   .base_made = true};
}

static enum wcts_verdict judge(enum wcts_level level, char *reason, size_t room)
{
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    struct wcts_strictness strictness = {.level = level};
    enum wcts_verdict verdict;
    wcts_judge_kernel(&plan, &test, &claims, &strictness, &evidence, &finding);
    verdict = wcts_judge_finding_verdict(&plan, &test, &finding, level);
    snprintf(reason, room, "%s", finding.reason ? finding.reason : "");
    ck_assert_msg((verdict == WCTS_VERDICT_PASS) == (reason[0] == '\0'), "%s: \"%s\"",
                  wcts_model_verdict_name(verdict), reason);
    ck_assert_ptr_null(strchr(reason, '\n'));
    wcts_model_finding_release(&finding);
    return verdict;
}

/* The verdict, and a piece of its reason (NULL: any). */
static void expect(enum wcts_level level, enum wcts_verdict verdict, const char *piece)
{
    char reason[512];
    enum wcts_verdict got = judge(level, reason, sizeof reason);
    ck_assert_msg(got == verdict, "%s (%s), expected %s", wcts_model_verdict_name(got), reason,
                  wcts_model_verdict_name(verdict));
    ck_assert_msg(piece == NULL || strstr(reason, piece) != NULL, "\"%s\", expected \"%s\"", reason,
                  piece);
}

static void expect_everywhere(enum wcts_verdict verdict, const char *piece)
{
    for (int level = WCTS_LEVEL_BINDING; level <= WCTS_LEVEL_STRICT; level++)
        expect((enum wcts_level)level, verdict, piece);
}

/* ---- What a breach weighs ---- */

#define FAIL WCTS_VERDICT_FAIL
#define WARN WCTS_VERDICT_WARN

static const struct {
    enum wcts_role role;
    enum wcts_force level, rule_level;
    enum wcts_basis basis;
    bool derived;
    enum wcts_verdict binding, documented, strict;
} weights[] = {
    {WCTS_ROLE_CALLER, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, false, FAIL, FAIL,
     FAIL},
    {WCTS_ROLE_CALLER, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_INFERRED, false, WARN, FAIL,
     FAIL},
    {WCTS_ROLE_KERNEL, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, false, FAIL, FAIL,
     FAIL},
    {WCTS_ROLE_KERNEL, WCTS_FORCE_MEANING, WCTS_FORCE_MEANING, WCTS_BASIS_STATED, false, FAIL, FAIL,
     FAIL},
    {WCTS_ROLE_DRIVER, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, false, FAIL, FAIL,
     FAIL},
    {WCTS_ROLE_DRIVER, WCTS_FORCE_MEANING, WCTS_FORCE_MEANING, WCTS_BASIS_STATED, false, FAIL, FAIL,
     FAIL},
    {WCTS_ROLE_BOTH, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, false, FAIL, FAIL, FAIL},
    {WCTS_ROLE_KERNEL, WCTS_FORCE_SHOULD, WCTS_FORCE_SHOULD, WCTS_BASIS_STATED, false, WARN, WARN,
     FAIL},
    {WCTS_ROLE_DRIVER, WCTS_FORCE_SHOULD, WCTS_FORCE_SHOULD, WCTS_BASIS_STATED, false, WARN, WARN,
     FAIL},
    {WCTS_ROLE_KERNEL, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, true, WARN, WARN, FAIL},
    {WCTS_ROLE_DRIVER, WCTS_FORCE_MUST, WCTS_FORCE_MUST, WCTS_BASIS_STATED, true, WARN, WARN, FAIL},
    {WCTS_ROLE_KERNEL, WCTS_FORCE_MEANING, WCTS_FORCE_MEANING, WCTS_BASIS_STATED, true, WARN, WARN,
     FAIL},
    /* a rule that binds less than its statement */
    {WCTS_ROLE_DRIVER, WCTS_FORCE_MEANING, WCTS_FORCE_SHOULD, WCTS_BASIS_STATED, false, WARN, WARN,
     FAIL},
    {WCTS_ROLE_DRIVER, WCTS_FORCE_MUST, WCTS_FORCE_SHOULD, WCTS_BASIS_STATED, false, WARN, WARN,
     FAIL},
    /* advice to the caller, should a strict kernel be held to it */
    {WCTS_ROLE_CALLER, WCTS_FORCE_SHOULD, WCTS_FORCE_SHOULD, WCTS_BASIS_INFERRED, false, WARN, WARN,
     FAIL},
};

START_TEST(breach_weighs)
{
    statement.role = weights[_i].role;
    statement.force = weights[_i].level;
    statement.basis = weights[_i].basis;
    statement.derived = weights[_i].derived;
    rule.force = weights[_i].rule_level;
    evidence.attempt = answered(ACCEPTED);
    expect(WCTS_LEVEL_BINDING, weights[_i].binding, "expected a refusal");
    expect(WCTS_LEVEL_DOCUMENTED, weights[_i].documented, "expected a refusal");
    expect(WCTS_LEVEL_STRICT, weights[_i].strict, "expected a refusal");
    /* the same for what is refused although it breaks nothing */
    test.expect = test.strict = WCTS_EXPECT_ACCEPT;
    evidence.attempt = answered(REFUSED);
    expect(WCTS_LEVEL_BINDING, weights[_i].binding, "expected it to be accepted");
    expect(WCTS_LEVEL_DOCUMENTED, weights[_i].documented, "expected it to be accepted");
    expect(WCTS_LEVEL_STRICT, weights[_i].strict, "expected it to be accepted");
}
END_TEST

/* ---- Refusals ---- */

START_TEST(refusal_with_an_accepted_twin)
{
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.twin = answered(WCTS_STATUS_PENDING);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(WCTS_STATUS_ACCESS_DENIED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered((wcts_status)0x80000005); /* a warning is negative as well */
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

START_TEST(refusal_without_an_accepted_twin)
{
    evidence.twin = answered(REFUSED);
    expect_everywhere(WCTS_VERDICT_DECLINED, "twin refused");
    evidence.twin.end = WCTS_ATTEMPT_SETUP;
    expect_everywhere(WCTS_VERDICT_DECLINED, "twin refused");
    evidence.twin = answered(WCTS_STATUS_NOT_SUPPORTED);
    expect_everywhere(WCTS_VERDICT_SKIP, "not claimed");
    evidence.twin = answered(WCTS_STATUS_NO_MEMORY);
    expect_everywhere(WCTS_VERDICT_BROKEN, "NO_MEMORY");
    evidence.twin.end = WCTS_ATTEMPT_NO_BOOT;
    expect_everywhere(WCTS_VERDICT_BROKEN, "no instance");
}
END_TEST

static const wcts_status missing[] = {WCTS_STATUS_NOT_IMPLEMENTED, WCTS_STATUS_NOT_SUPPORTED};
static const wcts_status no_test[] = {WCTS_STATUS_NO_MEMORY, WCTS_STATUS_INSUFFICIENT_RESOURCES,
                                      WCTS_STATUS_DEVICE_REMOVED};
static const enum wcts_expect expects[] = {WCTS_EXPECT_ACCEPT, WCTS_EXPECT_REFUSE,
                                           WCTS_EXPECT_ASSERT, WCTS_EXPECT_OPEN};

START_TEST(not_supported_is_no_refusal)
{
    test.expect = test.strict = expects[_i];
    for (size_t i = 0; i < 2; i++) {
        evidence.attempt = evidence.twin = evidence.base = answered(missing[i]);
        expect_everywhere(WCTS_VERDICT_SKIP, "not claimed: KERNEL_ALLOCATION_CREATE answered NOT_");
        evidence.twin = evidence.base = answered(ACCEPTED);
        /* Where either outcome is right, this use need not be there. */
        if (expects[_i] == WCTS_EXPECT_OPEN)
            expect_everywhere(WCTS_VERDICT_SKIP, "not claimed");
        else
            expect_everywhere(WCTS_VERDICT_FAIL, "but took the call beside it");
        evidence.attempt.end = WCTS_ATTEMPT_SETUP;
        expect_everywhere(WCTS_VERDICT_SKIP, "not claimed");
    }
}
END_TEST

START_TEST(no_memory_is_no_answer)
{
    test.expect = test.strict = expects[_i];
    for (size_t i = 0; i < 3; i++) {
        evidence.attempt = answered(no_test[i]);
        expect_everywhere(WCTS_VERDICT_BROKEN, "KERNEL_ALLOCATION_CREATE answered");
        evidence.attempt.end = WCTS_ATTEMPT_SETUP;
        expect_everywhere(WCTS_VERDICT_BROKEN, NULL);
    }
    evidence.attempt = answered(ACCEPTED);
    evidence.attempt.end = WCTS_ATTEMPT_NO_BOOT;
    expect_everywhere(WCTS_VERDICT_BROKEN, "no instance");
}
END_TEST

START_TEST(pending_is_success)
{
    test.expect = test.strict = WCTS_EXPECT_ACCEPT;
    evidence.attempt = answered(WCTS_STATUS_PENDING);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(OTHER_SUCCESS);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    test.expect = test.strict = WCTS_EXPECT_REFUSE;
    expect_everywhere(WCTS_VERDICT_FAIL, "expected a refusal");
    evidence.attempt = answered(WCTS_STATUS_PENDING);
    expect_everywhere(WCTS_VERDICT_FAIL, "expected a refusal");
}
END_TEST

/* ---- What may or must be accepted ---- */

static const enum wcts_expect lenient[] = {WCTS_EXPECT_ACCEPT, WCTS_EXPECT_OPEN};

START_TEST(base_refused)
{
    test.expect = test.strict = lenient[_i];
    evidence.twin_made = false;
    evidence.base = answered(REFUSED);
    expect_everywhere(WCTS_VERDICT_DECLINED, "base call refused");
    evidence.base.operation = WCTS_KERNEL_PAGE_IN; /* and not that of the changed call */
    evidence.base.nth = 1;
    expect_everywhere(WCTS_VERDICT_DECLINED, "base call refused: KERNEL_PAGE_IN answered");
    evidence.base.nth = 3;
    expect_everywhere(WCTS_VERDICT_DECLINED,
                      "base call refused: KERNEL_PAGE_IN (call no. 3) answered");
    evidence.twin_made = true;
    evidence.twin = answered(REFUSED);
    evidence.base = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_DECLINED, "base call refused");
    evidence.twin = answered(ACCEPTED);
    test.fact_count = 0; /* is the base call */
    if (lenient[_i] == WCTS_EXPECT_OPEN)
        expect_everywhere(WCTS_VERDICT_SKIP, "not applicable: a breach of advice is refused");
    else
        expect_everywhere(WCTS_VERDICT_DECLINED, "base call refused");
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

START_TEST(set_up_refused)
{
    for (size_t i = 0; i < 4; i++) {
        test.expect = test.strict = expects[i];
        evidence.attempt = answered(REFUSED);
        evidence.attempt.end = WCTS_ATTEMPT_SETUP;
        expect_everywhere(WCTS_VERDICT_DECLINED, "base call refused");
    }
}
END_TEST

/* The kernel may refuse a wrong answer of the driver as soon as it hears it. */
START_TEST(set_up_refused_for_an_answer)
{
    test.facts[0].instance = 0;
    evidence.attempt = answered(REFUSED);
    evidence.attempt.end = WCTS_ATTEMPT_SETUP;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.twin = answered(REFUSED);
    expect_everywhere(WCTS_VERDICT_DECLINED, "twin refused");
    evidence.twin = answered(ACCEPTED);
    test.expect = test.strict = WCTS_EXPECT_ACCEPT;
    expect_everywhere(WCTS_VERDICT_DECLINED, "the driver's valid answer refused");
    test.expect = test.strict = WCTS_EXPECT_OPEN;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

START_TEST(open_is_either)
{
    test.expect = test.strict = WCTS_EXPECT_OPEN;
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(REFUSED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

/* ---- Refuse or stop ---- */

static void expect_death(bool in_call, const char *what, enum wcts_verdict verdict)
{
    struct wcts_finding finding;
    wcts_judge_death(&test, in_call, what, &finding);
    ck_assert_int_eq(wcts_judge_finding_verdict(&plan, &test, &finding, WCTS_LEVEL_DOCUMENTED),
                     verdict);
    if (verdict == WCTS_VERDICT_CRASH)
        ck_assert_str_eq(finding.reason, what);
    wcts_model_finding_release(&finding);
}

START_TEST(assert_is_refused_or_stops)
{
    test.expect = WCTS_EXPECT_ASSERT;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_FAIL, "expected a refusal");
    evidence.attempt = answered(REFUSED);
    evidence.twin = answered(REFUSED);
    expect_everywhere(WCTS_VERDICT_DECLINED, "twin refused");
    expect_death(true, "killed by SIGABRT", WCTS_VERDICT_PASS);
    expect_death(false, "killed by SIGABRT", WCTS_VERDICT_CRASH);
    expect_death(true, "killed by SIGSEGV", WCTS_VERDICT_CRASH);
    expect_death(true, "called exit(0)", WCTS_VERDICT_CRASH);
}
END_TEST

START_TEST(death_is_a_crash_elsewhere)
{
    static const enum wcts_expect others[] = {WCTS_EXPECT_ACCEPT, WCTS_EXPECT_REFUSE,
                                              WCTS_EXPECT_OPEN, WCTS_EXPECT_ANSWER};
    for (size_t i = 0; i < 4; i++) {
        test.expect = others[i];
        expect_death(true, "killed by SIGABRT", WCTS_VERDICT_CRASH);
    }
}
END_TEST

/* ---- What an implementation claims of advice ---- */

static void be_advice(void)
{
    statement.force = rule.force = WCTS_FORCE_SHOULD;
    statement.role = WCTS_ROLE_DRIVER;
    test.expect = WCTS_EXPECT_OPEN;
    test.strict = WCTS_EXPECT_REFUSE;
}

START_TEST(advice_binds_nobody_who_claims_nothing)
{
    be_advice();
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

START_TEST(strict_is_held_to_it_at_the_strict_level)
{
    be_advice();
    claims.capabilities = WCTS_CAPABILITY_STRICT;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    evidence.attempt = answered(ACCEPTED);
    expect(WCTS_LEVEL_BINDING, WCTS_VERDICT_PASS, NULL);
    expect(WCTS_LEVEL_DOCUMENTED, WCTS_VERDICT_PASS, NULL);
    expect(WCTS_LEVEL_STRICT, WCTS_VERDICT_FAIL, "expected a refusal");
    evidence.attempt = answered(REFUSED);
    evidence.twin = answered(REFUSED);
    expect(WCTS_LEVEL_STRICT, WCTS_VERDICT_DECLINED, "twin refused");
}
END_TEST

START_TEST(lenient_is_held_to_it_at_the_strict_level)
{
    be_advice();
    claims.capabilities = WCTS_CAPABILITY_LENIENT;
    expect(WCTS_LEVEL_BINDING, WCTS_VERDICT_PASS, NULL);
    expect(WCTS_LEVEL_DOCUMENTED, WCTS_VERDICT_PASS, NULL);
    expect(WCTS_LEVEL_STRICT, WCTS_VERDICT_FAIL, "expected it to be accepted");
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
}
END_TEST

/* What the documents leave open, or what a meaning says, is nobody's advice. */
START_TEST(lenient_is_held_to_nothing_else)
{
    be_advice();
    claims.capabilities = WCTS_CAPABILITY_LENIENT;
    test.strict = WCTS_EXPECT_OPEN;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    test.strict = WCTS_EXPECT_REFUSE;
    rule.force = WCTS_FORCE_MEANING;
    expect_everywhere(WCTS_VERDICT_PASS, NULL);
    set_up(); /* a must */
    claims.capabilities = WCTS_CAPABILITY_LENIENT;
    evidence.attempt = answered(ACCEPTED);
    expect_everywhere(WCTS_VERDICT_FAIL, "expected a refusal");
}
END_TEST

/* ---- The driver under test ---- */

static struct wcts_spec *forms;
static struct wcts_eval forms_eval;
static struct wcts_plan forms_plan;

static int forms_rule(const char *id)
{
    for (int i = 0; i < forms->rules_count; i++)
        if (strcmp(forms->rules[i].id, id) == 0)
            return i;
    ck_abort_msg("no rule %s", id);
    return -1;
}

static void load_forms(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    forms = wcts_load_spec_load("tests/data/forms/spec", "tests/data/forms/cases", NULL, 0,
                                &diagnostics);
    ck_assert_ptr_nonnull(forms);
    ck_assert(wcts_oracle_eval_init(&forms_eval, forms));
    forms_plan = (struct wcts_plan){.spec = forms};
}

static void unload_forms(void)
{
    wcts_oracle_eval_release(&forms_eval);
    wcts_load_spec_free(forms);
}

/* An answer: a CREATE with these flags and so many allocations, or none at all (flags -1). */
static void expect_driver(const char *id, int version, int flags,
                          enum wcts_exchange_attempt_end end, enum wcts_level level,
                          enum wcts_verdict verdict, const char *piece)
{
    int index = forms_rule(id);
    struct wcts_case about = {.rule = index,
                              .statement = forms->rules[index].statement,
                              .expect = WCTS_EXPECT_ANSWER,
                              .version = version,
                              .driver = true};
    struct wcts_exchange_attempt attempt = {.end = end};
    struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
    enum wcts_verdict got;
    struct wcts_world world;
    wcts_world_init(&world, &forms_eval, version, 4096);
    if (flags >= 0) {
        int structure = wcts_model_spec_structure(forms, "CREATE");
        struct wcts_ref ref = {structure, wcts_model_spec_member(forms, structure, "Flags"), -1};
        int instance = wcts_world_add(&world, structure, "", -1, (struct wcts_ref){-1, -1, -1});
        wcts_world_put(&world, instance, ref,
                       (struct wcts_value){.symbol = -1, .number = (uint64_t)flags});
    }
    wcts_judge_driver(&forms_plan, &about, &world, &attempt, &finding);
    got = wcts_judge_finding_verdict(&forms_plan, &about, &finding, level);
    ck_assert_msg(got == verdict, "%s: %s (%s)", id, wcts_model_verdict_name(got),
                  finding.reason ? finding.reason : "");
    ck_assert(piece == NULL || (finding.reason && strstr(finding.reason, piece)));
    wcts_model_finding_release(&finding);
    wcts_world_release(&world);
}

START_TEST(driver_keeps_or_breaks)
{
    const int last = forms->versions_count - 1;
    const enum wcts_exchange_attempt_end end = WCTS_ATTEMPT_ANSWERED;
    expect_driver("FRM-1.reserved", last, 1, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_PASS, NULL);
    expect_driver("FRM-1.reserved", last, 4, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_FAIL,
                  "CREATE number 1: Flags.Standard = 0x1");
    expect_driver("FRM-1.reserved", last, 4, end, WCTS_LEVEL_DOCUMENTED, WCTS_VERDICT_WARN, NULL);
    expect_driver("FRM-1.reserved", last, 4, end, WCTS_LEVEL_BINDING, WCTS_VERDICT_WARN, NULL);
}
END_TEST

START_TEST(driver_is_not_exercised)
{
    const int last = forms->versions_count - 1;
    expect_driver("FRM-1.reserved", last, -1, WCTS_ATTEMPT_ANSWERED, WCTS_LEVEL_STRICT,
                  WCTS_VERDICT_SKIP, "not applicable");
    expect_driver("FRM-1.excludes", last, 1, WCTS_ATTEMPT_ANSWERED, WCTS_LEVEL_STRICT,
                  WCTS_VERDICT_SKIP, "not applicable");
    expect_driver("FRM-1.excludes", last, 2, WCTS_ATTEMPT_ANSWERED, WCTS_LEVEL_STRICT,
                  WCTS_VERDICT_PASS, NULL);
    expect_driver("FRM-1.excludes", last, 2, WCTS_ATTEMPT_NO_BOOT, WCTS_LEVEL_STRICT,
                  WCTS_VERDICT_BROKEN, "no instance");
}
END_TEST

/* A gate is evidence before its flag begins; from then on when the driver sets the flag. */
START_TEST(driver_and_a_gate)
{
    const int late = wcts_model_spec_version(forms, "2.0");
    const enum wcts_exchange_attempt_end end = WCTS_ATTEMPT_ANSWERED;
    expect_driver("FRM-2", late - 1, 1, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_PASS, NULL);
    expect_driver("FRM-2", late - 1, 8, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_FAIL, "Flags.Late");
    expect_driver("FRM-2", late - 1, 8, end, WCTS_LEVEL_DOCUMENTED, WCTS_VERDICT_WARN, NULL);
    expect_driver("FRM-2", late, 8, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_PASS, NULL);
    expect_driver("FRM-2", late, 1, end, WCTS_LEVEL_STRICT, WCTS_VERDICT_SKIP, "never sets");
}
END_TEST

/* ---- The world of what a driver answered ---- */

static struct wcts_spec *real;
static struct wcts_eval real_eval;

static void load_real(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    real = wcts_load_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(real);
    ck_assert(wcts_oracle_eval_init(&real_eval, real));
}

static void unload_real(void)
{
    wcts_oracle_eval_release(&real_eval);
    wcts_load_spec_free(real);
}

/* Bytes of exactly this size on the heap, so that reading past them is seen. */
static uint8_t *exactly(const void *bytes, uint32_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static int count_in(const struct wcts_world *world, const char *structure)
{
    int index = wcts_model_spec_structure(real, structure), count = 0;
    ck_assert_int_ge(index, 0);
    for (int i = 0; i < world->count; i++)
        count += world->instances[i].structure == index;
    return count;
}

/* Reads one record; the caller releases the world. */
static void read_record(struct wcts_world *world, uint32_t operation, wcts_status status,
                        const void *request, uint32_t request_size, const void *reply,
                        uint32_t reply_size)
{
    struct wcts_exchange_record record = {.operation = operation,
                                          .status = status,
                                          .request_size = request_size,
                                          .reply_size = reply_size,
                                          .request = exactly(request, request_size),
                                          .reply = exactly(reply, reply_size)};
    struct wcts_exchange exchange = {.records = &record, .count = 1};
    ck_assert(wcts_judge_world_of_answers(world, &real_eval, 0, 4096, &exchange));
    free(record.request);
    free(record.reply);
}

struct segments {
    struct wcts_driver_segments_reply head;
    struct wcts_DXGK_SEGMENTDESCRIPTOR segments[2];
    struct wcts_bank_range banks[2];
};

static struct segments good_segments(void)
{
    return (struct segments){.head = {.size = sizeof(struct wcts_driver_segments_reply),
                                      .Count = 2,
                                      .Stride = sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR),
                                      .pSegments = offsetof(struct segments, segments)},
                             .segments = {{.Size = 0x1000},
                                          {.Size = 0x2000,
                                           .NbOfBanks = 2,
                                           .pBankRangeTable = offsetof(struct segments, banks)}},
                             .banks = {{0, 0x1000}, {0x1000, 0x1000}}};
}

/* How many segments and banks are read of the reply, of which so many bytes were sent. */
static void expect_segments(const struct segments *reply, uint32_t reply_size, wcts_status status,
                            int segments, int banks)
{
    const struct wcts_none request = {.size = sizeof request};
    struct wcts_world world;
    read_record(&world, WCTS_DRIVER_SEGMENTS, status, &request, sizeof request, reply, reply_size);
    ck_assert_int_eq(count_in(&world, "DXGK_SEGMENTDESCRIPTOR"), segments);
    ck_assert_int_eq(count_in(&world, "BANK_RANGE"), banks);
    ck_assert_int_eq(world.count, segments + banks);
    /* What claims segments and does not hold them is a breach, not silence. */
    if (segments == 0 && wcts_succeeded(status) && reply_size == sizeof *reply &&
        reply->head.Count != 0)
        ck_assert_ptr_nonnull(world.malformed);
    wcts_world_release(&world);
}

START_TEST(segments_are_read)
{
    const struct wcts_none request = {.size = sizeof request};
    struct segments reply = good_segments();
    struct wcts_world world;
    int structure = wcts_model_spec_structure(real, "DXGK_SEGMENTDESCRIPTOR");
    struct wcts_ref size = {structure, wcts_model_spec_member(real, structure, "Size"), -1};
    expect_segments(&reply, sizeof reply, ACCEPTED, 2, 2);
    expect_segments(&reply, sizeof reply, WCTS_STATUS_PENDING, 2, 2);
    expect_segments(&reply, sizeof reply, REFUSED, 0, 0);
    expect_segments(&reply, sizeof reply, WCTS_STATUS_NOT_SUPPORTED, 0, 0);
    read_record(&world, WCTS_DRIVER_SEGMENTS, ACCEPTED, &request, sizeof request, &reply,
                sizeof reply);
    ck_assert_uint_eq(wcts_world_get(&world, 0, size).number, 0x1000);
    ck_assert_uint_eq(wcts_world_get(&world, 1, size).number, 0x2000);
    ck_assert_int_eq(world.instances[2].parent, 1);
    ck_assert_int_eq(world.instances[3].parent, 1);
    wcts_world_release(&world);
}
END_TEST

/* As many as a segment set has bits twice over, and no more. */
START_TEST(many_segments_are_read)
{
    for (uint32_t count = 64; count <= 65; count++) {
        const struct wcts_none request = {.size = sizeof request};
        uint32_t each = sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR);
        uint32_t size = (uint32_t)sizeof(struct wcts_driver_segments_reply) + count * each;
        struct wcts_driver_segments_reply *reply = calloc(1, size);
        struct wcts_world world;
        ck_assert_ptr_nonnull(reply);
        *reply = (struct wcts_driver_segments_reply){
            .size = sizeof *reply, .Count = count, .Stride = each, .pSegments = sizeof *reply};
        read_record(&world, WCTS_DRIVER_SEGMENTS, ACCEPTED, &request, sizeof request, reply, size);
        ck_assert_int_eq(world.count, count == 64 ? 64 : 0);
        wcts_world_release(&world);
        free(reply);
    }
}
END_TEST

/* Segments that stand further apart, as drivers with longer descriptors have them. */
START_TEST(segments_are_read_by_their_stride)
{
    struct segments reply = good_segments();
    reply.head.Stride = sizeof reply.segments[0] + 16;
    reply.head.Count = 2;
    memset(reply.banks, 0, sizeof reply.banks);
    reply.segments[1].NbOfBanks = 0;
    expect_segments(&reply, sizeof reply, ACCEPTED, 2, 0);
    reply.head.Stride = sizeof reply.segments[0] + 40; /* the second one ends behind the reply */
    expect_segments(&reply, sizeof reply, ACCEPTED, 0, 0);
}
END_TEST

static const struct {
    uint32_t count, stride;
    uint64_t segments;
} wrong_segments[] = {
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 0},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), sizeof(struct segments)},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), sizeof(struct segments) + 1},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), sizeof(struct segments) - 8},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), UINT64_MAX},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), UINT64_MAX - 7},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), UINT64_C(0x100000018)},
    {0, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {3, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {64, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {65, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {0x80000000, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {UINT32_MAX, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR), 24},
    {2, 0, 24},
    {2, 1, 24},
    {2, sizeof(struct wcts_DXGK_SEGMENTDESCRIPTOR) - 1, 24},
    {2, 0x80000000, 24},
    {2, UINT32_MAX, 24},
    {16, 0x10000000, 24}, /* a product of 2^32 */
};

START_TEST(segments_that_are_not_there)
{
    struct segments reply = good_segments();
    reply.head.Count = wrong_segments[_i].count;
    reply.head.Stride = wrong_segments[_i].stride;
    reply.head.pSegments = wrong_segments[_i].segments;
    expect_segments(&reply, sizeof reply, ACCEPTED, 0, 0);
}
END_TEST

START_TEST(segments_that_were_not_sent)
{
    struct segments reply = good_segments();
    for (uint32_t size = 0; size < sizeof reply; size++) {
        /* the banks go first, then both segments */
        int segments = size >= offsetof(struct segments, banks) ? 2 : 0;
        expect_segments(&reply, size, ACCEPTED, segments, 0);
    }
}
END_TEST

static const struct {
    uint32_t count;
    uint64_t table;
    int read;
} banks[] = {
    {2, offsetof(struct segments, banks), 2},
    {1, offsetof(struct segments, banks), 1},
    {0, offsetof(struct segments, banks), 0},
    {3, offsetof(struct segments, banks), 0},
    {2, 0, 0},
    {2, sizeof(struct segments), 0},
    {2, sizeof(struct segments) - 16, 0},
    {1, sizeof(struct segments) - 16, 1},
    {2, UINT64_MAX, 0},
    {UINT32_MAX, offsetof(struct segments, banks), 0},
    {0x10000000, offsetof(struct segments, banks), 0},
    {2, offsetof(struct segments, banks) - 1, 2}, /* not aligned */
};

START_TEST(banks_are_checked)
{
    struct segments reply = good_segments();
    reply.segments[1].NbOfBanks = banks[_i].count;
    reply.segments[1].pBankRangeTable = banks[_i].table;
    expect_segments(&reply, sizeof reply, ACCEPTED, 2, banks[_i].read);
}
END_TEST

struct creation {
    struct wcts_driver_allocation_create_reply head;
    struct wcts_DXGK_ALLOCATIONINFO infos[2];
};

static struct creation good_creation(void)
{
    return (struct creation){.head = {.size = sizeof(struct wcts_driver_allocation_create_reply),
                                      .NumAllocations = 2,
                                      .pAllocationInfo = offsetof(struct creation, infos)},
                             .infos = {{.hAllocation = 0x10}, {.hAllocation = 0x20}}};
}

static void expect_allocations(const struct creation *reply, uint32_t reply_size,
                               uint32_t request_size, wcts_status status, int allocations,
                               int requests)
{
    const struct wcts_driver_allocation_create_request request = {.size = sizeof request};
    struct wcts_world world;
    read_record(&world, WCTS_DRIVER_ALLOCATION_CREATE, status, &request, request_size, reply,
                reply_size);
    ck_assert_int_eq(count_in(&world, "DXGK_ALLOCATIONINFO"), allocations);
    ck_assert_int_eq(count_in(&world, "DRIVER_ALLOCATION_CREATE"), requests);
    wcts_world_release(&world);
}

START_TEST(allocations_are_checked)
{
    static const struct {
        uint32_t count;
        uint64_t infos;
        int read;
    } rows[] = {
        {2, offsetof(struct creation, infos), 2},
        {1, offsetof(struct creation, infos), 1},
        {0, offsetof(struct creation, infos), 0},
        {3, offsetof(struct creation, infos), 0},
        {UINT32_MAX, offsetof(struct creation, infos), 0},
        {0x2E8BA2F, offsetof(struct creation, infos), 0}, /* times 0x58 is 2^32 and a little */
        {2, 0, 0},
        {2, sizeof(struct creation), 0},
        {2, UINT64_MAX, 0},
        {2, offsetof(struct creation, infos) - 3, 2}, /* not aligned */
        {1, sizeof(struct creation) - sizeof(struct wcts_DXGK_ALLOCATIONINFO) + 1, 0},
    };
    const uint32_t whole = sizeof(struct wcts_driver_allocation_create_request);
    struct creation reply = good_creation();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        reply.head.NumAllocations = rows[i].count;
        reply.head.pAllocationInfo = rows[i].infos;
        expect_allocations(&reply, sizeof reply, whole, ACCEPTED, rows[i].read, 1);
        expect_allocations(&reply, sizeof reply, whole, REFUSED, 0, 0);
        expect_allocations(&reply, sizeof reply.head - 1, whole, ACCEPTED, 0, 0);
        expect_allocations(&reply, 0, whole, ACCEPTED, 0, 0);
    }
    reply = good_creation();
    for (uint32_t size = 0; size < sizeof reply; size++)
        expect_allocations(&reply, size, whole, ACCEPTED, 0, size >= sizeof reply.head ? 1 : 0);
}
END_TEST

START_TEST(a_short_request_is_not_read)
{
    struct creation reply = good_creation();
    for (uint32_t size = 0; size < sizeof(struct wcts_driver_allocation_create_request); size++)
        expect_allocations(&reply, sizeof reply, size, ACCEPTED, 0, 0);
}
END_TEST

/* ---- Handles that were given back ---- */

struct destruction {
    struct wcts_driver_allocation_destroy_request head;
    uint64_t handles[2];
};

static int count_ended(const struct destruction *request, uint32_t size)
{
    const struct wcts_driver_allocation_create_request create = {.size = sizeof create};
    const struct creation creation = good_creation();
    const struct wcts_none none = {.size = sizeof none};
    struct wcts_exchange_record records[2] = {{.operation = WCTS_DRIVER_ALLOCATION_CREATE,
                                               .request_size = sizeof create,
                                               .reply_size = sizeof creation,
                                               .request = exactly(&create, sizeof create),
                                               .reply = exactly(&creation, sizeof creation)},
                                              {.operation = WCTS_DRIVER_ALLOCATION_DESTROY,
                                               .request_size = size,
                                               .reply_size = sizeof none,
                                               .request = exactly(request, size),
                                               .reply = exactly(&none, sizeof none)}};
    struct wcts_exchange exchange = {.records = records, .count = 2};
    struct wcts_world world;
    int ended = 0;
    ck_assert(wcts_judge_world_of_answers(&world, &real_eval, 0, 4096, &exchange));
    ck_assert_int_eq(world.count, 3);
    for (int i = 0; i < world.count; i++)
        ended += world.instances[i].ended != 0;
    wcts_world_release(&world);
    for (int i = 0; i < 2; i++) {
        free(records[i].request);
        free(records[i].reply);
    }
    return ended;
}

START_TEST(destroyed_handles_end)
{
    struct destruction request = {
        .head = {.size = sizeof request.head,
                 .NumAllocations = 2,
                 .phAllocationList = offsetof(struct destruction, handles)},
        .handles = {0x20, 0x30}};
    ck_assert_int_eq(count_ended(&request, sizeof request), 1);
    request.handles[1] = 0x10;
    ck_assert_int_eq(count_ended(&request, sizeof request), 2);
    for (uint32_t size = 0; size < sizeof request; size++)
        ck_assert_int_eq(count_ended(&request, size), 0);
    request.head.NumAllocations = UINT32_MAX;
    ck_assert_int_eq(count_ended(&request, sizeof request), 0);
    request.head.NumAllocations = 2;
    request.head.phAllocationList = UINT64_MAX;
    ck_assert_int_eq(count_ended(&request, sizeof request), 0);
    request.head.phAllocationList = 0;
    ck_assert_int_eq(count_ended(&request, sizeof request), 0);
}
END_TEST

/* ---- Info and standard allocations ---- */

START_TEST(info_is_read_when_it_is_whole)
{
    const struct wcts_none request = {.size = sizeof request};
    struct wcts_driver_info_reply reply = {
        .size = sizeof reply, .creates_contexts = 1, .KindCount = UINT32_MAX, .pKinds = UINT64_MAX};
    for (uint32_t size = 0; size <= sizeof reply; size++) {
        struct wcts_world world;
        read_record(&world, WCTS_DRIVER_INFO, ACCEPTED, &request, sizeof request, &reply, size);
        ck_assert_int_eq(count_in(&world, "DRIVER_INFO"), size == sizeof reply);
        wcts_world_release(&world);
    }
}
END_TEST

/* A driver that fails the question has answered it: with no private data. */
START_TEST(standard_allocations_are_read)
{
    const struct wcts_driver_standard_allocation_request request = {
        .size = sizeof request, .StandardAllocationType = WCTS_STANDARD_GDISURFACE};
    struct wcts_driver_standard_allocation_reply reply = {.size = sizeof reply,
                                                          .AllocationPrivateDriverDataSize = 16};
    static const struct {
        wcts_status status;
        uint32_t reply_size;
        int requests, replies;
    } rows[] = {
        {ACCEPTED, sizeof reply, 1, 1},
        {REFUSED, 0, 1, 1},
        {ACCEPTED, 3, 1, 1},
        {WCTS_STATUS_NOT_SUPPORTED, 0, 0, 0},
        {WCTS_STATUS_NOT_IMPLEMENTED, sizeof reply, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct wcts_world world;
        read_record(&world, WCTS_DRIVER_STANDARD_ALLOCATION, rows[i].status, &request,
                    sizeof request, &reply, rows[i].reply_size);
        ck_assert_int_eq(count_in(&world, "DRIVER_STANDARD_ALLOCATION"), rows[i].requests);
        ck_assert_int_eq(count_in(&world, "DRIVER_STANDARD_ALLOCATION_REPLY"), rows[i].replies);
        wcts_world_release(&world);
        read_record(&world, WCTS_DRIVER_STANDARD_ALLOCATION, rows[i].status, &request, 7, &reply,
                    rows[i].reply_size);
        ck_assert_int_eq(world.count, 0);
        wcts_world_release(&world);
    }
}
END_TEST

/* Operations that say nothing of the driver's structures, and unknown ones. */
START_TEST(other_records_are_passed_over)
{
    static const uint32_t operations[] = {
        WCTS_KERNEL_INFO, WCTS_MACHINE_LOG, WCTS_DRIVER_PAGING, WCTS_DRIVER_PATCH, 0, UINT32_MAX};
    const struct wcts_none none = {.size = sizeof none};
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        struct wcts_world world;
        read_record(&world, operations[i], ACCEPTED, &none, sizeof none, &none, sizeof none);
        ck_assert_int_eq(world.count, 0);
        wcts_world_release(&world);
    }
}
END_TEST

/* Arbitrary bytes as replies: nothing is read beyond them. */
START_TEST(noise_is_survived)
{
    static const uint32_t operations[] = {
        WCTS_DRIVER_INFO, WCTS_DRIVER_SEGMENTS, WCTS_DRIVER_ALLOCATION_CREATE,
        WCTS_DRIVER_ALLOCATION_DESTROY, WCTS_DRIVER_STANDARD_ALLOCATION};
    uint64_t state = 1;
    uint8_t request[128], reply[512];
    for (int round = 0; round < 20000; round++) {
        struct wcts_world world;
        for (size_t i = 0; i < sizeof request + sizeof reply; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            /* mostly small numbers, so that some counts and offsets are almost right */
            *(i < sizeof request ? &request[i] : &reply[i - sizeof request]) =
                state >> 62 ? 0 : (uint8_t)(state >> 54);
        }
        read_record(&world, operations[round % 5], ACCEPTED, request,
                    (uint32_t)(state >> 33) % (sizeof request + 1), reply,
                    (uint32_t)(state >> 40) % (sizeof reply + 1));
        wcts_world_release(&world);
    }
}
END_TEST

/* ---- The suite ---- */

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

/* ---- A recording ---- */

/* Adds a boot in which the adapter does not start. flags: of the driver's first segment. */
static struct wcts_exchange_boot *add_refused_start(struct wcts_exchange_recording *recording,
                                                    uint32_t flags, bool driver_refuses)
{
    const struct wcts_none none = {.size = sizeof none};
    const struct wcts_kernel_adapter_start_request start = {.size = sizeof start};
    struct segments segments = good_segments();
    struct wcts_exchange exchange = {.records = calloc(2, sizeof(struct wcts_exchange_record)),
                                     .count = 2};
    struct wcts_exchange_boot *boot;
    segments.segments[0].Flags = flags;
    ck_assert_ptr_nonnull(exchange.records);
    exchange.records[0] = (struct wcts_exchange_record){.operation = WCTS_KERNEL_ADAPTER_START,
                                                        .status = REFUSED,
                                                        .request_size = sizeof start,
                                                        .request = exactly(&start, sizeof start),
                                                        .reply = exactly("", 0)};
    exchange.records[1] =
        (struct wcts_exchange_record){.operation = WCTS_DRIVER_SEGMENTS,
                                      .depth = 1,
                                      .status = driver_refuses ? REFUSED : ACCEPTED,
                                      .request_size = sizeof none,
                                      .request = exactly(&none, sizeof none),
                                      .reply_size = driver_refuses ? 0 : sizeof segments,
                                      .reply = exactly(&segments, sizeof segments)};
    boot = wcts_exchange_recording_add(recording, WCTS_FOR_TEST, &exchange);
    ck_assert_ptr_nonnull(boot);
    boot->attempt = (struct wcts_exchange_attempt){
        WCTS_ATTEMPT_SETUP,
        driver_refuses ? (uint32_t)WCTS_DRIVER_SEGMENTS : (uint32_t)WCTS_KERNEL_ADAPTER_START,
        REFUSED, 0};
    boot->closing = 2;
    return boot;
}

/* Judges a recording of a test of a driver's scenario. */
static struct wcts_finding judge_recording(struct wcts_exchange_recording *recording)
{
    const struct wcts_plan of_real = {.spec = real};
    const struct wcts_claims all = {.first_interface_version = 0,
                                    .last_interface_version = UINT32_MAX,
                                    .patches = WCTS_PATCHES_64_SEGMENT};
    const struct wcts_judge judge = {.plan = &of_real, .eval = &real_eval, .claims = &all};
    struct wcts_strictness strictness = {.level = WCTS_LEVEL_DOCUMENTED};
    struct wcts_case of_driver = {.id = "A/scenario", .driver = true, .page_size = 4096};
    struct wcts_finding finding;
    for (int i = 0; i < real->cases->scenarios_count && !of_driver.scenario; i++)
        if (real->cases->scenarios[i].driver)
            of_driver.scenario = &real->cases->scenarios[i];
    ck_assert_ptr_nonnull(of_driver.scenario);
    of_driver.rule = of_driver.scenario->effects[0];
    wcts_judge_test(&judge, &of_driver, recording, &strictness, &finding);
    return finding;
}

static struct wcts_finding start_refused(uint32_t flags, bool driver_refuses)
{
    struct wcts_exchange_recording recording = {.count = 0};
    struct wcts_finding finding;
    add_refused_start(&recording, flags, driver_refuses);
    finding = judge_recording(&recording);
    wcts_exchange_recording_release(&recording);
    return finding;
}

/* Of two kinds that are declined, the first is the evidence; a breach of the protocol is, of
 * whatever kind. */
START_TEST(the_first_declined_kind_is_the_evidence_unless_one_breaks_the_protocol)
{
    struct wcts_exchange_recording recording = {.count = 0};
    struct wcts_finding finding;
    for (int kind = 0; kind < 2; kind++)
        add_refused_start(&recording, 0, true)->kind = kind;
    finding = judge_recording(&recording);
    ck_assert_int_eq(finding.found, WCTS_FOUND_DECLINED);
    ck_assert_int_eq(recording.evidence, 0);
    wcts_model_finding_release(&finding);
    wcts_exchange_breach(&recording.boots[1].exchange, WCTS_BREACH_PROTOCOL, "a reply of %d", 3);
    finding = judge_recording(&recording);
    ck_assert_int_eq(finding.found, WCTS_FOUND_CRASH);
    ck_assert_int_eq(recording.evidence, 1);
    wcts_model_finding_release(&finding);
    wcts_exchange_recording_release(&recording);
}
END_TEST

START_TEST(a_start_refused_for_a_wrong_answer_is_not_judged)
{
    const uint32_t aperture_and_cpu_visible_and_agp = 0x7;
    struct wcts_finding finding = start_refused(aperture_and_cpu_visible_and_agp, false);
    ck_assert_int_eq(finding.found, WCTS_FOUND_NOTHING);
    ck_assert_int_eq(finding.skip, WCTS_SKIP_NOT_JUDGED);
    ck_assert_ptr_nonnull(strstr(finding.reason, " is broken: the driver's DXGK_SEGMENT"));
    wcts_model_finding_release(&finding);
    /* With right answers the refusal is what it is, and so is the driver's own. */
    finding = start_refused(0, false);
    ck_assert_int_eq(finding.found, WCTS_FOUND_DECLINED);
    wcts_model_finding_release(&finding);
    finding = start_refused(aperture_and_cpu_visible_and_agp, true);
    ck_assert_int_eq(finding.found, WCTS_FOUND_DECLINED);
    wcts_model_finding_release(&finding);
}
END_TEST

static TCase *recording_case(void)
{
    TCase *tcase = tcase_create("recordings");
    tcase_add_unchecked_fixture(tcase, load_real, unload_real);
    tcase_add_test(tcase, a_start_refused_for_a_wrong_answer_is_not_judged);
    tcase_add_test(tcase, the_first_declined_kind_is_the_evidence_unless_one_breaks_the_protocol);
    return tcase;
}

static TCase *kernel_case(void)
{
    TCase *tcase = tcase_create("kernel");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_loop_test(tcase, breach_weighs, 0, COUNT(weights));
    tcase_add_test(tcase, refusal_with_an_accepted_twin);
    tcase_add_test(tcase, refusal_without_an_accepted_twin);
    tcase_add_loop_test(tcase, not_supported_is_no_refusal, 0, COUNT(expects));
    tcase_add_loop_test(tcase, no_memory_is_no_answer, 0, COUNT(expects));
    tcase_add_test(tcase, pending_is_success);
    tcase_add_loop_test(tcase, base_refused, 0, COUNT(lenient));
    tcase_add_test(tcase, set_up_refused);
    tcase_add_test(tcase, set_up_refused_for_an_answer);
    tcase_add_test(tcase, open_is_either);
    tcase_add_test(tcase, assert_is_refused_or_stops);
    tcase_add_test(tcase, death_is_a_crash_elsewhere);
    tcase_add_test(tcase, advice_binds_nobody_who_claims_nothing);
    tcase_add_test(tcase, strict_is_held_to_it_at_the_strict_level);
    tcase_add_test(tcase, lenient_is_held_to_it_at_the_strict_level);
    tcase_add_test(tcase, lenient_is_held_to_nothing_else);
    return tcase;
}

static TCase *driver_case(void)
{
    TCase *tcase = tcase_create("driver");
    tcase_add_unchecked_fixture(tcase, load_forms, unload_forms);
    tcase_add_test(tcase, driver_keeps_or_breaks);
    tcase_add_test(tcase, driver_is_not_exercised);
    tcase_add_test(tcase, driver_and_a_gate);
    return tcase;
}

static TCase *answers_case(void)
{
    TCase *tcase = tcase_create("answers");
    tcase_add_unchecked_fixture(tcase, load_real, unload_real);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, segments_are_read);
    tcase_add_test(tcase, many_segments_are_read);
    tcase_add_test(tcase, segments_are_read_by_their_stride);
    tcase_add_loop_test(tcase, segments_that_are_not_there, 0, COUNT(wrong_segments));
    tcase_add_test(tcase, segments_that_were_not_sent);
    tcase_add_loop_test(tcase, banks_are_checked, 0, COUNT(banks));
    tcase_add_test(tcase, allocations_are_checked);
    tcase_add_test(tcase, a_short_request_is_not_read);
    tcase_add_test(tcase, destroyed_handles_end);
    tcase_add_test(tcase, info_is_read_when_it_is_whole);
    tcase_add_test(tcase, standard_allocations_are_read);
    tcase_add_test(tcase, other_records_are_passed_over);
    tcase_add_test(tcase, noise_is_survived);
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("judge");
    suite_add_tcase(suite, kernel_case());
    suite_add_tcase(suite, driver_case());
    suite_add_tcase(suite, answers_case());
    suite_add_tcase(suite, recording_case());
    return suite_run(suite);
}
