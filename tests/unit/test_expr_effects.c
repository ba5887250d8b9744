/* SPDX-License-Identifier: MIT */
/*
 * Each effect of the spec in the rule language: in every message of every recording it is the same
 * as the form. The recordings are those of all cases of the full suite but sequences, of the
 * emulator and of the emulator with faults: as many as fit in WCTS_FAULT_SECONDS of processor time.
 * Runs in the top directory.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/faults/faults.h"
#include "runner/judge/select.h"
#include "runner/plan/plan.h"
#include "runner/run/case.h"
#include "tests/unit/translate_effect.h"

#define FAULT_SECONDS 6

static struct wcts_spec *spec;
static struct wcts_exprs exprs;
static struct wcts_plan *plan;
static struct wcts_effect *effects; /* one a rule; on -1: the form has no text */
static bool *may_begin;             /* rule * messages + message: its structure is in the message */

/* How often form and expression were compared, by what both were. In shared memory. */
static struct counts {
    uint64_t truths[3], by_form[WCTS_FORM_COUNT_OF][3], recordings, cases, faults, killed, known,
        texts;
} * counts;

static struct seen_hashes {
    uint64_t *hashes;
    size_t size, count;
} seen_hashes;

/* ---- preparing ---- */

static void make_effects(void)
{
    effects = calloc((size_t)spec->rules_count, sizeof *effects);
    ck_assert_ptr_nonnull(effects);
    for (int i = 0; i < spec->rules_count; i++) {
        struct effect_translation translation;
        effects[i].on = -1;
        if (!wcts_model_is_effect(spec->rules[i].form) ||
            !translate_effect(&translation, spec, &spec->rules[i]))
            continue;
        read_effect(&effects[i], &exprs, spec, &spec->rules[i], &translation);
        effect_translation_release(&translation);
    }
}

static bool lists_structure(int root, int structure)
{
    const struct wcts_structure *of = &spec->structures[root < 0 ? 0 : root];
    for (int i = 0; root >= 0 && i < of->member_count; i++)
        if (of->members[i].elements &&
            strstr(of->members[i].elements, spec->structures[structure].name))
            return true;
    return root >= 0 && root == structure;
}

static void find_beginnings(void)
{
    may_begin = calloc((size_t)spec->rules_count * (size_t)spec->messages_count, sizeof(bool));
    ck_assert_ptr_nonnull(may_begin);
    for (int r = 0; r < spec->rules_count; r++)
        for (int m = 0; effects[r].on >= 0 && m < spec->messages_count; m++)
            may_begin[r * spec->messages_count + m] =
                lists_structure(spec->messages[m].request, effects[r].on) ||
                lists_structure(spec->messages[m].reply, effects[r].on);
}

static void set_up(void)
{
    struct wcts_diagnostics diagnostics = {stderr, 0};
    const struct wcts_plan_options options = {0};
    spec = wcts_spec_load("spec", "cases", NULL, 0, &diagnostics);
    ck_assert_ptr_nonnull(spec);
    plan = wcts_plan_make(spec, &options, &diagnostics);
    ck_assert_ptr_nonnull(plan);
    wcts_exprs_init(&exprs);
    make_effects();
    find_beginnings();
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(counts != MAP_FAILED);
}

static void tear_down(void)
{
    munmap(counts, sizeof *counts);
    free(may_begin);
    free(effects);
    free(seen_hashes.hashes);
    wcts_exprs_release(&exprs);
    wcts_plan_free(plan);
    wcts_spec_free(spec);
}

/* ---- comparing ---- */

/* Where a message lacks what it is to be compared by, the form takes it from the call, and compares
 * the call with itself. The expression does not. */
static const char *const compared_with_itself[] = {"CAF-029.data", "AIN-023.data", "AIN-024",
                                                   "AIN-002.own"};

static bool is_known(const struct wcts_rule *rule, enum wcts_truth form, enum wcts_truth expression)
{
    for (size_t i = 0; i < sizeof compared_with_itself / sizeof *compared_with_itself; i++)
        if (strcmp(rule->id, compared_with_itself[i]) == 0)
            return form == WCTS_TRUE && expression == WCTS_FALSE;
    return false;
}

/* What a value is compared with has its name in the language. */
static bool is_same_text(const char *form, const char *expression)
{
    static const char compared[] = ", with which it is compared, ";
    return strcmp(form, expression) == 0 ||
           (strstr(form, compared) && strstr(expression, compared));
}

static void compare_record(const struct wcts_case *test, const struct wcts_exchange_view *trace,
                           int rule, int record, const char *fault)
{
    static const char *const names[] = {"unseen", "kept", "broken"};
    struct wcts_effect_eval eval = {.trace = *trace, .effect = &spec->rules[rule]};
    struct wcts_selection selection;
    enum wcts_truth form, expression;
    wcts_judge_selection(&selection, &exprs, &effects[rule], *trace);
    form = wcts_judge_effect_at(&eval, record);
    expression = wcts_judge_select_in(&selection, record);
    counts->truths[form]++;
    counts->by_form[spec->rules[rule].form][form]++;
    counts->known += is_known(&spec->rules[rule], form, expression);
    counts->texts += form == expression && form != WCTS_TRUE;
    if (form == expression && form != WCTS_TRUE && !is_same_text(eval.text, selection.eval.text)) {
        fprintf(stderr, "%s in record %d of %s (%s), %s: \"%s\" became \"%s\"\n",
                spec->rules[rule].id, record, test->id, fault, names[form], eval.text,
                selection.eval.text);
        exit(3);
    }
    if (form == expression || is_known(&spec->rules[rule], form, expression))
        return;
    wcts_exchange_print(stderr, spec, trace->exchange, 0);
    fprintf(stderr, "%s in record %d of %s (%s): %s as a form (%s), %s as an expression\n",
            spec->rules[rule].id, record, test->id, fault, names[form], eval.text,
            names[expression]);
    exit(3);
}

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static uint64_t hash_of_exchange(const struct wcts_exchange *exchange, uint32_t page_size)
{
    uint64_t hash = hash_more(UINT64_C(0xCBF29CE484222325), &page_size, sizeof page_size);
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_record *record = &exchange->records[i];
        hash = hash_more(hash, &record->operation, sizeof record->operation);
        hash = hash_more(hash, &record->status, sizeof record->status);
        hash = hash_more(hash, &record->seed, sizeof record->seed);
        hash = hash_more(hash, record->request, record->request_size);
        hash = hash_more(hash, record->reply, record->reply_size);
    }
    return hash | 1;
}

/* True if the hash was not there before. */
static bool add_hash(uint64_t hash)
{
    struct seen_hashes *seen = &seen_hashes;
    if (seen->count * 2 >= seen->size) {
        const struct seen_hashes old = *seen;
        *seen = (struct seen_hashes){.size = old.size ? old.size * 2 : 4096};
        seen->hashes = calloc(seen->size, sizeof *seen->hashes);
        ck_assert_ptr_nonnull(seen->hashes);
        for (size_t i = 0; i < old.size; i++)
            if (old.hashes[i])
                add_hash(old.hashes[i]);
        free(old.hashes);
    }
    for (size_t i = (size_t)hash % seen->size;; i = (i + 1) % seen->size) {
        if (seen->hashes[i] == hash)
            return false;
        if (seen->hashes[i])
            continue;
        seen->hashes[i] = hash;
        seen->count++;
        return true;
    }
}

static void compare_exchange(const struct wcts_case *test, const struct wcts_exchange *exchange,
                             const char *fault)
{
    const struct wcts_exchange_view trace = {spec, exchange, test->page_size};
    if (!add_hash(hash_of_exchange(exchange, test->page_size)))
        return;
    counts->recordings++;
    for (int i = 0; i < exchange->count; i++) {
        const struct wcts_message *message =
            wcts_exchange_message_of(spec, exchange->records[i].operation);
        for (int r = 0; message && r < spec->rules_count; r++)
            if (may_begin[r * spec->messages_count + (message - spec->messages)])
                compare_record(test, &trace, r, i, fault);
    }
}

/* Runs every n-th case of a side, from the first-th on, and compares what it records. */
static void run_cases(const char *options, bool driver, int first, int step)
{
    const struct wcts_implementation emulator = {.path = "emulator", .options = options};
    const struct wcts_session_options how = {.driver = driver, .verdicts_only = true};
    struct wcts_claims claims;
    char error[512];
    struct wcts_session *session =
        wcts_session_open(plan, &emulator, &how, &claims, error, sizeof error);
    ck_assert_msg(session != NULL, "%s: %s", options, error);
    for (int i = 0, taken = 0; i < plan->count; i++) {
        struct wcts_finding finding = {.found = WCTS_FOUND_TROUBLE};
        const struct wcts_case *test = WCTS_PLAN_CASE(plan, i);
        if (test->driver != driver || test->kind == WCTS_KIND_SEQUENCE ||
            taken++ % step != first % step)
            continue;
        wcts_run_judge(session, test, &finding);
        counts->cases++;
        for (int boot = 0; boot < session->recording.count; boot++)
            compare_exchange(test, &session->recording.boots[boot].exchange, options);
        wcts_model_finding_release(&finding);
    }
    wcts_session_close(session);
}

static void print_counts(void)
{
    printf("%llu recordings of %llu cases, %llu faults (%llu stopped), compared %llu times: %llu "
           "unseen, %llu kept, %llu broken\n",
           (unsigned long long)counts->recordings, (unsigned long long)counts->cases,
           (unsigned long long)counts->faults, (unsigned long long)counts->killed,
           (unsigned long long)(counts->truths[0] + counts->truths[1] + counts->truths[2]),
           (unsigned long long)counts->truths[WCTS_UNKNOWN],
           (unsigned long long)counts->truths[WCTS_TRUE],
           (unsigned long long)counts->truths[WCTS_FALSE]);
    printf("  %llu texts compared; %llu known differences\n", (unsigned long long)counts->texts,
           (unsigned long long)counts->known);
    for (int form = 0; form < WCTS_FORM_COUNT_OF; form++)
        if (counts->by_form[form][0] + counts->by_form[form][1] + counts->by_form[form][2] > 0)
            printf("  %-16s %9llu unseen %9llu kept %9llu broken\n",
                   wcts_form_name((enum wcts_form)form),
                   (unsigned long long)counts->by_form[form][WCTS_UNKNOWN],
                   (unsigned long long)counts->by_form[form][WCTS_TRUE],
                   (unsigned long long)counts->by_form[form][WCTS_FALSE]);
}

START_TEST(forms_and_expressions_agree_without_faults)
{
    const char *step = getenv("WCTS_EFFECT_STEP");
    for (int side = 0; side < 2; side++)
        run_cases("strict", side == 1, 0, step ? atoi(step) : 1);
    print_counts();
    ck_assert_uint_gt(counts->truths[WCTS_UNKNOWN], 1000);
    ck_assert_uint_gt(counts->truths[WCTS_TRUE], 1000);
}
END_TEST

/* ---- faults ---- */

static double seconds_used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* A fault may make the emulator stop: then what was compared so far counts. */
static void run_fault(const struct wcts_fault *fault, int first, int step)
{
    char options[256];
    int status;
    pid_t child;
    snprintf(options, sizeof options, "%s%sfault=%s", fault->options ? fault->options : "",
             fault->options ? "," : "", fault->id);
    fflush(NULL);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        for (int side = 0; side < 2; side++)
            run_cases(options, side == 1, first, step);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(!WIFEXITED(status) || WEXITSTATUS(status) == 0, "%s: exit status %d", options,
                  WEXITSTATUS(status));
    counts->killed += WIFSIGNALED(status);
    counts->faults++;
}

START_TEST(forms_and_expressions_agree_with_faults)
{
    const char *limit = getenv("WCTS_FAULT_SECONDS");
    double until = seconds_used() + (limit ? atof(limit) : FAULT_SECONDS);
    struct wcts_faults faults;
    char error[512];
    ck_assert_msg(wcts_faults_init(&faults, plan, "emulator", error, sizeof error), "%s", error);
    /* Neighbours are of one statement: 37 goes around them all. */
    for (int i = 0; i < faults.count && seconds_used() < until; i++) {
        const struct wcts_fault *fault = faults.trials[i * 37 % faults.count].fault;
        if (fault->file)
            run_fault(fault, i, 61);
    }
    wcts_faults_release(&faults);
    print_counts();
    ck_assert_uint_gt(counts->faults, 3);
    ck_assert_uint_gt(counts->truths[WCTS_UNKNOWN], 1000);
    ck_assert_uint_gt(counts->truths[WCTS_TRUE], 1000);
    ck_assert_uint_gt(counts->truths[WCTS_FALSE], 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("effects");
    TCase *tests = tcase_create("effects");
    SRunner *runner = srunner_create(suite);
    int failed;
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, forms_and_expressions_agree_without_faults);
    tcase_add_test(tests, forms_and_expressions_agree_with_faults);
    tcase_set_timeout(tests, 0);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
